"""
If a success should be JSON and is none, the text says what came: text, 120 characters of it and
without secrets; a compressed form, whose Content-Encoding a proxy may have dropped, or which may be
compressed twice, if that was gzip, x-gzip or deflate; another binary form, which something between
may have changed. No setting helps. If its Content-Encoding is one that the client cannot undo, such
as br, that is said in place of all of it. Text that is not called JSON is another form of the list.
The client undoes identity, gzip, x-gzip and deflate, in any case; not two of them together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_replies import reply
from wes_provider.doctor.replies.unreadables import encoding_of, why_unreadable


class Unreadable(NamedTuple):
    """A reply in place of JSON, and what is said of it."""

    name: str
    body: bytes
    headers: Mapping[str, str]
    says: str


JSON = {"content-type": "Application/JSON; charset=utf-8"}
NO_SETTING = ". No setting helps: ask whoever runs what is between, or the service's support"
GZIP = b"\x1f\x8b" + bytes(range(8))
HAS = "200 with application/json came, but its body is"
DROPPED = " without Content-Encoding: a proxy may have dropped that header"
UNREADABLES = [
    Unreadable("text", b"No.", JSON, f"{HAS} text that is no JSON: 'No'{NO_SETTING}"),
    Unreadable(
        "text of no type",
        b"No",
        {},
        "The list comes as text (200 with no Content-Type: 'No'), which the provider cannot read, "
        "and no setting changes that: ask the service's support for JSON",
    ),
    Unreadable(
        "compressed, and called CSV",
        GZIP,
        {"content-type": "text/csv"},
        f"200 with text/csv came, but its body is gzip (it begins with 1f 8b){DROPPED}{NO_SETTING}",
    ),
    Unreadable(
        "text of 120 characters",
        b"x " * 59 + b"xx",
        JSON,
        f"{HAS} text that is no JSON: '{'x ' * 59}xx'{NO_SETTING}",
    ),
    Unreadable(
        "text of 121 characters",
        b"x " * 60 + b"x",
        JSON,
        f"{HAS} text that is no JSON: '{'x ' * 29}… {'x ' * 29}x'{NO_SETTING}",
    ),
    Unreadable(
        "long text",
        b"x " * 99 + b"x",
        JSON,
        f"{HAS} text that is no JSON: '{'x ' * 29}… {'x ' * 29}x'{NO_SETTING}",
    ),
    Unreadable("compressed", GZIP, JSON, f"{HAS} gzip (it begins with 1f 8b){DROPPED}{NO_SETTING}"),
    Unreadable(
        "compressed, and said to be itself",
        GZIP,
        {**JSON, "content-encoding": "identity"},
        f"{HAS} gzip (it begins with 1f 8b){DROPPED}{NO_SETTING}",
    ),
    *(
        Unreadable(
            f"compressed twice by {encoding}",
            GZIP,
            {**JSON, "content-encoding": f" {encoding.title()} "},
            f"{HAS} gzip (it begins with 1f 8b), though its Content-Encoding ({encoding}) was "
            f"undone: it may be compressed twice{NO_SETTING}",
        )
        for encoding in ("gzip", "x-gzip", "deflate")
    ),
    Unreadable(
        "binary",
        b"PK\x03\x04",
        {**JSON, "content-encoding": "gzip"},
        f"{HAS} a ZIP archive (it begins with 50 4b 03 04): something between may have changed it"
        f"{NO_SETTING}",
    ),
    Unreadable(
        "another encoding",
        GZIP,
        {**JSON, "content-encoding": "BR"},
        "The reply is encoded as br (its Content-Encoding), which the provider does not ask for and "
        "cannot read. Ask whoever runs the gateway not to compress replies so",
    ),
]


@pytest.mark.parametrize("row", UNREADABLES, ids=[row.name for row in UNREADABLES])
def test_a_body_that_should_be_json_is_said_to_be_text_compressed_binary_or_encoded(
    row: Unreadable,
):
    assert why_unreadable(reply(200, row.body, row.headers)) == row.says


class Encoding(NamedTuple):
    """A ``Content-Encoding``, and what of it the client cannot undo."""

    name: str
    headers: Mapping[str, str]
    encoding: str


ENCODINGS = [
    Encoding("none", {}, ""),
    *(
        Encoding(encoding, {"content-encoding": encoding}, "")
        for encoding in ("identity", "gzip", "x-gzip", "deflate")
    ),
    Encoding("in capitals, with spaces", {"content-encoding": " GZip "}, ""),
    Encoding("br", {"content-encoding": "BR"}, "br"),
    Encoding("two of them", {"content-encoding": "gzip, br"}, "gzip, br"),
]


@pytest.mark.parametrize("row", ENCODINGS, ids=[row.name for row in ENCODINGS])
def test_an_encoding_that_the_client_cannot_undo_is_named(row: Encoding):
    assert encoding_of(reply(200, b"", row.headers)) == row.encoding


def test_a_secret_in_text_that_is_no_json_is_not_quoted():
    masked = reply(200, b"No hunter2", JSON, clean=lambda text: text.replace("hunter2", "***"))
    assert why_unreadable(masked) == f"{HAS} text that is no JSON: 'No ***'{NO_SETTING}"
