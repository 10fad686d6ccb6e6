"""What came of a request, by what it can settle; and how long a request without an answer waits."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from email.utils import formatdate
from typing import Any, NamedTuple

import pytest

from support.doctor_replies import error, reply, request_for
from support.doctor_service import Account, Call, about, examined_account, json_reply
from support.servers import Reply
from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.doctor import sending
from wes_provider.doctor.codes import CodeMember
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.probes import (
    Answer,
    Form,
    Keys,
    Kind,
    Probe,
    Question,
    identity_of,
    is_certificate,
    named_headers,
    names_header,
    same_reply,
    same_request,
    with_query,
)
from wes_provider.doctor.sending import no_answer, pause_before_next, resets_by_words

REQUEST = Request("list_coupon_files", "GET", "https://api.example.com/v1/l/files", {"A": "w"})
DATE = 1_800_000_000.0


def probe_of(status: int, body: bytes = b"", **headers: str) -> Probe:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    response = Response(status, named, body)
    return Probe(Question.LIST, REQUEST, response=response, sent_at=DATE)


class Reading(NamedTuple):
    """A response, and what it can settle."""

    status: int
    body: bytes
    kind: Kind
    form: Form
    headers: Mapping[str, str] = {}


READINGS = [
    Reading(200, b"[]", Kind.ANSWER, Form.JSON),
    Reading(200, b'{"data": []}', Kind.ANSWER, Form.JSON),
    Reading(200, b'[{"_id": "f", "error": "bad"}]', Kind.ANSWER, Form.JSON),
    Reading(200, b'{"_id": "f", "error": "bad"}', Kind.ANSWER, Form.JSON),
    Reading(200, b'{"error": {"code": "oops"}}', Kind.ANSWER, Form.JSON),
    Reading(200, b'{"error": {"code": "invalid-api-key"}}', Kind.REFUSED, Form.JSON),
    Reading(200, b"7", Kind.NOT_SERVICE, Form.JSON),
    Reading(200, b"OK", Kind.NOT_SERVICE, Form.TEXT),
    Reading(204, b"", Kind.ANSWER, Form.NONE),
    Reading(200, b"<html>", Kind.NOT_SERVICE, Form.PAGE),
    Reading(200, b"<error>Invalid API key</error>", Kind.REFUSED, Form.XML),
    Reading(404, b"<error>No route</error>", Kind.ANSWER, Form.XML),
    Reading(200, b"<?xml version='1.0'?><files/>", Kind.NOT_SERVICE, Form.XML),
    Reading(200, b"<?xml version='1.0'?><html/>", Kind.NOT_SERVICE, Form.PAGE),
    Reading(404, b"<html>", Kind.NOT_SERVICE, Form.PAGE),
    Reading(404, b"not found", Kind.ANSWER, Form.TEXT),
    Reading(404, b'{"error": {"code": "not-found"}}', Kind.ANSWER, Form.JSON),
    Reading(401, b"", Kind.REFUSED, Form.NONE),
    Reading(401, b"<html>", Kind.REFUSED, Form.PAGE),
    Reading(403, b'{"error": {"code": "request-unauthenticated"}}', Kind.REFUSED, Form.JSON),
    Reading(403, b'{"error": {"code": "INVALID_API_KEY"}}', Kind.REFUSED, Form.JSON),
    Reading(403, b'{"error": {"code": "request-forbidden"}}', Kind.ANSWER, Form.JSON),
    Reading(403, b"<html>", Kind.NOT_SERVICE, Form.PAGE),
    Reading(407, b"", Kind.NOT_SERVICE, Form.NONE),
    Reading(302, b"", Kind.ELSEWHERE, Form.NONE, {"location": "/login"}),
    Reading(304, b"", Kind.NOT_SERVICE, Form.NONE),
    Reading(408, b"", Kind.NOT_NOW, Form.NONE),
    Reading(429, b"{}", Kind.NOT_NOW, Form.JSON),
    Reading(500, b"{}", Kind.NOT_NOW, Form.JSON),
    Reading(503, b"<html>", Kind.NOT_NOW, Form.PAGE),
    Reading(0, b"", Kind.NOT_NOW, Form.NONE),
    Reading(200, "\ufeff[]".encode(), Kind.ANSWER, Form.JSON),
    Reading(200, b"[[[" * 10_000, Kind.NOT_SERVICE, Form.BROKEN),
    Reading(200, b'[{"_id": "f", "sta', Kind.NOT_SERVICE, Form.BROKEN),
]


@pytest.mark.parametrize(
    "row", READINGS, ids=[f"{row.status} {row.body[:50]!r}" for row in READINGS]
)
def test_what_a_response_can_settle(row: Reading):
    probe = probe_of(row.status, row.body, **row.headers)
    assert (probe.kind, probe.form) == (row.kind, row.form)


class Charset(NamedTuple):
    """A charset, and a body in it."""

    charset: str
    body: bytes


CHARSETS = [
    Charset("latin-1", "Müll".encode("latin-1")),
    Charset("utf-16", "Müll".encode("utf-16")),
    Charset("no-such-charset", "Müll".encode()),
    Charset("UTF-8", "Müll".encode()),
]


@pytest.mark.parametrize("row", CHARSETS, ids=[row.charset for row in CHARSETS])
def test_the_text_is_decoded_by_its_charset(row: Charset):
    assert (
        probe_of(404, row.body, content_type=f"text/plain; charset={row.charset}").message == "Müll"
    )


class NamedHeaders(NamedTuple):
    """An error's message, and the headers that it names."""

    message: str
    names: list[str]


