"""
What replies in the service's place to each request (a page, a redirect to a login, text, JSON or an
error for everything, any 401 or 404) proves nothing: no value is proved, no finding about address,
keys or the list's path is *sure*, no extra is advised, whether a list is named or not.

If what came is recognised (a page with 200 or 403, a login, a 502, no response, text, an error in a
success), the report has one finding only, and the verdict names it. What could be anything leaves
each question open, in a row of its own. Nothing but GET is sent, though an upload, a catalog and a
segment were asked for. A redirect is shown without its query. But a 401 with the contract's code is
the service's, so that one upload is sent. A page with 404 for the list and its files alone is said
to be of what replied, and not of the service.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest

from support.doctor_service import (
    FILES_PATH,
    LIST,
    Account,
    Call,
    about,
    examined,
    examined_account,
    json_reply,
    page_reply,
)
from support.servers import Reply, replying
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.reads.sending import MOST_READS

ALL_QUESTIONS = {
    "coupon_list_id": LIST,
    "file_url": "https://f.example.com/a",
    "catalog": "c",
    "segment_id": "s",
}
Replies = Callable[[str, str, Mapping[str, str]], Reply]


def always(reply: Reply) -> Replies:
    return lambda *_: reply


def any_credentials(_method: str, _path: str, headers: Mapping[str, str]) -> Reply:
    """A gateway that wants credentials, whichever, in front of nothing."""
    if "Authorization" in headers:
        return json_reply(404, {"message": "no route"})
    return json_reply(401, {})


class Stranger(NamedTuple):
    """
    What is not the service.

    :ivar verdict: how the report's verdict begins.
    :ivar is_only_finding: whether the report has no other finding than the verdict's.
    """

    name: str
    replies: Replies
    verdict: str
    is_only_finding: bool = False


TEXT = {"Content-Type": "text/plain"}
TO_LOGIN = json_reply(302, {}, Location="https://login.example.com/?next=1")
A_PAGE = "Not proved: Address. A web page came"
NOT_SHOWN = "Not proved: Address. It responds, but no reply shows that it is the service."
STRANGERS = [
    Stranger("a page with 200", always(page_reply(200)), A_PAGE, is_only_finding=True),
    Stranger("a page with 403", always(page_reply(403)), A_PAGE, is_only_finding=True),
    Stranger("a page with 404", always(page_reply(404)), NOT_SHOWN),
    Stranger(
        "a redirect to a login",
        always(TO_LOGIN),
        "Not ready: Address. The Address is behind a browser login: a redirect to https://login.exa",
        is_only_finding=True,
    ),
    Stranger(
        "a page with 502",
        always(page_reply(502)),
        "Not proved: Address. Nothing is settled, because the service replied 502 to each of 2",
        is_only_finding=True,
    ),
    Stranger(
        "no response",
        always(Reply(0)),
        "Not proved: Address. None of 2 requests got a whole response",
        is_only_finding=True,
    ),
    Stranger("no body with 204", always(Reply(204)), NOT_SHOWN),
    Stranger(
        "text with 200",
        always(Reply(200, b"OK", TEXT)),
        "Not ready: Address. Text came",
        is_only_finding=True,
    ),
    Stranger(
        "an error as a success",
        always(json_reply(200, {"errors": [{"message": "No operation"}], "data": None})),
        "Not proved: Account. The service or a gateway replies 200 with an error to each read, "
        "whatever its path: 'No operation'.",
        is_only_finding=True,
    ),
    Stranger("JSON for everything", always(json_reply(200, [])), NOT_SHOWN),
    Stranger(
        "records for everything",
        always(json_reply(200, {"data": [{"_id": "a", "status": "SUCCESS"}]})),
        NOT_SHOWN,
    ),
    Stranger(
        "401 for everything",
        always(Reply(401, b"Unauthorized", {"Content-Type": "text/plain"})),
        "Not proved: Campaign API key. Refused",
    ),
    Stranger("404 for everything", always(json_reply(404, {"message": "No."})), NOT_SHOWN),
    Stranger("401 without credentials, and else 404", any_credentials, NOT_SHOWN),
]
of_each_stranger = pytest.mark.parametrize(
    "stranger", STRANGERS, ids=[stranger.name for stranger in STRANGERS]
)
with_and_without_a_list = pytest.mark.parametrize("listed", [None, LIST], ids=["no list", "list"])


@with_and_without_a_list
@of_each_stranger
def test_no_setting_address_key_or_path_is_sure_by_what_is_not_the_service(
    stranger: Stranger, listed: str | None
):
    """No value is proved, no finding about address, keys or path is sure, no extra is advised."""
    with replying(stranger.replies) as url:
        report = examined(url, coupon_list_id=listed)
    assert [name for name, value in report.values.items() if value.is_proved] == []
    sure = {finding.topic for finding in report.findings if finding.certainty is Certainty.SURE}
    assert sure & {Topic.ADDRESS, Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.LIST_PATH} == set()
    assert report.extra == {}
    assert report.reads <= MOST_READS


@with_and_without_a_list
@of_each_stranger
def test_the_verdict_on_what_is_not_the_service_names_what_came_if_that_is_recognised(
    stranger: Stranger, listed: str | None
):
    with replying(stranger.replies) as url:
        report = examined(url, coupon_list_id=listed)
    assert report.verdict.startswith(stranger.verdict)


@with_and_without_a_list
@of_each_stranger
def test_the_report_has_one_finding_only_if_what_came_is_recognised(
    stranger: Stranger, listed: str | None
):
    """What could be anything leaves each question open, in a row of its own."""
    with replying(stranger.replies) as url:
        report = examined(url, coupon_list_id=listed)
    assert (len(report.findings) == 1) is stranger.is_only_finding


def test_a_report_shows_a_redirect_without_its_query():
    with replying(always(TO_LOGIN)) as url:
        report = examined(url)
    assert "https://login.example.com" in report.to_json()
    assert "next=1" not in report.to_json()


@of_each_stranger
def test_nothing_is_written_to_what_is_not_the_service(stranger: Stranger):
    """Though an upload, a catalog and a segment were asked for, only GET is sent."""
    methods = set()

    def reply(method: str, path: str, headers: Mapping[str, str]) -> Reply:
        methods.add(method)
        return stranger.replies(method, path, headers)

    with replying(reply) as url:
        report = examined(url, **ALL_QUESTIONS)
    assert methods == {"GET"}
    assert report.writes == 0
    for topic in (Topic.UPLOAD, Topic.CATALOG, Topic.SEGMENT):
        assert about(report, topic).text.startswith("Not sent: no read shows that the service is")


def test_a_documented_refusal_shows_the_service_so_that_an_upload_is_tried():
    """A 401 with the contract's code is the service's: one upload is sent, and is refused, too."""
    account = Account(
        lambda call: json_reply(
            401, {"error": {"code": "request-unauthenticated", "message": "Credentials."}}
        )
    )
    with replying(account) as url:
        report = examined(url, coupon_list_id=LIST, file_url="https://f.example.com/a")
    assert report.writes == 1
    assert about(report, Topic.UPLOAD).text.startswith("Campaign API key: refused (401")


def test_a_page_with_404_for_list_and_file_is_said_to_be_of_what_replied_and_not_of_the_service():
    def nasty(call: Call) -> Reply | None:
        is_file = call.path.startswith(f"{FILES_PATH}/")
        return page_reply(404) if is_file or call.path == FILES_PATH else None

    report = examined_account(Account(nasty))
    text = about(report, Topic.LIST_PATH).text
    assert text.startswith(
        f"What replied sent 404, which is not the service's, to GET {FILES_PATH}"
    )
    assert "The service replies 404 that" not in report.to_json()
