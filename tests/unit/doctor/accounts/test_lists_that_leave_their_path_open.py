"""
Two forms of the list's reply leave its path *Not proved*.

A page is full if its size (pageSize: 2) has as many files, so there may be more; if the reply says
that this is the last page, the account is *Ready*. A list has no files if it gets 204, an empty
body with 200, null, null under data, or a 404 "No files yet" in the form of the contract: then it
is quoted, and an upload (``--upload URL``) is advised to show the path.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    Account,
    error_reply,
    json_reply,
)
from support.doctor_verdicts import (
    Case,
    check,
    lists_get,
)
from support.servers import Reply

FULL_PAGES = [
    Case(
        "a page that is full",
        lambda: Account(list_body=lambda records: {"pageSize": len(records), "data": records}),
        ("Not proved: Path of the list's files.", "Its page is full (pageSize: 2)", "may be more"),
    ),
    Case(
        "a page that is full, and called the last",
        lambda: Account(
            list_body=lambda records: {"pageSize": len(records), "isLast": True, "data": records}
        ),
        ("Ready,",),
    ),
]


@pytest.mark.parametrize("row", FULL_PAGES, ids=ids(FULL_PAGES))
def test_a_page_that_is_full_leaves_the_list_open_unless_it_is_called_the_last(row: Case):
    check(row)


NO_FILES = [
    Case(
        "a list without files as 204",
        lists_get(Reply(204)),
        ("Not proved: Path of the list's files.", "gets 204 without a body", "or use --upload URL"),
    ),
    Case(
        "a list without files as nothing",
        lists_get(Reply(200)),
        ("Not proved: Path of the list's files.", "gets 200 without a body", "or use --upload URL"),
    ),
    Case(
        "a list without files as null",
        lists_get(json_reply(200, None)),
        (
            "Not proved: Path of the list's files.",
            "gets 200 with null, as a list without files may",
            "or use --upload URL",
        ),
    ),
    Case(
        "a list without files as null under data",
        lists_get(json_reply(200, {"data": None})),
        ("Not proved: Path of the list's files.", "with null under data", "or use --upload URL"),
    ),
    Case(
        "a list without files as a 404 of its own",
        lists_get(error_reply(404, "no-files", "No files yet.")),
        ("Not proved: Path of the list's files.", "'No files yet'", "or use --upload URL"),
    ),
]


@pytest.mark.parametrize("row", NO_FILES, ids=ids(NO_FILES))
def test_a_list_without_files_in_whatever_form_leaves_its_path_to_an_upload(row: Case):
    check(row)
