"""
One loop over a task's files: attempts, clears, limits and decisions, against the emulator on a
stopped clock.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import re
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException, TaskDeferred

from support.attempts import MIDNIGHT, Clock, Store, TaskInstance
from unit.uploads.conftest import HOST, replenish, upload, urls
from wes_provider.assets import coupon_list
from wes_provider.attempt import Attempt
from wes_provider.client.responses import Listing
from wes_provider.coupon_files import CountNames, Statuses, failure
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesBadRequestError,
    WesConfigurationError,
    WesConnectionError,
    WesCouponFileFailedError,
    WesDuplicateError,
    WesError,
    WesForbiddenError,
    WesRateLimitError,
    WesServerError,
    WesTimeoutError,
    WesUnknownOutcomeError,
)
from wes_provider.hooks import WesHook
from wes_provider.models import CouponFile
from wes_provider.operators.base import COUNTS_EACH_PART
from wes_provider.uploads.decision import Policy
from wes_provider.uploads.identity import UploadName
from wes_provider.uploads.loop import UploadedFile, UploadLoop
from wes_provider.uploads.record import RecordStore, UploadRecord
from wes_provider.uploads.request import UploadRequest
from wes_provider.waits.decision import Done, Failed
from wes_provider.waits.outcomes import dump_outcomes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_mock import MockerFixture

UPLOAD = "upload_coupon_file"
ACCEPTED = faults.empty(effect=False)
"""A 201 without a body, for a file that the list never shows."""
ARRIVES = faults.slow(0.01)
"""A request that is carried out and answered, before one that a later fault is for."""


def is_for_good(error: BaseException) -> bool:
    """Whether Airflow does not retry the task: before Airflow 3.3, by the error's class."""
    return isinstance(error, AirflowFailException) or getattr(error, "permanent", False)


def raises(error: type[WesError], match: str | None = None) -> Any:
    """The error, or before Airflow 3.3, what keeps Airflow from retrying the task for it."""
    return pytest.raises((error, AirflowFailException), match=match)


def refused(emulator: Emulator) -> int:
    """How many uploads got 429."""
    return sum(request.status == 429 for request in emulator.requests_for(UPLOAD))


# -- the pace ------------------------------------------------------------------------------------


def test_twelve_files_at_five_a_minute_are_uploaded_once_each_in_their_order(
    wes_emulator: Emulator, ti: TaskInstance
):
    """The task returns their identifiers and has them in its XCom."""
    ids = ti.run(replenish(urls(12)))
    assert ids == [file["_id"] for file in wes_emulator.files("summer")]
    assert [file["file_url"] for file in wes_emulator.files("summer")] == urls(12)
    assert [each["id"] for each in ti.xcoms["coupon_files"]] == ids


def test_twelve_files_at_five_a_minute_need_no_refusal_and_no_list(
    wes_emulator: Emulator, ti: TaskInstance
):
    ti.run(replenish(urls(12)))
    assert refused(wes_emulator) == 0
    assert wes_emulator.requests_for("list_coupon_files") == []


def test_twelve_files_at_five_a_minute_defer_twice_and_take_little_longer_than_two_minutes(
    ti: TaskInstance, clock: Clock
):
    begin = clock.time()
    ti.run(replenish(urls(12)))
    assert len(ti.deferrals) == 2
    assert 119 < clock.time() - begin < 124


def test_a_worker_sleeps_for_the_limit_if_it_may_not_defer(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock
):
    """
    Six files at five in each minute of the clock, which stands at 01:00:00.3: the sixth is sent at
    01:01:00, without a deferral and a refusal.
    """
    assert len(ti.run(replenish(urls(6), deferrable=False))) == 6
    assert (ti.deferrals, refused(wes_emulator)) == ([], 0)
    assert 59 < clock.slept < 61


def test_a_limit_that_opens_tomorrow_is_an_error_of_a_worker_that_may_not_defer(
    wes_emulator: Emulator, ti: TaskInstance
):
    """
    The third file of a limit of two a day: the error says to defer, and has the next midnight. A
    worker sleeps for at most ``max_rate_limit_wait``, which is 120 s.
    """
    wes_emulator.configure(limits={UPLOAD: [[2, 86400]]})
    with raises(
        WesRateLimitError,
        match="max_rate_limit_wait of 120 s: with deferrable=True, the task waits in the triggerer",
    ) as raised:
        ti.run(replenish(urls(3), deferrable=False))
    assert raised.value.reset_at.timestamp() == pytest.approx(MIDNIGHT + 86400, abs=2)


def test_what_was_uploaded_before_a_limit_that_opens_tomorrow_is_kept_and_adopted(
    wes_emulator: Emulator, ti: TaskInstance
):
    """Two of three files are in the XCom, and the retry, which defers, uploads only the third."""
    wes_emulator.configure(limits={UPLOAD: [[2, 86400]]})
    with raises(WesRateLimitError):
        ti.run(replenish(urls(3), deferrable=False))
    kept = [file["id"] for file in ti.xcoms["coupon_files"]]
    assert kept == [file["_id"] for file in wes_emulator.files("summer")]
    assert len(ti.retry(replenish(urls(3)))) == 3
    assert len(wes_emulator.files("summer")) == 3


def test_a_limit_that_opens_too_soon_to_defer_is_slept_for(
    wes_emulator: Emulator, ti: TaskInstance, monkeypatch: pytest.MonkeyPatch
):
    """A 429 with a reset 10 s ahead does not defer, though ``max_rate_limit_wait`` is 5 s."""
    impatient = {"conn_type": "wes", **wes_emulator.connection(extra={"max_rate_limit_wait": 5})}
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(impatient))
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=10), times=1)
    assert (len(ti.run(replenish(urls(1)))), ti.deferrals) == (1, [])


def test_an_upload_whose_reply_is_lost_counts_for_the_limit(
    wes_emulator: Emulator, ti: TaskInstance
):
    """Of six files at five a minute, the first one's reply is lost, and none is refused."""
    wes_emulator.configure(rate_limit_headers="429")
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    assert len(ti.run(replenish(urls(6)))) == 6
    assert refused(wes_emulator) == 0


