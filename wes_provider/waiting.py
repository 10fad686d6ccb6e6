"""
Waiting for coupon files: one coroutine, which the trigger awaits and a worker runs.

What follows from a poll is decided in :mod:`wes_provider.polling`; how the waits ended crosses from
the triggerer to the worker as an event.
"""

from __future__ import annotations

import asyncio
import logging
import random
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from wes_provider.exceptions import WesCouponFileFailedError, WesError, dump_error, load_error
from wes_provider.metrics import count, record_wait
from wes_provider.models import CouponFile
from wes_provider.polling import (
    FIX_THE_FILE,
    CouponFileWait,
    Done,
    Failed,
    Outcome,
    PollAgain,
    failure,
    pause,
)
from wes_provider.texts import shown

if sys.version_info >= (3, 11):
    from asyncio import timeout
else:
    from async_timeout import timeout  # type: ignore[import-not-found]  # which aiohttp brings

if TYPE_CHECKING:
    from wes_provider.client.polls import PollClient
    from wes_provider.settings import WesSettings

__all__ = ["dump_outcomes", "load_outcomes", "wait_for_files"]

log = logging.getLogger(__name__)

LAST_POLL: Final = 4.0  # seconds after its deadline that a wait may take for a poll that hangs


async def wait_for_files(
    conn_id: str,
    waits: Sequence[CouponFileWait],
    read_settings: Callable[[], Awaitable[WesSettings]],
    *,
    spread: bool = False,
) -> dict[str, Outcome]:
    """
    Poll files until each wait is over.

    :param conn_id: the connection; all its waits on an event loop share one session.
    :param waits: of one coupon list.
    :param read_settings: reads the connection.
    :param spread: begin with a pause, since thousands of waits may begin now.
    :return: how each wait ended, by the file's identifier.
    """
    # Here, since a worker that defers imports this module, too, and sends nothing.
    from wes_provider.client.polls import PollClient

    client = PollClient.join(conn_id, read_settings, len(waits))
    try:
        # As most triggers, of which there may be thousands: without a task of its own.
        if len(waits) == 1:
            outcomes = [await _wait_for(client, waits[0], spread=spread)]
        else:
            outcomes = await asyncio.gather(
                *(_wait_for(client, wait, spread=spread) for wait in waits)
            )
    finally:
        await client.leave(len(waits))
    return {wait.coupon_file_id: outcome for wait, outcome in zip(waits, outcomes, strict=True)}


async def _wait_for(client: PollClient, wait: CouponFileWait, *, spread: bool) -> Outcome:
    outcome: Outcome
    try:
        async with timeout(max(0.0, wait.deadline - time.time()) + LAST_POLL):
            outcome = await _poll_until_over(client, wait, spread=spread)
    except asyncio.TimeoutError:  # the service or the secrets backend hangs
        now = time.time()
        outcome = Failed(wait.timed_out(None, now), now - wait.started)
    record_wait(outcome)
    return outcome


async def _poll_until_over(client: PollClient, wait: CouponFileWait, *, spread: bool) -> Outcome:
    await client.refresh()
    now = time.time()
    if spread:
        longest = pause(max(0.0, now - wait.started), wait.poll_interval, client.users)
        await asyncio.sleep(min(random.random() * longest, max(0.0, wait.deadline - now)))  # noqa: S311
    while True:
        polled: CouponFile | WesError
        try:
            count("requests", "get_coupon_file")
            polled = await client.poll(wait.coupon_list_id, wait.coupon_file_id)
        except WesError as error:
            polled = error
        decision = wait.decide(polled, time.time(), client.users)
        if not isinstance(decision, PollAgain):
            return decision
        if decision.note:
            log.log(decision.note[0], "%s", decision.note[1])
        await asyncio.sleep(decision.seconds)


class _Ended(msgspec.Struct, omit_defaults=True):
    file: CouponFile | None = None  # with its status, whether it is processed or has failed
    error: dict[str, Any] | None = None  # of any other end
    failed: bool = False


class _Event(msgspec.Struct):
    files: dict[str, _Ended]
    version: int = 1


def dump_outcomes(outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    """
    How waits ended, by file identifier, as a trigger's event; :func:`load_outcomes` reads it back.
    """

    def dump(outcome: Outcome) -> _Ended:
        ended = _Ended()
        if isinstance(outcome, Done):
            ended.file = outcome.file
        elif isinstance(outcome.error, WesCouponFileFailedError):
            ended.file, ended.failed = CouponFile.from_summary(outcome.error.coupon_file), True
        else:
            ended.error = dump_error(outcome.error)
        return ended

    event = _Event({file_id: dump(outcome) for file_id, outcome in outcomes.items()})
    return dict(msgspec.to_builtins(event))


def load_outcomes(event: Any, advice: str = FIX_THE_FILE) -> dict[str, Outcome]:
    """
    How waits ended, by file identifier. Unknown keys, of an event of another version, are ignored.

    :param advice: what to do about a file that has failed.
    :raises WesError: if the event is missing or is not of this kind.
    """
    try:
        files = msgspec.convert(event, _Event).files
    except msgspec.ValidationError:
        raise WesError(f"The trigger's event cannot be read: {shown(event)}") from None
    outcomes: dict[str, Outcome] = {}
    for file_id, entry in files.items():
        if entry.file is not None and not entry.failed:
            outcomes[file_id] = Done(entry.file)
        else:
            outcomes[file_id] = Failed(
                failure(entry.file, advice) if entry.file else load_error(entry.error or {})
            )
    return outcomes
