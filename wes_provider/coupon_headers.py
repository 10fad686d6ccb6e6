"""
Whether the first line of a coupon file is a header, in any language. Pure.

The check of files and the emulator both decide by this, so that they count the same codes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import Final

__all__ = [
    "BEGINNING",
    "NO_VALUES",
    "FirstLine",
    "calls_itself_codes",
    "has_digits_below",
    "judge_first_line",
    "names_codes",
]

# Characters of a file in whose lines the first one is compared with the others.
BEGINNING: Final = 64 * 1024
# What stands for a value that is none, in small letters: of databases, Python, and spreadsheets.
NO_VALUES: Final = ("null", "nan", "none", "nil", "nat", "n/a", "#n/a", "<na>", "undefined")
# Fewer codes may have the same length by chance.
LENGTH_COUNTS_FROM: Final = 10

# What codes are called, in English and widespread languages, without separators between words.
CODE_WORDS: Final = (
    r"(codes?|kode|kodu?|kody|c[oó]digos?|codice|codici|коды?|coupons?|vouchers?|gutscheine?"
    r"|kupon(u|y|kod|kodu)?|cup[oó]n|cupom|купоны?|giftcards?|クーポン(コード)?|쿠폰(코드)?"
    r"|[优優]惠[码碼券]|折扣[码碼]|[兑兌][换換][码碼])"
)
# What follows a word for codes in some languages: "code promo", "kod rabatowy".
KIND_OF_CODE: Final = (
    r"(promo(cional(es)?|tionnel|cyjny)?|sconto|rabatow[ey]|descuento|desconto|remise|cadeau)?"
)
NUMBER: Final = r"(no|nr|num(ber|mer|ero)?)?s?"
# A name of a column of codes, whatever stands before.
NAME: Final = re.compile(f".*{CODE_WORDS}{KIND_OF_CODE}{NUMBER}", re.IGNORECASE)
# The same with nothing before but a word for what codes give.
BARE_NAME: Final = re.compile(
    f"(promo(tion)?|discount|rabatt?|gift|offer|reward)?s?(card)?{CODE_WORDS}{{1,2}}"
    f"{KIND_OF_CODE}{NUMBER}",
    re.IGNORECASE,
)
# Codes of something else.
OTHER_CODES: Final = re.compile(
    r"(zip|post(al)?|area|city|country|region|state|länder|land|language|currency|tax|store|shop"
    r"|branch|dealer|department|product|item|article|artikel|sku|order|customer|client|kunden|user"
    r"|error|status|bar|qr)codes?",
    re.IGNORECASE,
)


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


def judge_first_line(first: str, others: Sequence[str]) -> FirstLine:
    """
    Judge the first cell of the codes' column by the others, and by whether it is a word for codes.

    Kinds of characters are compared: digits, capital, small and other letters, each other
    character but the hyphen. A header lacks a kind that all codes have, and has one that none has;
    of a word for codes, one of them is enough. A word of capitals above ``SUMMER10`` may be either,
    as may any line above a single code.

    :param others: the cells below it; those equal to it, as in concatenated files, do not count,
        nor do those that have no value.
    """
    no_codes = ("", first.casefold(), *NO_VALUES)
    codes = [other for other in others if other.casefold() not in no_codes]
    is_named = names_codes(first)
    if not codes:
        return _judge_alone(first, others, is_named=is_named)
    kinds = _compare_kinds(first, codes)
    if kinds is _Kinds.SAME:
        return _judge_by_length(first, codes, is_named=is_named)
    if is_named:
        return FirstLine.HEADER
    all_have_digits = _has_digit(first) and all(map(_has_digit, codes))
    has_one_code = len(set(codes)) == 1
    if kinds is _Kinds.DIFFERENT_ONE_WAY or all_have_digits or has_one_code:
        return FirstLine.UNCLEAR
    return FirstLine.HEADER


def _judge_alone(first: str, others: Sequence[str], *, is_named: bool) -> FirstLine:
    """Judge a cell below which no other cell has a code."""
    if is_named:
        return FirstLine.UNCLEAR
    if others or _has_digit(first):
        return FirstLine.CODE
    return FirstLine.UNCLEAR


def _judge_by_length(first: str, codes: Sequence[str], *, is_named: bool) -> FirstLine:
    """Judge a cell of the same kinds of characters as the codes."""
    lengths = {len(code) for code in codes}
    if is_named:
        has_another_length = lengths != {len(first)} and len(lengths) == 1
        if has_another_length and len(codes) >= LENGTH_COUNTS_FROM:
            return FirstLine.HEADER
        return FirstLine.UNCLEAR
    if lengths == {len(first)}:
        return FirstLine.CODE
    codes_have_one_length = len(lengths) == 1 and len(codes) >= LENGTH_COUNTS_FROM
    all_have_digits = _has_digit(first) and all(map(_has_digit, codes))
    if all_have_digits and not codes_have_one_length:
        return FirstLine.CODE
    return FirstLine.UNCLEAR


def _compare_kinds(first: str, codes: Sequence[str]) -> _Kinds:
    kinds = _kinds(first)
    kinds_of_codes = [_kinds(code) for code in codes]
    lacks_one = not set.intersection(*kinds_of_codes) <= kinds
    has_another = not kinds <= set.union(*kinds_of_codes)
    if lacks_one and has_another:
        return _Kinds.DIFFERENT_BOTH_WAYS
    if lacks_one or has_another:
        return _Kinds.DIFFERENT_ONE_WAY
    return _Kinds.SAME


def has_digits_below(first: str, *others: str) -> bool:
    """
    Tell whether a column of other things than codes has a name: digits in each cell but the first.
    """
    filled = [other for other in others if other]
    return bool(filled) and not _has_digit(first) and all(map(_has_digit, filled))


def names_codes(cell: str) -> bool:
    """Tell whether a header calls its column codes."""
    word = "".join(filter(str.isalpha, cell))
    if OTHER_CODES.fullmatch(word) or any(map(str.isdigit, cell)):
        return False
    return NAME.fullmatch(word) is not None


def calls_itself_codes(cell: str) -> bool:
    """Tell whether a cell has no more than what a column of codes is called: no ``WELCOMECODE``."""
    word = "".join(filter(str.isalpha, cell))
    return names_codes(cell) and BARE_NAME.fullmatch(word) is not None


def _has_digit(cell: str) -> bool:
    return any(map(str.isdigit, cell))


def _kinds(cell: str) -> set[str]:
    # A hyphen may be in one code of many: WELCOME-BACK.
    return set(map(_kind, cell)) - {"-"}


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
