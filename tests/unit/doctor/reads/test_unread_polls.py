"""
Reads as waits poll that got no response: what waits cannot read is proved by two of them that stand
between two answers to the same request, which the driver of uploads reads, or by two whose heads break HTTP. If that driver gets no
answer later either, it is no matter of waits. What a reply has that breaks HTTP is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_replies import MOMENT, evidence_of, reply
from support.doctor_service import record
from wes_provider.doctor.reads.unread_polls import break_of_http, unread_polls
from wes_provider.doctor.replies.probes import Driver, Probe, Question


def read(seconds: float, status: int = 200) -> Probe:
    """A read of the file by the driver of uploads; status 0 for no response."""
    return reply(status, record("f1"), question=Question.FILE_PATH, sent_at=MOMENT + seconds)


def poll(seconds: float, problem: str = "no response: ClientOSError") -> Probe:
    """A read of the file as waits poll, without a response."""
    return reply(
        0,
        question=Question.FILE_PATH,
        sent_at=MOMENT + seconds,
        driver=Driver.OF_POLLS,
        problem=problem,
    )


BROKEN = "no response: BadHttpMessage"


class PollsRow(NamedTuple):
    """
    Reads and polls of one file, and whether waits cannot read it.

    :ivar is_proved: ``None`` if nothing speaks for that.
    """

    name: str
    reads: Sequence[Probe]
    polls: Sequence[Probe]
    is_proved: bool | None


POLLS = [
    PollsRow("no poll failed", [read(0)], [], None),
    PollsRow("two between two answers", [read(0), read(3)], [poll(1), poll(2)], True),
    PollsRow("one between two answers", [read(0), read(2)], [poll(1)], False),
    PollsRow("two after one answer", [read(0)], [poll(1), poll(2)], False),
    PollsRow("a broken head twice", [read(0)], [poll(1, BROKEN), poll(2, BROKEN)], True),
    PollsRow("a broken head once", [read(0)], [poll(1, BROKEN), poll(2)], False),
    PollsRow("then no answer to the other", [read(0), read(3, 0)], [poll(1), poll(2)], None),
    PollsRow("then 503 to the other", [read(0), read(3, 503)], [poll(1), poll(2)], None),
    PollsRow("no answer before it either", [read(0, 0)], [poll(1), poll(2)], None),
    PollsRow("a 404 to the other", [read(0, 404), read(3, 404)], [poll(1), poll(2)], True),
]


@pytest.mark.parametrize("row", POLLS, ids=ids(POLLS))
def test_waits_cannot_read_what_the_other_driver_reads_before_and_after(row: PollsRow):
    unread = unread_polls(evidence_of(*row.reads, unread_polls=tuple(row.polls)))
    assert (unread and unread.is_proved) is row.is_proved


class BreakRow(NamedTuple):
    """Headers as the driver of uploads has them, and what of them breaks HTTP."""

    name: str
    headers: dict[str, str]
    broken: str


BREAKS = [
    BreakRow("none", {}, ""),
    BreakRow("a length", {"content-length": "94"}, ""),
    BreakRow("chunks", {"transfer-encoding": "chunked"}, ""),
    BreakRow("odd, but right", {"x_a.b!~": "c"}, ""),
    BreakRow("two lengths", {"content-length": "94, 94"}, "its reply has Content-Length 2 times"),
    BreakRow(
        "a length and chunks",
        {"content-length": "94", "transfer-encoding": "chunked"},
        "its reply has both Content-Length and Transfer-Encoding",
    ),
    BreakRow(
        "a sign before the length",
        {"content-length": "+94"},
        "its reply has a Content-Length that is no number",
    ),
    BreakRow(
        "an empty length",
        {"content-length": ""},
        "its reply has a Content-Length that is no number",
    ),
    BreakRow("a NUL", {"x-odd": "a\0b"}, "its reply has a header with a NUL"),
    BreakRow(
        "a bracket",
        {"x-(a)": "b"},
        "its reply has a header whose name has a character that no name may have",
    ),
    BreakRow(
        "no ASCII",
        {"x-\xe9": "b"},
        "its reply has a header whose name has a character that no name may have",
    ),
]


@pytest.mark.parametrize("row", BREAKS, ids=ids(BREAKS))
def test_what_breaks_http_is_named(row: BreakRow):
    assert break_of_http(row.headers) == row.broken
