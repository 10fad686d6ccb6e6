"""
What requests hold, and what a response means: which error it is, whether it names what was made,
whether a list is whole, and what it says of the rate limit.
"""

from __future__ import annotations

import codecs
import json
import re
import ssl
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests
import urllib3
from hypothesis import given
from hypothesis import strategies as st

from support.settings import settings
from wes_provider import exceptions
from wes_provider.client import failures, responses
from wes_provider.client.announcements import (
    FAILED_MACHINES,
    FIRST_PAGE,
    LAST_PAGE,
    MISSING_PART,
    NEXT_PAGE,
    OF_MACHINES,
    PREVIOUS_PAGE,
    counts_files,
    counts_pages,
    plain_name,
)
from wes_provider.client.connecting import NotEstablishedError
from wes_provider.client.rate_limits import RateLimit, rate_limit
from wes_provider.client.requests import (
    Request,
    create_catalog,
    get_coupon_file,
    list_coupon_files,
    update_segment,
    upload,
)
from wes_provider.client.responses import Response
from wes_provider.contract import Result
from wes_provider.exceptions import WesError, WesResponseError

SETTINGS = settings(workspace_header="X-App")
UPLOAD = upload(SETTINGS, "summer", {"file_url": "https://files.example.com/a/coupons.csv"})
READ = get_coupon_file(SETTINGS, "summer", "f1")
LIST = list_coupon_files(SETTINGS, "summer")
CATALOG = create_catalog(SETTINGS, {"name": "shoes"})
SEGMENT = update_segment(SETTINGS, "a/b", {"name": "n"})
FILE = {"_id": "f1", "status": "PENDING", "name": "n"}


def response(status: int, body: Any = b"", **headers: str) -> Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Response(
        status, {name.replace("_", "-"): text for name, text in headers.items()}, content
    )


def test_an_upload_is_a_post_of_json_to_the_list():
    """The header that the connection names, X-App, has the workspace."""
    assert (UPLOAD.method, UPLOAD.url) == ("POST", "http://127.0.0.1:9/v1/coupon-list/summer/files")
    assert json.loads(UPLOAD.body or b"") == {"file_url": "https://files.example.com/a/coupons.csv"}
    assert UPLOAD.headers["X-App"] == "workspace-1"
    assert UPLOAD.headers["Content-Type"] == "application/json"


def test_a_read_asks_caches_for_nothing():
    assert READ.headers["Cache-Control"] == "no-cache"


def test_a_segments_update_is_a_patch_whose_identifier_is_percent_encoded():
    """The segment is ``a/b``."""
    assert SEGMENT.method == "PATCH"
    assert SEGMENT.url.endswith("/a%2Fb")


def test_requests_are_built_without_credentials():
    """The drivers add them."""
    assert "Authorization" not in {**UPLOAD.headers, **SEGMENT.headers}


# -- errors --------------------------------------------------------------------------------------


class Refusal(NamedTuple):
    """
    A status that refuses a request, whichever it is.

    :ivar permanent: whether no repetition helps.
    """

    status: int
    error: type[WesError]
    permanent: bool = True


class Unclear(NamedTuple):
    """
    A status after which an upload's outcome is unknown.

    :ivar error: of a read and of a segment's update.
    :ivar permanent: whether no repetition of those helps.
    """

    status: int
    error: type[WesError]
    permanent: bool = False


REFUSALS = [
    Refusal(400, exceptions.WesBadRequestError),
    Refusal(401, exceptions.WesAuthenticationError),
    Refusal(403, exceptions.WesForbiddenError),
    Refusal(404, exceptions.WesNotFoundError),
    Refusal(409, exceptions.WesConflictError),
    Refusal(413, exceptions.WesPayloadTooLargeError),
    Refusal(418, exceptions.WesResponseError),
    Refusal(429, exceptions.WesRateLimitError, permanent=False),
]
UNCLEAR = [
    Unclear(199, exceptions.WesResponseError),
    Unclear(300, exceptions.WesResponseError, permanent=True),
    Unclear(408, exceptions.WesResponseError),
    Unclear(499, exceptions.WesResponseError),
    Unclear(500, exceptions.WesServerError),
    Unclear(502, exceptions.WesServerError),
    Unclear(504, exceptions.WesServerError),
]
REQUESTS = {"read": READ, "upload": UPLOAD, "update": SEGMENT}


def status_of(row: Refusal | Unclear) -> str:
    return str(row.status)


of_each_request = pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
of_repeatable_requests = pytest.mark.parametrize(
    "request_", [READ, SEGMENT], ids=["read", "update"]
)


@of_each_request
@pytest.mark.parametrize("row", REFUSALS, ids=status_of)
def test_a_refusal_is_the_same_error_whatever_was_requested(row: Refusal, request_: Request):
    error = responses.error_of(request_, response(row.status))
    assert type(error) is row.error
    assert error.permanent is row.permanent


@of_each_request
@pytest.mark.parametrize("row", REFUSALS, ids=status_of)
def test_a_request_that_is_refused_has_no_effect(row: Refusal, request_: Request):
    assert not responses.error_of(request_, response(row.status)).may_have_effect


@of_repeatable_requests
@pytest.mark.parametrize("row", UNCLEAR, ids=status_of)
def test_a_request_that_may_be_repeated_has_the_error_of_its_status(
    row: Unclear, request_: Request
):
    error = responses.error_of(request_, response(row.status))
    assert type(error) is row.error
    assert error.permanent is row.permanent


@of_repeatable_requests
@pytest.mark.parametrize("row", UNCLEAR, ids=status_of)
def test_a_request_whose_outcome_is_unknown_may_have_an_effect(row: Unclear, request_: Request):
    assert responses.error_of(request_, response(row.status)).may_have_effect


@pytest.mark.parametrize("row", UNCLEAR, ids=status_of)
def test_an_upload_has_an_error_of_its_own_if_its_outcome_is_unknown(row: Unclear):
    error = responses.error_of(UPLOAD, response(row.status))
    assert type(error) is exceptions.WesUnknownOutcomeError
    assert error.permanent
    assert error.may_have_effect
    assert error.status_code == row.status


ERROR_BODY = {"error": {"code": "some-code", "message": "Some message"}}


@of_each_request
@pytest.mark.parametrize("row", [*REFUSALS, *UNCLEAR], ids=status_of)
def test_an_error_shows_the_services_code_and_message_and_the_requests_number(
    row: Refusal | Unclear, request_: Request
):
    error = responses.error_of(request_, response(row.status, ERROR_BODY, x_request_id="r-1"))
    assert error.reason == f"{row.status} some-code: Some message"
    assert str(error).startswith(request_.about(error.reason))
    assert "Request r-1" in str(error)


