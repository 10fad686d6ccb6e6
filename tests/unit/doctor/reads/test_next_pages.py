"""
A list that only points at more, by a cursor or a link, may have nothing there, which a read shows:
of a link at the same address, or with the cursor under its own name without "next". A total,
has_more and a status 206 say themselves that there are more, so nothing is read.

Behind it is nothing if that page has no record and leads nowhere else, or if the list has all files
by its total; and files if it has some that the list has not. The same files again, as of a service
that does not know the parameter, an error, and an empty page that leads on leave it open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_pages import files, listed, page_of
from support.doctor_reads import evidence, probe
from support.doctor_replies import error_body
from wes_provider.doctor.reads.next_pages import (
    Behind,
    NextPage,
    is_only_pointed_at,
    next_page,
    what_is_behind,
)
from wes_provider.doctor.replies.probes import Question

URL = probe(200, []).request.url
AFTER = {"paging": {"cursors": {"before": "QVo", "after": "QVI="}}}


class Pointer(NamedTuple):
    """What a reply has beside two files, and the query of what is read; ``None`` if nothing is."""

    name: str
    beside: Mapping[str, Any]
    query: str | None
    headers: Mapping[str, str] = {}

    @property
    def following(self) -> NextPage | None:
        """The read."""
        if self.query is None:
            return None
        return NextPage(f"{URL}?{self.query}", self.query.partition("=")[0])


POINTERS = [
    Pointer("a cursor in an object", AFTER, "after=QVI%3D"),
    Pointer("a next cursor", {"next_cursor": "b2Z"}, "cursor=b2Z"),
    Pointer("within metadata", {"response_metadata": {"next_cursor": "b2Z"}}, "cursor=b2Z"),
    Pointer("a token in camel case", {"nextPageToken": "t1"}, "pageToken=t1"),
    Pointer("a token that begins with a capital", {"NextToken": "t1"}, "token=t1"),
    Pointer("a scroll", {"scroll_id": "s1"}, "scroll_id=s1"),
    Pointer("the end of a page", {"pageInfo": {"endCursor": "e1"}}, "after=e1"),
    Pointer("a number", {"nextPage": 2}, "page=2"),
    Pointer("a header", {}, "cursor=c1", {"X-Next-Cursor": "c1"}),
    Pointer("a link", {"next": f"{URL}?page=2"}, "page=2"),
    Pointer("a link without the host", {"links": {"next": "?page=2&x=1"}}, "page=2&x=1"),
    Pointer("a Link header", {}, "page=2", {"link": f'<{URL}?page=2>; rel="next"'}),
    Pointer("a link at another address", {"next": "https://other.example.com/x?page=2"}, None),
    Pointer("a link at another path", {"next": "/v1/elsewhere?page=2"}, None),
    Pointer("a link to the same page", {"next": URL}, None),
    Pointer("a word as the next one", {"next": "abc"}, None),
    Pointer("a page before", {"previous_cursor": "p1"}, None),
    Pointer("an object", {"lastEvaluatedKey": {"id": "f2"}}, None),
    Pointer("nothing behind the last page", {"next_cursor": None}, None),
]


@pytest.mark.parametrize("row", POINTERS, ids=ids(POINTERS))
def test_what_a_list_points_at_is_read_at_the_same_address(row: Pointer):
    reply = probe(200, page_of(2, **row.beside), headers=row.headers)
    assert next_page(listed(reply)) == row.following


class Announced(NamedTuple):
    """What a reply has beside two files, and whether it only points at more."""

    name: str
    beside: Mapping[str, Any]
    is_only_pointed_at: bool
    headers: Mapping[str, str] = {}
    status: int = 200


ANNOUNCED = [
    Announced("a cursor", AFTER, True),
    Announced("a cursor, and a total that fits", {**AFTER, "total": 2}, True),
    Announced("a cursor, and has_more is false", {**AFTER, "has_more": False}, True),
    Announced("links of a body", {"links": [{"rel": "next", "href": "/x"}]}, True),
    Announced("a Link header", {}, True, {"link": '</x?page=2>; rel="next"'}),
    Announced("a page before", {"prev": "/x?page=0"}, True),
    Announced("a cursor, and a larger total", {**AFTER, "total": 9}, False),
    Announced("a cursor, and has_more", {**AFTER, "has_more": True}, False),
    Announced("a cursor, and hasNextPage as a string", {**AFTER, "hasNextPage": "true"}, False),
    Announced("a cursor, and pages", {**AFTER, "total_pages": 3}, False),
    Announced("a cursor, and a part that was left out", {**AFTER, "truncated": True}, False),
    Announced("a cursor, and a part by a header", AFTER, False, {"content-range": "items 0-1/9"}),
    Announced("a cursor, and a status of a part", AFTER, False, {}, 206),
    Announced("nothing", {}, False),
]


@pytest.mark.parametrize("row", ANNOUNCED, ids=ids(ANNOUNCED))
def test_a_list_points_at_more_only_if_nothing_else_says_that_there_are_more(row: Announced):
    reply = probe(row.status, page_of(2, **row.beside), headers=row.headers)
    assert is_only_pointed_at(listed(reply)) is row.is_only_pointed_at


class ThatPage(NamedTuple):
    """What a list has beside two files, the body of what it points at, and what that shows."""

    name: str
    body: Any
    behind: Behind
    beside: Mapping[str, Any] = AFTER
    status: int = 200


PAGES = [
    ThatPage("no file", {"data": [], "paging": {}}, Behind.NOTHING),
    ThatPage("no file in an array", [], Behind.NOTHING),
    ThatPage("no file, and the same cursor", {"data": [], **AFTER}, Behind.NOTHING),
    ThatPage("no file, and a further cursor", {"data": [], "next_cursor": "c2"}, Behind.UNKNOWN),
    ThatPage(
        "no file, and a further cursor, and the list has all",
        {"data": [], "total": 2, "next_cursor": "c2"},
        Behind.NOTHING,
        {**AFTER, "total": 2},
    ),
    ThatPage("no file and a link back", {"data": [], "prev": f"{URL}?page=1"}, Behind.NOTHING),
    ThatPage("further files", {"data": files(4)[2:]}, Behind.FILES),
    ThatPage("the same files", page_of(2, **AFTER), Behind.UNKNOWN),
    ThatPage("an error", error_body("bad-cursor", "No such cursor."), Behind.UNKNOWN, status=400),
    ThatPage("no list", {"status": "ok"}, Behind.UNKNOWN),
    ThatPage(
        "no file, but the list says that there are more",
        [],
        Behind.UNKNOWN,
        {**AFTER, "has_more": True},
    ),
]


@pytest.mark.parametrize("row", PAGES, ids=ids(PAGES))
def test_the_page_that_a_list_points_at_shows_whether_it_is_whole(row: ThatPage):
    reply = probe(200, page_of(2, **row.beside))
    request = reply.request._replace(url=f"{URL}?after=QVI%3D")
    page = probe(row.status, row.body, request=request, question=Question.NEXT_PAGE, tried="after")
    assert what_is_behind(evidence(reply, page), listed(reply)) is row.behind


def test_a_list_whose_next_page_was_not_read_leaves_it_open():
    reply = probe(200, page_of(2, **AFTER))
    assert what_is_behind(evidence(reply), listed(reply)) is Behind.UNKNOWN
