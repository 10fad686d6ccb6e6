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
    codes = [other for other in others if other and other.casefold() != first.casefold()]
    if not codes:
        is_code = bool(others) or _has_digit(first)
        return FirstLine.CODE if is_code else FirstLine.UNCLEAR
    lengths = set(map(len, codes))
    shares_length = lengths == {len(first)}
    shares_digits = _has_digit(first) and all(map(_has_digit, codes))
    lacks, adds = _compare_kinds(first, codes)
    if lacks and adds:
        return FirstLine.UNCLEAR if shares_digits else FirstLine.HEADER
    if lacks or adds:
        alike = shares_digits or shares_length
        return FirstLine.UNCLEAR if alike else FirstLine.HEADER
    if shares_length:
        return FirstLine.CODE
    if len(lengths) == 1 and len(codes) >= LENGTH_COUNTS_FROM:
        return FirstLine.UNCLEAR if _has_digit(first) else FirstLine.HEADER
    return FirstLine.CODE if shares_digits else FirstLine.UNCLEAR


def _compare_kinds(first: str, codes: Sequence[str]) -> tuple[bool, bool]:
    """Whether the first cell lacks a kind that all codes have, and has one that none has."""
    kinds = set(map(_kind, first))
    kinds_of_codes = [set(map(_kind, code)) for code in codes]
    in_all = set.intersection(*kinds_of_codes)
    in_any = set.union(*kinds_of_codes)
    return not in_all <= kinds, not kinds <= in_any


def has_digits_below(first: str, *others: str) -> bool:
    """Whether a column of other things than codes has a name: digits in each cell but the first."""
    filled = [other for other in others if other]
    return bool(filled) and not _has_digit(first) and all(map(_has_digit, filled))


def _has_digit(cell: str) -> bool:
    return any(map(str.isdigit, cell))


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
