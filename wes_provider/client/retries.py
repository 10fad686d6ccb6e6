"""What is tried again, when, and how often; tenacity does the retrying."""

from __future__ import annotations

import logging
import random
from datetime import datetime, timezone
from typing import Final

import tenacity

from wes_provider.exceptions import (
    WesConnectionError,
    WesRateLimitError,
    WesResponseError,
    WesUnknownOutcomeError,
)
from wes_provider.settings import WesSettings

__all__ = ["retrying"]

log = logging.getLogger(__name__)

REPEATABLE_STATUS_CODES: Final = frozenset({408, 499, 500, 502, 503, 504})
FIRST_BACKOFF: Final = 0.5  # seconds, doubled with each attempt
LONGEST_BACKOFF: Final = 30.0  # seconds
# Seconds above a reset, never below, so that clients don't come back in one instant.
RESET_JITTER: Final = 1.0

_backoff = tenacity.wait_exponential(FIRST_BACKOFF, max=LONGEST_BACKOFF) + tenacity.wait_random(
    0, FIRST_BACKOFF
)


def retrying(settings: WesSettings, *, wait_for_limits: bool = True) -> tenacity.Retrying:
    """
    The policy of a connection.

    :param wait_for_limits: repeat a request after a refusal by the rate limit; else that is raised
        at once.
    """
    longest = settings.max_rate_limit_wait if wait_for_limits else None
    return tenacity.Retrying(
        stop=tenacity.stop_after_attempt(settings.max_attempts),
        retry=tenacity.retry_if_exception(lambda error: worth_repeating(error, longest)),
        wait=seconds_before_next,
        before_sleep=_log,
        reraise=True,
    )


def worth_repeating(error: BaseException, max_rate_limit_wait: float | None) -> bool:
    """
    Whether a request is sent again after ``error``.

    If the request never arrived; after a lost response and a 5xx, except for an upload, whose
    errors are permanent then; and after a refusal by the rate limit that is not too long.

    :param max_rate_limit_wait: seconds; ``None`` if the caller waits for the rate limit itself.
    """
    if isinstance(error, WesRateLimitError):
        if max_rate_limit_wait is None:
            return False
        return error.reset_at is None or until(error.reset_at) <= max_rate_limit_wait
    if isinstance(error, WesResponseError):
        return error.status_code in REPEATABLE_STATUS_CODES
    return isinstance(error, (WesConnectionError, WesUnknownOutcomeError)) and not error.permanent


def until(moment: datetime) -> float:
    """Seconds until a moment; zero if it is past."""
    return max(0.0, (moment - datetime.now(timezone.utc)).total_seconds())


def seconds_before_next(state: tenacity.RetryCallState) -> float:
    """
    How long to wait after a failed attempt: until the rate limit resets, else exponential backoff.
    """
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, WesRateLimitError) and error.reset_at is not None:
        return until(error.reset_at) + random.random() * RESET_JITTER  # noqa: S311 - spreads load
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
