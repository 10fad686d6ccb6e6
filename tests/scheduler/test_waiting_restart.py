"""
A triggerer that dies in the middle of many waits, and what users do to waiting tasks.

Forty waits, since each is a task that Airflow starts and resumes.
"""

from __future__ import annotations

import json
import re
import sqlite3
import time
from contextlib import closing

import pytest

from support.airflow_site import AIRFLOW_VERSION, UNHURRIED, AirflowSite, Run, wait_until
from wes_provider.emulator import Emulator
from wes_provider.hooks import WesHook

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        (3, 0) <= AIRFLOW_VERSION < (3, 3), reason="the oldest and the newest Airflow will do"
    ),
]

SITE_ENV = UNHURRIED
WAITS = 40
LONG = 600  # seconds for a busy machine
SENSOR = """
WesCouponFileSensor(
    task_id="wait", coupon_list_id="{}", coupon_file_id="{}", deferrable=True, poke_interval=2, {}
)
"""


def upload(emulator: Emulator, list_id: str, count: int = 1) -> list[str]:
    """Files of a list that are processed when the test says so; their identifiers."""
    emulator.configure(limits=None, request_log=100_000)
    emulator.script(list_id=list_id, outcome="never")
    url, hook = emulator.host("coupons.csv", b"CODE-1\n"), WesHook()
    return [hook.upload_coupon_file(list_id, url)["_id"] for _ in range(count)]


def triggers(site: AirflowSite) -> dict[int, str]:
    """What is stored of the triggers that a triggerer has taken."""
    rows = site.rows('SELECT id, kwargs FROM "trigger" WHERE triggerer_id IS NOT NULL')
    return {row.id: row.kwargs for row in rows}


def wait_for_looks(emulator: Emulator) -> None:
    polled = emulator.counts["get_coupon_file"]
    wait_until(lambda: emulator.counts["get_coupon_file"] > polled, LONG, "the triggerer to look")


def triggerer_has(site: AirflowSite, run: Run, count: int) -> bool:
    deferred = [ti for ti in run.tis() if ti.state == "deferred"]
    return len(deferred) == count and {ti.trigger_id for ti in deferred} <= set(triggers(site))


def test_a_triggerer_killed_amid_waits_loses_none_and_extends_none(
    running_site: AirflowSite, wes_emulator: Emulator
):
    files = [
        {"coupon_list_id": list_id, "coupon_file_id": file_id}
        for list_id in ("early", "late")
        for file_id in upload(wes_emulator, list_id, WAITS // 2)
    ]
    (stuck,) = upload(wes_emulator, "stuck")
    many = running_site.write_tasks(
        f"""
        WesCouponFileSensor.partial(
            task_id="wait", deferrable=True, poke_interval=2, timeout=7200, max_active_tis_per_dagrun={WAITS}
        ).expand_kwargs({files!r})
        """,
        max_active_tasks=WAITS,
    )
    one = running_site.write_tasks(SENSOR.format("stuck", stuck, "timeout=60"))
    run = running_site.trigger(many)
    wait_until(
        lambda: triggerer_has(running_site, run, WAITS),
        LONG,
        lambda: f"all to be deferred: {run.states()}",
    )
    short = running_site.trigger(one)
    wait_until(lambda: triggerer_has(running_site, short, 1), LONG, "the last one to be deferred")
    wait_for_looks(wes_emulator)

    running_site.kill("triggerer")
    stored = triggers(running_site)
    wes_emulator.script(list_id="early", processing_time=0.0)
    deadline = json.loads(
        re.search(r'"deadline": ([\d.]+)', stored[short.ti("wait").trigger_id])[1]
    )
    time.sleep(max(0.0, deadline - time.time()))
    running_site.start("triggerer")
    short.wait(timeout=LONG)
    wes_emulator.script(list_id="late", processing_time=0.0)
    run.wait(timeout=LONG)

    assert set(run.states().values()) == {"success"}
    for index, file in enumerate(files):
        assert run.xcom("wait", map_index=index)["id"] == file["coupon_file_id"]
        assert run.ti("wait", index).try_number == 1
        assert run.log("wait", index).count("Processed: ") == 1
    timed_out = short.exception("wait")
    assert timed_out.type == "wes_provider.sensors.WesSensorTimeoutError"
    waited = int(re.search(r"within (\d+) s", timed_out.message)[1])
    assert 60 <= waited < 120  # a deadline that a restart extends comes a minute later
    assert triggers(running_site) == {}


@pytest.mark.parametrize("action", ["clear", "mark failed"])
def test_a_waiting_task_that_is_cleared_or_marked_leaves_the_file_alone_and_says_so(
    running_site: AirflowSite, wes_emulator: Emulator, action: str
):
    list_id = f"list-{action.replace(' ', '-')}"
    (file_id,) = upload(wes_emulator, list_id)
    retries = (
        # Airflow 2.11 may start a cleared task with its old trigger.
        "retries=3, retry_delay=timedelta(seconds=1)"
    )
    dag_id = running_site.write_tasks(SENSOR.format(list_id, file_id, retries))
    run = running_site.trigger(dag_id)
    wait_until(lambda: triggerer_has(running_site, run, 1), LONG, "it to be deferred")
    # Or SQLite gives the cleared task's next trigger the same number.
    after = running_site.trigger(dag_id)
    wait_until(lambda: triggerer_has(running_site, after, 1), LONG, "another one to be deferred")
    wait_for_looks(wes_emulator)
    before = [request.method for request in wes_emulator.requests if request.method != "GET"]
    if action == "clear":
        run.clear("wait")
    else:  # as the web interface does, as far as the triggerer sees it
        with closing(sqlite3.connect(running_site.database, timeout=60)) as connection, connection:
            connection.execute(
                "UPDATE task_instance SET state = 'failed' WHERE run_id = ?", [run.run_id]
            )
    if AIRFLOW_VERSION >= (3, 3):  # which tells triggers why they end
        wait_until(
            lambda: "Stopped waiting" in run.log("wait"),
            LONG,
            lambda: f"the log: {run.log('wait')}",
        )
    if action == "clear":
        wes_emulator.script(list_id=list_id, processing_time=0.0)
        run.wait("success", timeout=LONG)
    assert [
        request.method for request in wes_emulator.requests if request.method != "GET"
    ] == before
    assert len(before) == 1  # the upload
