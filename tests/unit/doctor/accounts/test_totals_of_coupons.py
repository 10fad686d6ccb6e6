"""
A total beside a list's files that is above their number. The provider takes it for the number of files, so
the path of the list is *not proved*. If it is the sum of one of the files' counts, and the reply names no
next page, the report says that it may count coupons; otherwise, that the list has a part of its files.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    Account,
    about,
    check_what_holds_of_each_report,
    examined_account,
    record,
)
from wes_provider.doctor.findings.finding import Certainty, Topic

FILES = [record("f1", coupons_added=5000), record("f2", coupons_added=7000)]
DUPLICATES = [
    record("f1", coupons_added=1, coupons_duplicate=4),
    record("f2", coupons_added=2, coupons_duplicate=5),
]


class Total(NamedTuple):
    """A list's files, what its body has besides, and what is said of the total."""

    name: str
    files: list[dict[str, Any]]
    beside: dict[str, Any]
    says: str


TOTALS = [
    Total(
        "the sum of coupons added",
        FILES,
        {"total": 12000},
        "has 2 files, and a total of 12000, which is the sum of their coupons_added: it may count "
        "coupons. The provider takes it for the number of files, so tasks take the list for a part; "
        "limit=1000 does not show all. Ask the service's support whether the list has more files, "
        "or else to leave that number out.",
    ),
    Total(
        "the count of the only file",
        FILES[:1],
        {"meta": {"count": 5000}},
        "has 1 file, and a total of 5000, which is the sum of their coupons_added: ",
    ),
    Total(
        "the sum of duplicates",
        DUPLICATES,
        {"total": 9},
        "a total of 9, which is the sum of their coupons_duplicate: ",
    ),
    Total("one less than the sum", FILES, {"total": 11999}, "a part of the list only: 2 of 11999"),
    Total(
        "the sum, and a next page",
        FILES,
        {"total": 12000, "next": "/2"},
        "a part of the list only: 2 of 12000 files",
    ),
]


@pytest.mark.parametrize("row", TOTALS, ids=ids(TOTALS))
def test_a_total_may_count_coupons_if_it_is_the_sum_of_a_count_and_no_next_page_is_named(
    row: Total,
):
    account = Account(records=row.files, list_body=lambda files: {"data": files, **row.beside})
    report = examined_account(account)
    check_what_holds_of_each_report(report)
    finding = about(report, Topic.LIST_PATH)
    assert finding.certainty is Certainty.NOT_PROVED
    assert row.says in finding.text
