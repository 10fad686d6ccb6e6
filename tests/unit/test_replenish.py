"""The replenishing operator against the emulator, its day-long waits too; only time and Airflow's context are faked."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from contextlib import nullcontext
from itertools import chain, pairwise, repeat
from typing import TYPE_CHECKING, Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException, AirflowNotFoundException, TaskDeferred

from support.attempts import MIDNIGHT, PROCESSING, Clock, Store, TaskInstance, stop_time
from unit.client.test_rate_limit_headers import TABLE as HEADERS
from wes_provider.client.sync_client import WesClient
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import (
    WesConfigurationError,
    WesCouponFileFailedError,
    WesDuplicateError,
    WesError,
    WesRateLimitError,
    WesTimeoutError,
)
from wes_provider.hooks import WesHook
from wes_provider.models import HEADLINE, CouponFile, redact_url
from wes_provider.operators import WesReplenishCouponListOperator
from wes_provider.polling import Done, Failed, dump_outcomes, failure
from wes_provider.retry_policy import RETRY_POLICIES
from wes_provider.triggers import WesResetTrigger
from wes_provider.uploads.rate_limiter import RateLimiter

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

UPLOAD, FETCH = "upload_coupon_file", "get_coupon_file"


class Killed(BaseException):
    """Stands for SIGKILL: nothing of ours may catch it."""


@pytest.fixture
def clock(wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Clock:
    return stop_time(wes_emulator, monkeypatch)


def urls(number: int) -> list[str]:
    return [f"https://files.example.com/{index}.csv?sig=topsecret" for index in range(number)]


def operator(files: Any, **arguments: Any) -> Callable[[], WesReplenishCouponListOperator]:
    return lambda: WesReplenishCouponListOperator(
        task_id="replenish", files=files, **{"coupon_list_id": "list", "deferrable": False, **arguments}
    )


def statuses(emulator: Emulator) -> list[int | None]:
    return [request.status for request in emulator.requests_for(UPLOAD)]


def test_twelve_files_take_three_windows_and_no_refusal(wes_emulator: Emulator, clock: Clock):
    ti = TaskInstance(clock)
    ids = ti.run(operator(urls(12)))
    files = wes_emulator.files("list")
    assert statuses(wes_emulator) == [201] * 12
    assert ids == [file["_id"] for file in files] == ti.xcoms["return_value"]
    assert [file["file_url"] for file in files] == urls(12)
    assert [file["status"] for file in ti.xcoms["coupon_files"]] == ["SUCCESS"] * 12
    assert 119 < clock.slept < 125


@pytest.mark.parametrize("deferrable", [False, True], ids=["worker", "triggerer"])
@pytest.mark.parametrize("headers", ["429", "none"])
def test_without_headers_the_documented_windows_are_respected(
    wes_emulator: Emulator, clock: Clock, headers: str, deferrable: bool
):
    wes_emulator.configure(rate_limit_headers=headers)
    TaskInstance(clock).run(operator(urls(12), deferrable=deferrable, wait_for_completion=False))
    assert statuses(wes_emulator) == [201] * 12


def test_files_may_be_objects_or_json_of_them(wes_emulator: Emulator, clock: Clock):
    files = [{"file_url": "https://files.example.com/a.csv", "name": "A", "created_by": "ana"}, *urls(1)]
    for given in (files, tuple(files), json.dumps(files)):
        clock.sleep(60)
        TaskInstance(clock, run_id=f"run {clock.now}").run(operator(given, on_duplicate="upload"))
    assert [file["name"] for file in wes_emulator.files("list")][::2] == ["A"] * 3
    assert {file["created_by"] for file in wes_emulator.files("list")} == {"ana", ""}


def test_digits_in_an_entry_are_a_text(wes_emulator: Emulator, clock: Clock):
    """Native rendering makes numbers of them."""
    url = "https://files.example.com/a.csv"
    file = {"file_url": url, "name": 66, "file_url_auth_username": 7, "file_url_auth_password": 1234, "created_by": 0}
    TaskInstance(clock).run(operator([file]))
    (request,) = wes_emulator.requests_for(UPLOAD)
    assert json.loads(request.body) == {
        "file_url": url,
        "name": "66",
        "file_url_auth_username": "7",
        "file_url_auth_password": "1234",
        "created_by": "0",
    }


def test_what_the_dag_itself_has_as_none_is_not_given(wes_emulator: Emulator, clock: Clock):
    files = [{"file_url": "https://files.example.com/a.csv", "name": None, "created_by": "None"}]
    for given in (files, json.dumps(files)):
        TaskInstance(clock, run_id=f"run {clock.now}").run(operator(given, on_duplicate="upload"))
        clock.sleep(60)
    assert {file["created_by"] for file in wes_emulator.files("list")} == {"None"}


@pytest.mark.parametrize("store", [True, False], ids=["store", "no store"])
@pytest.mark.parametrize("told", ["all", "429"])
def test_a_deferrable_task_leaves_the_worker_for_every_window(
    wes_emulator: Emulator, clock: Clock, told: str, store: bool
):
    wes_emulator.configure(rate_limit_headers=told)
    ti = TaskInstance(clock, Store() if store else None)
    with pytest.raises(TaskDeferred) as deferred:
        ti.run(operator(urls(12), deferrable=True))
    assert len(ti.deferrals) == 2
    assert clock.now < MIDNIGHT + 3600 + 121
    assert statuses(wes_emulator).count(201) == 12
    assert statuses(wes_emulator).count(429) == 0
    ids = [file["_id"] for file in wes_emulator.files("list")]
    assert ids == ti.xcoms["return_value"]
    # What is processed by then is not waited for: a trigger looks at old files seldom.
    assert list(deferred.value.trigger.coupon_files) == ids[10:]
    assert [file["status"] for file in ti.xcoms["coupon_files"]] == ["SUCCESS"] * 10 + ["PENDING"] * 2
    assert deferred.value.method_name == "execute_complete"


@pytest.mark.parametrize("most", [0, 1])
def test_what_ended_before_the_last_wait_counts_in_the_end(wes_emulator: Emulator, clock: Clock, most: int):
    wes_emulator.script(url=urls(7)[1], outcome="failure")
    ti, make = TaskInstance(clock), operator(urls(7), deferrable=True, max_failed_files=most)
    with pytest.raises(TaskDeferred) as deferred:
        ti.run(make)
    ids = ti.xcoms["return_value"]
    assert list(deferred.value.trigger.coupon_files) == ids[5:]
    waited = [CouponFile.from_summary({**file, "status": "DONE"}) for file in ti.xcoms["coupon_files"][5:]]
    event = dump_outcomes({file.id: Done(file) for file in waited})
    with nullcontext() if most else pytest.raises(FAILED, match=r"1 of 7 .*\n.*\n.*1\.csv"):
        assert make().execute_complete({"ti": ti}, event) == ids
    ended = ["SUCCESS", "FAILED", "SUCCESS", "SUCCESS", "SUCCESS", "DONE", "DONE"]
    assert [file["status"] for file in ti.xcoms["coupon_files"]] == ended


@pytest.mark.parametrize("error", [AirflowNotFoundException("not defined"), ConnectionError()], ids=["gone", "away"])
def test_a_secrets_backend_that_is_away_when_a_deferred_task_resumes_ends_nothing(
    wes_emulator: Emulator, clock: Clock, mocker: MockerFixture, error: Exception
):
    away = [clock.now + 30, clock.now + 75]  # the second window opens meanwhile
    read = WesHook.get_connection

    def get_connection(conn_id: str) -> Any:
        if away[0] <= clock.now < away[1]:
            raise error
        return read(conn_id)

    mocker.patch.object(WesHook, "get_connection", side_effect=get_connection)
    ti, make = TaskInstance(clock), operator(urls(6), deferrable=True, file_url_auth_conn_id="wes_default")
    with pytest.raises(TaskDeferred):
        ti.run(make)
    assert clock.now >= away[1]
    assert statuses(wes_emulator) == [201] * 6
    files = [CouponFile.from_summary({**file, "status": "DONE"}) for file in ti.xcoms["coupon_files"]]
    event = dump_outcomes({file.id: Done(file) for file in files[5:]})
    away[:] = [clock.now, clock.now + 75]
    resumed = make().resume_execution("execute_complete", {"event": event}, {"ti": ti})
    assert resumed == [file.id for file in files]


@pytest.mark.parametrize("deferrable", [False, True], ids=["worker", "triggerer"])
def test_each_wait_pushes_what_is_new_and_all_is_read_once(wes_emulator: Emulator, clock: Clock, deferrable: bool):
    pushed: dict[str, list[int]] = defaultdict(list)
    pulled: list[str] = []
    ti = TaskInstance(
        clock,
        pushed=lambda key, value: pushed[key].append(len(value)),
        pulled=lambda key, value: pulled.append(key),
    )
    ids = ti.run(operator(urls(17), deferrable=deferrable, wait_for_completion=False))
    assert ids == [file["_id"] for file in wes_emulator.files("list")]
    assert [file["id"] for file in ti.xcoms["coupon_files"]] == ids
    first, second, third = (f"coupon_files_{number}" for number in (1, 2, 3))
    assert pushed == {first: [5], second: [5], third: [5], "coupon_files": [17, 17]}
    assert pulled == ([first, second, third] if deferrable else [])


def test_a_task_that_fails_after_a_deferral_pushes_all_files(wes_emulator: Emulator, clock: Clock):
    ti, make = TaskInstance(clock), operator(urls(12), deferrable=True)
    resumption, _ = ti.step(make, None)
    clock.sleep(60)
    wes_emulator.fail(UPLOAD, faults.error(400, "invalid-request", "file_url is empty"))
    with pytest.raises(WesError if RETRY_POLICIES else AirflowFailException):
        ti.step(make, resumption)
    assert [file["id"] for file in ti.xcoms["coupon_files"]] == [file["_id"] for file in wes_emulator.files("list")]
    assert len(ti.xcoms["coupon_files"]) == 5


CHANGES: dict[str, Callable[[list[str]], list[str]]] = {
    "another order": lambda files: files[::-1],
    "one more in front": lambda files: ["https://files.example.com/more.csv", *files],
    "one less": lambda files: files[1:],
    "signed again": lambda files: [url.replace("topsecret", "signed-again") for url in files],
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("store", [True, False], ids=["store", "no store"])
def test_files_may_change_while_the_task_is_deferred(
    wes_emulator: Emulator, clock: Clock, change: Callable[[list[str]], list[str]], store: bool
):
    ti, given = TaskInstance(clock, Store() if store else None), urls(12)
    versions = chain([given], repeat(change(given)))
    ids = ti.run(lambda: operator(next(versions), deferrable=True, wait_for_completion=False)())
    uploaded = {file["_id"]: redact_url(file["file_url"]) for file in wes_emulator.files("list")}
    assert [uploaded[file_id] for file_id in ids] == [redact_url(url) for url in change(given)]
    assert len(set(uploaded.values())) == len(uploaded)


@pytest.mark.parametrize("store", [True, False], ids=["store", "no store"])
@pytest.mark.parametrize("state", ["kept", "of a version without it"])
def test_xcoms_that_are_deleted_while_the_task_is_deferred_upload_nothing_twice(
    wes_emulator: Emulator, clock: Clock, store: bool, state: str
):
    ti, make = TaskInstance(clock, Store() if store else None), operator(urls(12), deferrable=True)
    resumption, _ = ti.step(make, None)
    del ti.xcoms["coupon_files_1"]
    assert resumption is not None
    if state != "kept":
        del resumption.event["state"]["uploaded"]
    while resumption is not None:
        clock.sleep(60)
        try:
            resumption, _ = ti.step(make, resumption)
        except TaskDeferred:  # until all are processed
            break
    assert ti.xcoms["return_value"] == [file["_id"] for file in wes_emulator.files("list")]
    assert statuses(wes_emulator) == [201] * 12


def test_the_day_is_waited_for_in_the_triggerer(wes_emulator: Emulator, clock: Clock):
    ti = TaskInstance(clock)
    with pytest.raises(TaskDeferred):
        ti.run(operator(urls(51), deferrable=True))
    assert statuses(wes_emulator) == [201] * 51
    assert max(ti.deferrals) > 80_000
    assert wes_emulator.requests_for(UPLOAD)[50].time % 86400 < 2


def test_a_worker_does_not_wait_for_the_day(wes_emulator: Emulator, clock: Clock):
    ti = TaskInstance(clock)
    with pytest.raises(WesRateLimitError, match="deferrable=True") as raised:
        ti.run(operator(urls(51)))
    assert statuses(wes_emulator) == [201] * 50
    assert raised.value.reset_at is not None
    assert 0 <= raised.value.reset_at.timestamp() - (MIDNIGHT + 86400) < 2
    assert not raised.value.permanent
    assert len(ti.xcoms["coupon_files"]) == 50
    clock.sleep(86400)
    assert len(ti.retry(operator(urls(51)))) == 51
    assert statuses(wes_emulator) == [201] * 51


def test_a_refusal_that_no_waiting_cures_is_reported(wes_emulator: Emulator, clock: Clock):
    body = json.dumps({"error": {"code": "quota-exceeded", "message": "The plan's files are used up."}}).encode()
    wes_emulator.fail(UPLOAD, faults.rate_limited("missing", body=body), times=None)
    with pytest.raises(WesRateLimitError, match="The plan's files are used up"):
        TaskInstance(clock).run(operator(urls(2)))
    assert statuses(wes_emulator) == [429] * 5
    assert 60 <= clock.slept < 70


@pytest.mark.parametrize("headers", HEADERS.values(), ids=HEADERS)
@pytest.mark.parametrize("deferrable", [False, True], ids=["worker", "triggerer"])
def test_a_refusal_with_headers_that_make_no_sense_neither_stops_it_nor_has_it_hammer(
    wes_emulator: Emulator, clock: Clock, headers: Callable[[int], list[tuple[str, str]]], deferrable: bool
):
    pairs = headers(int(wes_emulator.clock.now()))
    wes_emulator.fail(UPLOAD, faults.Fault(status=429, body=b"", headers=pairs), times=3)
    ti = TaskInstance(clock)
    assert len(ti.run(operator(urls(2), deferrable=deferrable, wait_for_completion=False))) == 2
    assert statuses(wes_emulator) == [429] * 3 + [201] * 2
    times = [request.time for request in wes_emulator.requests_for(UPLOAD)]
    waits = [after - before for before, after in pairwise(times[:4])]
    assert min(waits) >= 0.5
    assert max(waits) <= 60


def test_a_refusal_on_top_of_the_documented_limit_is_waited_for(wes_emulator: Emulator, clock: Clock):
    wes_emulator.configure(limits={UPLOAD: [[2, 60]]})
    TaskInstance(clock).run(operator(urls(6)))
    assert statuses(wes_emulator) == [201] * 6


@pytest.mark.parametrize("store", [True, False], ids=["store", "no store"])
@pytest.mark.parametrize("killed_at", range(1, 8))
def test_what_is_uploaded_before_a_kill_is_kept(
    wes_emulator: Emulator, clock: Clock, mocker: MockerFixture, killed_at: int, store: bool
):
    """Killed when so many files are uploaded, then retried with the files in another order."""
    upload = WesHook.upload_coupon_file

    def kill(hook: WesHook, *args: Any, **kwargs: Any) -> Any:
        file = upload(hook, *args, **kwargs)
        if len(wes_emulator.files("list")) == killed_at:
            mocker.stopall()
            raise Killed
        return file

    mocker.patch.object(WesHook, "upload_coupon_file", kill)
    ti = TaskInstance(clock, Store() if store else None)
    with pytest.raises(Killed):
        ti.run(operator(urls(7)))
    clock.sleep(10)
    fresh = [url.replace("topsecret", "signed-again") for url in reversed(urls(7))]
    ids = ti.retry(operator(fresh))
    files = {file["_id"]: file["file_url"].partition("?")[0] for file in wes_emulator.files("list")}
    assert [files[file_id] for file_id in ids] == [url.partition("?")[0] for url in fresh]
    assert len(files) == 7


def test_an_answer_that_is_lost_uploads_nothing_twice(wes_emulator: Emulator, clock: Clock):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=2)
    wes_emulator.fail(UPLOAD, faults.reply_lost(effect=False), times=2)
    TaskInstance(clock).run(operator(urls(6)))
    assert [file["file_url"] for file in wes_emulator.files("list")] == urls(6)


def test_a_cleared_task_adopts_what_is_there(wes_emulator: Emulator, clock: Clock):
    ti = TaskInstance(clock)
    ids = ti.run(operator(urls(3)))
    assert ti.clear(operator(urls(3))) == ids
    with pytest.raises(WesDuplicateError if RETRY_POLICIES else AirflowFailException, match="on_duplicate is 'fail'"):
        ti.clear(operator(urls(3), on_duplicate="fail"))
    assert len(wes_emulator.files("list")) == 3
    clock.sleep(60)
    assert set(ti.clear(operator(urls(3), on_duplicate="upload"))).isdisjoint(ids)
    assert len(wes_emulator.files("list")) == 6


FAILED = WesCouponFileFailedError if RETRY_POLICIES else AirflowFailException


@pytest.mark.parametrize("store", [True, False], ids=["store", "no store"])
def test_a_failed_file_fails_the_task_at_the_end_and_is_uploaded_anew_after_a_clear(
    wes_emulator: Emulator, clock: Clock, store: bool
):
    wes_emulator.script(url=urls(4)[1], outcome="failure")
    ti = TaskInstance(clock, Store() if store else None)
    with pytest.raises(FAILED, match=r"1 of 4 files failed processing \(list list\)"):
        ti.run(operator(urls(4)))
    first = [file["_id"] for file in wes_emulator.files("list")]
    assert [file["status"] for file in ti.xcoms["coupon_files"]] == ["SUCCESS", "FAILED", "SUCCESS", "SUCCESS"]
    assert ti.xcoms["return_value"] == first
    with pytest.raises(FAILED):
        ti.retry(operator(urls(4)))
    assert len(wes_emulator.files("list")) == 4
    wes_emulator.script(url=urls(4)[1], statuses=PROCESSING)
    clock.sleep(60)
    ids = ti.clear(operator(urls(4)))
    assert len(wes_emulator.files("list")) == 5
    assert [was == now for was, now in zip(first, ids, strict=True)] == [True, False, True, True]


def test_so_many_failed_files_may_pass(wes_emulator: Emulator, clock: Clock, caplog: pytest.LogCaptureFixture):
    for url in urls(2):
        wes_emulator.script(url=url, outcome="failure")
    ti = TaskInstance(clock)
    assert len(ti.run(operator(urls(4), max_failed_files=2))) == 4
    with pytest.raises(FAILED, match="2 of 4"):
        ti.retry(operator(urls(4), max_failed_files=1))


def test_a_file_that_never_ends_is_a_timeout_whatever_may_fail(wes_emulator: Emulator, clock: Clock):
    wes_emulator.script(url=urls(2)[1], outcome="never")
    with pytest.raises(WesTimeoutError, match=r"1 of 2 files not processed in time \(list list\)"):
        TaskInstance(clock).run(operator(urls(2), max_failed_files=2, timeout=100))


def test_at_the_deadline_each_file_gets_a_last_poll(wes_emulator: Emulator, clock: Clock, mocker: MockerFixture):
    mocker.patch("random.random", return_value=0.0)
    mocker.patch("wes_provider.tasks.LAST_POLL", 0.5)
    polls = mocker.spy(WesClient, "run_once")
    wes_emulator.fail(FETCH, faults.reset(), times=None)
    with pytest.raises(WesTimeoutError, match=r"3 of 3 files not processed in time"):
        TaskInstance(clock).run(operator(urls(3), timeout=1000))
    assert [call.kwargs.get("within") for call in polls.call_args_list].count(0.5) == 3


def test_a_service_that_does_not_respond_delays_no_deferral(wes_emulator: Emulator, clock: Clock):
    wes_emulator.fail(FETCH, faults.reset(), times=None)
    with pytest.raises(TaskDeferred) as deferred:
        TaskInstance(clock).run(operator(urls(3), deferrable=True))
    assert len(deferred.value.trigger.coupon_files) == 3
    assert len(wes_emulator.requests_for(FETCH)) == 1


def test_a_slow_service_delays_no_deferral_of_many_files(
    wes_emulator: Emulator, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("wes_provider.replenish.POLLS_BEFORE_DEFERRAL", 0.5)
    wes_emulator.script(outcome="never")
    wes_emulator.fail(FETCH, faults.slow(0.3), times=None)
    with pytest.raises(TaskDeferred) as deferred:
        TaskInstance(clock).run(operator(urls(5), deferrable=True))
    assert len(deferred.value.trigger.coupon_files) == 5
    assert 1 <= len(wes_emulator.requests_for(FETCH)) <= 2


@pytest.mark.parametrize("named", [False, True], ids=["own names", "names of the user"])
def test_a_retry_without_records_reads_the_list_once(wes_emulator: Emulator, clock: Clock, named: bool):
    ti = TaskInstance(clock, store=None)
    names = [{"name": f"{index} of {ti.run_id}"} if named else {} for index in range(3)]
    files = [{"file_url": url, **name} for url, name in zip(urls(3), names, strict=True)]
    ids = ti.run(operator(files))
    before = len(wes_emulator.requests_for("list_coupon_files"))
    assert ti.retry(operator(files)) == ids
    assert len(wes_emulator.requests_for("list_coupon_files")) - before == 1


def test_no_waiting_where_none_is_asked_for(wes_emulator: Emulator, clock: Clock):
    assert len(TaskInstance(clock).run(operator(urls(3), wait_for_completion=False))) == 3
    assert wes_emulator.requests_for(FETCH) == []
    assert clock.slept == 0


def test_the_log_reports_progress_for_each_window(
    wes_emulator: Emulator, clock: Clock, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("INFO")
    TaskInstance(clock).run(operator(urls(11)))
    text = caplog.text
    assert "List list: 5 of 11 uploaded; the rest takes about 0:02:00" in text
    assert "List list: 10 of 11 uploaded; the rest takes about 0:01:00" in text
    assert "List list: 11 of 11 uploaded\n" in text
    assert "topsecret" not in text


def test_the_log_of_a_list_with_a_long_name_reports_progress_in_its_first_lines(
    wes_emulator: Emulator, clock: Clock, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("INFO", "wes_provider")
    TaskInstance(clock).run(operator(urls(6), coupon_list_id="summer-" * 20))
    assert "5 of 6 uploaded; the rest takes about" in caplog.text
    assert max(len(message.splitlines()[0]) for message in caplog.messages) <= HEADLINE


def test_credentials_of_a_connection_fetch_the_files(
    wes_emulator: Emulator, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("AIRFLOW_CONN_FILES", json.dumps({"conn_type": "http", "login": "bob", "password": "hunter2"}))
    own = {"file_url": "https://files.example.com/own.csv", "file_url_auth_username": "eve"}
    TaskInstance(clock).run(operator([*urls(1), own], file_url_auth_conn_id="files"))
    sent = [json.loads(request.body) for request in wes_emulator.requests_for(UPLOAD)]
    assert [body["file_url_auth_username"] for body in sent] == ["bob", "eve"]
    assert [body.get("file_url_auth_password") for body in sent] == ["hunter2", None]


A, B = "https://files.example.com/a.csv", "https://files.example.com/b.csv"
BAD_FILES = {
    "a single URL": ("[" + json.dumps(A), "files is a text that is not JSON"),
    "a local path": ("/tmp/codes.csv", "files is a local file, which the service cannot fetch\\n.*\\nPut it into obj"),
    "a file's name": ("codes of today.csv", "files is a local file"),
    "a bare URL": (A + "?token=topsecret", "files takes a list of URLs, and this is a single one\\n'https.*csv'\\n"),
    "an empty text": ("", "files is an empty text"),
    "a local file in a list": (["./x.csv"], r"file_url is a local file, which the service cannot fetch\nPut it into"),
    "an object": ({"file_url": A}, "files takes a list"),
    "none": ([], "files is empty"),
    "a number": ([A, 5], r"files\[1\]: it takes a URL"),
    "no URL": (["a.csv"], r"files\[0\]: file_url takes an absolute URL"),
    "an unknown field": ([{"file_url": A, "url": B}], r"files\[0\]: it has 'url'"),
    "no file_url": ([A, {"name": "a"}], r"files\[1\]: it has no file_url"),
    "the same, spelled in another way": (["https://h.example/a", "https://H.example:443/%61"], r"its URL is that of"),
    "the same twice": ([A, B, A], r"files\[2\]: its URL is that of files\[0\]"),
    "the same under two names": ([{"file_url": A, "name": "1"}, {"file_url": A, "name": "2"}], r"its URL is that of"),
    "differing in their queries": ([A + "?part=1", A + "?part=2"], r"files\[1\]: .*give each of them a name"),
}


@pytest.mark.parametrize(("files", "message"), BAD_FILES.values(), ids=BAD_FILES)
def test_files_that_cannot_be_uploaded_fail_the_parse(files: Any, message: str):
    with pytest.raises(WesConfigurationError, match=message):
        operator(files)()


def test_rendered_files_are_checked_before_the_first_is_uploaded(wes_emulator: Emulator, clock: Clock):
    def make() -> WesReplenishCouponListOperator:
        task = operator("{{ rendered }}")()
        task.files = json.dumps([*urls(2), "nonsense", "more?token=topsecret"])
        return task

    error = WesConfigurationError if RETRY_POLICIES else AirflowFailException
    with pytest.raises(error, match=r"(?s)no file was uploaded.*files\[2\].*files\[3\]"):
        TaskInstance(clock).run(make)
    assert wes_emulator.requests == []


def test_files_named_apart_may_share_a_path(wes_emulator: Emulator, clock: Clock):
    files = [{"file_url": f"{A}?part={part}", "name": f"part {part}"} for part in (1, 2)]
    ti = TaskInstance(clock)
    ids = ti.run(operator(files))
    assert ti.clear(operator(files[::-1])) == ids[::-1]


@pytest.mark.parametrize("most", [-1, 1.5, True, "1"])
def test_max_failed_files_is_a_whole_number(most: Any):
    with pytest.raises(WesConfigurationError, match="max_failed_files"):
        operator(urls(1), max_failed_files=most)()


def test_an_event_that_is_none_is_no_success(clock: Clock):
    task, context = operator(urls(1))(), {"ti": TaskInstance(clock, xcoms={"coupon_files": []})}
    for event in (None, {}, {"state": None}, "event"):
        with pytest.raises(WesError, match="event cannot be read"):
            task.execute_at_reset(context, event)
        with pytest.raises(WesError, match="event cannot be read"):
            task.execute_complete(context, event)
    with pytest.raises(WesError, match="other files"):
        task.execute_complete(
            context, {"files": {"5f": {"done": {"id": "5f", "coupon_list_id": "", "name": "", "status": "OK"}}}}
        )


def test_the_pace_is_kept_through_a_deferral(clock: Clock):
    rate_limiter = RateLimiter()
    rate_limiter.record({}, sent=clock.now, at=clock.now, refused=False)
    trigger = WesResetTrigger(moment=1.0, state={"pace": rate_limiter.to_dict()})
    _, kwargs = trigger.serialize()
    assert RateLimiter.from_dict(json.loads(json.dumps(kwargs))["state"]["pace"]).to_dict() == rate_limiter.to_dict()


# -- messages: which file of several, and what a person can do about it ------------------------------

SAME_NAMES = [f"https://files.example.com/{region}/coupons.csv" for region in ("good", "bad", "fine")]


def keyed(ti: TaskInstance, message: str) -> None:
    """Put what a message names into the Variable."""
    (keys,) = set(re.findall(r"put (\S+) into the Variable wes_upload_again", message))
    context = {**ti.context(), "var": {"value": {"wes_upload_again": keys}}}
    ti.context = lambda: context  # type: ignore[method-assign]


def test_a_refused_upload_names_the_file_and_how_far_the_task_is(
    wes_emulator: Emulator, clock: Clock, mocker: MockerFixture
):
    upload = WesHook.upload_coupon_file

    def refused(hook: WesHook, coupon_list_id: str, file_url: str, **fields: Any) -> Any:
        if file_url == SAME_NAMES[1]:
            wes_emulator.fail(UPLOAD, faults.error(400, "invalid-request", "file_url is empty"))
        return upload(hook, coupon_list_id, file_url, **fields)

    mocker.patch.object(WesHook, "upload_coupon_file", refused)
    with pytest.raises(WesError if RETRY_POLICIES else AirflowFailException) as raised:
        TaskInstance(clock).run(operator(SAME_NAMES))
    error = raised.value if RETRY_POLICIES else raised.value.__cause__
    first, advice, *details = str(error).splitlines()
    assert first == "400 invalid-request: file_url is empty (bad/coupons.csv of list list)"
    assert advice == "Correct what the response names in the task's arguments, then clear the task."
    assert details == [
        "Operation: upload_coupon_file",
        f"URL: {SAME_NAMES[1]}",
        "File 2 of 3: 1 uploaded before it, 1 not tried",
    ]


@pytest.mark.parametrize("deferrable", [False, True], ids=["worker", "triggerer"])
def test_files_with_the_same_last_part_are_told_apart(
    wes_emulator: Emulator, clock: Clock, deferrable: bool, capsys: pytest.CaptureFixture[str]
):
    wes_emulator.script(url=SAME_NAMES[1], outcome="failure")
    ti, make = TaskInstance(clock), operator(SAME_NAMES, deferrable=deferrable)
    if deferrable:
        with pytest.raises(TaskDeferred):
            ti.run(make)
        clock.sleep(10)
        files = [CouponFile.from_record(record) for record in wes_emulator.files("list")]
        failed = Failed(failure(files[1]), 3, 2, "FAILED")
        event = dump_outcomes({files[0].id: Done(files[0]), files[1].id: failed, files[2].id: Done(files[2])})
        with pytest.raises(FAILED) as raised:
            make().execute_complete(ti.context(), event)
    else:
        with pytest.raises(FAILED) as raised:
            ti.run(make)
    first, advice, which, *_ = str(raised.value if RETRY_POLICIES else raised.value.__cause__).splitlines()
    assert first == "1 of 3 files failed processing (list list)"
    assert advice == "Fix them, then clear this task: it uploads these files again, and no other."
    assert which.startswith("FAILED: ")
    assert "(bad/coupons.csv" in which
    logged = capsys.readouterr().out
    assert re.search(r"File 1 of 3 processed, .*\(good/coupons.csv", logged)
    assert "\nFile 2 of 3 failed.\n" in logged
    assert re.search(r"File 3 of 3 processed, .*\(fine/coupons.csv", logged)
    assert "Fix the file" not in logged.replace(str(raised.value), "")


def test_a_failed_file_is_uploaded_again_with_fail_and_the_others_are_kept(wes_emulator: Emulator, clock: Clock):
    wes_emulator.script(url=urls(3)[1], outcome="failure")
    ti, make = TaskInstance(clock), operator(urls(3), on_duplicate="fail")
    with pytest.raises(FAILED):
        ti.run(make)
    first = [file["_id"] for file in wes_emulator.files("list")]
    wes_emulator.script(url=urls(3)[1], statuses=PROCESSING)
    clock.sleep(60)
    ids = ti.clear(make)
    assert [was == now for was, now in zip(first, ids, strict=True)] == [True, False, True]
    with pytest.raises(WesDuplicateError if RETRY_POLICIES else AirflowFailException):
        ti.clear(make)
    assert len(wes_emulator.files("list")) == 4


@pytest.mark.parametrize("on_duplicate", ["adopt", "fail"])
def test_too_few_coupons_are_mended_as_the_error_says(wes_emulator: Emulator, clock: Clock, on_duplicate: str):
    files = [wes_emulator.host(f"{name}.csv", codes) for name, codes in (("a", b"1\n2\n"), ("b", b"1\n"))]
    wes_emulator.script(processing_time=2)
    ti, make = TaskInstance(clock), operator(files, min_coupons_added=3, on_duplicate=on_duplicate)
    with pytest.raises(FAILED) as raised:
        ti.run(make)
    message = str(raised.value if RETRY_POLICIES else raised.value.__cause__)
    first, advice, other, *_ = message.splitlines()
    assert first == "2 coupons added, fewer than 3 (2 files of list list)"
    assert advice.startswith("Fix the files, then put ")
    assert other == "If so few are fine, mark the task as success."
    wes_emulator.host("b.csv", b"3\n")
    keyed(ti, message)
    clock.sleep(60)
    assert len(ti.clear(make)) == 2
    assert [file["file_url"] for file in wes_emulator.files("list")] == [*files, files[1]]


def test_a_green_task_says_which_files_failed_and_asks_for_nothing(
    wes_emulator: Emulator, clock: Clock, capsys: pytest.CaptureFixture[str]
):
    files = [wes_emulator.host("a.csv", b"1\n"), *urls(2)]
    wes_emulator.script(url=files[0], processing_time=2)
    wes_emulator.script(url=urls(2)[1], outcome="failure")
    TaskInstance(clock).run(operator(files, max_failed_files=1))
    logged = capsys.readouterr().out
    assert "1 of 3 files failed, max_failed_files is 1 (list list)\nFAILED: " in logged
    assert "clear" not in logged
