"""The text of a coupon file: unpacked, recognised, decoded, and cut into blocks of whole lines."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from wes_provider import contract
from wes_provider.coupon_records import RefusedError

__all__ = ["BOM", "read_blocks"]

PIECE: Final = 1024 * 1024  # bytes that are read at once; also the longest line
BEGINNING: Final = 64 * 1024  # bytes in which a NUL byte means another format
BOM: Final = "\ufeff"
GZIP: Final = b"\x1f\x8b"

# What no list of codes begins with, in small letters, and what such a file is.
NOT_CODES: Final = {
    ("<",): "is markup such as HTML or XML, not a list of codes",
    ("{", "[{", '["'): "is JSON or RTF, not a list of codes",
    ("%pdf",): "is a PDF, not a list of codes",
    ("sep=", "# "): "starts with a comment, or a line for Excel, before its header. Remove it",
    ("version https://git-lfs",): "is a pointer of Git LFS. Fetch the file",
    ("-----begin",): "is an encrypted or signed text. Decrypt it",
    ("error:", "internal server error", "access denied", "not found"): "is the message of an error",
    (
        "pk\x03",
        "pk\x05",
    ): "is a ZIP archive or an Excel workbook. Unpack it, or export it as text in UTF-8",
}
IS_GZIP: Final = "is a gzip archive, and its name does not end with .gz"
IS_GZIP_TWICE: Final = "is a gzip archive with another one in it. Compress it once"
# A whole file that is the message of a web server, such as "404: Not Found".
STATUS_MESSAGE: Final = re.compile(r"(http/\S+\s+)?[45]\d\d\b[\s:.-]+[^\W\d].*")


def read_blocks(path: Path, *, gzipped: bool) -> Iterator[str]:
    """
    Read a file of text in UTF-8, a block of whole lines at a time.

    :param gzipped: whether the file is a gzip archive, which its name says.
    :return: lines with line feeds between them, without one at the end of the block.
    :raises RefusedError: if it is empty, another format, a damaged archive, or in another encoding.
    """
    lines_before = 0
    with _open(path, gzipped=gzipped) as file:
        for block in _read_lines(file):
            if lines_before == 0:
                _check_format(block, gzipped=gzipped)
            text = _decode(block, lines_before)
            lines_before += text.count("\n") + 1
            if lines_before > contract.LIST_COUPONS:
                # An archive of a few hundred kilobytes can have them.
                raise RefusedError(
                    f"has more than {contract.LIST_COUPONS} lines, and a list has no more coupons"
                )
            yield text
    if lines_before == 0:
        raise RefusedError("is empty")


def _open(path: Path, *, gzipped: bool) -> IO[bytes] | gzip.GzipFile:
    if not gzipped:
        return path.open("rb")
    with path.open("rb") as file:
        beginning = file.read(len(GZIP))
    if not GZIP.startswith(beginning):
        raise RefusedError("is no gzip archive, as its name says")
    return gzip.open(path)


def _read_lines(file: IO[bytes] | gzip.GzipFile) -> Iterator[bytes]:
    """
    Read whole lines, about a piece at a time. A last line without a line feed is in the last piece:
    of a small file, the first block is all of it.
    """
    rest, lines = b"", 0
    block = b""
    while piece := _read_piece(file):
        data = rest + piece
        end = data.rfind(b"\n") + 1
        if end == 0 and len(data) > PIECE:
            if b"\r" in data[:-1]:
                raise _refused_return(lines + 1)
            raise RefusedError(f"has a line of more than {PIECE} bytes (line {lines + 1})")
        rest = data[end:]
        if end > 0:
            lines += data.count(b"\n", 0, end)
            if block:
                yield block
            block = data[:end]
    if block or rest:
        yield block + rest


def _read_piece(file: IO[bytes] | gzip.GzipFile) -> bytes:
    try:
        return file.read(PIECE)
    except EOFError:
        raise RefusedError(
            "is an incomplete gzip archive: its end is missing. Export or copy it again"
        ) from None
    except (gzip.BadGzipFile, zlib.error):
        raise RefusedError("is a damaged gzip archive. Export or copy it again") from None


def _check_format(block: bytes, *, gzipped: bool) -> None:
    """Refuse a file whose beginning shows that it is no list of codes."""
    if block.startswith(GZIP):
        raise RefusedError(IS_GZIP_TWICE if gzipped else IS_GZIP)
    start = block.decode(errors="replace").lstrip(BOM + " \t\n\"'").lower()
    for beginnings, problem in NOT_CODES.items():
        if start.startswith(beginnings):
            raise RefusedError(problem)
    if STATUS_MESSAGE.fullmatch(start.rstrip()):
        raise RefusedError("is the message of an error")
    if block.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in block[:BEGINNING]:
        raise RefusedError("is binary, or text in UTF-16 or UTF-32. Save it as text in UTF-8")


def _decode(block: bytes, lines_before: int) -> str:
    """Decode whole lines; line ends become line feeds."""
    nul = block.find(b"\0")
    if nul >= 0:
        line = _line_of(block, nul, lines_before)
        raise RefusedError(f"is binary: it has a NUL byte (line {line}). Save it as text in UTF-8")
    block = block.replace(b"\r\n", b"\n")
    try:
        text = block.decode().removesuffix("\n")
    except UnicodeDecodeError as error:
        line = _line_of(block, error.start, lines_before)
        raise RefusedError(f"is not text in UTF-8 (line {line}). Save it as UTF-8") from None
    carriage_return = block.find(b"\r")
    if carriage_return >= 0:
        raise _refused_return(_line_of(block, carriage_return, lines_before))
    return text


def _line_of(block: bytes, position: int, lines_before: int) -> int:
    return lines_before + block.count(b"\n", 0, position) + 1


def _refused_return(line: int) -> RefusedError:
    """Return the error of a carriage return that some take for a line end, and others do not."""
    return RefusedError(
        f"has a carriage return without a line feed (line {line}), which not every reader takes "
        "for a line end. Save it with the line ends of Windows or Unix"
    )
