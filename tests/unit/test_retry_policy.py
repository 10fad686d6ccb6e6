"""What the retry policy decides about each error."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from wes_provider.exceptions import (
    WesAuthenticationError,
    WesConnectionError,
    WesError,
    WesRateLimitError,
    WesServerError,
    WesTimeoutError,
)
from wes_provider.retry_policy import RETRY_POLICIES, default_retry_policy, explained_errors

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

needs_policies = pytest.mark.skipif(
    not RETRY_POLICIES, reason="Airflow has retry policies from 3.3 on"
)


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
@pytest.mark.parametrize(
    ("hours", "seconds"),
    [
        pytest.param(5, 5 * 3600, id="a reset 5 h ahead: in 5 h"),
        pytest.param(-5, 15, id="a reset 5 h ago: in 15 s, the least"),
    ],
)
def test_the_policy_retries_when_the_limit_resets(hours: int, seconds: float):
    from wes_provider.retry_policy import WesRetryPolicy

    error = WesRateLimitError("429", reset_at=datetime.now(timezone.utc) + timedelta(hours=hours))
    decision = WesRetryPolicy().evaluate(error, 1, 3)
    assert decision.action.name.lower() == "retry"
    assert decision.retry_delay.total_seconds() == pytest.approx(seconds, abs=120)
    assert decision.retry_delay.total_seconds() >= 15


def test_a_task_has_the_policy_unless_it_has_one_or_airflow_has_none(mocker: MockerFixture):
    plain, own = SimpleNamespace(retry_policy=None), SimpleNamespace(retry_policy="own")
    for task in (plain, own):
        default_retry_policy(task)
    assert type(plain.retry_policy).__name__ == ("WesRetryPolicy" if RETRY_POLICIES else "NoneType")
    assert own.retry_policy == "own"
    mocker.patch("wes_provider.retry_policy.RETRY_POLICIES", False)
    task = SimpleNamespace(retry_policy=None)
    default_retry_policy(task)
    assert task.retry_policy is None


@pytest.mark.parametrize("policies", [True, False], ids=["policies", "no policies"])
def test_an_error_that_a_retry_may_help_stays_as_it_is(mocker: MockerFixture, policies: bool):
    mocker.patch("wes_provider.retry_policy.RETRY_POLICIES", policies)
    with pytest.raises(WesTimeoutError), explained_errors():
        raise WesTimeoutError("late")


def test_with_policies_an_error_that_no_retry_helps_stays_as_it_is(mocker: MockerFixture):
    mocker.patch("wes_provider.retry_policy.RETRY_POLICIES", True)
    with pytest.raises(WesAuthenticationError, match=r"^401\nhttps:"), explained_errors():
        raise WesAuthenticationError("401", status_code=401)


def test_without_policies_an_error_that_no_retry_helps_fails_the_task(mocker: MockerFixture):
    mocker.patch("wes_provider.retry_policy.RETRY_POLICIES", False)
    with (
        pytest.raises(AirflowFailException, match=r"^WesAuthenticationError: 401\nhttps:"),
        explained_errors(),
    ):
        raise WesAuthenticationError("401", status_code=401)
