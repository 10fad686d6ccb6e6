"""
A list is said to be a part with what shows it: a total above its length, though the reply calls
itself page 1 of 1 (no path is advised then, since the reply contradicts itself); a total beside
files in an envelope; the warning beside a 206; or words about a permission, for which an
administrator is to be asked. A list of exactly 100 files, which is as many as a page often has, is a
page if limit=1000 has more, or if a file comes behind these, at an offset or
on a second page; the account is not ready then. It is whole if nothing comes behind them; it is
*not proved* if no reply shows that, though the service may heed the size of a page. A list of 93
files is whole.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qsl

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
from wes_provider.doctor.findings.finding import Certainty, Topic

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
        "files that the key may not see",
        lambda: Account(
            lambda call: (
                json_reply(200, {"data": [], "total": 3, "notice": "3 hidden: no permission."})
                if call.path == FILES_PATH and call.key == "campaign"
                else None
            )
        ),
        (
            "0 of 3 files ('3 hidden: no permission')",
            "Ask an administrator of the account for a key that may see all of them.",
        ),
        ("The list has no file to read", "for a path that has all files"),
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
    :ivar largest_page: how many of them a page has at most, whatever is asked for.
    :ivar heeds: the parameters that it heeds besides ``limit``.
    :ivar says: what the verdict says of it.
    """

    name: str
    files: int
    largest_page: int
    heeds: str
    says: str


A_PAGE = (
    "Not proved: Path of the list's files. /v1/coupon-list/{coupon_list_id}/files has 100 files"
)
READY = "Ready, as far as reads show"
ROUNDED = [
    Rounded(
        "140 files, and pages of 200 at most",
        140,
        200,
        "",
        f"{A_PAGE}, and with limit=1000 it has 140: it is a page, though no reply says so.",
    ),
    Rounded(
        "140 files, and pages of 120 at most",
        140,
        120,
        "",
        f"{A_PAGE}, and with limit=1000 it has 120: it is a page, though no reply says so.",
    ),
    Rounded(
        "140 files, and pages of 100 at most, with an offset",
        140,
        100,
        "offset",
        f"{A_PAGE}, and with limit=1&offset=100 it has another one: it is a page, though no reply",
    ),
    Rounded(
        "140 files, and pages of 100 at most, with a number",
        140,
        100,
        "page",
        f"{A_PAGE}, and with limit=100&page=2 it has another one: it is a page, though no reply",
    ),
    Rounded(
        "140 files, and pages of 100 at most, with neither",
        140,
        100,
        "",
        "Not proved: Path of the list's files. It has 100 files. That is as many as a page often",
    ),
    Rounded("100 files, with an offset", 100, 100, "offset", READY),
    Rounded("100 files, with a number of the page", 100, 200, "page", READY),
    Rounded("93 files", 93, 200, "", READY),
]


@pytest.mark.parametrize("row", ROUNDED, ids=[row.name for row in ROUNDED])
def test_a_list_of_a_usual_size_is_whole_only_if_nothing_comes_behind_its_files(row: Rounded):
    records = [record(f"f{number}") for number in range(row.files)]

    def replies(call: Call) -> Reply | None:
        if call.path != FILES_PATH or call.key != "campaign":
            return None
        asked = {name: int(text) for name, text in parse_qsl(call.query)}
        size = min(asked.get("limit", 100), row.largest_page)
        start = 0
        if row.heeds == "offset":
            start = asked.get("offset", 0)
        if row.heeds == "page":
            start = size * (asked.get("page", 1) - 1)
        return json_reply(200, records[start : start + size])

    report = examined_account(Account(replies, records=records))

    check_what_holds_of_each_report(report)
    assert report.verdict.startswith(row.says)


def test_a_round_number_of_files_proves_no_whole_list_if_no_parameter_is_heeded():
    records = [record(f"f{number}") for number in range(100)]
    report = examined_account(Account(records=records))
    check_what_holds_of_each_report(report)
    finding = about(report, Topic.LIST_PATH)
    assert finding.certainty is Certainty.NOT_PROVED
    assert finding.text == (
        "It has 100 files. That is as many as a page often has, and no reply shows that nothing "
        "comes behind them (offset, page), so there may be more. Ask the service's support "
        "whether it divides lists into pages, or name a list with another number of files."
    )
