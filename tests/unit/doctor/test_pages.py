"""What a list that is a page says of the others, and which larger page is tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_reads import error, evidence, probe
from wes_provider.doctor.evidence import Listed, listed_in
from wes_provider.doctor.pages import (
    applied_filter,
    confirmed_page,
    is_confirmed,
    is_only_page,
    is_size_heeded,
    larger_pages,
    largest_page,
    list_with_more,
    may_be_page,
    most_allowed,
    next_pages,
    page_for_one,
    range_unit,
    total_of,
)
from wes_provider.doctor.probes import Probe, Question

PATH = "/v1/coupon-list/{coupon_list_id}/files"


def files(number: int) -> list[dict[str, Any]]:
    return [{"_id": f"f{each}", "status": "SUCCESS"} for each in range(number)]


def page_of(number: int, **beside: Any) -> dict[str, Any]:
    """A body with files, and what it says beside them."""
    return {"data": files(number), **beside}


def larger(body: Any, tried: str = f"{PATH}?limit=1000", status: int = 200) -> Probe:
    """The read of a larger page."""
    return probe(status, body, question=Question.WHOLE_LIST, tried=tried)


def listed(reply: Probe, path: str = PATH) -> Listed:
    """The list that a reply is."""
    read = listed_in(path, reply)
    assert read is not None
    return read


class Confirmed(NamedTuple):
    """What a larger page says of its size, and the path that follows."""

    name: str
    reply: Probe
    path: str


CONFIRMED = [
    Confirmed("smaller", larger(page_of(2, limit=100)), f"{PATH}?limit=100"),
    Confirmed("one smaller", larger(page_of(2, limit=999)), f"{PATH}?limit=999"),
    Confirmed("as asked for", larger(page_of(2, limit=1000)), ""),
    Confirmed("larger", larger(page_of(2, limit=2000)), ""),
    Confirmed("by another name", larger(page_of(2, per_page=50)), f"{PATH}?limit=50"),
    Confirmed("as many as there are files", larger(page_of(2, limit=2)), ""),
    Confirmed("not said", larger(page_of(2)), ""),
    Confirmed("the connection's path", probe(200, page_of(2, limit=100)), ""),
]


@pytest.mark.parametrize("row", CONFIRMED, ids=[row.name for row in CONFIRMED])
def test_the_size_that_a_reply_confirms_is_put_into_the_path(row: Confirmed):
    assert confirmed_page(listed(row.reply, f"{PATH}?limit=1000")) == row.path


def test_the_last_parameter_gets_the_size():
    reply = larger(page_of(2, limit=100))
    path = f"{PATH}?a=b&limit=1000"
    assert confirmed_page(listed(reply, path)) == f"{PATH}?a=b&limit=100"


TOO_LARGE = error("too-large", "limit is at most 500, not 1000")


class Asked(NamedTuple):
    """A path, its reply, other reads, and whether a size is confirmed."""

    name: str
    path: str
    body: Any
    others: Sequence[Probe]
    is_confirmed: bool


ASKED = [
    Asked("by the reply", f"{PATH}?limit=50", page_of(2, limit=50), [], is_confirmed=True),
    Asked(
        "the last parameter", f"{PATH}?a=b&limit=50", page_of(2, limit=50), [], is_confirmed=True
    ),
    Asked("another size", f"{PATH}?limit=50", page_of(2, limit=40), [], is_confirmed=False),
    Asked(
        "by an error",
        f"{PATH}?limit=500",
        page_of(2),
        [larger(TOO_LARGE, status=400)],
        is_confirmed=True,
    ),
    Asked(
        "by the second of two errors",
        f"{PATH}?limit=500",
        page_of(2),
        [larger(error("x", "at most 50"), status=400), larger(TOO_LARGE, status=400)],
        is_confirmed=True,
    ),
    Asked(
        "by the error of another read",
        f"{PATH}?limit=500",
        [],
        [probe(400, TOO_LARGE)],
        is_confirmed=False,
    ),
    Asked("not at all", f"{PATH}?limit=500", page_of(2), [], is_confirmed=False),
    Asked("no size is asked for", PATH, page_of(2), [], is_confirmed=False),
]


@pytest.mark.parametrize("row", ASKED, ids=[row.name for row in ASKED])
def test_a_size_is_confirmed_by_the_reply_or_by_an_error(row: Asked):
    reply = probe(200, row.body)
    assert is_confirmed(evidence(*row.others), listed(reply, row.path)) is row.is_confirmed


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


class Heeded(NamedTuple):
    """What came of the read of a page for one file."""

    name: str
    reads: Sequence[Probe]
    is_heeded: bool


HEEDED = [
    Heeded("one file", [larger(page_of(1), f"{PATH}?limit=1")], is_heeded=True),
    Heeded("as many files as without", [larger(page_of(10), f"{PATH}?limit=1")], is_heeded=False),
    Heeded("no file", [larger(page_of(0), f"{PATH}?limit=1")], is_heeded=False),
    Heeded(
        "an error", [larger(error("x", "no limit"), f"{PATH}?limit=1", status=400)], is_heeded=False
    ),
    Heeded("one file of a larger page", [larger(page_of(1))], is_heeded=False),
    Heeded("none was read", [], is_heeded=False),
]


@pytest.mark.parametrize("row", HEEDED, ids=[row.name for row in HEEDED])
def test_the_size_of_a_page_is_heeded_if_a_page_for_one_file_has_one(row: Heeded):
    assert is_size_heeded(evidence(*row.reads)) is row.is_heeded


def test_a_page_for_one_file_has_the_usual_parameter():
    reply = probe(200, page_of(10))
    paths = [page_for_one(listed(reply, path)) for path in (PATH, f"{PATH}?sort=name")]
    assert paths == [f"{PATH}?limit=1", f"{PATH}?sort=name&limit=1"]


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


class Larger(NamedTuple):
    """A list, reads of larger pages, and the paths that are tried."""

    name: str
    reply: Probe
    paths: list[str]
    path: str = PATH
    reads: Sequence[Probe] = ()


LIMIT, PER_PAGE = f"{PATH}?limit=1000", f"{PATH}?per_page=1000"
LARGER = [
    Larger("nothing is named", probe(200, page_of(2)), [LIMIT]),
    Larger("in the body", probe(200, page_of(2, per_page=2)), [PER_PAGE, LIMIT]),
    Larger("below an object", probe(200, page_of(2, m={"per_page": 2})), [PER_PAGE, LIMIT]),
    Larger("as it is spelt", probe(200, page_of(2, pageSize=2)), [f"{PATH}?pageSize=1000", LIMIT]),
    Larger(
        "rows beside a total",
        probe(200, page_of(2, meta={"rows": 2, "numFound": 9})),
        [f"{PATH}?rows=1000", LIMIT],
    ),
    Larger("the usual one", probe(200, page_of(2, limit=2)), [LIMIT]),
    Larger("two", probe(200, page_of(2, per_page=2, size=2)), [PER_PAGE, LIMIT]),
    Larger(
        "in the next page, before the body",
        probe(200, page_of(2, size=2, next="/x?page=2&per_page=2")),
        [PER_PAGE, LIMIT],
    ),
    Larger(
        "in the header",
        probe(200, page_of(2), headers={"link": '</x?per_page=2>; rel="next"'}),
        [PER_PAGE, LIMIT],
    ),
    Larger(
        "in JSON of a header",
        probe(200, files(2), headers={"x-pagination": '{"PageSize": 2}'}),
        [f"{PATH}?PageSize=1000", LIMIT],
    ),
    Larger("beside a parameter", probe(200, []), [f"{PATH}?a=b&limit=1000"], f"{PATH}?a=b"),
    Larger("the path has a size", probe(200, []), [], f"{PATH}?size=5"),
    Larger(
        "an error allows less",
        probe(200, page_of(2)),
        [f"{PATH}?limit=500", LIMIT],
        reads=[larger(TOO_LARGE, status=400)],
    ),
    Larger(
        "two errors, of which the last counts first",
        probe(200, page_of(2, per_page=2)),
        [f"{PATH}?limit=50", f"{PATH}?per_page=500", PER_PAGE, LIMIT],
        reads=[
            larger(TOO_LARGE, PER_PAGE, 400),
            larger(error("x", "at most 50"), LIMIT, 400),
        ],
    ),
    Larger(
        "an error beside a parameter",
        probe(200, page_of(2)),
        [f"{PATH}?a=b&limit=500", f"{PATH}?a=b&limit=1000"],
        f"{PATH}?a=b",
        [larger(TOO_LARGE, f"{PATH}?a=b&limit=1000", 400)],
    ),
    Larger(
        "an error at another path",
        probe(200, page_of(2)),
        [LIMIT],
        reads=[larger(TOO_LARGE, "/other?limit=1000", 400)],
    ),
    Larger("an error without a size", probe(200, []), [LIMIT], reads=[larger({}, status=400)]),
    Larger(
        "as many as the list has",
        probe(200, page_of(2, total=500)),
        [f"{PATH}?limit=500", LIMIT],
        reads=[larger(TOO_LARGE, status=400)],
    ),
    Larger(
        "fewer than the list has",
        probe(200, page_of(2, total=501)),
        [LIMIT],
        reads=[larger(TOO_LARGE, status=400)],
    ),
    Larger(
        "at most 1",
        probe(200, page_of(2)),
        [f"{PATH}?limit=1", LIMIT],
        reads=[larger(error("x", "at most 1"), status=400)],
    ),
    Larger(
        "an error does not know the parameter, and names another one with its most",
        probe(200, page_of(2)),
        [f"{PATH}?page_size=30", LIMIT],
        reads=[larger(error("x", "Unknown parameter: limit. Known: page_size (1-30)"), status=400)],
    ),
    Larger(
        "an error does not know the parameter, and names another one alone",
        probe(200, page_of(2)),
        [f"{PATH}?per_page=1000", LIMIT],
        reads=[larger(error("x", "limit is not supported: use per_page"), status=400)],
    ),
    Larger(
        "an error of that allows less",
        probe(200, page_of(2)),
        [f"{PATH}?per_page=50", f"{PATH}?per_page=1000", LIMIT],
        reads=[
            larger(error("x", "limit is not supported: use per_page"), status=400),
            larger(error("x", "per_page is at most 50"), PER_PAGE, 400),
        ],
    ),
    Larger(
        "an error knows the parameter, and speaks of the size",
        probe(200, page_of(2)),
        [f"{PATH}?limit=100", LIMIT],
        reads=[larger(error("x", "limit: the size of a page is at most 100"), status=400)],
    ),
    Larger(
        "an error does not know the parameter, and names none",
        probe(200, page_of(2)),
        [LIMIT],
        reads=[larger(error("x", "Unknown parameter: limit"), status=400)],
    ),
]


@pytest.mark.parametrize("row", LARGER, ids=[row.name for row in LARGER])
def test_the_likeliest_larger_page_comes_first(row: Larger):
    assert larger_pages(evidence(*row.reads), listed(row.reply, row.path)) == row.paths


class Allowed(NamedTuple):
    """A status, an error's message, and the size that it allows."""

    status: int
    message: str
    most: int


