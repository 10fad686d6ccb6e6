"""What a response says of an error is read wherever it says so, and of nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

from wes_provider.doctor.notices import announced_in
from wes_provider.doctor.remedies import (
    asks_for_something,
    data_centers_in,
    names_account,
    other_account,
)
from wes_provider.doctor.subjects import Kind, Subject, subject_of
from wes_provider.doctor.words import (
    LONGEST,
    ErrorInBody,
    abridged,
    as_it_came,
    description_in,
    error_in,
    fault_in,
    frame_in,
    hour_in,
    is_login,
    is_problem_type,
    other_scheme,
    problem_of,
    quoted,
    reason_in_headers,
    says_not_found,
    text_of,
    title_of,
    unmarked,
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


class Refusal(NamedTuple):
    """
    The code and the message of a refusal, and what follows from them.

    :ivar advice: what the advice begins with.
    """

    code: str
    message: str
    subject: Subject | None = None
    kind: Kind | None = None
    advice: str = ""


LET_IN = "This machine's address may not use it"
FOR_KEY = "Ask an administrator of the account for a key"
KEPT_OUT, NOT_NOW = Kind.KEPT_OUT, Kind.NOT_NOW
REFUSALS = [
    Refusal(
        "",
        "source address 203.0.113.77 is not in the allowlist",
        Subject.MACHINE,
        KEPT_OUT,
        "This machine's address 203.0.113.77",
    ),
    Refusal(
        "",
        "Request from 2001:db8::7 blocked: IP whitelist",
        Subject.MACHINE,
        KEPT_OUT,
        "This machine's address 2001:db8::7 may",
    ),
    Refusal("ip-not-allowed", "", Subject.MACHINE, KEPT_OUT, LET_IN),
    Refusal("", "Ihre IP-Adresse nicht freigegeben", Subject.MACHINE, KEPT_OUT, LET_IN),
    Refusal("", "deny in a resource-based policy", Subject.MACHINE, KEPT_OUT, LET_IN),
    Refusal("", "Blocked by the web application firewall", Subject.MACHINE, KEPT_OUT, LET_IN),
    Refusal("", "Not available: your country is not allowed", Subject.MACHINE, KEPT_OUT, LET_IN),
    Refusal("", "Credentials are missing, or your IP is not allowed"),
    Refusal("dailyLimitExceeded", "", Subject.QUOTA, NOT_NOW, "Wait, or ask"),
    Refusal(
        "", "Quota exhausted. It resets at 2026-11-27.", Subject.QUOTA, NOT_NOW, "Wait until th"
    ),
    Refusal("QUOTA_EXCEEDED", "", Subject.QUOTA, NOT_NOW, "Wait, or ask the service's support"),
    Refusal("", "Kontingent verbraucht.", Subject.QUOTA, NOT_NOW, "Wait, or ask"),
    Refusal("", "The page limit is 50."),
    Refusal("invalid-request", "limit must be between 1 and 100"),
    Refusal(
        "", "Scheduled maintenance until 06:00 UTC", Subject.MAINTENANCE, NOT_NOW, "Wait until t"
    ),
    Refusal("", "We are in maintenance", Subject.MAINTENANCE, NOT_NOW, "Wait until it is over"),
    Refusal(
        "read-only", "The service is now read-only.", Subject.MAINTENANCE, NOT_NOW, "Wait unti"
    ),
    Refusal("", "Insufficient scope: requires coupons:write", Subject.SCOPE, None, FOR_KEY),
    Refusal("", "This API key is read-only.", Subject.SCOPE, None, FOR_KEY),
    Refusal(
        "", "Your plan does not include it", Subject.PLAN, None, "Ask the service's support for"
    ),
    Refusal("", "The API key has expired", Subject.KEY, Kind.REFUSED, "Make a new key"),
    Refusal("", "No tenant in the path. Use /t/{tenant}/v1/", Subject.PATH),
    Refusal(
        "",
        "explicit deny in an identity-based policy",
        Subject.SCOPE,
        advice="Ask an administrator of the account",
    ),
    Refusal("", "Locked by the administrator."),
    Refusal("", "The subscription ended in May."),
    Refusal("", "zip codes are missing"),
    Refusal("", ""),
]


@pytest.mark.parametrize("row", REFUSALS, ids=[f"{row.code}{row.message}" for row in REFUSALS])
def test_what_a_refusal_is_about_follows_from_its_words(row: Refusal):
    found = subject_of(row.code, row.message)
    assert (found.subject if found else None) is row.subject
    assert (found.kind if found else None) is row.kind
    advice = found.what_to_do(row.message, "") if found else ""
    assert advice.startswith(row.advice)
    assert bool(advice) is bool(row.advice)


class DataCenters(NamedTuple):
    """Words, and the numbers of data centers in them."""

    words: str
    numbers: list[str]


DATA_CENTERS = [
    DataCenters("homed in dc3.", ["3"]),
    DataCenters("in data center 3", ["3"]),
    DataCenters("DC-03, region 114", ["03", "114"]),
    DataCenters("in region eu-west-1", []),
    DataCenters("lives in cell 03 (Frankfurt); this is cell 01", ["03", "01"]),
    DataCenters("on shard #7", ["7"]),
    DataCenters("Pod eu-04 has it", ["04"]),
    DataCenters("moved to stack 12", ["12"]),
    DataCenters("stamp: 5", ["5"]),
    DataCenters("in 3 cells", []),
    DataCenters("podcast 12", []),
    DataCenters("error 3", []),
]


@pytest.mark.parametrize("row", DATA_CENTERS, ids=[row.words for row in DATA_CENTERS])
def test_the_numbers_of_data_centers_are_read(row: DataCenters):
    assert data_centers_in(row.words) == row.numbers


class OtherAccount(NamedTuple):
    """Words, whether they are about the account, and the other account that they name."""

    words: str
    is_about_account: bool
    other: str


OTHER_ACCOUNTS = [
    OtherAccount("This key was issued for workspace acme-eu, not for acme-us.", True, "acme-eu"),
    OtherAccount("Key belongs to tenant 'b2', but the request is for tenant acme-us", True, "b2"),
    OtherAccount("workspace-mismatch", True, ""),
    OtherAccount("Organization acme-us was not found in this region.", True, ""),
    OtherAccount("The API key is of another project.", True, ""),
    OtherAccount("Workspace acme-us is suspended: invoice INV-2231 is unpaid.", False, ""),
    OtherAccount("The account has no access to coupons.", False, ""),
    OtherAccount("No such app.", False, ""),
]


@pytest.mark.parametrize("row", OTHER_ACCOUNTS, ids=[row.words for row in OTHER_ACCOUNTS])
def test_an_account_that_keys_are_not_of_is_told_from_other_reasons(
    row: OtherAccount,
):
    assert names_account(row.words) is row.is_about_account
    assert not row.is_about_account or other_account(row.words, "acme-us") == row.other


class Asking(NamedTuple):
    """Words, and whether they ask for something."""

    words: str
    asks: bool


ASKING = [
    Asking("Please accept the terms.", True),
    Asking("This is a test key. Create a live one.", True),
    Asking("The key must be renewed.", True),
    Asking("Bitte zuerst den Vertrag annehmen.", True),
    Asking("coupons:read is required", True),
    Asking("Forbidden", False),
    Asking("The user is not authorized.", False),
    Asking("The order set is closed.", False),
    Asking("", False),
]


@pytest.mark.parametrize("row", ASKING, ids=[row.words for row in ASKING])
def test_only_a_reply_that_asks_for_something_asks(row: Asking):
    assert asks_for_something(row.words) is row.asks


class Long(NamedTuple):
    """A string, the most characters of it, and the line that it becomes."""

    name: str
    text: str
    length: int
    line: str


LONG = [
    Long("short enough", "short", 30, "short"),
    Long(
        "a word that is too long",
        f"at {'x' * 30}/{'y' * 30} denied",
        45,
        f"at {'x' * 20}…{'y' * 14} denied",
    ),
    Long(
        "an end within words",
        "an end is at the beginning or in the very end",
        30,
        "an end is at … in the very end",
    ),
    Long("two lines", "a\nb", 30, "a b"),
    Long("as long as has room", "abcde fghij", 11, "abcde fghij"),
    Long(
        "an identifier without its middle",
        f"{'a' * 21}{'b' * 20} c",
        40,
        f"{'a' * 20}…{'b' * 14} c",
    ),
    Long("an identifier of 40 characters", f"{'a' * 40} b", 42, f"{'a' * 40} b"),
    Long("words at both ends", "a bc def ghi jkl mno pqr", 17, "a bc … mno pqr"),
    Long(
        "an address with secrets", "https://u:p@example.com/a?k=secret", 30, "https://example.com/a"
    ),
]


@pytest.mark.parametrize("row", LONG, ids=[row.name for row in LONG])
def test_a_long_text_keeps_its_ends(row: Long):
    assert abridged(row.text, row.length) == row.line


class Announcement(NamedTuple):
    """Headers, and what they announce."""

    name: str
    headers: dict[str, str]
    announced: dict[str, str]


ANNOUNCEMENTS = [
    Announcement("a warning", {"warning": '299 - "Ends soon"'}, {"warning": "Ends soon"}),
    Announcement("a warning of a cache", {"warning": '110 cache "Response is stale"'}, {}),
    Announcement(
        "a sunset",
        {"sunset": "Fri, 04 Dec 2026 00:00:00 GMT"},
        {"sunset": "Fri, 04 Dec 2026 00:00:00 GMT"},
    ),
    Announcement(
        "a deprecation since a time", {"deprecation": "@1767225600"}, {"deprecation": "2026-01-01"}
    ),
    Announcement("a deprecation", {"deprecation": "true"}, {"deprecation": "true"}),
    Announcement(
        "a key's end by its date",
        {"x-api-key-expires": "2026-11-28"},
        {"x-api-key-expires": "2026-11-28"},
    ),
    Announcement(
        "a token's end in words", {"x-expiry-of-token": "5 days"}, {"x-expiry-of-token": "5 days"}
    ),
    Announcement(
        "headers of caches, and an empty sunset",
        {"expires": "0", "cache-control": "no-store", "sunset": " "},
        {},
    ),
]


@pytest.mark.parametrize("row", ANNOUNCEMENTS, ids=[row.name for row in ANNOUNCEMENTS])
def test_an_announced_end_is_read(row: Announcement):
    assert announced_in(row.headers) == row.announced


class Challenge(NamedTuple):
    """A challenge, and the scheme that it demands; empty if Basic will do."""

    challenge: str
    scheme: str


CHALLENGES = [
    Challenge("Bearer", "Bearer"),
    Challenge('Negotiate, NTLM realm="x"', "Negotiate"),
    Challenge('ApimKey realm="a",name="Apim-Key"', "ApimKey in the header Apim-Key"),
    Challenge('Basic realm="wes"', ""),
    Challenge('Bearer realm="wes", Basic realm="wes"', ""),
    Challenge('Bearer error="invalid_token"', "Bearer"),
    Challenge('Bearer error_description="Basic is not supported"', "Bearer"),
    Challenge('Bearer error="insufficient_scope", scope="a"', ""),
    Challenge("", ""),
]


@pytest.mark.parametrize("row", CHALLENGES, ids=[row.challenge for row in CHALLENGES])
def test_another_scheme_than_basic_is_read(row: Challenge):
    assert other_scheme({"www-authenticate": row.challenge}) == row.scheme


class Page(NamedTuple):
    """A page, and its title."""

    page: str
    title: str


PAGES = [
    Page("<title>Down</title>", "Down"),
    Page("<TITLE lang=de>\n Wartung &amp; mehr </TITLE>", "Wartung & mehr"),
    Page("<title></title><h1>No <b>slash</b></h1>", "No slash"),
    Page("<title>403</title><h1>403</h1>", "403"),
    Page("<title>Denied</title><h1>Your IP is unknown</h1>", "Denied: Your IP is unknown"),
    Page(
        "<title>HTTP Status 400</title><p><b>Message</b> Invalid URI: [noSlash]</p>",
        "HTTP Status 400: Invalid URI: [noSlash]",
    ),
    Page("<p>Hello</p>", ""),
    Page("<title>Half", ""),
]


@pytest.mark.parametrize("row", PAGES, ids=[row.page for row in PAGES])
def test_the_title_of_a_page_is_read(row: Page):
    assert title_of(row.page) == row.title


class Reason(NamedTuple):
    """Headers, and the reason in them."""

    name: str
    headers: dict[str, str]
    reason: str


REASONS = [
    Reason(
        "a challenge with a description",
        {"www-authenticate": 'Bearer error="e", error_description="It expired."'},
        "It expired.",
    ),
    Reason(
        "a challenge with an error",
        {"www-authenticate": 'Bearer error="invalid_token"'},
        "invalid_token",
    ),
    Reason(
        "a challenge with a scope",
        {"www-authenticate": 'Bearer error="insufficient_scope", scope="a b"'},
        "insufficient_scope, scope a b",
    ),
    Reason("a challenge with a realm", {"www-authenticate": 'Basic realm="API"'}, ""),
    Reason("a header of its own", {"x-error": "Revoked"}, "Revoked"),
    Reason("a message", {"x-error-message": " Revoked. "}, "Revoked."),
    Reason("no header", {}, ""),
]


@pytest.mark.parametrize("row", REASONS, ids=[row.name for row in REASONS])
def test_the_reason_in_headers_is_read(row: Reason):
    assert reason_in_headers(row.headers) == row.reason


# -- each form that errors have --------------------------------------------------------------------


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
                    *("err", "FAIL", "invalid", "denied", "forbid", "unauth", "missing", "unknown"),
                    *("expired", "not_", "not-", "exception", "limit"),
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


class Tells(NamedTuple):
    """What a function makes of values."""

    tells: Callable[..., Any]
    expected: Any
    values: Sequence[Any]


def quoted_shortly(text: str) -> str:
    return quoted(text, 10)


def unmarked_as_it_came(value: str) -> str:
    return unmarked(as_it_came(value))


TELLS = [
    Tells(
        word_code_in,
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
    Tells(word_code_in, "ab-Cd_e", [{"status": "ab-Cd_e"}]),
    Tells(
        word_code_in,
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
    Tells(fault_in, None, [{}, [], None, {"fault": "x"}, {"error": {"faultstring": "x"}}]),
    Tells(
        fault_in,
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
    Tells(fault_in, ("7", "m: n"), [{"fault": {"message": "n", "faultstring": "m", "code": 7}}]),
    Tells(fault_in, ("", ""), [{"fault": {}}, {"fault": {"code": None}}]),
    Tells(fault_in, ("", "m" * LONGEST), [{"fault": {"message": "m" * (LONGEST + 1)}}]),
    Tells(
        says_not_found,
        True,
        [
            "Not found",
            "NOT_FOUND",
            "no-such file",
            "It does not exist.",
            "no route",
            "unknown path",
        ],
    ),
    Tells(says_not_found, False, ["", "found", "not", "exists", "unknown"]),
    Tells(
        xml_error,
        ("c", "m"),
        [
            "<e><Code>c</Code><Message>m</Message></e>",
            "<a:e><a:code x='1'> c </a:code><b:message>m</b:message></a:e>",
            "<e><code>c</code><code>d</code><message>m</message></e>",
        ],
    ),
    Tells(
        xml_error,
        ("", "m"),
        [
            "<e><faultstring>m</faultstring></e>",
            "<error>m</error>",
            "<text>m</text>",
            "<e><text>x</text><message>m</message></e>",
            "<e><error>x</error><faultstring>m</faultstring></e>",
        ],
    ),
    Tells(xml_error, ("", "m" * LONGEST), [f"<message>{'m' * (LONGEST + 1)}</message>"]),
    Tells(
        xml_error,
        None,
        [
            *("", "text <error>m</error>", "<error> </error>", "<e><code>c</message></e>"),
            *(
                f"<x><{tag}><error>m</error>"
                for tag in ("!doctype html", "HTML", "head", "body", "title", "h1", "p", "div")
            ),
            "<a>" + " " * 10_000 + "<error>m</error>",
        ],
    ),
    Tells(
        title_of,
        "A: B",
        ["<title>A</title><h1>B</h1>", "<title>A</title><title>x</title><h1>B</h1><h1>y</h1>"],
    ),
    Tells(title_of, "404 Not Found", ["<title>404 Not Found</title><h1>Not Found</h1>"]),
    Tells(title_of, "B: A", ["<h1>B</h1><title>A</title>"]),
    Tells(
        title_of,
        "A",
        ["<title> </title><title>A</title>", "<title>A</title><h1>A</h1>", "<h1 class=x>A</h1>"],
    ),
    Tells(
        title_of,
        "A: back at 10:00",
        ["<title>A</title><p>back at 10:00</p>", "<p>back at 10:00</p><title>A</title>"],
    ),
    Tells(title_of, "at 10:00", ["<title>at 10:00</title>", "<p>at 10:00</p>"]),
    Tells(title_of, "", ["", "<titles>A</titles>", " " * 10_000 + "<title>A</title>"]),
    Tells(title_of, "m" * LONGEST, [f"<title>{'m' * (LONGEST + 1)}</title>"]),
    Tells(is_problem_type, True, ["about:blank", "http://a", "https://a", "urn:x"]),
    Tells(is_problem_type, False, ["", "x", "about", "HTTP", "a http://b"]),
    Tells(problem_of, "A: B", [{"title": "A.", "detail": "B."}]),
    Tells(
        problem_of,
        "A",
        [
            {"title": "A"},
            {"detail": "A."},
            {"title": "A", "detail": ""},
            {"title": "A", "detail": 7},
        ],
    ),
    Tells(problem_of, "", [{}, None, ["title"], {"title": 7}]),
    Tells(
        hour_in,
        "x 10:00",
        [
            "<p>x 10:00</p>",
            "<p>a</p>x&#32;10:00<p>11:00</p>",
            "<style>9:00</style><script x>8:00</script>x  10:00",
        ],
    ),
    *(
        Tells(hour_in, f"at {hour}", [f"at {hour}"])
        for hour in ("9:00", "10.30", "10h00", "10 Uhr", "10Uhr", "9 am", "9pm", "9 p.m", "9 h")
    ),
    Tells(hour_in, "x 10:00", ["<STYLE>9:00</STYLE>x 10:00"]),
    *(Tells(hour_in, hour, [hour]) for hour in ("10 UHR", "9 AM", "10H00")),
    Tells(hour_in, "", ["", "123:00", "10:0", "9 x", "9 hours", " " * 10_000 + "<p>10:00</p>"]),
    Tells(hour_in, "10:00 " + "m" * (LONGEST - 6), ["10:00 " + "m" * LONGEST]),
    Tells(
        frame_in,
        "https://a/b?c=1&d=2",
        [
            '<frameset rows="*"><frame src="https://a/b?c=1&amp;d=2"></frameset>',
            "<FRAME noresize SRC='https://a/b?c=1&d=2'>",
            "<frame src=https://a/b?c=1&d=2>",
            '<meta http-equiv="refresh" content="0; url=https://a/b?c=1&amp;d=2">',
            "<META HTTP-EQUIV=Refresh CONTENT='5;URL=https://a/b?c=1&d=2'>",
        ],
    ),
    Tells(
        frame_in,
        "",
        [
            "",
            '<iframe src="https://ads.example.com/a"></iframe>',
            '<frame name="a">',
            '<meta http-equiv="refresh" content="30">',
            '<meta name="url" content="url=https://a">',
        ],
    ),
    Tells(
        is_login,
        True,
        [
            "<input type=password>",
            "<input type='Password'>",
            '<input type="password">',
            "<title>Log in</title>",
            "<title>Please login</title>",
            "<h1 x>Sign in</h1>",
            "<h1>Signin</h1>",
            "<title>Anmeldung</title>",
            "<title>Connexió</title>",
        ],
    ),
    Tells(
        is_login,
        False,
        [
            "",
            "<p>Log in</p>",
            "<title>A</title>Log in",
            "<h2>Log in</h2>",
            " " * 10_000 + "type=password",
        ],
    ),
    Tells(text_of, "a & b", ["<p>a</p> <style>x</style>&amp;<script>y</script> b", " a &amp; b "]),
    Tells(text_of, "", ["", "<p>", " " * 10_000 + "a"]),
    Tells(quoted_shortly, "'a b'", ["a b.", "a b...", "a\nb"]),
    Tells(quoted_shortly, "'ab … ghi'", ["abc def ghi"]),
    Tells(quoted_shortly, '"it\'s"', ["it's"]),
    Tells(unmarked_as_it_came, "a;b=1", ["a;b=1"]),
    Tells(as_it_came, "a\u204fb", ["a;b"]),
]


@pytest.mark.parametrize(
    ("tells", "value", "expected"),
    [(row.tells, value, row.expected) for row in TELLS for value in row.values],
    ids=[f"{row.tells.__name__} {value!r:.60}" for row in TELLS for value in row.values],
)
def test_what_a_function_of_words_tells(tells: Callable[..., Any], value: Any, expected: Any):
    assert tells(value) == expected


class Challenged(NamedTuple):
    """A challenge, the reason in it, and the description that stands beside a message."""

    challenge: str
    reason: str
    description: str
    scheme: str


CHALLENGED = [
    Challenged('Bearer ERROR = "x"', "x", "", "Bearer"),
    Challenged('Bearer error="x", error_description="d"', "d", "d", "Bearer"),
    Challenged('Bearer error_description = "d", scope = "s"', "d, scope s", "d, scope s", "Bearer"),
    Challenged('Bearer error="insufficient_x"', "insufficient_x", "insufficient_x", ""),
    Challenged("Bearer error=insufficient_x", "", "", ""),
    Challenged('Bearer my_error="insufficient"', "", "", "Bearer"),
    Challenged('Bearer scope="s"', "", "", "Bearer"),
    Challenged("BASIC", "", "", ""),
    Challenged("Basics", "", "", "Basics"),
    Challenged('Key,name="X-Key",name="Y"', "", "", "Key in the header X-Key"),
    Challenged('Key surname="X"', "", "", "Key"),
    Challenged("  ", "", "", ""),
]


@pytest.mark.parametrize("row", CHALLENGED, ids=[row.challenge for row in CHALLENGED])
def test_what_a_challenge_says(row: Challenged):
    headers = {"www-authenticate": row.challenge}
    assert reason_in_headers(headers) == row.reason
    assert description_in(headers) == row.description
    assert other_scheme(headers) == row.scheme


def test_a_reason_of_headers_stands_in_the_first_that_has_one():
    assert reason_in_headers({"x-error": "b", "x-error-message": " "}) == "b"
    assert reason_in_headers({"x-error": "b", "x-error-message": " a "}) == "a"
    assert reason_in_headers({"www-authenticate": 'B error="c"', "x-error": "b"}) == "c"
    assert reason_in_headers({"x-error": "m" * (LONGEST + 1)}) == "m" * LONGEST
    long = f'B error="{"m" * (LONGEST + 1)}"'
    assert reason_in_headers({"www-authenticate": long}) == "m" * LONGEST
