"""
What to do about a key follows from the first of these that words say. It is not valid yet: wait, or
put in the valid one. It awaits, requires or lacks an approval, or is not active: have it approved.
It was replaced, rotated or is outdated, or there is a current or new one: copy that. It has expired
or lapsed: make a new key, or have its time extended. Words that say none of these, such as
"revoked", "inactive" or nothing, advise a new key, or to have this one enabled.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

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
