"""
How many requests a service allows is read from words ("5 requests per second", "6/minute", "Daily
limit of 20", "Allowed rate: 12pm") and from headers with limit or quota in their names: a policy
such as 5;w=86400 or q=5;w=86400, or a number in one such as x-ratelimit-limit-day. Of several
amounts, the smallest rate counts, also of words and headers together. A number without a time, more
than three words between, a time in another sentence, and a header of what remains state none.

A limit below 40 requests in an hour or longer is too few for a wait, and below 12 for the doctor,
too: to wait does not help. 40, or 39 in less than an hour, are enough. An amount is said with its
unit, or with its seconds if that is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_reads import error, probe
from wes_provider.doctor.replies.amounts import Amount, amount_of, too_few

SECOND, MINUTE, HOUR, DAY, WEEK, MONTH = 1, 60, 3600, 86_400, 604_800, 2_592_000


class Words(NamedTuple):
    """An error's message, and the amount that it states."""

    message: str
    amount: Amount | None


WORDS = [
    Words("", None),
    Words("Too many requests", None),
    Words("5 requests per second", Amount(5, SECOND)),
    Words("6/minute", Amount(6, MINUTE)),
    Words("6 requests/minute", Amount(6, MINUTE)),
    Words("6 requests / minute", Amount(6, MINUTE)),
    Words("7 an hour", Amount(7, HOUR)),
    Words("8 calls a day", Amount(8, DAY)),
    Words("9 each week", Amount(9, WEEK)),
    Words("10 every month", Amount(10, MONTH)),
    Words("1,200 API calls PER DAY", Amount(1200, DAY)),
    Words("5per hour", Amount(5, HOUR)),
    Words("5 uploads of files per hour", Amount(5, HOUR)),
    Words("5 uploads of coupon files per hour", None),
    Words("5 requests per days", None),
    Words("requests per day", None),
    Words("Spike arrest violation. Allowed rate : 12pm", Amount(12, MINUTE)),
    Words("Allowed rate: 3ps", Amount(3, SECOND)),
    Words("Come back at 12pm", None),
    Words("Daily limit of 20", Amount(20, DAY)),
    Words("The hourly quota is 1,500", Amount(1500, HOUR)),
    Words("your weekly limit:30", Amount(30, WEEK)),
    Words("MONTHLY volume of 40", Amount(40, MONTH)),
    Words("Daily limit. Part 2 of 9", None),
    Words("Daily limit; of 9", None),
    Words("Daily limit 3 of 9", None),
    Words("Daily: " + "x" * 30 + " of 9", Amount(9, DAY)),
    Words("Daily: " + "x" * 40 + " of 9", None),
    Words("Daily roof 9", None),
    Words("nondaily limit of 9", None),
    Words("2 requests per second and 20 requests per day", Amount(20, DAY)),
    Words("20 requests per day, 2 requests per second", Amount(20, DAY)),
    Words("Hourly limit of 100, 3 per second", Amount(100, HOUR)),
]


@pytest.mark.parametrize("row", WORDS, ids=[row.message for row in WORDS])
def test_the_smallest_amount_of_a_message_is_read(row: Words):
    assert amount_of(probe(429, error("limited", row.message))) == row.amount


class Headers(NamedTuple):
    """Headers of a reply, and the amount that they state."""

    headers: Mapping[str, str]
    amount: Amount | None


