"""The content of a coupon file: read, laid out, counted and judged. No message shows a code."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import NamedTuple

from wes_provider.coupon_records import RefusedError
from wes_provider.storage.codes import CodeReader
from wes_provider.storage.counting import CodeTable, Counts, open_database
from wes_provider.storage.layout import find_layout
from wes_provider.storage.reading import read_blocks
from wes_provider.storage.rules import Rules

__all__ = ["Content", "check_content"]


class Content(NamedTuple):
    """
    What a check found in a file.

    :ivar counts: of its codes; zeros if they could not be read.
    :ivar problems: the reasons not to upload it, each to be read after the file's name.
    :ivar has_header: whether its first line is none of the codes.
    """

    counts: Counts
    problems: list[str]
    has_header: bool = False


def check_content(path: Path, rules: Rules, *, gzipped: bool) -> Content:
    """
    Check the content of a file on this machine.

    Its text is cut into blocks of lines; the first block shows how to read them; the code in each
    line goes into a table, which counts.
    """
    try:
        blocks = read_blocks(path, gzipped=gzipped)
        first_block = next(blocks)
        layout = find_layout(first_block, rules)
        reader = CodeReader(layout)
        with open_database(path) as database:
            table = CodeTable(database, rules, layout)
            for codes in reader.read(chain([first_block], blocks)):
                table.add(codes)
            counts, problems = table.count()
        problems = reader.problems() + problems
        if rules.max_unlike == 0:
            problems += reader.find_word_at_the_end()
        return Content(counts, problems, has_header=bool(layout.lines_before))
    except RefusedError as problem:
        return Content(Counts(0, 0, 0), [str(problem)])
