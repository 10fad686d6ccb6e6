"""
What a file is to a run, under a scheduler: lists that grow, tasks that are renamed, paths that
change, and clears.

The unit tier has more cases; here are those in which Airflow decides what the operators see of a
run.
"""

from __future__ import annotations

import json

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite, wait_until
from wes_provider.emulator import Emulator, faults

SITE_ENV = {"AIRFLOW__CORE__PARALLELISM": "8"}
LONG = 600
HOST = "https://files.example.com"

MAPPED = """
@task
def urls():
    import json
    return json.load(open({control!r}))

found = urls()
for mode in ("adopt", "upload", "fail"):
    WesUploadCouponFileOperator.partial(
        task_id=mode, coupon_list_id=mode, on_duplicate=mode, retries=0
    ).expand(file_url=found)
"""

MOVED = f"""
from contextlib import nullcontext

from airflow.providers.common.compat.sdk import TaskGroup

task(task_id="start")(lambda: None)()
with {{group}}:
    WesUploadCouponFileOperator(task_id="upload", coupon_list_id="moved", file_url="{HOST}/a.csv")
"""

PATHS = """
class Flaky(WesReplenishCouponListOperator):
    def execute(self, context):
        super().execute(context)
        if context["ti"].try_number == 1:
            raise ValueError("a crash after the uploads")

given = dict(wait_for_completion=False, deferrable=True, retries=1, retry_delay=timedelta(seconds=15))
files = [f"{host}/{{{{{{{{ macros.uuid.uuid4() }}}}}}}}/{{n}}.csv" for n in range(3)]
WesReplenishCouponListOperator(task_id="deferred", coupon_list_id="deferred", files=files, **given)
Flaky(task_id="retried", coupon_list_id="retried", files=files, **given)
named = [dict(file_url=url, name=f"{{{{{{{{ run_id }}}}}}}}-{{n}}") for n, url in enumerate(files)]
Flaky(task_id="named", coupon_list_id="named", files=named, **given)

@task(retries=1, retry_delay=timedelta(0))
def nested(**context):
    for number in (1, 2):
        url = f"{host}/{{number}}.csv"
        WesUploadCouponFileOperator(task_id="inner", coupon_list_id="nested", file_url=url).execute(context)
    if context["ti"].try_number == 1:
        raise RuntimeError("retried")

nested()
"""


def uploaded(emulator: Emulator, list_id: str) -> list[str]:
    return [file["file_url"].rpartition("/")[2] for file in emulator.files(list_id)]


def pending(emulator: Emulator, *list_ids: str) -> None:
    """Let nothing be fetched: a file that failed would be uploaded again after a clear."""
    for list_id in list_ids:
        emulator.script(list_id=list_id, outcome="never")


def test_a_mapped_list_that_grew_in_front_uploads_its_new_file_alone(
    running_site: AirflowSite, wes_emulator: Emulator
):
    pending(wes_emulator, "adopt", "upload", "fail")
    control = running_site.home / "urls.json"
    control.write_text(json.dumps([f"{HOST}/{name}.csv" for name in "ab"]))
    run = running_site.trigger(running_site.write_tasks(MAPPED.format(control=str(control))))
    assert run.wait(timeout=LONG).state == "success"
    first = {
        mode: {file["file_url"]: file["_id"] for file in wes_emulator.files(mode)}
        for mode in ("adopt", "fail")
    }

    # One more in front, the others reordered.
    control.write_text(json.dumps([f"{HOST}/{name}.csv" for name in "xba"]))
    for task_id in ("urls", "adopt", "upload", "fail"):
        run.clear(task_id)
    run.wait(timeout=LONG)
    assert sorted(uploaded(wes_emulator, "adopt")) == ["a.csv", "b.csv", "x.csv"]
    for index, name in enumerate("xba"):
        assert run.ti("adopt", index).state == "success"
        known = first["adopt"].get(f"{HOST}/{name}.csv", wes_emulator.files("adopt")[-1]["_id"])
        assert run.xcom("adopt", map_index=index) == known
    assert sorted(uploaded(wes_emulator, "upload")) == ["a.csv", "a.csv", "b.csv", "b.csv", "x.csv"]
    assert sorted(uploaded(wes_emulator, "fail")) == ["a.csv", "b.csv", "x.csv"]
    assert [run.ti("fail", index).state for index in range(3)] == ["success", "failed", "failed"]
    assert "Uploaded before the clear" in run.exception("fail", 1).message


@pytest.mark.skipif(AIRFLOW_VERSION < (3, 0), reason="this Airflow gives a cleared run no new task")
def test_a_task_that_moved_into_a_group_takes_the_runs_file(
    running_site: AirflowSite, wes_emulator: Emulator
):
    pending(wes_emulator, "moved")
    dag_id = running_site.write_tasks(MOVED.format(group="nullcontext()"))
    run = running_site.trigger(dag_id)
    assert run.wait(timeout=LONG).state == "success"
    (file,) = wes_emulator.files("moved")

    running_site.write_tasks(MOVED.format(group="TaskGroup('group')"), dag_id=dag_id)
    running_site.airflow("dags", "reserialize", check=False)
    stored = "SELECT data FROM serialized_dag WHERE dag_id = ?"
    wait_until(
        lambda: any("group.upload" in str(row.data) for row in running_site.rows(stored, dag_id)),
        120,
        "the new version to be known",
    )
    run.clear("start")
    wait_until(
        lambda: run.states().get("group.upload") == "success",
        LONG,
        lambda: f"the task: {run.states()}",
    )
    assert run.xcom("group.upload") == file["_id"]
    assert len(wes_emulator.files("moved")) == 1


@pytest.mark.weekly("the unit tier has the same attempts")
def test_paths_that_change_are_uploaded_once_each(
    running_site: AirflowSite, wes_emulator: Emulator
):
    pending(wes_emulator, "deferred", "retried", "named", "nested")
    wes_emulator.fail("upload_coupon_file", faults.slow(0.01), times=1, list_id="deferred")
    wes_emulator.fail(
        "upload_coupon_file", faults.rate_limited(reset_in=20), times=1, list_id="deferred"
    )
    run = running_site.trigger(running_site.write_tasks(PATHS.format(host=HOST)))
    assert run.wait(timeout=LONG).state == "failed"

    for task_id in ("deferred", "retried", "named"):
        assert uploaded(wes_emulator, task_id) == ["0.csv", "1.csv", "2.csv"], task_id
    assert run.states() == {
        "deferred": "success",
        "retried": "failed",  # it cannot know which file is which
        # Without records, a name alone proves nothing: other DAGs may have runs of this id.
        "named": "success" if AIRFLOW_VERSION >= (3, 3) else "failed",
        "nested": "success",
    }
    assert "from other URLs: give each file a name" in run.exception("retried").message
    assert run.log("deferred").count("Pausing task as DEFERRED") == 1
    assert uploaded(wes_emulator, "nested") == ["1.csv", "2.csv"]
