"""Profiles: how a variant of the service behaves, as a JSON file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.emulator_calls import Caller, content
from wes_provider.emulator import Emulator
from wes_provider.emulator.settings import profile_settings


def test_unknown_keys_are_ignored_with_a_warning() -> None:
    data = {"version": 2, "colour": "red", "settings": {"list_lag": 5, "tempo": 1, "api_key": "k"}}
    with pytest.warns(UserWarning, match="api_key, colour, tempo"):
        assert profile_settings(data) == {"list_lag": 5}


@pytest.mark.parametrize("data", [{}, {"version": "1"}, {"version": 1, "settings": []}], ids=str)
def test_what_is_no_profile_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match='with a "version"'):
        profile_settings(data)


def test_settings_take_precedence_over_the_profile(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps({"version": 1, "settings": {"list_lag": 5, "fetch_lag": 6}}))
    with Emulator(profile=tmp_path / "p.json", list_lag=7) as emulator:
        assert (emulator.settings["list_lag"], emulator.settings["fetch_lag"]) == (7, 6)
        emulator.configure(profile=tmp_path / "p.json", fetch_lag=8)
        assert (emulator.settings["list_lag"], emulator.settings["fetch_lag"]) == (5, 8)


# -- what they can change --------------------------------------------------------------------------


def test_statuses_in_their_order() -> None:
    caller = Caller(statuses=["PENDING", "VALIDATING", "IMPORTING"], processing_time=8, success_status="IMPORTED")
    file_id, seen = caller.uploaded(), []
    caller.process(file_id, "A")
    for _ in range(5):
        seen.append(content(caller.get(file_id))["status"])
        caller.service.clock.advance(2)
    assert seen == ["PENDING", "VALIDATING", "VALIDATING", "IMPORTING", "IMPORTED"]


def test_counts_under_other_names() -> None:
    caller = Caller(added_property="stats.imported", duplicate_property="stats.skipped", processing_time=0)
    file_id = caller.uploaded()
    caller.process(file_id, "A", "B", "A")
    record = content(caller.get(file_id))
    assert record["stats"] == {"imported": 2, "skipped": 1}
    assert "coupons_added" not in record
    caller.service.configure(added_property=None)
    assert content(caller.get(file_id))["stats"] == {"skipped": 1}
