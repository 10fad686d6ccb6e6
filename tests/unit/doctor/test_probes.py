"""What came of a request, by what it can settle; and how long a request without an answer waits."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from email.utils import formatdate
from typing import NamedTuple

import pytest

from support.doctor_service import Account, Call, about, examined_account, json_reply
from support.servers import Reply
from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.doctor import sending
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.probes import Form, Kind, Probe, Question, named_headers
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


RESETS = [
    Reset({"x-ratelimit-reset": "39600"}, " for about 11 hours, if x-ratelimit-reset: 39600 means"),
    Reset({"ratelimit-reset": "90"}, " for about 90 seconds, if ratelimit-reset: 90 means seconds"),
    Reset({"ratelimit": '"day";r=0;t=172800'}, " for about 2 days, as ratelimit: t=172800 says"),
    Reset(
        {"x-quota-reset": "2027-01-16T08:00:00Z"}, " until 2027-01-16 08:00 UTC, in 1 day, as x-quo"
    ),
    Reset(
        {"x-quota-reset": "2027-01-16T09:00+01:00"}, " until 2027-01-16 08:00 UTC, in 1 day, as x-"
    ),
    Reset({"x-rate-limit-reset": formatdate(DATE + 86400, usegmt=True)}, " until 2027-01-16 08:00"),
    Reset({"x-rate-limit-reset": str(int(DATE) + 86400)}, " until 2027-01-16 08:00 UTC, in 1 day"),
    Reset(
        {"x-rate-limit-reset": f"{int(DATE) + 86400}000"}, " until 2027-01-16 08:00 UTC, in 1 day"
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
    said = resets_by_words(probe_of(429, **row.header))
    assert said.startswith(row.says)
    assert bool(said) is bool(row.says)


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
