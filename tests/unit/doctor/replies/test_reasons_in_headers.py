"""
A challenge (WWW-Authenticate) demands its first scheme, with the header that it names, if any; none
if it offers Basic as a scheme, in any case, or says that a scope is insufficient. The reason in
headers is that of the challenge, else of x-error-message, else of x-error; empty ones do not count.
That of a challenge is its error_description, else its error, in quotes, with a scope if there is
one; a realm is none. Beside a message, only a description, or an error that is about a lacking
scope, describes a reason. A reason has 2000 characters at most.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from wes_provider.doctor.replies.words import (
    LONGEST,
    description_in,
    other_scheme,
    reason_in_headers,
)


class Challenge(NamedTuple):
    """A challenge, and the scheme that it demands; empty if Basic will do."""

    challenge: str
    scheme: str


CHALLENGES = [
    Challenge("Bearer", "Bearer"),
    Challenge('Negotiate, NTLM realm="x"', "Negotiate"),
    Challenge('ApimKey realm="a",name="Apim-Key"', "ApimKey in the header Apim-Key"),
    Challenge('Basic realm="wes"', ""),
    Challenge('Bearer realm="wes", Basic realm="wes"', ""),
    Challenge('Bearer error="invalid_token"', "Bearer"),
    Challenge('Bearer error_description="Basic is not supported"', "Bearer"),
    Challenge('Bearer error="insufficient_scope", scope="a"', ""),
    Challenge("", ""),
]


@pytest.mark.parametrize("row", CHALLENGES, ids=[row.challenge for row in CHALLENGES])
def test_another_scheme_than_basic_is_read(row: Challenge):
    assert other_scheme({"www-authenticate": row.challenge}) == row.scheme


class Reason(NamedTuple):
    """Headers, and the reason in them."""

    name: str
    headers: dict[str, str]
    reason: str


REASONS = [
    Reason(
        "a challenge with a description",
        {"www-authenticate": 'Bearer error="e", error_description="It expired."'},
        "It expired.",
    ),
    Reason(
        "a challenge with an error",
        {"www-authenticate": 'Bearer error="invalid_token"'},
        "invalid_token",
    ),
    Reason(
        "a challenge with a scope",
        {"www-authenticate": 'Bearer error="insufficient_scope", scope="a b"'},
        "insufficient_scope, scope a b",
    ),
    Reason("a challenge with a realm", {"www-authenticate": 'Basic realm="API"'}, ""),
    Reason("a header of its own", {"x-error": "Revoked"}, "Revoked"),
    Reason("a message", {"x-error-message": " Revoked. "}, "Revoked."),
    Reason("no header", {}, ""),
]


@pytest.mark.parametrize("row", REASONS, ids=[row.name for row in REASONS])
def test_the_reason_in_headers_is_read(row: Reason):
    assert reason_in_headers(row.headers) == row.reason


class Challenged(NamedTuple):
    """A challenge, the reason in it, and the description that stands beside a message."""

    challenge: str
    reason: str
    description: str
    scheme: str


CHALLENGED = [
    Challenged('Bearer ERROR = "x"', "x", "", "Bearer"),
    Challenged('Bearer error="x", error_description="d"', "d", "d", "Bearer"),
    Challenged('Bearer error_description = "d", scope = "s"', "d, scope s", "d, scope s", "Bearer"),
    Challenged('Bearer error="insufficient_x"', "insufficient_x", "insufficient_x", ""),
    Challenged("Bearer error=insufficient_x", "", "", ""),
    Challenged('Bearer my_error="insufficient"', "", "", "Bearer"),
    Challenged('Bearer scope="s"', "", "", "Bearer"),
    Challenged("BASIC", "", "", ""),
    Challenged("Basics", "", "", "Basics"),
    Challenged('Key,name="X-Key",name="Y"', "", "", "Key in the header X-Key"),
    Challenged('Key surname="X"', "", "", "Key"),
    Challenged("  ", "", "", ""),
]


@pytest.mark.parametrize("row", CHALLENGED, ids=[row.challenge for row in CHALLENGED])
def test_the_reason_in_a_challenge_is_its_description_or_error_with_the_scope(row: Challenged):
    assert reason_in_headers({"www-authenticate": row.challenge}) == row.reason


@pytest.mark.parametrize("row", CHALLENGED, ids=[row.challenge for row in CHALLENGED])
def test_a_challenge_describes_a_reason_in_words_or_a_scope_that_is_lacked(row: Challenged):
    assert description_in({"www-authenticate": row.challenge}) == row.description


@pytest.mark.parametrize("row", CHALLENGED, ids=[row.challenge for row in CHALLENGED])
def test_a_challenge_demands_its_first_scheme_unless_it_offers_basic_or_names_a_scope(
    row: Challenged,
):
    assert other_scheme({"www-authenticate": row.challenge}) == row.scheme


class First(NamedTuple):
    """Headers with several reasons, and the one that counts."""

    name: str
    headers: dict[str, str]
    reason: str


FIRST = [
    First("an empty message", {"x-error": "b", "x-error-message": " "}, "b"),
    First("a message", {"x-error": "b", "x-error-message": " a "}, "a"),
    First("a challenge", {"www-authenticate": 'B error="c"', "x-error": "b"}, "c"),
]


@pytest.mark.parametrize("row", FIRST, ids=[row.name for row in FIRST])
def test_a_challenge_counts_before_a_message_and_that_before_an_error(row: First):
    assert reason_in_headers(row.headers) == row.reason


@pytest.mark.parametrize(
    "headers",
    [
        {"x-error": "m" * (LONGEST + 1)},
        {"www-authenticate": f'B error="{"m" * (LONGEST + 1)}"'},
    ],
    ids=["a header of its own", "a challenge"],
)
def test_a_reason_in_headers_has_2000_characters_at_most(headers: dict[str, str]):
    assert reason_in_headers(headers) == "m" * 2000