NAMED_HEADERS = [
    NamedHeaders("Header X-Tenant is required", ["X-Tenant"]),
    NamedHeaders("missing header: Workspace", ["Workspace"]),
    NamedHeaders("Missing X-Tenant.", ["X-Tenant"]),
    NamedHeaders("The workspace is not well-known", []),
    NamedHeaders("header A is wrong", []),
    NamedHeaders("", []),
]


@pytest.mark.parametrize("row", NAMED_HEADERS, ids=[row.message for row in NAMED_HEADERS])
def test_the_headers_that_an_error_names_are_found(row: NamedHeaders):
    body = json.dumps(
        {"error": {"code": "request-unauthenticated", "message": row.message}}
    ).encode()
    assert named_headers(probe_of(401, body)) == row.names


class Pause(NamedTuple):
    """Responses to one request, and seconds until it is repeated; ``None`` if it is not."""

    name: str
    statuses: tuple[int, ...]
    headers: Mapping[str, str]
    seconds: float | None


PAUSES = [
    Pause("first 429", (429,), {}, 1.0),
    Pause("second 429", (429, 429), {}, 2.0),
    Pause("third 429", (429, 429, 429), {}, None),
    Pause("seconds", (429,), {"retry-after": "7"}, 7.0),
    Pause("no seconds", (429,), {"retry-after": "-7"}, 1.0),
    Pause("a date", (429,), {"retry-after": formatdate(DATE + 9, usegmt=True)}, 9.0),
    Pause("a past date", (429,), {"retry-after": formatdate(DATE - 9, usegmt=True)}, 0.0),
    Pause(
        "a date of another clock",
        (429,),
        {
            "retry-after": formatdate(DATE + 609, usegmt=True),
            "date": formatdate(DATE + 600, usegmt=True),
        },
        9.0,
    ),
    Pause("a window", (429,), {"x-ratelimit-reset": str(int(DATE) + 4)}, 5.0),
    Pause("an absurd window", (429,), {"x-ratelimit-reset": "99999999999"}, 1.0),
    Pause("a window in seconds", (429,), {"x-ratelimit-reset": "5"}, 5.0),
    Pause("a window in seconds that is too long", (429,), {"x-ratelimit-reset": "39600"}, 1.0),
    Pause("first 502", (502,), {}, 1.0),
    Pause("503 with seconds", (503,), {"retry-after": "5"}, 5.0),
    Pause("second 502", (502, 502), {}, None),
    Pause("first without response", (0,), {}, 1.0),
]


