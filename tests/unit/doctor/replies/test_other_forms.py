"""
A success is in another form if it is no JSON array or object, no web page and no error, and has a
body. Its form has a name by its media type, whatever its case, or if it is XML; JSON and errors
called so have none. A short text, or a string in JSON, says that a list is empty by a word for
nothing with one for files (two words may stand between), by *nothing*, or by *is empty*; CSV, long
texts and binary do not.

The text names form, status and media type, and quotes text in one line, without secrets, or the
first bytes of what is none. If the words say that the list is empty, it says so, and asks for a
list with files.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_replies import reply
from wes_provider.doctor.replies.other_forms import (
    form_by_name,
    is_in_other_form,
    says_empty,
    why_in_other_form,
)
from wes_provider.doctor.replies.probes import Probe


def typed(body: str | bytes, media: str, status: int = 200) -> Probe:
    """A reply whose header says what its body is."""
    return reply(status, body, {"content-type": media})


class Form(NamedTuple):
    """A reply, and whether it is a success in another form than JSON."""

    name: str
    probe: Probe
    holds: bool


FORMS = [
    Form("text", reply(200, "OK"), holds=True),
    Form("XML", typed("<files/>", "text/xml"), holds=True),
    Form("binary", reply(200, b"\x00\x01"), holds=True),
    Form("a number in JSON", reply(200, "7"), holds=True),
    Form("an array", reply(200, "[]"), holds=False),
    Form("no body", reply(204), holds=False),
    Form("a page", reply(200, "<html>"), holds=False),
    Form("an error in XML", reply(200, "<error>No.</error>"), holds=False),
    Form(
        "XML of a file with an error",
        typed("<file><_id>f1</_id><error>No header</error></file>", "text/xml"),
        holds=True,
    ),
    Form("text with 300", reply(300, "OK"), holds=False),
    Form("text with 407", reply(407, "OK"), holds=False),
]


@pytest.mark.parametrize("row", FORMS, ids=[row.name for row in FORMS])
def test_a_success_is_in_another_form_if_it_has_no_json_page_or_error(row: Form):
    assert is_in_other_form(row.probe) is row.holds


class Named(NamedTuple):
    """A reply, and the name of its form."""

    name: str
    probe: Probe
    form: str


NAMED = [
    Named("CSV", typed("a,b", "Text/CSV; charset=utf-8"), "CSV"),
    Named("an application's CSV", typed("a,b", "application/csv"), "CSV"),
    Named("protobuf", typed(b"\x00\x01", "application/x-protobuf"), "Protocol Buffers"),
    Named("YAML", typed("- a", "application/yaml"), "YAML"),
    Named("XML that says so itself", reply(200, "<?xml version='1.0'?><files/>"), "XML"),
    Named("JSON called CSV", typed("[]", "text/csv"), ""),
    Named("plain text", typed("a,b", "text/plain"), ""),
    Named("no type", reply(200, "a,b"), ""),
]


@pytest.mark.parametrize("row", NAMED, ids=[row.name for row in NAMED])
def test_the_form_of_a_body_that_is_no_json_has_a_name_by_its_media_type(row: Named):
    assert form_by_name(row.probe) == row.form


class Sentence(NamedTuple):
    """A reply, and whether it says that a list is empty."""

    name: str
    probe: Probe
    holds: bool


SENTENCES = [
    Sentence("no files", reply(200, "No files found."), holds=True),
    Sentence("zero results", reply(200, "0 results"), holds=True),
    Sentence("two words between", reply(200, "There are no newly listed files"), holds=True),
    Sentence("three words between", reply(200, "no more than three files"), holds=False),
    Sentence("German", reply(200, "Keine Dateien"), holds=True),
    Sentence("nothing", reply(200, "Nothing to show"), holds=True),
    Sentence("empty", reply(200, "The list is empty"), holds=True),
    Sentence("an empty file", reply(200, "empty.csv"), holds=False),
    Sentence("other words", reply(200, "OK"), holds=False),
    Sentence("200 characters", reply(200, "No files".ljust(199, ".") + "x"), holds=True),
    Sentence("201 characters", reply(200, "No files".ljust(200, ".") + "x"), holds=False),
    Sentence("CSV", typed("no files", "text/csv"), holds=False),
    Sentence("a string in JSON", reply(200, '"No files"'), holds=True),
    Sentence("a number in JSON", reply(200, "0"), holds=False),
    Sentence("binary", reply(200, b"No files\x00"), holds=False),
]


@pytest.mark.parametrize("row", SENTENCES, ids=[row.name for row in SENTENCES])
def test_a_list_is_empty_by_a_short_text_that_says_so(row: Sentence):
    assert says_empty(row.probe) is row.holds


class Why(NamedTuple):
    """A reply, and what is said of it."""

    name: str
    probe: Probe
    says: str


ASK = "which the provider cannot read, and no setting changes that: ask the service's support for JSON"
WHY = [
    Why("CSV", typed("a,b\r\n1,2", "text/csv"), f"CSV (200 with text/csv: 'a,b 1,2'), {ASK}"),
    Why("text", reply(202, "OK"), f"text (202 with no Content-Type: 'OK'), {ASK}"),
    Why(
        "bytes",
        typed(b"\x00\x01", "application/octet-stream"),
        "what is no text (200 with application/octet-stream; it begins with 00 01), " + ASK,
    ),
    Why(
        "a number in JSON",
        typed("7", "application/json"),
        "JSON that is neither an array nor an object (200 with application/json: '7'), "
        + ASK.replace("JSON", "an array of files"),
    ),
    Why(
        "a secret",
        reply(200, "Yes hunter2", clean=lambda text: text.replace("hunter2", "***")),
        f"text (200 with no Content-Type: 'Yes ***'), {ASK}",
    ),
]


@pytest.mark.parametrize("row", WHY, ids=[row.name for row in WHY])
def test_the_form_of_a_list_is_said_with_its_type_and_its_beginning(row: Why):
    assert why_in_other_form(row.probe) == f"The list comes as {row.says}"


def test_of_a_text_that_says_that_a_list_is_empty_a_list_with_files_is_asked_for():
    assert why_in_other_form(typed("No files found.", "text/plain")) == (
        "200 with text/plain came, and its words say that the list is empty: 'No files found'. The "
        "provider reads arrays in JSON only: name a list with files in --coupon-list, to see "
        "whether that comes so, and ask the service's support for an empty array if a list has no "
        "file"
    )
