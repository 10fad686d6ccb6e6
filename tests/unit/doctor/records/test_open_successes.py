"""
A known success is open if all of its files have added nothing, files of another status have, and a
property that says when or by whom a file took effect is missing in all of the former and there in
all of the latter, or valid rows are left. It is none if duplicates or a reason explain the 0, if
another file of the status has coupons, if no other file has any or these failed, and if the property
says nothing of an effect. The row of a list proposes such a status as pending; that of an upload
proposes nothing, and no second upload.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_files import LIST_PATH, followed, probe, rec
from support.doctor_replies import SETTINGS
from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.doctor.conclusions.file_conclusions import (
    conclude_from_list,
    conclude_from_upload,
)
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads.evidence import Places, list_at
from wes_provider.doctor.records.open_successes import open_success
from wes_provider.doctor.replies.files import file_of

Record = Mapping[str, Any]


class Case(NamedTuple):
    """Records of files, and what is said of the success that is open; empty for none."""

    name: str
    records: Sequence[Record]
    says: str = ""


def none_added(file_id: str, **more: Any) -> Record:
    return rec(file_id, "PROCESSED", coupons_added=0, coupons_duplicate=0, **more)


def done(file_id: str, status: str = "COMPLETED", **more: Any) -> Record:
    return rec(file_id, status, coupons_added=7, coupons_duplicate=0, **more)


UNLIKE = "has added no coupon, unlike those with COMPLETED, and"
APPROVED = [
    none_added("f1", approved_at=None),
    none_added("f2", approved_at=None),
    done("f3", approved_at="2026-11-01T00:00:00Z"),
    done("f4", approved_at="2026-11-02T00:00:00Z"),
]
CASES = [
    Case(
        "an approval that is null",
        APPROVED,
        "PROCESSED is a success for tasks, but none of its 2 files has added a coupon, unlike "
        "those with COMPLETED, and approved_at is null: it may wait for a person",
    ),
    Case(
        "one that is not there",
        [none_added("f1", activated_at=""), done("f2", activated_at="2026-11-01")],
        f"{UNLIKE} activated_at is empty: it may be a stage on the way",
    ),
    Case(
        "nested, and false",
        [none_added("f1", review={"released": False}), done("f2", review={"released": True})],
        f"{UNLIKE} review.released is false: it may wait for a person",
    ),
    Case(
        "not in effect",
        [none_added("f1", live=False), done("f2", live=True)],
        f"{UNLIKE} live is false: it may be a stage on the way",
    ),
    Case(
        "valid rows that are left",
        [none_added("f1", rows_valid=900), done("f2", rows_valid=7)],
        f"{UNLIKE} rows_valid is 900: it may be a stage on the way",
    ),
    Case(
        "a status that the provider does not know",
        [none_added("f1", published_at=None), done("f2", "ACTIVE", published_at="2026-11-01")],
        "unlike those with ACTIVE, and published_at is null",
    ),
    Case(
        "an approval, and all are duplicates",
        [
            rec("f1", "PROCESSED", coupons_added=0, coupons_duplicate=9, approved_at=None),
            done("f2", approved_at="2026-11-01"),
        ],
    ),
    Case(
        "valid rows, all of them duplicates",
        [
            rec("f1", "PROCESSED", coupons_added=0, coupons_duplicate=9, rows_valid=9),
            done("f2", rows_valid=7),
        ],
    ),
    Case(
        "a reason",
        [none_added("f1", approved_at=None, error="no header"), done("f2", approved_at="x")],
    ),
    Case("nothing else", [none_added("f1"), done("f2")]),
    Case("no other file", APPROVED[:2]),
    Case("others that failed", [none_added("f1", live=False), done("f2", "FAILED", live=True)]),
    Case(
        "another file of it that has coupons",
        [*APPROVED, done("f5", "PROCESSED", approved_at=None)],
    ),
    Case(
        "one of the others without the property, too",
        [*APPROVED, done("f5", approved_at=None)],
    ),
    Case(
        "a property of something else",
        [none_added("f1", comment=None), done("f2", comment="fine")],
    ),
    Case(
        "when it was deactivated",
        [none_added("f1", deactivated_at=None), done("f2", deactivated_at="2026-11-01")],
    ),
    Case("invalid rows", [none_added("f1", rows_invalid=3), done("f2", rows_invalid=1)]),
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_known_success_is_open_if_only_its_files_added_nothing_and_more_is_to_come(case: Case):
    files = [file for file in map(file_of, case.records) if file is not None]
    found = open_success(files, Statuses(), CountNames())
    assert bool(found) == bool(case.says)
    assert case.says in str(found)


def statuses_in(findings: Sequence[Finding]) -> Finding:
    """The finding on statuses."""
    return next(finding for finding in findings if finding.topic is Topic.STATUSES)


def test_a_list_with_an_open_success_proposes_it_as_pending():
    lists = {LIST_PATH: probe(list_at(SETTINGS, LIST_PATH, "spring"), APPROVED)}
    finding = statuses_in(conclude_from_list(SETTINGS, Places(lists, {})))
    assert finding.certainty is Certainty.NOT_PROVED
    assert "PROCESSED has to be named as pending." in finding.text
    assert finding.settings == {}
    assert "PROCESSED" in finding.guesses["coupon_file_statuses.pending"]
    assert "PROCESSED" not in finding.guesses["coupon_file_statuses.success"]


def test_an_upload_with_an_open_success_is_not_to_be_sent_again():
    upload = followed(APPROVED[0], others=APPROVED[2:])
    finding = statuses_in(conclude_from_upload(SETTINGS, upload, "new.csv"))
    assert finding.certainty is Certainty.NOT_PROVED
    assert (
        "its only file has added no coupon, unlike those with COMPLETED, and approved_at is null: "
        "it may wait for a person. Do not upload it again"
    ) in finding.text
    assert "Upload new coupons" not in finding.text
    assert finding.settings == finding.guesses == {}
