"""
After a 429 that names no time, 2 seconds are kept between all reads, and 4 after a second one,
counted from when the reply to the last request came. If the words of a limit state an amount, its
space is kept if that is at most 6 seconds, such as 5 for "12pm"; words without a limit or an amount
keep none, nor does a limit with a time. If a reply has no request left for its operation, the next
read of that operation waits until its limit resets, if that leaves time for a response; else it is
not sent, and the reason names the reset. If a reset is ahead of Retry-After in one reply, that is
put right in later ones.
"""

from __future__ import annotations

from email.utils import formatdate
from typing import NamedTuple

import pytest

from support.doctor_replies import MOMENT, reply
from support.doctor_sending import ASK, OK, Prepared, limited
from support.skipping_clock import CLOCK
from wes_provider.doctor.reads.sending import Reader
from wes_provider.doctor.replies.probes import Question


def test_the_space_that_a_limit_without_a_time_needs_is_kept_between_all_reads():
    sender = Prepared([reply(429), reply(429), OK, OK, OK])
    reader = Reader(sender)
    pauses: list[float] = []
    for _ in range(3):
        reader.read(Question.LIST, ASK, pauses.append)
    assert [round(pause) for pause in pauses] == [2, 4, 4, 4]


def test_the_space_begins_when_the_reply_to_a_slow_request_came():
    sender = Prepared([reply(429, took=3.0), OK])
    pauses: list[float] = []
    Reader(sender).read(Question.LIST, ASK, pauses.append)
    # The repetition waits for the space of 2 s, and then for what the request took.
    assert [round(pause) for pause in pauses] == [2, 3]


class Stated(NamedTuple):
    """The words of a limit that names no time, and the pauses before further reads."""

    name: str
    status: int
    message: str
    pauses: list[int]


STATED_AMOUNTS = [
    Stated("a request in five seconds", 500, "Spike arrest violation. Allowed rate : 12pm", [5, 5]),
    Stated("a request in six seconds, of a 429", 429, "10 requests per minute", [6, 6]),
    Stated("a request in two seconds", 503, "Throttled: 30 requests per minute", [2, 2]),
    Stated("less than six seconds allow", 500, "Throttled: 9 requests per minute", [1]),
    Stated("no amount", 503, "Throttled", [1]),
    Stated("no limit", 500, "12 requests per minute", [1]),
]


@pytest.mark.parametrize("row", STATED_AMOUNTS, ids=[row.name for row in STATED_AMOUNTS])
def test_the_space_is_kept_that_the_words_of_a_limit_state(row: Stated):
    sender = Prepared([reply(row.status, {"message": row.message}), OK, OK])
    reader = Reader(sender)
    pauses: list[float] = []
    for _ in range(2):
        reader.read(Question.LIST, ASK, pauses.append)
    assert [round(pause) for pause in pauses] == row.pauses


AN_HOUR_AHEAD = {
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": str(int(MOMENT) + 3609),
    "date": formatdate(MOMENT, usegmt=True),
}


def test_a_reset_that_is_ahead_of_retry_after_is_put_right_in_later_replies():
    sender = Prepared(
        [
            reply(429, b"", {"retry-after": "9", **AN_HOUR_AHEAD}),
            reply(200, [], AN_HOUR_AHEAD),
            OK,
        ]
    )
    reader = Reader(sender)
    pauses: list[float] = []
    for _ in range(2):
        reader.read(Question.LIST, ASK, pauses.append)
    assert [round(pause) for pause in pauses] == [9, 9]


def test_no_space_is_kept_after_a_limit_with_a_time():
    sender = Prepared([limited(7), OK, OK])
    reader = Reader(sender)
    pauses: list[float] = []
    for _ in range(2):
        reader.read(Question.LIST, ASK, pauses.append)
    assert [round(pause) for pause in pauses] == [7]


class Left(NamedTuple):
    """
    A reply before, and seconds until a read may be sent.

    :ivar reset: when its limit resets, in seconds from now; ``None`` if it does not say so.
    """

    name: str
    remaining: str
    reset: int | None
    pauses: list[int]
    why: str = ""
    question: Question = Question.LIST
    status: int = 200


RESETS_LATER = "the service's rate limit resets at "
LEFT = [
    Left("none is left", "0", 10, [10]),
    Left("one is left", "1", 10, []),
    Left("it does not say how many are left", "", 10, []),
    Left("none is left, and it does not say for how long", "0", None, []),
    Left("none of another operation", "0", 10, [], question=Question.DATA_KEY),
    Left("of no response", "0", 10, [], status=0),
    Left("it has reset", "0", -5, []),
    Left("none for nearly all of the doctor's time", "0", 55, [55]),
    Left("none until a response would be too late", "0", 59, [], RESETS_LATER),
    Left("none for longer than the doctor has", "0", 90, [], RESETS_LATER),
]


@pytest.mark.parametrize("row", LEFT, ids=[row.name for row in LEFT])
def test_a_read_waits_for_the_limit_of_its_operation(row: Left):
    now = CLOCK.time()
    headers = {"x-ratelimit-remaining": row.remaining}
    if row.reset is not None:
        headers["x-ratelimit-reset"] = str(round(now) + row.reset)
    before = reply(row.status, [], headers, question=row.question, sent_at=now)
    sender = Prepared([OK])
    sender.probes = [before]
    reader = Reader(sender)
    assert reader.obstacle(ASK).startswith(row.why)
    assert bool(reader.obstacle(ASK)) is bool(row.why)
    if not row.why:
        pauses: list[float] = []
        reader.read(Question.LIST, ASK, pauses.append)
        # The contract's window ends a second after the time that the header names.
        assert [pytest.approx(pause, abs=1.6) for pause in row.pauses] == pauses
