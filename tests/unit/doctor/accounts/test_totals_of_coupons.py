"""
A total beside a list's files that is above their number. The provider takes it for the number of
files if its name consists of words such as *total*, *count*, *found*, *matched* and *files*, so the
path of the list is *not proved*. If it is the sum of one of the files' counts, and the reply names no next page, the report
says that it may count coupons; otherwise, that the list has a part of its files. A total of another
name, such as ``total_coupons``, is ignored, and the path is *sure*.
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
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic

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


def finding_on(files: list[dict[str, Any]], beside: dict[str, Any]) -> Finding:
    """What is said of the path of a list with these files, and this beside them."""
    account = Account(records=files, list_body=lambda records: {"data": records, **beside})
    report = examined_account(account)
    check_what_holds_of_each_report(report)
    return about(report, Topic.LIST_PATH)


OF_COUPONS = [
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
    *(
        Total(name, FILES, {name: 12000}, "a total of 12000, which is the sum of their ")
        for name in ("count", "total_count", "found", "matched")
    ),
]


@pytest.mark.parametrize("row", OF_COUPONS, ids=ids(OF_COUPONS))
def test_a_total_that_is_the_sum_of_a_count_may_count_coupons_and_the_path_is_not_proved(
    row: Total,
):
    finding = finding_on(row.files, row.beside)
    assert row.says in finding.text
    assert finding.certainty is Certainty.NOT_PROVED


OF_FILES = [
    Total("one less than the sum", FILES, {"total": 11999}, "2 of 11999 files"),
    Total("the sum, and a next page", FILES, {"total": 12000, "next": "/2"}, "2 of 12000 files"),
]


@pytest.mark.parametrize("row", OF_FILES, ids=ids(OF_FILES))
def test_any_other_total_says_that_the_list_is_a_part_and_the_path_is_not_proved(row: Total):
    finding = finding_on(row.files, row.beside)
    assert f"a part of the list only: {row.says}" in finding.text
    assert finding.certainty is Certainty.NOT_PROVED


IGNORED: dict[str, dict[str, Any]] = {
    "total_coupons": {"total_coupons": 12000},
    "coupons_total": {"coupons_total": 12000},
    "sum": {"sum": 12000},
    "coupons in an object of totals": {"totals": {"coupons": 12000}},
}


@pytest.mark.parametrize("beside", IGNORED.values(), ids=IGNORED)
def test_a_total_of_another_name_is_ignored_and_the_path_is_sure(beside: dict[str, Any]):
    finding = finding_on(FILES, beside)
    assert finding.text == "It has 2 files."
    assert finding.certainty is Certainty.SURE
