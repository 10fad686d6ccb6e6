"""
What statuses and counts of a coupon file mean that the provider does not know, and where bodies of
unknown shape have files, a state, or JSON within a string.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from wes_provider.coupon_files import CountNames
from wes_provider.doctor.files import (
    closed_state,
    count_names,
    json_in_string,
    records_in,
    shape_of,
)
from wes_provider.doctor.meanings import Means, meaning_of, most_added_of_each
from wes_provider.models import CouponFile


class Unknown(NamedTuple):
    """
    A status that the provider does not know, what its file has, and what follows.

    :ivar name: what its name and its file have.
    :ivar sure: whether that alone shows the meaning.
    :ivar open: why no setting follows: ``partial``, ``unclear``, or empty if one may follow.
    """

    name: str
    status: str
    counts: Mapping[str, int]
    means: Means
    sure: bool
    reason: str = ""
    open: str = ""


ADDED = {"coupons_added": 5}
ALL_REJECTED = {"total": 6, "rejected": 6}
UNKNOWN = [
    Unknown(
        "a word of success, coupons added, none rejected",
        "IMPORTED",
        {"coupons_added": 5, "rejected": 0},
        Means.SUCCESS,
        sure=True,
    ),
    Unknown("a word of success among nouns", "COUPONS_LOADED", ADDED, Means.SUCCESS, sure=True),
    Unknown("a word of success, but no count", "FINALIZED", {}, Means.SUCCESS, sure=False),
    Unknown(
        "a word of success, but no coupon",
        "IMPORTED",
        {"coupons_added": 0},
        Means.FAILURE,
        sure=False,
    ),
    Unknown(
        "a word of success and coupons added, but as many errors",
        "IMPORTED",
        {"coupons_added": 5, "error_count": 5},
        Means.FAILURE,
        sure=False,
        open="partial",
    ),
    Unknown(
        "a word of success, and a few bad rows among good ones",
        "IMPORTED",
        {"coupons_added": 5, "error_count": 1},
        Means.SUCCESS,
        sure=True,
    ),
    Unknown("a word that nobody knows, coupons added", "STOCKED", ADDED, Means.SUCCESS, sure=False),
    Unknown("a word of a stage, whatever was added", "STAGED", ADDED, Means.PENDING, sure=False),
    Unknown("a word of a stage, without counts", "STAGED", {}, Means.PENDING, sure=False),
    Unknown(
        "a word of failure, and a reason",
        "IMPORT_FAILED",
        {},
        Means.FAILURE,
        sure=True,
        reason="no header",
    ),
    Unknown("a word of failure, but no reason", "ABORTED", ALL_REJECTED, Means.FAILURE, sure=False),
    Unknown(
        "a word of failure, a reason, all rejected",
        "ABORTED",
        ALL_REJECTED,
        Means.FAILURE,
        sure=True,
        reason="no header",
    ),
    Unknown(
        "a word of success and one of failure",
        "COMPLETED_WITH_ERRORS",
        ADDED,
        Means.FAILURE,
        sure=False,
        open="partial",
    ),
    Unknown(
        "a word of success that is negated",
        "NOT_IMPORTED",
        ADDED,
        Means.FAILURE,
        sure=False,
        open="partial",
    ),
    Unknown(
        "a word of failure and a reason, but an unknown number above 0",
        "REJECTED",
        {"przyjete": 9},
        Means.FAILURE,
        sure=False,
        reason="x",
        open="unclear",
    ),
    Unknown(
        "a word of failure and a reason, an unknown number that is 0, and a size",
        "REJECTED",
        {"przyjete": 0, "size": 9},
        Means.FAILURE,
        sure=True,
        reason="x",
    ),
    Unknown(
        "an unknown number above 0",
        "FERTIG",
        {"zaehler.neu": 5},
        Means.SUCCESS,
        sure=False,
        open="unclear",
    ),
    Unknown(
        "an unknown number that is 0",
        "FERTIG",
        {"zaehler.neu": 0},
        Means.SUCCESS,
        sure=False,
        open="unclear",
    ),
]


@pytest.mark.parametrize("row", UNKNOWN, ids=[row.name for row in UNKNOWN])
def test_an_unknown_statuss_meaning_is_sure_if_its_word_and_its_counts_or_reason_agree(
    row: Unknown,
):
    file = CouponFile("a", status=row.status, counts=dict(row.counts), reason=row.reason)
    meaning = meaning_of(file, CountNames())
    assert (meaning.means, meaning.sure) == (row.means, row.sure)
    assert meaning.is_partial is (row.open == "partial")
    assert meaning.is_unclear is (row.open == "unclear")


class Counts(NamedTuple):
    """A file's counts, and the names other than usual of coupons added and duplicates."""

    name: str
    counts: Mapping[str, int]
    added: str
    duplicates: str


