"""Settings, profiles that hold some of them, and further workspaces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.emulator_calls import CATALOG, FILES, UPLOAD, Caller, basic, content, right_headers
from wes_provider.emulator import Emulator
from wes_provider.emulator.settings import profile_settings

OTHER = {"other": {"api_key": "k2", "data_api_key": "d2"}}


# -- profiles ----------------------------------------------------------------------------------------


def test_what_is_unknown_in_a_profile_or_a_secret_is_ignored_with_a_warning() -> None:
    data = {"version": 2, "colour": "red", "settings": {"list_lag": 5, "tempo": 1, "api_key": "k"}}
    with pytest.warns(UserWarning, match="api_key, colour, tempo"):
        assert profile_settings(data) == {"list_lag": 5}


@pytest.mark.parametrize("data", [[], {"version": "1"}, {"version": 1, "settings": []}], ids=str)
def test_what_is_no_profile_is_refused(data: Any, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps(data))
    with pytest.raises(ValueError, match=r'p\.json cannot be used: .* with a "version"'):
        Emulator(profile=tmp_path / "p.json")


def test_settings_take_precedence_over_the_profile(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps({"version": 1, "settings": {"list_lag": 5, "fetch_lag": 6}}))
    with Emulator(profile=tmp_path / "p.json", list_lag=7) as emulator:
        assert (emulator.settings["list_lag"], emulator.settings["fetch_lag"]) == (7, 6)
        emulator.configure(profile=tmp_path / "p.json", fetch_lag=8)
        assert (emulator.settings["list_lag"], emulator.settings["fetch_lag"]) == (5, 8)


def test_statuses_and_counts_can_have_other_names() -> None:
    names = {"added_property": "stats.imported", "duplicate_property": "stats.skipped", "success_status": "IMPORTED"}
    caller = Caller(statuses=["PENDING", "VALIDATING", "IMPORTING"], processing_time=8, **names)
    file_id, seen = caller.uploaded(), []
    caller.process(file_id, "A", "B", "A")
    for _ in range(5):
        seen.append(content(caller.get(file_id))["status"])
        caller.service.clock.advance(2)
    assert seen == ["PENDING", "VALIDATING", "VALIDATING", "IMPORTING", "IMPORTED"]
    assert content(caller.get(file_id))["stats"] == {"imported": 2, "skipped": 1}
    caller.service.configure(added_property=None)
    assert content(caller.get(file_id))["stats"] == {"skipped": 1}


# -- workspaces --------------------------------------------------------------------------------------


def headers(workspace: str, key: str) -> Any:
    made = right_headers()
    made["SVC-APPKEY"], made["Authorization"] = workspace, basic(workspace, key)
    return made


def test_workspaces_share_neither_keys_nor_lists_nor_names_nor_limits() -> None:
    caller, theirs = Caller(workspaces=OTHER), headers("other", "k2")
    keys = [("emulated-workspace", "k2", 401), ("other", "k2", 200), ("other", "d2", 401), ("nobody", "k2", 401)]
    for workspace, key, status in keys:
        assert caller.send("GET", FILES, headers=headers(workspace, key)).status == status
    for _ in range(5):
        file_id = caller.uploaded()
        assert caller.send("POST", FILES, UPLOAD, headers=theirs).status == 201
    assert caller.send("POST", FILES, UPLOAD, headers=theirs).status == 429
    assert caller.send("GET", f"{FILES}/{file_id}", headers=theirs).status == 404
    assert len(caller.service.files("list-1")) == len(caller.service.files("list-1", "other")) == 5
    assert caller.create_catalog().status == caller.send("POST", "/v1/catalog", CATALOG, headers=theirs).status == 201
    segment, theirs = "/v3/custom-segments/8", headers("other", "d2")
    assert caller.update_segment("7").status == 200
    assert caller.send("PATCH", segment, {"name": "Lisbon"}, headers=theirs).status == 200


def test_connection_of_another_workspace(wes_emulator: Emulator) -> None:
    wes_emulator.configure(workspaces=OTHER)
    connection = wes_emulator.connection(workspace="other")
    assert (connection["login"], connection["password"], connection["extra"]["data_api_key"]) == ("other", "k2", "d2")
    with pytest.raises(ValueError, match="there is no workspace 'third'"):
        wes_emulator.connection(workspace="third")
