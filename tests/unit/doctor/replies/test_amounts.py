"""
How many requests a service allows is read from words and from headers.

Words state a number for a time ("5 requests per second", "6/minute", "Allowed rate: 12pm"), with
three words between at most. After an adverb and in the same sentence ("Daily limit of 20"), a
number counts that follows *of*, *is* or a colon. Numbers may have separators of thousands; of
decimals, no rate is read. What is left ("3 requests per day left") is no limit, but of "3 of 5
requests per day left", the 5 are.

Headers with limit or quota in their names state a policy such as 5;w=86400 or q=5;w=86400, or a
number if their name ends with limit and has a time, or has limit and ends with a time, as
x-ratelimit-limit-day does. If the name says that something is used, is left, or is a time, the
header states none.

Of several amounts, the one with the smallest rate counts, also of words and headers together. To
be enough for a wait, each of them has to be: a limit below 40 requests in an hour or longer is too
few, and below 12 for the doctor, too: to wait does not help. 40, or 39 in less than an hour, are
enough. An amount is said with its unit, or with its seconds if that is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_reads import error_body, probe
from wes_provider.doctor.replies.amounts import Amount, amount_of, too_few
from wes_provider.doctor.replies.probes import Probe

SECOND, MINUTE, HOUR, DAY, WEEK, MONTH = 1, 60, 3600, 86_400, 604_800, 2_592_000


def with_policy(policy: str) -> Probe:
    """A refusal by a limit, with a header that states it."""
    return probe(429, headers={"ratelimit-policy": policy})


def limited(message: str) -> Probe:
    """A refusal by a limit, with a message."""
    return probe(429, error_body("limited", message))


class Words(NamedTuple):
    """An error's message, and the only amount that it states."""

    message: str
    amount: Amount


RATES_IN_WORDS = [
    Words("5 requests per second", Amount(5, SECOND)),
    Words("6/minute", Amount(6, MINUTE)),
    Words("6 requests/minute", Amount(6, MINUTE)),
    Words("6 requests / minute", Amount(6, MINUTE)),
    Words("7 an hour", Amount(7, HOUR)),
    Words("8 calls a day", Amount(8, DAY)),
    Words("9 each week", Amount(9, WEEK)),
    Words("10 every month", Amount(10, MONTH)),
    Words("10 API calls PER DAY", Amount(10, DAY)),
    Words("5per hour", Amount(5, HOUR)),
    Words("5 uploads of files per hour", Amount(5, HOUR)),
    Words("Spike arrest violation. Allowed rate : 12pm", Amount(12, MINUTE)),
    Words("Allowed rate: 3ps", Amount(3, SECOND)),
]


@pytest.mark.parametrize("row", RATES_IN_WORDS, ids=[row.message for row in RATES_IN_WORDS])
def test_a_number_for_a_time_is_read_from_words(row: Words):
    assert amount_of(limited(row.message)) == row.amount


LIMITS_WITH_ADVERBS = [
    Words("Daily limit of 20", Amount(20, DAY)),
    Words("The hourly quota is 15", Amount(15, HOUR)),
    Words("your weekly limit:30", Amount(30, WEEK)),
    Words("MONTHLY volume of 40", Amount(40, MONTH)),
    Words("Daily roof of 9", Amount(9, DAY)),
    Words("Daily: 9", Amount(9, DAY)),
    Words("Daily: " + "x" * 30 + " of 9", Amount(9, DAY)),
]


@pytest.mark.parametrize(
    "row", LIMITS_WITH_ADVERBS, ids=[row.message for row in LIMITS_WITH_ADVERBS]
)
def test_a_number_after_of_is_or_a_colon_is_for_the_time_that_an_adverb_before_it_names(
    row: Words,
):
    assert amount_of(limited(row.message)) == row.amount


class Thousands(NamedTuple):
    """A message that states a number of thousands, by what separates these."""

    name: str
    message: str
    amount: Amount


