"""What a response means: each row is a line of the tables in docs/promises.md."""

from __future__ import annotations

import codecs
import json
import re
import ssl
import time
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
    LAST_PAGE,
    MISSING_PART,
    NEXT_PAGE,
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
from wes_provider.exceptions import WesResponseError

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


def test_requests_are_what_the_contract_shows():
    assert (UPLOAD.method, UPLOAD.url) == ("POST", "http://127.0.0.1:9/v1/coupon-list/summer/files")
    assert json.loads(UPLOAD.body or b"") == {"file_url": "https://files.example.com/a/coupons.csv"}
    assert UPLOAD.headers["X-App"] == "workspace-1"
    assert (UPLOAD.headers["Content-Type"], READ.headers["Cache-Control"]) == (
        "application/json",
        "no-cache",
    )
    assert SEGMENT.method == "PATCH"
    assert SEGMENT.url.endswith("/a%2Fb"), "a parameter of the path is quoted whole"
    assert "Authorization" not in {**UPLOAD.headers, **SEGMENT.headers}


# -- errors --------------------------------------------------------------------------------------

ERRORS = [  # of a read, an upload and the segment update, by status
    (199, "WesResponseError", "WesUnknownOutcomeError", False),
    (300, "WesResponseError", "WesUnknownOutcomeError", True),
    (400, "WesBadRequestError", "WesBadRequestError", True),
    (401, "WesAuthenticationError", "WesAuthenticationError", True),
    (403, "WesForbiddenError", "WesForbiddenError", True),
    (404, "WesNotFoundError", "WesNotFoundError", True),
    (408, "WesResponseError", "WesUnknownOutcomeError", False),
    (409, "WesConflictError", "WesConflictError", True),
    (413, "WesPayloadTooLargeError", "WesPayloadTooLargeError", True),
    (418, "WesResponseError", "WesResponseError", True),
    (429, "WesRateLimitError", "WesRateLimitError", False),
    (499, "WesResponseError", "WesUnknownOutcomeError", False),
    (500, "WesServerError", "WesUnknownOutcomeError", False),
    (502, "WesServerError", "WesUnknownOutcomeError", False),
    (504, "WesServerError", "WesUnknownOutcomeError", False),
]


@pytest.mark.parametrize(("status", "read", "uploaded", "permanent"), ERRORS)
def test_each_status_has_its_error(status: int, read: str, uploaded: str, permanent: bool):
    body = {"error": {"code": "some-code", "message": "Some message"}}
    for request, expected in ((READ, read), (SEGMENT, read), (UPLOAD, uploaded)):
        error = responses.error_of(request, response(status, body, x_request_id="r-1"))
        assert type(error).__name__ == expected
        assert error.reason == f"{status} some-code: Some message"
        assert str(error).startswith(request.about(error.reason))
        assert error.permanent == (permanent or expected == "WesUnknownOutcomeError")
        assert "Request r-1" in str(error)
        assert getattr(error, "request_id", "r-1") == "r-1"
        assert getattr(error, "message", "Some message") == "Some message"
        assert error.status_code == status
        assert error.may_have_effect is (uploaded == "WesUnknownOutcomeError")
    assert responses.error_of(READ, response(404)).reason == "404"
    assert responses.error_of(READ, response(404, {"code": "gone"})).reason == "404 gone"
    first = str(responses.error_of(UPLOAD, response(400, body))).splitlines()[0]
    assert first == "400 some-code: Some message (a/coupons.csv of list summer)"


SUCCESSES = [
    ({"id": "7"}, {"id": "7"}),
    (b"", None),
    (b" \n", None),
    (b"OK", "OK"),
    (b"\xff", "\ufffd"),
    (b"7", 7),
]


@pytest.mark.parametrize(("body", "expected"), SUCCESSES)
def test_any_body_of_a_success_is_taken(body: Any, expected: Any):
    assert responses.success(SEGMENT, response(200, body)) == expected


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


