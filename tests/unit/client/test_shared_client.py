"""One client for all waits of a connection on an event loop: made once, closed after the last, whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

import pytest

from support.wes_driver import read
from wes_provider.client import concurrent_reads, shared_client
from wes_provider.client.async_client import AsyncWesClient
from wes_provider.client.settings import WesSettings
from wes_provider.client.shared_client import SharedClient
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesConfigurationError


class Connection:
    """Where settings are read from: slowly, counting, and failing when told to."""

    def __init__(self, settings: WesSettings) -> None:
        self.settings = settings
        self.error: Exception | None = None
        self.seconds = 0.01
        self.reads = 0

    async def read(self) -> WesSettings:
        self.reads += 1
        await asyncio.sleep(self.seconds)
        if self.error is not None:
            raise self.error
        return self.settings


@pytest.fixture
def connection(wes_emulator: Emulator) -> Connection:
    return Connection(read(wes_emulator.connection()))


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    yield
    assert SharedClient._all == {}


async def wait_with(connection: Connection, work: Callable[[AsyncWesClient], Awaitable[object]]) -> object:
    shared = SharedClient.join("wes_default", connection.read)
    try:
        return await work(await shared.get())
    finally:
        await shared.leave()


async def list_files(client: AsyncWesClient) -> object:
    return await client.run_once(client.operations.list_coupon_files("l"))


async def nothing(client: AsyncWesClient) -> object:
    return client


async def forever(client: AsyncWesClient) -> object:
    return await asyncio.get_running_loop().create_future()


def test_waits_at_the_same_time_share_one_client_and_one_look_at_the_connection(connection):
    async def main():
        return await asyncio.gather(*(wait_with(connection, nothing) for _ in range(50)))

    assert len(set(asyncio.run(main()))) == 1
    assert connection.reads == 1


def test_the_last_wait_closes_the_client_and_the_next_one_sees_a_changed_connection(connection):
    async def main():
        first = await wait_with(connection, nothing)
        second = await wait_with(connection, nothing)
        with pytest.raises(RuntimeError, match="outside of its context"):
            await list_files(first)
        return first, second

    first, second = asyncio.run(main())
    assert first is not second
    assert connection.reads == 2


def test_event_loops_have_clients_of_their_own(connection):
    first, second = (asyncio.run(wait_with(connection, list_files)) for _ in range(2))
    assert first == second == []
    assert connection.reads == 2


def test_a_loop_that_was_closed_before_its_waits_ended_is_forgotten(connection):
    async def join_and_never_leave() -> None:
        SharedClient.join("wes_default", connection.read)

    asyncio.run(join_and_never_leave())
    assert len(SharedClient._all) == 1
    assert asyncio.run(wait_with(connection, list_files)) == []


def test_the_first_wait_may_be_cancelled_while_the_others_wait_for_what_it_began(connection):
    async def main():
        first = asyncio.create_task(wait_with(connection, list_files))
        others = [asyncio.create_task(wait_with(connection, list_files)) for _ in range(3)]
        await asyncio.sleep(0)
        first.cancel()
        results = await asyncio.gather(first, *others, return_exceptions=True)
        assert isinstance(results[0], asyncio.CancelledError)
        return results[1:]

    assert asyncio.run(main()) == [[], [], []]
    assert connection.reads == 1


def test_nothing_goes_on_after_all_were_cancelled(connection):
    async def main():
        waits = [asyncio.create_task(wait_with(connection, list_files)) for _ in range(3)]
        await asyncio.sleep(0)
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())


def test_a_connection_that_cannot_be_read_is_an_error_for_all_and_is_read_again_later(connection, monkeypatch):
    monkeypatch.setattr(shared_client, "READ_AGAIN_SOONEST", 0.1)

    async def main():
        shared = SharedClient.join("wes_default", connection.read)
        try:
            connection.error = WesConfigurationError("no login")
            errors = await asyncio.gather(*(shared.get() for _ in range(3)), return_exceptions=True)
            assert errors == [connection.error] * 3
            assert connection.reads == 1
            with pytest.raises(WesConfigurationError):
                await shared.get()
            assert connection.reads == 1  # not more often than once in READ_AGAIN_SOONEST seconds
            connection.error = None
            await asyncio.sleep(0.1)
            assert await list_files(await shared.get()) == []
        finally:
            await shared.leave()

    asyncio.run(main())


# -- the connection is read again


def test_the_connection_is_read_again_after_minutes_and_a_change_makes_another_client(connection, monkeypatch):
    async def main():
        shared = SharedClient.join("wes_default", connection.read)
        try:
            first = await shared.get()
            assert await shared.get() is first
            monkeypatch.setattr(shared_client, "READ_AGAIN_AFTER", 0.0)
            assert await shared.get() is first
            await asyncio.sleep(0.1)
            assert connection.reads == 2
            assert shared.client is first  # nothing has changed
            connection.settings = replace(connection.settings, api_key="another", data_api_key="another")
            assert await shared.get() is first  # while the connection is being read
            await asyncio.sleep(0.1)
            second = await shared.get()
            assert second is not first
            assert second.settings.api_key == "another"
        finally:
            await shared.leave()

    asyncio.run(main())


def test_a_connection_that_cannot_be_read_again_changes_nothing(connection, monkeypatch):
    monkeypatch.setattr(shared_client, "READ_AGAIN_AFTER", 0.0)

    async def main():
        shared = SharedClient.join("wes_default", connection.read)
        try:
            first = await shared.get()
            connection.error = ConnectionError("the backend is away")
            for _ in range(3):
                assert await shared.get() is first
                await asyncio.sleep(0.05)
            assert connection.reads >= 3
            assert await list_files(first) == []
        finally:
            await shared.leave()

    asyncio.run(main())


def test_a_reading_that_hangs_is_given_up_and_the_connection_is_read_again(connection, monkeypatch):
    monkeypatch.setattr(shared_client, "LONGEST_READING", 0.2)
    monkeypatch.setattr(shared_client, "READ_AGAIN_SOONEST", 0.0)

    async def main():
        shared = SharedClient.join("wes_default", connection.read)
        try:
            first = await shared.get()
            connection.seconds = 3600.0
            assert await shared.get_another(first, within=0.1) is first
            assert await shared.get_another(first) is first
            assert connection.reads == 2  # both waited for the same one
            connection.seconds = 0.0
            connection.settings = replace(connection.settings, api_key="another")
            assert await shared.get_another(first) is not first
        finally:
            await shared.leave()

    asyncio.run(main())


def test_a_refused_key_has_the_connection_read_once_for_all_waits(connection, monkeypatch):
    monkeypatch.setattr(shared_client, "READ_AGAIN_SOONEST", 0.2)

    async def main():
        shared = SharedClient.join("wes_default", connection.read)
        try:
            first = await shared.get()
            await asyncio.sleep(0.2)
            assert {await shared.get_another(first) for _ in range(5)} == {first}
            assert connection.reads == 2
            connection.settings = replace(connection.settings, api_key="another")
            await asyncio.sleep(0.2)
            seconds = await asyncio.gather(*(shared.get_another(first) for _ in range(5)))
            assert connection.reads == 3
            assert len(set(seconds)) == 1
            assert seconds[0] is not first
            assert await shared.get_another(first) is seconds[0]
            assert connection.reads == 3
        finally:
            await shared.leave()

    asyncio.run(main())


def test_requests_of_the_old_client_run_to_their_end(connection, wes_emulator, monkeypatch):
    monkeypatch.setattr("wes_provider.client.async_client.CLOSE_AFTER", 0.1)
    monkeypatch.setattr(shared_client, "READ_AGAIN_SOONEST", 0.0)

    async def main():
        shared = SharedClient.join("wes_default", connection.read)
        try:
            first = await shared.get()
            wes_emulator.fail("list_coupon_files", faults.slow(0.5), times=1)
            request = asyncio.create_task(list_files(first))
            await asyncio.sleep(0.1)
            connection.settings = replace(connection.settings, read_timeout=30.0)
            assert await shared.get_another(first) is not first
            assert await request == []
            await asyncio.sleep(0.3)
            with pytest.raises(RuntimeError, match="outside of its context"):
                await list_files(first)
        finally:
            await shared.leave()

    asyncio.run(main())


def test_requests_share_few_connections(connection, wes_emulator, monkeypatch):
    monkeypatch.setattr(concurrent_reads, "GROW_AFTER", 600)  # however long a busy machine lets them queue

    async def main():
        async with AsyncWesClient(connection.settings) as client:
            for _ in range(20):
                await list_files(client)
            assert wes_emulator.counts["connections"] == 1
            await asyncio.gather(*(list_files(client) for _ in range(200)))

    asyncio.run(main())
    assert wes_emulator.counts["connections"] <= concurrent_reads.FEWEST


def test_slow_responses_get_more_connections_up_to_a_bound(connection, wes_emulator):
    wes_emulator.fail("list_coupon_files", faults.slow(0.4), times=None)

    async def main():
        async with AsyncWesClient(connection.settings) as client:
            await asyncio.gather(*(list_files(client) for _ in range(200)))

    asyncio.run(main())
    assert wes_emulator.counts["connections"] == concurrent_reads.MOST


def test_a_read_that_is_cancelled_while_it_queues_leaves_its_slot_to_others(connection, wes_emulator, monkeypatch):
    monkeypatch.setattr(concurrent_reads, "GROW_AFTER", 600)
    wes_emulator.fail("list_coupon_files", faults.slow(0.3), times=concurrent_reads.FEWEST)

    async def main():
        async with AsyncWesClient(connection.settings) as client:
            reads = [asyncio.create_task(list_files(client)) for _ in range(3 * concurrent_reads.FEWEST)]
            await asyncio.sleep(0.1)
            for read in reads[concurrent_reads.FEWEST : -1]:
                read.cancel()
            assert await reads[-1] == []

    asyncio.run(main())
