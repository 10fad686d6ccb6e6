"""
An error says besides its message, in this order: the description of its challenge, unless it ends
with the message; permissions that the key lacks; headers that name a login or a consent (names that
end with sso or consent), without the queries of URLs; from when on a key is valid; what is wrong
with which field; and where the account is. An error alone in a challenge is no description, but a
lacking scope is one. An error with nothing but a message says nothing besides.
"""

from __future__ import annotations

import pytest

from support.doctor_errors import NOT_YET, Error, beside
from wes_provider.doctor.replies.beside import said_beside


def challenge(text: str) -> dict[str, str]:
    return {"www-authenticate": text}


EXPIRED = 'Bearer error_description="The key has expired."'


CHALLENGES = [
    Error("a description", challenge(EXPIRED), says=["The key has expired."]),
    Error("a description with the message", challenge(EXPIRED), message="The key has expired"),
    Error("a description that ends so", challenge(EXPIRED), message="has Expired."),
    Error(
        "a description that begins so",
        challenge(EXPIRED),
        message="The key.",
        says=["The key has expired."],
    ),
    Error(
        "a description with a code before", challenge('x error_description="E7: no"'), message="No"
    ),
    Error("an error alone", challenge('Bearer error="invalid_token"')),
    Error(
        "a scope",
        challenge('Bearer error="insufficient_scope", scope="a b"'),
        says=["insufficient_scope, scope a b"],
    ),
]


@pytest.mark.parametrize("row", CHALLENGES, ids=[row.name for row in CHALLENGES])
def test_the_description_in_a_challenge_is_said_unless_the_message_says_it(row: Error):
    assert beside(row) == [*row.says]


LOGINS = [
    Error(
        "a login",
        {"x-github-sso": "required; url=https://x.com/sso?a=secret b"},
        says=["X-Github-Sso: required; url=https://x.com/sso b"],
    ),
    Error("a login alone", {"sso": "yes"}, says=["Sso: yes"]),
    Error("a consent", {"consent": "a?b=c", "x-consent": ""}, says=["Consent: a", "X-Consent: "]),
    Error(
        "other headers that sound so",
        {"x-ssot": "1", "xsso": "1", "sso-x": "1", "consent-x": "1", "xconsent": "1"},
    ),
]


@pytest.mark.parametrize("row", LOGINS, ids=[row.name for row in LOGINS])
def test_a_header_that_names_a_login_is_said_without_the_queries_of_urls(row: Error):
    assert beside(row) == [*row.says]


def test_an_error_with_no_more_than_a_message_says_nothing_besides():
    assert beside(Error("nothing")) == []


def test_the_challenge_comes_first_then_permissions_logins_times_fields_and_places():
    headers = {**challenge(EXPIRED), "x-sso": "a", "x-required-scope": "s"}
    content = {"dc": 2, "errors": [{"field": "a", "message": "is odd"}], "nbf": 1}
    assert [*said_beside(403, headers, content, NOT_YET)] == [
        "The key has expired.",
        "X-Required-Scope: s",
        "X-Sso: a",
        "nbf: 1",
        "a: is odd",
        "dc: 2",
    ]
