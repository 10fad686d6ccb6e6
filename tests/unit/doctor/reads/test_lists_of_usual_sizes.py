"""
A list may be a page if it has exactly 10, 20, 25, 30, 50, 100, 200, 250 or 500 files. It is none if
its reply says how many there are or that it is page 1 of 1, or its path has a size already, in
whatever letters. A reply calls a page the only one if it counts one, as a number, and the page is
the first, or it does not say which. What comes behind its files is asked for with an offset, and
as the second page: a list ends there if one of the two has no file, and goes on if one has a file
that the list has not. The list with more is the first larger page that has all files of the list
and others, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_pages import PATH, TOO_LARGE, files, larger, listed, page_of
from support.doctor_reads import error_body, evidence, probe
from wes_provider.doctor.reads.pages import (
    is_end_shown,
    is_only_page,
    list_with_more,
    may_be_page,
    page_behind,
    pages_behind,
)
from wes_provider.doctor.replies.probes import Probe


class Full(NamedTuple):
    """How many files a reply has, what it says beside them, and whether it may be a page."""

    name: str
    number: int
    may_be_page: bool
    beside: Mapping[str, Any] = {}
    path: str = PATH


FULL = [
    *(Full(str(size), size, may_be_page=True) for size in (10, 20, 25, 30, 50, 100, 200, 250, 500)),
    Full("none", 0, may_be_page=False),
    Full("one", 1, may_be_page=False),
    Full("one less", 99, may_be_page=False),
    Full("one more", 101, may_be_page=False),
    Full("that says how many", 10, may_be_page=False, beside={"total": 10}),
    Full("that says that there are more", 10, may_be_page=False, beside={"total": 30}),
    Full(
        "that says that it is the only page", 10, may_be_page=False, beside={"page": 1, "pages": 1}
    ),
    Full("with a size in the path", 10, may_be_page=False, path=f"{PATH}?limit=10"),
    Full("with a size in capitals", 10, may_be_page=False, path=f"{PATH}?Limit=10"),
    Full("with an empty size", 10, may_be_page=False, path=f"{PATH}?limit="),
    Full("with another parameter", 10, may_be_page=True, path=f"{PATH}?sort=limit"),
]


@pytest.mark.parametrize("row", FULL, ids=[row.name for row in FULL])
def test_a_list_of_a_usual_size_may_be_a_page(row: Full):
    reply = probe(200, page_of(row.number, **row.beside))
    assert may_be_page(listed(reply, row.path)) is row.may_be_page


class OnlyPage(NamedTuple):
    """What a reply says beside its files, and whether that is that it is the first page of one."""

    name: str
    beside: Mapping[str, Any]
    is_only_page: bool


ONLY_PAGES = [
    OnlyPage("page 1 of 1", {"page": 1, "pages": 1}, is_only_page=True),
    OnlyPage(
        "page 1 of 1 in an object",
        {"meta": {"current_page": 1, "total_pages": 1}},
        is_only_page=True,
    ),
    OnlyPage("one page, of which it does not say the number", {"pages": 1}, is_only_page=True),
    OnlyPage("page 2 of 1", {"page": 2, "pages": 1}, is_only_page=False),
    OnlyPage("page 1 of 2", {"page": 1, "pages": 2}, is_only_page=False),
    OnlyPage("page 1", {"page": 1}, is_only_page=False),
    OnlyPage("one page in words", {"pages": "1"}, is_only_page=False),
]


@pytest.mark.parametrize("row", ONLY_PAGES, ids=[row.name for row in ONLY_PAGES])
def test_a_page_is_the_only_one_if_its_reply_counts_one_and_it_is_the_first(row: OnlyPage):
    assert is_only_page(listed(probe(200, page_of(2, **row.beside)))) is row.is_only_page


AT_OFFSET, SECOND = f"{PATH}?limit=1&offset=10", f"{PATH}?limit=10&page=2"


class Behind(NamedTuple):
    """
    What came of reads behind a list of ten files.

    :ivar ends: whether the list ends there.
    :ivar goes_on: whether a file is behind.
    """

    name: str
    reads: Sequence[Probe]
    ends: bool = False
    goes_on: bool = False


BEHIND = [
    Behind("no file at the offset", [larger([], AT_OFFSET)], ends=True),
    Behind("no file on the second page", [larger([], SECOND)], ends=True),
    Behind("another file at the offset", [larger(files(11)[10:], AT_OFFSET)], goes_on=True),
    Behind("other files on the second page", [larger(files(20)[10:], SECOND)], goes_on=True),
    Behind("the first file at the offset", [larger(files(1), AT_OFFSET)]),
    Behind("the same files at the offset and on the second page",
        [larger(files(10), AT_OFFSET), larger(files(10), SECOND)]),
    Behind("the first file at the offset, and none on the second page",
        [larger(files(1), AT_OFFSET), larger([], SECOND)], ends=True),
    Behind("an error", [larger(error_body("x", "no offset"), AT_OFFSET, 400)]),
    Behind("no file of a larger page", [larger([])]),
    Behind("one file of a page for one", [larger(files(1), f"{PATH}?limit=1")]),
    Behind("none was read", []),
]  # fmt: skip


@pytest.mark.parametrize("row", BEHIND, ids=[row.name for row in BEHIND])
def test_a_list_ends_or_goes_on_as_what_comes_behind_its_files_shows(row: Behind):
    ten = listed(probe(200, files(10)))
    assert is_end_shown(evidence(*row.reads), ten) is row.ends
    assert (page_behind(evidence(*row.reads), ten) is not None) is row.goes_on


def test_what_comes_behind_is_asked_for_by_the_usual_parameters():
    reply = probe(200, files(10))
    assert pages_behind(listed(reply)) == [AT_OFFSET, SECOND]
    assert pages_behind(listed(reply, f"{PATH}?sort=name")) == [
        f"{PATH}?sort=name&limit=1&offset=10",
        f"{PATH}?sort=name&limit=10&page=2",
    ]


class More(NamedTuple):
    """Larger pages, and which of them has more than two files; ``None`` for none."""

    name: str
    reads: Sequence[Probe]
    number: int | None


MORE = [
    More("none", [], None),
    More("the same files", [larger(files(2))], None),
    More("more", [larger(files(3))], 0),
    More("fewer", [larger(files(1))], None),
    More("more, but others", [larger(files(5)[1:])], None),
    More("the second", [larger(files(2)), larger(files(3)), larger(files(4))], 1),
    More("an error", [larger(TOO_LARGE, status=400)], None),
    More("another question", [probe(200, files(3))], None),
]


@pytest.mark.parametrize("row", MORE, ids=[row.name for row in MORE])
def test_the_list_with_more_is_the_first_that_has_all_of_the_files(row: More):
    found = list_with_more(evidence(*row.reads), listed(probe(200, files(2))))
    if row.number is None:
        assert found is None
        return
    assert found is not None
    assert (found.probe, found.path) == (row.reads[row.number], f"{PATH}?limit=1000")
