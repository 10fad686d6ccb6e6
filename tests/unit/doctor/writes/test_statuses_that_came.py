"""
Each status of an uploaded file is noted in order, one that comes again once more. Counts that
change while the status stays are noted, such as "rows_in 1, then 2"; not counts that came or went,
numbers of polls, nor changes before the last status. A file that waits for a person is followed for
the shorter of the timeout and the seconds that a status has to last.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_followers import (
    PENDING,
    followed_file,
    uploaded_record,
    without_counts,
)


def test_a_status_that_comes_again_is_noted_again():
    def file_at(seconds: float) -> dict[str, Any]:
        if seconds < 5:
            return PENDING
        if seconds < 8:
            return uploaded_record("CHECKED", coupons_added=0)
        if seconds < 12:
            return PENDING
        return uploaded_record()

    followed = followed_file(lambda _: [PENDING], file_at)
    assert followed.statuses == ("PENDING", "CHECKED", "PENDING", "SUCCESS")


class Grown(NamedTuple):
    """The counts of a file with an unknown status, at first and later, and what is noted."""

    name: str
    first: Mapping[str, Any]
    later: Mapping[str, Any]
    grew: str


GROWN = [
    Grown("a count grew", {"rows_in": 1}, {"rows_in": 2}, "rows_in 1, then 2"),
    Grown("a count stayed", {"rows_in": 1}, {"rows_in": 1}, ""),
    Grown("a count came", {}, {"rows_in": 2}, ""),
    Grown("a count went", {"rows_in": 1}, {}, ""),
    Grown("a number of polls grew", {"poll_number": 1}, {"poll_number": 2}, ""),
]


@pytest.mark.parametrize("row", GROWN, ids=ids(GROWN))
def test_counts_that_grow_with_the_same_status_are_noted(row: Grown):
    plain = without_counts(uploaded_record("STRANGE"))

    def file_at(seconds: float) -> dict[str, Any]:
        return {**plain, **(row.first if seconds < 5 else row.later)}

    followed = followed_file(lambda _: [plain], file_at, final_after=7.0, accepted=file_at(0))
    assert followed.grew == row.grew


def test_counts_that_grew_before_the_last_status_are_not_noted():
    def file_at(seconds: float) -> dict[str, Any]:
        if seconds < 6:
            return uploaded_record("STRANGE", coupons_added=round(seconds))
        return uploaded_record("SUCCESS")

    followed = followed_file(lambda _: [uploaded_record()], file_at)
    assert followed.grew == ""


class WaitsForPerson(NamedTuple):
    """How long a file that waits for a person is followed, by two bounds."""

    name: str
    timeout: float
    final_after: float
    at_most: float


WAITS = [
    WaitsForPerson("the time of a last status is shorter", 40.0, 8.0, at_most=20.0),
    WaitsForPerson("the timeout is shorter", 8.0, 40.0, at_most=20.0),
]


@pytest.mark.parametrize("row", WAITS, ids=ids(WAITS))
def test_a_file_that_waits_for_a_person_is_followed_for_the_shorter_time(row: WaitsForPerson):
    file = without_counts(uploaded_record("AWAITING_APPROVAL"))
    followed = followed_file(
        lambda _: [file], lambda _: file, timeout=row.timeout, final_after=row.final_after
    )
    assert followed.waits_for
    assert followed.waited < row.at_most
