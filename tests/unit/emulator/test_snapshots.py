"""
Where what an emulator holds comes from and goes to. A seed has files, stock, catalogs and
segments, and a wrong one is refused with its place. A profile has settings, which those given
besides replace. A snapshot brings everything back but scripts, as old as it was. A state file
outlives the process, also if that is killed, takes precedence over a seed, and is refused if it
is another kind of file. The stock of a list is what processed files have added, less what was
issued.
"""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

from support.wire import Session, serving
from unit.emulator.conftest import CATALOG, Caller, content
from wes_provider.emulator import Emulator, faults
from wes_provider.emulator.service import Service
from wes_provider.emulator.settings import Settings
from wes_provider.emulator.world import Catalog, Holding, ListState, Segment

FILES = [{"name": "a.csv", "coupons_added": 5}, {"file_url": "http://x/b"}]
SEED: dict[str, Any] = {
    "version": 1,
    "lists": {"spring": {"coupons": 50, "issued": 7, "files": FILES}, "archive": {"files": 30}},
    "catalogs": [{"name": "products"}],
    "segments": [{"id": "7", "name": "Lisbon"}],
}


def everything(emulator: Any) -> Any:
    """The two lists of ``SEED`` with their stock, catalogs and segments."""
    lists = {name: (emulator.files(name), emulator.stock(name)) for name in ("spring", "archive")}
    return json.loads(json.dumps([lists, emulator.catalogs, emulator.segments]))


# -- seeds -----------------------------------------------------------------------------------------


@pytest.fixture(params=["at the start", "after a reset"])
def seeded(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Emulator]:
    """An emulator with a seed file, perhaps after a change and a reset."""
    (tmp_path / "seed.json").write_text(json.dumps(SEED))
    with Emulator(seed_file=tmp_path / "seed.json") as emulator:
        if request.param == "after a reset":
            with Session(emulator) as session:
                session.upload(list_id="spring")
            emulator.reset()
        yield emulator


def test_a_seed_has_files_by_name_or_by_url(seeded: Emulator) -> None:
    assert [file["name"] for file in seeded.files("spring")] == ["a.csv", "b"]


def test_a_seed_has_the_stock_of_a_list_besides_that_of_its_files(seeded: Emulator) -> None:
    assert seeded.stock("spring") == {"coupons": 55, "issued": 7, "stock": 48}


def test_a_seed_has_a_number_of_files(seeded: Emulator) -> None:
    with Session(seeded) as session:
        assert len(session.get("/v1/coupon-list/archive/files").json()) == 30


def test_a_seed_has_catalogs_whose_names_are_taken(seeded: Emulator) -> None:
    with Session(seeded) as session:
        created = session.post("/v1/catalog", json={**CATALOG, "name": "products"})
    assert created.status_code == 409


def test_a_seed_has_segments(seeded: Emulator) -> None:
    assert seeded.segments["7"]["name"] == "Lisbon"


class NoSeed(NamedTuple):
    """What is no seed, and what the message says of it: a regular expression."""

    content: Any
    message: str


def list_of(**fields: Any) -> dict[str, Any]:
    """A seed of one list."""
    return {"version": 1, "lists": {"l": fields}}


