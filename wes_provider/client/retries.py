"""What the client sends again, when, and how often; tenacity does the retrying."""

from __future__ import annotations

import logging
import random
from datetime import datetime, timezone
from typing import Final

import tenacity

from wes_provider.contract import Operation
from wes_provider.exceptions import WesError, WesRateLimitError
from wes_provider.settings import WesSettings

log = logging.getLogger(__name__)

FIRST_BACKOFF: Final = 0.5  # seconds, doubled with each attempt
LONGEST_BACKOFF: Final = 30.0  # seconds
# Seconds above a reset, never below, so that clients don't come back in one instant.
RESET_JITTER: Final = 1.0

_backoff = tenacity.wait_exponential(FIRST_BACKOFF, max=LONGEST_BACKOFF) + tenacity.wait_random(
    0, FIRST_BACKOFF
)


def retrying(
    settings: WesSettings, operation: Operation, *, wait_for_limits: bool
) -> tenacity.Retrying:
    """
    Return the policy of a connection for an operation.

    :param wait_for_limits: repeat a request after a refusal by the rate limit; else that is raised
        at once.
    """

    def is_worth_repeating(error: BaseException) -> bool:
        if isinstance(error, WesRateLimitError):
            return wait_for_limits and resets_soon(error, settings.max_rate_limit_wait)
        return isinstance(error, WesError) and may_repeat(error, operation)

    return tenacity.Retrying(
        stop=tenacity.stop_after_attempt(settings.max_attempts),
        retry=tenacity.retry_if_exception(is_worth_repeating),
        wait=seconds_before_next,
        before_sleep=_log,
        reraise=True,
    )


def may_repeat(error: WesError, operation: Operation) -> bool:
    """
    Return whether a request may be sent again after an error: if that may help, and the request had
    no effect or the operation is repeatable.
    """
    if error.may_have_effect and not operation.repeatable:
        return False
    return error.client_repeats


def resets_soon(error: WesRateLimitError, longest: float) -> bool:
    """
    Return whether a rate limit resets within ``longest`` seconds; if the response does not say
    when, it is taken to.
    """
    return error.reset_at is None or seconds_until(error.reset_at) <= longest


def seconds_until(moment: datetime) -> float:
    """Return the seconds until a moment; zero if it is past."""
    return max(0.0, (moment - datetime.now(timezone.utc)).total_seconds())


def seconds_before_next(state: tenacity.RetryCallState) -> float:
    """
    Return how long to wait after a failed attempt: until the rate limit resets, else exponential
    backoff.
    """
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, WesRateLimitError) and error.reset_at is not None:
        jitter = random.random() * RESET_JITTER  # noqa: S311 - spreads load
        return seconds_until(error.reset_at) + jitter
    return _backoff(state)


def _log(state: tenacity.RetryCallState) -> None:
    error = state.outcome.exception() if state.outcome else None
    seconds = state.next_action.sleep if state.next_action else 0.0
    # Without the advice that follows the first line: it is for a task that has failed.
    log.warning(
        "%s\nTrying again in %.1f s, attempt %d",
        getattr(error, "reason", error),
        seconds,
        state.attempt_number + 1,
    )
