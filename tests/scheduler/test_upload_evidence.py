"""Uploads whose records are gone, or prove nothing, under a real scheduler: what happened is read from the list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from support.airflow_site import AIRFLOW_VERSION, UNHURRIED, WITH_PUBLIC_API, AirflowSite, Run, call
from wes_provider.emulator import Emulator

URL = "https://files.example.com/coupons.csv"
STORE = AIRFLOW_VERSION >= (3, 3)  # Airflow has a task state store
NAMES = {"own": {}, "users": {"name": "coupons.csv"}, "with_run_id": {"name": "coupons-{{ run_id }}.csv"}}
MODES = ("adopt", "upload", "fail")

UPLOADS = """
for key, name in {names!r}.items():
    for mode in {modes!r}:
        WesUploadCouponFileOperator(
            task_id=f"{{key}}_{{mode}}", coupon_list_id=f"{{key}}_{{mode}}", file_url={url!r}, on_duplicate=mode,
            retries={retries}, retry_delay=timedelta(0), **name,
        )
"""


def uploads(*, names: dict[str, dict[str, str]] = NAMES, modes: tuple[str, ...] = MODES, retries: int = 1) -> str:
    return UPLOADS.format(names=names, modes=modes, url=URL, retries=retries)


@pytest.fixture(autouse=True)
def _new_service(service: Emulator) -> None:
    service.reset()
    service.script(statuses=[("SUCCESS", None)])


@contextmanager
def running(folder: Path, template: Path, service: Emulator, **env: str) -> Iterator[AirflowSite]:
    with AirflowSite(folder, template, more=env) as site:
        site.env = {**UNHURRIED, **CHANGING_DAGS, **service.connection_env(extra={"coupon_files_lag": 1})}
        if AIRFLOW_VERSION >= (3, 0):
            site.processes["api-server"] = WITH_PUBLIC_API
        site.start()
        yield site


CHANGING_DAGS = {
    "AIRFLOW__CORE__MIN_SERIALIZED_DAG_UPDATE_INTERVAL": "0",
    "AIRFLOW__CORE__MIN_SERIALIZED_DAG_FETCH_INTERVAL": "0",
}


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory, scheduler_template: Path, service: Emulator
) -> Iterator[AirflowSite]:
    with running(tmp_path_factory.mktemp("evidence"), scheduler_template, service) as site:
        yield site


@pytest.fixture(scope="module")
def forgetful_site(
    tmp_path_factory: pytest.TempPathFactory, scheduler_template: Path, service: Emulator
) -> Iterator[AirflowSite]:
    """An Airflow that wipes a task's records when it succeeds."""
    env = {"AIRFLOW__STATE_STORE__CLEAR_ON_SUCCESS": "True"}
    with running(tmp_path_factory.mktemp("forgetful"), scheduler_template, service, **env) as site:
        yield site


def clear(run: Run, **selection: Any) -> None:
    """As a user does in Airflow's pages."""
    options = {"dag_run_id": run.run_id, "dry_run": False, "only_failed": False, **selection}
    call(run.site, "POST", f"dags/{run.dag_id}/clearTaskInstances", **options)


def ended(run: Run) -> Run:
    return run.wait(timeout=300)


def clear_all(run: Run) -> Run:
    """As a user does who wants all tasks to run again."""
    for task_id in {ti.task_id for ti in run.tis()}:
        run.clear(task_id)
    return ended(run)


def check_cleared_without_records(run: Run, service: Emulator) -> None:
    """A name of the user's proves nothing then; one with the run's id does, and so does the provider's."""
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
                assert "Perhaps uploaded: other uploads may have its name" in message
                assert "a file of the list named coupons.csv\n" in message
            else:
                assert files[0]["_id"] in run.exception(task_id).message


def test_clears_after_a_success_that_wiped_the_records(forgetful_site: AirflowSite, service: Emulator):
    run = ended(forgetful_site.trigger(forgetful_site.write_tasks(uploads())))
    assert run.state == "success"
    if STORE:
        assert [run.stored(ti.task_id) for ti in run.tis()] == [{}] * len(NAMES) * len(MODES)
    check_cleared_without_records(clear_all(run), service)


DECIDED = """
for decision in ("identifier", "absent"):
    upload = WesUploadCouponFileOperator(
        task_id=decision, coupon_list_id=decision, file_url={url!r}, name="coupons.csv", retries=1,
        retry_delay=timedelta(0),
    )

    @task(task_id=f"next_{{decision}}")
    def use(file_id, file):
        print(file_id, file["id"])

    use(upload.output, upload.output["coupon_file"])
"""


