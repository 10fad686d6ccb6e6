"""``AirflowSite.run``: a DAG run through ``airflow dags test``, and what a test sees of it."""

from __future__ import annotations

from support.airflow_site import AirflowSite


def test_a_run_tells_state_xcoms_and_rendered_fields(site: AirflowSite):
    run = site.run(
        """
        class Echo(BaseOperator):
            template_fields = ("text",)

            def __init__(self, text, **kwargs):
                super().__init__(**kwargs)
                self.text = text

            def execute(self, context):
                return self.text

        @task
        def produce():
            return {"numbers": [1, 2], "none": None}

        Echo(task_id="echo", text="{{ run_id }} {{ dag_run.conf['word'] }}") >> produce()
        """,
        conf={"word": "hello"},
    )
    assert run.state == "success"
    assert run.states() == {"echo": "success", "produce": "success"}
    assert run.xcom("produce") == {"numbers": [1, 2], "none": None}
    assert run.xcom("echo") == f"{run.run_id} hello"
    assert run.rendered("echo")["text"] == f"{run.run_id} hello"


def test_a_failed_attempt_leaves_its_exception_and_its_log(site: AirflowSite):
    run = site.run(
        """
        class Fragile(BaseOperator):
            def execute(self, context):
                self.log.info("attempt %d", context["ti"].try_number)
                if context["ti"].try_number < 3:
                    raise LookupError("not yet")

        Fragile(task_id="fragile", retries=2, retry_delay=timedelta(0)) >> Fragile(task_id="other")
        """
    )
    assert run.states() == {"fragile": "success", "other": "failed"}
    assert run.state == "failed"
    assert run.ti("fragile").try_number == 3
    assert [failure.try_number for failure in run.failures("fragile")] == [1, 2]
    assert run.exception("fragile").type == "builtins.LookupError"
    assert run.exception("fragile").message == "not yet"
    assert [run.log("fragile").count(f"attempt {number}") for number in (1, 2, 3)] == [1, 1, 1]
    assert "attempt 2" not in run.log("other")


def test_mapped_tasks_are_told_apart(site: AirflowSite):
    run = site.run(
        """
        @task
        def double(number):
            print(f"doubling {number}")
            return 2 * number

        double.expand(number=[1, 5])
        """
    )
    assert run.states() == {"double[0]": "success", "double[1]": "success"}
    assert [run.xcom("double", map_index=index) for index in (0, 1)] == [2, 10]


def test_a_deferred_task_resumes_with_the_event_of_its_trigger(site: AirflowSite):
    run = site.run(
        """
        try:
            from airflow.providers.standard.triggers.temporal import TimeDeltaTrigger
        except ImportError:
            from airflow.triggers.temporal import TimeDeltaTrigger

        class Patient(BaseOperator):
            def execute(self, context):
                self.defer(trigger=TimeDeltaTrigger(timedelta(seconds=0.1)), method_name="resume")

            def resume(self, context, event):
                return str(event)

        Patient(task_id="patient")
        """
    )
    assert run.state == "success"
    assert run.xcom("patient").startswith("20")


def test_the_site_forgets_between_tests(site: AirflowSite):
    assert site.rows("SELECT * FROM dag_run") == []
    assert list(site.dags.iterdir()) == []
