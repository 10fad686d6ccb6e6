"""
What is in a coupon file: checked as its bytes come in, with memory that does not grow with the file.

Pure, apart from temporary files for the codes of large files. No message shows a code.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import IO, Any, Final

from wes_provider import contract

__all__ = ["ContentRules", "FileContent", "read_content"]

HEADER_WORDS: Final = frozenset(
    {
        b"code", b"codes", b"coupon", b"coupons", b"coupon_code", b"coupon code", b"couponcode", b"coupon_codes",
        b"promo_code", b"promo code", b"promocode", b"voucher", b"vouchers", b"voucher_code", b"voucher code",
    }
)  # fmt: skip
FORMATS: Final = (  # how files start that are no text
    (b"\x1f\x8b", "a gzip archive"),
    (b"PK\x03\x04", "a ZIP archive or an Excel workbook"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook"),
    (b"%PDF", "a PDF"),
    (b"PAR1", "a Parquet file"),
    (b"Obj\x01", "an Avro file"),
    (b"ORC", "an ORC file"),
    (b"\xff\xfe\x00\x00", "text in UTF-32"),
    (b"\x00\x00\xfe\xff", "text in UTF-32"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
)
BOM: Final = b"\xef\xbb\xbf"
_MARKUP = re.compile(rb"<(!doctype|html|head|body|\?xml|error|!--)", re.IGNORECASE)
_JSON = re.compile(rb"""\{\s*["}]|\[\s*["\[{\]]""")

SLICE_BYTES: Final = 64 * 1024  # worked on at a time; its codes fit into a processor's cache
LONGEST_LINE: Final = 64 * 1024  # bytes
IN_MEMORY: Final = 50_000  # codes; about 5 MB
BUFFERED: Final = 1024 * 1024  # bytes of codes that wait to be written
PARTS: Final = 256  # of the temporary file; one of 100 MB has at most 65,000 different codes of 5 characters
EXAMPLES: Final = 3  # line numbers in a message


@dataclass(frozen=True)
class ContentRules:
    """What a file's content has to be; :class:`~wes_provider.storage.Preflight` describes the fields."""

    header: bool | None = None
    min_codes: int = 1
    max_codes: int = contract.LIST_COUPONS
    min_length: int = 1
    max_length: int = 100
    max_duplicates: int = 0
    max_bytes: int = contract.UPLOAD_URL_BYTES


@dataclass
class FileContent:
    """
    What was found in a file.

    :ivar problems: why it must not be uploaded, each the rest of a sentence that begins with the file's name.
    :ivar codes: how many lines have a code.
    :ivar sha256: of all bytes; empty if reading stopped at a problem.
    """

    size: int = 0
    codes: int = 0
    duplicates: int = 0
    blank_lines: int = 0
    header: str = ""
    sha256: str = ""
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def read_content(blocks: Iterable[bytes], rules: ContentRules, *, size: int | None = None) -> FileContent:
    """
    Read a file once, and check it.

    :param blocks: of the file; the next one is fetched while one is checked.
    :param size: the file's size in bytes if it is known; a file that is too large is not read.
    """
    found = FileContent(size=size or 0)
    if size is not None and size > rules.max_bytes:
        found.problems.append(_too_large(size, rules))
        return found
    with ExitStack() as stack:
        reader = _Reader(found, rules, stack)
        digest, total = hashlib.sha256(), 0
        for block in _ahead(blocks, digest):
            total += len(block)
            if total > rules.max_bytes:
                found.problems.append(_too_large(None, rules))
            for start in range(0, len(block), SLICE_BYTES):
                reader.feed(block[start : start + SLICE_BYTES])
                if found.problems and reader.hopeless:
                    break
            if total > rules.max_bytes or reader.hopeless:
                return found
        found.size, found.sha256 = total, digest.hexdigest()
        reader.finish()
    return found


def _too_large(size: int | None, rules: ContentRules) -> str:
    is_ = f"has {size} bytes" if size is not None else f"has more than {rules.max_bytes} bytes"
    return f"{is_}; the service fetches at most {rules.max_bytes} bytes (100 MB) from a URL. Split it"


class _Reader:
    """Whole lines of a file, one after another."""

    def __init__(self, found: FileContent, rules: ContentRules, stack: ExitStack) -> None:
        self._found, self._rules = found, rules
        self._distinct = _Distinct(stack)
        self._rest = b""
        self._lines = 0  # before the current piece
        self._begun = False
        self._delimiter = b","
        self._bad_lengths: list[int] = []  # line numbers
        self._bad_length_count = 0
        self.hopeless = False  # reading on would show nothing more

    def feed(self, data: bytes) -> None:
        data = self._rest + data
        if not self._begun:
            if len(data) < LONGEST_LINE:
                self._rest = data  # too little to recognise anything by
                return
            data = self._begin(data)
        end = data.rfind(b"\n") + 1
        self._rest = data[end:]
        if len(self._rest) > LONGEST_LINE and not self.hopeless:
            self._stop(self._no_lines(self._rest))
        if end and not self.hopeless:
            self._take(data[: end - 1])

    def finish(self) -> None:
        """Check the last line, and what only the whole file shows."""
        found, rules = self._found, self._rules
        if not found.size:
            found.problems.append("is empty")
            return
        data, self._rest = self._rest, b""
        if not self._begun:
            data = self._begin(data)
        if data and not self.hopeless:
            self._take(data.removesuffix(b"\n"))
        if self.hopeless:
            return
        if self._bad_length_count:
            where = ", ".join(map(str, self._bad_lengths))
            more = ", ..." if self._bad_length_count > len(self._bad_lengths) else ""
            found.problems.append(
                f"has {self._bad_length_count} codes of fewer than {rules.min_length} or more than {rules.max_length} "
                f"bytes (lines {where}{more})"
            )
        found.duplicates = self._distinct.duplicates()
        if found.duplicates > rules.max_duplicates:
            found.problems.append(f"has {found.duplicates} codes that stand in it before")
        elif found.duplicates:
            found.warnings.append(f"has {found.duplicates} codes that stand in it before")
        if found.codes < rules.min_codes:
            only = "only a header" if found.header and not found.codes else f"{found.codes} codes"
            found.problems.append(f"has {only}, fewer than min_codes={rules.min_codes}")
        if found.codes > rules.max_codes:
            found.problems.append(f"has {found.codes} codes, more than max_codes={rules.max_codes}")
        if found.blank_lines:
            found.warnings.append(f"has {found.blank_lines} blank lines")

    def _stop(self, problem: str) -> None:
        self._found.problems.append(problem)
        self.hopeless = True

    # -- the beginning --

    def _begin(self, data: bytes) -> bytes:
        """Recognise what is no coupon file, and the header; the bytes without either."""
        self._begun = True
        found, rules = self._found, self._rules
        for start, name in FORMATS:
            if data.startswith(start):
                self._stop(f"is {name}, not text in UTF-8. Save it as text, or unpack it")
                return data
        bom = data.startswith(BOM)
        text = data[len(BOM) :] if bom else data
        sample = text[:1000]
        if b"\0" in sample:
            zeros = (sample[::2].count(0), sample[1::2].count(0))
            wide = max(zeros) > 0.9 * (len(sample) // 2) > 0 == min(zeros)
            self._stop(f"is {'text in UTF-16' if wide else 'binary'}, not text in UTF-8. Save it as text in UTF-8")
            return data
        start_of_text = sample.lstrip()
        if _MARKUP.match(start_of_text):
            self._stop("is an HTML or XML page, not a coupon file; often the error page of whoever wrote it")
            return data
        if _JSON.match(start_of_text):
            self._stop("is JSON, not a coupon file")
            return data
        if b"\n" not in data and data.count(b"\r") > 1:
            self._stop("ends its lines with CR alone. End them with LF or CR LF")
            return data
        header = self._header(text)
        if bom and header is None:
            found.problems.append("starts with a byte order mark, which would become part of the first code. Remove it")
        elif bom:
            found.warnings.append("starts with a byte order mark, for which the service may take the header for a code")
        if header is None:
            if rules.header is True:
                found.problems.append("has no header, and Preflight(header=True) wants one")
            return text
        if rules.header is False:
            found.problems.append("has a header, and Preflight(header=False) wants none")
        found.header = header.decode(errors="replace")
        self._lines = 1
        return text[len(text.partition(b"\n")[0]) + 1 :]

    def _header(self, text: bytes) -> bytes | None:
        """The first line if it names columns; ``None`` if it holds a code."""
        first = text.partition(b"\n")[0].rstrip(b"\r")
        for delimiter in (b",", b";", b"\t", b"|"):
            if _bare(first.partition(delimiter)[0]).lower() in HEADER_WORDS:
                self._delimiter = delimiter
                return first
        return None

    def _no_lines(self, rest: bytes) -> str:
        ends = ". It ends its lines with CR alone" if b"\r" in rest else ""
        return f"has a line of more than {LONGEST_LINE} bytes{ends}"

    # -- the codes --

    def _take(self, text: bytes) -> None:
        """Lines, without the end of the last one."""
        found, rules = self._found, self._rules
        if not text.isascii():
            try:
                text.decode()
            except UnicodeDecodeError as error:
                line = self._lines + text.count(b"\n", 0, error.start) + 1
                self._stop(f"is not text in UTF-8 (line {line}). Save it as UTF-8")
                return
        if b"\0" in text:
            line = self._lines + text.count(b"\n", 0, text.index(b"\0")) + 1
            self._stop(f"is binary, not text in UTF-8 (line {line})")
            return
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n").removesuffix(b"\r")
        codes = text.split(b"\n")
        lines = len(codes)
        if self._delimiter in text:
            delimiter = self._delimiter
            codes = [code.partition(delimiter)[0] for code in codes]
        if b'"' in text or b" " in text or b"\t" in text:
            codes = [_bare(code) for code in codes]
        blank = codes.count(b"")
        lengths = set(map(len, codes)) - {0}
        if lengths and not rules.min_length <= min(lengths) <= max(lengths) <= rules.max_length:
            for number, code in enumerate(codes, self._lines + 1):
                if code and not rules.min_length <= len(code) <= rules.max_length:
                    self._bad_length_count += 1
                    if len(self._bad_lengths) < EXAMPLES:
                        self._bad_lengths.append(number)
        if blank:
            found.blank_lines += blank
            codes = list(filter(None, codes))
        found.codes += len(codes)
        self._distinct.add(codes)
        self._lines += lines


def _bare(code: bytes) -> bytes:
    """A cell without quotes and white space around it."""
    return code.strip(b" \t").strip(b'"').strip(b" \t")


class _Distinct:
    """
    Counts codes that were there before; exactly, and in bounded memory.

    Up to :data:`IN_MEMORY` codes are kept in memory. More are spread over the parts of a temporary file by their hash,
    so that duplicates meet in one part, and the codes of a part fit into memory.
    """

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._seen: set[bytes] = set()
        self._count = 0  # of codes
        self._duplicates = 0
        self._file: IO[bytes] | None = None
        self._buffers = [bytearray() for _ in range(PARTS)]
        self._pieces: list[list[tuple[int, int]]] = [[] for _ in range(PARTS)]  # where each part is in the file

    def add(self, codes: list[bytes]) -> None:
        self._count += len(codes)
        if self._file is not None:
            self._spread(self._file, codes)
            return
        self._seen.update(codes)
        if len(self._seen) > IN_MEMORY:
            self._duplicates = self._count - len(self._seen)
            self._file = self._stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
            self._spread(self._file, self._seen)
            self._seen = set()

    def duplicates(self) -> int:
        """How many codes had been there before."""
        if self._file is None:
            return self._count - len(self._seen)
        self._write(self._file)
        for pieces in self._pieces:
            seen = {b""}  # what follows the last line end
            for start, size in pieces:
                self._file.seek(start)
                codes = self._file.read(size).split(b"\n")
                seen.update(codes)
                self._duplicates += len(codes) - 1
            self._duplicates -= len(seen) - 1
        return self._duplicates

    def _spread(self, file: IO[bytes], codes: Collection[bytes]) -> None:
        parts: list[list[bytes]] = [[] for _ in range(PARTS)]
        for code in codes:
            parts[hash(code) % PARTS].append(code)
        for buffer, part in zip(self._buffers, parts, strict=True):
            if part:
                part.append(b"")
                buffer += b"\n".join(part)
        if sum(map(len, self._buffers)) > BUFFERED:
            self._write(file)

    def _write(self, file: IO[bytes]) -> None:
        for buffer, pieces in zip(self._buffers, self._pieces, strict=True):
            pieces.append((file.tell(), len(buffer)))
            file.write(buffer)
            buffer.clear()


def _ahead(blocks: Iterable[bytes], digest: Any) -> Iterator[bytes]:
    """The same blocks; a thread fetches the next one and adds it to the checksum while the current one is checked."""
    iterator = iter(blocks)

    def fetch() -> bytes | None:
        block = next(iterator, None)
        digest.update(block or b"")
        return block

    with ThreadPoolExecutor(1, thread_name_prefix="wes-preflight") as executor:
        coming = executor.submit(fetch)
        while (block := coming.result()) is not None:
            coming = executor.submit(fetch)
            yield block
