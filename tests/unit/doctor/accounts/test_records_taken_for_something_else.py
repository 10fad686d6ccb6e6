"""
A record of one file without an _id is no error with status 200, though it has the error of its
file, and no other path is searched: Path of one file is *wrong*, since no task can wait for a file
then. If a record's status is another one than in the list, and another property has that of the
list, the status may be that of the request: the path is *not proved*, and no setting is proposed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    LIST,
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report

Record = Mapping[str, Any]
URL = {"name": "a.csv", "file_url": "https://files.example.com/a.csv"}
FAILED = record("f2", "FAILED", error="no header line", **URL)
IMPORTED = record("f1", **URL)


def examined(change: Callable[[Record], Any], *files: Record) -> Report:
    """The report on an account whose own paths of files have changed records."""

    def replies(call: Call) -> Reply | None:
        found = [file for file in files if call.path == f"{FILES_PATH}/{file['_id']}"]
        if not found or call.key != "campaign":
            return None
        return json_reply(200, change(found[0]))

    report = examined_account(Account(replies, records=files))
    check_what_holds_of_each_report(report)
    return report


def without_id(file: Record) -> Record:
    return {name: value for name, value in file.items() if name != "_id"}


class WithoutId(NamedTuple):
    """What the path of one file has in place of its record."""

    name: str
    change: Callable[[Record], Any]
    files: tuple[Record, ...]


WITHOUT_ID = [
    WithoutId("a file that has failed", without_id, (FAILED, IMPORTED)),
    WithoutId("a file that has succeeded", without_id, (IMPORTED, FAILED)),
    WithoutId("under data", lambda file: {"data": without_id(file)}, (FAILED, IMPORTED)),
]


@pytest.mark.parametrize("row", WITHOUT_ID, ids=ids(WITHOUT_ID))
def test_a_record_without_an_identifier_is_no_error(row: WithoutId):
    report = examined(row.change, *row.files)
    assert report.verdict.startswith("Not ready: Path of one file. GET ")
    assert "has the record of a file without an _id" in report.verdict
    assert Topic.ERRORS not in {finding.topic for finding in report.findings}
    assert Topic.SEGMENT not in {finding.topic for finding in report.findings}
    assert about(report, Topic.STATUSES).certainty is Certainty.SURE
    assert report.extra == {}


ERROR = {"error": "no such thing", "file_url": "https://files.example.com/a.csv"}


def test_an_error_that_repeats_what_was_sent_is_no_record():
    report = examined(lambda _: ERROR, FAILED)
    assert about(report, Topic.ERRORS).certainty is Certainty.SURE


class Elsewhere(NamedTuple):
    """Members of a file's own record beside those of the list, and what has the file's status."""

    name: str
    members: Callable[[Record], Record]
    where: str


ELSEWHERE = [
    Elsewhere(
        "beside it", lambda file: {"status": "OK", "file_status": file["status"]}, "file_status"
    ),
    Elsewhere(
        "below another",
        lambda file: {"status": "ok", "import": {"state": file["status"]}},
        "import.state",
    ),
]


ORDERS = [(FAILED, IMPORTED), (IMPORTED, FAILED)]


@pytest.mark.parametrize("files", ORDERS, ids=["a failed file", "an imported file"])
@pytest.mark.parametrize("row", ELSEWHERE, ids=ids(ELSEWHERE))
def test_a_status_of_the_request_is_not_taken_for_the_files(
    row: Elsewhere, files: tuple[Record, ...]
):
    report = examined(lambda file: {**file, **row.members(file)}, *files)
    path = about(report, Topic.FILE_PATH)
    assert path.certainty is Certainty.NOT_PROVED
    assert f"and under {row.where} what the list has as the file's status" in path.text
    assert "name OK in no list of coupon_file_statuses" in path.text
    assert about(report, Topic.STATUSES).certainty is Certainty.SURE
    assert report.extra == {}


def test_another_status_alone_may_be_of_a_place_that_is_behind():
    report = examined(lambda file: {**file, "status": "PENDING", "list": LIST}, IMPORTED)
    assert "one of the two is behind" in about(report, Topic.FILE_PATH).text
