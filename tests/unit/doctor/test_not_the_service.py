"""
What a gateway, a proxy or a login page replies is not taken for the service: nothing is concluded
from it, and nothing is written to it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest

from support.doctor_service import LIST, Account, about, examined, json_reply, page_reply
from support.servers import Reply, replying
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.sending import MOST_READS

EVERYTHING = {
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
    """What is not the service, what the verdict says, and whether one question shows it."""

    name: str
    replies: Replies
    says: str
    is_one_row: bool = False


TEXT = {"Content-Type": "text/plain"}
PAGE = "Not ready: Address. A web page came"
NOT_SHOWN = "Not proved: Address. It responds, but no reply shows that it is the service."
STRANGERS = [
    Stranger("web page", always(page_reply(200)), PAGE.replace("ready", "proved"), True),
    Stranger("403 page", always(page_reply(403)), "Not proved: Address. A web page came", True),
    Stranger("404 page", always(page_reply(404)), NOT_SHOWN),
    Stranger(
        "redirect",
        always(json_reply(302, {}, Location="https://login.example.com/?next=1")),
        "Not ready: Address. The Address is behind a browser login: a redirect to https://login.exa",
        True,
    ),
    Stranger(
        "bad gateway",
        always(page_reply(502)),
        "Not proved: Address. Nothing is settled, because the service replied 502 to each of 2",
        True,
    ),
    Stranger(
        "nothing",
        always(Reply(0)),
        "Not proved: Address. None of 2 requests got a whole response",
        True,
    ),
    Stranger("no body", always(Reply(204)), NOT_SHOWN),
    Stranger("text", always(Reply(200, b"OK", TEXT)), "Not ready: Address. Text came", True),
    Stranger(
        "an error as a success",
        always(json_reply(200, {"errors": [{"message": "No operation"}], "data": None})),
        "Not proved: Account. The service or a gateway replies 200 with an error to each read, "
        "whatever its path: 'No operation'.",
        True,
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
    Stranger("any credentials", any_credentials, NOT_SHOWN),
]


@pytest.mark.parametrize("listed", [None, LIST], ids=["no list", "list"])
@pytest.mark.parametrize("stranger", STRANGERS, ids=[stranger.name for stranger in STRANGERS])
def test_what_is_not_the_service_shows_nothing(stranger: Stranger, listed: str | None):
    with replying(stranger.replies) as url:
        report = examined(url, coupon_list_id=listed)
    assert [name for name, value in report.values.items() if value.is_proved] == []
    sure = {finding.topic for finding in report.findings if finding.certainty is Certainty.SURE}
    assert sure & {Topic.ADDRESS, Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.LIST_PATH} == set()
    assert report.extra == {}
    assert report.reads <= MOST_READS
    assert report.verdict.startswith(stranger.says)
    assert (len(report.findings) == 1) is stranger.is_one_row
    assert "next=1" not in report.to_json()


@pytest.mark.parametrize("stranger", STRANGERS, ids=[stranger.name for stranger in STRANGERS])
def test_nothing_is_written_to_what_is_not_the_service(stranger: Stranger):
    methods = set()

    def reply(method: str, path: str, headers: Mapping[str, str]) -> Reply:
        methods.add(method)
        return stranger.replies(method, path, headers)

    with replying(reply) as url:
        report = examined(url, **EVERYTHING)
    assert methods == {"GET"}
    assert report.writes == 0
    for topic in (Topic.UPLOAD, Topic.CATALOG, Topic.SEGMENT):
        assert about(report, topic).text.startswith("Not sent: no read shows that the service is")


def test_a_documented_refusal_shows_the_service_so_that_an_upload_is_tried():
    account = Account(
        lambda call: json_reply(
            401, {"error": {"code": "request-unauthenticated", "message": "Credentials."}}
        )
    )
    with replying(account) as url:
        report = examined(url, coupon_list_id=LIST, file_url="https://f.example.com/a")
    assert report.writes == 1
    assert about(report, Topic.UPLOAD).text.startswith("Campaign API key: refused (401")


BODIES = [
    b"",
    b"{",
    b"[{}]",
    b"null",
    b"7",
    b"\xff",
    b"[[[]]]",
    b'{"error": [7]}',
    b'[{"_id": " ", "status": "PENDING"}]',
    b'{"_id": "\\u001b", "status": "PENDING"}',
    b'{"data": {"data": [{"_id": 7, "status": null}]}}',
]


@pytest.mark.parametrize("body", BODIES, ids=repr)
@pytest.mark.parametrize("status", [200, 201, 400, 401, 403, 404])
def test_any_reply_gives_a_report(status: int, body: bytes):
    with replying(always(Reply(status, body))) as url:
        report = examined(url, **EVERYTHING, timeout=0.01)
    assert json.loads(report.to_json())["reads"] <= MOST_READS
    assert not report.values["paths.coupon_files"].is_proved
    assert len(report.lines()) <= 30


def test_tls_is_judged_as_the_client_judges_it():
    from support.doctor_service import diagnose, service
    from wes_provider.emulator import Emulator

    with service(tls=True) as emulator:
        trusted = diagnose(emulator, coupon_list_id="old-list")
        not_trusted = diagnose(emulator, extra={"verify": True})
        emulator_url = emulator.url
    assert about(trusted, Topic.ADDRESS).certainty is Certainty.SURE
    assert not_trusted.reads == 1
    assert "Set Verify TLS to the bundle" in not_trusted.verdict
    with Emulator(tls="expired") as emulator:
        report = diagnose(emulator)
    assert "certificate has expired" in str(about(report, Topic.ADDRESS).probes[0])
    assert examined(emulator_url).verdict.startswith("Not ready: Address. The service was not")
