"""
What the record of a coupon file means. A list of statuses that is given replaces the connection's
one, and takes its statuses from the other two. Case and spaces around a status do not count. Other
names, no list of strings, and a status in two lists are WesConfigurationError.

Added coupons are read from ``added``, ``imported`` or ``coupons_added``, duplicates from
``duplicates``, ``duplicate`` or ``coupons_duplicate``, the first that is there; or from the one
name that the connection gives. Numbers below 0 and above 100,000,000 are no counts. Several files
are added up; if one lacks a count, it is not known.

WesCouponFileFailedError says that fewer than ``min_coupons_added`` were added, that there are more
duplicates than ``max_duplicates`` (a number, or as a float up to 1.0 a share of both together), or
that a count that this needs is not known; it has the file, and says that a clear uploads nothing,
or how to name the count. No coupon added is logged as a warning, and as expected with
``min_coupons_added=0``. Other values of the two arguments are refused.
"""

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


class NoStatuses(NamedTuple):
    """Lists of statuses that make no sense, and the error."""

    given: Any
    problem: str


NO_STATUSES = {
    "another list": NoStatuses({"finished": ["x"]}, "finished"),
    "no list": NoStatuses({"success": "DONE"}, "takes lists of statuses"),
    "no string": NoStatuses({"success": [1]}, "takes lists of statuses"),
    "a status twice": NoStatuses({"success": ["x"], "failure": ["X"]}, "X in two lists"),
}


@pytest.mark.parametrize("row", NO_STATUSES.values(), ids=NO_STATUSES)
def test_statuses_that_make_no_sense_are_refused(row: NoStatuses):
    with pytest.raises(WesConfigurationError, match=row.problem):
        Statuses.of(row.given)


class Given(NamedTuple):
    """Lists of statuses that are given, and what becomes of the lists that a connection has."""

    given: dict[str, list[str]]
    expected: Statuses


OF_THE_CONNECTION = Statuses(
    pending=frozenset({"NEW", "BUSY"}),
    success=frozenset({"READY", "LOADED"}),
    failure=frozenset({"BAD", "GONE"}),
)
GIVEN = {
    "success": Given(
        {"success": [" done ", "gone", "busy"]},
        Statuses(
            pending=frozenset({"NEW"}),
            success=frozenset({"DONE", "GONE", "BUSY"}),
            failure=frozenset({"BAD"}),
        ),
    ),
    "failure": Given(
        {"failure": ["Broken", "loaded", "New"]},
        Statuses(
            pending=frozenset({"BUSY"}),
            success=frozenset({"READY"}),
            failure=frozenset({"BROKEN", "LOADED", "NEW"}),
        ),
    ),
    "pending": Given(
        {"pending": ["ready", "bad"]},
        Statuses(
            pending=frozenset({"READY", "BAD"}),
            success=frozenset({"LOADED"}),
            failure=frozenset({"GONE"}),
        ),
    ),
    "pending, emptied": Given(
        {"pending": []},
        Statuses(
            pending=frozenset(),
            success=OF_THE_CONNECTION.success,
            failure=OF_THE_CONNECTION.failure,
        ),
    ),
    "two lists": Given(
        {"success": ["busy"], "failure": ["ready"]},
        Statuses(
            pending=frozenset({"NEW"}),
            success=frozenset({"BUSY"}),
            failure=frozenset({"READY"}),
        ),
    ),
    "nothing": Given({}, OF_THE_CONNECTION),
}


@pytest.mark.parametrize("row", GIVEN.values(), ids=GIVEN)
def test_a_list_that_is_given_replaces_its_own_and_takes_its_statuses_from_the_others(row: Given):
    assert Statuses.of(row.given, OF_THE_CONNECTION) == row.expected


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
    "duplicate": CountRow({"duplicate": 4}, CountNames(), CouponCounts(None, 4)),
    "several of the usual names": CountRow(
        {
            "coupons_duplicate": 6,
            "duplicate": 5,
            "duplicates": 4,
            "coupons_added": 3,
            "imported": 2,
            "added": 1,
        },
        CountNames(),
        CouponCounts(1, 4),
    ),
    "several of the usual names, without the first ones": CountRow(
        {"coupons_duplicate": 6, "duplicate": 5, "coupons_added": 3, "imported": 2},
        CountNames(),
        CouponCounts(2, 5),
    ),
    "with coupons in front": CountRow(
        {"coupons_added": 0, "coupons_duplicate": 2}, CountNames(), CouponCounts(0, 2)
    ),
    "none of the names": CountRow({"total": 3}, CountNames(), CouponCounts(None, None)),
    "a name of the connection for added": CountRow(
        {"total": 3, "added": 1, "duplicates": 2}, CountNames(added="total"), CouponCounts(3, 2)
    ),
    "a name of the connection for added that is not there": CountRow(
        {"added": 1}, CountNames(added="total"), CouponCounts(None, None)
    ),
    "a name of the connection for duplicates": CountRow(
        {"known": 3, "added": 1, "duplicates": 2},
        CountNames(duplicates="known"),
        CouponCounts(1, 3),
    ),
    "a name of the connection for duplicates that is not there": CountRow(
        {"added": 1, "duplicates": 2}, CountNames(duplicates="known"), CouponCounts(1, None)
    ),
    "negative counts": CountRow(
        {"added": -1, "duplicates": -1}, CountNames(), CouponCounts(None, None)
    ),
    "as many as a list can have": CountRow(
        {"added": 100_000_000, "duplicates": 100_000_000},
        CountNames(),
        CouponCounts(100_000_000, 100_000_000),
    ),
    "times, which are more than a list can have": CountRow(
        {"added": 1_794_862_289, "duplicates": 100_000_001}, CountNames(), CouponCounts(None, None)
    ),
    "a time before a count": CountRow(
        {"added": 1_794_862_289, "imported": 5}, CountNames(), CouponCounts(5, None)
    ),
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


