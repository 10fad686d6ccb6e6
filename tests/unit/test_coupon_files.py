"""What the record of a coupon file means: its status, and its counts."""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

import pytest

from wes_provider.coupon_files import (
    CountNames,
    CouponCounts,
    ExpectedCounts,
    Statuses,
    check_counts,
    expect_counts,
)
from wes_provider.exceptions import WesConfigurationError, WesCouponFileFailedError
from wes_provider.models import CouponFile


def file(**counts: int) -> CouponFile:
    url = "https://h.example.com/coupons"
    return CouponFile("f", "l", status="SUCCESS", file_url=url, counts=counts)


# -- statuses --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("overrides", "problem"),
    [
        ({"finished": ["x"]}, "finished"),
        ({"success": "DONE"}, "takes lists of statuses"),
        ({"success": [1]}, "takes lists of statuses"),
        ({"success": ["x"], "failure": ["X"]}, "X in two lists"),
    ],
    ids=["another list", "no list", "no string", "a status twice"],
)
def test_statuses_that_make_no_sense_are_refused(overrides: Any, problem: str):
    with pytest.raises(WesConfigurationError, match=problem):
        Statuses.of(overrides)


def test_a_status_that_is_given_is_removed_from_the_lists_that_are_not():
    base = Statuses.of({"failure": ["bad", "Ready"]})
    statuses = Statuses.of({"success": ["failed", " ready "]}, base)
    assert statuses.success == {"FAILED", "READY"}
    assert statuses.failure == {"BAD"}


def test_statuses_are_compared_without_case_and_blanks():
    statuses = Statuses()
    assert statuses.succeeded(" success ")
    assert statuses.failed("Failed")
    assert statuses.is_pending("pending")
    assert not statuses.failed("other")


# -- counts ----------------------------------------------------------------------------------------


class CountRow(NamedTuple):
    """The counts of a file, the connection's names for them, and what is read."""

    counts: dict[str, int]
    names: CountNames
    expected: CouponCounts


COUNTS = {
    "the usual names": CountRow({"added": 3, "duplicates": 1}, CountNames(), CouponCounts(3, 1)),
    "imported": CountRow({"imported": 3}, CountNames(), CouponCounts(3, None)),
    "with coupons in front": CountRow(
        {"coupons_added": 0, "coupons_duplicate": 2}, CountNames(), CouponCounts(0, 2)
    ),
    "none of the names": CountRow({"total": 3}, CountNames(), CouponCounts(None, None)),
    "a name of the connection": CountRow(
        {"total": 3, "added": 1}, CountNames(added="total"), CouponCounts(3, None)
    ),
    "a name of the connection that is not there": CountRow(
        {"added": 1}, CountNames(added="total"), CouponCounts(None, None)
    ),
    "a negative count": CountRow({"added": -1}, CountNames(), CouponCounts(None, None)),
    "no counts": CountRow({}, CountNames(), CouponCounts(None, None)),
}


@pytest.mark.parametrize("row", COUNTS.values(), ids=COUNTS)
def test_counts_are_recognised_by_name(row: CountRow):
    assert row.names.read([file(**row.counts)]) == row.expected


def test_counts_of_several_files_are_added_up():
    files = [file(added=2, duplicates=1), file(imported=3, duplicates=0)]
    assert CountNames().read(files) == CouponCounts(5, 1)


def test_a_count_that_one_file_does_not_have_is_not_known():
    assert CountNames().read([file(added=2), file()]) == CouponCounts(None, None)


class Check(NamedTuple):
    """Counts of a file, the line that shows them, and what is expected of them."""

    counts: dict[str, int]
    line: str
    expected: ExpectedCounts = ExpectedCounts()
    level: int = logging.INFO