DEEP = [b"[" * 1000 + b"]" * 1000, b'{"a":' * 1000 + b"1" + b"}" * 1000, b"[" * 100_000]


@pytest.mark.parametrize("body", DEEP, ids=["lists", "objects", "no end"])
def test_json_nested_without_sense_is_a_typed_error(body: bytes):
    for request, read in (
        (UPLOAD, responses.record),
        (READ, responses.record),
        (LIST, responses.listing),
        (CATALOG, responses.created_catalog),
    ):
        with pytest.raises(exceptions.WesError):
            read(request, response(200, body))
        with pytest.raises(exceptions.WesResponseError, match="400"):
            read(request, response(400, body))
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


TEXTS = [
    ({"code": "c", "message": "m"}, ("c", "m")),
    ({"error": {"code": 12, "Message": "m"}}, ("12", "m")),
    ({"error": {"code": "inner", "message": "m"}, "type": "outer", "message": "n"}, ("inner", "m")),
    ({"errors": [{"error-code": "c", "detail": "first"}, {"detail": "second"}]}, ("c", "first")),
    ({"error": "plain text"}, ("", "plain text")),
    ({"error": "kind", "message": "m"}, ("", "m")),
    ({"message": {"field": "is wrong"}}, ("", '{"field":"is wrong"}')),
    ({"other": "shape"}, ("", '{"other": "shape"}')),
    (b"<html>\n<h1>502  Bad Gateway</h1>", ("", "<html> <h1>502 Bad Gateway</h1>")),
    (b"", ("", "")),
    (b"\xff\xfd", ("", "��")),
    (
        {"message": "see https://u:s3cret@h.example.com/a?sig=s1gned"},
        ("", "see https://h.example.com/a"),
    ),
    ({"message": "x" * 1000}, ("", "x" * 199 + "…")),
]


@pytest.mark.parametrize(("body", "expected"), TEXTS)
def test_code_and_message_are_read_where_they_usually_are_or_the_body_is_quoted(
    body: Any, expected: tuple[str, str]
):
    assert responses.code_and_message(response(400, body).body) == expected


class Encoded(NamedTuple):
    """A charset that a response names, and bytes of the word ``Übernommen``."""

    named: str
    encoded_as: str


CHARSETS = [
    Encoded("; charset=iso-8859-1", "latin-1"),
    Encoded('; version=1; Charset="windows-1252"', "cp1252"),
    Encoded("; charset=utf-16le", "utf-16-le"),
    Encoded("; charset=utf-8", "utf-8"),
    Encoded("; charset=iso-8859-1", "utf-8"),
    Encoded("; charset=no-such-charset", "utf-8"),
    Encoded("; charset=utf-8", "utf-16"),
    Encoded("", "utf-8"),
]


@pytest.mark.parametrize("row", CHARSETS, ids=[f"{row.encoded_as} {row.named}" for row in CHARSETS])
def test_a_body_is_read_in_the_charset_that_the_response_names(row: Encoded):
    """Bytes that are UTF-8 are read so, whatever is named."""

    def named(status: int, body: Any) -> Response:
        text = json.dumps(body, ensure_ascii=False)
        return response(
            status, text.encode(row.encoded_as), content_type=f"application/json{row.named}"
        )

    file = {**FILE, "status": "Übernommen"}
    assert responses.coupon_file(READ, named(200, file)).status == "Übernommen"
    assert responses.listing(LIST, named(200, [file])).records == [file]
    refused = responses.error_of(READ, named(400, {"error": {"code": "c", "message": "Müll"}}))
    assert refused.reason == "400 c: Müll"


