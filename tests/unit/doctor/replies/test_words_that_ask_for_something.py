"""
A refusal asks its reader for something if it has "please", "must", "should", "needs to", "has to"
or "is required", also in German, French and Spanish; a command such as "ask", "contact", "renew" or
"upgrade" at the beginning of a part, that is, of the words or after one of . ; : ! , ( - or after
"or" or "and"; "can be" with a verb such as "enabled", "granted" or "unlocked"; or "in settings".
Words that only look like these ("accepted", "you asked", "mustard") ask for nothing.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

ASKS_FOR_SOMETHING = [
    Tells(
        True,
        [
            "please",
            "it must be",
            "you should",
            "it needs to be",
            "need to",
            "has to",
            "have to",
            "is required",
            "requires",
            "require",
            "bitte",
            "muss",
            "müssen",
            "veuillez",
            "debe",
            "por favor",
            *(
                f"No; {word} it"
                for word in (
                    "accept activate add ask choose complete confirm contact create enable include "
                    "pay provide renew retry see send set sign specify supply try upgrade use "
                    "verify visit wait"
                ).split()
            ),
            "No. Ask",
            "No: ask",
            "No! Ask",
            "a, ask",
            "(ask",
            "a - ask",
            "retry or ask",
            "x and ask",
            "can be activated",
            "can activate",
            "can add",
            "can be allowed",
            "can change",
            "can be enabled",
            "can grant",
            "can be set",
            "can unlock",
            "see it under settings",
            "in settings",
        ],
    ),
    Tells(
        False,
        ["", "accepted", "you asked", "a settings page", "can be activity", "No ask", "mustard"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(ASKS_FOR_SOMETHING))
def test_words_that_ask_their_reader_to_do_something_are_known(text: str, expected: Any):
    assert remedies.asks_for_something(text) == expected