class Logged(NamedTuple):
    """Counts of a file, what is logged about them, and what is expected of them."""

    counts: dict[str, int]
    text: str
    expected: ExpectedCounts = ExpectedCounts()
    level: int = logging.INFO


NONE_ADDED = (
    "0 coupons added (coupons of list l)\n"
    "To make this an error, set min_coupons_added=1. "
    "If it is expected, set min_coupons_added=0."
)
NOT_KNOWN = (
    "No count of added coupons (coupons of list l)\n"
    "If the service counts them, name the count in the connection's extra coupon_file_counts, "
    "as added or duplicates. Counts: "
)
LOGGED = {
    "nothing expected": Logged({"added": 5}, "5 coupons added (coupons of list l)"),
    "just enough": Logged(
        {"added": 1},
        "1 coupon added (coupons of list l)",
        ExpectedCounts(1),
    ),
    "none added": Logged({"added": 0}, NONE_ADDED, level=logging.WARNING),
    "none expected": Logged(
        {"added": 0},
        "0 coupons added (coupons of list l)",
        ExpectedCounts(0),
    ),
    "no counts": Logged({}, f"{NOT_KNOWN}none"),
    "other counts": Logged({"rows": 5, "bytes": 40}, f"{NOT_KNOWN}rows, bytes"),
    "no counts, none expected": Logged({}, f"{NOT_KNOWN}none", ExpectedCounts(0)),
    "as many duplicates as may be": Logged(
        {"added": 5, "duplicates": 2},
        "5 coupons added, 2 duplicates (coupons of list l)",
        ExpectedCounts(None, 2),
    ),
    "as large a share of duplicates as may be": Logged(
        {"added": 3, "duplicates": 1},
        "3 coupons added, 1 duplicate (coupons of list l)",
        ExpectedCounts(None, 0.25),
    ),
    "all may be duplicates": Logged(
        {"added": 0, "duplicates": 9},
        "0 coupons added, 9 duplicates (coupons of list l)",
        ExpectedCounts(0, 1.0),
    ),
}


@pytest.mark.parametrize("row", LOGGED.values(), ids=LOGGED)
def test_counts_within_what_is_expected_are_logged_with_advice_on_missing_ones(row: Logged):
    logged = check_counts([file(**row.counts)], CountNames(), row.expected)
    assert logged == (row.level, row.text)


class Failed(NamedTuple):
    """Counts of a file, what is expected of them, and the lines of the error."""

    counts: dict[str, int]
    expected: ExpectedCounts
    cause: str
    advice: str


TOO_FEW = (
    "The list has these coupons, so a clear uploads nothing. Have a new run upload a larger file; "
    "or, if so few are fine, lower min_coupons_added and clear the task."
)
TOO_MANY_DUPLICATES = (
    "The list has the new coupons, so a clear uploads nothing. Find out why the file repeats "
    "coupons that the list has; if so many are fine, raise max_duplicates and clear the task."
)
FAILED = {
    "too few": Failed(
        {"added": 4},
        ExpectedCounts(5),
        "4 coupons added, fewer than 5 (coupons of list l)",
        TOO_FEW,
    ),
    "too many duplicates": Failed(
        {"added": 5, "duplicates": 3},
        ExpectedCounts(None, 2),
        "5 coupons added, 3 duplicates, more than 2 (coupons of list l)",
        TOO_MANY_DUPLICATES,
    ),
    "no duplicate allowed": Failed(
        {"added": 5, "duplicates": 1},
        ExpectedCounts(None, 0),
        "5 coupons added, 1 duplicate, more than 0 (coupons of list l)",
        TOO_MANY_DUPLICATES,
    ),
    "one duplicate allowed, which is no share of one": Failed(
        {"added": 5, "duplicates": 2},
        ExpectedCounts(None, 1),
        "5 coupons added, 2 duplicates, more than 1 (coupons of list l)",
        TOO_MANY_DUPLICATES,
    ),
    "too large a share of duplicates": Failed(
        {"added": 2, "duplicates": 1},
        ExpectedCounts(None, 0.25),
        "2 coupons added, 1 duplicate, more than 0.25 of all coupons (coupons of list l)",
        TOO_MANY_DUPLICATES,
    ),
}


