"""
A refusal is bare if it has no other words than those that only refuse, in any case, such as "403:
access denied!", "AccessDenied" and "rejected", or no words at all. With another word, such as "key"
or "404", it is not.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

IS_BARE_REFUSAL = [
    Tells(
        True,
        [
            "",
            "Forbidden",
            "403: access denied!",
            "AccessDenied",
            "error: request is not allowed",
            "was blocked",
            "rejected",
        ],
    ),
    Tells(False, ["Forbidden key", "404", "denied for you"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_BARE_REFUSAL))
def test_a_refusal_that_says_nothing_else_is_bare(text: str, expected: Any):
    assert remedies.is_bare_refusal(text) == expected
