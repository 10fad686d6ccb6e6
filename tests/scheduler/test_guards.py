"""
Guarded updates under a real scheduler: persons who respond or do not, and task processes that are
killed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite, Run, call, wait_until
from wes_provider.emulator import Emulator

STORE = AIRFLOW_VERSION >= (3, 3)  # Airflow has state stores of tasks and of assets
WAITING = "awaiting_input" if STORE else "deferred"
CITIES = [f"city-{number:03}" for number in range(100)]

IMPORTS = """
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))  # not every process of every Airflow finds what is beside a DAG
from crashing import CrashingSegment
from wes_provider.guards import SegmentGuard

@task(task_id="cities")
def cities(**context):
    return context["dag_run"].conf["cities"]

def update(name, retries=0, **guard):
    CrashingSegment(
        task_id=name, segment_id=name, included_filters=all_of(user_attribute("city", values)),
        guard=SegmentGuard(**guard), retries=retries, retry_delay=timedelta(0),
    )

values = cities()
"""


@pytest.fixture(scope="module")
def site(start_site: Callable[..., AirflowSite]) -> AirflowSite:
    # Airflow 2.11 finds a killed task dead again with each poll until its DAG processor has dealt
    # with it.
    env = {"AIRFLOW__SCHEDULER__ZOMBIE_DETECTION_INTERVAL": "10"}
    return start_site(env, beside=["crashing.py"], public_api=True)


def refresh(site: AirflowSite, dag_id: str, cities: list[str], **conf: Any) -> Run:
    return site.trigger(dag_id, conf={"cities": cities, **conf})


def ended(run: Run) -> Run:
    return run.wait(timeout=300)


def sent(service: Emulator, segment_id: str) -> list[list[str]]:
    return [
        json.loads(request.body)["included_filters"]["filters"][0]["value"]
        for request in service.requests
        if request.method == "PATCH" and request.raw_path.endswith(f"/{segment_id}")
    ]


def respond(run: Run, task_id: str, option: int) -> None:
    """Choose one of the options, as a person does on the page of required actions."""
    path = f"dags/{run.dag_id}/dagRuns/{run.run_id}/taskInstances/{task_id}/-1/hitlDetails"
    options = call(run.site, "GET", path)["options"]
    call(run.site, "PATCH", path, chosen_options=[options[option]], params_input={})


APPROVE, REJECT = 0, 1

APPROVALS = """
update("approved", on_violation="approve")
update("killed", on_violation="approve", retries=1)
update("outdated", on_violation="approve")
update("rejected", on_violation="approve")
update("rejected_skip", on_violation="approve", if_not_approved="skip")
update("late", on_violation="approve", approval_timeout=3, retries=3)
update("late_skip", on_violation="approve", approval_timeout=3, if_not_approved="skip")
"""
RESPONSES = dict.fromkeys(("approved", "killed", "outdated"), APPROVE)
RESPONSES |= dict.fromkeys(("rejected", "rejected_skip"), REJECT)


@pytest.mark.skipif(AIRFLOW_VERSION < (3, 1), reason="Airflow has approval from 3.1 on")
def test_a_person_approves_or_rejects_or_does_not_respond_in_time(
    site: AirflowSite, service: Emulator
):
    dag_id = site.write_tasks(IMPORTS + APPROVALS)
    assert ended(refresh(site, dag_id, CITIES)).state == "success"
    run = refresh(site, dag_id, CITIES[:10], crashes={"killed": ["answered"]})
    for task_id in RESPONSES:
        wait_until(
            lambda task_id=task_id: is_waiting(run, task_id),
            120,
            f"{task_id} to wait; {run.states()}",
        )
        if STORE:
            assert run.trigger_of(task_id) is None, "nor does it occupy the triggerer"
    for task_id in ("late", "late_skip"):
        run.wait("failed", "skipped", task_id=task_id, timeout=300)
    assert service.counts["update_segment"] == len(RESPONSES) + 2

    other = site.write_tasks(IMPORTS + 'update("outdated")')
    if STORE:
        assert ended(refresh(site, other, [*CITIES, "new"])).state == "success"
    for task_id, option in RESPONSES.items():
        respond(run, task_id, option)
        if task_id == "killed":  # its retry asks again
            wait_until(lambda: is_waiting(run, "killed", 2), 120, "the retry to wait")
            respond(run, task_id, option)
        # One by one: the API server blocks itself on SQLite if a running task writes at the same
        # time.
        run.wait("success", "failed", "skipped", task_id=task_id, timeout=300)
    ended(run)
    assert run.states() == {
        "cities": "success",
        "approved": "success",
        "killed": "success",
        "outdated": "failed" if STORE else "success",
        "rejected": "failed",
        "rejected_skip": "skipped",
        "late": "failed",
        "late_skip": "skipped",
    }
    assert sent(service, "approved") == [CITIES, CITIES[:10]]
    assert run.xcom("approved", "plan")["notes"][-1].startswith("approved by ")
    assert run.xcom("approved", "segment")["id"] == "approved"
    assert sent(service, "killed") == [CITIES, CITIES[:10], CITIES[:10]]
    for task_id in ("rejected", "rejected_skip", "late", "late_skip"):
        assert sent(service, task_id) == [CITIES]
    assert "nobody responded within 3 s" in run.exception("late").message
    assert run.ti("late").try_number == 1
    assert "segment 'rejected' is not updated" in run.exception("rejected").message
    if STORE:
        assert sent(service, "outdated") == [CITIES, [*CITIES, "new"]]
        assert "approved another plan" in run.exception("outdated").message

    run.clear("rejected")
    wait_until(lambda: is_waiting(run, "rejected", 2), 120, "the second attempt to wait")
    respond(run, "rejected", APPROVE)
    run.wait("success", "failed", task_id="rejected")
    assert sent(service, "rejected") == [CITIES, CITIES[:10]]


def is_waiting(run: Run, task_id: str, try_number: int = 1) -> bool:
    """
    Whether a task waits for a person, and the scheduler has seen the end of the process that began
    to wait.

    Airflow takes a response before that for a task whose process has ended in the middle, and drops
    it.
    """
    ti = run.ti(task_id)
    assert ti.try_number < try_number or ti.state not in ("success", "failed", "skipped"), run.log(
        task_id
    )
    key = (
        f"TaskInstanceKey(dag_id='{run.dag_id}', task_id='{task_id}', run_id='{run.run_id}', "
        f"try_number={try_number},"
    )
    seen = "Received executor event with state success for task instance .*" + re.escape(key)
    at_rest = ti.state == WAITING and ti.try_number == try_number
    return at_rest and re.search(seen, (run.site.home / "scheduler.log").read_text()) is not None


KILLS = """
update("unknown")
update("retried", retries=5)
update("unsent")
"""


def test_a_task_killed_between_the_request_and_the_record(site: AirflowSite, service: Emulator):
    """
    What it has sent may be in effect: the next run sends again, though nothing seems to have
    changed.
    """
    service.reset()
    dag_id = site.write_tasks(IMPORTS + KILLS)
    ended(refresh(site, dag_id, CITIES))
    crashes = {"unknown": ["answered"], "retried": ["answered"], "unsent": ["before_request"]}
    more = [*CITIES, "new"]
    killed = ended(refresh(site, dag_id, more, crashes=crashes))
    assert killed.states() == {
        "cities": "success",
        "unknown": "failed",
        "retried": "success",
        "unsent": "failed",
    }
    last = ended(refresh(site, dag_id, CITIES))
    assert sent(service, "unknown") == [CITIES, more, CITIES]
    assert sent(service, "retried") == [CITIES, more, more, CITIES]
    assert sent(service, "unsent") == [CITIES, CITIES], (
        "it may have been sent, for all that is known"
    )
    assert "was not recorded as finished; it may be in effect" in last.log("unknown")