def test_uploads_count_for_the_limit_from_their_responses_on(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    """Five uploads take 10 s each to arrive, and the sixth is not refused by a rolling window."""
    send_upload, seconds = WesHook.send_upload, iter([10] * 5 + [0])
    monkeypatch.setattr(
        WesHook, "send_upload", lambda *args: (clock.sleep(next(seconds)), send_upload(*args))[1]
    )
    wes_emulator.configure(rate_limit_headers="429", window_policy="rolling")
    assert (len(ti.run(replenish(urls(6)))), refused(wes_emulator)) == (6, 0)


def test_an_upload_that_always_gets_429_fails_after_the_timeout(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock
):
    """At the first refusal after 300 s; before it, there are limits of a minute at most."""
    wes_emulator.fail(UPLOAD, faults.rate_limited(), times=None)
    begin = clock.time()
    with raises(WesRateLimitError):
        ti.run(replenish(urls(1), timeout=300.0))
    assert 300 <= clock.time() - begin < 370
    assert 3 < len(wes_emulator.requests_for(UPLOAD)) < 40
    assert ti.xcoms["coupon_files"] == []


def test_sixty_files_go_without_a_deferral_if_headers_state_a_limit_of_90_000_a_minute(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.configure(limits={UPLOAD: [[90_000, 60]]})
    assert len(ti.run(replenish(urls(60)))) == 60
    assert ti.deferrals == []


# -- the end -------------------------------------------------------------------------------------


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


# -- the identity --------------------------------------------------------------------------------


def test_paths_that_change_with_each_rendering_go_on_after_a_deferral(
    wes_emulator: Emulator, ti: TaskInstance
):
    token = itertools.count()
    ids = ti.run(replenish(lambda: [f"{HOST}/{next(token)}/{number}.csv" for number in range(7)]))
    assert len(wes_emulator.files("summer")) == len(set(ids)) == 7
    assert len(ti.deferrals) == 1


@pytest.mark.parametrize("count", [1, 2], ids=["1 file", "2 files"])
def test_paths_that_change_with_each_retry_ask_for_names(
    wes_emulator: Emulator, ti: TaskInstance, count: int
):
    token = itertools.count()
    files = lambda: [f"{HOST}/{next(token)}/{number}.csv" for number in range(count)]  # noqa: E731
    ti.run(replenish(files))
    with raises(WesUnknownOutcomeError, match="from other URLs: give each file a name"):
        ti.retry(replenish(files))
    assert len(wes_emulator.files("summer")) == count


def test_a_single_file_may_have_another_path_in_each_attempt(
    wes_emulator: Emulator, ti: TaskInstance
):
    token = itertools.count()
    make = upload(lambda: f"{HOST}/{next(token)}/a.csv")
    file_id = ti.run(make)
    ti.store = Store()
    assert ti.retry(make) == file_id
    assert len(wes_emulator.files("summer")) == 1


def test_a_file_from_another_path_is_that_of_one_upload_only(
    wes_emulator: Emulator, ti: TaskInstance
):
    """Of two operators in the code of one retry, without a record, only the first adopts it."""
    file_id = ti.run(upload(f"{HOST}/1/a.csv"))
    ti.store, ti.try_number = Store(), 2
    context = ti.context()
    assert upload(f"{HOST}/2/a.csv")().execute(context) == file_id
    assert upload(f"{HOST}/2/b.csv")().execute(context) != file_id


@pytest.mark.parametrize("has_record", [True, False], ids=["with its record", "without a record"])
@pytest.mark.parametrize(
    "attempt", [TaskInstance.retry, TaskInstance.clear], ids=["retry", "clear"]
)
def test_files_in_another_order_behind_a_new_one_are_not_uploaded_again(
    wes_emulator: Emulator,
    ti: TaskInstance,
    attempt: Callable[[TaskInstance, Any], Any],
    has_record: bool,
):
    """The list shows the three files of the first attempt; only the new one is uploaded."""
    ti.run(replenish(urls(3)))
    if not has_record:
        ti.store = Store()
    new = f"{HOST}/new.csv"
    attempt(ti, replenish([new, *reversed(urls(3))]))
    assert [file["file_url"] for file in wes_emulator.files("summer")] == [*urls(3), new]


def test_a_file_that_the_service_no_longer_knows_is_uploaded_again(
    wes_emulator: Emulator, ti: TaskInstance
):
    first = ti.run(upload())
    wes_emulator.reset()
    wes_emulator.configure(limits=None)
    second = ti.clear(upload())
    assert second != first
    assert [file["_id"] for file in wes_emulator.files("summer")] == [second]


def test_a_file_that_only_the_list_knows_is_adopted(wes_emulator: Emulator, ti: TaskInstance):
    """A service without the path of a single file."""
    first = ti.run(upload())
    wes_emulator.fail("get_coupon_file", faults.error(404), times=None)
    assert ti.clear(upload()) == first


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


class Content(NamedTuple):
    """The content of a file in its upload and in the next attempt; empty if it is not checked."""

    name: str
    before: str
    after: str


NOT_ANOTHER = [
    Content("the same", "a", "a"),
    Content("not checked before", "", "b"),
    Content("not checked now", "a", ""),
]
CLEARS = pytest.mark.parametrize("clears", [False, True], ids=["in a retry", "after a clear"])


def begin_next_attempt(ti: TaskInstance, *, clears: bool) -> None:
    if clears:
        ti.clear()
    else:
        ti.try_number += 1


@CLEARS
@pytest.mark.parametrize("row", NOT_ANOTHER, ids=[row.name for row in NOT_ANOTHER])
def test_a_file_whose_content_is_the_same_or_not_known_is_adopted(
    wes_emulator: Emulator, ti: TaskInstance, row: Content, clears: bool
):
    (first,) = send(ti, f"{HOST}/a.csv", content_hash=row.before)
    begin_next_attempt(ti, clears=clears)
    (second,) = send(ti, f"{HOST}/a.csv", content_hash=row.after)
    assert second.file.id == first.file.id
    assert len(wes_emulator.files("summer")) == 1


@CLEARS
def test_a_file_with_another_content_than_its_upload_is_an_error_and_not_uploaded(
    wes_emulator: Emulator, ti: TaskInstance, clears: bool
):
    send(ti, f"{HOST}/a.csv", content_hash="a")
    begin_next_attempt(ti, clears=clears)
    with pytest.raises(WesDuplicateError, match="Uploaded before with another content"):
        send(ti, f"{HOST}/a.csv", content_hash="b")
    assert len(wes_emulator.files("summer")) == 1


def test_another_content_is_an_error_though_only_the_list_has_the_file(
    wes_emulator: Emulator, ti: TaskInstance
):
    """
    The reply is lost, and the list gets 503 until that attempt fails: its record has the content,
    and no file. The next attempt follows a clear.
    """
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(503), times=5)
    with pytest.raises(WesUnknownOutcomeError):
        send(ti, f"{HOST}/a.csv", content_hash="a")
    wes_emulator.clear_faults()
    ti.clear()
    with pytest.raises(WesDuplicateError, match="Uploaded before with another content"):
        send(ti, f"{HOST}/a.csv", content_hash="b")
    assert len(wes_emulator.files("summer")) == 1


class Interrupted(NamedTuple):
    """What the requests for a replacement get, and the error that ends the attempt."""

    name: str
    requests: list[BaseException]
    error: type[BaseException]


LIMITED = WesRateLimitError("429")
INVALID = WesBadRequestError("400", status_code=400, code="bad")
INTERRUPTED = [
    Interrupted("refused", [INVALID], WesBadRequestError),
    Interrupted("refused after a 429", [LIMITED, INVALID], WesBadRequestError),
    Interrupted("killed", [KeyboardInterrupt()], KeyboardInterrupt),
    Interrupted("killed after a 429", [LIMITED, KeyboardInterrupt()], KeyboardInterrupt),
]


@pytest.mark.parametrize("row", INTERRUPTED, ids=lambda row: row.name)
def test_the_content_of_an_older_file_outlives_a_request_for_a_replacement(
    wes_emulator: Emulator, ti: TaskInstance, mocker: MockerFixture, row: Interrupted
):
    """``a.csv`` had the content a; its replacement, which does not get through, has b."""
    send(ti, f"{HOST}/a.csv", content_hash="a")
    ti.clear()
    mocker.patch.object(WesHook, "send_upload", side_effect=row.requests)
    with pytest.raises(row.error):
        send(ti, f"{HOST}/a.csv", "upload", content_hash="b")
    mocker.stopall()
    ti.clear()
    with pytest.raises(WesDuplicateError, match="Uploaded before with another content"):
        send(ti, f"{HOST}/a.csv", content_hash="b")


def test_a_file_that_was_adopted_whatever_it_holds_is_adopted_by_the_retry_as_well(
    wes_emulator: Emulator, ti: TaskInstance
):
    """Another task's file, and one that a person names, may hold what this task never sent."""
    other = TaskInstance(task_id="other", sleep=ti.sleep, now=ti.now)
    send(other, f"{HOST}/a.csv", content_hash="b")
    wes_emulator.fail(UPLOAD, faults.reply_lost(effect=False), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(503), times=5)
    with pytest.raises(WesUnknownOutcomeError):
        send(ti, f"{HOST}/a.csv", content_hash="a")
    wes_emulator.clear_faults()
    ti.clear()
    for _ in range(2):
        (file,) = send(ti, f"{HOST}/a.csv", content_hash="b")
        assert file.from_before_clear, "nobody counts its coupons twice"
        ti.try_number += 1
    assert len(wes_emulator.files("summer")) == 1


def refuse_to_store(ti: TaskInstance, is_refused: Callable[[Any], bool]) -> None:
    """Have the task's store raise an error for some of the values that it is to keep."""
    store = ti.store
    assert store is not None
    keep = store.set

    def set_some(key: str, value: Any, **options: Any) -> None:
        if is_refused(value):
            raise RuntimeError("the store is away")
        keep(key, value, **options)

    store.set = set_some  # type: ignore[method-assign]


def test_a_store_that_fails_after_the_upload_does_not_fail_it(
    ti: TaskInstance, caplog: pytest.LogCaptureFixture
):
    refuse_to_store(ti, lambda value: "file" in value)
    file_id = ti.run(upload())
    assert ti.xcoms["coupon_file"]["id"] == file_id
    assert f"Coupon file {file_id} cannot be remembered: RuntimeError" in caplog.text


def test_a_file_that_could_not_be_remembered_is_adopted_by_the_retry(
    wes_emulator: Emulator, ti: TaskInstance
):
    refuse_to_store(ti, lambda value: "file" in value)
    file_id = ti.run(upload())
    assert ti.retry(upload()) == file_id
    assert len(wes_emulator.files("summer")) == 1


def test_a_retry_logs_that_it_reads_the_list_and_why_before_it_does(
    ti: TaskInstance, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    caplog.set_level(logging.INFO)
    ti.store, ti.try_number = None, 2
    read_list = WesHook.read_list
    logged: list[str] = []

    def note_what_is_logged_by_now(hook: WesHook, list_id: str) -> Listing:
        logged.append(caplog.text)
        return read_list(hook, list_id)

    monkeypatch.setattr(WesHook, "read_list", note_what_is_logged_by_now)
    ti.run(upload())
    assert (
        "since an earlier attempt may have uploaded it (a.csv of list summer)\nFor 90 s"
        in logged[0]
    )


class Killed(NamedTuple):
    """
    An attempt that is killed when its record says that it sends the request, which never arrives.

    :ivar retried_after: seconds from the kill to the next attempt.
    :ivar reads_for: seconds for which the next attempt reads the list: read_timeout is 60,
        coupon_files_lag 30.
    :ivar has_record: whether there is a store, which keeps the record.
    :ivar clears: whether the next attempt follows a clear, and not a failure.
    """

    retried_after: float
    reads_for: float
    has_record: bool = True
    clears: bool = False


KILLED = {
    "retried at once": Killed(0.0, 90.0),
    "retried soon": Killed(15.0, 75.0),
    "retried when the lag is all that is left": Killed(60.0, 30.0),
    "retried a second before that": Killed(59.0, 31.0),
    "retried much later": Killed(300.0, 30.0),
    "cleared soon": Killed(15.0, 75.0, clears=True),
    "retried without a record": Killed(300.0, 90.0, has_record=False),
    "cleared without a record": Killed(300.0, 90.0, has_record=False, clears=True),
}


def kill_before_the_request(
    ti: TaskInstance, killed: Killed, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not killed.has_record:
        ti.store = None
    with monkeypatch.context() as patch:
        patch.setattr(WesHook, "send_upload", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            ti.run(upload())
    clock.sleep(killed.retried_after)


@pytest.mark.parametrize("killed", KILLED.values(), ids=KILLED)
def test_a_request_of_a_killed_attempt_has_read_timeout_and_the_lag_to_be_listed(
    wes_emulator: Emulator,
    ti: TaskInstance,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    killed: Killed,
):
    kill_before_the_request(ti, killed, clock, monkeypatch)
    began = clock.slept
    next_attempt = ti.clear if killed.clears else ti.retry
    next_attempt(upload())
    assert clock.slept - began == pytest.approx(killed.reads_for, abs=0.1)
    assert len(wes_emulator.files("summer")) == 1


@pytest.mark.parametrize("seconds", [40.0, 3600.0, -3600.0], ids=["ahead", "far ahead", "back"])
def test_a_clock_that_is_set_does_not_end_the_time_that_the_list_has(
    wes_emulator: Emulator,
    ti: TaskInstance,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
):
    """The list shows the file 20 seconds after the response was lost."""
    wes_emulator.configure(list_lag=20)
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    read_list = WesHook.read_list

    def is_set_during_the_first_reading(hook: WesHook, list_id: str) -> Listing:
        monkeypatch.setattr(WesHook, "read_list", read_list)
        clock.now += seconds
        return read_list(hook, list_id)

    monkeypatch.setattr(WesHook, "read_list", is_set_during_the_first_reading)
    ti.run(upload())
    assert len(wes_emulator.files("summer")) == 1
    assert clock.slept <= 32


OTHER_LIST = {"_id": "f9", "coupons_list_id": "winter", "status": "SUCCESS", "name": "a.csv"}


def test_a_list_that_shows_another_lists_files_is_left_to_a_person(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wrong = faults.Fault(body=json.dumps([OTHER_LIST]).encode())
    wes_emulator.fail("list_coupon_files", wrong, times=None)
    with raises(WesUnknownOutcomeError, match="the service shows files of another list: f9"):
        ti.run(upload())
    wes_emulator.clear_faults()
    assert [ti.clear(upload())] == [file["_id"] for file in wes_emulator.files("summer")]


def test_a_task_that_is_cleared_under_another_name_takes_the_runs_file(
    wes_emulator: Emulator, ti: TaskInstance
):
    """It was renamed, or moved into a group, and has no record under that name."""
    file_id = ti.run(upload())
    renamed = TaskInstance(task_id="group.replenish", sleep=ti.sleep, now=ti.now)
    assert renamed.clear(upload(task_id="group.replenish")) == file_id
    assert len(wes_emulator.files("summer")) == 1


def test_the_first_try_of_a_task_in_a_run_that_was_cleared_takes_the_runs_file(
    wes_emulator: Emulator, ti: TaskInstance
):
    file_id = ti.run(upload())
    new = TaskInstance(task_id="new", clear_number=1, sleep=ti.sleep, now=ti.now)
    assert new.run(upload(task_id="new")) == file_id
    assert len(wes_emulator.files("summer")) == 1


@pytest.mark.parametrize("records", [False, True], ids=["without records", "with records"])
def test_operators_in_the_code_of_one_task_upload_a_file_once(
    wes_emulator: Emulator, ti: TaskInstance, records: bool
):
    ti.store = ti.store if records else None
    context = ti.context()
    assert upload()().execute(context) == upload()().execute(context)
    assert len(wes_emulator.files("summer")) == 1


def test_a_refused_upload_takes_after_a_clear_what_another_task_uploaded(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.fail(UPLOAD, faults.error(400, code="bad"), times=1)
    with raises(WesBadRequestError):
        ti.run(upload())
    other = TaskInstance(task_id="other", sleep=ti.sleep, now=ti.now).run(upload(task_id="other"))
    assert ti.clear(upload()) == other


def test_another_file_in_the_code_of_a_retry_asks_for_names(
    wes_emulator: Emulator, ti: TaskInstance
):
    coded = TaskInstance(task_id="coded", store=None, sleep=ti.sleep, now=ti.now)
    upload()().execute(coded.context())
    coded.try_number = 2
    with raises(WesUnknownOutcomeError, match="give each file a name"):
        upload(f"{HOST}/b.csv")().execute(coded.context())


def test_in_a_run_never_cleared_another_tasks_upload_is_its_own_business(
    wes_emulator: Emulator, ti: TaskInstance
):
    first = ti.run(upload())
    other = TaskInstance(task_id="other", sleep=ti.sleep, now=ti.now)
    second = other.run(upload(task_id="other"))
    assert second != first
    other.store = None
    assert other.retry(upload(task_id="other")) == second


@pytest.mark.parametrize("later", [urls(8), urls(7)[::-1]], ids=["one more", "in another order"])
def test_files_that_changed_during_a_deferral_fail(
    wes_emulator: Emulator, ti: TaskInstance, later: list[str]
):
    renderings = iter([urls(7), later])
    with raises(WesConfigurationError, match="files changed during a deferral"):
        ti.run(replenish(lambda: next(renderings)))
    assert len(wes_emulator.files("summer")) == 5


def query_differs(wes_emulator: Emulator, ti: TaskInstance) -> tuple[TaskInstance, str]:
    """
    Two mapped instances, whose URLs differ in their query alone: the first one has its file, and
    the second one got 401, and is cleared.

    :return: the second one, and the error of its attempt after the clear.
    """
    first, second = (TaskInstance(map_index=index, sleep=ti.sleep, now=ti.now) for index in (0, 1))
    first.run(upload(f"{HOST}/download?id=1"))
    wes_emulator.fail(UPLOAD, faults.error(401), times=1)
    with raises(WesAuthenticationError):
        second.run(upload(f"{HOST}/download?id=2"))
    with raises(WesUnknownOutcomeError, match="another query.*give each file a name") as raised:
        second.clear(upload(f"{HOST}/download?id=2"))
    assert is_for_good(raised.value)
    return second, str(raised.value)


def test_a_cleared_mapped_upload_asks_a_person_if_only_the_query_of_a_file_differs(
    wes_emulator: Emulator, ti: TaskInstance
):
    """The file is perhaps another instance's, and nothing is sent."""
    query_differs(wes_emulator, ti)
    urls_of_files = [file["file_url"] for file in wes_emulator.files("summer")]
    assert urls_of_files == [f"{HOST}/download?id=1"]


def test_a_mapped_upload_is_sent_if_a_person_calls_its_file_absent_though_the_query_differs(
    wes_emulator: Emulator, ti: TaskInstance
):
    second, error = query_differs(wes_emulator, ti)
    (variable,) = re.findall(r"Airflow Variable (\S+)\n", error)
    second.variables[variable] = "absent"
    file_id = second.clear(upload(f"{HOST}/download?id=2"))
    _, file = wes_emulator.files("summer")
    assert (file["_id"], file["file_url"]) == (file_id, f"{HOST}/download?id=2")


def test_a_cleared_mapped_upload_adopts_its_own_file(wes_emulator: Emulator, ti: TaskInstance):
    """An instance whose URL differs in its query alone has a file, too."""
    first, second = (TaskInstance(map_index=index, sleep=ti.sleep, now=ti.now) for index in (0, 1))
    file_id = first.run(upload(f"{HOST}/download?id=1"))
    second.run(upload(f"{HOST}/download?id=2"))
    assert first.clear(upload(f"{HOST}/download?id=1")) == file_id


def test_files_that_differ_in_their_query_are_uploaded_each(
    wes_emulator: Emulator, ti: TaskInstance
):
    files = [f"{HOST}/download?id={number}" for number in range(3)]
    ids = ti.run(replenish(files[:2]))
    ti.store = Store()
    assert ti.retry(replenish(files[:2])) == ids
    assert ti.clear(replenish(files))[:2] == ids, "one more file is no question"
    assert [file["file_url"] for file in wes_emulator.files("summer")] == files


@pytest.mark.parametrize("sign", ["sig", "token", "X-Amz-Signature"])
def test_a_file_that_is_signed_anew_is_the_same(
    wes_emulator: Emulator, ti: TaskInstance, sign: str
):
    number = itertools.count()
    make = upload(lambda: f"{HOST}/download?id=1&{sign}={next(number)}")
    file_id = ti.run(make)
    ti.store = Store()
    assert ti.retry(make) == file_id
    assert ti.clear(make) == file_id


def test_files_whose_paths_have_parameters_are_two(wes_emulator: Emulator, ti: TaskInstance):
    files = [f"{HOST}/codes;1.csv", f"{HOST}/codes;2.csv"]
    ti.run(replenish(files))
    assert [file["file_url"] for file in wes_emulator.files("summer")] == files


# -- clocks of several machines ------------------------------------------------------------------


@pytest.mark.parametrize("minutes", [-3, 3], ids=["3 minutes behind", "3 minutes ahead"])
def test_a_worker_whose_clock_differs_goes_on_at_the_limits_pace(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock, minutes: int
):
    """
    A worker that resumes 7 files after the limit has passed uploads the rest, without another
    deferral and with less than 10 s of sleep.
    """
    context = ti.context()
    with pytest.raises(TaskDeferred) as deferred:
        replenish(urls(7))().execute(context)
    given = json.loads(json.dumps(deferred.value.trigger.serialize()[1]))
    clock.sleep(given["seconds"] + 5)
    clock.now += 60 * minutes
    event = {"state": given["state"], "waited": given["seconds"] + 5}
    slept = clock.slept
    assert len(replenish(urls(7))().execute_at_reset(ti.context(), event)) == 7
    assert clock.slept - slept < 10
    assert refused(wes_emulator) == 0


def test_a_task_that_is_resumed_too_early_waits_for_the_rest(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock
):
    """A triggerer whose clock is ahead waited for 0 s: the worker sleeps for all of the limit."""
    with pytest.raises(TaskDeferred) as deferred:
        replenish(urls(6))().execute(ti.context())
    given = json.loads(json.dumps(deferred.value.trigger.serialize()[1]))
    event = {"state": given["state"], "waited": 0.0}
    slept = clock.slept
    assert len(replenish(urls(6))().execute_at_reset(ti.context(), event)) == 6
    assert given["seconds"] <= clock.slept - slept < given["seconds"] + 10


def test_a_limit_beyond_the_execution_timeout_is_an_error_before_airflows(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock
):
    ti.start_date = datetime.fromtimestamp(clock.time(), timezone.utc)
    limited = {"execution_timeout": timedelta(seconds=30), "deferrable": False}
    with raises(WesRateLimitError, match="execution_timeout ends it before that"):
        ti.run(replenish(urls(6), **limited))
    assert len(wes_emulator.files("summer")) == 5


@pytest.mark.skipif(not COUNTS_EACH_PART, reason="counts from the attempt's start")
def test_airflow_3_does_not_count_a_deferral_for_the_limit_as_execution(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock
):
    """The sixth file waits for 60 s, with an execution_timeout of 30 s."""
    ti.start_date = datetime.fromtimestamp(clock.time(), timezone.utc)
    assert len(ti.run(replenish(urls(6), execution_timeout=timedelta(seconds=30)))) == 6


@pytest.mark.skipif(COUNTS_EACH_PART, reason="counts anew after a deferral")
def test_airflow_2_counts_a_deferral_for_the_limit_as_execution(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock
):
    ti.start_date = datetime.fromtimestamp(clock.time(), timezone.utc)
    with raises(WesRateLimitError, match="execution_timeout ends it before that"):
        ti.run(replenish(urls(6), execution_timeout=timedelta(seconds=30)))


# -- after a clear -------------------------------------------------------------------------------


class ReplacedByDeferral(NamedTuple):
    """A replenishing task, and the identifiers of its failed file and of the replacement."""

    make: Callable[[], Any]
    failed: list[str]
    replacement: list[str]


@pytest.fixture(params=["adopt", "fail"], ids=lambda mode: f"on_duplicate is {mode}")
def replaced(
    wes_emulator: Emulator,
    ti: TaskInstance,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> ReplacedByDeferral:
    """
    A file has failed, the task is cleared, and the limit makes it defer. That FAILED is a failure
    is in the task's statuses, and not in the connection's.
    """
    others, own = (
        {"coupon_file_statuses": {"failure": [status]}} for status in ("BROKEN", "FAILED")
    )
    monkeypatch.setenv(
        "AIRFLOW_CONN_WES_DEFAULT", json.dumps(wes_emulator.connection(extra=others))
    )
    make = replenish(urls(1), on_duplicate=request.param, **own)
    wes_emulator.script(outcome="failure", processing_time=0.0)
    failed = ti.run(make)
    wes_emulator.script(outcome="success", processing_time=0.0)
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=50), times=1)
    return ReplacedByDeferral(make, failed, ti.clear(make))


def test_a_failed_file_is_uploaded_again_after_a_clear_though_the_limit_makes_it_defer(
    wes_emulator: Emulator, ti: TaskInstance, replaced: ReplacedByDeferral
):
    assert len(ti.deferrals) == 1
    files = [file["_id"] for file in wes_emulator.files("summer")]
    assert files == [*replaced.failed, *replaced.replacement]
    assert len(files) == 2


def test_what_has_replaced_a_failed_file_is_adopted_by_the_retry(
    ti: TaskInstance, replaced: ReplacedByDeferral
):
    assert ti.retry(replaced.make) == replaced.replacement


def test_an_upload_whose_list_cannot_be_read_is_left_to_the_retry(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(503), times=None)
    with raises(WesUnknownOutcomeError, match="the list cannot be read now") as raised:
        ti.run(upload())
    assert not is_for_good(raised.value)


def adopt_from_the_list(wes_emulator: Emulator, ti: TaskInstance) -> str:
    """Have a retry adopt a file whose reply was lost, which the list shows late."""
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(503), times=None)
    with raises(WesUnknownOutcomeError):
        ti.run(upload())
    wes_emulator.clear_faults()
    wes_emulator.configure(list_lag=25)
    return str(ti.retry(upload()))


def test_a_record_without_its_file_is_settled_by_the_list(wes_emulator: Emulator, ti: TaskInstance):
    assert adopt_from_the_list(wes_emulator, ti) == wes_emulator.files("summer")[0]["_id"]
    assert len(wes_emulator.requests_for(UPLOAD)) == 1


def test_a_file_that_the_list_has_shown_is_remembered(wes_emulator: Emulator, ti: TaskInstance):
    """The next attempt adopts it though the list cannot be read."""
    file_id = adopt_from_the_list(wes_emulator, ti)
    wes_emulator.fail("list_coupon_files", faults.error(503), times=None)
    assert ti.retry(upload()) == file_id


def test_that_an_upload_was_accepted_outlives_the_attempt(wes_emulator: Emulator, ti: TaskInstance):
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    wes_emulator.fail("list_coupon_files", faults.error(503), times=5)
    for attempt, match in ((ti.run, "cannot be read now"), (ti.retry, "the service accepted it")):
        with raises(WesUnknownOutcomeError, match=match):
            attempt(upload())


def test_that_an_upload_was_accepted_outlives_a_clear(wes_emulator: Emulator, ti: TaskInstance):
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    for attempt in (ti.run, ti.clear, ti.clear):
        with raises(WesUnknownOutcomeError, match="the service accepted it"):
            attempt(upload())
    assert len(wes_emulator.requests_for(UPLOAD)) == 1
    ti.clear(upload(on_duplicate="upload"))
    assert len(wes_emulator.requests_for(UPLOAD)) == 2


def test_a_second_operator_in_the_code_of_a_task_does_not_repeat_what_was_accepted(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    with raises(WesUnknownOutcomeError, match="the service accepted it"):
        ti.run(upload())
    ti.clear()
    context = ti.context()
    for _ in range(2):
        with raises(WesUnknownOutcomeError, match="the service accepted it"):
            upload()().execute(context)
    assert len(wes_emulator.requests_for(UPLOAD)) == 1


def refuse_without_memory(wes_emulator: Emulator, ti: TaskInstance) -> None:
    """An attempt that gets 400, while the store fails to note that the request had no effect."""
    refuse_to_store(ti, lambda value: not value.get("sent_at"))
    wes_emulator.fail(UPLOAD, faults.error(400, code="invalid-request"), times=1)
    with raises(WesBadRequestError):
        ti.run(upload())


def test_a_store_that_fails_after_a_refusal_does_not_hide_it(
    wes_emulator: Emulator, ti: TaskInstance, caplog: pytest.LogCaptureFixture
):
    refuse_without_memory(wes_emulator, ti)
    assert "That it had no effect cannot be remembered: RuntimeError" in caplog.text


def test_after_a_refusal_that_could_not_be_remembered_the_retry_uploads_the_file(
    wes_emulator: Emulator, ti: TaskInstance
):
    refuse_without_memory(wes_emulator, ti)
    ti.retry(upload())
    assert len(wes_emulator.files("summer")) == 1


class Forgetful(Store):
    """A store that fails to note that an upload was accepted."""

    def set(self, key: str, value: Any, *, retention: Any = None) -> None:
        if value.get("accepted_in"):
            raise RuntimeError("the store is away")
        super().set(key, value, retention=retention)


@pytest.mark.parametrize("store", [None, Forgetful()], ids=["none", "away"])
def test_an_accepted_upload_that_cannot_be_remembered_is_a_persons(
    wes_emulator: Emulator, ti: TaskInstance, store: Store | None
):
    ti.store = store
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    wes_emulator.fail("list_coupon_files", faults.error(503), times=5)
    with raises(WesUnknownOutcomeError, match="accepted it, and the list cannot be read") as raised:
        ti.run(upload())
    assert is_for_good(raised.value)
    assert len(wes_emulator.requests_for(UPLOAD)) == 1


def test_requests_that_never_arrive_are_counted_over_deferrals(
    wes_emulator: Emulator, ti: TaskInstance, monkeypatch: pytest.MonkeyPatch
):
    extra = {"max_attempts": 8, "coupon_files_lag": 0}
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(wes_emulator.connection(extra=extra)))
    wes_emulator.fail(UPLOAD, faults.reply_lost(effect=False), times=40)
    with raises(
        WesConnectionError, match="Not uploaded in 8 attempts: no response: Remote"
    ) as raised:
        ti.run(upload(deferrable=True))
    assert len(ti.deferrals) == 1
    assert str(raised.value).count("(a.csv of list summer)") == 1
    assert len(wes_emulator.requests_for(UPLOAD)) == 8


def test_a_file_of_before_a_clear_that_may_have_failed_is_not_adopted_before_its_status_is_read(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.script(**FAILED_FILE)
    first = ti.run(upload())
    wes_emulator.script(statuses=[("SUCCESS", None)])
    wes_emulator.fail("get_coupon_file", faults.error(503), times=None)
    with pytest.raises(WesServerError):
        ti.clear(upload())
    wes_emulator.clear_faults()
    assert ti.retry(upload()) != first


def test_an_accepted_upload_is_not_repeated_though_the_list_shows_a_file_of_before_the_clear(
    wes_emulator: Emulator, ti: TaskInstance
):
    ti.run(upload())
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    with raises(
        WesUnknownOutcomeError,
        match="the list shows only coupon file .+, which is from before the clear",
    ):
        ti.clear(upload(on_duplicate="upload"))
    assert len(wes_emulator.requests_for(UPLOAD)) == 2


FAILED_FILE: dict[str, Any] = {"outcome": "failure", "processing_time": 0.0}


@pytest.mark.parametrize("name", ["", "sale of {run}"], ids=["a name of ours", "a name given"])
def test_an_accepted_upload_is_not_repeated_though_a_file_of_before_it_has_failed(
    wes_emulator: Emulator, ti: TaskInstance, name: str
):
    """The list shows nothing of the accepted one, so nobody knows what became of it."""
    arguments = {"name": name.format(run=ti.run_id)} if name else {}
    wes_emulator.script(**FAILED_FILE)
    ti.run(upload(**arguments))
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    for attempt in (ti.clear, ti.clear, ti.retry):
        with raises(
            WesUnknownOutcomeError, match="Perhaps uploaded: the service accepted"
        ) as raised:
            attempt(upload(**arguments))
        assert is_for_good(raised.value)
    assert len(wes_emulator.requests_for(UPLOAD)) == 2


@pytest.mark.parametrize("name", ["", "sale of {run}"], ids=["a name of ours", "a name given"])
def test_no_file_of_before_the_clear_is_taken_for_the_one_that_never_arrived(
    wes_emulator: Emulator, ti: TaskInstance, name: str
):
    """One was processed, its replacement failed, and the request for another one is lost."""
    arguments = {"name": name.format(run=ti.run_id)} if name else {}
    wes_emulator.script(statuses=[("SUCCESS", None)])
    ti.run(upload(**arguments))
    wes_emulator.script(**FAILED_FILE)
    ti.clear(upload(on_duplicate="upload", **arguments))
    wes_emulator.script(statuses=[("SUCCESS", None)])
    wes_emulator.fail(UPLOAD, faults.error(503), times=1)
    third = ti.clear(upload(**arguments))
    assert [file["_id"] for file in wes_emulator.files("summer")][2] == third


@pytest.mark.parametrize("store", [Store(), None], ids=["store", "none"])
def test_a_request_before_a_deferral_is_not_forgotten(
    wes_emulator: Emulator, ti: TaskInstance, mocker: MockerFixture, store: Store | None
):
    """The fifth response is lost, the list shows the file late, and the limit makes it defer."""
    ti.store = store
    wes_emulator.configure(list_lag=45)
    send_upload = WesHook.send_upload
    sent_before = itertools.count(1)

    def lose_the_fifth_response(*arguments: Any) -> Any:
        if next(sent_before) == 5:
            wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
        return send_upload(*arguments)

    mocker.patch.object(WesHook, "send_upload", lose_the_fifth_response)
    ids = ti.run(replenish(urls(5), deferrable=True))
    wes_emulator.configure(list_lag=0)
    assert ti.deferrals
    assert [file["_id"] for file in wes_emulator.files("summer")] == ids


def find_failed_what_was_accepted(wes_emulator: Emulator, ti: TaskInstance) -> None:
    """
    An upload is accepted, and nobody knows its file; after a clear, the list shows it as failed,
    and the request for a replacement gets 400.
    """
    wes_emulator.script(**FAILED_FILE)
    wes_emulator.configure(list_lag=3600)
    wes_emulator.fail(UPLOAD, faults.empty(effect=True), times=1)
    with raises(WesUnknownOutcomeError, match="the service accepted it"):
        ti.run(upload())
    wes_emulator.configure(list_lag=0)
    wes_emulator.fail(UPLOAD, faults.error(400, code="invalid-request"), times=1)
    with raises(WesBadRequestError):
        ti.clear(upload())


def test_an_accepted_upload_that_failed_processing_is_repeated_as_soon_as_the_list_shows_it(
    wes_emulator: Emulator, ti: TaskInstance
):
    find_failed_what_was_accepted(wes_emulator, ti)
    assert len(wes_emulator.requests_for(UPLOAD)) == 2


def test_that_an_accepted_upload_has_failed_is_remembered_though_its_replacement_is_refused(
    wes_emulator: Emulator, ti: TaskInstance
):
    """After one more clear, the list hides the file again, and nobody is asked."""
    find_failed_what_was_accepted(wes_emulator, ti)
    wes_emulator.configure(list_lag=3600)
    ti.clear(upload())
    assert len(wes_emulator.requests_for(UPLOAD)) == 3


@pytest.mark.parametrize(
    "refusal",
    [faults.error(400, code="invalid-request"), faults.error(400, body=b"<html>")],
    ids=["400 with a code of the service", "400 with a page"],
)
def test_that_an_upload_was_accepted_outlives_a_later_request_that_is_refused(
    wes_emulator: Emulator, ti: TaskInstance, refusal: faults.Fault
):
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    with raises(WesUnknownOutcomeError, match="the service accepted it"):
        ti.run(upload())
    wes_emulator.fail(UPLOAD, refusal, times=1)
    with raises(WesBadRequestError):
        ti.clear(upload(on_duplicate="upload"))
    with raises(WesUnknownOutcomeError, match="the service accepted it"):
        ti.clear(upload())
    assert len(wes_emulator.requests_for(UPLOAD)) == 2


@pytest.mark.parametrize("between", [None, faults.error(503)], ids=["nothing", "a 503"])
def test_an_older_file_does_not_show_what_became_of_an_accepted_upload(
    wes_emulator: Emulator, ti: TaskInstance, between: faults.Fault | None
):
    wes_emulator.script(outcome="failure", processing_time=0.0)
    ti.run(upload())
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    with raises(WesUnknownOutcomeError, match="the service accepted it"):
        ti.clear(upload())
    if between is not None:
        wes_emulator.fail(UPLOAD, between, times=1)
    wes_emulator.fail(UPLOAD, faults.error(400, code="invalid-request"), times=1)
    with raises(WesBadRequestError):
        ti.clear(upload(on_duplicate="upload"))
    requests = len(wes_emulator.requests_for(UPLOAD))
    with raises(WesUnknownOutcomeError, match="the service accepted a later upload than") as raised:
        ti.clear(upload())
    assert is_for_good(raised.value)
    assert len(wes_emulator.requests_for(UPLOAD)) == requests


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


@pytest.mark.parametrize("name", [None, "sale-nightly.csv"], ids=["a name of ours", "given"])
def test_a_file_that_a_request_without_effect_was_to_replace_is_adopted(
    wes_emulator: Emulator, ti: TaskInstance, name: str | None
):
    arguments = {} if name is None else {"name": name}
    first = ti.run(upload(**arguments))
    wes_emulator.fail(UPLOAD, faults.error(400, code="invalid-request"), times=1)
    with raises(WesBadRequestError):
        ti.clear(upload(on_duplicate="upload", **arguments))
    assert ti.clear(upload(**arguments)) == first


LATE = {"list_lag": 45}
"""The list shows a file after it should have: coupon_files_lag is 30 seconds."""


@pytest.mark.parametrize("deferrable", [False, True], ids=["sleeps", "defers"])
def test_a_429_says_nothing_of_a_request_before_it(
    wes_emulator: Emulator, ti: TaskInstance, deferrable: bool
):
    """After the wait for the limit, the list is read once more, and shows the file by then."""
    wes_emulator.configure(**LATE)
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=100), times=1)
    file_id = ti.run(upload(deferrable=deferrable))
    assert [file["_id"] for file in wes_emulator.files("summer")] == [file_id]
    assert len(wes_emulator.requests_for(UPLOAD)) == 2


def test_a_400_says_nothing_of_a_request_before_it(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock
):
    """The next attempt reads the list, which shows the file by then."""
    wes_emulator.configure(**LATE)
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail(UPLOAD, faults.error(400, code="invalid-request"), times=1)
    with raises(WesBadRequestError):
        ti.run(upload())
    clock.sleep(60)
    file_id = ti.retry(upload())
    assert [file["_id"] for file in wes_emulator.files("summer")] == [file_id]
    assert len(wes_emulator.requests_for(UPLOAD)) == 2


def test_after_a_wait_for_the_limit_the_file_counts_that_the_list_shows_then(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock
):
    """The list shows one that failed, and after the wait the one that has replaced it."""
    assert ti.store is not None
    wes_emulator.script(outcome="failure", processing_time=0.0)
    ti.run(upload())
    clock.sleep(60)
    wes_emulator.script(statuses=[("SUCCESS", None)])
    replacement = ti.clear(upload())
    ti.store.values.clear()
    wes_emulator.configure(**LATE)
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=100), times=1)
    assert ti.clear(upload()) == replacement


@pytest.mark.parametrize("decides", ["on_duplicate", "Variable"])
def test_a_429_does_not_undo_that_a_clear_is_to_send_again(
    wes_emulator: Emulator, ti: TaskInstance, decides: str
):
    """
    The reply to the first request is lost, and the list is refused; after the clear, the second
    one gets a 429, and the third one, after a deferral, is carried out. There is no record then.
    """
    assert ti.store is not None
    wes_emulator.fail("list_coupon_files", faults.error(403, code="no"), times=None)
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    with raises(WesUnknownOutcomeError) as raised:
        ti.run(upload())
    arguments = {"on_duplicate": "upload"}
    if decides == "Variable":
        (variable,) = re.findall(r"Airflow Variable (\S+)\n", str(raised.value))
        ti.variables[variable] = "absent"
        arguments = {}
    ti.store.values.clear()
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=50), times=1)
    file_id = ti.clear(upload(deferrable=True, **arguments))
    assert len(ti.deferrals) == 1
    assert len(wes_emulator.requests_for(UPLOAD)) == 3
    assert [file["_id"] for file in wes_emulator.files("summer")][1:] == [file_id]


