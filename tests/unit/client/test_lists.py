"""
Whether a list is whole: an array of objects, at the top or below ``data``. It is a part if the
status is 206, if it is too long to be read, if a header links to another page, or if anything
beside the files announces more: a further or an earlier page, a total above their number, a
number of pages above one, an error or a cut, or a sentence with the number of files that came and
a larger one of all. Names that only resemble these announce nothing. Anything that is no list is
an error for good, but for text that is no JSON, which a gateway may send for a moment.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from support.exchanges import FILE, LIST, by_page, response
from wes_provider import exceptions
from wes_provider.client import responses
from wes_provider.client.announcements import (
    FAILED_MACHINES,
    FIRST_PAGE,
    LAST_PAGE,
    MISSING_PART,
    NEXT_PAGE,
    OF_MACHINES,
    PREVIOUS_PAGE,
    counts_files,
    counts_pages,
    plain_name,
)
from wes_provider.client.responses import Response


@by_page
def test_a_page_with_200_is_no_list_of_files(page: bytes):
    with pytest.raises(exceptions.WesResponseError, match="check the connection's Address"):
        responses.listing(LIST, response(200, page))


WHOLE_LISTS: dict[str, Any] = {
    "a list": [FILE],
    "below data": {"data": [FILE]},
    "as many as the total": {"data": [FILE], "total": 1},
    "the size of a page beside the total": {
        "data": [FILE],
        "meta": {"start": 0, "rows": 20, "numFound": 1},
    },
    "names that announce more if they have a value": {
        "data": [FILE],
        "next": None,
        "has_more": False,
        "errors": [],
        "total": 1,
    },
}


@pytest.mark.parametrize("body", WHOLE_LISTS.values(), ids=WHOLE_LISTS)
def test_a_list_is_whole_unless_it_says_otherwise(body: Any):
    listing = responses.listing(LIST, response(200, body))
    assert (listing.records, listing.incomplete) == ([FILE], "")


def test_a_list_without_a_file_is_whole():
    assert responses.listing(LIST, response(200, [])) == responses.Listing([])


WHOLE_BY_HEADER = {
    "as many as the total": {"x-pagination": '{"TotalCount": 1, "TotalPages": 1}'},
    "no JSON": {"x-pagination": '{"TotalCount": 2'},
    "too deep": {"x-pagination": '{"a":' * 2_000 + "1" + "}" * 2_000},
    "an array": {"x-pagination": '[{"TotalCount": 2}]'},
    "another header": {"nel": '{"total": 2}'},
    "there is no more": {"x-has-more": "false", "x-next-page": "", "x-total-pages": "1"},
    "how often a cache had it": {"x-cache-hits": "5", "x-hits": "7"},
    "how many bytes there are": {"x-total-size": "4211"},
    "how many requests are left": {"x-ratelimit-limit": "100", "ratelimit-remaining": "99"},
}


@pytest.mark.parametrize("headers", WHOLE_BY_HEADER.values(), ids=WHOLE_BY_HEADER)
def test_a_list_is_whole_if_no_header_announces_more(headers: dict[str, str]):
    assert responses.listing(LIST, response(200, [FILE], **headers)) == responses.Listing([FILE])


class Aged(NamedTuple):
    """The headers of a list, and how old it is, in seconds."""

    headers: dict[str, str]
    age: int


AGED = {
    "none": Aged({}, 0),
    "a cache's": Aged({"age": "95"}, 95),
    "just fetched by a cache": Aged({"age": " 0 "}, 0),
    "no number": Aged({"age": "old"}, 0),
    "a negative number": Aged({"age": "-5"}, 0),
    "more digits than a time has": Aged({"age": "1" * 5000}, 0),
}


@pytest.mark.parametrize("row", AGED.values(), ids=AGED)
def test_a_list_is_as_old_as_the_cache_says_that_sent_it(row: Aged):
    assert responses.listing(LIST, response(200, [FILE], **row.headers)).age == row.age


PART = "the service shows a part of the list only"


class Part(NamedTuple):
    """A response with one file of a list, and what is said to announce more."""

    incomplete: str
    body: Any = [FILE]  # noqa: RUF012 - never changed
    headers: dict[str, str] = {}  # noqa: RUF012 - never changed


PARTS = {
    "a total further down": Part(
        "it has 'total'", {"data": [FILE], "meta": {"pagination": {"total": 2.0}}}
    ),
    "errors of a part": Part(
        "it has 'partial_errors'", {"data": [FILE], "partial_errors": ["shard 2"]}
    ),
    "a link": Part("it has 'links'", {"data": [FILE], "links": [{"rel": "next", "href": "/2"}]}),
    "a total beside the size of a page": Part(
        "it has 'numFound'", {"data": [FILE], "meta": {"rows": 1, "numFound": 2}}
    ),
    "rows beside a count of another object": Part(
        "it has 'rows'", {"data": [FILE], "rows": 20, "meta": {"total": 1}}
    ),
    "rows beside the number of this page": Part(
        "it has 'rows'", {"data": [FILE], "rows": 20, "count": 1}
    ),
    "a header with the total in JSON": Part(
        "it has 'TotalCount'", headers={"x-pagination": '{"TotalCount": 2, "PageSize": 1}'}
    ),
    "a header with a next page in JSON": Part(
        "it has 'nextPageLink'", headers={"paging-headers": ' {"nextPageLink": "/2"}'}
    ),
    "a header with the total": Part("it has 'x-total-count'", headers={"x-total-count": "2"}),
    "a header with the total, without X": Part(
        "it has 'total-count'", headers={"total-count": "2"}
    ),
    "a header with the number of pages": Part(
        "it has 'x-page-count'", headers={"x-page-count": "2"}
    ),
    "a header with the previous page": Part("it has 'x-prev-page'", headers={"x-prev-page": "1"}),
    "a header with the next page": Part("it has 'x-next-page'", headers={"x-next-page": "2"}),
    "a header with where to go on": Part(
        "it has 'x-next-page-token'", headers={"x-next-page-token": "b3BhcXVl"}
    ),
    "a header that says that there is more": Part(
        "it has 'x-has-more'", headers={"x-has-more": "True"}
    ),
    "a header that says that it is not all": Part(
        "it has 'x-complete'", headers={"x-complete": "false"}
    ),
    "a header that says that it is a fallback": Part(
        "it has 'x-fallback'", headers={"x-fallback": "1"}
    ),
    "a header that says that a part is missing": Part(
        "it has 'x-partial-results'", headers={"x-partial-results": "1"}
    ),
}


@pytest.mark.parametrize("row", PARTS.values(), ids=PARTS)
def test_a_list_that_announces_more_has_its_files_and_says_what_announces_more(row: Part):
    listing = responses.listing(LIST, response(200, row.body, **row.headers))
    assert listing.records == [FILE]
    assert listing.incomplete == f"{PART}: {row.incomplete}"


LINKS = {
    "the next page": '</page-2>; rel="next"',
    "the next page, without quotes": "</page-2>; rel=next",
    "the previous page": '</page-1>; rel="prev"',
    "the next page, which is the last": '</page-2>; rel="next last"',
}


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_a_list_with_a_header_that_links_to_another_page_is_incomplete(link: str):
    listing = responses.listing(LIST, response(200, [FILE], link=link))
    assert listing == responses.Listing([FILE], "the response has a link to another page")


class Beside(NamedTuple):
    """What a response has beside one file, as a dotted path and a value."""

    path: str
    value: Any


FURTHER_PAGES = [
    Beside("has_more", True),
    Beside("hasMore", "true"),
    Beside("HAS-MORE", 1),
    Beside("meta.has_next", True),
    Beside("next", "/2"),
    Beside("next", 2),
    Beside("links.next", {"href": "/2"}),
    Beside("links", [{"rel": "self"}, {"rel": "Next", "href": "/2"}]),
    Beside("@odata.nextLink", "/2"),
    Beside("nextPageToken", "x"),
    Beside("paging.cursors.after", "x"),
    Beside("page_info.has_next_page", True),
    Beside("page_info.end_cursor", "x"),
]
EARLIER_PAGES = [
    Beside("previous", "/1"),
    Beside("paging.previous", "/v1/coupon-list/spring/files?before=f24"),
    Beside("prev_page", 1),
    Beside("hasPreviousPage", True),
    Beside("links", [{"rel": "prev", "href": "/1"}]),
    Beside("older", "/1"),
    Beside("first", False),
]
TOTALS = [
    Beside("total", 2),
    Beside("total_count", "2"),
    Beside("hits.total.value", 2),
    Beside("paging.totalItemCount", 2),
    Beside("nbHits", 2),
    Beside("recordsFiltered", 2),
    Beside("meta.total_in_list", 2),
    Beside("nodes.total", 2),
    Beside("partitions.total", 2),
    Beside("@odata.count", 2),
    Beside("numberOfFiles", 2),
    Beside("matches", 2),
    Beside("nbPages", 2),
    Beside("count", 2.0),
    Beside("totalPages", 2),
    Beside("pages.total", 3),
]
MISSING_PARTS = [
    Beside("IsTruncated", True),
    Beside("meta.hidden", 37),
    Beside("omitted_files", ["f1"]),
    Beside("excluded", True),
    Beside("partial_errors", ["shard 2"]),
    Beside("timed_out", True),
    Beside("_shards.failed", 1),
    Beside("meta.shards.failures", [{"shard": 3}]),
    Beside("replicas.unreachable", "eu-2"),
    Beside("workers.error", "busy"),
    Beside("error", {"code": "busy"}),
    Beside("errors", [{"code": "busy"}]),
]
SENTENCES = [
    Beside("info", "Showing 1 to 1 of 131 entries"),
    Beside("meta.info", "Showing 1 to 1 of 1,131 entries"),
    Beside("summary", "1-1 / 2"),
    Beside("summary", "Zeige 1 bis 1 von 2"),
    Beside("summary", "entries 2 to 2 of 2"),
    Beside("summary", "Displaying 1 of 131"),
    Beside("summary", "1 of 2 files"),
    Beside("summary", "1 out of 1.131 total records"),
    Beside("page", "Page 1 of 7"),
    Beside("page", "Seite 7/7"),
]
OTHER_SENTENCES = [
    Beside("info", "Showing 1 to 1 of 1 entries"),
    Beside("info", "Showing 1 to 20 of 131 entries"),
    Beside("info", "1 of 1 files"),
    Beside("info", "2 of 3 files"),
    Beside("info", "1 of 2 attempts"),
    Beside("info", "0.1 of 2 files"),
    Beside("page", "Page 1 of 1"),
    Beside("info", "built on 2026-11-01/12"),
]
NO_MORE = [
    Beside("next", ""),
    Beside("next", None),
    Beside("next", {"href": None}),
    Beside("previous", None),
    Beside("hidden", 0),
    Beside("excluded", False),
    Beside("timed_out", False),
    Beside("_shards.failed", 0),
    Beside("replicas.failures", []),
    Beside("prev_page", 0),
    Beside("first", True),
    Beside("first", "/1"),
    Beside("links.next", []),
    Beside("has_more", False),
    Beside("has_more", "False"),
    Beside("error", None),
    Beside("errors", []),
    Beside("count", 1),
    Beside("total", 0),
    Beside("total", "many"),
    Beside("total", True),
    Beside("pages", 1),
    Beside("links", [{"rel": "self", "href": "/1"}]),
]
OTHER_NAMES = [
    Beside("error_count", 3),
    Beside("error_rate", 0.5),
    Beside("number", 7),
    Beside("limits.items", 500),
    Beside("pageSize", 20),
    Beside("per_page", 50),
    Beside("links.self", "/1"),
    Beside("couponCount", 20),
    Beside("_shards.total", 5),
    Beside("meta.replicas.count", 3),
    Beside("workers.pages", 2),
    Beside("failed", 1),
    Beside("imports.failed", 1),
    Beside("account", 12),
    Beside("discount", 20),
    Beside("total_coupons", 500),
    Beside("coupons_total", 500),
    Beside("count_of_lists", 12),
    Beside("context", "summer"),
    Beside("more_info_url", "https://example.com/help"),
    Beside("next_upload_allowed_at", "2026-01-01"),
    Beside("description", "'rel': 'next'"),
    Beside("cursor_type", "forward"),
]


def test_the_page_of_promises_has_the_names_that_announce_more():
    page = (Path(__file__).parents[3] / "docs" / "promises.md").read_text(encoding="utf-8")
    section = page.partition("\n## Lists that announce more\n")[2].partition("\n## ")[0]
    cells = [line.split(" | ")[0] for line in section.splitlines() if line.startswith("| `")]
    names = {plain_name(name) for name in re.findall(r"`([^`]+)`", " ".join(cells))}
    counting = {name for name in names if counts_files(f".{name}") or counts_pages(f".{name}")}
    assert len(counting) > 20
    assert names - counting - {"rel", "link"} == (
        MISSING_PART
        | NEXT_PAGE
        | PREVIOUS_PAGE
        | LAST_PAGE
        | FIRST_PAGE
        | OF_MACHINES
        | FAILED_MACHINES
    )


def beside(row: Beside) -> dict[str, Any]:
    content: Any = row.value
    for part in reversed(row.path.split(".") if not row.path.startswith("@") else [row.path]):
        content = {part: content}
    return {"data": [FILE], **content}


def id_of(row: Beside) -> str:
    return f"{row.path}={row.value}"


def announced_by(row: Beside) -> str:
    """What is said if the last part of the row's path announces more."""
    name = row.path if row.path.startswith("@") else row.path.rpartition(".")[2]
    return f"{PART}: it has '{name}'"


