"""
Task processes killed at every boundary of an upload, under the real scheduler: the service sees one
upload.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite, Run, is_alive, wait_until
from wes_provider.emulator import Emulator

pytestmark = pytest.mark.long

CRASHES = {
    "at_the_start": ["at_the_start"],
    "before_the_request": ["before_request"],
    "request_sent_and_not_answered": ["sent"],
    "answered_and_not_stored": ["answered"],
    "known_and_not_pushed": ["before_xcom_coupon_file"],
    "at_the_end": ["at_the_end"],
    "while_it_looks_for_the_earlier_one": ["sent", "before_listing"],
    "adopted_and_not_pushed": ["answered", "before_xcom_coupon_file"],
    "before_and_after": ["before_request", "sent", "before_xcom_coupon_file"],
    "named_before_the_request": ["before_request"],
    "named_request_sent_and_not_answered": ["sent"],
    "named_answered_and_not_stored": ["answered"],
    "waiting_in_the_wait": ["in_the_wait"],
    "waiting_known_and_not_waited_for": ["answered"],
    "deferrable_before_deferring": ["before_deferring"],
    "deferrable_after_deferring": ["deferred"],
    "deferrable_resumed": ["resumed"],
    "deferrable_resumed_and_not_pushed": ["resumed", "before_xcom_coupon_file"],
    "deferrable_resumed_at_the_end": ["resumed_at_the_end"],
}
"""By task, where its attempts are killed, one after the other; ``WAYS`` has its arguments."""
if AIRFLOW_VERSION >= (3, 3):  # which has a task state store
    CRASHES |= {
        "before_the_intent": ["before_record_0"],
        "between_the_id_and_its_record": ["before_record_1"],
    }

KILLS = int(os.environ.get("WES_TEST_KILLS", "12"))
"""At random moments, at least; docs/uploads.md has the figure of 200."""

# Calls and returns of one attempt that uploads, a little fewer than there are; below zero in the
# resumed task.
EVENTS = {"plain": (2800, 2800), "waiting": (4200, 4200), "deferrable": (4200, -120)}

IMPORTS = """
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))  # not every process of every Airflow finds what is beside a DAG
from crashing import CrashingCatalog, CrashingUpload

common = dict(file_url="https://files.example.com/coupons.csv", retries=50, retry_delay=timedelta(0), poll_interval=1)
WAYS = {{
    "plain": {{}},
    "named": {{"name": "coupons-{{{{ run_id }}}}.csv"}},
    "waiting": {{"wait_for_completion": True, "deferrable": False}},
    "deferrable": {{"wait_for_completion": True, "deferrable": True}},
}}
"""

DAG = """
CrashingCatalog(
    task_id="catalog", name="goods", price_currency="EUR", attributes=[], crashes=["answered"], retries=9,
    retry_delay=timedelta(0),
)
for name, crashes in {crashes!r}.items():
    way = WAYS.get(name.partition("_")[0], {{}})
    CrashingUpload(task_id=name, coupon_list_id=name, crashes=crashes, **common, **way)
"""

RANDOM_DAG = """
for name, points in {points!r}.items():
    CrashingUpload.partial(
        task_id=name, coupon_list_id=name + "-{{{{ ti.map_index }}}}", **common, **WAYS[name]
    ).expand(crashes=points)
