"""
If no known number counts coupons added, a number that is above 0 with some statuses and 0 with
others may, whatever it is called; the name of duplicates stays. None does if it is above 0 or 0
with each status, if there is one status only, if it counts bad rows, if two numbers tell the
statuses apart differently, or if another number is above 0 where it is 0. Two numbers that do so
alike leave the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.coupon_files import CountNames
from wes_provider.doctor.meanings import (
    telling_names,
)
from wes_provider.models import CouponFile

NO_NAMES = CountNames()


def file(status: str, number: int = 1, /, reason: str = "", **counts: int) -> CouponFile:
    return CouponFile(f"f{number}", status=status, counts=dict(counts), reason=reason)


class Telling(NamedTuple):
    """Files, and the number that tells their statuses apart; empty if none does."""

    name: str
    files: Sequence[CouponFile]
    added: str


TELLING = [
    Telling("above 0 with one status alone", [file("A", fresh=5), file("B", 2, fresh=0)], "fresh"),
    Telling("above 0 with each status", [file("A", fresh=5), file("B", 2, fresh=1)], ""),
    Telling("0 with each status", [file("A", fresh=0), file("B", 2, fresh=0)], ""),
    Telling("one status", [file("A", fresh=5), file("A", 2, fresh=0)], ""),
    Telling(
        "two numbers with the same status",
        [file("A", fresh=5, more=4), file("B", 2, fresh=0, more=0)],
        "fresh",
    ),
    Telling(
        "two numbers with different statuses",
        [file("A", fresh=5, more=0), file("B", 2, fresh=0, more=4)],
        "",
    ),
    Telling(
        "two numbers, of which one is above 0 with fewer statuses",
        [file("A", fresh=5, more=4), file("B", 2, fresh=3, more=0), file("C", 3, fresh=0, more=0)],
        "",
    ),
    Telling(
        "another number above 0 where it is 0",
        [file("A", fresh=5, more=1), file("B", 2, fresh=0, more=1)],
        "",
    ),
    Telling("bad rows", [file("A", errors=5), file("B", 2, errors=0)], ""),
    Telling(
        "a number beside coupons added, which is 0",
        [file("A", coupons_added=0, fresh=5), file("B", 2, coupons_added=0, fresh=0)],
        "",
    ),
]


@pytest.mark.parametrize("row", TELLING, ids=ids(TELLING))
def test_a_number_that_is_0_for_some_statuses_only_may_count_coupons_added(row: Telling):
    assert telling_names(row.files, NO_NAMES).added == row.added


def test_a_number_that_tells_statuses_apart_leaves_the_name_of_duplicates():
    files = [file("A", fresh=5), file("B", 2, fresh=0)]
    assert telling_names(files, CountNames(duplicates="old")) == CountNames("fresh", "old")