def incomplete(row: Beside) -> str:
    """Why a list of one file may be a part; empty if nothing says so."""
    return responses.listing(LIST, response(200, beside(row))).incomplete


@pytest.mark.parametrize("row", FURTHER_PAGES, ids=id_of)
def test_a_further_page_beside_a_lists_files_announces_more(row: Beside):
    assert incomplete(row) == announced_by(row)


@pytest.mark.parametrize("row", EARLIER_PAGES, ids=id_of)
def test_an_earlier_page_beside_a_lists_files_announces_more(row: Beside):
    assert incomplete(row) == announced_by(row)


@pytest.mark.parametrize("row", TOTALS, ids=id_of)
def test_a_total_above_the_number_of_files_or_a_number_of_pages_above_one_announces_more(
    row: Beside,
):
    assert incomplete(row) == announced_by(row)


@pytest.mark.parametrize("row", MISSING_PARTS, ids=id_of)
def test_an_error_or_a_cut_beside_a_lists_files_announces_more(row: Beside):
    assert incomplete(row) == announced_by(row)


@pytest.mark.parametrize("row", SENTENCES, ids=id_of)
def test_a_sentence_beside_one_file_that_says_it_is_one_of_several_announces_more(row: Beside):
    assert incomplete(row) == announced_by(row)


