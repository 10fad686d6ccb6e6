"""
The trigger that watches a list. Each file that ends after the first reading is reported, with the
outcome ``processed`` or ``failed``, counts and reason; also one that was pending then, and not one
that had ended. The files of one reading are one event, in the list's order; 501 files are two. A
set of statuses of the trigger replaces that of the connection.

Trouble with the list (a reset, 4xx, 5xx, no JSON) is logged once, until its kind changes, and its
end, too; readings go on, after a 429 not before it resets. A part of a list is logged once: a file
that it shows is reported, and one that it lacks is not reported later if it was seen. If the first
reading has a part, the first whole list reports only files that were pending before. After a
failure the connection is read again, so that a new key or address counts; without a connection the
watch goes on, and logs it once.

From Airflow 3.3 on, watches of a list by one connection and interval share each reading, and files
are recorded once Airflow has stored their event. Wrong arguments are refused when the DAG is
parsed. Airflow stores the trigger's arguments, which make the same trigger again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from support.airflow_site import AIRFLOW_VERSION
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesConfigurationError
from wes_provider.hooks import WesHook
from wes_provider.triggers import WesCouponListTrigger

if TYPE_CHECKING:
    import aiohttp
    from pytest_mock import MockerFixture

pytestmark = pytest.mark.long

SOON = 0.05  # seconds between readings


class Watch:
    """The payloads of a trigger's events as they come."""

    def __init__(self, trigger: WesCouponListTrigger) -> None:
        self.trigger = trigger
        self.events: list[dict[str, Any]] = []

    async def follow(self) -> None:
        async for event in self.trigger.run():
            self.events.append(event.payload)

    async def has(self, count: int) -> None:
        """Wait until as many files have been reported."""
        await until(lambda: len(self.files) >= count)

    @property
    def files(self) -> list[dict[str, Any]]:
        return [file for event in self.events for file in event["files"]]

    @property
    def ids(self) -> list[str]:
        return [file["id"] for file in self.files]


@asynccontextmanager
async def watching(emulator: Emulator, **arguments: Any) -> AsyncIterator[Watch]:
    """A watch that has read its list once."""
    given = {"coupon_list_id": "l", "poll_interval": SOON, **arguments}
    watch = Watch(WesCouponListTrigger(**given))
    task = asyncio.create_task(watch.follow())
    try:
        await readings(emulator, 2)
        yield watch
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def readings(emulator: Emulator, count: int) -> None:
    """Wait for as many readings to begin: all but the last one have been decided on."""
    last = read_so_far(emulator) + count
    await until(lambda: read_so_far(emulator) >= last)


def read_so_far(emulator: Emulator) -> int:
    return emulator.counts.get("list_coupon_files", 0)


async def until(reached: Callable[[], bool]) -> None:
    while not reached():  # noqa: ASYNC110 - the emulator has no event
        await asyncio.sleep(0.01)


@pytest.fixture(autouse=True)
def _no_session_is_left(sessions_of_polls: list[aiohttp.ClientSession]) -> Iterator[None]:
    yield
    assert [session.closed for session in sessions_of_polls] == [True] * len(sessions_of_polls)


@pytest.fixture
def read_the_connection_each_time(mocker: MockerFixture) -> None:
    """A watch reads the connection no more than once in five seconds, but here at each failure."""
    mocker.patch("wes_provider.client.polls.READ_AGAIN_AFTER", 0.0)


@pytest.fixture
def upload(wes_emulator: Emulator) -> Callable[..., str]:
    """Uploads a file of the list, as a colleague does in the console; its identifier."""
    url = wes_emulator.host("coupons.csv", b"CODE-1\n")
    wes_emulator.configure(limits=None)

    def upload(**script: Any) -> str:
        name = f"coupons-{len(wes_emulator.files('l'))}"
        wes_emulator.script(list_id="l", name=name, **(script or {"processing_time": 0.0}))
        return str(WesHook().upload_coupon_file("l", url, name=name)["_id"])

    return upload


