"""
A header announces something: Warning with the number 299 and its text in quotes; Sunset and
Deprecation, and a header whose name has a word for a key (key, token, credential, secret, password)
and one for its end (expires, valid-until, renew, or days-left after it), with any value that is not
empty; and any other header whose value speaks of an end or a maintenance, such as "will be", "stops
working" or "read-only", in English, German, Italian or Spanish. The value of Sunset, Deprecation
and of the end of a key is shown as a date if it is @ with one to eleven digits. Headers of HTTP,
such as Expires, and of caches, cookies, security and servers announce nothing by their words. All
that announce something are named, in their order.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from wes_provider.doctor.conclusions.notices import announced_in


class Header(NamedTuple):
    """A header, and what it announces; empty for nothing."""

    name: str
    value: str
    announced: str = ""


HEADERS = [
    Header("warning", ' 299  svc  "Ends soon"', "Ends soon"),
    Header("sunset", " Fri, 04 Dec 2026 ", "Fri, 04 Dec 2026"),
    Header("sunset", "@1767225600", "2026-01-01"),
    Header("x-key-expires", "@1767225600", "2026-01-01"),
    Header("x-note", "it expires @1767225600", "it expires @1767225600"),
    Header("deprecation", "@1767225600", "2026-01-01"),
    Header("deprecation", "@1", "1970-01-01"),
    Header("deprecation", "@", "@"),
    Header("deprecation", "@12345678901", "2361-03-21"),
    Header("deprecation", "@123456789012", "@123456789012"),
    Header("deprecation", "1767225600", "1767225600"),
    Header("deprecation", "@17a", "@17a"),
    Header("x-key-expires", "soon", "soon"),
    Header("x-token-valid-until", "soon", "soon"),
    Header("credential-renewal", "soon", "soon"),
    Header("secret-days-left", "3", "3"),
    Header("secret-daysleft", "3", "3"),
    Header("password-expiry", "3", "3"),
    Header("expiry-key", "3", "3"),
    Header("valid-until-token", "3", "3"),
    Header("renew-credential", "3", "3"),
    Header("expires-secret", "3", "3"),
    Header("expires-password", "3", "3"),
    *(
        Header("x-note", f"it {words} now", f"it {words} now")
        for words in (
            "will be retired",
            "expires",
            "is Deprecated",
            "has its sunset",
            "is end-of-life",
            "stops working",
            "stop working",
            "no longer works",
            "is read-only",
            "is readonly",
            "has maintenance",
            "hat Wartung",
            "en mantenimiento",
            "in manutenzione",
            "is rotated",
            "will be",
            "will not",
            "läuft ab",
            "schon abgelaufen",
            "caduca",
        )
    ),
    Header("x-note", " Expires soon ", "Expires soon"),
]


@pytest.mark.parametrize("row", HEADERS, ids=[f"{row.name}: {row.value}" for row in HEADERS])
def test_a_header_announces_an_end_by_its_name_or_its_words(row: Header):
    assert announced_in({row.name: row.value}) == {row.name: row.announced}


NO_HEADERS = [
    Header("warning", '199 svc "Ends soon"'),
    Header("warning", "299 svc Ends soon"),
    Header("x-warning", '299 svc "Ends soon"'),
    Header("warning", '110 cache "no longer fresh"'),
    Header("deprecation", "  "),
    Header("sunset", ""),
    Header("days-left-key", "3"),
    Header("x-key-expires", " "),
    Header("expires", "0"),
    Header("x-key", "abc"),
    Header("x-note", "all is well"),
    Header("x-note", "it will continue"),
    Header("cache-control", "it expires"),
    Header("access-control-expose-headers", "expires"),
    *(
        Header(name, "it expires")
        for name in (
            "set-cookie",
            "content-security-policy",
            "strict-transport-security",
            "server",
            "alt-svc",
            "nel",
        )
    ),
]


@pytest.mark.parametrize("row", NO_HEADERS, ids=[f"{row.name}: {row.value}" for row in NO_HEADERS])
def test_a_header_announces_nothing_without_such_a_name_words_or_value(row: Header):
    """Nor do those of caches, cookies, security and servers, whatever their words."""
    assert announced_in({row.name: row.value}) == {}


def test_all_announcements_stand_in_the_order_of_the_headers():
    headers = {"sunset": "soon", "date": "now", "deprecation": "@0"}
    assert [*announced_in(headers).items()] == [("sunset", "soon"), ("deprecation", "1970-01-01")]
