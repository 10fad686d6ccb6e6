"""
An uploaded file goes on after a status that ends it for tasks.

If that is a success of the connection, LIVE, and the last status is another, it is *wrong*: the
early one is proposed as pending and taken out of the successes, whether the file succeeds or
fails at last. If the usual SUCCESS comes before FAILED, it is *not proved*, and nothing is
proposed, since other files may end with it. If SUCCESS comes before the end and at the end, it is
*wrong*, too, and no setting helps; but if a status from before the first SUCCESS comes again
between the two, it is *not proved*, since a node may be behind. If it is a failure, FAILED or
ERROR, it is *wrong*, whatever comes last, since the service tries again by itself; no setting
helps.
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
from wes_provider.doctor.conclusions.file_conclusions import conclude_from_upload
from wes_provider.doctor.findings.finding import Topic

PENDING_FROM_NOW_ON = (
    "is a stage on the way, though tasks take it for a success, so they would end too early. Name "
    "it as pending."
)
FAILED_AT_LAST = f"{PENDING_FROM_NOW_ON} Then the file failed (no header): upload a good one."
EARLY = [
    UploadCase(
        "LIVE of the connection, then SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "LIVE")),
        SaidOfFiles(
            WRONG,
            f"PENDING → LIVE → SUCCESS: LIVE {PENDING_FROM_NOW_ON}",
            new={"pending": ["LIVE"]},
        ),
        settings=WITH_LIVE_AS_SUCCESS,
    ),
    UploadCase(
        "LIVE of the connection, then FAILED",
        followed(rec("up", "FAILED", error="no header"), ("PENDING", "LIVE")),
        SaidOfFiles(
            WRONG,
            f"PENDING → LIVE → FAILED: LIVE {FAILED_AT_LAST}",
            new={"pending": ["LIVE"]},
        ),
        settings=WITH_LIVE_AS_SUCCESS,
    ),
]


@pytest.mark.parametrize("row", EARLY, ids=ids(EARLY))
def test_a_success_of_tasks_with_another_last_status_is_no_end_and_proposed_as_pending(
    row: UploadCase,
):
    row.check(Topic.STATUSES)


@pytest.mark.parametrize("row", EARLY, ids=ids(EARLY))
def test_a_success_of_tasks_with_another_last_status_is_taken_out_of_the_successes(
    row: UploadCase,
):
    statuses, *_ = conclude_from_upload(row.settings, row.followed, NAME)
    (early,) = row.said.new["pending"]
    assert set(statuses.settings) == {
        "coupon_file_statuses.pending",
        "coupon_file_statuses.success",
    }
    assert early in statuses.settings["coupon_file_statuses.pending"]
    assert statuses.settings["coupon_file_statuses.success"] == sorted(
        row.settings.statuses.success - {early}
    )


def test_nothing_is_proposed_if_the_usual_success_comes_before_a_failure():
    row = UploadCase(
        "SUCCESS, then FAILED",
        followed(rec("up", "FAILED", error="no header"), ("PENDING", "SUCCESS")),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS → FAILED: tasks take SUCCESS for a success, and would end before "
            "the failure. Ask the service's support whether it is a stage on the way, and which "
            "status says that all of a file is in. Then the file failed (no header): upload a "
            "good one.",
        ),
    )
    row.check(Topic.STATUSES)


def test_a_new_status_between_two_of_success_shows_that_the_first_is_no_end():
    """No setting helps."""
    row = UploadCase(
        "PENDING, SUCCESS, a new status, SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "SUCCESS", "PROCESSING")),
        SaidOfFiles(
            WRONG,
            "PENDING → SUCCESS → PROCESSING → SUCCESS: SUCCESS came before the end, too, as "
            "the status of a step, and tasks take the first one for a success, so they would "
            "end too early. No setting tells the two apart: ask the service's support for a "
            "status that only the whole file gets.",
        ),
    )
    row.check(Topic.STATUSES)


EITHER = (
    "the status goes back. One of several nodes may be behind another, or SUCCESS may be the status "
    "of a step, too, so that tasks would end too early. Ask the service's support which of the two "
    "it is."
)
GOES_BACK = [
    UploadCase(
        "PENDING again after SUCCESS, then SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "SUCCESS", "PENDING")),
        SaidOfFiles(NOT_PROVED, f"PENDING → SUCCESS → PENDING → SUCCESS: {EITHER}"),
    ),
    UploadCase(
        "PENDING again after SUCCESS, then a new status and SUCCESS",
        followed(
            rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "SUCCESS", "PENDING", "PROCESSING")
        ),
        SaidOfFiles(NOT_PROVED, f"PENDING → SUCCESS → PENDING → PROCESSING → SUCCESS: {EITHER}"),
    ),
]


@pytest.mark.parametrize("row", GOES_BACK, ids=ids(GOES_BACK))
def test_a_status_from_before_success_that_comes_again_leaves_open_whether_success_is_an_end(
    row: UploadCase,
):
    row.check(Topic.STATUSES)


NO_END = (
    "is no end, since the service tried the file again by itself, and a task fails at the first "
    "one. A clear of that task would upload the file once more, beside what the service does. No "
    "setting tells the two apart: ask the service's support for another status until its last "
    "attempt."
)
EARLY_FAILURES = [
    UploadCase(
        "FAILED, PENDING again, then SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "FAILED", "PENDING")),
        SaidOfFiles(WRONG, f"PENDING → FAILED → PENDING → SUCCESS: FAILED {NO_END}"),
    ),
    UploadCase(
        "FAILED, PENDING again, then FAILED",
        followed(rec("up", "FAILED", error="no header"), ("PENDING", "FAILED", "PENDING")),
        SaidOfFiles(WRONG, f"PENDING → FAILED → PENDING → FAILED: FAILED {NO_END}"),
    ),
    UploadCase(
        "ERROR, FAILED, then SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("ERROR", "FAILED")),
        SaidOfFiles(WRONG, f"ERROR → FAILED → SUCCESS: ERROR, FAILED {NO_END}"),
    ),
]


@pytest.mark.parametrize("row", EARLY_FAILURES, ids=ids(EARLY_FAILURES))
def test_a_failure_of_tasks_that_another_status_follows_is_no_end(row: UploadCase):
    row.check(Topic.STATUSES)