@pytest.mark.parametrize("row", OTHER_SENTENCES, ids=id_of)
def test_a_sentence_beside_one_file_about_all_or_another_number_of_them_announces_nothing(
    row: Beside,
):
    assert incomplete(row) == ""


@pytest.mark.parametrize("row", NO_MORE, ids=id_of)
def test_a_name_that_announces_more_does_not_with_a_value_for_none_or_of_another_kind(row: Beside):
    assert incomplete(row) == ""


@pytest.mark.parametrize("row", OTHER_NAMES, ids=id_of)
def test_other_names_announce_nothing_also_if_they_hold_one_that_announces_more(row: Beside):
    assert incomplete(row) == ""


NO_LISTS: dict[str, Any] = {
    "an empty object": {},
    "an object below data": {"data": {}},
    "a list of strings": ["x"],
    "nothing": b"",
    "a list of null": {"data": [None]},
}


@pytest.mark.parametrize("body", NO_LISTS.values(), ids=NO_LISTS)
def test_what_is_no_list_of_files_is_an_error_for_good(body: Any):
    with pytest.raises(
        exceptions.WesResponseError, match="200 without a list of coupon files"
    ) as raised:
        responses.listing(LIST, response(200, body))
    assert raised.value.reason.startswith("200 without a list of coupon files")
    assert raised.value.permanent
    assert "\nThe path of the list's files may be wrong" in str(raised.value)


def test_a_gateways_text_instead_of_a_list_may_be_gone_in_a_minute():
    with pytest.raises(
        exceptions.WesResponseError, match="200 without a list of coupon files"
    ) as raised:
        responses.listing(LIST, response(200, b"OK"))
    assert not raised.value.permanent
    assert "\nThe path of the list's files may be wrong" in str(raised.value)


def test_a_list_that_is_longer_than_the_operation_allows_is_incomplete():
    too_long = b"[" * (LIST.operation.largest_response + 1)
    assert responses.listing(LIST, Response(200, {}, too_long)).incomplete == "the list is too long"


def test_a_list_that_is_as_long_as_the_operation_allows_is_whole():
    longest = b"[]" + b" " * (LIST.operation.largest_response - 2)
    assert responses.listing(LIST, Response(200, {}, longest)) == responses.Listing([])


def test_a_list_with_the_status_206_is_incomplete():
    listing = responses.listing(LIST, response(206, [FILE]))
    assert listing.incomplete.startswith("the response has status 206")
