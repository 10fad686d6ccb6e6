"""
While no reply shows that it is the service, since only the list and its files get an answer, a
known status of files is *not shown*, and an unknown one *not proved*. If records of the list have
other properties in every second reply, Records says so; if one file has, the Path of one file. If
two causes keep all else from being read, such as an allow-list for coupons and a quota for
segments, their findings, Account and Rate limits, stand alone.
"""

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
from wes_provider.doctor.findings.finding import Certainty, Topic


class NotShown(NamedTuple):
    """The status of a list's files, and how certain that is while the service is not shown."""

    status: str
    certainty: Certainty


NOT_SHOWN = [
    NotShown("SUCCESS", Certainty.NOT_SHOWN),
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
