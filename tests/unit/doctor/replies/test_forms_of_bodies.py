"""
A body is JSON, JSON that cannot be read (it breaks off or is too deep), a page (also after an XML
declaration), other XML (by its declaration or its media type), text, binary (control characters,
gzip), or nothing (white space). Text is decoded by a mark of UTF-16, or as UTF-8, or else by the
charset that the reply names, if it is known. A 2xx with more than 32 MB is too long. A 2xx has
nothing if it has no body, white space or null; an error is not read so. A 2xx should be JSON and is
none if text or binary is called a type of JSON, or if its bytes are gzip, whatever they are called;
pages and broken JSON are no such. The standard of JSON is said before its media type if it is
known, such as HAL or JSON:API.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_replies import reply
from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.contract import MIB
from wes_provider.doctor.replies.probes import (
    Form,
    Probe,
    Question,
)

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
    Body(
        "a file in XML with an error",
        b"<?xml version='1.0'?><file><_id>f1</_id><error>No header</error></file>",
        Form.XML,
    ),
    Body("an XML error", b"<error>No route</error>", Form.XML),
    Body("words", b"OK", Form.TEXT),
    Body("control characters", b"\x00\x01", Form.BINARY),
    Body("gzip", b"\x1f\x8b\x00", Form.BINARY),
    Body("nothing", b"", Form.NONE),
    Body("white space", b" \n", Form.NONE),
]


@pytest.mark.parametrize("row", FORMS, ids=[row.name for row in FORMS])
def test_the_form_of_a_body_is_json_broken_json_a_page_xml_text_binary_or_nothing(row: Body):
    assert probe_of(200, row.body).form == row.form


class Length(NamedTuple):
    """A reply to the read of a list, and whether it is longer than the provider reads."""

    name: str
    probe: Probe
    is_too_long: bool


LENGTHS = [
    Length("32 MB", reply(200, bytes(32 * MIB)), is_too_long=False),
    Length("more than 32 MB", reply(200, bytes(32 * MIB + 1)), is_too_long=True),
    Length("more than 32 MB, of an error", reply(400, bytes(32 * MIB + 1)), is_too_long=False),
]


@pytest.mark.parametrize("row", LENGTHS, ids=[row.name for row in LENGTHS])
def test_a_list_is_too_long_if_a_success_has_more_than_32_mb(row: Length):
    assert row.probe.is_too_long is row.is_too_long


def test_a_list_that_is_too_long_is_printed_as_such():
    printed = str(reply(200, b"[" + b" " * 32 * MIB))
    assert printed.endswith(" → 200, JSON that cannot be read, since it is too long")


class CalledXml(NamedTuple):
    """A body, the media type that it is called by, and its form."""

    name: str
    body: bytes
    media: str
    form: Form


CALLED_XML = [
    CalledXml("application/xml", b"<file/>", "application/xml; charset=utf-8", Form.XML),
    CalledXml("text/xml", b"<file/>", "Text/XML", Form.XML),
    CalledXml("a form of XML", b"<file/>", "application/atom+xml", Form.XML),
    CalledXml("a page", b"<html/>", "application/xml", Form.PAGE),
    CalledXml("no tag", b"file", "application/xml", Form.TEXT),
    CalledXml("HTML", b"<file/>", "text/html", Form.PAGE),
]


@pytest.mark.parametrize("row", CALLED_XML, ids=[row.name for row in CALLED_XML])
def test_a_body_with_a_tag_that_is_called_xml_is_xml_unless_it_is_a_page(row: CalledXml):
    assert probe_of(200, row.body, content_type=row.media).form == row.form


class Charset(NamedTuple):
    """The charset that a reply names, its body, and the text that is read."""

    name: str
    charset: str
    body: bytes
    text: str = "Müll"


CHARSETS = [
    Charset("no utf-8, and the charset is known", "latin-1", b"M\xfcll"),
    Charset("no utf-8, and the charset is unknown", "no-such-charset", b"M\xfcll", "M\ufffdll"),
    Charset("utf-8, called by another charset", "latin-1", b"M\xc3\xbcll"),
    Charset("utf-8, called by an unknown charset", "no-such-charset", b"M\xc3\xbcll"),
    Charset("a mark of utf-16", "utf-8", b"\xff\xfeM\x00\xfc\x00l\x00l\x00"),
]


@pytest.mark.parametrize("row", CHARSETS, ids=[row.name for row in CHARSETS])
def test_the_text_is_decoded_by_its_mark_or_as_utf_8_or_else_by_its_charset(row: Charset):
    media = f"text/plain; charset={row.charset}"
    assert probe_of(404, row.body, content_type=media).message == row.text


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
    Unreadable("text called JSON", typed("x", " Application/JSON ; a=b"), is_unreadable=True),
    Unreadable("text called another JSON", typed("x", "application/hal+json"), is_unreadable=True),
    Unreadable("a picture called JSON", typed(b"\x89PNG", "application/json"), is_unreadable=True),
    Unreadable("gzip called text", typed(b"\x1f\x8b\x00", "text/plain"), is_unreadable=True),
    Unreadable("a picture called a picture", typed(b"\x89PNG", "image/png"), is_unreadable=False),
    Unreadable("text of a type that begins as JSON", typed("x", "text/jsonx"), is_unreadable=False),
    Unreadable("JSON called JSON", typed("{}", "application/json"), is_unreadable=False),
    Unreadable("no body called JSON", typed("", "application/json"), is_unreadable=False),
    Unreadable(
        "JSON that breaks off called JSON", typed("{", "application/json"), is_unreadable=False
    ),
    Unreadable("a page called JSON", typed("<html>", "application/json"), is_unreadable=False),
    Unreadable(
        "text called JSON, of an error", typed("x", "application/json", 400), is_unreadable=False
    ),
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