ALLOWED = [
    Allowed(400, "limit is at most 500, not 1000", 500),
    Allowed(400, "between 1 and 999", 999),
    Allowed(400, "at most 1000", 0),
    Allowed(400, "at most 10000", 0),
    Allowed(400, "at most 50x", 0),
    Allowed(400, "at most x50", 0),
    Allowed(400, "too large", 0),
    Allowed(422, "100", 100),
    Allowed(404, "at most 100", 0),
    Allowed(405, "at most 100", 0),
    Allowed(401, "at most 100", 0),
]


@pytest.mark.parametrize("row", ALLOWED, ids=[f"{row.status} {row.message}" for row in ALLOWED])
def test_the_size_that_an_error_allows_is_its_largest_number(row: Allowed):
    assert most_allowed(probe(row.status, error("x", row.message))) == row.most


class Largest(NamedTuple):
    """The read of a larger page, and the largest size of a page that it shows; the list has two."""

    name: str
    read: Probe
    most: str


LARGEST = [
    Largest("an error allows it", larger(TOO_LARGE, status=400), "limit=500"),
    Largest("an error without a size", larger(error("x", "no"), status=400), ""),
    Largest("more than before, and not all", larger(page_of(3, total=9)), "limit=3"),
    Largest("as many as before", larger(page_of(2, total=9)), ""),
    Largest("all", larger(page_of(3)), ""),
    Largest("as many as asked for", larger(page_of(3, total=9), f"{PATH}?limit=3"), ""),
    Largest("one less than asked for", larger(page_of(3, total=9), f"{PATH}?limit=4"), "limit=3"),
    Largest("beside a parameter", larger(page_of(3, total=9), f"{PATH}?a=b&limit=4"), "limit=3"),
    Largest("no number was asked for", larger(page_of(3, total=9), f"{PATH}?limit=x"), ""),
    Largest(
        "an error does not know the parameter, and names another one",
        larger(error("x", "Unknown: limit. Known: page_size (1-30)"), status=400),
        "page_size=30",
    ),
]