@pytest.mark.parametrize("row", PAUSES, ids=[row.name for row in PAUSES])
def test_a_request_without_an_answer_is_repeated_after_a_pause(row: Pause):
    probes = [probe_of(status, **row.headers) for status in row.statuses]
    assert pause_before_next(probes, DATE) == row.seconds


class Reset(NamedTuple):
    """A header, and what is said of when its limit resets."""

    header: Mapping[str, str]
    says: str


IN_A_DAY = " until 2027-01-16 08:00 UTC, in 1 day, as"
RESETS = [
    Reset(
        {"x-ratelimit-reset": "39600"},
        " for about 11 hours, if x-ratelimit-reset: 39600 means seconds",
    ),
    Reset({"ratelimit-reset": "90"}, " for about 90 seconds, if ratelimit-reset: 90 means seconds"),
    Reset({"ratelimit": '"day";r=0;t=172800'}, " for about 2 days, as ratelimit: t=172800 says"),
    Reset(
        {"x-quota-reset": "2027-01-16T08:00:00Z"},
        f"{IN_A_DAY} x-quota-reset: 2027-01-16T08:00:00Z says",
    ),
    Reset(
        {"x-quota-reset": "2027-01-16T09:00+01:00"},
        f"{IN_A_DAY} x-quota-reset: 2027-01-16T09:00+01:00 says",
    ),
    Reset(
        {"x-rate-limit-reset": formatdate(DATE + 86400, usegmt=True)},
        f"{IN_A_DAY} x-rate-limit-reset: Sat, 16 Jan 2027 08:00:00 GMT says",
    ),
    Reset(
        {"x-rate-limit-reset": str(int(DATE) + 86400)},
        f"{IN_A_DAY} x-rate-limit-reset: 1800086400 says",
    ),
    Reset(
        {"x-rate-limit-reset": f"{int(DATE) + 86400}000"},
        f"{IN_A_DAY} x-rate-limit-reset: 1800086400000 says",
    ),
    Reset({"x-ratelimit-reset": "soon"}, ""),
    Reset({"x-ratelimit-reset": "-5"}, ""),
    Reset({"x-ratelimit-reset": "0"}, ""),
    Reset({"x-ratelimit-reset": "nan"}, ""),
    Reset({"x-ratelimit-reset": "99999999"}, ""),
    Reset({"content-type": "text/plain"}, ""),
]


@pytest.mark.parametrize("row", RESETS, ids=[str(row.header) for row in RESETS])
def test_until_when_a_limit_lasts_is_said_as_its_header_may_mean_it(row: Reset):
    assert resets_by_words(probe_of(429, **row.header)) == row.says


def test_a_certificate_that_is_not_trusted_is_not_tried_again():
    probe = Probe(Question.LIST, REQUEST, problem="SSLCertVerificationError: self-signed")
    assert pause_before_next([probe], DATE) is None


@pytest.mark.parametrize(
    ("statuses", "text"),
    [
        ((429, 429, 429), "the service replied 429 to each of 3 requests"),
        ((503,), "the service replied 503 to the request"),
        ((0, 0), "none of 2 requests got a whole response (a reset)"),
        ((502, 0), "502, then nothing whole came to 2 requests"),
    ],
)
def test_why_there_is_no_answer(statuses: tuple[int, ...], text: str):
    probes = [replace(probe_of(status), problem="a reset") for status in statuses]
    assert no_answer(probes) == text


def test_a_slow_service_is_not_read_for_longer_than_the_bound(monkeypatch: pytest.MonkeyPatch):
    """What is left is not asked, and the row says that time was the reason."""
    monkeypatch.setattr(sending, "LONGEST", 3.0)

    def replies(_: Call) -> Reply | None:
        time.sleep(0.3)
        return None

    account = Account(replies)
    report = examined_account(account)
    assert len(account.calls) == report.reads < 6
    assert "because the doctor's 3 s ran out" in about(report, Topic.FILE_PATH).text
    assert about(report, Topic.FILE_PATH).certainty is Certainty.NOT_PROVED
    assert not report.works


