"""The records of a coupon file: lines with one code, or cells between separators and quotes."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from wes_provider.storage.reading import RefusedError
from wes_provider.texts import counted

__all__ = [
    "EXAMPLES",
    "HAS_SEPARATOR_OR_QUOTE",
    "SEPARATORS",
    "Record",
    "UnclosedQuoteError",
    "describe_disagreement",
    "describe_lines",
    "is_blank",
    "read_line",
    "read_table",
]

SEPARATORS: Final = (",", ";", "\t", "|")
EXAMPLES: Final = 10  # lines that a message names

HAS_SEPARATOR_OR_QUOTE: Final = re.compile('[",;\t|]')
SEPARATOR: Final = re.compile("[,;\t|]")
QUOTED: Final = re.compile('"((?:[^"]|"")*)"')


class UnclosedQuoteError(RefusedError):
    """A quote is not closed before the text ends."""


class Record(NamedTuple):
    """Cells of a file, and the first and last of the lines that they stand in."""

    first_line: int
    last_line: int
    cells: list[str]


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


def is_blank(cells: Sequence[str]) -> bool:
    """Tell whether a line has nothing but white space, and no separator."""
    return len(cells) < 2 and not "".join(cells).strip()


def describe_disagreement(
    separator: str, columns: int, number: int, first_lines: Sequence[int]
) -> str:
    """Say that some lines have another number of columns than the file."""
    where = describe_lines(number, first_lines)
    if not separator:
        return (
            f"has {counted(number, 'line')} with a comma, semicolon, tab or | {where}, and most "
            "have none. If it belongs to the code, set Preflight(delimiter=...) to another one"
        )
    return (
        f"has {counted(number, 'line')} with more or fewer columns than {columns}, which most have "
        f"{where}, divided by {separator!r}. Fix the lines, or set Preflight(delimiter=...)"
    )


def describe_lines(number: int, lines: Sequence[int]) -> str:
    """Name some of as many lines, or all of them."""
    word = "line" if number == 1 else "lines"
    names = ", ".join(map(str, lines[:EXAMPLES]))
    if number > len(lines[:EXAMPLES]):
        names += ", ..."
    return f"({word} {names})"


def _describe_unclosed_quote(line: int) -> str:
    return f"has a quote that is not closed (line {line})"


def _describe_text_after_quote(line: int) -> str:
    return f"has text after a closing quote (line {line})"