def test_files_that_end_after_the_first_reading_are_reported_in_their_order(
    upload: Callable[..., str], wes_emulator: Emulator
):
    """Also one that was pending before the first reading, but not one that had ended before it."""
    upload()
    pending = upload(outcome="never")

    async def run() -> None:
        async with watching(wes_emulator) as watch:
            failed = upload(outcome="failure", processing_time=0.0)
            await watch.has(1)
            done = upload()
            await watch.has(2)
            # The one that was pending before the first reading ends now.
            wes_emulator.script(list_id="l", processing_time=0.0)
            await watch.has(3)
            await readings(wes_emulator, 3)
            assert watch.ids == [failed, done, pending]

    asyncio.run(run())


def test_files_that_end_within_one_reading_are_one_event_in_the_order_of_the_list(
    upload: Callable[..., str], wes_emulator: Emulator
):
    """All have ended when the list is read again."""

    async def run() -> None:
        async with watching(wes_emulator) as watch:
            wes_emulator.fail("list_coupon_files", faults.error(503), times=1000)
            ids = [
                upload(outcome="never"),
                upload(outcome="failure", processing_time=0.0),
                upload(),
            ]
            wes_emulator.script(list_id="l", name="coupons-0", processing_time=0.0)
            wes_emulator.clear_faults()
            await readings(wes_emulator, 3)
            assert [event["coupon_list_id"] for event in watch.events] == ["l"]
            assert watch.ids == ids

    asyncio.run(run())


def test_501_files_that_end_within_one_reading_are_events_of_two_readings(wes_emulator: Emulator):
    shown = [{"_id": f"f{number}", "status": "SUCCESS"} for number in range(501)]

    async def run() -> None:
        async with watching(wes_emulator) as watch:
            part = faults.error(206, body=json.dumps(shown).encode())
            wes_emulator.fail("list_coupon_files", part, times=None)
            await watch.has(501)
            await readings(wes_emulator, 2)
            assert [len(event["files"]) for event in watch.events] == [500, 1]
            assert watch.ids == [file["_id"] for file in shown]

    asyncio.run(run())


def test_the_event_of_a_failed_file_has_the_reason(
    upload: Callable[..., str], wes_emulator: Emulator
):
    async def run() -> None:
        async with watching(wes_emulator) as watch:
            upload(outcome="failure", error="Wrong columns", processing_time=0.0)
            await watch.has(1)
            assert watch.files[0]["outcome"] == "failed"
            assert watch.files[0]["reason"] == "Wrong columns"
            assert is_json(watch.events)

    asyncio.run(run())


def test_the_event_of_a_processed_file_has_its_counts(
    upload: Callable[..., str], wes_emulator: Emulator
):
    """Of two files with one and the same code, the second has a duplicate."""
    upload()

    async def run() -> None:
        async with watching(wes_emulator) as watch:
            upload()
            await watch.has(1)
            assert watch.files[0]["outcome"] == "processed"
            assert watch.files[0]["coupons_duplicate"] == 1
            assert is_json(watch.events)

    asyncio.run(run())


def is_json(events: list[dict[str, Any]]) -> bool:
    """Whether events are what Airflow reads back, which stores payloads as JSON."""
    return bool(json.loads(json.dumps(events)) == events)


class Meanings(NamedTuple):
    """
    The sets of statuses that connection and trigger have, and what they make of files.

    :ivar outcomes: of files that end with these statuses, one after the other; ``None`` for a file
        that is waited for.
    """

    name: str
    connection: Mapping[str, list[str]]
    trigger: Mapping[str, list[str]]
    outcomes: Mapping[str, str | None]


