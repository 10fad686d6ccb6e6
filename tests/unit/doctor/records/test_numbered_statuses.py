"""
A status has a number of its file if it is of several words and has a count above 0 of that file as
a word, such as "Imported 52 codes"; or if it differs from another file's status in numbers only,
one of which is 10 or more in this status. A count in a word or alone, numbers below 10 (STEP 1 OF
3), and the same status twice do not count. Two such statuses are quoted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from wes_provider.doctor.records.numbered_statuses import quoted_statuses, statuses_with_numbers
from wes_provider.doctor.replies.files import file_of
from wes_provider.models import CouponFile


def files_with(*statuses: str, added: Any = 0) -> list[CouponFile]:
    """Files of a list with these statuses, each with so many coupons added."""
    records = [
        {"_id": f"f{number}", "status": status, "coupons_added": added}
        for number, status in enumerate(statuses)
    ]
    return [file for file in map(file_of, records) if file is not None]


class Statuses(NamedTuple):
    """Files of a list, and which of their statuses have numbers of their file in them."""

    name: str
    files: Sequence[CouponFile]
    numbered: Sequence[str] = ()


STATUSES = [
    Statuses("no files", []),
    Statuses("words", files_with("SUCCESS", "FAILED", added=5)),
    Statuses(
        "a count of its file", files_with("Imported 52 codes", added=52), ["IMPORTED 52 CODES"]
    ),
    Statuses("a small count of its file", files_with("Imported 2", added=2), ["IMPORTED 2"]),
    Statuses("no count of its file", files_with("Imported 52", added=51)),
    Statuses("a count of 0", files_with("0 imported", added=0)),
    Statuses("a count in a word", files_with("STATUS_52", added=52)),
    Statuses("a count alone, as of a code", files_with("52", added=52)),
    Statuses("stages, which have small numbers", files_with("STEP 1 OF 3", "STEP 2 OF 3")),
    Statuses(
        "two that differ in a large number",
        files_with("Imported 52 of 60", "Imported 8 of 60", "DONE"),
        ["IMPORTED 52 OF 60", "IMPORTED 8 OF 60"],
    ),
    Statuses("one that comes twice", files_with("HTTP 404", "HTTP 404")),
    Statuses("two that differ in words, too", files_with("HTTP 404", "HTTPS 200")),
    Statuses("two, of which one has the number 10", files_with("CODE 10", "CODE 9"), ["CODE 10"]),
    Statuses("two whose numbers are below 10", files_with("CODE 8", "CODE 9")),
]


@pytest.mark.parametrize("row", STATUSES, ids=[row.name for row in STATUSES])
def test_a_status_has_a_number_of_its_file_if_that_is_a_count_or_differs_from_others(
    row: Statuses,
) -> None:
    assert statuses_with_numbers(row.files) == [*row.numbered]


def test_two_of_three_statuses_are_quoted() -> None:
    assert quoted_statuses(["A 1", "A 2", "A 3"]) == "'A 1' and 'A 2'"
