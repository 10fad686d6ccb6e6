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


class _Kinds(Enum):
    """How the kinds of characters in the first cell differ from those of the codes below it."""

    SAME = "same"
    DIFFERENT_ONE_WAY = "it lacks a kind that all codes have, or has one that none has"
    DIFFERENT_BOTH_WAYS = "it lacks one, and has another"


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
        return _judge_without_codes(first, others)
    all_have_digits = _has_digit(first) and all(map(_has_digit, codes))
    all_have_one_length = {len(code) for code in codes} == {len(first)}
    kinds = _compare_kinds(first, codes)
    if kinds is _Kinds.SAME:
        if all_have_one_length:
            return FirstLine.CODE
        return _judge_by_length(first, codes)
    is_like_a_code = all_have_digits
    if kinds is _Kinds.DIFFERENT_ONE_WAY:
        is_like_a_code = all_have_digits or all_have_one_length
    if is_like_a_code:
        return FirstLine.UNCLEAR
    return FirstLine.HEADER


def _judge_without_codes(first: str, others: Sequence[str]) -> FirstLine:
    """Judge a cell with nothing but the same below it, or with nothing at all."""
    if others or _has_digit(first):
        return FirstLine.CODE
    return FirstLine.UNCLEAR


def _judge_by_length(first: str, codes: Sequence[str]) -> FirstLine:
    """Judge a cell of the same kinds of characters, and of another length than some code."""
    lengths = {len(code) for code in codes}
    codes_have_one_length = len(lengths) == 1 and len(codes) >= LENGTH_COUNTS_FROM
    if codes_have_one_length:
        if _has_digit(first):
            return FirstLine.UNCLEAR
        return FirstLine.HEADER
    if _has_digit(first) and all(map(_has_digit, codes)):
        return FirstLine.CODE
    return FirstLine.UNCLEAR


def _compare_kinds(first: str, codes: Sequence[str]) -> _Kinds:
    kinds = set(map(_kind, first))
    kinds_of_codes = [set(map(_kind, code)) for code in codes]
    in_all = set.intersection(*kinds_of_codes)
    in_any = set.union(*kinds_of_codes)
    lacks_one = not in_all <= kinds
    has_another = not kinds <= in_any
    if lacks_one and has_another:
        return _Kinds.DIFFERENT_BOTH_WAYS
    if lacks_one or has_another:
        return _Kinds.DIFFERENT_ONE_WAY
    return _Kinds.SAME


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
