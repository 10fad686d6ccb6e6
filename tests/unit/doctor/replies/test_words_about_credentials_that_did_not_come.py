"""
Words say that no credentials came if an Authorization header, credentials or an authentication are
"missing", "not set", "not provided", "not sent", "not found" or the like in the same sentence, or
if "no", "missing" or "without" stands before them. Credentials that are required, invalid, or
"missing or invalid" came, and may be wrong.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

MISSES_CREDENTIALS = [
    Tells(
        True,
        [
            "Authorization header is missing",
            "authorization missing",
            "Authorization not set",
            "Authorization: not provided",
            "The authorization header was not found",
            "Missing authorization",
            "No Authorization header",
            "Without an authorization header",
            "No credentials were provided",
            "no authentication given",
            "credentials not sent",
        ],
    ),
    Tells(
        False,
        [
            "",
            "Authorization required",
            "Missing or invalid credentials",
            "Unauthorized",
            "Authorization failed. The list is missing",
            "invalid credentials",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(MISSES_CREDENTIALS))
def test_words_that_no_credentials_came_are_told_from_those_that_they_are_wrong(
    text: str, expected: Any
):
    assert remedies.misses_credentials(text) == expected
