"""
If responses have x-ratelimit-limit and x-ratelimit-remaining, but no x-ratelimit-reset, the Limits
are *not shown*: the finding names the two that came and the one that is missing, and does not say
that there are no headers.
"""

from __future__ import annotations

from support.doctor_service import (
    Account,
    about,
    examined_account,
)
from wes_provider.doctor.findings.finding import Certainty, Topic


def test_limits_without_a_reset_are_not_called_no_headers():
    headers = {"x-ratelimit-limit": "600", "x-ratelimit-remaining": "598"}

    finding = about(examined_account(Account(list_headers=headers)), Topic.LIMITS)

    assert finding.certainty is Certainty.NOT_SHOWN
    assert finding.text.startswith("Responses have x-ratelimit-limit and x-ratelimit-remaining, ")
    assert "no x-ratelimit-reset" in finding.text
