"""
The doctor sends 12 reads at most; some may be reserved for other questions. None is sent once the
last two, of two requests, were refused by a limit that says, by any header, that it lasts for more
than 60 seconds.

All reads, with their pauses, have 60 seconds, and none is begun in the last 2 of them, or in less
than one and a half times what the slowest reply took; and so long a read is given if it is more than
a third of the time left. If the time ran out, the reason says how long replies took, each and
together, if one took 2 seconds or more, else how many reads got no reply. A read that is cut off by
less time than the connection's read_timeout is one for which time ran out; one that the connection's
own time cut off is not.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_replies import MOMENT, SETTINGS, changed, reply, request_for
from support.doctor_sending import ASK
from support.doctor_service import json_reply
from support.servers import Bytes, HostileServer, Reply, replying
from support.skipping_clock import CLOCK
from wes_provider.doctor.reads.evidence import list_at
from wes_provider.doctor.reads.sending import LONGEST, Ask, Reader, Sender
from wes_provider.doctor.replies.probes import Probe, Question


def reader_after(*probes: Probe) -> Reader:
    """A reader that has sent some requests."""
    sender = Sender(SETTINGS)
    sender.probes = [*probes]
    return Reader(sender)


class Obstacle(NamedTuple):
    """How many reads were sent, how many are left for others, and why no other is sent."""

    sent: int
    reserve: int
    why: str


OBSTACLES = [
    Obstacle(0, 0, ""),
    Obstacle(11, 0, ""),
    Obstacle(12, 0, "the other questions took all 12 reads"),
    Obstacle(13, 0, "the other questions took all 12 reads"),
    Obstacle(12, 1, "the other questions took all 12 reads"),
    Obstacle(11, 1, "the last reads are left for other questions"),
    Obstacle(10, 1, ""),
    Obstacle(10, 3, "the last reads are left for other questions"),
]


@pytest.mark.parametrize("row", OBSTACLES, ids=[f"{row.sent}, {row.reserve}" for row in OBSTACLES])
def test_there_are_12_reads_of_which_reserved_ones_are_left_for_other_questions(row: Obstacle):
    assert reader_after(*row.sent * [reply()]).obstacle(ASK, row.reserve) == row.why


def refused_until(seconds: float, question: Question = Question.LIST, status: int = 429) -> Probe:
    """A read whose limit lasts, by a header that tasks do not read."""
    millis = str(int(MOMENT + seconds) * 1000)
    request = request_for(question)
    return reply(
        status, b"", {"x-quota-reset": millis}, question=question, request=request, sent_at=MOMENT
    )


class Refused(NamedTuple):
    """The last reads, and whether a limit keeps the next one."""

    name: str
    probes: Sequence[Probe]
    is_kept: bool


REFUSED = [
    Refused("one", [refused_until(3600)], is_kept=False),
    Refused("one request twice", 2 * [refused_until(3600)], is_kept=False),
    Refused(
        "two requests",
        [refused_until(3600), refused_until(3600, Question.NO_SUCH_PATH)],
        is_kept=True,
    ),
    Refused(
        "two requests, of which one says 30 s",
        [refused_until(30), refused_until(3600, Question.NO_SUCH_PATH)],
        is_kept=False,
    ),
    Refused(
        "two requests, and then an answer",
        [refused_until(3600), refused_until(3600, Question.NO_SUCH_PATH), reply(200, [])],
        is_kept=False,
    ),
    Refused(
        "two requests with an answer",
        [refused_until(3600), refused_until(3600, Question.NO_SUCH_PATH, status=404)],
        is_kept=False,
    ),
]


@pytest.mark.parametrize("row", REFUSED, ids=[row.name for row in REFUSED])
def test_nothing_is_sent_after_two_requests_that_a_lasting_limit_refused(row: Refused):
    why = reader_after(*row.probes).obstacle(ASK)
    assert why.startswith("a limit of the service lasts until ") is row.is_kept


class Time(NamedTuple):
    """How long replies and lost reads took, and why nothing more is sent."""

    name: str
    replies: Sequence[float]
    lost: Sequence[float]
    why: str


TIMES = [
    Time("nothing", [], [], "the doctor's 60 s ran out"),
    Time("quick replies", [1.9, 0.1], [], "the doctor's 60 s ran out"),
    Time(
        "a slow reply",
        [2.0, 0.1],
        [],
        "replies took up to 2 s (2 of them 2 s), so the rest of the doctor's 60 s is too short for another read",
    ),
    Time(
        "lost reads",
        [1.9],
        [20.4, 9],
        "2 of 3 reads got no reply in the time that they had, up to 20 s, of which the doctor has 60 s in all",
    ),
    Time(
        "one lost read",
        [],
        [20.6],
        "1 of 1 read got no reply in the time that they had, up to 21 s, of which the doctor has 60 s in all",
    ),
    Time(
        "a slow reply and a lost read",
        [7.6],
        [30],
        "replies took up to 8 s (1 of them 8 s; 1 read got none in 30 s), so the rest of the doctor's 60 s is too short for another read",
    ),
    Time(
        "seven slow replies",
        [6.01, *6 * [6.0]],
        [],
        "replies took up to 6 s (7 of them 42 s), so the rest of the doctor's 60 s is too short for another read",
    ),
]


@pytest.mark.parametrize("row", TIMES, ids=[row.name for row in TIMES])
def test_that_time_ran_out_is_said_with_slow_replies_and_lost_reads(row: Time):
    probes = [reply(200, took=took) for took in row.replies]
    probes += [reply(0, took=took) for took in row.lost]
    assert reader_after(*probes).out_of_time == row.why


def test_nothing_is_begun_without_time_for_a_response():
    reader = reader_after()
    CLOCK.sleep(LONGEST - 2.5)
    assert reader.obstacle(ASK) == ""
    CLOCK.sleep(1)
    assert reader.obstacle(ASK) == "the doctor's 60 s ran out"


def test_nothing_is_begun_in_less_time_than_the_slowest_reply_took_with_half_as_much_more():
    reader = reader_after(reply(200, took=0.1), reply(200, took=6.0), reply(0, took=20.0))
    CLOCK.sleep(LONGEST - 9.5)
    assert reader.obstacle(ASK) == ""
    CLOCK.sleep(1)
    assert "too short for another read" in reader.obstacle(ASK)


class Slow(NamedTuple):
    """How long earlier replies took, and whether one of 0.9 s comes if 1.5 s are left."""

    name: str
    took: Sequence[float]
    comes: bool


SLOW = [
    Slow("no reply before", [], comes=False),
    Slow("quick replies", [0.1, 0.2], comes=False),
    Slow("a reply as slow", [0.1, 0.9], comes=True),
    Slow("a reply slower than the time that is left", [4.0], comes=True),
]


@pytest.mark.parametrize("row", SLOW, ids=[row.name for row in SLOW])
def test_a_read_gets_more_than_a_third_of_the_time_left_if_replies_are_slow(row: Slow):
    def replies(*_: object) -> Reply:
        time.sleep(0.9)
        return json_reply(200, [])

    with replying(replies) as url:
        settings = changed(base_url=url)
        ask = Ask(list_at(settings, settings.coupon_files_path, "spring"))
        sender = Sender(settings)
        sender.probes = [reply(200, took=took) for took in row.took]
        probe = sender.send(Question.LIST, ask, CLOCK.time() + 1.5)
    assert probe.ran_out is not row.comes
    assert bool(probe.status) is row.comes


class TimedOut(NamedTuple):
    """
    Seconds that a reply may take by the connection, and that a read has by the doctor's time; and
    which of them cut it off.
    """

    name: str
    read_timeout: float
    left: float
    ran_out: bool


TIMED_OUT = [
    TimedOut("the connection's time", read_timeout=0.1, left=30.0, ran_out=False),
    TimedOut("the doctor's time", read_timeout=60.0, left=0.3, ran_out=True),
]


@pytest.mark.parametrize("row", TIMED_OUT, ids=[row.name for row in TIMED_OUT])
def test_time_ran_out_if_a_read_had_less_than_the_connection_gives_it(row: TimedOut):
    server = HostileServer()
    server.response = Bytes((), "stall")
    with server.serving():
        settings = changed(base_url=server.url, read_timeout=row.read_timeout)
        ask = Ask(list_at(settings, settings.coupon_files_path, "spring"))
        probe = Sender(settings).send(Question.LIST, ask, CLOCK.time() + row.left)
    assert probe.problem == "no response: TimeoutError"
    assert probe.ran_out is row.ran_out
