"""
Which failures Airflow retries, and when.

On Airflow 3.3 and later a retry policy, which sees the typed exception; before that
``AirflowFailException``, which stops the retries but hides the type.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Final

from airflow.providers.common.compat.sdk import AirflowFailException

from wes_provider.exceptions import WesError, WesRateLimitError
from wes_provider.texts import PAGES

try:
    from airflow.sdk.definitions.retry_policy import RetryDecision, RetryPolicy
except ImportError:  # before Airflow 3.3
    RETRY_POLICIES = False
else:
    RETRY_POLICIES = True

if TYPE_CHECKING:
    from airflow.sdk import Context

__all__: list[str] = []

# Seconds before a task may start again. Airflow needs a heartbeat or two to notice that its last
# process has ended, and fails a task that is due before that.
SOONEST_RESTART: Final = 15.0

if RETRY_POLICIES:
    __all__ += ["WesRetryPolicy"]

    class WesRetryPolicy(RetryPolicy):
        """
        Fails at once if a retry cannot help. After a rate-limit error, retries when the limit
        resets.

        The default of the operators and the sensor on Airflow 3.3 and later; your own
        ``retry_policy`` replaces it. It never retries sooner than Airflow needs to notice that the
        last attempt is over. It does not change the task's own ``retry_delay``.
        """

        def evaluate(
            self,
            exception: BaseException,
            try_number: int,  # noqa: ARG002 - Airflow's signature
            max_tries: int,  # noqa: ARG002
            context: Context | None = None,  # noqa: ARG002
        ) -> RetryDecision:
            """Decide, on the worker, what follows from the exception that ended the attempt."""
            if isinstance(exception, WesRateLimitError) and exception.reset_at is not None:
                left = exception.reset_at - datetime.now(timezone.utc)
                delay = max(left, timedelta(seconds=SOONEST_RESTART))
                return RetryDecision.retry(delay=delay, reason="the rate limit resets then")
            if isinstance(exception, WesError) and exception.permanent:
                return RetryDecision.fail(reason=str(exception)[:500])
            return RetryDecision.default()

    # It has no state, so all tasks share it.
    _DEFAULT = WesRetryPolicy()


def default_retry_policy(task: Any) -> None:
    """Give a task the provider's policy, if it has none and Airflow has such a thing."""
    if RETRY_POLICIES and task.retry_policy is None:
        task.retry_policy = _DEFAULT


@contextmanager
def explained_errors() -> Iterator[None]:
    """
    End each error of a task with the address of the page about it.

    If Airflow has no retry policies, also end a task's retries after an error that they cannot
    help.
    """
    try:
        yield
    except WesError as error:
        if PAGES not in str(error):
            error.add(f"{PAGES}red-task.html")
        if error.permanent and not RETRY_POLICIES:
            raise AirflowFailException(f"{type(error).__name__}: {error}") from error
        raise
