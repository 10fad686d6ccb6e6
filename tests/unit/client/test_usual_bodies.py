"""Bodies as known APIs and gateways send them, none of which the provider was written for: what a human reads there."""

from __future__ import annotations

import gzip
import html
import json
from typing import Any

import pytest

from unit.client.test_any_response import outcome
from unit.client.test_hostile_responses import CAMPAIGN_KEY, SECRETS, assert_presentable
from wes_provider.client.operations import Response, name_exists
from wes_provider.exceptions import WesResponseError, WesUnknownOutcomeError

SECRET_TEXT = " ".join(SECRETS)
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
ACCENTS = '{"error": {"code": "bad-name", "message": "Größe"}}'

# Body, its charset; code, and message. A body that is no text is sent as JSON.
ERRORS: dict[str, tuple[Any, str, str]] = {
    "AWS, XML": (
        f"{XML}<Error><Code>NoSuchBucket</Code><Message>It does not exist</Message><RequestId>4F</RequestId></Error>",
        "NoSuchBucket",
        "It does not exist",
    ),
    "AWS, JSON": (
        {"__type": "ResourceInUseException", "Message": "Table exists"},
        "ResourceInUseException",
        "Table exists",
    ),
    "a guard against scripts": (")]}',\n" + '{"code": "taken", "message": "It exists"}', "taken", "It exists"),
    "JSON as the error's text": ({"error": '{"code": "taken", "message": "It exists"}'}, "taken", "It exists"),
    "null before an error": ({"errors": [None, {"code": "taken", "message": "It exists"}]}, "taken", "It exists"),
    "AWS gateway": ({"message": "Missing Authentication Token"}, "", "Missing Authentication Token"),
    "Google": (
        {
            "error": {
                "code": 400,
                "message": "Invalid argument.",
                "status": "INVALID_ARGUMENT",
                "details": [
                    {
                        "@type": "type.googleapis.com/google.rpc.BadRequest",
                        "fieldViolations": [{"field": "price_currency", "description": "XXX is no currency"}],
                    }
                ],
            }
        },
        "INVALID_ARGUMENT",
        "Invalid argument: XXX is no currency (price_currency)",
    ),
    "Google, said twice": (
        {"error": {"code": 400, "message": "It exists.", "errors": [{"message": "It exists.", "reason": "duplicate"}]}},
        "duplicate",
        "It exists.",
    ),
    "Stripe": (
        {"error": {"code": "missing", "message": "No such thing", "param": "id", "type": "invalid_request_error"}},
        "missing",
        "No such thing",
    ),
    "Salesforce": (
        [{"fields": ["Name"], "message": "Missing: [Name]", "errorCode": "REQUIRED_FIELD_MISSING"}],
        "REQUIRED_FIELD_MISSING",
        "Missing: [Name]",
    ),
    "Salesforce Marketing": (
        {
            "errorcode": 10006,
            "message": "Unable to save",
            "validationErrors": [{"message": "Not unique", "code": "12"}],
        },
        "10006",
        "Unable to save: Not unique",
    ),
    "SAP, OData 2": (
        {"error": {"code": "SY/530", "message": {"lang": "en", "value": "Bad name"}, "innererror": {"id": "x"}}},
        "SY/530",
        '{"lang":"en","value":"Bad name"}',
    ),
    "SAP, XML": (
        f'{XML}<error xmlns="http://x"><code>SY/5</code><message xml:lang="en">Bad name</message></error>',
        "SY/5",
        "Bad name",
    ),
    "Azure": (
        {
            "error": {
                "code": "Conflict",
                "message": "Already there.",
                "details": [{"code": "NameInUse", "message": "shoes is in use."}],
                "innererror": {"code": "X"},
            }
        },
        "Conflict",
        "Already there: shoes is in use.",
    ),
    "Azure Storage, XML with a byte order mark": (
        f"\ufeff{XML}<Error><Code>NotThere</Code><Message>No such resource.\nTime:2026</Message></Error>",
        "NotThere",
        "No such resource. Time:2026",
    ),
    "GraphQL": (
        {"errors": [{"message": "No such field", "locations": [{"line": 1}], "extensions": {"code": "VALIDATION"}}]},
        "VALIDATION",
        "No such field",
    ),
    "RFC 9457": (
        {
            "type": "https://example.net/validation",
            "title": "It is not valid.",
            "errors": [
                {"detail": "must be positive", "pointer": "#/age"},
                {"detail": "must be green", "pointer": "#/c"},
            ],
        },
        "https://example.net/validation",
        "It is not valid: must be positive (#/age); must be green (#/c)",
    ),
    "RFC 7807": (
        {"type": "about:blank", "title": "Bad Request", "status": 400, "detail": "name is blank"},
        "",
        "name is blank",
    ),
    "RFC 7807, XML": (
        f"{XML}<problem><title>Not so</title><detail>No credit &amp; no name</detail></problem>",
        "",
        "No credit & no name",
    ),
    "ASP.NET": (
        {
            "type": "https://tools.ietf.org/html/rfc9110#section-15.5.1",
            "title": "Validation errors occurred.",
            "status": 400,
            "errors": {"Name": ["The Name field is required."]},
        },
        "",
        'Validation errors occurred: {"Name":["The Name field is required."]}',
    ),
    "JSON:API": (
        {"errors": [{"status": "422", "code": "taken", "source": {"pointer": "/data/name"}, "detail": "Not unique"}]},
        "taken",
        "Not unique (/data/name)",
    ),
    "Spring Boot": (
        {"timestamp": "2026-01-01", "status": 404, "error": "Not Found", "message": "No shop", "path": "/v1"},
        "",
        "No shop",
    ),
    "Spring Boot, validation": (
        {
            "error": "Bad Request",
            "errors": [{"codes": ["a"], "defaultMessage": "must not be blank", "field": "name", "code": "NotBlank"}],
            "message": "Validation failed",
        },
        "NotBlank",
        "Validation failed: must not be blank (name)",
    ),
    "OAuth": ({"error": "invalid_token", "error_description": "It expired"}, "invalid_token", "It expired"),
    "Laravel": (
        {"message": "The given data was invalid.", "errors": {"name": ["The name has already been taken."]}},
        "",
        'The given data was invalid: {"name":["The name has already been taken."]}',
    ),
    "Rails": ({"name": ["has already been taken"]}, "", '{"name": ["has already been taken"]}'),
    "FastAPI": (
        {
            "detail": [
                {"type": "missing", "loc": ["body", "name"], "msg": "Field required"},
                {"loc": ["c"], "msg": "Bad"},
            ]
        },
        "missing",
        "Field required (body.name); Bad (c)",
    ),
    "Django": (
        {"detail": "Not valid", "code": "token_not_valid", "messages": [{"message": "x"}]},
        "token_not_valid",
        "Not valid",
    ),
    "GitHub": (
        {"message": "Validation Failed", "errors": [{"resource": "Label", "code": "already_exists", "field": "name"}]},
        "already_exists",
        'Validation Failed: [{"resource":"Label","code":"already_exists","field":"name"}]',
    ),
    "Atlassian": ({"errorMessages": ["In use.", "Bad."], "errors": {}}, "", '["In use.","Bad."]'),
    "Zendesk": (
        {"error": "RecordInvalid", "description": "Errors", "details": {"name": [{"description": "Name: blank"}]}},
        "RecordInvalid",
        "Errors: Name: blank",
    ),
    "PayPal": (
        {
            "name": "VALIDATION_ERROR",
            "message": "See details.",
            "details": [{"field": "/x", "description": "Missing."}],
        },
        "VALIDATION_ERROR",
        "See details: Missing. (/x)",
    ),
    "Braze": (
        {"message": "Invalid", "errors": [{"id": "name-already-exists", "message": "In use"}]},
        "name-already-exists",
        "Invalid: In use",
    ),
    "Kubernetes": (
        {"kind": "Status", "status": "Failure", "message": "It exists", "reason": "AlreadyExists", "code": 400},
        "AlreadyExists",
        "It exists",
    ),
    "Oracle": ({"o:errorCode": "27520", "title": "Bad Request", "detail": "Bad name"}, "27520", "Bad name"),
    "Slack": ({"ok": False, "error": "list_not_found"}, "list_not_found", "list_not_found"),
    "Apigee": (
        {"fault": {"faultstring": "Invalid key", "detail": {"errorcode": "oauth.InvalidKey"}}},
        "oauth.InvalidKey",
        "Invalid key",
    ),
    "SOAP": (
        '<s:Envelope xmlns:s="x"><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>Bad name</faultstring>'
        "</s:Fault></s:Body></s:Envelope>",
        "s:Client",
        "Bad name",
    ),
    "nginx": (
        "<html>\r\n<head><title>403 Forbidden</title></head>\r\n<body>\r\n<center><h1>403 Forbidden</h1></center>"
        "<hr><center>nginx/1.18</center></body></html>",
        "",
        "an HTML page: 403 Forbidden | nginx/1.18",
    ),
    "Cloudflare": (
        '<!DOCTYPE html>\n<!--[if lt IE 7]> <html class="ie"> <![endif]-->\n<head><title>Access denied</title>'
        "<style>body{margin:0}</style><script>var x='<p>error</p>'</script></head><body><h1>Error 1020</h1></body>",
        "",
        "an HTML page: Access denied | Error 1020",
    ),
    "Akamai": (
        "<HTML><HEAD>\n<TITLE>Access Denied</TITLE></HEAD><BODY>No permission<P>\nReference&#32;&#35;18</BODY></HTML>",
        "",
        "an HTML page: Access Denied | No permission | Reference #18",
    ),
    "Envoy": ("upstream connect error. reset reason: overflow", "", "upstream connect error. reset reason: overflow"),
    "Kong": ({"message": "no Route matched", "request_id": "a1"}, "", "no Route matched"),
    "a number as code": ({"code": 1001.5, "message": "Bad name"}, "1001.5", "Bad name"),
    "keys that stand twice": ('{"code": "a-b", "message": "A.", "code": "c-d"}', "c-d", "A."),
    "deep": (json.loads('{"a":' * 7 + '{"code": "x-y", "message": "M."}' + "}" * 7), "x-y", "M."),
    "JSON in JSON": ({"message": '{"error": {"code": "x-y", "message": "M."}}'}, "x-y", "M."),
    "JSON in lines": ('{"code": "x-y", "message": "M."}\n{"code": "z"}\n', "x-y", "M."),
    "UTF-8 with a byte order mark": (ACCENTS.encode("utf-8-sig"), "bad-name", "Größe"),
    "UTF-16": (ACCENTS.encode("utf-16"), "bad-name", "Größe"),
    "UTF-16 without a byte order mark": (ACCENTS.encode("utf-16-le"), "bad-name", "Größe"),
    "compressed without a word": (gzip.compress(ACCENTS.encode()), "bad-name", "Größe"),
    "empty": ("", "", ""),
}


