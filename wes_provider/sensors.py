"""The sensor: wait until a coupon file is processed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Final

from airflow.providers.common.compat.sdk import (
    AirflowSensorTimeout,
    AirflowSkipException,
    BaseSensorOperator,
    PokeReturnValue,
)

from wes_provider import models
from wes_provider.exceptions import WesTimeoutError
from wes_provider.polling import CouponFileWait, Done, Failed, Outcome, Statuses, Wait, only_outcome
from wes_provider.retry_policy import permanent_failures
from wes_provider.tasks import DEFAULT_DEFERRABLE, WesTask, start_of

if TYPE_CHECKING:
    from airflow.sdk import Context

__all__ = ["WesCouponFileSensor", "WesSensorTimeoutError"]

SOONEST_RESCHEDULE: Final = 10.0
"""Seconds: Airflow fails a task that is due again before its scheduler has seen that it has ended."""


class WesSensorTimeoutError(WesTimeoutError, AirflowSensorTimeout):
    """The sensor's ``timeout`` is over; as with every sensor of Airflow, that is not retried."""


class WesCouponFileSensor(WesTask, BaseSensorOperator):
    """
    Wait until a coupon file is processed.

    Returns the file as a flat object: ``id``, ``coupon_list_id``, ``name``, ``status`` and its counts; the same,
    with the same exceptions and final states, whether it pokes, reschedules or defers.

    :param coupon_list_id: the file's list. (templated)
    :param coupon_file_id: the file. (templated)
    :param wes_conn_id: the connection, of type ``wes``. (templated)
    :param poke_interval: seconds between looks at the file; at most that, where the sensor defers.
    :param timeout: seconds to wait.
    :param deferrable: wait in the triggerer instead of on a worker.
    :param soft_fail: skip the task where it would fail; so does ``never_fail``.
    :param silent_fail: look past whatever the service answers instead of the file, a wrong key, say, until ``timeout``.
        A file that the service says has failed ends the wait all the same.
    :param coupon_file_statuses: which status means what: ``pending``, ``success`` and ``failure``, each a list that
        replaces the connection's.

    Contract: section 3.
    """

    template_fields: Sequence[str] = ("wes_conn_id", "coupon_list_id", "coupon_file_id")
    label_fields: ClassVar[Sequence[str]] = ("coupon_list_id", "coupon_file_id")

    def __init__(
        self,
        *,
        coupon_list_id: str,
        coupon_file_id: str,
        poke_interval: float = 60,
        timeout: float = 7200,
        deferrable: bool = DEFAULT_DEFERRABLE,
        coupon_file_statuses: Mapping[str, Sequence[str]] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(poke_interval=poke_interval, timeout=timeout, **kwargs)
        self.coupon_list_id = coupon_list_id
        self.coupon_file_id = coupon_file_id
        self.deferrable = deferrable
        self.coupon_file_statuses = coupon_file_statuses
        for field in ("coupon_list_id", "coupon_file_id"):
            if not models.templated(getattr(self, field)):
                models.identifier(field, getattr(self, field))
        Statuses.of(coupon_file_statuses)
        self._wait_for_file: CouponFileWait | None = None
        self._pause = 0.0

    def execute(self, context: Context) -> Any:
        """Look at the file until it is processed, in the way that ``mode`` and ``deferrable`` say."""
        with permanent_failures(), self._skipping():
            self._wait_for_file = wait = self._new_wait(context)
        if self.deferrable:
            return self._execute_deferrable(context, wait)
        # The watch looks past what silent_fail means. Airflow would also look past a file that failed.
        silent_fail, self.silent_fail = self.silent_fail, False
        try:
            return super().execute(context)
        except AirflowSensorTimeout as error:
            if isinstance(error, WesSensorTimeoutError):
                raise
            # Airflow's own clock was first, and knows neither the status nor never_fail.
            return self._end(Failed(wait.timed_out(None, time.time())), context)
        finally:
            self.silent_fail = silent_fail

    def poke(self, context: Context) -> PokeReturnValue:
        """One look at the file."""
        if self._wait_for_file is None:
            self._wait_for_file = self._new_wait(context)
        decision = self._decide(self.coupon_list_id, self.coupon_file_id, self._wait_for_file)
        if isinstance(decision, Wait):
            self._pause = decision.seconds
            return PokeReturnValue(is_done=False)
        return PokeReturnValue(is_done=True, xcom_value=self._end(decision, context))

    def _get_next_poke_interval(self, *args: Any, **kwargs: Any) -> float:
        # Airflow's, but longer where the service limits reads, and never beyond the deadline, where Airflow itself
        # would still see a file that is processed up to a poke_interval later: so all modes end alike.
        seconds = max(float(super()._get_next_poke_interval(*args, **kwargs)), self._pause)
        left = self._wait_for_file.deadline - time.time() if self._wait_for_file else seconds
        return min(seconds, max(left, SOONEST_RESCHEDULE if self.reschedule else 0.0))

    def _execute_deferrable(self, context: Context, wait: CouponFileWait) -> dict[str, Any]:
        decision = self._decide(self.coupon_list_id, self.coupon_file_id, wait)
        if isinstance(decision, Wait):
            self._defer_until_processed(self.coupon_list_id, {self.coupon_file_id: wait}, "execute_complete")
        return self._end(decision, context)

    def execute_complete(self, context: Context, event: Any = None) -> dict[str, Any]:
        """Resumed by the trigger, when the wait is over."""
        return self._end(only_outcome(event), context)

    def _new_wait(self, context: Context) -> CouponFileWait:
        self._link(context, "coupon-list", self.coupon_list_id)
        started = self._started(context)
        return CouponFileWait(
            self.coupon_list_id,
            self.coupon_file_id,
            statuses=self._statuses(self.coupon_file_statuses),
            started=started,
            # Airflow starts the clock of execution_timeout anew with each reschedule.
            deadline=started + self.timeout if self.reschedule else self._deadline(context, started, self.timeout),
            poll_interval=self.poke_interval,
            silent_fail=self.silent_fail,
        )

    def _started(self, context: Context) -> float:
        """When the first look was, epoch seconds; earlier than this process, where the sensor reschedules."""
        ti = context["ti"]
        # Airflow 2.11 keeps the first start as start_date.
        first = getattr(ti, "get_first_reschedule_date", lambda _: None)(context) if self.reschedule else None
        return float(first.timestamp()) if first else start_of(context)

    def resume_execution(self, next_method: str, next_kwargs: dict[str, Any] | None, context: Any) -> Any:
        """Airflow resumes a deferred task by this; that of 2.11 and 3.0 forgets ``never_fail``."""
        with self._skipping():
            return super().resume_execution(next_method, next_kwargs, context)

    def _not_resumed(self, error: WesTimeoutError) -> dict[str, Any]:
        return self._end(Failed(error), {})

    def _end(self, outcome: Outcome, context: Any) -> dict[str, Any]:
        if isinstance(outcome, Done):
            self._describe_events(context, outcome.file.summary())
            self.log.info("Processed: %s", outcome.file.summary())
            return outcome.file.summary()
        with permanent_failures(), self._skipping():
            if isinstance(outcome.error, WesTimeoutError):
                raise WesSensorTimeoutError(str(outcome.error)) from outcome.error
            raise outcome.error

    @contextmanager
    def _skipping(self) -> Iterator[None]:
        """Skip the task instead of failing it, where ``soft_fail`` or ``never_fail`` says so."""
        try:
            yield
        except AirflowSkipException:
            raise
        except Exception as error:
            if self.soft_fail or self.never_fail:
                raise AirflowSkipException(f"{type(error).__name__}: {error}") from error
            raise
