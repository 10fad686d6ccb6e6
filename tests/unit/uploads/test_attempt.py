"""Waiting for the list's limit: on the worker, in the triggerer, and among mapped tasks."""

from __future__ import annotations

import asyncio
import heapq
import json
import re
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import TaskDeferred

from support.attempts import MIDNIGHT, Clock, Resumption, Store, TaskInstance, stop_time
from unit.uploads.test_record import VERSION_1
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesRateLimitError
from wes_provider.operators import WesUploadCouponFileOperator
from wes_provider.triggers import WesResetTrigger
from wes_provider.uploads.attempt import SingleUpload
from wes_provider.uploads.record import UploadRecord

UPLOAD = "upload_coupon_file"
OF_THE_DAY = [("x-ratelimit-limit", "50")]


@pytest.fixture
def clock(wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Clock:
    return stop_time(wes_emulator, monkeypatch)


def operator(index: int = 0, **arguments: Any) -> Callable[[], WesUploadCouponFileOperator]:
    return lambda: WesUploadCouponFileOperator(
        task_id="replenish",
        coupon_list_id="list",
        file_url=f"https://files.example.com/{index}.csv?sig=topsecret",
        **{"deferrable": False, **arguments},
    )


def fill(emulator: Emulator, clock: Clock) -> None:
    """Others upload five files."""
    for index in range(5):
        TaskInstance(clock, run_id=f"other {index}").run(operator(index))


def statuses(emulator: Emulator) -> list[int | None]:
    return [request.status for request in emulator.requests_for(UPLOAD)]


def test_a_worker_waits_for_the_minute(wes_emulator: Emulator, clock: Clock):
    fill(wes_emulator, clock)
    TaskInstance(clock).run(operator())
    assert statuses(wes_emulator) == [201] * 5 + [429, 201]
    assert 59 < clock.slept < 62


def test_a_worker_does_not_wait_for_longer_than_the_connection_says(wes_emulator: Emulator, clock: Clock):
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=130, headers=OF_THE_DAY))
    with pytest.raises(WesRateLimitError, match="max_rate_limit_wait of 120 s; with deferrable=True") as raised:
        TaskInstance(clock).run(operator())
    assert clock.slept == 0
    assert raised.value.reset_at is not None
    assert 129 < raised.value.reset_at.timestamp() - clock.now < 134
    assert raised.value.limit == 50


@pytest.mark.parametrize("seconds", [50, 1000, 80_000])
def test_a_deferrable_task_defers_until_shortly_before_the_reset(wes_emulator: Emulator, clock: Clock, seconds: int):
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=seconds, headers=OF_THE_DAY))
    ti = TaskInstance(clock)
    coupon_file_id = ti.run(operator(deferrable=True))
    assert [file["_id"] for file in wes_emulator.files("list")] == [coupon_file_id]
    (deferral,) = ti.deferrals
    assert seconds - 5 <= deferral < seconds - 2
    refused, accepted = wes_emulator.requests_for(UPLOAD)
    assert accepted.time - refused.time >= seconds


def test_a_deferral_leaves_airflow_an_hour_more_than_the_wait(wes_emulator: Emulator, clock: Clock):
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=1000, headers=OF_THE_DAY))
    with pytest.raises(TaskDeferred) as deferral:
        operator(deferrable=True)().execute(TaskInstance(clock).context())
    assert deferral.value.method_name == "execute_at_reset"
    assert isinstance(deferral.value.trigger, WesResetTrigger)
    wait = deferral.value.trigger.moment + 5 - clock.now
    assert 1000 <= wait < 1005
    assert deferral.value.timeout == timedelta(seconds=wait) + timedelta(hours=1)


def test_the_identifier_is_pushed_before_the_wait_and_not_twice_without_one(wes_emulator: Emulator, clock: Clock):
    pushed: list[Any] = []
    ti = TaskInstance(clock, pushed=lambda key, value: pushed.append((key, value)))
    coupon_file_id = ti.run(operator(wait_for_completion=True))
    assert ti.xcoms["return_value"] == coupon_file_id
    assert [key for key, _ in pushed] == ["return_value", "coupon_file", "coupon_file"]
    assert [value["status"] for _, value in pushed[1:]] == ["PENDING", "SUCCESS"]
    for arguments in ({}, {"wait_for_completion": True, "do_xcom_push": False}):
        ti = TaskInstance(clock, run_id=f"run {arguments}")
        ti.run(operator(**arguments))
        assert "return_value" not in ti.xcoms


