"""
Words want HTTPS if they say that HTTPS, SSL or TLS is required, or "https-only"; if "requires",
"use", "over", "via" or "through" stands before one of these; if a plain HTTP request came to an
HTTPS port; or if a connection is insecure. An address such as https://a after "use", and "https"
alone, want nothing.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

SAYS_HTTPS_ONLY = [
    Tells(
        True,
        [
            "plain HTTP request was sent to HTTPS port",
            "http request to an https port",
            "https required",
            "HTTPS is required",
            "https-only",
            "https_only",
            "ssl required",
            "TLS is required",
            "requires https",
            "require ssl",
            "required tls",
            "use HTTPS",
            "over tls",
            "via ssl",
            "through https",
            "insecure connection",
        ],
    ),
    Tells(False, ["", "use https://a", "https", "use httpsx", "secure"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(SAYS_HTTPS_ONLY))
def test_words_that_want_https_are_known(text: str, expected: Any):
    assert remedies.says_https_only(text) == expected