FAILED = {"name": "a", "error": "gone", "coupons_added": 3}
TWICE = [{"name": "a", "_id": "7"}] * 2
NO_SEEDS = {
    "no object": NoSeed([], "seed file"),
    "another version": NoSeed({"version": 2}, "version must be 1, not 2"),
    "the version before": NoSeed({"version": 0}, "version must be 1, not 0"),
    "more coupons than a list can have": NoSeed(
        list_of(coupons=100_000_001),
        r"lists\.l\.coupons, .*, must be at most 100000000 .*, not 100000001",
    ),
    "more coupons with those of a file": NoSeed(
        list_of(coupons=99_999_999, files=[{"name": "a", "coupons_added": 2}]),
        r"lists\.l\.coupons, .*, must be at most 100000000 .*, not 100000001",
    ),
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
    "more issued than there are with those of its files": NoSeed(
        list_of(coupons=1, issued=7, files=FILES), r"lists\.l: issued must be at most its 6 coupons"
    ),
    "a URL that cannot be read": NoSeed(
        list_of(files=[{"name": "a", "file_url": "https://[::1/x"}]),
        r"lists\.l\.files\.0: file_url is no URL",
    ),
    "a catalog's identifier twice": NoSeed(
        {"version": 1, "catalogs": [{"name": "a", "id": "7"}, {"name": "b", "id": "7"}]},
        r"catalogs\.1\.id must be unique",
    ),
    "a catalog twice": NoSeed(
        {"version": 1, "catalogs": [{"name": "a"}, {"name": "a"}]},
        r"catalogs\.1\.name must be unique",
    ),
    "a currency of four letters": NoSeed(
        {"version": 1, "catalogs": [{"name": "a", "price_currency": "EURO"}]},
        r"catalogs\.0: price_currency",
    ),
    "an empty list of filters": NoSeed(
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
def test_a_wrong_seed_is_refused_with_the_place_of_what_is_wrong(
    row: NoSeed, tmp_path: Path
) -> None:
    (tmp_path / "seed.json").write_text(json.dumps(row.content))
    with pytest.raises(ValueError, match=row.message):
        Emulator(seed_file=tmp_path / "seed.json")


ALL_ISSUED = {
    "of the list": list_of(coupons=2, issued=2),
    "of its files": list_of(issued=5, files=FILES),
    "of the list and of its files": list_of(coupons=2, issued=7, files=FILES),
    "none, since its files are a number": list_of(issued=0, files=30),
}


@pytest.mark.parametrize("seed", ALL_ISSUED.values(), ids=ALL_ISSUED)
def test_all_coupons_of_a_list_may_be_issued_in_a_seed(seed: dict[str, Any]) -> None:
    issued = seed["lists"]["l"]["issued"]
    with Emulator(seed_file=seed) as emulator:
        assert emulator.stock("l") == {"coupons": issued, "issued": issued, "stock": 0}


def test_a_seed_may_fill_a_list() -> None:
    with Emulator(seed_file=list_of(coupons=3), list_coupons=3) as emulator:
        assert emulator.stock("l")["coupons"] == 3


def test_the_setting_decides_how_many_coupons_a_list_of_a_seed_can_have() -> None:
    with pytest.raises(ValueError, match=r"lists\.l\.coupons, .* at most 3 .*, not 4"):
        Emulator(seed_file=list_of(coupons=4), list_coupons=3)


def test_a_reset_to_a_seed_with_too_many_coupons_changes_nothing(wes_emulator: Emulator) -> None:
    wes_emulator.reset(seed=SEED)
    before = everything(wes_emulator)
    with pytest.raises(ValueError, match=r"lists\.l\.coupons, "):
        wes_emulator.reset(seed=list_of(coupons=100_000_001))
    assert everything(wes_emulator) == before


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    """A profile with two settings."""
    profile = tmp_path / "p.json"
    profile.write_text(json.dumps({"list_lag": 5, "fetch_lag": 6}))
    return profile


def test_a_profile_is_settings(profile: Path) -> None:
    with Emulator(profile=profile) as emulator:
        assert emulator.settings["list_lag"] == 5
        assert emulator.settings["fetch_lag"] == 6


def test_a_setting_takes_precedence_over_the_profile(profile: Path) -> None:
    with Emulator(profile=profile, list_lag=7) as emulator:
        assert emulator.settings["list_lag"] == 7


def test_a_later_profile_replaces_earlier_settings(profile: Path) -> None:
    with Emulator(list_lag=7) as emulator:
        emulator.configure(profile=profile)
        assert emulator.settings["list_lag"] == 5


def test_a_later_setting_takes_precedence_over_the_later_profile(profile: Path) -> None:
    with Emulator() as emulator:
        emulator.configure(profile=profile, fetch_lag=8)
        assert emulator.settings["fetch_lag"] == 8


class NoProfile(NamedTuple):
    """What is no profile, and what the message says of it."""

    content: Any
    message: str


NO_PROFILES = {
    "an array": NoProfile([], "is no JSON object of settings"),
    "an unknown setting": NoProfile({"tempo": 1}, "there is no setting tempo"),
}


@pytest.mark.parametrize("row", NO_PROFILES.values(), ids=NO_PROFILES)
def test_a_wrong_profile_is_refused(profile: Path, row: NoProfile) -> None:
    profile.write_text(json.dumps(row.content))
    with pytest.raises(ValueError, match=row.message):
        Emulator(profile=profile)


# -- snapshots -------------------------------------------------------------------------------------


def test_a_snapshot_brings_everything_back(wes_emulator: Emulator, session: Session) -> None:
    """Files, stock, catalogs and segments, which all have changed meanwhile."""
    wes_emulator.reset(seed=SEED)
    before = everything(wes_emulator)
    wes_emulator.snapshot("s")
    session.upload(wes_emulator.host("d.csv", b"C\n"), "spring")
    wes_emulator.issue_coupons("spring", 3)
    session.post("/v1/catalog", json=CATALOG)
    with Session(wes_emulator, wes_emulator.data_api_key) as data_session:
        data_session.patch("/v3/custom-segments/7", json={"name": "Porto"})
    after = everything(wes_emulator)
    assert [old != new for old, new in zip(before, after, strict=True)] == [True] * 3
    wes_emulator.restore("s")
    assert everything(wes_emulator) == before


def test_after_a_restore_the_coupons_of_the_snapshot_are_known_and_no_others(
    wes_emulator: Emulator, session: Session
) -> None:
    """A file has one coupon of the snapshot, and one that was uploaded after it."""
    session.upload(wes_emulator.host("c.csv", b"A\nB\n"), "spring")
    wes_emulator.clock.advance(60)
    wes_emulator.snapshot("s")
    session.upload(wes_emulator.host("d.csv", b"C\n"), "spring")
    wes_emulator.clock.advance(60)
    wes_emulator.restore("s")
    again = session.upload(wes_emulator.host("e.csv", b"B\nC\n"), "spring")
    wes_emulator.clock.advance(60)
    record = session.fetch(again)
    assert (record["coupons_added"], record["coupons_duplicate"]) == (1, 1)


def test_snapshots_can_be_forgotten(wes_emulator: Emulator) -> None:
    wes_emulator.snapshot("s")
    wes_emulator.forget_snapshots()
    assert wes_emulator.snapshots == []


def test_a_restored_file_is_as_old_as_it_was() -> None:
    caller = Caller(processing_time=100)
    file_id = caller.uploaded()
    caller.service.clock.advance(50)
    caller.service.snapshot("s")
    caller.service.clock.advance(1000)
    caller.service.restore("s")
    assert content(caller.get(file_id))["status"] == "PROCESSING"
    caller.process(file_id, "A")
    caller.service.clock.advance(50)
    assert content(caller.get(file_id))["status"] == "SUCCESS"


def test_a_restored_limit_opens_as_late_as_it_would_have() -> None:
    caller = Caller(window_policy="rolling")
    for _ in range(5):
        caller.upload()
    caller.service.clock.advance(50)
    caller.service.snapshot("s")
    caller.service.clock.advance(1000)
    caller.service.restore("s")
    assert caller.upload().status == 429
    caller.service.clock.advance(10)
    assert caller.upload().status == 201


class Limited(NamedTuple):
    """An operation, a request of it with a number, and the status of its success."""

    operation: str
    send: Callable[[Caller, int], int]
    status: int


LIMITED = {
    "uploads": Limited("upload_coupon_file", lambda caller, _: caller.upload().status, 201),
    "catalogs": Limited(
        "create_catalog", lambda caller, number: caller.create_catalog(name=str(number)).status, 201
    ),
    "reads": Limited("list_coupon_files", lambda caller, _: caller.list().status, 200),
    "updates": Limited("update_segment", lambda caller, _: caller.update_segment().status, 200),
}


@pytest.mark.parametrize("row", LIMITED.values(), ids=LIMITED)
def test_a_restored_limit_of_each_operation_opens_as_late_as_it_would_have(row: Limited) -> None:
    caller = Caller(window_policy="rolling", limits={row.operation: [[1, 60]]})
    assert row.send(caller, 1) == row.status
    caller.service.clock.advance(50)
    caller.service.snapshot("s")
    caller.service.clock.advance(1000)
    caller.service.restore("s")
    assert row.send(caller, 2) == 429
    caller.service.clock.advance(9)
    assert row.send(caller, 2) == 429
    caller.service.clock.advance(1)
    assert row.send(caller, 2) == row.status


def called_back(service: Service) -> list[str]:
    """The files whose callbacks are due now, and are made by that."""
    return [file.id for file, _ in service.state.coupons.to_call_back()]


def test_a_callback_that_was_made_before_a_snapshot_is_not_made_again() -> None:
    caller = Caller()
    made = caller.uploaded(callback_url="https://a.example/done")
    open_ = caller.uploaded(callback_url="https://a.example/done")
    caller.process(made, "A")
    caller.service.clock.advance(60)
    assert called_back(caller.service) == [made]
    caller.process(open_, "B")
    caller.service.snapshot("s")
    caller.service.restore("s")
    assert called_back(caller.service) == [open_]


def test_scripts_stay_when_a_snapshot_is_restored() -> None:
    caller = Caller()
    caller.service.snapshot("s")
    caller.service.script(list_id="list-2", statuses=[["QUEUED", None]])
    caller.service.restore("s")
    assert content(caller.get(caller.uploaded("list-2"), "list-2"))["status"] == "QUEUED"


def test_settings_faults_requests_and_callbacks_stay_when_a_snapshot_is_restored() -> None:
    caller = Caller()
    service = caller.service
    service.snapshot("s")
    service.configure(list_shape="data")
    service.state.faults.add("list_coupon_files", faults.error(503), times=2, list_id=None)
    service.state.callbacks.append({"coupon_file_id": "1", "host": "a.example", "outcome": 204})
    caller.upload()
    service.restore("s")
    assert service.settings.list_shape == "data"
    assert [queued["times"] for queued in service.state.faults.to_json()] == [2]
    assert [request.operation for request in service.state.log] == ["upload_coupon_file"]
    assert [made["outcome"] for made in service.state.callbacks] == [204]


# -- the state file --------------------------------------------------------------------------------


class Killed(NamedTuple):
    """
    An emulator that was killed while a file was on its way, whose host wants a password.

    :ivar state: its state file.
    :ivar held: what it held; ``now``: what its clock showed.
    :ivar stuck: the file that was on its way: one of its two coupons is of a file before it.
    """

    state: Path
    held: Any
    now: float
    stuck: dict[str, Any]


@pytest.fixture(scope="module")
def killed_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killed]:
    state = tmp_path_factory.mktemp("killed") / "state.db"
    credentials = {"file_url_auth_username": "u", "file_url_auth_password": "s3cret"}
    with Emulator() as host:
        first = host.host("first.csv", b"A\nB\n")
        second = host.host("second.csv", b"B\nC\n", "u", "s3cret")
        with serving("--state", str(state)) as (process, emulator), Session(emulator) as session:
            done = session.upload(first, "spring")
            emulator.clock.advance(100)
            assert session.fetch(done)["coupons_added"] == 2
            emulator.script(outcome="never")
            stuck = session.upload(second, "spring", **credentials)
            session.post("/v1/catalog", json=CATALOG)
            with Session(emulator, emulator.data_api_key) as data_session:
                data_session.patch("/v3/custom-segments/7", json={"name": "s"})
            emulator.clock.advance(100)  # beyond the time that changes what is shown
            held = everything(emulator)
            now = emulator.clock.now()
            process.kill()
            assert process.wait() == -signal.SIGKILL
        yield Killed(state, held, now, stuck)


@pytest.fixture
def killed(killed_once: Killed, tmp_path: Path) -> Killed:
    """The same with a state file of its own."""
    for path in killed_once.state.parent.iterdir():
        shutil.copy(path, tmp_path)
    return killed_once._replace(state=tmp_path / "state.db")


def test_a_killed_emulator_goes_on_with_all_that_it_had_accepted(killed: Killed) -> None:
    with Emulator(state=killed.state) as emulator:
        assert everything(emulator) == killed.held


def test_the_clock_of_a_killed_emulator_does_not_go_back(killed: Killed) -> None:
    with Emulator(state=killed.state) as emulator:
        assert emulator.clock.now() >= killed.now


def test_a_file_that_was_on_its_way_is_fetched_after_a_kill(killed: Killed) -> None:
    with Emulator(state=killed.state) as emulator, Session(emulator) as session:
        emulator.script(processing_time=0)
        record = session.fetch(killed.stuck)
        assert (record["coupons_added"], record["coupons_duplicate"]) == (1, 1)


def has_password(state: Path) -> bool:
    """Whether the state file, or one that belongs to it, has the password of the host."""
    return any(b"s3cret" in path.read_bytes() for path in state.parent.glob("state.db*"))


def test_a_password_is_in_the_state_file_until_the_file_is_fetched(killed: Killed) -> None:
    assert has_password(killed.state)
    with Emulator(state=killed.state) as emulator, Session(emulator) as session:
        emulator.script(processing_time=0)
        session.fetch(killed.stuck)
    assert not has_password(killed.state)


def database_of_another_program() -> bytes:
    """An SQLite file with a table of its own."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "orders.db")
        with closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE orders (id)")
        return path.read_bytes()


class Foreign(NamedTuple):
    """What a file has that no emulator has written."""

    content: bytes


FOREIGN = {
    "one byte": Foreign(b"{"),
    "a line break": Foreign(b"\n"),
    "a zero": Foreign(b"\0"),
    "an empty object": Foreign(b"{}"),
    "shorter than the smallest database": Foreign(b"x" * 511),
    "longer": Foreign(b"x" * 1000),
    "the beginning of a database": Foreign(b"SQLite"),
    "the header of a database, and nothing else": Foreign(b"SQLite format 3\0"),
    "a database of another program": Foreign(database_of_another_program()),
}


@pytest.mark.parametrize("row", FOREIGN.values(), ids=FOREIGN)
def test_a_file_of_another_kind_is_no_state_file_and_stays_as_it_is(
    tmp_path: Path, row: Foreign
) -> None:
    other = tmp_path / "other.json"
    other.write_bytes(row.content)
    with pytest.raises(ValueError, match=r"other\.json cannot be used: "):
        Emulator(state=other).start()
    assert other.read_bytes() == row.content


def test_an_empty_file_becomes_a_state_file(tmp_path: Path) -> None:
    state = tmp_path / "state.db"
    state.touch()
    for _ in range(2):
        with Emulator(state=state, seed_file=SEED) as emulator:
            assert emulator.stock("spring")["issued"] == 7


@pytest.fixture
def used(tmp_path: Path) -> Path:
    """A state file with a seed, a snapshot, five uploads of this minute and two coupons issued."""
    state = tmp_path / "state.db"
    with Emulator(state=state, seed_file=SEED, speed=0) as emulator, Session(emulator) as session:
        emulator.snapshot("start")
        for _ in range(5):
            session.upload(list_id="spring")
        emulator.issue_coupons("spring", 2)
    return state


OF_WORKSPACES: dict[str, Callable[[str], Holding]] = {
    "segments": lambda workspace: Segment("7", workspace, {"name": f"of {workspace}"}),
    "catalogs": lambda workspace: Catalog("7", workspace, {"name": f"of {workspace}"}),
    "lists": lambda workspace: ListState("7", workspace, seeded=len(workspace), issued=0),
}


@pytest.mark.parametrize("made", OF_WORKSPACES.values(), ids=OF_WORKSPACES)
def test_what_two_workspaces_call_alike_outlives_a_restart_in_both(
    tmp_path: Path, made: Callable[[str], Holding]
) -> None:
    settings = Settings.of({"workspaces": {"other": {"api_key": "k2"}}})
    expected = [made(""), made("other")]
    for number in range(2):
        service = Service(settings, tmp_path / "state.db")
        world = service.state.world
        if number == 0:
            for holding in expected:
                world.add(holding)
            world.save(*expected)
        assert sorted(world.holdings(), key=lambda one: one.workspace) == expected
        service.close()


def test_a_callback_that_was_made_before_a_restart_is_not_made_again(tmp_path: Path) -> None:
    fields = {"file_url": "https://a.example/a.csv", "callback_url": "https://a.example/done"}
    service = Service(Settings.of({"processing_time": 0}), tmp_path / "state.db")
    service.script(outcome="failure")
    service.state.coupons.upload("", "spring", fields)
    assert len(called_back(service)) == 1
    service.state.coupons.upload("", "spring", fields)
    service.close()
    again = Service(Settings.of({"processing_time": 0}), tmp_path / "state.db")
    assert len(called_back(again)) == 1
    again.close()


class Away(NamedTuple):
    """
    How an emulator is away between two starts.

    :ivar seconds: this machine's.
    :ivar speed: of its clock before; after that, it is 1.
    :ivar passed: seconds of its clock.
    """

    seconds: float
    speed: float
    passed: float


AWAY = {
    "a while": Away(10, 1, 10),
    "no time": Away(0, 1, 0),
    "with a fast clock": Away(10, 60, 600),
    "with a clock that stands": Away(10, 0, 0),
    "while this machine's clock is set back": Away(-3600, 1, 0),
}


SPEEDS_GIVEN: dict[str, Callable[[Emulator, float], Any]] = {
    "configured": lambda emulator, speed: emulator.configure(speed=speed),
    "by the clock": lambda emulator, speed: setattr(emulator.clock, "speed", speed),
}


@pytest.mark.parametrize("row", AWAY.values(), ids=AWAY)
@pytest.mark.parametrize("way", ["at the start", *SPEEDS_GIVEN])
def test_the_clock_runs_on_between_two_starts_and_never_goes_back(
    tmp_path: Path, mocker: Any, row: Away, way: str
) -> None:
    machine = mocker.patch("wes_provider.emulator.service.time")
    machine.time.return_value = 1_700_000_000.0
    mocker.patch("wes_provider.emulator.world.time").monotonic.return_value = 0.0
    settings = {}
    if way == "at the start":
        settings["speed"] = row.speed
    with Emulator(state=tmp_path / "state.db", **settings) as emulator:
        if way in SPEEDS_GIVEN:
            SPEEDS_GIVEN[way](emulator, row.speed)
        before = emulator.clock.now()
    machine.time.return_value += row.seconds
    with Emulator(state=tmp_path / "state.db") as again:
        assert (again.clock.now() - before, again.clock.speed) == (row.passed, 1)


def test_the_state_file_takes_precedence_over_a_seed(used: Path) -> None:
    with Emulator(state=used, seed_file={"version": 1}, speed=0) as emulator:
        assert len(emulator.files("spring")) == 7
        assert emulator.stock("spring")["issued"] == 9


def test_used_limits_outlive_a_restart(used: Path) -> None:
    with Emulator(state=used, speed=0) as emulator, Session(emulator) as session:
        body = {"file_url": "http://a.example/"}
        assert session.post("/v1/coupon-list/spring/files", json=body).status_code == 429


def test_snapshots_outlive_a_restart(used: Path) -> None:
    with Emulator(state=used, speed=0) as emulator:
        assert emulator.snapshots == ["start"]
        emulator.restore("start")
        assert len(emulator.files("spring")) == 2


def test_a_restored_snapshot_outlives_a_restart(used: Path) -> None:
    with Emulator(state=used, speed=0) as emulator:
        emulator.restore("start")
    with Emulator(state=used) as emulator:
        assert len(emulator.files("spring")) == 2


# -- stock -----------------------------------------------------------------------------------------


HUNDRED = b"\n".join(b"%d" % i for i in range(100))
NOTHING = {"coupons": 0, "issued": 0, "stock": 0}


@pytest.fixture
def stocked(wes_emulator: Emulator, session: Session) -> Emulator:
    """An emulator whose list ``spring`` has a hundred coupons of a processed file."""
    file = session.upload(wes_emulator.host("c.csv", HUNDRED), "spring")
    wes_emulator.clock.advance(10)
    session.fetch(file)
    return wes_emulator


def test_a_file_is_no_stock_before_it_is_processed(
    wes_emulator: Emulator, session: Session
) -> None:
    session.upload(wes_emulator.host("c.csv", HUNDRED), "spring")
    assert wes_emulator.stock("spring") == NOTHING


def test_a_list_that_is_not_there_has_no_stock(wes_emulator: Emulator) -> None:
    assert wes_emulator.stock("none") == NOTHING


def test_coupons_that_are_issued_leave_the_stock(stocked: Emulator) -> None:
    issued = {"coupons": 100, "issued": 30, "stock": 70}
    assert stocked.issue_coupons("spring", 30) == issued


def test_if_more_coupons_are_asked_for_than_there_are_all_of_them_are_issued(
    stocked: Emulator,
) -> None:
    issued = {"coupons": 100, "issued": 100, "stock": 0}
    assert stocked.issue_coupons("spring", 1000) == issued


class NotIssued(NamedTuple):
    """Coupons that cannot be issued, and what the error says."""

    list_id: str
    number: int
    message: str


NOT_ISSUED = {
    "no list": NotIssued("none", 1, "there is no coupon list 'none'"),
    "a negative number": NotIssued("spring", -1, "number: "),
}


@pytest.mark.parametrize("row", NOT_ISSUED.values(), ids=NOT_ISSUED)
def test_what_cannot_be_issued_is_refused(stocked: Emulator, row: NotIssued) -> None:
    with pytest.raises(ValueError, match=row.message):
        stocked.issue_coupons(row.list_id, row.number)
