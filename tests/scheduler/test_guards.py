"""
Guarded updates under a real scheduler: persons who respond or do not, and task processes that are
killed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

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

values = cities()

def update(name, retries=0, **guard):
    CrashingSegment(
        task_id=name, segment_id=name, included_filters=all_of(user_attribute("city", values)),
        guard=SegmentGuard(**guard), retries=retries, retry_delay=timedelta(0),
    )
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
TIMED_OUT = ("late", "late_skip")
FEWER = CITIES[:10]  # so many less than in the run before that a person has to approve it
HAS_APPROVAL = pytest.mark.skipif(
    AIRFLOW_VERSION < (3, 1), reason="Airflow has approval from 3.1 on"
)


class Responded(NamedTuple):
    """
    What came of tasks that asked, each after an update that needed no approval.

    :ivar updates_while_waiting: how many updates the service had when no response had come yet.
    :ivar triggers: of each task while it waited, its trigger.
    :ivar states: of each task in the end; ``sent``: what each has sent, by both runs.
    :ivar errors: the messages of those that failed.
    """

    run: Run
    updates_while_waiting: int
    triggers: Mapping[str, Any]
    states: Mapping[str, str | None]
    sent: Mapping[str, list[list[str]]]
    errors: Mapping[str, str]


@pytest.fixture(scope="module")
def responded(site: AirflowSite, service: Emulator) -> Responded:
    """One run whose tasks a person approves or rejects, or does not respond to in time."""
    service.reset()
    dag_id = site.write_tasks(IMPORTS + APPROVALS)
    assert ended(refresh(site, dag_id, CITIES)).state == "success"
    run = refresh(site, dag_id, FEWER, crashes={"killed": ["answered"]})
    triggers = {}
    for task_id in RESPONSES:
        wait_until(
            lambda task_id=task_id: is_waiting(run, task_id),
            120,
            f"{task_id} to wait; {run.states()}",
        )
        triggers[task_id] = run.trigger_of(task_id)
    for task_id in TIMED_OUT:
        run.wait("failed", "skipped", task_id=task_id, timeout=300)
    updates_while_waiting = service.counts["update_segment"]

    other = site.write_tasks(IMPORTS + 'update("outdated")')
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
    states = run.states()
    return Responded(
        run,
        updates_while_waiting,
        triggers,
        states,
        {task_id: sent(service, task_id) for task_id in (*RESPONSES, *TIMED_OUT)},
        {
            task_id: run.exception(task_id).message
            for task_id, state in states.items()
            if state == "failed"
        },
    )


@HAS_APPROVAL
def test_nothing_is_sent_before_a_person_responds(responded: Responded):
    first_run = len(RESPONSES) + len(TIMED_OUT)
    assert responded.updates_while_waiting == first_run


@pytest.mark.skipif(not STORE, reason="before Airflow 3.3, the triggerer waits for the response")
def test_a_task_that_waits_for_a_response_occupies_no_triggerer(responded: Responded):
    assert responded.triggers == dict.fromkeys(RESPONSES)


@HAS_APPROVAL
def test_an_approved_update_is_sent_once_and_noted(responded: Responded):
    assert responded.states["approved"] == "success"
    assert responded.sent["approved"] == [CITIES, FEWER]
    assert responded.run.xcom("approved", "plan")["notes"][-1].startswith("approved by ")
    assert responded.run.xcom("approved", "segment")["id"] == "approved"


@HAS_APPROVAL
def test_the_retry_of_a_task_killed_after_an_approved_update_asks_again(responded: Responded):
    assert responded.states["killed"] == "success"
    assert responded.sent["killed"] == [CITIES, FEWER, FEWER]


@pytest.mark.skipif(not STORE, reason="before Airflow 3.3, no DAG knows what another one has sent")
def test_an_approval_does_not_count_once_another_dag_has_sent_something_else(responded: Responded):
    assert responded.states["outdated"] == "failed"
    assert responded.sent["outdated"] == [CITIES, [*CITIES, "new"]]
    assert "approved another plan" in responded.errors["outdated"]


@pytest.mark.skipif(STORE, reason="from Airflow 3.3 on, the store of the segment's asset knows")
@HAS_APPROVAL
def test_before_airflow_3_3_an_approval_counts_as_no_update_of_another_dag_is_known(
    responded: Responded,
):
    assert responded.states["outdated"] == "success"
    assert responded.sent["outdated"] == [CITIES, [*CITIES, "new"], FEWER]


@HAS_APPROVAL
def test_a_rejected_update_is_not_sent(responded: Responded):
    assert responded.states["rejected"] == "failed"
    assert "segment 'rejected' is not updated" in responded.errors["rejected"]
    assert responded.states["rejected_skip"] == "skipped"
    assert responded.sent["rejected"] == responded.sent["rejected_skip"] == [CITIES]


@HAS_APPROVAL
def test_an_update_that_nobody_responds_to_in_time_is_not_sent(responded: Responded):
    assert responded.states["late"] == "failed"
    assert "nobody responded within 3 s" in responded.errors["late"]
    assert responded.run.ti("late").try_number == 1, "it does not ask again by itself"
    assert responded.states["late_skip"] == "skipped"
    assert responded.sent["late"] == responded.sent["late_skip"] == [CITIES]


@HAS_APPROVAL
def test_a_rejected_task_that_is_cleared_asks_again(responded: Responded, service: Emulator):
    before = sent(service, "rejected")
    responded.run.clear("rejected")
    wait_until(lambda: is_waiting(responded.run, "rejected", 2), 120, "the second attempt to wait")
    respond(responded.run, "rejected", APPROVE)
    responded.run.wait("success", "failed", task_id="rejected")
    assert sent(service, "rejected") == [*before, FEWER]


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


def test_an_update_that_was_not_recorded_as_finished_is_followed_by_another_one(
    site: AirflowSite, service: Emulator
):
    """
    A task that was killed around its request may have sent it. So the next run sends, though its
    cities are those of the last update that was recorded.
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
        "killed before the request, but the record says only that it was about to send"
    )
    assert "was not recorded as finished; it may be in effect" in last.log("unknown")
