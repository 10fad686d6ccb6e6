"""
The headers of the rate limit (contract, section 7). A reset counts if it is later than now by the
service's own clock, and at most a day and an hour later; a second is added for what headers
round. Limit and rest are whole numbers of at most 12 digits. Anything else is none.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import NamedTuple

import pytest

from wes_provider.client.rate_limits import RateLimit, rate_limit

NOW = 1_772_366_400
RESET = "x-ratelimit-reset"


def at(seconds: float) -> str:
    """A Date header, so many seconds from now."""
    return format_datetime(
        datetime.fromtimestamp(NOW, timezone.utc) + timedelta(seconds=seconds), usegmt=True
    )


class Reset(NamedTuple):
    """Headers that say when a window resets, and in how many seconds that is."""

    headers: dict[str, str]
    seconds: float


RESETS = {
    "in a second": Reset({RESET: f"{NOW + 1}"}, 1),
    "in a minute": Reset({RESET: f"{NOW + 60}"}, 60),
    "of a clock that is fast": Reset({RESET: f"{NOW + 360}", "date": at(300)}, 60),
    "of a clock that is slow": Reset({RESET: f"{NOW - 240}", "date": at(-300)}, 60),
    "in a day and an hour": Reset({RESET: f"{NOW + 90_000}"}, 90_000),
}
NO_RESETS = {
    "in more than a day and an hour": {RESET: f"{NOW + 90_001}"},
    "now": {RESET: f"{NOW}"},
    "seconds from now": {RESET: "60"},
    "milliseconds": {RESET: f"{NOW + 60}000"},
    "not a number": {RESET: "nan"},
    "a word": {RESET: "soon"},
    "5000 digits": {RESET: "9" * 5000},
    "a date that cannot be read": {RESET: f"{NOW + 60}", "date": "tomorrow"},
    "no header": {},
}


@pytest.mark.parametrize("row", RESETS.values(), ids=RESETS)
def test_a_reset_is_believed_within_a_day_and_an_hour_by_the_services_clock(row: Reset):
    reset = rate_limit(row.headers, NOW).reset
    assert reset == NOW + row.seconds + 1, "a second for what both headers round"


@pytest.mark.parametrize("headers", NO_RESETS.values(), ids=NO_RESETS)
def test_a_reset_that_is_no_time_within_the_next_day_and_an_hour_is_none(headers: dict[str, str]):
    assert rate_limit(headers, NOW).reset is None


def limit_of(count: str) -> RateLimit:
    return rate_limit({"x-ratelimit-limit": count, "x-ratelimit-remaining": count}, NOW)


@pytest.mark.parametrize("count", [5, 0, 999_999_999_999])
def test_counts_of_a_limit_are_whole_numbers(count: int):
    assert limit_of(str(count)) == RateLimit(count, count, None)


NO_COUNTS = {
    "below 0": "-1",
    "a letter": "x",
    "an Arabic digit": "٥",
    "empty": "",
    "13 digits": "1" * 13,
}


@pytest.mark.parametrize("count", NO_COUNTS.values(), ids=NO_COUNTS)
def test_what_is_no_whole_number_is_no_count_of_a_limit(count: str):
    assert limit_of(count) == RateLimit(None, None, None)