@pytest.mark.parametrize("row", [*REFUSALS, *UNCLEAR], ids=status_of)
def test_an_error_of_a_response_has_its_parts_as_attributes(row: Refusal | Unclear):
    error = responses.error_of(READ, response(row.status, ERROR_BODY, x_request_id="r-1"))
    assert isinstance(error, WesResponseError)
    assert (error.status_code, error.code) == (row.status, "some-code")
    assert (error.message, error.request_id) == ("Some message", "r-1")


def test_the_reason_of_an_error_without_a_body_is_its_status():
    assert responses.error_of(READ, response(404)).reason == "404"


def test_the_reason_of_an_error_with_a_code_alone_is_its_status_and_code():
    assert responses.error_of(READ, response(404, {"code": "gone"})).reason == "404 gone"


def test_the_first_line_of_an_uploads_error_names_the_file_and_the_list():
    first = str(responses.error_of(UPLOAD, response(400, ERROR_BODY))).splitlines()[0]
    assert first == "400 some-code: Some message (a/coupons.csv of list summer)"


class Success(NamedTuple):
    """The body of a success that has to hold nothing, and what is read of it."""

    body: Any
    content: Any


SUCCESSES = {
    "an object": Success({"id": "7"}, {"id": "7"}),
    "nothing": Success(b"", None),
    "blanks": Success(b" \n", None),
    "a string that is not JSON": Success(b"OK", "OK"),
    "no UTF-8": Success(b"\xff", "\ufffd"),
    "a number": Success(b"7", 7),
}


@pytest.mark.parametrize("row", SUCCESSES.values(), ids=SUCCESSES)
def test_any_body_of_a_success_is_taken(row: Success):
    assert responses.success(SEGMENT, response(200, row.body)) == row.content


UPDATED: dict[str, bytes] = {
    "a gateway's page": b"<html>Log in",
    "half an object": b' {"_id": "5f',
    "half a list": b"[{",
    "12 MB of the definition": b'{"value": [' + b'"Lisbon", ' * 1_300_000,
    "no UTF-8": b"\xff\xfe\x00",
    "a thousand levels": b"[" * 1000 + b"]" * 1000,
    "a hundred thousand levels": b'{"a":' * 100_000,
}


@pytest.mark.parametrize("body", UPDATED.values(), ids=UPDATED)
def test_an_update_is_a_success_whatever_the_body_is(body: bytes):
    content = responses.success(SEGMENT, response(200, body))
    assert isinstance(content, str)
    assert len(content) <= 20_000


DEEP = {
    "lists": b"[" * 1000 + b"]" * 1000,
    "objects": b'{"a":' * 1000 + b"1" + b"}" * 1000,
    "no end": b"[" * 100_000,
}


class Reader(NamedTuple):
    """A request, and what reads a success of it."""

    request: Request
    read: Callable[[Request, Response], Any]


READERS = {
    "an upload": Reader(UPLOAD, responses.record),
    "a read": Reader(READ, responses.record),
    "a list": Reader(LIST, responses.listing),
    "a catalog": Reader(CATALOG, responses.created_catalog),
}
of_deep_json = pytest.mark.parametrize("body", DEEP.values(), ids=DEEP)
of_readers = pytest.mark.parametrize("reader", READERS.values(), ids=READERS)


@of_deep_json
@of_readers
def test_a_success_with_json_nested_without_sense_is_an_error_of_the_provider(
    body: bytes, reader: Reader
):
    with pytest.raises(exceptions.WesError):
        reader.read(reader.request, response(200, body))


@of_deep_json
@of_readers
def test_an_error_with_json_nested_without_sense_is_that_of_its_status(body: bytes, reader: Reader):
    with pytest.raises(exceptions.WesResponseError, match="400"):
        reader.read(reader.request, response(400, body))


@of_deep_json
def test_no_code_is_read_of_json_nested_without_sense(body: bytes):
    assert responses.code_and_message(b'{"error": {"message": ' + body + b"}}")[0] == ""


def test_json_as_deep_as_records_are_is_read():
    nested: Any = "x"
    for _ in range(45):
        nested = {"a": [nested]}
    assert responses.record(READ, response(200, {**FILE, "deep": nested}))["deep"] == nested


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_json_with_a_byte_order_mark_is_read(encoding: str):
    mark = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}.get(encoding, b"")
    record = {**FILE, "name": "café"}
    body = mark + json.dumps(record, ensure_ascii=False).encode(encoding)
    assert responses.record(UPLOAD, response(201, body)) == record


def test_a_list_with_a_byte_order_mark_is_read():
    assert responses.listing(LIST, response(200, b"\xef\xbb\xbf[]")) == responses.Listing([])


PASSWORD = 'p4ss"wörd/1'
WITH_PASSWORD = upload(
    SETTINGS,
    "summer",
    {
        "file_url": "https://files.example.com/a.csv",
        "file_url_auth_username": "u",
        "file_url_auth_password": PASSWORD,
    },
)
VALUES = ["ana@example.com", "José", "Lisbon, PT", *(f"user-{number}" for number in range(5000))]
WITH_VALUES = update_segment(
    SETTINGS,
    "vips",
    {"included_filters": {"filters": [{"value": ["x"]}, {"filters": [{"value": VALUES}]}]}},
)
REPEATED: dict[str, Any] = {
    "a message": {"error": {"code": "c", "message": "no such value: {}"}},
    "a code": {"code": "{}"},
    "a message that is an object": {"message": {"given": "{}"}},
    "the first of errors": {"errors": [{"detail": "'{}' is wrong"}]},
    "another shape": {"request": {"body": ["{}"]}},
    "a text": "what is {}?",
}


def repeating(shape: Any, value: str) -> bytes:
    quoted = json.dumps(value)[1:-1]
    return json.dumps(shape).replace("{}", quoted).encode()


@pytest.mark.parametrize("shape", REPEATED.values(), ids=REPEATED)
def test_an_error_that_repeats_the_requests_password_loses_it(shape: Any):
    error = responses.error_of(WITH_PASSWORD, response(400, repeating(shape, PASSWORD)))
    for part in ("p4ss", "rd/1", "p4ss%22"):
        assert part not in str(error)
        assert part not in getattr(error, "message", "")
    assert "***" in str(error)


@pytest.mark.parametrize("shape", REPEATED.values(), ids=REPEATED)
@pytest.mark.parametrize("value", ["ana@example.com", "José", "Lisbon, PT", "user-4999"])
def test_an_error_that_repeats_a_value_of_the_segment_loses_it(shape: Any, value: str):
    error = responses.error_of(WITH_VALUES, response(422, repeating(shape, value)))
    assert value not in str(error)
    assert "***" in str(error)


