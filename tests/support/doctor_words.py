"""Tables of what functions of words make of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

__all__ = ["Tells", "each_of"]


class Tells(NamedTuple):
    """What a function makes of each of several values."""

    expected: Any
    values: Sequence[Any]


def each_of(rows: Sequence[Tells]) -> list[Any]:
    """Each value of a table, with what a function makes of it."""
    return [
        pytest.param(value, row.expected, id=f"{value!r:.60}")
        for row in rows
        for value in row.values
    ]
