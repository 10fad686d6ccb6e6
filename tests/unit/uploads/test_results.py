"""
What a task of several files ends with. It fails if more files fail than ``max_failed_files`` or
fewer coupons are added than ``min_coupons_added``; a file that cannot be read, or is not
processed in time, fails it in any case. XCom and events have the status of each file, whether a
file is adopted (only if it is from before the last clear), and what was added. A file that the
list shows as failed counts though the task does not wait, one that it shows as processed needs no
wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from airflow.providers.common.compat.sdk import TaskDeferred

from support.attempts import TaskInstance
from unit.uploads.conftest import FAILED_FILE, HOST, UPLOAD, raises, replenish, upload, urls
from wes_provider.assets import coupon_list
from wes_provider.coupon_files import CountNames, failure
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import (
    WesCouponFileFailedError,
    WesError,
    WesForbiddenError,
    WesTimeoutError,
)
from wes_provider.models import CouponFile
from wes_provider.waits.decision import Done, Failed
from wes_provider.waits.outcomes import dump_outcomes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def test_a_file_that_is_found_failed_fails_the_task_though_it_does_not_wait(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.script(statuses=[("FAILED", None)])
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    with raises(WesCouponFileFailedError):
        ti.run(upload())
    assert ti.xcoms["coupon_file"]["status"] == "FAILED"


def test_a_file_that_is_found_failed_counts_after_the_wait_for_the_others(
    wes_emulator: Emulator, ti: TaskInstance
):
    for number, status in enumerate(("FAILED", "SUCCESS")):
        wes_emulator.script(url=f"{HOST}/part-{number}.csv", statuses=[(status, None)])
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    with raises(WesCouponFileFailedError, match="1 of 2 files failed"):
        ti.run(replenish(urls(2), wait_for_completion=True, deferrable=False))


def test_a_file_that_is_found_processed_needs_no_wait(wes_emulator: Emulator, ti: TaskInstance):
    wes_emulator.script(statuses=[("SUCCESS", None)])
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    assert (
        ti.run(upload(wait_for_completion=True, deferrable=True))
        == wes_emulator.files("summer")[0]["_id"]
    )


class Resumed(NamedTuple):
    """An operator that is resumed when its wait for the file ``f1`` is over, and its result."""

    name: str
    make: Callable[[], Any]
    result: str | list[str]


RESUMED = [
    Resumed("upload", upload(wait_for_completion=True), "f1"),
    Resumed("replenish", replenish(urls(1), wait_for_completion=True), ["f1"]),
]


@pytest.mark.parametrize("row", RESUMED, ids=lambda row: row.name)
def test_a_task_that_is_resumed_without_its_xcom_returns_the_identifiers_of_the_event(
    ti: TaskInstance, row: Resumed
):
    event = dump_outcomes({"f1": Done(CouponFile("f1", "summer", status="SUCCESS"))})
    assert row.make().execute_complete(ti.context(), event) == row.result


def test_the_end_of_a_wait_reads_no_connection(
    wes_emulator: Emulator, ti: TaskInstance, monkeypatch: pytest.MonkeyPatch
):
    """A secrets backend that is away by then does not fail a task whose files are processed."""
    ids = ti.run(replenish(urls(1)))
    with pytest.raises(TaskDeferred) as deferred:
        ti.retry(replenish(urls(1), wait_for_completion=True))
    names = CountNames(added="rows")
    assert deferred.value.trigger.arguments.count_names == CountNames()
    done = Done(CouponFile(ids[0], "summer", status="SUCCESS", counts={"rows": 7}))
    monkeypatch.delenv("AIRFLOW_CONN_WES_DEFAULT")
    task = replenish(urls(1), wait_for_completion=True, min_coupons_added=7)()
    assert task.execute_complete(ti.context(), dump_outcomes({ids[0]: done}, names)) == ids


def test_an_uploaded_file_does_not_count_as_adopted_after_a_retry(
    wes_emulator: Emulator, ti: TaskInstance
):
    """No event has told of it before."""
    wes_emulator.script(statuses=[("SUCCESS", None)])
    ti.run(upload())
    assert ti.xcoms["coupon_file"]["adopted"] is False
    ti.retry(upload())
    assert ti.xcoms["coupon_file"]["adopted"] is False


def test_an_uploaded_file_counts_as_adopted_after_a_clear(wes_emulator: Emulator, ti: TaskInstance):
    """The XCom says so, and the event of the outlet."""
    outlets = [coupon_list("summer")]
    wes_emulator.script(statuses=[("SUCCESS", None)])
    ti.run(upload(outlets=outlets))
    ti.clear(upload(outlets=outlets))
    assert ti.xcoms["coupon_file"]["adopted"] is True
    assert ti.events[outlets[0]].extra["adopted"] is True


def test_of_an_adopted_file_and_a_new_one_the_event_names_the_adopted_one(
    wes_emulator: Emulator, ti: TaskInstance
):
    """The event's ``adopted`` is true only if all files are, so it is false here."""
    outlets = [coupon_list("summer")]
    wes_emulator.script(statuses=[("SUCCESS", None)])
    ti.run(upload(outlets=outlets))
    ti.clear(replenish([f"{HOST}/a.csv", f"{HOST}/b.csv"], outlets=outlets))
    assert [file["adopted"] for file in ti.xcoms["coupon_files"]] == [True, False]
    event = ti.events[outlets[0]].extra
    assert event["adopted"] is False
    assert event["adopted_coupon_file_ids"] == event["coupon_file_ids"][:1]