LOGGED = {
    "nothing expected": Check({"added": 5}, "5 coupons added"),
    "just enough": Check({"added": 1}, "1 coupon added", ExpectedCounts(1)),
    "none added": Check({"added": 0}, "0 coupons added", level=logging.WARNING),
    "none expected": Check({"added": 0}, "0 coupons added", ExpectedCounts(0)),
    "not known": Check({}, "No count of added coupons"),
    "not known, none expected": Check({}, "No count of added coupons", ExpectedCounts(0)),
    "as many duplicates as may be": Check(
        {"added": 5, "duplicates": 2}, "5 coupons added, 2 duplicates", ExpectedCounts(None, 2)
    ),
    "as large a share of duplicates as may be": Check(
        {"added": 3, "duplicates": 1}, "3 coupons added, 1 duplicate", ExpectedCounts(None, 0.25)
    ),
    "all may be duplicates": Check(
        {"added": 0, "duplicates": 9}, "0 coupons added, 9 duplicates", ExpectedCounts(0, 1.0)
    ),
}
FAILS = {
    "too few": Check({"added": 4}, "4 coupons added, fewer than 5", ExpectedCounts(5)),
    "too many duplicates": Check(
        {"added": 5, "duplicates": 3},
        "5 coupons added, 3 duplicates, more than 2",
        ExpectedCounts(None, 2),
    ),
    "no duplicate allowed": Check(
        {"added": 5, "duplicates": 1},
        "5 coupons added, 1 duplicate, more than 0",
        ExpectedCounts(None, 0),
    ),
    "too large a share of duplicates": Check(
        {"added": 2, "duplicates": 1},
        "2 coupons added, 1 duplicate, more than 0.25 of all coupons",
        ExpectedCounts(None, 0.25),
    ),
}
NOT_COUNTED = {
    "added": Check({}, "No count of added coupons", ExpectedCounts(1)),
    "duplicates": Check({"added": 5}, "No count of duplicates", ExpectedCounts(None, 2)),
}


@pytest.mark.parametrize("row", LOGGED.values(), ids=LOGGED)
def test_what_files_brought_is_logged(row: Check):
    level, text = check_counts([file(**row.counts)], CountNames(), row.expected)
    assert (level, text.splitlines()[0]) == (row.level, f"{row.line} (coupons of list l)")


@pytest.mark.parametrize("row", FAILS.values(), ids=FAILS)
def test_what_is_not_as_expected_fails_the_task(row: Check):
    with pytest.raises(WesCouponFileFailedError) as raised:
        check_counts([file(**row.counts)], CountNames(), row.expected)
    first, advice = str(raised.value).splitlines()
    assert first == f"{row.line} (coupons of list l)"
    assert "a clear uploads nothing" in advice
    assert "coupon_file_counts" not in advice
    assert raised.value.coupon_file["id"] == "f"


@pytest.mark.parametrize("row", NOT_COUNTED.values(), ids=NOT_COUNTED)
def test_a_count_that_is_expected_and_not_found_fails_the_task(row: Check):
    with pytest.raises(WesCouponFileFailedError) as raised:
        check_counts([file(**row.counts)], CountNames(), row.expected)
    first, advice = str(raised.value).splitlines()
    assert first == f"{row.line} (coupons of list l)"
    assert "coupon_file_counts" in advice
    assert "a clear uploads nothing" not in advice
    assert raised.value.coupon_file["id"] == "f"


def test_several_files_are_counted_together():
    files = [file(added=2, duplicates=1)] * 3
    _, text = check_counts(files, CountNames(), ExpectedCounts(6))
    assert text == "6 coupons added, 3 duplicates (3 files of list l)"


class Senseless(NamedTuple):
    """Expectations that make no sense, and what the error says of them."""

    problem: str
    added: Any = None
    duplicates: Any = None


SENSELESS = {
    "fewer than none": Senseless("min_coupons_added takes a whole number", added=-1),
    "a part of a coupon": Senseless("min_coupons_added takes a whole number", added=1.5),
    "fewer duplicates than none": Senseless("max_duplicates takes a whole number", duplicates=-1),
    "duplicates as a string": Senseless("max_duplicates takes a whole number", duplicates="1"),
    "duplicates as a boolean": Senseless("max_duplicates takes a whole number", duplicates=True),
    "a share above one": Senseless(
        "max_duplicates takes a whole number, or a share from 0.0 to 1.0", duplicates=1.5
    ),
}


@pytest.mark.parametrize("row", SENSELESS.values(), ids=SENSELESS)
def test_expectations_that_make_no_sense_are_refused(row: Senseless):
    with pytest.raises(WesConfigurationError, match=row.problem):
        expect_counts(row.added, row.duplicates)
