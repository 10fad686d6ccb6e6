"""
A read that gets an answer or a refusal is sent once. A 503 or another failure is repeated once,
after Retry-After, and at least 1 second. A 429 is repeated twice, after what it says, also 0
seconds, and else after 1 and 2 seconds, or the space that is kept; it is repeated once only, if any
header says that its limit lasts for more than 60 seconds. Not repeated are the page of a
redirect, a certificate that is not trusted, a read that the doctor's own time cut off, the twelfth
read, a limit that lasts longer than the doctor's 60 seconds, and a read with 429 if the read before
it ended with 429, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_replies import MOMENT, reply
from support.doctor_sending import ASK, OK, Prepared, limited
from wes_provider.doctor.reads.sending import Reader, pause_before_next
from wes_provider.doctor.replies.probes import Probe, Question


def lasting(seconds: int) -> Probe:
    """A 429 whose limit resets later, by a header that tasks do not read."""
    return reply(429, b"", {"x-quota-reset": str(int(MOMENT + seconds) * 1000)}, sent_at=MOMENT)


class Pause(NamedTuple):
    """Replies to a request, and seconds until it is sent again; ``None`` if it is not."""

    name: str
    probes: Sequence[Probe]
    seconds: float | None


PAUSES = [
    Pause("503 to the page of a redirect", [reply(503, question=Question.PAGE)], None),
    Pause("429 to the page of a redirect", [reply(429, question=Question.PAGE)], None),
    Pause("a certificate that is not trusted", [reply(0, problem="CertVerificationError")], None),
    Pause("503", [reply(503)], 1.0),
    Pause("503 that says 0 s", [reply(503, b"", {"retry-after": "0"})], 1.0),
    Pause("503 that says 7 s", [reply(503, b"", {"retry-after": "7"})], 7.0),
    Pause("503 twice", [reply(503), reply(503)], None),
    Pause("429", [reply(429)], 1.0),
    Pause("429 that says 0 s", [reply(429, b"", {"retry-after": "0"})], 0.0),
    Pause("429 twice", [reply(429), reply(429)], 2.0),
    Pause("429 three times", 3 * [reply(429)], None),
    Pause("429 until in 60 s", [lasting(60)], 60.0),
    Pause("429 until in 61 s", [lasting(61)], 1.0),
    Pause("429 twice until in 61 s", [lasting(61), lasting(61)], None),
    Pause("503, then 429", [reply(503), reply(429)], 2.0),
    Pause("429, then 503", [reply(429), reply(503)], None),
]


@pytest.mark.parametrize("row", PAUSES, ids=[row.name for row in PAUSES])
def test_a_429_is_sent_again_twice_and_a_503_once_after_what_they_say_or_a_few_seconds(row: Pause):
    assert pause_before_next(row.probes, MOMENT) == row.seconds


class Repeated(NamedTuple):
    """
    Replies to a read, how many of them are taken, and the pauses.

    :ivar before: what came of reads before it.
    """

    name: str
    replies: Sequence[Probe]
    sent: int
    pauses: list[float]
    before: Sequence[Probe] = ()


REPEATED = [
    Repeated("an answer", [OK, OK], 1, []),
    Repeated("a refusal", [reply(401), OK], 1, []),
    Repeated("a failure, then an answer", [reply(503), OK], 2, [1.0]),
    Repeated("two failures", [reply(503), reply(503), OK], 2, [1.0]),
    Repeated("two limits", [reply(429), reply(429), OK], 3, [2.0, 4.0]),
    Repeated("three limits", [*3 * [reply(429)], OK], 3, [2.0, 4.0]),
    Repeated(
        "a limit, and one without a time at the read before",
        [reply(429), OK],
        1,
        [],
        [reply(429, question=Question.DATA_KEY)],
    ),
    Repeated(
        "a limit, and one with a time at the read before",
        [reply(429), OK],
        1,
        [],
        [reply(429, b"", {"retry-after": "5"}, question=Question.DATA_KEY)],
    ),
    Repeated(
        "a limit, and a failure at the read before",
        [reply(429), OK],
        2,
        [2.0],
        [reply(503, question=Question.DATA_KEY)],
    ),
    Repeated("a limit of 7 s", [limited(7), OK], 2, [7.0]),
    Repeated("a limit of 59 s, which the doctor has not", [limited(59), OK], 1, []),
    Repeated("a read that the doctor's own time cut off", [reply(0, ran_out=True), OK], 1, []),
    Repeated("a failure at the last read", [reply(503), OK], 1, [], 11 * [OK]),
    Repeated("a failure at the last read but one", [reply(503), OK], 2, [1.0], 10 * [OK]),
]


@pytest.mark.parametrize("row", REPEATED, ids=[row.name for row in REPEATED])
def test_a_read_is_repeated_while_the_reply_is_about_the_moment(row: Repeated):
    sender = Prepared(row.replies)
    sender.probes = [*row.before]
    pauses: list[float] = []
    probes = Reader(sender).read(Question.LIST, ASK, pauses.append)
    assert len(probes) == row.sent
    assert [probe.status for probe in probes] == [probe.status for probe in row.replies[: row.sent]]
    assert [round(pause) for pause in pauses] == row.pauses
