"""
Lines that are no codes, since they have what (nearly) no other line has: messages at the end of an
export, errors of a spreadsheet, values that are none. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

__all__ = ["describe_unlike_codes", "is_rare", "may_be_message", "reads_like_last_word"]

# What a sentence, a tag or an error has, and few codes have.
SIGNS: Final = ' .,:;?…()[]{}<>#\\"'
# As many lines may be no codes, or this share of all.
FEW: Final = 2
SHARE: Final = 0.05
# Three words or more, as re and DuckDB both write it.
SEVERAL_WORDS: Final = r"\S +\S+ +\S"
NO_CODE: Final = "false"
# What exports end with, in small letters; in capitals, another word may be a code.
LAST_WORDS: Final = frozenset(
    """
    total totals sum summe gesamt gesamtsumme somme suma totale totaal toplam итого всего
    end eof done ok success error fail failed failure killed terminated aborted canceled cancelled
    timeout truncated
    """.split()
)


def _is_other_letter(character: str) -> bool:
    return character.isalpha() and not character.isupper() and not character.islower()


# Each kind, as DuckDB writes it, and whether Python's character is of it.
KINDS: Final[dict[str, Callable[[str], bool]]] = {
    r"\p{N}": str.isdigit,
    r"\p{Lu}": str.isupper,
    r"\p{Ll}": str.islower,
    r"\p{Lo}": _is_other_letter,
}


def is_rare(number: int, total: int) -> bool:
    """Return whether so few of all lines may be no codes."""
    return number * 2 < total and number <= max(FEW, SHARE * total)


def describe_unlike_codes(codes: Sequence[str]) -> str:
    """
    Describe, in DuckDB's SQL, a ``code`` that is unlike the others.

    It has several words, and (nearly) no other has; or it has a sign that no other has, and in
    letters and digits, too, it lacks what the others have, or has what they lack.

    :param codes: the first codes of a file; lines that are none may be among them.
    """
    codes = [code for code in codes if code]
    total = len(codes)
    conditions = []
    several_words = re.compile(SEVERAL_WORDS)
    if is_rare(sum(several_words.search(code) is not None for code in codes), total):
        conditions.append(_matches(SEVERAL_WORDS))
    signs = [sign for sign in SIGNS if is_rare(sum(sign in code for code in codes), total)]
    other_kinds = _describe_other_kinds(codes)
    if signs and other_kinds:
        # Each one escaped, since it stands in brackets.
        any_sign = "[" + "".join(f"\\x{{{ord(sign):x}}}" for sign in signs) + "]"
        conditions.append(f"{_matches(any_sign)} AND ({' OR '.join(other_kinds)})")
    return " OR ".join(conditions) or NO_CODE


def _describe_other_kinds(codes: Sequence[str]) -> list[str]:
    """Describe a code that has other kinds of letters and digits than (nearly) all of some."""
    conditions = []
    for kind, has_kind in KINDS.items():
        having = sum(any(map(has_kind, code)) for code in codes)
        if is_rare(having, len(codes)):
            conditions.append(_matches(kind))
        if is_rare(len(codes) - having, len(codes)):
            conditions.append(f"NOT {_matches(kind)}")
    return conditions


def reads_like_last_word(last: str, codes: Sequence[str]) -> bool:
    """
    Return whether the last line has a word in place of a code: ``Total`` below a table, ``Killed``
    below an export that was ended.

    :param last: its code.
    :param codes: the first codes of the file.
    """
    others = [code for code in codes if code != last]
    if not _is_word(last) or len(others) < 2:
        return False
    have_small_letters = any(any(map(str.islower, code)) for code in others)
    return not have_small_letters and all(any(map(str.isdigit, code)) for code in others)


def may_be_message(only: str) -> bool:
    """Return whether the only code of a file may be a message: a word, or several of them."""
    return _is_word(only) or len(only.split()) > 1


def _is_word(code: str) -> bool:
    if code.lower() in LAST_WORDS:
        return True
    return code.isalpha() and any(map(str.islower, code))


def _matches(pattern: str) -> str:
    return f"regexp_matches(code, '{pattern}')"
