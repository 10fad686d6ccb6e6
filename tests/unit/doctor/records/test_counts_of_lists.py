"""
A number that may count coupons added is the list's, and no file's, if each of three files or more
has the same one above 0, although the files differ: one is on its way, or they have several
statuses and another number that differs. Its name is the connection's, if that names one, or else a
usual one. Two files, all processed without other numbers, 0, or a file with another number show
nothing. Files can be left without that count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_replies import SETTINGS, changed
from wes_provider.coupon_files import CountNames
from wes_provider.doctor.records.counts_of_lists import count_of_list, without_count
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings

NAMED = changed(count_names=CountNames(added="rows_in"))


def file(number: int, status: str = "SUCCESS", **counts: int) -> CouponFile:
    return CouponFile.from_record({"_id": f"f{number}", "status": status, **counts})


class Row(NamedTuple):
    """Files of a list, and the count that is the list's; empty if none is."""

    name: str
    files: Sequence[CouponFile]
    count: str = ""
    settings: WesSettings = SETTINGS


ROWS = [
    Row("no file", []),
    Row(
        "the same, one on its way",
        [file(1, added=9), file(2, added=9), file(3, "PENDING", added=9)],
        "added",
    ),
    Row("two files only", [file(1, added=9), file(2, "PENDING", added=9)]),
    Row("all processed, nothing else", [file(1, added=9), file(2, added=9), file(3, added=9)]),
    Row("no coupons", [file(1, added=0), file(2, added=0), file(3, "PENDING", added=0)]),
    Row("another number", [file(1, added=9), file(2, added=9), file(3, "PENDING", added=8)]),
    Row("none on its way", [file(1, added=9), file(2, added=9), file(3, "PENDING")]),
    Row(
        "several statuses and other numbers",
        [
            file(1, "OPEN", added=9, rows=1),
            file(2, "SHUT", added=9, rows=2),
            file(3, added=9, rows=2),
        ],
        "added",
    ),
    Row(
        "several statuses and the same numbers",
        [
            file(1, "OPEN", added=9, rows=2),
            file(2, "SHUT", added=9, rows=2),
            file(3, added=9, rows=2),
        ],
    ),
    Row(
        "one status and other numbers",
        [file(1, added=9, rows=1), file(2, added=9), file(3, added=9)],
    ),
    Row(
        "another usual name",
        [file(1, imported=9), file(2, imported=9), file(3, "PENDING", imported=9)],
        "imported",
    ),
    Row(
        "the name of the connection",
        [file(1, rows_in=9), file(2, rows_in=9), file(3, "PENDING", rows_in=9)],
        "rows_in",
        NAMED,
    ),
    Row(
        "a usual name beside that of the connection",
        [file(1, added=9), file(2, added=9), file(3, "PENDING", added=9)],
        settings=NAMED,
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_a_number_that_each_of_several_files_has_is_that_of_the_list(row: Row) -> None:
    assert count_of_list(row.files, row.settings) == row.count


def test_files_are_left_without_one_count() -> None:
    files = without_count([file(1, added=9, rows=2), file(2, rows=3)], "added")
    assert [each.counts for each in files] == [{"rows": 2}, {"rows": 3}]
