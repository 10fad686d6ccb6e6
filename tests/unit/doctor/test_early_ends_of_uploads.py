"""
An uploaded file goes on after a status that ends it for tasks.

If that is a success by the connection, LIVE, and another status is the last, it is wrong: LIVE is
proposed as pending and taken out of the successes, whether the file succeeds or fails at last. If
SUCCESS comes in the middle and at last, it is wrong, too, and no setting helps; but if a status
from before the first SUCCESS comes again after it, it is *Not proved*, since a node may be behind.
If it is a failure, FAILED or ERROR, whatever comes last, it is wrong, since the service tries again
by itself; no setting helps.
"""

from __future__ import annotations

import pytest

from support.doctor_files import (
    NAME,
    NOT_PROVED,
    THREE_ADDED,
    WITH_LIVE_AS_SUCCESS,
    WRONG,
    SaidOfFiles,
    UploadCase,
    followed,
    rec,
)
from support.doctor_findings import ids
from wes_provider.doctor.file_conclusions import conclude_from_upload
from wes_provider.doctor.findings import Topic

EARLY = [
    UploadCase(
        "an own success before SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "LIVE")),
        SaidOfFiles(
            WRONG,
            "PENDING → LIVE → SUCCESS: LIVE is a stage on the way, though tasks take it for "
            "a success, so they would end too early. Name it as pending.",
            {"pending": ["LIVE"]},
        ),
        settings=WITH_LIVE_AS_SUCCESS,
    ),
    UploadCase(
        "an own success before FAILED",
        followed(rec("up", "FAILED", error="no header"), ("PENDING", "LIVE")),
        SaidOfFiles(
            WRONG,
            "PENDING → LIVE → FAILED: LIVE is a stage on the way, though tasks take it for a "
            "success, so they would end too early. Name it as pending. Then the file failed "
            "(no header): upload a good one.",
            {"pending": ["LIVE"]},
        ),
        settings=WITH_LIVE_AS_SUCCESS,
    ),
    UploadCase(
        "SUCCESS before PROCESSING and SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "SUCCESS", "PROCESSING")),
        SaidOfFiles(
            WRONG,
            "PENDING → SUCCESS → PROCESSING → SUCCESS: SUCCESS came before the end, too, as "
            "the status of a step, and tasks take the first one for a success, so they would "
            "end too early. No setting tells the two apart: ask the service's support for a "
            "status that only the whole file gets.",
        ),
    ),
    UploadCase(
        "SUCCESS before PENDING and SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "SUCCESS", "PENDING")),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS → PENDING → SUCCESS: the status goes back. One of several nodes may "
            "be behind another, or SUCCESS may be the status of a step, too, so that tasks would "
            "end too early. Ask the service's support which of the two it is.",
        ),
    ),
    UploadCase(
        "SUCCESS before PENDING, PROCESSING and SUCCESS",
        followed(
            rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "SUCCESS", "PENDING", "PROCESSING")
        ),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS → PENDING → PROCESSING → SUCCESS: the status goes back. One of "
            "several nodes may be behind another, or SUCCESS may be the status of a step, too, so "
            "that tasks would end too early. Ask the service's support which of the two it is.",
        ),
    ),
]


@pytest.mark.parametrize("row", EARLY, ids=ids(EARLY))
def test_a_success_of_tasks_that_another_status_follows_is_no_end(row: UploadCase):
    row.check(Topic.STATUSES)


NO_END = (
    "is no end, since the service tried the file again by itself, and a task fails at the first "
    "one. A clear of that task would upload the file once more, beside what the service does. No "
    "setting tells the two apart: ask the service's support for another status until its last "
    "attempt."
)
EARLY_FAILURES = [
    UploadCase(
        "FAILED before PENDING and SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "FAILED", "PENDING")),
        SaidOfFiles(WRONG, f"PENDING → FAILED → PENDING → SUCCESS: FAILED {NO_END}"),
    ),
    UploadCase(
        "FAILED before PENDING and FAILED",
        followed(rec("up", "FAILED", error="no header"), ("PENDING", "FAILED", "PENDING")),
        SaidOfFiles(WRONG, f"PENDING → FAILED → PENDING → FAILED: FAILED {NO_END}"),
    ),
    UploadCase(
        "ERROR and FAILED before SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("ERROR", "FAILED")),
        SaidOfFiles(WRONG, f"ERROR → FAILED → SUCCESS: ERROR, FAILED {NO_END}"),
    ),
]


@pytest.mark.parametrize("row", EARLY_FAILURES, ids=ids(EARLY_FAILURES))
def test_a_failure_of_tasks_that_another_status_follows_is_no_end(row: UploadCase):
    row.check(Topic.STATUSES)


def test_an_early_success_is_taken_out_of_the_successes():
    seen = followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "LIVE"))
    statuses, *_ = conclude_from_upload(WITH_LIVE_AS_SUCCESS, seen, NAME)
    assert set(statuses.settings) == {
        "coupon_file_statuses.pending",
        "coupon_file_statuses.success",
    }
    assert "LIVE" in statuses.settings["coupon_file_statuses.pending"]
    assert statuses.settings["coupon_file_statuses.success"] == ["SUCCESS"]
