"""
Files whose counts and statuses have names that are not usual. Counts are said of the last file that
succeeded and added coupons; a name for them is proposed if none of the usual ones is there; what an
unknown status seems to mean is said with the file that shows it. Nothing is uploaded if files have no
identifier, or a status that is no string.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    LIST,
    Account,
    about,
    check_says,
    check_what_holds_of_each_report,
    examined_account,
    record,
)
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report

NEW_FILE = "https://files.example.com/new.csv"


def german(name: str, status: str, added: int, **more: Any) -> dict[str, Any]:
    counts = {"hinzugefügt": added, "doppelt": 2}
    return {"_id": name, "status": status, "coupons_list_id": LIST, **counts, **more}


class Files(NamedTuple):
    """A list's files, and what is said of their counts and statuses."""

    name: str
    records: tuple[Mapping[str, Any], ...]
    counts: tuple[str, ...]
    statuses: tuple[str, ...] = ()
    added: str = ""


FAILED = record("f9", "FAILED", coupons_added=0)
FILES = [
    Files(
        "names of another language",
        (german("a", "VERARBEITET", 500), german("b", "WEG", 0, grund="Spalte fehlt")),
        (
            "500 coupons added, 2 duplicates, under hinzugefügt and doppelt, in file a.",
            "confirm it",
        ),
        ("VERARBEITET seems to mean success (file a: hinzugefügt is 500, but VERARBEITET may",),
        "hinzugefügt",
    ),
    Files(
        "a reason under a name of another language",
        (german("b", "WEG", 0, grund="Spalte fehlt"), german("a", "VERARBEITET", 500)),
        ("500 coupons added",),
        ("WEG seems to mean failure (file b: the service names 'grund: Spalte fehlt', and hinzu",),
        "hinzugefügt",
    ),
    Files(
        "a failure by its name that added coupons",
        (record("f1"), record("f2", "ACTIVE_WITH_ERRORS", coupons_added=61, rejected=41)),
        ("5 coupons added",),
        (
            "ACTIVE_WITH_ERRORS is partial (file f2: 61 coupons added, but rejected is 41): "
            "decide whether your tasks should accept it. Name it in coupon_file_statuses as you",
        ),
    ),
    Files(
        "part of a file, with a reason",
        (record("f1"), record("f2", "HALF", reason="2 lines are empty")),
        ("5 coupons added",),
        ("HALF is partial (file f2: 5 coupons added, but the service names '2 lines are empty')",),
    ),
    Files(
        "part of one file, and nothing of another",
        (
            record("f1"),
            record("f2", "DONE_WITH_ERRORS", coupons_added=0, rejected=9),
            record("f3", "DONE_WITH_ERRORS", rejected=9),
        ),
        ("5 coupons added",),
        ("DONE_WITH_ERRORS is partial (file f3: 5 coupons added, but rejected is 9)",),
    ),
    Files(
        "no count that is one of duplicates",
        ({"_id": "a", "status": "DONE", "added": 3, "known": 1, "coupons_list_id": LIST},),
        (
            "3 coupons added, in file a; no count of duplicates is known. If a number counts duplicates",
        ),
    ),
    Files(
        "two files that succeeded, with different counts",
        (record("f1", coupons_added=9), record("f2", coupons_added=4)),
        ("4 coupons added, 0 duplicates, in file f2.",),
    ),
    Files(
        "a name in English that is not usual",
        ({"_id": "a", "status": "DONE", "loaded": 3, "coupons_list_id": LIST},),
        ("3 coupons added, under loaded, in file a",),
        (),
        "loaded",
    ),
    Files(
        "the failed file last",
        (record("f1"), FAILED),
        ("5 coupons added, 0 duplicates, in file f1.",),
    ),
    Files(
        "the failed file first",
        (FAILED, record("f1")),
        ("5 coupons added, 0 duplicates, in file f1.",),
    ),
    Files("only a failed file", (FAILED,), ("0 coupons added, 0 duplicates, in file f9.",)),
    Files(
        "counts that nothing explains",
        ({"_id": "a", "status": "DONE", "x": 3, "y": 4, "coupons_list_id": LIST},),
        (
            "Which of x (3), y (4) counts coupons added, in file a?",
            '{"added": "...", "duplicates": "..."}',
        ),
    ),
    Files(
        "records without identifiers",
        ({"fileId": "a", "state": "DONE", "importedRows": 3},),
        ("Records have numbers (importedRows), but cannot be read",),
    ),
]
WITH_STATUSES = [row for row in FILES if row.statuses]


