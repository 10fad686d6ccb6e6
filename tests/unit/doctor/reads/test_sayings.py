"""
The words of a reply, or the title of a page, are quoted as the end of a sentence; of more than 200
characters, the middle is left out. A reply is said with its status, its code and its request, and
as "not the service's" if it is a page. What support looks it up by is handed over: what the text
names, or else the first of these headers, with secrets taken out: cf-ray, x-amzn-requestid,
x-request-id.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import (
    LIST_AT,
    PAGE,
    ids,
    listed,
    redirected,
)
from support.doctor_replies import (
    error_body,
)
from wes_provider.doctor.reads import sayings
from wes_provider.doctor.replies.probes import Probe

BAD = error_body("bad", "Never.")


class Words(NamedTuple):
    """A reply, its words, and what is said of it."""

    name: str
    probe: Probe
    words: str
    says: str


WORDS = [
    Words("none", listed(418), "", f"The service replies 418 to GET {LIST_AT}"),
    Words(
        "a message",
        listed(400, BAD),
        ": 'Never'",
        f"The service replies 400 bad to GET {LIST_AT}: 'Never'",
    ),
    Words(
        "a page",
        listed(403, PAGE),
        ": 'Hello'",
        f"What replied sent 403, which is not the service's, to GET {LIST_AT}: 'Hello'",
    ),
    Words("a redirect", redirected("/login"), "", f"The service replies 302 to GET {LIST_AT}"),
]


@pytest.mark.parametrize("row", WORDS, ids=ids(WORDS))
def test_words_of_a_reply_are_quoted_as_the_end_of_a_sentence(row: Words):
    assert sayings.words_of(row.probe) == row.words


@pytest.mark.parametrize("row", WORDS, ids=ids(WORDS))
def test_a_reply_is_quoted_with_its_status_and_its_request(row: Words):
    assert sayings.says(row.probe) == row.says


class Long(NamedTuple):
    """The last of the words of an error, and whether the middle of all is left out."""

    characters: int
    last: str
    is_cut: bool


LONG = [Long(200, "fives", is_cut=False), Long(201, "sixsix", is_cut=True)]


@pytest.mark.parametrize("row", LONG, ids=[str(row.characters) for row in LONG])
def test_the_middle_is_left_out_of_words_of_more_than_200_characters(row: Long):
    text = f"{'four ' * 39}{row.last}"
    assert len(text) == row.characters
    assert ("…" in sayings.words_of(listed(400, error_body("", text)))) is row.is_cut


def test_long_words_keep_their_beginning_and_their_end():
    words = sayings.words_of(listed(400, error_body("", "one " * 30 + "two " * 30)))
    assert words == f": '{'one ' * 24}… {'two ' * 24}two'"


class HandOver(NamedTuple):
    """A reply, and what of it is handed over to support."""

    name: str
    probe: Probe
    text: str


def masked(text: str) -> str:
    return text.replace("hunter2", "***")


HAND_OVER = [
    HandOver("nothing", listed(403, PAGE), ""),
    HandOver(
        "the first of two headers",
        listed(403, headers={"x-request-id": "r-1", "cf-ray": "7a9"}),
        " Hand over what it names: cf-ray 7a9.",
    ),
    HandOver(
        "a page and a header",
        listed(403, "<html>Request ID: 7a9b", headers={"x-request-id": "r-1"}),
        " Hand over what it names: Request ID 7a9b.",
    ),
    HandOver(
        "a secret in a header",
        listed(403, headers={"x-request-id": "r-hunter2"}, clean=masked),
        " Hand over what it names: x-request-id r-***.",
    ),
]


@pytest.mark.parametrize("row", HAND_OVER, ids=ids(HAND_OVER))
def test_what_a_page_or_else_the_first_header_names_is_handed_over(row: HandOver):
    assert sayings.hand_over(row.probe) == row.text
