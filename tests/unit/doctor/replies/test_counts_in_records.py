"""
Coupons added are the number with the usual name, or the only one whose name sounds alike (loaded),
also within an object; two such names leave it open. Duplicates are found likewise. Another number
that may count the same contradicts if one of the two is 0 and the other is not; not if it is a
total, or as much more as was left out, or if the connection names the count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.coupon_files import CountNames
from wes_provider.doctor.replies.files import count_names, coupons_in, file_of
from wes_provider.models import CouponFile


def file_with(**members: Any) -> CouponFile:
    """A file with these members beside its identifier and its status."""
    file = file_of({"_id": "f1", "status": "LIVE", **members})
    assert file is not None
    return file


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