@cache
def report_of_files(name: str) -> Report:
    """What the doctor reports of the row of this name."""
    (row,) = [row for row in FILES if row.name == name]
    return examined_account(Account(records=row.records))


of_files = pytest.mark.parametrize("row", FILES, ids=ids(FILES))


@of_files
def test_counts_are_said_of_the_last_file_that_succeeded_and_added_coupons(row: Files):
    report = report_of_files(row.name)
    check_what_holds_of_each_report(report)
    check_says(about(report, Topic.COUNTS).text, row.counts)


@of_files
def test_a_name_is_proposed_for_coupons_added_if_no_usual_one_is_there(row: Files):
    report = report_of_files(row.name)
    assert report.values["coupon_file_counts.added"].value == row.added


@pytest.mark.parametrize("row", WITH_STATUSES, ids=ids(WITH_STATUSES))
def test_what_an_unknown_status_seems_to_mean_is_said_of_the_file_that_shows_it(row: Files):
    report = report_of_files(row.name)
    check_says(about(report, Topic.STATUSES).text, row.statuses)


@pytest.mark.parametrize("row", WITH_STATUSES, ids=ids(WITH_STATUSES))
def test_each_guess_at_a_status_rests_on_a_read(row: Files):
    statuses = about(report_of_files(row.name), Topic.STATUSES)
    assert statuses.guesses
    assert statuses.probes


def test_an_extra_is_printed_whole_with_a_setting_in_a_line():
    extra = {"coupon_file_statuses": {"failure": [f"STATUS_{number}" for number in range(12)]}}
    records = (german("a", "VERARBEITET", 500), german("b", "WEG", 0))
    report = examined_account(Account(records=records), extra=extra)
    lines = [line.plain for line in report.lines()]
    printed = lines[lines.index("{") : lines.index("}") + 1]
    assert json.loads("\n".join(printed)) == report.extra
    assert not any("…" in line for line in printed)
    assert sum(line.lstrip().startswith('"') for line in printed) >= 4
    assert any(line.endswith('coupon_file_statuses.success: with "VERARBEITET"') for line in lines)


def test_records_without_an_identifier_elsewhere_in_the_body_are_asked_for_in_one_sentence():
    records = ({"fileId": "a", "processingState": "DONE"},)
    account = Account(records=records, list_body=lambda files: {"result": {"items": files}})
    text = about(examined_account(account), Topic.RECORDS).text
    check_says(text, ("1 object under result.items without _id", "array", "data", "_id", "status"))


class Unreadable(NamedTuple):
    """Records that the provider cannot read, and what is said of them and of an upload."""

    record: Mapping[str, Any]
    says: tuple[str, ...]
    upload: str = "Not sent: the provider cannot read the list's records"


UNREADABLE = [
    Unreadable(
        {"fileId": "a", "state": "LIVE", "rows": {"loaded": 3}},
        ("Not ready: Records.", 'They have fileId, state ("LIVE"), rows.loaded; no setting'),
    ),
    Unreadable(
        {"id": "a", "importState": "LIVE"},
        ("Not ready: Records.", 'They have id, importState ("LIVE"); no'),
    ),
    Unreadable({"id": "a", "phase": 7}, ("Not ready: Records.", "They have id, phase (7); no")),
    Unreadable(
        {"_id": 7}, ("Not ready: Records.", "without a usable _id", "They have _id (7); no")
    ),
    Unreadable({"uuid": "a"}, ("Not ready: Records.", "the path is not at fault: ask")),
    Unreadable(
        {"_id": "a", "status": 7, "coupons_list_id": LIST},
        ("Not ready: Path of one file.", "status 7"),
        "Not sent: files have status 7 in place of a status that the provider reads",
    ),
]


@pytest.mark.parametrize("row", UNREADABLE, ids=[str(row.record) for row in UNREADABLE])
def test_nothing_is_uploaded_if_identifiers_or_statuses_of_files_cannot_be_read(row: Unreadable):
    report = examined_account(Account(records=(row.record,)), file_url=NEW_FILE)
    check_what_holds_of_each_report(report)
    check_says(report.verdict, row.says)
    assert about(report, Topic.UPLOAD).text.startswith(row.upload)
    assert report.writes == 0
    assert about(report, Topic.LIST_PATH).certainty is Certainty.SURE
