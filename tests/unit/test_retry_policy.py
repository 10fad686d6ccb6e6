"""
What Airflow retries. From Airflow 3.3 on, the retry policy fails a task after a permanent error.
After a rate limit with a reset, if the task has a try left, it retries at the reset, in 15 s at the
soonest. It leaves any other error, also one that is not ours and a rate limit without a reset, to
the task's arguments. A task gets this policy unless it has one of its own.

Before Airflow 3.3, a task gets no policy, and a permanent error becomes AirflowFailException, whose
text begins with the name of its class. All other errors keep their class, and so do permanent ones
where there are policies. Each of ours ends with the address of a page; one that is not ours stays
as it is.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

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


def decision_on(error: Exception, try_number: int = 1) -> Any:
    """What the policy decides after one of three tries."""
    from wes_provider.retry_policy import WesRetryPolicy

    return WesRetryPolicy().evaluate(error, try_number, 3)


PERMANENT: dict[str, WesError] = {
    "401": WesAuthenticationError("401", status_code=401),
    "the class of all our errors, permanent": WesError("odd", permanent=True),
}
# Those that a retry may help.
OURS: dict[str, WesError] = {
    "503": WesServerError("503", status_code=503),
    "no connection": WesConnectionError("refused"),
    "a timeout": WesTimeoutError("late"),
    "the class of all our errors": WesError("odd"),
    "429 without a reset": WesRateLimitError("429"),
}
NOT_OURS: dict[str, Exception] = {
    "ValueError": ValueError("not ours"),
    "OSError": OSError("not ours"),
}


@needs_policies
@pytest.mark.parametrize("error", PERMANENT.values(), ids=PERMANENT)
def test_after_a_permanent_error_the_policy_fails_the_task(error: WesError):
    assert decision_on(error).action.name == "FAIL"


@needs_policies
@pytest.mark.parametrize("error", [*OURS.values(), *NOT_OURS.values()], ids=[*OURS, *NOT_OURS])
def test_after_any_other_error_the_policy_leaves_it_to_the_tasks_arguments(error: Exception):
    decision = decision_on(error)
    assert decision.action.name == "DEFAULT"
    assert decision.retry_delay is None


def delay_before(reset: timedelta, try_number: int = 1) -> float:
    """Seconds until the retry after a rate limit that resets in so long."""
    error = WesRateLimitError("429", reset_at=datetime.now(timezone.utc) + reset)
    decision = decision_on(error, try_number)
    assert decision.action.name == "RETRY"
    return float(decision.retry_delay.total_seconds())


@needs_policies
@pytest.mark.parametrize("seconds", [40, 18_000, 86_400], ids=["40 s", "5 h", "a day"])
def test_the_policy_retries_when_the_limit_resets(seconds: int):
    assert seconds - 10 < delay_before(timedelta(seconds=seconds)) <= seconds


@needs_policies
@pytest.mark.parametrize("try_number", [2, 3])
def test_the_policy_decides_the_same_after_each_try(try_number: int):
    """Airflow asks it only if the task has a try left."""
    assert delay_before(timedelta(seconds=14), try_number) == 15


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


either_way = pytest.mark.parametrize("policies", [True, False], ids=["policies", "no policies"])
PAGE = "https://airflow-provider-wes.readthedocs.io/en/stable/red-task.html"


def raised_after(error: Exception) -> Exception:
    """The exception that a task ends with after an error."""
    with pytest.raises((AirflowFailException, type(error))) as raised, explained_errors():
        raise error
    return raised.value


@either_way
@pytest.mark.parametrize("error", OURS.values(), ids=OURS)
def test_an_error_that_a_retry_may_help_keeps_its_class(
    mocker: MockerFixture, policies: bool, error: WesError
):
    mocker.patch("wes_provider.retry_policy.RETRY_POLICIES", policies)
    assert raised_after(error) is error


@pytest.mark.parametrize("error", PERMANENT.values(), ids=PERMANENT)
def test_with_policies_an_error_that_no_retry_helps_keeps_its_class(
    mocker: MockerFixture, error: WesError
):
    mocker.patch("wes_provider.retry_policy.RETRY_POLICIES", True)
    assert raised_after(error) is error


@pytest.mark.parametrize("permanent", [True, False], ids=["permanent", "a retry may help"])
def test_an_error_of_ours_ends_with_the_address_of_a_page(mocker: MockerFixture, permanent: bool):
    mocker.patch("wes_provider.retry_policy.RETRY_POLICIES", True)
    assert str(raised_after(WesError("odd", permanent=permanent))) == f"odd\n{PAGE}"


class Failing(NamedTuple):
    """A permanent error, and the whole text of the exception that fails its task."""

    error: WesError
    text: str


FAILING = {
    "401": Failing(
        WesAuthenticationError("401", status_code=401), f"WesAuthenticationError: 401\n{PAGE}"
    ),
    "the class of all our errors": Failing(
        WesError("odd", permanent=True), f"WesError: odd\n{PAGE}"
    ),
}


@pytest.mark.parametrize("row", FAILING.values(), ids=FAILING)
def test_without_policies_an_error_that_no_retry_helps_fails_the_task(
    mocker: MockerFixture, row: Failing
):
    mocker.patch("wes_provider.retry_policy.RETRY_POLICIES", False)
    raised = raised_after(row.error)
    assert type(raised) is AirflowFailException
    assert str(raised) == row.text


@either_way
@pytest.mark.parametrize("error", NOT_OURS.values(), ids=NOT_OURS)
def test_an_error_that_is_not_ours_stays_as_it_is(
    mocker: MockerFixture, policies: bool, error: Exception
):
    mocker.patch("wes_provider.retry_policy.RETRY_POLICIES", policies)
    raised = raised_after(error)
    assert raised is error
    assert str(raised) == "not ours"
