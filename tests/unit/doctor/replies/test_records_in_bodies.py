"""
The files of a body are the array of objects that has a file first, then the one nearest to the top;
null or an empty array counts at the top and under data only. An array of other values is none.
Members of objects are found down to five names. Records without a usable _id are counted, with the
place of their array; of their properties, ten at most are named, those that most have first and
with how many have them if not all; the first _id and four values of a status with them. An
identifier that is not read is said by its place, or as what it is, if it stands at the top or under
data and is no string.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.doctor.replies.files import odd_identifier, records_in
from wes_provider.doctor.replies.members import inside


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