def test_a_response_that_does_not_come_in_time_is_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sending, "LONGEST", 3.0)

    def replies(_: Call) -> Reply:
        time.sleep(2)
        return json_reply(200, [])

    report = examined_account(Account(replies))
    assert report.verdict.startswith("Not proved: Address. No response came in")


# -- all that is read of a reply -------------------------------------------------------------------


class Read(NamedTuple):
    """A reply, and what is read of it as an error."""

    name: str
    probe: Probe
    status: int
    code: str = ""
    message: str = ""
    success: bool = False


PROBLEM = {"type": "about:blank", "title": "No", "detail": "Never.", "status": 400}
READS = [
    Read("199", reply(199, []), 0),
    Read("200", reply(200, []), 0, success=True),
    Read("299", reply(299, []), 0, success=True),
    Read("300", reply(300, []), 0),
    Read("399", reply(399, []), 0),
    Read("400", reply(400, []), 400),
    Read("an error", reply(400, error("c", "m")), 400, "c", "m"),
    Read("an error in a success", reply(200, error("c", "m")), 0, "c", "m"),
    Read(
        "a status in a success", reply(200, {"error": {"code": 403, "message": "m"}}), 403, "", "m"
    ),
    Read("not found in a success", reply(200, error("c", "Not found")), 404, "c", "Not found"),
    Read(
        "a status that counts more than its words",
        reply(200, {"error": {"code": 403, "message": "Not found"}}),
        403,
        "",
        "Not found",
    ),
    Read("not found in another status", reply(400, error("c", "Not found")), 400, "c", "Not found"),
    Read(
        "the number of the status",
        reply(400, {"error": {"code": 400, "message": "m"}}),
        400,
        "",
        "m",
    ),
    Read(
        "the number of the status, with a word",
        reply(400, {"error": {"code": 400, "status": "BAD_ONE", "message": "m"}}),
        400,
        "BAD_ONE",
        "m",
    ),
    Read("another number", reply(400, {"error": {"code": 17, "message": "m"}}), 400, "17", "m"),
    Read(
        "the number of a status in the body",
        reply(400, {"error": {"code": 422, "message": "m"}}),
        400,
        "",
        "m",
    ),
    Read("problem details", reply(400, PROBLEM), 400, "", "No: Never"),
    Read(
        "a fault",
        reply(400, {"fault": {"faultstring": "m", "detail": {"errorcode": "c"}}}),
        400,
        "c",
        "m",
    ),
    Read("a page", reply(400, "<title>A</title>", {"x-error": "b"}), 400, "", "A"),
    Read("XML", reply(400, "<error><code>c</code><message>m</message></error>"), 400, "c", "m"),
    Read(
        "XML in a success",
        reply(200, "<error><code>c</code><message>m</message></error>"),
        0,
        "c",
        "m",
    ),
    Read("text", reply(400, "m"), 400, "", "m"),
    Read("nothing, and a header", reply(400, b"", {"x-error": "b"}), 400, "", "b"),
    Read("an empty object, and a header", reply(400, {}, {"x-error": "b"}), 400, "", "b"),
    Read("an empty array, and a header", reply(400, [], {"x-error": "b"}), 400, "", "b"),
    Read("a message, and a header", reply(400, error("c", "m"), {"x-error": "b"}), 400, "c", "m"),
    Read("what is no text", reply(400, b"\x00\x01"), 400),
    Read(
        "beside the message",
        reply(403, error("c", "m."), {"x-required-scope": "a"}),
        403,
        "c",
        "m; X-Required-Scope: a",
    ),
    Read(
        "beside no message",
        reply(403, b"", {"x-required-scope": "a"}),
        403,
        "",
        "X-Required-Scope: a",
    ),
    Read(
        "scopes, of which the key has none, of a 404",
        reply(404, error("c", "m"), {"x-accepted-oauth-scopes": "a", "x-oauth-scopes": ""}),
        404,
        "c",
        "m; X-Accepted-OAuth-Scopes: a; X-OAuth-Scopes: none",
    ),
    Read("a success with a header", reply(200, [], {"x-error": "b"}), 0, success=True),
    Read(
        "a known code",
        reply(200, {"rc": "7", "info": "m"}, codes=CodeMember("rc", frozenset("0"))),
        0,
        "7",
        "m",
    ),
    Read(
        "a fine code",
        reply(200, {"rc": "0", "info": "m"}, codes=CodeMember("rc", frozenset("0"))),
        0,
        success=True,
    ),
    Read(
        "a known code in an error",
        reply(400, {"rc": "7", "error": "m"}, codes=CodeMember("rc", frozenset("0"))),
        400,
        "",
        "m",
    ),
    Read(
        "a secret",
        reply(400, error("key", "a key"), clean=lambda text: text.replace("key", "***")),
        400,
        "***",
        "a ***",
    ),
]


