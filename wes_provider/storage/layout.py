"""How a coupon file is to be read: separator, columns, and header, found in its first lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from wes_provider.coupon_headers import (
    BEGINNING,
    FirstLine,
    calls_itself_codes,
    has_digits_below,
    judge_first_line,
    names_codes,
)
from wes_provider.coupon_records import RefusedError, Sample, divide, find_samples
from wes_provider.storage.lines import describe_disagreement
from wes_provider.storage.reading import BOM
from wes_provider.storage.rules import Rules
from wes_provider.texts import counted, shown

__all__ = ["Layout", "find_layout"]

ARGUMENTS: Final = (
    "If it is right, say how to read it: Preflight(delimiter=..., header=..., column=...)"
)
# Records at the beginning among which a header may be, below a title or a warning.
TOP: Final = 10
# Words and punctuation of a sentence: "Warning: ... on line 12", "Summer sale 2026".
PUNCTUATED: Final = re.compile(r"[\d:%()\[\]{}<>$/!?]|\.$")
WORDS_OF_MESSAGE: Final = 3
WORDS_OF_SENTENCE: Final = 5


class Layout(NamedTuple):
    """
    How to read a file's codes.

    :ivar separator: the character between columns; empty if a line is a code.
    :ivar columns: how many columns each line has.
    :ivar column: which one has the codes, from 0 on.
    :ivar header: the name of that column; empty if the file has no header.
    :ivar lines_before: how many lines are before the first code.
    :ivar first_codes: those in the first lines.
    """

    separator: str
    columns: int
    column: int
    header: str
    lines_before: int
    first_codes: Sequence[str]


def find_layout(text: str, rules: Rules) -> Layout:
    """
    Find how to read a file.

    :param text: its first block, of which the beginning decides; the rest is checked later.
    :raises RefusedError: if that is unclear, and the rules do not say it.
    """
    starts_with_mark = text.startswith(BOM)
    text = text.removeprefix(BOM)
    if text.startswith(BOM):
        raise RefusedError("starts with two byte order marks. Remove both")
    end = text.find("\n", BEGINNING)
    if end < 0:
        end = len(text)
    lines = text[:end].split("\n")
    sample = divide(lines, rules.delimiter) if rules.delimiter else _find_separator(lines)
    _refuse_sample(sample, is_whole_file=end == len(text))
    column, has_header = _find_column(sample, rules)
    if starts_with_mark and not has_header:
        raise RefusedError(
            "starts with a byte order mark, which would become part of the first code. Remove it"
        )
    cells = [record.cells[column].strip() for record in sample.records]
    if not has_header:
        return Layout(sample.separator, sample.columns, column, "", 0, cells)
    name, *codes = cells
    lines_before = sample.records[0].last_line
    return Layout(sample.separator, sample.columns, column, name, lines_before, codes)


def _refuse_sample(sample: Sample, *, is_whole_file: bool) -> None:
    """
    Refuse a file whose first records cannot be read, are blank, or differ in their columns.

    :raises RefusedError: in these cases.
    """
    if sample.problem is not None and (is_whole_file or len(sample.records) < 2):
        raise sample.problem
    if not sample.records:
        raise RefusedError("has only blank lines")
    if sample.disagreeing:
        raise RefusedError(
            describe_disagreement(
                sample.separator, sample.columns, len(sample.disagreeing), sample.disagreeing
            )
        )


# -- the separator ---------------------------------------------------------------------------------


def _find_separator(lines: Sequence[str]) -> Sample:
    """
    Divide lines by the separator that gives all of them the same number of columns.

    :raises RefusedError: if several do.
    """
    samples = find_samples(lines)
    if len(samples) > 1:
        names = " or ".join(repr(sample.separator) for sample in samples)
        raise RefusedError(f"may have its columns between {names}. {ARGUMENTS}")
    return samples[0]


# -- header and column -----------------------------------------------------------------------------


def _find_column(sample: Sample, rules: Rules) -> tuple[int, bool]:
    """Find the column of the codes, from 0 on, and whether the first line is a header."""
    first = [cell.strip() for cell in sample.records[0].cells]
    if isinstance(rules.column, str):
        return _find_named_column(first, rules.column), True
    column = (rules.column or 1) - 1
    if column >= sample.columns:
        have = counted(sample.columns, "column")
        raise RefusedError(f"has {have}, and column={rules.column} of Preflight")
    if rules.header is not False:
        _refuse_line_above_header(sample, column)
    has_header = rules.header
    if has_header is None:
        has_header = _find_header(sample, column)
    is_chosen = rules.column is not None or (has_header and _only_first_names_codes(first))
    if sample.columns > 1 and not is_chosen:
        raise RefusedError(
            f"has {sample.columns} columns, and the first is not named as codes are. {ARGUMENTS}"
        )
    return column, has_header


def _only_first_names_codes(names: Sequence[str]) -> bool:
    """Tell whether a header calls its first column codes, and no other one."""
    return names_codes(names[0]) and not any(map(names_codes, names[1:]))


def _find_named_column(first: Sequence[str], column: str) -> int:
    names = [cell.lower() for cell in first]
    name = column.lower()
    if name not in names:
        raise RefusedError(f"has no column {shown(column)} in its first line")
    if names.count(name) > 1:
        numbers = " and ".join(
            str(number) for number, other in enumerate(names, 1) if other == name
        )
        raise RefusedError(
            f"has several columns {shown(column)} ({numbers}). Give the number of the one with the "
            "codes, such as Preflight(header=True, column=1)"
        )
    return names.index(name)


def _refuse_line_above_header(sample: Sample, column: int) -> None:
    """
    Refuse a file whose header has a title or a warning above it.

    :raises RefusedError: if a line below the first is called as codes are, and the first is not.
    """
    cells = [record.cells[column].strip() for record in sample.records]
    if names_codes(cells[0]):
        return
    for index in range(1, min(TOP, len(cells))):
        if not calls_itself_codes(cells[index]):
            continue
        below = cells[index + 1 :]
        if not below or judge_first_line(cells[index], below) is FirstLine.HEADER:
            line = sample.records[index].first_line
            first_line = sample.records[0].first_line
            raise RefusedError(
                f"has a header in line {line}, and above it a line that is none (line "
                f"{first_line}), such as a title or a warning. Remove what is above the header"
            )


def _find_header(sample: Sample, column: int) -> bool:
    """
    Decide whether the first line is a header, by what the other lines have in common.

    :raises RefusedError: if that is unclear.
    """
    table = [[cell.strip() for cell in record.cells] for record in sample.records]
    columns = list(zip(*table, strict=True))
    first, *codes = columns.pop(column)
    if len(sample.records) == 1 and len(first.split()) > 1:
        raise RefusedError(
            "has a single line of several words, which may be a message. If it is a code, set "
            "Preflight(header=False)"
        )
    first_line = judge_first_line(first, codes)
    if first_line is not FirstLine.CODE:
        _refuse_title(sample, first)
    if first_line is FirstLine.HEADER:
        return True
    if first_line is FirstLine.CODE:
        return False
    if any(has_digits_below(*others) for others in columns):
        return True
    if len(sample.records) == 1:
        raise RefusedError(
            "has a single line, which may be a header. If it is a code, set Preflight(header=False)"
        )
    raise RefusedError(
        "has a first line that may be a header or a code. "
        "Set Preflight(header=True) or Preflight(header=False)"
    )


def _refuse_title(sample: Sample, first: str) -> None:
    """
    Refuse a first line that is no code, is not called as codes are, and stands as a title does.

    :raises RefusedError: if it reads like a message, or has a blank line below it.
    """
    if names_codes(first) or len(sample.records) == 1:
        return
    header, below = sample.records[:2]
    words = len(first.split())
    is_message = words >= WORDS_OF_MESSAGE and PUNCTUATED.search(first) is not None
    if is_message or words >= WORDS_OF_SENTENCE:
        stands = "reads like a title or a message"
    elif below.first_line > header.last_line + 1:
        stands = "has a blank line below it, as a title has"
    else:
        return
    raise RefusedError(
        f"has a first line (line {header.first_line}) that {stands}. Remove it; or, if it is the "
        "header or a code, set Preflight(header=True) or Preflight(header=False)"
    )
