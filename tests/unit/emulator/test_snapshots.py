"""Seeds, snapshots, and coupons that run out."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from support.emulator_calls import Caller, content
from support.serving import serving
from support.wire import Session
from unit.emulator.test_cli import run
from wes_provider.emulator import Emulator
from wes_provider.emulator.coupons import issue, stock

SEED: dict[str, Any] = {
    "version": 1,
    "lists": {
        "spring": {
            "coupons": 50,
            "issued": 7,
            "files": [{"name": "a.csv", "coupons_added": 5}, {"file_url": "http://x/b"}],
        },
        "archive": {"files": 30},
    },
    "catalogs": [{"name": "products"}],
    "segments": [{"id": "7", "name": "Lisbon"}],
}


def everything(emulator: Any) -> Any:
    """All that an emulator holds, except for its clock."""
    lists = {name: (emulator.files(name), emulator.stock(name)) for name in ("spring", "archive")}
    return json.loads(json.dumps([lists, emulator.catalogs, emulator.segments]))


# -- seeds -------------------------------------------------------------------------------------------


def test_seed_is_there_at_the_start_and_after_a_reset(tmp_path: Path) -> None:
    (tmp_path / "seed.json").write_text(json.dumps(SEED))
    with Emulator(seed_file=tmp_path / "seed.json") as emulator, Session(emulator) as session:
        for _ in range(2):
            assert [file["name"] for file in emulator.files("spring")] == ["a.csv", "b"]
            assert emulator.stock("spring") == {"coupons": 55, "issued": 7, "stock": 48}
            assert len(session.get("/v1/coupon-list/archive/files").json()) == 30
            assert [catalog["name"] for catalog in emulator.catalogs.values()] == ["products"]
            assert emulator.segments["7"]["name"] == "Lisbon"
            catalog = {"name": "products", "price_currency": "EUR", "attributes": []}
            assert session.post("/v1/catalog", json=catalog).status_code == 409
            session.upload(list_id="spring")
            emulator.reset()


@pytest.mark.parametrize(
    ("seed", "place"),
    [
        ([], "seed file"),
        ({"lists": {}}, "a seed is a JSON object"),
        ({"version": True}, "version: "),
        ({"version": 1, "colour": "red"}, "unknown field `colour`"),
        ({"version": 1, "lists": {"l": {"size": 1}}}, r"lists\.l: .*unknown field `size`"),
        ({"version": 1, "lists": []}, "lists: "),
        ({"version": 1, "lists": {"": {}}}, "lists: "),
        ({"version": 1, "lists": {"l": {"files": -1}}}, r"lists\.l\.files: "),
        ({"version": 1, "lists": {"l": {"files": [{}]}}}, r"lists\.l\.files\.0: it needs a name or a file_url"),
        ({"version": 1, "lists": {"l": {"files": [{"name": 7}]}}}, r"lists\.l\.files\.0\.name: "),
        (
            {"version": 1, "lists": {"l": {"files": [{"name": "a", "error": "gone", "coupons_added": 3}]}}},
            r"lists\.l\.files\.0: coupons_added must be 0 for a failed file",
        ),
        (
            {"version": 1, "lists": {"l": {"files": [{"name": "a", "_id": "7"}, {"name": "b", "_id": "7"}]}}},
            r"lists\.l\.files\.1\._id must be unique",
        ),
        (
            {"version": 1, "lists": {"l": {"coupons": 1, "issued": 2}}},
            r"lists\.l: issued must be at most its 1 coupons",
        ),
        ({"version": 1, "catalogs": [{}]}, r"catalogs\.0: "),
        ({"version": 1, "catalogs": [{"name": "a"}, {"name": "a"}]}, r"catalogs\.1\.name must be unique"),
        ({"version": 1, "catalogs": [{"name": "a", "price_currency": "EURO"}]}, r"catalogs\.0: price_currency"),
        ({"version": 1, "segments": [{"id": "7", "included_filters": []}]}, r"segments\.0\.included_filters: "),
        ({"version": 1, "workspaces": []}, "workspaces: "),
        ({"version": 1, "workspaces": {"w": {"segments": 1}}}, r"workspaces\.w\.segments: "),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_seed_is_refused_by_name(seed: Any, place: str, tmp_path: Path) -> None:
    (tmp_path / "seed.json").write_text(json.dumps(seed))
    with pytest.raises(ValueError, match=place):
        Emulator(seed_file=tmp_path / "seed.json")


@pytest.mark.wes(
    workspaces={"other": {"api_key": "k2"}},
    seed={
        "version": 1,
        "catalogs": [{"name": "products"}],
        "workspaces": {"other": {"lists": {"l": {"files": 2}}, "catalogs": [{"name": "products"}, {"name": "more"}]}},
    },
)
def test_a_seed_holds_several_workspaces(wes_emulator: Emulator) -> None:
    assert wes_emulator.files("l") == []
    assert len(wes_emulator.files("l", workspace="other")) == 2
    assert [one["name"] for one in wes_emulator.catalogs.values()] == ["products"]
    assert [one["name"] for one in wes_emulator.catalogs_of("other").values()] == ["products", "more"]
    assert wes_emulator.segments_of("other") == {}
    wes_emulator.issue_coupons("l", 0, workspace="other")
    assert wes_emulator.stock("l", workspace="other")["stock"] == 0
    with pytest.raises(ValueError, match="there is no coupon list 'l'"):
        wes_emulator.issue_coupons("l")


# -- snapshots ---------------------------------------------------------------------------------------


def test_snapshot_is_restored_as_it_was(wes_emulator: Emulator, session: Session) -> None:
    wes_emulator.reset(seed=SEED)
    session.upload(wes_emulator.host("c.csv", b"A\nB\n"), "spring")
    wes_emulator.clock.advance(60)
    before = everything(wes_emulator)
    wes_emulator.snapshot("s")
    session.upload(wes_emulator.host("d.csv", b"C\n"), "spring")
    wes_emulator.issue_coupons("spring", 3)
    wes_emulator.clock.advance(60)
    assert everything(wes_emulator) != before
    wes_emulator.restore("s")
    assert everything(wes_emulator) == before
    again = session.upload(wes_emulator.host("e.csv", b"B\nC\n"), "spring")
    wes_emulator.clock.advance(60)
    record = session.fetch(again)
    assert (record["coupons_added"], record["coupons_duplicate"]) == (1, 1)
    wes_emulator.forget_snapshots()
    assert wes_emulator.snapshots == []


def test_ages_and_limits_are_kept_while_the_clock_goes_on() -> None:
    caller = Caller(window_policy="rolling", processing_time=100)
    caller.service.clock.advance(1)
    file_ids = [caller.uploaded() for _ in range(5)]
    caller.service.clock.advance(50)
    caller.service.snapshot("s")
    caller.service.clock.advance(1000)
    caller.service.restore("s")
    assert content(caller.get(file_ids[0]))["status"] == "PROCESSING"
    assert caller.upload().status == 429
    caller.service.clock.advance(10)
    assert caller.upload().status == 201
    caller.process(file_ids[0], "A")
    caller.service.clock.advance(40)
    assert content(caller.get(file_ids[0]))["status"] == "SUCCESS"


def test_snapshots_and_what_follows_are_in_the_state_file(tmp_path: Path) -> None:
    state = tmp_path / "state.db"
    with Emulator(state=state, seed_file=SEED) as emulator, Session(emulator) as session:
        emulator.snapshot("start")
        session.upload(emulator.host("c.csv", b"A\n"), "spring")
        emulator.clock.advance(60)
        emulator.files("spring")
        emulator.issue_coupons("spring", 2)
        before = everything(emulator)
    with Emulator(state=state, seed_file={"version": 1}) as emulator:
        assert everything(emulator) == before
        emulator.restore("start")
        assert len(emulator.files("spring")) == 2
    with Emulator(state=state) as emulator:
        assert len(emulator.files("spring")) == 2
        assert emulator.snapshots == ["start"]


def test_commands_of_a_running_emulator(tmp_path: Path) -> None:
    (tmp_path / "seed.json").write_text(json.dumps(SEED))
    with serving("--seed-file", str(tmp_path / "seed.json")) as (_, emulator):
        assert run("snapshot", "s", "--url", emulator.url).returncode == 0
        emulator.seed_files("archive", 1)
        assert run("restore", "s", "--url", emulator.url).returncode == 0
        assert len(emulator.files("archive")) == 30
        assert run("configure", "--set", "list_lag=5", "--set", "speed=60", "--url", emulator.url).returncode == 0
        assert (emulator.settings["list_lag"], emulator.clock.speed) == (5, 60)
        emulator.seed_files("archive", 1)
        assert run("reset", "--url", emulator.url).returncode == 0
        assert (len(emulator.files("archive")), emulator.settings["list_lag"]) == (30, 0)
        unknown = run("restore", "x", "--url", emulator.url)
        assert (unknown.returncode, "there is no snapshot 'x'" in unknown.stderr) == (2, True)
    silent = run("reset", "--url", emulator.url)
    assert (silent.returncode, "Traceback" in silent.stderr) == (2, False)


# -- stock -------------------------------------------------------------------------------------------


def seen(caller: Caller) -> dict[str, int]:
    return stock(caller.service.world, caller.service.account().lists["list-1"])


def test_stock_counts_processed_files_and_falls() -> None:
    caller = Caller(processing_time=10)
    file_id = caller.uploaded()
    caller.process(file_id, *map(str, range(100)))
    assert seen(caller) == {"coupons": 0, "issued": 0, "stock": 0}
    caller.service.clock.advance(10)
    assert seen(caller)["stock"] == 100
    issue_now = partial(issue, caller.service.world)
    assert issue_now("", "list-1", 30, None) == {"coupons": 100, "issued": 30, "stock": 70}
    issue_now("", "list-1", 0, 0.5)
    caller.service.clock.advance(20)
    assert seen(caller)["stock"] == 60
    caller.service.clock.advance(1000)
    assert seen(caller) == {"coupons": 100, "issued": 100, "stock": 0}
    assert issue_now("", "list-1", 5, 0.0)["stock"] == 0


def test_an_unknown_list_has_no_stock_and_issues_nothing(wes_emulator: Emulator) -> None:
    assert wes_emulator.stock("none")["stock"] == 0
    with pytest.raises(ValueError, match="there is no coupon list 'none'"):
        wes_emulator.issue_coupons("none", 1)
    wes_emulator.seed_files("spring", 1)
    with pytest.raises(ValueError, match="number: "):
        wes_emulator.issue_coupons("spring", -1)