def test_what_a_person_decides_goes_on(forgetful_site: AirflowSite, service: Emulator):
    """A file of the task's name proves nothing: a person finds it, or finds that it is another's."""
    run = forgetful_site.trigger(forgetful_site.write_tasks(DECIDED.format(url=URL)))
    assert ended(run).state == "success"
    for decision in ("identifier", "absent"):
        run.clear(decision)
    ended(run)
    variables = {}
    for decision in ("identifier", "absent"):
        (variables[decision],) = re.findall(r"Airflow Variable (\S+)\nto", run.exception(decision).message)
    (file,) = service.files("identifier")
    forgetful_site.airflow("variables", "set", variables["identifier"], file["_id"])
    forgetful_site.airflow("variables", "set", variables["absent"], "absent")
    for tasks in (["identifier", "absent"], ["next_identifier", "next_absent"]):
        for task_id in tasks:
            run.clear(task_id)
        ended(run)
    assert run.state == "success"
    assert len(service.files("identifier")) == 1
    assert run.xcom("identifier") == run.xcoms("identifier")["coupon_file"]["id"] == file["_id"]
    assert len(service.files("absent")) == 2
    run.clear("absent")  # what was decided holds for the try before
    assert ended(run).ti("absent").state == "failed"
    assert len(service.files("absent")) == 2


@pytest.mark.skipif(AIRFLOW_VERSION < (3, 0), reason="it needs the REST API of Airflow 3")
def test_a_dag_run_that_was_deleted_and_created_again_is_another_one(site: AirflowSite, service: Emulator):
    dag_id = site.write_tasks(uploads())
    run = ended(site.trigger(dag_id))
    assert run.state == "success"
    call(site, "DELETE", f"dags/{dag_id}/dagRuns/{run.run_id}")
    site.airflow("dags", "trigger", dag_id, "--run-id", run.run_id)
    ended(run)
    assert run.state == "success"
    for ti in run.tis():
        files = service.files(ti.task_id)
        assert len(files) == 2
        assert run.xcom(ti.task_id) == files[1]["_id"]


ON_DUPLICATE = """
common = dict(file_url={url!r}, retries=1, retry_delay=timedelta(0), poll_interval=1)
for mode in ("adopt", "upload", "fail"):
    common["on_duplicate"] = mode
    WesUploadCouponFileOperator(task_id=mode, coupon_list_id=mode, **common)
    waits = mode + "_deferred"
    WesUploadCouponFileOperator(
        task_id=waits, coupon_list_id=waits, wait_for_completion=True, deferrable=True, **common
    )
    WesUploadCouponFileOperator.partial(task_id=mode + "_mapped", **common).expand(
        coupon_list_id=[mode + "_mapped_0", mode + "_mapped_1"]
    )
"""


def test_a_cleared_task_does_what_on_duplicate_says(site: AirflowSite, service: Emulator):
    service.script(statuses=[("PENDING", 2), ("SUCCESS", None)])
    run = ended(site.trigger(site.write_tasks(ON_DUPLICATE.format(url=URL))))
    assert run.state == "success"
    clear_all(run)
    assert all(ti.try_number > 1 for ti in run.tis())
    for ti in run.tis():
        mode = ti.task_id.partition("_")[0]
        uploaded = service.files(ti.task_id + (f"_{ti.map_index}" if ti.map_index >= 0 else ""))
        assert ti.state == ("failed" if mode == "fail" else "success")
        assert len(uploaded) == (2 if mode == "upload" else 1)
        if ti.state == "success":
            xcoms = run.xcoms(ti.task_id, ti.map_index)
            assert xcoms["coupon_file"]["id"] == xcoms["return_value"] == uploaded[-1]["_id"]


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
    """The clear of an iteration discards its record, and puts new iterations in the place of the later ones."""

    def iterations() -> list[Any]:
        return sorted((ti for ti in run.tis() if ti.task_id == "batch.upload"), key=lambda ti: ti.map_index)

    run = ended(site.trigger(site.write_tasks(LOOP.format(mode=mode))))
    assert run.state == "success"
    first = service.files(mode)
    assert len({file["file_url"] for file in first}) == len(first) == 3
    before = iterations()
    clear(run, task_instance_ids=[str(UUID(before[1].id))], include_downstream=True)
    ended(run)
    assert run.state == "success"
    after = iterations()
    assert len(after) == 3
    assert [(ti.try_number, ti.region_id == old.region_id) for ti, old in zip(after, before, strict=True)] == [
        (1, True),
        (2, True),
        (1, False),
    ]
    files = service.files(mode)
    again = files[3:]
    assert [file["file_url"] for file in again] == [file["file_url"] for file in first[1:]] * (mode == "upload")
    expected = [first[0], *(again or first[1:])]
    assert [run.xcom("batch.upload", map_index=ti.map_index) for ti in after] == [file["_id"] for file in expected]
