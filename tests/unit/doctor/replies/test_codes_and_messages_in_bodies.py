"""
How the code and the message of an error are read from its body.

A code in words (four capitals or more, or words with - or _ between) is that of the inner error, or
else of the first of its errors, or else of the body, under status first, then reason, error,
errorCode, key or type. A gateway's fault has its own code before that of its detail, and all
different messages, joined. The first leaves of XML that are called so give code and message
(message before faultstring, error and text); a web page, broken XML, and text before it have none.
A code that is a URI (about:, http:, https:, urn:) is the type of problem details, whose title and
detail are joined unless they are the same. A message has 2,000 characters at most.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies.words import (
    LONGEST,
    fault_in,
    foreign_error_in,
    is_problem_type,
    problem_of,
    word_code_in,
    xml_error,
)


class Xml(NamedTuple):
    """A body in XML, and the code and the message of the error that it is."""

    name: str
    text: str
    error: tuple[str, str] | None


XML = [
    Xml(
        "error with code and message",
        "<Error><Code>AccessDenied</Code><Message>No.</Message></Error>",
        ("AccessDenied", "No."),
    ),
    Xml(
        "fault of a namespace, with an entity",
        "<?xml version='1.0'?><e:fault><e:reason>Bad &amp; old</e:reason></e:fault>",
        ("", "Bad & old"),
    ),
    Xml("error without elements", "<error>No.</error>", ("", "No.")),
    Xml("files", "<files><file><id>1</id></file></files>", None),
    Xml("a page as XML", "<html><code>1</code></html>", None),
    Xml("a page", "<!DOCTYPE html><title>No</title>", None),
    Xml("JSON", "{}", None),
]


@pytest.mark.parametrize("row", XML, ids=[row.name for row in XML])
def test_xml_with_a_code_or_a_message_is_an_error_unless_it_is_a_page(row: Xml):
    assert xml_error(row.text) == row.error


WORD_CODES = [
    Tells(
        "ABCD",
        [
            *(
                {name: "ABCD"}
                for name in ("status", "reason", "error", "error_code", "key", "type")
            ),
            *(
                {"error": {"status": "ABCD"}, "status": "TOPX"},
                {"errors": [{"reason": "ABCD"}, {"status": "TOPX"}]},
            ),
            *(
                {"error": {"reason": "ABCD"}, "errors": [{"status": "TOPX"}]},
                {"type": "TOPX", "status": "ABCD"},
            ),
        ],
    ),
    Tells("ab-Cd_e", [{"status": "ab-Cd_e"}]),
    Tells(
        "",
        [
            {},
            [],
            None,
            {"status": "ABC"},
            {"status": "Abcd"},
            {"status": "ABCD 1"},
            {"code": "ABCD"},
            {"status": "a-1"},
            {"status": 404},
        ],
    ),
]


@pytest.mark.parametrize(("value", "expected"), each_of(WORD_CODES))
def test_the_code_in_words_is_that_of_an_inner_error_or_else_of_the_body(value: Any, expected: Any):
    assert word_code_in(value) == expected


FAULTS = [
    Tells(None, [{}, [], None, {"fault": "x"}, {"error": {"faultstring": "x"}}]),
    Tells(
        ("c", "m"),
        [
            {"fault": {"faultstring": "m", "detail": {"errorcode": "c"}}},
            {"Fault": {"faultString": "m", "faultcode": "c"}},
            {"fault": {"message": "m", "code": "c", "faultcode": "x"}},
            {"fault": {"faultstring": "m", "message": "m", "code": "c"}},
            {
                "fault": {
                    "faultstring": "m",
                    "code": "c",
                    "detail": {"code": "x", "faultstring": "y"},
                }
            },
            {"fault": {"faultstring": "m", "message": "", "description": 7, "code": "c"}},
        ],
    ),
    Tells(("7", "m: n"), [{"fault": {"message": "n", "faultstring": "m", "code": 7}}]),
    Tells(("", ""), [{"fault": {}}, {"fault": {"code": None}}]),
    Tells(("", "m" * LONGEST), [{"fault": {"message": "m" * (LONGEST + 1)}}]),
]


@pytest.mark.parametrize(("value", "expected"), each_of(FAULTS))
def test_the_code_and_the_message_of_a_gateways_fault_are_read(value: Any, expected: Any):
    assert fault_in(value) == expected


FOREIGN_ERRORS = [
    Tells(None, [{}, [], None, {"message": "m", "code": "c"}, {"erro": "x"}, {"mensagem": 7}]),
    Tells(
        ("c", "m"),
        [
            {"erro": {"codigo": "c", "mensagem": "m"}},
            {"Errore": {"codice": "c", "messaggio": "m"}},
            {"codigo": "c", "mensaje": "m"},
            {"fehler": {"code": "c", "meldung": "m"}},
        ],
    ),
    Tells(("", "m: d"), [{"fehler": {"meldung": "m", "beschreibung": "d"}}]),
]


@pytest.mark.parametrize(("value", "expected"), each_of(FOREIGN_ERRORS))
def test_an_error_whose_members_have_names_of_another_language_is_read(value: Any, expected: Any):
    assert foreign_error_in(value) == expected


XML_LEAVES = [
    Tells(
        ("c", "m"),
        [
            "<e><Code>c</Code><Message>m</Message></e>",
            "<a:e><a:code x='1'> c </a:code><b:message>m</b:message></a:e>",
            "<e><code>c</code><code>d</code><message>m</message></e>",
        ],
    ),
    Tells(
        ("", "m"),
        [
            "<e><faultstring>m</faultstring></e>",
            "<error>m</error>",
            "<text>m</text>",
            "<e><text>x</text><message>m</message></e>",
            "<e><error>x</error><faultstring>m</faultstring></e>",
        ],
    ),
    Tells(("", "m" * LONGEST), [f"<message>{'m' * (LONGEST + 1)}</message>"]),
    Tells(
        None,
        [
            "",
            "text <error>m</error>",
            "<error> </error>",
            "<e><code>c</message></e>",
            *(
                f"<x><{tag}><error>m</error>"
                for tag in ("!doctype html", "HTML", "head", "body", "title", "h1", "p", "div")
            ),
            "<a>" + " " * 10_000 + "<error>m</error>",
        ],
    ),
]


@pytest.mark.parametrize(("value", "expected"), each_of(XML_LEAVES))
def test_an_error_in_xml_has_the_code_and_the_message_of_its_first_leaves_called_so(
    value: Any, expected: Any
):
    assert xml_error(value) == expected


PROBLEM_TYPES = [
    Tells(True, ["about:blank", "http://a", "https://a", "urn:x"]),
    Tells(False, ["", "x", "about", "HTTP", "a http://b"]),
]


@pytest.mark.parametrize(("value", "expected"), each_of(PROBLEM_TYPES))
def test_a_code_that_is_a_uri_is_the_type_of_problem_details(value: Any, expected: Any):
    assert is_problem_type(value) == expected


PROBLEMS = [
    Tells("A: B", [{"title": "A.", "detail": "B."}]),
    Tells(
        "A",
        [
            {"title": "A"},
            {"detail": "A."},
            {"title": "A", "detail": ""},
            {"title": "A", "detail": 7},
        ],
    ),
    Tells("", [{}, None, ["title"], {"title": 7}]),
]


@pytest.mark.parametrize(("value", "expected"), each_of(PROBLEMS))
def test_the_title_and_the_detail_of_problem_details_are_joined(value: Any, expected: Any):
    assert problem_of(value) == expected
