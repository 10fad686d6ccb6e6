"""The sensor: wait until a coupon file is processed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.providers.common.compat.sdk import (
    AirflowSensorTimeout,
    AirflowSkipException,
    BaseSensorOperator,
    PokeReturnValue,
)

from wes_provider import models
from wes_provider.exceptions import WesCouponFileFailedError, WesTimeoutError
from wes_provider.models import headline
from wes_provider.polling import (
    FIRST_PAUSE,
    CouponFileWait,
    Failed,
    Outcome,
    Statuses,
    Wait,
    check_coupons_added,
    only_outcome,
)
from wes_provider.retry_policy import SOONEST_RESTART, permanent_failures
from wes_provider.tasks import DEFAULT_DEFERRABLE, WesTask, arguments_of, check_whole_number, start_of

if TYPE_CHECKING:
    from airflow.sdk import Context

__all__ = ["WesCouponFileSensor", "WesSensorTimeoutError"]


class WesSensorTimeoutError(WesTimeoutError, AirflowSensorTimeout):
    """The sensor's ``timeout`` is over; as with every sensor of Airflow, that is not retried."""


class WesCouponFileSensor(WesTask, BaseSensorOperator):
    """
    Wait until a coupon file is processed.

    Returns the file as a flat object: ``id``, ``coupon_list_id``, ``name``, ``status``, ``file_url`` without its query,
    counts and texts; the same, with the same exceptions and final states, whether it pokes, reschedules or defers.

    :param coupon_list_id: the file's list. (templated)
    :param coupon_file_id: the file. (templated)
    :param poke_interval: seconds between polls of the file, at least one. If the sensor defers, it may poll sooner.
    :param timeout: seconds to wait.
    :param deferrable: wait in the triggerer instead of on a worker.
    :param soft_fail: skip the task if it would fail; so does ``never_fail``.
    :param silent_fail: ignore any error response of the service, such as that of a wrong key, until ``timeout``.
        A file that has failed ends the wait all the same.
    :param coupon_file_statuses: which status means what: ``pending``, ``success`` and ``failure``, each a list that
        replaces the connection's.
    :param min_coupons_added: fail if fewer coupons were added; without it, none at all is a warning. The connection's
        extra ``coupon_file_counts`` names the count.
    :raises WesCouponFileFailedError: if the service fails to process the file, or adds too few coupons; not retried.
    :raises WesSensorTimeoutError: if the file is not processed within ``timeout``; not retried.
    :raises WesResponseError: if the service refuses to show the file.

    Contract: section 3.
    """

    template_fields: Sequence[str] = ("wes_conn_id", "coupon_list_id", "coupon_file_id")
    label_fields: ClassVar[Sequence[str]] = ("coupon_list_id", "coupon_file_id")

    coupon_list_id: str
    coupon_file_id: str
    deferrable: bool
    coupon_file_statuses: Mapping[str, Sequence[str]] | None
    min_coupons_added: int | None
    _wait_for_file: CouponFileWait | None
    _pause: float

    @arguments_of(WesTask)
    def __init__(
        self,
        *,
        coupon_list_id: str,
        coupon_file_id: str,
        poke_interval: float = 60,
        timeout: float = 7200,
        deferrable: bool = DEFAULT_DEFERRABLE,
        coupon_file_statuses: Mapping[str, Sequence[str]] | None = None,
        min_coupons_added: int | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(poke_interval=poke_interval, timeout=timeout, **kwargs)
        self._assign(
            coupon_list_id=coupon_list_id,
            coupon_file_id=coupon_file_id,
            deferrable=deferrable,
            coupon_file_statuses=coupon_file_statuses,
            min_coupons_added=min_coupons_added,
            _wait_for_file=None,
            _pause=0.0,
        )
        for field, value in (("coupon_list_id", coupon_list_id), ("coupon_file_id", coupon_file_id)):
            if not models.templated(value):
                models.identifier(field, value)
        if coupon_file_statuses is not None:
            Statuses.of(coupon_file_statuses)
        if min_coupons_added is not None:
            check_whole_number("min_coupons_added", min_coupons_added)

    def execute(self, context: Context) -> Any:
        """Poll the file until it is processed, in the way that ``mode`` and ``deferrable`` say."""
        with permanent_failures(), self._skipping():
            self._wait_for_file = wait = self._new_wait(context)
        if self.deferrable:
            return self._execute_deferrable(context, wait)
        # The wait ignores what silent_fail means. Airflow would also ignore that a file failed.
        silent_fail, self.silent_fail = self.silent_fail, False
        try:
            return super().execute(context)
        except AirflowSensorTimeout as error:
            if isinstance(error, WesSensorTimeoutError):
                raise
            # Airflow's own clock was first, which knows neither the status nor never_fail.
            return self._end(Failed(wait.timed_out(None, wait.now())), context)
        finally:
            self.silent_fail = silent_fail

    def poke(self, context: Context) -> PokeReturnValue:
        """One poll of the file."""
        if self._wait_for_file is None:
            self._wait_for_file = self._new_wait(context)
        wait = self._wait_for_file
        decision = self._decide(self.coupon_list_id, self.coupon_file_id, wait)
        while self.reschedule and wait.in_grace and isinstance(decision, Wait):
            time.sleep(decision.seconds)  # on the worker, for minutes: another process would not know since when
            decision = self._decide(self.coupon_list_id, self.coupon_file_id, wait)
        if isinstance(decision, Wait):
            self._pause = decision.seconds
            return PokeReturnValue(is_done=False)
        return PokeReturnValue(is_done=True, xcom_value=self._end(decision, context))

    def _get_next_poke_interval(self, *args: Any, **kwargs: Any) -> float:
        # Airflow's, but longer if the service limits reads, and never beyond the deadline, when Airflow itself would
        # still see a file that is processed up to a poke_interval later: so all modes end alike.
        seconds = max(float(super()._get_next_poke_interval(*args, **kwargs)), self._pause, FIRST_PAUSE)
        left = self._wait_for_file.deadline - self._wait_for_file.now() if self._wait_for_file else seconds
        return min(seconds, max(left, SOONEST_RESTART if self.reschedule else 0.0))

    def _execute_deferrable(self, context: Context, wait: CouponFileWait) -> dict[str, Any]:
        decision = self._decide(self.coupon_list_id, self.coupon_file_id, wait)
        if isinstance(decision, Wait):
            self._defer_until_processed(self.coupon_list_id, {self.coupon_file_id: wait}, "execute_complete")
        return self._end(decision, context)

    def execute_complete(self, context: Context, event: Any = None) -> dict[str, Any]:
        """Resumed by the trigger, when the wait is over."""
        only_outcome(event)
        (outcome,) = self._resumed(self.coupon_list_id, event).values()
        return self._end(outcome, context)

    def _new_wait(self, context: Context) -> CouponFileWait:
        first = self._first_start(context)
        started = first or start_of(context)
        # Airflow starts the clock of execution_timeout again with each reschedule.
        deadline = started + self.timeout if self.reschedule else self._deadline(context, started, self.timeout)
        self._settings(deadline)
        self._link(context, "coupon-list", self.coupon_list_id)
        return CouponFileWait(
            self.coupon_list_id,
            self.coupon_file_id,
            statuses=self._statuses(self.coupon_file_statuses),
            started=started,
            deadline=deadline,
            poll_interval=self.poke_interval,
            silent_fail=self.silent_fail,
            was_read=first is not None,  # or it would have failed instead of being rescheduled
        )

    def _first_start(self, context: Context) -> float | None:
        """When a sensor that reschedules itself was first started, epoch seconds; ``None`` if that is now."""
        if not self.reschedule:
            return None
        # Airflow 2.11 keeps the first start as start_date.
        first = getattr(context["ti"], "get_first_reschedule_date", lambda _: None)(context)
        return float(first.timestamp()) if first else None

    def resume_execution(self, next_method: str, next_kwargs: dict[str, Any] | None, context: Any) -> Any:
        """Airflow resumes a deferred task by this; that of 2.11 and 3.0 forgets ``never_fail``."""
        with self._skipping():
            return super().resume_execution(next_method, next_kwargs, context)

    def _not_resumed(self, error: WesTimeoutError) -> dict[str, Any]:
        return self._end(Failed(error), {})

    def _end(self, outcome: Outcome, context: Any) -> dict[str, Any]:
        with permanent_failures(), self._skipping():
            try:
                if isinstance(outcome, Failed):
                    raise outcome.error
                names = self._settings().count_names
                for level, text in check_coupons_added([outcome.file], names, self.min_coupons_added):
                    self.log.log(level, "%s", text)
            except WesTimeoutError as error:
                raise WesSensorTimeoutError(str(error)) from error
            except WesCouponFileFailedError as error:
                if "ti" in context and error.coupon_file:
                    context["ti"].xcom_push(key="coupon_file", value=error.coupon_file)
                raise
        file = outcome.file
        self.log.info("%s", headline("Processed", file.coupon_list_id, file.id, file.title))
        summary = file.summary()
        self._describe_events(context, summary)
        return summary

    @contextmanager
    def _skipping(self) -> Iterator[None]:
        """Skip the task instead of failing it, if ``soft_fail`` or ``never_fail`` says so."""
        try:
            yield
        except AirflowSkipException:
            raise
        except Exception as error:
            if self.soft_fail or self.never_fail:
                raise AirflowSkipException(f"{type(error).__name__}: {error}") from error
            raise
