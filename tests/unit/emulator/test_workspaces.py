"""
Several workspaces of one emulator (setting ``workspaces``). Each has its own keys, which no other
one takes, and shares no limits, files, or names of catalogs and segments with them. Controls,
connections and assertions take the name of a workspace, and an unknown one is refused; without a
name they are about the first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import requests

from unit.emulator.conftest import (
    CATALOG,
    FILES,
    KEY,
    SEGMENT,
    UPLOAD,
    WORKSPACE,
    Caller,
    basic,
    content,
    right_headers,
)
from wes_provider.emulator import Emulator

if TYPE_CHECKING:
    from multidict import CIMultiDict

# The setting; the first workspace is there anyway.
OTHER = {"other": {"api_key": "k2", "data_api_key": "d2"}}
URL = UPLOAD["file_url"]


def headers(workspace: str, key: str) -> CIMultiDict[str]:
    """Headers of a request of a workspace."""
    made = right_headers()
    made["SVC-APPKEY"] = workspace
    made["Authorization"] = basic(workspace, key)
    return made


THEIRS = headers("other", "k2")


# -- at the service -------------------------------------------------------------------------------


def read_status(workspace: str, key: str) -> int:
    """The status that a workspace gets when it reads a list with a key."""
    caller = Caller(workspaces=OTHER)
    return caller.send("GET", FILES, headers=headers(workspace, key)).status


def test_another_workspace_has_a_key_of_its_own() -> None:
    assert read_status("other", "k2") == 200


class Refused(NamedTuple):
    """A workspace, and a key that is not its key of coupons."""

    workspace: str
    key: str


REFUSED = {
    "the first workspace with another's key": Refused(WORKSPACE, "k2"),
    "another workspace with the first one's key": Refused("other", KEY),
    "another workspace with its key of segments": Refused("other", "d2"),
    "an unknown workspace": Refused("nobody", "k2"),
}


@pytest.mark.parametrize("row", REFUSED.values(), ids=REFUSED)
def test_a_key_of_another_workspace_or_kind_is_refused(row: Refused) -> None:
    assert read_status(row.workspace, row.key) == 401


def test_workspaces_share_no_limits() -> None:
    """A list takes five uploads a minute; the clock stands."""
    caller = Caller(workspaces=OTHER)
    for _ in range(5):
        assert caller.upload().status == 201
    assert caller.upload().status == 429
    statuses = [caller.send("POST", FILES, UPLOAD, headers=THEIRS).status for _ in range(6)]
    assert statuses == [201] * 5 + [429]


def test_workspaces_share_no_files() -> None:
    caller = Caller(workspaces=OTHER)
    file_id = caller.uploaded()
    assert caller.send("GET", f"{FILES}/{file_id}", headers=THEIRS).status == 404
    assert content(caller.send("GET", FILES, headers=THEIRS)) == []


def test_the_control_has_the_files_of_each_workspace_by_itself() -> None:
    caller = Caller(workspaces=OTHER)
    caller.upload()
    assert len(caller.service.files("list-1")) == 1
    assert caller.service.files("list-1", "other") == []


def test_workspaces_share_no_names_of_catalogs() -> None:
    caller = Caller(workspaces=OTHER)
    assert caller.create_catalog().status == 201
    assert caller.create_catalog().status == 409
    assert caller.send("POST", "/v1/catalog", CATALOG, headers=THEIRS).status == 201


def test_workspaces_share_no_names_of_segments() -> None:
    caller = Caller(workspaces=OTHER)
    assert caller.update_segment("7").status == 200
    assert caller.update_segment("8").status == 409
    segment = "/v3/custom-segments/8"
    theirs = headers("other", "d2")
    assert caller.send("PATCH", segment, SEGMENT, headers=theirs).status == 200


# -- at the controls ------------------------------------------------------------------------------


@pytest.fixture
def two_workspaces(wes_emulator: Emulator) -> Emulator:
    """
    An emulator with another workspace; the first one has a list with 100 coupons, and no file that
    was uploaded.
    """
    seed = {"version": 1, "lists": {"list-1": {"coupons": 100}}}
    wes_emulator.reset(seed)
    wes_emulator.configure(workspaces=OTHER)
    return wes_emulator


def send_upload(emulator: Emulator, workspace: str, url: str = URL) -> int:
    """Upload a file to the list; return the status."""
    key = {WORKSPACE: emulator.api_key, "other": "k2"}[workspace]
    response = requests.post(
        f"{emulator.url}{FILES}",
        json={"file_url": url},
        headers={"SVC-APPKEY": workspace},
        auth=(workspace, key),
        timeout=30,
        verify=emulator.ca_file or True,
    )
    return response.status_code


class Control(NamedTuple):
    """A control, and its result for the first workspace."""

    call: Callable[[Emulator, str], Any]
    result: Any


CONTROLS = {
    "stock": Control(
        lambda emulator, workspace: emulator.stock("list-1", workspace=workspace),
        {"coupons": 100, "issued": 0, "stock": 100},
    ),
    "issue_coupons": Control(
        lambda emulator, workspace: emulator.issue_coupons("list-1", 7, workspace=workspace),
        {"coupons": 100, "issued": 7, "stock": 93},
    ),
    "files": Control(
        lambda emulator, workspace: emulator.files("list-1", workspace=workspace),
        [],
    ),
    "catalogs": Control(
        lambda emulator, workspace: emulator._control("catalogs", workspace=workspace),
        {},
    ),
    "segments": Control(
        lambda emulator, workspace: emulator._control("segments", workspace=workspace),
        {},
    ),
    "connection": Control(
        lambda emulator, workspace: emulator.connection(workspace)["password"],
        "emulated-campaign-key",
    ),
}


@pytest.mark.parametrize("workspace", [WORKSPACE, ""], ids=["by its name", "by an empty name"])
@pytest.mark.parametrize("control", CONTROLS.values(), ids=CONTROLS)
def test_a_control_takes_the_first_workspace_by_its_name_or_an_empty_one(
    two_workspaces: Emulator, control: Control, workspace: str
) -> None:
    assert control.call(two_workspaces, workspace) == control.result


@pytest.mark.parametrize("control", CONTROLS.values(), ids=CONTROLS)
def test_a_control_that_names_the_first_workspace_makes_no_other_one(
    two_workspaces: Emulator, control: Control
) -> None:
    """Within, the first workspace has an empty name."""
    control.call(two_workspaces, WORKSPACE)
    state = two_workspaces._control("state")
    assert {coupon_list["workspace"] for coupon_list in state["lists"]} == {""}
    assert list(two_workspaces._service.state.world.accounts) == [""]


def test_the_connection_of_another_workspace_has_its_keys(two_workspaces: Emulator) -> None:
    connection = two_workspaces.connection(workspace="other")
    assert (connection["login"], connection["password"]) == ("other", "k2")
    assert connection["extra"]["data_api_key"] == "d2"


def test_the_connection_of_an_unknown_workspace_is_refused(two_workspaces: Emulator) -> None:
    with pytest.raises(ValueError, match="there is no workspace 'third'"):
        two_workspaces.connection(workspace="third")


# -- at the assertions ----------------------------------------------------------------------------


def test_an_upload_of_another_workspace_is_no_second_upload(two_workspaces: Emulator) -> None:
    send_upload(two_workspaces, WORKSPACE)
    send_upload(two_workspaces, "other")
    two_workspaces.assert_uploaded_once("list-1", url=URL)


@pytest.mark.parametrize("workspace", [WORKSPACE, ""], ids=["by its name", "by an empty name"])
def test_an_upload_of_the_first_workspace_is_found(
    two_workspaces: Emulator, workspace: str
) -> None:
    send_upload(two_workspaces, WORKSPACE)
    two_workspaces.assert_uploaded_once("list-1", url=URL, workspace=workspace)


def test_an_upload_of_another_workspace_is_found_there(two_workspaces: Emulator) -> None:
    send_upload(two_workspaces, "other")
    two_workspaces.assert_uploaded_once("list-1", url=URL, workspace="other")


def test_an_upload_of_another_workspace_is_not_found_in_the_first(two_workspaces: Emulator) -> None:
    send_upload(two_workspaces, "other")
    with pytest.raises(AssertionError, match="of workspace 'other': 201, accepted: workspace is"):
        two_workspaces.assert_uploaded_once("list-1", url=URL)


def test_two_uploads_of_another_workspace_are_not_uploaded_once(two_workspaces: Emulator) -> None:
    for _ in range(2):
        send_upload(two_workspaces, "other")
    with pytest.raises(AssertionError, match="workspace 'other'; there were 2"):
        two_workspaces.assert_uploaded_once("list-1", workspace="other")


def test_each_workspace_may_use_its_limits_up(two_workspaces: Emulator) -> None:
    two_workspaces.clock.speed = 0
    for _ in range(5):
        assert send_upload(two_workspaces, WORKSPACE) == 201
        assert send_upload(two_workspaces, "other") == 201
    two_workspaces.assert_within_limits()


def test_what_another_workspace_sends_beyond_its_limits_is_found(two_workspaces: Emulator) -> None:
    two_workspaces.clock.speed = 0
    # All are accepted, and the limits of the contract count: five a minute.
    two_workspaces.configure(limits=None)
    for _ in range(6):
        send_upload(two_workspaces, "other")
    with pytest.raises(
        AssertionError, match=r"there were 1\.\n.*of workspace 'other': 201: 5 were"
    ):
        two_workspaces.assert_within_limits()