def error_of(operation: str, status: int, body: bytes, headers: dict[str, str]) -> WesResponseError:
    error = outcome(operation, Response(status, headers, body))
    assert isinstance(error, WesResponseError)
    return error


@pytest.mark.parametrize(("body", "code", "message"), ERRORS.values(), ids=ERRORS)
def test_code_and_message_are_those_that_a_human_finds(body: Any, code: str, message: str):
    if not isinstance(body, (str, bytes)):
        body = json.dumps(body)
    error = error_of("create_catalog", 400, body.encode() if isinstance(body, str) else body, {})
    assert (error.code, error.message) == (code, message)
    assert str(error).count(message or "400") == 1


@pytest.mark.parametrize("charset", ["iso-8859-1", "latin-1", "utf-16", "no-such-charset", "undefined", "\x00"])
def test_the_charset_of_the_content_type_is_used_if_it_is_one(charset: str):
    known = charset in ("iso-8859-1", "latin-1", "utf-16")
    body = ACCENTS.encode(charset if known else "utf-8")
    error = error_of("create_catalog", 400, body, {"content-type": f'application/json; charset="{charset}"'})
    assert (error.code, error.message) == ("bad-name", "Größe")


def test_an_encoding_that_was_not_requested_is_named():
    error = error_of("create_catalog", 400, b"\x0b\x02\x80ok\x03", {"content-encoding": "br"})
    assert "a body that cannot be read, in encoding br" in str(error)


