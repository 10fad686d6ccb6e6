"""
A text of a response may be one that was sent if both are equal, ignoring case and spaces around. If
a secret was taken out of the response, anything may have stood in place of the stars, but the rest
has to be equal.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from wes_provider.hiding import may_show


class Shown(NamedTuple):
    """A text as a response has it, one that was sent, and whether they may be the same."""

    name: str
    shown: str
    own: str
    may_be: bool


SHOWN = (
    Shown("equal", "summer", "summer", True),
    Shown("capitals, and spaces around", " SUMMER ", "summer", True),
    Shown("another", "summer", "winter", False),
    Shown("the start is hidden", "***-sale", "summer-sale", True),
    Shown("the start is hidden, and capitals", "***-Sale", "summer-sale", True),
    Shown("the start is hidden, and another end", "***-sale", "summer-sales", False),
    Shown("start and end are hidden", "***-sale-***", "eu-sale-de", True),
    Shown("a dot, which stands for itself", "a.b***", "axbc", False),
)


@pytest.mark.parametrize("row", SHOWN, ids=[row.name for row in SHOWN])
def test_a_text_without_its_secrets_may_be_the_one_that_was_sent(row: Shown):
    assert may_show(row.shown, row.own) is row.may_be
