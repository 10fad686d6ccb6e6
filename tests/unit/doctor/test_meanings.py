"""What statuses and counts of a coupon file mean, if the provider does not know them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from wes_provider.coupon_files import CountNames
from wes_provider.doctor.files import count_names, records_in, shape_of
from wes_provider.doctor.meanings import Means, meaning_of
from wes_provider.models import CouponFile


class Status(NamedTuple):
    """A status, what its file has, and what follows."""

    status: str
    counts: Mapping[str, int]
    reason: str
    means: Means
    sure: bool


STATUSES = [
    Status("IMPORTED", {"coupons_added": 5, "rejected": 0}, "", Means.SUCCESS, True),
    Status("COUPONS_LOADED", {"coupons_added": 5}, "", Means.SUCCESS, True),
    Status("IMPORT_FAILED", {}, "no header", Means.FAILURE, True),
    Status("ABORTED", {"total": 6, "rejected": 6}, "", Means.FAILURE, False),
    Status("STAGED", {"coupons_added": 6}, "", Means.PENDING, False),
    Status("COMPLETED_WITH_ERRORS", {"coupons_added": 5}, "", Means.FAILURE, False),
    Status("IMPORTED", {"coupons_added": 0}, "", Means.FAILURE, False),
    Status("IMPORTED", {"coupons_added": 5, "error_count": 1}, "", Means.FAILURE, False),
    Status("FINALIZED", {}, "", Means.SUCCESS, False),
    Status("REJECTED", {"przyjete": 9}, "x", Means.FAILURE, False),
    Status("REJECTED", {"przyjete": 0, "size": 9}, "x", Means.FAILURE, True),
    Status("FERTIG", {"zaehler.neu": 5}, "", Means.SUCCESS, False),
    Status("NOT_IMPORTED", {"coupons_added": 5}, "", Means.FAILURE, False),
]


@pytest.mark.parametrize("row", STATUSES, ids=[f"{row.status} {row.counts}" for row in STATUSES])
def test_an_unknown_status_has_a_meaning_only_if_nothing_speaks_against_it(row: Status):
    file = CouponFile("a", status=row.status, counts=dict(row.counts), reason=row.reason)
    meaning = meaning_of(file, CountNames())
    assert (meaning.means, meaning.sure) == (row.means, row.sure)


class Counts(NamedTuple):
    """A file's counts, and which of them count coupons added and duplicates."""

    counts: Mapping[str, int]
    added: str
    duplicates: str


COUNTS = [
    Counts({"added": 1, "duplicates": 2}, "", ""),
    Counts({"stats.imported": 1, "stats.skipped": 2}, "stats.imported", "stats.skipped"),
    Counts({"new": 1, "created": 2}, "", ""),
    Counts({"import_errors": 1}, "", ""),
    Counts({"existing": 3}, "", "existing"),
]


@pytest.mark.parametrize("row", COUNTS, ids=[", ".join(row.counts) for row in COUNTS])
def test_a_count_is_recognized_if_it_is_the_only_one_that_sounds_alike(row: Counts):
    names = count_names(CouponFile("a", counts=dict(row.counts)), CountNames())
    assert (names.added, names.duplicates) == (row.added, row.duplicates)


class Body(NamedTuple):
    """A body, where it has a list, how many of its objects are files, and its problem."""

    name: str
    content: Any
    where: str | None
    files: int = 0
    problem: str = ""


BODIES = [
    Body("array", [{"_id": "a"}], "", 1),
    Body("data", {"data": [{"_id": "a"}]}, "data", 1),
    Body("deep", {"a": {"b": [{"_id": "a"}]}}, "a.b", 1),
    Body("files first", {"tags": [{"x": 1}], "z": {"f": [{"_id": "a"}]}}, "z.f", 1),
    Body("empty", [], "", 0),
    Body("empty elsewhere", {"items": []}, None),
    Body("strings", {"items": ["a"]}, None),
    Body("without", [{"id": "a"}], "", 0, "1 object without _id"),
    Body("some without", [{"id": "a"}, {"_id": "b"}], "", 1, "1 of 2 objects without _id"),
    Body("number", {"data": [{"_id": 1}]}, "data", 0, "1 object under data without a usable _id"),
]


@pytest.mark.parametrize("row", BODIES, ids=[row.name for row in BODIES])
def test_the_array_of_files_is_found(row: Body):
    records = records_in(row.content)
    if row.where is None:
        assert records is None
        return
    assert records is not None
    assert (records.where, len(records.files)) == (row.where, row.files)
    assert records.problem == row.problem


@pytest.mark.parametrize(
    ("content", "shape"),
    [
        ({"data": {"items": ["a", "b"]}}, "2 strings under data.items"),
        ({"a": {"_id": "a"}}, "an object without an array"),
        ([[1]], "1 array"),
        ("text", "no object and no array"),
    ],
)
def test_what_has_no_list_is_described(content: Any, shape: str):
    assert shape_of(content) == shape