def test_an_error_that_repeats_the_whole_request_is_quoted_without_its_values():
    error = responses.error_of(WITH_VALUES, response(400, WITH_VALUES.body or b""))
    assert not any(value in str(error) for value in VALUES)


def test_an_accepted_upload_that_repeats_the_password_loses_it_and_keeps_its_identifier():
    record = {**FILE, "_id": PASSWORD, "file_url_auth_password": PASSWORD}
    read = responses.record(WITH_PASSWORD, response(201, record))
    assert (read["_id"], read["file_url_auth_password"]) == (PASSWORD, "***")


class Quoted(NamedTuple):
    """The body of an error, and the code and the message that are read of it."""

    body: Any
    code: str = ""
    message: str = ""


QUOTED = {
    "code and message": Quoted({"code": "c", "message": "m"}, "c", "m"),
    "below error, with a number and a capital": Quoted(
        {"error": {"code": 12, "Message": "m"}}, "12", "m"
    ),
    "below error before those beside it": Quoted(
        {"error": {"code": "inner", "message": "m"}, "type": "outer", "message": "n"}, "inner", "m"
    ),
    "the first of errors": Quoted(
        {"errors": [{"error-code": "c", "detail": "first"}, {"detail": "second"}]}, "c", "first"
    ),
    "an error that is a string": Quoted({"error": "plain text"}, message="plain text"),
    "a message before an error that is a string": Quoted(
        {"error": "kind", "message": "m"}, message="m"
    ),
    "a message that is an object": Quoted(
        {"message": {"field": "is wrong"}}, message='{"field":"is wrong"}'
    ),
    "another shape": Quoted({"other": "shape"}, message='{"other": "shape"}'),
    "a page": Quoted(
        b"<html>\n<h1>502  Bad Gateway</h1>", message="<html> <h1>502 Bad Gateway</h1>"
    ),
    "nothing": Quoted(b""),
    "no UTF-8": Quoted(b"\xff\xfd", message="��"),
    "a URL with secrets": Quoted(
        {"message": "see https://u:s3cret@h.example.com/a?sig=s1gned"},
        message="see https://h.example.com/a",
    ),
    "a long message": Quoted({"message": "x" * 1000}, message="x" * 199 + "…"),
}


@pytest.mark.parametrize("row", QUOTED.values(), ids=QUOTED)
def test_code_and_message_are_read_where_they_usually_are_or_the_body_is_quoted(row: Quoted):
    assert responses.code_and_message(response(400, row.body).body) == (row.code, row.message)


class Encoded(NamedTuple):
    """What follows the type of a response, and the charset that its bytes have."""

    named: str
    encoded_as: str


AS_NAMED = {
    "ISO 8859-1": Encoded("; charset=iso-8859-1", "latin-1"),
    "Windows, in quotes behind another parameter": Encoded(
        '; version=1; Charset="windows-1252"', "cp1252"
    ),
    "UTF-16 without a mark": Encoded("; charset=utf-16le", "utf-16-le"),
    "UTF-8": Encoded("; charset=utf-8", "utf-8"),
}
NOT_AS_NAMED = {
    "UTF-8, named ISO 8859-1": Encoded("; charset=iso-8859-1", "utf-8"),
    "UTF-8, with an unknown name": Encoded("; charset=no-such-charset", "utf-8"),
    "UTF-8 without a name": Encoded("", "utf-8"),
    "UTF-16 with a mark, named UTF-8": Encoded("; charset=utf-8", "utf-16"),
}


def encoded(row: Encoded, status: int, body: Any) -> Response:
    """A response with JSON in these bytes."""
    text = json.dumps(body, ensure_ascii=False)
    return response(
        status, text.encode(row.encoded_as), content_type=f"application/json{row.named}"
    )


ABROAD = {**FILE, "status": "Übernommen"}


@pytest.mark.parametrize("row", AS_NAMED.values(), ids=AS_NAMED)
def test_a_body_is_read_in_the_charset_that_the_response_names(row: Encoded):
    assert responses.coupon_file(READ, encoded(row, 200, ABROAD)).status == "Übernommen"


@pytest.mark.parametrize("row", NOT_AS_NAMED.values(), ids=NOT_AS_NAMED)
def test_bytes_that_are_utf_8_or_have_a_mark_are_read_so_whatever_is_named(row: Encoded):
    assert responses.coupon_file(READ, encoded(row, 200, ABROAD)).status == "Übernommen"


ENCODED = AS_NAMED | NOT_AS_NAMED


@pytest.mark.parametrize("row", ENCODED.values(), ids=ENCODED)
def test_a_list_is_read_in_the_charset_of_a_file(row: Encoded):
    assert responses.listing(LIST, encoded(row, 200, [ABROAD])).records == [ABROAD]


@pytest.mark.parametrize("row", ENCODED.values(), ids=ENCODED)
def test_an_error_is_read_in_the_charset_of_a_file(row: Encoded):
    error = encoded(row, 400, {"error": {"code": "c", "message": "Müll"}})
    assert responses.error_of(READ, error).reason == "400 c: Müll"


class Advice(NamedTuple):
    """What the error of a status advises, by what was requested."""

    request: Request
    status: int
    advice: str


ADVICE = [
    Advice(READ, 401, "Campaign API key"),
    Advice(SEGMENT, 401, "Data API key"),
    Advice(READ, 404, "set the connection's extra paths"),
    Advice(UPLOAD, 404, "Check the identifier"),
    Advice(UPLOAD, 407, "The proxy requires"),
    Advice(READ, 503, "a gateway in front of it"),
    Advice(UPLOAD, 400, "Correct what the response names in the task's arguments"),
    Advice(UPLOAD, 403, "a gateway, a firewall or a proxy in between may have refused"),
    Advice(CATALOG, 409, "Choose another name"),
    Advice(CATALOG, 413, "Make the task's arguments smaller"),
    Advice(UPLOAD, 418, "and what stands between you and the service"),
    Advice(READ, 302, "this one leads to 'https://login.example.com/in'"),
]


@pytest.mark.parametrize(
    "row", ADVICE, ids=lambda row: f"{row.status} {row.request.operation.name}"
)
def test_an_error_says_what_to_do(row: Advice):
    location = "https://login.example.com/in?token=s3cret"
    error = responses.error_of(row.request, response(row.status, location=location))
    assert row.advice in str(error)


ALL_REQUESTS = {**REQUESTS, "catalog": CATALOG}
IN_BETWEEN: dict[str, Any] = {
    "no body": b"",
    "a page": b"<html>Access denied | Some firewall</html>",
    "a string": b"Forbidden",
    "a message": {"message": "Forbidden"},
    "an error that is a string": {"error": "blocked by policy"},
}


