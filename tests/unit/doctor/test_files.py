"""What a body of unknown shape has of coupon files: records, identifiers, steps and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.coupon_files import CountNames
from wes_provider.doctor.files import (
    closed_state,
    count_names,
    coupons_in,
    file_of,
    inside,
    odd_identifier,
    odd_status,
    records_in,
    step_of,
)
from wes_provider.models import CouponFile


def file_with(**members: Any) -> CouponFile:
    """A file with these members beside its identifier and its status."""
    file = file_of({"_id": "f1", "status": "LIVE", **members})
    assert file is not None
    return file


class Odd(NamedTuple):
    """Records that cannot be read, and how their properties are called."""

    name: str
    records: Sequence[Mapping[str, Any]]
    properties: Sequence[str]


ODD = [
    Odd("the same in each", [{"id": 1, "size": 2}, {"id": 3, "size": 4}], ["id", "size"]),
    Odd("one in 2 of 3", [{"id": 1}, {"id": 2, "a": 1}, {"id": 3, "a": 2}], ["id", "a (2 of 3)"]),
    Odd("one in 1 of 3", [{"id": 1}, {"id": 2}, {"id": 3, "a": 2}], ["id", "a (1 of 3)"]),
    Odd(
        "that which more have comes first",
        [{"a": 1}, {"b": 1}, {"b": 2}],
        ["b (2 of 3)", "a (1 of 3)"],
    ),
    Odd("the first of several _id", [{"_id": 7}, {"_id": 8}], ["_id (7)"]),
    Odd("two statuses", [{"state": "A"}, {"state": "B"}, {"state": "A"}], ['state ("A", "B")']),
    Odd(
        "five statuses, of which four are named",
        [{"state": number} for number in range(5)],
        ["state (0, 1, 2, 3)"],
    ),
    Odd(
        "eleven properties, of which ten are named",
        [{f"p{number}": 1 for number in range(11)}],
        [f"p{number}" for number in range(10)],
    ),
    Odd("within an object", [{"file": {"id": 1}}], ["file.id"]),
]


@pytest.mark.parametrize("row", ODD, ids=ids(ODD))
def test_properties_of_most_unreadable_records_are_named_ten_at_most_with_four_values_of_a_status(
    row: Odd,
):
    found = records_in(row.records)
    assert found is not None
    assert found.odd_properties == row.properties


class Found(NamedTuple):
    """A body, where its files are, how many objects are there, and which of them cannot be read."""

    name: str
    content: Any
    where: str
    number: int
    problem: str = ""


FILE = {"_id": "f1", "status": "LIVE"}
FOUND = [
    Found("an array", [FILE], "", 1),
    Found("an array under data", {"data": [FILE]}, "data", 1),
    Found("null under data", {"data": None}, "data", 0),
    Found("an empty array under data", {"data": []}, "data", 0),
    Found(
        "files far below, and other objects near the top",
        {"tags": [{"a": 1}], "x": {"y": {"files": [FILE]}}},
        "x.y.files",
        1,
    ),
    Found("files near the top, and others below", {"x": {"y": [FILE]}, "z": [FILE, FILE]}, "z", 2),
    Found("no _id", [FILE, {"id": 1}], "", 2, "1 of 2 objects without _id"),
    Found("an _id that is a number", [{"_id": 7}], "", 1, "1 object without a usable _id"),
    Found("no _id below", {"x": [{"id": 1}, {"id": 2}]}, "x", 2, "2 objects under x without _id"),
]


@pytest.mark.parametrize("row", FOUND, ids=ids(FOUND))
def test_an_array_with_files_comes_first_then_the_one_nearest_to_the_top(row: Found):
    found = records_in(row.content)
    assert found is not None
    assert (found.where, found.number, found.problem) == (row.where, row.number, row.problem)


NOT_FOUND = [
    Found("an empty array elsewhere", {"files": []}, "", 0),
    Found("null elsewhere", {"files": None}, "", 0),
    Found("an array of strings", {"data": ["f1"]}, "", 0),
    Found("an array of objects and others", [FILE, "f2"], "", 0),
    Found("no array", {"hello": "you"}, "", 0),
]


@pytest.mark.parametrize("row", NOT_FOUND, ids=ids(NOT_FOUND))
def test_an_empty_array_elsewhere_or_one_not_of_objects_alone_may_not_be_of_files(row: Found):
    assert records_in(row.content) is None


class Identifier(NamedTuple):
    """A body, and where or as what it has an identifier that is not read; empty for none."""

    name: str
    content: Any
    says: str


IDENTIFIERS = [
    Identifier("at the top", {"_id": "f1"}, ""),
    Identifier("under data", {"data": {"_id": "f1"}}, ""),
    Identifier("a number", {"_id": 7}, "it is 7, which is no string"),
    Identifier("a number under data", {"data": {"_id": 7}}, "it is 7, which is no string"),
    Identifier("an empty string", {"_id": " "}, "it is ' ', which is no string"),
    Identifier("under another member", {"file": {"_id": "f1"}}, "it is under file"),
    Identifier("in an array", {"files": [FILE]}, "it is in an array under files"),
    Identifier("another name", {"id": "f1"}, ""),
]


@pytest.mark.parametrize("row", IDENTIFIERS, ids=ids(IDENTIFIERS))
def test_an_identifier_that_is_not_read_is_said_by_its_place_or_its_kind(row: Identifier):
    assert odd_identifier(row.content) == row.says


class Closed(NamedTuple):
    """A body, and the state by which its list takes no files; empty if it has none."""

    name: str
    content: Any
    says: str


CLOSED = [
    Closed("a status at the top", {"status": "ARCHIVED"}, "status: ARCHIVED"),
    Closed("a status under data", {"data": {"state": "closed"}}, "data.state: closed"),
    Closed("a status of the list", {"list_status": "FROZEN"}, "list_status: FROZEN"),
    Closed("a status in the list's object", {"list": {"state": "paused"}}, "list.state: paused"),
    Closed("a status of something else", {"job": {"state": "paused"}}, ""),
    Closed("a status that takes files", {"status": "OPEN"}, ""),
    Closed("the contrary", {"status": "unlocked"}, ""),
    Closed("no status", {"note": "ARCHIVED"}, ""),
    Closed("a number", {"status": 7}, ""),
]


@pytest.mark.parametrize("row", CLOSED, ids=ids(CLOSED))
def test_a_list_takes_no_files_by_a_status_beside_them(row: Closed):
    assert closed_state(row.content) == row.says


class Share(NamedTuple):
    """A share of a file that is done, and whether it is a part."""

    done: Any
    is_part: bool


SHARES = [
    Share(0, is_part=True),
    Share(0.0, is_part=True),
    Share(0.99, is_part=True),
    Share(1.0, is_part=False),
    Share(1, is_part=False),
    Share(1.5, is_part=True),
    Share(2, is_part=True),
    Share(99, is_part=True),
    Share(100, is_part=False),
    Share(-1, is_part=False),
    Share("99", is_part=False),
    Share("1/3", is_part=True),
    Share("3/3", is_part=False),
    Share(done=True, is_part=False),
]


@pytest.mark.parametrize("row", SHARES, ids=[repr(row.done) for row in SHARES])
def test_a_share_or_percents_of_a_file_are_a_part_unless_they_are_all(row: Share):
    assert bool(step_of(file_with(progress=row.done))) is row.is_part


class Added(NamedTuple):
    """The numbers of a file, and how many coupons were added; ``None`` if nobody knows."""

    name: str
    numbers: Mapping[str, int]
    added: int | None
    named: str = ""


ADDED = [
    Added("the usual name", {"coupons_added": 3}, 3),
    Added("a name that sounds alike", {"loaded": 3}, 3),
    Added("two names that sound alike", {"loaded": 3, "newly_stored": 3}, None),
    Added("a name that sounds alike, and one of bad rows", {"loaded": 3, "load_errors": 2}, 3),
    Added("another number that is 0", {"accepted": 8, "activated": 0}, None),
    Added("another number that is not 0", {"accepted": 8, "activated": 7}, 8),
    Added("this number is 0, and another one is not", {"accepted": 0, "activated": 7}, None),
    Added("a total that is not 0", {"accepted": 0, "total": 7}, 0),
    Added(
        "another number that is as much more as was left out",
        {"accepted": 0, "activated": 4, "rejected": 4},
        0,
    ),
    Added(
        "another number that is 0, and the connection names this one",
        {"accepted": 8, "activated": 0},
        8,
        named="accepted",
    ),
]


@pytest.mark.parametrize("row", ADDED, ids=ids(ADDED))
def test_coupons_added_are_counted_unless_another_number_contradicts(row: Added):
    assert coupons_in(file_with(**row.numbers), CountNames(row.named)).added == row.added


class Names(NamedTuple):
    """The numbers of a file, and the names under which coupons added and duplicates are."""

    name: str
    numbers: Mapping[str, int]
    added: str = ""
    duplicates: str = ""


NAMES = [
    Names("usual names", {"coupons_added": 3, "coupons_duplicate": 1}),
    Names("names that sound alike", {"loaded": 3, "repeated": 1}, "loaded", "repeated"),
    Names("within an object", {"codes": {"loaded": 3}}, "codes.loaded"),  # type: ignore[dict-item]
    Names("two that sound alike", {"loaded": 3, "newly_stored": 3}),
    Names("none that sounds alike", {"alpha": 3}),
]


@pytest.mark.parametrize("row", NAMES, ids=ids(NAMES))
def test_the_only_name_that_sounds_alike_is_that_of_a_count(row: Names):
    names = count_names(file_with(**row.numbers), CountNames())
    assert names == CountNames(row.added, row.duplicates)


class OddStatus(NamedTuple):
    """A record, and what it has in place of a status that is read; empty if it has one."""

    name: str
    record: Any
    says: str


ODD_STATUSES = [
    OddStatus("a number", {"status": 7}, "status 7"),
    OddStatus("a blank, and a state", {"status": " ", "state": "DONE"}, 'status " "'),
    OddStatus("null, and a state", {"status": None, "state": "DONE"}, 'state "DONE"'),
    OddStatus("an empty string, and a phase", {"status": "", "phase": 2}, "phase 2"),
    OddStatus("a status within an object", {"job": {"status": "DONE"}}, 'job.status "DONE"'),
    OddStatus("60 characters", {"status": ["x" * 49]}, f'status ["{"x" * 49}"]'),
    OddStatus("61 characters", {"status": ["x" * 50]}, f'status ["{"x" * 50}…'),
]


@pytest.mark.parametrize("row", ODD_STATUSES, ids=[row.name for row in ODD_STATUSES])
def test_what_a_record_has_in_place_of_a_status_is_the_first_property_named_so_with_a_value(
    row: OddStatus,
):
    """It is said with 60 characters at most."""
    assert odd_status(row.record) == row.says


NO_ODD_STATUSES = [
    OddStatus("a string", {"status": "NEW"}, ""),
    OddStatus("nothing like one", {"name": "a"}, ""),
    OddStatus("no record", None, ""),
]


@pytest.mark.parametrize("row", NO_ODD_STATUSES, ids=[row.name for row in NO_ODD_STATUSES])
def test_a_record_with_a_status_or_with_nothing_like_one_has_nothing_in_its_place(row: OddStatus):
    assert odd_status(row.record) == row.says


class Reason(NamedTuple):
    """Members of a record, and the reason of its failure that they give."""

    name: str
    members: Mapping[str, Any]
    reason: str


REASONS = [
    Reason("the usual name", {"error": "late"}, "late"),
    Reason("another name", {"failure": "late"}, "failure: late"),
    Reason(
        "a message behind a code",
        {"failure_code": "E_LATE", "failure_message": "late"},
        "failure_message: late",
    ),
    Reason("the first of two codes", {"failure_a": "E", "failure_b": "F"}, "failure_a: E"),
    Reason("a word for none", {"failure": "None."}, ""),
    Reason("a number", {"failure": "404"}, ""),
    Reason("a link", {"failure": "https://files.example.com/log"}, ""),
    Reason("how failures are handled", {"failure_policy": "skip"}, ""),
    Reason(
        "in an object of an array", {"failures": [{"row": 1, "message": "late"}]}, "failures: late"
    ),
]


@pytest.mark.parametrize("row", REASONS, ids=ids(REASONS))
def test_the_reason_of_a_failure_is_a_text_for_people_before_a_code(row: Reason):
    assert file_with(**row.members).reason == row.reason


class Nested(NamedTuple):
    """An object within objects, and what is found in it."""

    name: str
    content: Any
    found: Sequence[tuple[str, Any]]


NESTED = [
    Nested("at the top", {"a": 1}, [("a", 1)]),
    Nested("two members", {"a": 1, "b": {"c": 2}}, [("a", 1), ("b.c", 2)]),
    Nested("five names deep", {"a": {"b": {"c": {"d": {"e": 1}}}}}, [("a.b.c.d.e", 1)]),
    Nested("six names deep", {"a": {"b": {"c": {"d": {"e": {"f": 1}}}}}}, []),
    Nested("no object", [1], [("", [1])]),
]


@pytest.mark.parametrize("row", NESTED, ids=ids(NESTED))
def test_members_are_found_down_to_five_names(row: Nested):
    assert [*inside(row.content)] == [*row.found]
