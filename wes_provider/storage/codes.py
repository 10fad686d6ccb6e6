"""All codes of a coupon file, a batch of lines at a time; each has to agree with the layout."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from wes_provider.coupon_records import (
    HAS_SEPARATOR_OR_QUOTE,
    RefusedError,
    has_stray_quote,
    is_blank,
    read_line,
    read_table,
    refuse_stray_quote,
)
from wes_provider.storage.layout import Layout
from wes_provider.storage.likeness import may_be_message, reads_like_last_word
from wes_provider.storage.lines import EXAMPLES, describe_disagreement
from wes_provider.storage.reading import BOM

__all__ = ["CONTINUED", "CodeReader"]

BATCH: Final = 100_000  # lines
# In place of a code, for a line that continues the one before. No file has this character.
CONTINUED: Final = "\0"


class CodeReader:
    """
    Reads the codes of a file, and notes the lines that do not agree with its layout.

    :param layout: of the file.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._last_line = 0
        self._last_code = ""
        # Whether a quote has come, and the lines since the last record if one has.
        self._has_quotes = False
        self._lines_of_record: list[str] = []
        self._disagreeing = 0
        self._first_disagreeing: list[int] = []

    def read(self, blocks: Iterable[str]) -> Iterator[str]:
        """
        Read the code in each line after the header.

        :param blocks: the text of the whole file.
        :return: batches of codes with line feeds between them, one code for each line: an empty one
            for a blank line, :data:`CONTINUED` for one that belongs to the line before.
        :raises RefusedError: if the quotes of a line are not in order.
        """
        blocks = self._skip_header(blocks)
        if self._layout.separator:
            return self._read_table(blocks)
        return self._read_lines(blocks)

    def problems(self) -> list[str]:
        """Name the lines that did not agree, after all were read."""
        problems = []
        if self._disagreeing > 0:
            problems.append(
                describe_disagreement(
                    self._layout.separator,
                    self._layout.columns,
                    self._disagreeing,
                    self._first_disagreeing,
                )
            )
        return problems

    def find_word_at_the_end(self) -> list[str]:
        """Name the last line if it has a sum or a message in place of a code."""
        last = self._last_code.strip()
        codes = [code for code in self._layout.first_codes if code]
        if codes == [last] and self._layout.header:
            if not may_be_message(last):
                return []
            what = "may be a message, and is all that is below the header"
        elif reads_like_last_word(last, codes):
            what = "reads like a sum of the others, or a message"
        else:
            return []
        return [
            f"has a last line (line {self._last_line}) that {what}. Remove it; or, if it is a "
            "code, set Preflight(max_unlike=1)"
        ]

    def _skip_header(self, blocks: Iterable[str]) -> Iterator[str]:
        lines_before = self._layout.lines_before
        for number, block in enumerate(blocks):
            if number > 0:
                yield block
                continue
            lines = block.removeprefix(BOM).split("\n", lines_before)
            if len(lines) > lines_before:
                yield lines[-1]

    def _read_lines(self, blocks: Iterable[str]) -> Iterator[str]:
        """Read lines that are codes."""
        number = self._layout.lines_before
        for block in blocks:
            if HAS_SEPARATOR_OR_QUOTE.search(block) is None:
                self._note_last_of_block(block, number)
                number += block.count("\n") + 1
                yield block
                continue
            codes = []
            for line in block.split("\n"):
                number += 1
                cells = read_line(line, number)
                if len(cells) > 1:
                    self._note_disagreement(number)
                codes.append(cells[0])
                if cells[0].strip():
                    self._last_line = number
                    self._last_code = cells[0]
            yield "\n".join(codes)

    def _note_last_of_block(self, block: str, lines_before: int) -> None:
        with_code = block.rstrip()
        if with_code:
            self._last_line = lines_before + with_code.count("\n") + 1
            self._last_code = with_code.rpartition("\n")[2]

    def _read_table(self, blocks: Iterable[str]) -> Iterator[str]:
        """Read one cell of each line."""
        layout = self._layout
        lines = chain.from_iterable(map(self._lines_of, blocks))
        codes: list[str] = []
        for start, end, cells in read_table(lines, layout.separator, layout.lines_before + 1):
            if self._has_quotes:
                self._refuse_stray_quote(cells, start)
            if is_blank(cells):
                codes.append("")
            elif len(cells) == layout.columns:
                code = cells[layout.column]
                if code:
                    self._last_line = start
                    self._last_code = code
                codes.append(code)
            else:
                self._note_disagreement(start)
                codes.append(cells[0])
            codes += [CONTINUED] * (end - start)
            if len(codes) >= BATCH:
                yield _join(codes)
                codes = []
        if codes:
            yield _join(codes)

    def _lines_of(self, block: str) -> Iterator[str]:
        """Return the lines of a block; str.splitlines would end them at other characters, too."""
        lines = io.StringIO(f"{block}\n", newline="\n")
        if '"' in block:
            # Before the first quote, no record goes on in another block.
            self._has_quotes = True
        if self._has_quotes:
            return self._keep_lines(lines)
        return lines

    def _keep_lines(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            self._lines_of_record.append(line)
            yield line

    def _refuse_stray_quote(self, cells: Sequence[str], line: int) -> None:
        """
        Refuse a record with a quote in a cell that is not in quotes, or with a space before it.

        :raises RefusedError: if it has one.
        """
        record = "".join(self._lines_of_record)
        self._lines_of_record.clear()
        if not any('"' in cell for cell in cells):
            return
        if has_stray_quote(record, self._layout.separator):
            _refuse_space_before_quote(cells, line)
            refuse_stray_quote(line)

    def _note_disagreement(self, line: int) -> None:
        self._disagreeing += 1
        if len(self._first_disagreeing) < EXAMPLES:
            self._first_disagreeing.append(line)


def _refuse_space_before_quote(cells: Sequence[str], line: int) -> None:
    """
    Refuse a line with a space before a quote in any column: what some readers take for a quoted
    cell with line breaks, others take for several lines.
    """
    if any(cell.startswith(" ") and cell.lstrip().startswith('"') for cell in cells):
        raise RefusedError(
            f"has a space before a quote (line {line}), so not every reader takes the quotes off. "
            "Remove the space"
        )


def _join(codes: Sequence[str]) -> str:
    text = "\n".join(codes)
    if text.count("\n") < len(codes):
        return text
    # A code has a line break, which would make two of it. As a control character, it is refused.
    return "\n".join(code.replace("\n", "\r") for code in codes)
