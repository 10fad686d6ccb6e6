"""
What a watch remembers in the state store of its asset: which files it has seen, in their order,
eight bytes each, in values that are short enough for Airflow not to warn of. Each list of each
connection has a record of its own, which a watch reads once; one that never read its list remembers
nothing.

Of a file that ends, only its chunk of 5,000 files is written. If the first writing is cut off,
there is no record; a later one that is cut off lacks new files only, and the next writing completes
it.

A store that cannot be read or written is logged once, with the kind of its error and not its text,
and is tried again each time. If Airflow cannot tell which of several assets is meant, it is logged
once, and the store is never used. Without a store, as before Airflow 3.3, nothing is done or
logged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from wes_provider.watches.decision import fingerprint
from wes_provider.watches.record import WatchRecord


class Store:
    """
    As Airflow's: JSON by key, and ``None`` for what is not there.

    :ivar error: what each call raises.
    :ivar writes_left: so many writings succeed; a later one raises an error.
    """

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
    """So many files that were seen; the first ones are always the same."""
    return dict.fromkeys(fingerprint(str(number)) for number in range(count))


def write(record: WatchRecord, seen: dict[str, None]) -> None:
    asyncio.run(record.write(seen))


def read(store: Any, conn_id: str = "wes_default", list_id: str = "l") -> dict[str, None] | None:
    """What a watch that starts now has seen, by its store."""
    record = WatchRecord(store, conn_id, list_id)
    assert asyncio.run(record.read())
    return record.seen


@pytest.mark.parametrize("count", [0, 1, 4_999, 5_000, 5_001, 12_345])  # 5,000 are a chunk
def test_what_was_written_is_read_in_its_order(count: int):
    store = Store()
    write(WatchRecord(store, "wes_default", "l"), marks(count))
    seen = read(store)
    assert seen is not None
    assert list(seen) == list(marks(count))


@pytest.fixture
def ten_thousand() -> list[str]:
    """The values of a store with ten thousand files."""
    store = Store()
    write(WatchRecord(store, "wes_default", "l"), marks(10_000))
    return list(store.values.values())


def test_a_file_takes_eight_bytes(ten_thousand: list[str]):
    assert sum(map(len, ten_thousand)) == 80_000


def test_no_value_is_so_long_that_airflow_warns_of_it(ten_thousand: list[str]):
    assert max(map(len, ten_thousand)) <= 65_535


def test_a_record_is_read_once():
    """What another watch writes later is not read."""
    store = Store()
    write(WatchRecord(store, "wes_default", "l"), marks(1))
    record = WatchRecord(store, "wes_default", "l")
    asyncio.run(record.read())
    write(WatchRecord(store, "wes_default", "l"), marks(2))
    asyncio.run(record.read())
    assert record.seen == marks(1)


def test_a_watch_that_never_read_its_list_remembers_nothing():
    assert read(Store()) is None


def test_another_list_of_the_connection_has_a_record_of_its_own():
    store = Store()
    write(WatchRecord(store, "wes_default", "l"), marks(1))
    assert read(store, list_id="m") is None


def test_a_list_of_the_same_name_of_another_connection_has_a_record_of_its_own():
    store = Store()
    write(WatchRecord(store, "wes_default", "l"), marks(1))
    assert read(store, conn_id="other") is None


@pytest.mark.parametrize("writes", range(3))
def test_a_first_record_that_is_cut_off_is_none(writes: int):
    """Of three writings that it takes. Else the files of the missing part would be new."""
    store = Store()
    store.writes_left = writes
    write(WatchRecord(store, "wes_default", "l"), marks(12_345))
    assert read(store) is None


class CutOff(NamedTuple):
    """
    A record of 4,000 files, which is replaced by one of 12,345 in three writings.

    :ivar writes: how many of them succeed.
    :ivar lacking: how many of the new files are not there then.
    """

    writes: int
    lacking: int


CUT_OFF = {
    "before all": CutOff(0, lacking=8_345),
    "after the last chunk": CutOff(1, lacking=8_345),
    "before the first chunk": CutOff(2, lacking=1_000),
}


def cut_off(row: CutOff) -> tuple[Store, WatchRecord]:
    store = Store()
    record = WatchRecord(store, "wes_default", "l")
    write(record, marks(4_000))
    store.writes_left = row.writes
    write(record, marks(12_345))
    store.writes_left = 1000
    return store, record


@pytest.mark.parametrize("row", CUT_OFF.values(), ids=CUT_OFF)
def test_a_later_record_that_is_cut_off_lacks_new_files_only(row: CutOff):
    store, _ = cut_off(row)
    seen = set(read(store) or {})
    assert set(marks(4_000)) <= seen <= set(marks(12_345))
    assert len(seen) == 12_345 - row.lacking


@pytest.mark.parametrize("row", CUT_OFF.values(), ids=CUT_OFF)
def test_the_next_writing_completes_a_record_that_was_cut_off(row: CutOff):
    store, record = cut_off(row)
    write(record, marks(12_345))
    assert read(store) == marks(12_345)


def test_a_file_that_ends_is_written_with_its_chunk_alone():
    """There are three chunks, and only one more writing succeeds."""
    store = Store()
    record = WatchRecord(store, "wes_default", "l")
    write(record, marks(12_345))
    store.writes_left = 1
    write(record, marks(12_346))
    assert read(store) == marks(12_346)


@pytest.fixture
def unreadable() -> WatchRecord:
    """The record of a store whose error has a secret."""
    store = Store()
    store.error = RuntimeError("the database said: secret")
    return WatchRecord(store, "wes_default", "l")


def test_reading_a_store_that_cannot_be_read_says_so_each_time(unreadable: WatchRecord):
    assert [asyncio.run(unreadable.read()) for _ in range(3)] == [False, False, False]


def test_a_store_that_cannot_be_read_three_times_is_logged_once(
    unreadable: WatchRecord, logged: Callable[[], str]
):
    for _ in range(3):
        asyncio.run(unreadable.read())
    assert logged().count("Could not read") == 1


def test_the_log_has_the_kind_of_a_stores_error_and_not_its_text(
    unreadable: WatchRecord, logged: Callable[[], str]
):
    """The text may be a secret."""
    asyncio.run(unreadable.read())
    lines = logged()
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


def test_a_store_that_cannot_be_written_twice_is_logged_once(logged: Callable[[], str]):
    store = Store()
    store.error = RuntimeError()
    record = WatchRecord(store, "wes_default", "l")
    write(record, marks(1))
    write(record, marks(2))
    assert logged().count("Could not write") == 1


def test_what_could_not_be_written_is_written_as_soon_as_it_can():
    """The second writing fails, and the third one has the same files."""
    store = Store()
    record = WatchRecord(store, "wes_default", "l")
    write(record, marks(1))
    store.error = RuntimeError()
    write(record, marks(2))
    store.error = None
    write(record, marks(2))
    assert read(store) == marks(2)


# Airflow's store cannot tell which of several assets is meant, and gives their names to nobody.


def read_for_two_assets() -> tuple[Store, WatchRecord]:
    """
    A record that was read when Airflow did not know which asset is meant, and its store, which has
    a file and knows it later.
    """
    store = Store()
    write(WatchRecord(store, "wes_default", "l"), marks(1))
    store.error = ValueError("Task has 2 concrete inlets and outlets")
    record = WatchRecord(store, "wes_default", "l")
    assert asyncio.run(record.read())
    store.error = None
    return store, record


def test_a_store_of_several_assets_is_not_read_later():
    _, record = read_for_two_assets()
    assert asyncio.run(record.read())
    assert record.seen is None


def test_a_store_of_several_assets_is_not_written_later():
    store, record = read_for_two_assets()
    write(record, marks(2))
    assert read(store) == marks(1)


def test_a_store_of_several_assets_is_logged_once(logged: Callable[[], str]):
    _, record = read_for_two_assets()
    asyncio.run(record.read())
    write(record, marks(2))
    assert logged().count("Two assets watch a coupon list") == 1


def test_without_a_store_reading_and_writing_do_nothing_and_log_nothing(
    logged: Callable[[], str],
):
    """As before Airflow 3.3."""
    record = WatchRecord(None, "wes_default", "l")
    write(record, marks(1))
    assert asyncio.run(record.read())
    assert record.seen is None
    assert logged() == ""
