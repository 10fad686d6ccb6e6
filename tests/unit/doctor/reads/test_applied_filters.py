"""
If a reply says that it has applied a filter, it is named with its place and its first value that
leaves something out, at most 100 characters of it and without secrets: a member with "filter" in
its name, or a visibility of own files. No filter are false, "all", null, an empty array, the
identifier of the list in any case, a number of files, filters on offer, and other members.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_pages import listed, page_of
from support.doctor_reads import evidence, probe
from wes_provider.doctor.reads.pages import (
    applied_filter,
)


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