def test_a_list_that_refuses_the_key_is_left_to_the_retry(wes_emulator: Emulator, ti: TaskInstance):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(401, code="wrong-key"), times=None)
    with pytest.raises(WesUnknownOutcomeError, match="the list cannot be read now: 401"):
        ti.run(upload())
    wes_emulator.clear_faults()
    assert [ti.retry(upload())] == [file["_id"] for file in wes_emulator.files("summer")]


def test_a_refusal_leaves_the_record_of_the_request_before_it(
    wes_emulator: Emulator, ti: TaskInstance
):
    assert ti.store is not None
    wes_emulator.fail(UPLOAD, faults.reply_lost(effect=False), times=1)
    wes_emulator.fail(UPLOAD, faults.error(400, code="invalid-request"), times=1)
    with raises(WesBadRequestError):
        ti.run(upload())
    (key,) = ti.store.values
    assert json.loads(ti.store.values[key])["sent_at"] > 0, "the first one may have had an effect"


def test_a_file_that_a_variable_names_is_not_what_a_later_request_made(
    wes_emulator: Emulator, ti: TaskInstance, monkeypatch: pytest.MonkeyPatch
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(403, code="no"), times=None)
    with raises(WesUnknownOutcomeError) as raised:
        ti.run(upload())
    wes_emulator.clear_faults()
    (variable,) = re.findall(r"Airflow Variable (\S+)\n", str(raised.value))
    first = wes_emulator.files("summer")[0]["_id"]
    ti.variables[variable] = first
    read_list = WesHook.read_list

    def is_away_after_the_second_request(hook: WesHook, list_id: str) -> Listing:
        if len(wes_emulator.requests_for(UPLOAD)) == 2:
            raise WesServerError("503", status_code=503)
        return read_list(hook, list_id)

    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    with monkeypatch.context() as patch:
        patch.setattr(WesHook, "read_list", is_away_after_the_second_request)
        with pytest.raises(WesUnknownOutcomeError, match="the list cannot be read now"):
            ti.clear(upload(on_duplicate="upload"))
    second = ti.retry(upload(on_duplicate="upload"))
    assert [file["_id"] for file in wes_emulator.files("summer")] == [first, second]


