"""Waiting in the triggerer, so that a wait does not occupy a worker slot."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any

import msgspec
from airflow.triggers.base import BaseTrigger, TriggerEvent

from wes_provider.polling import CouponFileWait, Statuses
from wes_provider.waiting import dump_outcomes, wait_for_files

__all__ = ["WesCouponFileTrigger", "WesResetTrigger"]

log = logging.getLogger(__name__)


# The same for nearly all of thousands of waits, and kept once.
_STATUSES: dict[Statuses, Statuses] = {}


class _Arguments(msgspec.Struct):
    """What Airflow stores of a wait, in clear; unknown keys, of a newer version, are ignored."""

    wes_conn_id: str
    coupon_list_id: str
    coupon_files: dict[str, float]
    deadline: float
    poll_interval: float
    statuses: Statuses
    was_read: bool = False
    version: int = 1


class WesCouponFileTrigger(BaseTrigger):
    """
    Waits until coupon files of one list are processed. Only observes: it changes nothing at the
    service.

    Fires once, when the last file is processed, has failed or has run out of time; see
    :func:`~wes_provider.waiting.load_outcomes` for its event. Its serialized form holds no secret.

    :param wes_conn_id: the connection, of type ``wes``.
    :param coupon_list_id: the list of the files.
    :param coupon_files: the files' identifiers, and when each was uploaded, epoch seconds.
    :param deadline: when to give up, epoch seconds; a restart of the triggerer does not move it.
    :param poll_interval: seconds between polls of a file at most.
    :param statuses: which status means what: ``pending``, ``success`` and ``failure``.
    :param was_read: the task has read a file with this connection, so a refused key is probably
        being rotated.
    """

    def __init__(self, **arguments: Any) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Airflow's
        self.arguments = given = msgspec.convert(arguments, _Arguments)
        given.statuses = _STATUSES.setdefault(given.statuses, given.statuses)

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """Airflow stores this, in clear."""
        return f"{type(self).__module__}.{type(self).__qualname__}", msgspec.to_builtins(
            self.arguments, order="deterministic"
        )

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Poll the files until each wait is over."""
        given = self.arguments
        waits = [
            CouponFileWait(
                given.coupon_list_id,
                file_id,
                started=started,
                deadline=given.deadline,
                poll_interval=given.poll_interval,
                statuses=given.statuses,
                was_read=given.was_read,
            )
            for file_id, started in given.coupon_files.items()
        ]
        read_settings = partial(_read_settings, given.wes_conn_id)
        outcomes = await wait_for_files(given.wes_conn_id, waits, read_settings, spread=True)
        yield TriggerEvent(dump_outcomes(outcomes))  # type: ignore[no-untyped-call]

    async def on_kill(self) -> None:
        """Airflow 3.3 calls this when the deferred task is marked or cleared."""
        files = ", ".join(self.arguments.coupon_files)
        log.info(
            "Stopped waiting; the service has no operation that cancels processing. "
            "Coupon files: %s",
            files,
        )


class WesResetTrigger(BaseTrigger):
    """
    Fires at a moment and passes on what the task had done until then. It sends no request and holds
    no secret.

    :param moment: epoch seconds.
    :param state: JSON, which becomes the event: unlike arguments of the deferral, it also arrives
        in ``dag.test()``.
    """

    def __init__(self, *, moment: float, state: Mapping[str, Any]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Airflow's
        self.moment = moment
        self.state = dict(state)

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """What Airflow stores, in clear."""
        return f"{type(self).__module__}.{type(self).__qualname__}", {
            "moment": self.moment,
            "state": self.state,
        }

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Sleep until the moment."""
        await asyncio.sleep(max(0.0, self.moment - time.time()))
        yield TriggerEvent({"state": self.state})  # type: ignore[no-untyped-call]


async def _read_settings(wes_conn_id: str) -> Any:
    """A connection's settings, read without blocking the event loop."""
    from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook
    from asgiref.sync import sync_to_async

    from wes_provider.hooks import read_settings

    try:
        # Ends if it is cancelled, while a thread would not.
        connection = await BaseHook.aget_connection(wes_conn_id)
    except (AttributeError, AirflowNotFoundException):  # Airflow 2; ``dags test`` of Airflow 3
        connection = await sync_to_async(BaseHook.get_connection)(wes_conn_id)
    return read_settings(connection)