MEANINGS = [
    Meanings(
        "the connection has a success, and the trigger a failure",
        {"success": ["LOADED"]},
        {"failure": ["SPOILT"]},
        {"LOADED": "processed", "SPOILT": "failed"},
    ),
    Meanings(
        "the trigger calls a success of the connection a failure",
        {"success": ["LOADED", "ODD"]},
        {"failure": ["ODD"]},
        {"LOADED": "processed", "ODD": "failed"},
    ),
    Meanings(
        "both have a success",
        {"success": ["LOADED"]},
        {"success": ["BOOKED"]},
        {"LOADED": None, "BOOKED": "processed"},
    ),
]


@pytest.mark.parametrize("row", MEANINGS, ids=[row.name for row in MEANINGS])
def test_a_set_of_statuses_of_the_trigger_replaces_that_of_the_connection(
    row: Meanings,
    upload: Callable[..., str],
    wes_emulator: Emulator,
    monkeypatch: pytest.MonkeyPatch,
):
    extra = {"coupon_file_statuses": row.connection}
    for name, value in wes_emulator.connection_env(extra=extra).items():
        monkeypatch.setenv(name, value)
    ended = {status: outcome for status, outcome in row.outcomes.items() if outcome}

    async def run() -> None:
        async with watching(wes_emulator, coupon_file_statuses=row.trigger) as watch:
            for status in row.outcomes:
                upload(outcome=status, processing_time=0.0)
                await readings(wes_emulator, 2)
            assert {file["status"]: file["outcome"] for file in watch.files} == ended

    asyncio.run(run())


class Trouble(NamedTuple):
    """
    What readings of a list meet, one after the other.

    :ivar lines: how many log lines say that the list cannot be read: one for each change of kind.
    """

    name: str
    faults: tuple[faults.Fault, ...]
    lines: int


TROUBLES = [
    Trouble("three resets", (faults.reset(),) * 3, 1),
    Trouble("three times 503", (faults.error(503),) * 3, 1),
    Trouble("500 and 503, which are one kind", (faults.error(500), faults.error(503)), 1),
    Trouble("three times 401", (faults.error(401),) * 3, 1),
    Trouble("three times 403", (faults.error(403),) * 3, 1),
    Trouble("three times 404", (faults.error(404),) * 3, 1),
    Trouble("three times no JSON", (faults.garbage(),) * 3, 1),
    Trouble("500, 404 and 401", (faults.error(500), faults.error(404), faults.error(401)), 3),
    Trouble("404, 500 and 404 again", (faults.error(404), faults.error(500), faults.error(404)), 3),
]


@pytest.mark.parametrize("row", TROUBLES, ids=[row.name for row in TROUBLES])
def test_trouble_with_a_list_is_logged_once_until_its_kind_changes_and_ends_with_a_line(
    row: Trouble,
    upload: Callable[..., str],
    wes_emulator: Emulator,
    logged: Callable[[], str],
):
    """The list is read again meanwhile, so that a file that ends then is reported."""

    async def run() -> None:
        async with watching(wes_emulator) as watch:
            logged()
            for fault in row.faults:
                wes_emulator.fail("list_coupon_files", fault)
            file_id = upload()
            await watch.has(1)
            await readings(wes_emulator, 1)
            assert watch.ids == [file_id]

    asyncio.run(run())
    lines = logged()
    assert lines.count("The list cannot be read, trying again (list l)") == row.lines
    assert lines.count("The list can be read as a whole again (list l)") == 1


def test_a_429_with_a_reset_30_s_ahead_pauses_readings_for_30_s(
    upload: Callable[..., str], wes_emulator: Emulator, mocker: MockerFixture
):
    pauses = []

    async def run() -> None:
        async with watching(wes_emulator) as watch:
            sleep = asyncio.sleep

            async def note(seconds: float) -> None:
                pauses.append(seconds)
                await sleep(min(seconds, SOON))

            mocker.patch("wes_provider.watches.loop.asyncio.sleep", note)
            wes_emulator.fail("list_coupon_files", faults.rate_limited(reset_in=30))
            upload()
            while not watch.events:
                await sleep(0.01)

    asyncio.run(run())
    # 30 s, rounded up by the headers' whole seconds, and less what a busy machine has taken since.
    assert 25 < max(pauses) < 40


