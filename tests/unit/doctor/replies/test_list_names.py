"""
A refusal names a list in place of the one that was asked for if it is about a list, and not first
about an account, and a name stands after "did you mean", "renamed to" and the like, or, in quotes,
after "similar", "use" and the like. Several names may stand after "candidates:" and the like with
or without quotes, and after "did you mean", "address it as" and the like if they have the name of
the list in them. One name is to be given to --coupon-list and to tasks; of several, the one that is
meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from wes_provider.doctor.replies.list_names import about_other_names, other_lists


class Named(NamedTuple):
    """Words about the list spring, and the lists that they name in its place."""

    words: str
    names: Sequence[str]


NAMED = [
    Named("No list 'spring' in this workspace. Did you mean 'Spring-2026'?", ["Spring-2026"]),
    Named("No such list. Did you mean Spring?", ["Spring"]),
    Named("The list 'spring' was renamed to 'spring-2026' on 2026-10-01.", ["spring-2026"]),
    Named("List spring was renamed to spring-2026.", ["spring-2026"]),
    Named("The list spring is now called 'Spring 2026'", ["Spring 2026"]),
    Named("The list was moved to the list b-1", ["b-1"]),
    Named("list-replaced; It was replaced by b-1", ["b-1"]),
    Named(
        "Coupon list 'spring' was not found. Similar: 'promotions~spring'", ["promotions~spring"]
    ),
    Named("No list spring; similar lists: 'a~spring', 'b~spring'", ["a~spring", "b~spring"]),
    Named("Unknown list. Use 'promotions~spring'", ["promotions~spring"]),
    Named(
        "List 'spring' exists in the brands uk and de. Address it as uk.spring or de.spring.",
        ["uk.spring", "de.spring"],
    ),
    Named("Ambiguous list; candidates: uk.spring, de.spring", ["uk.spring", "de.spring"]),
    Named("Ambiguous list. One of: b-1, 'b 2', and b-3.", ["b-1", "b 2", "b-3"]),
    Named(
        "Several lists are called spring. Did you mean uk.spring, de.spring, or fr.spring?",
        ["uk.spring", "de.spring", "fr.spring"],
    ),
    Named("The list is ambiguous: use uk/spring or de/spring", ["uk/spring", "de/spring"]),
    Named("Several lists are called spring; choose one of them", []),
    Named("Use the list identifier, and not its name or title", []),
    Named("The list is locked; name: spring, status: archived", []),
    Named("No such list. Candidates: none", []),
    Named("The list has moved: use /v1/lists/spring or /v2/lists/spring", []),
    Named("Unknown list. Use another one", []),
    Named("The list was moved to another workspace", []),
    Named("Did you mean the list 'spring'?", []),
    Named("No workspace 'Mine'. Did you mean 'mine'?", []),
    Named("No workspace has the list. Did you mean 'mine'?", []),
    Named("The list 'spring' was not found.", []),
    Named("Did you mean 'x'?", []),
    Named("", []),
]


@pytest.mark.parametrize("row", NAMED, ids=[row.words for row in NAMED])
def test_the_lists_are_read_that_a_refusal_names(row: Named):
    assert other_lists(row.words, "spring") == row.names


class Advice(NamedTuple):
    """Names of lists, and the beginning of the advice."""

    names: Sequence[str]
    begins: str


ADVICE = [
    Advice([], ""),
    Advice(["b"], "The list may be called b: name that in --coupon-list, and in your tasks"),
    Advice(["b", "c"], "It names b, c: name the one that you mean in --coupon-list"),
    Advice(["b", "c", "d", "e"], "It names b, c, d: name the one"),
]


@pytest.mark.parametrize("row", ADVICE, ids=[str(len(row.names)) for row in ADVICE])
def test_a_name_is_to_be_given_to_the_command_and_to_tasks(row: Advice):
    advice = about_other_names(row.names)
    assert advice.startswith(row.begins)
    assert bool(advice) is bool(row.names)
