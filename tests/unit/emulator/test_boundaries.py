"""
What is left of each thing that an emulator holds, has seen or was told, after a reset, a restored
snapshot, a restart, or other settings.

A reset brings back the start, but leaves the snapshots. A restored snapshot brings back what the
workspaces held and what counted against their limits, and leaves everything else as it is. A
restart with a state file keeps what the workspaces hold, the clock's time and the snapshots;
without a state file, everything is as at the start. Another setting changes nothing but itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests

from unit.emulator.conftest import CATALOG
from wes_provider import contract
from wes_provider.emulator import Emulator, faults
from wes_provider.emulator.limits import QuotaKey

KEY = "emulated-campaign-key"
SPRING = "/v1/coupon-list/spring/files"
SEED: dict[str, Any] = {
    "version": 1,
    "lists": {"spring": {"coupons": 100, "issued": 5, "files": [{"name": "seeded"}]}},
    "catalogs": [{"name": "seeded"}],
    "segments": [{"id": "0", "name": "seeded"}],
}
SETTINGS: dict[str, Any] = {
    "speed": 0,
    "processing_time": 100,
    "window_policy": "rolling",
    "workspaces": {"other": {"api_key": "k2", "data_api_key": "d2"}},
    "limits": {
        "list_coupon_files": [[9, 86_400]],
        "update_segment": [[9, 86_400]],
        "get_coupon_file": [[0, 60]],
    },
}


class Left(IntEnum):
    """What is left of two changes; a snapshot was taken between them."""

    NOTHING = 0
    THE_FIRST = 1
    BOTH = 2


NOTHING, THE_FIRST, BOTH = Left


class After(NamedTuple):
    """
    What is left of a kind of thing; ``None`` where the docs promise nothing.

    :ivar reset: after a reset.
    :ivar restored: after the snapshot is restored.
    :ivar restarted: after a restart with a state file.
    :ivar restored_and_restarted: after one after the other.
    """

    reset: Left
    restored: Left
    restarted: Left | None
    restored_and_restarted: Left | None


HELD = After(NOTHING, THE_FIRST, BOTH, THE_FIRST)
COUNTED_ALONE = After(NOTHING, THE_FIRST, None, None)
TOLD_OR_SEEN = After(NOTHING, BOTH, NOTHING, NOTHING)
ACCEPTED = After(NOTHING, BOTH, BOTH, THE_FIRST)
TIME = After(NOTHING, BOTH, BOTH, BOTH)
KEPT = After(BOTH, BOTH, BOTH, BOTH)


class Kind(NamedTuple):
    """
    Something that changes while an emulator runs.

    :ivar change: makes the first change, or the second.
    :ivar read: returns what is there.
    :ivar values: what is there at the start, after the first change and after both.
    """

    change: Callable[[Emulator, int], Any]
    read: Callable[[Emulator], Any]
    values: list[Any]
    after: After


def send(
    emulator: Emulator, method: str, path: str, body: Any = None, workspace: str = ""
) -> requests.Response:
    """Send a request with the credentials of a workspace."""
    connection = emulator.connection(workspace)
    key = connection["password"]
    if "segments" in path:
        key = connection["extra"]["data_api_key"]
    return requests.request(
        method,
        f"{emulator.url}{path}",
        json=body,
        auth=(connection["login"], key),
        headers={"SVC-APPKEY": connection["login"]},
        timeout=30,
    )


def upload(emulator: Emulator, list_id: str, name: str, workspace: str = "") -> Any:
    body = {"file_url": "http://127.0.0.1:9/none.csv", "name": name}
    reply = send(emulator, "POST", f"/v1/coupon-list/{list_id}/files", body, workspace)
    assert reply.status_code == 201
    return reply.json()


def upload_counted(emulator: Emulator) -> None:
    """Upload two coupons to ``counted``, and wait until they are counted."""
    url = emulator.host("counted.csv", b"A\nB\n")
    send(emulator, "POST", "/v1/coupon-list/counted/files", {"file_url": url})
    while emulator._service.state.coupons.unfetched:
        time.sleep(0.001)


def names(emulator: Emulator, what: str, workspace: str = "") -> list[str]:
    """The names of catalogs or segments."""
    return [one["name"] for one in emulator._control(what, workspace=workspace).values()]


def statuses(emulator: Emulator, list_id: str) -> list[str]:
    return [file["status"] for file in emulator.files(list_id)]


def used(emulator: Emulator, operation: str, workspace: str = "") -> int:
    """How many requests count against the longest limit of an operation and of ``spring``."""
    key = QuotaKey.of(contract.OPERATIONS[operation], workspace, "spring")
    window = emulator._service.state.quotas.windows(key)[-1]
    return window.limit.requests - window.remaining


def keys_that_are_taken(emulator: Emulator) -> list[str]:
    login = emulator.workspace_id
    return [
        key
        for key in (KEY, "key-1", "key-2")
        if requests.get(
            f"{emulator.url}{SPRING}", auth=(login, key), headers={"SVC-APPKEY": login}, timeout=30
        ).ok
    ]


def is_secret(emulator: Emulator, text: str) -> bool:
    try:
        emulator.assert_no_secret_in(text)
    except AssertionError:
        return True
    return False


def hosted(emulator: Emulator) -> list[int]:
    urls = {number: f"{emulator.files_url}/{number}.csv" for number in (1, 2)}
    return [number for number, url in urls.items() if requests.get(url, timeout=30).ok]


def stock_of_counted(emulator: Emulator) -> int:
    """How many coupons ``counted`` has after the processing of all files."""
    emulator.clock.advance(200)
    return emulator.stock("counted")["coupons"]


def start_way(emulator: Emulator, number: int) -> None:
    """Upload a file; half of its time passes."""
    if number == 1:
        upload(emulator, "slow", "a")
    else:
        emulator.clock.advance(50)


def upload_and_script(emulator: Emulator, number: int) -> None:
    if number == 1:
        upload(emulator, "scripted", "a")
    else:
        emulator.script(list_id="scripted", statuses=[("QUEUED", None)])


def count_and_fail(emulator: Emulator, number: int) -> None:
    """Upload a file that is counted; then it fails by a script."""
    if number == 1:
        upload_counted(emulator)
    else:
        emulator.script(list_id="counted", outcome="failure")


KINDS = {
    # What the workspaces hold.
    "files": Kind(
        lambda emulator, number: upload(emulator, "spring", str(number)),
        lambda emulator: [file["name"] for file in emulator.files("spring")],
        [["seeded"], ["seeded", "1"], ["seeded", "1", "2"]],
        HELD,
    ),
    "files of another workspace": Kind(
        lambda emulator, number: upload(emulator, "spring", str(number), "other"),
        lambda emulator: [file["name"] for file in emulator.files("spring", workspace="other")],
        [[], ["1"], ["1", "2"]],
        HELD,
    ),
    "a file on its way": Kind(
        start_way,
        lambda emulator: statuses(emulator, "slow"),
        [[], ["PENDING"], ["PROCESSING"]],
        HELD,
    ),
    "a file that was scripted": Kind(
        upload_and_script,
        lambda emulator: statuses(emulator, "scripted"),
        [[], ["PENDING"], ["QUEUED"]],
        HELD,
    ),
    "the stock of a file that was counted, and then failed by a script": Kind(
        count_and_fail, stock_of_counted, [0, 2, 0], HELD
    ),
    "coupons that were issued": Kind(
        lambda emulator, number: emulator.issue_coupons("spring", 10),
        lambda emulator: emulator.stock("spring")["issued"],
        [5, 15, 25],
        HELD,
    ),
    "catalogs": Kind(
        lambda emulator, number: send(
            emulator, "POST", "/v1/catalog", {**CATALOG, "name": str(number)}
        ),
        lambda emulator: names(emulator, "catalogs"),
        [["seeded"], ["seeded", "1"], ["seeded", "1", "2"]],
        HELD,
    ),
    "catalogs of another workspace": Kind(
        lambda emulator, number: send(
            emulator, "POST", "/v1/catalog", {**CATALOG, "name": str(number)}, "other"
        ),
        lambda emulator: names(emulator, "catalogs", "other"),
        [[], ["1"], ["1", "2"]],
        HELD,
    ),
    "segments": Kind(
        lambda emulator, number: send(
            emulator, "PATCH", "/v3/custom-segments/0", {"name": str(number)}
        ),
        lambda emulator: names(emulator, "segments"),
        [["seeded"], ["1"], ["2"]],
        HELD,
    ),
    "segments of another workspace": Kind(
        lambda emulator, number: send(
            emulator, "PATCH", "/v3/custom-segments/0", {"name": str(number)}, "other"
        ),
        lambda emulator: names(emulator, "segments", "other"),
        [[], ["1"], ["2"]],
        HELD,
    ),
    # What counts against their limits.
    "the limit of uploads": Kind(
        lambda emulator, number: upload(emulator, "spring", str(number)),
        lambda emulator: used(emulator, "upload_coupon_file"),
        [0, 1, 2],
        HELD,
    ),
    "the limit of another workspace's uploads": Kind(
        lambda emulator, number: upload(emulator, "spring", str(number), "other"),
        lambda emulator: (
            used(emulator, "upload_coupon_file"),
            used(emulator, "upload_coupon_file", "other"),
        ),
        [(0, 0), (0, 1), (0, 2)],
        HELD,
    ),
    "the limit of catalogs": Kind(
        lambda emulator, number: send(
            emulator, "POST", "/v1/catalog", {**CATALOG, "name": str(number)}
        ),
        lambda emulator: used(emulator, "create_catalog"),
        [0, 1, 2],
        HELD,
    ),
    "the limit of another workspace's catalogs": Kind(
        lambda emulator, number: send(
            emulator, "POST", "/v1/catalog", {**CATALOG, "name": str(number)}, "other"
        ),
        lambda emulator: (
            used(emulator, "create_catalog"),
            used(emulator, "create_catalog", "other"),
        ),
        [(0, 0), (0, 1), (0, 2)],
        HELD,
    ),
    "the limit of reads": Kind(
        lambda emulator, number: send(emulator, "GET", SPRING),
        lambda emulator: used(emulator, "list_coupon_files"),
        [0, 1, 2],
        COUNTED_ALONE,
    ),
    "the limit of another workspace's updates": Kind(
        lambda emulator, number: send(
            emulator, "PATCH", "/v3/custom-segments/0", {"name": str(number)}, "other"
        ),
        lambda emulator: (
            used(emulator, "update_segment"),
            used(emulator, "update_segment", "other"),
        ),
        [(0, 0), (0, 1), (0, 2)],
        COUNTED_ALONE,
    ),
    # What an emulator was told.
    "scripts": Kind(
        lambda emulator, number: emulator.script(
            list_id="later", statuses=[(f"STATUS_{number}", None)]
        ),
        lambda emulator: (upload(emulator, "later", "a"), statuses(emulator, "later"))[1],
        [["PENDING"], ["STATUS_1"], ["STATUS_2"]],
        TOLD_OR_SEEN,
    ),
    "faults": Kind(
        lambda emulator, number: emulator.fail("update_segment", faults.error(500 + number)),
        lambda emulator: [queued["fault"][:10] for queued in emulator._control("state")["faults"]],
        [[], ["status 501"], ["status 501", "status 502"]],
        TOLD_OR_SEEN,
    ),
    "settings": Kind(
        lambda emulator, number: emulator.configure(list_lag=number),
        lambda emulator: emulator.settings["list_lag"],
        [0, 1, 2],
        TOLD_OR_SEEN,
    ),
    "the key": Kind(
        lambda emulator, number: emulator.configure(api_key=f"key-{number}"),
        keys_that_are_taken,
        [[KEY], ["key-1"], ["key-2"]],
        TOLD_OR_SEEN,
    ),
    "hosted files": Kind(
        lambda emulator, number: emulator.host(f"{number}.csv", b"A\n"),
        hosted,
        [[], [1], [1, 2]],
        TOLD_OR_SEEN,
    ),
    "the speed of the clock": Kind(
        lambda emulator, number: setattr(emulator.clock, "speed", number),
        lambda emulator: emulator.clock.speed,
        [0, 1, 2],
        TOLD_OR_SEEN,
    ),
    "the time of the clock, in hours": Kind(
        lambda emulator, number: emulator.clock.advance(3600),
        lambda emulator: round((emulator.clock.now() - time.time()) / 3600),
        [0, 1, 2],
        TIME,
    ),
    "snapshots": Kind(
        lambda emulator, number: emulator.snapshot(str(number)),
        lambda emulator: [name for name in emulator.snapshots if name != "between"],
        [[], ["1"], ["1", "2"]],
        KEPT,
    ),
    # What it has seen.
    "requests": Kind(
        lambda emulator, number: send(emulator, "GET", f"/{number}"),
        lambda emulator: [request.raw_path for request in emulator.requests],
        [[], ["/1"], ["/1", "/2"]],
        TOLD_OR_SEEN,
    ),
    "counts of requests": Kind(
        lambda emulator, number: send(emulator, "GET", f"/{number}"),
        lambda emulator: emulator.counts,
        [{}, {"": 1}, {"": 2}],
        TOLD_OR_SEEN,
    ),
    "requests beyond a limit": Kind(
        lambda emulator, number: send(emulator, "GET", f"{SPRING}/{number}"),
        lambda emulator: emulator._evidence.beyond,
        [0, 1, 2],
        TOLD_OR_SEEN,
    ),
    "accepted uploads": Kind(
        lambda emulator, number: upload(emulator, "spring", str(number)),
        lambda emulator: [file.name for file in emulator._evidence.uploads],
        [[], ["1"], ["1", "2"]],
        ACCEPTED,
    ),
    "keys that are secret": Kind(
        lambda emulator, number: emulator.configure(api_key=f"key-{number}"),
        lambda emulator: [key for key in (KEY, "key-1", "key-2") if is_secret(emulator, key)],
        [[KEY], [KEY, "key-1"], [KEY, "key-1", "key-2"]],
        TOLD_OR_SEEN,
    ),
    "callbacks": Kind(
        lambda emulator, number: emulator._service.state.callbacks.append({"outcome": number}),
        lambda emulator: [callback["outcome"] for callback in emulator.callbacks],
        [[], [1], [1, 2]],
        TOLD_OR_SEEN,
    ),
}


class Boundary(NamedTuple):
    """
    What happens to an emulator.

    :ivar steps: what is done to it, in order.
    :ivar left: what is left of a kind.
    :ivar has_file: it has a state file.
    """

    steps: list[Callable[[Emulator], Any]]
    left: Callable[[Kind], Left | None]
    has_file: bool = True


def restart(emulator: Emulator) -> None:
    emulator.stop()
    emulator.start()


def reset_to_another_seed(emulator: Emulator) -> None:
    emulator.reset({"version": 1, "lists": {"spring": {"coupons": 7}}})


def restore(emulator: Emulator) -> None:
    emulator.restore("between")


def change_another_setting(emulator: Emulator) -> None:
    emulator.configure(date_skew=1)


BOUNDARIES = {
    "nothing": Boundary([], lambda kind: BOTH),
    "another setting": Boundary([change_another_setting], lambda kind: BOTH),
    "a reset": Boundary([Emulator.reset], lambda kind: kind.after.reset),
    "a reset to another seed, and one to the start": Boundary(
        [reset_to_another_seed, Emulator.reset], lambda kind: kind.after.reset
    ),
    "a reset, and a restart": Boundary([Emulator.reset, restart], lambda kind: kind.after.reset),
    "a restored snapshot": Boundary([restore], lambda kind: kind.after.restored),
    "a snapshot that is restored twice": Boundary(
        [restore, restore], lambda kind: kind.after.restored
    ),
    "a restart": Boundary([restart], lambda kind: kind.after.restarted),
    "two restarts": Boundary([restart, restart], lambda kind: kind.after.restarted),
    "a restored snapshot, and a restart": Boundary(
        [restore, restart], lambda kind: kind.after.restored_and_restarted
    ),
    "a restart without a state file": Boundary([restart], lambda kind: NOTHING, has_file=False),
}


class Cell(NamedTuple):
    """A kind after something has happened, and what is left of it."""

    kind: Kind
    boundary: Boundary
    left: Left


def cells() -> Mapping[str, Cell]:
    """All cells in which the docs promise something."""
    made = {}
    for name, kind in KINDS.items():
        for after, boundary in BOUNDARIES.items():
            left = boundary.left(kind)
            if left is not None:
                made[f"{name} after {after}"] = Cell(kind, boundary, left)
    return made


CELLS = cells()


@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
def test_what_is_left_after_a_reset_a_restored_snapshot_a_restart_or_other_settings(
    cell: Cell, tmp_path: Path
) -> None:
    state = None
    if cell.boundary.has_file:
        state = tmp_path / "state.db"
    with Emulator(state=state, seed_file=SEED, **SETTINGS) as emulator:
        cell.kind.change(emulator, 1)
        emulator.snapshot("between")
        cell.kind.change(emulator, 2)
        for step in cell.boundary.steps:
            step(emulator)
        assert cell.kind.read(emulator) == cell.kind.values[cell.left]
