"""
If the counts of a list are *sure*, a file is named whose number of coupons added is another one in a
later reply to the same request, with the same final status. It is not while it goes on, with another
status, without such a number, or if the counts are not sure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_files import LIST, LIST_PATH, SETTINGS, probe, rec
from support.doctor_findings import ids
from wes_provider.doctor.conclusions.file_conclusions import conclude_from_list
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.reads.evidence import Places, list_at


class Counts(NamedTuple):
    """A file in one list after the other, beside a file that does not change, and what is said."""

    name: str
    records: Sequence[Mapping[str, Any]]
    says: str


OTHER = rec("f2", "SUCCESS", coupons_added=7, coupons_duplicate=1)
SURE = "7 coupons added, 1 duplicate, in file f2."
ROWS = [
    Counts(
        "another number with a success",
        [rec("f1", "SUCCESS", coupons_added=5), rec("f1", "SUCCESS", coupons_added=4)],
        f"{SURE} File f1 had 5 coupons added in one reply, and 4 in a later one, both as SUCCESS: "
        "a task takes the number that it reads.",
    ),
    Counts(
        "another number with a failure",
        [rec("f1", "FAILED", coupons_added=1), rec("f1", "FAILED", coupons_added=0)],
        f"{SURE} File f1 had 1 coupon added in one reply, and 0 in a later one, both as FAILED: a "
        "task takes the number that it reads.",
    ),
    Counts("the same", 2 * [rec("f1", "SUCCESS", coupons_added=5)], SURE),
    Counts(
        "another number on its way",
        [rec("f1", "PENDING", coupons_added=1), rec("f1", "PENDING", coupons_added=2)],
        SURE,
    ),
    Counts(
        "another status",
        [rec("f1", "PENDING", coupons_added=1), rec("f1", "SUCCESS", coupons_added=2)],
        SURE,
    ),
    Counts(
        "no number at first",
        [rec("f1", "SUCCESS"), rec("f1", "SUCCESS", coupons_added=2)],
        SURE,
    ),
    Counts(
        "no number later",
        [rec("f1", "SUCCESS", coupons_added=2), rec("f1", "SUCCESS")],
        SURE,
    ),
]


def said_of_counts(*bodies: Sequence[Mapping[str, Any]]) -> str:
    """What is said of counts if one list after the other came."""
    replies = [probe(list_at(SETTINGS, LIST_PATH, LIST), body) for body in bodies]
    findings = conclude_from_list(SETTINGS, Places({LIST_PATH: replies[0]}, {}), replies)
    (finding,) = [finding for finding in findings if finding.topic is Topic.COUNTS]
    return finding.text


@pytest.mark.parametrize("row", ROWS, ids=ids(ROWS))
def test_a_file_is_named_whose_number_of_coupons_changes_after_its_end(row: Counts):
    assert said_of_counts(*([record, OTHER] for record in row.records)) == row.says


def test_no_change_is_named_of_counts_that_are_not_sure():
    """A number that all files share, whatever their status is, counts no file's coupons."""
    before = [
        rec("f1", "SUCCESS", coupons_added=5),
        rec("f2", "FAILED", coupons_added=5),
        rec("f3", "PENDING", coupons_added=5),
    ]
    after = [{**record, "coupons_added": 6} for record in before]
    said = said_of_counts(before, after)
    assert said.startswith("coupons_added is 5 in each of 3 files")
    assert "later" not in said