THOUSANDS = [
    Thousands("nothing", "12000 requests per day", Amount(12_000, DAY)),
    Thousands("comma", "12,000 requests per day", Amount(12_000, DAY)),
    Thousands("full stop", "1.200 requests per day", Amount(1200, DAY)),
    Thousands("apostrophe", "12'000 requests per day", Amount(12_000, DAY)),
    Thousands("typographic apostrophe", "12\u2019000 requests per day", Amount(12_000, DAY)),
    Thousands("space", "12 000 requests per day", Amount(12_000, DAY)),
    Thousands("no-break space", "12\u00a0000 requests per day", Amount(12_000, DAY)),
    Thousands("narrow no-break space", "12\u202f000 requests per day", Amount(12_000, DAY)),
    Thousands("thin space", "12\u2009000 requests per day", Amount(12_000, DAY)),
    Thousands("commas of millions", "1,200,000 a month", Amount(1_200_000, MONTH)),
    Thousands("commas of lakhs", "1,20,000 a month", Amount(120_000, MONTH)),
    Thousands("comma after an adverb", "The hourly quota is 1,500", Amount(1500, HOUR)),
    Thousands("full stop after an adverb", "Daily limit of 1.200.", Amount(1200, DAY)),
    Thousands("space after an adverb", "Daily limit: 12 000", Amount(12_000, DAY)),
]


@pytest.mark.parametrize("row", THOUSANDS, ids=[row.name for row in THOUSANDS])
def test_separators_of_thousands_are_no_end_of_a_number(row: Thousands):
    assert amount_of(limited(row.message)) == row.amount


def test_a_number_before_another_that_is_no_part_of_it_does_not_count():
    assert amount_of(limited("Plan 12: 5 requests per day")) == Amount(5, DAY)


class NoAmount(NamedTuple):
    """A message that states no amount, and why it does not."""

    reason: str
    message: str


NO_AMOUNTS = [
    NoAmount("no message", ""),
    NoAmount("no number and no time", "Too many requests"),
    NoAmount("no number", "requests per day"),
    NoAmount("four words between", "5 uploads of coupon files per hour"),
    NoAmount("several days", "5 requests per days"),
    NoAmount("a decimal", "1.5 requests per second"),
    NoAmount("a decimal with a comma", "2,5 requests per hour"),
    NoAmount("a time of day", "Come back at 12pm"),
    NoAmount("neither of, is nor a colon after an adverb", "Daily roof 9"),
    NoAmount("a decimal after an adverb", "Daily limit of 2.5"),
    NoAmount("another number between adverb and number", "Daily limit 3 of 9"),
    NoAmount("the next sentence after an adverb", "Daily limit. Part of 9"),
    NoAmount("another sentence behind a semicolon", "Daily limit; of 9"),
    NoAmount("far behind an adverb", "Daily: " + "x" * 40 + " of 9"),
    NoAmount("an adverb within a word", "nondaily limit of 9"),
]


@pytest.mark.parametrize("row", NO_AMOUNTS, ids=[row.reason for row in NO_AMOUNTS])
def test_other_words_state_no_amount(row: NoAmount):
    assert amount_of(limited(row.message)) is None


WHAT_IS_LEFT = [
    "3 requests per day left",
    "3 requests per day remaining",
    "3 requests per day are left",
    "3 requests per day still remain",
    "3 requests a day REMAINING",
    "3 requests left per day",
    "3 remaining requests per day",
    "Remaining: 3 requests per day",
    "What is left is 3 requests per day",
    "Daily requests remaining: 3",
    "Daily limit: 3 requests left",
    "Daily limit: 3 of 20 requests left",
    "Daily limit: 3/20 requests left",
]


@pytest.mark.parametrize("message", WHAT_IS_LEFT)
def test_words_about_what_is_left_state_no_amount(message: str):
    assert amount_of(limited(message)) is None


WHAT_IS_LEFT_OF_A_LIMIT = [
    "3 of 5 requests per day left",
    "3 of 5 requests left per day",
    "3/5 requests per day remaining",
    "5 requests per day, 3 left",
    "5 requests per day (3 remaining)",
    "Daily limit of 5. Remaining: 3",
]


@pytest.mark.parametrize("message", WHAT_IS_LEFT_OF_A_LIMIT)
def test_the_limit_counts_of_which_words_say_how_much_is_left(message: str):
    assert amount_of(limited(message)) == Amount(5, DAY)


class Headers(NamedTuple):
    """Headers of a reply, and the only amount that they state."""

    name: str
    headers: Mapping[str, str]
    amount: Amount


