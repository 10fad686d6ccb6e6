"""
An account whose reads all succeed stays *Ready* if replies announce something, which the verdict
quotes. A Warning or Sunset about a key, and a header about a key's status with a time at which it
retires, ask for a new key. A Deprecation header (shown as a date), and a notice beside the files in
the body, ask for the service's support about what replaces the version.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    Account,
)
from support.doctor_verdicts import Case, announcing, check

ANNOUNCED = [
    Case(
        "a key that ends",
        announcing(Warning='299 - "This key is accepted until 2026-12-04"', Sunset="2026-12-04"),
        (
            "Ready,",
            "Replies with the Campaign API key announce",
            "until 2026-12-04",
            "Put a new key in",
        ),
    ),
    Case(
        "a version that ends",
        announcing(Deprecation="@1767225600"),
        ("Ready,", "announce Deprecation: 2026-01-01. Ask the service's support what replaces"),
    ),
    Case(
        "a key that is retired, in words of its own",
        announcing(X_Key_Status="retiring; retires-at=2026-11-26T23:00:00Z"),
        ("Ready,", "announce X-Key-Status: retiring", "Put a new key in"),
    ),
    Case(
        "a notice beside the files",
        lambda: Account(
            list_body=lambda records: {"meta": {"notice": ["v1 is deprecated."]}, "data": records}
        ),
        ("Ready,", "announce meta.notice: v1 is deprecated. Ask the service's support"),
    ),
]


@pytest.mark.parametrize("row", ANNOUNCED, ids=ids(ANNOUNCED))
def test_a_ready_account_is_told_what_replies_announce(row: Case):
    check(row)
