"""
Which failures Airflow retries, and when, in real task runs; the tasks are plain and mapped.

A refused key (401) is not retried, and nothing else is sent: its error is WesAuthenticationError,
or before Airflow 3.3 AirflowFailException. An address where nobody listens is retried as often as
the task says. From Airflow 3.3 on, a retry policy of the user's, as an argument or in
``default_args``, takes the place of ours, so that it may retry a refused key; and a 429 that the
task may not wait for (``max_rate_limit_wait`` of 0) is WesRateLimitError, and is retried when the
limit resets, here after 3 s, though the task's own delay is an hour. Tasks have two retries without
a delay, unless a test says otherwise.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from support.airflow_site import AirflowSite, Run
from wes_provider.emulator import Emulator, faults
from wes_provider.retry_policy import RETRY_POLICIES

UPLOAD = "upload_coupon_file"
TASKS = """
def plain(task_id, **arguments):
    given = dict(coupon_list_id=task_id, file_url="https://files.example.com/a.csv", **arguments)
    return WesUploadCouponFileOperator(task_id=task_id, **given)

def mapped(task_id, **arguments):
    upload = WesUploadCouponFileOperator.partial(task_id=task_id, coupon_list_id=task_id, **arguments)
    return upload.expand(file_url=["https://files.example.com/a.csv"])
"""
WITHOUT_DELAY = "retries=2, retry_delay=timedelta(0)"
USERS_POLICY = f"""
from airflow.sdk import ExceptionRetryPolicy, RetryAction, RetryRule
from wes_provider.exceptions import WesError

rule = RetryRule(exception=WesError, action=RetryAction.RETRY, retry_delay=timedelta(0), reason="mine")
policy = ExceptionRetryPolicy(rules=[rule])
for make in (plain, mapped):
    name = make.__name__
    make(f"{{name}}_argument", retry_policy=policy, {WITHOUT_DELAY})
    make(f"{{name}}_default_args", default_args=dict(retry_policy=policy), {WITHOUT_DELAY})
"""


IN_CI = pytest.mark.ci("unit/test_retry_policy has each error")


class Failed(NamedTuple):
    """The run, and the paths of its uploads."""

    run: Run
    paths: list[str]

    def tries(self, task_id: str) -> list[int]:
        """The numbers of the tries of a task, mapped or not, each of which failed."""
        (ti,) = (ti for ti in self.run.tis() if ti.task_id == task_id)
        return [failure.try_number for failure in self.run.failures(task_id, ti.map_index)]


@pytest.fixture(scope="module")
def failed(module_site: AirflowSite, module_emulator: Emulator) -> Failed:
    """``plain`` and ``mapped`` have a wrong key, and nobody is at the address of ``away``."""
    module_emulator.reset()
    extra = {"max_attempts": 1}
    away = {**module_emulator.connection(extra=extra), "host": "http://127.0.0.1:9"}
    module_site.env = {
        **module_emulator.connection_env(password="wrong"),
        "AIRFLOW_CONN_AWAY": json.dumps(away),
    }
    run = module_site.run(
        f"{TASKS}\nplain('plain', {WITHOUT_DELAY})\nmapped('mapped', {WITHOUT_DELAY})\n"
        f"plain('away', wes_conn_id='away', {WITHOUT_DELAY})\n"
        + (USERS_POLICY if RETRY_POLICIES else "")
    )
    paths = [request.raw_path for request in module_emulator.requests_for(UPLOAD)]
    return Failed(run, paths)


by_kind = pytest.mark.parametrize("task_id", ["plain", "mapped"])


@IN_CI
@by_kind
def test_a_refused_key_is_not_retried(failed: Failed, task_id: str):
    assert failed.tries(task_id) == [1]
    assert len([path for path in failed.paths if f"/{task_id}/" in path]) == 1


@IN_CI
@by_kind
def test_a_refused_key_has_the_error_that_airflow_does_not_retry(failed: Failed, task_id: str):
    """Before Airflow 3.3, the only class that it never retries."""
    error = "AirflowFailException"
    if RETRY_POLICIES:
        error = "wes_provider.exceptions.WesAuthenticationError"
    (ti,) = (ti for ti in failed.run.tis() if ti.task_id == task_id)
    (failure,) = failed.run.failures(task_id, ti.map_index)
    assert any(base.endswith(error) for base in failure.bases)
    assert "401" in failure.message


@IN_CI
def test_an_address_where_nobody_is_is_retried(failed: Failed):
    assert failed.tries("away") == [1, 2, 3]


@IN_CI
@pytest.mark.skipif(not RETRY_POLICIES, reason="Airflow has retry policies from 3.3 on")
@pytest.mark.parametrize("given", ["argument", "default_args"])
@pytest.mark.parametrize("kind", ["plain", "mapped"])
def test_a_refused_key_is_retried_if_a_policy_of_the_users_says_so(
    failed: Failed, kind: str, given: str
):
    assert failed.tries(f"{kind}_{given}") == [1, 2, 3]


@IN_CI
@pytest.mark.skipif(not RETRY_POLICIES, reason="Airflow has retry policies from 3.3 on")
def test_a_rate_limit_is_retried_when_it_resets(
    module_site: AirflowSite, module_emulator: Emulator
):
    """
    The task's own delay is an hour. Plain and mapped tasks, which have it in each way, wait at the
    same time.
    """
    module_emulator.reset()
    module_site.env = module_emulator.connection_env(extra={"max_rate_limit_wait": 0})
    module_emulator.configure(limits=None)  # none but those that the tasks are told of
    names = ("plain_argument", "plain_default_args", "mapped_argument", "mapped_default_args")
    for name in names:
        module_emulator.fail(UPLOAD, faults.rate_limited(reset_in=3), list_id=name)
    run = module_site.run(
        f"""{TASKS}
from wes_provider import retry_policy

retry_policy.SOONEST_RESTART = 1.0  # below the reset, so that nothing else is waited for
for make in (plain, mapped):
    delays = dict(retries=1, retry_delay=timedelta(hours=1))
    make(f"{{make.__name__}}_argument", **delays)
    make(f"{{make.__name__}}_default_args", default_args=delays)
"""
    )
    assert run.state == "success"
    for ti in run.tis():
        refused, accepted = (
            r for r in module_emulator.requests_for(UPLOAD) if f"/{ti.task_id}/" in r.raw_path
        )
        assert (refused.status, accepted.status) == (429, 201), ti.task_id
        assert accepted.time - refused.time >= 3
        (failure,) = run.failures(ti.task_id, ti.map_index)
        assert failure.type == "wes_provider.exceptions.WesRateLimitError"