def test_a_file_that_an_incomplete_list_shows_is_reported(wes_emulator: Emulator):
    async def run() -> None:
        async with watching(wes_emulator) as watch:
            part = faults.error(206, body=b'[{"_id": "f1", "status": "SUCCESS"}]')
            wes_emulator.fail("list_coupon_files", part)
            await watch.has(1)
            assert watch.ids == ["f1"]

    asyncio.run(run())


def test_an_incomplete_list_is_logged_once_and_what_it_lacks_and_was_seen_is_not_reported_later(
    upload: Callable[..., str], wes_emulator: Emulator, logged: Callable[[], str]
):
    for _ in range(3):
        upload()

    async def run() -> None:
        async with watching(wes_emulator) as watch:
            # A status other than 200 says that the list is a part; this one is empty.
            part = faults.error(206, body=b"[]")
            wes_emulator.fail("list_coupon_files", part, times=3)
            await readings(wes_emulator, 4)
            assert watch.events == []
            file_id = upload()
            await watch.has(1)
            assert watch.ids == [file_id]

    asyncio.run(run())
    assert logged().count("The files that are shown count") == 1


def test_after_a_part_at_first_the_whole_list_reports_only_files_that_were_pending(
    upload: Callable[..., str], wes_emulator: Emulator
):
    upload()
    pending = upload(outcome="never")
    part = faults.error(206, body=json.dumps([{"_id": pending, "status": "PENDING"}]).encode())
    wes_emulator.fail("list_coupon_files", part, times=2)

    async def run() -> None:
        async with watching(wes_emulator) as watch:
            wes_emulator.script(list_id="l", processing_time=0.0)
            await watch.has(1)
            later = upload()
            await watch.has(2)
            assert watch.ids == [pending, later]

    asyncio.run(run())


def connect(emulator: Emulator, monkeypatch: pytest.MonkeyPatch, **fields: Any) -> None:
    """Have a connection to the emulator as it is now, but for some fields."""
    for name, value in emulator.connection_env(**fields).items():
        monkeypatch.setenv(name, value)


async def until_logged(text: str, logged: Callable[[], str]) -> None:
    said = ""
    while text not in said:
        await asyncio.sleep(0.01)
        said += logged()


@pytest.mark.usefixtures("read_the_connection_each_time")
def test_a_key_that_is_rotated_is_read_from_the_connection_when_that_has_it(
    upload: Callable[..., str],
    wes_emulator: Emulator,
    monkeypatch: pytest.MonkeyPatch,
    logged: Callable[[], str],
):
    async def run() -> None:
        async with watching(wes_emulator) as watch:
            wes_emulator.configure(api_key="rotated")
            await until_logged("401 request-unauthenticated", logged)
            connect(wes_emulator, monkeypatch)
            file_id = upload()
            await watch.has(1)
            assert watch.ids == [file_id]

    asyncio.run(run())


@pytest.mark.usefixtures("read_the_connection_each_time")
def test_an_address_that_is_corrected_is_read_from_the_connection(
    upload: Callable[..., str],
    wes_emulator: Emulator,
    monkeypatch: pytest.MonkeyPatch,
    logged: Callable[[], str],
):
    """After a failure the watch reads the connection, which leads to where nobody listens."""

    async def run() -> None:
        async with watching(wes_emulator) as watch:
            connect(wes_emulator, monkeypatch, host="http://127.0.0.1:9")
            wes_emulator.fail("list_coupon_files", faults.error(503))
            await until_logged("not reached at http://127.0.0.1:9", logged)
            connect(wes_emulator, monkeypatch)
            file_id = upload()
            await watch.has(1)
            assert watch.ids == [file_id]

    asyncio.run(run())


