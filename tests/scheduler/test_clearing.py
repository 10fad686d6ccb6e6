"""A file that failed processing is repaired by clearing its task alone, on every Airflow."""

from __future__ import annotations

import pytest

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator

pytestmark = pytest.mark.services
SITE_ENV = {"AIRFLOW__CORE__PARALLELISM": "4"}
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
WesCouponFileSensor(
    task_id="sensor", coupon_list_id="watched", coupon_file_id=upload.output, deferrable=True, poke_interval=1, **given
)
"""


def test_clearing_repairs_a_file_that_its_host_did_not_have(running_site: AirflowSite, wes_emulator: Emulator):
    for name in "ac":
        wes_emulator.host(f"{name}.csv", f"code\n{name}1\n{name}2\n".encode())
    run = running_site.trigger(running_site.write_tasks(TASKS.format(files=wes_emulator.files_url)))
    assert run.wait(timeout=600).state == "failed"
    failed = [task for task, state in run.states().items() if state == "failed"]
    assert sorted(failed) == ["replenish_False", "replenish_True", "sensor", "upload_False", "upload_True"]
    for task in failed:
        message = run.exception(task).message
        assert "late.csv" in message
        assert "404" in message
        assert ("clear the task that uploaded it" if task == "sensor" else "clear this task") in message

    wes_emulator.host("late.csv", b"code\nL1\nL2\n")
    for task in ["upload", *failed]:
        run.clear(task)
    assert run.wait(timeout=600).state == "success"
    for task in ("upload_True", "upload_False", "watched"):
        assert [file["status"] for file in wes_emulator.files(task)] == ["FAILED", "SUCCESS"]
    for task in ("replenish_True", "replenish_False"):
        uploaded = [(file["file_url"].rpartition("/")[2], file["status"]) for file in wes_emulator.files(task)]
        late = ("late.csv", "SUCCESS")
        assert uploaded == [("a.csv", "SUCCESS"), ("late.csv", "FAILED"), ("c.csv", "SUCCESS"), late]
        assert run.xcom(task)[1] == wes_emulator.files(task)[3]["_id"]
    assert "failed processing: uploading it again" in run.log("upload_True")
