"""
If responses have x-ratelimit-limit, x-ratelimit-remaining or both, but no x-ratelimit-reset that
can be read, the Limits are *not shown*: the finding names those that came and the one that is
missing, and does not say that there are no headers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    Account,
    about,
    examined_account,
)
from wes_provider.doctor.findings.finding import Certainty, Topic


class WithoutReset(NamedTuple):
    """Headers of the list, and those that the finding names."""

    name: str
    headers: Mapping[str, str]
    named: str


WITHOUT_RESET = [
    WithoutReset("the limit", {"x-ratelimit-limit": "600"}, "x-ratelimit-limit"),
    WithoutReset("what remains", {"x-ratelimit-remaining": "598"}, "x-ratelimit-remaining"),
    WithoutReset(
        "both",
        {"x-ratelimit-limit": "600", "x-ratelimit-remaining": "598"},
        "x-ratelimit-limit and x-ratelimit-remaining",
    ),
    WithoutReset(
        "a reset without a number",
        {"x-ratelimit-limit": "600", "x-ratelimit-reset": "soon"},
        "x-ratelimit-limit",
    ),
]


@pytest.mark.parametrize("row", WITHOUT_RESET, ids=ids(WITHOUT_RESET))
def test_limits_without_a_reset_are_not_called_no_headers(row: WithoutReset):
    finding = about(examined_account(Account(list_headers=row.headers)), Topic.LIMITS)

    assert finding.certainty is Certainty.NOT_SHOWN
    assert finding.text.startswith(f"Responses have {row.named}, but no x-ratelimit-reset")
