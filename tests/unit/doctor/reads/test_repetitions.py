"""
The pause that the last reply to a read asks for; ``test_repeated_reads`` has whether the read is
repeated, and what the doctor makes of the pause: it keeps a space between reads, and has 60 seconds
in all.

A 429 asks for as long as Retry-After says, in seconds or as a date (compared with the reply's Date,
never before now), or until a second after a reset as a time up to 25 hours ahead, or as many seconds
as a reset of up to 60 says. 408, 502 and 503 heed Retry-After likewise, but ask for a second at least.
A negative Retry-After, and a reset beyond these bounds, count as none.
"""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import formatdate
from typing import NamedTuple

import pytest

from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.doctor.reads.sending import pause_before_next
from wes_provider.doctor.replies.probes import Probe, Question

REQUEST = Request("list_coupon_files", "GET", "https://api.example.com/v1/l/files", {"A": "w"})
DATE = 1_800_000_000.0


def probe_of(status: int, body: bytes = b"", **headers: str) -> Probe:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    response = Response(status, named, body)
    return Probe(Question.LIST, REQUEST, response=response, sent_at=DATE)


class Pause(NamedTuple):
    """Headers of a first reply, and the pause in seconds that it asks for."""

    name: str
    headers: Mapping[str, str]
    seconds: float


PAUSES = [
    Pause("Retry-After with seconds", {"retry-after": "7"}, 7.0),
    Pause("Retry-After with a date", {"retry-after": formatdate(DATE + 9, usegmt=True)}, 9.0),
    Pause("Retry-After in the past", {"retry-after": formatdate(DATE - 9, usegmt=True)}, 0.0),
    Pause(
        "Retry-After by a clock that is ten minutes ahead, as Date says",
        {
            "retry-after": formatdate(DATE + 609, usegmt=True),
            "date": formatdate(DATE + 600, usegmt=True),
        },
        9.0,
    ),
    Pause("a reset as a time, after which a second more", {"x-ratelimit-reset": "1800000004"}, 5.0),
    Pause(
        "a reset as a time 24 hours ahead",
        {"x-ratelimit-reset": str(int(DATE) + 86_400)},
        86_401.0,
    ),
    Pause("a reset in seconds", {"x-ratelimit-reset": "5"}, 5.0),
    Pause("a reset in 60 seconds", {"x-ratelimit-reset": "60"}, 60.0),
]


@pytest.mark.parametrize("row", PAUSES, ids=[row.name for row in PAUSES])
def test_a_429_asks_for_the_pause_that_its_headers_say(row: Pause):
    assert pause_before_next([probe_of(429, **row.headers)], DATE) == row.seconds


SENSELESS = [
    Pause("Retry-After below zero", {"retry-after": "-7"}, 1.0),
    Pause("a reset as a time 26 hours ahead", {"x-ratelimit-reset": str(int(DATE) + 93_600)}, 1.0),
    Pause("a reset in more than 60 seconds", {"x-ratelimit-reset": "61"}, 1.0),
]


@pytest.mark.parametrize("row", SENSELESS, ids=[row.name for row in SENSELESS])
def test_a_429_whose_headers_make_no_sense_asks_for_the_pause_of_one_without(row: Pause):
    assert pause_before_next([probe_of(429, **row.headers)], DATE) == row.seconds


class Heeds(NamedTuple):
    """The status of a first reply, its Retry-After, and the pause that it asks for, in seconds."""

    status: int
    retry_after: str
    seconds: float


HEEDING = [
    Heeds(status, text, seconds)
    for status in (408, 502, 503)
    for text, seconds in (("5", 5.0), ("600", 600.0), ("0", 1.0), ("-7", 1.0))
]


@pytest.mark.parametrize(
    "row", HEEDING, ids=[f"{row.status}, {row.retry_after}" for row in HEEDING]
)
def test_a_failure_asks_for_its_retry_after_and_for_a_second_at_least(row: Heeds):
    probe = probe_of(row.status, retry_after=row.retry_after)
    assert pause_before_next([probe], DATE) == row.seconds
