"""
What files say against the names of counts that the connection has: a name of coupons that were left
out, or of all that a file had; a sum of numbers in each file, of which some were left out and some
not; a known name with another number beside it; a name of coupons added for the duplicates. Nothing
speaks against a name that no file has, against the only number, against a sum of coupons that were
all added, and against one of several numbers that the doctor itself asks for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest

from support.doctor_service import LIST, Account, about, examined_account
from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.records.own_counts import contradiction_of
from wes_provider.models import CouponFile


class Case(NamedTuple):
    """The numbers of some files, the connection's names, and what speaks against these."""

    name: str
    files: Sequence[Mapping[str, int]]
    given: CountNames
    says: str = ""


ROWS = [
    {"rows": 5000, "inserted": 4877, "duplicates": 120, "invalid": 3},
    {"rows": 2500, "inserted": 0, "duplicates": 2500, "invalid": 0},
]
RECEIVED = [
    {"coupons_received": 800, "coupons_added": 800, "coupons_duplicate": 0},
    {"coupons_received": 120, "coupons_added": 100, "coupons_duplicate": 20},
]
CASES = [
    Case(
        "a sum of three",
        ROWS,
        CountNames("rows"),
        "is rows, but that is the sum of inserted, duplicates and invalid in each file.",
    ),
    Case(
        "a sum of a known name and duplicates",
        RECEIVED,
        CountNames("coupons_received"),
        "is the sum of coupons_added and coupons_duplicate in each file.",
    ),
    Case(
        "a sum in another language",
        [{"gelesen": 9, "neu": 7, "doppelt": 2}],
        CountNames("gelesen"),
        "is the sum of neu and doppelt in each file.",
    ),
    Case(
        "duplicates",
        RECEIVED,
        CountNames("coupons_duplicate", "coupons_added"),
        "is coupons_duplicate, but that is a number of coupons that were not added",
    ),
    Case("rejects", [{"rejected": 3, "ok": 4}], CountNames("rejected"), "that were not added"),
    Case("skipped ones", [{"skipped": 3, "ok": 4}], CountNames("skipped"), "that were not added"),
    Case(
        "a known name beside another number",
        [{"distributed": 9, "coupons_added": 7}],
        CountNames("distributed"),
        "is distributed, but coupons_added is 7 in file f0, which has 9 there.",
    ),
    Case("all that was read", [{"rows": 9}], CountNames("rows"), "of all that a file had"),
    Case("a total", [{"total": 9}], CountNames("total"), "of all that a file had"),
    Case(
        "duplicates that are coupons added",
        [{"ok": 9, "imported_new": 9}],
        CountNames("ok", "imported_new"),
        "coupon_file_counts.duplicates is imported_new, but that is a number of coupons added",
    ),
    Case("no name", ROWS, CountNames()),
    Case("the right names", ROWS, CountNames("inserted", "duplicates")),
    Case("the only number", [{"stored": 9}], CountNames("stored")),
    Case("a name that no file has", RECEIVED, CountNames("gone", "gone")),
    Case("a sum of what was added", [{"ok": 9, "text": 7, "qr": 2}], CountNames("ok")),
    Case(
        "a sum in one file only",
        [{"ok": 9, "a": 7, "dup": 2}, {"ok": 9, "a": 7, "dup": 3}],
        CountNames("ok"),
    ),
    Case(
        "a known name with the same number",
        [{"live": 9, "coupons_added": 9}],
        CountNames("live"),
    ),
    Case(
        "one of two that may count",
        [{"activated": 0, "coupons_added": 9}, {"activated": 5, "coupons_added": 9}],
        CountNames("activated"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_files_contradict_names_of_counts_that_are_of_something_else(case: Case):
    files = [
        CouponFile(id=f"f{number}", status="COMPLETED", counts=dict(counts))
        for number, counts in enumerate(case.files)
    ]
    says = contradiction_of(files, case.given, Statuses())
    assert case.says in says
    assert bool(says) == bool(case.says)


class Proposal(NamedTuple):
    """The connection's names of counts, and those that are proposed instead, if any."""

    name: str
    files: Sequence[Mapping[str, int]]
    given: Mapping[str, str]
    proposed: Mapping[str, str]


PROPOSALS = [
    Proposal(
        "a total of rows",
        ROWS,
        {"added": "rows", "duplicates": "duplicates"},
        {
            "coupon_file_counts.added": "inserted",
            "coupon_file_counts.duplicates": "duplicates",
        },
    ),
    Proposal(
        "crossed names",
        RECEIVED,
        {"added": "coupons_duplicate", "duplicates": "coupons_added"},
        {
            "coupon_file_counts.added": "coupons_added",
            "coupon_file_counts.duplicates": "coupons_duplicate",
        },
    ),
    Proposal("a total, and nothing else", [{"total": 9}], {"added": "total"}, {}),
]


@pytest.mark.parametrize("row", PROPOSALS, ids=[row.name for row in PROPOSALS])
def test_other_names_are_proposed_if_files_have_them(row: Proposal):
    records = [
        {"_id": f"f{number}", "status": "COMPLETED", "coupons_list_id": LIST, **counts}
        for number, counts in enumerate(row.files)
    ]
    report = examined_account(Account(records=records), extra={"coupon_file_counts": row.given})
    finding = about(report, Topic.COUNTS)
    assert finding.certainty is Certainty.NOT_PROVED
    assert finding.guesses == row.proposed
