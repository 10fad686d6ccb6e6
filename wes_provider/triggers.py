"""Waiting and watching in the triggerer, which does not occupy a worker slot."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Hashable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from airflow.triggers.base import BaseTrigger, TriggerEvent

from wes_provider.arguments import check_seconds, identifier, text_of
from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.waits.decision import CouponFileWait
from wes_provider.waits.loop import wait_for_files
from wes_provider.waits.outcomes import dump_outcomes
from wes_provider.watches.loop import Reading, read_for_ever, watch
from wes_provider.watches.record import WatchRecord

try:
    from airflow.triggers.base import BaseEventTrigger
except ImportError:  # Airflow 2, which has no watchers
    BaseEventTrigger = BaseTrigger  # type: ignore[assignment,misc]

if TYPE_CHECKING:
    from wes_provider.watches.shared import SharedReadings

__all__ = ["WesCouponFileTrigger", "WesCouponListTrigger", "WesResetTrigger"]

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
    outlives_refused_key: bool = msgspec.field(default=False, name="was_read")
    count_names: CountNames | None = None
    version: int = 1


class WesCouponFileTrigger(BaseTrigger):
    """
    Wait until coupon files of one list are processed. It only observes: it changes nothing at the
    service.

    It fires once, when the last file is processed, has failed or has run out of time;
    :func:`~wes_provider.waits.outcomes.load_outcomes` reads its event. Its serialized form has no
    secret.

    :param wes_conn_id: the connection, of type ``wes``.
    :param coupon_list_id: the list of the files.
    :param coupon_files: the files' identifiers, and when each was uploaded, epoch seconds.
    :param deadline: when to give up, epoch seconds; a restart of the triggerer does not move it.
    :param poll_interval: the longest pause between two status checks, in seconds.
    :param statuses: which status means what: ``pending``, ``success`` and ``failure``.
    :param was_read: whether a refused key ends the wait only after five minutes, since it is
        probably being rotated: the wait or its task has used it before.
    :param count_names: what the connection calls the counts of a file; passed on in the event.
    """

    def __init__(self, **arguments: Any) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.arguments = msgspec.convert(arguments, _Arguments)
        statuses = self.arguments.statuses
        self.arguments.statuses = _STATUSES.setdefault(statuses, statuses)

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """Return what Airflow stores, in clear."""
        stored = msgspec.to_builtins(self.arguments, order="deterministic")
        return f"{type(self).__module__}.{type(self).__qualname__}", stored

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
                outlives_refused_key=given.outlives_refused_key,
            )
            for file_id, started in given.coupon_files.items()
        ]
        read_settings = partial(_read_settings, given.wes_conn_id)
        outcomes = await wait_for_files(given.wes_conn_id, waits, read_settings, spread=True)
        event = dump_outcomes(outcomes, given.count_names)
        yield TriggerEvent(event)  # type: ignore[no-untyped-call]

    async def on_kill(self) -> None:
        """Log that the wait is over: Airflow 3.3 calls this if the task is marked or cleared."""
        log.info(
            "Stopped waiting; the service has no operation that cancels processing. "
            "Coupon files: %s",
            ", ".join(self.arguments.coupon_files),
        )


class WesCouponListTrigger(BaseEventTrigger):
    """
    Watch a coupon list, for Airflow's ``AssetWatcher`` (Airflow 3.0 and later).

    It fires if a reading of the list shows coupon files that were processed or have failed since
    the one before, whoever uploaded them. The event's payload has ``coupon_list_id`` and ``files``:
    of each of these files, at most 500, the flat ``coupon_file`` object with ``outcome``, which is
    ``processed`` or ``failed``. Later events report the others. Files that had ended before the
    first reading are not reported. Nothing ends the watch: if the list cannot be read, it is read
    again, less and less often.

    :param coupon_list_id: the list.
    :param wes_conn_id: the connection, of type ``wes``.
    :param poll_interval: seconds between readings of the list.
    :param coupon_file_statuses: which status means what: ``pending``, ``success`` and ``failure``,
        each a list that replaces the connection's.
    :raises WesConfigurationError: if an argument cannot be used.
    """

    def __init__(
        self,
        coupon_list_id: str,
        wes_conn_id: str = "wes_default",
        poll_interval: float = 60,
        coupon_file_statuses: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        identifier("coupon_list_id", coupon_list_id)
        text_of("wes_conn_id", wes_conn_id)
        check_seconds("poll_interval", poll_interval)
        Statuses.of(coupon_file_statuses)
        self.coupon_list_id = coupon_list_id
        self.wes_conn_id = wes_conn_id
        self.poll_interval = poll_interval
        self.coupon_file_statuses = coupon_file_statuses

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """Return what Airflow stores, in clear."""
        return f"{type(self).__module__}.{type(self).__qualname__}", {
            "coupon_list_id": self.coupon_list_id,
            "wes_conn_id": self.wes_conn_id,
            "poll_interval": self.poll_interval,
            "coupon_file_statuses": self.coupon_file_statuses,
        }

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Watch the list with readings of its own, before Airflow 3.3."""
        readings = _readings(self.wes_conn_id, self.coupon_list_id, self.poll_interval)
        async for event in self.filter_shared_stream(readings):
            yield event

    def shared_stream_key(self) -> Hashable:
        """Return what triggers that share their readings have in common (Airflow 3.3 and later)."""
        return ("wes_coupon_list", self.wes_conn_id, self.coupon_list_id, self.poll_interval)

    @classmethod
    def create_shared_stream_producer(cls, kwargs: dict[str, Any]) -> SharedReadings:
        """
        Make the readings that triggers share.

        :param kwargs: of one of the triggers, as :meth:`serialize` returns them.
        """
        # Airflow 3.3, the first that calls this, is the first that has what this imports.
        from wes_provider.watches.shared import SharedReadings

        readings = _readings(
            kwargs["wes_conn_id"], kwargs["coupon_list_id"], kwargs["poll_interval"]
        )
        return SharedReadings(readings)

    async def filter_shared_stream(
        self, shared_stream: AsyncIterator[Reading]
    ) -> AsyncIterator[TriggerEvent]:
        """
        Make events of readings.

        :param shared_stream: the readings.
        """
        store = getattr(self, "asset_state_store", None)
        record = WatchRecord(store, self.wes_conn_id, self.coupon_list_id)
        events = watch(shared_stream, record, self.coupon_list_id, self.coupon_file_statuses)
        async for event in events:
            yield TriggerEvent(event)  # type: ignore[no-untyped-call]


