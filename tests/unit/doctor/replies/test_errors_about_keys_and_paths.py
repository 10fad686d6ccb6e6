"""
What an error says of the key or the path.

A key is refused by a code about credentials (such as invalid_auth) in a 400 or 403, not in a 404,
and not by a message alone; by all words about them, or a 401 in the body, of a 200; and by words
that a key has expired in a 400. A refusal names a reason if its code or message says what became of
the key (expired, revoked, disabled, awaits approval, not yet valid); "invalid or expired" and a 403
about a role do not. Something is not there by the service's 404, in the status or in the body of a
200; not by a page, words about a quota, or a 410. A key is kept out by 401 or 403, also in the body
of a 200.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_replies import error_body, reply
from wes_provider.doctor.replies.probes import (
    Kind,
    Probe,
)


def coded(code: Any, message: str = "m", **more: Any) -> dict[str, Any]:
    """An error as the contract shows it, with any code, and with more members."""
    return {"error": {"code": code, "message": message, **more}}


class Words(NamedTuple):
    """A reply with an error, and what it can settle."""

    name: str
    probe: Probe
    kind: Kind


CREDENTIALS = [
    *(
        Words(f"{code}, of a 403", reply(403, error_body(code, "No.")), Kind.REFUSED)
        for code in (
            "request-unauthenticated",
            "INVALID_API_KEY",
            "apiKey",
            "UNAUTHENTICATED",
            "unauthorized",
            "unauthorised",
            "not-authorized",
            "not_authorised",
            "bad-credential",
            "authentication-failed",
            "not-authenticated",
            "invalid_auth",
            "login-required",
            "not-logged-in",
        )
    ),
    Words("a code, of a 400", reply(400, error_body("bad-api-key", "No.")), Kind.REFUSED),
    Words("a code, of a 404", reply(404, error_body("bad-api-key", "No.")), Kind.ANSWER),
    Words("a message alone, of a 403", reply(403, error_body("x", "Bad API key")), Kind.ANSWER),
    Words("a message alone, of a 200", reply(200, error_body("x", "Bad API key")), Kind.REFUSED),
    Words("a message beside a 403, of a 200", reply(200, coded(403, "api key")), Kind.ANSWER),
    Words("401 in the body, of a 200", reply(200, coded(401)), Kind.REFUSED),
    Words("401 in the body, of a 201", reply(201, coded(401)), Kind.ANSWER),
    Words(
        "a message that a key has expired, of a 400",
        reply(400, error_body("", "The key has expired")),
        Kind.REFUSED,
    ),
]


@pytest.mark.parametrize("row", CREDENTIALS, ids=[row.name for row in CREDENTIALS])
def test_an_error_about_credentials_refuses_by_the_code_of_a_400_or_403_or_by_all_of_a_200(
    row: Words,
):
    assert row.probe.kind is row.kind


class Reason(NamedTuple):
    """A reply, and whether it says what became of the key."""

    name: str
    probe: Probe
    is_named: bool


REASONS = [
    Reason("expired in a code", reply(401, error_body("key-expired", "No.")), is_named=True),
    Reason("expired in a message", reply(401, error_body("x", "Expired.")), is_named=True),
    Reason(
        "expired in a message of a 403 about a role",
        reply(403, error_body("x", "Role expired.")),
        is_named=False,
    ),
    *(
        Reason(words, reply(401, error_body("x", words)), is_named=True)
        for words in (
            "The key was revoked.",
            "The key is disabled.",
            "The key awaits approval.",
            "The key is not yet valid.",
        )
    ),
    Reason(
        "invalid or expired", reply(401, error_body("x", "Invalid or expired key.")), is_named=False
    ),
    Reason("invalid", reply(401, error_body("x", "Invalid key.")), is_named=False),
    Reason("no words", reply(401), is_named=False),
]


@pytest.mark.parametrize("row", REASONS, ids=[row.name for row in REASONS])
def test_a_refusal_of_the_key_names_a_reason_by_its_words(row: Reason):
    assert row.probe.names_a_reason is row.is_named


class NotThere(NamedTuple):
    """A reply, and whether the service says by it that what was asked for is not there."""

    name: str
    probe: Probe
    is_not_found: bool


NOT_THERE = [
    NotThere("404 with JSON", reply(404, error_body("c", "m")), is_not_found=True),
    NotThere("404 with a page", reply(404, "<html>"), is_not_found=False),
    NotThere("404 about a quota", reply(404, error_body("", "Quota exceeded")), is_not_found=False),
    NotThere("410", reply(410, error_body("c", "m")), is_not_found=False),
    NotThere("an error with 404 in a success", reply(200, coded(404)), is_not_found=True),
    NotThere("a success", reply(200, []), is_not_found=False),
]


@pytest.mark.parametrize("row", NOT_THERE, ids=[row.name for row in NOT_THERE])
def test_the_service_says_by_a_404_of_its_own_that_something_is_not_there(row: NotThere):
    assert row.probe.is_not_found is row.is_not_found


class KeptOut(NamedTuple):
    """A reply, and whether its key was refused, or may not read what was asked for."""

    name: str
    probe: Probe
    is_kept_out: bool


KEPT_OUT = [
    KeptOut("401", reply(401), is_kept_out=True),
    KeptOut("403", reply(403, error_body("c", "m")), is_kept_out=True),
    KeptOut("an error with 403 in a success", reply(200, coded(403)), is_kept_out=True),
    KeptOut("404", reply(404, error_body("c", "m")), is_kept_out=False),
    KeptOut("a success", reply(200, []), is_kept_out=False),
]


@pytest.mark.parametrize("row", KEPT_OUT, ids=[row.name for row in KEPT_OUT])
def test_a_key_is_kept_out_that_is_refused_or_may_not_read(row: KeptOut):
    assert row.probe.is_kept_out is row.is_kept_out
