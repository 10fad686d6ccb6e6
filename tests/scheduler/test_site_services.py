"""``AirflowSite.start``: the real scheduler, triggerer and the rest, and how tests hurt them."""

from __future__ import annotations

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite, wait_until

pytestmark = pytest.mark.services

SLOW_AT_FIRST = """
import time

@task(retries=1, retry_delay=timedelta(0))
def slow_at_first(ti=None):
    if ti.try_number == 1:
        time.sleep(600)
    return ti.try_number

slow_at_first()
"""


def test_a_triggered_run_ends_and_tells_what_it_did(running_site: AirflowSite):
    dag_id = running_site.write_tasks(
        """
        @task
        def greet(params=None, dag_run=None):
            print("this goes to the log")
            return dag_run.conf["word"]

        greet()
        """
    )
    run = running_site.trigger(dag_id, conf={"word": "hello"}).wait()
    assert run.states() == {"greet": "success"}
    assert run.xcom("greet") == "hello"
    assert "this goes to the log" in run.log("greet")


def test_a_killed_task_is_retried_and_a_cleared_one_runs_again(running_site: AirflowSite):
    dag_id = running_site.write_tasks(SLOW_AT_FIRST)
    run = running_site.trigger(dag_id)
    run.kill_task("slow_at_first", with_supervisor=AIRFLOW_VERSION == (3, 0))
    run.wait()
    assert run.states() == {"slow_at_first": "success"}
    assert run.xcom("slow_at_first") == 2

    run.clear("slow_at_first")
    wait_until(lambda: run.xcoms("slow_at_first").get("return_value") == 3, 60, "the third attempt")
    assert run.ti("slow_at_first").max_tries == 3


def test_a_task_whose_machine_is_gone_is_retried(running_site: AirflowSite):
    dag_id = running_site.write_tasks(SLOW_AT_FIRST)
    run = running_site.trigger(dag_id)
    run.kill_task("slow_at_first", with_supervisor=True)
    run.wait()
    assert run.xcom("slow_at_first") == 2


def test_a_deferred_task_survives_the_loss_of_its_triggerer(running_site: AirflowSite):
    dag_id = running_site.write_tasks(
        """
        try:
            from airflow.providers.standard.triggers.file import FileTrigger
        except ImportError:
            from airflow.triggers.file import FileTrigger

        class Patient(BaseOperator):
            def execute(self, context):
                path = context["dag_run"].conf["path"]
                self.defer(trigger=FileTrigger(path, poll_interval=0.2), method_name="resume")

            def resume(self, context, event):
                return str(event)

        Patient(task_id="patient")
        """
    )
    file = running_site.home / "appeared"
    run = running_site.trigger(dag_id, conf={"path": str(file)}).wait("deferred", task_id="patient")
    wait_until(lambda: run.trigger_of("patient").triggerer_id, 60, "the triggerer to take it")
    running_site.kill("triggerer")
    running_site.start("triggerer")
    file.touch()
    run.wait()
    assert run.state == "success"
