"""
The path of a file is what a link of its own record names: href, url, uri, self, link, location or
@id, in any case of letters, with a path or a URL of the service's own host and scheme; below links,
also under another name or in an array. It names none if the value is no path, leads to another host
or scheme, or to the list itself, if its name is another one (file_url), if another record has it,
or without a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import LIST_AT, listed
from support.doctor_replies import evidence_of
from support.doctor_service import record
from wes_provider.doctor.reads.redirects import linked_paths

PLACE = "/v1/files/f1"


class Member(NamedTuple):
    """What a record has besides."""

    name: str
    members: Mapping[str, Any]


LINKED = [
    *(Member(name, {name: PLACE}) for name in ("href", "url", "uri", "self", "link", "location")),
    *(Member(name, {name: PLACE}) for name in ("HREF", "Url", "Location", "@id")),
    Member("below links", {"links": {"self": PLACE}}),
    Member("in an array below links", {"_links": [{"rel": "self", "href": PLACE}]}),
    Member("another name below links", {"links": {"detail": PLACE}}),
]


def paths_of(members: Mapping[str, Any]) -> list[str]:
    """The paths of a file that the links of its record name, which is the second one of a list."""
    listing = listed(200, [record("f0"), record("f1", **members)])
    return linked_paths(evidence_of(listing), listing, "f1")


@pytest.mark.parametrize("row", LINKED, ids=[row.name for row in LINKED])
def test_the_path_of_a_file_is_in_a_link_of_its_record(row: Member):
    assert paths_of(row.members) == ["/v1/files/{coupon_file_id}"]


NOT_LINKED = [
    Member("another name", {"file_url": PLACE}),
    Member("no path", {"href": "f1"}),
    Member("a path of another host", {"href": "https://other.test/v1/files/f1"}),
    Member("a path by another scheme", {"href": "http://api.example.com/v1/files/f1"}),
    Member("the path of the list itself", {"href": LIST_AT}),
    Member("a number", {"href": 7}),
]


@pytest.mark.parametrize("row", NOT_LINKED, ids=[row.name for row in NOT_LINKED])
def test_what_is_no_link_or_no_path_names_no_path(row: Member):
    assert paths_of(row.members) == []


def test_the_links_of_another_record_name_no_path():
    listing = listed(200, [record("f1"), record("f2", href="/v1/files/f1")])
    assert linked_paths(evidence_of(listing), listing, "f1") == []


def test_without_a_list_there_is_no_link():
    assert linked_paths(evidence_of(), None, "f1") == []
