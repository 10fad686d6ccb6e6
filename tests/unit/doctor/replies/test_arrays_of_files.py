"""
Files are the objects of the array that has one with the identifier that the provider reads
(``_id``, a string), at any place of a body; objects without it are counted as a problem. An empty
array is one of no files, unless it stands under a name that says nothing. A body without an array
of objects (strings, arrays, one file, an object with numbers as names) has no array of files, and
is described by what it has instead, and where. JSON within a string, an object or an array, is
found in an object, at any place; not a number, a text that only begins like one, or a body that is
a string itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from wes_provider.doctor.replies.files import json_in_string, records_in, shape_of


class Body(NamedTuple):
    """A body, where it has an array, how many of its objects are files, and its problem."""

    name: str
    content: Any
    where: str
    files: int = 0
    problem: str = ""


BODIES = [
    Body("an array", [{"_id": "a"}], "", 1),
    Body("under data", {"data": [{"_id": "a"}]}, "data", 1),
    Body("further down", {"a": {"b": [{"_id": "a"}]}}, "a.b", 1),
    Body("files behind another array", {"tags": [{"x": 1}], "z": {"f": [{"_id": "a"}]}}, "z.f", 1),
    Body("an empty array", [], "", 0),
    Body("an object without an identifier", [{"id": "a"}], "", 0, "1 object without _id"),
    Body(
        "one of two without an identifier",
        [{"id": "a"}, {"_id": "b"}],
        "",
        1,
        "1 of 2 objects without _id",
    ),
    Body(
        "a number as identifier",
        {"data": [{"_id": 1}]},
        "data",
        0,
        "1 object under data without a usable _id",
    ),
]


@pytest.mark.parametrize("row", BODIES, ids=[row.name for row in BODIES])
def test_the_array_of_files_is_found_with_the_objects_that_are_none(row: Body):
    records = records_in(row.content)
    assert records is not None
    assert (records.where, len(records.files)) == (row.where, row.files)
    assert records.problem == row.problem


class NoFiles(NamedTuple):
    """A body, and what it has in place of an array of files."""

    name: str
    content: Any
    shape: str


NO_FILES = [
    NoFiles("strings", {"items": ["a"]}, "1 string under items"),
    NoFiles("strings further down", {"data": {"items": ["a", "b"]}}, "2 strings under data.items"),
    NoFiles("one file", {"a": {"_id": "a"}}, "an object without an array"),
    NoFiles("an array of arrays", [[1]], "1 array"),
    NoFiles(
        "an object in place of an array",
        {"data": {"0": {"_id": "a"}, "2": {"_id": "b"}}},
        "an object with numbers as names (0, 2) in place of an array under data",
    ),
    NoFiles(
        "such an object as the body",
        {"0": {}, "1": {}, "2": {}, "5": {}},
        "an object with numbers as names (0, 1, 2) in place of an array",
    ),
    NoFiles("an object with a number as a name", {"0": {}, "a": {}}, "an object without an array"),
    NoFiles("an empty object", {}, "an object without an array"),
    NoFiles("a string", "text", "no object and no array"),
]


@pytest.mark.parametrize("row", NO_FILES, ids=[row.name for row in NO_FILES])
def test_no_array_of_files_is_found_in_a_body_without_an_array_of_objects(row: NoFiles):
    assert records_in(row.content) is None


def test_an_empty_array_under_a_name_that_says_nothing_is_not_taken_for_the_files():
    assert records_in({"items": []}) is None


@pytest.mark.parametrize("row", NO_FILES, ids=[row.name for row in NO_FILES])
def test_a_body_without_an_array_of_files_is_described_by_what_it_has_instead(row: NoFiles):
    assert shape_of(row.content) == row.shape


class Enclosed(NamedTuple):
    """A body, and where it has JSON as a string."""

    name: str
    content: Any
    where: str


ENCLOSED = [
    Enclosed("an array", {"body": '[{"_id": "f1"}]'}, "body"),
    Enclosed("an object below another", {"reply": {"body": '{"a": 1}'}}, "reply.body"),
]


@pytest.mark.parametrize("row", ENCLOSED, ids=[row.name for row in ENCLOSED])
def test_an_object_or_an_array_is_found_within_a_string_of_an_object(row: Enclosed):
    assert json_in_string(row.content) == row.where


class NotEnclosed(NamedTuple):
    """A body that has no JSON as a string."""

    name: str
    content: Any


NOT_ENCLOSED = [
    NotEnclosed("a note that begins like one", {"note": "[test] hello"}),
    NotEnclosed("a number", {"body": "7"}),
    NotEnclosed("the body itself", '[{"_id": "f1"}]'),
]


@pytest.mark.parametrize("row", NOT_ENCLOSED, ids=[row.name for row in NOT_ENCLOSED])
def test_any_other_string_or_a_body_that_is_one_has_no_json_within(row: NotEnclosed):
    assert json_in_string(row.content) == ""
