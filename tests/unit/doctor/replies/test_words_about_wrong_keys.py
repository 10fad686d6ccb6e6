"""
Too many wrong keys.

Words say that wrong credentials came too often if they name *too many* failed or wrong logins,
passwords, attempts or the like, or a limit of such ones; words about too many requests say nothing
of keys. A made-up key that gets such words is refused, whatever the status, and no limit refused
it. An own key that gets them is locked for a time, so its reply is lost, and a limit.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_findings import listed, made_up
from support.doctor_replies import error_body
from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies
from wes_provider.doctor.replies.probes import Kind

TOO_MANY = "Too many failed logins with this user name. Try again in 15 minutes."
WRONG_KEYS = [
    Tells(
        True,
        [
            TOO_MANY,
            "TOO_MANY_FAILED_LOGINS",
            "too-many-login-attempts",
            "Too many invalid API keys",
            "Too many unauthorized requests",
            "too many wrong passwords",
            "Too many authentication failures",
            "Failed login limit exceeded",
            "Invalid key attempts: wait",
        ],
    ),
    Tells(
        False,
        [
            "",
            "Too many requests",
            "Too many requests with this key",
            "Too many requests. Your login is fine",
            "Rate limit exceeded",
            "Invalid key",
            "Login failed",
            "Quota of logins used up",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(WRONG_KEYS))
def test_words_about_too_many_wrong_keys_are_told_from_those_about_requests(
    text: str, expected: Any
):
    assert remedies.is_about_wrong_keys(text) == expected


@pytest.mark.parametrize("status", [400, 403, 429, 503])
def test_a_made_up_key_is_refused_if_too_many_wrong_ones_came(status: int):
    probe = made_up(status, error_body("locked", TOO_MANY))
    assert probe.kind is Kind.REFUSED
    assert not probe.is_lost
    assert not probe.is_limit


def test_a_made_up_key_that_gets_another_429_is_not_judged():
    probe = made_up(429, error_body("", "Too many requests"))
    assert probe.kind is Kind.NOT_NOW
    assert probe.is_limit


def test_an_own_key_with_the_same_words_is_not_judged_either():
    probe = listed(429, error_body("locked", TOO_MANY))
    assert probe.kind is Kind.NOT_NOW
    assert probe.is_limit
