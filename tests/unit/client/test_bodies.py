"""
How a body is read: in UTF-8 or by its byte order mark if that is possible, and otherwise in the
charset that the response names. JSON that is nested without sense is an error for whoever needs
its content, and a string for an update of a segment, which is a success whatever comes back with
2xx, unless that is a page of markup: then it is not known whether the update took effect.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from support.exchanges import CATALOG, FILE, LIST, READ, SEGMENT, UPLOAD, response
from wes_provider import exceptions
from wes_provider.client import responses
from wes_provider.client.requests import Request
from wes_provider.client.responses import Response


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
    "a string that is not JSON": b"OK",
    "half an object": b' {"_id": "5f',
    "half a list": b"[{",
    "12 MB of the definition": b'{"value": [' + b'"Lisbon", ' * 1_300_000,
    "no UTF-8": b"\xff\xfe\x00",
    "a thousand levels": b"[" * 1000 + b"]" * 1000,
    "a hundred thousand levels": b'{"a":' * 100_000,
}


@pytest.mark.parametrize("body", UPDATED.values(), ids=UPDATED)
def test_an_update_is_a_success_whatever_the_body_is(body: bytes):
    content = responses.read_result(SEGMENT, response(200, body))
    assert isinstance(content, str)
    assert len(content) <= 20_000


PAGES = {
    "HTML": b"<html>Log in",
    "HTML behind a byte order mark and blanks": b"\xef\xbb\xbf\n <!DOCTYPE html><p>Log in",
    "HTML in UTF-16": "<html>Log in".encode("utf-16"),
    "a comment": b"<!-- node 3 --><html>Log in",
    "a script": b"<script>location = 'https://login.example.com'</script> Log in",
    "XML": b"<?xml version='1.0'?><notice>Log in</notice>",
}


@pytest.mark.parametrize("body", PAGES.values(), ids=PAGES)
def test_whether_an_update_took_effect_is_not_known_after_a_page_and_it_is_retried(body: bytes):
    with pytest.raises(exceptions.WesUnknownOutcomeError, match=r"200 with a page.*Log in") as info:
        responses.read_result(SEGMENT, response(200, body))
    assert "check the connection's Address" in str(info.value)
    assert not info.value.permanent
    assert info.value.may_have_effect


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
