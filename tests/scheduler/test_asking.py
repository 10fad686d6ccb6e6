"""
Questions on Airflow's page *Required Actions*, under a real scheduler: each response, a wrong one,
none in time, a clear while the task waits, and processes that are killed. One of Airflow's notifiers
is called when the form is there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from support.airflow_site import AIRFLOW_VERSION, UNHURRIED, AirflowSite, Run, call, wait_until
from wes_provider.emulator import Emulator, faults
from wes_provider.operators.asking import NOT_THERE, STOP, THERE

pytestmark = [
    # The unit tier has each response.
    pytest.mark.weekly("two minutes of forms, whose waits depend on how busy the machine is"),
    pytest.mark.long,
    pytest.mark.services,
    pytest.mark.skipif(AIRFLOW_VERSION < (3, 1), reason="forms come with Airflow 3.1"),
]

STORE = AIRFLOW_VERSION >= (3, 3)
WAITING = "awaiting_input" if STORE else "deferred"
READING = 5.0  # seconds
ARRIVED = ("there", "stop", "wrong", "late", "cleared", "killed")

IMPORTS = """
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from crashing import AskingUpload, NoteNotifier


def upload(name, crashes=(), **arguments):
    return AskingUpload(
        task_id=name, coupon_list_id=name, file_url="https://files.example.com/coupons.csv", on_unknown="ask",
        crashes=list(crashes), retries=3, retry_delay=timedelta(0), **arguments,
    )
"""
UPLOADS = (
    IMPORTS
    + """
for name in ("there", "wrong", "cleared"):
    upload(name)
