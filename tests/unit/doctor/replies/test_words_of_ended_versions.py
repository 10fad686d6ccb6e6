"""
A version has ended if "version", "API", "endpoint", "release" or a word such as "v1" stands before
a word such as "retired", "sunset", "deprecated", "removed", "shut down", "no longer", "gone" or
"not supported", with at most 60 characters between them. It has also ended if "version" or "v1"
stands behind a word such as "retired", "deprecated" or "unsupported", with at most 30 characters
between them.

Neither a dot nor a semicolon may stand between them, except for a dot within a number. Other
characters may, also an exclamation mark. Plurals count, but not that of "API".

A key that is retired is no version. "API" does not count if "key" follows; "API key of v1 is
retired" counts for its "v1".
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

IS_RETIRED = [
    Tells(
        True,
        [
            "version 1 is retired",
            "v1 has its sunset",
            "This API is deprecated",
            "endpoint discontinued",
            "release decommissioned",
            "version removed",
            "version turned off",
            "version shut down",
            "API shutdown",
            "API no longer works",
            "API end-of-life",
            "API is gone",
            "API abgeschaltet",
            "API eingestellt",
            "API retirada",
            "version unsupported",
            "version not supported",
            "retired version",
            "sunset of version 1",
            "deprecated v1",
            "discontinued v1",
            "decommissioned v1",
            "unsupported v1",
            "no longer supported: v1",
            f"version {'x' * 58} retired",
            f"retired {'x' * 28} version",
            "versions retired",
            "endpoints removed",
            "v1 is sunsetting",
            "version 1.2 is retired",
            "v1.2 is retired",
            "deprecated since 2.0: v1",
            "version 1! Key retired",
            "The API of your key is retired",
            "API key of v1 is retired",
            "retired key v1",
        ],
    ),
    Tells(
        False,
        [
            "",
            "key retired",
            "retired key",
            "Your API key is retired",
            "API keys retired",
            "API-Key retired",
            "version 1. Key retired",
            "version 1.Key retired",
            "version 1.2. Key retired",
            "version a.2 keys retired",
            "version 1; key retired",
            "retired; version",
            "retired. Version",
            f"version {'x' * 59} retired",
            f"retired {'x' * 29} version",
            "v is gone",
            "rev1 is gone",
            "apis gone",
            "conversion removed",
            "version unretired",
            "retired API",
            "removed version",
            "gone: v1",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_RETIRED))
def test_words_of_a_version_that_has_ended_are_known(text: str, expected: Any):
    assert remedies.is_retired(text) == expected
