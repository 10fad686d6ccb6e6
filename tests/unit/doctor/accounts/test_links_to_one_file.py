"""
A gateway has no path of one file where the contract has it: it sends a 403 "Missing Authentication
Token" there, as to a path that does not exist. If the record of a file has a link to it, as href in
itself, below _links or in an array of links, the verdict is *Not ready: Path of one file*, with the
path that the link names, which has the file and its status. If no record has a link, it is *Not
proved*, since the service replies the same to a path that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    json_reply,
    record,
)
from support.doctor_verdicts import Case, check
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
LINKS = [
    Case("a link in a record", linked(href="/v1/archive/f1/now"), IN_ARCHIVE),
    Case(
        "links below a record", linked(_links={"self": {"href": "/v1/archive/f1/now"}}), IN_ARCHIVE
    ),
    Case(
        "links in an array",
        linked(links=[{"rel": "list", "href": FILES_PATH}, {"href": "../../archive/f1/now"}]),
        IN_ARCHIVE,
    ),
]


@pytest.mark.parametrize("row", LINKS, ids=ids(LINKS))
def test_the_path_of_one_file_is_where_a_link_of_its_record_leads(row: Case):
    check(row)


def test_a_gateways_words_for_no_path_leave_the_path_of_one_file_open():
    check(
        Case(
            "a gateway's words for no path, while it has others",
            linked(),
            (
                "Not proved: Path of one file.",
                "same to a path that does not exist",
                "None of these",
            ),
        )
    )
