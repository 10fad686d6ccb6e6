"""Waiting for coupon files in the triggerer, where a wait costs no worker."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook, Connection
from airflow.triggers.base import BaseTrigger, TriggerEvent
from asgiref.sync import sync_to_async

from wes_provider.client.operations import Operation
from wes_provider.client.settings import WesSettings
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.hooks import read_settings
from wes_provider.metrics import waited
from wes_provider.models import CouponFile
from wes_provider.polling import CouponFileWait, Outcome, Statuses, Wait, dump_outcomes, first_pause

if TYPE_CHECKING:
    from wes_provider.client.async_client import AsyncWesClient
    from wes_provider.client.shared_client import SharedClient

__all__ = ["WesCouponFileTrigger", "WesResetTrigger"]

log = logging.getLogger(__name__)

T = TypeVar("T")

LEFT_ALONE: Final = "The service has no operation that cancels processing: the file is left as it is."
CLOCK_CHECK: Final = 60.0  # seconds; a clock that is set while a trigger sleeps is noticed after that time
LAST_POLL: Final = 10.0  # seconds that a look at the deadline may take

HAS_ON_KILL: Final = hasattr(BaseTrigger, "on_kill")  # Airflow 3.3


class WesCouponFileTrigger(BaseTrigger):
    """
    Waits until coupon files of one list are processed. Only observes: it changes nothing at the service.

    Fires once, when the last file is processed, has failed or has run out of time; see
    :func:`~wes_provider.polling.load_outcomes` for its event. Its serialized form holds no secret.

    :param wes_conn_id: the connection, of type ``wes``.
    :param coupon_list_id: of the files.
    :param coupon_files: the files' identifiers, and when each was uploaded, epoch seconds.
    :param deadline: when to give up, epoch seconds; a restart of the triggerer does not move it.
    :param poll_interval: seconds between looks at a file at most.
    :param statuses: which status means what, as :meth:`~wes_provider.polling.Statuses.to_dict` has it.
    :param silent_fail: look past whatever the service answers instead of a file, until the deadline.
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
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Airflow's
        self.wes_conn_id = wes_conn_id
        self.coupon_list_id = coupon_list_id
        self.coupon_files = dict(coupon_files)
        self.deadline = deadline
        self.poll_interval = poll_interval
        self.silent_fail = silent_fail
        self.statuses = _statuses(**{meaning: tuple(names) for meaning, names in statuses.items()})

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """Airflow stores this, in clear."""
        return (
            f"{type(self).__module__}.{type(self).__qualname__}",
            {
                "wes_conn_id": self.wes_conn_id,
                "coupon_list_id": self.coupon_list_id,
                "coupon_files": self.coupon_files,
                "deadline": self.deadline,
                "poll_interval": self.poll_interval,
                "statuses": self.statuses.to_dict(),
                "silent_fail": self.silent_fail,
            },
        )

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Look at the files until each wait is over."""
        try:
            outcomes = await self._wait()
        except asyncio.CancelledError:
            if not HAS_ON_KILL:
                log.info(
                    "The wait for %s is called off: the task was marked or cleared, or the triggerer stops. %s",
                    self._label,
                    LEFT_ALONE,
                )
            raise
        yield TriggerEvent(dump_outcomes(outcomes))  # type: ignore[no-untyped-call]

    async def on_kill(self) -> None:
        """Airflow 3.3 calls this when the deferred task is marked or cleared."""
        log.info("The wait for %s is called off: the task was marked or cleared. %s", self._label, LEFT_ALONE)

    @property
    def _label(self) -> str:
        return f"coupon file {', '.join(self.coupon_files)} of list {self.coupon_list_id}"

    async def _wait(self) -> dict[str, Outcome]:
        # Here, since a worker that defers, too, imports this module, and asks nothing.
        from wes_provider.client.shared_client import SharedClient

        shared = SharedClient.join(self.wes_conn_id, partial(_settings, self.wes_conn_id), waits=len(self.coupon_files))
        try:
            waits = [self._wait_for(shared, file_id, started) for file_id, started in self.coupon_files.items()]
            # A task of its own costs a wait a kilobyte, and most triggers have one.
            outcomes = [await waits[0]] if len(waits) == 1 else await asyncio.gather(*waits)
        finally:
            await shared.leave(len(self.coupon_files))
        return dict(zip(self.coupon_files, outcomes, strict=True))

    async def _wait_for(self, shared: SharedClient, file_id: str, started: float) -> Outcome:
        wait = CouponFileWait(
            self.coupon_list_id,
            file_id,
            statuses=self.statuses,
            started=started,
            deadline=self.deadline,
            poll_interval=self.poll_interval,
            silent_fail=self.silent_fail,
        )
        now = time.time()
        seconds = first_pause(max(0.0, now - started), self.poll_interval, shared.waits)
        await asyncio.sleep(min(seconds, max(0.0, self.deadline - now)))
        operation: Operation[CouponFile] | None = None
        while True:
            polled: CouponFile | WesError
            try:
                client = shared.client or await shared.get()
                operation = operation or client.operations.poll_coupon_file(self.coupon_list_id, file_id)
                polled = await self._send(client, operation)
            except WesError as error:
                polled = error
            decision = wait.decide(polled, time.time(), shared.waits)
            if not isinstance(decision, Wait):
                waited(time.time() - started, decision)
                return decision
            for level, text in decision.notes:
                log.log(level, "%s", text)
            await asyncio.sleep(decision.seconds)

    def _send(self, client: AsyncWesClient, operation: Operation[T]) -> Awaitable[T]:
        left = self.deadline - time.time()
        if left > client.settings.read_timeout:
            return client.run_once(operation)
        # A slow answer must not carry the wait far beyond its deadline.
        return _bounded(client.run_once(operation), max(left, LAST_POLL))


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
        raise WesError(f"get_coupon_file: no answer within the {seconds:.0f} s that were left") from None


async def _settings(wes_conn_id: str) -> WesSettings:
    """
    A connection's settings, read without holding up the event loop.

    :raises WesError: where there is no such connection, or it cannot be used; a plain one where it cannot be read now.
    """
    try:
        return await _read_settings(wes_conn_id)
    except WesError:
        raise
    except AirflowNotFoundException as error:
        raise WesConfigurationError(f"connection {wes_conn_id!r} is not defined (any more)") from error
    except Exception as error:  # whatever a secrets backend or Airflow's API raises: it may pass
        # No text of it, which may hold what the backend was asked with.
        raise WesError(f"connection {wes_conn_id!r} cannot be read: {type(error).__name__}") from None


async def _read_settings(wes_conn_id: str) -> WesSettings:
    if hasattr(Connection, "aextra_dejson"):
        try:
            return read_settings(await BaseHook.aget_connection(wes_conn_id))
        except AirflowNotFoundException:  # DAG.test() does not look into Airflow's database for it
            pass
    # Airflow before 3.3.2 masks what it reads with a call that would block the event loop.
    return await sync_to_async(lambda: read_settings(BaseHook.get_connection(wes_conn_id)))()


@lru_cache(maxsize=64)
def _statuses(pending: tuple[str, ...], success: tuple[str, ...], failure: tuple[str, ...]) -> Statuses:
    """Of thousands of waits with the same sets, one object."""
    return Statuses.of({"pending": pending, "success": success, "failure": failure})