HEADERS = [
    Headers({"ratelimit-policy": '"trial";q=5;w=86400'}, Amount(5, DAY)),
    Headers({"ratelimit-policy": '"trial"; q=5; qu="requests"; w=86400'}, Amount(5, DAY)),
    Headers({"ratelimit-policy": "5;w=86400"}, Amount(5, DAY)),
    Headers({"ratelimit-policy": "5 ;w=86400"}, Amount(5, DAY)),
    Headers({"ratelimit-policy": "2;w=1, 20;w=86400"}, Amount(20, DAY)),
    Headers({"ratelimit-policy": "20;w=86400,2;w=1"}, Amount(20, DAY)),
    Headers({"ratelimit-policy": "5;w=0"}, None),
    Headers({"ratelimit-policy": "5;w=1"}, Amount(5, SECOND)),
    Headers({"ratelimit-policy": "5;window=60"}, None),
    Headers({"ratelimit-policy": "5, w=60"}, None),
    Headers({"ratelimit-policy": '"a";req=5;w=60'}, None),
    Headers({"x-quota": "5;w=90"}, Amount(5, 90)),
    Headers({"x-policy": "5;w=90"}, None),
    Headers({"x-policy": "5;w=90", "x-limit-day": "7"}, Amount(7, DAY)),
    Headers({"x-ratelimit-limit-day": " 25 "}, Amount(25, DAY)),
    Headers({"x-ratelimit-limit-days": "25"}, Amount(25, DAY)),
    Headers({"limit_week": "25"}, Amount(25, WEEK)),
    Headers({"x-hour-limit": "25"}, Amount(25, HOUR)),
    Headers({"x-minutes_max-limit": "25"}, Amount(25, MINUTE)),
    Headers({"x-limit-day-left": "25"}, None),
    Headers({"x-limitday": "25"}, None),
    Headers({"x-daylimit": "25"}, None),
    Headers({"x-day-quota": "25"}, None),
    Headers({"x-ratelimit-limit": "25"}, None),
    Headers({"x-ratelimit-limit-day": "-25"}, None),
    Headers({"x-ratelimit-limit-day": ""}, None),
    Headers({"x-ratelimit-limit-remaining-day": "25"}, None),
    Headers({"x-limit-second": "2", "x-limit-month": "900"}, Amount(900, MONTH)),
]


@pytest.mark.parametrize("row", HEADERS, ids=[str(row.headers) for row in HEADERS])
def test_the_smallest_amount_of_headers_is_read(row: Headers):
    assert amount_of(probe(200, [], headers=row.headers)) == row.amount


def test_the_smaller_amount_of_headers_and_words_is_read():
    reply = probe(429, error("limited", "900 requests per day"), headers={"x-limit-hour": "30"})
    assert amount_of(reply) == Amount(30, HOUR)


class Said(NamedTuple):
    """An amount as people read it."""

    amount: Amount
    text: str


SAID = [
    Said(Amount(1, SECOND), "1 request a second"),
    Said(Amount(2, MINUTE), "2 requests a minute"),
    Said(Amount(2, HOUR), "2 requests an hour"),
    Said(Amount(0, DAY), "0 requests a day"),
    Said(Amount(2, WEEK), "2 requests a week"),
    Said(Amount(2, MONTH), "2 requests a month"),
    Said(Amount(2, 90), "2 requests in 90 s"),
]


@pytest.mark.parametrize("row", SAID, ids=[row.text for row in SAID])
def test_an_amount_is_said_in_words(row: Said):
    assert str(row.amount) == row.text


class Few(NamedTuple):
    """An amount in a header, and what is said of it."""

    policy: str
    text: str


FOR_A_WAIT = "too few for a wait, which reads each file dozens of times an hour"
NO_HELP = ": to wait does not help. Ask the service's support for more."
ALSO = ", and for this command, which sends about 10 reads"
FEW = [
    Few("1;w=3600", f"1 request an hour is {FOR_A_WAIT}{ALSO}{NO_HELP}"),
    Few("11;w=86400", f"11 requests a day are {FOR_A_WAIT}{ALSO}{NO_HELP}"),
    Few("12;w=86400", f"12 requests a day are {FOR_A_WAIT}{NO_HELP}"),
    Few("39;w=3600", f"39 requests an hour are {FOR_A_WAIT}{NO_HELP}"),
    Few("39;w=3599", ""),
    Few("40;w=3600", ""),
    Few("40;w=86400", ""),
    Few("", ""),
]


@pytest.mark.parametrize("row", FEW, ids=[row.policy for row in FEW])
def test_a_limit_below_40_requests_in_an_hour_or_longer_is_too_few_for_a_wait(row: Few):
    assert too_few(probe(429, headers={"ratelimit-policy": row.policy})) == row.text
