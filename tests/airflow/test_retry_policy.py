"""Which failures Airflow retries, and when, in real task runs."""

from __future__ import annotations

import json

import pytest

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator, faults
from wes_provider.retry_policy import RETRY_POLICIES

needs_policies = pytest.mark.skipif(not RETRY_POLICIES, reason="Airflow has retry policies from 3.3 on")

UPLOAD = "upload_coupon_file"
TASK = (
    "WesUploadCouponFileOperator(task_id='upload', coupon_list_id='list', "
    "file_url='https://files.example.com/a.csv', {arguments})"
)
MAPPED = (
    "WesUploadCouponFileOperator.partial(task_id='upload', coupon_list_id='list', {arguments})"
    ".expand(file_url=['https://files.example.com/a.csv'])"
)
RETRIES = "retries=2, retry_delay=timedelta(0)"
USERS_POLICY = """
from airflow.sdk import ExceptionRetryPolicy, RetryAction, RetryRule
from wes_provider.exceptions import WesError

policy = ExceptionRetryPolicy(rules=[
    RetryRule(exception=WesError, action=RetryAction.RETRY, retry_delay=timedelta(0), reason="mine")
])
"""


@pytest.fixture
def connected(site: AirflowSite, wes_emulator: Emulator) -> AirflowSite:
    """A site whose connection leads to the emulator, and does not wait for limits itself."""
    site.env["AIRFLOW_CONN_WES_DEFAULT"] = json.dumps(wes_emulator.connection(extra={"max_rate_limit_wait": 0}))
    return site


def wrong_key(site: AirflowSite, emulator: Emulator) -> None:
    site.env["AIRFLOW_CONN_WES_DEFAULT"] = json.dumps(emulator.connection(password="wrong"))


@pytest.mark.parametrize(("task", "map_index"), [(TASK, -1), (MAPPED, 0)], ids=["plain", "mapped"])
def test_a_permanent_error_fails_at_once(connected: AirflowSite, wes_emulator: Emulator, task: str, map_index: int):
    wrong_key(connected, wes_emulator)
    run = connected.run(task.format(arguments=RETRIES))
    assert run.state == "failed"
    assert [request.status for request in wes_emulator.requests_for(UPLOAD)] == [401]
    (failure,) = run.failures("upload", map_index)
    expected = "wes_provider.exceptions.WesAuthenticationError" if RETRY_POLICIES else "AirflowFailException"
    assert any(base.endswith(expected) for base in failure.bases)
    assert "401" in failure.message


def test_an_error_that_may_pass_is_retried(connected: AirflowSite, wes_emulator: Emulator):
    connected.env["AIRFLOW_CONN_WES_DEFAULT"] = json.dumps(
        {**wes_emulator.connection(extra={"max_attempts": 1}), "host": "http://127.0.0.1:9"}
    )
    run = connected.run(TASK.format(arguments=RETRIES))
    assert [failure.try_number for failure in run.failures("upload")] == [1, 2, 3]


@needs_policies
def test_a_rate_limit_is_retried_when_it_resets(connected: AirflowSite, wes_emulator: Emulator):
    """The task's own delay is an hour. Plain and mapped tasks, which have it in each way, wait at the same time."""
    wes_emulator.configure(limits=None)  # none but those that the tasks are told of
    delays = "retries=1, retry_delay=timedelta(hours=1)"
    lines, map_indexes = [], {}
    for kind, (task, map_index) in {"plain": (TASK, -1), "mapped": (MAPPED, 0)}.items():
        for by, arguments in {"argument": delays, "default_args": f"default_args=dict({delays})"}.items():
            name = f"{kind}_{by}"
            wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=3), list_id=name)
            line = task.format(arguments=arguments)
            lines.append(line.replace("task_id='upload'", f"task_id='{name}'").replace("'list'", f"'{name}'"))
            map_indexes[name] = map_index
    run = connected.run("\n".join(lines))
    assert run.state == "success"
    for name, map_index in map_indexes.items():
        refused, accepted = (r for r in wes_emulator.requests_for(UPLOAD) if f"/{name}/" in r.raw_path)
        assert (refused.status, accepted.status) == (429, 201), name
        assert accepted.time - refused.time >= 3
        (failure,) = run.failures(name, map_index)
        assert failure.type == "wes_provider.exceptions.WesRateLimitError"


@needs_policies
@pytest.mark.parametrize(("task", "map_index"), [(TASK, -1), (MAPPED, 0)], ids=["plain", "mapped"])
@pytest.mark.parametrize("by", ["argument", "default_args"])
def test_the_users_policy_wins(connected: AirflowSite, wes_emulator: Emulator, task: str, map_index: int, by: str):
    wrong_key(connected, wes_emulator)
    arguments = f"{RETRIES}, " + (
        "retry_policy=policy" if by == "argument" else "default_args={'retry_policy': policy}"
    )
    run = connected.run(USERS_POLICY + task.format(arguments=arguments))
    assert [failure.try_number for failure in run.failures("upload", map_index)] == [1, 2, 3]
