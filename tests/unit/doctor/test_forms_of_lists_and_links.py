"""
What forms of lists and records leave open, and what they show.

A page that is full, as its size (pageSize: 2) has as many files, leaves the path of the list *Not
proved*; if it says that it is the last one, the account is *Ready*. A list without files leaves
that path *Not proved*, and an upload is advised: as 204, an empty body with 200, null, null under
data, or a 404 "No files yet".

If a record has a link to the file, in itself, below _links or in an array, the path of one file is
where the link leads, once a read there gets the file. If no record has one, and each path of one
file gets the gateway's 403 of a path that does not exist, the path of one file is *Not proved*. A
count that only sounds like duplicates (already_there) leaves Counts *Not proved*, with an extra to
paste.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from support.doctor_causes import Cause, check, error, lists_get
from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    LIST,
    Account,
    Call,
    json_reply,
    record,
)
from support.servers import Reply

NO_ROUTE = json_reply(403, {"message": "Missing Authentication Token"})


def linked(**link: Any) -> Callable[[], Account]:
    """A gateway whose records link to where one file is, and that has no other path."""

    def replies(call: Call) -> Reply | None:
        known = (FILES_PATH, "/v1/archive/f1/now")
        return None if call.path in known or call.path.startswith("/v3/") else NO_ROUTE

    return lambda: Account(
        replies, records=[record("f1", **link)], file_path="/v1/archive/{id}/now"
    )


IN_ARCHIVE = (
    "Not ready: Path of one file. The service names /v1/archive/{coupon_file_id}/now, which has a file and its "
    "status",
)


def file(name: str, status: str, **counts: Any) -> dict[str, Any]:
    return {"_id": name, "name": name, "status": status, "coupons_list_id": LIST, **counts}


FULL_PAGES = [
    Cause(
        "a page that is full",
        lambda: Account(list_body=lambda records: {"pageSize": len(records), "data": records}),
        ("Not proved: Path of the list's files.", "Its page is full (pageSize: 2)", "may be more"),
    ),
    Cause(
        "a page that is full, and called the last",
        lambda: Account(
            list_body=lambda records: {"pageSize": len(records), "isLast": True, "data": records}
        ),
        ("Ready,",),
    ),
]


@pytest.mark.parametrize("row", FULL_PAGES, ids=ids(FULL_PAGES))
def test_a_page_that_is_full_leaves_the_list_open_unless_it_is_called_the_last(row: Cause):
    check(row)


NO_FILES = [
    Cause(
        "a list without files as 204",
        lists_get(Reply(204)),
        ("Not proved: Path of the list's files.", "gets 204 without a body", "or use --upload URL"),
    ),
    Cause(
        "a list without files as nothing",
        lists_get(Reply(200)),
        ("Not proved: Path of the list's files.", "gets 200 without a body", "or use --upload URL"),
    ),
    Cause(
        "a list without files as null",
        lists_get(json_reply(200, None)),
        (
            "Not proved: Path of the list's files.",
            "gets 200 with null, as a list without files may",
            "or use --upload URL",
        ),
    ),
    Cause(
        "a list without files as null under data",
        lists_get(json_reply(200, {"data": None})),
        ("Not proved: Path of the list's files.", "with null under data", "or use --upload URL"),
    ),
    Cause(
        "a list without files as a 404 of its own",
        lists_get(error(404, "no-files", "No files yet.")),
        ("Not proved: Path of the list's files.", "'No files yet'", "or use --upload URL"),
    ),
]


@pytest.mark.parametrize("row", NO_FILES, ids=ids(NO_FILES))
def test_a_list_without_files_in_whatever_form_leaves_its_path_to_an_upload(row: Cause):
    check(row)


LINKS = [
    Cause("a link in a record", linked(href="/v1/archive/f1/now"), IN_ARCHIVE),
    Cause(
        "links below a record", linked(_links={"self": {"href": "/v1/archive/f1/now"}}), IN_ARCHIVE
    ),
    Cause(
        "links in an array",
        linked(links=[{"rel": "list", "href": FILES_PATH}, {"href": "../../archive/f1/now"}]),
        IN_ARCHIVE,
    ),
]


@pytest.mark.parametrize("row", LINKS, ids=ids(LINKS))
def test_the_path_of_one_file_is_where_a_link_of_its_record_leads(row: Cause):
    check(row)


def test_a_gateways_words_for_no_path_leave_the_path_of_one_file_open():
    check(
        Cause(
            "a gateway's words for no path, while it has others",
            linked(),
            (
                "Not proved: Path of one file.",
                "same to a path that does not exist",
                "None of these",
            ),
        )
    )


def test_a_count_that_sounds_like_one_of_duplicates_is_not_proved():
    check(
        Cause(
            "a count that sounds like one of duplicates",
            lambda: Account(records=[file("a", "DONE", added=9, already_there=2)]),
            (
                "Not proved: Counts. 9 coupons added, 2 duplicates, under added and already_there",
                "put the extra below into the connection",
            ),
        )
    )
