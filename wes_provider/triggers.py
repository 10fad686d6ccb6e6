"""Waiting for coupon files in the triggerer, so that a wait does not occupy a worker slot."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from airflow.triggers.base import BaseTrigger, TriggerEvent

from wes_provider.exceptions import WesAuthenticationError, WesError, WesForbiddenError
from wes_provider.models import CouponFile
from wes_provider.polling import (
    GRACE_POLL_INTERVAL,
    LAST_POLL,
    CouponFileWait,
    NoConnection,
    Outcome,
    Polled,
    Statuses,
    Wait,
    dump_outcomes,
    first_pause,
)

if TYPE_CHECKING:
    from wes_provider.client.async_client import AsyncWesClient
    from wes_provider.client.operations import Operation
    from wes_provider.client.settings import WesSettings
    from wes_provider.client.shared_client import SharedClient

__all__ = ["WesCouponFileTrigger", "WesResetTrigger"]

log = logging.getLogger(__name__)

T = TypeVar("T")

LEFT_ALONE: Final = "The service has no operation that cancels processing: the file is left as it is."
CLOCK_CHECK: Final = 60.0  # seconds; a clock that is set while a trigger sleeps is noticed after that time
ARGUMENTS_VERSION: Final = 1

HAS_ON_KILL: Final = hasattr(BaseTrigger, "on_kill")  # Airflow 3.3


class WesCouponFileTrigger(BaseTrigger):
    """
    Waits until coupon files of one list are processed. Only observes: it changes nothing at the service.

    Fires once, when the last file is processed, has failed or has run out of time; see
    :func:`~wes_provider.polling.load_outcomes` for its event. Its serialized form holds no secret.

    :param wes_conn_id: the connection, of type ``wes``.
    :param coupon_list_id: the list of the files.
    :param coupon_files: the files' identifiers, and when each was uploaded, epoch seconds.
    :param deadline: when to give up, epoch seconds; a restart of the triggerer does not move it.
    :param poll_interval: seconds between polls of a file at most.
    :param statuses: which status means what, as :meth:`~wes_provider.polling.Statuses.to_dict` has it.
    :param silent_fail: ignore any error response of the service until the deadline.
    :param was_read: the task has read a file with this connection, so a refused key is probably being rotated.
    :param version: the version of these arguments, which Airflow stores. Older versions are read.
        ``unknown`` arguments, of a newer version, are ignored.
    """

    def __init__(
        self,
        *,
        wes_conn_id: str,
        coupon_list_id: str,
        coupon_files: Mapping[str, float],
        deadline: float,
        poll_interval: float,
        statuses: Mapping[str, Sequence[str]],
        silent_fail: bool = False,
        was_read: bool = True,
        version: int = ARGUMENTS_VERSION,
        **unknown: Any,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Airflow's
        del version, unknown
        self.wes_conn_id = wes_conn_id
        self.coupon_list_id = coupon_list_id
        self.coupon_files = dict(coupon_files)
        self.deadline = deadline
        self.poll_interval = poll_interval
        self.silent_fail = silent_fail
        self.was_read = was_read
        sets = {meaning: tuple(statuses[meaning]) for meaning in ("pending", "success", "failure")}
        self.statuses = _statuses(**sets)

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """Airflow stores this, in clear."""
        return (
            f"{type(self).__module__}.{type(self).__qualname__}",
            {
                "version": ARGUMENTS_VERSION,
                "wes_conn_id": self.wes_conn_id,
                "coupon_list_id": self.coupon_list_id,
                "coupon_files": self.coupon_files,
                "deadline": self.deadline,
                "poll_interval": self.poll_interval,
                "statuses": self.statuses.to_dict(),
                "silent_fail": self.silent_fail,
                "was_read": self.was_read,
            },
        )

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Poll the files until each wait is over."""
        try:
            outcomes = await self._wait()
        except asyncio.CancelledError:
            if not HAS_ON_KILL:
                log.info("Stopped waiting: marked, cleared, or the triggerer stops\n%s\n%s", self._label, LEFT_ALONE)
            raise
        yield TriggerEvent(dump_outcomes(outcomes))  # type: ignore[no-untyped-call]

    async def on_kill(self) -> None:
        """Airflow 3.3 calls this when the deferred task is marked or cleared."""
        log.info("Stopped waiting, since the task was marked or cleared\n%s\n%s", self._label, LEFT_ALONE)

    @property
    def _label(self) -> str:
        return f"coupon file {', '.join(self.coupon_files)} of list {self.coupon_list_id}"

    async def _wait(self) -> dict[str, Outcome]:
        # Here, since a worker that defers imports this module, too, and sends nothing.
        from wes_provider.client.shared_client import SharedClient

        shared = SharedClient.join(
            self.wes_conn_id, partial(_read_settings, self.wes_conn_id), waits=len(self.coupon_files)
        )
        try:
            waits = [self._wait_for(shared, file_id, started) for file_id, started in self.coupon_files.items()]
            # A task of its own costs a wait a kilobyte, and most triggers have one.
            outcomes = [await waits[0]] if len(waits) == 1 else await asyncio.gather(*waits)
        finally:
            await shared.leave(len(self.coupon_files))
        return dict(zip(self.coupon_files, outcomes, strict=True))

    async def _wait_for(self, shared: SharedClient, file_id: str, started: float) -> Outcome:
        from wes_provider.hooks import connection_error
        from wes_provider.metrics import waited

        wait = CouponFileWait(
            self.coupon_list_id,
            file_id,
            statuses=self.statuses,
            started=started,
            deadline=self.deadline,
            poll_interval=self.poll_interval,
            silent_fail=self.silent_fail,
            was_read=self.was_read,
        )
        now = wait.now()
        seconds = first_pause(max(0.0, now - started), self.poll_interval, shared.waits)
        await asyncio.sleep(min(seconds, max(0.0, self.deadline - now)))
        client: AsyncWesClient | None = None
        operation: Operation[CouponFile] | None = None
        while True:
            polled: Polled
            try:
                current = await shared.get(max(self.deadline - wait.now(), LAST_POLL))
            except Exception as error:
                polled = NoConnection(connection_error(self.wes_conn_id, error))
            else:
                if current is not client or operation is None:
                    client, operation = current, current.operations.poll_coupon_file(self.coupon_list_id, file_id)
                polled = await _poll(client, operation, self.deadline - wait.now())
                if isinstance(polled, (WesAuthenticationError, WesForbiddenError)):
                    left = max(self.deadline - wait.now(), LAST_POLL)
                    current = await shared.get_another(client, min(left, GRACE_POLL_INTERVAL))
                    if current is not client:
                        client, operation = current, current.operations.poll_coupon_file(self.coupon_list_id, file_id)
                        polled = await _poll(client, operation, self.deadline - wait.now())
            decision = wait.decide(polled, wait.now(), shared.waits)
            if not isinstance(decision, Wait):
                waited(decision.waited, decision)
                return decision
            for level, text in decision.notes:
                log.log(level, "%s", text)
            await asyncio.sleep(decision.seconds)


