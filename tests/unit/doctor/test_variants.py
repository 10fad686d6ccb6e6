"""Every variant of the service is diagnosed: right, or reported as unsure."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

import pytest

from support.doctor_service import AT_ONCE, OLD_LIST, PROFILES, diagnose, fits, service
from wes_provider.doctor.findings import SETTINGS
from wes_provider.doctor.reading import MOST_READS
from wes_provider.doctor.report import Report
from wes_provider.emulator import Emulator


def test_there_are_twelve_variants():
    assert len(PROFILES) == 12
    assert sorted(chain(*AT_ONCE)) == sorted(PROFILES)


def judge(emulator: Emulator, report: Report) -> tuple[set[str], set[str]]:
    """Settings that are wrong, and those of them that the report is sure of."""
    values = report.values
    assert set(values) == set(SETTINGS)
    wrong = {name for name, (value, _) in values.items() if not fits(emulator, name, value)}
    return wrong, {name for name in wrong if values[name][1] != "unsure"}


@pytest.mark.parametrize("listed", [True, False], ids=["with a list", "without a list"])
def test_reading_finds_nearly_all_settings(listed: bool):
    wrong_in_all: dict[str, set[str]] = {}
    for name, profile in PROFILES.items():
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
    share = sum(map(len, wrong_in_all.values())) / (len(PROFILES) * len(SETTINGS))
    assert share <= 0.05, wrong_in_all


@pytest.mark.parametrize("name", PROFILES)
def test_an_upload_finds_all_settings(name: str):
    with service(PROFILES[name]) as emulator:
        report = diagnose(emulator, upload=True)
        wrong, _ = judge(emulator, report)
        assert wrong == set()
        unsure = {key for key, (_, certainty) in report.values.items() if certainty == "unsure"}
        assert unsure == {"coupon_file_statuses.failure"}, report.to_text()


@pytest.mark.parametrize("name", PROFILES)
def test_with_the_settings_found_everything_works(name: str):
    with service(PROFILES[name]) as emulator:
        found = diagnose(emulator, upload=True)
        again = diagnose(emulator, upload=True, catalog="another-catalog", extra=found.extra)
        assert again.works, again.to_text()
        assert again.extra == found.extra


@pytest.mark.parametrize("name", PROFILES)
def test_an_emulator_with_the_saved_profile_is_diagnosed_alike(name: str, tmp_path: Path):
    saved, again = tmp_path / "profile.json", tmp_path / "again.json"
    with service(PROFILES[name]) as emulator:
        found = diagnose(emulator, upload=True, profile=saved)
    with service(saved, processing_time=4) as emulator:
        repeated = diagnose(emulator, upload=True, profile=again)
    assert {name: value for name, (value, _) in repeated.values.items()} == {
        name: value for name, (value, _) in found.values.items()
    }
    first, second = (json.loads(path.read_text())["settings"] for path in (saved, again))
    for settings in (first, second):  # measured, so never quite the same
        for measured in ("processing_time", "list_lag", "fetch_lag"):
            settings.pop(measured, None)
    assert first == second


NOT_SEEN = {  # by one upload to a short list
    "name_extension",
    "page_size",
    "url_rewrites",
    "name_taken_status",
    "name_taken_code",
    "rate_limit_headers",
}


@pytest.mark.parametrize("name", PROFILES)
def test_the_saved_profile_holds_what_differs_from_the_contract(name: str, tmp_path: Path):
    saved = tmp_path / "profile.json"
    with service(PROFILES[name]) as emulator:
        diagnose(emulator, upload=True, profile=saved)
    content = json.loads(saved.read_text())
    assert content["version"] == 1
    found = content["settings"]
    for setting, value in json.loads(PROFILES[name].read_text())["settings"].items():
        if setting == "workspace_header":
            assert found[setting].lower() == value.lower()
        elif setting in ("list_lag", "fetch_lag"):
            assert value <= found[setting] <= value + 5
        elif setting == "limits":
            assert found[setting].items() <= value.items()
        elif setting not in NOT_SEEN:
            assert found.get(setting) == value, setting
