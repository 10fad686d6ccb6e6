"""Bodies that are no text: what their first bytes say that they are. Pure."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from wes_provider.client.responses import decode_text

__all__ = ["Binary", "binary_in"]

SEARCHED: Final = 4000  # bytes of a body
FIRST: Final = 4  # bytes that are named of a form that is not known
# Characters that no text has, but for white space, and ESC, with which a terminal's colours begin.
CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
UNREADABLE: Final = "\ufffd"
MOST_UNREADABLE: Final = 0.25  # of all characters: a text in another charset has a few
# What bodies begin with, by the name of the form; first those that Content-Encoding names.
COMPRESSIONS: Final = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x78\x01": "zlib",
    b"\x78\x5e": "zlib",
    b"\x78\x9c": "zlib",
    b"\x78\xda": "zlib",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x04\x22\x4d\x18": "lz4",
}
FORMS: Final = {
    **COMPRESSIONS,
    b"PK\x03\x04": "a ZIP archive",
    b"PK\x05\x06": "a ZIP archive",
    b"%PDF-": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"PAR1": "Parquet",
    b"{\x00": "UTF-16 without its mark",
    b"[\x00": "UTF-16 without its mark",
    b"\x00{": "UTF-16 without its mark",
    b"\x00[": "UTF-16 without its mark",
}


class Binary(NamedTuple):
    """
    What a body is that is no text.

    :ivar name: such as ``gzip``; empty if its first bytes are those of no known form.
    :ivar first: its first bytes, in hexadecimal digits.
    :ivar is_compressed: whether it is of a form that replies name in ``Content-Encoding``.
    """

    name: str
    first: str
    is_compressed: bool

    @property
    def begins(self) -> str:
        """What it begins with, as a clause."""
        return f"it begins with {self.first}"

    def __str__(self) -> str:
        if self.name:
            return f"{self.name} ({self.begins})"
        return f"no text ({self.begins})"


def binary_in(body: bytes, content_type: str) -> Binary | None:
    """Tell what a body is that is no text; ``None`` if it is text, or empty."""
    is_text = _is_text(body, content_type)
    for mark, name in FORMS.items():
        # A text may begin as a form does whose mark is text.
        if body.startswith(mark) and not (is_text and mark.isascii()):
            return Binary(name, mark[:FIRST].hex(" "), is_compressed=mark in COMPRESSIONS)
    if is_text:
        return None
    return Binary("", body[:FIRST].hex(" "), is_compressed=False)


def _is_text(body: bytes, content_type: str) -> bool:
    """Tell whether bytes are text in their charset, as the provider decodes it."""
    text = decode_text(body[:SEARCHED], content_type)
    if CONTROL.search(text):
        return False
    return text.count(UNREADABLE) <= MOST_UNREADABLE * len(text)
