"""
Whether the first line of a file is a header, in any language: by what the codes below it have in
common, and it has not.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

__all__ = ["FirstLine", "compare_first", "has_digits_below"]

# Fewer codes may have the same length by chance.
LENGTH_COUNTS_FROM: Final = 10


class FirstLine(Enum):
    """What the first line of a file is."""

    HEADER = "header"
    CODE = "code"
    UNCLEAR = "unclear"


def compare_first(first: str, others: Sequence[str]) -> FirstLine:
    """
    Compare the first cell of the codes' column with the others.

    Kinds of characters are compared (digits, capital, small and other letters, each other
    character), and lengths. A header differs in kinds, or is a word of another length; and it has
    not what the codes have in common.

    :param others: the cells below it; those equal to it, as in concatenated files, do not count.
    """
    different = [other for other in others if other and other.casefold() != first.casefold()]
    kinds = _kinds(first)
    if not different:
        is_code = bool(others) or "digit" in kinds
        return FirstLine.CODE if is_code else FirstLine.UNCLEAR
    kinds_of_others = [_kinds(other) for other in different]
    lacks = frozenset.intersection(*kinds_of_others) - kinds
    adds = kinds - frozenset.union(*kinds_of_others)
    shares_digits = "digit" in kinds and all("digit" in other for other in kinds_of_others)
    lengths = {len(other) for other in different}
    shares_length = lengths == {len(first)}
    if lacks or adds:
        alike = shares_digits or (shares_length and not (lacks and adds))
        return FirstLine.UNCLEAR if alike else FirstLine.HEADER
    if shares_length:
        return FirstLine.CODE
    if len(lengths) == 1 and len(different) >= LENGTH_COUNTS_FROM:
        return FirstLine.UNCLEAR if "digit" in kinds else FirstLine.HEADER
    return FirstLine.CODE if shares_digits else FirstLine.UNCLEAR


def has_digits_below(first: str, *others: str) -> bool:
    """Whether a column of other things than codes has a name: digits in each cell but the first."""
    filled = [other for other in others if other]
    return bool(filled) and not _has_digit(first) and all(map(_has_digit, filled))


def _has_digit(cell: str) -> bool:
    return any(map(str.isdigit, cell))


def _kinds(cell: str) -> frozenset[str]:
    """Name the kinds of characters in a cell."""
    return frozenset(map(_kind, cell))


def _kind(character: str) -> str:
    if character.isdigit():
        return "digit"
    if character.isupper():
        return "capital"
    if character.islower():
        return "small"
    if character.isalpha():
        return "letter"
    return character
