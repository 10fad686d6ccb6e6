"""
What is in a coupon file: checked as its bytes come in, with memory that does not grow with the file.

Pure, apart from temporary files for the codes of large files. No message shows a code.
Needs numpy, which is loaded when the first file is read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Final

from wes_provider import contract
from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import counted, shown
from wes_provider.storage.beginning import BOM, Columns, columns, other_than_codes

__all__ = ["ContentRules", "FileContent", "read_content"]

SLICE_BYTES: Final = 512 * 1024  # worked on at a time; what is made of it fits into a processor's cache
LONGEST_LINE: Final = 64 * 1024  # bytes
EXAMPLES: Final = 3  # line numbers in a message
DECIMAL_LIMIT: Final = 100 * 10**6  # bytes: the contract's 100 MB if the service counts in powers of ten

DOUBTS: Final = (  # what lines may have by accident, and a well-made file on purpose
    ("code", "with control characters, or ones that cannot be seen"),
    ("code", "such as NULL or #N/A, which stands for none"),
    ("code", "such as 1.2E+15, of which a spreadsheet has dropped digits"),
    ("code", "in a quote that its line does not close"),
    ("line", "that repeats the header"),
)


@dataclass(frozen=True)
class ContentRules:
    """What a file's content has to be; :class:`~wes_provider.storage.Preflight` describes the fields."""

    header: bool | None = None
    column: int | str | None = None
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
    :ivar sha256: the SHA-256 of all bytes; empty if reading stopped at a problem.
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

    :param blocks: the blocks of the file; the next one is fetched while one is checked.
    :param size: the file's size in bytes if it is known; a file that is too large is not read.
    """
    found = FileContent(size=size or 0)
    if size is not None and size > rules.max_bytes:
        found.problems.append(_too_large(size, rules))
        return found
    with ExitStack() as stack:
        reader: _Reader | None = None
        digest, total = hashlib.sha256(), 0
        for block in _ahead(blocks, digest):
            reader = reader or _Reader(found, rules, stack)  # loads numpy, while the next block comes
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
        if reader is None or not total:
            found.problems.append("is empty")
        else:
            reader.finish()
    return found


def _too_large(size: int | None, rules: ContentRules) -> str:
    is_ = f"has {counted(size, 'byte')}" if size is not None else f"has more than {counted(rules.max_bytes, 'byte')}"
    return f"{is_}; the service fetches at most {rules.max_bytes} bytes (100 MB) from a URL. Split it"


class _Reader:
    """Whole lines of a file, one after another."""

    def __init__(self, found: FileContent, rules: ContentRules, stack: ExitStack) -> None:
        self._found, self._rules = found, rules
        self._numbers = _with_numpy()
        self._distinct = self._numbers.Distinct(stack)
        self._rest = b""
        self._lines = 0  # before the current piece
        self._begun = False
        self._columns = Columns()
        self._bad_lengths = _Lines()
        self._doubtful = {doubt: _Lines() for doubt in DOUBTS}
        self.hopeless = False  # reading on would show nothing more

    def feed(self, data: bytes) -> None:
        if not self._begun:
            data, self._rest = self._rest + data, b""
            if len(data) < LONGEST_LINE:
                self._rest = data  # too little to recognise anything by
                return
            data = self._begin(data, whole=False)
        padding = self._numbers.PADDING
        data = b"".join((self._rest, data, padding))
        end = data.rfind(b"\n") + 1
        self._rest = data[end : -len(padding)]
        if len(self._rest) > LONGEST_LINE and not self.hopeless:
            self._stop(self._no_lines(self._rest))
        if end and not self.hopeless:
            self._take(data, end)

    def finish(self) -> None:
        """Check the last line, and what only the whole file shows."""
        found, rules = self._found, self._rules
        data, self._rest = self._rest, b""
        if not self._begun:
            data = self._begin(data, whole=True)
        if data and not self.hopeless:
            text = data.removesuffix(b"\n") + b"\n"
            self._take(text + self._numbers.PADDING, len(text))
        if self.hopeless:
            return
        if self._bad_lengths.count:
            found.problems.append(
                f"has {counted(self._bad_lengths.count, 'code')} of fewer than {rules.min_length} or more than "
                f"{rules.max_length} bytes {self._bad_lengths}"
            )
        found.duplicates = self._distinct.duplicates()
        if found.duplicates:
            stand = "stands" if found.duplicates == 1 else "stand"
            kind = found.problems if found.duplicates > rules.max_duplicates else found.warnings
            kind.append(f"has {counted(found.duplicates, 'code')} that {stand} in it before")
        if found.codes < rules.min_codes:
            only = "only a header" if found.header and not found.codes else counted(found.codes, "code")
            way_out = "; if that is a code, set Preflight(header=False)" if found.header and self._lines == 1 else ""
            found.problems.append(f"has {only}, fewer than min_codes={rules.min_codes}{way_out}")
        if found.codes > rules.max_codes:
            found.problems.append(f"has {counted(found.codes, 'code')}, more than max_codes={rules.max_codes}")
        if found.blank_lines:
            lines = counted(found.blank_lines, "blank line")
            found.warnings.append(
                f"has {lines}" if not self._columns.column else f"has {lines}, or lines without a code"
            )
        found.warnings += [
            f"has {counted(lines.count, noun)} {text} {lines}"
            for (noun, text), lines in self._doubtful.items()
            if lines.count
        ]
        if found.size > DECIMAL_LIMIT:
            found.warnings.append(
                f"has {found.size} bytes, more than {DECIMAL_LIMIT}: too many if the service's 100 MB are powers of ten"
            )

    def _stop(self, problem: str) -> None:
        self._found.problems.append(problem)
        self.hopeless = True

    # -- the beginning --

    def _begin(self, data: bytes, *, whole: bool) -> bytes:
        """Recognise what is no coupon file, and the header; the bytes without either."""
        self._begun = True
        found, rules = self._found, self._rules
        if problem := other_than_codes(data, whole=whole):
            self._stop(problem)
            return data
        bom = data.startswith(BOM)
        text = data[len(BOM) :] if bom else data
        self._columns = begin = columns(text, header=rules.header, column=rules.column, whole=whole)
        if bom and begin.header is None:
            found.problems.append("starts with a byte order mark, which would become part of the first code. Remove it")
        elif bom:
            found.warnings.append("starts with a byte order mark, for which the service may take the header for a code")
        found.problems += begin.problems
        found.warnings += begin.warnings
        if begin.header is not None:
            found.header = begin.header.decode(errors="replace")
            found.blank_lines = begin.lines - 1
        self._lines = begin.lines
        return text[begin.offset :]

    def _no_lines(self, rest: bytes) -> str:
        ends = ". It ends its lines with CR alone" if b"\r" in rest else ""
        return f"has a line of more than {LONGEST_LINE} bytes{ends}"

    # -- the codes --

    def _take(self, data: bytes, end: int) -> None:
        """
        Whole lines.

        :param end: the end of the last one; what follows it is of no importance.
        """
        found, rules = self._found, self._rules
        if not data.isascii():
            try:
                data[:end].decode()
            except UnicodeDecodeError as error:
                line = self._lines + data.count(b"\n", 0, error.start) + 1
                self._stop(f"is not text in UTF-8 (line {line}). Save it as UTF-8")
                return
        if (nul := data.find(b"\0", 0, end)) >= 0:
            line = self._lines + data.count(b"\n", 0, nul) + 1
            self._stop(f"is binary, not text in UTF-8 (line {line})")
            return
        cells = self._numbers.Cells(data, end, self._columns.delimiter, self._columns.column)
        found.blank_lines += cells.blank
        found.codes += len(cells) - cells.blank
        self._bad_lengths.add(self._lines, cells.outside(rules.min_length, rules.max_length))
        again = cells.equal_to(self._columns.name) if self._columns.name else []
        doubtful = (cells.odd(), cells.placeholders(), cells.rounded(), cells.unclosed, again)
        for lines, doubts in zip(self._doubtful.values(), doubtful, strict=True):
            lines.add(self._lines, doubts)
        self._distinct.add(cells, rules.max_length)
        self._lines += len(cells)


class _Lines:
    """How many lines have something, and the numbers of the first ones."""

    def __init__(self) -> None:
        self.count = 0
        self._first: list[int] = []

    def __str__(self) -> str:
        more = ", ..." if self.count > len(self._first) else ""
        return f"({'line' if self.count == 1 else 'lines'} {', '.join(map(str, self._first))}{more})"

    def add(self, before: int, lines: Sequence[int]) -> None:
        """Take lines of a piece, from 0 on, which begins after so many lines."""
        self.count += len(lines)
        self._first += [before + 1 + line for line in lines[: EXAMPLES - len(self._first)]]


def _with_numpy() -> ModuleType:
    try:
        from wes_provider.storage import codes
    except ImportError as error:
        raise WesConfigurationError(
            "Checking coupon files needs numpy, which cannot be imported.\n"
            "Install airflow-provider-wes[storage]; preflight=False uploads files unchecked.\n"
            f"{shown(str(error))}"
        ) from error
    return codes


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
