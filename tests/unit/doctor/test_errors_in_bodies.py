"""Which error a body is, in JSON or XML, whatever status it came with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.words import (
    LONGEST,
    ErrorInBody,
    error_in,
    fault_in,
    is_problem_type,
    problem_of,
    word_code_in,
    xml_error,
)

AN_ERROR = ErrorInBody()


class Body(NamedTuple):
    """A body, and the error that it is."""

    content: Any
    error: ErrorInBody | None


BODIES = [
    Body({"error": {"code": "no", "message": "No."}}, AN_ERROR),
    Body({"errors": [{"title": "No."}], "data": []}, AN_ERROR),
    Body({"errors": [{"status": "422"}]}, ErrorInBody(422, "status 422")),
    Body({"error": {"code": 403}}, ErrorInBody(403, "code 403")),
    Body({"success": False, "statusCode": 401}, ErrorInBody(401, "statusCode 401")),
    Body({"success": False, "data": {"hint": "key"}}, AN_ERROR),
    Body({"Success": False}, AN_ERROR),
    Body({"ok": False}, AN_ERROR),
    Body({"status": "error", "message": "No."}, AN_ERROR),
    Body({"status": "fail", "data": {"key": "unknown"}}, AN_ERROR),
    Body({"status_code": 503, "message": "Later."}, ErrorInBody(503, "status_code 503")),
    Body({"errorCode": 10003, "errorMessage": "Unknown key", "data": None}, AN_ERROR),
    Body({"errcode": 40001, "errmsg": "invalid credential"}, AN_ERROR),
    Body({"code": 40401, "message": "No such segment"}, AN_ERROR),
    Body({"code": "KEY_INVALID", "msg": "No."}, AN_ERROR),
    Body({"result": "FAIL", "reason": "No."}, AN_ERROR),
    Body({"isError": True, "description": "No."}, AN_ERROR),
    Body({"success": "false", "message": "No."}, AN_ERROR),
    Body({"status": "failed", "message": "No.", "requestId": "r1"}, AN_ERROR),
    Body({"success": True, "errorCode": 0, "errorMessage": None, "data": []}, None),
    Body({"errorCode": "OK", "data": {}}, None),
    Body({"code": 200, "message": "Updated."}, None),
    Body({"code": 1000, "message": "OK"}, None),
    Body({"code": "UPDATED", "message": "Updated."}, None),
    Body({"fileId": "f", "status": "FAILED", "message": "No header."}, None),
    Body([], None),
    Body([{"error": "bad"}], None),
    Body(None, None),
    Body({}, None),
    Body({"data": []}, None),
    Body({"data": [{"_id": "f", "error": "bad"}], "success": True}, None),
    Body({"success": True, "errors": [], "error": None, "data": []}, None),
    Body({"_id": "f", "status": "FAILED", "error": "bad"}, None),
    Body({"id": "f", "status": "FAILED"}, None),
    Body({"status": 200, "data": []}, None),
    Body({"code": 5000, "name": "segment"}, None),
    Body({"message": "Updated."}, None),
]


@pytest.mark.parametrize("row", BODIES, ids=[json.dumps(row.content) for row in BODIES])
def test_an_error_in_a_body_is_read(row: Body):
    assert error_in(row.content) == row.error


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
def test_an_error_in_xml_is_read(row: Xml):
    assert xml_error(row.text) == row.error


class Errors(NamedTuple):
    """Bodies, and the error that each of them is."""

    error: ErrorInBody | None
    bodies: Sequence[Any]


ERRORS = [
    *(
        Errors(
            ErrorInBody(status, f"{name} {status}"), [{name: status, "x": 1}, {name: f"{status}"}]
        )
        for name, status in (
            *(("statusCode", 400), ("status", 599), ("http_status", 404), ("http-code", 500)),
            *(("Code", 401), ("error.code", 503)),
        )
    ),
    Errors(ErrorInBody(404, "status 404"), [{"status": 404, "error": {"code": 500}}]),
    Errors(
        ErrorInBody(500, "code 500"),
        [{"x": 404, "error": {"code": 500}, "errors": [{"code": 501}]}],
    ),
    Errors(ErrorInBody(501, "code 501"), [{"errors": [{"code": 501}, {"code": 502}]}]),
    Errors(
        None,
        [{"status": 399}, {"status": 600}, {"status": 4040}, {"statuses": 404}, {"status": "x404"}],
    ),
    Errors(None, [{"status": 404, "data": [1]}, {"status": 404, "_id": "f"}]),
    Errors(
        ErrorInBody(404, "status 404"), [{"status": 404, "data": []}, {"status": 404, "_id": ""}]
    ),
    Errors(
        AN_ERROR,
        [
            *(
                {name: False, "data": [1]}
                for name in ("success", "ok", "succeeded", "isSuccess", "successful")
            ),
            *({"ok": value} for value in ("FALSE", 0, "no")),
            *({name: True} for name in ("isError", "has_error", "hasErrors")),
            *(
                {"status": word.upper()}
                for word in (
                    "error",
                    "fail",
                    "ko",
                    "nok",
                    "maintenance",
                    "unavailable",
                    "unauthorized",
                )
            ),
            *({name: "failed"} for name in ("status", "result", "outcome")),
            *(
                {"status": "failure", name: "x"}
                for name in ("requestId", "trace_id", "correlationId", "errorId")
            ),
            *({"status": "error", "id": "x"}, {"fault": 1}, {"errors": ["x"]}, {"error": "x"}),
            *({"errcode": 7}, {"err_code": "E7"}, {"errorCode": "x"}),
            *({"code": 7, "message": "No."}, {"code": "x_err", "message": "No."}),
            *(
                {"code": f"x{part}x", "message": "No."}
                for part in (
                    "err",
                    "FAIL",
                    "invalid",
                    "denied",
                    "forbid",
                    "unauth",
                    "missing",
                    "unknown",
                    "expired",
                    "not_",
                    "not-",
                    "exception",
                    "limit",
                )
            ),
        ],
    ),
    Errors(
        None,
        [
            *({"success": True}, {"ok": "yes"}, {"ok": 1}, {"isError": "true"}, {"isError": 1}),
            *({"status": "failed", "fileId": "x"}, {"state": "failed"}, {"verdict": "error"}),
            *(
                {"errcode": value}
                for value in (
                    0,
                    "0",
                    "00",
                    1,
                    "200",
                    204,
                    "OK",
                    "success",
                    "Successful",
                    "none",
                    "null",
                    "",
                    True,
                    None,
                    [1],
                )
            ),
            *(
                {"code": 7},
                {"code": 7, "message": ""},
                {"code": 7, "message": " OK. "},
                {"code": 7, "message": "Success!"},
            ),
            *({"code": "done", "message": "No."}, {"code": True, "message": "No."}, {"fault": ""}),
            *("text", 7, [{"success": False}]),
        ],
    ),
]


@pytest.mark.parametrize(
    ("body", "error"),
    [(body, row.error) for row in ERRORS for body in row.bodies],
    ids=[json.dumps(body) for row in ERRORS for body in row.bodies],
)
def test_an_error_in_each_form_is_read(body: Any, error: ErrorInBody | None):
    assert error_in(body) == error


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