@pytest.mark.usefixtures("read_the_connection_each_time")
def test_a_watch_without_a_connection_goes_on_and_logs_it_once(
    upload: Callable[..., str],
    wes_emulator: Emulator,
    monkeypatch: pytest.MonkeyPatch,
    logged: Callable[[], str],
):
    """As soon as the connection is there, the list is read; what had ended before is left out."""
    (name,) = [name for name in wes_emulator.connection_env() if name.startswith("AIRFLOW_CONN")]
    value = wes_emulator.connection_env()[name]
    said: list[str] = []

    async def run() -> None:
        monkeypatch.delenv(name)
        watch = Watch(WesCouponListTrigger("l", poll_interval=SOON))
        task = asyncio.create_task(watch.follow())
        while "The connection cannot be read" not in "".join(said):
            await asyncio.sleep(0.01)
            said.append(logged())
        await asyncio.sleep(4 * SOON)  # it fails again, and says no more
        assert not task.done()
        monkeypatch.setenv(name, value)
        await readings(wes_emulator, 2)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert watch.ids == [], "the file had ended before the first reading"

    upload()
    asyncio.run(run())
    assert "".join([*said, logged()]).count("The connection cannot be read") == 1


@dataclass
class Shared:
    """
    Three watches of a list in one triggerer of Airflow 3.3 or later.

    :ivar stores: of the assets, one for each watch.
    :ivar events: the watch of each, and what Airflow confirms when it has stored it.
    """

    manager: Any
    stores: list[Store]
    events: list[tuple[int, int | None]] = field(default_factory=list)

    async def follow(self, number: int, trigger: WesCouponListTrigger) -> None:
        trigger.asset_state_store = self.stores[number]  # type: ignore[assignment]
        key = trigger.shared_stream_key()
        stream = self.manager.subscribe(trigger_id=number, trigger=trigger, key=key)
        async for _ in trigger.filter_shared_stream(stream):
            stored = self.manager.bind_pending_event(trigger_id=number, key=key)
            self.events.append((number, stored))

    def confirm_stored(self) -> None:
        self.manager.confirm_persisted([stored for _, stored in self.events if stored is not None])

    @property
    def recorded(self) -> list[list[str]]:
        """What is in each store."""
        return [list(store.values.values()) for store in self.stores]