@pytest.mark.parametrize("body", IN_BETWEEN.values(), ids=IN_BETWEEN)
@pytest.mark.parametrize("request_", ALL_REQUESTS.values(), ids=ALL_REQUESTS)
def test_a_403_without_a_code_may_be_that_of_somebody_in_between(request_: Request, body: Any):
    message = str(responses.error_of(request_, response(403, body)))
    assert "a gateway, a firewall or a proxy" in message
    assert "the service's support" in message


@pytest.mark.parametrize("request_", ALL_REQUESTS.values(), ids=ALL_REQUESTS)
def test_a_403_with_a_code_is_the_services(request_: Request):
    body = {"error": {"code": "request-forbidden", "message": "no"}}
    message = str(responses.error_of(request_, response(403, body)))
    assert "The account may" in message
    assert "the service's support" in message


@given(
    st.binary()
    | st.recursive(st.none() | st.booleans() | st.text(), st.lists).map(
        lambda value: json.dumps(value)
    )
)
def test_any_body_of_any_error_has_an_error_in_one_line(body: Any):
    content = body if isinstance(body, bytes) else body.encode()
    for status in (400, 404, 429, 500):
        reason = responses.error_of(READ, Response(status, {}, content)).reason
        assert reason.startswith(str(status))
        assert reason.isprintable()


# -- results -------------------------------------------------------------------------------------


class Accepted(NamedTuple):
    """A response that names the file of an upload, and the record that is read of it."""

    body: Any
    record: dict[str, Any] = FILE
    status: int = 201


ACCEPTED = {
    "201": Accepted(FILE),
    "202": Accepted(FILE, status=202),
    "200, below data": Accepted({"data": FILE}, status=200),
    "an odd identifier": Accepted({"_id": "year/2026:ü"}, {"_id": "year/2026:ü"}),
}
NO_FILE: dict[str, Any] = {
    "an empty object": {},
    "nothing": b"",
    "a string that is not JSON": b"OK",
    "a list": [FILE],
    "an empty identifier": {"_id": ""},
    "an identifier that is a number": {"_id": 7},
    "a blank": {"_id": " "},
    "other blanks": {"_id": "\u00a0\n"},
    "a blank below data": {"data": {"_id": "\t"}},
    "blanks around": {"_id": " f1 "},
    "a line's end": {"_id": "f1\n"},
    "a path upwards": {"_id": "../../f1"},
    "a template": {"_id": "{{ f1 }}"},
    "a character that is not seen": {"_id": "f\u200b1"},
    "too many characters": {"_id": "f" * 1025},
}


@pytest.mark.parametrize("row", ACCEPTED.values(), ids=ACCEPTED)
def test_an_upload_is_accepted_if_the_response_names_its_file(row: Accepted):
    assert responses.record(UPLOAD, response(row.status, row.body)) == row.record


@pytest.mark.parametrize("body", NO_FILE.values(), ids=NO_FILE)
def test_an_uploads_outcome_is_unknown_if_the_response_does_not_name_its_file(body: Any):
    with pytest.raises(
        exceptions.WesUnknownOutcomeError, match="201 without a coupon file's _id"
    ) as raised:
        responses.record(UPLOAD, response(201, body))
    assert raised.value.status_code == 201


by_page = pytest.mark.parametrize(
    "page",
    [
        pytest.param(b"<!DOCTYPE html><title>Log in</title>", id="a doctype"),
        pytest.param(
            b"\n <html><body>Accept the terms</body></html>", id="HTML below a blank line"
        ),
        pytest.param(b"<?xml version='1.0'?><login/>", id="XML"),
    ],
)


class PageFor(NamedTuple):
    """A request that gets a page with 200, how its response is read, and the error."""

    name: str
    request: Request
    read: Callable[[Request, Response], Any]
    error: type[WesError]


PAGES_FOR = [
    PageFor("an upload", UPLOAD, responses.record, exceptions.WesUnknownOutcomeError),
    PageFor("a catalog", CATALOG, responses.created_catalog, exceptions.WesUnknownOutcomeError),
    PageFor("a read", READ, responses.record, exceptions.WesResponseError),
]


@by_page
@pytest.mark.parametrize("row", PAGES_FOR, ids=[row.name for row in PAGES_FOR])
def test_a_page_with_200_is_not_from_the_service(row: PageFor, page: bytes):
    """An upload or a catalog may have arrived; the advice is about the address, not about paths."""
    with pytest.raises(row.error, match="a page that is not from the service") as raised:
        row.read(row.request, response(200, page))
    assert "check the connection's Address, and the proxies" in str(raised.value)
    assert "paths" not in str(raised.value)


@by_page
def test_a_page_with_200_is_no_list_of_files(page: bytes):
    with pytest.raises(exceptions.WesResponseError, match="check the connection's Address"):
        responses.listing(LIST, response(200, page))


def test_a_read_file_has_the_status_of_the_response():
    assert responses.coupon_file(READ, response(200, FILE)).status == "PENDING"


class NotTheFile(NamedTuple):
    """A record that a read of the file ``f1`` gets, and how the error begins."""

    name: str
    body: dict[str, Any]
    says: str


NOT_THE_FILE = [
    NotTheFile(
        "another identifier", {**FILE, "_id": "f2"}, "200 with coupon file 'f2', status 'PENDING'"
    ),
    NotTheFile("an empty status", {**FILE, "status": ""}, "200 with coupon file 'f1', status ''"),
    NotTheFile("no status", {"_id": "f1"}, "200 with coupon file 'f1', status ''"),
]


@pytest.mark.parametrize("row", NOT_THE_FILE, ids=[row.name for row in NOT_THE_FILE])
def test_a_read_that_gets_another_file_or_one_without_a_status_is_an_error(row: NotTheFile):
    """It has what came, and advises on the path."""
    with pytest.raises(exceptions.WesResponseError) as raised:
        responses.coupon_file(READ, response(200, row.body))
    assert str(raised.value) == (
        f"{row.says} (f1 of list summer)\nThe path of a coupon file may be wrong: run wes-doctor."
    )


WHOLE_LISTS: dict[str, Any] = {
    "a list": [FILE],
    "below data": {"data": [FILE]},
    "as many as the total": {"data": [FILE], "total": 1},
    "the size of a page beside the total": {
        "data": [FILE],
        "meta": {"start": 0, "rows": 20, "numFound": 1},
    },
    "names that announce more if they have a value": {
        "data": [FILE],
        "next": None,
        "has_more": False,
        "errors": [],
        "total": 1,
    },
}


@pytest.mark.parametrize("body", WHOLE_LISTS.values(), ids=WHOLE_LISTS)
def test_a_list_is_whole_unless_it_says_otherwise(body: Any):
    assert responses.listing(LIST, response(200, body)) == responses.Listing([FILE])


def test_a_list_without_a_file_is_whole():
    assert responses.listing(LIST, response(200, [])) == responses.Listing([])