COUNTS = [
    Counts("the usual names", {"added": 1, "duplicates": 2}, "", ""),
    Counts(
        "one of each kind",
        {"stats.imported": 1, "stats.skipped": 2},
        "stats.imported",
        "stats.skipped",
    ),
    Counts("two of one kind", {"new": 1, "created": 2}, "", ""),
    Counts("one of errors", {"import_errors": 1}, "", ""),
    Counts("one of duplicates alone", {"existing": 3}, "", "existing"),
]


@pytest.mark.parametrize("row", COUNTS, ids=[row.name for row in COUNTS])
def test_another_name_of_a_count_is_found_if_it_is_the_only_one_that_sounds_alike(row: Counts):
    names = count_names(CouponFile("a", counts=dict(row.counts)), CountNames())
    assert (names.added, names.duplicates) == (row.added, row.duplicates)


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


class Closed(NamedTuple):
    """A body, and the state that says that its list takes no files."""

    name: str
    content: Any
    state: str


CLOSED = [
    Closed("a status", {"status": "archived", "data": []}, "status: archived"),
    Closed("of the list", {"list": {"state": "CLOSED"}}, "list.state: CLOSED"),
    Closed("frozen", {"list_state": "Frozen"}, "list_state: Frozen"),
    Closed("ended", {"phase": "ended"}, "phase: ended"),
    Closed("below data", {"data": {"status": "paused"}}, "data.status: paused"),
    Closed(
        "60 characters",
        {"status": f"archived {'x' * 43}"},
        f"status: archived {'x' * 43}",
    ),
    Closed(
        "61 characters",
        {"status": f"archived {'x' * 44}"},
        f"status: archived {'x' * 42}…",
    ),
]


@pytest.mark.parametrize("row", CLOSED, ids=[row.name for row in CLOSED])
def test_a_list_takes_no_files_whose_state_has_a_word_for_closed(row: Closed):
    """The state is quoted with 60 characters at most."""
    assert closed_state(row.content) == row.state


class NotClosed(NamedTuple):
    """A body that does not say that the list takes no files."""

    name: str
    content: Any


NOT_CLOSED = [
    NotClosed("of the account that the list is in", {"account": {"status": "suspended"}}),
    NotClosed("unlocked", {"state": "unlocked"}),
    NotClosed("recommended", {"state": "recommended"}),
    NotClosed("another member", {"note": "archived"}),
    NotClosed("no string", {"state": ["archived"], "status": 7}),
    NotClosed("a file of the list", {"data": [{"status": "expired"}]}),
]


@pytest.mark.parametrize("row", NOT_CLOSED, ids=[row.name for row in NOT_CLOSED])
def test_words_that_look_alike_and_states_of_something_else_do_not_close_a_list(row: NotClosed):
    assert closed_state(row.content) == ""


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


class Added(NamedTuple):
    """Files by identifier, status and coupons added, and those that the others are compared with."""

    name: str
    files: list[tuple[str, str, int]]
    most: list[str]


MOST_ADDED = [
    Added("none", [], []),
    Added("one of each status", [("f1", "A", 0), ("f2", "B", 3)], ["f1", "f2"]),
    Added("the first has most", [("f1", "A", 5), ("f2", "A", 3)], ["f1"]),
    Added("the second has most", [("f1", "A", 3), ("f2", "A", 5)], ["f2"]),
    Added("both have as many", [("f1", "A", 3), ("f2", "A", 3)], ["f1"]),
]


@pytest.mark.parametrize("row", MOST_ADDED, ids=[row.name for row in MOST_ADDED])
def test_of_the_files_of_each_status_the_first_that_added_most_is_taken(row: Added):
    files = [
        CouponFile(file_id, status=status, counts={"coupons_added": added})
        for file_id, status, added in row.files
    ]
    assert [file.id for file in most_added_of_each(files, CountNames())] == row.most
