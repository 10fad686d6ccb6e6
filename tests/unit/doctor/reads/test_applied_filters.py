"""
If a reply says that it has applied a filter, it is named with its place and its first value that
leaves something out, at most 100 characters of it and without secrets: a member with "filter" in
its name, or a visibility of own files. No filter are false, "all", null, an empty array, the
identifier of the list in any case, a number of files, filters on offer, and other members.

So is a filter in the query of a URL that the reply gives for itself or for other pages (self, href,
first, request.url, a Link header), unless the doctor sent it. Parameters of pages, orders, forms and
versions, the list itself, and what says who asks are none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_pages import listed, page_of
from support.doctor_reads import SETTINGS, evidence, probe
from wes_provider.doctor.reads.applied_filters import applied_filter


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


FILES = "/v1/coupon-list/spring/files"
BY_STATUS = f"{FILES}?filter[status]=DONE&page[size]=50"
URLS = [
    Filter("itself", {"links": {"self": BY_STATUS}}, "links.self: filter[status]=DONE"),
    Filter(
        "itself, in an object",
        {"_links": {"self": {"href": BY_STATUS}}},
        "_links.self.href: filter[status]=DONE",
    ),
    Filter(
        "itself, in an array of links",
        {"links": [{"rel": "up", "href": "/x?a=b"}, {"rel": "self", "href": BY_STATUS}]},
        "links.self: filter[status]=DONE",
    ),
    Filter(
        "with its host", {"href": f"https://x.example.com{BY_STATUS}"}, "href: filter[status]=DONE"
    ),
    Filter("the first page", {"first": f"{FILES}?since=30d"}, "first: since=30d"),
    Filter("the request", {"request": {"url": f"{FILES}?q=name:a"}}, "request.url: q=name:a"),
    Filter("an escaped one", {"self": f"{FILES}?%24filter=a%20eq%201"}, "self: $filter=a eq 1"),
    Filter("a page", {"self": f"{FILES}?page=1&per_page=50&offset=0&limit=3&cursor=x"}, ""),
    Filter("an order", {"self": f"{FILES}?sort=-created_at&orderBy=name&$orderby=x"}, ""),
    Filter("a form", {"self": f"{FILES}?fields[files]=a&api-version=2&format=json&pretty=1"}, ""),
    Filter("what is added", {"self": f"{FILES}?include_archived=yes&withCounts=yes"}, ""),
    Filter("who asks", {"self": f"{FILES}?access_token=s1&sig=s2&tenant=t"}, ""),
    Filter(
        "the list and the workspace",
        {"self": f"{FILES}?list=spring&of={SETTINGS.workspace_id}"},
        "",
    ),
    Filter("no value", {"self": f"{FILES}?status=&state=all&archived=false"}, ""),
    Filter("a template", {"self": f"{FILES}{{?status,page}}"}, ""),
    Filter("another list on offer", {"links": {"done": f"{FILES}?status=DONE"}}, ""),
    Filter("the URL of a file", {"url": f"{FILES}?status=DONE"}, ""),
    Filter("no URL", {"self": "http://[?status=DONE"}, ""),
]


@pytest.mark.parametrize("row", URLS, ids=[row.name for row in URLS])
def test_a_filter_in_a_url_that_a_reply_gives_for_itself_is_named(row: Filter):
    reply = probe(200, page_of(2, **row.beside))
    assert applied_filter(evidence(reply), listed(reply)) == row.filter


class ByHeader(NamedTuple):
    """A header of a reply, and the filter that it shows."""

    name: str
    headers: Mapping[str, str]
    filter: str


HEADERS = [
    ByHeader(
        "a link to itself",
        {"link": f'<{FILES}?status=DONE>; rel="self", </v1/help>; rel="help"'},
        "Link: status=DONE",
    ),
    ByHeader("a link to another resource", {"link": '</v1/x?status=DONE>; rel="related"'}, ""),
    ByHeader(
        "the location of its content",
        {"content-location": f"{FILES}?status=DONE"},
        "Content-Location: status=DONE",
    ),
]


@pytest.mark.parametrize("row", HEADERS, ids=[row.name for row in HEADERS])
def test_a_filter_in_a_header_with_the_url_of_a_reply_is_named(row: ByHeader):
    reply = probe(200, page_of(2), headers=row.headers)
    assert applied_filter(evidence(reply), listed(reply)) == row.filter


def test_a_filter_that_was_sent_is_none_of_the_service():
    url = f"{probe(200, []).request.url}?status=DONE"
    reply = probe(200, page_of(2, self=url), request=probe(200, []).request._replace(url=url))
    assert applied_filter(evidence(reply), listed(reply)) == ""


def test_secrets_are_taken_out_of_a_url():
    body = page_of(2, self=f"{FILES}?by=for-sesame")
    reply = probe(200, body, clean=lambda text: text.replace("sesame", "***"))
    assert applied_filter(evidence(reply), listed(reply)) == "self: by=for-***"


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
