"""
Words are quoted in one line, without the full stops at their end; in double quotes if they have a
single one. A text that is too long keeps its beginning and its end, with … between, at the ends of
words. A word of more than 40 characters loses its middle instead: it keeps 20 characters at the
beginning and 14 at the end. URLs lose user, password and query. A semicolon of a value is marked by
another character, which is taken back later.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies.words import (
    abridged,
    as_it_came,
    quoted,
    unmarked,
)


class Long(NamedTuple):
    """A string, the most characters of it, and the line that it becomes."""

    name: str
    text: str
    length: int
    line: str


LONG = [
    Long("short enough", "short", 30, "short"),
    Long(
        "a word that is too long",
        f"at {'x' * 30}/{'y' * 30} denied",
        45,
        f"at {'x' * 20}…{'y' * 14} denied",
    ),
    Long(
        "an end within words",
        "an end is at the beginning or in the very end",
        30,
        "an end is at … in the very end",
    ),
    Long("two lines", "a\nb", 30, "a b"),
    Long("as long as has room", "abcde fghij", 11, "abcde fghij"),
    Long(
        "an identifier without its middle",
        f"{'a' * 21}{'b' * 20} c",
        40,
        f"{'a' * 20}…{'b' * 14} c",
    ),
    Long(
        "an identifier of 40 characters, which is cut as a word",
        f"{'a' * 40} b",
        41,
        f"{'a' * 18} … b",
    ),
    Long("an identifier of 40 characters", f"{'a' * 40} b", 42, f"{'a' * 40} b"),
    Long("words at both ends", "a bc def ghi jkl mno pqr", 17, "a bc … mno pqr"),
    Long(
        "an address with secrets", "https://u:p@example.com/a?k=secret", 30, "https://example.com/a"
    ),
]


@pytest.mark.parametrize("row", LONG, ids=[row.name for row in LONG])
def test_a_long_text_keeps_its_ends(row: Long):
    assert abridged(row.text, row.length) == row.line


def quoted_shortly(text: str) -> str:
    return quoted(text, 10)


def unmarked_as_it_came(value: str) -> str:
    return unmarked(as_it_came(value))


QUOTED = [
    Tells("'a b'", ["a b.", "a b...", "a\nb"]),
    Tells("'ab … ghi'", ["abc def ghi"]),
    Tells('"it\'s"', ["it's"]),
]


@pytest.mark.parametrize(("value", "expected"), each_of(QUOTED))
def test_words_are_quoted_in_a_line_without_the_end_of_their_sentence(value: Any, expected: Any):
    assert quoted_shortly(value) == expected


UNMARKED = [
    Tells("a;b=1", ["a;b=1"]),
]


@pytest.mark.parametrize(("value", "expected"), each_of(UNMARKED))
def test_marks_of_semicolons_are_taken_back(value: Any, expected: Any):
    assert unmarked_as_it_came(value) == expected


MARKED = [
    Tells("a\u204fb", ["a;b"]),
]


@pytest.mark.parametrize(("value", "expected"), each_of(MARKED))
def test_semicolons_are_marked(value: Any, expected: Any):
    assert as_it_came(value) == expected