@pytest.mark.parametrize("row", LARGEST, ids=[row.name for row in LARGEST])
def test_the_most_files_of_a_page_are_shown_by_a_larger_one(row: Largest):
    largest = largest_page(listed(probe(200, page_of(2, total=9))), row.read)
    assert str(largest or "") == row.most


class Total(NamedTuple):
    """What a list says beside its files and in its header, and how many it has as a whole."""

    name: str
    total: int | None
    beside: Mapping[str, Any] = {}
    header: str = ""


TOTAL = [
    Total("not said", None),
    Total("total", 9, {"total": 9}),
    Total("nested, by any spelling", 9, {"meta": {"Total-Items": 9}}),
    Total("0", 0, {"total": 0}),
    Total("the largest of several", 12, {"total": 9, "count": 12, "x_total": 2}),
    Total("a string", None, {"total": "9"}),
    Total("a boolean", None, {"total": True}),
    Total("a size", None, {"limit": 9}),
    Total("the header", 7, header="items 0-1/7"),
    Total("the header in capitals", 7, header="ITEMS 0-1/7"),
    Total("the header of an empty part", 7, header="items */7"),
    Total("a header of larger numbers", 70, header="items 10-19/70"),
    Total("the header does not know", None, header="items 0-1/*"),
    Total("bytes", None, header="bytes 0-1/7"),
    Total("bytes in capitals", None, header="Bytes 0-1/7"),
    Total("no unit", None, header="0-1/7"),
    Total("no end", None, header="items 0/7"),
    Total("the header has more", 12, {"total": 9}, "items 0-1/12"),
    Total("rows beside it", 2, {"meta": {"rows": 20, "numFound": 2}}),
    Total("rows alone", 20, {"rows": 20}),
    Total("the body has more", 9, {"total": 9}, "items 0-1/7"),
]


