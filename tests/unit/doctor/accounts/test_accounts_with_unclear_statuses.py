"""
Accounts whose statuses need somebody's decision, which is *Not proved*: one status for success and
failure, a success with a reason and without coupons, an unknown status of a file with a reason
(proposed as a failure), files on their way alone. An unknown stage is harmless: *Ready*, and proposed
as one on its way.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    NOT_PROVED,
    READY,
    Row,
    check_not_wrong,
    check_proposed,
    check_verdict,
)
from support.doctor_service import (
    Account,
    record,
)
from wes_provider.doctor.findings.finding import Topic

ACCOUNTS = [
    Row(
        "one status for success and failure",
        lambda: Account(
            records=[record("f1", "OVER"), record("f2", "OVER", error="bad", coupons_added=0)]
        ),
        NOT_PROVED,
        (Topic.STATUSES.value, "OVER cannot be told apart: failure or success"),
    ),
    Row(
        "a file with the status of a success, with a reason and no coupons",
        lambda: Account(records=[record("f1"), record("f2", error="no header", coupons_added=0)]),
        NOT_PROVED,
        (Topic.STATUSES.value, "1 of 2 files", "the service names: 'no header'"),
    ),
    Row(
        "an unknown status of a file with a reason",
        lambda: Account(records=[record("f1"), {"_id": "f2", "status": "BROKEN", "error": "bad"}]),
        NOT_PROVED,
        (Topic.STATUSES.value, "BROKEN seems to mean failure (file f2: the service names 'bad')"),
        {
            "coupon_file_statuses.failure": [
                "BROKEN",
                "CANCELLED",
                "ERROR",
                "EXPIRED",
                "FAILED",
                "FAILURE",
                "REJECTED",
            ]
        },
    ),
    Row(
        "nothing but files on their way",
        lambda: Account(records=[record("f1", "PENDING")]),
        NOT_PROVED,
        (Topic.STATUSES.value, "Only PENDING in the list"),
    ),
    Row(
        "an unknown stage, which is harmless",
        lambda: Account(records=[record("f1"), record("f2", "VALIDATING")]),
        READY,
        changed={
            "coupon_file_statuses.pending": [
                "IN_PROGRESS",
                "PENDING",
                "PROCESSING",
                "QUEUED",
                "RUNNING",
                "VALIDATING",
            ]
        },
    ),
]


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_the_verdict_says_these_words_in_this_order(row: Row):
    check_verdict(row)


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_no_other_settings_are_proposed_than_replies_show(row: Row):
    check_proposed(row)


NOT_WRONG = [row for row in ACCOUNTS if row.state is NOT_PROVED]


@pytest.mark.parametrize("row", NOT_WRONG, ids=ids(NOT_WRONG))
def test_nothing_is_wrong_of_an_account_that_is_not_proved(row: Row):
    check_not_wrong(row)