def test_a_name_that_is_taken_is_recognized_in_the_details():
    body = {"message": "The given data was invalid.", "errors": {"name": ["The name has already been taken."]}}
    assert name_exists(error_of("create_catalog", 422, json.dumps(body).encode(), {}))


@pytest.mark.parametrize(
    ("body", "status", "hint"),
    [
        (b'{"error": {"code": "request-forbidden", "message": "No."}}', 403, "\nThe account has no access to this"),
        (b"RBAC: access denied", 403, "\nThe account may have no access to this feature"),
        (b"<html><title>Blocked</title></html>", 403, "\nA page like this comes from a gateway, proxy or firewall"),
        (b"<html><title>nginx</title></html>", 404, "\nA page like this comes from a gateway, proxy or firewall"),
        (b'{"message": "No route"}', 404, "\nThe address may be wrong"),
        (b"", 407, "\nThe proxy requires a username and password"),
    ],
)
def test_the_hint_names_others_who_may_have_replied(body: bytes, status: int, hint: str):
    assert hint in str(error_of("create_catalog", status, body, {}))


def test_a_redirect_names_its_target_without_its_query():
    headers = {"location": "https://login.example.com/sso?token=topsecret"}
    text = str(error_of("get_coupon_file", 302, b"", headers))
    assert "\nIt redirects to https://login.example.com/sso" in text
    assert "topsecret" not in text


