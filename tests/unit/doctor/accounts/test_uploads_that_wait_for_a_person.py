"""
If an uploaded file waits for a person, the verdict is *Not proved*, and says that before what other
files' statuses mean. It waits if its status says so (PENDING_RELEASE), or a member does
(approval.needed_from, "waiting for the second person"), even with a status that is waited for; the
text quotes what says so, and whether it is to be released or approved. Statuses of other files are
proposed all the same, and that of the waiting file is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_service import (
    LIST,
    about,
)
from support.doctor_uploads import Uploads
from wes_provider.doctor.conclusions.seen_statuses import CONFIRM
from wes_provider.doctor.findings.finding import Topic

ADDED = {"coupons_added": 5}


class Held(NamedTuple):
    """How an uploaded file ends up waiting for a person, and what is said of it."""

    name: str
    record: Mapping[str, Any]
    says: str


HELD = [
    Held(
        "by status",
        {"status": "PENDING_RELEASE", "accepted": 3, "activated": 0},
        "a person: PENDING_RELEASE (the name PENDING_RELEASE says so), and did not go on. Have it "
        "released, and see in the service's dashboard what becomes of it",
    ),
    Held(
        "by status and member",
        {"status": "AWAITING_APPROVAL", "approval": {"needed_from": "Marketing lead"}},
        "approval.needed_from is 'Marketing lead'), and did not go on. Have it approved",
    ),
    Held(
        "by member of a status that is waited for",
        {"status": "PROCESSING", "four_eyes": "waiting for the second person"},
        "a person: PROCESSING (four_eyes is 'waiting for the second person')",
    ),
]


@pytest.mark.parametrize("row", HELD, ids=[row.name for row in HELD])
def test_an_uploaded_file_that_waits_for_a_person_is_said_before_statuses_of_other_files(row: Held):
    others = [
        {"_id": "f1", "status": "LIVE", "coupons_list_id": LIST, **ADDED},
        {"_id": "f2", "status": "ROLLED_BACK", "coupons_list_id": LIST, **ADDED},
    ]
    account = Uploads(stages=[(0, row.record)], others=others)
    report = account.examine(timeout=2.0, final_after=0.3)
    assert report.verdict.startswith("Not proved: Statuses. The uploaded file waits for a person: ")
    statuses = about(report, Topic.STATUSES)
    assert row.says in statuses.text
    assert "ROLLED_BACK is partial" in statuses.text
    assert "LIVE" in report.extra["coupon_file_statuses"]["success"]
    assert str(row.record["status"]) not in report.extra["coupon_file_statuses"]["success"]


def test_nothing_is_to_be_confirmed_if_no_setting_follows_from_a_file_that_waits_for_a_person():
    record = {"status": "PROCESSING", "four_eyes": "waiting for the second person"}
    report = Uploads(stages=[(0, record)], others=[]).examine(timeout=2.0, final_after=0.3)
    assert report.extra == {}
    assert CONFIRM not in about(report, Topic.STATUSES).text


def test_settings_that_follow_beside_a_file_that_waits_for_a_person_are_to_be_confirmed():
    others = [{"_id": "f1", "status": "LIVE", "coupons_list_id": LIST, **ADDED}]
    account = Uploads(stages=[(0, HELD[0].record)], others=others)
    report = account.examine(timeout=2.0, final_after=0.3)
    assert CONFIRM in about(report, Topic.STATUSES).text
