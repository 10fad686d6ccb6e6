"""
The wait that follows uploads. It begins when the identifiers are in the XComs, on a worker or in
the triggerer, and lasts for ``timeout`` from the last upload, or until 5 s before
``execution_timeout`` (a tenth of it, if that is less than 50 s). A deferred wait has all files of
the task, the time at which each was uploaded, and the task's statuses beside those of the
connection. A key that the upload has used is not taken for wrong by the first 401.
"""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timedelta, timezone
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from airflow.providers.common.compat.sdk import TaskDeferred

from support.attempts import Clock, TaskInstance
from unit.uploads.conftest import HOST, UPLOAD, replenish, upload, urls
from wes_provider.emulator import Emulator, faults
from wes_provider.operators.base import COUNTS_EACH_PART


def test_a_deferred_wait_is_told_that_its_key_was_used(ti: TaskInstance):
    with pytest.raises(TaskDeferred) as deferred:
        ti.run(upload(wait_for_completion=True, deferrable=True))
    assert deferred.value.trigger.arguments.outlives_refused_key


def test_a_deferred_wait_for_a_file_of_the_record_is_told_that_its_key_was_used(ti: TaskInstance):
    """By an earlier attempt: this one sends nothing before its wait."""
    ti.run(upload())
    with pytest.raises(TaskDeferred) as deferred:
        ti.retry(upload(wait_for_completion=True, deferrable=True))
    assert deferred.value.trigger.arguments.outlives_refused_key


@pytest.mark.usefixtures("waits_by_the_clock")
def test_a_wait_on_a_worker_outlives_a_key_that_its_first_poll_is_refused_for(
    wes_emulator: Emulator, ti: TaskInstance
):
    """The upload has used the key, and the first poll gets 401."""
    wes_emulator.script(statuses=[("SUCCESS", None)])
    wes_emulator.fail("get_coupon_file", faults.error(401, code="wrong-key"), times=1)
    ti.run(upload(wait_for_completion=True, deferrable=False))
    assert ti.xcoms["coupon_file"]["status"] == "SUCCESS"
    assert len(wes_emulator.requests_for("get_coupon_file")) == 2


@pytest.mark.usefixtures("waits_by_the_clock")
def test_a_file_that_was_processed_stays_so_after_a_clear_though_the_service_has_archived_it(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.script(statuses=[("SUCCESS", None)])
    task = partial(upload, wait_for_completion=True, deferrable=False)
    file_id = ti.run(task())
    wes_emulator.fail("get_coupon_file", faults.error(404, "not-found"), times=None)
    wes_emulator.fail("list_coupon_files", faults.Fault(body=b"[]"), times=None)
    assert ti.clear(task()) == file_id
    assert len(wes_emulator.requests_for(UPLOAD)) == 1


class Deadline(NamedTuple):
    """A task's ``execution_timeout``, and the seconds until its wait ends."""

    name: str
    execution_timeout: timedelta | None
    seconds: float


DEADLINES = [
    Deadline("no execution_timeout: the timeout of 7200 s", None, 7200.0),
    Deadline("9000 s: the timeout of 7200 s", timedelta(seconds=9000), 7200.0),
    Deadline("100 s: 5 s before it", timedelta(seconds=100), 95.0),
    Deadline("51 s: 5 s before it", timedelta(seconds=51), 46.0),
    Deadline("49 s: a tenth before it", timedelta(seconds=49), 44.1),
    Deadline("20 s: a tenth before it", timedelta(seconds=20), 18.0),
]


@pytest.mark.parametrize("row", DEADLINES, ids=[row.name for row in DEADLINES])
def test_a_wait_ends_before_airflows_execution_timeout(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock, row: Deadline
):
    ti.start_date = datetime.fromtimestamp(clock.time(), timezone.utc)
    arguments = {"execution_timeout": row.execution_timeout, "timeout": 7200}
    with pytest.raises(TaskDeferred) as deferred:
        ti.run(upload(wait_for_completion=True, deferrable=True, **arguments))
    deadline = deferred.value.trigger.arguments.deadline
    assert deadline - clock.time() == pytest.approx(row.seconds)


@pytest.fixture
def deferred_for_seven_files(
    wes_emulator: Emulator, ti: TaskInstance, monkeypatch: pytest.MonkeyPatch
) -> TaskDeferred:
    """
    The deferral of a task whose first file, of seven, is found processed in the list. Connection
    and task each have a set of statuses.
    """
    own = wes_emulator.connection(extra={"coupon_file_statuses": {"success": ["SUCCESS", "READY"]}})
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(own))
    wes_emulator.script(url=f"{HOST}/part-0.csv", statuses=[("SUCCESS", None)])
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    statuses = {"failure": ["BAD"]}
    with pytest.raises(TaskDeferred) as deferred:
        ti.run(
            replenish(
                urls(7), wait_for_completion=True, poll_interval=7, coupon_file_statuses=statuses
            )
        )
    return deferred.value


