"""The lines that a message about a coupon file names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wes_provider.texts import counted

__all__ = ["EXAMPLES", "describe_disagreement", "describe_lines"]

EXAMPLES: Final = 10  # lines that a message names


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
