"""
A body has one file without an array if its topmost record has an identifier, a status, and what
only files have beside it: the name of their list, a URL or a number. It is no such file with the
identifier of the list that was read, or within a record of something else. Files are keyed by their
identifiers if an object has nothing but such files, each under its own identifier. The text says
which of both it is, and under which property.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from wes_provider.doctor.replies.lone_files import files_without_array

F1 = {"_id": "f1", "status": "NEW", "coupons_list_id": "spring"}
F2 = {"_id": "f2", "status": "NEW", "coupons_list_id": "spring"}
BARE = {"_id": "f1", "status": "NEW"}


class Body(NamedTuple):
    """A body, its files, and how they are described; empty for none."""

    name: str
    content: Any
    files: list[str]
    says: str


BODIES = [
    Body("one file", F1, ["f1"], "one file alone"),
    Body("one file under data", {"data": F1}, ["f1"], "one file alone under data"),
    Body("one file further down", {"a": {"b": F1}}, ["f1"], "one file alone under a.b"),
    Body(
        "one with an array",
        {"data": {**F1, "links": [{"a": 1}]}},
        ["f1"],
        "one file alone under data",
    ),
    Body("by a URL", {**BARE, "file_url": "https://a.example/b"}, ["f1"], "one file alone"),
    Body("by a number", {**BARE, "coupons_added": 5}, ["f1"], "one file alone"),
    Body(
        "two keyed files",
        {"data": {"f1": F1, "f2": F2}},
        ["f1", "f2"],
        "2 files keyed by their identifiers under data",
    ),
    Body("one keyed file", {"f1": F1}, ["f1"], "1 file keyed by its identifier"),
]


@pytest.mark.parametrize("row", BODIES, ids=[row.name for row in BODIES])
def test_files_without_an_array_are_one_alone_or_keyed_by_their_identifiers(row: Body):
    found = files_without_array(row.content, "spring")
    assert found is not None
    assert ([file.id for file in found.files], str(found)) == (row.files, row.says)


def test_of_files_under_other_names_than_their_identifiers_the_first_is_one_alone():
    found = files_without_array({"f1": F2, "f2": F1}, "spring")
    assert str(found) == "one file alone under f1"


class NoFile(NamedTuple):
    """A body without a file."""

    name: str
    content: Any


NO_FILES = [
    NoFile("nothing that only files have", BARE),
    NoFile("no status", {"_id": "f1", "coupons_list_id": "spring"}),
    NoFile("no identifier", {"status": "NEW", "coupons_list_id": "spring"}),
    NoFile("the list itself", {"_id": "spring", "status": "NEW", "coupons": 7}),
    NoFile("a file within another record", {"_id": "spring", "last_file": F1}),
    NoFile("an array", [F1]),
    NoFile("an empty object", {}),
    NoFile("a text", "f1"),
]


@pytest.mark.parametrize("row", NO_FILES, ids=[row.name for row in NO_FILES])
def test_a_record_of_something_else_is_no_file_without_an_array(row: NoFile):
    assert files_without_array(row.content, "spring") is None
