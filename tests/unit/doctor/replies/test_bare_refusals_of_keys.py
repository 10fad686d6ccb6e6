"""
A refusal of a key is bare if each of its words is one of those that only refuse, in any case:
"api", "key", "token", "invalid", "unauthorized", "missing", "denied", "forbidden" and so on. With
any other word, such as "expired", it is not.
"""

from __future__ import annotations

import pytest

from wes_provider.doctor.replies import remedies

BARE = (
    "api apikey authentication authorization bad credentials failed incorrect invalid key login "
    "missing no not or password permitted provided required secret token unauthorised unauthorized "
    "unknown user username wrong your"
).split()


@pytest.mark.parametrize("word", [*BARE, "Denied", "forbidden"])
def test_a_refusal_of_a_key_that_says_nothing_else_is_bare(word: str):
    assert remedies.is_bare_refusal_of_key(f"{word.title()}!")


@pytest.mark.parametrize("word", [*BARE, "Denied", "forbidden"])
def test_a_refusal_of_a_key_with_any_other_word_is_not_bare(word: str):
    assert not remedies.is_bare_refusal_of_key(f"{word} expired")