@pytest.mark.parametrize("row", TOTAL, ids=[row.name for row in TOTAL])
def test_the_number_of_all_files_is_read(row: Total):
    headers = {"content-range": row.header} if row.header else {}
    assert total_of(listed(probe(200, page_of(2, **row.beside), headers=headers))) == row.total


def test_the_number_of_all_files_is_read_from_json_of_a_header():
    reply = probe(200, files(2), headers={"x-pagination": '{"TotalCount": 9, "PageSize": 2}'})
    assert total_of(listed(reply)) == 9


class Filter(NamedTuple):
    """What a reply says beside its files, and the filter that it has applied."""

    name: str
    beside: Mapping[str, Any]
    filter: str


FILTERS = [
    Filter("none", {}, ""),
    Filter("a status", {"filters": {"status": "SUCCESS"}}, "filters.status: SUCCESS"),
    Filter(
        "a time", {"meta": {"applied_filters": {"since": "30d"}}}, "meta.applied_filters.since: 30d"
    ),
    Filter("an array", {"activeFilters": ["archived=no"]}, "activeFilters: archived=no"),
    Filter("the second of two", {"filter": {"a": "", "b": "x"}}, "filter.b: x"),
    Filter("true", {"filtered": True}, "filtered: True"),
    Filter("100 characters", {"filter": {"a": "x" * 100}}, f"filter.a: {'x' * 100}"),
    Filter("101 characters", {"filter": {"a": "x" * 101}}, f"filter.a: {'x' * 99}…"),
    Filter("false", {"filtered": False}, ""),
    Filter("all", {"filter": {"status": "ALL"}}, ""),
    Filter("null", {"filter": None}, ""),
    Filter("an empty array", {"filters": []}, ""),
    Filter("the list itself", {"filter": {"coupons_list_id": "spring"}}, ""),
    Filter("a number of files", {"records_filtered": 2}, ""),
    Filter("filters on offer", {"available_filters": ["status", "since"]}, ""),
    Filter("files of one's own", {"meta": {"visibility": "own"}}, "meta.visibility: own"),
    Filter("files of all", {"meta": {"visibility": "public"}}, ""),
    Filter("another word", {"status": "SUCCESS"}, ""),
    Filter("own files, by a property of visibility", {"visibility": "own"}, "visibility: own"),
    Filter("own, by a property of something else", {"created_by": "own"}, ""),
]


