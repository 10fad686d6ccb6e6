"""
A known success that has no coupon yet, or says that it is one of several steps (stage_no 1 of
stages 3), has to last. If the file goes on within that time, and ends with the same status,
Statuses is *wrong*, and nothing is proposed. If it lasts and its record still says "1 of 2",
Statuses is *not proved*. If it has no counts, and files of another status have, it has to last,
too; if the file goes on to that status, that one is proposed as success, and the first one no
longer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_service import (
    about,
    record,
)
from support.doctor_uploads import Uploads
from wes_provider.doctor.findings.finding import Certainty, Topic

SURE, WRONG, NOT_PROVED = Certainty.SURE, Certainty.WRONG, Certainty.NOT_PROVED


class Step(NamedTuple):
    """What a file has from 0.3 s until it goes on, and a part of what is said of it."""

    name: str
    early: Mapping[str, Any]
    says: str


STEPS = [
    Step(
        "no coupon yet",
        record("up", "PROCESSED", coupons_added=0),
        "PROCESSED came before the end, too, as the status of a step",
    ),
    Step(
        "a step of three",
        record("up", "PROCESSED", stage_no=1, stages=3),
        "PROCESSED came before the end, too, as the status of a step",
    ),
]


@pytest.mark.parametrize("row", STEPS, ids=[row.name for row in STEPS])
def test_a_success_without_coupons_or_at_one_of_several_steps_is_followed_until_it_has_lasted(
    row: Step,
):
    stages = (
        (0, record("up", "PENDING")),
        (0.3, row.early),
        (1.5, record("up", "PROCESSING", coupons_added=0)),
        (2.5, record("up", "PROCESSED")),
    )
    report = Uploads(stages=stages).examine(final_after=2.0)

    statuses = about(report, Topic.STATUSES)
    assert statuses.certainty is WRONG
    assert statuses.text.startswith("PENDING → PROCESSED → PROCESSING → PROCESSED: ")
    assert row.says in statuses.text
    assert not report.changed


def test_a_success_whose_record_says_that_it_is_one_of_several_steps_is_not_proved():
    stages = ((0, record("up", "PENDING")), (0.3, record("up", "PROCESSED", step="1 of 2")))
    report = Uploads(stages=stages).examine(final_after=0.5)

    statuses = about(report, Topic.STATUSES)
    assert statuses.certainty is NOT_PROVED
    assert "PROCESSED means success, and lasted, but step is 1 of 2." in statuses.text
    assert "Ask the service's support what becomes of such a file." in statuses.text


def test_a_known_success_without_counts_is_followed_if_files_of_another_status_have_counts():
    stages = (
        (0, record("up", "PENDING", coupons_added=None)),
        (0.3, record("up", "PROCESSED", coupons_added=None)),
        (1.5, record("up", "ACTIVE")),
    )
    others = [record("f1", "ACTIVE"), record("f2", "ACTIVE")]
    report = Uploads(stages=stages, others=others).examine(final_after=2.0)

    assert report.verdict.startswith("Not ready: Statuses. PENDING → PROCESSED → ACTIVE: PROCESSED")
    success = report.changed["coupon_file_statuses.success"].value
    assert "ACTIVE" in success
    assert "PROCESSED" not in success
