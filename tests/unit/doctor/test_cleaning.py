"""
All that the doctor prints is cleaned, in texts, lists and names of objects: both keys, and the
query of an uploaded URL, are replaced by ``***``. Of the query, the whole, and each value of eight
characters or more, is taken out, as it is, decoded, encoded in part or twice, or in JSON; also the
part of a query without a name, of any length. Without a query, the URL has no secret, and neither
has its fragment. Half a secret, from its beginning or up to its end, and of eight characters at
least, is taken out as well, with what follows or precedes of it, ignoring case; but not one that may
be words, without a digit and in one case. Control characters but the end of a line are replaced by �. Anything else stays:
numbers, other letters, and values of seven characters.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import pytest

from support.doctor_reads import SETTINGS
from wes_provider.doctor.cleaning import cleaner

SIGNED = "https://files.example.com/a.csv?id=17&sig=ab%2Fcd%2Bef%3D&key=with+a+space&short=seven77"


class Cleaned(NamedTuple):
    """A value as it came, and what is left of it."""

    name: str
    value: Any
    cleaned: Any


SECRETS = [
    Cleaned("a key", "it is campaign-key-of-ours.", "it is ***."),
    Cleaned("the other key", "it is data-key-of-ours.", "it is ***."),
    Cleaned(
        "the whole query", f"not found: {SIGNED}", "not found: https://files.example.com/a.csv?***"
    ),
    Cleaned("a value as it was sent", "sig ab%2Fcd%2Bef%3D", "sig ***"),
    Cleaned("a value decoded", "sig ab/cd+ef=", "sig ***"),
    Cleaned("a value encoded in part", "sig ab/cd%2Bef%3d", "sig ***"),
    Cleaned("a value encoded twice", "sig ab%252Fcd%252Bef%253D", "sig ***"),
    Cleaned("a value in JSON", r"sig ab\/cd\u002bef=", "sig ***"),
    Cleaned("a value with spaces", "key with a space", "key ***"),
    Cleaned("its spaces encoded", "key with%20a+space", "key ***"),
    Cleaned("names in an object", {"campaign-key-of-ours": "ab/cd+ef="}, {"***": "***"}),
    Cleaned("below an object", {"a": [{"b": "ab/cd+ef="}]}, {"a": [{"b": "***"}]}),
    Cleaned("a tuple", ("ab/cd+ef=", 1), ["***", 1]),
    Cleaned("capitals", "CAMPAIGN-KEY-OF-OURS is unknown", "*** is unknown"),
    Cleaned("mixed letters", "Data-Key-Of-Ours is unknown", "*** is unknown"),
    Cleaned("twice in a row", "data-key-of-oursDATA-KEY-OF-OURS", "******"),
]


@pytest.mark.parametrize("row", SECRETS, ids=[row.name for row in SECRETS])
def test_keys_and_what_a_query_has_are_taken_out(row: Cleaned):
    assert cleaner(SETTINGS, SIGNED)(row.value) == row.cleaned


RANDOM = msgspec.structs.replace(SETTINGS, api_key="Hq2xR9vLk3Tzw8mPa41", data_api_key="words-" * 4)
PARTS = [
    Cleaned("its first half", "Hq2xR9vLk3... is unknown", "***... is unknown"),
    Cleaned("more than its first half", "hq2xr9vlk3tz... is unknown", "***... is unknown"),
    Cleaned("its last half", "the key ...3Tzw8mPa41", "the key ...***"),
    Cleaned("more than its last half", "the key ...VLK3TZW8MPA41.", "the key ...***."),
    Cleaned("both, one after the other", "Hq2xR9vLk3hq2xr9vlk3t", "******"),
    Cleaned("less than the first half", "Hq2xR9vLk", "Hq2xR9vLk"),
    Cleaned("less than the last half", "zw8mPa41", "zw8mPa41"),
    Cleaned("a part in the middle", "R9vLk3Tzw8m", "R9vLk3Tzw8m"),
    Cleaned("half a key of words", "words-words-", "words-words-"),
]


@pytest.mark.parametrize("row", PARTS, ids=[row.name for row in PARTS])
def test_half_a_key_is_taken_out(row: Cleaned):
    assert cleaner(RANDOM)(row.value) == row.cleaned


CONTROL_CHARACTERS = [
    Cleaned("control characters", "a\x1b[0m\tb\r\nc\u202e", "a\ufffd[0m\ufffdb\ufffd\nc\ufffd"),
    Cleaned("a name with a control character", {"a\x00": 1}, {"a\ufffd": 1}),
]


@pytest.mark.parametrize("row", CONTROL_CHARACTERS, ids=[row.name for row in CONTROL_CHARACTERS])
def test_control_characters_but_the_end_of_a_line_are_replaced(row: Cleaned):
    assert cleaner(SETTINGS, SIGNED)(row.value) == row.cleaned


UNCHANGED = [
    Cleaned("a value of seven characters", "short seven77", "short seven77"),
    Cleaned("other letters", "für 5 €", "für 5 €"),
    Cleaned("a number", 7, 7),
    Cleaned("true", value=True, cleaned=True),
    Cleaned("nothing", None, None),
    Cleaned("no text", "", ""),
    Cleaned("no list", [], []),
]


@pytest.mark.parametrize("row", UNCHANGED, ids=[row.name for row in UNCHANGED])
def test_numbers_other_letters_and_values_of_seven_characters_stay(row: Cleaned):
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
def test_values_of_eight_characters_in_the_query_of_an_upload_are_secret(row: Url):
    assert cleaner(SETTINGS, row.url)(row.text) == row.cleaned