HEADERS = [
    Headers("policy", {"ratelimit-policy": '"trial";q=5;w=86400'}, Amount(5, DAY)),
    Headers(
        "policy with a parameter more",
        {"ratelimit-policy": '"trial"; q=5; qu="requests"; w=86400'},
        Amount(5, DAY),
    ),
    Headers("policy of the older draft", {"ratelimit-policy": "5;w=86400"}, Amount(5, DAY)),
    Headers("space in a policy", {"ratelimit-policy": "5 ;w=86400"}, Amount(5, DAY)),
    Headers("policy of a second", {"ratelimit-policy": "5;w=1"}, Amount(5, SECOND)),
    Headers("policy in a header of a quota", {"x-quota": "5;w=90"}, Amount(5, 90)),
    Headers("time at the end of a name", {"x-ratelimit-limit-day": " 25 "}, Amount(25, DAY)),
    Headers("plural at the end", {"x-ratelimit-limit-days": "25"}, Amount(25, DAY)),
    Headers("underscore", {"limit_week": "25"}, Amount(25, WEEK)),
    Headers("time before limit", {"x-hour-limit": "25"}, Amount(25, HOUR)),
    Headers("plural, and words between", {"x-minutes_max-limit": "25"}, Amount(25, MINUTE)),
    Headers("time before ratelimit", {"x-day-ratelimit": "25"}, Amount(25, DAY)),
]


@pytest.mark.parametrize("row", HEADERS, ids=[row.name for row in HEADERS])
def test_policies_and_numbers_for_a_time_are_read_from_headers(row: Headers):
    assert amount_of(probe(200, [], headers=row.headers)) == row.amount


class NoAmountInHeader(NamedTuple):
    """A header that states no amount, and why it does not."""

    reason: str
    header: str
    value: str


NO_AMOUNTS_IN_HEADERS = [
    NoAmountInHeader("a policy of no time", "ratelimit-policy", "5;w=0"),
    NoAmountInHeader("w by another name", "ratelimit-policy", "5;window=60"),
    NoAmountInHeader("q by another name", "ratelimit-policy", '"a";req=5;w=60'),
    NoAmountInHeader("number and time in two policies", "ratelimit-policy", "5, w=60"),
    NoAmountInHeader("a policy of neither limit nor quota", "x-policy", "5;w=90"),
    NoAmountInHeader("time right after limit", "x-limitday", "25"),
    NoAmountInHeader("time right before limit", "x-daylimit", "25"),
    NoAmountInHeader("time before quota", "x-day-quota", "25"),
    NoAmountInHeader("no time", "x-ratelimit-limit", "25"),
    NoAmountInHeader("an unknown word after limit", "x-day-limit-zork", "25"),
    NoAmountInHeader("a negative number", "x-ratelimit-limit-day", "-25"),
    NoAmountInHeader("no number", "x-ratelimit-limit-day", ""),
]


@pytest.mark.parametrize(
    "row", NO_AMOUNTS_IN_HEADERS, ids=[row.reason for row in NO_AMOUNTS_IN_HEADERS]
)
def test_other_headers_state_no_amount(row: NoAmountInHeader):
    assert amount_of(probe(200, [], headers={row.header: row.value})) is None


WORDS_THAT_NAME_NO_LIMIT = (
    "used",
    "usage",
    "consumed",
    "current",
    "left",
    "remaining",
    "available",
    "reset",
    "resets",
    "retry",
    "after",
    "wait",
    "delay",
    "window",
    "period",
    "interval",
    "duration",
)


@pytest.mark.parametrize("word", WORDS_THAT_NAME_NO_LIMIT)
def test_headers_of_what_is_used_or_left_or_of_a_time_state_no_amount(word: str):
    headers = {
        f"x-day-limit-{word}": "3",
        f"x-limit-{word}-day": "3",
        f"x-{word}-limit-day": "3",
        f"x_day_{word}_limit": "3",
        f"ratelimit-{word}": "5;w=86400",
    }
    assert amount_of(probe(200, [], headers=headers)) is None


class Several(NamedTuple):
    """A reply that states several amounts, and the one with the smallest rate."""

    name: str
    message: str
    headers: Mapping[str, str]
    smallest: Amount


