"""
Words want another scheme if they ask for OAuth, a bearer token or the like, or say that keys, of
anybody, or Basic credentials are taken no more; not if they say that a token is wrong, that it lacks
a scope, or that these keys have ended. A scheme, such as Basic, is no name of a header.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies.schemes import WANTS_OTHER_SCHEME, is_scheme

WANTED = [
    Tells(
        True,
        [
            "Use a bearer token.",
            "Segments accept OAuth 2.0 access tokens only",
            "This endpoint requires OAuth",
            "OAuth 2.0 is required",
            "A JWT must be sent; JWT only",
            "API keys were retired for v3",
            "API keys are no longer supported",
            "Basic authentication is no longer supported",
        ],
    ),
    Tells(
        False,
        [
            "",
            "Unknown API key",
            "Invalid bearer token",
            "The API key was retired",
            "Your keys were retired",
            "These keys are no longer accepted",
            "It no longer accepts OAuth",
            "Basic authentication is required",
            "Requires a bearer token with the scope coupons",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(WANTED))
def test_words_that_want_another_scheme_are_known(text: str, expected: Any):
    assert bool(WANTS_OTHER_SCHEME.search(text)) is expected


SCHEMES = [Tells(True, ["Basic", "bearer", "DIGEST"]), Tells(False, ["", "X-Tenant", "Basics"])]


@pytest.mark.parametrize(("text", "expected"), each_of(SCHEMES))
def test_schemes_are_told_from_headers(text: str, expected: Any):
    assert is_scheme(text) is expected