@pytest.mark.parametrize("row", READS, ids=[row.name for row in READS])
def test_an_error_is_read(row: Read):
    probe = row.probe
    assert (probe.error_status, probe.code, probe.message, probe.success) == row[2:]


class Nothing(NamedTuple):
    """A reply, how it has nothing, and its media type."""

    name: str
    probe: Probe
    nothing: str
    is_unreadable: bool = False
    standard: str = ""


def typed(body: Any, content_type: str, status: int = 200) -> Probe:
    return reply(status, body, {"content-type": content_type})


NOTHINGS = [
    Nothing("no body", reply(200), "without a body"),
    Nothing("white space", reply(200, " \n"), "without a body"),
    Nothing("null", reply(200, " null "), "with null"),
    Nothing("null, of an error", reply(400, "null"), ""),
    Nothing("no body, of an error", reply(400), ""),
    Nothing("something", reply(200, "0"), ""),
    Nothing("no JSON", typed("x", " Application/JSON ; a=b"), "", True),
    Nothing("no JSON, of an error", typed("x", "application/json", 400), ""),
    Nothing("JSON that breaks off", typed("{", "application/json"), ""),
    Nothing("a page", typed("<html>", "application/json"), ""),
    Nothing("another type", typed("x", "text/jsonx"), ""),
    Nothing("another JSON", typed("x", "application/hal+json"), "", True),
    Nothing("compressed", typed(b"\x1f\x8b\x00", "text/plain"), "", True),
    Nothing("a picture", typed(b"\x89PNG", "image/png"), ""),
    Nothing("a picture as JSON", typed(b"\x89PNG", "application/json"), "", True),
    *(
        Nothing(
            name,
            typed("{}", f"application/{end}+json"),
            "",
            False,
            f"{name} (application/{end}+json)",
        )
        for name, end in (
            *(("JSON:API", "vnd.api"), ("HAL", "hal"), ("JSON-LD", "ld"), ("HAL", "vnd.hal")),
            *(("problem details", "problem"), ("Siren", "vnd.siren")),
            ("Collection+JSON", "vnd.collection"),
        )
    ),
    Nothing(
        "an own form",
        typed("{}", "application/vnd.own+json; v=1"),
        "",
        False,
        "(application/vnd.own+json)",
    ),
    Nothing("an own form without JSON", typed("<html>", "application/vnd.own+json"), ""),
    Nothing("plain JSON", typed("{}", "application/json"), ""),
]


@pytest.mark.parametrize("row", NOTHINGS, ids=[row.name for row in NOTHINGS])
def test_what_a_body_is_beside_its_form(row: Nothing):
    assert (row.probe.nothing, row.probe.is_unreadable_json, row.probe.standard) == row[2:]


class Lost(NamedTuple):
    """A reply, and whether it settles nothing, by its words, and because of a limit."""

    name: str
    probe: Probe
    kind: Kind
    is_lost: bool = True
    by_words: bool = False
    is_limit: bool = False


