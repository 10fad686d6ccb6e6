"""
What a reply says of the size of its page, which has two files here. A size is a whole number above
0 under limit, per_page, page_size, size or max_results, however these are written, at any depth.

The size of a page is one above the number of files: of the parameter that the path asks for last,
or else the first. A page is full if a size is exactly the number of files, and is not 0; not if the
reply says how many files there are, names a next page (even null), or says whether it is the last.
A page is smaller than asked for if its size is below the number that the path asks for; a full page
is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_replies import reply
from support.doctor_service import record
from wes_provider.doctor.reads.evidence import (
    Listed,
    listed_in,
)

FILES = [record("f1"), record("f2")]


class Page(NamedTuple):
    """
    A path and a body, and what it says of its page: the size that has more places than files, the
    full page, and whether it is smaller than was asked for.
    """

    name: str
    path: str
    beside: Mapping[str, Any]
    size: int = 0
    full: str = ""
    is_smaller: bool = False


PAGES = [
    Page("nothing", "/a", {}),
    Page("more places than files", "/a", {"limit": 3}, 3),
    Page("as many places as files", "/a", {"limit": 2}, 0, "limit: 2"),
    Page("fewer places than files", "/a", {"limit": 1}),
    Page("further down", "/a", {"meta": {"Per_Page": 3}}, 3),
    Page("as many, further down", "/a", {"meta": {"Per_Page": 2}}, 0, "Per_Page: 2"),
    *(
        Page(name, "/a", {name: 3}, 3)
        for name in ("per_page", "perPage", "page_size", "pageSize", "size", "max_results")
    ),
    Page("another name", "/a", {"pages": 3, "limits": 3}),
    Page(
        "no size", "/a", {"limit": 0, "size": -1, "per_page": "3", "pagesize": True, "perpage": 3.5}
    ),
    Page("the first of two", "/a", {"limit": 3, "size": 9}, 3),
    Page(
        "the one that was asked for",
        "/a?x=1&size=9",
        {"limit": 3, "size": 9},
        9,
        "",
        is_smaller=False,
    ),
    Page(
        "the one that was asked for alone",
        "/a?size=20",
        {"limit": 3, "size": 9},
        9,
        "",
        is_smaller=True,
    ),
    Page("the first of a name", "/a", {"limit": 3, "b": {"limit": 4}}, 3),
    Page("the first that is full", "/a", {"size": 2, "limit": 2}, 0, "size: 2"),
    Page("the second is full", "/a", {"size": 9, "limit": 2}, 9, "limit: 2"),
    Page("a full page of a known number", "/a", {"limit": 2, "total": 2}),
    Page("a full page with a next one", "/a", {"limit": 2, "next": None}),
    Page("a full page that says if it is the last", "/a", {"limit": 2, "meta": {"last": True}}),
    Page("smaller than asked for", "/a?limit=4", {"limit": 3}, 3, "", is_smaller=True),
    Page("as asked for", "/a?limit=3", {"limit": 3}, 3),
    Page("larger than asked for", "/a?limit=2", {"limit": 3}, 3),
    Page("no number was asked for", "/a?limit=all", {"limit": 3}, 3),
    Page("full, and smaller than asked for", "/a?limit=3", {"limit": 2}, 0, "limit: 2"),
]


def listed_of(path: str, body: Any) -> Listed:
    listed = listed_in(path, reply(200, body))
    assert listed is not None
    return listed


# Each page has two files.
@pytest.mark.parametrize("row", PAGES, ids=[row.name for row in PAGES])
def test_the_size_of_a_page_is_one_that_has_more_places_than_files(row: Page):
    assert listed_of(row.path, {**row.beside, "data": FILES}).page_size == row.size


@pytest.mark.parametrize("row", PAGES, ids=[row.name for row in PAGES])
def test_a_page_is_full_that_has_as_many_files_as_places_and_does_not_say_how_many_there_are(
    row: Page,
):
    assert listed_of(row.path, {**row.beside, "data": FILES}).full_page == row.full


@pytest.mark.parametrize("row", PAGES, ids=[row.name for row in PAGES])
def test_a_page_is_smaller_that_has_fewer_places_than_were_asked_for(row: Page):
    listed = listed_of(row.path, {**row.beside, "data": FILES})
    assert listed.is_page_smaller is row.is_smaller


def test_an_empty_page_is_not_full():
    listed = listed_of("/a", {"limit": 0, "data": []})
    assert (listed.page_size, listed.full_page) == (0, "")
