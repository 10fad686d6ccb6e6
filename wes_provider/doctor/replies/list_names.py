"""Which lists a refusal names in place of the one that was asked for. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from wes_provider.doctor.replies.remedies import WHOM
from wes_provider.texts import shown

__all__ = ["about_other_names", "other_lists"]

# What a refusal is about first: a list, or an account.
FIRST_NOUN: Final = re.compile(rf"\b(?:(lists?)|{WHOM})\b", re.IGNORECASE)
OF_LIST: Final = r"(?:the )?(?:(?:coupon )?list )?"
NAME: Final = r"(?:['\"`][^'\"`]+['\"`]|\w(?:[\w~.+/-]*\w)?)"
BETWEEN: Final = r"(?:, (?:and |or )?|,| and | or | / )"
# After these, a name stands with or without quotes.
MEANT: Final = re.compile(
    r"\b(?:did you mean|(?:re)?named (?:to|as)|renamed|(?:is|are) (?:now )?(?:called|named)|"
    r"(?:replaced|superseded) by|(?:moved|merged|changed) (?:to|into))\b"
    rf"[\s:]*{OF_LIST}(?:['\"`]([^'\"`]+)['\"`]|([\w~.+-]*\w))",
    re.IGNORECASE,
)
# After these, only names in quotes are.
SIMILAR: Final = re.compile(
    r"\b(?:similar|closest|suggest\w*|alternatives?|available|existing|perhaps|maybe|try|use)\b"
    r"[^'\"`.;]{0,30}((?:['\"`][^'\"`]+['\"`](?:, | and | or |,)?)+)",
    re.IGNORECASE,
)
# After these, several names stand with or without quotes.
SEVERAL: Final = re.compile(
    r"\b(?:(?P<are_names>(?:candidates?|matches|options|choices|one of)(?: are)?\s*:)|"
    r"did you mean|candidates are|one of|either|between|"
    r"(?:address|qualify|specify|write|name|give|use|refer to|call)(?: it| the list| one)?(?: as)?)"
    r"[\s:]*"
    rf"(?P<names>{NAME}(?:{BETWEEN}{NAME})*)",
    re.IGNORECASE,
)
IN_QUOTES: Final = re.compile(r"['\"`]([^'\"`]+)['\"`]")
# What stands after "moved to" and the like, and is no name.
NO_NAMES: Final = frozenset("a an another other the that this one it".split())
MOST_NAMES: Final = 3


def other_lists(words: str, sent: str) -> list[str]:
    """
    Return the lists that a refusal names in place of the one that was asked for; none if it is
    about an account, or names no other.

    :param sent: the identifier of the list that was asked for.
    """
    first = FIRST_NOUN.search(words)
    if first is None or not first[1]:
        return []
    meant = [in_quotes or bare for in_quotes, bare in MEANT.findall(words)]
    for quoted in SIMILAR.findall(words):
        meant += IN_QUOTES.findall(quoted)
    meant += _one_of_several(words, sent)
    names = [name for name in meant if name != sent and name.lower() not in NO_NAMES]
    return list(dict.fromkeys(names))


def _one_of_several(words: str, sent: str) -> list[str]:
    """Return the names that a refusal leaves to choose from; none if it has words only."""
    found = []
    for several in SEVERAL.finditer(words):
        names = [name.strip("'\"`") for name in re.split(BETWEEN, several["names"])]
        if several["are_names"] is None:
            # Other words than names may stand there.
            names = [name for name in names if sent.lower() in name.lower()]
        if len(names) > 1:
            found += names
    return found


def about_other_names(names: Sequence[str]) -> str:
    """Tell what to do about lists that a refusal names, as a sentence; empty without any."""
    if not names:
        return ""
    shown_names = [shown(name, quoted=False) for name in names[:MOST_NAMES]]
    if len(names) == 1:
        return (
            f"The list may be called {shown_names[0]}: name that in --coupon-list, and in your "
            "tasks, and run this again."
        )
    return (
        f"It names {', '.join(shown_names)}: name the one that you mean in --coupon-list, and in "
        "your tasks, and run this again."
    )