def test_a_task_that_defers_for_some_of_its_files_waits_for_all(
    wes_emulator: Emulator, deferred_for_seven_files: TaskDeferred
):
    """What was found processed is not known any more when the task is resumed."""
    files = wes_emulator.files("summer")
    assert files[0]["status"] == "SUCCESS"
    waited_for = deferred_for_seven_files.trigger.arguments.coupon_files
    assert list(waited_for) == [file["_id"] for file in files]


def test_the_timeout_of_a_deferred_wait_begins_with_the_last_upload(
    deferred_for_seven_files: TaskDeferred, clock: Clock
):
    """The deadline is in 7200 s; Airflow's own timeout of the deferral is 900 s later."""
    given = deferred_for_seven_files.trigger.arguments
    assert given.deadline == clock.time() + 7200
    assert deferred_for_seven_files.timeout == timedelta(seconds=7200 + 900)


def test_a_deferred_wait_has_the_tasks_interval_and_statuses_beside_the_connections(
    deferred_for_seven_files: TaskDeferred,
):
    given = deferred_for_seven_files.trigger.arguments
    assert given.poll_interval == 7
    assert (given.statuses.success, given.statuses.failure) == ({"SUCCESS", "READY"}, {"BAD"})


def test_each_file_of_a_deferred_wait_is_waited_for_from_its_own_upload(
    deferred_for_seven_files: TaskDeferred, clock: Clock
):
    """Five a minute are allowed, so the seventh was uploaded more than 30 s after the first."""
    given = deferred_for_seven_files.trigger.arguments
    first, *_, last = given.coupon_files.values()
    assert first + 30 < last <= clock.time()


def test_a_retry_goes_on_with_the_wait_for_its_upload(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock
):
    ti.run(upload())
    clock.sleep(30)
    with pytest.raises(TaskDeferred) as deferred:
        ti.retry(upload(wait_for_completion=True, deferrable=True))
    (sent_at,) = deferred.value.trigger.arguments.coupon_files.values()
    assert clock.time() - 31 < sent_at <= clock.time() - 30


def test_an_upload_later_than_execution_timeout_is_no_late_wait(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock
):
    """A deferral for the rate limit may last longer; Airflow 3 counts anew after it."""
    ti.start_date = datetime.fromtimestamp(clock.time() - 7200, timezone.utc)
    file_id = ti.run(upload(execution_timeout=timedelta(hours=1)))
    assert [file["_id"] for file in wes_emulator.files("summer")] == [file_id]


@pytest.mark.skipif(not COUNTS_EACH_PART, reason="counts from the attempt's start")
def test_a_wait_of_an_attempt_that_began_long_ago_has_the_whole_execution_timeout(
    ti: TaskInstance, clock: Clock
):
    """It began two hours ago, as if it had been deferred since; an hour is allowed."""
    ti.start_date = datetime.fromtimestamp(clock.time() - 7200, timezone.utc)
    with pytest.raises(TaskDeferred) as deferred:
        ti.run(
            upload(wait_for_completion=True, deferrable=True, execution_timeout=timedelta(hours=1))
        )
    assert clock.time() + 3500 < deferred.value.trigger.arguments.deadline < clock.time() + 3600


@pytest.fixture
def waits_by_the_clock(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have waits on a worker read the stopped clock, and move it when they pause."""

    async def sleep(seconds: float) -> None:
        clock.sleep(seconds)
        await asyncio.sleep(0)

    module = "wes_provider.waits.loop"
    monkeypatch.setattr(f"{module}.time", clock)
    replaced = SimpleNamespace(**{**vars(asyncio), "sleep": sleep})
    monkeypatch.setattr(f"{module}.asyncio", replaced)


PUSHES = pytest.mark.parametrize("pushes", [True, False], ids=["do_xcom_push", "no do_xcom_push"])


@PUSHES
@pytest.mark.usefixtures("waits_by_the_clock")
def test_a_wait_on_a_worker_polls_when_the_identifier_is_in_the_xcoms(
    wes_emulator: Emulator, ti: TaskInstance, pushes: bool
):
    """The task's result, too, if it has one."""
    pushed_before_polls: dict[str, Any] = {}

    def note_before_polls(key: str, value: Any) -> None:
        if not wes_emulator.requests_for("get_coupon_file"):
            pushed_before_polls[key] = value

    ti.pushed = note_before_polls
    wes_emulator.script(statuses=[("PENDING", 1), ("SUCCESS", None)])
    ti.run(upload(wait_for_completion=True, deferrable=False, do_xcom_push=pushes))
    (file,) = wes_emulator.files("summer")
    assert pushed_before_polls["coupon_file"]["id"] == file["_id"]
    assert pushed_before_polls.get("return_value") == (file["_id"] if pushes else None)


@PUSHES
def test_a_task_defers_for_its_wait_when_the_identifier_is_in_the_xcoms(
    wes_emulator: Emulator, ti: TaskInstance, pushes: bool
):
    """The task's result, too, if it has one."""
    with pytest.raises(TaskDeferred):
        ti.run(upload(wait_for_completion=True, deferrable=True, do_xcom_push=pushes))
    (file,) = wes_emulator.files("summer")
    assert ti.xcoms["coupon_file"]["id"] == file["_id"]
    assert ti.xcoms.get("return_value") == (file["_id"] if pushes else None)
