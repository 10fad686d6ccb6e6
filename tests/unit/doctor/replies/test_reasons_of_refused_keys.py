"""
Words say what became of a key if they have a word such as "expired", "revoked", "disabled",
"suspended", "rotated", "deleted" or "replaced", also in German, Spanish and French, or say that it
is not approved or not valid yet. But if they have "missing", "invalid or" or "or invalid", they
only refuse it, and leave the reason open. An approval is awaited if it stands at most three words
after "needs", "requires", "pending" or "awaits". A key is of another mode if test, live, sandbox,
production, staging or demo stands as a word near the word "key".
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

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
