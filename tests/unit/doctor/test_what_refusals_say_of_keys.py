"""
The verdict follows the words of a refusal if they say more than that the key is wrong. If they are
about the clock, a header, or credentials that did not arrive, no key is blamed. If a 401 of this
key has other words than that of another key, and they say more than "invalid", the verdict says to
do what they say; if other keys get the same words, or they say no more, it says to paste the key
again.

A key that awaits an approval, or is not active yet, is to be approved; one that is not valid yet,
as the words or a member such as valid_from say, is to be waited for; neither is to be pasted again.
If a 403 comes to these keys, and not to made-up ones, or in other words, the verdict names what
they lack: a login of the organization that a header demands (shown without its token), or a
permission.
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
    is_swapped,
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


def forbidden_to_read() -> Account:
    """A gateway that replies 403 to keys that it does not know, and to those without permission."""

    def replies(call: Call) -> Reply | None:
        if call.key == "campaign":
            return json_reply(403, {"message": "User u is not authorized to perform: coupons:List"})
        if call.key == "unknown" or is_swapped(call):
            return json_reply(403, {"message": "The security token in the request is invalid."})
        return None

    return Account(replies)


def organization_login() -> Account:
    """A service that knows the keys, and wants them to be let in by an organization's login."""
    reply = json_reply(
        403,
        {"message": "Grant this key access."},
        X_Acme_SSO="required; url=https://login.example/orgs/acme?token=0123456789",
    )
    return Account(lambda call: None if call.key == "unknown" or is_swapped(call) else reply)


REQUESTS = [
    Case(
        "a clock that is wrong",
        everywhere(json_reply(401, {"error": {"code": "skew", "message": "Clock is off."}})),
        ("Account. The service refused each of ", "Set the clock of this machine"),
        ("paste it again", "may be wrong"),
    ),
    Case(
        "a media type that is wanted",
        everywhere(json_reply(406, {"error": {"code": "no", "message": "Send Accept: a/b."}})),
        ("Account. The service replies 406", "The provider has no setting for such a header"),
        ("Do what it says",),
    ),
    Case(
        "credentials that do not arrive",
        everywhere(
            json_reply(
                401,
                {
                    "error": {
                        "code": "request-unauthenticated",
                        "message": "Authorization header is missing",
                    }
                },
            )
        ),
        (
            "Each request had an Authorization header (Basic), so something between may take it out",
            "change no key, and ask whoever runs it to pass that header on. No key was judged.",
        ),
        ("check each of them",),
    ),
]


@pytest.mark.parametrize("case", REQUESTS, ids=ids(REQUESTS))
def test_an_error_about_the_clock_or_the_headers_of_a_request_blames_no_key(case: Case):
    check(case)


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


LACKING = [
    Case(
        "a login of the organization, which the service wants for these keys only",
        organization_login,
        (
            "to each read with these keys, whatever its path: 'Grant this key access",
            "X-Acme-Sso: required; url=https://login.example/orgs/acme'",
            "Other keys get 401 request-unauthenticated, so it knows these: make no new ones.",
        ),
        ("token=",),
    ),
    Case(
        "a key that lacks a permission, while a made-up one is no key",
        forbidden_to_read,
        (
            "not authorized to perform: coupons:List",
            "Ask an administrator of the account for a key",
        ),
        ("No reply shows whether it is accepted", "--upload URL shows it"),
    ),
]


@pytest.mark.parametrize("case", LACKING, ids=ids(LACKING))
def test_a_403_that_other_keys_do_not_get_names_what_these_keys_lack(case: Case):
    check(case)