"""


@pytest.fixture(scope="module")
def site(start_site: Callable[..., AirflowSite]) -> AirflowSite:
    # Airflow 2.11 finds a killed task dead anew with each look until its DAG processor has dealt
    # with it, and fails it as often: look seldom, and have retries to spare.
    env = {"AIRFLOW__SCHEDULER__ZOMBIE_DETECTION_INTERVAL": "10"}
    return start_site(env, beside=["crashing.py"])


def ended(run: Run, seconds: float = 600, meanwhile: Callable[[], None] = lambda: None) -> Run:
    """
    Wait for a run; start the triggerer again where it ends, as that of Airflow 3.0 does by a race
    of its own.
    """

    def poll() -> bool:
        if not is_alive(run.site._pids["triggerer"]):
            run.site.start("triggerer")
        meanwhile()
        return run.state in ("success", "failed") and all(
            ti.state in ("success", "failed") for ti in run.tis()
        )

    wait_until(poll, seconds, lambda: f"the run to end; states: {run.states()}")
    return run


@pytest.fixture(scope="module")
def killed_once(site: AirflowSite, service: Emulator) -> Run:
    """One run of a DAG with a task for each point."""
    service.script(statuses=[("SUCCESS", None)])
    unprocessed = {
        name: crashes
        for name, crashes in CRASHES.items()
        if name.startswith(("waiting", "deferrable"))
    }
    for name in unprocessed:
        service.script(list_id=name, outcome="never")
    run = site.trigger(
        site.write_tasks((IMPORTS + DAG).format(crashes=CRASHES), max_active_tasks=6)
    )

    def process() -> None:
        """
        Files are processed once their tasks have died in the wait, or wait for being resumed, and
        die then.
        """
        for name, crashes in list(unprocessed.items()):
            killed = len(markers(run, name)) == len(crashes)
            if killed or ("resumed" in crashes[0] and run.ti(name).state == "deferred"):
                service.script(list_id=name, statuses=[("SUCCESS", None)])
                del unprocessed[name]

    return ended(run, meanwhile=process)


def markers(run: Run, task_id: str) -> list[Path]:
    """What the kills of a task have left."""
    return list((run.site.home / "crashes").glob(f"{run.dag_id}-*-{task_id}--1-*"))


@pytest.mark.parametrize("task_id", CRASHES)
def test_a_killed_task_uploads_once_and_ends_with_the_files_id(
    killed_once: Run, service: Emulator, task_id: str
):
    uploaded = service.files(task_id)
    assert len(uploaded) == 1
    ti = killed_once.ti(task_id)
    assert ti.state == "success"
    assert len(markers(killed_once, task_id)) == len(CRASHES[task_id])
    xcoms = killed_once.xcoms(task_id)
    assert xcoms["return_value"] == uploaded[0]["_id"]
    assert xcoms["coupon_file"]["id"] == uploaded[0]["_id"]


def test_a_catalog_whose_creator_was_killed_is_probably_ours(killed_once: Run, service: Emulator):
    assert len(service.catalogs) == 1
    assert killed_once.ti("catalog").state == "failed"
    assert "Set the Airflow Variable wes_decision_" in killed_once.exception("catalog").message


WAITS = """
common = dict(
    file_url="https://files.example.com/coupons.csv", wait_for_completion=True, poll_interval=1,
    retry_delay=timedelta(0),  # Airflow 2.11 waits so long after a clear, too
)
WesUploadCouponFileOperator(task_id="here", coupon_list_id="here", deferrable=False, **common)
WesUploadCouponFileOperator(task_id="there", coupon_list_id="there", deferrable=True, **common)
"""


def test_clears_and_a_lost_triggerer_amid_the_wait_upload_nothing_more(
    site: AirflowSite, service: Emulator
):
    for list_id in ("here", "there"):
        service.script(list_id=list_id, outcome="never")
    run = site.trigger(site.write_tasks(WAITS))
    run.wait("running", task_id="here")
    run.wait("deferred", task_id="there")
    wait_until(lambda: service.files("here"), 60, "the upload")
    site.kill("triggerer")
    site.start("triggerer")
    # Airflow 3.0 never starts a task again that was cleared while it ran.
    cleared = ["there"] if AIRFLOW_VERSION == (3, 0) else ["here", "there"]
    for task_id in cleared:
        run.clear(task_id)
        wait_until(
            lambda task_id=task_id: run.ti(task_id).try_number > 1, 120, "the second attempt"
        )
    for list_id in ("here", "there"):
        service.script(list_id=list_id, statuses=[("SUCCESS", None)])
    ended(run)
    assert run.states() == {"here": "success", "there": "success"}
    for task_id in ("here", "there"):
        uploaded = service.files(task_id)
        assert len(uploaded) == 1
        assert run.xcom(task_id) == uploaded[0]["_id"]
        assert ("of an earlier attempt adopted" in run.log(task_id)) is (task_id in cleared)


def random_points(draw: random.Random, task_id: str) -> list[int]:
    """Where two attempts of a task are killed."""
    points = [
        draw.randrange(1, abs(events)) * (1 if events > 0 else -1) for events in EVENTS[task_id]
    ]
    draw.shuffle(points)
    return points


@pytest.mark.timeout(900 + 15 * KILLS)
@pytest.mark.weekly("each moment that matters has a kill of its own")
def test_tasks_killed_at_random_moments_upload_once(site: AirflowSite, service: Emulator):
    seed = random.randrange(1 << 32)
    draw, kills, tasks = random.Random(seed), 0, 0
    print(f"seed {seed}")
    while kills < KILLS:
        service.reset()
        service.script(statuses=[("PENDING", 1), ("SUCCESS", None)])
        size = min(20, KILLS // 4 + 1)
        for index in range(size):  # not processed before it defers, even on a busy machine
            service.script(
                list_id=f"deferrable-{index}", statuses=[("PENDING", 15), ("SUCCESS", None)]
            )
        points = {
            task_id: [random_points(draw, task_id) for _ in range(size)] for task_id in EVENTS
        }
        dag_id = site.write_tasks((IMPORTS + RANDOM_DAG).format(points=points), max_active_tasks=6)
        run = ended(site.trigger(dag_id), 1800)
        for task_id in EVENTS:
            for index in range(size):
                uploaded = service.files(f"{task_id}-{index}")
                xcom = run.xcoms(task_id, index)
                assert run.ti(task_id, index).state == "success"
                assert len(uploaded) == 1
                assert xcom["return_value"] == xcom["coupon_file"]["id"] == uploaded[0]["_id"]
        kills += len(list((site.home / "crashes").glob(f"{run.dag_id}-*")))
        tasks += len(EVENTS) * size
        print(f"{kills} kills in {tasks} tasks")
