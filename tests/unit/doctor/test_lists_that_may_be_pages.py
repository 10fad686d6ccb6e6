"""
A list is said to be a part with what shows it: a total above its length, though the reply calls
itself page 1 of 1 (no path is advised then, since the reply contradicts itself); a total beside
files in an envelope; or the warning beside a 206. A list of exactly 100 files, which is as many as
a page often has, is a page if limit=1000 has more; the account is not ready then. It is whole if
limit=1000 has no more, and limit=1 has one file, so that the service heeds a limit; it is *not
proved* if nothing shows that it does. A list of 93 files is whole.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
    record,
)
from support.doctor_verdicts import (
    Case,
    check,
)
from support.servers import Reply
from wes_provider.doctor.findings import Certainty, Topic

PARTS = [
    Case(
        "a total that the only page contradicts",
        lambda: Account(
            lambda call: (
                json_reply(
                    200,
                    {"page": 1, "total_pages": 1, "total": 3, "data": [record("f1"), record("f2")]},
                )
                if call.path == FILES_PATH and call.key == "campaign"
                else None
            )
        ),
        (
            "says that it is page 1 of 1, and has 2 of 3 files: it contradicts itself, and tasks",
            "It may count files that are deleted or hidden. No setting helps",
        ),
        ("for a path that has all files",),
    ),
    Case(
        "a page of files in an envelope",
        lambda: Account(
            list_body=lambda records: {
                "_embedded": {"files": records},
                "page": {"totalElements": 9},
            }
        ),
        ("has 2 of 9 files alone, under _embedded.files, but the provider reads an array",),
    ),
    Case(
        "a part of a list, with the reason beside it",
        lambda: Account(
            lambda call: (
                json_reply(206, {"data": [], "warnings": ["Shard 3 did not reply."]})
                if call.path == FILES_PATH and call.key == "campaign"
                else None
            )
        ),
        ("its reply says 'Shard 3 did not reply'",),
    ),
]


@pytest.mark.parametrize("case", PARTS, ids=ids(PARTS))
def test_a_part_of_a_list_is_said_with_what_shows_it(case: Case):
    check(case)


class Rounded(NamedTuple):
    """
    A list that comes in pages of 100 files, if no other limit is asked for.

    :ivar files: how many it has.
    :ivar largest_page: how many of them a page has at most.
    """

    name: str
    files: int
    largest_page: int
    is_page: bool


ROUNDED = [
    Rounded("140 files, and pages of 200 at most", files=140, largest_page=200, is_page=True),
    Rounded("140 files, and pages of 120 at most", files=140, largest_page=120, is_page=True),
    Rounded("100 files", files=100, largest_page=200, is_page=False),
    Rounded("93 files", files=93, largest_page=200, is_page=False),
]


@pytest.mark.parametrize("row", ROUNDED, ids=[row.name for row in ROUNDED])
def test_a_list_of_a_usual_size_is_a_page_if_a_larger_page_has_more_files(row: Rounded):
    records = [record(f"f{number}") for number in range(row.files)]

    def replies(call: Call) -> Reply | None:
        if call.path != FILES_PATH or call.key != "campaign":
            return None
        asked = int(call.query.partition("limit=")[2] or 100)
        return json_reply(200, records[: min(asked, row.largest_page)])

    report = examined_account(Account(replies, records=records))

    finding = about(report, Topic.LIST_PATH)
    assert ("it is a page, though no reply says so" in finding.text) is row.is_page
    assert report.works is not row.is_page


def test_a_round_number_of_files_proves_no_whole_list_if_the_size_of_a_page_is_not_heeded():
    records = [record(f"f{number}") for number in range(100)]
    report = examined_account(Account(records=records))
    check_what_holds_of_each_report(report)
    finding = about(report, Topic.LIST_PATH)
    assert finding.certainty is Certainty.NOT_PROVED
    assert finding.text == (
        "It has 100 files. That is as many as a page often has, and nothing shows whether the "
        "service heeds the size of a page (limit), so there may be more. Ask the service's support "
        "whether it divides lists into pages, or name a list with another number of files."
    )
