"""
A reply announces an end by Warning with the code 299 (not by a cache's 110), by Sunset, by
Deprecation (a number is shown as a date), or by a header that names the end of a key or a token.
Headers of caches and an empty Sunset announce nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from wes_provider.doctor.conclusions.notices import announced_in


class Announcement(NamedTuple):
    """Headers, and what they announce."""

    name: str
    headers: dict[str, str]
    announced: dict[str, str]


ANNOUNCEMENTS = [
    Announcement("a warning", {"warning": '299 - "Ends soon"'}, {"warning": "Ends soon"}),
    Announcement("a warning of a cache", {"warning": '110 cache "Response is stale"'}, {}),
    Announcement(
        "a sunset",
        {"sunset": "Fri, 04 Dec 2026 00:00:00 GMT"},
        {"sunset": "Fri, 04 Dec 2026 00:00:00 GMT"},
    ),
    Announcement(
        "a deprecation since a time", {"deprecation": "@1767225600"}, {"deprecation": "2026-01-01"}
    ),
    Announcement("a deprecation", {"deprecation": "true"}, {"deprecation": "true"}),
    Announcement(
        "a key's end by its date",
        {"x-api-key-expires": "2026-11-28"},
        {"x-api-key-expires": "2026-11-28"},
    ),
    Announcement(
        "a token's end in words", {"x-expiry-of-token": "5 days"}, {"x-expiry-of-token": "5 days"}
    ),
    Announcement(
        "headers of caches, and an empty sunset",
        {"expires": "0", "cache-control": "no-store", "sunset": " "},
        {},
    ),
]


@pytest.mark.parametrize("row", ANNOUNCEMENTS, ids=[row.name for row in ANNOUNCEMENTS])
def test_an_end_is_announced_by_warning_sunset_deprecation_or_headers_of_keys(row: Announcement):
    assert announced_in(row.headers) == row.announced
