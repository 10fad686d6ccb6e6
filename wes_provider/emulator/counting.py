"""What is counted in a coupon file."""

from __future__ import annotations

import csv
import hashlib
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from wes_provider.coupon_headers import BEGINNING, FirstLine, judge_first_line, names_codes
from wes_provider.coupon_records import find_samples

__all__ = ["CouponCounter"]

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
# In bytes; keeps memory bounded if a file has no lines.
_LONGEST_LINE: Final = 64 * 1024
_QUOTED: Final = re.compile(rb'"((?:[^"]|"")*)"')
# The rest of a cell in quotes, to the separator behind it, which is to be filled in.
_TO_CLOSING_QUOTE: Final = rb'(?:[^"]|"")*"(?!")[^%s]*'
_GZIP: Final = b"\x1f\x8b"
# Tells zlib that the data has the header of gzip.
_GZIP_WINDOW: Final = 31
_PIECE: Final = 1024 * 1024  # bytes that are unpacked at once


class CouponCounter:
    """
    Counts the coupons of one file as its bytes come in: one for each line that is not empty, from
    the first column. A cell in quotes may have line breaks.

    What divides columns, and whether the first line is a header, is found in the first 64 KiB by
    the rules of the check of files, so these are counted together.
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
        # The first lines, and their characters, until there are enough to see how to read them.
        self._first_lines: list[bytes] = []
        self._characters = 0
        self._reader: LineReader | FirstColumnReader | None = None
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
            self._read_line(line)

    def finish(self) -> None:
        """
        Count the last line, which may lack its line feed.

        :raises EOFError: if an archive is incomplete.
        """
        for unpacked in self._unpacker.finish():
            self._count_lines(unpacked)
        self._read_line(self._rest)
        self._rest = b""
        reader = self._reader or self._read_first_lines()
        self._add_all(reader.finish())

    def _read_line(self, line: bytes) -> None:
        """Count what is in a line; or keep it, as long as these are the first lines."""
        if self._reader is not None:
            self._add_all(self._reader.read(line))
            return
        if not self._first_lines:
            line = line.removeprefix(_BYTE_ORDER_MARK)
        self._first_lines.append(line)
        self._characters += len(_text_of(line)) + 1
        if self._characters > BEGINNING:
            self._read_first_lines()

    def _read_first_lines(self) -> LineReader | FirstColumnReader:
        """Find out how to read the file, and count its first lines, without a header."""
        sample = find_samples([_text_of(line) for line in self._first_lines])[0]
        if sample.separator:
            self._reader = FirstColumnReader(sample.separator)
        else:
            self._reader = LineReader()
        cells = [cell for line in self._first_lines for cell in self._reader.read(line)]
        self._first_lines = []
        if self._characters <= BEGINNING:
            # The file ends here, and so does its last cell, even if a quote is open in it.
            cells += self._reader.finish()
        coupons = [cell for cell in cells if not _is_blank(cell)]
        if coupons and _is_header(coupons):
            del coupons[0]
        self._add_all(coupons)
        return self._reader

    def _add_all(self, cells: Iterable[bytes]) -> None:
        for cell in cells:
            if not _is_blank(cell):
                self._add(cell)

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


def _is_blank(cell: bytes) -> bool:
    return not cell or cell.decode(errors="replace").isspace()


def _text_of(line: bytes) -> str:
    return line.removesuffix(b"\r").decode(errors="replace")


class LineReader:
    """Reads the coupon of each line of a file without columns."""

    def read(self, line: bytes) -> Iterator[bytes]:
        """Yield what stands in the line, without white space and quotes around it."""
        line = line.strip()
        quoted = _QUOTED.fullmatch(line)
        if quoted is None:
            yield line
        else:
            yield quoted[1].replace(b'""', b'"').strip()

    def finish(self) -> Iterator[bytes]:
        """Yield nothing, since no line goes on in another one."""
        yield from ()


class FirstColumnReader:
    """
    Reads the first cell of each record of a file with columns, a line at a time.

    :param separator: what divides columns.
    """

    def __init__(self, separator: str) -> None:
        self._separator = separator
        divider = re.escape(separator.encode())
        # What stands behind a quoted cell belongs to it.
        cell = b'(?:"%s|[^"%s][^%s]*|)' % (_TO_CLOSING_QUOTE % divider, divider, divider)
        cells = b"(?:%s%s)*" % (divider, cell)
        # Of a line: whether its cells end with it, if it begins a record, or goes on in a cell.
        self._ends_record = re.compile(cell + cells, re.DOTALL)
        self._ends_open_record = re.compile(_TO_CLOSING_QUOTE % divider + cells, re.DOTALL)
        # The lines of a record, as long as a quote is open in it.
        self._open_record: list[bytes] = []
        self._open_bytes = 0

    def read(self, line: bytes) -> Iterator[bytes]:
        """
        Yield the first cell of the record that ends with this line; nothing if none ends.

        :raises ValueError: if a cell is too long for a coupon file.
        """
        if not self._open_record and b'"' not in line:
            yield line.partition(self._separator.encode())[0].strip()
            return
        ends_record = self._ends_record
        if self._open_record:
            ends_record = self._ends_open_record
        self._open_record.append(line)
        if ends_record.fullmatch(line) is not None:
            yield from self.finish()
            return
        self._open_bytes += len(line) + 1
        if self._open_bytes > _LONGEST_LINE:
            raise ValueError(f"a cell is longer than {_LONGEST_LINE} bytes")

    def finish(self) -> Iterator[bytes]:
        """Yield the first cell of the record that is open, if one is."""
        if not self._open_record:
            return
        record = b"\n".join(self._open_record)
        self._open_record = []
        self._open_bytes = 0
        # Bytes that are no UTF-8 are kept.
        text = record.decode(errors="surrogateescape")
        cells = next(csv.reader([text], delimiter=self._separator))
        yield cells[0].encode(errors="surrogateescape").strip()


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
