"""Which paths of a file the links of its record name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import listed
from support.doctor_replies import evidence_of
from support.doctor_service import record
from wes_provider.doctor.redirects import linked_paths

PLACE = "/v1/files/f1"
FILE_PATH = "/v1/files/{coupon_file_id}"


class Linked(NamedTuple):
    """What a record has besides, and the paths of its file that this names."""

    name: str
    members: Mapping[str, Any]
    paths: Sequence[str] = (FILE_PATH,)


LINKED = [
    *(Linked(name, {name: PLACE}) for name in ("href", "url", "uri", "self", "link", "location")),
    *(Linked(name, {name: PLACE}) for name in ("HREF", "Url", "Location", "@id")),
    Linked("below links", {"links": {"self": PLACE}}),
    Linked("in an array below links", {"_links": [{"rel": "self", "href": PLACE}]}),
    Linked("another name below links", {"links": {"detail": PLACE}}),
    Linked("another name", {"file_url": PLACE}, ()),
    Linked("no path", {"href": "f1"}, ()),
    Linked("a number", {"href": 7}, ()),
]


@pytest.mark.parametrize("row", LINKED, ids=[row.name for row in LINKED])
def test_the_path_of_a_file_is_in_a_link_of_its_record(row: Linked):
    listing = listed(200, [record("f0"), record("f1", **row.members)])
    paths = linked_paths(evidence_of(listing), listing, "f1")
    assert paths == [*row.paths]


def test_the_links_of_another_record_name_no_path():
    listing = listed(200, [record("f1"), record("f2", href="/v1/files/f1")])
    assert linked_paths(evidence_of(listing), listing, "f1") == []


def test_without_a_list_there_is_no_link():
    assert linked_paths(evidence_of(), None, "f1") == []