WHOLE_BY_HEADER = {
    "as many as the total": {"x-pagination": '{"TotalCount": 1, "TotalPages": 1}'},
    "no JSON": {"x-pagination": '{"TotalCount": 2'},
    "too deep": {"x-pagination": '{"a":' * 2_000 + "1" + "}" * 2_000},
    "an array": {"x-pagination": '[{"TotalCount": 2}]'},
    "another header": {"nel": '{"total": 2}'},
}


@pytest.mark.parametrize("headers", WHOLE_BY_HEADER.values(), ids=WHOLE_BY_HEADER)
def test_a_list_is_whole_if_no_header_announces_more(headers: dict[str, str]):
    assert responses.listing(LIST, response(200, [FILE], **headers)) == responses.Listing([FILE])


PART = "the service shows a part of the list only"


class Part(NamedTuple):
    """A response with one file of a list, and what is said to announce more."""

    incomplete: str
    body: Any = [FILE]  # noqa: RUF012 - never changed
    headers: dict[str, str] = {}  # noqa: RUF012 - never changed


PARTS = {
    "a total further down": Part(
        "it has 'total'", {"data": [FILE], "meta": {"pagination": {"total": 2.0}}}
    ),
    "errors of a part": Part(
        "it has 'partial_errors'", {"data": [FILE], "partial_errors": ["shard 2"]}
    ),
    "a link": Part("it has 'links'", {"data": [FILE], "links": [{"rel": "next", "href": "/2"}]}),
    "a total beside the size of a page": Part(
        "it has 'numFound'", {"data": [FILE], "meta": {"rows": 1, "numFound": 2}}
    ),
    "rows beside a count of another object": Part(
        "it has 'rows'", {"data": [FILE], "rows": 20, "meta": {"total": 1}}
    ),
    "rows beside the number of this page": Part(
        "it has 'rows'", {"data": [FILE], "rows": 20, "count": 1}
    ),
    "a header with the total in JSON": Part(
        "it has 'TotalCount'", headers={"x-pagination": '{"TotalCount": 2, "PageSize": 1}'}
    ),
    "a header with a next page in JSON": Part(
        "it has 'nextPageLink'", headers={"paging-headers": ' {"nextPageLink": "/2"}'}
    ),
    "a header with the total": Part("it has 'x-total-count'", headers={"x-total-count": "2"}),
    "a header with the previous page": Part("it has 'x-prev-page'", headers={"x-prev-page": "1"}),
}


@pytest.mark.parametrize("row", PARTS.values(), ids=PARTS)
def test_a_list_that_announces_more_has_its_files_and_says_what_announces_more(row: Part):
    listing = responses.listing(LIST, response(200, row.body, **row.headers))
    assert listing.records == [FILE]
    assert listing.incomplete == f"{PART}: {row.incomplete}"


LINKS = {
    "the next page": '</page-2>; rel="next"',
    "the next page, without quotes": "</page-2>; rel=next",
    "the previous page": '</page-1>; rel="prev"',
    "the next page, which is the last": '</page-2>; rel="next last"',
}


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_a_list_with_a_header_that_links_to_another_page_is_incomplete(link: str):
    listing = responses.listing(LIST, response(200, [FILE], link=link))
    assert listing == responses.Listing([FILE], "the response has a link to another page")


class Read(NamedTuple):
    """A request, a success of it, and what is read of it by the table of operations."""

    request: Request
    success: Response
    result: Any


RESULTS = {
    "nothing": Read(SEGMENT, response(204), None),
    "a file": Read(READ, response(200, FILE), FILE),
    "a list": Read(LIST, response(200, [FILE]), responses.Listing([FILE])),
    "a catalog": Read(
        CATALOG, response(201, {"id": "c1"}), responses.CreatedCatalog("c1", {"id": "c1"})
    ),
}


@pytest.mark.parametrize("row", RESULTS.values(), ids=RESULTS)
def test_a_success_is_read_as_the_result_of_its_operation(row: Read):
    assert responses.read_result(row.request, row.success) == row.result


def test_each_kind_of_result_can_be_read():
    assert set(responses.READERS) == set(Result)


class Beside(NamedTuple):
    """What a response has beside one file, as a dotted path and a value."""

    path: str
    value: Any


FURTHER_PAGES = [
    Beside("has_more", True),
    Beside("hasMore", "true"),
    Beside("HAS-MORE", 1),
    Beside("meta.has_next", True),
    Beside("next", "/2"),
    Beside("next", 2),
    Beside("links.next", {"href": "/2"}),
    Beside("links", [{"rel": "self"}, {"rel": "Next", "href": "/2"}]),
    Beside("@odata.nextLink", "/2"),
    Beside("nextPageToken", "x"),
    Beside("paging.cursors.after", "x"),
    Beside("page_info.has_next_page", True),
    Beside("page_info.end_cursor", "x"),
]
EARLIER_PAGES = [
    Beside("previous", "/1"),
    Beside("paging.previous", "/v1/coupon-list/spring/files?before=f24"),
    Beside("prev_page", 1),
    Beside("hasPreviousPage", True),
    Beside("links", [{"rel": "prev", "href": "/1"}]),
    Beside("older", "/1"),
    Beside("first", False),
]
TOTALS = [
    Beside("total", 2),
    Beside("total_count", "2"),
    Beside("hits.total.value", 2),
    Beside("paging.totalItemCount", 2),
    Beside("nbHits", 2),
    Beside("recordsFiltered", 2),
    Beside("meta.total_in_list", 2),
    Beside("nodes.total", 2),
    Beside("partitions.total", 2),
    Beside("@odata.count", 2),
    Beside("numberOfFiles", 2),
    Beside("matches", 2),
    Beside("nbPages", 2),
    Beside("count", 2.0),
    Beside("totalPages", 2),
    Beside("pages.total", 3),
]
MISSING_PARTS = [
    Beside("IsTruncated", True),
    Beside("meta.hidden", 37),
    Beside("omitted_files", ["f1"]),
    Beside("excluded", True),
    Beside("partial_errors", ["shard 2"]),
    Beside("timed_out", True),
    Beside("_shards.failed", 1),
    Beside("meta.shards.failures", [{"shard": 3}]),
    Beside("replicas.unreachable", "eu-2"),
    Beside("workers.error", "busy"),
    Beside("error", {"code": "busy"}),
    Beside("errors", [{"code": "busy"}]),
]
NO_MORE = [
    Beside("next", ""),
    Beside("next", None),
    Beside("next", {"href": None}),
    Beside("previous", None),
    Beside("hidden", 0),
    Beside("excluded", False),
    Beside("timed_out", False),
    Beside("_shards.failed", 0),
    Beside("replicas.failures", []),
    Beside("prev_page", 0),
    Beside("first", True),
    Beside("first", "/1"),
    Beside("links.next", []),
    Beside("has_more", False),
    Beside("has_more", "False"),
    Beside("error", None),
    Beside("errors", []),
    Beside("count", 1),
    Beside("total", 0),
    Beside("total", "many"),
    Beside("total", True),
    Beside("pages", 1),
    Beside("links", [{"rel": "self", "href": "/1"}]),
]
OTHER_NAMES = [
    Beside("error_count", 3),
    Beside("error_rate", 0.5),
    Beside("number", 7),
    Beside("limits.items", 500),
    Beside("pageSize", 20),
    Beside("per_page", 50),
    Beside("links.self", "/1"),
    Beside("couponCount", 20),
    Beside("_shards.total", 5),
    Beside("meta.replicas.count", 3),
    Beside("workers.pages", 2),
    Beside("failed", 1),
    Beside("imports.failed", 1),
    Beside("account", 12),
    Beside("discount", 20),
    Beside("total_coupons", 500),
    Beside("coupons_total", 500),
    Beside("count_of_lists", 12),
    Beside("context", "summer"),
    Beside("more_info_url", "https://example.com/help"),
    Beside("next_upload_allowed_at", "2026-01-01"),
    Beside("description", "'rel': 'next'"),
    Beside("cursor_type", "forward"),
]


