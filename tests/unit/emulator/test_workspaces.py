"""Several workspaces, several keys, and callbacks that come twice, late, never, or from somebody else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.emulator_calls import Caller, basic, right_headers
from wes_provider.emulator import Emulator

OTHER = {"other": {"api_key": "k2", "data_api_key": "d2"}}


def headers(workspace: str, key: str) -> Any:
    made = right_headers()
    made["SVC-APPKEY"] = workspace
    made["Authorization"] = basic(workspace, key)
    return made


@pytest.mark.parametrize(
    ("workspace", "key", "status"),
    [
        ("emulated-workspace", "emulated-campaign-key", 200),
        ("emulated-workspace", "k2", 401),
        ("other", "k2", 200),
        ("other", "d2", 401),
        ("nobody", "k2", 401),
    ],
)
def test_keys_belong_to_their_workspace(workspace: str, key: str, status: int) -> None:
    caller = Caller(workspaces=OTHER)
    assert caller.send("GET", "/v1/coupon-list/l/files", headers=headers(workspace, key)).status == status


def test_workspaces_share_nothing() -> None:
    caller = Caller(workspaces=OTHER)
    theirs = headers("other", "k2")
    path, body = "/v1/coupon-list/list-1/files", {"file_url": "https://x.example/c"}
    for _ in range(5):
        caller.upload()
        assert caller.send("POST", path, body, headers=theirs).status == 201
    assert caller.send("POST", path, body, headers=theirs).status == 429
    file = json.loads(caller.list().body)[0]
    assert caller.send("GET", f"{path}/{file['_id']}", headers=theirs).status == 404
    assert caller.create_catalog().status == 201
    catalog = {"name": "summer", "price_currency": "EUR", "attributes": []}
    assert caller.send("POST", "/v1/catalog", catalog, headers=theirs).status == 201
    assert caller.update_segment("7").status == 200
    segment = {"name": "Lisbon"}
    assert caller.send("PATCH", "/v3/custom-segments/8", segment, headers=headers("other", "d2")).status == 200
    assert len(caller.service.files("list-1")) == len(caller.service.files("list-1", "other")) == 5


def test_connection_of_another_workspace(wes_emulator: Emulator) -> None:
    wes_emulator.configure(workspaces=OTHER)
    connection = wes_emulator.connection(workspace="other")
    assert (connection["login"], connection["password"], connection["extra"]["data_api_key"]) == ("other", "k2", "d2")
    with pytest.raises(ValueError, match="there is no workspace 'third'"):
        wes_emulator.connection(workspace="third")
