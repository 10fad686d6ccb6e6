"""
Words ask for something if they have "please", "bitte", "must", "required" or a command such as
"Create a live one"; "Forbidden" and "not authorized" do not. Words say that something does not
exist in any spelling of "not found", "no such", "does not exist", "no route" or "unknown path";
"found", "not" or "unknown" alone do not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies.remedies import (
    asks_for_something,
)
from wes_provider.doctor.replies.words import (
    says_not_found,
)


class Asking(NamedTuple):
    """Words, and whether they ask for something."""

    words: str
    asks: bool


ASKING = [
    Asking("Please accept the terms.", asks=True),
    Asking("This is a test key. Create a live one.", asks=True),
    Asking("The key must be renewed.", asks=True),
    Asking("Bitte zuerst den Vertrag annehmen.", asks=True),
    Asking("coupons:read is required", asks=True),
    Asking("Forbidden", asks=False),
    Asking("The user is not authorized.", asks=False),
    Asking("The order set is closed.", asks=False),
    Asking("", asks=False),
]


@pytest.mark.parametrize("row", ASKING, ids=[row.words for row in ASKING])
def test_words_ask_for_something_unless_they_only_refuse(row: Asking):
    assert asks_for_something(row.words) is row.asks


NOT_FOUND = [
    Tells(
        True,
        [
            "Not found",
            "NOT_FOUND",
            "no-such file",
            "It does not exist.",
            "no route",
            "unknown path",
        ],
    ),
    Tells(False, ["", "found", "not", "exists", "unknown"]),
]


@pytest.mark.parametrize(("value", "expected"), each_of(NOT_FOUND))
def test_words_for_what_does_not_exist_are_known_in_any_spelling(value: Any, expected: Any):
    assert says_not_found(value) == expected
