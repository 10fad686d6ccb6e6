"""The trigger that watches a list, against the emulator."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from support.airflow_site import AIRFLOW_VERSION
from wes_provider.client.polls import PollClient
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesConfigurationError
from wes_provider.hooks import WesHook
from wes_provider.triggers import WesCouponListTrigger

SOON = 0.05  # seconds between readings


class Watch:
    """The events of a trigger as they come."""

    def __init__(self, trigger: WesCouponListTrigger) -> None:
        self.trigger = trigger
        self.events: list[dict[str, Any]] = []

    async def follow(self) -> None:
        async for event in self.trigger.run():
            self.events.append(event.payload)

    async def has(self, count: int) -> None:
        await until(lambda: len(self.events) >= count)

    @property
    def ids(self) -> list[str]:
        return [event["id"] for event in self.events]


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
def _no_session_is_left() -> Iterator[None]:
    yield
    assert PollClient._all == {}


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


def test_each_file_that_ends_is_an_event_but_not_those_of_before(
    upload: Callable[..., str], wes_emulator: Emulator
):
    upload()
    pending = upload(outcome="never")

    async def run() -> None:
        async with watching(wes_emulator) as watch:
            failed = upload(outcome="failure", error="Wrong columns")
            await watch.has(1)
            done = upload()
            await watch.has(2)
            wes_emulator.script(list_id="l", processing_time=0.0)
            await watch.has(3)
            await readings(wes_emulator, 3)
            assert watch.ids == [failed, done, pending]
            assert [event["outcome"] for event in watch.events] == [
                "failed", "processed", "processed",
            ]  # fmt: skip
            assert watch.events[0]["reason"] == "Wrong columns"
            assert watch.events[1]["coupons_duplicate"] == 1
            assert json.loads(json.dumps(watch.events)) == watch.events

    asyncio.run(run())


def test_statuses_of_the_trigger_and_of_the_connection_count(
    upload: Callable[..., str], wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch
):
    extra = {"coupon_file_statuses": {"success": ["LOADED"]}}
    for name, value in wes_emulator.connection_env(extra=extra).items():
        monkeypatch.setenv(name, value)

    async def run() -> None:
        async with watching(wes_emulator, coupon_file_statuses={"failure": ["SPOILT"]}) as watch:
            upload(outcome="LOADED")
            await watch.has(1)
            upload(outcome="SPOILT")
            await watch.has(2)
            assert [event["outcome"] for event in watch.events] == ["processed", "failed"]

    asyncio.run(run())


TROUBLES = {
    "away": [faults.reset()] * 3,
    "failing": [faults.error(503)] * 3,
    "refused key": [faults.error(401)] * 3,
    "no access": [faults.error(403)] * 3,
    "gone": [faults.error(404)] * 3,
    "no JSON": [faults.garbage()] * 3,
    "several": [faults.error(500), faults.error(404), faults.error(401)],
}


@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
def test_a_list_that_cannot_be_read_is_logged_once_and_read_again(
    trouble: list[Any],
    upload: Callable[..., str],
    wes_emulator: Emulator,
    logged: Callable[[], str],
):
    async def run() -> None:
        async with watching(wes_emulator) as watch:
            logged()
            for fault in trouble:
                wes_emulator.fail("list_coupon_files", fault)
            file_id = upload()
            await watch.has(1)
            await readings(wes_emulator, 1)
            assert watch.ids == [file_id]

    asyncio.run(run())
    lines = logged()
    assert lines.count("The list cannot be read, trying again (list l)") == len(
        set(map(str, trouble))
    )
    assert lines.count("The list can be read as a whole again (list l)") == 1


def test_a_limit_is_waited_out(upload: Callable[..., str], wes_emulator: Emulator, mocker: Any):
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
    assert 25 < max(pauses) < 40


def test_an_incomplete_list_is_logged_once_and_what_it_shows_counts(
    upload: Callable[..., str], wes_emulator: Emulator, logged: Callable[[], str]
):
    before = [upload() for _ in range(3)]

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
            assert not set(before) & set(watch.ids)

    asyncio.run(run())
    assert logged().count("The files that are shown count") == 1


def test_a_rotated_key_is_read_again(
    upload: Callable[..., str],
    wes_emulator: Emulator,
    monkeypatch: pytest.MonkeyPatch,
    mocker: Any,
):
    mocker.patch("wes_provider.client.polls.READ_AGAIN_AFTER", 0.0)

    async def run() -> None:
        async with watching(wes_emulator) as watch:
            wes_emulator.configure(api_key="rotated")
            await readings(wes_emulator, 2)
            for name, value in wes_emulator.connection_env().items():
                monkeypatch.setenv(name, value)
            file_id = upload()
            await watch.has(1)
            assert watch.ids == [file_id]

    asyncio.run(run())


def test_a_connection_that_is_away_ends_nothing(
    upload: Callable[..., str],
    wes_emulator: Emulator,
    monkeypatch: pytest.MonkeyPatch,
    logged: Callable[[], str],
):
    (name,) = [name for name in wes_emulator.connection_env() if name.startswith("AIRFLOW_CONN")]
    value = wes_emulator.connection_env()[name]
    file_id = upload()

    async def run() -> None:
        monkeypatch.delenv(name)
        watch = Watch(WesCouponListTrigger("l", poll_interval=SOON))
        task = asyncio.create_task(watch.follow())
        await asyncio.sleep(0.5)
        assert not task.done()
        monkeypatch.setenv(name, value)
        await readings(wes_emulator, 2)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert watch.ids == []  # it had ended before the first reading
        assert file_id

    mocked = pytest.MonkeyPatch()
    mocked.setattr("wes_provider.client.polls.READ_AGAIN_AFTER", 0.0)
    asyncio.run(run())
    mocked.undo()
    assert logged().count("The connection cannot be read") == 1


@pytest.mark.skipif(AIRFLOW_VERSION < (3, 3), reason="Airflow 3.3 is the first to share readings")
def test_watches_of_a_list_share_one_reading_and_record_when_airflow_has_stored_their_events(
    upload: Callable[..., str], wes_emulator: Emulator
):
    from airflow.triggers.shared_stream import SharedStreamManager

    class Store:
        values: dict[str, Any]

        def __init__(self) -> None:
            self.values = {}

        async def aget(self, key: str) -> Any:
            return self.values.get(key)

        async def aset(self, key: str, value: Any) -> None:
            self.values[key] = value

    async def run() -> None:
        manager = SharedStreamManager()
        triggers = [WesCouponListTrigger("l", poll_interval=SOON) for _ in range(3)]
        stores = [Store() for _ in triggers]
        events: list[tuple[int, int | None]] = []

        async def follow(number: int) -> None:
            trigger = triggers[number]
            trigger.asset_state_store = stores[number]  # type: ignore[assignment]
            key = trigger.shared_stream_key()
            stream = manager.subscribe(trigger_id=number, trigger=trigger, key=key)
            async for _ in trigger.filter_shared_stream(stream):
                events.append((number, manager.bind_pending_event(trigger_id=number, key=key)))

        tasks = [asyncio.create_task(follow(number)) for number in range(3)]
        await readings(wes_emulator, 2)
        assert [list(store.values.values()) for store in stores] == [[""]] * 3
        upload()
        await until(lambda: len(events) == 3)
        await readings(wes_emulator, 3)
        # Airflow has the events, and has stored none of them yet.
        assert [list(store.values.values()) for store in stores] == [[""]] * 3
        manager.confirm_persisted([seq for _, seq in events if seq is not None])
        await readings(wes_emulator, 2)
        assert [[len(value) for value in store.values.values()] for store in stores] == [[8]] * 3
        before = read_so_far(wes_emulator)
        await asyncio.sleep(10 * SOON)
        assert read_so_far(wes_emulator) - before <= 11  # not three times as many
        for number, task in enumerate(tasks):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await manager.unsubscribe(number, triggers[number].shared_stream_key())

    asyncio.run(run())


WRONG: dict[str, dict[str, Any]] = {
    "no list": {"coupon_list_id": ""},
    "a template": {"coupon_list_id": "{{ params.list }}"},
    "no connection": {"wes_conn_id": ""},
    "no interval": {"poll_interval": 0},
    "an interval of text": {"poll_interval": "60"},
    "statuses of another kind": {"coupon_file_statuses": {"done": ["DONE"]}},
    "a status in two lists": {"coupon_file_statuses": {"success": ["X"], "failure": ["x"]}},
}


@pytest.mark.parametrize("arguments", WRONG.values(), ids=WRONG)
def test_wrong_arguments_are_refused_when_the_dag_is_parsed(arguments: dict[str, Any]):
    with pytest.raises(WesConfigurationError):
        WesCouponListTrigger(**{"coupon_list_id": "l", **arguments})


def test_what_airflow_stores_makes_the_same_trigger():
    trigger = WesCouponListTrigger("l", "conn", 5, {"success": ["LOADED"]})
    path, arguments = trigger.serialize()
    assert path == "wes_provider.triggers.WesCouponListTrigger"
    assert WesCouponListTrigger(**json.loads(json.dumps(arguments))).serialize() == (
        path,
        arguments,
    )
