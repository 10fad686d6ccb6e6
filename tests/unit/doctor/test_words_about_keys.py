"""
If a refusal's words say what became of a key, `new_key` tells what to do. The first of these that
they say decides: not yet valid (wait until it is), awaits or lacks an approval (have it approved),
replaced, rotated or outdated (copy the current key), expired or lapsed (make a new key, or have its
time extended). Words that say none of these, such as "revoked" or no word at all, advise a new key,
or to have this one enabled.

`names_reason` is true of such words and of "revoked", "disabled", "suspended", "deleted", "locked"
and the like, also in German, Spanish and French; but not if they have "missing", "invalid or" or
"or invalid", which leave it open. An approval may be at most three words after "needs", "pending",
"awaits" or "requires". A key is of another mode if test, live, sandbox, production, staging or demo
stands as a word near "key". A refusal of a key is bare if all of its words are of a fixed list,
such as "Invalid API key!"; one more word, such as "expired", and it is not.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor import remedies

WAIT = "wait until it is valid, or put in the one that is valid now."
APPROVE = "have it approved or activated, as the service says: the key may be right."
COPY = "copy the current key from where the service shows it, and put it in."
EXTEND = "make a new key, or have its time extended, and put it in."
ENABLE = "make a new key, or have this one enabled, and put it in."
NEW_KEYS = [
    Tells(WAIT, ["The key is not yet valid", "not yet valid, and pending approval"]),
    Tells(
        WAIT,
        [
            "not yet valid",
            "NOT_YET_USABLE",
            "not-yet-in-effect",
            "cannot be used yet",
            "cannot be used before May",
            "cannot be used until May",
            "becomes active in May",
            "becomes valid",
            "not valid before May",
            "not active until May",
            "not usable before",
            "not enabled until",
            "valid from May",
            "only active from May",
            "usable only from May",
            "used before its start",
            "noch nicht gültig",
            "gültig ab Mai",
            "gültig erst im Mai",
        ],
    ),
    Tells(
        APPROVE,
        [
            "awaiting approval",
            "awaits the final review",
            "pending activation",
            "requires confirmation",
            "require review",
            "needs verification",
            "need approval",
            "waiting for an admin approval",
            "approval pending",
            "activation is required",
            "confirmation needed",
            "verification outstanding",
            "not approved",
            "not yet activated",
            "not yet been confirmed",
            "not verified",
            "not active",
            "noch nicht freigegeben",
            "noch nicht freigeschaltet",
            "noch nicht aktiv",
            "Freigabe fehlt",
            "pending approval, since it was replaced",
        ],
    ),
    Tells(
        COPY,
        [
            "replaced",
            "Superseded",
            "rotated",
            "after a rotation",
            "rolled over",
            "rolled to x",
            "obsolete",
            "outdated",
            "newer",
            "ersetzt",
            "reemplazada",
            "remplacée",
            "use the current one",
            "a new key is there",
            "the latest token",
            "the active secret",
            "the current version",
            "expired and replaced",
        ],
    ),
    Tells(EXTEND, ["expired", "Abgelaufen", "caducada", "vencida", "has lapsed"]),
    Tells(ENABLE, ["revoked", "", "rolled up", "requires nothing", "inactive"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(NEW_KEYS))
def test_what_to_do_about_a_key_follows_from_what_became_of_it(text: str, expected: Any):
    assert remedies.new_key(text) == expected


NAMES_REASON = [
    Tells(
        True,
        [
            "expired",
            "REVOKED",
            "disabled",
            "deactivated",
            "inactive",
            "suspended",
            "retired",
            "rotated",
            "rotation",
            "deleted",
            "locked",
            "abgelaufen",
            "gesperrt",
            "widerrufen",
            "deaktiviert",
            "caducada",
            "vencida",
            "replaced",
            "superseded",
            "obsolete",
            "outdated",
            "rolled",
            "ersetzt",
            "reemplazada",
            "remplacé",
            "not approved",
            "not yet valid",
        ],
    ),
    Tells(
        False,
        [
            "",
            "unknown key",
            "missing or expired",
            "invalid or expired",
            "expired or invalid",
            "Invalid or not approved",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(NAMES_REASON))
def test_words_of_what_became_of_a_key_are_told_from_those_that_only_refuse_it(
    text: str, expected: Any
):
    assert remedies.names_reason(text) == expected


IS_AWAITED = [
    Tells(True, ["pending review", "needs a b c approval"]),
    Tells(False, ["needs a b c d approval", "needs more", "approval given"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_AWAITED))
def test_words_of_an_approval_that_is_awaited_are_known(text: str, expected: Any):
    assert remedies.is_awaited(text) == expected


IS_OF_OTHER_MODE = [
    Tells(
        True,
        [
            "a test key",
            "the live API key",
            "sandbox key",
            "production key",
            "staging key",
            "demo key",
            "key is of test",
            "key for live",
            "key of the sandbox",
            "key: production",
            "key of staging",
            "key of a Demo",
        ],
    ),
    Tells(
        False,
        ["", "key", "test", "tested key", "test keys", "monkey of test"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_OF_OTHER_MODE))
def test_words_of_a_key_of_another_mode_are_known(text: str, expected: Any):
    assert remedies.is_of_other_mode(text) == expected


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
