"""
The service has twelve variants, each with another path, status, name, shape, header or limit.

With at most 12 reads, which change nothing, the doctor finds all settings that fit a variant, but
for the identifier of catalogs in one, and without a named list for the statuses or counts of two;
what it does not find, it does not call proved. An upload, a catalog and a segment find all settings
and prove all, but for the statuses of failure, and a guess at a catalog's identifier. With the
extra that was found, the same is found again, and all but failures is proved; then the account is
*Ready*, except for the two variants whose lists the provider cannot read (nested, or under
``items``): these are *Not ready*, for the path of the list's files.
"""

from __future__ import annotations

from collections.abc import Set
from functools import cache
from itertools import chain
from typing import NamedTuple

import pytest

from support.doctor_service import AT_ONCE, OLD_LIST, VARIANTS, diagnose, fits, service
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.report import DEFAULTS, Report
from wes_provider.emulator import Emulator

NOT_READ = {"nested-lists": "result.files", "paged-lists": "items"}
"""Variants whose lists the provider cannot read, and where those have the files."""


def test_there_are_twelve_variants():
    assert len(VARIANTS) == 12


def test_each_variant_is_one_of_those_that_a_service_can_have_together():
    assert sorted(chain(*AT_ONCE)) == sorted(VARIANTS)


def wrong_settings(emulator: Emulator, report: Report) -> set[str]:
    """The settings whose value does not fit the service."""
    assert set(report.values) == set(DEFAULTS)
    values = report.values.items()
    return {name for name, found in values if not fits(emulator, name, found.value)}


def unproved(report: Report) -> set[str]:
    return {name for name, value in report.values.items() if not value.is_proved}


WRONG_WITH_A_LIST = {"other-names": {"paths.catalog_id"}}
WRONG_WITHOUT_A_LIST = {
    "other-names": {
        "paths.catalog_id",
        "coupon_file_counts.added",
        "coupon_file_counts.duplicates",
    },
    "other-statuses": {"coupon_file_statuses.success", "coupon_file_statuses.failure"},
}


class Reading(NamedTuple):
    """
    A variant that is only read.

    :ivar list_id: the list that the user names.
    :ivar wrong: the settings that reads do not show.
    """

    name: str
    variant: str
    list_id: str | None
    wrong: Set[str]


READINGS = [
    *(
        Reading(f"{name}, with a list", name, OLD_LIST, WRONG_WITH_A_LIST.get(name, set()))
        for name in VARIANTS
    ),
    *(
        Reading(f"{name}, without a list", name, None, WRONG_WITHOUT_A_LIST.get(name, set()))
        for name in VARIANTS
    ),
]


class Read(NamedTuple):
    """
    What reads of a variant have shown.

    :ivar wrong: the settings that the report has wrong.
    :ivar methods: of the requests that the service got.
    """

    report: Report
    wrong: Set[str]
    methods: list[str]


@cache
def read(variant: str, list_id: str | None) -> Read:
    with service(VARIANTS[variant]) as emulator:
        before = len(emulator.requests)
        report = diagnose(emulator, coupon_list_id=list_id)
        methods = [request.method for request in emulator.requests[before:]]
        return Read(report, wrong_settings(emulator, report), methods)


@pytest.mark.parametrize("row", READINGS, ids=[row.name for row in READINGS])
def test_reads_find_all_settings_of_a_variant_but_those_of_its_row(row: Reading):
    assert read(row.variant, row.list_id).wrong == row.wrong


@pytest.mark.parametrize("row", READINGS, ids=[row.name for row in READINGS])
def test_a_setting_that_reads_do_not_find_is_not_called_proved(row: Reading):
    report, wrong, _ = read(row.variant, row.list_id)
    assert wrong & (set(report.values) - unproved(report)) == set()


@pytest.mark.parametrize("row", READINGS, ids=[row.name for row in READINGS])
def test_unless_more_is_asked_for_the_doctor_reads_twelve_times_at_most_and_changes_nothing(
    row: Reading,
):
    report, _, methods = read(row.variant, row.list_id)
    assert methods == ["GET"] * report.reads
    assert report.reads <= 12


class Examined(NamedTuple):
    """
    A variant that is examined twice, with an upload, a catalog and a segment each time: first with
    a connection without an extra, then with the extra that was found.

    :ivar wrong: the settings that the first report has wrong.
    """

    found: Report
    wrong: Set[str]
    again: Report


@cache
def examined_twice(name: str) -> Examined:
    with service(VARIANTS[name]) as emulator:
        found = diagnose(emulator, upload=True)
        wrong = wrong_settings(emulator, found)
        again = diagnose(emulator, upload=True, catalog="another-catalog", extra=found.extra)
    return Examined(found, wrong, again)


ONCE_A_WEEK = pytest.mark.weekly(
    "reads find all of these settings but a few, and other modules follow uploads"
)
NO_FAILURE = "coupon_file_statuses.failure"
"""No file fails after the upload, so nothing proves this setting."""
UNPROVED = {"other-names": {NO_FAILURE, "paths.catalog_id"}}
"""``result.key`` is not called an identifier: the first report has it as a guess."""


@ONCE_A_WEEK
@pytest.mark.parametrize("name", VARIANTS)
def test_an_upload_finds_all_settings(name: str):
    assert examined_twice(name).wrong == set()


@ONCE_A_WEEK
@pytest.mark.parametrize("name", VARIANTS)
def test_an_upload_proves_all_settings_but_failures_and_a_guess_at_a_catalogs_identifier(name: str):
    found = examined_twice(name).found
    assert unproved(found) == UNPROVED.get(name, {NO_FAILURE}), found.to_json()


@ONCE_A_WEEK
@pytest.mark.parametrize("name", VARIANTS)
def test_with_the_settings_that_an_upload_finds_the_same_ones_are_found_and_all_but_failures_proved(
    name: str,
):
    found, _, again = examined_twice(name)
    assert again.extra == found.extra
    assert unproved(again) == {NO_FAILURE}, again.to_json()


@ONCE_A_WEEK
@pytest.mark.parametrize("name", [name for name in VARIANTS if name not in NOT_READ])
def test_a_variant_works_with_the_settings_that_an_upload_finds(name: str):
    again = examined_twice(name).again
    assert again.works, again.to_json()


@ONCE_A_WEEK
@pytest.mark.parametrize("name", NOT_READ)
def test_a_list_that_the_provider_cannot_read_does_not_work_and_the_report_says_why(name: str):
    again = examined_twice(name).again
    assert not again.works
    assert f"Not ready: {Topic.LIST_PATH.value}." in again.verdict
    files = f"has the files under {NOT_READ[name]}, but the provider reads an array"
    assert files in again.verdict
