"""
Watching a coupon list: one coroutine that reads it for ever, and one that makes events of readings.

What follows from each reading is decided in :mod:`wes_provider.watches.decision`. Nothing ends a
watch but its cancellation.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from wes_provider.coupon_files import Statuses
from wes_provider.exceptions import WesError
from wes_provider.metrics import count
from wes_provider.texts import about
from wes_provider.watches.decision import decide, files_on_their_way, pause_after
from wes_provider.watches.record import WatchRecord

if TYPE_CHECKING:
    from wes_provider.client.polls import PollClient
    from wes_provider.client.responses import Listing
    from wes_provider.settings import WesSettings

log = logging.getLogger(__name__)


@dataclass
class Reading:
    """
    What one reading of a list has shown; all watches of the list share it.

    :ivar records: the files as the service shows them.
    :ivar statuses: which status means what, as the connection says.
    :ivar is_whole: whether nothing says that the list has more files.
    :ivar when_stored: what watches want to be done when Airflow has stored their events of the
        reading.
    """

    records: list[dict[str, Any]]
    statuses: Statuses
    is_whole: bool = True
    when_stored: list[Callable[[], Awaitable[None]]] = field(default_factory=list)


async def read_for_ever(
    wes_conn_id: str,
    coupon_list_id: str,
    poll_interval: float,
    read_settings: Callable[[], Awaitable[WesSettings]],
) -> AsyncIterator[Reading]:
    """
    Read a list again and again; yield each reading that succeeds.

    :param wes_conn_id: the connection; waits and watches of an event loop share its session.
    :param coupon_list_id: the list.
    :param poll_interval: seconds between readings.
    :param read_settings: reads the connection.
    """
    # Imported here, since parsing a DAG imports this module, too.
    from wes_provider.client.polls import PollClient

    client = PollClient.join(wes_conn_id, read_settings)
    problems = _Problems(coupon_list_id)
    failures = 0
    try:
        while True:
            if failures:
                # The connection may have been corrected.
                await client.refresh()
            result = await _read_once(client, coupon_list_id)
            problems.log_new(result)
            error = None
            if isinstance(result, WesError):
                error = result
                failures += 1
            else:
                failures = 0
                yield Reading(result.records, client.statuses, not result.incomplete)
            await asyncio.sleep(pause_after(failures, error, poll_interval, time.time()))
    finally:
        await client.leave()


async def _read_once(client: PollClient, coupon_list_id: str) -> Listing | WesError:
    count("requests", "list_coupon_files")
    try:
        return await client.read_list(coupon_list_id)
    except WesError as error:
        return error


class _Problems:
    """Logs what keeps a list from being read as a whole: once, until it changes."""

    def __init__(self, coupon_list_id: str) -> None:
        self._coupon_list_id = coupon_list_id
        self._last = ""

    def log_new(self, result: Listing | WesError) -> None:
        """Log the problem of a reading, or that there is none any more, if that is new."""
        kind = text = ""
        if isinstance(result, WesError):
            kind = type(result).__name__
            text = f"{self._about('The list cannot be read, trying again')}\n{result}"
        elif result.incomplete:
            kind = "incomplete"
            text = self._about(f"The files that are shown count, but {result.incomplete}")
        if kind == self._last:
            return
        self._last = kind
        if text:
            log.warning("%s", text)
        else:
            log.info("%s", self._about("The list can be read as a whole again"))

    def _about(self, cause: str) -> str:
        return about(cause, self._coupon_list_id)


async def watch(
    readings: AsyncIterator[Reading],
    record: WatchRecord,
    coupon_list_id: str,
    coupon_file_statuses: Mapping[str, Any] | None,
) -> AsyncIterator[dict[str, Any]]:
    """
    Yield one event for each reading that shows files that have ended since the one before.

    An event has all these files. One event for each file would not do: Airflow starts a run for
    the first of several events that it stores at once, and leaves the others to a later run.

    The record follows an event when Airflow has stored it: a triggerer that is killed between the
    two repeats the event, and misses none.

    :param readings: of the list.
    :param record: what the watch has seen, also in another process.
    :param coupon_list_id: the list.
    :param coupon_file_statuses: what replaces the connection's meaning of statuses.
    """
    # A list that the watch began with a part of: its other files may have ended before.
    began_with_part = False
    on_the_way: set[str] = set()
    async for reading in readings:
        if not await record.read():
            continue
        is_first = record.seen is None
        statuses = Statuses.of(coupon_file_statuses, reading.statuses)
        if is_first:
            began_with_part = not reading.is_whole
        only = None
        if began_with_part and reading.is_whole:
            only = on_the_way
            began_with_part = False
        ended = decide(reading.records, record.seen, statuses, coupon_list_id, only)
        if began_with_part:
            on_the_way |= files_on_their_way(reading.records, statuses)
        if ended.files:
            yield {"coupon_list_id": coupon_list_id, "files": ended.files}
        record.seen = ended.seen
        if is_first:
            log.info("%s", about(f"{len(ended.seen)} files had ended before", coupon_list_id))
            # There is no event to wait for, and whatever ends from now on is one.
            await record.write(ended.seen)
        else:
            reading.when_stored.append(partial(record.write, ended.seen))
