"""
A status that the connection names as success is watched for as long as a status has to last to be
final (1.6 seconds here). If another status follows in that time, it is *wrong*: it is a stage on
the way, and is proposed as pending. If it lasts, it is *sure* if coupons were added, and *not
proved* without counts. If its name and its counts prove it, as IMPORTED with coupons added, it is
*sure* at once, and what follows later is not seen. A status of another file in the list, such as
SCHEDULED, is proposed as pending, even if the end of the uploaded file is *not proved*; but not if
the connection's own success is.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_followed import (
    ADDED,
    NOTHING,
    ON_THE_WAY,
    FollowedAccount,
    Stage,
)
from support.doctor_service import OLD_LIST, about
from wes_provider import contract
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report


class Own(NamedTuple):
    """
    What follows an own status, which the connection names as success, and what is said.

    :ivar why: what decides it.
    :ivar pending: the statuses that are proposed as pending.
    """

    name: str
    stages: tuple[Stage, ...]
    certainty: Certainty
    why: str
    says: str
    pending: frozenset[str] = frozenset()


OWN = [
    Own(
        "a failure follows",
        ((0.3, "ACTIVE", ADDED), (1.3, "FAILED", {"error": "late"})),
        Certainty.WRONG,
        "another status followed it",
        "PENDING → ACTIVE → FAILED: ACTIVE is a stage on the way, though tasks take it for a "
        "success, so they would end too early. Name it as pending. Then the file failed (late)",
        frozenset({"ACTIVE", "SCHEDULED"}),
    ),
    Own(
        "a success follows",
        ((0.3, "ACTIVE", ADDED), (1.3, "COMPLETED", ADDED)),
        Certainty.WRONG,
        "another status followed it",
        "PENDING → ACTIVE → COMPLETED: ACTIVE is a stage on the way, though",
        frozenset({"ACTIVE", "SCHEDULED"}),
    ),
    Own(
        "it lasts",
        ((0.3, "ACTIVE", ADDED),),
        Certainty.SURE,
        "none followed for as long as a status lasts that is final, and coupons were added",
        "PENDING → ACTIVE, which lasted and means success. SCHEDULED seems to mean pending (file "
        "other",
        frozenset({"SCHEDULED"}),
    ),
    Own(
        "it lasts, and has no counts",
        ((0.3, "ACTIVE", NOTHING),),
        Certainty.NOT_PROVED,
        "nothing shows that coupons were added",
        "PENDING → ACTIVE: ACTIVE means success by the connection, and lasted, but",
    ),
    Own(
        "its name and its counts prove it",
        ((0.5, "IMPORTED", ADDED), (9.0, "FAILED", NOTHING)),
        Certainty.SURE,
        "so it is not followed until the failure",
        "PENDING → IMPORTED, which",
        frozenset({"SCHEDULED"}),
    ),
]
SCHEDULED = {"_id": "other", "status": "SCHEDULED", "coupons_list_id": OLD_LIST}


def proposed_as_pending(report: Report) -> frozenset[str]:
    pending = report.extra.get("coupon_file_statuses", {}).get("pending", [])
    return frozenset(pending) - contract.PENDING_STATUSES


@pytest.mark.parametrize("row", OWN, ids=[row.name for row in OWN])
def test_an_own_status_is_a_success_only_once_it_has_lasted_or_is_proved(row: Own):
    account = FollowedAccount(
        [ON_THE_WAY, *row.stages], list_body=lambda records: [*records, SCHEDULED]
    )
    extra = {"coupon_file_statuses": {"success": ["ACTIVE", "IMPORTED", "COMPLETED"]}}
    report = account.examine(timeout=20.0, final_after=1.6, extra=extra)
    statuses = about(report, Topic.STATUSES)
    assert statuses.text.startswith(row.says)
    assert statuses.certainty is row.certainty, row.why
    assert proposed_as_pending(report) == row.pending


def test_a_status_of_another_file_is_proposed_beside_an_end_that_is_not_proved():
    stages = [ON_THE_WAY, (0.3, "QUARANTINED", ADDED)]
    account = FollowedAccount(stages, list_body=lambda records: [*records, SCHEDULED])
    report = account.examine()
    assert about(report, Topic.STATUSES).certainty is Certainty.NOT_PROVED
    assert proposed_as_pending(report) == {"SCHEDULED"}