def ended(how: str, file_id: str) -> Any:
    """The outcome of a wait for a file."""
    file = CouponFile(file_id, "summer", status="FAILED")
    if how == "done":
        return Done(CouponFile(file_id, "summer", status="SUCCESS", counts={"added": 1}))
    error = {
        "failed": failure(file),
        "late": WesTimeoutError("late"),
        "refused": WesForbiddenError("403"),
    }
    return Failed(error[how])


class Ends(NamedTuple):
    """
    How the waits for three files end, and the task's error.

    :ivar waits: each ``done``, ``failed``, ``late`` or ``refused``.
    :ivar most: ``max_failed_files``.
    """

    name: str
    waits: tuple[str, str, str]
    most: int
    error: type[WesError]
    message: str


ENDS = [
    Ends(
        "two fail, and none may",
        ("done", "failed", "failed"),
        most=0,
        error=WesCouponFileFailedError,
        message="2 of 3 files failed: Processing failed",
    ),
    Ends(
        "two fail, and one may",
        ("done", "failed", "failed"),
        most=1,
        error=WesCouponFileFailedError,
        message="2 of 3 files failed: Processing failed",
    ),
    Ends(
        "all fail and may, but min_coupons_added is 1",
        ("failed", "failed", "failed"),
        most=3,
        error=WesCouponFileFailedError,
        message="No count of added coupons",
    ),
    Ends(
        "one is late",
        ("late", "done", "failed"),
        most=2,
        error=WesTimeoutError,
        message="1 of 3 files not processed in time",
    ),
    Ends(
        "one is late and one cannot be read",
        ("late", "failed", "refused"),
        most=2,
        error=WesForbiddenError,
        message="403",
    ),
]


def end_three_waits(ti: TaskInstance, waits: Sequence[str], most: int) -> list[str]:
    """
    Have a task that uploaded three files end as its waits did, one coupon or more being needed.

    :raises WesError: as the task does.
    """
    ti.map_index = 3
    ids = ti.run(replenish(urls(3)))
    files = zip(waits, ids, strict=True)
    event = dump_outcomes({file_id: ended(how, file_id) for how, file_id in files})
    task = replenish(urls(3), wait_for_completion=True, max_failed_files=most, min_coupons_added=1)
    assert task().execute_complete(ti.context(), event) == ids
    return list(ids)


@pytest.mark.parametrize("row", ENDS, ids=[row.name for row in ENDS])
def test_a_task_fails_as_its_files(row: Ends, ti: TaskInstance):
    with raises(row.error, row.message):
        end_three_waits(ti, row.waits, row.most)


def test_a_task_succeeds_if_as_many_files_fail_as_may(ti: TaskInstance):
    ids = end_three_waits(ti, ("done", "failed", "failed"), 2)
    assert [file["id"] for file in ti.xcoms["coupon_files"]] == ids


def test_the_xcom_of_a_task_that_fails_has_the_status_of_each_file(ti: TaskInstance):
    """A file that is late has the status of its upload."""
    with raises(WesTimeoutError):
        end_three_waits(ti, ("late", "done", "failed"), 2)
    statuses = [file["status"] for file in ti.xcoms["coupon_files"]]
    assert statuses == ["PENDING", "SUCCESS", "FAILED"]


def test_the_event_of_each_outlet_has_what_all_files_brought(
    wes_emulator: Emulator, ti: TaskInstance
):
    outlets = [coupon_list("summer"), coupon_list("all")]
    ids = ti.run(replenish(urls(2), outlets=outlets))
    event = dump_outcomes({each: ended("done", each) for each in ids})
    replenish(urls(2), outlets=outlets, wait_for_completion=True)().execute_complete(
        ti.context(), event
    )
    expected = {
        "coupon_list_id": "summer",
        "coupon_file_ids": ids,
        "added": 2,
        "adopted": False,
        "adopted_coupon_file_ids": [],
    }
    assert [ti.events[outlet].extra for outlet in outlets] == [expected] * 2


def test_what_a_file_was_found_to_have_stands_beside_what_was_added(
    wes_emulator: Emulator, ti: TaskInstance
):
    pytest.importorskip("duckdb", reason="duckdb is not installed: dependency group test")
    storage = pytest.importorskip("wes_provider.storage")
    wes_emulator.script(processing_time=0.0)
    waiting = {"wait_for_completion": True, "deferrable": False}
    ti.run(upload(wes_emulator.host("a.csv", b"A1\nA2\n"), **waiting))
    again = wes_emulator.host("b.csv", b"A1\nA2\nA3\n")
    ti.run(upload(again, preflight=storage.Preflight(), **waiting))
    assert (
        ti.xcoms["coupon_file"]["expected_codes"],
        ti.xcoms["coupon_file"]["coupons_added"],
    ) == (3, 1)


def test_a_file_that_fails_during_a_wait_has_that_status_in_its_xcom(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.script(**FAILED_FILE)
    with raises(WesCouponFileFailedError):
        ti.run(upload(wait_for_completion=True, deferrable=False))
    assert ti.xcoms["coupon_file"]["status"] == "FAILED"
