"""
What is read of an error. A reply is a success if its status is 2xx, and its body is no error, in
JSON or XML, and by no code that is known to mean one.

The status of an error is that of the response from 400 on; of a 2xx, it is that in the body, or
else that which the words name, or 0. The code is the word in the body or a number that is no status
of an error. The message is in the body, in the forms of JSON, problem details, faults, XML, text or
the title of a page, or else in a header, if the body is empty; a header of a scope stands behind
it. Neither has secrets. An error is as the contract shows it if its status is 400 or above, and it
has an object ``error`` with two strings, ``code`` and ``message``, which may be empty.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_replies import error_body, reply
from wes_provider.doctor.replies.codes import CodeMember
from wes_provider.doctor.replies.probes import (
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
    Success("200 with an error", reply(200, error_body("c", "m")), is_success=False),
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
    ErrorStatus("400 with words for not found", reply(400, error_body("c", "Not found")), 400),
    ErrorStatus("200 without an error", reply(200, []), 0),
    ErrorStatus("200 with an error without a status", reply(200, error_body("c", "m")), 0),
    ErrorStatus("200 with a body that says 403", reply(200, coded(403)), 403),
    ErrorStatus("200 with words for not found", reply(200, error_body("c", "Not found")), 404),
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
    Message("an error", reply(400, error_body("c", "m")), "m"),
    Message("an error in a 200", reply(200, error_body("c", "m")), "m"),
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
        "a message, whatever a header says", reply(400, error_body("c", "m"), {"x-error": "b"}), "m"
    ),
    Message("a header of a success", reply(200, [], {"x-error": "b"}), ""),
    Message(
        "a scope behind a message",
        reply(403, error_body("c", "m."), SCOPE),
        "m; X-Required-Scope: a",
    ),
    Message("a scope alone", reply(403, b"", SCOPE), "X-Required-Scope: a"),
    Message(
        "of a 404, a scope and that the key has none",
        reply(404, error_body("c", "m"), {"x-accepted-oauth-scopes": "a", "x-oauth-scopes": ""}),
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
        reply(400, error_body("key", "a key"), clean=without_key),
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


class Documented(NamedTuple):
    """A reply, and whether it is an error as the contract shows it."""

    name: str
    probe: Probe
    is_documented: bool


DOCUMENTED = [
    Documented("an error", reply(400, error_body("c", "m")), is_documented=True),
    Documented("empty strings", reply(400, error_body("", "")), is_documented=True),
    Documented("an error in a 399", reply(399, error_body("c", "m")), is_documented=False),
    Documented("a string for an error", reply(400, {"error": "c"}), is_documented=False),
    Documented("an error in an array", reply(400, [error_body("c", "m")]), is_documented=False),
    Documented("a number for a code", reply(400, coded(1)), is_documented=False),
    Documented("no message", reply(400, {"error": {"code": "c"}}), is_documented=False),
    Documented("no code", reply(400, {"error": {"message": "m"}}), is_documented=False),
]


@pytest.mark.parametrize("row", DOCUMENTED, ids=[row.name for row in DOCUMENTED])
def test_an_error_with_two_strings_for_code_and_message_is_as_the_contract_shows_it(
    row: Documented,
):
    assert row.probe.is_documented_error is row.is_documented
