"""
An uploaded file whose status was one that tasks take for a success, and then another one. If a status from
before it comes again, the status goes back, and Statuses are *not proved*: one of several nodes may be
behind, or the success may be that of a step. If none comes again and no other success would be left, they
are *not proved*, too, with the status that is to be asked for. Nothing is proposed in either case.
"""

from __future__ import annotations

import msgspec
import pytest

from support.doctor_files import (
    NOT_PROVED,
    SETTINGS,
    THREE_ADDED,
    WITH_LIVE_AS_SUCCESS,
    SaidOfFiles,
    UploadCase,
    followed,
    rec,
)
from support.doctor_findings import ids
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.findings.finding import Topic

WITH_SUCCESS_ALONE = msgspec.structs.replace(
    SETTINGS, statuses=Statuses(success=frozenset({"SUCCESS"}))
)
WHICH = "Ask the service's support which of the two it is."
BACK = "the status goes back. One of several nodes may be behind another, or "
STEP = "may be the status of a step, too, so that tasks would end too early."
CASES = [
    UploadCase(
        "PENDING again after SUCCESS, then FAILED",
        followed(rec("up", "FAILED", error="no header"), ("PENDING", "SUCCESS", "PENDING")),
        SaidOfFiles(
            NOT_PROVED,
            f"PENDING → SUCCESS → PENDING → FAILED: {BACK}SUCCESS {STEP} {WHICH}",
        ),
    ),
    UploadCase(
        "PENDING again after an own success, then SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "LIVE", "PENDING")),
        SaidOfFiles(NOT_PROVED, f"PENDING → LIVE → PENDING → SUCCESS: {BACK}LIVE {STEP} {WHICH}"),
        settings=WITH_LIVE_AS_SUCCESS,
    ),
    UploadCase(
        "FAILED after the only success of the connection",
        followed(rec("up", "FAILED", error="no header"), ("PENDING", "SUCCESS")),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS → FAILED: SUCCESS is a stage on the way, though tasks take it for a "
            "success, so they would end too early. No other success is known: ask the service's "
            "support which status says that all of a file is in, and name it as success. Then the "
            "file failed (no header): upload a good one.",
        ),
        settings=WITH_SUCCESS_ALONE,
    ),
]


@pytest.mark.parametrize("row", CASES, ids=ids(CASES))
def test_no_status_is_proposed_that_goes_back_or_would_leave_no_success(row: UploadCase):
    row.check(Topic.STATUSES)
