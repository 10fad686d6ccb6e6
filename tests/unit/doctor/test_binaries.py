"""Bodies that are no text, and why what should be JSON cannot be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_replies import reply
from wes_provider.doctor.binaries import Binary, binary_in
from wes_provider.doctor.unreadables import encoding_of, why_unreadable

REST = bytes(range(8)) * 4


class Body(NamedTuple):
    """A body, and what it is; ``None`` for text."""

    body: bytes
    says: str | None
    is_compressed: bool = False
    content_type: str = ""


BODIES = [
    Body(b"", None),
    Body(b"text", None),
    Body(b"\t\n\r\x0b\x0c\x1b[1m", None),
    *(
        Body(b"a" + bytes([control]), f"no text (it begins with 61 {control:02x})")
        for control in (0x00, 0x08, 0x0E, 0x1A, 0x1C, 0x1F)
    ),
    Body(b"abcde\x00", "no text (it begins with 61 62 63 64)"),
    Body(b"a" * 3999 + b"\x00", "no text (it begins with 61 61 61 61)"),
    Body(b"a" * 4000 + b"\x00", None),
    Body(b"abc\xff", None),
    Body(b"ab\xff\xfe", "no text (it begins with 61 62 ff fe)"),
    Body(b"ab\xff\xfe", None, content_type="text/plain; charset=latin-1"),
    Body(b"\x1f\x8b" + REST, "gzip (it begins with 1f 8b)", True),
    Body(b"\x28\xb5\x2f\xfd" + REST, "zstd (it begins with 28 b5 2f fd)", True),
    *(
        Body(bytes([0x78, second]) + REST, f"zlib (it begins with 78 {second:02x})", True)
        for second in (0x01, 0x5E, 0x9C, 0xDA)
    ),
    Body(b"BZh" + REST, "bzip2 (it begins with 42 5a 68)", True),
    Body(b"BZhello", None),
    Body(b"x^2", None),
    Body(b"\xfd7zXZ\x00" + REST, "xz (it begins with fd 37 7a 58)", True),
    Body(b"\x04\x22\x4d\x18" + REST, "lz4 (it begins with 04 22 4d 18)", True),
    Body(b"PK\x03\x04", "a ZIP archive (it begins with 50 4b 03 04)"),
    Body(b"PK\x05\x06", "a ZIP archive (it begins with 50 4b 05 06)"),
    Body(b"%PDF-1.4" + REST, "a PDF (it begins with 25 50 44 46)"),
    Body(b"%PDF-1.4", None),
    Body(b"\x89PNG", "a picture (it begins with 89 50 4e 47)"),
    Body(b"\xff\xd8\xff and more text than that", "a picture (it begins with ff d8 ff)"),
    Body(b"GIF8" + REST, "a picture (it begins with 47 49 46 38)"),
    Body(b"PAR1" + REST, "Parquet (it begins with 50 41 52 31)"),
    Body(b"{\x00", "UTF-16 without its mark (it begins with 7b 00)"),
    Body(b"[\x00", "UTF-16 without its mark (it begins with 5b 00)"),
    Body(b"\x00{", "UTF-16 without its mark (it begins with 00 7b)"),
    Body(b"\x00[", "UTF-16 without its mark (it begins with 00 5b)"),
    Body("[]".encode("utf-16"), None),
]


@pytest.mark.parametrize("row", BODIES, ids=[repr(row.body[:12]) for row in BODIES])
def test_what_a_body_is_that_is_no_text(row: Body):
    binary = binary_in(row.body, row.content_type)
    assert (binary and str(binary)) == row.says
    assert bool(binary and binary.is_compressed) is row.is_compressed


def test_an_unknown_form_has_no_name():
    assert binary_in(b"\x00", "") == Binary("", "00", is_compressed=False)


class Unreadable(NamedTuple):
    """A reply in place of JSON, the encoding that is not undone, and what is said of it."""

    name: str
    body: bytes
    headers: Mapping[str, str]
    encoding: str
    says: str


JSON = {"content-type": "Application/JSON; charset=utf-8"}
NO_SETTING = ". No setting helps: ask whoever runs what is between, or the service's support"
GZIP = b"\x1f\x8b" + REST
HAS = "200 with application/json came, but its body is"
DROPPED = " without Content-Encoding: a proxy may have dropped that header"
UNREADABLES = [
    Unreadable("text", b"No.", JSON, "", f"{HAS} text that is no JSON: 'No'{NO_SETTING}"),
    Unreadable(
        "no type",
        b"No",
        {},
        "",
        f"200 with no Content-Type came, but its body is text that is no JSON: 'No'{NO_SETTING}",
    ),
    Unreadable(
        "long text",
        b"x " * 99 + b"x",
        JSON,
        "",
        f"{HAS} text that is no JSON: '{'x ' * 29}… {'x ' * 29}x'{NO_SETTING}",
    ),
    Unreadable(
        "compressed", GZIP, JSON, "", f"{HAS} gzip (it begins with 1f 8b){DROPPED}{NO_SETTING}"
    ),
    Unreadable(
        "compressed, and said to be itself",
        GZIP,
        {**JSON, "content-encoding": "identity"},
        "",
        f"{HAS} gzip (it begins with 1f 8b){DROPPED}{NO_SETTING}",
    ),
    *(
        Unreadable(
            f"compressed twice by {encoding}",
            GZIP,
            {**JSON, "content-encoding": f" {encoding.title()} "},
            "",
            f"{HAS} gzip (it begins with 1f 8b), though its Content-Encoding ({encoding}) was "
            f"undone: it may be compressed twice{NO_SETTING}",
        )
        for encoding in ("gzip", "x-gzip", "deflate")
    ),
    Unreadable(
        "binary",
        b"PK\x03\x04",
        {**JSON, "content-encoding": "gzip"},
        "",
        f"{HAS} a ZIP archive (it begins with 50 4b 03 04): something between may have changed it"
        f"{NO_SETTING}",
    ),
    Unreadable(
        "another encoding",
        GZIP,
        {**JSON, "content-encoding": "BR"},
        "br",
        "The reply is encoded as br (its Content-Encoding), which the provider does not ask for and "
        "cannot read. Ask whoever runs the gateway not to compress replies so",
    ),
]


@pytest.mark.parametrize("row", UNREADABLES, ids=[row.name for row in UNREADABLES])
def test_why_what_should_be_json_cannot_be_read(row: Unreadable):
    probe = reply(200, row.body, row.headers)
    assert encoding_of(probe) == row.encoding
    assert why_unreadable(probe) == row.says
