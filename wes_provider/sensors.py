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

from wes_provider import arguments, assets
from wes_provider.arguments import check_whole_number, early
from wes_provider.exceptions import (
    WesCouponFileFailedError,
    WesError,
    WesTimeoutError,
    WesUnreadableConnectionError,
)
from wes_provider.metrics import record_wait
from wes_provider.models import CouponFile
from wes_provider.operators.base import DEFAULT_DEFERRABLE, WesTask, start_of
from wes_provider.polling import (
    CouponFileWait,
    Decision,
    Failed,
    Outcome,
    PollAgain,
    Statuses,
    check_coupons_added,
)
from wes_provider.retry_policy import SOONEST_RESTART, explained_errors
from wes_provider.texts import about
from wes_provider.waiting import load_outcomes

if TYPE_CHECKING:
    from airflow.sdk import Context

    from wes_provider.settings import WesSettings

__all__ = ["WesCouponFileSensor", "WesSensorTimeoutError"]

# Seconds between polls at most while a key is refused and a worker is kept.
REFUSED_INTERVAL: Final = 30.0


class WesSensorTimeoutError(WesTimeoutError, AirflowSensorTimeout):
    """The sensor's ``timeout`` is over; as with every sensor of Airflow, that is not retried."""


class WesCouponFileSensor(WesTask, BaseSensorOperator):
    """
    Wait until a coupon file is processed.

    Returns the file as a flat object: ``id``, ``coupon_list_id``, ``name``, ``status``,
    ``file_url`` without its query, and counts; the same, with the same exceptions and final states,
    whether it pokes, reschedules or defers.

    :param coupon_list_id: the file's list. (templated)
    :param coupon_file_id: the file. (templated)
    :param poke_interval: seconds between polls of the file, at least one. If the sensor defers, it
        may poll sooner.
    :param timeout: seconds to wait.
    :param deferrable: wait in the triggerer instead of on a worker.
    :param soft_fail: skip the task if it would fail; so does ``never_fail``.
    :param coupon_file_statuses: which status means what: ``pending``, ``success`` and ``failure``,
        each a list that replaces the connection's.
    :param min_coupons_added: fail if fewer coupons were added; without it, none at all is a
        warning. The connection's extra ``coupon_file_counts`` names the count.
    :raises WesCouponFileFailedError: if the service fails to process the file, or adds too few
        coupons; not retried.
    :raises WesSensorTimeoutError: if the file is not processed within ``timeout``; not retried.
    :raises WesResponseError: if the service refuses to show the file.

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
        min_coupons_added: int | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(poke_interval=poke_interval, timeout=timeout, **kwargs)
        self.coupon_list_id = coupon_list_id
        self.coupon_file_id = coupon_file_id
        self.deferrable = deferrable
        self.coupon_file_statuses = coupon_file_statuses
        self.min_coupons_added = min_coupons_added
        self._wait: CouponFileWait | None = None
        for field, value in (
            ("coupon_list_id", coupon_list_id),
            ("coupon_file_id", coupon_file_id),
        ):
            early(arguments.identifier, field, value)
        if coupon_file_statuses is not None:
            Statuses.of(coupon_file_statuses)
        if min_coupons_added is not None:
            check_whole_number("min_coupons_added", min_coupons_added)

    def execute(self, context: Context) -> Any:
        """Poll the file until it is processed, in the way that ``mode`` and ``deferrable`` say."""
        with explained_errors(), skipping(self.soft_fail or self.never_fail):
            self.check_rendered()
            wait = self._wait = self._new_wait(context)
            if not self.deferrable:
                try:
                    return super().execute(context)
                except AirflowSensorTimeout as error:  # Airflow has a clock of its own
                    late = (
                        error
                        if isinstance(error, WesTimeoutError)
                        else wait.timed_out(None, time.time())
                    )
                    return self._end(Failed(late), context)
            decision = self._poll(wait)
            if isinstance(decision, PollAgain):
                self.defer_until_processed([wait])
            return self._end(decision, context)

    def poke(self, context: Context) -> PokeReturnValue:
        """One poll of the file."""
        wait = self._wait = self._wait or self._new_wait(context)
        decision = self._poll(wait)
        while self.reschedule and wait.refused_since and isinstance(decision, PollAgain):
            # On the worker: no other process knows since when.
            time.sleep(min(decision.seconds, REFUSED_INTERVAL))
            decision = self._poll(wait)
        if not isinstance(decision, PollAgain):
            return PokeReturnValue(is_done=True, xcom_value=self._end(decision, context))
        # The last poke is at the deadline, or it would still see a file that is processed later:
        # all modes end alike.
        soonest = SOONEST_RESTART if self.reschedule else 0.0
        self.poke_interval = min(
            max(wait.poll_interval, 1.0), max(wait.deadline - time.time(), soonest)
        )
        return PokeReturnValue(is_done=False)

    def execute_complete(self, context: Context, event: Any = None) -> dict[str, Any]:
        """Resumed by the trigger, when the wait is over."""
        with explained_errors(), skipping(self.soft_fail or self.never_fail):
            outcomes = list(load_outcomes(event).values())
            if len(outcomes) != 1:
                raise WesError(
                    f"The trigger's event is of {len(outcomes)} coupon files instead of one"
                )
            return self._end(outcomes[0], context)

    def _poll(self, wait: CouponFileWait) -> Decision:
        polled: CouponFile | WesError
        try:
            wait.statuses = Statuses.of(self.coupon_file_statuses, self._settings().statuses)
            polled = self.hook.poll_coupon_file(wait.coupon_list_id, wait.coupon_file_id)
        except WesError as error:
            polled = error
        decision = wait.decide(polled, time.time())
        if wait.refused_since:  # the next poll reads the connection again
            self.hook.get_conn().close()
            del self.hook
        if not isinstance(decision, PollAgain):
            record_wait(decision)
        elif decision.note:
            self.log.log(decision.note[0], "%s", decision.note[1])
        return decision

    def _settings(self) -> WesSettings:
        """The connection's; a wait outlives one that cannot be read now."""
        try:
            return self.hook.settings
        except Exception as error:  # of a secrets backend, whose text may hold anything
            text = str(error) if isinstance(error, WesError) else type(error).__name__
            raise WesUnreadableConnectionError(f"The connection cannot be read: {text}") from None

    def _new_wait(self, context: Context) -> CouponFileWait:
        first = first_start(context) if self.reschedule else None
        started = first or start_of(context)
        if first is None:
            # Reads the connection, or fails the task.
            self.link(context, "coupon-list", self.coupon_list_id)
        return CouponFileWait(
            arguments.identifier("coupon_list_id", self.coupon_list_id),
            arguments.identifier("coupon_file_id", self.coupon_file_id),
            started=started,
            # Airflow starts the clock of execution_timeout again with each reschedule.
            deadline=started + self.timeout
            if self.reschedule
            else self.deadline(context, started, self.timeout),
            poll_interval=self.poke_interval,
            was_read=first is not None,  # or a refused key would have failed it
        )

    def _end(self, outcome: Outcome, context: Any) -> dict[str, Any]:
        if isinstance(outcome, Failed):
            error = outcome.error
            if isinstance(error, WesCouponFileFailedError) and error.coupon_file:
                context["ti"].xcom_push(key="coupon_file", value=error.coupon_file)
            if isinstance(error, WesTimeoutError):
                raise WesSensorTimeoutError(str(error), reason=error.reason)
            raise error
        file = outcome.file
        level, text = check_coupons_added(
            [file], self.hook.settings.count_names, self.min_coupons_added
        )
        self.log.log(level, "%s", text)
        self.log.info("%s", about(f"Processed: {file.status}", file.coupon_list_id, file.title))
        assets.describe_events(self, context, file.summary())
        return file.summary()


@contextmanager
def skipping(wanted: bool) -> Iterator[None]:
    """Skip the task instead of failing it."""
    try:
        yield
    except WesError as error:
        if wanted:
            raise AirflowSkipException(f"{type(error).__name__}: {error}") from error
        raise


def first_start(context: Context) -> float | None:
    """
    When a sensor that reschedules itself was first started, epoch seconds; ``None`` if that is now.
    """
    # Airflow 2.11 keeps the first start as start_date.
    first = getattr(context["ti"], "get_first_reschedule_date", lambda _: None)(context)
    return float(first.timestamp()) if first else None
