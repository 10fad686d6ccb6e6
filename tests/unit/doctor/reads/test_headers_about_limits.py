"""
The documented reset of a reply is later than its Retry-After if it is so by more than 60 seconds; a
minute or less is about the same. Besides the documented headers, four headers with limit or quota
in their names are quoted at most, each with 100 characters at most, and a semicolon as another
character.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_replies import MOMENT, reply
from wes_provider.doctor.reads.sending import (
    later_reset,
    limits_in,
)


class Later(NamedTuple):
    """Seconds until the documented reset, beside 2 s by Retry-After, and how much later that is."""

    name: str
    reset: int
    later: float


# The window of the contract ends a second after the time that its header names.
LATER = [
    Later("about the same", 3, 0.0),
    Later("a minute later", 61, 0.0),
    Later("a minute and a second later", 62, 61.0),
    Later("earlier", 0, 0.0),
]


@pytest.mark.parametrize("row", LATER, ids=[row.name for row in LATER])
def test_a_documented_reset_is_later_than_retry_after_by_more_than_a_minute(row: Later):
    headers = {"retry-after": "2", "x-ratelimit-reset": str(int(MOMENT) + row.reset)}
    assert later_reset(reply(429, b"", headers)) == row.later


class Limits(NamedTuple):
    """Headers, and those of them that are about limits."""

    name: str
    headers: Mapping[str, str]
    limits: list[str]


LIMITS = [
    Limits("no header", {}, []),
    Limits("a documented header", {"x-ratelimit-limit": "5", "date": "now"}, []),
    Limits(
        "two others, one of them with a semicolon, which is shown as another character",
        {"ratelimit-policy": '5;w="60"', "x-quota": "a"},
        ['ratelimit-policy: 5⁏w="60"', "x-quota: a"],
    ),
    Limits(
        "five, of which four are shown",
        {f"x-limit-{n}": "a" for n in range(5)},
        [f"x-limit-{n}: a" for n in range(4)],
    ),
    Limits("100 characters", {"x-limit": "a" * 100}, ["x-limit: " + "a" * 100]),
    Limits("101 characters", {"x-limit": "a" * 101}, ["x-limit: " + "a" * 99 + "…"]),
]


@pytest.mark.parametrize("row", LIMITS, ids=[row.name for row in LIMITS])
def test_four_headers_about_limits_at_most_are_quoted_with_100_characters_each(row: Limits):
    assert limits_in(reply(429, b"", row.headers)) == row.limits
