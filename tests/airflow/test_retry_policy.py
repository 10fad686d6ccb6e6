"""Which failures Airflow retries, and when, in real task runs."""

from __future__ import annotations

import json

import pytest

from support.airflow_site import AirflowSite
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


@pytest.mark.ci("unit/test_retry_policy has each error")
def test_errors_that_a_retry_may_help_are_retried_unless_a_policy_says_so(
    site: AirflowSite, wes_emulator: Emulator
):
    away = {**wes_emulator.connection(extra={"max_attempts": 1}), "host": "http://127.0.0.1:9"}
    site.env = {
        **wes_emulator.connection_env(password="wrong"),
        "AIRFLOW_CONN_AWAY": json.dumps(away),
    }
    run = site.run(
        f"{TASKS}\nplain('plain', {WITHOUT_DELAY})\nmapped('mapped', {WITHOUT_DELAY})\n"
        f"plain('away', wes_conn_id='away', {WITHOUT_DELAY})\n"
        + (USERS_POLICY if RETRY_POLICIES else "")
    )
    attempts = {ti.task_id: run.failures(ti.task_id, ti.map_index) for ti in run.tis()}
    expected = (
        "wes_provider.exceptions.WesAuthenticationError"
        if RETRY_POLICIES
        else "AirflowFailException"
    )
    for name in ("plain", "mapped"):
        (failure,) = attempts.pop(name)
        assert any(base.endswith(expected) for base in failure.bases)
        assert "401" in failure.message
        assert len([r for r in wes_emulator.requests_for(UPLOAD) if f"/{name}/" in r.raw_path]) == 1
    assert len(attempts) == (5 if RETRY_POLICIES else 1)
    for name, failures in attempts.items():
        assert [failure.try_number for failure in failures] == [1, 2, 3], name


@pytest.mark.skipif(not RETRY_POLICIES, reason="Airflow has retry policies from 3.3 on")
def test_a_rate_limit_is_retried_when_it_resets(site: AirflowSite, wes_emulator: Emulator):
    """
    The task's own delay is an hour. Plain and mapped tasks, which have it in each way, wait at the
    same time.
    """
    site.env = wes_emulator.connection_env(extra={"max_rate_limit_wait": 0})
    wes_emulator.configure(limits=None)  # none but those that the tasks are told of
    names = ("plain_argument", "plain_default_args", "mapped_argument", "mapped_default_args")
    for name in names:
        wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=3), list_id=name)
    run = site.run(
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
            r for r in wes_emulator.requests_for(UPLOAD) if f"/{ti.task_id}/" in r.raw_path
        )
        assert (refused.status, accepted.status) == (429, 201), ti.task_id
        assert accepted.time - refused.time >= 3
        (failure,) = run.failures(ti.task_id, ti.map_index)
        assert failure.type == "wes_provider.exceptions.WesRateLimitError"
