"""
A body is no text if its first 4000 bytes have a control character below the space (but white space
and ESC), or if more than a quarter of their characters are unreadable in its charset. Its form is
that of its first bytes: gzip, zstd, zlib, bzip2, xz, lz4, ZIP, PDF, PNG, JPEG, GIF, Parquet, or
UTF-16 that neither a mark nor the type names; these bytes are named, at most four. If a form's mark
is ASCII, such as %PDF- or two of zlib's four, the body has to be no text, too. Of a body of no
known form, the first four bytes are named. Only the first six of these forms are compressed, as
Content-Encoding names them.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from wes_provider.doctor.replies.binaries import Binary, binary_in

NO_TEXT = bytes(range(8)) * 4


class Body(NamedTuple):
    """A body, and what it is; ``None`` for text."""

    name: str
    body: bytes
    says: str | None
    content_type: str = ""


TEXTS = [
    Body("no body", b"", None),
    Body("text", b"text", None),
    Body("white space, and the beginning of a colour", b"\t\n\r\x0b\x0c\x1b[1m", None),
    Body("a control character after 4000 bytes", b"a" * 4000 + b"\x00", None),
    Body("the control character 7f", b"a\x7f", None),
    Body("a quarter is unreadable", b"abcdef\xff\xfe", None),
    Body("all is unreadable after 4000 bytes", b"a" * 4000 + b"\xff" * 4000, None),
    Body("latin-1, which its type names", b"ab\xff\xfe", None, "text/plain; charset=latin-1"),
    Body("UTF-16 with its mark", "[]".encode("utf-16"), None),
    Body(
        "UTF-16 without its mark, which its type names",
        "[]".encode("utf-16-le"),
        None,
        "application/json; charset=utf-16le",
    ),
    Body("bzip2's mark, then text", b"BZhello", None),
    Body("a PDF's mark, then text", b"%PDF-1.4", None),
    Body("a GIF's mark, then text", b"GIF89a is a format", None),
    Body("Parquet's mark, then text", b"PAR1 is a mark", None),
    Body("zlib's mark of two ASCII bytes, then text", b"x^2", None),
    Body("a latin-1 x and a byte of no mark", b"x\xe9", None, "text/plain; charset=latin-1"),
]
NO_TEXTS = [
    *(
        Body(
            f"control character {code:02x}",
            bytes([0x61, code]),
            f"no text (it begins with 61 {code:02x})",
        )
        for code in (0x00, 0x08, 0x0E, 0x1A, 0x1C, 0x1F)
    ),
    Body("more than four bytes", b"abcde\x00", "no text (it begins with 61 62 63 64)"),
    Body(
        "a control character in the first 4000 bytes",
        b"a" * 3999 + b"\x00",
        "no text (it begins with 61 61 61 61)",
    ),
    Body(
        "three of eight characters are unreadable",
        b"abcde\xff\xfe\xfd",
        "no text (it begins with 61 62 63 64)",
    ),
]
COMPRESSED = [
    Body("gzip", b"\x1f\x8b" + NO_TEXT, "gzip (it begins with 1f 8b)"),
    Body("gzip's mark, then text", b"\x1f\x8band text", "gzip (it begins with 1f 8b)"),
    Body("zstd", b"\x28\xb5\x2f\xfd", "zstd (it begins with 28 b5 2f fd)"),
    *(
        Body(
            f"zlib, {second:02x}",
            bytes([0x78, second]) + NO_TEXT,
            f"zlib (it begins with 78 {second:02x})",
        )
        for second in (0x01, 0x5E, 0x9C, 0xDA)
    ),
    *(
        Body(
            f"zlib's mark that is not ASCII, then text, {second:02x}",
            bytes([0x78, second]) + b"and text",
            f"zlib (it begins with 78 {second:02x})",
        )
        for second in (0x9C, 0xDA)
    ),
    Body("bzip2", b"BZh" + NO_TEXT, "bzip2 (it begins with 42 5a 68)"),
    Body("xz", b"\xfd7zXZ\x00", "xz (it begins with fd 37 7a 58)"),
    Body("lz4", b"\x04\x22\x4d\x18" + NO_TEXT, "lz4 (it begins with 04 22 4d 18)"),
]
FORMS = [
    Body("a ZIP archive", b"PK\x03\x04" + NO_TEXT, "a ZIP archive (it begins with 50 4b 03 04)"),
    Body(
        "an empty ZIP archive",
        b"PK\x05\x06" + NO_TEXT,
        "a ZIP archive (it begins with 50 4b 05 06)",
    ),
    Body("PDF", b"%PDF-1.4" + NO_TEXT, "a PDF (it begins with 25 50 44 46)"),
    Body("PNG", b"\x89PNG", "a picture (it begins with 89 50 4e 47)"),
    Body("JPEG", b"\xff\xd8\xff and more text than that", "a picture (it begins with ff d8 ff)"),
    Body("GIF", b"GIF8" + NO_TEXT, "a picture (it begins with 47 49 46 38)"),
    Body("Parquet", b"PAR1" + NO_TEXT, "Parquet (it begins with 50 41 52 31)"),
    Body("an object in UTF-16LE", b"{\x00", "UTF-16 without its mark (it begins with 7b 00)"),
    Body("an array in UTF-16LE", b"[\x00", "UTF-16 without its mark (it begins with 5b 00)"),
    Body("an object in UTF-16BE", b"\x00{", "UTF-16 without its mark (it begins with 00 7b)"),
    Body("an array in UTF-16BE", b"\x00[", "UTF-16 without its mark (it begins with 00 5b)"),
]


@pytest.mark.parametrize("row", TEXTS, ids=[row.name for row in TEXTS])
def test_text_is_no_binary(row: Body):
    assert binary_in(row.body, row.content_type) is None


@pytest.mark.parametrize("row", NO_TEXTS, ids=[row.name for row in NO_TEXTS])
def test_of_a_body_that_is_no_text_the_first_bytes_are_named(row: Body):
    assert str(binary_in(row.body, row.content_type)) == row.says


@pytest.mark.parametrize("row", COMPRESSED + FORMS, ids=[row.name for row in COMPRESSED + FORMS])
def test_the_form_of_a_body_is_that_of_its_mark(row: Body):
    assert str(binary_in(row.body, row.content_type)) == row.says


@pytest.mark.parametrize("row", COMPRESSED, ids=[row.name for row in COMPRESSED])
def test_what_content_encoding_names_is_compressed(row: Body):
    binary = binary_in(row.body, row.content_type)
    assert binary is not None
    assert binary.is_compressed


@pytest.mark.parametrize("row", NO_TEXTS + FORMS, ids=[row.name for row in NO_TEXTS + FORMS])
def test_what_content_encoding_does_not_name_is_not_compressed(row: Body):
    binary = binary_in(row.body, row.content_type)
    assert binary is not None
    assert not binary.is_compressed


def test_an_unknown_form_has_no_name():
    assert binary_in(b"\x00", "") == Binary("", "00", is_compressed=False)
