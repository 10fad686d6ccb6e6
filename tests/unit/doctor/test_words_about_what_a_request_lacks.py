"""
Words of a refusal say what a request should have had. A form (UUID, integer, "24 digits", hex,
slug) is read if "not", "invalid", "must", "expected", "valid" or the like stands before it in the
same sentence. A list's identifier is named by "list id", "coupon_list_id" or "listid"; "list" and
"list of ids" name none. Another method (GET, PUT, PATCH or DELETE in capitals) is read after a word
such as "use", "only" or "allowed", and in place of POST. A member of the body is read from "missing
field x", "the field x is required", "'x' is required" or "x_y is required"; a plain word, as in
"colour is required", and "the key x is missing" name none. No credentials came if the Authorization
header or credentials are missing, not set or not sent; "invalid" or "required" ones are only wrong.
HTTPS is wanted by "HTTPS required", "use HTTPS", "insecure connection" and the like, but not by
"use https://a". A refusal asks its reader for something if it has "please", "must", "should", a
command at the beginning of a part, such as "No: ask", "can be activated" or "in settings".
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor import remedies

WANTED_FORM = [
    Tells("UUID", ["not a UUID", "invalid UUID", "must be a valid UUID"]),
    Tells(
        "guid",
        [
            "malformed guid",
            "should be a guid",
            "expected guid",
            "expects a guid",
            "need guid",
            "needs a guid",
            "wants guid",
            "want a guid",
            "has to be a guid",
            "valid guid",
            "keine guid",
            "gültige guid",
        ],
    ),
    *(
        Tells(form, [f"must be a {form}"])
        for form in (
            "ulid",
            "integer",
            "numeric",
            "number",
            "Ganzzahl",
            "24 digits",
            "24-digits",
            "24 hex digits",
            "8 characters",
            "24 hexadecimal",
            "hex",
            "hexadecimal",
            "slug",
            "urn",
        )
    ),
    Tells("", ["", "UUID", "not one; a UUID", "must be a uuids"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(WANTED_FORM))
def test_the_form_that_a_value_has_to_have_is_read(text: str, expected: Any):
    assert remedies.wanted_form(text) == expected


ASKS_FOR_SOMETHING = [
    Tells(
        True,
        [
            "please",
            "it must be",
            "you should",
            "it needs to be",
            "need to",
            "has to",
            "have to",
            "is required",
            "requires",
            "require",
            "bitte",
            "muss",
            "müssen",
            "veuillez",
            "debe",
            "por favor",
            *(
                f"No; {word} it"
                for word in (
                    "accept activate add ask choose complete confirm contact create enable include "
                    "pay provide renew retry see send set sign specify supply try upgrade use "
                    "verify visit wait"
                ).split()
            ),
            "No. Ask",
            "No: ask",
            "No! Ask",
            "a, ask",
            "(ask",
            "a - ask",
            "retry or ask",
            "x and ask",
            "can be activated",
            "can activate",
            "can add",
            "can be allowed",
            "can change",
            "can be enabled",
            "can grant",
            "can be set",
            "can unlock",
            "see it under settings",
            "in settings",
        ],
    ),
    Tells(
        False,
        ["", "accepted", "you asked", "a settings page", "can be activity", "No ask", "mustard"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(ASKS_FOR_SOMETHING))
def test_words_that_ask_their_reader_to_do_something_are_known(text: str, expected: Any):
    assert remedies.asks_for_something(text) == expected


SAYS_HTTPS_ONLY = [
    Tells(
        True,
        [
            "plain HTTP request was sent to HTTPS port",
            "http request to an https port",
            "https required",
            "HTTPS is required",
            "https-only",
            "https_only",
            "ssl required",
            "TLS is required",
            "requires https",
            "require ssl",
            "required tls",
            "use HTTPS",
            "over tls",
            "via ssl",
            "through https",
            "insecure connection",
        ],
    ),
    Tells(False, ["", "use https://a", "https", "use httpsx", "secure"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(SAYS_HTTPS_ONLY))
def test_words_that_want_https_are_known(text: str, expected: Any):
    assert remedies.says_https_only(text) == expected


MISSES_CREDENTIALS = [
    Tells(
        True,
        [
            "Authorization header is missing",
            "authorization missing",
            "Authorization not set",
            "Authorization: not provided",
            "The authorization header was not found",
            "Missing authorization",
            "No Authorization header",
            "Without an authorization header",
            "No credentials were provided",
            "no authentication given",
            "credentials not sent",
        ],
    ),
    Tells(
        False,
        [
            "",
            "Authorization required",
            "Missing or invalid credentials",
            "Unauthorized",
            "Authorization failed. The list is missing",
            "invalid credentials",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(MISSES_CREDENTIALS))
def test_words_that_no_credentials_came_are_told_from_those_that_they_are_wrong(
    text: str, expected: Any
):
    assert remedies.misses_credentials(text) == expected


NAMES_LIST = [
    Tells(
        True,
        [
            "coupon_list_id must be hex",
            "list id",
            "the coupon list identifier",
            "lists_id",
            "coupon-list-id",
            "listid is wrong",
            "CouponListId",
        ],
    ),
    Tells(False, ["", "the list is empty", "list of ids", "playlistid"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(NAMES_LIST))
def test_words_that_name_the_identifier_of_a_list_are_known(text: str, expected: Any):
    assert remedies.names_list(text) == expected


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
