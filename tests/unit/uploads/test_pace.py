"""
Uploads keep to the rate limit of the service (contract, section 7: five a minute by default).
Twelve files go without a refusal and in their order: the task defers for the limit, or sleeps if
it may not defer or the time is too short for that. A limit beyond ``max_rate_limit_wait`` (120 s)
or the task's ``execution_timeout`` is an error that says so, and what was uploaded until then is
kept. Clocks of other machines do not count, only the seconds that were waited. An upload that
gets 429 until ``timeout`` is over fails.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

import pytest
from airflow.providers.common.compat.sdk import TaskDeferred

from support.attempts import MIDNIGHT, Clock, TaskInstance
from unit.uploads.conftest import UPLOAD, raises, refused, replenish, urls
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesRateLimitError
from wes_provider.hooks import WesHook
from wes_provider.operators.base import COUNTS_EACH_PART


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