ADVICE = [
    (READ, 401, "Campaign API key"),
    (SEGMENT, 401, "Data API key"),
    (READ, 404, "set the connection's extra paths"),
    (UPLOAD, 404, "Check the identifier"),
    (UPLOAD, 407, "The proxy requires"),
    (READ, 503, "a gateway in front of it"),
    (UPLOAD, 400, "Correct what the response names in the task's arguments"),
    (UPLOAD, 403, "a gateway, a firewall or a proxy in between may have refused"),
    (CATALOG, 409, "Choose another name"),
    (CATALOG, 413, "Make the task's arguments smaller"),
    (UPLOAD, 418, "and what stands between you and the service"),
    (READ, 302, "this one leads to 'https://login.example.com/in'"),
]


@pytest.mark.parametrize(("request_", "status", "advice"), ADVICE)
def test_an_error_says_what_to_do(request_: Request, status: int, advice: str):
    location = "https://login.example.com/in?token=s3cret"
    assert advice in str(responses.error_of(request_, response(status, location=location)))


FORBIDDEN: dict[str, tuple[Any, str]] = {
    "the service's": ({"error": {"code": "request-forbidden", "message": "no"}}, "The account may"),
    "no body": (b"", "a gateway, a firewall or a proxy"),
    "a page": (b"<html>Access denied | Some firewall</html>", "a gateway, a firewall or a proxy"),
    "a text": (b"Forbidden", "a gateway, a firewall or a proxy"),
    "a message": ({"message": "Forbidden"}, "a gateway, a firewall or a proxy"),
    "an error that is a text": ({"error": "blocked by policy"}, "a gateway, a firewall or a proxy"),
}


@pytest.mark.parametrize(("body", "advice"), FORBIDDEN.values(), ids=FORBIDDEN)
@pytest.mark.parametrize("request_", [READ, UPLOAD, CATALOG, SEGMENT], ids=["r", "u", "c", "s"])
def test_a_403_without_a_code_may_be_that_of_somebody_in_between(
    request_: Request, body: Any, advice: str
):
    message = str(responses.error_of(request_, response(403, body)))
    assert advice in message
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

RECORDS = [
    (201, FILE, FILE),
    (200, {"data": FILE}, FILE),
    (202, FILE, FILE),
    (201, {}, None),
    (201, b"", None),
    (201, b"OK", None),
    (201, [FILE], None),
    (201, {"_id": ""}, None),
    (201, {"_id": 7}, None),
    (201, {"_id": " "}, None),
    (201, {"_id": "\u00a0\n"}, None),
    (201, {"data": {"_id": "\t"}}, None),
    (201, {"_id": " f1 "}, None),
    (201, {"_id": "f1\n"}, None),
    (201, {"_id": "../../f1"}, None),
    (201, {"_id": "{{ f1 }}"}, None),
    (201, {"_id": "f\u200b1"}, None),
    (201, {"_id": "f" * 1025}, None),
    (201, {"_id": "year/2026:ü"}, {"_id": "year/2026:ü"}),
]


@pytest.mark.parametrize(("status", "body", "expected"), RECORDS)
def test_an_upload_is_accepted_if_the_response_names_its_file(
    status: int, body: Any, expected: Any
):
    if expected is not None:
        assert responses.record(UPLOAD, response(status, body)) == expected
        return
    with pytest.raises(
        exceptions.WesUnknownOutcomeError, match=f"{status} without a coupon file's _id"
    ) as raised:
        responses.record(UPLOAD, response(status, body))
    assert raised.value.status_code == status


PAGES = [
    b"<!DOCTYPE html><title>Log in</title>",
    b"\n <html><body>Accept the terms</body></html>",
    b"<?xml version='1.0'?><login/>",
]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_not_from_the_service(page: bytes):
    for request, read, error in (
        (UPLOAD, responses.record, exceptions.WesUnknownOutcomeError),
        (CATALOG, responses.created_catalog, exceptions.WesUnknownOutcomeError),
        (READ, responses.record, exceptions.WesResponseError),
    ):
        with pytest.raises(error, match="a page that is not from the service") as raised:
            read(request, response(200, page))
        assert "check the connection's Address, and the proxies" in str(raised.value)
        assert "paths" not in str(raised.value)
    with pytest.raises(exceptions.WesResponseError, match="check the connection's Address"):
        responses.listing(LIST, response(200, page))


