"""
What Airflow retries. From Airflow 3.3 on, the retry policy fails a task after a permanent error;
after a rate limit with a reset it retries at the reset, in 15 s at the soonest; and it leaves any
other error, also one that is not ours and a rate limit without a reset, to the task's arguments. A
task gets this policy unless it has one of its own.

Before Airflow 3.3, a task gets no policy, and a permanent error becomes AirflowFailException, whose
text begins with the name of its class. All other errors stay as they are, and so do permanent ones
where there are policies.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

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


def decision_on(error: Exception) -> Any:
    """What the policy decides after the first of three tries."""
    from wes_provider.retry_policy import WesRetryPolicy

    return WesRetryPolicy().evaluate(error, 1, 3)


@needs_policies
def test_after_a_permanent_error_the_policy_fails_the_task():
    decision = decision_on(WesAuthenticationError("401", status_code=401))
    assert decision.action.name == "FAIL"


DEFAULTS = {
    "503": WesServerError("503", status_code=503),
    "no connection": WesConnectionError("refused"),
    "a timeout": WesTimeoutError("late"),
    "the class of all our errors": WesError("odd"),
    "no error of ours": ValueError("no error of ours"),
    "429 without a reset": WesRateLimitError("429"),
}


@needs_policies
@pytest.mark.parametrize("error", DEFAULTS.values(), ids=DEFAULTS)
def test_after_any_other_error_the_policy_leaves_it_to_the_tasks_arguments(error: Exception):
    decision = decision_on(error)
    assert decision.action.name == "DEFAULT"
    assert decision.retry_delay is None


def delay_before(reset: timedelta) -> float:
    """Seconds until the retry after a rate limit that resets in so long."""
    decision = decision_on(WesRateLimitError("429", reset_at=datetime.now(timezone.utc) + reset))
    assert decision.action.name == "RETRY"
    return float(decision.retry_delay.total_seconds())


@needs_policies
def test_the_policy_retries_when_the_limit_resets():
    assert 5 * 3600 - 120 < delay_before(timedelta(hours=5)) <= 5 * 3600


@needs_policies
@pytest.mark.parametrize("seconds", [14, -18_000], ids=["14 s ahead", "5 h ago"])
def test_the_policy_retries_in_15_seconds_at_the_soonest(seconds: int):
    """Airflow needs as long to notice that the last process of a task has ended."""
    assert delay_before(timedelta(seconds=seconds)) == 15


@needs_policies
def test_a_task_without_a_policy_gets_the_providers():
    task = SimpleNamespace(retry_policy=None)
    default_retry_policy(task)
    assert type(task.retry_policy).__name__ == "WesRetryPolicy"


def test_a_task_keeps_a_policy_of_its_own():
    task = SimpleNamespace(retry_policy="own")
    default_retry_policy(task)
    assert task.retry_policy == "own"


def test_a_task_gets_no_policy_if_airflow_has_none(mocker: MockerFixture):
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
