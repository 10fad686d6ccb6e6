"""Profiles: how a variant of the service behaves, as a JSON file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.emulator_calls import Caller, content
from support.serving import serving
from wes_provider.emulator import Emulator
from wes_provider.emulator.profile import PROFILE_SETTINGS, Profile
from wes_provider.emulator.settings import Settings

PROFILES = Path(__file__).parents[2] / "support" / "profiles"


def test_version_1_is_read_and_written_as_it_is() -> None:
    data = {
        "version": 1,
        "name": "n",
        "description": "d",
        "settings": {"list_shape": "result.files", "limits": {"upload_coupon_file": [[10, 60]]}, "name_length": 64},
    }
    profile = Profile.from_dict(data)
    assert profile == Profile("n", "d", data["settings"])  # type: ignore[arg-type]
    assert profile.to_dict() == data


def test_unknown_keys_are_ignored_with_a_warning() -> None:
    data = {"version": 2, "colour": "red", "settings": {"list_lag": 5, "tempo": 1, "api_key": "k"}}
    with pytest.warns(UserWarning, match="api_key, colour, tempo"):
        assert Profile.from_dict(data).settings == {"list_lag": 5}


def test_keys_of_an_account_have_no_place_in_a_profile() -> None:
    assert {"api_key", "data_api_key", "workspace_id"} & set(PROFILE_SETTINGS) == set()
    with pytest.raises(ValueError, match="cannot hold api_key"):
        Profile(settings={"api_key": "k"})


@pytest.mark.parametrize("data", [None, [], {}, {"version": "1"}, {"version": 1, "settings": []}], ids=str)
def test_what_is_no_profile_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match='with a "version"'):
        Profile.from_dict(data)


ANYTHING = st.one_of(st.none(), st.integers(-1, 1), st.text(max_size=3), st.lists(st.text()))


@given(st.sampled_from(PROFILE_SETTINGS), ANYTHING)
def test_any_value_is_taken_or_refused_by_its_name(name: str, value: Any) -> None:
    refused = ""
    try:
        profile = Profile.from_dict({"version": 1, "settings": {name: value}})
    except ValueError as error:
        refused = str(error)
    if refused:
        assert name in refused or "list_shape" in refused  # which announcements need
    else:
        assert Profile.from_dict(json.loads(json.dumps(profile.to_dict()))).to_dict() == profile.to_dict()


def test_a_file_that_is_no_profile_is_named(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text("{")
    with pytest.raises(ValueError, match=r"profile .*p\.json cannot be used"):
        Profile.load(tmp_path / "p.json")


def test_settings_take_precedence_over_the_profile(tmp_path: Path) -> None:
    Profile(settings={"list_lag": 5, "fetch_lag": 6}).save(tmp_path / "p.json")
    with Emulator(profile=tmp_path / "p.json", list_lag=7) as emulator:
        assert (emulator.settings["list_lag"], emulator.settings["fetch_lag"]) == (7, 6)
        emulator.configure(profile=tmp_path / "p.json", fetch_lag=8)
        assert (emulator.settings["list_lag"], emulator.settings["fetch_lag"]) == (5, 8)


def test_command_takes_a_profile() -> None:
    with serving("--profile", str(PROFILES / "paged-lists.json"), "--set", "page_size=3") as (_, emulator):
        assert (emulator.settings["list_shape"], emulator.settings["page_size"]) == ("items", 3)


@pytest.mark.parametrize("file", sorted(PROFILES.glob("*.json")), ids=lambda file: file.stem)
def test_profiles_of_the_tests_differ_from_the_defaults(file: Path) -> None:
    data = json.loads(file.read_text())
    assert data["name"] == file.stem
    assert Profile.from_dict(data).to_dict() == data
    assert data["settings"]


def test_there_are_twelve_profiles() -> None:
    assert len(list(PROFILES.glob("*.json"))) == 12


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


def test_text_bodies() -> None:
    caller = Caller(catalog_response="text", segment_response="text", error_format="text")
    created, updated, refused = caller.create_catalog(), caller.update_segment(), caller.create_catalog()
    assert created.body.decode() in caller.service.account().catalogs
    assert updated.body == b"Segment 7 was updated."
    assert (refused.status, refused.body) == (409, b"There is already a catalog of this name.")
    assert {reply.headers["Content-Type"] for reply in (created, updated, refused)} == {"text/plain; charset=utf-8"}


@pytest.mark.parametrize(
    ("settings", "body"),
    [
        (
            {"error_code_property": "errors.0.reason", "error_message_property": "errors.0.detail"},
            {"errors": [{"reason": "not-found", "detail": "There is no such coupon file."}]},
        ),
        (
            {"error_code_property": "type", "error_message_property": "title", "error_message_format": "object"},
            {"type": "not-found", "title": {"text": "There is no such coupon file.", "details": []}},
        ),
    ],
    ids=["in a list", "an object"],
)
def test_errors_of_another_shape(settings: dict[str, Any], body: Any) -> None:
    assert content(Caller(**settings).get("none")) == body


@pytest.mark.parametrize("status", [400, 409, 422])
def test_a_name_that_is_taken(status: int) -> None:
    caller = Caller(name_taken_status=status, name_taken_code="NameTaken")
    caller.create_catalog()
    caller.update_segment("1")
    for refused in (caller.create_catalog(), caller.update_segment("2")):
        assert (refused.status, content(refused)["error"]["code"]) == (status, "NameTaken")


def test_default_paths_may_be_unknown() -> None:
    caller = Caller(**json.loads((PROFILES / "other-paths.json").read_text())["settings"])
    file_id = caller.uploaded()
    assert caller.send("GET", f"/v1/coupon-files/{file_id}").status == 200
    assert len(content(caller.send("GET", "/v1/coupon-list/list-1/coupon-files"))) == 1
    assert (caller.get(file_id).status, caller.list().status) == (404, 404)


def test_defaults_hold_the_contracts_shapes() -> None:
    settings = Settings()
    assert (settings.statuses, settings.error_code_property, settings.error_message_property) == (
        ("PENDING", "PROCESSING"),
        "error.code",
        "error.message",
    )
