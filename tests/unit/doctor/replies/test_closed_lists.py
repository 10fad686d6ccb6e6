"""
A list takes no files if its body, at any place but in a file, has a state, status or phase, of
itself, that is a string with a word for closed: archived, closed, frozen, ended or paused, in any
case of letters. It is quoted with 60 characters at most. States of the account, other members, and
words that only have such a word in them (unlocked, recommended), close no list.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from wes_provider.doctor.replies.files import closed_state


class Closed(NamedTuple):
    """A body, and the state that says that its list takes no files."""

    name: str
    content: Any
    state: str


CLOSED = [
    Closed("a status", {"status": "archived", "data": []}, "status: archived"),
    Closed("of the list", {"list": {"state": "CLOSED"}}, "list.state: CLOSED"),
    Closed("frozen", {"list_state": "Frozen"}, "list_state: Frozen"),
    Closed("ended", {"phase": "ended"}, "phase: ended"),
    Closed("below data", {"data": {"status": "paused"}}, "data.status: paused"),
    Closed(
        "60 characters",
        {"status": f"archived {'x' * 43}"},
        f"status: archived {'x' * 43}",
    ),
    Closed(
        "61 characters",
        {"status": f"archived {'x' * 44}"},
        f"status: archived {'x' * 42}…",
    ),
]


@pytest.mark.parametrize("row", CLOSED, ids=[row.name for row in CLOSED])
def test_a_list_takes_no_files_whose_state_has_a_word_for_closed(row: Closed):
    """The state is quoted with 60 characters at most."""
    assert closed_state(row.content) == row.state


class NotClosed(NamedTuple):
    """A body that does not say that the list takes no files."""

    name: str
    content: Any


NOT_CLOSED = [
    NotClosed("of the account that the list is in", {"account": {"status": "suspended"}}),
    NotClosed("unlocked", {"state": "unlocked"}),
    NotClosed("recommended", {"state": "recommended"}),
    NotClosed("another member", {"note": "archived"}),
    NotClosed("no string", {"state": ["archived"], "status": 7}),
    NotClosed("a file of the list", {"data": [{"status": "expired"}]}),
]


@pytest.mark.parametrize("row", NOT_CLOSED, ids=[row.name for row in NOT_CLOSED])
def test_words_that_look_alike_and_states_of_something_else_do_not_close_a_list(row: NotClosed):
    assert closed_state(row.content) == ""
