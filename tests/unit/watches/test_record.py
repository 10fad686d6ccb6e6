"""What a watch remembers in the state store of its asset."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from wes_provider.watches.decision import fingerprint
from wes_provider.watches.record import WatchRecord


class Store:
    """As Airflow's: JSON by key, and ``None`` for what is not there."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.error: Exception | None = None
        self.writes_left = 1000

    async def aget(self, key: str) -> Any:
        if self.error is not None:
            raise self.error
        return self.values.get(key)

    async def aset(self, key: str, value: Any) -> None:
        if self.error is not None or not self.writes_left:
            raise self.error or RuntimeError
        self.writes_left -= 1
        self.values[key] = value


def marks(count: int) -> dict[str, None]:
    return dict.fromkeys(fingerprint(str(number)) for number in range(count))


def write(record: WatchRecord, seen: dict[str, None]) -> None:
    asyncio.run(record.write(seen))


def read(store: Any, conn_id: str = "wes_default", list_id: str = "l") -> dict[str, None] | None:
    record = WatchRecord(store, conn_id, list_id)
    assert asyncio.run(record.read())
    return record.seen


@pytest.mark.parametrize("count", [0, 1, 4_999, 5_000, 5_001, 12_345])
def test_what_was_written_is_read_in_its_order(count: int):
    store = Store()
    write(WatchRecord(store, "wes_default", "l"), marks(count))
    seen = read(store)
    assert seen is not None
    assert list(seen) == list(marks(count))


def test_ten_thousand_files_take_eight_bytes_each_in_values_that_airflow_takes_without_a_warning():
    store = Store()
    write(WatchRecord(store, "wes_default", "l"), marks(10_000))
    assert sum(map(len, store.values.values())) == 80_000
    assert max(map(len, store.values.values())) < 65_535


def test_a_watch_that_never_read_its_list_remembers_nothing():
    assert read(Store()) is None


def test_each_list_and_each_connection_has_a_record_of_its_own():
    store = Store()
    write(WatchRecord(store, "wes_default", "l"), marks(1))
    assert read(store, list_id="m") is None
    assert read(store, conn_id="other") is None


@pytest.mark.parametrize("writes", range(3))
def test_a_first_record_that_is_cut_off_is_none(writes: int):
    """Or the files of the missing part would be new."""
    store = Store()
    store.writes_left = writes
    write(WatchRecord(store, "wes_default", "l"), marks(12_345))
    assert read(store) is None


@pytest.mark.parametrize("writes", range(3))
def test_a_later_record_that_is_cut_off_lacks_new_files_only(writes: int):
    store = Store()
    record = WatchRecord(store, "wes_default", "l")
    write(record, marks(4_000))
    store.writes_left = writes
    write(record, marks(12_345))
    seen = read(store)
    assert seen is not None
    assert set(marks(4_000)) <= set(seen) <= set(marks(12_345))
    store.writes_left = 1000
    write(record, marks(12_345))
    assert read(store) == marks(12_345)


def test_a_file_that_ends_is_written_with_its_chunk_alone():
    store = Store()
    record = WatchRecord(store, "wes_default", "l")
    write(record, marks(12_345))
    store.writes_left = 1
    write(record, marks(12_346))
    assert read(store) == marks(12_346)


def test_a_store_that_cannot_be_read_is_logged_once_by_the_kind_of_its_error(
    logged: Callable[[], str],
):
    """In three readings; the error's text, which may be a secret, is not logged."""
    store = Store()
    store.error = RuntimeError("the database said: secret")
    record = WatchRecord(store, "wes_default", "l")
    assert [asyncio.run(record.read()) for _ in range(3)] == [False, False, False]
    lines = logged()
    assert lines.count("Could not read") == 1
    assert "RuntimeError" in lines
    assert "secret" not in lines


def test_a_store_that_could_not_be_read_is_read_as_soon_as_it_can():
    store = Store()
    write(WatchRecord(store, "wes_default", "l"), marks(1))
    record = WatchRecord(store, "wes_default", "l")
    store.error = RuntimeError()
    asyncio.run(record.read())
    store.error = None
    assert asyncio.run(record.read())
    assert record.seen == marks(1)


def test_a_store_that_cannot_be_written_is_logged_once(logged: Callable[[], str]):
    """In two writings."""
    store = Store()
    store.error = RuntimeError()
    record = WatchRecord(store, "wes_default", "l")
    write(record, marks(1))
    write(record, marks(2))
    assert logged().count("Could not write") == 1


def test_what_could_not_be_written_is_written_as_soon_as_it_can():
    """The second writing fails, and the third one of the same files stores what it had."""
    store = Store()
    record = WatchRecord(store, "wes_default", "l")
    write(record, marks(1))
    store.error = RuntimeError()
    write(record, marks(2))
    store.error = None
    write(record, marks(2))
    assert read(store) == marks(2)


def test_a_store_of_several_assets_is_not_used_again(logged: Callable[[], str]):
    """
    Airflow's store cannot tell which one is meant, and gives the assets' names to nobody. It is not
    written or read later, even if it could be.
    """
    store = Store()
    store.error = ValueError("Task has 2 concrete inlets and outlets")
    record = WatchRecord(store, "wes_default", "l")
    assert asyncio.run(record.read())
    store.error = None
    write(record, marks(1))
    assert asyncio.run(record.read())
    assert store.values == {}
    assert record.seen is None
    assert logged().count("Two assets watch a coupon list") == 1


def test_without_a_store_nothing_is_written_and_reading_succeeds(logged: Callable[[], str]):
    record = WatchRecord(None, "wes_default", "l")
    write(record, marks(1))
    assert asyncio.run(record.read())
    assert record.seen is None
    assert logged() == ""
