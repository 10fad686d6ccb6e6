"""What a response says of an error is read wherever it says so, and of nothing else."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from wes_provider.doctor.words import (
    ErrorInBody,
    advice_of,
    error_in,
    reason_in_headers,
    title_of,
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


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("<Error><Code>AccessDenied</Code><Message>No.</Message></Error>", ("AccessDenied", "No.")),
        (
            "<?xml version='1.0'?><e:fault><e:reason>Bad &amp; old</e:reason></e:fault>",
            ("", "Bad & old"),
        ),
        ("<error>No.</error>", ("", "No.")),
        ("<files><file><id>1</id></file></files>", None),
        ("<html><code>1</code></html>", None),
        ("<!DOCTYPE html><title>No</title>", None),
        ("{}", None),
    ],
)
def test_an_error_in_xml_is_read(text: str, error: tuple[str, str] | None):
    assert xml_error(text) == error


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (
            "source address 203.0.113.77 is not in the allowlist",
            "This machine's address 203.0.113.77",
        ),
        (
            "Request from 2001:db8::7 blocked: IP whitelist",
            "This machine's address 2001:db8::7 may",
        ),
        ("ip-not-allowed", "This machine's address may not use it"),
        ("Ihre IP-Adresse nicht freigegeben", "This machine's address may not use it"),
        ("Insufficient scope: requires coupons:write", "Ask an administrator of the account"),
        ("This API key is read-only.", "Ask an administrator of the account"),
        ("Your plan does not include coupons", "Ask the service's support for a plan"),
        ("The API key has expired", "Make a new key"),
        ("Scheduled maintenance until 06:00 UTC", "Wait until then, and run this again."),
        ("We are in maintenance", "Wait until it is over"),
        ("Locked by the administrator.", ""),
        ("The subscription ended in May.", ""),
        ("zip codes are missing", ""),
        ("", ""),
    ],
)
def test_what_to_do_follows_from_the_words_of_a_refusal(words: str, advice: str):
    said = advice_of(words)
    assert said.startswith(advice)
    assert bool(said) is bool(advice)


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
