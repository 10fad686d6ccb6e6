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
    """Counts, what is expected of them, and the line; ``level`` is 0 for an error."""

    counts: dict[str, int]
    expected: ExpectedCounts
    level: int
    line: str


CHECKS = {
    "nothing expected": Check({"added": 5}, ExpectedCounts(), logging.INFO, "5 coupons added"),
    "just enough": Check({"added": 1}, ExpectedCounts(1), logging.INFO, "1 coupon added"),
    "none added": Check({"added": 0}, ExpectedCounts(), logging.WARNING, "0 coupons added"),
    "none expected": Check({"added": 0}, ExpectedCounts(0), logging.INFO, "0 coupons added"),
    "too few": Check({"added": 4}, ExpectedCounts(5), 0, "4 coupons added, fewer than 5"),
    "not known": Check({}, ExpectedCounts(), logging.INFO, "No count of added coupons"),
    "not known, none expected": Check(
        {}, ExpectedCounts(0), logging.INFO, "No count of added coupons"
    ),
    "not known, one expected": Check({}, ExpectedCounts(1), 0, "No count of added coupons"),
    "as many duplicates as may be": Check(
        {"added": 5, "duplicates": 2},
        ExpectedCounts(None, 2),
        logging.INFO,
        "5 coupons added, 2 duplicates",
    ),
    "too many duplicates": Check(
        {"added": 5, "duplicates": 3},
        ExpectedCounts(None, 2),
        0,
        "5 coupons added, 3 duplicates, more than 2",
    ),
    "no duplicate allowed": Check(
        {"added": 5, "duplicates": 1},
        ExpectedCounts(None, 0),
        0,
        "5 coupons added, 1 duplicate, more than 0",
    ),
    "as large a share of duplicates as may be": Check(
        {"added": 3, "duplicates": 1},
        ExpectedCounts(None, 0.25),
        logging.INFO,
        "3 coupons added, 1 duplicate",
    ),
    "too large a share of duplicates": Check(
        {"added": 2, "duplicates": 1},
        ExpectedCounts(None, 0.25),
        0,
        "2 coupons added, 1 duplicate, more than 0.25 of all coupons",
    ),
    "all may be duplicates": Check(
        {"added": 0, "duplicates": 9},
        ExpectedCounts(0, 1.0),
        logging.INFO,
        "0 coupons added, 9 duplicates",
    ),
    "duplicates not known": Check(
        {"added": 5}, ExpectedCounts(None, 2), 0, "No count of duplicates"
    ),
}


@pytest.mark.parametrize(
    "check", [check for check in CHECKS.values() if check.level], ids=lambda check: check.line
)
def test_what_files_brought_is_logged(check: Check):
    level, text = check_counts([file(**check.counts)], CountNames(), check.expected)
    assert (level, text.splitlines()[0]) == (check.level, f"{check.line} (coupons of list l)")


@pytest.mark.parametrize(
    "check", [check for check in CHECKS.values() if not check.level], ids=lambda check: check.line
)
def test_what_is_not_as_expected_fails_the_task(check: Check):
    with pytest.raises(WesCouponFileFailedError) as raised:
        check_counts([file(**check.counts)], CountNames(), check.expected)
    first, advice = str(raised.value).splitlines()
    assert first == f"{check.line} (coupons of list l)"
    is_known = not check.line.startswith("No count")
    assert ("a clear uploads nothing" in advice) is is_known
    assert ("coupon_file_counts" in advice) is not is_known
    assert raised.value.coupon_file["id"] == "f"


def test_several_files_are_counted_together():
    files = [file(added=2, duplicates=1)] * 3
    _, text = check_counts(files, CountNames(), ExpectedCounts(6))
    assert text == "6 coupons added, 3 duplicates (3 files of list l)"


@pytest.mark.parametrize(
    ("added", "duplicates", "problem"),
    [
        (-1, None, "min_coupons_added takes a whole number"),
        (1.5, None, "min_coupons_added takes a whole number"),
        (None, -1, "max_duplicates takes a whole number"),
        (None, "1", "max_duplicates takes a whole number"),
        (None, True, "max_duplicates takes a whole number"),
        (None, 1.5, "max_duplicates takes a whole number, or a share from 0.0 to 1.0"),
    ],
)
def test_expectations_that_make_no_sense_are_refused(added: Any, duplicates: Any, problem: str):
    with pytest.raises(WesConfigurationError, match=problem):
        expect_counts(added, duplicates)
