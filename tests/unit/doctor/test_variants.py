"""Which settings of each variant of the service the doctor finds, by reads and by an upload."""

from __future__ import annotations

from collections.abc import Set
from itertools import chain
from typing import NamedTuple

import pytest

from support.doctor_service import AT_ONCE, OLD_LIST, VARIANTS, diagnose, fits, service
from wes_provider.doctor.findings import Topic
from wes_provider.doctor.report import DEFAULTS, Report
from wes_provider.doctor.sending import MOST_READS
from wes_provider.emulator import Emulator

NOT_READ = {"nested-lists": "result.files", "paged-lists": "items"}
"""Variants whose lists the provider cannot read, and where those have the files."""


def test_there_are_twelve_variants():
    assert len(VARIANTS) == 12
    assert sorted(chain(*AT_ONCE)) == sorted(VARIANTS)


def wrong_settings(emulator: Emulator, report: Report) -> set[str]:
    """The settings whose value does not fit the service."""
    assert set(report.values) == set(DEFAULTS)
    values = report.values.items()
    return {name for name, found in values if not fits(emulator, name, found.value)}


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


@pytest.mark.parametrize("row", READINGS, ids=[row.name for row in READINGS])
def test_reads_find_all_settings_but_a_few_which_are_not_proved(row: Reading):
    with service(VARIANTS[row.variant]) as emulator:
        before = len(emulator.requests)
        report = diagnose(emulator, coupon_list_id=row.list_id)
        requests = emulator.requests[before:]
        assert wrong_settings(emulator, report) == row.wrong
    assert {request.method for request in requests} == {"GET"}
    assert len(requests) == report.reads <= MOST_READS
    assert [name for name in row.wrong if report.values[name].is_proved] == []


@pytest.mark.weekly(
    "reads find all of these settings but a few, and test_following follows uploads"
)
@pytest.mark.parametrize("name", VARIANTS)
def test_an_upload_finds_all_settings_and_with_them_everything_works(name: str):
    """But a list that the provider cannot read, which the report says."""
    with service(VARIANTS[name]) as emulator:
        found = diagnose(emulator, upload=True)
        assert wrong_settings(emulator, found) == set()
        unsure = {key for key, found_value in found.values.items() if not found_value.is_proved}
        assert unsure == {"coupon_file_statuses.failure"}, found.to_json()
        again = diagnose(emulator, upload=True, catalog="another-catalog", extra=found.extra)
    assert again.extra == found.extra
    assert again.works is (name not in NOT_READ), again.to_json()
    if name in NOT_READ:
        assert f"Not ready: {Topic.LIST_PATH.value}." in again.verdict
        assert (
            f"has the files under {NOT_READ[name]}, but the provider reads an array"
            in again.verdict
        )