async def _poll(client: AsyncWesClient, operation: Operation[CouponFile], left: float) -> CouponFile | WesError:
    """
    One poll.

    :param left: seconds until the deadline. The last poll is sent even if the service limits reads, and a slow
        response must not carry the wait far beyond the deadline.
    """
    response = client.run_once(operation, regardless_of_limit=left < 0.1)
    try:
        if left > client.settings.read_timeout and not client.queues:
            return await response
        return await _bounded(response, max(left, LAST_POLL))
    except WesError as error:
        return error


class WesResetTrigger(BaseTrigger):
    """
    Fires at a moment and passes on what the task had done until then. It sends no request and holds no secret.

    :param moment: epoch seconds.
    :param state: JSON, which becomes the event: unlike arguments of the deferral, it also arrives in ``dag.test()``.
    """

    def __init__(self, *, moment: float, state: Mapping[str, Any]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Airflow's
        self.moment = moment
        self.state = dict(state)

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """What Airflow stores, in clear."""
        return (f"{type(self).__module__}.{type(self).__qualname__}", {"moment": self.moment, "state": self.state})

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Sleep until the moment."""
        while (left := self.moment - time.time()) > 0:  # noqa: ASYNC110 - nothing else tells that the time has come
            await asyncio.sleep(min(left, CLOCK_CHECK))
        yield TriggerEvent({"state": self.state})  # type: ignore[no-untyped-call]


async def _bounded(response: Awaitable[T], seconds: float) -> T:
    try:
        return await asyncio.wait_for(response, seconds)
    except asyncio.TimeoutError:
        raise WesError(f"get_coupon_file: no response within the {seconds:.0f} s that were left") from None


async def _read_settings(wes_conn_id: str) -> WesSettings:
    """
    A connection's settings, read without blocking the event loop.

    :raises Exception: of Airflow, of a secrets backend, or a ``WesError`` of what the connection holds.
    """
    from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook, Connection

    from wes_provider.hooks import read_settings

    if hasattr(Connection, "aextra_dejson"):
        try:
            return read_settings(await BaseHook.aget_connection(wes_conn_id))
        except AirflowNotFoundException:  # DAG.test() does not look into Airflow's database for it
            pass
    from asgiref.sync import sync_to_async

    # Airflow before 3.3.2 masks what it reads with a call that would block the event loop.
    return await sync_to_async(lambda: read_settings(BaseHook.get_connection(wes_conn_id)))()


@lru_cache(maxsize=64)
def _statuses(pending: tuple[str, ...], success: tuple[str, ...], failure: tuple[str, ...]) -> Statuses:
    """One object for thousands of waits with the same sets."""
    return Statuses.of({"pending": pending, "success": success, "failure": failure})
