"""Lists replenished under a scheduler: ten at once, and one that outlives its triggerer."""

from __future__ import annotations

import contextlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator

import psutil
import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite, Run, wait_until
from wes_provider.emulator import Emulator

UPLOAD = "upload_coupon_file"
FILES = [f"https://files.example.com/{index}.csv?sig=topsecret" for index in range(4)]


LISTS, PER_LIST, SPEED = 10, 10, 20.0

TEN_LISTS = f"""
import fast_time

for number in range({LISTS}):
    WesReplenishCouponListOperator(
        task_id=f"list-{{number}}",
        coupon_list_id=f"list-{{number}}",
        files=[f"https://files.example.com/{{number}}/{{index}}.csv" for index in range({PER_LIST})],
        deferrable=False,
        poll_interval=1,
        retries=9,
        retry_delay=timedelta(0),
    )
"""


@pytest.fixture(scope="module")
def service() -> Iterator[Emulator]:
    """At the contract's limits, its clock sped up."""
    with Emulator(speed=SPEED, rate_limit_headers="all") as emulator:
        yield emulator


@pytest.fixture(scope="module")
def running(start_site: Callable[..., AirflowSite], service: Emulator) -> AirflowSite:
    env = {"WES_FAST_TIME": json.dumps([time.time(), service.clock.now(), SPEED])}
    # Airflow 2.11 finds a killed task dead anew with each look until it has dealt with it: look
    # seldom.
    env["AIRFLOW__SCHEDULER__ZOMBIE_DETECTION_INTERVAL"] = "10"
    return start_site(env, beside=["fast_time.py"])


def kill_what_runs(run: Run) -> int:
    """All task processes at once, as if their worker ran out of memory; how many there were."""
    killed = 0
    for ti in run.tis():
        if ti.state == "running" and ti.pid:
            with contextlib.suppress(psutil.NoSuchProcess):
                psutil.Process(ti.pid).kill()
                killed += 1
    return killed


@pytest.mark.skipif(
    AIRFLOW_VERSION == (3, 0), reason="it fails a task whose process is killed, retries or not"
)
def test_ten_lists_hold_each_file_once_though_all_tasks_are_killed_twice(
    running: AirflowSite, service: Emulator
):
    service.script(statuses=[("PENDING", 5), ("SUCCESS", None)])
    lists = [f"list-{number}" for number in range(LISTS)]

    def uploaded() -> int:
        return sum(len(service.files(name)) for name in lists)

    run = running.trigger(running.write_tasks(TEN_LISTS))
    killed = 0
    for part in (1, 2):
        wait_until(
            lambda part=part: uploaded() >= part * LISTS * PER_LIST // 3,
            300,
            lambda: f"uploads; {run.states()}",
        )
        killed += kill_what_runs(run)
    run.wait(timeout=600)
    assert killed >= 2
    assert run.state == "success"
    for number, name in enumerate(lists):
        files = service.files(name)
        urls = [f"https://files.example.com/{number}/{index}.csv" for index in range(PER_LIST)]
        assert Counter(file["file_url"] for file in files) == Counter(urls)
        ids = {file["file_url"]: file["_id"] for file in files}
        assert run.xcom(name) == [ids[url] for url in urls]
        assert {file["status"] for file in run.xcom(name, "coupon_files")} == {"SUCCESS"}
        times = [
            request.time
            for request in service.requests_for(UPLOAD)
            if f"/{name}/" in request.raw_path
        ]
        # A refusal for each attempt that did not know of the one before.
        assert len(times) <= PER_LIST + 9


DEFERRED = """
WesReplenishCouponListOperator(
    task_id="replenish", coupon_list_id="list", files={files!r}, deferrable=True, poll_interval=1,
    retries=3, retry_delay=timedelta(0),
)
"""


def test_a_deferred_list_goes_on_after_its_triggerer_is_lost(
    running: AirflowSite, service: Emulator
):
    service.reset()
    service.configure(window_policy="rolling", limits={UPLOAD: [[3, 40]]})
    service.clock.speed = 1
    # Long enough for the scheduler to see that the task has deferred: it fails one that is queued
    # again before.
    service.script(statuses=[("PENDING", 6), ("SUCCESS", None)])
    run = running.trigger(running.write_tasks(DEFERRED.format(files=FILES))).wait(
        "deferred", task_id="replenish"
    )
    trigger = run.trigger_of("replenish")
    assert trigger.classpath == "wes_provider.triggers.WesResetTrigger"
    assert "topsecret" not in str(trigger.kwargs)
    running.kill("triggerer")
    running.start("triggerer")
    assert run.wait(timeout=300).state == "success"
    assert [file["file_url"] for file in service.files("list")] == FILES
    assert run.xcom("replenish") == [file["_id"] for file in service.files("list")]
    assert {file["status"] for file in run.xcom("replenish", "coupon_files")} == {"SUCCESS"}
    assert len(service.requests_for(UPLOAD)) == 4
    assert run.ti("replenish").try_number == 1
