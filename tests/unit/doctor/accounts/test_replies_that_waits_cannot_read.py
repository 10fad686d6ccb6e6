"""
Deferred waits poll with another driver than uploads and the doctor's reads. It refuses replies that
break HTTP, such as one with two equal Content-Length. The doctor reads once with it as well, in
place of a read that it would repeat anyway: of the file, or else of the list. If only that one gets
no response, twice, the path is *wrong*, no setting is blamed or proposed, and nothing is uploaded.
If it is seen only at an upload, whose file alone has such replies, the wait ends after a few polls.
If that driver fails for a moment, or if both drivers fail, the row of the path does not change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined_account,
)
from support.doctor_uploads import Uploads
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.replies.probes import Driver
from wes_provider.doctor.report import Report, State

FILE_PATH = f"{FILES_PATH}/f1"


@dataclass
class WithHeader(Account):
    """
    A healthy account; replies to some calls have a header more, below that of the length.

    :ivar is_meant: which calls these are.
    """

    named: str = "Content-Length"
    value: str = ""
    is_meant: Callable[[Call], bool] = lambda _: True

    def reply(self, call: Call) -> Reply:
        plain = super().reply(call)
        if not self.is_meant(call):
            return plain
        value = self.value or str(len(plain.body))
        return replace(plain, headers={**plain.headers, self.named: value})


class AccountRow(NamedTuple):
    """An account, and what is said about a path."""

    name: str
    account: Callable[[], Account]
    topic: Topic
    certainty: Certainty
    text: str


def is_of_file(call: Call) -> bool:
    return call.path == FILE_PATH


BROKEN = [
    AccountRow(
        "two equal lengths",
        WithHeader,
        Topic.FILE_PATH,
        Certainty.WRONG,
        "Its reply has Content-Length 2 times",
    ),
    AccountRow(
        "two equal lengths of one file alone",
        lambda: WithHeader(is_meant=is_of_file),
        Topic.FILE_PATH,
        Certainty.WRONG,
        "Its reply has Content-Length 2 times",
    ),
    AccountRow(
        "two equal lengths of an empty list",
        lambda: WithHeader(records=()),
        Topic.LIST_PATH,
        Certainty.WRONG,
        "Its reply has Content-Length 2 times",
    ),
    AccountRow(
        "a header's name with a bracket",
        lambda: WithHeader(named="X-Trace(1)", value="a"),
        Topic.FILE_PATH,
        Certainty.WRONG,
        "Its reply has a header whose name has a character",
    ),
    AccountRow(
        "a header's name with a space",
        lambda: WithHeader(named="X-Trace Id", value="a"),
        Topic.FILE_PATH,
        Certainty.WRONG,
        "The reply may break HTTP",
    ),
]


@pytest.mark.parametrize("row", BROKEN, ids=ids(BROKEN))
def test_a_path_is_wrong_if_only_uploads_read_its_replies(row: AccountRow):
    account = row.account()
    report = examined_account(account, file_url="https://files.example.com/a.csv")
    check_what_holds_of_each_report(report)
    finding = about(report, row.topic)
    assert finding.certainty is row.certainty
    assert row.text in finding.text
    assert "BadHttpMessage (2 times" in finding.text
    assert report.state is State.NOT_READY
    assert {call.method for call in account.calls} == {"GET"}
    assert about(report, Topic.UPLOAD).text.startswith("Not sent: waits could not read ")


READABLE = [
    AccountRow("a healthy account", Account, Topic.FILE_PATH, Certainty.SURE, "It has a file"),
    AccountRow(
        "a header of 60 KB",
        lambda: WithHeader(named="Set-Cookie", value="x" * 60_000),
        Topic.FILE_PATH,
        Certainty.SURE,
        "It has a file",
    ),
    AccountRow(
        "no header for the first of two polls",
        lambda: WithHeader(is_meant=lambda call: call.number == 10),
        Topic.FILE_PATH,
        Certainty.SURE,
        "It has a file",
    ),
]


@pytest.mark.parametrize("row", READABLE, ids=ids(READABLE))
def test_a_path_that_waits_can_read_is_read_with_their_driver(row: AccountRow):
    report = examined_account(row.account())
    check_what_holds_of_each_report(report)
    finding = about(report, row.topic)
    assert finding.certainty is row.certainty
    assert row.text in finding.text
    assert [probe for probe in report.probes if probe.driver is Driver.OF_POLLS]


class BrokenOnceUploaded(Uploads):
    """An account whose path of one file has two equal lengths for the new file only."""

    def answer(self, call: Call) -> Reply | None:
        plain = super().answer(call)
        if plain is None or not call.path.endswith("/up"):
            return plain
        return replace(plain, headers={**plain.headers, "Content-Length": str(len(plain.body))})


def examine_broken_upload() -> Report:
    return BrokenOnceUploaded().examine(timeout=600.0)


def test_a_wait_that_reads_nothing_ends_after_a_few_polls():
    report = examine_broken_upload()
    finding = about(report, Topic.FILE_PATH)
    assert finding.certainty is Certainty.WRONG
    assert "BadHttpMessage (3 times, between two replies to the other)" in finding.text
    statuses = about(report, Topic.STATUSES)
    assert statuses.text.startswith(
        "The end of the file was not seen: no poll of its wait got a response, though other reads "
        "got one. Do not upload it again"
    )
    assert "--timeout" not in statuses.text
