"""
A reply wants HTTPS if its status is 400 or more, and its code, its message or the first 200
characters of its text say so, such as "Use HTTPS" or https_required; or if it is a 426 whose header
Upgrade names TLS. A 426 without that, that header with another status, and a status below 400 want
none.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_reads import (
    error_body,
    probe,
)
from wes_provider.doctor.conclusions.objections import wants_https
from wes_provider.doctor.replies.probes import Probe


class Https(NamedTuple):
    """A reply, and whether it takes HTTPS only."""

    name: str
    reply: Probe
    wants_https: bool


HTTPS = [
    Https("by its message", probe(400, error_body("x", "Use HTTPS")), wants_https=True),
    Https("by its code", probe(403, error_body("https_required", "x")), wants_https=True),
    Https(
        "by its text",
        probe(400, "<html>The plain HTTP request was sent to HTTPS port"),
        wants_https=True,
    ),
    Https("by its text, further down", probe(400, f"<html>{' ' * 185}use https"), wants_https=True),
    Https(
        "by its text, too far down", probe(400, f"<html>{' ' * 186}use https"), wants_https=False
    ),
    Https("an upgrade", probe(426, headers={"upgrade": "TLS/1.2, HTTP/1.1"}), wants_https=True),
    Https(
        "an upgrade to something else",
        probe(426, headers={"upgrade": "websocket"}),
        wants_https=False,
    ),
    Https(
        "an upgrade without the status",
        probe(400, headers={"upgrade": "TLS/1.2"}),
        wants_https=False,
    ),
    Https("an upgrade without the header", probe(426), wants_https=False),
    Https("no error", probe(200, "Use HTTPS"), wants_https=False),
    Https("399", probe(399, "Use HTTPS"), wants_https=False),
    Https("anything else", probe(400, error_body("x", "y")), wants_https=False),
]


@pytest.mark.parametrize("row", HTTPS, ids=[row.name for row in HTTPS])
def test_a_reply_that_wants_https_is_known_by_its_words_or_its_upgrade(row: Https):
    assert wants_https(row.reply) is row.wants_https
