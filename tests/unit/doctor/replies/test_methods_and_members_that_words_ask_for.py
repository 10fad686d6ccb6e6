"""
Another method is read from words if it is GET, PUT, PATCH or DELETE in capitals, not the one that
was sent (POST), and stands after "use", "via", "with", "by", "send", "requires", "only" or
"allowed" in the same sentence.

A member that a body lacks is read from "missing field x" and its like ("required", "lacks",
"needs", "add", "include", "provide"); from "the field x is required", "was missing" or "must be
given"; and from "is required", "is missing" or "is mandatory" after a name in quotes, or one with
an underscore. A plain name before these ("colour is required"), "the key colour is missing", a name
in capitals, and another sentence name none.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from wes_provider.doctor.replies import remedies


class Method(NamedTuple):
    """Words, and the method of HTTP that they ask for in place of POST."""

    words: str
    method: str


METHODS = [
    *(
        Method(f"{word} PUT", "PUT")
        for word in (
            "Use",
            "use",
            "Via",
            "via",
            "With",
            "with",
            "By",
            "by",
            "Send",
            "send",
            "require",
            "requires",
            "Require",
            "Requires",
            "Only",
            "only",
            "Allowed",
            "allowed:",
            "Allowed:",
        )
    ),
    *(Method(f"use {method}", method) for method in ("GET", "PUT", "PATCH", "DELETE")),
    Method("use POST", ""),
    Method("use HEAD", ""),
    Method("use put", ""),
    Method("PUT it", ""),
    Method("use it. PUT", ""),
    Method("use PUTS", ""),
    Method("", ""),
]


@pytest.mark.parametrize("row", METHODS, ids=[row.words for row in METHODS])
def test_another_method_is_read_in_capitals_after_a_word_that_asks_for_it(row: Method):
    assert remedies.other_method(row.words, "POST") == row.method


MEMBERS = [
    *(
        (f"{word} field colour", "colour")
        for word in (
            "missing",
            "required",
            "lack",
            "lacks",
            "need",
            "needs",
            "add",
            "include",
            "provide",
            "send the",
        )
    ),
    *(
        (f"missing {noun}: 'colour'", "colour")
        for noun in ("property", "member", "attribute", "key")
    ),
    *(
        (f"the {noun} colour{end}", "colour")
        for noun in ("field", "property:", "member", "attribute")
        for end in (" is required", "` was missing", " must be given")
    ),
    *(
        (f"field colour must be {word}", "colour")
        for word in ("set", "present", "sent", "provided")
    ),
    *(
        (f"{name} {middle}{end}", "my_colour")
        for name in ("'my_colour'", "my_colour")
        for middle in ("is ", "is a ", "field is ", "property is ")
        for end in ("required", "missing", "mandatory")
    ),
    ("'colour' is required", "colour"),
    ("colour is required", ""),
    ("field colour must be red", ""),
    ("missing. The field colour", ""),
    ("missing Field", ""),
    ("the key colour is missing", ""),
    ("", ""),
]


@pytest.mark.parametrize(("words", "member"), MEMBERS, ids=[words for words, _ in MEMBERS])
def test_a_member_is_read_in_words_that_miss_it(words: str, member: str):
    assert remedies.missing_member(words) == member
