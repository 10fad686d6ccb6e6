"""
After an upload, the file's status is read until it has ended, or the time is over, and the finding
about Statuses says what the end means. A known success is *sure*, with coupons, duplicates or no
counts, but *not proved* if it lasts and no coupon was added. An unknown status that lasts and has
coupons added is *wrong*, as it means success and tasks do not know it; if its name is that of a
stage, such as STAGED, it is *not proved*. A known failure, and no end within the time, are *not
proved*. A success whose counts change in a later read comes too early for tasks: *not proved*. Only
a *sure* end leaves the account ready. The reads are fewer than 40 in a few seconds, even if a count
grows all the time. Progress repeats no line, and says until what hour an unknown status has to
last.
"""

from __future__ import annotations

import re

import pytest

from support.doctor_followed import (
    ADDED,
    NOTHING,
    ON_THE_WAY,
    End,
    FollowedAccount,
)
from support.doctor_service import OLD_LIST, about
from wes_provider.doctor.findings.finding import Certainty, Topic

MOST_READS_OF_A_FEW_SECONDS = 40
GROWING = tuple((0.1 + step / 5, "IMPORTED", {"coupons_added": step}) for step in range(12))
ENDS = [
    End(
        "a known success with coupons added",
        ((0.3, "SUCCESS", ADDED),),
        Certainty.SURE,
        "PENDING → SUCCESS, which means success.",
    ),
    End(
        "a known success with duplicates only",
        ((0.3, "SUCCESS", {"coupons_added": 0, "coupons_duplicate": 5}),),
        Certainty.SURE,
        "PENDING → SUCCESS",
    ),
    End(
        "a known success without counts",
        ((0.3, "SUCCESS", NOTHING),),
        Certainty.SURE,
        "PENDING → SUCCESS, which means success.",
    ),
    End(
        "a known success with no coupon",
        ((0.3, "SUCCESS", {"coupons_added": 0}),),
        Certainty.NOT_PROVED,
        "PENDING → SUCCESS: SUCCESS means success, and lasted, but no coupon was added.",
    ),
    End(
        "an unknown success with coupons added",
        ((0.3, "IMPORTED", ADDED),),
        Certainty.WRONG,
        "PENDING → IMPORTED: IMPORTED means success (coupons",
    ),
    End(
        "the name of a stage with coupons added",
        ((0.3, "STAGED", {"coupons_added": 6}),),
        Certainty.NOT_PROVED,
        "PENDING → STAGED, which lasted and may mean pending: the name",
    ),
    End(
        "a known failure",
        ((0.3, "FAILED", {"error": "late"}),),
        Certainty.NOT_PROVED,
        "FAILED: the file failed (late).",
    ),
    End(
        "a failure after a count that grew",
        (*GROWING, (2.5, "FAILED", NOTHING)),
        Certainty.NOT_PROVED,
        "FAILED: the file failed",
    ),
    End(
        "no end",
        (),
        Certainty.NOT_PROVED,
        "The end of the file was not seen: Not processed within",
        timeout=1.5,
    ),
]


@pytest.mark.parametrize("row", ENDS, ids=[row.name for row in ENDS])
def test_an_end_means_what_its_status_and_its_counts_show(row: End):
    account = FollowedAccount([ON_THE_WAY, *row.stages])
    report = account.examine(timeout=row.timeout)
    statuses = about(report, Topic.STATUSES)
    assert statuses.certainty is row.certainty, report.to_json()
    assert statuses.text.startswith(row.says)
    assert report.works is (row.certainty is Certainty.SURE)


# A failure after a count that grew, and no end.
LONGEST = ENDS[-2:]


@pytest.mark.parametrize("row", LONGEST, ids=[row.name for row in LONGEST])
def test_a_file_is_followed_with_few_reads(row: End):
    account = FollowedAccount([ON_THE_WAY, *row.stages])
    account.examine(timeout=row.timeout)
    assert len(account.reads) < MOST_READS_OF_A_FEW_SECONDS


def steps_of_unknown_status() -> list[str]:
    """Return the lines of progress while a file gets a status that nobody knows."""
    steps: list[str] = []
    FollowedAccount([ON_THE_WAY, (0.3, "IMPORTED", {"coupons_added": 5})]).examine(
        on_step=steps.append
    )
    return steps[steps.index(f"Upload https://files.example.com/a.csv to the list {OLD_LIST}") :]


def test_progress_repeats_nothing():
    steps = steps_of_unknown_status()
    assert len(steps) == len(set(steps))


def test_progress_says_until_when_an_unknown_status_is_watched():
    (step,) = [step for step in steps_of_unknown_status() if "IMPORTED" in step]
    assert re.search(
        r"IMPORTED, which is not known: it counts as final if it lasts until \d\d:\d\d:\d\d UTC$",
        step,
    )


def test_a_success_that_counts_follow_comes_too_early_for_tasks():
    first, later = {"coupons_added": 0, "poll_number": 1}, {"coupons_added": 9, "poll_number": 2}
    stages = [ON_THE_WAY, (0.2, "COMPLETED", first), (1.3, "COMPLETED", later)]
    report = FollowedAccount(stages).examine(timeout=5.0, final_after=2.0)
    statuses = about(report, Topic.STATUSES)
    assert statuses.text.startswith(
        "PENDING → COMPLETED, which is success for tasks, but the file went on after that "
        "(coupons_added 0, then 9): a task would end too early."
    )
    assert statuses.certainty is Certainty.NOT_PROVED
