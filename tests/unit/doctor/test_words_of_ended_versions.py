"""
A version has ended if "version", "API", "endpoint", "release" or a word such as "v1" stands in one
sentence before a word such as "retired", "sunset", "deprecated", "removed", "shut down", "no
longer", "gone" or "not supported"; or if "version" or "v1" stands behind one such as "retired",
"deprecated" or "unsupported". A retired key, and words of two sentences, are none.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor import remedies

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
        ],
    ),
    Tells(
        False,
        ["", "key retired", "version 1. Key retired", "retired; version", "v is gone", "apis gone"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_RETIRED))
def test_words_of_a_version_that_has_ended_are_known(text: str, expected: Any):
    assert remedies.is_retired(text) == expected
