"""
If each read gets an error about the clock, a header such as Accept, or an Authorization header that
is missing, the verdict says what that is about, and no key is to be pasted or checked. If a 403
comes to these keys, while made-up ones get another error, it names what these keys lack: a login of
the organization, which a header demands (shown without its token), so that no new keys are to be
made; or a permission, which an administrator gives.
"""

from __future__ import annotations

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
)
from support.servers import Reply


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
        ("Account. The service replies 406", "The provider sends application/json"),
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
