"""
The records of a coupon file: lines with one code, or cells between separators and quotes. Pure.

The check of files and the emulator both divide lines by this, so that they count the same codes.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

__all__ = [
    "HAS_SEPARATOR_OR_QUOTE",
    "SEPARATORS",
    "Record",
    "RefusedError",
    "Sample",
    "UnclosedQuoteError",
    "divide",
    "find_samples",
    "has_stray_quote",
    "is_blank",
    "read_line",
    "read_table",
    "refuse_stray_quote",
]

SEPARATORS: Final = (",", ";", "\t", "|")

HAS_SEPARATOR_OR_QUOTE: Final = re.compile('[",;\t|]')
SEPARATOR: Final = re.compile("[,;\t|]")
QUOTED: Final = re.compile('"((?:[^"]|"")*)"')
FORMULA: Final = '="'


class RefusedError(Exception):
    """A file is no list of codes; the text is to be read after its name."""


class UnclosedQuoteError(RefusedError):
    """A quote is not closed before the text ends."""


class Record(NamedTuple):
    """Cells of a file, and the first and last of the lines that they stand in."""

    first_line: int
    last_line: int
    cells: list[str]


class Sample(NamedTuple):
    """
    The first records of a file, without blank ones, as one separator divides them.

    :ivar separator: empty if each line is a code.
    :ivar problem: why the record after them cannot be read; ``None`` if all are read.
    """

    separator: str
    records: list[Record]
    problem: RefusedError | None

    @property
    def columns(self) -> int:
        """How many columns most records have."""
        numbers = Counter(len(record.cells) for record in self.records)
        return max(numbers, key=numbers.__getitem__, default=0)

    @property
    def divided(self) -> int:
        """How many records have several columns."""
        return sum(len(record.cells) > 1 for record in self.records)

    @property
    def disagreeing(self) -> list[int]:
        """Lines of the records that have another number of columns than most."""
        columns = self.columns
        return [record.first_line for record in self.records if len(record.cells) != columns]

    @property
    def agrees(self) -> bool:
        """Whether each record has the same number of columns, of which there are several."""
        # The beginning may end within quotes.
        is_readable = self.problem is None or isinstance(self.problem, UnclosedQuoteError)
        return is_readable and self.columns > 1 and not self.disagreeing


# -- the separator ---------------------------------------------------------------------------------


def find_samples(lines: Sequence[str]) -> list[Sample]:
    """
    Divide the first lines of a file by the separator that gives all of them the same number of
    columns.

    :return: one sample; or several, if more than one separator does.
    """
    samples = [divide(lines, separator) for separator in SEPARATORS]
    agreeing = [sample for sample in samples if sample.agrees]
    if len(agreeing) > 1:
        # A separator that stands between quotes leaves quotes in the cells.
        agreeing = [sample for sample in agreeing if not _has_quotes(sample)] or agreeing
    if agreeing:
        return agreeing
    # Most lines decide, and the others will be named.
    most_divided = max(samples, key=lambda sample: sample.divided)
    if most_divided.divided > len(most_divided.records) / 2:
        return [most_divided]
    return [_read_as_codes(lines)]


def divide(lines: Sequence[str], separator: str) -> Sample:
    """Read the first records as they are if this is the separator."""
    records: list[Record] = []
    problem = None
    try:
        for record in read_table((f"{line}\n" for line in lines), separator, 1):
            if not is_blank(record.cells):
                records.append(record)
    except RefusedError as error:
        problem = error
    return Sample(separator, records, problem)


def _read_as_codes(lines: Sequence[str]) -> Sample:
    """Read the first records as they are if each line is a code."""
    records: list[Record] = []
    for number, line in enumerate(lines, 1):
        try:
            cells = read_line(line, number)
        except RefusedError as problem:
            return Sample("", records, problem)
        if not is_blank(cells):
            records.append(Record(number, number, cells))
    return Sample("", records, None)


def _has_quotes(sample: Sample) -> bool:
    return any('"' in cell for record in sample.records for cell in record.cells)


# -- records ---------------------------------------------------------------------------------------


def read_line(line: str, number: int) -> list[str]:
    """
    Read a line that is a code: what stands in it, or between the quotes around it.

    :return: the code; or several cells, if the line has a separator outside of quotes.
    :raises RefusedError: if its quotes are not in order.
    """
    stripped = line.strip()
    if not stripped:
        return [""]
    if not stripped.startswith('"'):
        # Of a formula of a spreadsheet, the codes are refused as such.
        if '"' in stripped and not stripped.startswith(FORMULA):
            refuse_stray_quote(number)
        return SEPARATOR.split(line)
    quoted = QUOTED.match(stripped)
    if quoted is None:
        raise UnclosedQuoteError(
            f"has a quote that is not closed in its line (line {number}); a code is in one line"
        )
    if quoted.end() < len(stripped):
        if SEPARATOR.match(stripped, quoted.end()):
            return SEPARATOR.split(line)
        raise RefusedError(_describe_text_after_quote(number))
    return [quoted[1].replace('""', '"')]


def read_table(lines: Iterable[str], separator: str, first_line: int) -> Iterator[Record]:
    """
    Read the cells of lines; a cell between quotes may have line breaks.

    :param lines: with their line ends.
    :param first_line: the number of the first one.
    :raises RefusedError: if the quotes of a record are not in order.
    """
    reader = csv.reader(lines, delimiter=separator, strict=True)
    before = first_line - 1
    start = first_line
    try:
        for cells in reader:
            end = before + reader.line_num
            yield Record(start, end, cells)
            start = end + 1
    except csv.Error as error:
        if "expected after" in str(error):
            raise RefusedError(_describe_text_after_quote(before + reader.line_num)) from None
        if "field limit" in str(error):
            raise RefusedError(
                f"has a cell of more than {csv.field_size_limit()} characters, or a quote that is "
                f"not closed (line {start})"
            ) from None
        raise UnclosedQuoteError(_describe_unclosed_quote(start)) from None


def has_stray_quote(record: str, separator: str) -> bool:
    """
    Return whether a record of a table has a quote in a cell that is not in quotes, which some
    readers take for the beginning of a quoted cell, and others for a character.

    A formula of a spreadsheet, ``="0123"``, has none: as a code it is refused for what it is.

    :param record: its lines as they stand in the file.
    """
    divider = re.escape(separator)
    cell = f'(?:=?{QUOTED.pattern}|[^"{divider}]*)'
    return re.fullmatch(f"{cell}(?:{divider}{cell})*", record.rstrip("\n")) is None


def refuse_stray_quote(line: int) -> None:
    """
    Refuse a record with a quote in a cell that is not in quotes.

    :raises RefusedError: always.
    """
    raise RefusedError(
        f"has a quote within a cell that is not in quotes (line {line}), which not every reader "
        "takes for a character. Remove it; or put the cell in quotes, and double the quote in it"
    )


def is_blank(cells: Sequence[str]) -> bool:
    """Tell whether a line has nothing but white space, and no separator."""
    return len(cells) < 2 and not "".join(cells).strip()


def _describe_unclosed_quote(line: int) -> str:
    return f"has a quote that is not closed (line {line})"


def _describe_text_after_quote(line: int) -> str:
    return f"has text after a closing quote (line {line})"