@pytest.mark.parametrize("status", [201, 400, 403, 500])
@pytest.mark.parametrize(
    "echo",
    [
        f"<html><title>No</title><body>{html.escape(SECRET_TEXT)}</body></html>".encode(),
        f"<Error><Code>x</Code><Message>{html.escape(SECRET_TEXT)}</Message></Error>".encode(),
        json.dumps({"errors": [{"message": "No", "field": SECRET_TEXT}], "detail": SECRET_TEXT}).encode("utf-16"),
        json.dumps({"message": json.dumps({"error": {"code": SECRET_TEXT, "message": SECRET_TEXT}})}).encode(),
        gzip.compress(SECRET_TEXT.encode()),
    ],
    ids=["page", "XML", "UTF-16", "JSON in JSON", "compressed"],
)
def test_no_secret_is_in_the_message(status: int, echo: bytes):
    error = outcome("upload_coupon_file", Response(status, {"location": f"/v1/catalog/{CAMPAIGN_KEY}"}, echo))
    assert_presentable("upload_coupon_file", error)


PAGE = b"<!DOCTYPE html><html><head><title>Log in</title></head><body>Welcome</body></html>"
NOT_KNOWN = "Whether the catalog is created is not known."


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"errors": [{"message": "Name taken"}], "data": null}', f"200 with an error (catalog c)\n{NOT_KNOWN}"),
        (
            b'{"success": false, "message": "Name taken", "id": "request-1"}',
            f"200 with an error (catalog c)\n{NOT_KNOWN}",
        ),
        (b'{"ok": false, "error": "name_taken"}', f"200 with an error (catalog c)\n{NOT_KNOWN}"),
        (b'{"status": "error", "message": "Name taken", "id": 7}', f"200 with an error (catalog c)\n{NOT_KNOWN}"),
        (b'{"jsonrpc": "2.0", "error": {"code": -32602}, "id": null}', f"200 with an error (catalog c)\n{NOT_KNOWN}"),
        (PAGE, "\nLog in | Welcome"),
        (b"", "There is none under catalog_id, id, _id: no body"),
    ],
)
def test_a_success_that_reports_an_error_is_no_catalog(body: bytes, why: str):
    error = outcome("create_catalog", Response(200, {}, body))
    assert isinstance(error, WesUnknownOutcomeError)
    assert error.permanent
    assert why in str(error)


@pytest.mark.parametrize("operation", ["get_coupon_file", "list_coupon_files", "upload_coupon_file"])
def test_a_page_is_called_a_page(operation: str):
    error = outcome(operation, Response(200, {}, PAGE))
    assert "with an HTML page, which a gateway, proxy or login page sends and the service does not: Log in" in str(
        error
    )


def test_an_upload_that_reports_an_error_is_not_called_probable():
    error = outcome("upload_coupon_file", Response(200, {}, b'{"ok": false, "error": "list_not_found"}'))
    assert isinstance(error, WesUnknownOutcomeError)
    assert "It reports an error, so whether the file is uploaded is not known." in str(error)
    assert "list_not_found" in str(error)


@pytest.mark.parametrize(
    ("headers", "body", "found"),
    [
        ({"location": "/v1/catalog/77"}, b"", "77"),
        ({"location": "https://api.example.com/v1/catalogs/a%3A7?x=1"}, b"", "a:7"),
        ({"location": "https://login.example.com/home"}, b"", None),
        ({"location": "/v1/catalog/"}, b"", None),
        ({}, b'{"success": true, "errors": [], "id": "77"}', "77"),
        ({}, b'{"errors": [{"message": "Slow."}], "catalog_id": "77"}', "77"),
        ({}, b"\xef\xbb\xbf65f0a", "65f0a"),
    ],
)
def test_a_catalogs_identifier_is_found(headers: dict[str, str], body: bytes, found: str | None):
    result = outcome("create_catalog", Response(201, headers, body))
    assert found == (result[0] if isinstance(result, tuple) else None)


@pytest.mark.parametrize("name", ["data", "file", "couponFile", "coupon_file", "result", "item"])
def test_a_coupon_file_is_found_in_the_usual_containers(name: str):
    record = {"_id": "file-1", "status": "DONE"}
    for body in ({name: record, "ok": True}, [record]):
        assert outcome("get_coupon_file", Response(200, {}, json.dumps(body).encode())) == record
        assert outcome("upload_coupon_file", Response(201, {}, json.dumps(body).encode())) == record


def test_a_record_that_is_none_is_quoted():
    error = outcome("get_coupon_file", Response(200, {}, b'{"errcode": 40013, "errmsg": "bad app"}'))
    assert '{"errcode": 40013, "errmsg": "bad app"}' in str(error)


@pytest.mark.parametrize(
    "body",
    ["<html>" + "<!--" * 1_000_000, "<a " * 1_000_000, "<" * 3_000_000, '{"details":' * 400 + "1" + "}" * 400],
    ids=["comments", "tags", "brackets", "details"],
)
@pytest.mark.timeout(5)
def test_a_long_body_takes_no_long_time(body: str):
    error_of("create_catalog", 400, body.encode(), {})