SEVERAL = [
    Several(
        "words, the smallest last",
        "2 requests per second and 20 requests per day",
        {},
        Amount(20, DAY),
    ),
    Several(
        "words, the smallest first",
        "20 requests per day, 2 requests per second",
        {},
        Amount(20, DAY),
    ),
    Several("words with an adverb", "Hourly limit of 100, 3 per second", {}, Amount(100, HOUR)),
    Several(
        "policies, the smallest last",
        "",
        {"ratelimit-policy": "2;w=1, 20;w=86400"},
        Amount(20, DAY),
    ),
    Several(
        "policies, the smallest first",
        "",
        {"ratelimit-policy": "20;w=86400,2;w=1"},
        Amount(20, DAY),
    ),
    Several("headers", "", {"x-limit-second": "2", "x-limit-month": "900"}, Amount(900, MONTH)),
    Several(
        "words and a smaller one in a header",
        "900 requests per day",
        {"x-limit-hour": "30"},
        Amount(30, HOUR),
    ),
    Several(
        "a header and a smaller one in words",
        "30 requests per hour",
        {"x-limit-day": "900"},
        Amount(30, HOUR),
    ),
]


@pytest.mark.parametrize("row", SEVERAL, ids=[row.name for row in SEVERAL])
def test_of_several_amounts_the_one_with_the_smallest_rate_counts(row: Several):
    reply = probe(429, error_body("limited", row.message), headers=row.headers)
    assert amount_of(reply) == row.smallest


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
    """A policy that allows too few requests, and the sentence that says so."""

    name: str
    policy: str
    sentence: str


FOR_A_WAIT = "too few for a wait, which reads each file dozens of times an hour"
FEW = [
    Few("1 an hour", "1;w=3600", f"1 request an hour is {FOR_A_WAIT}"),
    Few("39 an hour", "39;w=3600", f"39 requests an hour are {FOR_A_WAIT}"),
    Few("39 in more than an hour", "39;w=3601", f"39 requests in 3601 s are {FOR_A_WAIT}"),
    Few("12 a day", "12;w=86400", f"12 requests a day are {FOR_A_WAIT}"),
]


@pytest.mark.parametrize("row", FEW, ids=[row.name for row in FEW])
def test_fewer_than_40_requests_in_an_hour_or_longer_are_too_few_for_a_wait(row: Few):
    assert too_few(with_policy(row.policy)).startswith(row.sentence)


class Enough(NamedTuple):
    """A policy that allows enough requests, or says nothing of them."""

    name: str
    policy: str


ENOUGH = [
    Enough("40 an hour", "40;w=3600"),
    Enough("40 a day", "40;w=86400"),
    Enough("39 in less than an hour", "39;w=3599"),
    Enough("no amount", ""),
]


@pytest.mark.parametrize("row", ENOUGH, ids=[row.name for row in ENOUGH])
def test_40_requests_or_any_number_in_less_than_an_hour_are_enough_for_a_wait(row: Enough):
    assert too_few(with_policy(row.policy)) == ""


class FewOfSeveral(NamedTuple):
    """Several policies, and the amount that is said to be too few."""

    name: str
    policies: str
    amount: str


FEW_OF_SEVERAL = [
    FewOfSeveral("one that others leave less of", "30;w=3600, 50;w=86400", "30 requests an hour"),
    FewOfSeveral("the other way round", "50;w=86400, 30;w=3600", "30 requests an hour"),
    FewOfSeveral("the smaller of two", "30;w=3600, 20;w=86400", "20 requests a day"),
    FewOfSeveral("one beside many", "30;w=86400, 9000;w=3600", "30 requests a day"),
]


@pytest.mark.parametrize("row", FEW_OF_SEVERAL, ids=[row.name for row in FEW_OF_SEVERAL])
def test_each_of_several_amounts_has_to_be_enough(row: FewOfSeveral):
    assert too_few(with_policy(row.policies)).startswith(f"{row.amount} are too few for a wait")


NO_HELP = ": to wait does not help. Ask the service's support for more."


def test_of_fewer_requests_than_the_doctor_sends_it_is_said_that_they_are_too_few_for_it():
    said = too_few(with_policy("11;w=86400"))
    assert said.endswith(f", and for this command, which sends about 10 reads{NO_HELP}")


def test_of_as_many_requests_as_the_doctor_sends_only_a_wait_is_named():
    said = too_few(with_policy("12;w=86400"))
    assert said == f"12 requests a day are {FOR_A_WAIT}{NO_HELP}"
