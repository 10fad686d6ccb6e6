"""
What is read of an error: whether a reply is one, its status, its code, its message, and whether its
words lose the reply or refuse the key.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_replies import error, reply
from wes_provider.doctor.codes import CodeMember
from wes_provider.doctor.probes import (
    Kind,
    Probe,
)


def coded(code: Any, message: str = "m", **more: Any) -> dict[str, Any]:
    """An error as the contract shows it, with any code, and with more members."""
    return {"error": {"code": code, "message": message, **more}}


class Success(NamedTuple):
    """A reply, and whether it is a success."""

    name: str
    probe: Probe
    is_success: bool


RC = CodeMember("rc", frozenset("0"))
SUCCESS = [
    Success("199", reply(199, []), is_success=False),
    Success("200", reply(200, []), is_success=True),
    Success("299", reply(299, []), is_success=True),
    Success("300", reply(300, []), is_success=False),
    Success("200 with an error", reply(200, error("c", "m")), is_success=False),
    Success("200 with an XML error", reply(200, "<error><code>c</code></error>"), is_success=False),
    Success("200 with a header about an error", reply(200, [], {"x-error": "b"}), is_success=True),
    Success("200 with a member that is no known code", reply(200, {"rc": "7"}), is_success=True),
    Success(
        "200 with a known code of an error", reply(200, {"rc": "7"}, codes=RC), is_success=False
    ),
    Success("200 with a known code of none", reply(200, {"rc": "0"}, codes=RC), is_success=True),
]


@pytest.mark.parametrize("row", SUCCESS, ids=[row.name for row in SUCCESS])
def test_a_2xx_whose_body_is_no_error_is_a_success(row: Success):
    assert row.probe.success is row.is_success


class ErrorStatus(NamedTuple):
    """A reply, and the status of its error; 0 for none, or for one that is unknown."""

    name: str
    probe: Probe
    status: int


ERROR_STATUSES = [
    ErrorStatus("399", reply(399, []), 0),
    ErrorStatus("400", reply(400, []), 400),
    ErrorStatus("400 with a body that says 422", reply(400, coded(422)), 400),
    ErrorStatus("400 with words for not found", reply(400, error("c", "Not found")), 400),
    ErrorStatus("200 without an error", reply(200, []), 0),
    ErrorStatus("200 with an error without a status", reply(200, error("c", "m")), 0),
    ErrorStatus("200 with a body that says 403", reply(200, coded(403)), 403),
    ErrorStatus("200 with words for not found", reply(200, error("c", "Not found")), 404),
    ErrorStatus(
        "200 with a body that says 403, and words for not found",
        reply(200, coded(403, "Not found")),
        403,
    ),
]


@pytest.mark.parametrize("row", ERROR_STATUSES, ids=[row.name for row in ERROR_STATUSES])
def test_the_status_of_an_error_is_that_of_the_response_or_in_the_body_of_a_2xx(row: ErrorStatus):
    assert row.probe.error_status == row.status


class Code(NamedTuple):
    """A reply, and the code of its error."""

    name: str
    probe: Probe
    code: str


CODES = [
    Code("a word", reply(400, coded("c")), "c"),
    Code("a word in a 200", reply(200, coded("c")), "c"),
    Code("a number that is no status of an error", reply(400, coded(17)), "17"),
    Code("the number of the response's status", reply(400, coded(400)), ""),
    Code(
        "the number of another status, which is taken for the error's", reply(400, coded(422)), ""
    ),
    Code("the number of a status in a 200", reply(200, coded(403)), ""),
    Code(
        "the number of the status, beside a word",
        reply(400, coded(400, status="BAD_ONE")),
        "BAD_ONE",
    ),
    Code(
        "an errorcode in a fault",
        reply(400, {"fault": {"faultstring": "m", "detail": {"errorcode": "c"}}}),
        "c",
    ),
    Code("an element of XML", reply(400, "<error><code>c</code></error>"), "c"),
    Code("a known member of a 200", reply(200, {"rc": "7"}, codes=RC), "7"),
    Code(
        "a known member of a 400, where it is none",
        reply(400, {"rc": "7", "error": "m"}, codes=RC),
        "",
    ),
]


@pytest.mark.parametrize("row", CODES, ids=[row.name for row in CODES])
def test_the_code_of_an_error_is_its_word_or_a_number_that_is_no_status(row: Code):
    assert row.probe.code == row.code


class Message(NamedTuple):
    """A reply, and the message of its error."""

    name: str
    probe: Probe
    message: str


PROBLEM = {"type": "about:blank", "title": "No", "detail": "Never.", "status": 400}
SCOPE = {"x-required-scope": "a"}
MESSAGES = [
    Message("an error", reply(400, error("c", "m")), "m"),
    Message("an error in a 200", reply(200, error("c", "m")), "m"),
    Message("title and detail of problem details", reply(400, PROBLEM), "No: Never"),
    Message("a faultstring", reply(400, {"fault": {"faultstring": "m"}}), "m"),
    Message(
        "a page's title, whatever a header says",
        reply(400, "<title>A</title>", {"x-error": "b"}),
        "A",
    ),
    Message("an element of XML", reply(400, "<error><message>m</message></error>"), "m"),
    Message("text", reply(400, "m"), "m"),
    Message("binary", reply(400, b"\x00\x01"), ""),
    Message("what stands beside a known code", reply(200, {"rc": "7", "info": "m"}, codes=RC), "m"),
    Message("a header, without a body", reply(400, b"", {"x-error": "b"}), "b"),
    Message("a header, with an empty object", reply(400, {}, {"x-error": "b"}), "b"),
    Message("a header, with an empty array", reply(400, [], {"x-error": "b"}), "b"),
    Message(
        "a message, whatever a header says", reply(400, error("c", "m"), {"x-error": "b"}), "m"
    ),
    Message("a header of a success", reply(200, [], {"x-error": "b"}), ""),
    Message(
        "a scope behind a message", reply(403, error("c", "m."), SCOPE), "m; X-Required-Scope: a"
    ),
    Message("a scope alone", reply(403, b"", SCOPE), "X-Required-Scope: a"),
    Message(
        "of a 404, a scope and that the key has none",
        reply(404, error("c", "m"), {"x-accepted-oauth-scopes": "a", "x-oauth-scopes": ""}),
        "m; X-Accepted-OAuth-Scopes: a; X-OAuth-Scopes: none",
    ),
]


@pytest.mark.parametrize("row", MESSAGES, ids=[row.name for row in MESSAGES])
def test_the_message_of_an_error_is_in_its_body_or_else_in_a_header(row: Message):
    assert row.probe.message == row.message


def without_key(text: str) -> str:
    """Take the secret key out of a text."""
    return text.replace("key", "***")


class Secret(NamedTuple):
    """An error with the secret key in it, and its code and its message without."""

    name: str
    probe: Probe
    code: str
    message: str


SECRETS = [
    Secret(
        "in the form of the contract",
        reply(400, error("key", "a key"), clean=without_key),
        "***",
        "a ***",
    ),
    Secret(
        "by a code of the service's own",
        reply(200, {"rc": "key-7", "message": "a key"}, codes=RC, clean=without_key),
        "***-7",
        "a ***",
    ),
    Secret(
        "in XML",
        reply(400, "<error><code>key</code><message>a key</message></error>", clean=without_key),
        "***",
        "a ***",
    ),
    Secret(
        "in the title of a page",
        reply(400, "<html><title>a key</title>", clean=without_key),
        "",
        "a ***",
    ),
    Secret("in a header", reply(400, b"", {"x-error": "a key"}, clean=without_key), "", "a ***"),
]


@pytest.mark.parametrize("row", SECRETS, ids=[row.name for row in SECRETS])
def test_code_and_message_of_an_error_have_no_secrets(row: Secret):
    assert (row.probe.code, row.probe.message) == (row.code, row.message)


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


class Documented(NamedTuple):
    """A reply, and whether it is an error as the contract shows it."""

    name: str
    probe: Probe
    is_documented: bool


DOCUMENTED = [
    Documented("an error", reply(400, error("c", "m")), is_documented=True),
    Documented("empty strings", reply(400, error("", "")), is_documented=True),
    Documented("an error in a 399", reply(399, error("c", "m")), is_documented=False),
    Documented("a string for an error", reply(400, {"error": "c"}), is_documented=False),
    Documented("an error in an array", reply(400, [error("c", "m")]), is_documented=False),
    Documented("a number for a code", reply(400, coded(1)), is_documented=False),
    Documented("no message", reply(400, {"error": {"code": "c"}}), is_documented=False),
    Documented("no code", reply(400, {"error": {"message": "m"}}), is_documented=False),
]


@pytest.mark.parametrize("row", DOCUMENTED, ids=[row.name for row in DOCUMENTED])
def test_an_error_with_two_strings_for_code_and_message_is_as_the_contract_shows_it(
    row: Documented,
):
    assert row.probe.is_documented_error is row.is_documented


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