def test_a_read_file_is_the_one_that_was_asked_for_and_has_a_status():
    assert responses.coupon_file(READ, response(200, FILE)).status == "PENDING"
    for wrong in ({**FILE, "_id": "f2"}, {**FILE, "status": ""}, {"_id": "f1"}):
        with pytest.raises(exceptions.WesResponseError, match="run wes-doctor"):
            responses.coupon_file(READ, response(200, wrong))


LISTS = [
    ([FILE], {}, [FILE], ""),
    ({"data": [FILE]}, {}, [FILE], ""),
    ({"data": [FILE], "total": 1}, {}, [FILE], ""),
    ({"data": [FILE], "meta": {"pagination": {"total": 2.0}}}, {}, [FILE], "a part"),
    ({"data": [FILE], "next": None, "has_more": False, "errors": [], "total": 1}, {}, [FILE], ""),
    ({"data": [FILE], "partial_errors": ["shard 2"]}, {}, [FILE], "a part"),
    ({"data": [FILE], "links": [{"rel": "next", "href": "/2"}]}, {}, [FILE], "a part"),
    ([FILE], {"x-total-count": "2"}, [FILE], "a part"),
    *(
        ([FILE], {"link": f"</page-2>; rel={rel}"}, [FILE], "a next page")
        for rel in ('"next"', "next", '"next last"')
    ),
    ([], {}, [], ""),
]


@pytest.mark.parametrize(("body", "headers", "records", "incomplete"), LISTS)
def test_a_list_is_whole_unless_it_says_otherwise(
    body: Any, headers: Any, records: Any, incomplete: str
):
    listing = responses.listing(LIST, response(200, body, **headers))
    assert listing.records == records
    assert (incomplete in listing.incomplete) if incomplete else listing.incomplete == ""


def test_each_result_of_the_table_of_operations_is_read():
    assert set(responses.READERS) == set(Result)
    assert responses.read_result(SEGMENT, response(204)) is None
    assert responses.read_result(READ, response(200, FILE)) == FILE
    assert responses.read_result(LIST, response(200, [FILE])) == responses.Listing([FILE])
    created = responses.read_result(CATALOG, response(201, {"id": "c1"}))
    assert created == responses.CreatedCatalog("c1", {"id": "c1"})


class Beside(NamedTuple):
    """What a response has beside one file, as a dotted path and a value."""

    path: str
    value: Any


