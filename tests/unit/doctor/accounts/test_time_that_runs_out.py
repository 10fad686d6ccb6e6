"""
The doctor has a time for all its reads, of 3 s and 2.4 s here. It begins no read in its last two
seconds, or in less time than the slowest reply took with half as much more: what was not read for
that is *Not proved*, because the time ran out. The first response may take a third of the time that
is left, if that is less than read_timeout. One that takes longer is none: other paths are read in the
rest of the time. If these get answers, the list alone may be slow, and its path is *Not proved*; if no
time is left, or they get none, the Address is.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    check_says,
    examined_account,
    json_reply,
)
from support.servers import Reply
from support.skipping_clock import CLOCK
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.reads import sending

if TYPE_CHECKING:
    import pytest


def test_no_read_is_begun_in_the_last_two_seconds_and_its_row_says_that_the_time_ran_out(
    monkeypatch: pytest.MonkeyPatch,
):
    """Of three seconds here, replies take 0.3 s each, so that the fifth read is not begun."""
    monkeypatch.setattr(sending, "LONGEST", 3.0)

    def replies(_: Call) -> Reply | None:
        CLOCK.sleep(0.3)
        return None

    account = Account(replies)
    report = examined_account(account)
    assert len(account.calls) == report.reads < 6
    assert "because the doctor's 3 s ran out" in about(report, Topic.FILE_PATH).text
    assert about(report, Topic.FILE_PATH).certainty is Certainty.NOT_PROVED
    assert not report.works


def test_a_response_that_takes_more_than_a_third_of_the_time_left_is_none(
    monkeypatch: pytest.MonkeyPatch,
):
    """A third of 2.4 s is less than ``read_timeout``."""
    monkeypatch.setattr(sending, "LONGEST", 2.4)

    def replies(_: Call) -> Reply:
        time.sleep(1)
        return json_reply(200, [])

    report = examined_account(Account(replies))
    assert report.verdict.startswith(
        "Not proved: Address. No response came in 1 s, less than read_timeout."
    )


def test_a_list_that_takes_too_long_may_be_slow_alone(monkeypatch: pytest.MonkeyPatch):
    """A third of 3.3 s is less than ``read_timeout``."""
    monkeypatch.setattr(sending, "LONGEST", 3.3)

    def replies(call: Call) -> None:
        if call.path == FILES_PATH and call.key == "campaign":
            time.sleep(1.2)

    report = examined_account(Account(replies))
    check_says(
        report.verdict,
        (
            "Not proved: Path of the list's files. Not settled, because no response came in 1 s",
            "Other reads get answers, also one of a list that does not exist (404 not-found)",
            "so it may be this list alone, and waiting may not help: name a list with fewer files",
        ),
    )
    assert about(report, Topic.ADDRESS).certainty is Certainty.SURE
    assert about(report, Topic.DATA_KEY).certainty is Certainty.SURE


def test_nothing_more_is_read_if_a_second_path_takes_too_long_as_well(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(sending, "LONGEST", 3.3)

    def replies(_: Call) -> None:
        time.sleep(1.2)

    report = examined_account(Account(replies))
    assert report.reads == 2
    assert report.verdict.startswith("Not proved: Address. No response came in 1 s")


def test_no_read_is_begun_that_a_slow_service_would_not_reply_to_in_time(
    monkeypatch: pytest.MonkeyPatch,
):
    """Of 4.2 seconds here, replies take 0.7 s each: the last read has 1.05 s at least."""
    monkeypatch.setattr(sending, "LONGEST", 4.2)
    monkeypatch.setattr(sending, "SLOW", 0.5)
    monkeypatch.setattr(sending, "LEFT_FOR_RESPONSE", 0.1)

    def replies(_: Call) -> None:
        CLOCK.sleep(0.7)

    report = examined_account(Account(replies))
    assert report.reads == 5
    assert all(probe.status for probe in report.probes)
    assert "(5 of them 4 s), so the rest of the doctor's 4 s is too short" in report.verdict
