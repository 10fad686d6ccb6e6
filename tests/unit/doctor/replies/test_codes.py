"""
The member by which a service says in a success how it went. Strings and whole numbers, at any depth
of objects, may be codes if their name has a word for one (code, status, error, errno, result,
outcome, state) or is rc or ret; booleans, null, floats and lists are none, and neither are names
that only look alike (codes, src).

Once such a member is known, a body is an error if its value is neither one that was fine nor one
that is fine anywhere (0000, SUCCESS), unless the body is a file (with an ``_id`` that is not
empty). Without the member, or a known one, it is none. The message is the first text beside the
code, in the same object, whose name is one for a message (msg, text, description, reason, detail,
title, info) and that is not empty, or else the first of two words or more; with 2,000 characters at
most.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from wes_provider.doctor.replies.codes import CodeMember, codes_in, error_by_code, message_beside
from wes_provider.doctor.replies.words import ErrorInBody


class Codes(NamedTuple):
    """A body, and the members that may be codes."""

    name: str
    content: Any
    codes: dict[str, str]


CODES = [
    *(
        Codes(name, {name: 7}, {name: "7"})
        for name in (
            "resultCode",
            "opStatus",
            "x_error",
            "ERRNO",
            "Result",
            "out-come",
            "state",
            "rc",
            "ret",
        )
    ),
    Codes("nested", {"header": {"a": {"code": "E-7"}}}, {"header.a.code": "E-7"}),
    Codes("nested rc", {"header": {"rc": 1}}, {"header.rc": "1"}),
    Codes("several", {"status": "OK", "code": 0}, {"status": "OK", "code": "0"}),
    Codes("an empty string", {"code": ""}, {"code": ""}),
]


@pytest.mark.parametrize("row", CODES, ids=[row.name for row in CODES])
def test_strings_and_whole_numbers_whose_names_have_a_word_for_a_code_may_be_codes(row: Codes):
    assert codes_in(row.content) == row.codes


NO_CODES = [
    Codes("a boolean", {"code": True}, {}),
    Codes("null", {"code": None}, {}),
    Codes("a float", {"code": 1.5}, {}),
    Codes("a list", {"code": [1]}, {}),
    Codes("codes", {"codes": 1}, {}),
    Codes("src", {"src": 1}, {}),
    Codes("rce", {"rce": 1}, {}),
    Codes("no object", [{"code": 1}], {}),
    Codes("a string", "code", {}),
]


@pytest.mark.parametrize("row", NO_CODES, ids=[row.name for row in NO_CODES])
def test_other_values_and_names_that_only_look_alike_are_no_codes(row: Codes):
    assert codes_in(row.content) == row.codes


MEMBER = CodeMember("header.code", frozenset({"fine", "also"}))


class Error(NamedTuple):
    """A body, and the error that it is by its code."""

    name: str
    content: Any
    error: ErrorInBody


ERRORS = [
    Error("another code", {"header": {"code": 4011}}, ErrorInBody(0, "header.code 4011")),
    Error(
        "begins like a fine one", {"header": {"code": "0001"}}, ErrorInBody(0, "header.code 0001")
    ),
    Error(
        "an empty identifier", {"_id": "", "header": {"code": 9}}, ErrorInBody(0, "header.code 9")
    ),
]


@pytest.mark.parametrize("row", ERRORS, ids=[row.name for row in ERRORS])
def test_an_error_is_told_by_a_code_that_is_not_fine(row: Error):
    assert error_by_code(row.content, MEMBER) == row.error


class NoError(NamedTuple):
    """A body that is no error by its code."""

    name: str
    content: Any


NO_ERRORS = [
    NoError("one that was fine", {"header": {"code": "also"}}),
    NoError("one that is fine anywhere", {"header": {"code": "0000"}}),
    NoError("fine in capitals", {"header": {"code": "SUCCESS"}}),
    NoError("no code", {"header": {}}),
    NoError("a code elsewhere", {"code": 4011}),
    NoError("a file", {"_id": "f", "header": {"code": 4011}}),
    NoError("no object", []),
]


@pytest.mark.parametrize("row", NO_ERRORS, ids=[row.name for row in NO_ERRORS])
def test_a_body_without_a_code_or_with_a_fine_one_is_no_error(row: NoError):
    assert error_by_code(row.content, MEMBER) is None


def test_without_a_member_that_has_codes_no_body_is_an_error():
    assert error_by_code({"header": {"code": 4011}}, None) is None


class Beside(NamedTuple):
    """A body, and the text beside its code."""

    name: str
    content: Any
    text: str


BESIDE = [
    *(
        Beside(name, {"header": {"code": 1, name: "no"}}, "no")
        for name in (
            "msg",
            "resultMessage",
            "error_text",
            "Description",
            "reason",
            "detail",
            "title",
            "info",
        )
    ),
    Beside("named before a sentence", {"header": {"a": "two words", "msg": "no"}}, "no"),
    Beside("the first named", {"header": {"msg": "one", "info": "two"}}, "one"),
    Beside("named, but empty", {"header": {"msg": "", "info": "two"}}, "two"),
    Beside("a sentence", {"header": {"x": "one", "y": "two words"}}, "two words"),
    Beside("2,000 characters", {"header": {"msg": "x" * 2000}}, "x" * 2000),
    Beside("2,001 characters", {"header": {"msg": "x" * 2001}}, "x" * 2000),
]


@pytest.mark.parametrize("row", BESIDE, ids=[row.name for row in BESIDE])
def test_the_message_is_the_first_text_beside_the_code_with_a_name_for_one_or_else_a_sentence(
    row: Beside,
):
    """It has 2,000 characters at most."""
    assert message_beside(row.content, MEMBER) == row.text


NOT_BESIDE = [
    Beside("a word with spaces around it", {"header": {"x": " one "}}, ""),
    Beside("msgs", {"header": {"msgs": "one"}}, ""),
    Beside("above", {"msg": "no", "header": {"code": 1}}, ""),
    Beside("below", {"header": {"code": 1, "a": {"msg": "no"}}}, ""),
    Beside("the code itself", {"header": {"code": "two words"}}, ""),
    Beside("a number", {"header": {"code": 1, "msg": 7}}, ""),
    Beside("no object", ["two words"], ""),
]


@pytest.mark.parametrize("row", NOT_BESIDE, ids=[row.name for row in NOT_BESIDE])
def test_a_single_word_a_number_or_what_stands_elsewhere_is_no_message(row: Beside):
    assert message_beside(row.content, MEMBER) == row.text


def test_a_code_at_the_top_has_its_message_at_the_top():
    member = CodeMember("code", frozenset())
    content = {"header": {"msg": "below"}, "code": 1, "msg": "beside"}
    assert message_beside(content, member) == "beside"
