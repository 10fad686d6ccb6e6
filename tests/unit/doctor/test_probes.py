"""
What is read of the reply to one request: what it can settle, its error, whether another reply is
the same; and how long a request without an answer waits before it is repeated.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
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


class Body(NamedTuple):
    """The body of a 200, and its form."""

    name: str
    body: bytes
    form: Form


FORMS = [
    Body("an array", b"[]", Form.JSON),
    Body("an array after a mark of the order of bytes", "\ufeff[]".encode(), Form.JSON),
    Body("an object", b'{"data": []}', Form.JSON),
    Body("a number", b"7", Form.JSON),
    Body("null", b"null", Form.JSON),
    Body("JSON that breaks off", b'[{"_id": "f", "sta', Form.BROKEN),
    Body("JSON that is too deep", b"[[[" * 10_000, Form.BROKEN),
    Body("a tag", b"<html>", Form.PAGE),
    Body("a page after an XML declaration", b"<?xml version='1.0'?><html/>", Form.PAGE),
    Body("another element after an XML declaration", b"<?xml version='1.0'?><files/>", Form.XML),
    Body("an XML error", b"<error>No route</error>", Form.XML),
    Body("words", b"OK", Form.TEXT),
    Body("control characters", b"\x00\x01", Form.BINARY),
    Body("gzip", b"\x1f\x8b\x00", Form.BINARY),
    Body("nothing", b"", Form.NONE),
    Body("white space", b" \n", Form.NONE),
]


@pytest.mark.parametrize("row", FORMS, ids=[row.name for row in FORMS])
def test_the_form_of_a_body(row: Body):
    assert probe_of(200, row.body).form == row.form


class Reading(NamedTuple):
    """A response, and what it can settle."""

    name: str
    status: int
    body: bytes
    kind: Kind
    headers: Mapping[str, str] = {}


SUCCESSES = [
    Reading("an array", 200, b"[]", Kind.ANSWER),
    Reading("an object", 200, b'{"data": []}', Kind.ANSWER),
    Reading("a file of an array that has an error", 200, b'[{"error": "bad"}]', Kind.ANSWER),
    Reading("a file that has an error", 200, b'{"_id": "f", "error": "bad"}', Kind.ANSWER),
    Reading("an error", 200, b'{"error": {"code": "oops"}}', Kind.ANSWER),
    Reading(
        "an error about credentials",
        200,
        b'{"error": {"code": "invalid-api-key"}}',
        Kind.REFUSED,
    ),
    Reading("an XML error about credentials", 200, b"<error>Invalid API key</error>", Kind.REFUSED),
    Reading("no body, of a 200", 200, b"", Kind.ANSWER),
    Reading("no body, of a 204", 204, b"", Kind.ANSWER),
    Reading("null", 200, b"null", Kind.ANSWER),
    Reading("a number", 200, b"7", Kind.NOT_SERVICE),
    Reading("text", 200, b"OK", Kind.NOT_SERVICE),
    Reading("a page", 200, b"<html>", Kind.NOT_SERVICE),
    Reading("XML that is no error", 200, b"<?xml version='1.0'?><files/>", Kind.NOT_SERVICE),
    Reading("binary", 200, b"\x00\x01", Kind.NOT_SERVICE),
    Reading("JSON that is too deep", 200, b"[[[" * 10_000, Kind.NOT_SERVICE),
    Reading("JSON that breaks off", 200, b'[{"_id": "f", "sta', Kind.NOT_SERVICE),
]


@pytest.mark.parametrize("row", SUCCESSES, ids=[row.name for row in SUCCESSES])
def test_a_2xx_settles_what_its_body_says(row: Reading):
    assert probe_of(row.status, row.body).kind == row.kind


OTHERS = [
    Reading("302 with a location", 302, b"", Kind.ELSEWHERE, {"location": "/login"}),
    Reading("302 without a location", 302, b"", Kind.NOT_SERVICE),
    Reading("304", 304, b"", Kind.NOT_SERVICE),
    Reading("400 with no words", 400, b"{}", Kind.ANSWER),
    Reading("401 without a body", 401, b"", Kind.REFUSED),
    Reading("401 with a page", 401, b"<html>", Kind.REFUSED),
    Reading("403 with JSON", 403, b'{"error": {"code": "request-forbidden"}}', Kind.ANSWER),
    Reading("403 with a page", 403, b"<html>", Kind.NOT_SERVICE),
    Reading("404 with JSON", 404, b'{"error": {"code": "not-found"}}', Kind.ANSWER),
    Reading("404 with an XML error", 404, b"<error>No route</error>", Kind.ANSWER),
    Reading("404 with other XML", 404, b"<?xml version='1.0'?><files/>", Kind.NOT_SERVICE),
    Reading("404 with text", 404, b"not found", Kind.ANSWER),
    Reading("404 with binary", 404, b"\x00\x01", Kind.ANSWER),
    Reading("404 with a page", 404, b"<html>", Kind.NOT_SERVICE),
    Reading("407", 407, b"", Kind.NOT_SERVICE),
    Reading("429 with JSON", 429, b"{}", Kind.NOT_NOW),
    Reading("503 with a page", 503, b"<html>", Kind.NOT_NOW),
    *(Reading(str(status), status, b"", Kind.ANSWER) for status in (409, 424, 426, 428, 498)),
    *(Reading(str(status), status, b"", Kind.NOT_NOW) for status in (408, 425, 429, 499)),
    *(Reading(str(status), status, b"", Kind.NOT_NOW) for status in (500, 599)),
    Reading("no response", 0, b"", Kind.NOT_NOW),
]


@pytest.mark.parametrize("row", OTHERS, ids=[row.name for row in OTHERS])
def test_a_response_that_is_no_2xx_settles_what_its_status_says_unless_it_is_a_page(row: Reading):
    """Of a 401, a 429 and a 5xx, the status counts though it is a page."""
    assert probe_of(row.status, row.body, **row.headers).kind == row.kind


class Charset(NamedTuple):
    """A charset, and a body in it."""

    charset: str
    body: bytes


CHARSETS = [
    Charset("latin-1", b"M\xfcll"),
    Charset("utf-16", b"\xff\xfeM\x00\xfc\x00l\x00l\x00"),
    Charset("UTF-8", b"M\xc3\xbcll"),
    Charset("no-such-charset", b"M\xc3\xbcll"),
]


@pytest.mark.parametrize("row", CHARSETS, ids=[row.charset for row in CHARSETS])
def test_the_text_is_decoded_by_its_charset_or_as_utf_8_if_that_is_unknown(row: Charset):
    media = f"text/plain; charset={row.charset}"
    assert probe_of(404, row.body, content_type=media).message == "Müll"


class Repeated(NamedTuple):
    """Statuses of one request without such headers, and seconds until it is sent again."""

    name: str
    statuses: tuple[int, ...]
    seconds: float | None


REPEATED = [
    Repeated("first 429", (429,), 1.0),
    Repeated("second 429", (429, 429), 2.0),
    Repeated("third 429", (429, 429, 429), None),
    Repeated("first 502", (502,), 1.0),
    Repeated("second 502", (502, 502), None),
    Repeated("first without a response", (0,), 1.0),
    Repeated("second without a response", (0, 0), None),
]


@pytest.mark.parametrize("row", REPEATED, ids=[row.name for row in REPEATED])
def test_a_429_is_repeated_twice_and_another_request_without_an_answer_once(row: Repeated):
    probes = [probe_of(status) for status in row.statuses]
    assert pause_before_next(probes, DATE) == row.seconds


class Pause(NamedTuple):
    """Headers of a first reply, and seconds until its request is sent again."""

    name: str
    headers: Mapping[str, str]
    seconds: float


PAUSES = [
    Pause("Retry-After with seconds", {"retry-after": "7"}, 7.0),
    Pause("Retry-After with a date", {"retry-after": formatdate(DATE + 9, usegmt=True)}, 9.0),
    Pause("Retry-After in the past", {"retry-after": formatdate(DATE - 9, usegmt=True)}, 0.0),
    Pause(
        "Retry-After by a clock that is ten minutes ahead, as Date says",
        {
            "retry-after": formatdate(DATE + 609, usegmt=True),
            "date": formatdate(DATE + 600, usegmt=True),
        },
        9.0,
    ),
    Pause("a reset as a time, after which a second more", {"x-ratelimit-reset": "1800000004"}, 5.0),
    Pause("a reset in seconds", {"x-ratelimit-reset": "5"}, 5.0),
]


@pytest.mark.parametrize("row", PAUSES, ids=[row.name for row in PAUSES])
def test_a_429_is_repeated_when_its_headers_say(row: Pause):
    assert pause_before_next([probe_of(429, **row.headers)], DATE) == row.seconds


SENSELESS = [
    Pause("Retry-After below zero", {"retry-after": "-7"}, 1.0),
    Pause("a reset as a time that is too far away", {"x-ratelimit-reset": "99999999999"}, 1.0),
    Pause("a reset in more than 60 seconds", {"x-ratelimit-reset": "61"}, 1.0),
]


@pytest.mark.parametrize("row", SENSELESS, ids=[row.name for row in SENSELESS])
def test_a_429_whose_headers_make_no_sense_is_repeated_as_one_without(row: Pause):
    assert pause_before_next([probe_of(429, **row.headers)], DATE) == row.seconds


def test_a_503_is_repeated_when_its_retry_after_says():
    assert pause_before_next([probe_of(503, retry_after="5")], DATE) == 5.0


def test_a_503_is_repeated_after_a_second_if_its_retry_after_is_shorter():
    assert pause_before_next([probe_of(503, retry_after="0")], DATE) == 1.0


def test_a_request_to_what_has_a_certificate_that_is_not_trusted_is_not_repeated():
    probe = Probe(Question.LIST, REQUEST, problem="SSLCertVerificationError: self-signed")
    assert pause_before_next([probe], DATE) is None


class Reset(NamedTuple):
    """A header of a 429, and what is said of when its limit resets."""

    header: Mapping[str, str]
    says: str


IN_SECONDS = [
    Reset(
        {"x-ratelimit-reset": "39600"},
        " for about 11 hours, if x-ratelimit-reset: 39600 means seconds",
    ),
    Reset({"ratelimit-reset": "90"}, " for about 90 seconds, if ratelimit-reset: 90 means seconds"),
    Reset(
        {"x-ratelimit-reset": "34560000"},
        " for about 400 days, if x-ratelimit-reset: 34560000 means seconds",
    ),
    Reset({"x-ratelimit-reset": "34560001"}, ""),
    Reset({"x-ratelimit-reset": "0"}, ""),
    Reset({"x-ratelimit-reset": "-5"}, ""),
    Reset({"x-ratelimit-reset": "nan"}, ""),
]


@pytest.mark.parametrize("row", IN_SECONDS, ids=[str(row.header) for row in IN_SECONDS])
def test_a_number_below_a_billion_may_be_seconds_up_to_400_days(row: Reset):
    assert resets_by_words(probe_of(429, **row.header)) == row.says


IN_A_DAY = " until 2027-01-16 08:00 UTC, in 1 day, as"
AS_A_TIME = [
    Reset(
        {"x-quota-reset": "2027-01-15T09:00:00Z"},
        " until 2027-01-15 09:00 UTC, as x-quota-reset: 2027-01-15T09:00:00Z says",
    ),
    Reset(
        {"x-quota-reset": "2027-01-16T08:00:00Z"},
        f"{IN_A_DAY} x-quota-reset: 2027-01-16T08:00:00Z says",
    ),
    Reset(
        {"x-quota-reset": "2027-01-16T09:00+01:00"},
        f"{IN_A_DAY} x-quota-reset: 2027-01-16T09:00+01:00 says",
    ),
    Reset(
        {"x-rate-limit-reset": "Sat, 16 Jan 2027 08:00:00 GMT"},
        f"{IN_A_DAY} x-rate-limit-reset: Sat, 16 Jan 2027 08:00:00 GMT says",
    ),
    Reset({"x-rate-limit-reset": "1800086400"}, f"{IN_A_DAY} x-rate-limit-reset: 1800086400 says"),
    Reset(
        {"x-rate-limit-reset": "1800086400000"},
        f"{IN_A_DAY} x-rate-limit-reset: 1800086400000 says",
    ),
    Reset(
        {"x-quota-reset": "2028-02-19T08:00:00Z"},
        " until 2028-02-19 08:00 UTC, in 400 days, as x-quota-reset: 2028-02-19T08:00:00Z says",
    ),
    Reset({"x-quota-reset": "2028-02-19T08:00:01Z"}, ""),
    Reset({"x-quota-reset": "2027-01-15T07:59:59Z"}, ""),
]


@pytest.mark.parametrize("row", AS_A_TIME, ids=[str(row.header) for row in AS_A_TIME])
def test_a_date_or_a_time_since_1970_is_said_up_to_400_days_ahead(row: Reset):
    """The reply is of 2027-01-15 08:00:00 UTC."""
    assert resets_by_words(probe_of(429, **row.header)) == row.says


def test_seconds_in_the_header_ratelimit_are_said_without_an_if():
    probe = probe_of(429, ratelimit='"day";r=0;t=172800')
    assert resets_by_words(probe) == " for about 2 days, as ratelimit: t=172800 says"


def test_a_reset_that_is_no_number_and_no_date_is_not_said():
    assert resets_by_words(probe_of(429, x_ratelimit_reset="soon")) == ""


def test_nothing_is_said_of_a_reset_without_such_a_header():
    assert resets_by_words(probe_of(429, content_type="text/plain")) == ""


class NoAnswer(NamedTuple):
    """Statuses of one request, and why it got no answer."""

    statuses: tuple[int, ...]
    text: str


NO_ANSWERS = [
    NoAnswer((429, 429, 429), "the service replied 429 to each of 3 requests"),
    NoAnswer((503,), "the service replied 503 to the request"),
    NoAnswer((0, 0), "none of 2 requests got a whole response (a reset)"),
    NoAnswer((0,), "the request got no whole response (a reset)"),
    NoAnswer((502, 0), "502, then nothing whole came to 2 requests"),
]


@pytest.mark.parametrize("row", NO_ANSWERS, ids=[str(row.statuses) for row in NO_ANSWERS])
def test_why_there_is_no_answer(row: NoAnswer):
    probes = [replace(probe_of(status), problem="a reset") for status in row.statuses]
    assert no_answer(probes) == row.text


def test_no_read_is_begun_in_the_last_two_seconds_and_its_row_says_that_the_time_ran_out(
    monkeypatch: pytest.MonkeyPatch,
):
    """Of three seconds here, replies take 0.3 s each, so that the fifth read is not begun."""
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


def test_a_response_that_takes_more_than_a_third_of_the_time_left_is_none(
    monkeypatch: pytest.MonkeyPatch,
):
    """Of three seconds here, the first one takes two, less than ``read_timeout``."""
    monkeypatch.setattr(sending, "LONGEST", 3.0)

    def replies(_: Call) -> Reply:
        time.sleep(2)
        return json_reply(200, [])

    report = examined_account(Account(replies))
    assert report.verdict.startswith(
        "Not proved: Address. No response came in 1 s, less than read_timeout."
    )


# -- all that is read of a reply -------------------------------------------------------------------


def coded(code: Any, message: str = "m", **more: Any) -> dict[str, Any]:
    """An error as the contract shows it, with any code, and with more members."""
    return {"error": {"code": code, "message": message, **more}}


class Success(NamedTuple):
    """A reply, and whether it is a success."""

    name: str
    probe: Probe
    is_success: bool


RC = CodeMember("rc", frozenset("0"))
"""The member ``rc`` is a code, of an error if it is not 0."""
SUCCESS = [
    Success("199", reply(199, []), False),
    Success("200", reply(200, []), True),
    Success("299", reply(299, []), True),
    Success("300", reply(300, []), False),
    Success("200 with an error", reply(200, error("c", "m")), False),
    Success("200 with an XML error", reply(200, "<error><code>c</code></error>"), False),
    Success("200 with a header about an error", reply(200, [], {"x-error": "b"}), True),
    Success("200 with a member that is no known code", reply(200, {"rc": "7"}), True),
    Success("200 with a known code of an error", reply(200, {"rc": "7"}, codes=RC), False),
    Success("200 with a known code of none", reply(200, {"rc": "0"}, codes=RC), True),
]


@pytest.mark.parametrize("row", SUCCESS, ids=[row.name for row in SUCCESS])
def test_a_2xx_whose_body_is_no_error_is_a_success(row: Success):
    assert row.probe.success is row.is_success


class ErrorStatus(NamedTuple):
    """A reply, and the status of its error; 0 for none, or for one that is unknown."""

    name: str
    probe: Probe
    status: int


ERROR_STATUSES = [
    ErrorStatus("399", reply(399, []), 0),
    ErrorStatus("400", reply(400, []), 400),
    ErrorStatus("400 with a body that says 422", reply(400, coded(422)), 400),
    ErrorStatus("400 with words for not found", reply(400, error("c", "Not found")), 400),
    ErrorStatus("200 without an error", reply(200, []), 0),
    ErrorStatus("200 with an error without a status", reply(200, error("c", "m")), 0),
    ErrorStatus("200 with a body that says 403", reply(200, coded(403)), 403),
    ErrorStatus("200 with words for not found", reply(200, error("c", "Not found")), 404),
    ErrorStatus(
        "200 with a body that says 403, and words for not found",
        reply(200, coded(403, "Not found")),
        403,
    ),
]


@pytest.mark.parametrize("row", ERROR_STATUSES, ids=[row.name for row in ERROR_STATUSES])
def test_the_status_of_an_error_is_that_of_the_response_or_in_the_body_of_a_2xx(row: ErrorStatus):
    assert row.probe.error_status == row.status


class Code(NamedTuple):
    """A reply, and the code of its error."""

    name: str
    probe: Probe
    code: str


CODES = [
    Code("a word", reply(400, coded("c")), "c"),
    Code("a word in a 200", reply(200, coded("c")), "c"),
    Code("a number that is no status of an error", reply(400, coded(17)), "17"),
    Code("the number of the response's status", reply(400, coded(400)), ""),
    Code(
        "the number of another status, which is taken for the error's", reply(400, coded(422)), ""
    ),
    Code("the number of a status in a 200", reply(200, coded(403)), ""),
    Code(
        "the number of the status, beside a word",
        reply(400, coded(400, status="BAD_ONE")),
        "BAD_ONE",
    ),
    Code(
        "an errorcode in a fault",
        reply(400, {"fault": {"faultstring": "m", "detail": {"errorcode": "c"}}}),
        "c",
    ),
    Code("an element of XML", reply(400, "<error><code>c</code></error>"), "c"),
    Code("a known member of a 200", reply(200, {"rc": "7"}, codes=RC), "7"),
    Code(
        "a known member of a 400, where it is none",
        reply(400, {"rc": "7", "error": "m"}, codes=RC),
        "",
    ),
]


@pytest.mark.parametrize("row", CODES, ids=[row.name for row in CODES])
def test_the_code_of_an_error_is_its_word_or_a_number_that_is_no_status(row: Code):
    assert row.probe.code == row.code


class Message(NamedTuple):
    """A reply, and the message of its error."""

    name: str
    probe: Probe
    message: str


PROBLEM = {"type": "about:blank", "title": "No", "detail": "Never.", "status": 400}
SCOPE = {"x-required-scope": "a"}
MESSAGES = [
    Message("an error", reply(400, error("c", "m")), "m"),
    Message("an error in a 200", reply(200, error("c", "m")), "m"),
    Message("title and detail of problem details", reply(400, PROBLEM), "No: Never"),
    Message("a faultstring", reply(400, {"fault": {"faultstring": "m"}}), "m"),
    Message(
        "a page's title, whatever a header says",
        reply(400, "<title>A</title>", {"x-error": "b"}),
        "A",
    ),
    Message("an element of XML", reply(400, "<error><message>m</message></error>"), "m"),
    Message("text", reply(400, "m"), "m"),
    Message("binary", reply(400, b"\x00\x01"), ""),
    Message("what stands beside a known code", reply(200, {"rc": "7", "info": "m"}, codes=RC), "m"),
    Message("a header, without a body", reply(400, b"", {"x-error": "b"}), "b"),
    Message("a header, with an empty object", reply(400, {}, {"x-error": "b"}), "b"),
    Message("a header, with an empty array", reply(400, [], {"x-error": "b"}), "b"),
    Message(
        "a message, whatever a header says", reply(400, error("c", "m"), {"x-error": "b"}), "m"
    ),
    Message("a header of a success", reply(200, [], {"x-error": "b"}), ""),
    Message(
        "a scope behind a message", reply(403, error("c", "m."), SCOPE), "m; X-Required-Scope: a"
    ),
    Message("a scope alone", reply(403, b"", SCOPE), "X-Required-Scope: a"),
    Message(
        "of a 404, a scope and that the key has none",
        reply(404, error("c", "m"), {"x-accepted-oauth-scopes": "a", "x-oauth-scopes": ""}),
        "m; X-Accepted-OAuth-Scopes: a; X-OAuth-Scopes: none",
    ),
]


@pytest.mark.parametrize("row", MESSAGES, ids=[row.name for row in MESSAGES])
def test_the_message_of_an_error_is_in_its_body_or_else_in_a_header(row: Message):
    assert row.probe.message == row.message


def test_code_and_message_of_an_error_have_no_secrets():
    probe = reply(400, error("key", "a key"), clean=lambda text: text.replace("key", "***"))
    assert (probe.code, probe.message) == ("***", "a ***")


class Nothing(NamedTuple):
    """A reply, and how it has nothing; empty if it has something."""

    name: str
    probe: Probe
    nothing: str


NOTHINGS = [
    Nothing("no body", reply(200), "without a body"),
    Nothing("white space", reply(200, " \n"), "without a body"),
    Nothing("null", reply(200, " null "), "with null"),
    Nothing("a number", reply(200, "0"), ""),
    Nothing("null, of an error", reply(400, "null"), ""),
    Nothing("no body, of an error", reply(400), ""),
]


@pytest.mark.parametrize("row", NOTHINGS, ids=[row.name for row in NOTHINGS])
def test_a_2xx_has_nothing_if_it_has_no_body_or_null(row: Nothing):
    assert row.probe.nothing == row.nothing


def typed(body: Any, content_type: str, status: int = 200) -> Probe:
    """A reply, by default a success, whose header says what its body is."""
    return reply(status, body, {"content-type": content_type})


class Unreadable(NamedTuple):
    """A reply, and whether it should be JSON and is none."""

    name: str
    probe: Probe
    is_unreadable: bool


UNREADABLE = [
    Unreadable("text called JSON", typed("x", " Application/JSON ; a=b"), True),
    Unreadable("text called another JSON", typed("x", "application/hal+json"), True),
    Unreadable("a picture called JSON", typed(b"\x89PNG", "application/json"), True),
    Unreadable("gzip called text", typed(b"\x1f\x8b\x00", "text/plain"), True),
    Unreadable("a picture called a picture", typed(b"\x89PNG", "image/png"), False),
    Unreadable("text of a type that begins as JSON", typed("x", "text/jsonx"), False),
    Unreadable("JSON called JSON", typed("{}", "application/json"), False),
    Unreadable("no body called JSON", typed("", "application/json"), False),
    Unreadable("JSON that breaks off called JSON", typed("{", "application/json"), False),
    Unreadable("a page called JSON", typed("<html>", "application/json"), False),
    Unreadable("text called JSON, of an error", typed("x", "application/json", 400), False),
]


@pytest.mark.parametrize("row", UNREADABLE, ids=[row.name for row in UNREADABLE])
def test_text_or_binary_that_a_2xx_calls_json_or_has_compressed_is_unreadable(row: Unreadable):
    assert row.probe.is_unreadable_json is row.is_unreadable


class Standard(NamedTuple):
    """The media type of JSON, and how it is said."""

    media_type: str
    says: str


STANDARDS = [
    Standard("application/vnd.api+json", "JSON:API (application/vnd.api+json)"),
    Standard("application/hal+json", "HAL (application/hal+json)"),
    Standard("application/vnd.hal+json", "HAL (application/vnd.hal+json)"),
    Standard("application/ld+json", "JSON-LD (application/ld+json)"),
    Standard("application/problem+json", "problem details (application/problem+json)"),
    Standard("application/vnd.siren+json", "Siren (application/vnd.siren+json)"),
    Standard(
        "application/vnd.collection+json", "Collection+JSON (application/vnd.collection+json)"
    ),
    Standard("application/vnd.own+json; v=1", "(application/vnd.own+json)"),
    Standard("application/json", ""),
]


@pytest.mark.parametrize("row", STANDARDS, ids=[row.media_type for row in STANDARDS])
def test_the_standard_that_a_media_type_names_stands_before_it_if_it_is_known(row: Standard):
    assert typed("{}", row.media_type).standard == row.says


def test_what_is_no_json_is_of_no_standard():
    assert typed("<html>", "application/vnd.own+json").standard == ""


# -- what counts more than the status --------------------------------------------------------------


class Words(NamedTuple):
    """A reply with an error, and what it can settle."""

    name: str
    probe: Probe
    kind: Kind


QUOTA = error("", "Quota exceeded")
ABOUT_MOMENT = [
    Words("a quota, of a 403", reply(403, QUOTA), Kind.NOT_NOW),
    Words("a quota, of a 200", reply(200, QUOTA), Kind.NOT_NOW),
    Words("a maintenance, of a 403", reply(403, error("", "Maintenance")), Kind.NOT_NOW),
    Words("a machine, of a 403", reply(403, error("", "IP not allowed")), Kind.KEPT_OUT),
    Words("a machine, of a 401", reply(401, error("", "IP not allowed")), Kind.KEPT_OUT),
]


@pytest.mark.parametrize("row", ABOUT_MOMENT, ids=[row.name for row in ABOUT_MOMENT])
def test_a_reply_whose_words_are_about_the_moment_or_the_machine_is_lost_by_its_words(row: Words):
    assert row.probe.kind is row.kind
    assert row.probe.is_lost
    assert row.probe.is_lost_by_words


WORDS_WITHOUT_EFFECT = [
    Words("a quota on a page", reply(403, "<title>Quota exceeded</title>"), Kind.NOT_SERVICE),
    Words("a quota of a proxy's 407", reply(407, QUOTA), Kind.NOT_SERVICE),
    Words("a scope", reply(403, error("", "The scope is missing")), Kind.ANSWER),
]


@pytest.mark.parametrize(
    "row", WORDS_WITHOUT_EFFECT, ids=[row.name for row in WORDS_WITHOUT_EFFECT]
)
def test_words_on_a_page_of_a_proxy_or_about_something_else_lose_no_reply(row: Words):
    assert row.probe.kind is row.kind
    assert not row.probe.is_lost
    assert not row.probe.is_lost_by_words


@pytest.mark.parametrize("status", [0, 408, 425, 429, 499, 500, 599])
def test_a_reply_whose_status_is_about_the_moment_is_lost_but_not_by_its_words(status: int):
    assert reply(status).is_lost
    assert not reply(status).is_lost_by_words


def test_a_quota_in_a_503_is_lost_by_its_status():
    assert reply(503, QUOTA).is_lost
    assert not reply(503, QUOTA).is_lost_by_words


class Limit(NamedTuple):
    """A reply, and whether a limit refused it."""

    name: str
    probe: Probe
    is_limit: bool


LIMITS = [
    Limit("429", reply(429), True),
    Limit("a quota, of a 403", reply(403, QUOTA), True),
    Limit("a quota, of a 200", reply(200, QUOTA), True),
    Limit("a quota, of a 503", reply(503, QUOTA), True),
    Limit("a spike arrest, of a 500", reply(500, error("", "Spike arrest violation")), True),
    Limit("a quota on a page, of a 503", reply(503, "<title>Quota exceeded</title>"), False),
    Limit("a quota of a proxy's 407", reply(407, QUOTA), False),
    Limit("a maintenance, of a 403", reply(403, error("", "Maintenance")), False),
    Limit("500", reply(500), False),
]


@pytest.mark.parametrize("row", LIMITS, ids=[row.name for row in LIMITS])
def test_a_429_is_a_limit_and_so_are_words_of_a_limit_that_are_not_on_a_page(row: Limit):
    assert row.probe.is_limit is row.is_limit


CREDENTIALS = [
    *(
        Words(f"{code}, of a 403", reply(403, error(code, "No.")), Kind.REFUSED)
        for code in (
            *("request-unauthenticated", "INVALID_API_KEY", "apiKey"),
            *("UNAUTHENTICATED", "unauthorized", "unauthorised", "not-authorized"),
            *("not_authorised", "bad-credential", "authentication-failed"),
            *("not-authenticated", "invalid_auth", "login-required", "not-logged-in"),
        )
    ),
    Words("a code, of a 400", reply(400, error("bad-api-key", "No.")), Kind.REFUSED),
    Words("a code, of a 404", reply(404, error("bad-api-key", "No.")), Kind.ANSWER),
    Words("a message alone, of a 403", reply(403, error("x", "Bad API key")), Kind.ANSWER),
    Words("a message alone, of a 200", reply(200, error("x", "Bad API key")), Kind.REFUSED),
    Words("a message beside a 403, of a 200", reply(200, coded(403, "api key")), Kind.ANSWER),
    Words("401 in the body, of a 200", reply(200, coded(401)), Kind.REFUSED),
    Words("401 in the body, of a 201", reply(201, coded(401)), Kind.ANSWER),
    Words(
        "a message that a key has expired, of a 400",
        reply(400, error("", "The key has expired")),
        Kind.REFUSED,
    ),
]


@pytest.mark.parametrize("row", CREDENTIALS, ids=[row.name for row in CREDENTIALS])
def test_an_error_about_credentials_refuses_by_the_code_of_a_400_or_403_or_by_all_of_a_200(
    row: Words,
):
    assert row.probe.kind is row.kind


# -- what people read ------------------------------------------------------------------------------


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
        "a redirect that adds to the query",
        reply(307, b"", {"location": "/v1/coupon-list/spring/files?wid=secret&b="}),
        f"{LIST} → 307 to the same path with wid and b in its query, no body",
    ),
    Printed(
        "a redirect to another path with a query",
        reply(307, b"", {"location": "/v1/coupon-list/spring/files/?wid=secret"}),
        f"{LIST} → 307 to https://api.example.com/v1/coupon-list/spring/files/, no body",
    ),
    Printed(
        "a redirect to itself",
        reply(307, b"", {"location": "/v1/coupon-list/spring/files"}),
        f"{LIST} → 307 to https://api.example.com/v1/coupon-list/spring/files, no body",
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


def test_the_time_of_a_request_is_its_time_of_day():
    assert reply(401).time == "08:00:00"


def test_a_path_with_a_query_has_it_in_words():
    assert with_query("/a", "b=c") == "/a (with b=c)"


def test_a_path_without_a_query_stays_as_it_is():
    assert with_query("/a", "") == "/a"


def test_two_requests_are_the_same_whatever_they_are_asked_for_and_get():
    made_up = reply(401, keys=Keys.MADE_UP)
    assert same_request(made_up, reply(500, question=Question.AGAIN, keys=Keys.MADE_UP))


def test_two_requests_with_other_keys_differ():
    assert not same_request(reply(401, keys=Keys.MADE_UP), reply(401))


def test_two_requests_with_other_headers_differ():
    probe = reply(401)
    other = probe.request._replace(headers={**probe.request.headers, "X-A": "b"})
    assert identity_of(other, Keys.OWN) != probe.identity


def test_a_problem_that_is_about_verifying_a_certificate_is_one_of_the_certificate():
    assert is_certificate(reply(0, problem="SSLCertVerificationError: x"))


def test_another_problem_of_tls_is_none_of_the_certificate():
    assert not is_certificate(reply(0, problem="SSLError: x"))


class Compared(NamedTuple):
    """The bodies of two replies with one status, and whether the replies are the same."""

    name: str
    first: str | bytes
    second: str | bytes
    is_same: bool


COMPARED = [
    Compared("no body twice", "", "", True),
    Compared("one text and another", "a", "b", False),
    Compared("text and a page", "a", "<a>", False),
    Compared(
        "words with digits, such as times", "at 10:00:01, id a-1b", "at 10:02:03, id c2d", True
    ),
    Compared("a word with a digit and one without", "at 10", "at ten", False),
    Compared("other ends behind 2,000 characters", "x" * 2000 + "a", "x" * 2000 + "b", True),
    Compared("other ends after 1,999 characters", "x" * 1999 + "a", "x" * 1999 + "b", False),
    Compared("binary and the same binary", b"\x00\x01", b"\x00\x01", True),
    Compared("binary and another binary", b"\x00\x01", b"\x00\x02", False),
    # Of the paths /v1/coupon-list/spring/files and /v1/wes-doctor/spring:
    Compared(
        "the path of each", "no /v1/coupon-list/spring/files", "no /v1/wes-doctor/spring", True
    ),
    Compared("a part of the path of each", "no coupon-list", "no wes-doctor", True),
    Compared("a part of a path in one of them", "no files, no", "no , no", True),
    Compared("a part of the path of the other", "no wes-doctor", "no coupon-list", True),
    Compared("words that are no part of a path", "v1 or x", "v1 or y", False),
]


@pytest.mark.parametrize("row", COMPARED, ids=[row.name for row in COMPARED])
def test_two_replies_of_one_status_are_the_same_but_for_parts_of_their_paths_and_words_with_digits(
    row: Compared,
):
    first = reply(404, row.first)
    second = reply(404, row.second, request=request_for(Question.NO_SUCH_PATH))
    assert same_reply(first, second) is row.is_same


def without(part: str) -> bool:
    """
    Whether a reply that repeats a part of its path is the same as one that does not.

    :param part: the first one of the path, whatever else is in it.
    """
    request = request_for(Question.LIST, path=f"/{part}/{{coupon_list_id}}")
    return same_reply(reply(404, f"{part}, no", request=request), reply(404, ", no"))


def test_a_part_of_a_path_with_four_characters_is_left_out():
    assert without("wxyz")


def test_a_part_of_a_path_with_three_characters_is_compared():
    """It may be a word of the reply."""
    assert not without("wxy")


def test_two_replies_of_other_status_are_not_the_same():
    assert not same_reply(reply(404, "a"), reply(403, "a"))


class Told(NamedTuple):
    """A reply, and what tells it from others."""

    name: str
    probe: Probe
    answer: Answer
    says: str


TOLD = [
    Told("a success", reply(200, []), Answer(Kind.ANSWER, 200, ""), "200"),
    Told("a code", reply(400, error("c", "m")), Answer(Kind.ANSWER, 400, "c"), "400 c"),
    Told(
        "a code of 61 characters",
        reply(400, error("c" * 61, "m")),
        Answer(Kind.ANSWER, 400, "c" * 60),
        f"400 {'c' * 60}",
    ),
    Told(
        "a success with an error without a code",
        reply(200, {"success": False}),
        Answer(Kind.ANSWER, 200, "with an error"),
        "200 with an error",
    ),
    Told(
        "a page",
        reply(403, "<p>"),
        Answer(Kind.NOT_SERVICE, 403, ""),
        "403 that is not the service's",
    ),
]


@pytest.mark.parametrize("row", TOLD, ids=[row.name for row in TOLD])
def test_a_reply_is_told_from_others_by_kind_status_and_60_characters_of_its_code(row: Told):
    assert row.probe.answer == row.answer


@pytest.mark.parametrize("row", TOLD, ids=[row.name for row in TOLD])
def test_what_tells_a_reply_from_others_in_words(row: Told):
    assert str(row.probe.answer) == row.says


class Documented(NamedTuple):
    """A reply, and whether it is an error as the contract shows it."""

    name: str
    probe: Probe
    is_documented: bool


DOCUMENTED = [
    Documented("an error", reply(400, error("c", "m")), True),
    Documented("empty strings", reply(400, error("", "")), True),
    Documented("an error in a 399", reply(399, error("c", "m")), False),
    Documented("a string for an error", reply(400, {"error": "c"}), False),
    Documented("an error in an array", reply(400, [error("c", "m")]), False),
    Documented("a number for a code", reply(400, coded(1)), False),
    Documented("no message", reply(400, {"error": {"code": "c"}}), False),
    Documented("no code", reply(400, {"error": {"message": "m"}}), False),
]


@pytest.mark.parametrize("row", DOCUMENTED, ids=[row.name for row in DOCUMENTED])
def test_an_error_with_two_strings_for_code_and_message_is_as_the_contract_shows_it(
    row: Documented,
):
    assert row.probe.is_documented_error is row.is_documented


class NamedHeaders(NamedTuple):
    """The message of a 400, and the headers that it names."""

    message: str
    names: list[str]


def ids_of(rows: Sequence[NamedHeaders]) -> list[str]:
    return [row.message for row in rows]


def named_in(message: str) -> list[str]:
    """
    The headers that the message of a 400 names, whose reply has the header ``x-own``, and whose
    request had ``Accept-Encoding`` and ``Authorization``.
    """
    return named_headers(reply(400, error("", message), {"x-own": "1"}))


WITH_WORD = [
    NamedHeaders("Header X-Tenant is required", ["X-Tenant"]),
    NamedHeaders("HEADER is missing: My-Tenant", ["My-Tenant"]),
    NamedHeaders("Header A-B, C-D", ["A-B", "C-D"]),
    NamedHeaders("missing header: Workspace", ["Workspace"]),
    NamedHeaders("header 'Tenant", ["Tenant"]),
    NamedHeaders("header A is wrong", []),
    NamedHeaders("header tenant is wrong", []),
    NamedHeaders("a wrong Tenant header", []),
]


@pytest.mark.parametrize("row", WITH_WORD, ids=ids_of(WITH_WORD))
def test_a_message_with_the_word_header_names_words_with_a_hyphen_and_the_capitalised_one_after_it(
    row: NamedHeaders,
):
    assert named_in(row.message) == row.names


WITHOUT_WORD = [
    NamedHeaders("Missing X-Tenant.", ["X-Tenant"]),
    NamedHeaders("x-b", ["x-b"]),
    NamedHeaders("X-B and A-C", ["X-B"]),
    NamedHeaders("The workspace is not well-known", []),
    NamedHeaders("", []),
]


@pytest.mark.parametrize("row", WITHOUT_WORD, ids=ids_of(WITHOUT_WORD))
def test_a_message_without_the_word_header_names_only_words_that_begin_with_x(row: NamedHeaders):
    assert named_in(row.message) == row.names


LEFT_OUT = [
    NamedHeaders("Header Accept-Encoding", []),
    NamedHeaders("header accept-encoding", ["accept-encoding"]),
    NamedHeaders("Header Authorization", []),
    NamedHeaders("Header X-Own", []),
    NamedHeaders("X-B, X-B", ["X-B"]),
    NamedHeaders("Header A-B, header C-D, X-E, X-F", ["A-B", "C-D", "X-E"]),
]


@pytest.mark.parametrize("row", LEFT_OUT, ids=ids_of(LEFT_OUT))
def test_three_headers_at_most_are_named_and_none_sent_in_this_spelling_or_of_the_reply(
    row: NamedHeaders,
):
    assert named_in(row.message) == row.names


def test_a_refusal_names_headers():
    assert named_headers(reply(401, error("", "X-B"))) == ["X-B"]


def test_a_reply_about_the_moment_names_no_header():
    assert named_headers(reply(503, error("", "X-B"))) == []


def test_a_page_names_no_header():
    assert named_headers(reply(400, "<title>X-B</title>")) == []


class NamedHeader(NamedTuple):
    """A reply, a header, and whether the reply names it."""

    name: str
    probe: Probe
    header: str
    is_named: bool


NAMED_HEADER = [
    NamedHeader("in other case", reply(400, error("", "Bad x-b.")), "X-B", True),
    NamedHeader("another one", reply(400, error("", "Bad x-b.")), "X-C", False),
    NamedHeader("no header of an error without a message", reply(400), "", True),
    NamedHeader("no header of a success", reply(200, []), "", False),
]


@pytest.mark.parametrize("row", NAMED_HEADER, ids=[row.name for row in NAMED_HEADER])
def test_the_message_of_an_error_names_a_header_that_it_has_in_any_case(row: NamedHeader):
    assert names_header(row.probe, row.header) is row.is_named


class Reason(NamedTuple):
    """A reply, and whether it says what became of the key."""

    name: str
    probe: Probe
    is_named: bool


REASONS = [
    Reason("expired in a code", reply(401, error("key-expired", "No.")), True),
    Reason("expired in a message", reply(401, error("x", "Expired.")), True),
    Reason(
        "expired in a message of a 403 about a role", reply(403, error("x", "Role expired.")), False
    ),
    *(
        Reason(words, reply(401, error("x", words)), True)
        for words in (
            *("The key was revoked.", "The key is disabled."),
            *("The key awaits approval.", "The key is not yet valid."),
        )
    ),
    Reason("invalid or expired", reply(401, error("x", "Invalid or expired key.")), False),
    Reason("invalid", reply(401, error("x", "Invalid key.")), False),
    Reason("no words", reply(401), False),
]


@pytest.mark.parametrize("row", REASONS, ids=[row.name for row in REASONS])
def test_a_refusal_of_the_key_names_a_reason_by_its_words(row: Reason):
    assert row.probe.names_a_reason is row.is_named
