"""
A list with a record for each state of a file is no list of so many files: the report says how many
records of how many files it has, and how a file stands there. Tasks take those records for one
file, so the account is *Ready*. If its records have several URLs, it is *Not proved*, about the path
of the list: a task may take them for several files.
"""

from __future__ import annotations

from typing import Any

from support.doctor_service import (
    Account,
    about,
    check_what_holds_of_each_report,
    examined_account,
    record,
)
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.report import Report, State


def state(file_id: str, status: str, **more: Any) -> dict[str, Any]:
    """A record of a file on its way, or of one that failed."""
    return record(file_id, status, **{"coupons_added": 0, **more})


def examined_history(*records: dict[str, Any]) -> Report:
    """Examine an account whose list has these records, and one file's path the last of each."""
    last_of_each = {entry["_id"]: entry for entry in records}
    account = Account(
        records=list(last_of_each.values()), list_body=lambda _: [*records], list_headers={}
    )
    report = examined_account(account)
    check_what_holds_of_each_report(report)
    return report


def test_a_history_is_told_by_its_records_and_files():
    report = examined_history(
        state("f2", "PENDING"),
        state("f2", "PROCESSING"),
        record("f2"),
        state("f1", "PENDING"),
        state("f1", "FAILED", error="no header"),
    )
    assert report.works
    assert about(report, Topic.LIST_PATH).text == (
        "It has 5 records of 2 files. It has f2 as PENDING, PROCESSING and SUCCESS; tasks take "
        "those for one file."
    )
    assert about(report, Topic.STATUSES).text == (
        "FAILED, PENDING, PROCESSING, SUCCESS in the list, which the provider knows."
    )


def test_a_history_with_several_urls_of_a_file_is_not_proved():
    report = examined_history(
        state("f1", "PENDING", file_url="https://files.example.com/a.csv"),
        record("f1", file_url="https://cdn.example.com/a.csv"),
    )
    assert report.state is State.NOT_PROVED
    assert report.verdict.startswith(
        "Not proved: Path of the list's files. It has 2 records of 1 file. Records of file f1 have "
        "one name, and several URLs."
    )
    assert "asks a person" in report.verdict
