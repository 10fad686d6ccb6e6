"""
What an emulator holds: profiles, seeds, snapshots, the state file that outlives its process, stock
of lists.
"""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from support.wire import Session, serving
from unit.emulator.conftest import CATALOG, Caller, content
from wes_provider.emulator import Emulator

FILES = [{"name": "a.csv", "coupons_added": 5}, {"file_url": "http://x/b"}]
SEED: dict[str, Any] = {
    "version": 1,
    "lists": {"spring": {"coupons": 50, "issued": 7, "files": FILES}, "archive": {"files": 30}},
    "catalogs": [{"name": "products"}],
    "segments": [{"id": "7", "name": "Lisbon"}],
}


def everything(emulator: Any) -> Any:
    """All that an emulator holds, except for its clock."""
    lists = {name: (emulator.files(name), emulator.stock(name)) for name in ("spring", "archive")}
    return json.loads(json.dumps([lists, emulator.catalogs, emulator.segments]))


# -- seeds -----------------------------------------------------------------------------------------


def test_seed_is_there_at_the_start_and_after_a_reset(tmp_path: Path) -> None:
    (tmp_path / "seed.json").write_text(json.dumps(SEED))
    with Emulator(seed_file=tmp_path / "seed.json") as emulator, Session(emulator) as session:
        for _ in range(2):
            assert [file["name"] for file in emulator.files("spring")] == ["a.csv", "b"]
            assert emulator.stock("spring") == {"coupons": 55, "issued": 7, "stock": 48}
            assert len(session.get("/v1/coupon-list/archive/files").json()) == 30
            assert [catalog["name"] for catalog in emulator.catalogs.values()] == ["products"]
            assert emulator.segments["7"]["name"] == "Lisbon"
            assert (
                session.post("/v1/catalog", json={**CATALOG, "name": "products"}).status_code == 409
            )
            session.upload(list_id="spring")
            emulator.reset()


class NoSeed(NamedTuple):
    """What is no seed, and where, as its message says."""

    content: Any
    place: str


def list_of(**fields: Any) -> dict[str, Any]:
    """A seed of one list."""
    return {"version": 1, "lists": {"l": fields}}


FAILED = {"name": "a", "error": "gone", "coupons_added": 3}
TWICE = [{"name": "a", "_id": "7"}] * 2
NO_SEEDS = {
    "no object": NoSeed([], "seed file"),
    "no version": NoSeed({"lists": {}}, "missing required field `version`"),
    "an unknown name": NoSeed({"version": 1, "colour": "red"}, "unknown field `colour`"),
    "an unknown name in a list": NoSeed(list_of(size=1), r"lists\.l: .*unknown field `size`"),
    "a file without a name": NoSeed(
        list_of(files=[{}]), r"lists\.l\.files\.0: it needs a name or a file_url"
    ),
    "coupons of a failed file": NoSeed(
        list_of(files=[FAILED]), r"lists\.l\.files\.0: coupons_added must be 0 for a failed"
    ),
    "an identifier twice": NoSeed(list_of(files=TWICE), r"files\.1\._id must be unique"),
    "more issued than there are": NoSeed(
        list_of(coupons=1, issued=2), r"lists\.l: issued must be at most its 1 coupons"
    ),
    "a catalog twice": NoSeed(
        {"version": 1, "catalogs": [{"name": "a"}, {"name": "a"}]},
        r"catalogs\.1\.name must be unique",
    ),
    "no currency": NoSeed(
        {"version": 1, "catalogs": [{"name": "a", "price_currency": "EURO"}]},
        r"catalogs\.0: price_currency",
    ),
    "no filters": NoSeed(
        {"version": 1, "segments": [{"id": "7", "included_filters": []}]},
        r"segments\.0\.included_filters: ",
    ),
    "a segment twice": NoSeed(
        {"version": 1, "segments": [{"id": "7"}, {"id": "7"}]}, r"segments\.1\.id must be unique"
    ),
    "a segment's name twice": NoSeed(
        {"version": 1, "segments": [{"id": "7", "name": "a"}, {"id": "8", "name": "a"}]},
        r"segments\.1\.name must be unique",
    ),
}


@pytest.mark.parametrize("row", NO_SEEDS.values(), ids=NO_SEEDS)
def test_what_is_no_seed_is_refused_by_name(row: NoSeed, tmp_path: Path) -> None:
    (tmp_path / "seed.json").write_text(json.dumps(row.content))
    with pytest.raises(ValueError, match=row.place):
        Emulator(seed_file=tmp_path / "seed.json")


def test_settings_take_precedence_over_the_profile_and_what_is_none_is_refused(
    tmp_path: Path,
) -> None:
    profile = tmp_path / "p.json"
    profile.write_text(json.dumps({"list_lag": 5, "fetch_lag": 6}))
    with Emulator(profile=profile, list_lag=7) as emulator:
        assert (emulator.settings["list_lag"], emulator.settings["fetch_lag"]) == (7, 6)
        emulator.configure(profile=profile, fetch_lag=8)
        assert (emulator.settings["list_lag"], emulator.settings["fetch_lag"]) == (5, 8)
    for data, problem in (
        ([], "is no JSON object of settings"),
        ({"tempo": 1}, "there is no setting tempo"),
    ):
        profile.write_text(json.dumps(data))
        with pytest.raises(ValueError, match=problem):
            Emulator(profile=profile)


