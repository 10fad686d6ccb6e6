"""All codes of a coupon file, a batch of lines at a time; each has to agree with the layout."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from wes_provider.storage.layout import Layout
from wes_provider.storage.likeness import reads_like_total
from wes_provider.storage.reading import BOM, RefusedError
from wes_provider.storage.records import (
    EXAMPLES,
    HAS_SEPARATOR_OR_QUOTE,
    describe_disagreement,
    is_blank,
    read_line,
    read_table,
)

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

    def find_total(self) -> list[str]:
        """Name the last line of a table if it has a sum in place of a code."""
        if not reads_like_total(self._last_code.strip(), self._layout.first_codes):
            return []
        return [
            f"has a last line (line {self._last_line}) that reads like a sum of the others. Remove "
            "it; or, if it is a code, set Preflight(max_unlike=1)"
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
            yield "\n".join(codes)

    def _read_table(self, blocks: Iterable[str]) -> Iterator[str]:
        """Read one cell of each line."""
        layout = self._layout
        # Not str.splitlines, which ends lines at other characters, too.
        lines = chain.from_iterable(io.StringIO(f"{block}\n", newline="\n") for block in blocks)
        codes: list[str] = []
        for start, end, cells in read_table(lines, layout.separator, layout.lines_before + 1):
            if is_blank(cells):
                codes.append("")
            elif len(cells) == layout.columns:
                code = cells[layout.column]
                if code.startswith(" ") and code.lstrip().startswith('"'):
                    raise RefusedError(
                        f"has a space before a quote (line {start}), so not every reader takes the "
                        "quotes off. Remove the space"
                    )
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

    def _note_disagreement(self, line: int) -> None:
        self._disagreeing += 1
        if len(self._first_disagreeing) < EXAMPLES:
            self._first_disagreeing.append(line)


def _join(codes: Sequence[str]) -> str:
    text = "\n".join(codes)
    if text.count("\n") < len(codes):
        return text
    # A code has a line break, which would make two of it. As a control character, it is refused.
    return "\n".join(code.replace("\n", "\r") for code in codes)
