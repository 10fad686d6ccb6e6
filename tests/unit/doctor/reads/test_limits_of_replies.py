"""
A request may be repeated after the seconds of Retry-After (ASCII digits, or a date by the service's
own clock) or of the documented x-ratelimit-reset, the earlier of both. Without Retry-After, it may
be after the seconds of another header with "reset" in its name, if these are 60 at most.

When a limit resets is read from the first header with "reset" or "retry-after" in its name that is
not empty, else from a parameter reset or t of a header of limits. A number below 10^9 means
seconds, a larger one an epoch, in milliseconds above 10^11. A moment in the past, and what is no
time, are none. It is said in words with that header, in the largest unit that it has two of, up to
400 days. How long to wait is said by the time of the repetition, if there is one, and else by these
words.
"""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import formatdate
from typing import NamedTuple

import pytest

from support.doctor_replies import MOMENT, reply
from wes_provider.doctor.reads.sending import (
    resets_by_words,
    resets_in,
    retry_after,
    until,
)

DAY = 86400


class Reset(NamedTuple):
    """
    Headers of a 429, and what they say.

    :ivar after: seconds until a repetition; ``resets``: until the limit resets, by any header.
    :ivar words: the end of a sentence; ``until``: the same, or when the repetition may come.
    """

    name: str
    headers: Mapping[str, str]
    after: float | None = None
    resets: float | None = None
    words: str = ""
    until: str = ""


def iso(seconds: int) -> str:
    return f"2027-01-15T08:{seconds // 60:02}:{seconds % 60:02}"