class Store:
    """The state store of an asset."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    async def aget(self, key: str) -> Any:
        return self.values.get(key)

    async def aset(self, key: str, value: Any) -> None:
        self.values[key] = value


@asynccontextmanager
async def watching_three_times(emulator: Emulator) -> AsyncIterator[Shared]:
    """
    Watches that have read their list once, which differ in their statuses: of those with the same
    arguments, Airflow makes one.
    """
    from airflow.triggers.shared_stream import SharedStreamManager

    shared = Shared(SharedStreamManager(), [Store() for _ in range(3)])
    triggers = [
        WesCouponListTrigger(
            "l", poll_interval=SOON, coupon_file_statuses={"failure": ["FAILED", f"ODD-{number}"]}
        )
        for number in range(3)
    ]
    tasks = [
        asyncio.create_task(shared.follow(number, trigger))
        for number, trigger in enumerate(triggers)
    ]
    try:
        await readings(emulator, 2)
        yield shared
    finally:
        for number, (task, trigger) in enumerate(zip(tasks, triggers, strict=True)):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await shared.manager.unsubscribe(number, trigger.shared_stream_key())


SHARES_READINGS = pytest.mark.skipif(
    AIRFLOW_VERSION < (3, 3), reason="Airflow 3.3 is the first to share readings"
)


@SHARES_READINGS
def test_watches_of_a_list_share_each_reading(upload: Callable[..., str], wes_emulator: Emulator):
    async def run() -> None:
        async with watching_three_times(wes_emulator) as shared:
            upload()
            await until(lambda: len(shared.events) == 3)
            assert sorted(number for number, _ in shared.events) == [0, 1, 2]
            await until(lambda: readings_of(wes_emulator, "l") >= 10)
            alone = asyncio.create_task(
                Watch(WesCouponListTrigger("m", "wes_default", SOON)).follow()
            )
            before = readings_of(wes_emulator, "l")
            await until(lambda: readings_of(wes_emulator, "m") >= 10)
            alone.cancel()
            await asyncio.gather(alone, return_exceptions=True)
            # Beside one watch of another list, three that read by themselves would read 30 times.
            assert readings_of(wes_emulator, "l") - before < 20

    asyncio.run(run())


def readings_of(emulator: Emulator, list_id: str) -> int:
    """How often a list was read."""
    paths = [request.raw_path for request in emulator.requests_for("list_coupon_files")]
    return paths.count(f"/v1/coupon-list/{list_id}/files")


@SHARES_READINGS
def test_files_are_recorded_once_airflow_has_stored_their_event(
    upload: Callable[..., str], wes_emulator: Emulator
):
    nothing = [[""]] * 3

    async def run() -> None:
        async with watching_three_times(wes_emulator) as shared:
            assert shared.recorded == nothing
            wes_emulator.fail("list_coupon_files", faults.error(503), times=1000)
            upload()
            upload()
            wes_emulator.clear_faults()
            await until(lambda: len(shared.events) == 3)
            await readings(wes_emulator, 3)
            assert shared.recorded == nothing, "Airflow has the events, and has stored none yet"
            shared.confirm_stored()
            await readings(wes_emulator, 2)
            # Eight characters for each file.
            assert [[len(value) for value in store] for store in shared.recorded] == [[16]] * 3

    asyncio.run(run())


class Wrong(NamedTuple):
    """Arguments that cannot be used, and what the error says."""

    name: str
    arguments: Mapping[str, Any]
    says: str


WRONG = [
    Wrong("no list", {"coupon_list_id": ""}, "coupon_list_id is empty"),
    Wrong(
        "a template",
        {"coupon_list_id": "{{ params.list }}"},
        "coupon_list_id is .*, which is no identifier",
    ),
    Wrong("no connection", {"wes_conn_id": ""}, "wes_conn_id is empty"),
    Wrong("no interval", {"poll_interval": 0}, "poll_interval takes seconds above 0, not 0"),
    Wrong(
        "an interval as a string",
        {"poll_interval": "60"},
        "poll_interval takes seconds above 0, not '60'",
    ),
    Wrong(
        "statuses of another kind",
        {"coupon_file_statuses": {"done": ["DONE"]}},
        "coupon_file_statuses takes lists of statuses",
    ),
    Wrong(
        "a status in two lists",
        {"coupon_file_statuses": {"success": ["X"], "failure": ["x"]}},
        "coupon_file_statuses has X in two lists",
    ),
]


@pytest.mark.parametrize("row", WRONG, ids=[row.name for row in WRONG])
def test_wrong_arguments_are_refused_when_the_dag_is_parsed(row: Wrong):
    with pytest.raises(WesConfigurationError, match=row.says):
        WesCouponListTrigger(**{"coupon_list_id": "l", **row.arguments})


STORED = {
    "coupon_list_id": "l",
    "wes_conn_id": "conn",
    "poll_interval": 5,
    "coupon_file_statuses": {"success": ["LOADED"]},
}


def test_airflow_stores_the_arguments_of_the_trigger():
    trigger = WesCouponListTrigger("l", "conn", 5, {"success": ["LOADED"]})
    assert trigger.serialize() == ("wes_provider.triggers.WesCouponListTrigger", STORED)


def test_what_airflow_stores_makes_the_same_trigger():
    trigger = WesCouponListTrigger(**json.loads(json.dumps(STORED)))
    assert trigger.serialize() == ("wes_provider.triggers.WesCouponListTrigger", STORED)
