"""
If two numbers of files may count coupons added, and differ in a file, they are said by status, with
which of them one is 0. They do not if they agree, what was left out explains the difference, the
file failed, or there is one such number. While they disagree, Counts is *not proved* and no count
is proposed; a status whose numbers agree and are above 0 is proposed as success, and one whose
numbers disagree is not. If the connection names the count, Counts is *sure*.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    LIST,
    Account,
    about,
    examined_account,
)
from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.records.disputes import Dispute, dispute_of
from wes_provider.doctor.replies.files import file_of

SURE, WRONG, NOT_PROVED = Certainty.SURE, Certainty.WRONG, Certainty.NOT_PROVED


class Numbered(NamedTuple):
    """The numbers of files by status, and what is said of them; empty for nothing."""

    name: str
    files: Sequence[tuple[str, Mapping[str, int]]]
    says: str = ""


ACCEPTED_AND_ACTIVATED = Numbered(
    "accepted and activated",
    [
        ("LIVE", {"accepted": 5000, "activated": 5000}),
        ("ROLLED_BACK", {"accepted": 800, "activated": 0}),
        ("AWAITING_APPROVAL", {"accepted": 1200, "activated": 0}),
    ],
    "accepted/activated: LIVE 5000/5000, ROLLED_BACK 800/0, AWAITING_APPROVAL 1200/0; "
    "activated is 0 with ROLLED_BACK, AWAITING_APPROVAL. Confirm with the service's support",
)
NUMBERED = [
    ACCEPTED_AND_ACTIVATED,
    Numbered(
        "a total that nothing explains",
        [("COMPLETED", {"total": 500, "imported": 490})],
        "imported/total: COMPLETED 490/500. Confirm",
    ),
    Numbered(
        "valid and created, which differ in a later file",
        [
            ("OK", {"stats.valid": 7, "stats.created": 7}),
            ("OK", {"stats.valid": 9, "stats.created": 8}),
        ],
        "stats.created/stats.valid: OK 8/9. Confirm",
    ),
]


def numbered(row: Numbered) -> list[dict[str, Any]]:
    """The records of a row's files."""
    return [
        {"_id": f"f{number}", "status": status, "coupons_list_id": LIST, **counts}
        for number, (status, counts) in enumerate(row.files)
    ]


def dispute_in(row: Numbered) -> Dispute | None:
    """What is in dispute, by the usual names and statuses."""
    files = [file for file in map(file_of, numbered(row)) if file is not None]
    return dispute_of(files, CountNames(), Statuses())


@pytest.mark.parametrize("row", NUMBERED, ids=ids(NUMBERED))
def test_numbers_that_may_count_the_same_and_differ_in_a_file_are_said_by_status(row: Numbered):
    dispute = dispute_in(row)
    assert dispute is not None
    assert row.says in dispute.says


UNDISPUTED = [
    Numbered("they agree", [("READY", {"accepted": 5, "activated": 5})]),
    Numbered(
        "what is left out explains it",
        [("COMPLETED", {"total": 500, "added": 490, "rejected": 4, "duplicates": 6})],
    ),
    Numbered("it failed", [("FAILED", {"total": 500, "added": 0})]),
    Numbered("one number", [("READY", {"accepted": 5, "redeemed": 2, "created_at": 17})]),
]


@pytest.mark.parametrize("row", UNDISPUTED, ids=ids(UNDISPUTED))
def test_nothing_is_said_of_numbers_that_agree_or_are_explained(row: Numbered):
    assert dispute_in(row) is None


def test_no_count_is_proposed_or_sure_while_two_numbers_of_the_lists_files_disagree():
    report = examined_account(Account(records=numbered(ACCEPTED_AND_ACTIVATED)))
    counts = about(report, Topic.COUNTS)
    assert counts.certainty is NOT_PROVED
    assert (counts.settings, counts.guesses) == ({}, {})
    assert "coupon_file_counts" not in report.extra
    said = json.loads(report.to_json())
    assert said["settings"]["coupon_file_counts.added"]["certainty"] == "not proved"


def test_a_status_is_proposed_as_success_whose_numbers_agree_while_those_of_others_disagree():
    report = examined_account(Account(records=numbered(ACCEPTED_AND_ACTIVATED)))
    statuses = report.extra["coupon_file_statuses"]
    assert "LIVE" in statuses["success"]
    assert "ROLLED_BACK" not in statuses["success"]


def test_a_count_that_the_connection_names_is_sure_though_two_numbers_disagree():
    extra = {"coupon_file_counts": {"added": "activated"}}
    report = examined_account(Account(records=numbered(ACCEPTED_AND_ACTIVATED)), extra=extra)
    assert about(report, Topic.COUNTS).certainty is SURE