LOSTS = [
    *(Lost(str(status), reply(status), Kind.NOT_NOW) for status in (0, 408, 425, 499, 500, 599)),
    Lost("429", reply(429), Kind.NOT_NOW, True, False, True),
    *(
        Lost(str(status), reply(status), Kind.ANSWER, False)
        for status in (407 + 2, 424, 426, 428, 498)
    ),
    Lost("a quota", reply(403, error("", "Quota exceeded")), Kind.NOT_NOW, True, True, True),
    Lost(
        "a quota in a success",
        reply(200, error("", "Quota exceeded")),
        Kind.NOT_NOW,
        True,
        True,
        True,
    ),
    Lost(
        "a quota of a failure",
        reply(503, error("", "Quota exceeded")),
        Kind.NOT_NOW,
        is_limit=True,
    ),
    Lost(
        "a spike arrest of a failure",
        reply(500, error("policies.ratelimit.SpikeArrestViolation", "Allowed rate : 12pm")),
        Kind.NOT_NOW,
        is_limit=True,
    ),
    Lost("a failure alone", reply(500, error("", "Internal error")), Kind.NOT_NOW),
    Lost("a quota on the page of a failure", reply(503, "<title>Quota</title>"), Kind.NOT_NOW),
    Lost("a quota on a page", reply(403, "<title>Quota exceeded</title>"), Kind.NOT_SERVICE, False),
    Lost("a quota of a proxy", reply(407, error("", "Quota exceeded")), Kind.NOT_SERVICE, False),
    Lost("a maintenance", reply(403, error("", "Maintenance")), Kind.NOT_NOW, True, True),
    Lost("a machine", reply(403, error("", "IP not allowed")), Kind.KEPT_OUT, True, True),
    Lost("a machine, of a 401", reply(401, error("", "IP not allowed")), Kind.KEPT_OUT, True, True),
    Lost("a scope", reply(403, error("", "The scope is missing")), Kind.ANSWER, False),
    Lost("a key", reply(400, error("", "The key has expired")), Kind.REFUSED, False),
    Lost("credentials in a 400", reply(400, error("bad-api-key", "No.")), Kind.REFUSED, False),
    Lost("credentials in a 404", reply(404, error("bad-api-key", "No.")), Kind.ANSWER, False),
    Lost(
        "credentials in a message of a 403",
        reply(403, error("x", "Bad API key")),
        Kind.ANSWER,
        False,
    ),
    Lost(
        "credentials in a message of a 200",
        reply(200, error("x", "Bad API key")),
        Kind.REFUSED,
        False,
    ),
    Lost("401 in a 200", reply(200, {"error": {"code": 401}}), Kind.REFUSED, False),
    Lost("401 in a 201", reply(201, {"error": {"code": 401}}), Kind.ANSWER, False),
    Lost(
        "403 in a 200 about credentials",
        reply(200, {"error": {"code": 403, "message": "api key"}}),
        Kind.ANSWER,
        False,
    ),
    *(
        Lost(word, reply(403, error(word, "No.")), Kind.REFUSED, False)
        for word in (
            *("UNAUTHENTICATED", "unauthorized", "unauthorised", "not-authorized"),
            *("not_authorised", "bad-credential", "authentication-failed", "apiKey"),
            *("not-authenticated", "invalid_auth", "login-required", "not-logged-in"),
        )
    ),
]


@pytest.mark.parametrize("row", LOSTS, ids=[row.name for row in LOSTS])
def test_what_settles_nothing(row: Lost):
    probe = row.probe
    assert (probe.kind, probe.is_lost, probe.is_lost_by_words, probe.is_limit) == row[2:]


class Printed(NamedTuple):
    """A request and its reply, as people read both."""

    name: str
    probe: Probe
    says: str


