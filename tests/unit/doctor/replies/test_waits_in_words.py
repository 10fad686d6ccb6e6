"""
How long it takes until something is possible again is read from words such as "replenished in
03:12:45", "try again in 26 seconds" and "wait 30 minutes". How many requests are allowed in how
many seconds, when something expires, and a time of the day say nothing of it. The time is said in
UTC, counted from the reply (2027-01-15 08:00:00), unless its headers name one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_replies import error_body, reply
from wes_provider.doctor.reads.sayings import advice_of
from wes_provider.doctor.reads.sending import until
from wes_provider.doctor.replies.remedies import is_dated
from wes_provider.doctor.replies.waits_in_words import wait_in_words

HOUR = 3600.0


class Words(NamedTuple):
    """Words, and the seconds that they name; ``None`` for none."""

    name: str
    seconds: float | None = None


WORDS = [
    Words("Quota will be replenished in 03:12:45.", 3 * HOUR + 12 * 60 + 45),
    Words("Out of call volume quota. Quota will be replenished in 1.03:12:45.", 27 * HOUR + 765),
    Words("Rate limit is exceeded. Try again in 26 seconds.", 26.0),
    Words("Try again in 1 second", 1.0),
    Words("Please try again after 5 minutes.", 300.0),
    Words("Please retry in about 2 hours", 2 * HOUR),
    Words("Limit reached, retry after 90s", 90.0),
    Words("Retry-After: 90 s", 90.0),
    Words("The limit resets in 2h30m", 2.5 * HOUR),
    Words("Your quota resets in 2 hours and 5 minutes.", 2 * HOUR + 300),
    Words("The daily limit will reset in 1 day, 2 hours", 26 * HOUR),
    Words("Renewed in PT3H12M", 3 * HOUR + 720),
    Words("retry in 20ms", 0.02),
    Words("Too many requests, please wait 30 minutes", 1800.0),
    Words("Wait for 2 min and repeat", 120.0),
    Words("The service will be back in 00:30:00", 1800.0),
    Words("Kontingent erschöpft, in 5 Minuten wieder verfügbar", 300.0),
    Words("Versuchen Sie es erneut in 2 Stunden", 2 * HOUR),
    Words("Out of call volume quota."),
    Words("5 calls per 24 hours are allowed"),
    Words("You made 100 requests in 60 seconds, and the limit is 10."),
    Words("You are 5 requests over the limit in 60 seconds"),
    Words("try to make fewer than 5 calls in 60 seconds"),
    Words("Wait 2 seconds between calls"),
    Words("The limit resets every 24 hours"),
    Words("Your key expires in 3 days"),
    Words("3 failed attempts in 5 minutes"),
    Words("The response took 30 seconds"),
    Words("Quota resets at 10:30:00"),
    Words("Try again in a while"),
    Words("Try again in 5 attempts"),
    Words("Try again in 0 seconds"),
    Words("Try again in PT"),
    Words("Retry after 2027-01-15"),
    Words(""),
]


@pytest.mark.parametrize("row", WORDS, ids=[row.name or "no words" for row in WORDS])
def test_words_name_how_long_it_takes_until_something_is_possible_again(row: Words):
    assert wait_in_words(row.name) == row.seconds


def test_a_length_of_time_is_no_hour_of_the_day():
    assert not is_dated("Quota will be replenished in 03:12:45")
    assert is_dated("Quota will be replenished at 03:12:45")
    assert is_dated("Quota will be replenished in 03:12:45, at 17:00")


class Until(NamedTuple):
    """The words and the headers of a refusal, and until when to wait."""

    name: str
    message: str
    says: str
    headers: Mapping[str, str] = {}
    status: int = 403


REPLENISHED = "Out of call volume quota. Quota will be replenished in 03:12:45."
UNTILS = [
    Until("the same day", REPLENISHED, " until 11:12:45 UTC, as it says"),
    Until(
        "the next day",
        "Quota exceeded, try again in 20 hours",
        " until 04:00:00 UTC on 2027-01-16, tomorrow, as it says",
    ),
    Until(
        "days ahead",
        "Quota exceeded, try again in 3 days",
        " until 2027-01-18 08:00 UTC, in 3 days, as it says",
    ),
    Until(
        "a header",
        REPLENISHED,
        " until 08:01:00 UTC, as its headers say",
        {"retry-after": "60"},
        429,
    ),
    Until("years ahead", "Quota exceeded, try again in 900 days", ""),
    Until("no time", "Out of call volume quota.", ""),
]


@pytest.mark.parametrize("row", UNTILS, ids=ids(UNTILS))
def test_until_when_to_wait_is_said_in_utc_by_headers_or_else_by_words(row: Until):
    refused = reply(row.status, {"message": row.message}, headers=row.headers)
    assert until(refused) == row.says


def test_the_advice_about_a_quota_names_the_time_at_which_it_is_replenished():
    refused = reply(403, {"statusCode": 403, "message": REPLENISHED})
    assert advice_of(refused) == (
        "Wait until 11:12:45 UTC, as it says, or ask the service's support for more: it is about "
        "no key."
    )


def test_the_advice_about_a_maintenance_names_the_time_at_which_it_is_over():
    refused = reply(503, error_body("maintenance", "Maintenance. We will be back in 00:30:00."))
    assert advice_of(refused) == "Wait until 08:30:00 UTC, as it says, and run this again."