def test_a_wait_that_is_too_long_says_until_when_and_what_helps(wes_emulator: Emulator, clock: Clock):
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=130, headers=OF_THE_DAY))
    with pytest.raises(WesRateLimitError) as raised:
        TaskInstance(clock).run(operator())
    cause, why, when = str(raised.value).splitlines()
    assert re.fullmatch(r"Rate limit: the next upload waits 13\d s \(list list\)", cause)
    assert why == (
        "That is longer than the connection's max_rate_limit_wait of 120 s; "
        "with deferrable=True, the task waits in the triggerer."
    )
    assert re.fullmatch(r"It can be sent at 2023-11-14 01:02:\d\d UTC\.", when)
    assert raised.value.remaining == 0


def test_a_wait_that_no_refusal_caused_has_no_limit(wes_emulator: Emulator, clock: Clock):
    attempt = SingleUpload(operator()(), TaskInstance(clock).context())
    attempt.wait_until(clock.now)
    assert clock.slept == 0
    with pytest.raises(WesRateLimitError) as raised:
        attempt.wait_until(clock.now + 1000)
    assert raised.value.limit is None
    assert raised.value.reset_at is not None
    assert raised.value.reset_at.timestamp() == pytest.approx(clock.now + 1000)


def test_what_a_deferral_of_version_1_carries_is_read(wes_emulator: Emulator, clock: Clock):
    state = {
        "version": 1,
        "rate_limiter": {"version": 1, "refusals": 2},
        "listed_by": 123.0,
        "listed": 7,
        "repairs": True,
        "outstanding": {"part": VERSION_1},
    }
    attempt = SingleUpload(operator()(), TaskInstance(clock).context(), state)
    assert (attempt.limiter.refusals, attempt.listed_by, attempt.listed, attempt.repairs) == (2, 123.0, 7, True)
    assert attempt.outstanding == {"part": UploadRecord.from_dict(VERSION_1)}
    first = SingleUpload(operator()(), TaskInstance(clock).context())
    assert (first.limiter.refusals, first.listed, first.repairs, first.outstanding) == (0, None, None, {})
    assert first.listed_by == clock.now + first.hook.settings.coupon_files_lag
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=1000, headers=OF_THE_DAY))
    resumption, _ = TaskInstance(clock).step(operator(deferrable=True), None)
    assert resumption is not None
    assert resumption.event["state"].keys() == state.keys()
    assert resumption.event["state"]["version"] == 1


def test_a_short_wait_is_not_worth_deferring(wes_emulator: Emulator, clock: Clock):
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=10))
    ti = TaskInstance(clock)
    ti.run(operator(deferrable=True))
    assert ti.deferrals == []


@pytest.mark.parametrize("deferrable", [False, True])
def test_refusals_without_end_are_reported(wes_emulator: Emulator, clock: Clock, deferrable: bool):
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=50), times=None)
    with pytest.raises(WesRateLimitError, match="The window resets in 5"):
        TaskInstance(clock).run(operator(deferrable=deferrable))
    assert statuses(wes_emulator) == [429] * 5
    assert wes_emulator.files("list") == []


def test_one_attempt_a_request_is_still_two_for_the_limit(
    wes_emulator: Emulator, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    connection = wes_emulator.connection(extra={"max_attempts": 1})
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(connection))
    fill(wes_emulator, clock)
    TaskInstance(clock).run(operator())
    assert statuses(wes_emulator) == [201] * 5 + [429, 201]


@pytest.mark.parametrize("store", [True, False], ids=["store", "no store"])
def test_a_deferral_in_a_retry_uploads_nothing_twice(wes_emulator: Emulator, clock: Clock, store: bool):
    wes_emulator.fail(UPLOAD, faults.reply_lost())
    wes_emulator.fail("list_coupon_files", faults.error(403))
    ti = TaskInstance(clock, Store() if store else None)
    with pytest.raises(Exception, match="Perhaps uploaded"):
        ti.run(operator(deferrable=True))
    ti.retry(operator(deferrable=True))
    assert len(wes_emulator.files("list")) == 1


# -- tasks mapped one for each file ------------------------------------------------------------------------


