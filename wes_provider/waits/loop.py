"""
Waiting for coupon files: one coroutine, which the trigger awaits and a worker runs.

What follows from each poll is decided in :mod:`wes_provider.waits.decision`.
"""

from __future__ import annotations

import asyncio
import logging
import random
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from wes_provider.exceptions import WesError
from wes_provider.metrics import count, record_wait
from wes_provider.models import CouponFile
from wes_provider.waits.decision import CouponFileWait, Failed, Outcome, PollAgain, pause

if sys.version_info >= (3, 11):
    from asyncio import timeout
else:
    from async_timeout import timeout  # type: ignore[import-not-found]

if TYPE_CHECKING:
    from wes_provider.client.polls import PollClient
    from wes_provider.settings import WesSettings

log = logging.getLogger(__name__)

LAST_POLL: Final = 4.0
"""
Seconds after its deadline that a wait may take for a poll that hangs, for each round of polls that
all waits of the connection take.
"""


async def wait_for_files(
    conn_id: str,
    waits: Sequence[CouponFileWait],
    read_settings: Callable[[], Awaitable[WesSettings]],
    *,
    spread: bool = False,
    secrets: Iterable[str] = (),
) -> dict[str, Outcome]:
    """
    Poll files until each wait is over.

    :param conn_id: the connection; all its waits on an event loop share one session.
    :param waits: of one coupon list.
    :param read_settings: reads the connection.
    :param spread: begin with a pause, since thousands of waits may begin now.
    :param secrets: passwords for fetching the files, which no outcome shows.
    :return: how each wait ended, by the file's identifier.
    """
    # Imported here, since a worker that defers imports this module, too, and sends nothing.
    from wes_provider.client.polls import PollClient

    client = PollClient.join(conn_id, read_settings, len(waits))
    client.secrets |= frozenset(secrets)
    try:
        if len(waits) == 1:
            # Most triggers have one wait, and there may be thousands: it needs no asyncio task.
            outcomes = [await _wait_for(client, waits[0], spread=spread)]
        else:
            coroutines = [_wait_for(client, wait, spread=spread) for wait in waits]
            outcomes = await asyncio.gather(*coroutines)
    finally:
        await client.leave(len(waits))
    return {wait.coupon_file_id: outcome for wait, outcome in zip(waits, outcomes, strict=True)}


async def _wait_for(client: PollClient, wait: CouponFileWait, *, spread: bool) -> Outcome:
    outcome: Outcome
    seconds_left = max(0.0, wait.deadline - time.time())
    try:
        async with timeout(seconds_left + LAST_POLL * client.rounds_of_polls):
            outcome = await _poll_until_over(client, wait, spread=spread)
    except asyncio.TimeoutError:
        # The service or the secrets backend hangs.
        now = time.time()
        outcome = Failed(wait.timed_out(None, now), now - wait.started)
    record_wait(outcome)
    return outcome


async def _poll_until_over(client: PollClient, wait: CouponFileWait, *, spread: bool) -> Outcome:
    await client.refresh()
    if spread:
        await _pause_by_chance(client, wait)
    while True:
        polled = await _poll_once(client, wait)
        step = wait.decide(polled, time.time(), client.users)
        if not isinstance(step, PollAgain):
            return step
        if step.note is not None:
            level, text = step.note
            log.log(level, "%s", text)
        await asyncio.sleep(step.seconds)


async def _pause_by_chance(client: PollClient, wait: CouponFileWait) -> None:
    now = time.time()
    longest = pause(max(0.0, now - wait.started), wait.poll_interval, client.users)
    seconds_left = max(0.0, wait.deadline - now)
    await asyncio.sleep(min(random.random() * longest, seconds_left))  # noqa: S311 - spreads load


async def _poll_once(client: PollClient, wait: CouponFileWait) -> CouponFile | WesError:
    count("requests", "get_coupon_file")
    try:
        return await client.poll(wait.coupon_list_id, wait.coupon_file_id)
    except WesError as error:
        return error
