"""
If no known number counts coupons added, a number that is above 0 with some statuses and 0 with
others may, whatever it is called, unless its name is that of bad rows, of duplicates, or of
something that is no coupon, such as attempts: those never tell statuses apart, and speak against no
other number. None does if it is above 0 or 0 with each status, if there is one status only, if two
numbers tell the statuses apart differently, or if in some file it is 0 and another number is above
0. Two numbers that do so alike leave the first. The names stay as they are if no number tells, and
the name of duplicates always.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.coupon_files import CountNames
from wes_provider.doctor.records.meanings import (
    telling_names,
)
from wes_provider.models import CouponFile

NAMES = CountNames(added="gone", duplicates="old")
NOT_SET = "gone"


def file(status: str, number: int = 1, /, **counts: int) -> CouponFile:
    return CouponFile(f"f{number}", status=status, counts=dict(counts))


class Telling(NamedTuple):
    """Files, and the number that tells their statuses apart; ``NOT_SET`` if none does."""

    name: str
    files: Sequence[CouponFile]
    added: str


TELLING = [
    Telling("above 0 with one status alone", [file("A", fresh=5), file("B", 2, fresh=0)], "fresh"),
    Telling("above 0 with each status", [file("A", fresh=5), file("B", 2, fresh=1)], NOT_SET),
    Telling("0 with each status", [file("A", fresh=0), file("B", 2, fresh=0)], NOT_SET),
    Telling("one status", [file("A", fresh=5), file("A", 2, fresh=0)], NOT_SET),
    Telling(
        "two numbers with the same status",
        [file("A", fresh=5, more=4), file("B", 2, fresh=0, more=0)],
        "fresh",
    ),
    Telling(
        "two numbers with different statuses",
        [file("A", fresh=5, more=0), file("B", 2, fresh=0, more=4)],
        NOT_SET,
    ),
    Telling(
        "two numbers, of which one is above 0 with fewer statuses",
        [file("A", fresh=5, more=4), file("B", 2, fresh=3, more=0), file("C", 3, fresh=0, more=0)],
        NOT_SET,
    ),
    Telling(
        "another number above 0 where it is 0",
        [file("A", fresh=5, more=1), file("B", 2, fresh=0, more=1)],
        NOT_SET,
    ),
    *(
        Telling(f"nothing but {name}", [file("A", **{name: 5}), file("B", 2, **{name: 0})], NOT_SET)
        for name in ("errors", "skipped", "attempts", "size_bytes", "records", "progress_percent")
    ),
    *(
        Telling(
            f"beside {name} above 0 where it is 0",
            [file("A", fresh=5, **{name: 0}), file("B", 2, fresh=0, **{name: 4})],
            "fresh",
        )
        for name in ("errors", "skipped", "attempts", "total")
    ),
    Telling(
        "0 in one of two files of a status",
        [file("A", fresh=5), file("A", 2, fresh=0), file("B", 3, fresh=0)],
        "fresh",
    ),
    Telling(
        "beside coupons added, which are 0",
        [file("A", coupons_added=0, fresh=5), file("B", 2, coupons_added=0, fresh=0)],
        NOT_SET,
    ),
]


@pytest.mark.parametrize("row", TELLING, ids=ids(TELLING))
def test_a_number_that_is_0_for_some_statuses_only_may_count_coupons_added(row: Telling):
    assert telling_names(row.files, NAMES) == CountNames(row.added, "old")
