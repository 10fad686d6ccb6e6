"""
Uploads whose records are gone, or prove nothing, under a real scheduler: what happened is read from
the list.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from support.airflow_site import AIRFLOW_VERSION, UNHURRIED, AirflowSite, Run, call
from wes_provider.emulator import Emulator

URL = "https://files.example.com/coupons.csv"
STORE = AIRFLOW_VERSION >= (3, 3)  # Airflow has a task state store
NAMES = {
    "own": {},
    "users": {"name": "coupons.csv"},
    "with_run_id": {"name": "coupons-{{ run_id }}.csv"},
}
MODES = ("adopt", "upload", "fail")

UPLOADS = f"""
for key, name in {NAMES!r}.items():
    for mode in {MODES!r}:
        WesUploadCouponFileOperator(
            task_id=f"{{key}}_{{mode}}", coupon_list_id=f"{{key}}_{{mode}}", file_url={URL!r}, on_duplicate=mode,
            retries=1, retry_delay=timedelta(0), **name,
        )
"""


@pytest.fixture(autouse=True)
def _new_service(service: Emulator) -> None:
    service.reset()
    service.script(statuses=[("SUCCESS", None)])


@pytest.fixture(scope="module")
def site(start_site: Callable[..., AirflowSite]) -> AirflowSite:
    return start_site(UNHURRIED, public_api=True)


@pytest.fixture(scope="module")
def forgetful_site(start_site: Callable[..., AirflowSite]) -> AirflowSite:
    """An Airflow that wipes a task's records when it succeeds."""
    return start_site({**UNHURRIED, "AIRFLOW__STATE_STORE__CLEAR_ON_SUCCESS": "True"})


def ended(run: Run) -> Run:
    return run.wait(timeout=300)


def test_clears_after_a_success_that_wiped_the_records(
    forgetful_site: AirflowSite, service: Emulator
):
    """
    A name of the user's proves nothing then; one with the run's id does, and so does the
    provider's.
    """
    run = ended(forgetful_site.trigger(forgetful_site.write_tasks(UPLOADS)))
    assert run.state == "success"
    if STORE:
        assert [run.stored(ti.task_id) for ti in run.tis()] == [{}] * len(NAMES) * len(MODES)
    for ti in run.tis():
        run.clear(ti.task_id)
    ended(run)
    for key in NAMES:
        for mode in MODES:
            task_id = f"{key}_{mode}"
            files, ti = service.files(task_id), run.ti(task_id)
            assert ti.try_number > 1
            if mode == "upload":
                assert (ti.state, len(files)) == ("success", 2)
                assert run.xcom(task_id) == files[1]["_id"]
                continue
            assert len(files) == 1
            assert ti.state == ("success" if mode == "adopt" and key != "users" else "failed")
            if ti.state == "success":
                assert run.xcom(task_id) == files[0]["_id"]
            elif key == "users":
                message = run.exception(task_id).message
                assert "Perhaps uploaded: files of other runs may have its name" in message
                assert "a file of the list named coupons.csv\n" in message
            else:
                assert files[0]["_id"] in run.exception(task_id).message


DECIDED = f"""
upload = WesUploadCouponFileOperator(
    task_id="upload", coupon_list_id="decided", file_url={URL!r}, name="coupons.csv", retries=1,
    retry_delay=timedelta(0),
)

@task
def use(file_id, file):
    print(file_id, file["id"])

use(upload.output, upload.output["coupon_file"])
"""


def test_what_a_person_decides_goes_on(forgetful_site: AirflowSite, service: Emulator):
    """A file of the task's name proves nothing: a person finds it."""
    run = ended(forgetful_site.trigger(forgetful_site.write_tasks(DECIDED)))
    assert run.state == "success"
    run.clear("upload")
    (variable,) = re.findall(r"Airflow Variable (\S+)\nto", ended(run).exception("upload").message)
    (file,) = service.files("decided")
    forgetful_site.airflow("variables", "set", variable, file["_id"])
    for task_id in ("upload", "use"):
        run.clear(task_id)
        ended(run)
    assert run.state == "success"
    assert run.xcom("upload") == run.xcoms("upload")["coupon_file"]["id"] == file["_id"]
    run.clear("upload")  # what was decided holds for the try before
    assert ended(run).ti("upload").state == "failed"
    assert len(service.files("decided")) == 1


@pytest.mark.skipif(AIRFLOW_VERSION < (3, 0), reason="it needs the REST API of Airflow 3")
def test_a_dag_run_that_was_deleted_and_created_again_is_another_one(
    site: AirflowSite, service: Emulator
):
    dag_id = site.write_tasks(UPLOADS)
    run = ended(site.trigger(dag_id))
    assert run.state == "success"
    # Airflow's executor reports the ends of these tasks up to a loop of the scheduler later, by keys
    # that the tasks of the second run have, too.
    time.sleep(3)
    call(site, "DELETE", f"dags/{dag_id}/dagRuns/{run.run_id}")
    site.airflow("dags", "trigger", dag_id, "--run-id", run.run_id)
    ended(run)
    assert run.state == "success"
    for ti in run.tis():
        files = service.files(ti.task_id)
        assert len(files) == 2
        assert run.xcom(ti.task_id) == files[1]["_id"]


LOOP = """
from airflow.sdk import task_group

@task_group
def batch():
    @task
    def done(file_id):
        return file_id

    done(WesUploadCouponFileOperator(
        task_id="upload", coupon_list_id={mode!r}, file_url="https://files.example.com/{{{{ loop.index }}}}.csv",
        on_duplicate={mode!r},
    ).output)

batch.loop(max_iterations=3)
"""


@pytest.mark.skipif(AIRFLOW_VERSION < (3, 4), reason="loops come with Airflow 3.4")
@pytest.mark.parametrize("mode", ["adopt", "upload"])
def test_each_iteration_of_a_loop_has_its_own_file(site: AirflowSite, service: Emulator, mode: str):
    """
    The clear of an iteration discards its record, and puts new iterations in the place of the later
    ones.
    """

    def iterations() -> list[Any]:
        return sorted(
            (ti for ti in run.tis() if ti.task_id == "batch.upload"), key=lambda ti: ti.map_index
        )

    run = ended(site.trigger(site.write_tasks(LOOP.format(mode=mode))))
    assert run.state == "success"
    first = service.files(mode)
    assert len({file["file_url"] for file in first}) == len(first) == 3
    before = iterations()
    cleared = {
        "task_instance_ids": [str(UUID(before[1].id))],
        "include_downstream": True,
        "only_failed": False,
    }
    call(
        site,
        "POST",
        f"dags/{run.dag_id}/clearTaskInstances",
        dag_run_id=run.run_id,
        dry_run=False,
        **cleared,
    )
    ended(run)
    assert run.state == "success"
    after = iterations()
    assert len(after) == 3
    tries = [
        (ti.try_number, ti.region_id == old.region_id)
        for ti, old in zip(after, before, strict=True)
    ]
    assert tries == [(1, True), (2, True), (1, False)]
    files = service.files(mode)
    again = files[3:]
    assert [file["file_url"] for file in again] == [file["file_url"] for file in first[1:]] * (
        mode == "upload"
    )
    expected = [first[0], *(again or first[1:])]
    assert [run.xcom("batch.upload", map_index=ti.map_index) for ti in after] == [
        file["_id"] for file in expected
    ]
