"""What the retry policy decides about each error."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from wes_provider.exceptions import (
    WesAuthenticationError,
    WesConnectionError,
    WesError,
    WesRateLimitError,
    WesServerError,
    WesTimeoutError,
)
from wes_provider.retry_policy import RETRY_POLICIES

needs_policies = pytest.mark.skipif(not RETRY_POLICIES, reason="Airflow has retry policies from 3.3 on")


@needs_policies
@pytest.mark.parametrize(
    ("error", "action"),
    [
        (WesAuthenticationError("401", status_code=401), "fail"),
        (WesServerError("503", status_code=503), "default"),
        (WesConnectionError("refused"), "default"),
        (WesTimeoutError("late"), "default"),
        (WesError("odd"), "default"),
        (ValueError("no error of ours"), "default"),
        (WesRateLimitError("429"), "default"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_what_the_policy_says(error: Exception, action: str):
    from wes_provider.retry_policy import WesRetryPolicy

    decision = WesRetryPolicy().evaluate(error, 1, 3)
    assert decision.action.name.lower() == action
    assert decision.retry_delay is None


@needs_policies
@pytest.mark.parametrize(("hours", "seconds"), [(5, 5 * 3600), (-5, 15)])
def test_the_policy_retries_when_the_limit_resets(hours: int, seconds: float):
    from wes_provider.retry_policy import WesRetryPolicy

    error = WesRateLimitError("429", reset_at=datetime.now(timezone.utc) + timedelta(hours=hours))
    decision = WesRetryPolicy().evaluate(error, 1, 3)
    assert decision.action.name.lower() == "retry"
    assert decision.retry_delay.total_seconds() == pytest.approx(seconds, abs=120)
    assert decision.retry_delay.total_seconds() >= 15
