"""An upload is followed with few reads, and what its end means is stated only as far as the records show it."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import pytest

from support.doctor_service import OLD_LIST
from support.replying import Reply, replying
from support.wes_driver import read as read_settings
from wes_provider.doctor.examination import examine
from wes_provider.doctor.report import Report

FILE = "65f0c0ffee00000000000001"
NOTHING: Mapping[str, Any] = MappingProxyType({})
Stage = tuple[float, Any, Mapping[str, Any]]
ROUTES = {"file": f"/v1/coupon-list/{OLD_LIST}/files/{FILE}", "list": f"/v1/coupon-list/{OLD_LIST}/files"}


@dataclass
class Account:
    """
    A service with one list. Its clock is that of the doctor, which goes on only when the doctor sleeps.

    :ivar stages: of the uploaded file: seconds after the upload, its status, further properties.
    :ivar file_path: where the file is; ``None`` if nowhere. ``list_path`` likewise.
    :ivar file_body: what the body of the file is, from its record; ``list_body`` likewise.
    :ivar upload: the reply to the upload, if it is not the usual one.
    :ivar reads: paths that were read, and when.
    """

    stages: Sequence[Stage] = ((0, "PENDING", NOTHING), (3, "SUCCESS", {"coupons_added": 5}))
    file_path: str | None = ROUTES["file"]
    list_path: str | None = ROUTES["list"]
    file_body: Callable[[dict[str, Any]], Any] = lambda record: record
    list_body: Callable[[list[dict[str, Any]]], Any] = lambda records: records
    upload: Reply | None = None
    time: float = 0.0
    name: str = ""
    uploaded_at: float | None = None
    reads: list[tuple[float, str]] = field(default_factory=list)

    def reply(self, method: str, path: str, headers: Mapping[str, str]) -> Reply:
        known = {b"workspace:campaign-key", b"workspace:data-key-of-ours"}
        if base64.b64decode(headers["Authorization"][6:]) not in known:
            return Reply(401, b'{"error": {"code": "request-unauthenticated", "message": "No."}}')
        if method == "POST":
            self.uploaded_at = self.time
            return self.upload or Reply(201, json.dumps(self.record).encode())
        self.reads.append((self.time, path))
        if path == self.list_path:
            return Reply(200, json.dumps(self.list_body([self.record] if self.name else [])).encode())
        if path == self.file_path and self.name:
            return Reply(200, json.dumps(self.file_body(self.record)).encode())
        what = "segment" if path.startswith("/v3/") else f"path {path}"
        return Reply(404, json.dumps({"error": {"code": "not-found", "message": f"no such {what}"}}).encode())

    def take(self, body: bytes) -> None:
        """The body of the upload."""
        self.name = json.loads(body)["name"]

    @property
    def record(self) -> dict[str, Any]:
        age = self.time - (self.uploaded_at or 0.0)
        _, status, more = [stage for stage in self.stages if stage[0] <= age][-1]
        url = "https://files.example.com/a.csv"
        return {"_id": FILE, "name": self.name, "file_url": url, "status": status, "coupons_list_id": OLD_LIST, **more}

    @property
    def waited(self) -> float:
        """Seconds from the upload to the last read."""
        assert self.uploaded_at is not None
        return self.reads[-1][0] - self.uploaded_at

    def examine(self, **options: Any) -> Report:
        """What the doctor reports of an upload."""

        def sleep(seconds: float) -> None:
            self.time += seconds

        with replying(self.reply, self.take) as url:
            keys = {"password": "campaign-key", "extra": {"data_api_key": "data-key-of-ours"}}
            settings = read_settings({"host": url, "login": "workspace", **keys})
            given = {"coupon_list_id": OLD_LIST, "file_url": "https://files.example.com/a.csv", **options}
            return examine(settings, {}, sleep=sleep, now=lambda: self.time, **given)


def topic(report: Report, name: str) -> Any:
    (finding,) = [finding for finding in report.findings if finding.topic == name]
    return finding


STATUSES = "Statuses of the upload"
ON_THE_WAY: Stage = (0, "PENDING", NOTHING)


@pytest.mark.parametrize(
    "stages",
    [
        [(3, "ABORTED", {"total": 6, "rejected": 6})],
        [(3, "INVALID", {"coupons_added": 0, "attempts": 1})],
        [(3, "STAGED", {"total_rows": 6, "coupons_added": 0}), (200, "DONE", {"coupons_added": 6})],
        [(3, "STAGED", {"coupons_added": 6}), (200, "DONE", {"coupons_added": 6})],
        [(3, "IMPORTING", {"coupons_added": 2}), (200, "IMPORTED", {"coupons_added": 5})],
        [(3, "PARTIALLY_COMPLETED", {"coupons_added": 5, "failed": 1})],
        [(3, "COMPLETED_WITH_ERRORS", {"coupons_added": 5})],
        [(3, "IMPORTED", {"coupons_added": 0})],
        [(3, "IMPORTED", {"coupons_added": 5, "error_count": 1})],
        [(3, "FINALIZED", NOTHING)],
        [(3, "FERTIG", {"zaehler": {"neu": 5}})],
        [(3, "STOPPED", {"coupons_added": 5})],
        [(3, "NOT_IMPORTED", {"coupons_added": 5})],
    ],
    ids=lambda stages: stages[0][1],
)
def test_a_status_without_clear_evidence_of_its_meaning_is_unsure(stages: list[Stage]):
    report = Account([ON_THE_WAY, *stages]).examine()
    assert topic(report, STATUSES).certainty == "unsure"
    assert not report.works
    for name in ("success", "failure"):
        assert report.values[f"coupon_file_statuses.{name}"][1] == "unsure"


@pytest.mark.parametrize("status", ["IMPORTED", "Finished", "COUPONS_LOADED"])
def test_an_unknown_status_with_added_coupons_and_a_name_that_states_an_end_means_success(status: str):
    report = Account([ON_THE_WAY, (3, status, {"coupons_added": 5, "rejected": 0})]).examine()
    assert topic(report, STATUSES).certainty == "wrong"
    value, certainty = report.values["coupon_file_statuses.success"]
    assert (status.upper() in value, certainty) == (True, "sure")


def test_an_unknown_failure_has_to_be_pasted_before_tasks_work():
    report = Account([ON_THE_WAY, (3, "IMPORT_FAILED", {"error": "no header"})]).examine()
    assert topic(report, STATUSES).certainty == "wrong"
    assert "IMPORT_FAILED" in report.extra["coupon_file_statuses"]["failure"]
    assert not report.works


@pytest.mark.parametrize("more", [{"coupons_added": 0}, {"coupons_added": 1, "rejected": 5}, {"error": "bad rows"}])
def test_a_known_success_that_the_record_speaks_against_is_unsure(more: Mapping[str, Any]):
    report = Account([ON_THE_WAY, (3, "SUCCESS", more)]).examine()
    assert topic(report, STATUSES).certainty == "unsure"
    assert not report.works


def test_a_file_that_was_there_before_is_a_success():
    report = Account([ON_THE_WAY, (3, "SUCCESS", {"coupons_added": 0, "coupons_duplicate": 5})]).examine()
    assert topic(report, STATUSES).certainty == "sure"
    assert report.works, report.to_text()


def test_counts_that_grow_are_those_of_a_file_on_its_way():
    growing = [(3 + 10 * step, "IMPORTED", {"coupons_added": step}) for step in range(1, 30)]
    report = Account([ON_THE_WAY, *growing, (310, "FAILED", {"error": "late"})]).examine()
    assert "The file failed with FAILED" in topic(report, STATUSES).text


# -- paths ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file_body", "lack"),
    [
        (lambda record: {**record, "status": 2}, "its status is 2, not a text"),
        (lambda record: {**record, "status": {"code": "SUCCESS"}}, "its status is {'code': 'SUCCESS'}, not a text"),
        (
            lambda record: {"state" if name == "status" else name: value for name, value in record.items()},
            "it has no status; it has state",
        ),
        (lambda record: {"a": {"b": record}}, "it is under a.b, which the provider does not read"),
        (
            lambda record: {"id" if name == "_id" else name: value for name, value in record.items()},
            "its identifier is called id, not _id",
        ),
    ],
    ids=["number", "object", "state", "deeper", "id"],
)
@pytest.mark.parametrize("listed", [True, False], ids=["list is fine", "list alike"])
def test_a_path_that_shows_the_file_is_not_blamed(file_body: Callable[[dict[str, Any]], Any], lack: str, listed: bool):
    account = Account(file_body=file_body)
    if not listed:
        account.list_body = lambda records: [file_body(record) for record in records]
    report = account.examine()
    path = topic(report, "Path of one file")
    assert path.certainty == "wrong"
    assert f"{{coupon_file_id}} replies with the file, but the provider cannot read it: {lack}." in path.text
    assert topic(report, STATUSES).certainty == ("sure" if listed else "unsure")
    assert account.waited < 130
    if not listed:
        assert lack in topic(report, STATUSES).text
    assert not report.works


def test_a_list_that_the_provider_cannot_read_is_not_called_missing():
    report = Account(list_body=lambda records: {record["_id"]: record for record in records}).examine()
    path = topic(report, "Path of the list's files")
    assert path.certainty == "wrong"
    assert "shows the file, but not as a list that the provider can read" in path.text
    assert not report.works


def test_a_page_without_the_file_names_a_query_as_the_remedy():
    old = [{"_id": f"old-{number}", "name": "old", "status": "SUCCESS", "coupons_added": 1} for number in range(3)]
    account = Account(list_body=lambda _: {"files": old, "next": "/v1/more", "total": 4})
    report = account.examine()
    path = topic(report, "Path of the list's files")
    assert path.certainty == "unsure"
    assert "without the uploaded one; it has next. Set paths.coupon_files to a path" in path.text
    assert "/v1/coupon-list/{coupon_list_id}/files?limit=1000" in path.text
    assert report.values["paths.coupon_files"] == ("/v1/coupon-list/{coupon_list_id}/files", "unsure")
    assert "?limit=1000" in topic(report, "Pages").text
    assert account.waited < 60
    assert not report.works


# -- how many reads ------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["file_path", "list_path"])
def test_reads_end_soon_after_the_end_of_the_file(missing: str):
    account = Account(**{missing: None})
    report = account.examine()
    assert topic(report, STATUSES).certainty == "sure"
    assert account.waited < 30
    assert len(account.reads) < 70
    assert all(count <= 5 for count in reads_a_round(account)), reads_a_round(account)
    assert not report.works


def reads_a_round(account: Account) -> list[int]:
    """How many reads were sent at once, after the round in which the list first showed the file."""
    times = [time for time, _ in account.reads if account.uploaded_at is not None and time > account.uploaded_at]
    return [times.count(time) for time in sorted(set(times))]


def test_reads_end_if_no_path_shows_the_file():
    account = Account(file_path=None, list_path=None)
    report = account.examine()
    assert account.waited < 150
    assert "no path that was tried shows the file" in topic(report, STATUSES).text
    assert "None of 8 usual paths shows the uploaded file" in topic(report, "Path of one file").text


def test_a_known_path_is_read_once_a_round():
    account = Account([ON_THE_WAY, (100, "SUCCESS", {"coupons_added": 5})])
    report = account.examine()
    assert report.works, report.to_text()
    assert set(reads_a_round(account)) == {1}


# -- a reply without the file --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "upload", [Reply(500, b'{"error": {"code": "unexpected-error"}}'), Reply(201, b"{}")], ids=["500", "no _id"]
)
def test_an_upload_without_a_usable_reply_is_looked_for_in_the_list(upload: Reply):
    report = Account(upload=upload).examine()
    found = topic(report, "Upload")
    assert found.certainty == "wrong"
    assert found.text.endswith(f"It was done: the list shows it as coupon file {FILE}.")
    assert topic(report, STATUSES).certainty == "sure"


def test_an_upload_that_the_list_does_not_show_stays_unknown():
    report = Account(upload=Reply(500, b"{}"), list_body=lambda _: []).examine()
    assert re.search(
        r"may have done it or not\. The list did not show the file within 3\d s\.", topic(report, "Upload").text
    )


# -- what people read ----------------------------------------------------------------------------------


def test_progress_says_why_it_goes_on_and_repeats_nothing():
    steps: list[str] = []
    Account([ON_THE_WAY, (3, "IMPORTED", {"coupons_added": 5})]).examine(on_step=steps.append)
    why = "IMPORTED is unknown to the provider; waiting 60 s to see whether it is the last (--final-after)"
    assert steps.count(why) == 1
    steps = steps[steps.index(f"Uploading one file to list {OLD_LIST}") :]
    assert len(steps) == len(set(steps))
    assert sum("IMPORTED" in step for step in steps) <= 5


@pytest.mark.parametrize(
    ("headers", "certainty", "text"),
    [
        ({}, "sure", "states no limit"),
        ({"x-ratelimit-remaining": "4", "x-ratelimit-reset": "1900000000"}, "sure", "states how much of the limit"),
        ({"x-ratelimit-remaining": "x", "x-ratelimit-reset": "1900000000"}, "unsure", "cannot read what is left"),
        ({"x-ratelimit-remaining": "4", "x-ratelimit-reset": "2030-01-01"}, "unsure", "cannot read what is left"),
    ],
)
def test_limits_count_as_stated_only_if_they_can_be_read(headers: Mapping[str, str], certainty: str, text: str):
    account = Account()
    account.time = 1.0
    account.name = "n"
    account.upload = Reply(
        201, json.dumps({**account.record}).encode(), {"Content-Type": "application/json", **headers}
    )
    limits = topic(account.examine(), "Limits of uploads")
    assert limits.certainty == certainty
    assert text in limits.text
