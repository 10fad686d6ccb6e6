"""One client for all waits of a connection on an event loop: made once, closed after the last, whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest

from support.wes_driver import read
from wes_provider.client.async_client import AsyncWesClient
from wes_provider.client.settings import WesSettings
from wes_provider.client.shared_client import SharedClient
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesConfigurationError, WesRateLimitError


class Connection:
    """Where settings are read from: slowly, counting, and failing when told to."""

    def __init__(self, settings: WesSettings) -> None:
        self.settings = settings
        self.error: Exception | None = None
        self.reads = 0

    async def read(self) -> WesSettings:
        self.reads += 1
        await asyncio.sleep(0.01)
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


def test_a_connection_that_cannot_be_read_tells_all_and_is_read_anew_for_who_asks_later(connection):
    async def main():
        shared = SharedClient.join("wes_default", connection.read)
        try:
            connection.error = WesConfigurationError("no login")
            errors = await asyncio.gather(*(shared.get() for _ in range(3)), return_exceptions=True)
            assert errors == [connection.error] * 3
            assert connection.reads == 1
            connection.error = None
            assert await list_files(await shared.get()) == []
        finally:
            await shared.leave()

    asyncio.run(main())


def test_requests_that_are_answered_quickly_share_few_connections(connection, wes_emulator):
    async def main():
        async with AsyncWesClient(connection.settings) as client:
            for _ in range(20):
                await list_files(client)
            assert wes_emulator.counts["connections"] == 1
            await asyncio.gather(*(list_files(client) for _ in range(40)))

    asyncio.run(main())
    assert wes_emulator.counts["connections"] <= 4


def test_slow_answers_get_more_connections(connection, wes_emulator):
    async def main():
        wes_emulator.fail("list_coupon_files", faults.slow(2.0), times=8)
        async with AsyncWesClient(connection.settings) as client:
            await asyncio.gather(*(list_files(client) for _ in range(8)))

    asyncio.run(main())
    assert wes_emulator.counts["connections"] > 4


def test_a_request_that_is_cancelled_in_the_queue_leaves_its_place_to_others(connection, wes_emulator):
    async def main():
        wes_emulator.fail("list_coupon_files", faults.slow(0.3), times=4)
        async with AsyncWesClient(connection.settings) as client:
            tasks = [asyncio.create_task(list_files(client)) for _ in range(8)]
            await asyncio.sleep(0.1)
            for task in tasks[4:7]:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            assert [result for result in results if result == []] == [[]] * 5
            assert await list_files(client) == []

    asyncio.run(main())


def test_a_refused_read_keeps_all_reads_back_until_the_reset(connection, wes_emulator):
    async def main():
        wes_emulator.fail("list_coupon_files", faults.rate_limited(reset_in=600), times=1)
        async with AsyncWesClient(connection.settings) as client:
            for _ in range(5):
                with pytest.raises(WesRateLimitError) as caught:
                    await list_files(client)
                assert caught.value.reset_at is not None

    asyncio.run(main())
    assert wes_emulator.counts["list_coupon_files"] == 1


def test_a_read_that_was_the_last_of_its_window_keeps_the_next_one_back(connection, wes_emulator):
    wes_emulator.configure(limits={"list_coupon_files": [[2, 3600]]}, rate_limit_headers="all")

    async def main():
        async with AsyncWesClient(connection.settings) as client:
            await list_files(client)
            await list_files(client)
            with pytest.raises(WesRateLimitError, match="takes no more reads before"):
                await list_files(client)

    asyncio.run(main())
    assert [request.status for request in wes_emulator.requests] == [200, 200]