MORE = [
    Beside("has_more", True),
    Beside("hasMore", "true"),
    Beside("HAS-MORE", 1),
    Beside("meta.has_next", True),
    Beside("next", "/2"),
    Beside("next", 2),
    Beside("links.next.href", "/2"),
    Beside("links", [{"rel": "self"}, {"rel": "Next", "href": "/2"}]),
    Beside("@odata.nextLink", "/2"),
    Beside("nextPageToken", "x"),
    Beside("paging.cursors.after", "x"),
    Beside("page_info.has_next_page", True),
    Beside("page_info.end_cursor", "x"),
    Beside("total", 2),
    Beside("total_count", "2"),
    Beside("hits.total.value", 2),
    Beside("paging.totalItemCount", 2),
    Beside("nbHits", 2),
    Beside("recordsFiltered", 2),
    Beside("@odata.count", 2),
    Beside("numberOfFiles", 2),
    Beside("matches", 2),
    Beside("nbPages", 2),
    Beside("count", 2.0),
    Beside("totalPages", 2),
    Beside("pages.total", 3),
    Beside("IsTruncated", True),
    Beside("partial_errors", ["shard 2"]),
    Beside("error.code", "busy"),
    Beside("errors", [{"code": "busy"}]),
]
NO_MORE = [
    Beside("next", ""),
    Beside("next", None),
    Beside("next", {"href": None}),
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
    Beside("per_page", 50),
    Beside("links.self", "/1"),
    Beside("links", [{"rel": "self", "href": "/1"}]),
    # Names that hold a name of the table, or a word of it, are others.
    Beside("error_count", 3),
    Beside("error_rate", 0.5),
    Beside("number", 7),
    Beside("limits.items", 500),
    Beside("pageSize", 20),
    Beside("couponCount", 20),
    Beside("account", 12),
    Beside("discount", 20),
    Beside("total_coupons", 500),
    Beside("coupons_total", 500),
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
    assert names - counting - {"rel", "link"} == MISSING_PART | NEXT_PAGE | LAST_PAGE


def beside(row: Beside) -> dict[str, Any]:
    content: Any = row.value
    for part in reversed(row.path.split(".") if not row.path.startswith("@") else [row.path]):
        content = {part: content}
    return {"data": [FILE], **content}


def id_of(row: Beside) -> str:
    return f"{row.path}={row.value}"


@pytest.mark.parametrize("row", MORE, ids=id_of)
def test_a_name_beside_a_lists_files_announces_more(row: Beside):
    incomplete = responses.listing(LIST, response(200, beside(row))).incomplete
    assert incomplete.startswith("the service shows a part of the list only")


@pytest.mark.parametrize("row", NO_MORE, ids=id_of)
def test_other_names_and_values_beside_a_lists_files_announce_nothing(row: Beside):
    assert responses.listing(LIST, response(200, beside(row))).incomplete == ""


@pytest.mark.parametrize("body", [{}, {"data": {}}, ["x"], b"", b"OK", {"data": [None]}])
def test_what_is_no_list_of_files_is_an_error(body: Any):
    with pytest.raises(
        exceptions.WesResponseError, match="200 without a list of coupon files"
    ) as raised:
        responses.listing(LIST, response(200, body))
    assert raised.value.reason.startswith("200 without a list of coupon files")
    assert raised.value.permanent is (body != b"OK"), "a gateway's text may be gone in a minute"
    assert "\nThe path of the list's files may be wrong" in str(raised.value)


def test_a_list_that_is_too_long_is_incomplete():
    assert (
        responses.listing(
            LIST, Response(200, {}, b"[" * (LIST.operation.largest_response + 1))
        ).incomplete
        == "the list is too long"
    )
    assert responses.listing(LIST, response(206, [FILE])).incomplete.startswith(
        "the response has status 206"
    )


CATALOG_IDS = [
    ({"catalog_id": "c1"}, None, "c1"),
    ({"_id": 12}, None, "12"),
    ({"data": {"id": "c1"}}, None, "c1"),
    ({"catalog_id": "top", "data": {"catalog_id": "below"}}, None, "top"),
    ({"data": "c1"}, None, "c1"),
    ("c1", None, "c1"),
    ("<html>", None, None),
    ("OK", None, None),
    ("Created.", None, None),
    ("  c1\n", None, "c1"),
    ({"id": True}, None, None),
    ({"id": "Catalog created"}, None, None),
    ({"id": "success"}, None, None),
    ({"_id": False, "data": {"id": "c1"}}, None, "c1"),
    ({"data": "The catalog was created"}, None, None),
    ({"data": "ACCEPTED"}, None, None),
    ({"id": "Created", "data": {"id": "c1"}}, None, "c1"),
    (True, None, None),
    ({"result": True}, "result", None),
    ({"result": "IN_PROGRESS"}, "result", None),
    (7, None, None),
    ("okapi", None, "okapi"),
    ("two words", None, None),
    ({}, None, None),
    (None, None, None),
    ({"data": ""}, None, None),
    ({"data": 7}, None, None),
    ({"result": {"key": "c1"}}, "result.key", "c1"),
    ({"result": {"key": {"x": 1}}}, "result.key", None),
    ({"catalog_id": "c1"}, "result.key", None),
]


@pytest.mark.parametrize(("content", "prop", "expected"), CATALOG_IDS)
def test_a_catalogs_identifier_is_found(content: Any, prop: str | None, expected: str | None):
    assert responses.catalog_id(content, prop) == expected


TAKEN = [
    (409, {}, True),
    (400, {"code": "name-exists"}, True),
    (422, {"code": "ALREADY_EXISTS"}, True),
    (400, {"code": "not-exists"}, False),
    (400, {"code": "NameTaken"}, True),
    (400, {"code": "DUPLICATE_NAME"}, True),
    (422, {"message": "Name has already been taken"}, True),
    (400, {"message": "name is not unique"}, True),
    (422, {"message": "A catalog's name must be unique"}, True),
    (400, {"message": "conflict with catalog 7"}, True),
    (422, {"errors": [{"detail": "A catalog of this name exists."}]}, True),
    (400, {"message": "The currency does not exist"}, False),
    (400, {"message": "attribute 3 doesn't exist"}, False),
    (400, {"message": "no such type exists"}, False),
    (400, {"message": "existence of coexisting units"}, False),
    (400, {"message": "mistaken: use unique ids"}, False),
    (400, {"message": "no conflict, but no name"}, False),
    (404, {}, False),
    (500, {"code": "name-exists"}, False),
]


@pytest.mark.parametrize(("status", "body", "taken"), TAKEN)
def test_a_conflict_or_a_code_says_that_a_name_is_taken(status: int, body: Any, taken: bool):
    assert responses.name_is_taken(responses.error_of(CATALOG, response(status, body))) is taken


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

NEVER_SENT = [
    (requests.ConnectionError(NotEstablishedError()), True),
    (
        requests.exceptions.ProxyError(urllib3.exceptions.ProxyError("x", NotEstablishedError())),
        True,
    ),
    (requests.exceptions.InvalidURL(), True),
    (requests.exceptions.InvalidSchema("Missing dependencies for SOCKS support."), True),
    (urllib3.exceptions.LocationParseError("a label that is too long"), True),
    (requests.exceptions.SSLError(ssl.SSLError("a broken record")), False),
    (requests.exceptions.SSLError(ssl.SSLEOFError("broken off")), False),
    (
        requests.ConnectionError(urllib3.exceptions.ProtocolError("reset", ConnectionResetError())),
        False,
    ),
    (requests.exceptions.ProxyError(urllib3.exceptions.ProxyError("tunnel", OSError())), False),
    (requests.ReadTimeout(), False),
    (requests.exceptions.ChunkedEncodingError(), False),
    (TimeoutError(), False),
]


@pytest.mark.parametrize(("error", "never"), NEVER_SENT)
def test_never_sent_is_what_surely_reached_nobody(error: Exception, never: bool):
    assert failures.was_never_sent(error) is never


def test_an_error_says_whether_anything_was_sent():
    error = requests.ReadTimeout()
    assert "Nothing was sent" in str(failures.not_sent(UPLOAD, error))
    assert "Whether it took effect is not known" in str(failures.no_response(UPLOAD, error))
    assert failures.no_response(UPLOAD, error).permanent
    assert not failures.no_response(READ, error).permanent


# -- rate limits ---------------------------------------------------------------------------------

NOW = 1_772_366_400
RESET = "x-ratelimit-reset"


def at(seconds: float) -> str:
    """A Date header, so many seconds from now."""
    return format_datetime(
        datetime.fromtimestamp(NOW, timezone.utc) + timedelta(seconds=seconds), usegmt=True
    )


RESETS: list[tuple[dict[str, str], float | None]] = [
    ({RESET: f"{NOW + 60}"}, 60),
    ({RESET: f"{NOW + 360}", "date": at(300)}, 60),  # by the service's clock, which is ahead
    ({RESET: f"{NOW - 240}", "date": at(-300)}, 60),
    ({RESET: f"{NOW + 90_000}"}, 90_000),
    ({RESET: f"{NOW + 90_001}"}, None),
    ({RESET: f"{NOW}"}, None),
    ({RESET: "60"}, None),
    ({RESET: f"{NOW + 60}000"}, None),
    ({RESET: "nan"}, None),
    ({RESET: "soon"}, None),
    ({RESET: "9" * 5000}, None),
    ({RESET: f"{NOW + 60}", "date": "tomorrow"}, None),
    ({}, None),
]


@pytest.mark.parametrize(("headers", "seconds"), RESETS)
def test_a_reset_is_believed_within_a_day(headers: dict[str, str], seconds: float | None):
    reset = rate_limit(headers, NOW).reset
    assert reset == (None if seconds is None else NOW + seconds + 1), (
        "a second for what both headers round"
    )


@pytest.mark.parametrize(
    ("text", "count"), [("5", 5), ("0", 0), ("-1", None), ("x", None), ("٥", None), ("", None)]
)
def test_counts_of_a_limit_are_whole_numbers(text: str, count: int | None):
    headers = {"x-ratelimit-limit": text, "x-ratelimit-remaining": text}
    assert rate_limit(headers, NOW) == RateLimit(count, count, None)


def test_a_refusal_by_the_rate_limit_says_when_it_ends():
    headers = {
        "x_ratelimit_limit": "5",
        "x_ratelimit_remaining": "0",
        "x_ratelimit_reset": str(int(time.time()) + 50),
    }
    error = responses.error_of(UPLOAD, response(429, {"code": "rate-limited"}, **headers))
    assert isinstance(error, exceptions.WesRateLimitError)
    assert (error.limit, error.remaining) == (5, 0)
    assert error.reset_at is not None
    assert 48 <= error.reset_at.timestamp() - time.time() <= 52
    assert f"The window resets at {error.reset_at:%H:%M:%S} UTC" in str(error)


class SaidToFail(NamedTuple):
    """A 2xx that says that the request has failed, or not."""

    body: dict[str, Any]
    fails: bool


SAID_TO_FAIL = {
    "success": SaidToFail({"success": True}, False),
    "no success": SaidToFail({"success": False}, True),
    "no success, as a string": SaidToFail({"isSuccess": "false"}, True),
    "not ok": SaidToFail({"ok": False}, True),
    "a word": SaidToFail({"status": "failed"}, True),
    "another word": SaidToFail({"status": "active"}, False),
    "a status code": SaidToFail({"statusCode": 503}, True),
    "the status code of a success": SaidToFail({"code": 200}, False),
    "an error": SaidToFail({"error": {"message": "gone"}}, True),
    "no error": SaidToFail({"error": None, "errors": [], "errorCode": 0}, False),
    "a segment that is itself in error": SaidToFail({"name": "n", "status": "error"}, False),
    "a segment, and no success": SaidToFail({"name": "n", "success": False}, True),
}


@pytest.mark.parametrize("row", SAID_TO_FAIL.values(), ids=SAID_TO_FAIL)
def test_an_update_of_a_segment_that_is_said_to_have_failed_is_an_error(row: SaidToFail):
    if not row.fails:
        assert responses.read_result(SEGMENT, response(200, row.body)) == row.body
        return
    with pytest.raises(WesResponseError, match="200 that says the request has failed") as raised:
        responses.read_result(SEGMENT, response(200, row.body))
    assert not raised.value.permanent


@pytest.mark.parametrize("wrapper", [{"success": False}, {"status": "error"}, {"code": 500}])
def test_a_file_in_a_response_that_is_said_to_have_failed_is_not_read(wrapper: dict[str, Any]):
    with pytest.raises(WesResponseError, match="200 that says the request has failed"):
        responses.coupon_file(READ, response(200, {**wrapper, "data": FILE}))


def test_the_error_of_a_file_is_not_one_of_its_reading():
    failed = {**FILE, "status": "error", "error": "no such column"}
    assert responses.coupon_file(READ, response(200, failed)).status == "error"
