"""
Conclusions rest on evidence: what a gateway, a proxy or a login page replies is not taken for the
service.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from support.doctor_service import OLD_LIST, diagnose, examined, service, topic
from support.servers import Reply, replying
from wes_provider.coupon_files import CountNames
from wes_provider.doctor.files import meaning_of
from wes_provider.doctor.findings import Topic
from wes_provider.emulator import Emulator
from wes_provider.models import CouponFile

HTML = {"Content-Type": "text/html"}
LIST = f"/v1/coupon-list/{OLD_LIST}/files"
EVERYTHING = {
    "coupon_list_id": OLD_LIST,
    "file_url": "https://f.example.com/a",
    "catalog": "c",
    "segment_id": "s",
}


def always(
    status: int, body: bytes, headers: Mapping[str, str] | None = None
) -> Callable[..., Reply]:
    return lambda *_: Reply(status, body, headers or {"Content-Type": "application/json"})


def any_credentials(_method: str, _path: str, headers: Mapping[str, str]) -> Reply:
    """A gateway that wants credentials, whichever, in front of nothing."""
    return (
        Reply(404, b'{"message": "no route"}') if "Authorization" in headers else Reply(401, b"{}")
    )


PAGE, UNSURE = (
    f"{Topic.ADDRESS}. A redirect or a web page came",
    f"{Topic.CAMPAIGN_KEY}. No reply shows whether it is",
)
NOT_THE_SERVICE: dict[str, tuple[Callable[..., Reply], str]] = {  # and the verdict
    "login page": (always(200, b"<!DOCTYPE html><title>Log in</title>", HTML), PAGE),
    "JSON for everything": (always(200, b"[]"), UNSURE),
    "records for everything": (
        always(200, b'{"data": [{"_id": "a", "status": "SUCCESS"}]}'),
        UNSURE,
    ),
    "401 for everything": (
        always(401, b"Unauthorized", {"Content-Type": "text/plain"}),
        f"{Topic.CAMPAIGN_KEY}. Ref",
    ),
    "403 page": (always(403, b"<html>Blocked</html>", HTML), UNSURE),
    "404 for everything": (
        always(404, b'{"error": {"code": "not-found", "message": "No."}}'),
        UNSURE,
    ),
    "redirect": (always(302, b"", {"Location": "https://login.example.com/?next=1"}), PAGE),
    "bad gateway": (
        always(502, b"<html>Bad Gateway</html>", HTML),
        f"{Topic.ADDRESS}. 502: try again later.",
    ),
    "nothing": (always(0, b""), f"{Topic.ADDRESS}. No whole response came"),
    "any credentials": (any_credentials, UNSURE),
    "errors for everything": (
        always(200, b'{"errors": [{"message": "No operation"}], "data": null}'),
        UNSURE,
    ),
}


@pytest.mark.parametrize("listed", [None, OLD_LIST], ids=["no list", "list"])
@pytest.mark.parametrize("kind", NOT_THE_SERVICE)
def test_what_is_not_the_service_shows_nothing(kind: str, listed: str | None):
    reply, verdict = NOT_THE_SERVICE[kind]
    with replying(reply) as url:
        report = examined(url, coupon_list_id=listed)
    assert {certainty for _, certainty in report.values.values()} == {"unsure"}, report.to_json()
    assert "sure" not in {
        finding.certainty for finding in report.findings if "API key" in finding.topic
    }
    assert report.extra == {}
    assert report.reads <= 10
    assert report.verdict.startswith(f"Not ready: {verdict}")
    assert "next=1" not in report.to_json()


@pytest.mark.parametrize("kind", ["login page", "redirect", "nothing"])
def test_nothing_is_written_to_what_is_not_the_service(kind: str):
    with replying(NOT_THE_SERVICE[kind][0]) as url:
        report = examined(url, **EVERYTHING)
    assert report.writes == 0
    assert (report.reads == 1) is (kind != "login page"), "nobody responds who could tell more"
    for name in (Topic.UPLOAD, Topic.CATALOG, Topic.SEGMENT):
        assert topic(report, name).text.startswith("Not sent:")


def test_limits_that_no_number_states_are_not_known():
    with replying(always(200, b"[]", {"x-ratelimit-remaining": "x"})) as url:
        assert topic(examined(url), Topic.LIMITS).text.startswith(
            "No response states any: the documented"
        )


BODIES: list[bytes] = [
    *(
        b"",
        b"{",
        b"[{}]",
        b"null",
        b"7",
        b"\xff",
        b"[[[]]]",
        b'{"error": [7]}',
        b'[{"_id": " ", "status": "PENDING"}]',
    ),
    *(
        b'{"_id": "\\u001b", "status": "PENDING"}',
        b'{"data": {"data": [{"_id": 7, "status": null}]}}',
    ),
]


@pytest.mark.parametrize("status", [200, 201, 400, 401, 403, 404, 429, 500])
def test_any_reply_gives_a_report(status: int):
    for body in BODIES:
        with replying(always(status, body)) as url:
            report = examined(url, **EVERYTHING, timeout=0.01)
        assert json.loads(report.to_json())["reads"] <= 10
        assert report.values["paths.coupon_files"][1] != "sure" or b'"_id"' in body


# -- keys and headers ------------------------------------------------------------------------------


class Account:
    """
    A service that checks paths first, then credentials: each key for its own paths, and a workspace
    header.

    :param header: that it takes the workspace from.
    :param replies: to paths that it has, once credentials are accepted.
    """

    def __init__(
        self, header: str = "SVC-APPKEY", replies: Mapping[str, Any] | None = None
    ) -> None:
        self.header, self.replies = header, replies or {}

    def __call__(self, _method: str, path: str, headers: Mapping[str, str]) -> Reply:
        segments = path.startswith("/v3/custom-segments/")
        if not segments and path not in self.replies:
            return Reply(404, b'{"error": {"code": "not-found", "message": "no such path"}}')
        key = "data-key-of-ours" if segments else "campaign-key"
        right = base64.b64decode(headers["Authorization"][6:]) == f"workspace:{key}".encode()
        if not right or headers.get(self.header) != "workspace":
            return Reply(401, b'{"error": {"code": "request-unauthenticated", "message": "No."}}')
        if segments:
            return Reply(404, b'{"error": {"code": "not-found", "message": "no such segment"}}')
        return Reply(200, json.dumps(self.replies[path]).encode())


PASTE = "Refused, though the other key is accepted: paste it again."


@pytest.mark.parametrize(
    ("connection", "about", "certainty", "text"),
    [
        ({"password": "emulated-data-key", "extra": {"data_api_key": "emulated-campaign-key"}}, Topic.CAMPAIGN_KEY,
         "wrong", "Refused. The Data API key is accepted in its place: they may be swapped."),
        ({"password": "wrong"}, Topic.CAMPAIGN_KEY, "wrong", PASTE),
        ({"extra": {"data_api_key": "old"}}, Topic.DATA_KEY, "wrong", PASTE),
        ({"login": "another"}, Topic.CAMPAIGN_KEY, "unsure",
         "Refused. Campaign API key, Workspace identifier or Workspace header is wrong, or a "
             "gateway"),
        ({"extra": {"data_api_key": ""}}, Topic.DATA_KEY, "sure", "None is given: segments use "
            "the Campaign API key."),
    ],
    ids=["swapped", "campaign key", "data key", "workspace", "no data key"],
)  # fmt: skip
def test_a_refusal_names_the_field(
    connection: dict[str, Any], about: str, certainty: str, text: str
):
    with service() as emulator:
        report = diagnose(emulator, coupon_list_id=OLD_LIST, connection=connection)
    assert topic(report, about).word == certainty
    assert topic(report, about).text.startswith(text)
    assert report.works is (certainty == "sure")


@pytest.mark.parametrize("listed", [OLD_LIST, None])
@pytest.mark.parametrize("header", ["X-SVC-APPKEY", "X-Client-Id", "workspace-id"])
def test_another_workspace_header_is_found_if_it_is_a_usual_one(header: str, listed: str | None):
    with service(workspace_header=header) as emulator:
        report = diagnose(emulator, coupon_list_id=listed)
    value, certainty = report.values["workspace_header"]
    assert report.reads <= 10
    assert (value.lower(), certainty) == (header.lower(), "sure")
    assert "run this again" in topic(report, Topic.DATA_KEY).text


@pytest.mark.parametrize(
    ("header", "replies"), [("X-App-Id", {}), ("X-Unheard-Of", {}), ("X-Unheard-Of", {LIST: []})]
)
def test_no_key_is_called_wrong_while_the_header_may_be(header: str, replies: Mapping[str, Any]):
    """The list is elsewhere: the data key shows a usual header."""
    with replying(Account(header, replies)) as url:
        report = examined(url, coupon_list_id=OLD_LIST)
    assert report.reads <= 10
    assert (report.values["workspace_header"] == (header, "sure")) is (header == "X-App-Id")
    assert {topic(report, name).word for name in (Topic.CAMPAIGN_KEY, Topic.DATA_KEY)} == {"unsure"}
    assert not report.works


# -- paths and records -----------------------------------------------------------------------------


@pytest.mark.parametrize("list_id", ["no-such-list", None])
def test_a_list_that_is_not_there_leaves_the_path_unsure(list_id: str | None):
    with service(unknown_list="404") as emulator:
        report = diagnose(emulator, coupon_list_id=list_id)
    assert report.values["paths.coupon_files"] == (
        "/v1/coupon-list/{coupon_list_id}/files",
        "unsure",
    )
    assert report.works


DONE = {"_id": "a", "status": "DONE"}


@pytest.mark.parametrize(
    ("record", "listing", "about", "text"),
    [
        ({"_id": "a", "state": "DONE"}, lambda file: [file], Topic.FILE_PATH,
         "has the file, but the provider cannot read it: 200 with coupon file 'a', status ''"),
        (DONE, lambda file: {"a": file}, Topic.LIST_PATH, "It shows something, but"),
        (DONE, lambda _: ["a"], Topic.LIST_PATH, "It shows something, but"),
        (DONE, lambda file: {"x": {"files": [file]}}, Topic.LIST_PATH, "the files under x.files"),
    ],
    ids=["no status", "by id", "ids", "deep"],
)  # fmt: skip
def test_what_the_provider_cannot_read_is_wrong(
    record: Any, listing: Callable[[Any], Any], about: str, text: str
):
    with replying(Account(replies={LIST: listing(record), f"{LIST}/a": record})) as url:
        report = examined(url, coupon_list_id=OLD_LIST)
    assert topic(report, about).certainty == "wrong"
    assert text in topic(report, about).text
    assert not report.works


def test_a_guess_that_has_to_be_pasted_first_does_not_work():
    record = {
        "_id": "a",
        "status": "IMPORT_FAILED",
        "error": "no header",
        "coupons_list_id": OLD_LIST,
    }
    with replying(Account(replies={LIST: [record], f"{LIST}/a": record})) as url:
        report = examined(url, coupon_list_id=OLD_LIST)
    assert [finding.topic for finding in report.findings if finding.certainty == "wrong"] == []
    assert "IMPORT_FAILED" in report.extra["coupon_file_statuses"]["failure"]
    assert report.verdict.endswith("Part of it is a guess, as the table says.")


@pytest.mark.parametrize(
    ("status", "counts", "reason", "kind", "sure"),
    [
        ("IMPORTED", {"coupons_added": 5, "rejected": 0}, "", "success", True),
        ("COUPONS_LOADED", {"coupons_added": 5}, "", "success", True),
        ("IMPORT_FAILED", {}, "no header", "failure", True),
        ("ABORTED", {"total": 6, "rejected": 6}, "", "failure", False),
        ("STAGED", {"coupons_added": 6}, "", "pending", False),
        ("COMPLETED_WITH_ERRORS", {"coupons_added": 5}, "", "failure", False),
        ("IMPORTED", {"coupons_added": 0}, "", "failure", False),
        ("IMPORTED", {"coupons_added": 5, "error_count": 1}, "", "failure", False),
        ("FINALIZED", {}, "", "success", False),
        ("FERTIG", {"zaehler.neu": 5}, "", "success", False),
        ("NOT_IMPORTED", {"coupons_added": 5}, "", "failure", False),
    ],
)
def test_an_unknown_status_has_a_meaning_only_if_nothing_speaks_against_it(
    status: str, counts: dict[str, int], reason: str, kind: str, sure: bool
):
    meaning = meaning_of(CouponFile("a", status=status, counts=counts, reason=reason), CountNames())
    assert (meaning.kind, meaning.sure) == (kind, sure)


# -- the way ---------------------------------------------------------------------------------------


def test_tls_is_judged_as_the_client_judges_it():
    with Emulator(tls=True) as emulator:
        trusted = diagnose(emulator)
        not_trusted = diagnose(emulator, extra={"verify": True})
        emulator_url = emulator.url
    assert (trusted.works, topic(trusted, Topic.ADDRESS).certainty) == (True, "sure")
    assert "Set Verify TLS to the bundle" in topic(not_trusted, Topic.ADDRESS).text
    with Emulator(tls="expired") as emulator:
        report = diagnose(emulator)
    assert "certificate has expired" in topic(report, Topic.ADDRESS).tried[0]
    assert "check scheme, host and port" in topic(examined(emulator_url), Topic.ADDRESS).text
