"""
A JSON object without an ``_id`` is an error, whatever status it came with, in two cases. It says
itself that it failed, even beside data: success or ok that is false (also 0 or "no"), isError that
is true, or a status, result or outcome with a word of an error; a word of an end (failed, failure)
only without an identifier that is not one of a request. Or, without data, it has an error, errors
or a fault that is not empty, an error code that does not mean success (0, 200, OK and so on do), a
code that is a number or has a word of failure, with a message that is not "OK", or a status of an
error.

The status is a number from 400 to 599, also in a string, under a name of a status or code: in the
body first, then in its error, then in the first of its errors. Lists and texts are no errors, and
neither are objects in data.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from wes_provider.doctor.replies.words import (
    ErrorInBody,
    error_in,
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
def test_a_body_is_an_error_if_it_says_that_it_failed_or_has_an_error_and_no_data(row: Body):
    assert error_in(row.content) == row.error


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
def test_each_form_of_an_error_is_one_and_forms_that_only_look_alike_are_none(
    body: Any, error: ErrorInBody | None
):
    assert error_in(body) == error