LIST = "GET /v1/coupon-list/spring/files"
SENT = [
    Printed("no response", reply(0, problem="a reset"), f"{LIST} → a reset"),
    Printed("JSON", reply(200, []), f"{LIST} → 200, JSON"),
    Printed(
        "a standard",
        typed("{}", "application/hal+json"),
        f"{LIST} → 200, HAL (application/hal+json)",
    ),
    Printed("an error", reply(400, error("c", "m")), f"{LIST} → 400, JSON: c: m"),
    Printed(
        "an error in a success",
        reply(200, error("c", "m")),
        f"{LIST} → 200, JSON with an error: c: m",
    ),
    Printed(
        "a code in a success",
        reply(200, {"success": False, "code": 401}),
        f"{LIST} → 200, JSON with code 401",
    ),
    Printed(
        "a redirect",
        reply(302, b"", {"location": "/a?b=c"}),
        f"{LIST} → 302 to https://api.example.com/a, no body",
    ),
    Printed(
        "a location",
        reply(201, [], {"location": "https://u:p@x.com/a?b"}),
        f"{LIST} → 201, Location https://x.com/a, JSON",
    ),
    Printed("a made-up key", reply(401, keys=Keys.MADE_UP), f"{LIST} (made-up key) → 401, no body"),
    Printed("swapped keys", reply(401, keys=Keys.SWAPPED), f"{LIST} (swapped key) → 401, no body"),
    Printed("a query", reply(200, tried="/a?limit=5"), f"{LIST} (with limit=5) → 200, no body"),
    Printed(
        "a header",
        reply(401, question=Question.HEADER, tried="A B"),
        f"{LIST} (with A, B) → 401, no body",
    ),
    Printed(
        "50 characters",
        reply(401, question=Question.HEADER, tried="A" * 24 + " " + "B" * 24),
        f"{LIST} (with {'A' * 24}, {'B' * 24}) → 401, no body",
    ),
    Printed(
        "51 characters",
        reply(401, question=Question.HEADER, tried="A" * 24 + " " + "B" * 25),
        f"{LIST} (with 2 usual headers) → 401, no body",
    ),
    Printed(
        "a value",
        reply(401, question=Question.HEADER_VALUE, tried="A"),
        f"{LIST} (with a made-up value in A) → 401, no body",
    ),
    Printed(
        "besides",
        reply(401, question=Question.HEADER_BESIDES, tried="A"),
        f"{LIST} (with A, too) → 401, no body",
    ),
    Printed(
        "a cookie",
        reply(401, question=Question.COOKIE, tried="A"),
        f"{LIST} (with the cookie A) → 401, no body",
    ),
    Printed(
        "a header that is none", reply(401, question=Question.HEADER), f"{LIST} → 401, no body"
    ),
    Printed(
        "a path", reply(401, question=Question.LIST_PATH, tried="/a"), f"{LIST} → 401, no body"
    ),
]


@pytest.mark.parametrize("row", SENT, ids=[row.name for row in SENT])
def test_a_request_and_its_reply_in_one_line(row: Printed):
    assert str(row.probe) == row.says


def test_when_and_what_was_sent():
    probe = reply(401, keys=Keys.MADE_UP)
    assert probe.time == "08:00:00"
    assert probe.path == "/v1/coupon-list/spring/files"
    assert same_request(probe, reply(500, question=Question.AGAIN, keys=Keys.MADE_UP))
    assert not same_request(probe, reply(401))
    assert identity_of(probe.request, Keys.MADE_UP) == probe.identity
    other = probe.request._replace(headers={**probe.request.headers, "X-A": "b"})
    assert identity_of(other, Keys.MADE_UP) != probe.identity
    assert with_query("/a", "") == "/a"
    assert with_query("/a", "b=c") == "/a (with b=c)"
    assert is_certificate(reply(0, problem="SSLCertVerificationError: x"))
    assert not is_certificate(reply(0, problem="SSLError: x"))


class Same(NamedTuple):
    """Two bodies, and whether the replies are the same but for what they repeat."""

    first: str | bytes
    second: str | bytes
    same: bool
    status: int = 404


SAMES = [
    Same("", "", True),
    Same("a", "b", False),
    Same("a", "a", False, 403),
    Same("a", "<a>", False),
    Same("no /v1/coupon-list/spring/files", "no /v1/wes-doctor/spring", True),
    Same("no coupon-list", "no wes-doctor", True),
    Same("no spring, files no", "no spring,  no", True),
    Same("v1 or x", "v1 or y", False),
    Same("at 10:00:01, request a-1b", "at 10:00:02, request c-2d", True),
    Same("x" * 2000 + "a", "x" * 2000 + "b", True),
    Same("x" * 1999 + "a", "x" * 1999 + "b", False),
    Same(b"\x00\x01", b"\x00\x02", False),
    Same(b"\x00\x01", b"\x00\x01", True),
]


