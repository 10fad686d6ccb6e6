"""
A text of a response may be one that was sent if both are equal, ignoring case and spaces around. If
a secret was taken out of the response, anything may have stood in place of the stars, but the rest
has to be equal.

An error, and the headers of each response, show no key: neither as it is, nor in another case, nor
the first or the last half of it with what follows or precedes of it, unless that may be words. Nor
do they show its bytes as hexadecimal digits.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from wes_provider.client.responses import Response
from wes_provider.hiding import may_show, take_out_altered
from wes_provider.settings import WesSettings


class Shown(NamedTuple):
    """A text as a response has it, one that was sent, and whether they may be the same."""

    name: str
    shown: str
    own: str
    may_be: bool


SHOWN = (
    Shown("equal", "summer", "summer", True),
    Shown("capitals, and spaces around", " SUMMER ", "summer", True),
    Shown("another", "summer", "winter", False),
    Shown("the start is hidden", "***-sale", "summer-sale", True),
    Shown("the start is hidden, and capitals", "***-Sale", "summer-sale", True),
    Shown("the start is hidden, and another end", "***-sale", "summer-sales", False),
    Shown("start and end are hidden", "***-sale-***", "eu-sale-de", True),
    Shown("a dot, which stands for itself", "a.b***", "axbc", False),
)


@pytest.mark.parametrize("row", SHOWN, ids=[row.name for row in SHOWN])
def test_a_text_without_its_secrets_may_be_the_one_that_was_sent(row: Shown):
    assert may_show(row.shown, row.own) is row.may_be


KEY = "Hq2xR9vLk3Tzw8mPa41"
SETTINGS = WesSettings("https://api.example.com", "acme", KEY, "words-words-words")


class Quoted(NamedTuple):
    """What a response says of a key, and what is left of that."""

    name: str
    said: str
    left: str


ALTERED = [
    Quoted("as it is", f"no {KEY}!", "no ***!"),
    Quoted("small letters", f"no {KEY.lower()}!", "no ***!"),
    Quoted("its first half, and more", f"no {KEY[:12]}...", "no ***..."),
    Quoted("its last half, and more", f"no ...{KEY[-12:].upper()}!", "no ...***!"),
    Quoted("less than half of it", f"no {KEY[:9]}...", f"no {KEY[:9]}..."),
    Quoted("half a key of words", "no words-words!", "no words-words!"),
    Quoted("other letters", "für ﬁ ß İ 𝒳", "für ﬁ ß İ 𝒳"),
]


@pytest.mark.parametrize("row", ALTERED, ids=[row.name for row in ALTERED])
def test_an_error_shows_no_key_in_another_case_or_in_part(row: Quoted):
    response = Response.of(SETTINGS, 401, {"X-Said": row.said}, row.said.encode())
    assert response.headers["x-said"] == row.left
    assert response.body.decode() == row.left


def test_the_body_of_a_success_is_as_it_came_but_for_the_keys_themselves():
    body = f"{KEY} {KEY.lower()} {KEY[:12]}".encode()
    assert Response.of(SETTINGS, 200, {}, body).body == f"*** {KEY.lower()} {KEY[:12]}".encode()


class Hexadecimal(NamedTuple):
    """A text with a key as hexadecimal digits, or with part of it, and what remains."""

    name: str
    text: str
    remains: str


KEY_IN_HEX = b"dk live+old/Zm9v".hex()
HEXADECIMAL = [
    Hexadecimal("small letters", f"key {KEY_IN_HEX}.", "key ***."),
    Hexadecimal("capitals", f"key {KEY_IN_HEX.upper()}.", "key ***."),
    Hexadecimal("its first half", f"key {KEY_IN_HEX[:20]}.", "key ***."),
    Hexadecimal("its last half", f"key {KEY_IN_HEX[-20:]}.", "key ***."),
    Hexadecimal("other digits", "key 646b20aa.", "key 646b20aa."),
]


@pytest.mark.parametrize("row", HEXADECIMAL, ids=[row.name for row in HEXADECIMAL])
def test_the_bytes_of_a_key_are_taken_out_as_hexadecimal_digits(row: Hexadecimal):
    assert take_out_altered(row.text, {"dk live+old/Zm9v"}) == row.remains


def test_a_short_secret_is_not_taken_out_as_hexadecimal_digits():
    assert take_out_altered("id 6162636431", {"abcd1"}) == "id 6162636431"
