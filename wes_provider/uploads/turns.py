"""
Uploads in turn: each is sent when the list's limit allows it, and what is too long a wait for a worker is deferred.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Final, TypeVar

from airflow.triggers.base import BaseTrigger, TriggerEvent

from wes_provider.client.operations import Operation, Response
from wes_provider.client.retry import RESET_JITTER
from wes_provider.exceptions import WesError, WesRateLimitError, WesUnknownOutcomeError
from wes_provider.models import shown
from wes_provider.uploads.rate_limiter import RateLimiter, spread_over_windows, window_of

if TYPE_CHECKING:
    from wes_provider.uploads.upload_once import Upload, UploadOnce

__all__ = ["Turns", "WesResetTrigger", "mapped_send_time", "resumed"]

log = logging.getLogger(__name__)

T = TypeVar("T")

WORTH_DEFERRING: Final = 20.0  # seconds; a deferral and the way back take a few
EARLY: Final = 5.0  # seconds before a reset that a deferred task is called back, so as to be there when it comes
LATE: Final = timedelta(hours=1)  # after which Airflow fails a deferred task that no triggerer has called back
CLOCK_CHECK: Final = 60.0  # seconds; a clock that is set while a trigger sleeps is noticed after that time

RESUME_METHOD: Final = "execute_at_reset"


class WesResetTrigger(BaseTrigger):
    """
    Fires at a moment, and hands on what the task had done until then. Asks nobody, and holds no secret.

    :param moment: epoch seconds.
    :param state: JSON, which becomes the event: unlike arguments of the deferral, it also arrives in ``dag.test()``.
    """

    def __init__(self, *, moment: float, state: Mapping[str, Any]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Airflow's
        self.moment = moment
        self.state = dict(state)

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """Airflow stores this, in clear."""
        return (f"{type(self).__module__}.{type(self).__qualname__}", {"moment": self.moment, "state": self.state})

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Sleep until the moment."""
        while (left := self.moment - time.time()) > 0:
            await asyncio.sleep(min(left, CLOCK_CHECK))
        yield TriggerEvent({"state": self.state})  # type: ignore[no-untyped-call]


def resumed(event: Any) -> dict[str, Any]:
    """
    The state that a :class:`WesResetTrigger` handed on.

    :raises WesError: where the event is missing or is no such event.
    """
    try:
        return dict(event["state"])
    except (KeyError, TypeError, ValueError):
        raise WesError(f"the trigger's event cannot be read: {shown(event)}") from None


def mapped_send_time(
    error: WesRateLimitError, reset: float, index: int, once: UploadOnce, upload: Upload
) -> float | None:
    """
    When one of a task's mapped instances is to upload, after ``error``: in the order of their indexes, each in the
    first window that those before it leave room in. So each is refused once.

    :param reset: when the next window opens, epoch seconds.
    :param index: of the instance; below zero where the task is not mapped.
    :return: epoch seconds; ``None`` where it has no turn, for the task is not mapped or the window is not known.
    """
    if index < 0 or window_of(error.limit) is None or error.reset_at is None:
        return None
    place = once.mapped_before(upload)
    if place is None:
        place = random.randrange(index + 1)  # noqa: S311 - spreads load
    return spread_over_windows(reset, error.limit, place)


class Turns:
    """
    Sends the uploads of one task to one list, each at its time.

    :param task: the operator, with ``deferrable`` and a method ``execute_at_reset``.
    :param pace: of the list.
    :param state: what that method needs to go on, JSON; the pace comes on top, as ``rate_limiter``.
    :param turn_of: after a refusal that others' uploads explain, and for a reset, when this task's turn is; ``None``
        for a moment after the reset.
    """

    def __init__(
        self,
        task: Any,
        rate_limiter: RateLimiter,
        *,
        state: Callable[[], dict[str, Any]] = dict,
        send_time: Callable[[WesRateLimitError, float], float | None] = lambda error, reset: None,  # noqa: ARG005
    ) -> None:
        self._task = task
        self._state = state
        self._send_time = send_time
        self._refusal: WesRateLimitError | None = None
        self._answered = False  # the last request, by an answer that counts for the limit
        self.rate_limiter = rate_limiter

    def take(self, upload: Callable[[], T]) -> T:
        """
        Call ``upload``, which calls :meth:`wait` and :meth:`send`, until the limit lets it through.

        :raises WesRateLimitError: where the service goes on refusing, though its limits are kept.
        """
        while True:
            try:
                return upload()
            except WesRateLimitError as error:
                # The first refusal may have been asked for, to learn when the window opens.
                most = max(2, self._task.hook.settings.max_attempts)
                if error is not self._refusal or self.rate_limiter.refusals >= most:
                    raise
                log.info("%s", error)

    def wait(self) -> None:
        """
        Wait until the next upload may be sent: on the worker, or in the triggerer.

        :raises WesRateLimitError: where that is too long for a worker, and the task does not defer.
        """
        now = time.time()
        turn = self.rate_limiter.next(now)
        if self._refusal is not None and self.rate_limiter.contended:
            own = self._send_time(self._refusal, turn)
            self.rate_limiter.block_until(own if own is not None else turn + random.random() * RESET_JITTER)  # noqa: S311
            turn = self.rate_limiter.next(now)
        if turn > now:
            self._wait_until(turn, turn - now)

    def _wait_until(self, turn: float, seconds: float) -> None:
        clock = datetime.fromtimestamp(turn, timezone.utc)
        says = f"the list's limit takes no more files before {clock:%Y-%m-%d %H:%M:%S} UTC, in {seconds:.0f} s"
        if self._task.deferrable and seconds >= WORTH_DEFERRING:
            log.info("Deferring: %s", says)
            self._task.defer(
                trigger=WesResetTrigger(
                    moment=turn - EARLY, state={**self._state(), "pace": self.rate_limiter.to_dict()}
                ),
                method_name=RESUME_METHOD,
                timeout=timedelta(seconds=seconds) + LATE,
            )
        longest = self._task.hook.settings.max_rate_limit_wait
        if seconds > longest:
            raise WesRateLimitError(
                f"{says}, which is longer than the connection's max_rate_limit_wait of {longest:g} s; "
                "with deferrable=True the task waits for it in the triggerer",
                limit=self._refusal.limit if self._refusal else None,
                remaining=0,
                reset_at=clock,
            )
        log.info("Waiting: %s", says)
        time.sleep(seconds)

    def send(self, coupon_list_id: str, **fields: Any) -> dict[str, Any]:
        """
        Upload a file as :meth:`~wes_provider.hooks.WesHook.upload_coupon_file` does, but send it once where the rate
        limit refuses it.
        """
        hook, sent = self._task.hook, time.time()
        operation = self._recording(hook.operations.upload_coupon_file(coupon_list_id, **fields), sent)
        self._refusal, self._answered = None, False
        try:
            record: dict[str, Any] = hook.get_conn().run(operation, wait_for_limits=False)
        except WesRateLimitError as error:
            self._refusal = error
            raise
        except WesUnknownOutcomeError:
            if not self._answered:
                self.rate_limiter.record({}, sent=sent, at=time.time(), refused=False)  # it may count
            raise
        return record

    def _recording(self, operation: Operation[dict[str, Any]], sent: float) -> Operation[dict[str, Any]]:
        def read(response: Response) -> dict[str, Any]:
            refused = response.status_code == 429
            if refused or 200 <= response.status_code < 300:
                self._answered = True
                self.rate_limiter.record(response.headers, sent=sent, at=time.time(), refused=refused)
            return operation.read(response)

        return Operation(operation.request, read)
