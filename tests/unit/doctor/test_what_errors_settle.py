"""
What the words and the status of a reply settle. It is lost, by its status, with 0, 408, 425, 429,
499 and from 500 on. It is lost, by its words, if they are about a quota, a maintenance or this
machine, with another status, such as 403, 401 or 200; not on a page, in a 407 of a proxy, or about
a scope. A limit refused it if it is a 429, or if it is lost and its words, not on a page, are about
a quota or a spike.

A key is refused by a code about credentials in a 400 or 403, by all words or a 401 in the body of a
200, and by words that a key has expired in a 400. A refusal names a reason if its code or message
says what became of the key; "invalid or expired" and a 403 about a role do not. Something is not
there by the service's 404, in the status or a body; not by a page, a quota or a 410. A key is kept
out by 401 or 403, also in a body.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_replies import error, reply
from wes_provider.doctor.probes import (
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


QUOTA = error("", "Quota exceeded")
ABOUT_MOMENT = [
    Words("a quota, of a 403", reply(403, QUOTA), Kind.NOT_NOW),
    Words("a quota, of a 200", reply(200, QUOTA), Kind.NOT_NOW),
    Words("a maintenance, of a 403", reply(403, error("", "Maintenance")), Kind.NOT_NOW),
    Words("a machine, of a 403", reply(403, error("", "IP not allowed")), Kind.KEPT_OUT),
    Words("a machine, of a 401", reply(401, error("", "IP not allowed")), Kind.KEPT_OUT),
]


@pytest.mark.parametrize("row", ABOUT_MOMENT, ids=[row.name for row in ABOUT_MOMENT])
def test_a_reply_whose_words_are_about_the_moment_or_the_machine_is_lost_by_its_words(row: Words):
    assert row.probe.kind is row.kind
    assert row.probe.is_lost
    assert row.probe.is_lost_by_words


WORDS_WITHOUT_EFFECT = [
    Words("a quota on a page", reply(403, "<title>Quota exceeded</title>"), Kind.NOT_SERVICE),
    Words("a quota of a proxy's 407", reply(407, QUOTA), Kind.NOT_SERVICE),
    Words("a scope", reply(403, error("", "The scope is missing")), Kind.ANSWER),
]


@pytest.mark.parametrize(
    "row", WORDS_WITHOUT_EFFECT, ids=[row.name for row in WORDS_WITHOUT_EFFECT]
)
def test_words_on_a_page_of_a_proxy_or_about_something_else_lose_no_reply(row: Words):
    assert row.probe.kind is row.kind
    assert not row.probe.is_lost
    assert not row.probe.is_lost_by_words


@pytest.mark.parametrize("status", [0, 408, 425, 429, 499, 500, 599])
def test_a_reply_whose_status_is_about_the_moment_is_lost_but_not_by_its_words(status: int):
    assert reply(status).is_lost
    assert not reply(status).is_lost_by_words


def test_a_quota_in_a_503_is_lost_by_its_status():
    assert reply(503, QUOTA).is_lost
    assert not reply(503, QUOTA).is_lost_by_words


class Limit(NamedTuple):
    """A reply, and whether a limit refused it."""

    name: str
    probe: Probe
    is_limit: bool


LIMITS = [
    Limit("429", reply(429), is_limit=True),
    Limit("a quota, of a 403", reply(403, QUOTA), is_limit=True),
    Limit("a quota, of a 200", reply(200, QUOTA), is_limit=True),
    Limit("a quota, of a 503", reply(503, QUOTA), is_limit=True),
    Limit(
        "a spike arrest, of a 500", reply(500, error("", "Spike arrest violation")), is_limit=True
    ),
    Limit(
        "a quota on a page, of a 503", reply(503, "<title>Quota exceeded</title>"), is_limit=False
    ),
    Limit("a quota of a proxy's 407", reply(407, QUOTA), is_limit=False),
    Limit("a maintenance, of a 403", reply(403, error("", "Maintenance")), is_limit=False),
    Limit("500", reply(500), is_limit=False),
]


@pytest.mark.parametrize("row", LIMITS, ids=[row.name for row in LIMITS])
def test_a_429_is_a_limit_and_so_are_words_of_a_limit_that_are_not_on_a_page(row: Limit):
    assert row.probe.is_limit is row.is_limit


CREDENTIALS = [
    *(
        Words(f"{code}, of a 403", reply(403, error(code, "No.")), Kind.REFUSED)
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
    Words("a code, of a 400", reply(400, error("bad-api-key", "No.")), Kind.REFUSED),
    Words("a code, of a 404", reply(404, error("bad-api-key", "No.")), Kind.ANSWER),
    Words("a message alone, of a 403", reply(403, error("x", "Bad API key")), Kind.ANSWER),
    Words("a message alone, of a 200", reply(200, error("x", "Bad API key")), Kind.REFUSED),
    Words("a message beside a 403, of a 200", reply(200, coded(403, "api key")), Kind.ANSWER),
    Words("401 in the body, of a 200", reply(200, coded(401)), Kind.REFUSED),
    Words("401 in the body, of a 201", reply(201, coded(401)), Kind.ANSWER),
    Words(
        "a message that a key has expired, of a 400",
        reply(400, error("", "The key has expired")),
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
    Reason("expired in a code", reply(401, error("key-expired", "No.")), is_named=True),
    Reason("expired in a message", reply(401, error("x", "Expired.")), is_named=True),
    Reason(
        "expired in a message of a 403 about a role",
        reply(403, error("x", "Role expired.")),
        is_named=False,
    ),
    *(
        Reason(words, reply(401, error("x", words)), is_named=True)
        for words in (
            "The key was revoked.",
            "The key is disabled.",
            "The key awaits approval.",
            "The key is not yet valid.",
        )
    ),
    Reason("invalid or expired", reply(401, error("x", "Invalid or expired key.")), is_named=False),
    Reason("invalid", reply(401, error("x", "Invalid key.")), is_named=False),
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
    NotThere("404 with JSON", reply(404, error("c", "m")), is_not_found=True),
    NotThere("404 with a page", reply(404, "<html>"), is_not_found=False),
    NotThere("404 about a quota", reply(404, error("", "Quota exceeded")), is_not_found=False),
    NotThere("410", reply(410, error("c", "m")), is_not_found=False),
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
    KeptOut("403", reply(403, error("c", "m")), is_kept_out=True),
    KeptOut("an error with 403 in a success", reply(200, coded(403)), is_kept_out=True),
    KeptOut("404", reply(404, error("c", "m")), is_kept_out=False),
    KeptOut("a success", reply(200, []), is_kept_out=False),
]


@pytest.mark.parametrize("row", KEPT_OUT, ids=[row.name for row in KEPT_OUT])
def test_a_key_is_kept_out_that_is_refused_or_may_not_read(row: KeptOut):
    assert row.probe.is_kept_out is row.is_kept_out