# -- snapshots -------------------------------------------------------------------------------------


def test_a_snapshot_brings_everything_back(wes_emulator: Emulator, session: Session) -> None:
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
    file_ids = [caller.uploaded() for _ in range(5)]
    caller.service.clock.advance(50)
    caller.service.snapshot("s")
    caller.service.clock.advance(1000)
    caller.service.script(list_id="list-2", statuses=[["QUEUED", None]])
    caller.service.restore("s")
    # Scripts stay.
    assert content(caller.get(caller.uploaded("list-2"), "list-2"))["status"] == "QUEUED"
    assert content(caller.get(file_ids[0]))["status"] == "PROCESSING"
    assert caller.upload().status == 429
    caller.service.clock.advance(10)
    assert caller.upload().status == 201
    caller.process(file_ids[0], "A")
    caller.service.clock.advance(40)
    assert content(caller.get(file_ids[0]))["status"] == "SUCCESS"


# -- the state file --------------------------------------------------------------------------------


def test_state_survives_kill_9(tmp_path: Path) -> None:
    """
    It loses no accepted request, and continues from there; what was on its way is fetched, and its
    secret goes.
    """
    state = tmp_path / "state.db"
    with Emulator() as host:
        first, second = (
            host.host("first.csv", b"A\nB\n"),
            host.host("second.csv", b"B\nC\n", "u", "s3cret"),
        )
        with serving("--state", str(state)) as (process, emulator), Session(emulator) as session:
            done = session.upload(first, "spring")
            emulator.clock.advance(100)
            assert session.fetch(done)["coupons_added"] == 2
            emulator.script(outcome="never")
            stuck = session.upload(
                second, "spring", file_url_auth_username="u", file_url_auth_password="s3cret"
            )
            session.post("/v1/catalog", json=CATALOG)
            with Session(emulator, emulator.data_api_key) as data_session:
                data_session.patch("/v3/custom-segments/7", json={"name": "s"})
            emulator.clock.advance(100)  # beyond the time that changes what is shown
            before, now = everything(emulator), emulator.clock.now()
            process.kill()
            assert process.wait() == -signal.SIGKILL
        with Emulator(state=state) as emulator, Session(emulator) as session:
            assert everything(emulator) == before
            assert emulator.clock.now() >= now
            emulator.script(processing_time=0)
            record = session.fetch(stuck)
            assert (record["coupons_added"], record["coupons_duplicate"]) == (1, 1)
    assert b"s3cret" not in state.read_bytes()


def test_limits_and_snapshots_outlive_a_restart_and_so_do_seeded_files(tmp_path: Path) -> None:
    state, other = tmp_path / "state.db", tmp_path / "other.json"
    other.write_text("x" * 1000)
    with pytest.raises(ValueError, match=r"other\.json cannot be used"):  # a file of another kind
        Emulator(state=other).start()
    assert other.read_text() == "x" * 1000
    with Emulator(state=state, seed_file=SEED, speed=0) as emulator, Session(emulator) as session:
        emulator.snapshot("start")
        for _ in range(5):
            session.upload(list_id="spring")
        emulator.issue_coupons("spring", 2)
        before = everything(emulator)
    with (
        Emulator(state=state, seed_file={"version": 1}, speed=0) as emulator,
        Session(emulator) as session,
    ):
        assert everything(emulator) == before
        assert (
            session.post(
                "/v1/coupon-list/spring/files", json={"file_url": "http://a.example/"}
            ).status_code
            == 429
        )
        emulator.restore("start")
    with Emulator(state=state) as emulator:
        assert len(emulator.files("spring")) == 2
        assert emulator.snapshots == ["start"]


# -- stock -----------------------------------------------------------------------------------------


def test_stock_counts_processed_files_and_falls(wes_emulator: Emulator, session: Session) -> None:
    file = session.upload(
        wes_emulator.host("c.csv", b"\n".join(b"%d" % i for i in range(100))), "spring"
    )
    assert (
        wes_emulator.stock("spring")
        == wes_emulator.stock("none")
        == {"coupons": 0, "issued": 0, "stock": 0}
    )
    wes_emulator.clock.advance(10)
    session.fetch(file)
    assert wes_emulator.issue_coupons("spring", 30) == {"coupons": 100, "issued": 30, "stock": 70}
    assert wes_emulator.issue_coupons("spring", 1000) == {"coupons": 100, "issued": 100, "stock": 0}
    for list_id, number, message in (
        ("none", 1, "there is no coupon list 'none'"),
        ("none", -1, "number: "),
    ):
        with pytest.raises(ValueError, match=message):
            wes_emulator.issue_coupons(list_id, number)
