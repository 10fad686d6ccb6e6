"""
Several workspaces of one emulator (setting ``workspaces``). Each has its own keys, which no other
one takes, and shares no limits, files, or names of catalogs and segments with them.

The controls of files, stock, catalogs and segments, ``connection`` and ``assert_uploaded_once``
take the name of a workspace. Without a name, or with an empty one, they are about the first. A name
that no workspace has is an error, also over HTTP, that names those that there are.
``assert_within_limits`` takes no name: it counts each workspace by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
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
    content,
    right_headers,
)
from wes_provider.emulator import Emulator
from wes_provider.emulator.page_state import newest_requests, read_state
from wes_provider.emulator.world import ListState

if TYPE_CHECKING:
    from multidict import CIMultiDict

# The setting; the first workspace is there anyway.
OTHER = {"other": {"api_key": "k2", "data_api_key": "d2"}}
URL = UPLOAD["file_url"]


THEIRS = right_headers("k2", "other")


# -- at the service -------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", [right_headers(), THEIRS], ids=["the first", "another"])
def test_page_says_which_file_a_workspace_reads(sent: CIMultiDict[str]) -> None:
    caller = Caller(workspaces=OTHER)
    file = content(caller.send("POST", FILES, UPLOAD, headers=sent))
    caller.send("GET", f"{FILES}/{file['_id']}", headers=sent)
    (read,) = newest_requests(caller.service, 1)
    assert read["about"] == f"{file['name']} of list-1"


def test_page_shows_the_limits_of_each_workspace_beside_its_own_list() -> None:
    """Both have a list of the same name; all of limits is compared."""
    caller = Caller(workspaces=OTHER)
    for sent in (right_headers(), THEIRS, THEIRS):
        caller.send("POST", FILES, UPLOAD, headers=sent)
    shown = {entry["workspace"]: entry["windows"] for entry in read_state(caller.service)["lists"]}
    left = {name: [window["remaining"] for window in shown[name]] for name in shown}
    # The first workspace has no name there.
    assert left == {"": [4, 49], "other": [3, 48]}


def test_page_shows_beside_no_list_the_limits_that_the_first_workspace_has_used() -> None:
    caller = Caller(workspaces=OTHER, limits={"create_catalog": [[2, 60]]})
    caller.send("POST", "/v1/catalog", CATALOG, headers=THEIRS)
    assert read_state(caller.service)["windows"] == []
    caller.send("POST", "/v1/catalog", CATALOG, headers=right_headers())
    (window,) = read_state(caller.service)["windows"]
    assert (window["operation"], window["remaining"]) == ("create_catalog", 1)


def read_status(workspace: str, key: str) -> int:
    """The status that a workspace gets when it reads a list with a key."""
    caller = Caller(workspaces=OTHER)
    return caller.send("GET", FILES, headers=right_headers(key, workspace)).status


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
    theirs = right_headers("d2", "other")
    assert caller.send("PATCH", segment, SEGMENT, headers=theirs).status == 200


# -- at the controls ------------------------------------------------------------------------------


# What the first workspace has.
SEED = {
    "version": 1,
    "lists": {"list-1": {"coupons": 100, "files": [{"name": "night-1.csv"}]}},
    "catalogs": [{"name": "spring"}],
    "segments": [{"id": "7", "name": "Porto"}],
}
UNKNOWN = r"^there is no workspace 'third'; there are \['emulated-workspace', 'other'\]$"


@pytest.fixture
def two_workspaces(wes_emulator: Emulator) -> Emulator:
    """An emulator whose first workspace has a seed, and whose other one has nothing."""
    wes_emulator.reset(SEED)
    wes_emulator.configure(workspaces=OTHER)
    return wes_emulator


def send(
    emulator: Emulator,
    workspace: str,
    path: str,
    body: Any,
    *,
    key: str = "",
    method: str = "POST",
) -> int:
    """Send a request of a workspace, by default with its key of coupons; return the status."""
    response = requests.request(
        method,
        f"{emulator.url}{path}",
        json=body,
        headers={"SVC-APPKEY": workspace},
        auth=(workspace, key or {WORKSPACE: KEY, "other": "k2"}[workspace]),
        timeout=30,
        verify=emulator.ca_file or True,
    )
    return response.status_code


def send_upload(emulator: Emulator, workspace: str) -> int:
    """Upload a file to the list; return the status."""
    return send(emulator, workspace, FILES, UPLOAD)


@pytest.fixture
def two_that_hold_something(two_workspaces: Emulator) -> Emulator:
    """The other workspace has 9 coupons in the list, and a file, a catalog and a segment."""
    two_workspaces.clock.speed = 0
    two_workspaces._service.state.world.add(ListState("list-1", "other", seeded=9))
    send(two_workspaces, "other", FILES, {**UPLOAD, "name": "other-1.csv"})
    send(two_workspaces, "other", "/v1/catalog", CATALOG)
    segment = "/v3/custom-segments/8"
    send(two_workspaces, "other", segment, SEGMENT, key="d2", method="PATCH")
    return two_workspaces


def names_of(things: Iterable[Mapping[str, Any]]) -> list[str]:
    """The names of files, catalogs or segments."""
    return [thing["name"] for thing in things]


class Control(NamedTuple):
    """A control, and its results for the first workspace and for the other one."""

    call: Callable[..., Any]
    of_first: Any
    of_other: Any


CONTROLS = {
    "stock": Control(
        lambda emulator, **of: emulator.stock("list-1", **of),
        {"coupons": 100, "issued": 0, "stock": 100},
        {"coupons": 9, "issued": 0, "stock": 9},
    ),
    "issue_coupons": Control(
        lambda emulator, **of: emulator.issue_coupons("list-1", 7, **of),
        {"coupons": 100, "issued": 7, "stock": 93},
        {"coupons": 9, "issued": 7, "stock": 2},
    ),
    "files": Control(
        lambda emulator, **of: names_of(emulator.files("list-1", **of)),
        ["night-1.csv"],
        ["other-1.csv"],
    ),
    "catalogs": Control(
        lambda emulator, **of: names_of(emulator._control("catalogs", **of).values()),
        ["spring"],
        ["summer"],
    ),
    "segments": Control(
        lambda emulator, **of: names_of(emulator._control("segments", **of).values()),
        ["Porto"],
        ["Lisbon"],
    ),
    "connection": Control(
        lambda emulator, **of: emulator.connection(**of)["password"],
        "emulated-campaign-key",
        "k2",
    ),
}
FIRST: dict[str, dict[str, str]] = {
    "by its name": {"workspace": WORKSPACE},
    "by an empty name": {"workspace": ""},
    "without a name": {},
}


@pytest.mark.parametrize("of", FIRST.values(), ids=FIRST)
@pytest.mark.parametrize("control", CONTROLS.values(), ids=CONTROLS)
def test_a_control_takes_the_first_workspace_by_its_name_an_empty_one_or_none(
    two_that_hold_something: Emulator, control: Control, of: dict[str, str]
) -> None:
    assert control.call(two_that_hold_something, **of) == control.of_first


@pytest.mark.parametrize("control", CONTROLS.values(), ids=CONTROLS)
def test_a_control_takes_another_workspace_by_its_name(
    two_that_hold_something: Emulator, control: Control
) -> None:
    assert control.call(two_that_hold_something, workspace="other") == control.of_other


@pytest.mark.parametrize("control", CONTROLS.values(), ids=CONTROLS)
def test_a_control_refuses_an_unknown_workspace_and_names_those_that_there_are(
    two_workspaces: Emulator, control: Control
) -> None:
    with pytest.raises(ValueError, match=UNKNOWN):
        control.call(two_workspaces, workspace="third")


def test_over_http_an_unknown_workspace_gets_400_and_the_same_message(
    two_workspaces: Emulator,
) -> None:
    response = requests.get(
        f"{two_workspaces.url}/_emulator/files?list_id=list-1&workspace=third",
        timeout=30,
        verify=two_workspaces.ca_file or True,
    )
    assert response.status_code == 400
    assert re.search(UNKNOWN, response.json()["error"]["message"])


def test_a_workspace_that_is_set_up_and_empty_has_no_files(two_workspaces: Emulator) -> None:
    assert two_workspaces.files("list-1", workspace="other") == []


@pytest.mark.parametrize("control", CONTROLS.values(), ids=CONTROLS)
def test_a_control_that_names_the_first_workspace_makes_no_other_one(
    two_workspaces: Emulator, control: Control
) -> None:
    """Within, the first workspace has an empty name."""
    control.call(two_workspaces, workspace=WORKSPACE)
    state = two_workspaces._control("state")
    assert {coupon_list["workspace"] for coupon_list in state["lists"]} == {""}
    assert list(two_workspaces._service.state.world.accounts) == [""]


def test_the_connection_of_another_workspace_has_its_keys(two_workspaces: Emulator) -> None:
    connection = two_workspaces.connection(workspace="other")
    assert (connection["login"], connection["password"]) == ("other", "k2")
    assert connection["extra"]["data_api_key"] == "d2"


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


def test_a_workspace_that_uploaded_nothing_has_not_uploaded_once(two_workspaces: Emulator) -> None:
    with pytest.raises(AssertionError, match="workspace 'other'; there were 0"):
        two_workspaces.assert_uploaded_once("list-1", workspace="other")


def test_assert_uploaded_once_refuses_an_unknown_workspace(two_workspaces: Emulator) -> None:
    send_upload(two_workspaces, WORKSPACE)
    with pytest.raises(ValueError, match=UNKNOWN):
        two_workspaces.assert_uploaded_once("list-1", workspace="third")


def test_each_workspace_may_use_its_limits_up(two_workspaces: Emulator) -> None:
    two_workspaces.clock.speed = 0
    for _ in range(5):
        assert send_upload(two_workspaces, WORKSPACE) == 201
        assert send_upload(two_workspaces, "other") == 201
    two_workspaces.assert_within_limits()


def test_each_workspace_may_use_up_the_limits_that_are_not_of_a_list(
    two_workspaces: Emulator,
) -> None:
    two_workspaces.configure(limits={"create_catalog": [[1, 60]]})
    for workspace in (WORKSPACE, "other"):
        assert send(two_workspaces, workspace, "/v1/catalog", CATALOG) == 201
    two_workspaces.assert_within_limits()


def test_what_another_workspace_sends_beyond_its_limits_is_found(two_workspaces: Emulator) -> None:
    two_workspaces.clock.speed = 0
    # All are accepted; without limits of the emulator's own, those of the contract count: five a
    # minute.
    two_workspaces.configure(limits=None)
    for _ in range(6):
        send_upload(two_workspaces, "other")
    with pytest.raises(
        AssertionError, match=r"there were 1\.\n.*of workspace 'other': 201: 5 were"
    ):
        two_workspaces.assert_within_limits()
