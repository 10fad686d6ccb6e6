"""
What is tried again, when, and how often: written once, for both drivers.

tenacity does the retrying; its stop, wait and retry objects are the same for ``Retrying`` and
``AsyncRetrying``, and :func:`retrying_arguments` makes them from the settings.
"""

from __future__ import annotations

import logging
import random
from datetime import datetime, timezone
from typing import Any, Final

import tenacity

from wes_provider.client.events import report
from wes_provider.client.operations import NOT_KNOWN, Request
from wes_provider.client.settings import WesSettings
from wes_provider.exceptions import (
    WesConnectionError,
    WesError,
    WesRateLimitError,
    WesResponseError,
    WesServerError,
    WesUnknownOutcomeError,
)

__all__ = ["Attempts", "repeats", "response_lost", "retrying_arguments", "transport_error"]

log = logging.getLogger(__name__)

REPEATABLE_STATUS_CODES: Final = frozenset({408, 499, 500, 502, 503, 504})
FIRST_BACKOFF: Final = 0.5  # seconds, doubled with each attempt
LONGEST_BACKOFF: Final = 30.0  # seconds
RESET_JITTER: Final = 1.0  # seconds above a reset, never below, so that clients don't come back in one instant

_backoff = tenacity.wait_exponential(multiplier=FIRST_BACKOFF, max=LONGEST_BACKOFF) + tenacity.wait_random(
    0, FIRST_BACKOFF
)


def transport_error(request: Request, why: str, *, sent: bool) -> WesError:
    """
    The error of a request that got no response.

    :param why: what happened to it.
    :param sent: whether any of it went to an established connection, and so to the service or a gateway.
    """
    if sent:
        return response_lost(request, f"no response: {why}")
    address = "/".join(request.url.split("/")[:3])
    return WesConnectionError(request.message(f"the service was not reached at {address}", why))


def response_lost(request: Request, why: str, status_code: int | None = None) -> WesUnknownOutcomeError:
    """
    The error of a request that was sent, at least in part, and whose response did not come whole.

    :param why: what happened to it.
    :param status_code: the status code of the response, if that much of it came.
    """
    if request.after_success and status_code is not None and 200 <= status_code < 300:
        text = request.message(f"{status_code}, but {why}", request.after_success)
        return WesUnknownOutcomeError(text, permanent=True, status_code=status_code)
    text = request.message(why, "" if request.method == "GET" else NOT_KNOWN)
    return WesUnknownOutcomeError(text, permanent=not request.repeatable, status_code=status_code)


class Attempts:
    """
    The attempts of one call, each a ``with`` block. An error shows if the outcome of an earlier attempt is unknown.

    That explains a last response such as "exists already" after a lost response.
    """

    def __init__(self, request: Request) -> None:
        self._request = request
        self._begun = False
        self._unknown = ""

    def __enter__(self) -> None:
        if self._begun:
            report("retries", self._request.operation)
        self._begun = True

    def __exit__(self, error_class: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, WesError) and self._unknown:
            error.after_unknown = self._unknown
        if isinstance(error, (WesServerError, WesUnknownOutcomeError)):
            self._unknown = str(error)
            if self._request.method != "GET":  # of a read there is none
                report("unknown_outcomes", self._request.operation)


def retrying_arguments(settings: WesSettings) -> dict[str, Any]:
    """Arguments for tenacity's ``Retrying`` and ``AsyncRetrying`` alike."""
    return {
        "stop": tenacity.stop_after_attempt(settings.max_attempts),
        "retry": repeats(settings.max_rate_limit_wait),
        "wait": seconds_before_next,
        "before_sleep": _log_progress,
        "reraise": True,
    }


def repeats(max_rate_limit_wait: float | None) -> tenacity.retry_if_exception:
    """:func:`worth_repeating` as tenacity takes it."""
    return tenacity.retry_if_exception(lambda error: worth_repeating(error, max_rate_limit_wait))


def worth_repeating(error: BaseException, max_rate_limit_wait: float | None) -> bool:
    """
    Whether a request is sent again after ``error``.

    Always after a refusal by the rate limit, and if the request never arrived. Also after a lost response and a 5xx,
    except for an upload: the clients raise ``WesUnknownOutcomeError`` then, which is not repeated.

    :param max_rate_limit_wait: seconds; ``None`` if the caller waits for the rate limit itself.
    """
    if isinstance(error, WesRateLimitError):
        if max_rate_limit_wait is None:
            return False
        return error.reset_at is None or until(error.reset_at) <= max_rate_limit_wait
    if isinstance(error, WesResponseError):
        return error.status_code in REPEATABLE_STATUS_CODES
    if isinstance(error, WesUnknownOutcomeError):
        return not error.permanent
    return isinstance(error, WesConnectionError)


def until(moment: datetime) -> float:
    """Seconds until a moment; zero if it is past."""
    return max(0.0, (moment - datetime.now(timezone.utc)).total_seconds())


def seconds_before_next(state: tenacity.RetryCallState) -> float:
    """How long to wait after a failed attempt: until the rate limit resets, else exponential backoff."""
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, WesRateLimitError) and error.reset_at is not None:
        return until(error.reset_at) + random.random() * RESET_JITTER  # noqa: S311 - spreads load
    return _backoff(state)


def _log_progress(state: tenacity.RetryCallState) -> None:
    error = state.outcome.exception() if state.outcome else None
    level = logging.INFO if isinstance(error, WesRateLimitError) else logging.WARNING
    seconds = state.next_action.sleep if state.next_action else 0.0
    if isinstance(error, WesError):
        log.log(level, "%s\nTrying again in %.1f s (attempt %d)", error, seconds, state.attempt_number + 1)