def test_the_page_of_promises_has_the_names_that_announce_more():
    page = (Path(__file__).parents[3] / "docs" / "promises.md").read_text(encoding="utf-8")
    section = page.partition("\n## Lists that announce more\n")[2].partition("\n## ")[0]
    cells = [line.split(" | ")[0] for line in section.splitlines() if line.startswith("| `")]
    names = {plain_name(name) for name in re.findall(r"`([^`]+)`", " ".join(cells))}
    counting = {name for name in names if counts_files(f".{name}") or counts_pages(f".{name}")}
    assert len(counting) > 20
    assert names - counting - {"rel", "link"} == (
        MISSING_PART
        | NEXT_PAGE
        | PREVIOUS_PAGE
        | LAST_PAGE
        | FIRST_PAGE
        | OF_MACHINES
        | FAILED_MACHINES
    )


def beside(row: Beside) -> dict[str, Any]:
    content: Any = row.value
    for part in reversed(row.path.split(".") if not row.path.startswith("@") else [row.path]):
        content = {part: content}
    return {"data": [FILE], **content}


def id_of(row: Beside) -> str:
    return f"{row.path}={row.value}"


def announced_by(row: Beside) -> str:
    """What is said if the last part of the row's path announces more."""
    name = row.path if row.path.startswith("@") else row.path.rpartition(".")[2]
    return f"{PART}: it has '{name}'"


def incomplete(row: Beside) -> str:
    """Why a list of one file may be a part; empty if nothing says so."""
    return responses.listing(LIST, response(200, beside(row))).incomplete


@pytest.mark.parametrize("row", FURTHER_PAGES, ids=id_of)
def test_a_further_page_beside_a_lists_files_announces_more(row: Beside):
    assert incomplete(row) == announced_by(row)


@pytest.mark.parametrize("row", EARLIER_PAGES, ids=id_of)
def test_an_earlier_page_beside_a_lists_files_announces_more(row: Beside):
    assert incomplete(row) == announced_by(row)


@pytest.mark.parametrize("row", TOTALS, ids=id_of)
def test_a_total_above_the_number_of_files_or_a_number_of_pages_above_one_announces_more(
    row: Beside,
):
    assert incomplete(row) == announced_by(row)


@pytest.mark.parametrize("row", MISSING_PARTS, ids=id_of)
def test_an_error_or_a_cut_beside_a_lists_files_announces_more(row: Beside):
    assert incomplete(row) == announced_by(row)


@pytest.mark.parametrize("row", NO_MORE, ids=id_of)
def test_a_name_that_announces_more_does_not_with_a_value_for_none_or_of_another_kind(row: Beside):
    assert incomplete(row) == ""


@pytest.mark.parametrize("row", OTHER_NAMES, ids=id_of)
def test_other_names_announce_nothing_also_if_they_hold_one_that_announces_more(row: Beside):
    assert incomplete(row) == ""


NO_LISTS: dict[str, Any] = {
    "an empty object": {},
    "an object below data": {"data": {}},
    "a list of strings": ["x"],
    "nothing": b"",
    "a list of null": {"data": [None]},
}


@pytest.mark.parametrize("body", NO_LISTS.values(), ids=NO_LISTS)
def test_what_is_no_list_of_files_is_an_error_for_good(body: Any):
    with pytest.raises(
        exceptions.WesResponseError, match="200 without a list of coupon files"
    ) as raised:
        responses.listing(LIST, response(200, body))
    assert raised.value.reason.startswith("200 without a list of coupon files")
    assert raised.value.permanent
    assert "\nThe path of the list's files may be wrong" in str(raised.value)


def test_a_gateways_text_instead_of_a_list_may_be_gone_in_a_minute():
    with pytest.raises(
        exceptions.WesResponseError, match="200 without a list of coupon files"
    ) as raised:
        responses.listing(LIST, response(200, b"OK"))
    assert not raised.value.permanent
    assert "\nThe path of the list's files may be wrong" in str(raised.value)


def test_a_list_that_is_longer_than_the_operation_allows_is_incomplete():
    too_long = b"[" * (LIST.operation.largest_response + 1)
    assert responses.listing(LIST, Response(200, {}, too_long)).incomplete == "the list is too long"


def test_a_list_that_is_as_long_as_the_operation_allows_is_whole():
    longest = b"[]" + b" " * (LIST.operation.largest_response - 2)
    assert responses.listing(LIST, Response(200, {}, longest)) == responses.Listing([])


def test_a_list_with_the_status_206_is_incomplete():
    listing = responses.listing(LIST, response(206, [FILE]))
    assert listing.incomplete.startswith("the response has status 206")


class NotIdentified(NamedTuple):
    """
    What a response to the creation of a catalog holds.

    :ivar path: to the identifier, as the connection's extra has it.
    """

    content: Any
    path: str | None = None


class Identified(NamedTuple):
    """What a response to the creation of a catalog holds, and its identifier."""

    content: Any
    catalog_id: str
    path: str | None = None


