"""
On every Airflow: what a deferred task shows, and a file that failed processing, repaired by
clearing its task.
"""

from __future__ import annotations

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite
from wes_provider.emulator import Emulator
from wes_provider.links import WesConsoleLink

pytestmark = pytest.mark.services
SITE_ENV = {"AIRFLOW__CORE__PARALLELISM": "4"}
SITE_EXTRA = {"console_url": "https://console.example.com/{kind}/{id}"}
DEFERRED = """
WesUploadCouponFileOperator.partial(
    task_id="upload", coupon_list_id="list-1", wait_for_completion=True, deferrable=True
).expand(file_url=["https://f.example.com/a.csv?signature=SECRET"])
"""
TASKS = """
given = {{"retries": 1, "retry_delay": timedelta(0)}}
for deferrable in (True, False):
    WesUploadCouponFileOperator(
        task_id=f"upload_{{deferrable}}", coupon_list_id=f"upload_{{deferrable}}", file_url="{files}/late.csv",
        wait_for_completion=True, deferrable=deferrable, poll_interval=1, **given,
    )
    WesReplenishCouponListOperator(
        task_id=f"replenish_{{deferrable}}", coupon_list_id=f"replenish_{{deferrable}}", deferrable=deferrable,
        files=["{files}/a.csv", "{files}/late.csv", "{files}/c.csv"], poll_interval=1, **given,
    )
upload = WesUploadCouponFileOperator(
    task_id="upload", coupon_list_id="watched", file_url="{files}/late.csv", wait_for_completion=False, **given
)
given |= {{"coupon_list_id": "watched", "coupon_file_id": upload.output}}
WesCouponFileSensor(task_id="sensor_True", deferrable=True, poke_interval=1, **given)
# Longer than a scheduler takes to see that the process has ended: it fails a task that is queued again before.
WesCouponFileSensor(task_id="sensor_False", mode="reschedule", poke_interval=15, **given)
"""


def test_a_deferred_task_shows_link_and_label(running_site: AirflowSite, wes_emulator: Emulator):
    wes_emulator.script(outcome="never")
    run = running_site.trigger(running_site.write_tasks(DEFERRED)).wait(
        "deferred", task_id="upload", map_index=0
    )
    link = run.xcom("upload", WesConsoleLink.xcom_key, map_index=0)
    assert link == "https://console.example.com/coupon-list/list-1"
    if AIRFLOW_VERSION >= (3, 2):  # which renders the label before the task ends, too
        assert run.ti("upload", map_index=0).rendered_map_index == "list-1 a.csv"


def test_clearing_repairs_a_file_that_its_host_did_not_have(
    running_site: AirflowSite, wes_emulator: Emulator
):
    for name in "ac":
        wes_emulator.host(f"{name}.csv", f"code\n{name}1\n{name}2\n".encode())
    run = running_site.trigger(running_site.write_tasks(TASKS.format(files=wes_emulator.files_url)))
    assert run.wait(timeout=600).state == "failed"
    failed = [task for task, state in run.states().items() if state == "failed"]
    kinds = ("replenish", "sensor", "upload")
    assert sorted(failed) == [
        f"{kind}_{deferrable}" for kind in kinds for deferrable in (False, True)
    ]
    for task in failed:
        message = run.exception(task).message
        assert "late.csv" in message
        assert "404" in message
        assert (
            "clear the task that uploaded it" if "sensor" in task else "clear this task"
        ) in message

    wes_emulator.host("late.csv", b"code\nL1\nL2\n")
    for task in ["upload", *failed]:
        run.clear(task)
    assert run.wait(timeout=600).state == "success"
    for task in ("upload_True", "upload_False", "watched"):
        assert [file["status"] for file in wes_emulator.files(task)] == ["FAILED", "SUCCESS"]
    for task in ("replenish_True", "replenish_False"):
        uploaded = [
            (file["file_url"].rpartition("/")[2], file["status"])
            for file in wes_emulator.files(task)
        ]
        late = ("late.csv", "SUCCESS")
        assert uploaded == [
            ("a.csv", "SUCCESS"),
            ("late.csv", "FAILED"),
            ("c.csv", "SUCCESS"),
            late,
        ]
        assert run.xcom(task)[1] == wes_emulator.files(task)[3]["_id"]
    assert "failed processing: uploading it again" in run.log("upload_True")
