"""What is taken out of all that the doctor prints."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_reads import SETTINGS
from wes_provider.doctor.cleaning import cleaner

SIGNED = "https://files.example.com/a.csv?id=17&sig=ab%2Fcd%2Bef%3D&key=with+a+space&short=seven77"


class Row(NamedTuple):
    """A value as it came, and what is left of it."""

    name: str
    value: Any
    cleaned: Any


ROWS = [
    Row("a key", "it is campaign-key-of-ours.", "it is ***."),
    Row("the other key", "it is data-key-of-ours.", "it is ***."),
    Row(
        "the whole query", f"not found: {SIGNED}", "not found: https://files.example.com/a.csv?***"
    ),
    Row("a value as it was sent", "sig ab%2Fcd%2Bef%3D", "sig ***"),
    Row("a value decoded", "sig ab/cd+ef=", "sig ***"),
    Row("a value encoded in part", "sig ab/cd%2Bef%3d", "sig ***"),
    Row("a value encoded twice", "sig ab%252Fcd%252Bef%253D", "sig ***"),
    Row("a value in JSON", r"sig ab\/cd\u002bef=", "sig ***"),
    Row("a value with spaces", "key with a space", "key ***"),
    Row("its spaces encoded", "key with%20a+space", "key ***"),
    Row("a value of seven characters", "short seven77", "short seven77"),
    Row("names in an object", {"campaign-key-of-ours": "ab/cd+ef="}, {"***": "***"}),
    Row("below an object", {"a": [{"b": "ab/cd+ef="}]}, {"a": [{"b": "***"}]}),
    Row("a tuple", ("ab/cd+ef=", 1), ["***", 1]),
    Row("control characters", "a\x1b[0m\tb\r\nc\u202e", "a\ufffd[0m\ufffdb\ufffd\nc\ufffd"),
    Row("a name with a control character", {"a\x00": 1}, {"a\ufffd": 1}),
    Row("other letters", "für 5 €", "für 5 €"),
    Row("a number", 7, 7),
    Row("true", True, True),
    Row("nothing", None, None),
    Row("no text", "", ""),
    Row("no list", [], []),
]


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_secrets_and_control_characters_are_taken_out(row: Row):
    assert cleaner(SETTINGS, SIGNED)(row.value) == row.cleaned


class Url(NamedTuple):
    """The URL of an upload, a text, and what is left of it."""

    name: str
    url: str | None
    text: str
    cleaned: str


URLS = [
    Url("no upload", None, "a campaign-key-of-ours, eight888", "a ***, eight888"),
    Url("no query", "https://files.example.com/eight888", "eight888", "eight888"),
    Url("eight characters", "https://f.test/a?x=eight888", "is eight888", "is ***"),
    Url("a query without a name", "https://f.test/a?tok", "is tok", "is ***"),
    Url("a value that is empty", "https://f.test/a?x=&y=eight888", "eight888, x", "***, x"),
    Url("a fragment", "https://f.test/a?x=1#fragment", "x=1 fragment", "*** fragment"),
]


@pytest.mark.parametrize("row", URLS, ids=[row.name for row in URLS])
def test_the_query_of_an_upload_is_secret(row: Url):
    assert cleaner(SETTINGS, row.url)(row.text) == row.cleaned