IDENTIFIED = {
    "catalog_id": Identified({"catalog_id": "c1"}, "c1"),
    "a number": Identified({"_id": 12}, "12"),
    "below data": Identified({"data": {"id": "c1"}}, "c1"),
    "at the top before below data": Identified(
        {"catalog_id": "top", "data": {"catalog_id": "below"}}, "top"
    ),
    "data": Identified({"data": "c1"}, "c1"),
    "a string": Identified("c1", "c1"),
    "a string with blanks around": Identified("  c1\n", "c1"),
    "a string that begins with ok": Identified("okapi", "okapi"),
    "below data, beside a boolean": Identified({"_id": False, "data": {"id": "c1"}}, "c1"),
    "below data, beside a word": Identified({"id": "Created", "data": {"id": "c1"}}, "c1"),
    "where the connection says": Identified({"result": {"key": "c1"}}, "c1", "result.key"),
}
NOT_IDENTIFIED = {
    "a page": NotIdentified("<html>"),
    "OK": NotIdentified("OK"),
    "a word": NotIdentified("Created."),
    "two words": NotIdentified("two words"),
    "a boolean": NotIdentified(True),
    "a number": NotIdentified(7),
    "nothing": NotIdentified(None),
    "an empty object": NotIdentified({}),
    "id is a boolean": NotIdentified({"id": True}),
    "id is a sentence": NotIdentified({"id": "Catalog created"}),
    "id is a word": NotIdentified({"id": "success"}),
    "data is a sentence": NotIdentified({"data": "The catalog was created"}),
    "data is a word": NotIdentified({"data": "ACCEPTED"}),
    "data is empty": NotIdentified({"data": ""}),
    "data is a number": NotIdentified({"data": 7}),
    "a boolean where the connection says": NotIdentified({"result": True}, "result"),
    "a word where the connection says": NotIdentified({"result": "IN_PROGRESS"}, "result"),
    "an object where the connection says": NotIdentified(
        {"result": {"key": {"x": 1}}}, "result.key"
    ),
    "elsewhere than the connection says": NotIdentified({"catalog_id": "c1"}, "result.key"),
}


@pytest.mark.parametrize("row", IDENTIFIED.values(), ids=IDENTIFIED)
def test_a_catalogs_identifier_is_found(row: Identified):
    assert responses.catalog_id(row.content, row.path) == row.catalog_id


@pytest.mark.parametrize("row", NOT_IDENTIFIED.values(), ids=NOT_IDENTIFIED)
def test_what_is_no_identifier_of_a_catalog_is_not_taken_for_one(row: NotIdentified):
    assert responses.catalog_id(row.content, row.path) is None


class RefusedCatalog(NamedTuple):
    """A response that refuses to create a catalog."""

    status: int
    body: dict[str, Any]


TAKEN = [
    RefusedCatalog(409, {}),
    RefusedCatalog(400, {"code": "name-exists"}),
    RefusedCatalog(422, {"code": "ALREADY_EXISTS"}),
    RefusedCatalog(400, {"code": "NameTaken"}),
    RefusedCatalog(400, {"code": "DUPLICATE_NAME"}),
    RefusedCatalog(422, {"message": "Name has already been taken"}),
    RefusedCatalog(400, {"message": "name is not unique"}),
    RefusedCatalog(422, {"message": "A catalog's name must be unique"}),
    RefusedCatalog(400, {"message": "conflict with catalog 7"}),
    RefusedCatalog(422, {"errors": [{"detail": "A catalog of this name exists."}]}),
]
NOT_TAKEN = [
    RefusedCatalog(400, {"code": "not-exists"}),
    RefusedCatalog(400, {"message": "The currency does not exist"}),
    RefusedCatalog(400, {"message": "attribute 3 doesn't exist"}),
    RefusedCatalog(400, {"message": "no such type exists"}),
    RefusedCatalog(400, {"message": "existence of coexisting units"}),
    RefusedCatalog(400, {"message": "mistaken: use unique ids"}),
    RefusedCatalog(400, {"message": "no conflict, but no name"}),
    RefusedCatalog(404, {}),
    RefusedCatalog(500, {"code": "name-exists"}),
]


@pytest.mark.parametrize("row", TAKEN, ids=lambda row: f"{row.status} {row.body}")
def test_a_conflict_or_its_words_say_that_a_name_is_taken(row: RefusedCatalog):
    assert responses.name_is_taken(responses.error_of(CATALOG, response(row.status, row.body)))


@pytest.mark.parametrize("row", NOT_TAKEN, ids=lambda row: f"{row.status} {row.body}")
def test_other_refusals_do_not_say_that_a_name_is_taken(row: RefusedCatalog):
    assert not responses.name_is_taken(responses.error_of(CATALOG, response(row.status, row.body)))


class DeniedSuccess(NamedTuple):
    """A body of a 2xx that says that the catalog was not created."""

    id: str
    body: Any


DENIED = [
    DeniedSuccess("error", {"error": {"code": "quota"}, "id": "req-1"}),
    DeniedSuccess("error as a string", {"error": "quota", "catalog_id": "c9"}),
    DeniedSuccess("errors", {"errors": [{"message": "quota"}], "id": "req-1"}),
    DeniedSuccess("no success", {"success": False, "id": "c9"}),
]


@pytest.mark.parametrize("row", DENIED, ids=[row.id for row in DENIED])
def test_an_error_in_a_success_is_no_catalog(row: DeniedSuccess):
    given = response(200, json.dumps(row.body).encode())
    with pytest.raises(exceptions.WesUnknownOutcomeError, match="response 200 holds an error: "):
        responses.created_catalog(CATALOG, given)


# -- never sent ----------------------------------------------------------------------------------

NEVER_SENT = {
    "no connection": requests.ConnectionError(NotEstablishedError()),
    "no connection to the proxy": requests.exceptions.ProxyError(
        urllib3.exceptions.ProxyError("x", NotEstablishedError())
    ),
    "no URL": requests.exceptions.InvalidURL(),
    "no driver for the proxy": requests.exceptions.InvalidSchema(
        "Missing dependencies for SOCKS support."
    ),
    "no host": urllib3.exceptions.LocationParseError("a label that is too long"),
}
PERHAPS_SENT = {
    "a broken TLS record": requests.exceptions.SSLError(ssl.SSLError("a broken record")),
    "TLS broken off": requests.exceptions.SSLError(ssl.SSLEOFError("broken off")),
    "a reset": requests.ConnectionError(
        urllib3.exceptions.ProtocolError("reset", ConnectionResetError())
    ),
    "a broken tunnel": requests.exceptions.ProxyError(
        urllib3.exceptions.ProxyError("tunnel", OSError())
    ),
    "no response in time": requests.ReadTimeout(),
    "half a response": requests.exceptions.ChunkedEncodingError(),
    "a timeout of any kind": TimeoutError(),
}


@pytest.mark.parametrize("error", NEVER_SENT.values(), ids=NEVER_SENT)
def test_what_definitely_reached_nobody_was_never_sent(error: Exception):
    assert failures.was_never_sent(error)


@pytest.mark.parametrize("error", PERHAPS_SENT.values(), ids=PERHAPS_SENT)
def test_what_may_have_reached_somebody_was_perhaps_sent(error: Exception):
    assert not failures.was_never_sent(error)


