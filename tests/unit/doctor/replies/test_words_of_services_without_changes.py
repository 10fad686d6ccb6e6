"""
A service takes no changes if words say that it is read-only, in English, German or Spanish, or if
"writes", "changes", "updates", "uploads", "modifications" or "imports" stand in one sentence before
"disabled", "blocked", "suspended", "paused", "frozen", "turned off", "closed", "not allowed" and
the like. "Reads only" and "not allowed" alone do not say that.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

TAKES_NO_WRITES = [
    Tells(
        True,
        [
            "read-only",
            "Read only",
            "readonly",
            "read_only",
            "writes are disabled",
            "write blocked",
            "changes suspended",
            "updates paused",
            "uploads frozen",
            "upload turned off",
            "modifications switched off",
            "imports closed",
            "import is not accepted",
            "writes not allowed",
            "writes not possible",
            "writes not available",
            "Schreibschutz",
            "nur lesend",
            "nur-lesend",
            "sólo lectura",
            "solo lectura",
        ],
    ),
    Tells(False, ["", "reads only", "writes. All disabled", "not allowed"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(TAKES_NO_WRITES))
def test_words_of_a_service_that_takes_no_changes_are_known(text: str, expected: Any):
    assert remedies.takes_no_writes(text) == expected
