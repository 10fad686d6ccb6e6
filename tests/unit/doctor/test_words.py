"""What a response says of an error is read wherever it says so, and of nothing else."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from wes_provider.doctor.words import ErrorInBody, error_in, reason_in_headers, title_of

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


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>Down</title>", "Down"),
        ("<TITLE lang=de>\n Wartung &amp; mehr </TITLE>", "Wartung & mehr"),
        ("<title></title><h1>No <b>slash</b></h1>", "No slash"),
        ("<title>403</title><h1>403</h1>", "403"),
        ("<title>Denied</title><h1>Your IP is unknown</h1>", "Denied: Your IP is unknown"),
        ("<p>Hello</p>", ""),
        ("<title>Half", ""),
    ],
)
def test_the_title_of_a_page_is_read(page: str, title: str):
    assert title_of(page) == title


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({"www-authenticate": 'Bearer error="e", error_description="It expired."'}, "It expired."),
        ({"www-authenticate": 'Bearer error="invalid_token"'}, "invalid_token"),
        (
            {"www-authenticate": 'Bearer error="insufficient_scope", scope="a b"'},
            "insufficient_scope, scope a b",
        ),
        ({"www-authenticate": 'Basic realm="API"'}, ""),
        ({"x-error": "Revoked"}, "Revoked"),
        ({"x-error-message": " Revoked. "}, "Revoked."),
        ({}, ""),
    ],
)
def test_the_reason_in_headers_is_read(headers: dict[str, str], reason: str):
    assert reason_in_headers(headers) == reason