@pytest.mark.parametrize("row", FILTERS, ids=[row.name for row in FILTERS])
def test_a_filter_that_a_reply_says_it_applied_is_named(row: Filter):
    reply = probe(200, page_of(2, **row.beside))
    assert applied_filter(evidence(reply), listed(reply)) == row.filter


def test_the_list_that_was_read_is_no_filter_in_whatever_letters_it_is():
    reply = probe(200, page_of(2, filter={"list": "Spring"}))
    assert applied_filter(evidence(reply, list_id="SPRING"), listed(reply)) == ""


def test_secrets_are_taken_out_of_a_filter():
    body = page_of(2, filter={"by": "for-sesame"})
    reply = probe(200, body, clean=lambda text: text.replace("sesame", "***"))
    assert applied_filter(evidence(reply), listed(reply)) == "filter.by: for-***"


class Unit(NamedTuple):
    """Headers of a list, and the unit of its parts."""

    headers: Mapping[str, str]
    unit: str


UNITS = [
    Unit({}, ""),
    Unit({"content-range": "items 0-1/7"}, "items"),
    Unit({"content-range": "coupon-files 0-1/*"}, "coupon-files"),
    Unit({"content-range": "bytes 0-1/7"}, ""),
    Unit({"accept-ranges": " Items "}, "items"),
    Unit({"accept-ranges": "bytes"}, ""),
    Unit({"accept-ranges": "Bytes"}, ""),
    Unit({"accept-ranges": "none"}, ""),
    Unit({"accept-ranges": "x", "content-range": "items 0-1/7"}, "items"),
    Unit({"accept-ranges": "none", "content-range": "items 0-1/7"}, "items"),
]


@pytest.mark.parametrize("row", UNITS, ids=[str(row.headers) for row in UNITS])
def test_the_unit_of_parts_is_read(row: Unit):
    assert range_unit(listed(probe(200, page_of(2), headers=row.headers))) == row.unit


class Next(NamedTuple):
    """A header Link and a body, and the next pages that they name."""

    name: str
    urls: list[str]
    link: str = ""
    body: Any = ()


NEXT = [
    Next("nothing", []),
    Next("a link", ["/x?page=2"], '</x?page=2>; rel="next"'),
    Next("without quotes", ["/x"], "</x>; rel=next"),
    Next("the second link", ["/y"], '</x>; rel="prev", </y>; rel="next"'),
    Next("another link", [], '</x>; rel="prev"'),
    Next("a member", ["/x"], body={"next": "/x"}),
    Next("by any spelling", ["/x"], body={"hasNEXTUrl": "/x"}),
    Next("another member", [], body={"url": "/x"}),
    Next("no string", [], body={"next": 7, "has_next": True}),
    Next("nested", [], body={"links": {"next": "/x"}}),
    Next("both", ["/x", "/y"], "</x>; rel=next", {"next": "/y"}),
    Next("an array", [], body=["next"]),
]


@pytest.mark.parametrize("row", NEXT, ids=[row.name for row in NEXT])
def test_the_next_page_is_named_by_a_link_or_a_member(row: Next):
    headers = {"link": row.link} if row.link else {}
    assert next_pages(probe(200, row.body, headers=headers)) == row.urls