@pytest.mark.parametrize("row", FAILED.values(), ids=FAILED)
def test_error_of_unexpected_counts_says_that_a_clear_uploads_nothing(row: Failed):
    with pytest.raises(WesCouponFileFailedError) as raised:
        check_counts([file(**row.counts)], CountNames(), row.expected)
    assert str(raised.value) == f"{row.cause}\n{row.advice}"


class Missing(NamedTuple):
    """
    Counts of a file, what is expected of them, and which count the error misses.

    :ivar reported: the counts that the error names, which the file has.
    """

    counts: dict[str, int]
    expected: ExpectedCounts
    missed: str
    reported: str


MISSING = {
    "added": Missing({}, ExpectedCounts(1), "added coupons", "none"),
    "duplicates": Missing({"added": 5}, ExpectedCounts(None, 2), "duplicates", "added"),
}


@pytest.mark.parametrize("row", MISSING.values(), ids=MISSING)
def test_error_of_a_missing_count_says_how_to_name_it(row: Missing):
    with pytest.raises(WesCouponFileFailedError) as raised:
        check_counts([file(**row.counts)], CountNames(), row.expected)
    assert str(raised.value) == (
        f"No count of {row.missed} (coupons of list l)\n"
        "If the service counts them, name the count in the connection's extra "
        f"coupon_file_counts, as added or duplicates. Counts: {row.reported}"
    )


def test_error_about_counts_has_the_file():
    with pytest.raises(WesCouponFileFailedError) as raised:
        check_counts([file(added=4)], CountNames(), ExpectedCounts(5))
    assert raised.value.coupon_file == {
        "id": "f",
        "coupon_list_id": "l",
        "name": "",
        "status": "SUCCESS",
        "file_url": "https://h.example.com/coupons",
        "added": 4,
    }


def test_several_files_are_counted_together():
    files = [file(added=2, duplicates=1)] * 3
    _, text = check_counts(files, CountNames(), ExpectedCounts(6))
    assert text == "6 coupons added, 3 duplicates (3 files of list l)"


class Duplicates(NamedTuple):
    """The argument ``max_duplicates``, and its type: whole numbers count, floats are shares."""

    given: float
    kind: type[float]


DUPLICATES = {
    "none": Duplicates(0, int),
    "one": Duplicates(1, int),
    "many": Duplicates(250, int),
    "a share of nothing": Duplicates(0.0, float),
    "a share": Duplicates(0.25, float),
    "a share of everything": Duplicates(1.0, float),
}


@pytest.mark.parametrize("row", DUPLICATES.values(), ids=DUPLICATES)
def test_max_duplicates_takes_a_number_or_a_share_and_keeps_which_it_is(row: Duplicates):
    expected = expect_counts(None, row.given).max_duplicates
    assert expected == row.given
    assert type(expected) is row.kind


@pytest.mark.parametrize("fewest", [None, 0, 1, 5000])
def test_min_coupons_added_takes_a_whole_number(fewest: int | None):
    assert expect_counts(fewest, None) == ExpectedCounts(fewest, None)


class Senseless(NamedTuple):
    """Expectations that make no sense, and the error."""

    error: str
    added: Any = None
    duplicates: Any = None


SENSELESS = {
    "fewer than none": Senseless(
        "min_coupons_added takes a whole number from 0 up, not -1",
        added=-1,
    ),
    "a part of a coupon": Senseless(
        "min_coupons_added takes a whole number from 0 up, not 1.5",
        added=1.5,
    ),
    "added as a boolean": Senseless(
        "min_coupons_added takes a whole number from 0 up, not True",
        added=True,
    ),
    "fewer duplicates than none": Senseless(
        "max_duplicates takes a whole number from 0 up, not -1",
        duplicates=-1,
    ),
    "duplicates as a string": Senseless(
        "max_duplicates takes a whole number from 0 up, not '1'",
        duplicates="1",
    ),
    "duplicates as a boolean": Senseless(
        "max_duplicates takes a whole number from 0 up, not True",
        duplicates=True,
    ),
    "a share above one": Senseless(
        "max_duplicates takes a whole number, or a share from 0.0 to 1.0, not 1.5",
        duplicates=1.5,
    ),
    "a share below zero": Senseless(
        "max_duplicates takes a whole number, or a share from 0.0 to 1.0, not -0.5",
        duplicates=-0.5,
    ),
}


@pytest.mark.parametrize("row", SENSELESS.values(), ids=SENSELESS)
def test_expectations_that_make_no_sense_are_refused(row: Senseless):
    with pytest.raises(WesConfigurationError) as raised:
        expect_counts(row.added, row.duplicates)
    assert str(raised.value) == row.error
