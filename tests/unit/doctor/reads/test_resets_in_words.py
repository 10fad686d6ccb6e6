"""
When the limit of a 429 resets, in words, by a header whose name speaks of a reset; the reply is of
2027-01-15 08:00:00 UTC. A number below a billion may be seconds ("if ... means seconds"), above 0
and up to 400 days; in the header RateLimit, ``t=`` is seconds without an if. A date, and a number
of seconds or milliseconds since 1970, is a time, from now and up to 400 days ahead, with how many
days that is. Anything else, and no such header, says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.doctor.reads.sending import resets_by_words
from wes_provider.doctor.replies.probes import (
    Probe,
    Question,
)

REQUEST = Request("list_coupon_files", "GET", "https://api.example.com/v1/l/files", {"A": "w"})
DATE = 1_800_000_000.0


def probe_of(status: int, body: bytes = b"", **headers: str) -> Probe:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    response = Response(status, named, body)
    return Probe(Question.LIST, REQUEST, response=response, sent_at=DATE)


class Reset(NamedTuple):
    """A header of a 429, and what is said of when its limit resets."""

    header: Mapping[str, str]
    says: str


IN_SECONDS = [
    Reset(
        {"x-ratelimit-reset": "39600"},
        " for about 11 hours, if x-ratelimit-reset: 39600 means seconds",
    ),
    Reset({"ratelimit-reset": "90"}, " for about 90 seconds, if ratelimit-reset: 90 means seconds"),
    Reset(
        {"x-ratelimit-reset": "34560000"},
        " for about 400 days, if x-ratelimit-reset: 34560000 means seconds",
    ),
    Reset({"x-ratelimit-reset": "34560001"}, ""),
    Reset({"x-ratelimit-reset": "0"}, ""),
    Reset({"x-ratelimit-reset": "-5"}, ""),
    Reset({"x-ratelimit-reset": "nan"}, ""),
]


@pytest.mark.parametrize("row", IN_SECONDS, ids=[str(row.header) for row in IN_SECONDS])
def test_a_number_below_a_billion_may_be_seconds_up_to_400_days(row: Reset):
    assert resets_by_words(probe_of(429, **row.header)) == row.says


IN_A_DAY = " until 2027-01-16 08:00 UTC, in 1 day, as"
AS_A_TIME = [
    Reset(
        {"x-quota-reset": "2027-01-15T09:00:00Z"},
        " until 2027-01-15 09:00 UTC, as x-quota-reset: 2027-01-15T09:00:00Z says",
    ),
    Reset(
        {"x-quota-reset": "2027-01-16T08:00:00Z"},
        f"{IN_A_DAY} x-quota-reset: 2027-01-16T08:00:00Z says",
    ),
    Reset(
        {"x-quota-reset": "2027-01-16T09:00+01:00"},
        f"{IN_A_DAY} x-quota-reset: 2027-01-16T09:00+01:00 says",
    ),
    Reset(
        {"x-rate-limit-reset": "Sat, 16 Jan 2027 08:00:00 GMT"},
        f"{IN_A_DAY} x-rate-limit-reset: Sat, 16 Jan 2027 08:00:00 GMT says",
    ),
    Reset({"x-rate-limit-reset": "1800086400"}, f"{IN_A_DAY} x-rate-limit-reset: 1800086400 says"),
    Reset(
        {"x-rate-limit-reset": "1800086400000"},
        f"{IN_A_DAY} x-rate-limit-reset: 1800086400000 says",
    ),
    Reset(
        {"x-quota-reset": "2028-02-19T08:00:00Z"},
        " until 2028-02-19 08:00 UTC, in 400 days, as x-quota-reset: 2028-02-19T08:00:00Z says",
    ),
    Reset({"x-quota-reset": "2028-02-19T08:00:01Z"}, ""),
    Reset({"x-quota-reset": "2027-01-15T07:59:59Z"}, ""),
]


@pytest.mark.parametrize("row", AS_A_TIME, ids=[str(row.header) for row in AS_A_TIME])
def test_a_date_or_a_time_since_1970_is_said_up_to_400_days_ahead(row: Reset):
    """The reply is of 2027-01-15 08:00:00 UTC."""
    assert resets_by_words(probe_of(429, **row.header)) == row.says


def test_seconds_in_the_header_ratelimit_are_said_without_an_if():
    probe = probe_of(429, ratelimit='"day";r=0;t=172800')
    assert resets_by_words(probe) == " for about 2 days, as ratelimit: t=172800 says"


def test_a_reset_that_is_no_number_and_no_date_is_not_said():
    assert resets_by_words(probe_of(429, x_ratelimit_reset="soon")) == ""


def test_nothing_is_said_of_a_reset_without_such_a_header():
    assert resets_by_words(probe_of(429, content_type="text/plain")) == ""