def _readings(
    wes_conn_id: str, coupon_list_id: str, poll_interval: float
) -> AsyncIterator[Reading]:
    read_settings = partial(_read_settings, wes_conn_id)
    return read_for_ever(wes_conn_id, coupon_list_id, poll_interval, read_settings)


class WesResetTrigger(BaseTrigger):
    """
    Fire when the rate limit allows the next upload, and pass on what the task had done until then.

    It sends no request and has no secret. The clock of the triggerer may differ by minutes from the
    worker's, which computed the moment: so it waits no longer than the worker asked for, and tells
    how long it has waited.

    :param moment: epoch seconds, by the worker's clock.
    :param seconds: the longest that it waits: until the moment, as the worker counted them.
    :param state: JSON, which becomes a part of the event: unlike arguments of the deferral, it also
        arrives in ``dag.test()``.
    """

    def __init__(
        self, *, moment: float, state: Mapping[str, Any], seconds: float | None = None
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.moment = moment
        self.seconds = seconds
        self.state = dict(state)

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """Return what Airflow stores, in clear."""
        return f"{type(self).__module__}.{type(self).__qualname__}", {
            "moment": self.moment,
            "seconds": self.seconds,
            "state": self.state,
        }

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Sleep until the moment, as this machine's clock has it, or for the seconds asked for."""
        started = time.monotonic()
        left = max(0.0, self.moment - time.time())
        if self.seconds is not None:
            left = min(left, self.seconds)
        await asyncio.sleep(left)
        event = {"state": self.state, "waited": time.monotonic() - started}
        yield TriggerEvent(event)  # type: ignore[no-untyped-call]


async def _read_settings(wes_conn_id: str) -> Any:
    """Read a connection's settings without blocking the event loop."""
    from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook
    from asgiref.sync import sync_to_async

    from wes_provider.hooks import read_settings

    try:
        # Ends if it is cancelled, while a thread would not.
        connection = await BaseHook.aget_connection(wes_conn_id)
    except (AttributeError, AirflowNotFoundException):  # Airflow 2; ``dags test`` of Airflow 3
        connection = await sync_to_async(BaseHook.get_connection)(wes_conn_id)
    # It tells Airflow's masker the keys, which fails on the event loop of Airflow 3.0.
    return await sync_to_async(read_settings)(connection)
