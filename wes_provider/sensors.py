"""The sensor: wait until a coupon file is processed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn

from airflow.providers.common.compat.sdk import (
    AirflowSensorTimeout,
    AirflowSkipException,
    BaseSensorOperator,
    PokeReturnValue,
)

from wes_provider import arguments, assets
from wes_provider.arguments import early
from wes_provider.coupon_files import CountNames, Statuses, check_counts, expect_counts
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesCouponFileFailedError,
    WesError,
    WesForbiddenError,
    WesTimeoutError,
    WesUnreadableConnectionError,
)
from wes_provider.metrics import record_counts, record_wait
from wes_provider.models import CouponFile
from wes_provider.operators.base import DEFAULT_DEFERRABLE, WesTask, earliest, start_of
from wes_provider.retry_policy import SOONEST_RESTART, explained_errors
from wes_provider.texts import about
from wes_provider.waits.decision import CouponFileWait, Failed, Outcome, PollAgain, Step
from wes_provider.waits.outcomes import load_count_names, load_outcomes

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
    ``file_url`` without its query, and counts. ``mode`` and ``deferrable`` change neither the
    result, nor the exceptions and final states.

    :param coupon_list_id: the file's list. (templated)
    :param coupon_file_id: the file. (templated)
    :param poke_interval: seconds between polls of the file, at least one. If the sensor defers, it
        may poll sooner.
    :param timeout: seconds to wait.
    :param deferrable: wait in the triggerer instead of on a worker.
    :param soft_fail: skip the task instead of failing it; ``never_fail`` does the same.
    :param coupon_file_statuses: which status means what: ``pending``, ``success`` and ``failure``,
        each a list that replaces the connection's.
    :param min_coupons_added: fail if fewer coupons were added. If you leave it out, a file that
        adds none only logs a warning. The connection's extra ``coupon_file_counts`` names the
        count.
    :param max_duplicates: fail if more coupons were duplicates. ``10`` is a count, ``0.1`` is a
        tenth of all coupons, those added and the duplicates; ``1`` is one coupon, ``1.0`` is all.
    :raises WesCouponFileFailedError: if the service fails to process the file, adds too few coupons
        or finds too many duplicates; not retried.
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
        max_duplicates: float | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(poke_interval=poke_interval, timeout=timeout, **kwargs)
        self.coupon_list_id = coupon_list_id
        self.coupon_file_id = coupon_file_id
        self.deferrable = deferrable
        self.coupon_file_statuses = coupon_file_statuses
        self.min_coupons_added = min_coupons_added
        self.max_duplicates = max_duplicates
        self._wait: CouponFileWait | None = None
        arguments.check_boolean("deferrable", deferrable)
        early(arguments.identifier, "coupon_list_id", coupon_list_id)
        early(arguments.identifier, "coupon_file_id", coupon_file_id)
        if coupon_file_statuses is not None:
            Statuses.of(coupon_file_statuses)
        expect_counts(min_coupons_added, max_duplicates)

    def execute(self, context: Context) -> Any:
        """Poll the file until it is processed, in the way that ``mode`` and ``deferrable`` say."""
        with explained_errors(), skipping(self.soft_fail or self.never_fail):
            self.check_rendered()
            self._wait = self._new_wait(context)
            if self.deferrable:
                return self._poll_once_and_defer(context, self._wait)
            try:
                return super().execute(context)
            except WesSensorTimeoutError as error:
                return self._end(Failed(error), context, self.hook.settings.count_names)
            except AirflowSensorTimeout:
                # Airflow has a clock of its own.
                late = self._wait.timed_out(None, time.time())
                return self._end(Failed(late), context, self.hook.settings.count_names)

    def _poll_once_and_defer(self, context: Context, wait: CouponFileWait) -> dict[str, Any]:
        count_names = self.hook.settings.count_names
        step = self._poll(wait)
        if isinstance(step, PollAgain):
            self.defer_until_processed([wait], count_names)
        return self._end(step, context, count_names)

    def poke(self, context: Context) -> PokeReturnValue:
        """Poll the file once."""
        if self._wait is None:
            self._wait = self._new_wait(context)
        wait = self._wait
        step = self._poll(wait)
        while self.reschedule and wait.refused_since and isinstance(step, PollAgain):
            # On the worker, since no other process knows since when the key is refused.
            time.sleep(min(step.seconds, REFUSED_INTERVAL))
            step = self._poll(wait)
        if isinstance(step, Failed):
            # Without the connection, which may be what has failed.
            self._fail(step.error, context)
        if not isinstance(step, PollAgain):
            result = self._end(step, context, self._settings().count_names)
            return PokeReturnValue(is_done=True, xcom_value=result)
        self.poke_interval = self._seconds_until_next_poke(wait)
        return PokeReturnValue(is_done=False)

    def _seconds_until_next_poke(self, wait: CouponFileWait) -> float:
        """
        Have the last poke at the deadline, so that all modes end alike: it still sees a file that
        is processed late.
        """
        soonest = SOONEST_RESTART if self.reschedule else 0.0
        until_deadline = max(wait.deadline - time.time(), soonest)
        return min(max(wait.poll_interval, 1.0), until_deadline)

    def execute_complete(self, context: Context, event: Any = None) -> dict[str, Any]:
        """Go on after the wait in the triggerer; Airflow calls this with the trigger's event."""
        with explained_errors(), skipping(self.soft_fail or self.never_fail):
            outcomes = list(load_outcomes(event).values())
            if len(outcomes) != 1:
                raise WesError(
                    f"The trigger's event is of {len(outcomes)} coupon files, not of one"
                )
            count_names = load_count_names(event) or self.hook.settings.count_names
            return self._end(outcomes[0], context, count_names)

    def _poll(self, wait: CouponFileWait) -> Step:
        polled: CouponFile | WesError
        try:
            polled = self._read_file(wait)
        except WesError as error:
            polled = error
        step = wait.decide(polled, time.time())
        if wait.refused_since:
            self._forget_connection()
        if not isinstance(step, PollAgain):
            record_wait(step)
        elif step.note is not None:
            level, text = step.note
            self.log.log(level, "%s", text)
        return step

    def _read_file(self, wait: CouponFileWait) -> CouponFile:
        """Read the file; if the key is refused, once more if the connection has changed since."""
        settings = self._settings()
        wait.statuses = Statuses.of(self.coupon_file_statuses, settings.statuses)
        try:
            return self.hook.poll_coupon_file(wait.coupon_list_id, wait.coupon_file_id)
        except (WesAuthenticationError, WesForbiddenError):
            self._forget_connection()
            if self._settings() == settings:
                raise
        return self.hook.poll_coupon_file(wait.coupon_list_id, wait.coupon_file_id)

    def _forget_connection(self) -> None:
        """Have the next poll read the connection again."""
        self.hook.get_conn().close()
        del self.hook

    def _settings(self) -> WesSettings:
        """Read the connection's settings; a wait outlives a connection that cannot be read now."""
        try:
            return self.hook.settings
        except WesError as error:
            raise WesUnreadableConnectionError(f"The connection cannot be read: {error}") from None
        except Exception as error:
            # A secrets backend's message may hold anything.
            kind = type(error).__name__
            raise WesUnreadableConnectionError(f"The connection cannot be read: {kind}") from None

    def _new_wait(self, context: Context) -> CouponFileWait:
        first_start = first_start_of(context) if self.reschedule else None
        if first_start is None:
            started = start_of(context)
            # Reads the connection, or fails the task.
            self.link(context, "coupon-list", self.coupon_list_id)
        else:
            started = first_start
            self.keep_link(context)
        if self.reschedule:
            # Airflow starts the clock of execution_timeout again with each reschedule.
            deadline = started + self.timeout
        else:
            deadline = earliest(started + self.timeout, self.ends_at(context, began=started))
        return CouponFileWait(
            arguments.identifier("coupon_list_id", self.coupon_list_id),
            arguments.identifier("coupon_file_id", self.coupon_file_id),
            started=started,
            deadline=deadline,
            poll_interval=self.poke_interval,
            # A refused key would have failed the first poke, unless the service was away then.
            outlives_refused_key=first_start is not None,
        )

    def _end(self, outcome: Outcome, context: Any, count_names: CountNames) -> dict[str, Any]:
        if isinstance(outcome, Failed):
            self._fail(outcome.error, context)
        file = outcome.file
        expected = expect_counts(self.min_coupons_added, self.max_duplicates)
        level, text = check_counts([file], count_names, expected)
        self.log.log(level, "%s", text)
        self.log.info("%s", about(f"Processed: {file.status}", file.coupon_list_id, file.title))
        assets.describe_events(self, context, file.summary())
        record_counts(file.coupon_list_id, count_names.read([file]))
        return file.summary()

    def _fail(self, error: WesError, context: Any) -> NoReturn:
        if isinstance(error, WesCouponFileFailedError) and error.coupon_file:
            context["ti"].xcom_push(key="coupon_file", value=error.coupon_file)
        if isinstance(error, WesTimeoutError):
            raise WesSensorTimeoutError(str(error), reason=error.reason)
        raise error


@contextmanager
def skipping(wanted: bool) -> Iterator[None]:
    """Skip the task instead of failing it."""
    try:
        yield
    except WesError as error:
        if wanted:
            raise AirflowSkipException(f"{type(error).__name__}: {error}") from error
        raise


def first_start_of(context: Context) -> float | None:
    """Return when a rescheduling sensor was first started, epoch seconds; ``None`` if now."""
    read_first_start = getattr(context["ti"], "get_first_reschedule_date", None)
    if read_first_start is None:
        # Airflow 2.11 has no such method, and keeps the first start as start_date. A process that
        # starts later than Airflow can reschedule is taken for a later one.
        started = start_of(context)
        was_started_before = time.time() - started >= SOONEST_RESTART
        return started if was_started_before else None
    first_start = read_first_start(context)
    return float(first_start.timestamp()) if first_start else None