@pytest.mark.parametrize(
    "row", SAMES, ids=[f"{row.first!r:.30} {row.second!r:.30}" for row in SAMES]
)
def test_two_replies_are_the_same(row: Same):
    other = request_for(Question.NO_SUCH_PATH)
    assert (
        same_reply(reply(404, row.first), reply(row.status, row.second, request=other)) is row.same
    )


class Told(NamedTuple):
    """A reply, and what tells it from others."""

    probe: Probe
    answer: Answer
    says: str


TOLD = [
    Told(reply(200, []), Answer(Kind.ANSWER, 200, ""), "200"),
    Told(reply(400, error("c", "m")), Answer(Kind.ANSWER, 400, "c"), "400 c"),
    Told(reply(400, error("c" * 61, "m")), Answer(Kind.ANSWER, 400, "c" * 60), f"400 {'c' * 60}"),
    Told(
        reply(200, {"success": False}),
        Answer(Kind.ANSWER, 200, "with an error"),
        "200 with an error",
    ),
    Told(reply(403, "<p>"), Answer(Kind.NOT_SERVICE, 403, ""), "403 that is not the service's"),
]


@pytest.mark.parametrize("row", TOLD, ids=[row.says for row in TOLD])
def test_what_tells_a_reply_from_others(row: Told):
    assert row.probe.answer == row.answer
    assert str(row.probe.answer) == row.says


class Documented(NamedTuple):
    """A reply, and whether it is an error as the contract shows it."""

    name: str
    probe: Probe
    is_documented: bool


DOCUMENTED = [
    Documented("an error", reply(400, error("c", "m")), True),
    Documented("empty strings", reply(400, error("", "")), True),
    Documented("a success", reply(399, error("c", "m")), False),
    Documented("no object", reply(400, {"error": "c"}), False),
    Documented("an array", reply(400, [error("c", "m")]), False),
    Documented("a number", reply(400, {"error": {"code": 1, "message": "m"}}), False),
    Documented("no message", reply(400, {"error": {"code": "c"}}), False),
]


@pytest.mark.parametrize("row", DOCUMENTED, ids=[row.name for row in DOCUMENTED])
def test_an_error_is_as_the_contract_shows_it(row: Documented):
    assert row.probe.is_documented_error is row.is_documented


MORE_NAMES = [
    ("Header A-B, header C-D, X-E, X-F", 401, ["A-B", "C-D", "X-E"]),
    ("X-B and A-C", 400, ["X-B"]),
    ("x-b", 400, ["x-b"]),
    ("header: 'Tenant", 400, ["Tenant"]),
    ("Header X-Own of the reply", 400, []),
    ("Header Accept-Encoding", 400, []),
    ("header accept-encoding", 400, ["accept-encoding"]),
    ("Header Authorization", 400, []),
    ("X-B, X-B", 400, ["X-B"]),
    ("X-B", 503, []),
]


@pytest.mark.parametrize(
    ("message", "status", "names"), MORE_NAMES, ids=[row[0] for row in MORE_NAMES]
)
def test_the_names_of_headers_in_a_message(message: str, status: int, names: list[str]):
    assert named_headers(reply(status, error("", message), {"x-own": "1"})) == names


def test_whether_a_message_names_a_header():
    assert names_header(reply(400, error("", "Bad x-b.")), "X-B")
    assert not names_header(reply(400, error("", "Bad x-b.")), "X-C")
    assert not names_header(reply(200, []), "")
    assert names_header(reply(400), "")


@pytest.mark.parametrize(
    ("probe", "names"),
    [
        (reply(401, error("key-expired", "No.")), True),
        (reply(401, error("x", "Expired.")), True),
        (reply(403, error("x", "Role expired.")), False),
        (reply(401), False),
    ],
    ids=["a code", "a message", "no refusal", "no words"],
)
def test_a_refusal_may_name_a_reason(probe: Probe, names: bool):
    assert probe.names_a_reason is names
