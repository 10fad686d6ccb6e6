"""
If headers or words state so few requests (5 or 25 a day, 4 an hour) that a wait cannot do with
them, Rate limits is *Not proved*: to wait does not help, and the doctor is not to be run again if
none is left. If the limit leaves enough for the doctor, it is too small for a wait only.

Of a limit by the header RateLimit, the last remainder counts, though an earlier one was larger. If
fewer requests are left for an hour or longer than a wait takes, Rate limits is *Not proved*; else
the account is *Ready*, and the row has the headers as a whole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from support.doctor_effects import (
    Case,
    check,
    instead,
)
from support.doctor_service import (
    Account,
    Call,
    check_what_holds_of_each_report,
    error_reply,
    examined_account,
)
from support.servers import Reply


def limited(after: int, reply: Reply) -> Callable[[], Account]:
    """A service that gives one reply to all requests after so many."""
    return lambda: Account(lambda call: reply if call.number > after else None)


def with_headers(**headers: str) -> Callable[[], Account]:
    """A healthy service whose replies have headers more."""
    return instead(lambda _, reply: replace(reply, headers={**reply.headers, **headers}))


FEW_REQUESTS = [
    Case(
        "five a day, all used",
        limited(
            5, Reply(429, b"", {"RateLimit-Policy": '"t";q=5;w=86400', "RateLimit": "r=0;t=999"})
        ),
        (
            "Not proved: Rate limits. 5 requests a day are too few for a wait",
            "and for this command",
            "to wait does not help",
            'ratelimit-policy: "t";q=5;w=86400,',
        ),
        absent=("Run this again", "run this again"),
    ),
    Case(
        "twenty-five a day, nine left",
        with_headers(**{"X-RateLimit-Limit-Day": "25", "X-RateLimit-Remaining-Day": "9"}),
        (
            "Not proved: Rate limits. 25 requests a day are too few for a wait",
            "to wait does not help",
        ),
        absent=("and for this command",),
    ),
    Case(
        "four an hour, all used",
        limited(
            4,
            error_reply(429, "plan", "Free plan: 4 API calls per hour.", **{"Retry-After": "3300"}),
        ),
        (
            "Not proved: Rate limits. 4 requests an hour are too few for a wait",
            "to wait does not help",
        ),
        absent=("Run this again", "run this again"),
    ),
]


@pytest.mark.parametrize("case", FEW_REQUESTS, ids=[case.name for case in FEW_REQUESTS])
def test_a_limit_of_too_few_requests_for_a_wait_is_not_to_be_waited_for(case: Case):
    check(case)


def counting_down(first: int) -> Callable[[], Account]:
    """A healthy service that allows 100 requests a day, of which each reply leaves one less."""

    def with_what_is_left(call: Call, reply: Reply) -> Reply:
        left = {"RateLimit-Policy": '"day";q=100;w=86400'}
        left["RateLimit"] = f'"day";r={first - call.number};t=30000'
        return replace(reply, headers={**reply.headers, **left})

    return instead(with_what_is_left)


def test_the_last_remainder_of_requests_is_judged_and_quoted():
    check(
        Case(
            "8 left after 10 reads",
            counting_down(18),
            (
                "Not proved: Rate limits. 8 requests are left for about 8 hours",
                'ratelimit: "day";r=8;t=30000), too few for a wait',
                "Run tasks after that",
            ),
            absent=("r=17",),
        )
    )


def test_a_remainder_that_suffices_is_quoted_as_a_whole_in_a_ready_account():
    report = examined_account(counting_down(90)())
    check_what_holds_of_each_report(report)
    assert report.works
    row = " ".join(line.plain.strip() for line in report.lines())
    assert (
        "In another form than the contract's (ratelimit-policy: "
        '"day";q=100;w=86400, ratelimit: "day";r=80;t=30000): the provider keeps to the documented '
        "ones." in row
    )
