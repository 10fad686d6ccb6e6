"""Credentials: what a refusal shows, and what follows if reads are short."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

import pytest

from support.doctor_service import OLD_LIST, diagnose, service
from support.replying import Reply, replying
from support.wes_driver import read as read_settings
from wes_provider.client.diagnosis import Reader, diagnosis, read_keys
from wes_provider.client.sync_client import WesClient
from wes_provider.doctor.examination import examine
from wes_provider.doctor.report import Report, table

KEYS = {"password": "campaign-key", "extra": {"data_api_key": "data-key-of-ours"}}
LIST = f"/v1/coupon-list/{OLD_LIST}/files"


class Account:
    """
    A service that checks paths first, then credentials: each key for its own paths, and a workspace header.

    :param header: that it takes the workspace from.
    :param replies: to paths that it has, once credentials are accepted.
    """

    def __init__(self, header: str = "SVC-APPKEY", replies: Mapping[str, Any] | None = None) -> None:
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


def examined(url: str, **options: Any) -> Report:
    given = {"coupon_list_id": OLD_LIST, **options}
    return examine(read_settings({"host": url, "login": "workspace", **KEYS}), {}, **given)


def topic(report: Report, name: str) -> Any:
    (finding,) = [finding for finding in report.findings if finding.topic == name]
    return finding


@pytest.mark.parametrize("list_id", [OLD_LIST, None])
def test_the_search_for_a_header_may_take_all_reads(list_id: str | None):
    with service(workspace_header="X-App-Id", wrong_method=404) as emulator:
        report = diagnose(emulator, coupon_list_id=list_id)
    assert report.reads == 10
    assert report.values["workspace_header"] == ("X-App-Id", "sure")
    assert "run it again" in topic(report, "Data API key").text


def test_paths_that_were_not_tried_are_not_said_to_be():
    with service(workspace_header="X-App-Id", coupon_files_path="/v1/coupon-files/{coupon_list_id}") as emulator:
        report = diagnose(emulator, coupon_list_id=OLD_LIST)
    text = topic(report, "Path of the list's files").text
    assert "None of" not in text
    assert report.reads <= 10


def test_with_another_header_and_no_read_left_other_paths_are_not_called_missing():
    headers_first = {"X-App-Id": "workspace"}

    def reply(_method: str, path: str, headers: Mapping[str, str]) -> Reply:
        if any(headers.get(name) != value for name, value in headers_first.items()):
            return Reply(401, b'{"message": "Unauthorized"}')
        return Reply(404, b'{"message": "no such path"}')

    with replying(reply) as url:
        report = examined(url)
    assert topic(report, "Path of the list's files").text == (
        "The path does not show the list's files. Other paths were not tried: paste the extra below and run it again; "
        "--upload URL finds the path, too."
    )


def test_a_usual_header_is_found_with_the_data_key_if_the_list_is_elsewhere():
    with replying(Account("X-App-Id")) as url:
        report = examined(url)
    assert report.reads <= 10
    assert report.values["workspace_header"] == ("X-App-Id", "sure")
    assert topic(report, "Data API key").certainty == "sure"


@pytest.mark.parametrize("replies", [{}, {LIST: []}], ids=["list elsewhere", "list"])
def test_no_key_is_called_wrong_while_the_header_may_be(replies: Mapping[str, Any]):
    with replying(Account("X-Unheard-Of", replies)) as url:
        report = examined(url)
        settings = read_settings({"host": url, "login": "workspace", **KEYS})
        good, text = diagnosis(settings, read_keys(Reader(WesClient(settings)), OLD_LIST))
    assert {topic(report, name).certainty for name in ("Campaign API key", "Data API key")} == {"unsure"}
    credentials = topic(report, "Credentials")
    assert credentials.certainty == "wrong"
    assert credentials.text.endswith("Workspace identifier and Workspace header: one of them is wrong.")
    assert credentials.text in text
    assert (good, report.works) == (False, False)


def test_a_data_key_is_wrong_if_the_campaign_key_is_accepted_with_the_header():
    with service() as emulator:
        report = diagnose(emulator, coupon_list_id=OLD_LIST, extra={"data_api_key": "old-data-key"})
    key = topic(report, "Data API key")
    assert key.certainty == "wrong"
    assert key.text.endswith("Paste the Data API key from the data tile again; Workspace identifier is accepted.")
    assert not report.works


def test_a_403_to_any_key_names_what_to_do():
    with replying(lambda *_: Reply(403, b'{"message": "Forbidden"}')) as url:
        report = examined(url)
        settings = read_settings({"host": url, "login": "workspace", **KEYS})
        _, text = diagnosis(settings, read_keys(Reader(WesClient(settings))))
    key = topic(report, "Campaign API key")
    advice = "A gateway or firewall may refuse this machine: try another network, or request access for its address."
    assert key.certainty == "unsure"
    assert key.text.endswith(advice)
    assert advice in text
    assert not report.works


@pytest.mark.parametrize(
    "body", [{"a": {"_id": "a", "status": "DONE"}}, ["a", "b"], {"files": None}], ids=["by id", "ids", "null"]
)
def test_a_list_that_the_provider_cannot_read_does_not_work(body: Any):
    with replying(Account(replies={LIST: body})) as url:
        report = examined(url)
    path = topic(report, "Path of the list's files")
    assert path.certainty == "wrong"
    assert path.text.startswith("The path replies, but not with a list that the provider can read: ")
    assert not report.works


def test_a_campaign_key_that_is_not_shown_to_be_accepted_does_not_work():
    """Though the data key is: a list for everybody may come from a cache."""

    def reply(method: str, path: str, headers: Mapping[str, str]) -> Reply:
        return Reply(200, b"[]") if path == LIST else Account()(method, path, headers)

    with replying(reply) as url:
        report = examined(url)
    assert topic(report, "Data API key").certainty == "sure"
    assert not report.works


def test_a_guess_that_has_to_be_pasted_first_does_not_work():
    record = {"_id": "a", "status": "IMPORT_FAILED", "error": "no header", "coupons_list_id": OLD_LIST}
    with replying(Account(replies={LIST: [record], f"{LIST}/a": record})) as url:
        report = examined(url)
    assert [finding.topic for finding in report.findings if finding.certainty == "wrong"] == []
    assert "IMPORT_FAILED" in report.extra["coupon_file_statuses"]["failure"]
    assert not report.works


def test_a_file_that_the_provider_cannot_read_does_not_work():
    record = {"_id": "a", "state": "DONE", "coupons_list_id": OLD_LIST}
    with replying(Account(replies={LIST: [record], f"{LIST}/a": record})) as url:
        report = examined(url)
    path = topic(report, "Path of one file")
    assert path.certainty == "wrong"
    assert path.text.endswith("the provider cannot read it: it has no status; it has state.")


# -- the report ----------------------------------------------------------------------------------------


def test_one_of_a_thing_is_singular():
    report = examined("http://127.0.0.1:1")
    assert "Sent 1 read, 0 writes." in report.to_text()


@pytest.mark.parametrize("width", [80, 100, 140])
def test_paths_break_at_their_slashes(width: int):
    with service() as emulator:
        report = diagnose(emulator, coupon_list_id=OLD_LIST)
    lines = table(report.findings, width).splitlines()
    assert all(len(line) <= width for line in lines)
    parts = {f"/{part}" for finding in report.findings for part in finding.tried.split("/")[1:]}
    text = "\n".join(lines)
    assert all(part.split()[0] in text for part in parts if part.strip("/"))


def test_reads_state_no_limits_in_one_sentence():
    with service() as emulator:
        report = diagnose(emulator, coupon_list_id=OLD_LIST)
    assert topic(report, "Rate limits").text == "Replies to reads state no limits."
