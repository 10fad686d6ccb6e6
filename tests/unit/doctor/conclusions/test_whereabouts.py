"""
Of the record of an uploaded file, up to three members that the provider does not read are quoted,
also 0 and false; not empty ones, moments, counts or the reason. New files of the list are made of
it if their name begins with its name, they name its identifier, or its record names theirs; not
those that were there before, and none if it has no name. Three of them are named, with status and
coupons.

An upload that the list does not show may be taken for the first file of before that its record
names as a whole; not one that came later. The service has read a web page in place of the file if a
member or the reason quotes one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids, listed
from support.doctor_replies import SETTINGS
from wes_provider.doctor.conclusions.whereabouts import (
    has_parts,
    has_read_page,
    taken_for,
    what_else,
)
from wes_provider.doctor.reads.evidence import Places
from wes_provider.doctor.replies.files import file_of
from wes_provider.doctor.writes.upload import Followed
from wes_provider.models import CouponFile


def record(file_id: str, **members: Any) -> dict[str, Any]:
    return {"_id": file_id, "status": "DONE", **members}


def file(of: Mapping[str, Any]) -> CouponFile:
    found = file_of(of)
    assert found is not None
    return found


def followed(
    uploaded: Mapping[str, Any],
    before: Sequence[Mapping[str, Any]] = (),
    after: Sequence[Mapping[str, Any]] = (),
    listed_after: float | None = None,
) -> Followed:
    """
    An upload.

    :param before: the files of the list before it; ``after``: those later.
    """
    lists = {SETTINGS.coupon_files_path: listed(200, list(after))}
    return Followed(
        file(uploaded),
        Places(lists, {}),
        before=[file(each) for each in before],
        listed_after=listed_after,
    )


class Members(NamedTuple):
    """Further members of the record of an uploaded file, and what is quoted of them."""

    name: str
    members: Mapping[str, Any]
    quoted: str


MEMBERS = [
    Members("none", {}, ""),
    Members("one", {"stage": "archive"}, " Its record also has stage archive."),
    Members("one that ends as a sentence", {"stage": "Gone."}, " Its record also has stage Gone."),
    Members("a number that is 0", {"parts": {"left": [0]}}, " Its record also has parts.left 0."),
    Members("one that is false", {"kept": False}, " Its record also has kept false."),
    Members(
        "objects",
        {"lines": [{"line": 2, "why": None}]},
        ' Its record also has lines {"line": 2, "why": null}.',
    ),
    Members("what is missing", {"parts": [None, True]}, " Its record also has parts null, true."),
    Members("a list", {"moved": ["a", "b"]}, " Its record also has moved a, b."),
    Members(
        "three of four",
        {"a": "1x", "b": "2x", "c": "3x", "d": "4x"},
        " Its record also has a 1x, b 2x, c 3x.",
    ),
    Members("empty ones", {"a": None, "b": "", "c": [], "d": {}}, ""),
    Members("moments", {"created_at": "now", "startedOn": "now", "enddate": "now"}, ""),
    Members("a count", {"coupons_added": 5}, ""),
    Members("what the provider reads", {"name": "a.csv", "created_by": "me"}, ""),
    Members("the reason", {"error": "no header"}, ""),
]


@pytest.mark.parametrize("row", MEMBERS, ids=ids(MEMBERS))
def test_up_to_three_members_that_the_provider_does_not_read_are_quoted(row: Members):
    assert what_else(followed(record("up", **row.members))) == row.quoted


class Made(NamedTuple):
    """Files of the list before and after an upload of ``a.csv``, and those that are made of it."""

    name: str
    after: Sequence[Mapping[str, Any]]
    made: str
    before: Sequence[Mapping[str, Any]] = ()
    members: Mapping[str, Any] = {}


PART = record("p1", name="a.csv.part1")
MADE = [
    Made(
        "one with its name before more",
        [PART],
        " The list has 1 new file made of it: p1 (DONE). No task waits for these.",
    ),
    Made(
        "one that names its identifier, with coupons",
        [record("p1", parent="up", coupons_added=5)],
        " The list has 1 new file made of it: p1 (DONE, 5 coupons added). No task waits for these.",
    ),
    Made(
        "one that its record names in a list",
        [record("p1")],
        " Its record also has parts p1. The list has 1 new file made of it: p1 (DONE). No task "
        "waits for these.",
        members={"parts": ["p1"]},
    ),
    Made(
        "three of four",
        [record(f"p{number}", parent="up") for number in range(4)],
        " The list has 4 new files made of it: p0 (DONE), p1 (DONE), p2 (DONE). No task waits for "
        "these.",
    ),
    Made("the uploaded file itself", [record("up", name="a.csv")], ""),
    Made("one that was there before", [PART], "", [PART]),
    Made("one of another name", [record("p1", name="b.csv")], ""),
]


@pytest.mark.parametrize("row", MADE, ids=ids(MADE))
def test_new_files_of_the_list_are_made_of_the_uploaded_one_if_they_or_it_name_the_other(row: Made):
    seen = followed(record("up", name="a.csv", **row.members), row.before, row.after)
    assert what_else(seen) == row.made
    assert has_parts(seen) is ("made of it" in row.made)


def test_of_a_file_without_a_name_no_other_is_made():
    assert not has_parts(followed(record("up"), after=[PART]))


class Taken(NamedTuple):
    """What the record of an upload names, and the file of before that it is taken for."""

    name: str
    members: Mapping[str, Any]
    taken_for: str | None
    listed_after: float | None = None


TAKEN = [
    Taken("the first of before", {"same_as": "f1"}, "f1"),
    Taken("the second of before", {"same_as": ["x", "f2"]}, "f2"),
    Taken("both", {"same_as": ["f2", "f1"]}, "f1"),
    Taken("one that came later", {"same_as": "f3"}, None),
    Taken("a part of an identifier", {"same_as": "f1x"}, None),
    Taken("the first of before, but the list shows the upload", {"same_as": "f1"}, None, 4.0),
]


@pytest.mark.parametrize("row", TAKEN, ids=ids(TAKEN))
def test_an_upload_that_the_list_does_not_show_may_be_taken_for_a_file_of_before(row: Taken):
    before = [record("f1"), record("f2")]
    uploaded = record("up", **row.members)
    seen = followed(uploaded, before, [*before, record("f3")], row.listed_after)
    found = taken_for(seen)
    assert (found and found.id) == row.taken_for


class Page(NamedTuple):
    """Members of a record, and whether they quote a web page."""

    name: str
    members: Mapping[str, Any]
    is_page: bool


PAGES = [
    Page("a member", {"first_line": "<!DOCTYPE html>"}, is_page=True),
    Page("the reason", {"error": "line 1: <html>"}, is_page=True),
    Page("no page", {"first_line": "code"}, is_page=False),
    Page("a number", {"lines": 1}, is_page=False),
]


@pytest.mark.parametrize("row", PAGES, ids=ids(PAGES))
def test_the_service_has_read_a_page_if_the_record_quotes_one(row: Page):
    assert has_read_page(followed(record("up", **row.members))) is row.is_page
