"""What an examination reports of its reads and its upload together, and what keeps it from writing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    examined_account,
    json_reply,
    key_of,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.probes import Question
from wes_provider.doctor.report import Report

URL = "https://files.example.com/a.csv"
ARCHIVED = "The list's reply has list_status: ARCHIVED"


def uploaded_to(account: Account, **more: Any) -> Report:
    """What is reported of an account, into whose list a file is uploaded."""
    return examined_account(account, file_url=URL, **more)


class ArchivedList(NamedTuple):
    """The reply to an upload into an archived list, and whether the list's state is said."""

    name: str
    reply: Reply
    is_state_said: bool


ARCHIVED_LISTS = [
    ArchivedList(
        "it is refused",
        json_reply(409, {"error": {"code": "no", "message": "No."}}),
        is_state_said=True,
    ),
    ArchivedList("it is accepted", json_reply(201, record("f9", name="x")), is_state_said=False),
]


@pytest.mark.parametrize("row", ARCHIVED_LISTS, ids=ids(ARCHIVED_LISTS))
def test_the_state_of_a_closed_list_is_said_of_an_upload_that_it_refuses(row: ArchivedList):
    def replies(call: Call) -> Reply | None:
        return row.reply if call.method == "POST" else None

    account = Account(
        replies, list_body=lambda records: {"data": records, "list_status": "ARCHIVED"}
    )
    assert (ARCHIVED in about(uploaded_to(account), Topic.UPLOAD).text) is row.is_state_said


class Redirected(NamedTuple):
    """Where reads of the list are redirected to, and how many uploads are sent then."""

    name: str
    location: str
    writes: int


REDIRECTED = [
    Redirected("to another path of this host", "/away", 0),
    Redirected("to a download of another host", "https://files.example.org/a?X-Amz-Signature=b", 1),
]


@pytest.mark.parametrize("row", REDIRECTED, ids=ids(REDIRECTED))
def test_nothing_is_uploaded_if_the_path_of_uploads_itself_is_redirected(row: Redirected):
    def replies(call: Call) -> Reply | None:
        if call.method == "GET" and call.path == FILES_PATH:
            return Reply(302, b"", {"Location": row.location})
        return None

    assert uploaded_to(Account(replies)).writes == row.writes


class NotShown(NamedTuple):
    """The status of a list's files, and how certain that is while the service is not shown."""

    status: str
    certainty: Certainty


NOT_SHOWN = [
    NotShown("SUCCESS", Certainty.NOT_ASKED),
    NotShown("STRANGE", Certainty.NOT_PROVED),
]


@pytest.mark.parametrize("row", NOT_SHOWN, ids=[row.status for row in NOT_SHOWN])
def test_nothing_is_sure_of_files_while_no_reply_shows_that_it_is_the_service(row: NotShown):
    """Only the list and its files get an answer, so nothing can be compared."""

    def replies(call: Call) -> Reply | None:
        is_of_list = call.path.startswith(FILES_PATH)
        return None if is_of_list and call.key == "campaign" else Reply(503, b"")

    records = [record("f1", row.status), record("f2", row.status)]
    report = examined_account(Account(replies, records=records))
    assert about(report, Topic.STATUSES).certainty is row.certainty


def test_an_uploaded_file_is_sure_though_any_key_gets_the_list():
    records = [record("f1")]

    def replies(call: Call) -> Reply | None:
        if call.method == "POST":
            records.append(record("f9"))
            return json_reply(201, records[-1])
        if call.path == FILES_PATH:
            return json_reply(200, records)
        return None

    statuses = about(uploaded_to(Account(replies, records=records)), Topic.STATUSES)
    assert statuses.certainty is Certainty.SURE
    assert statuses.text == "SUCCESS, which means success."


def test_a_file_that_the_list_had_before_is_not_followed_as_an_upload():
    account = Account(lambda call: json_reply(201, record("f1")) if call.method == "POST" else None)
    report = uploaded_to(account)
    follows = [probe for probe in report.probes if probe.question is Question.FOLLOW]
    assert (report.writes, follows) == (1, [])


class TwoShapes(NamedTuple):
    """A path whose records have other properties in every second reply, and what that is about."""

    name: str
    path: str
    topic: Topic


TWO_SHAPES = [
    TwoShapes("the list", FILES_PATH, Topic.RECORDS),
    TwoShapes("one file", f"{FILES_PATH}/f1", Topic.FILE_PATH),
]


@pytest.mark.parametrize("row", TWO_SHAPES, ids=ids(TWO_SHAPES))
def test_records_of_two_shapes_are_said_of_records_or_of_the_path_of_one_file(row: TwoShapes):
    number = 0

    def with_region(file: Mapping[str, Any]) -> dict[str, Any]:
        return {**file, "region": "eu"}

    def replies(call: Call) -> Reply | None:
        nonlocal number
        if call.path != row.path or key_of(call.headers) != "campaign":
            return None
        number += 1
        if number % 2:
            return None
        if row.path == FILES_PATH:
            return json_reply(200, [with_region(file) for file in Account().records])
        return json_reply(200, with_region(Account().records[0]))

    report = examined_account(Account(replies))
    in_two = [finding.topic for finding in report.findings if "region" in finding.text]
    assert in_two == [row.topic]


def test_two_findings_on_causes_that_keep_all_else_from_being_read_stand_alone():
    quota = {"error": {"code": "x", "message": "Daily quota exceeded"}}
    banned = {"error": {"code": "x", "message": "Your IP is not on the allow-list"}}

    def replies(call: Call) -> Reply:
        return json_reply(403, quota if call.path.startswith("/v3") else banned)

    report = examined_account(Account(replies))
    assert [finding.topic for finding in report.findings] == [Topic.ACCOUNT, Topic.LIMITS]