def test_the_error_of_what_was_never_sent_says_so():
    assert "Nothing was sent" in str(failures.not_sent(UPLOAD, requests.ReadTimeout()))


def test_the_error_without_a_response_leaves_open_whether_the_request_took_effect():
    error = failures.no_response(UPLOAD, requests.ReadTimeout())
    assert "Whether it took effect is not known" in str(error)


def test_the_error_of_an_upload_without_a_response_is_permanent():
    assert failures.no_response(UPLOAD, requests.ReadTimeout()).permanent


def test_the_error_of_a_read_without_a_response_is_not_permanent():
    assert not failures.no_response(READ, requests.ReadTimeout()).permanent


# -- rate limits ---------------------------------------------------------------------------------

NOW = 1_772_366_400
RESET = "x-ratelimit-reset"


def at(seconds: float) -> str:
    """A Date header, so many seconds from now."""
    return format_datetime(
        datetime.fromtimestamp(NOW, timezone.utc) + timedelta(seconds=seconds), usegmt=True
    )


class Reset(NamedTuple):
    """Headers that say when a window resets, and in how many seconds that is."""

    headers: dict[str, str]
    seconds: float


RESETS = {
    "in a second": Reset({RESET: f"{NOW + 1}"}, 1),
    "in a minute": Reset({RESET: f"{NOW + 60}"}, 60),
    "of a clock that is fast": Reset({RESET: f"{NOW + 360}", "date": at(300)}, 60),
    "of a clock that is slow": Reset({RESET: f"{NOW - 240}", "date": at(-300)}, 60),
    "in a day and an hour": Reset({RESET: f"{NOW + 90_000}"}, 90_000),
}
NO_RESETS = {
    "in more than a day and an hour": {RESET: f"{NOW + 90_001}"},
    "now": {RESET: f"{NOW}"},
    "seconds from now": {RESET: "60"},
    "milliseconds": {RESET: f"{NOW + 60}000"},
    "not a number": {RESET: "nan"},
    "a word": {RESET: "soon"},
    "5000 digits": {RESET: "9" * 5000},
    "a date that cannot be read": {RESET: f"{NOW + 60}", "date": "tomorrow"},
    "no header": {},
}


@pytest.mark.parametrize("row", RESETS.values(), ids=RESETS)
def test_a_reset_is_believed_within_a_day_and_an_hour_by_the_services_clock(row: Reset):
    reset = rate_limit(row.headers, NOW).reset
    assert reset == NOW + row.seconds + 1, "a second for what both headers round"


@pytest.mark.parametrize("headers", NO_RESETS.values(), ids=NO_RESETS)
def test_a_reset_that_is_no_time_within_the_next_day_and_an_hour_is_none(headers: dict[str, str]):
    assert rate_limit(headers, NOW).reset is None


def limit_of(count: str) -> RateLimit:
    return rate_limit({"x-ratelimit-limit": count, "x-ratelimit-remaining": count}, NOW)


@pytest.mark.parametrize("count", [5, 0, 999_999_999_999])
def test_counts_of_a_limit_are_whole_numbers(count: int):
    assert limit_of(str(count)) == RateLimit(count, count, None)


NO_COUNTS = {
    "below 0": "-1",
    "a letter": "x",
    "an Arabic digit": "٥",
    "empty": "",
    "13 digits": "1" * 13,
}


@pytest.mark.parametrize("count", NO_COUNTS.values(), ids=NO_COUNTS)
def test_what_is_no_whole_number_is_no_count_of_a_limit(count: str):
    assert limit_of(count) == RateLimit(None, None, None)


def refusal_by_the_limit(resets_at: int) -> exceptions.WesRateLimitError:
    headers = {
        "x_ratelimit_limit": "5",
        "x_ratelimit_remaining": "0",
        "x_ratelimit_reset": str(resets_at),
    }
    error = responses.error_of(UPLOAD, response(429, {"code": "rate-limited"}, **headers))
    assert isinstance(error, exceptions.WesRateLimitError)
    return error


def test_a_refusal_by_the_rate_limit_has_the_limit_the_rest_and_the_reset_of_its_headers():
    """And a second for what both headers round."""
    resets_at = int(time.time()) + 50
    error = refusal_by_the_limit(resets_at)
    assert (error.limit, error.remaining) == (5, 0)
    assert error.reset_at is not None
    assert error.reset_at.timestamp() == pytest.approx(resets_at + 1, abs=1)


def test_a_refusal_by_the_rate_limit_says_when_the_window_resets():
    error = refusal_by_the_limit(int(time.time()) + 50)
    assert f"The window resets at {error.reset_at:%H:%M:%S} UTC" in str(error)


SAID_TO_FAIL: dict[str, dict[str, Any]] = {
    "no success": {"success": False},
    "no success, as a string": {"isSuccess": "false"},
    "not ok": {"ok": False},
    "a word": {"status": "failed"},
    "a status code": {"statusCode": 503},
    "an error": {"error": {"message": "gone"}},
    "a segment, and no success": {"name": "n", "success": False},
}
NOT_SAID_TO_FAIL: dict[str, dict[str, Any]] = {
    "success": {"success": True},
    "another word": {"status": "active"},
    "the status code of a success": {"code": 200},
    "no error": {"error": None, "errors": [], "errorCode": 0},
    "a segment that is itself in error": {"name": "n", "status": "error"},
}


@pytest.mark.parametrize("body", SAID_TO_FAIL.values(), ids=SAID_TO_FAIL)
def test_an_update_of_a_segment_that_is_said_to_have_failed_is_an_error(body: dict[str, Any]):
    with pytest.raises(WesResponseError, match="200 that says the request has failed") as raised:
        responses.read_result(SEGMENT, response(200, body))
    assert not raised.value.permanent


@pytest.mark.parametrize("body", NOT_SAID_TO_FAIL.values(), ids=NOT_SAID_TO_FAIL)
def test_an_update_of_a_segment_that_is_not_said_to_have_failed_is_a_success(body: dict[str, Any]):
    assert responses.read_result(SEGMENT, response(200, body)) == body


@pytest.mark.parametrize(
    "wrapper", [{"success": False}, {"status": "error"}, {"code": 500}], ids=str
)
def test_a_file_in_a_response_that_is_said_to_have_failed_is_not_read(wrapper: dict[str, Any]):
    with pytest.raises(WesResponseError, match="200 that says the request has failed"):
        responses.coupon_file(READ, response(200, {**wrapper, "data": FILE}))


def test_the_error_of_a_file_is_not_one_of_its_reading():
    failed = {**FILE, "status": "error", "error": "no such column"}
    assert responses.coupon_file(READ, response(200, failed)).status == "error"
