"""Every variant of the service is diagnosed: right, or reported as not proved."""

from __future__ import annotations

from itertools import chain

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


def judge(emulator: Emulator, report: Report) -> tuple[set[str], set[str]]:
    """Settings that are wrong, and those of them that the report is sure of."""
    values = report.values
    assert set(values) == set(DEFAULTS)
    wrong = {name for name, found in values.items() if not fits(emulator, name, found.value)}
    return wrong, {name for name in wrong if values[name].is_proved}


@pytest.mark.parametrize("listed", [True, False], ids=["with a list", "without a list"])
def test_reading_finds_nearly_all_settings(listed: bool):
    wrong_in_all: dict[str, set[str]] = {}
    for name, profile in VARIANTS.items():
        with service(profile) as emulator:
            before = len(emulator.requests)
            report = diagnose(emulator, coupon_list_id=OLD_LIST if listed else None)
            requests = emulator.requests[before:]
            assert {request.method for request in requests} == {"GET"}, name
            assert len(requests) == report.reads <= MOST_READS, name
            wrong, sure_and_wrong = judge(emulator, report)
            assert sure_and_wrong == set(), name
            if wrong:
                wrong_in_all[name] = wrong
    share = sum(map(len, wrong_in_all.values())) / (len(VARIANTS) * len(DEFAULTS))
    assert share <= 0.05, wrong_in_all


@pytest.mark.weekly(
    "reading finds nearly all of these settings, and test_following follows uploads"
)
@pytest.mark.parametrize("name", VARIANTS)
def test_an_upload_finds_all_settings_and_with_them_everything_works(name: str):
    """But a list that the provider cannot read, which the report says."""
    with service(VARIANTS[name]) as emulator:
        found = diagnose(emulator, upload=True)
        assert judge(emulator, found)[0] == set()
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
