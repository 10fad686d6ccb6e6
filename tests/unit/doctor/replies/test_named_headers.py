"""
The message of an error names headers: with the word header in it, all words with a hyphen, and a
capitalised word after "header"; without it, only words that begin with x-. Those of hashes and
character sets (SHA-256, UTF-8) are none, and a gateway of AWS that wants its own signature names
none. Three at most are named,
each once; not those that the request had in this spelling, Authorization, nor those that the reply
has. A 4xx names them, also a 401; a reply about the moment, such as 503, and a page do not. An
error names a given header if its message has it, in any case; a success does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_replies import error_body, reply
from wes_provider.doctor.replies.probes import (
    Probe,
    named_headers,
    names_header,
)


class NamedHeaders(NamedTuple):
    """The message of a 400, and the headers that it names."""

    message: str
    names: list[str]


def ids_of(rows: Sequence[NamedHeaders]) -> list[str]:
    return [row.message for row in rows]


def named_in(message: str) -> list[str]:
    """
    The headers that the message of a 400 names, whose reply has the header ``x-own``, and whose
    request had ``Accept-Encoding`` and ``Authorization``.
    """
    return named_headers(reply(400, error_body("", message), {"x-own": "1"}))


WITH_WORD = [
    NamedHeaders("Header X-Tenant is required", ["X-Tenant"]),
    NamedHeaders("HEADER is missing: My-Tenant", ["My-Tenant"]),
    NamedHeaders("Header A-B, C-D", ["A-B", "C-D"]),
    NamedHeaders("missing header: Workspace", ["Workspace"]),
    NamedHeaders("header 'Tenant", ["Tenant"]),
    NamedHeaders("header A is wrong", []),
    NamedHeaders("header tenant is wrong", []),
    NamedHeaders("a wrong Tenant header", []),
    NamedHeaders("Header X-Tenant is no UTF-8, or not hashed with SHA-256", ["X-Tenant"]),
    NamedHeaders("Authorization header requires 'Credential', and the header 'X-Amz-Date'", []),
]


@pytest.mark.parametrize("row", WITH_WORD, ids=ids_of(WITH_WORD))
def test_a_message_with_the_word_header_names_words_with_a_hyphen_and_the_capitalised_one_after_it(
    row: NamedHeaders,
):
    assert named_in(row.message) == row.names


WITHOUT_WORD = [
    NamedHeaders("Missing X-Tenant.", ["X-Tenant"]),
    NamedHeaders("x-b", ["x-b"]),
    NamedHeaders("X-B and A-C", ["X-B"]),
    NamedHeaders("The workspace is not well-known", []),
    NamedHeaders("", []),
]


@pytest.mark.parametrize("row", WITHOUT_WORD, ids=ids_of(WITHOUT_WORD))
def test_a_message_without_the_word_header_names_only_words_that_begin_with_x(row: NamedHeaders):
    assert named_in(row.message) == row.names


LEFT_OUT = [
    NamedHeaders("Header Accept-Encoding", []),
    NamedHeaders("header accept-encoding", ["accept-encoding"]),
    NamedHeaders("Header Authorization", []),
    NamedHeaders("Header X-Own", []),
    NamedHeaders("X-B, X-B", ["X-B"]),
    NamedHeaders("Header A-B, header C-D, X-E, X-F", ["A-B", "C-D", "X-E"]),
]


@pytest.mark.parametrize("row", LEFT_OUT, ids=ids_of(LEFT_OUT))
def test_three_headers_at_most_are_named_and_none_sent_in_this_spelling_or_of_the_reply(
    row: NamedHeaders,
):
    assert named_in(row.message) == row.names


def test_a_refusal_names_headers_as_other_errors_do():
    assert named_headers(reply(401, error_body("", "X-B"))) == ["X-B"]


def test_a_reply_about_the_moment_names_no_header():
    assert named_headers(reply(503, error_body("", "X-B"))) == []


def test_a_page_names_no_header():
    assert named_headers(reply(400, "<title>X-B</title>")) == []


class NamedHeader(NamedTuple):
    """A reply, a header, and whether the reply names it."""

    name: str
    probe: Probe
    header: str
    is_named: bool


NAMED_HEADER = [
    NamedHeader("in other case", reply(400, error_body("", "Bad x-b.")), "X-B", is_named=True),
    NamedHeader("another one", reply(400, error_body("", "Bad x-b.")), "X-C", is_named=False),
    NamedHeader("an empty name, of an error without a message", reply(400), "", is_named=True),
    NamedHeader("an empty name, of a success", reply(200, []), "", is_named=False),
]


@pytest.mark.parametrize("row", NAMED_HEADER, ids=[row.name for row in NAMED_HEADER])
def test_the_message_of_an_error_names_a_header_that_it_has_in_any_case(row: NamedHeader):
    assert names_header(row.probe, row.header) is row.is_named
