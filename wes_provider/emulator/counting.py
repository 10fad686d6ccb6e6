"""What is counted in a coupon file."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Final

from wes_provider.coupon_headers import BEGINNING, FirstLine, judge_first_line, names_codes

__all__ = ["CouponCounter"]

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
# In bytes; keeps memory bounded if a file has no lines.
_LONGEST_LINE: Final = 64 * 1024
# The first cell of a line, with quotes around it or without.
_QUOTED_CELL: Final = re.compile(rb'"((?:[^"]|"")*)"')
_PLAIN_CELL: Final = re.compile(rb"[^,;\t|]*")
# A quote that begins a cell, and may have line breaks behind it.
_OPENING_QUOTE: Final = re.compile(rb'(?:^|[,;\t|])"')
_GZIP: Final = b"\x1f\x8b"
# Tells zlib that the data has the header of gzip.
_GZIP_WINDOW: Final = 31
_PIECE: Final = 1024 * 1024  # bytes that are unpacked at once


class CouponCounter:
    """
    Counts the coupons of one file as its bytes come in: one for each line that is not empty, from
    the first column, whatever divides columns. A cell in quotes may have line breaks.

    A first line that is a column's name is no coupon, by the rule of the check of files: it is
    compared with the lines below it, so the first 64 KiB are counted together.
    Coupons are remembered by a hash of 8 bytes. A gzip archive is unpacked, each part of it,
    whatever the file is called.

    :param room: how many coupons it may remember; those beyond count as new.
    """

    def __init__(self, room: int) -> None:
        self.total = 0
        self.unremembered = 0
        self.distinct: set[int] = set()
        self._room = room
        self._rest = b""
        # Lines before the current one that belong to it, since a quote is open.
        self._record = b""
        self._at_first_line = True
        # The first coupons, and the characters of their lines, until there are enough to compare.
        self._first_coupons: list[bytes] = []
        self._characters = 0
        self._is_beginning = True
        self._unpacker = Unpacker()

    def feed(self, data: bytes) -> None:
        """
        Count the lines that are complete.

        :raises ValueError: if one is too long for a coupon file.
        :raises zlib.error: if an archive is damaged.
        """
        for unpacked in self._unpacker.unpack(data):
            self._count_lines(unpacked)

    def _count_lines(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > _LONGEST_LINE:
            raise ValueError(f"a line is longer than {_LONGEST_LINE} bytes")
        for line in lines:
            self._add_line(line)

    def _add_line(self, line: bytes) -> None:
        """Count a line, or keep it until a quote is closed that is open in it."""
        record = self._record + line
        self._record = b""
        is_open = record.count(b'"') % 2 == 1 and _OPENING_QUOTE.search(record) is not None
        if not is_open:
            self._count(record)
            return
        if len(record) > _LONGEST_LINE:
            raise ValueError(f"a cell is longer than {_LONGEST_LINE} bytes")
        self._record = record + b"\n"

    def finish(self) -> None:
        """
        Count the last line, which may lack its line feed.

        :raises EOFError: if an archive is incomplete.
        """
        for unpacked in self._unpacker.finish():
            self._count_lines(unpacked)
        self._count(self._record + self._rest)
        self._record = b""
        self._rest = b""
        self._count_first()

    def _count(self, line: bytes) -> None:
        if self._at_first_line:
            line = line.removeprefix(_BYTE_ORDER_MARK)
        self._at_first_line = False
        coupon = _first_cell(line)
        is_blank = not coupon or coupon.decode(errors="replace").isspace()
        if not self._is_beginning:
            if not is_blank:
                self._add(coupon)
            return
        if not is_blank:
            self._first_coupons.append(coupon)
        self._characters += len(line.removesuffix(b"\r").decode(errors="replace")) + 1
        if self._characters > BEGINNING:
            self._count_first()

    def _count_first(self) -> None:
        """Count the first coupons, without a header."""
        self._is_beginning = False
        coupons, self._first_coupons = self._first_coupons, []
        if coupons and _is_header(coupons):
            del coupons[0]
        for coupon in coupons:
            self._add(coupon)

    def _add(self, coupon: bytes) -> None:
        self.total += 1
        digest = int.from_bytes(hashlib.blake2b(coupon, digest_size=8).digest(), "little")
        if len(self.distinct) < self._room:
            self.distinct.add(digest)
        elif digest not in self.distinct:
            self.unremembered += 1


def _is_header(coupons: Sequence[bytes]) -> bool:
    """Return whether the first of some coupons is a header; a word for codes is, if in doubt."""
    first, *others = [coupon.decode(errors="replace").strip() for coupon in coupons]
    judged = judge_first_line(first, others)
    if judged is FirstLine.UNCLEAR:
        return names_codes(first)
    return judged is FirstLine.HEADER


def _first_cell(line: bytes) -> bytes:
    line = line.strip(b" \r\n\v\f")
    quoted = _QUOTED_CELL.match(line)
    if quoted is not None:
        return quoted[1].replace(b'""', b'"').strip()
    plain = _PLAIN_CELL.match(line)
    return b"" if plain is None else plain[0].strip().strip(b'"')


class Unpacker:
    """
    Unpacks a file as its bytes come in if it is a gzip archive; one archive may have several parts,
    with zeros between and behind them.
    """

    def __init__(self) -> None:
        self._beginning = b""
        self._is_decided = False
        self._is_archive = False
        self._part: zlib._Decompress | None = None

    def unpack(self, data: bytes) -> Iterator[bytes]:
        """Yield what is in the next bytes, in pieces that fit into memory."""
        if not self._is_decided:
            data = self._beginning + data
            self._beginning = b""
            if len(data) < len(_GZIP) and _GZIP.startswith(data):
                self._beginning = data
                return
            self._is_decided = True
            self._is_archive = data.startswith(_GZIP)
        if not self._is_archive:
            yield data
            return
        while data:
            if self._part is None:
                data = data.lstrip(b"\0")
                if not data:
                    return
                self._part = zlib.decompressobj(_GZIP_WINDOW)
            yield self._part.decompress(data, _PIECE)
            data = self._part.unconsumed_tail
            if self._part.eof:
                data = self._part.unused_data
                self._part = None

    def finish(self) -> Iterator[bytes]:
        """
        Yield what is left at the end.

        :raises EOFError: if an archive is incomplete.
        """
        if self._part is not None:
            raise EOFError("the archive is incomplete")
        yield self._beginning