ABOUT = "if x-reset: {} means seconds"
RESETS = [
    Reset("nothing", {}),
    Reset(
        "seconds",
        {"retry-after": " 7 "},
        7.0,
        7.0,
        " for about 7 seconds, if retry-after: 7 means seconds",
        " until 08:00:07 UTC, as its headers say",
    ),
    Reset("0 seconds", {"retry-after": "0"}, 0.0),
    Reset(
        "a digit of another script",
        {"retry-after": "٧"},
        None,
        7.0,
        " for about 7 seconds, if retry-after: ٧ means seconds",
        " for about 7 seconds, if retry-after: ٧ means seconds",
    ),
    Reset(
        "a fraction",
        {"retry-after": "7.5"},
        None,
        7.5,
        " for about 8 seconds, if retry-after: 7.5 means seconds",
        " for about 8 seconds, if retry-after: 7.5 means seconds",
    ),
    Reset(
        "60 seconds",
        {"x-reset": "60"},
        60.0,
        60.0,
        " for about 60 seconds, if x-reset: 60 means seconds",
        " until 08:01:00 UTC, as its headers say",
    ),
    Reset(
        "61 seconds",
        {"x-reset": "61"},
        None,
        61.0,
        " for about 61 seconds, if x-reset: 61 means seconds",
        " for about 61 seconds, if x-reset: 61 means seconds",
    ),
    Reset(
        "119 seconds",
        {"x-reset": "119"},
        None,
        119.0,
        *2 * (f" for about 119 seconds, {ABOUT.format(119)}",),
    ),
    Reset(
        "120 seconds",
        {"x-reset": "120"},
        None,
        120.0,
        *2 * (f" for about 2 minutes, {ABOUT.format(120)}",),
    ),
    Reset(
        "7199 seconds",
        {"x-reset": "7199"},
        None,
        7199.0,
        *2 * (f" for about 120 minutes, {ABOUT.format(7199)}",),
    ),
    Reset(
        "2 hours",
        {"x-reset": "7200"},
        None,
        7200.0,
        *2 * (f" for about 2 hours, {ABOUT.format(7200)}",),
    ),
    Reset(
        "2 days",
        {"x-reset": "172800"},
        None,
        172800.0,
        *2 * (f" for about 2 days, {ABOUT.format(172800)}",),
    ),
    Reset(
        "400 days",
        {"x-reset": "34560000"},
        None,
        34560000.0,
        *2 * (f" for about 400 days, {ABOUT.format(34560000)}",),
    ),
    Reset("a second more than 400 days", {"x-reset": "34560001"}, None, 34560001.0),
    Reset("the largest number of seconds", {"x-reset": "999999999"}, None, 999999999.0),
    Reset("the first epoch", {"x-reset": "1000000000"}),
    Reset(
        "an epoch",
        {"x-reset": "1800000100"},
        None,
        100.0,
        *2 * (" until 2027-01-15 08:01 UTC, as x-reset: 1800000100 says",),
    ),
    Reset(
        "an epoch in milliseconds",
        {"x-reset": "1800000100000"},
        None,
        100.0,
        *2 * (" until 2027-01-15 08:01 UTC, as x-reset: 1800000100000 says",),
    ),
    Reset("an epoch of now", {"x-reset": "1800000000"}),
    Reset(
        "an epoch of the next day",
        {"x-reset": str(int(MOMENT) + DAY)},
        None,
        DAY,
        *2 * (f" until 2027-01-16 08:00 UTC, in 1 day, as x-reset: {int(MOMENT) + DAY} says",),
    ),
    Reset(
        "a date without a zone",
        {"x-reset": iso(100)},
        None,
        100.0,
        *2 * (f" until 2027-01-15 08:01 UTC, as x-reset: {iso(100)} says",),
    ),
    Reset(
        "a date with a zone",
        {"x-reset": "2027-01-15T09:01:40+01:00"},
        None,
        100.0,
        *2 * (" until 2027-01-15 08:01 UTC, as x-reset: 2027-01-15T09:01:40+01:00 says",),
    ),
    Reset("a past date with a zone", {"x-reset": f"{iso(100)}+01:00"}),
    Reset("a past date", {"x-reset": "2020-01-01"}),
    Reset("no date", {"x-reset": "soon"}),
    Reset("infinity", {"x-reset": "inf"}),
    Reset(
        "the second of two headers, since the first is empty",
        {"x-reset": " ", "x-quota-reset": "5"},
        5.0,
        5.0,
        " for about 5 seconds, if x-quota-reset: 5 means seconds",
        " until 08:00:05 UTC, as its headers say",
    ),
    Reset(
        "the first of two headers",
        {"x-reset": "5", "x-quota-reset": "9"},
        5.0,
        5.0,
        " for about 5 seconds, if x-reset: 5 means seconds",
        " until 08:00:05 UTC, as its headers say",
    ),
    Reset(
        "retry-after behind an earlier header",
        {"x-reset": "5", "retry-after": "9"},
        9.0,
        5.0,
        " for about 5 seconds, if x-reset: 5 means seconds",
        " until 08:00:09 UTC, as its headers say",
    ),
    Reset(
        "retry-after, and a later documented reset",
        {
            "retry-after": "9",
            "x-ratelimit-reset": str(int(MOMENT) + 19800),
            "x-ratelimit-remaining": "0",
        },
        9.0,
        9.0,
        " for about 9 seconds, if retry-after: 9 means seconds",
        " until 08:00:09 UTC, as its headers say",
    ),
    Reset(
        "retry-after, and an earlier documented reset",
        {"retry-after": "9", "x-ratelimit-reset": str(int(MOMENT) + 4)},
        5.0,
        9.0,
        " for about 9 seconds, if retry-after: 9 means seconds",
        " until 08:00:05 UTC, as its headers say",
    ),
    Reset(
        "a parameter",
        {"ratelimit": "limit=1; reset=300"},
        None,
        300.0,
        *2 * (" for about 5 minutes, as ratelimit: reset=300 says",),
    ),
    Reset(
        "a parameter of a quota",
        {"x-quota": "t=300"},
        None,
        300.0,
        *2 * (" for about 5 minutes, as x-quota: t=300 says",),
    ),
    Reset("a parameter of another header", {"x-other": "t=300"}),
    Reset(
        "a parameter after a header without one",
        {"x-limit": "5", "x-quota": "t=300"},
        None,
        300.0,
        *2 * (" for about 5 minutes, as x-quota: t=300 says",),
    ),
    Reset(
        "a date by the clock of the service, which is ahead",
        {
            "retry-after": formatdate(MOMENT + 609, usegmt=True),
            "date": formatdate(MOMENT + 600, usegmt=True),
        },
        9.0,
        9.0,
        f" until 2027-01-15 08:00 UTC, as retry-after: {formatdate(MOMENT + 609, usegmt=True)} says",
        " until 08:00:09 UTC, as its headers say",
    ),
    Reset("an epoch in milliseconds of a past time", {"x-reset": "500000000000"}),
]


@pytest.mark.parametrize("row", RESETS, ids=[row.name for row in RESETS])
def test_a_request_may_be_repeated_after_the_seconds_that_its_headers_say(row: Reset):
    assert retry_after(reply(429, b"", row.headers), MOMENT) == row.after


@pytest.mark.parametrize("row", RESETS, ids=[row.name for row in RESETS])
def test_a_limit_resets_after_the_seconds_that_any_header_says(row: Reset):
    assert resets_in(reply(429, b"", row.headers)) == row.resets


@pytest.mark.parametrize("row", RESETS, ids=[row.name for row in RESETS])
def test_when_a_limit_resets_is_said_by_the_first_header_that_says_so(row: Reset):
    assert resets_by_words(reply(429, b"", row.headers)) == row.words


@pytest.mark.parametrize("row", RESETS, ids=[row.name for row in RESETS])
def test_how_long_to_wait_for_a_limit_is_said_with_the_header_that_says_so(row: Reset):
    assert until(reply(429, b"", row.headers)) == row.until
