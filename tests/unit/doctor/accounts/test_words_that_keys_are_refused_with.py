"""
If a key is refused three times with other words than another key gets, and they say more than that
it is invalid, the verdict says to do what they say. If each key gets the same words, or they say no
more, it says to paste the key again, and does not quote them. If the words say that the key awaits
an approval, or is not active yet, it is to be approved; if it is not valid yet, by the words or by
a member such as valid_from, it is to be waited for. Neither is to be pasted again then.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    Account,
    Call,
    json_reply,
)
from support.doctor_verdicts import (
    Case,
    check,
    everywhere,
    refused,
)
from support.servers import Reply


def refused_apart(own: str, others: str) -> Callable[[], Account]:
    """A service that refuses keys for coupons with the usual code, the own one in other words."""

    def replies(call: Call) -> Reply | None:
        if not call.path.startswith("/v1/"):
            return None
        message = own if call.key == "campaign" else others
        return json_reply(401, {"error": {"code": "request-unauthenticated", "message": message}})

    return lambda: Account(replies)


WORDS = [
    Case(
        "words that only this key gets, under the usual code",
        refused_apart("This is a test mode API key", "Invalid API key"),
        (
            "Refused 3 times (401 request-unauthenticated: 'This is a test mode API key'), though",
            "do what it says, since another key gets other words",
        ),
        ("paste it again",),
    ),
    Case(
        "words that each key gets, under the usual code",
        refused_apart(
            "The key has to be one of the vault's", "The key has to be one of the vault's"
        ),
        (
            "Campaign API key. Refused 3 times, though the Data API key is accepted: paste it again.",
        ),
        ("vault",),
    ),
    Case(
        "a key that is known, and that lacks an API product",
        lambda: Account(
            lambda call: (
                None
                if call.key == "data" and "coupon-list" not in call.path
                else json_reply(
                    401,
                    {
                        "fault": {
                            "faultstring": (
                                "Invalid ApiKey for given resource"
                                if call.key != "unknown"
                                else "Invalid ApiKey"
                            )
                        }
                    },
                )
            )
        ),
        (
            "Campaign API key. Refused 3 times",
            "do what it says, since another key gets other words",
        ),
        ("paste it again",),
    ),
    Case(
        "a key of another type, in the service's own words",
        refused("data", 401, "This is a key for reads; segments need one for writes."),
        ("though the Campaign API key is accepted: do what it says, since another key gets other",),
        ("paste it again",),
    ),
    Case(
        "a key that is only wrong",
        refused("data", 401, "Invalid API key."),
        ("though the Campaign API key is accepted: paste it again",),
    ),
]


@pytest.mark.parametrize("case", WORDS, ids=ids(WORDS))
def test_words_of_a_refusal_are_followed_if_only_that_key_gets_them_and_they_say_more(case: Case):
    check(case)


NOT_YET = [
    Case(
        "a key that somebody has to approve",
        refused("campaign", 401, "API key 'airflow' awaits approval by an account owner."),
        ("Not ready: Campaign API key. Refused 3 times", "have it approved or activated, as the"),
        ("paste it again",),
    ),
    Case(
        "a key that is not active yet, with a 403",
        refused("campaign", 403, "The key is not yet active."),
        ("Campaign API key. Refused 3 times", "have it approved or activated, as the service"),
        ("paste it again", "ask support"),
    ),
    Case(
        "a key of a later time",
        refused("campaign", 403, "This API key cannot be used yet."),
        ("Campaign API key. Refused 3 times", "wait until it is valid, or put in the one that is"),
        ("Ask the service's support", "paste it again"),
    ),
    Case(
        "a key of a later time, which a member of the error names",
        everywhere(
            json_reply(
                401,
                {
                    "error": {
                        "code": "early",
                        "message": "Credential used before its start.",
                        "valid_from": "2031-02-01T00:00:00Z",
                    }
                },
            )
        ),
        ("valid_from: 2031-02-01T00:00:00Z", "wait until it is valid, or put in the one that is"),
        ("paste it again",),
    ),
]


@pytest.mark.parametrize("case", NOT_YET, ids=ids(NOT_YET))
def test_a_key_that_may_not_be_used_yet_is_to_be_approved_or_waited_for(case: Case):
    check(case)