def test_an_accepted_upload_that_a_person_calls_absent_is_settled(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    with raises(WesUnknownOutcomeError, match="the service accepted it") as raised:
        ti.run(upload())
    (variable,) = re.findall(r"Airflow Variable (\S+)\n", str(raised.value))
    ti.variables[variable] = "absent"
    wes_emulator.fail(UPLOAD, faults.error(400, code="invalid-request"), times=1)
    with raises(WesBadRequestError):
        ti.clear(upload())
    ti.clear(upload())
    assert len(wes_emulator.files("summer")) == 1


class Replaced(NamedTuple):
    """A file that is uploaded before a clear, and why another one is uploaded after it."""

    name: str
    script: dict[str, Any]
    on_duplicate: str


REPLACED = [
    Replaced("on_duplicate is upload", {"statuses": [("SUCCESS", None)]}, "upload"),
    Replaced("it has failed", FAILED_FILE, "adopt"),
]


@pytest.mark.parametrize("row", REPLACED, ids=[row.name for row in REPLACED])
def test_a_lost_reply_after_a_clear_is_resolved_by_the_new_file_though_the_list_shows_it_late(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock, row: Replaced
):
    wes_emulator.script(**row.script)
    first = ti.run(upload())
    wes_emulator.script(statuses=[("SUCCESS", None)])
    clock.sleep(10)
    wes_emulator.configure(list_lag=5)
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    second = ti.clear(upload(on_duplicate=row.on_duplicate))
    wes_emulator.configure(list_lag=0)
    assert [file["_id"] for file in wes_emulator.files("summer")] == [first, second]


def test_a_record_is_kept_for_ten_years_or_more(mocker: MockerFixture):
    """As long as its run, which Airflow deletes with its records."""
    store = mocker.Mock()
    name = UploadName("aaaaaaaa", 1, "bbbb", "cccccc")
    RecordStore(store).save(name, UploadRecord(1))
    assert store.set.call_args.kwargs["retention"] >= timedelta(days=3650)


def test_a_field_of_a_newer_version_is_ignored_in_a_record(mocker: MockerFixture):
    store = mocker.Mock()
    name = UploadName("aaaaaaaa", 1, "bbbb", "cccccc")
    store.get.return_value = {"generation": 1, "of_a_newer_version": 1}
    assert RecordStore(store).load(name) == UploadRecord(1)


def test_the_list_is_read_for_its_lag_with_pauses_that_grow(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    """``coupon_files_lag`` is 30 s."""
    wes_emulator.fail(UPLOAD, faults.reply_lost(effect=False), times=1)
    read_list, begin = WesHook.read_list, clock.time()
    read_after: list[float] = []

    def note_when(hook: WesHook, list_id: str) -> Listing:
        read_after.append(clock.time() - begin)
        return read_list(hook, list_id)

    monkeypatch.setattr(WesHook, "read_list", note_when)
    ti.run(upload())
    assert read_after == pytest.approx([0, 1, 3, 7, 15, 30], abs=0.1)


def test_a_file_that_the_list_has_to_show_and_does_not_is_sent_again(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(effect=False), times=1)
    ti.run(upload())
    assert len(wes_emulator.requests_for(UPLOAD)) == 2
    assert len(wes_emulator.files("summer")) == 1


def test_the_lag_begins_when_the_reply_is_lost(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    """Not when the request is sent: the read timeout may be longer than the lag."""
    send_upload = WesHook.send_upload
    monkeypatch.setattr(
        WesHook, "send_upload", lambda *args: (clock.sleep(60), send_upload(*args))[1]
    )
    wes_emulator.configure(list_lag=5)
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    ti.run(upload())
    assert len(wes_emulator.requests_for(UPLOAD)) == 1


def test_a_list_is_as_old_as_the_request_for_it(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    read_list = WesHook.read_list
    monkeypatch.setattr(WesHook, "read_list", lambda *args: (read_list(*args), clock.sleep(40))[0])
    wes_emulator.configure(list_lag=5)
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    ti.run(upload())
    assert len(wes_emulator.requests_for(UPLOAD)) == 1


def test_an_upload_that_never_takes_effect_ends(wes_emulator: Emulator, ti: TaskInstance):
    wes_emulator.fail(UPLOAD, faults.error(503), times=None)
    with raises(WesConnectionError, match="Not uploaded in 5 attempts"):
        ti.run(upload())
    assert len(wes_emulator.requests_for(UPLOAD)) == 5


def test_lost_replies_are_counted_for_each_file(wes_emulator: Emulator, ti: TaskInstance):
    for _ in range(5):
        wes_emulator.fail(UPLOAD, faults.reply_lost(effect=False))
        wes_emulator.fail(UPLOAD, ARRIVES)
    assert len(ti.run(replenish(urls(5)))) == len(wes_emulator.files("summer")) == 5


def test_after_a_refusal_with_a_code_the_retry_sends_without_reading_the_list(
    wes_emulator: Emulator, ti: TaskInstance
):
    """The service itself has refused it, so that it had no effect."""
    wes_emulator.fail(UPLOAD, faults.error(400, code="bad"), times=1)
    with raises(WesBadRequestError):
        ti.run(upload())
    ti.retry(upload())
    assert wes_emulator.requests_for("list_coupon_files") == []
    assert len(wes_emulator.requests_for(UPLOAD)) == 2


def test_after_a_refusal_without_a_code_the_retry_reads_the_list(
    wes_emulator: Emulator, ti: TaskInstance
):
    """It may be a gateway's, which does not know what the service does."""
    wes_emulator.fail(UPLOAD, faults.error(400, body=b"<html>"), times=1)
    with raises(WesBadRequestError):
        ti.run(upload())
    assert wes_emulator.requests_for("list_coupon_files") == []
    ti.retry(upload())
    assert wes_emulator.requests_for("list_coupon_files") != []


# -- a person decides ----------------------------------------------------------------------------


def lose_the_reply_under_a_given_name(wes_emulator: Emulator, ti: TaskInstance) -> str:
    """
    The error of an upload that takes effect, whose reply is lost, and which the list does not show
    to be this task's: its name, ``sale.csv``, is the user's, and other runs may use it.
    """
    wes_emulator.script(name="sale.csv", statuses=[("SUCCESS", None)])
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    with raises(WesUnknownOutcomeError) as raised:
        ti.run(upload(name="sale.csv"))
    return str(raised.value)


@pytest.fixture
def undecided(wes_emulator: Emulator, ti: TaskInstance) -> str:
    """The Variable that the error of an upload names whose outcome nobody knows."""
    error = lose_the_reply_under_a_given_name(wes_emulator, ti)
    (variable,) = re.findall(r"Airflow Variable (wes_decision_\S+)\n", error)
    return str(variable)


def test_the_error_of_an_upload_that_only_a_person_can_settle_says_what_to_look_for_and_to_enter(
    wes_emulator: Emulator, ti: TaskInstance
):
    """The name of the Variable ends with what stands for the task instance."""
    error = lose_the_reply_under_a_given_name(wes_emulator, ti)
    assert "a file of the list named sale.csv" in error
    assert "\nThe upload: no response: RemoteDisconnected\n" in error
    assert "red-task.html#a-person-decides" in error
    (variable,) = re.findall(r"Airflow Variable (\S+)\nto the file's identifier", error)
    assert variable.startswith("wes_decision_")
    assert Attempt.of(ti.context()).origin in variable


def test_an_identifier_goes_on_as_if_the_response_had_come(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str, caplog: pytest.LogCaptureFixture
):
    (file,) = wes_emulator.files("summer")
    ti.variables[undecided] = f" {file['_id']} "
    assert ti.clear(upload(name="sale.csv")) == file["_id"]
    shown = ti.xcoms["coupon_file"]
    assert (shown["id"], shown["name"], shown["status"]) == (file["_id"], "sale.csv", "SUCCESS"), (
        "as the service has it"
    )
    assert f"Variable {undecided} names coupon file {file['_id']}" in caplog.text
    assert len(wes_emulator.files("summer")) == 1


def test_a_mistyped_identifier_may_be_corrected(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str
):
    ti.variables[undecided] = "mistyped"
    with raises(
        WesUnknownOutcomeError, match="names coupon file 'mistyped', and the service replies 404"
    ) as raised:
        ti.clear(upload(name="sale.csv"))
    (variable,) = re.findall(r"Airflow Variable (\S+)\nto the file's identifier", str(raised.value))
    (file,) = wes_emulator.files("summer")
    ti.variables[variable] = file["_id"]
    assert ti.clear(upload(name="sale.csv")) == file["_id"]


class LookedUp(NamedTuple):
    """
    What the service replies when the file that a person names is looked up.

    :ivar replied: what differs from the record of that file.
    """

    id: str
    replied: dict[str, str]
    message: str


LOOKED_UP = [
    LookedUp("another file", {"_id": "f-2"}, "and the service replies with coupon file f-2"),
    LookedUp("of another list", {"coupons_list_id": "winter"}, "which is in the list winter"),
    LookedUp(
        "of another list, by another property",
        {"coupons_list_id": "", "coupon_list_id": "winter"},
        "which is in the list winter",
    ),
    LookedUp(
        "of another task",
        {"name": "k3v7qx2m-g1-p4qz-7hn2dk.csv"},
        "which was uploaded as another file",
    ),
]


@pytest.mark.parametrize("row", LOOKED_UP, ids=lambda row: row.id)
def test_a_person_is_asked_again_if_the_file_that_is_named_cannot_be_it(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str, row: LookedUp
):
    (file,) = wes_emulator.files("summer")
    ti.variables[undecided] = file["_id"]
    body = json.dumps({**file, **row.replied}).encode()
    wes_emulator.fail("get_coupon_file", faults.Fault(status=200, body=body), times=None)
    with raises(WesUnknownOutcomeError, match=re.escape(row.message)):
        ti.clear(upload(name="sale.csv"))
    assert len(wes_emulator.files("summer")) == 1


@pytest.mark.parametrize("status", [400, 403, 404, 405, 422])
def test_a_person_is_asked_again_if_the_service_refuses_the_identifier(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str, status: int
):
    ti.variables[undecided] = "mistyped"
    wes_emulator.fail("get_coupon_file", faults.error(status, code="no"), times=None)
    with raises(WesUnknownOutcomeError, match=f"and the service replies {status} no"):
        ti.clear(upload(name="sale.csv"))


AWAY_NOW = {
    "away": faults.error(503),
    "limited": faults.error(429),
    "a key that is rotated": faults.error(401, code="wrong-key"),
}


@pytest.mark.parametrize("fault", AWAY_NOW.values(), ids=AWAY_NOW)
def test_an_identifier_that_cannot_be_looked_up_now_is_adopted_by_the_retry(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str, fault: faults.Fault
):
    (file,) = wes_emulator.files("summer")
    ti.variables[undecided] = file["_id"]
    wes_emulator.fail("get_coupon_file", fault, times=None)
    with pytest.raises(WesError) as raised:
        ti.clear(upload(name="sale.csv"))
    assert not raised.value.permanent
    wes_emulator.clear_faults()
    assert ti.retry(upload(name="sale.csv")) == file["_id"]


@pytest.mark.parametrize("fault", AWAY_NOW.values(), ids=AWAY_NOW)
def test_a_status_that_cannot_be_read_now_is_read_by_the_retry(
    wes_emulator: Emulator, ti: TaskInstance, fault: faults.Fault
):
    file_id = ti.run(upload())
    wes_emulator.fail("get_coupon_file", fault, times=None)
    with pytest.raises(WesError) as raised:
        ti.clear(upload())
    assert not raised.value.permanent
    wes_emulator.clear_faults()
    assert ti.retry(upload()) == file_id


def test_absent_sends_the_file_again_and_is_logged(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str, caplog: pytest.LogCaptureFixture
):
    ti.variables[undecided] = "absent"
    second = ti.clear(upload(name="sale.csv"))
    assert f"Variable {undecided} says that the file is absent" in caplog.text
    assert [file["_id"] for file in wes_emulator.files("summer")][1:] == [second]


def test_the_file_that_absent_has_sent_is_adopted_by_the_retry(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str
):
    ti.variables[undecided] = "absent"
    second = ti.clear(upload(name="sale.csv"))
    assert ti.retry(upload(name="sale.csv")) == second
    assert len(wes_emulator.files("summer")) == 2


def test_absent_does_not_send_once_more_though_the_record_is_lost(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str
):
    ti.variables[undecided] = "absent"
    ti.clear(upload(name="sale.csv"))
    ti.store = Store()
    with raises(WesUnknownOutcomeError, match=r"a file of the list named sale\.csv\n"):
        ti.retry(upload(name="sale.csv"))
    assert len(wes_emulator.files("summer")) == 2


@pytest.mark.parametrize("spelling", ["Absent", " ABSENT\n", '"absent"'])
def test_absent_may_be_spelled_as_people_do(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str, spelling: str
):
    ti.variables[undecided] = spelling
    assert ti.clear(upload(name="sale.csv")) == wes_emulator.files("summer")[1]["_id"]


@pytest.mark.parametrize("spelling", ['"{}"', "'{}'", "\t{}\r\n"])
def test_quotes_around_an_identifier_do_not_count(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str, spelling: str
):
    (file,) = wes_emulator.files("summer")
    ti.variables[undecided] = spelling.format(file["_id"])
    assert ti.clear(upload(name="sale.csv")) == file["_id"]


def test_absent_holds_until_something_is_sent(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str
):
    ti.variables[undecided] = "absent"
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    for attempt in (ti.clear, ti.retry):
        with raises(
            WesUnknownOutcomeError, match="absent was set before the last request"
        ) as raised:
            attempt(upload(name="sale.csv"))
        assert is_for_good(raised.value)
    assert len(wes_emulator.files("summer")) == 2


def test_a_person_finds_the_file_of_whichever_task_of_the_run_has_sent_it(
    wes_emulator: Emulator, ti: TaskInstance
):
    """
    The order of a mapped list has changed, and the list cannot be read: the new attempt has sent
    nothing yet.
    """
    wes_emulator.configure(coupon_files_path=None)
    one, other = (TaskInstance(map_index=index, sleep=ti.sleep, now=ti.now) for index in (0, 1))
    one.run(upload())
    with raises(WesUnknownOutcomeError) as raised:
        other.clear(upload())
    (file,) = wes_emulator.files("summer")
    ((begin, end),) = re.findall(
        r"of the list whose name begins with (\S+) or contains (\S+)\n", str(raised.value)
    )
    assert file["name"].startswith(begin)
    assert end == f"-{Attempt.of(other.context()).origin}", "from another URL"


def test_a_mistyped_identifier_is_asked_for_again_before_anything_is_uploaded_again(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str
):
    ti.variables[undecided] = "mistyped"
    with raises(WesUnknownOutcomeError, match="names coupon file 'mistyped'"):
        ti.clear(upload(name="sale.csv", on_duplicate="upload"))
    assert len(wes_emulator.files("summer")) == 1


def test_a_decision_that_names_another_file_of_the_task_is_asked_for_again(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.fail(UPLOAD, ARRIVES, times=1)
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    with raises(WesUnknownOutcomeError, match="b.csv") as raised:
        ti.run(replenish([f"{HOST}/a.csv", f"{HOST}/b.csv"]))
    (variable,) = re.findall(r"Airflow Variable (\S+)\n", str(raised.value))
    (first,) = wes_emulator.files("summer")
    ti.variables[variable] = first["_id"]
    with raises(WesUnknownOutcomeError, match="which is another file of this task"):
        ti.clear(replenish([f"{HOST}/a.csv", f"{HOST}/b.csv"]))


def test_a_decision_that_names_another_tasks_file_is_asked_for_again(
    wes_emulator: Emulator, ti: TaskInstance
):
    other = TaskInstance(map_index=7, sleep=ti.sleep, now=ti.now)
    others = other.run(upload(f"{HOST}/other.csv"))
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    with raises(WesUnknownOutcomeError) as raised:
        ti.run(upload())
    (variable,) = re.findall(r"Airflow Variable (\S+)\n", str(raised.value))
    ti.variables[variable] = others
    with raises(WesUnknownOutcomeError, match="was uploaded as another file, as its name says"):
        ti.clear(upload())


def test_a_cleared_task_that_uploads_again_needs_no_list(wes_emulator: Emulator, ti: TaskInstance):
    ti.store = None
    first = ti.run(upload())
    wes_emulator.fail("list_coupon_files", faults.error(403), times=None)
    with raises(WesUnknownOutcomeError, match="the service refuses to show the list: 403"):
        ti.clear(upload())
    assert ti.clear(upload(on_duplicate="upload")) != first
    assert len(wes_emulator.files("summer")) == 2


def test_a_decision_about_another_try_decides_nothing(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str
):
    ti.clear()
    ti.variables[undecided] = "absent"
    with raises(WesUnknownOutcomeError, match="files of other runs may have its name") as raised:
        ti.clear(upload(name="sale.csv"))
    assert is_for_good(raised.value)
    assert len(wes_emulator.files("summer")) == 1


def test_an_identifier_counts_though_the_list_hides_its_file(
    wes_emulator: Emulator, ti: TaskInstance, undecided: str
):
    ti.variables[undecided] = wes_emulator.files("summer")[0]["_id"]
    wes_emulator.configure(list_lag=9000)
    assert ti.clear(upload(name="sale.csv")) == ti.variables[undecided]


def test_an_upload_of_a_deleted_run_of_the_same_id_is_not_taken(
    wes_emulator: Emulator, ti: TaskInstance
):
    first = ti.run(upload())
    again = TaskInstance(
        start_date=datetime(2026, 3, 1, tzinfo=timezone.utc), sleep=ti.sleep, now=ti.now
    )
    assert again.run(upload()) != first
    assert len(wes_emulator.files("summer")) == 2


NOT_IN_THE_LIST = "the service accepted it, but the list does not show it"


class Undecided(NamedTuple):
    """What goes wrong with an upload, and with each reading of the list, and what is in doubt."""

    name: str
    fault: faults.Fault
    listing: faults.Fault | None
    why: str


UNDECIDED = [
    Undecided(
        "no reply, and no list",
        faults.reply_lost(),
        faults.error(404),
        "the service refuses to show the list: 404",
    ),
    Undecided(
        "no reply and no effect, and a list that is refused",
        faults.reply_lost(effect=False),
        faults.error(403),
        "the service refuses to show the list: 403",
    ),
    Undecided("a 201 without a body", faults.empty(effect=False), None, NOT_IN_THE_LIST),
    Undecided(
        "a 201 whose body is cut",
        faults.Fault(effect=False, status=201, ending="truncated"),
        None,
        NOT_IN_THE_LIST,
    ),
    Undecided("a 202", faults.empty(status=202, effect=False), None, NOT_IN_THE_LIST),
]


def upload_undecided(row: Undecided, wes_emulator: Emulator, ti: TaskInstance) -> BaseException:
    """The error of an upload that only a person can settle."""
    wes_emulator.fail(UPLOAD, row.fault, times=1)
    if row.listing is not None:
        wes_emulator.fail("list_coupon_files", row.listing, times=None)
    with raises(
        WesUnknownOutcomeError, rf"Perhaps uploaded: {row.why}.* \(a.csv of list summer\)\n"
    ) as raised:
        ti.run(upload())
    return raised.value  # type: ignore[no-any-return]


@pytest.mark.parametrize("row", UNDECIDED, ids=[row.name for row in UNDECIDED])
def test_what_the_list_does_not_settle_is_left_to_a_person(
    row: Undecided, wes_emulator: Emulator, ti: TaskInstance
):
    assert is_for_good(upload_undecided(row, wes_emulator, ti))
    assert len(wes_emulator.requests_for(UPLOAD)) == 1


@pytest.mark.parametrize("row", UNDECIDED, ids=[row.name for row in UNDECIDED])
def test_a_person_is_told_the_name_under_which_the_file_was_sent(
    row: Undecided, wes_emulator: Emulator, ti: TaskInstance
):
    error = upload_undecided(row, wes_emulator, ti)
    (request,) = wes_emulator.requests_for(UPLOAD)
    assert f"a file of the list named {json.loads(request.body)['name']}\n" in str(error)


@pytest.mark.parametrize("row", UNDECIDED, ids=[row.name for row in UNDECIDED])
def test_a_file_that_is_not_settled_is_in_no_xcom(
    row: Undecided, wes_emulator: Emulator, ti: TaskInstance
):
    upload_undecided(row, wes_emulator, ti)
    assert ti.xcoms.keys() == {"wes_console_url"}


def send(
    ti: TaskInstance, file_url: str, on_duplicate: str = "adopt", **fields: Any
) -> list[UploadedFile]:
    """Send an upload as storage and ledgers ask for it."""
    request = replace(UploadRequest.of("summer", {"file_url": file_url}), **fields)
    policy = Policy(on_duplicate, Statuses(), max_attempts=5, timeout=60.0)
    attempt = Attempt.of(ti.context())
    uploads = UploadLoop(WesHook(), attempt, [request], policy, deferrable=False)
    assert uploads.run() is None
    return uploads.progress.done


def test_the_caller_is_told_before_each_request_and_what_became_of_it(
    wes_emulator: Emulator, ti: TaskInstance
):
    """The first request gets a 429, and the second one makes a file."""
    told: list[str] = []
    wes_emulator.fail(UPLOAD, faults.rate_limited(), times=1)
    send(
        ti,
        f"{HOST}/a.csv",
        before_send=lambda: told.append("before"),
        on_no_effect=lambda: told.append("no effect"),
        on_accepted=told.append,
    )
    (file,) = wes_emulator.files("summer")
    assert told == ["before", "no effect", "before", file["_id"]]


def test_a_request_whose_url_cannot_be_signed_leaves_no_record(ti: TaskInstance):
    with pytest.raises(ValueError, match="Expecting value"):
        send(ti, f"{HOST}/b.csv", sign=lambda: json.loads("no key"))
    assert ti.store is not None
    assert ti.store.values == {}


def test_a_list_without_names_may_show_a_signed_file(
    wes_emulator: Emulator, ti: TaskInstance, mocker: MockerFixture
):
    mocker.patch.object(
        WesHook, "read_list", return_value=Listing([{"_id": "f", "file_url": f"{HOST}/signed.csv"}])
    )
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    with raises(WesUnknownOutcomeError, match="the list shows no names of ours"):
        send(ti, f"{HOST}/a.csv", sign=lambda: f"{HOST}/signed.csv?signature=x", normalised_url="")


def test_what_never_left_needs_no_list(
    wes_emulator: Emulator, ti: TaskInstance, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patch, raises(WesConnectionError):
        patch.setenv(
            "AIRFLOW_CONN_WES_DEFAULT",
            json.dumps({**wes_emulator.connection(), "host": "http://127.0.0.1:9"}),
        )
        ti.run(upload())
    ti.retry(upload())
    assert not wes_emulator.requests_for("list_coupon_files")


# -- what the operators add ------------------------------------------------------------------------


def test_a_files_own_credentials_come_before_those_of_the_tasks_connection(
    wes_emulator: Emulator, ti: TaskInstance, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(
        "AIRFLOW_CONN_FILES", json.dumps({"conn_type": "http", "login": "shared", "password": "p"})
    )
    own = {
        "file_url": f"{HOST}/own.csv",
        "file_url_auth_username": "own",
        "file_url_auth_password": "q",
    }
    without_password = {"file_url": f"{HOST}/b.csv", "file_url_auth_username": "own"}
    ti.run(replenish([f"{HOST}/a.csv", own, without_password], file_url_auth_conn_id="files"))
    ti.run(upload(f"{HOST}/c.csv", file_url_auth_conn_id="files"))
    bodies = [json.loads(request.body) for request in wes_emulator.requests_for(UPLOAD)]
    sent = [(body["file_url_auth_username"], body.get("file_url_auth_password")) for body in bodies]
    assert sent == [("shared", "p"), ("own", "q"), ("own", None), ("shared", "p")]


REPEATS_PASSWORD = b'{"code": "bad", "message": "401 for joe:topsecret"}'
REPEATING: dict[str, dict[str, faults.Fault]] = {
    "the file's error": {},
    "the refusal of a poll": {"get_coupon_file": faults.error(400, body=REPEATS_PASSWORD)},
    "the refusal of the list": {
        UPLOAD: faults.reply_lost(),
        "list_coupon_files": faults.error(403, body=REPEATS_PASSWORD),
    },
}


@pytest.mark.parametrize("how", ["argument", "connection"])
@pytest.mark.parametrize("repeating", REPEATING.values(), ids=REPEATING)
def test_a_password_that_the_service_repeats_later_is_not_shown(
    wes_emulator: Emulator,
    ti: TaskInstance,
    monkeypatch: pytest.MonkeyPatch,
    repeating: dict[str, faults.Fault],
    how: str,
):
    """What errors and log lines hold is searched after each test."""
    wes_emulator.script(outcome="failure", processing_time=0.0, error="401 for joe:topsecret")
    for operation, fault in repeating.items():
        wes_emulator.fail(operation, fault, times=1)
    login = {"login": "joe", "password": "topsecret"}
    monkeypatch.setenv("AIRFLOW_CONN_FILES", json.dumps({"conn_type": "http", **login}))
    credentials: dict[str, Any] = {"file_url_auth_conn_id": "files"}
    if how == "argument":
        credentials = {"file_url_auth_username": "joe", "file_url_auth_password": "topsecret"}
    with raises(WesError) as raised:
        ti.run(upload(wait_for_completion=True, deferrable=False, **credentials))
    assert "joe:***" in str(raised.value)
    assert "topsecret" not in json.dumps(ti.xcoms)


def test_a_password_that_the_service_repeats_to_a_triggerer_ends_there(
    wes_emulator: Emulator, ti: TaskInstance
):
    arguments = {"file_url_auth_username": "joe", "file_url_auth_password": "topsecret"}
    make = upload(wait_for_completion=True, deferrable=True, **arguments)
    with pytest.raises(TaskDeferred):
        make().execute(ti.context())
    file = CouponFile(wes_emulator.files("summer")[0]["_id"], "summer", status="FAILED")
    told = {"id": file.id, "coupon_list_id": "summer", "status": "FAILED"}
    ended = {"file": {**told, "reason": "401 for joe:topsecret"}, "failed": True}
    with raises(WesCouponFileFailedError, match=r"401 for joe:\*\*\*"):
        make().execute_complete(ti.context(), {"files": {file.id: ended}})
    assert "topsecret" not in json.dumps(ti.xcoms)


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


def test_a_checked_file_that_has_changed_is_not_taken_for_the_one_before(
    wes_emulator: Emulator, ti: TaskInstance
):
    pytest.importorskip("duckdb", reason="duckdb is not installed: dependency group test")
    storage = pytest.importorskip("wes_provider.storage")
    url = wes_emulator.host("a.csv", b"A1\nA2\n")
    first = ti.run(upload(url, preflight=storage.Preflight()))
    assert ti.clear(upload(url, preflight=storage.Preflight())) == first
    wes_emulator.host("a.csv", b"B1\nB2\nB3\n")
    with raises(WesDuplicateError, match="Uploaded before with another content"):
        ti.clear(upload(url, preflight=storage.Preflight()))
    assert len(wes_emulator.files("summer")) == 1


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


def test_a_file_that_fails_during_a_wait_has_that_status_in_its_xcom(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.script(**FAILED_FILE)
    with raises(WesCouponFileFailedError):
        ti.run(upload(wait_for_completion=True, deferrable=False))
    assert ti.xcoms["coupon_file"]["status"] == "FAILED"


OF_ANOTHER_UPLOAD: dict[str, dict[str, Any]] = {
    "another name and URL": {"name": "theirs.csv", "file_url": f"{HOST}/theirs.csv"},
    "another URL, without a name": {"file_url": f"{HOST}/theirs.csv"},
    "another name, without a URL": {"name": "theirs.csv"},
    "another list": {"file_url": f"{HOST}/a.csv", "coupons_list_id": "winter"},
}
WITH_ERROR: dict[str, dict[str, Any]] = {
    "an error": {"file_url": f"{HOST}/a.csv", "error": {"message": "not stored"}},
    "success is false": {"file_url": f"{HOST}/a.csv", "success": False},
    "ok is false, around the record": {"_id": None, "ok": False, "data": {"_id": "theirs"}},
    "status is error, around the record": {
        "_id": None,
        "status": "error",
        "data": {"_id": "theirs"},
    },
    "code is 500, around the record": {"_id": None, "code": 500, "data": {"_id": "theirs"}},
}


def upload_with_201(wes_emulator: Emulator, ti: TaskInstance, shown: dict[str, Any]) -> str:
    """
    Upload a file, whose request takes effect and gets a 201.

    :param shown: of the record in it, besides the identifier ``theirs``.
    :return: the file that the task has then.
    """
    body = json.dumps({"_id": "theirs", "status": "SUCCESS", **shown}).encode()
    wes_emulator.fail(UPLOAD, faults.Fault(effect=True, status=201, body=body), times=1)
    return str(ti.run(upload()))


@pytest.mark.parametrize("shown", OF_ANOTHER_UPLOAD.values(), ids=OF_ANOTHER_UPLOAD)
def test_the_file_of_a_response_with_another_name_url_or_list_is_not_taken(
    wes_emulator: Emulator, ti: TaskInstance, shown: dict[str, Any]
):
    """The one that the list shows is."""
    file_id = upload_with_201(wes_emulator, ti, shown)
    assert [file["_id"] for file in wes_emulator.files("summer")] == [file_id]


@pytest.mark.parametrize("shown", WITH_ERROR.values(), ids=WITH_ERROR)
def test_the_file_of_a_201_that_says_it_has_failed_is_not_taken(
    wes_emulator: Emulator, ti: TaskInstance, shown: dict[str, Any]
):
    """The one that the list shows is."""
    file_id = upload_with_201(wes_emulator, ti, shown)
    assert [file["_id"] for file in wes_emulator.files("summer")] == [file_id]


OF_THIS_UPLOAD: dict[str, dict[str, Any]] = {
    "neither a name nor a URL": {},
    "its URL, and a name of the service's": {"file_url": f"{HOST}/a.csv", "name": "file-17"},
    "a part of its name, and a URL of the service's": {
        "file_url": "s3://theirs/17",
        "name": "summer-co",
    },
    "members that say that there is no error": {
        "error": None,
        "errors": [],
        "success": True,
        "code": 0,
    },
    "a wrapper that says so": {"_id": "", "status": "success", "data": {"_id": "ours"}},
}


@pytest.mark.parametrize("shown", OF_THIS_UPLOAD.values(), ids=OF_THIS_UPLOAD)
def test_the_file_of_a_response_that_may_describe_the_upload_is_taken(
    wes_emulator: Emulator, ti: TaskInstance, shown: dict[str, Any]
):
    body = json.dumps({"_id": "ours", "status": "PENDING", **shown}).encode()
    wes_emulator.fail(UPLOAD, faults.Fault(effect=True, status=201, body=body), times=1)
    assert ti.run(upload(name="summer-coupons.csv")) == "ours"


PARTS: dict[str, faults.Fault] = {
    "a link among others": faults.Fault(body=b"[]", headers=(("Link", '</y>; rel="prev next"'),)),
    "a link in capitals": faults.Fault(body=b"[]", headers=(("Link", '</y>; REL="Next"'),)),
    "a second link": faults.Fault(
        body=b"[]", headers=(("Link", "</x>; rel=first, </y>; rel=next"),)
    ),
    "a link with a title": faults.Fault(
        body=b"[]", headers=(("Link", '</y>; title="a; b"; rel = "next"'),)
    ),
    "a range": faults.Fault(body=b"[]", headers=(("Content-Range", "items 0-0/5"),)),
    "a number of the next page": faults.Fault(body=b"[]", headers=(("X-Next-Page", "2"),)),
    "a total": faults.Fault(body=b"[]", headers=(("X-Total", "7"),)),
    "not the last page": faults.Fault(body=b'{"data": [], "last": false}'),
    "not the last page, in another spelling": faults.Fault(body=b'{"data": [], "isLast": false}'),
    "a key to go on with": faults.Fault(body=b'{"data": [], "LastEvaluatedKey": {"id": "7"}}'),
}


@pytest.mark.parametrize("listing", PARTS.values(), ids=PARTS)
def test_an_upload_whose_list_says_that_it_is_a_part_is_left_to_a_person(
    wes_emulator: Emulator, ti: TaskInstance, listing: faults.Fault
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", listing, times=None)
    with raises(WesUnknownOutcomeError, match="Perhaps uploaded: ") as raised:
        ti.run(upload())
    assert is_for_good(raised.value)
    assert len(wes_emulator.files("summer")) == 1


WITH_ERRORS = {
    "an error": b'{"data": [], "error": "timeout"}',
    "the code of an error": b'{"data": [], "errorCode": 10003}',
}


@pytest.mark.parametrize("body", WITH_ERRORS.values(), ids=WITH_ERRORS)
def test_an_upload_whose_list_has_an_error_beside_it_is_left_to_a_person(
    wes_emulator: Emulator, ti: TaskInstance, body: bytes
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.Fault(body=body), times=None)
    with raises(WesUnknownOutcomeError, match="Perhaps uploaded: ") as raised:
        ti.run(upload())
    assert is_for_good(raised.value)
    assert len(wes_emulator.files("summer")) == 1


FAILED_READINGS = {
    "success is false": b'{"data": [], "success": false, "message": "database is down"}',
    "ok is false": b'{"data": [], "ok": false}',
    "status is error": b'{"data": [], "status": "error"}',
    "status is fail": b'{"data": [], "status": "fail"}',
    "code is 500": b'{"data": [], "code": 500}',
    "statusCode is a string": b'{"data": [], "statusCode": "503"}',
}


@pytest.mark.parametrize("body", FAILED_READINGS.values(), ids=FAILED_READINGS)
def test_a_list_with_200_that_says_it_failed_is_read_again_by_the_retry(
    wes_emulator: Emulator, ti: TaskInstance, body: bytes
):
    """A lost upload cannot be looked for now; the retry finds and adopts it."""
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.Fault(body=body), times=1)
    with raises(WesUnknownOutcomeError, match="the list cannot be read now: 200 that says"):
        ti.run(upload())
    assert ti.retry(upload()) == wes_emulator.files("summer")[0]["_id"]
    assert len(wes_emulator.files("summer")) == 1


def test_the_status_of_another_file_is_not_that_of_a_file_from_before_the_clear(
    wes_emulator: Emulator, ti: TaskInstance
):
    file_id = ti.run(upload())
    other = json.dumps({"_id": "other", "status": "SUCCESS", "name": "x"}).encode()
    wes_emulator.fail("get_coupon_file", faults.Fault(body=other), times=1)
    with pytest.raises(WesError, match="the service replied with coupon file other"):
        ti.clear(upload())
    assert ti.retry(upload()) == file_id