upload("stop", notifiers=NoteNotifier("{{ ti.task_id }} waits: {{ exception.reason }}"))
upload("late", decision_timeout=3)
upload("killed", ["before_the_form", "after_the_form"])
WesCreateCatalogOperator(
    task_id="catalog", name="goods", price_currency="EUR", attributes=[{"name": "id", "type": "string"}], on_unknown="ask",
)
"""
)
ABSENT_UPLOADS = f"""{IMPORTS}
upload("absent")
upload("killed_later", ["answered"])
"""


@pytest.fixture(autouse=True)
def _new_service(service: Emulator) -> None:
    service.reset()
    service.script(statuses=[("SUCCESS", None)])  # nobody fetches the files


@pytest.fixture(scope="module")
def site(start_site: Callable[..., AirflowSite]) -> AirflowSite:
    env = {**UNHURRIED, "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": "12"}
    # No list can be read: what is in doubt stays so.
    extra = {"coupon_files_lag": 0, "paths": {"coupon_files": "/no/{coupon_list_id}/list"}}
    return start_site(env, extra, beside=["crashing.py"], public_api=True)


def path_of(run: Run, task_id: str) -> str:
    return f"dags/{run.dag_id}/dagRuns/{run.run_id}/taskInstances/{task_id}/-1/hitlDetails"


def form_of(run: Run, task_id: str, tries: int = 1) -> Any:
    """Return the form that a task waits with, from some try on; ``None`` if there is none."""
    ti = run.ti(task_id)
    if ti.state != WAITING or ti.try_number < tries:
        return None
    form = call(run.site, "GET", path_of(run, task_id))
    return None if form["response_received"] else form


def wait_for_form(run: Run, task_id: str, tries: int = 1) -> Any:
    return wait_until(
        lambda: form_of(run, task_id, tries),
        240,
        lambda: f"{task_id} to wait: {run.states()}\n{run.log(task_id)}",
    )


def respond(run: Run, task_id: str, option: str, identifier: str = "") -> None:
    """Respond as a person does on the page, who reads the form first."""
    (field,) = wait_for_form(run, task_id)["params"]
    # Airflow 3.3 may give up a task that is resumed while it still takes notice of its pause.
    time.sleep(READING)
    call(
        run.site,
        "PATCH",
        path_of(run, task_id),
        chosen_options=[option],
        params_input={field: identifier},
    )


def decide(run: Run, task_id: str, option: str, identifier: str = "") -> str:
    """
    Respond until the task is over, and return its state: if Airflow gives up a task that it has
    just resumed, the retry asks again.
    """

    def is_over() -> bool:
        if form_of(run, task_id):
            respond(run, task_id, option, identifier)
        return run.ti(task_id).state in ("success", "failed")

    wait_until(is_over, 240, lambda: f"{task_id} to end: {run.states()}\n{run.log(task_id)}")
    return str(run.ti(task_id).state)


def file_id(service: Emulator, list_id: str) -> str:
    (file,) = service.files(list_id)
    return str(file["_id"])


def test_what_a_person_responds_decides_and_nothing_is_uploaded_twice(
    site: AirflowSite, service: Emulator
):
    # The uploads arrive, and the responses get lost.
    service.fail("upload_coupon_file", faults.reply_lost(), times=None)
    dag_id = site.write_tasks(UPLOADS, max_active_tasks=4)
    service.fail("create_catalog", faults.error(201, body=b"{}", effect=True))
    run = site.trigger(dag_id)

    form = wait_for_form(run, "there")
    assert form["options"] == [THERE, NOT_THERE, STOP]
    assert form["subject"] == "Is coupons.csv in coupon list there?"
    assert service.files("there")[0]["name"] in form["body"]
    if STORE:
        assert run.trigger_of("there") is None, "nor does it occupy the triggerer"
    assert decide(run, "there", THERE, file_id(service, "there")) == "success"
    assert run.xcom("there") == file_id(service, "there")

    assert decide(run, "stop", STOP) == "failed"
    assert "told: stop waits: Perhaps uploaded" in run.log("stop")
    assert "chose Stop" in run.exception("stop").message
    assert "Set the Airflow Variable wes_decision_" in run.exception("stop").message

    respond(run, "wrong", THERE, "nobody")
    wait_until(
        lambda: run.log("wrong").count("Waiting for a person") >= 2, 240, "the form once more"
    )
    assert decide(run, "wrong", THERE, file_id(service, "wrong")) == "success"

    run.wait("failed", task_id="late", timeout=240)
    assert "Nobody responded within 3 s" in run.exception("late").message

    wait_for_form(run, "cleared")
    run.clear("cleared")
    wait_for_form(run, "cleared", tries=2)
    assert decide(run, "cleared", THERE, file_id(service, "cleared")) == "success"

    wait_for_form(run, "killed", tries=3)
    assert decide(run, "killed", THERE, file_id(service, "killed")) == "success"

    ((catalog_id, _),) = service.catalogs.items()
    assert decide(run, "catalog", THERE, catalog_id) == "success"
    assert run.xcom("catalog") == catalog_id

    for list_id in ARRIVED:
        assert len(service.files(list_id)) == 1, list_id


def test_what_a_person_calls_absent_is_sent_once_whatever_is_killed(
    site: AirflowSite, service: Emulator
):
    for list_id in ("absent", "killed_later"):
        service.fail("upload_coupon_file", faults.reply_lost(effect=False), list_id=list_id)
    run = site.trigger(site.write_tasks(ABSENT_UPLOADS))
    for task_id in ("absent", "killed_later"):
        wait_for_form(run, task_id)
        assert service.files(task_id) == []

        def is_sent(task_id: str = task_id) -> bool:
            if not service.files(task_id) and form_of(run, task_id):
                respond(run, task_id, NOT_THERE)
            return bool(service.files(task_id))

        wait_until(is_sent, 240, "the upload")
        # The service has it now; whoever is killed before it is known asks again.
        assert decide(run, task_id, THERE, file_id(service, task_id)) == "success"
        assert run.xcom(task_id) == file_id(service, task_id)
        assert len(service.files(task_id)) == 1
    assert run.ti("killed_later").try_number > 1