def run_mapped(clock: Clock, number: int, *, at_once: int, order: Callable[[int], int] = lambda index: index) -> None:
    """
    All instances of a mapped task, with that many on workers at a time; a deferred one gives up its worker.

    :param order: in which they start.
    """
    waiting = sorted(range(number), key=order)
    instances = [TaskInstance(clock, Store(), map_index=index) for index in range(number)]
    deferred: list[tuple[float, int, Resumption]] = []
    while waiting or deferred:
        batch: list[tuple[int, Resumption | None]] = [(index, None) for index in waiting[:at_once]]
        del waiting[:at_once]
        if not batch:
            clock.sleep(max(0.0, deferred[0][0] - clock.now))
        while deferred and deferred[0][0] <= clock.now:
            _, index, resumption = heapq.heappop(deferred)
            batch.append((index, resumption))
        for index, resumption in batch:
            resumption, _ = instances[index].step(operator(index, deferrable=True), resumption)
            if resumption is not None:
                heapq.heappush(deferred, (resumption.moment, index, resumption))


@pytest.mark.parametrize(
    ("at_once", "order", "policy", "told"),
    [
        pytest.param(50, lambda index: index, "fixed", "all", id="at once, fixed, headers"),
        pytest.param(50, lambda index: index, "rolling", "429", id="at once, rolling, headers on 429"),
        pytest.param(50, lambda index: -index, "fixed", "429", id="backwards, fixed, headers on 429"),
        pytest.param(50, lambda index: index * 37 % 50, "rolling", "all", id="shuffled, rolling, headers"),
        pytest.param(8, lambda index: index, "fixed", "429", id="eight at a time, fixed, headers on 429"),
        pytest.param(8, lambda index: index, "rolling", "all", id="eight at a time, rolling, headers"),
    ],
)
def test_fifty_mapped_tasks_take_turns(
    wes_emulator: Emulator, clock: Clock, policy: str, told: str, at_once: int, order: Callable[[int], int]
):
    wes_emulator.configure(window_policy=policy, rate_limit_headers=told)
    run_mapped(clock, 50, at_once=at_once, order=order)
    requests = wes_emulator.requests_for(UPLOAD)
    names = Counter(json.loads(request.body)["name"] for request in requests if request.status == 429)
    assert len(wes_emulator.files("list")) == 50
    assert max(names.values()) == 1
    least = 9 * 60 - (requests[0].time % 60 if policy == "fixed" else 0)
    assert requests[-1].time - requests[0].time <= 1.05 * least


def test_mapped_tasks_are_refused_once_each(wes_emulator: Emulator, clock: Clock):
    run_mapped(clock, 12, at_once=12, order=lambda index: -index)
    requests = wes_emulator.requests_for(UPLOAD)
    names = Counter(json.loads(request.body)["name"] for request in requests if request.status == 429)
    assert max(names.values()) == 1
    assert len(wes_emulator.files("list")) == 12


def test_mapped_tasks_with_names_of_the_users_come_through_too(wes_emulator: Emulator, clock: Clock):
    for index in range(12):
        TaskInstance(clock, Store(), map_index=index).run(operator(index, name=f"file {index}", deferrable=True))
    assert len(wes_emulator.files("list")) == 12


def test_mapped_tasks_do_without_the_list(wes_emulator: Emulator, clock: Clock):
    wes_emulator.fail("list_coupon_files", faults.error(404), times=None)
    for index in range(12):
        TaskInstance(clock, Store(), map_index=index).run(operator(index, deferrable=True))
    assert len(wes_emulator.files("list")) == 12


# -- the trigger -------------------------------------------------------------------------------------------


def test_the_trigger_fires_at_its_moment_with_what_it_was_given():
    async def first() -> Any:
        async for event in trigger.run():
            return event.payload
        return None

    trigger = WesResetTrigger(moment=time.time() + 0.2, state={"pace": {}, "files": {"a": 1}})
    path, kwargs = trigger.serialize()
    assert path == "wes_provider.triggers.WesResetTrigger"
    assert WesResetTrigger(**json.loads(json.dumps(kwargs))).serialize() == trigger.serialize()
    assert asyncio.run(first()) == {"state": {"pace": {}, "files": {"a": 1}}}
    assert time.time() >= trigger.moment


def test_the_trigger_holds_no_secret(wes_emulator: Emulator, clock: Clock):
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=50))
    resumption, _ = TaskInstance(clock).step(operator(deferrable=True, file_url_auth_username="u"), None)
    assert resumption is not None
    assert resumption.moment > MIDNIGHT
    for secret in ("topsecret", wes_emulator.api_key):
        assert secret not in json.dumps(resumption)
