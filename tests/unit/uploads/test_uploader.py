"""Uploads against the emulator, with and without Airflow's task state store; only time and context are faked."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from support.attempts import Store
from wes_provider.client.settings import WesSettings
from wes_provider.client.sync_client import WesClient
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import (
    WesConnectionError,
    WesDuplicateError,
    WesNotFoundError,
    WesRateLimitError,
    WesResponseError,
    WesUnknownOutcomeError,
)
from wes_provider.hooks import WesHook
from wes_provider.models import CouponFile
from wes_provider.polling import Statuses
from wes_provider.uploads.attempt import Attempt
from wes_provider.uploads.identity import TaskIdentity
from wes_provider.uploads.request import UploadRequest
from wes_provider.uploads.upload_again import advice
from wes_provider.uploads.uploader import Uploaded, Uploader

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

URL = "https://files.example.com/coupons.csv"
UPLOAD, LISTING, FETCH = "upload_coupon_file", "list_coupon_files", "get_coupon_file"


class Killed(BaseException):
    """Stands for SIGKILL: nothing of ours may catch it."""


@dataclass
class Clock:
    """Time that only sleeping moves, the service's included."""

    emulator: Emulator
    now: float = 1_700_000_000.0
    slept: float = 0.0

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept += seconds
        self.emulator.clock.advance(seconds)


@dataclass
class Task:
    """One task instance, attempt after attempt."""

    clock: Clock
    settings: WesSettings
    store: Store | None
    retries: int = 3
    try_number: int = 1
    max_tries: int = 3
    map_index: int | None = -1
    clear_number: int = 0
    run_started: datetime = datetime(2026, 1, 1, tzinfo=timezone.utc)
    context: dict[str, Any] = field(default_factory=dict)
    known: list[CouponFile] = field(default_factory=list)
    spoil: Callable[[WesHook], None] = lambda hook: None
    ti_fields: dict[str, Any] = field(default_factory=dict)

    def uploader(self, requests: Sequence[UploadRequest], on_duplicate: str = "adopt") -> Uploader:
        hook = WesHook()
        hook.__dict__["settings"] = self.settings
        hook.__dict__["_client"] = WesClient(self.settings, sleep=self.clock.sleep)
        self.spoil(hook)
        ti = SimpleNamespace(
            dag_id="shop",
            task_id="replenish",
            run_id="scheduled__2026-01-01T00:00:00+00:00",
            map_index=self.map_index,
            try_number=self.try_number,
            max_tries=self.max_tries,
            **self.ti_fields,
        )
        run = SimpleNamespace(start_date=self.run_started, clear_number=self.clear_number)
        context = {
            "ti": ti,
            "task": SimpleNamespace(retries=self.retries),
            "run_id": ti.run_id,
            "dag_run": run,
            **self.context,
        }
        if self.store is not None:
            context["task_state_store"] = self.store
        task = SimpleNamespace(
            hook=hook,
            on_duplicate=on_duplicate,
            clock=self.clock,
            coupon_list_id=requests[0].coupon_list_id,
            deferrable=False,
            statuses=Statuses(),
        )
        return Uploader(Recorded(self, task, context), requests)

    def upload(
        self, on_duplicate: str = "adopt", *, coupon_list_id: str = "list", part: str = "", **fields: Any
    ) -> Uploaded:
        request = UploadRequest.of(coupon_list_id, {"file_url": URL, **fields}, part=part)
        return self.uploader([request], on_duplicate).upload(request)

    def retry(self) -> None:
        """As Airflow does after an attempt that failed or was lost."""
        self.try_number += 1

    def clear(self) -> None:
        """As Airflow does when a user clears the task."""
        self.max_tries = self.try_number + self.retries
        self.try_number += 1
        self.clear_number += 1
        self.run_started += timedelta(hours=1)


class Recorded(Attempt):
    """An attempt that tells the test what it publishes."""

    continues = False

    def __init__(self, of: Task, *args: Any) -> None:
        super().__init__(*args)
        self._of = of

    def known(self, request: UploadRequest, file: CouponFile, sent_at: float) -> None:
        if file not in self._of.known:
            self._of.known.append(file)


@pytest.fixture
def emulator(wes_emulator: Emulator) -> Emulator:
    wes_emulator.configure(limits=None)
    wes_emulator.script(statuses=[("SUCCESS", None)])
    return wes_emulator


@pytest.fixture
def settings(emulator: Emulator) -> WesSettings:
    connection = emulator.connection(extra={"max_attempts": 3, "coupon_files_lag": 30})
    fields = {"schema": None, "port": None, "conn_id": "wes_default", **connection}
    return WesSettings.from_connection(SimpleNamespace(**{**fields, "extra": json.dumps(fields["extra"])}))


@pytest.fixture
def clock(emulator: Emulator) -> Clock:
    return Clock(emulator)


@pytest.fixture(params=[True, False], ids=["store", "no_store"])
def task(request: pytest.FixtureRequest, clock: Clock, settings: WesSettings) -> Task:
    return Task(clock, settings, Store() if request.param else None)


@pytest.fixture
def stored(clock: Clock, settings: WesSettings) -> Task:
    return Task(clock, settings, Store())


@pytest.fixture
def storeless(clock: Clock, settings: WesSettings) -> Task:
    return Task(clock, settings, None)


def count(emulator: Emulator, coupon_list_id: str = "list") -> int:
    return len(emulator.files(coupon_list_id))


def lose_the_answer(hook: WesHook) -> None:
    """Die after the service has answered, and before anything is made of it."""
    upload = hook.upload_coupon_file

    def killed(*args: Any, **kwargs: Any) -> Any:
        upload(*args, **kwargs)
        raise Killed

    hook.upload_coupon_file = killed  # type: ignore[method-assign]


def killed_after_its_upload(task: Task, **upload: Any) -> None:
    """One attempt whose request took effect, and of which nothing else is left."""
    task.spoil = lose_the_answer
    with pytest.raises(Killed):
        task.upload(**upload)
    task.spoil = lambda hook: None


def killed_before_its_request(task: Task, **upload: Any) -> None:
    """One attempt that has recorded what it is about to do, if there is a store, and sent nothing."""

    def killed(*args: Any, **kwargs: Any) -> Any:
        raise Killed

    def spoil(hook: WesHook) -> None:
        hook.upload_coupon_file = killed  # type: ignore[method-assign]

    task.spoil = spoil
    with pytest.raises(Killed):
        task.upload(**upload)
    task.spoil = lambda hook: None


# -- one attempt -----------------------------------------------------------------------------------


def test_a_first_attempt_uploads_and_asks_nothing_else(emulator: Emulator, task: Task):
    uploaded = task.upload()
    assert not uploaded.adopted
    assert task.known == [uploaded.file]
    assert [file["_id"] for file in emulator.files("list")] == [uploaded.file.id]
    assert emulator.counts == {UPLOAD: 1, "connections": 1}
    assert task.clock.slept == 0


WITH_EFFECT = {
    "reply_lost": faults.reply_lost(),
    "reset": faults.reset(effect=True),
    "500": faults.error(500, effect=True),
    "502": faults.error(502, effect=True),
    "503": faults.error(503, effect=True),
    "504": faults.error(504, effect=True),
    "truncated": faults.truncated(),
    "garbage": faults.garbage(),
    "empty": faults.empty(),
    "html": faults.wrong_content_type(),
    "no_id": faults.garbage(b'{"name": "x"}'),
    "huge": faults.huge(),
}
WITHOUT_EFFECT = {
    "reply_lost": faults.reply_lost(effect=False),
    "reset": faults.reset(),
    "500": faults.error(500),
    "503": faults.error(503),
}


@pytest.mark.parametrize("name", [{}, {"name": "coupons.csv"}], ids=["own_name", "users_name"])
@pytest.mark.parametrize("lag", [0, 20], ids=["at_once", "listed_late"])
@pytest.mark.parametrize("fault", WITH_EFFECT.values(), ids=WITH_EFFECT)
def test_an_upload_whose_answer_is_lost_is_found_and_not_repeated(
    emulator: Emulator, task: Task, fault: faults.Fault, lag: float, name: dict[str, str]
):
    emulator.configure(list_lag=lag)
    emulator.fail(UPLOAD, fault)
    uploaded = task.upload(**name)
    assert [file["_id"] for file in emulator.files("list")] == [uploaded.file.id]
    assert emulator.counts[UPLOAD] == 1
    assert task.known == [uploaded.file]


@pytest.mark.parametrize("name", [{}, {"name": "coupons.csv"}], ids=["own_name", "users_name"])
@pytest.mark.parametrize("fault", WITHOUT_EFFECT.values(), ids=WITHOUT_EFFECT)
def test_an_upload_that_took_no_effect_is_repeated_after_the_list_had_its_time(
    emulator: Emulator, task: Task, fault: faults.Fault, name: dict[str, str]
):
    emulator.fail(UPLOAD, fault)
    uploaded = task.upload(**name)
    assert [file["_id"] for file in emulator.files("list")] == [uploaded.file.id]
    assert emulator.counts[UPLOAD] == 2
    assert task.clock.slept == pytest.approx(30)


@pytest.mark.parametrize(
    "fault", [faults.empty(effect=False), faults.truncated(effect=False)], ids=["empty", "truncated"]
)
def test_a_success_that_the_list_does_not_show_is_not_settled(emulator: Emulator, task: Task, fault: faults.Fault):
    """Where the service says yes, and its list says no, a second upload would be a guess."""
    emulator.fail(UPLOAD, fault)
    with pytest.raises(
        WesUnknownOutcomeError, match=r"the service accepted it \(201\), but the list does not show it"
    ) as caught:
        task.upload()
    assert caught.value.permanent
    assert emulator.counts[UPLOAD] == 1


def test_attempts_without_effect_end_and_airflow_may_retry(emulator: Emulator, task: Task):
    emulator.fail(UPLOAD, faults.error(503), times=3)
    with pytest.raises(WesConnectionError, match="3 attempts") as caught:
        task.upload()
    assert not caught.value.permanent
    task.retry()
    task.upload()
    assert count(emulator) == 1


@pytest.mark.parametrize(
    ("status", "permanent"),
    [(400, True), (401, True), (403, True), (404, True), (409, True), (429, False)],
)
def test_a_refused_upload_leaves_nothing_behind(emulator: Emulator, stored: Task, status: int, permanent: bool):
    emulator.fail(UPLOAD, faults.error(status), times=None)
    with pytest.raises(WesResponseError) as caught:
        stored.upload()
    assert caught.value.permanent is permanent
    assert stored.store is not None
    (record,) = stored.store.values.values()
    assert json.loads(record)["refused"]
    emulator.clear_faults()
    stored.retry()
    assert not stored.upload().adopted
    assert LISTING not in emulator.counts or status == 429
    assert count(emulator) == 1


def test_a_rate_limit_with_a_far_reset_is_not_slept_through(emulator: Emulator, task: Task):
    emulator.fail(UPLOAD, faults.rate_limited(reset_in=3600, headers=[("x-ratelimit-limit", "50")]), times=None)
    with pytest.raises(WesRateLimitError) as caught:
        task.upload()
    assert caught.value.reset_at is not None
    assert emulator.counts[UPLOAD] == 1


@pytest.mark.parametrize("status", [403, 404, 405])
def test_a_list_that_cannot_be_had_leaves_the_outcome_unknown(emulator: Emulator, task: Task, status: int):
    emulator.fail(UPLOAD, faults.reply_lost())
    emulator.fail(LISTING, faults.error(status), times=None)
    with pytest.raises(WesUnknownOutcomeError, match="Reason: the list cannot be read") as caught:
        task.upload()
    assert caught.value.permanent
    message = str(caught.value)
    assert emulator.files("list")[0]["name"] in message
    assert "mark the task as success" in message
    assert re.search(
        r"\nIf it is not, put [0-9a-f]{16}-try1 into the Variable wes_upload_again and clear the task\.\n", message
    )
    assert count(emulator) == 1


def test_the_way_out_of_an_unknown_outcome_uploads_anew(emulator: Emulator, task: Task):
    emulator.fail(UPLOAD, faults.reply_lost(effect=False))
    emulator.fail(LISTING, faults.error(404), times=None)
    with pytest.raises(WesUnknownOutcomeError):
        task.upload(name="coupons.csv")
    emulator.clear_faults()
    task.clear()
    task.upload("upload", name="coupons.csv")
    assert count(emulator) == 1


def ask(task: Task, message: str) -> None:
    """Put what a message names into the Variable, and clear the task."""
    (key,) = re.findall(r"put (\S+) into the Variable", message)
    task.context["var"] = {"value": {"wes_upload_again": f"another-try1\n{key}"}}
    task.clear()


@pytest.mark.parametrize("fields", [{}, {"name": "coupons.csv"}], ids=["own name", "user's name"])
@pytest.mark.parametrize("record", ["kept", "wiped"])
def test_a_variable_has_one_clear_upload_again(emulator: Emulator, task: Task, fields: dict[str, str], record: str):
    emulator.fail(UPLOAD, faults.reply_lost(effect=False))
    emulator.fail(LISTING, faults.error(404), times=None)
    with pytest.raises(WesUnknownOutcomeError) as caught:
        task.upload(**fields)
    emulator.clear_faults()
    ask(task, str(caught.value))
    if record == "wiped" and task.store is not None:
        task.store.values.clear()
    first = task.upload(**fields)
    for again in (task.retry, task.clear):
        again()
        if task.store is None and fields:  # then nobody can tell which run's file it is
            with pytest.raises(WesUnknownOutcomeError):
                task.upload(**fields)
        else:
            assert task.upload(**fields).file.id == first.file.id
    assert count(emulator) == 1


@pytest.mark.parametrize("record", ["kept", "wiped"])
@pytest.mark.parametrize("on_duplicate", ["adopt", "fail"])
def test_a_variable_has_a_file_that_is_there_uploaded_again_once(
    emulator: Emulator, task: Task, on_duplicate: str, record: str, caplog: pytest.LogCaptureFixture
):
    task.upload()
    task.clear()
    if on_duplicate == "fail":
        with pytest.raises(WesDuplicateError) as caught:
            task.upload("fail")
        message = str(caught.value)
    else:
        caplog.set_level(logging.INFO, logger="wes_provider.uploads.uploader")
        task.upload()
        message = caplog.messages[-1]
    ask(task, message)
    if record == "wiped" and task.store is not None:
        task.store.values.clear()
    again = task.upload(on_duplicate)
    assert count(emulator) == 2
    task.clear()
    assert task.upload().file.id == again.file.id
    assert count(emulator) == 2


def test_a_variable_is_about_one_upload_of_a_task(emulator: Emulator, task: Task):
    for part in ("a", "b"):
        task.upload(part=part)
    task.clear()
    with pytest.raises(WesDuplicateError) as caught:
        task.upload("fail", part="a")
    ask(task, str(caught.value))
    for part in ("a", "b"):
        task.upload(part=part)
    assert count(emulator) == 3


def test_a_variable_may_have_many_keys_of_which_a_message_names_ten():
    ti = SimpleNamespace(dag_id="shop", task_id="replenish", run_id="nightly", map_index=-1, try_number=2, max_tries=3)
    context = {"ti": ti, "task": SimpleNamespace(retries=3)}
    text = advice(context, "adopt", [str(number) for number in range(12)])
    keys = re.fullmatch(r"put (\S+) into the Variable wes_upload_again and clear the task", text)
    assert keys is not None
    identity = TaskIdentity.of(context)
    assert keys[1].split(",") == [f"{identity.hash(str(number))}-try2" for number in range(10)]
    assert advice(context, "upload", ["0"]) == "clear the task"


def test_a_variable_that_cannot_be_read_uploads_nothing_again(
    emulator: Emulator, task: Task, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
):
    task.upload()
    task.clear()
    variables = mocker.Mock(**{"get.side_effect": ConnectionError("backend")})
    task.context["var"] = {"value": variables}
    task.upload()
    assert count(emulator) == 1
    assert "Variable wes_upload_again cannot be read: ConnectionError" in caplog.text


def test_a_list_that_fails_for_a_while_is_asked_again(emulator: Emulator, task: Task):
    emulator.fail(UPLOAD, faults.reply_lost())
    emulator.fail(LISTING, faults.error(503), times=5)  # more than the client's own attempts
    task.upload()
    assert count(emulator) == 1


@pytest.mark.parametrize(
    "fault", [faults.error(503), faults.reply_lost(), faults.garbage()], ids=["503", "lost", "garbage"]
)
def test_a_list_that_goes_on_failing_leaves_the_rest_to_airflows_retry(
    emulator: Emulator, task: Task, fault: faults.Fault
):
    emulator.fail(UPLOAD, faults.reply_lost())
    emulator.fail(LISTING, fault, times=None)
    with pytest.raises(WesUnknownOutcomeError, match="cannot be read") as caught:
        task.upload()
    assert not caught.value.permanent
    emulator.clear_faults()
    task.retry()
    assert task.upload().adopted
    assert count(emulator) == 1


def test_a_record_of_its_name_without_an_id_is_no_proof_of_absence(emulator: Emulator, task: Task):
    killed_after_its_upload(task)
    task.retry()
    (file,) = emulator.files("list")
    listing = [{"id": file["_id"], "name": file["name"]}]
    emulator.fail(LISTING, faults.garbage(json.dumps(listing).encode()), times=None)
    with pytest.raises(WesUnknownOutcomeError, match="the list cannot be read"):
        task.upload()
    assert count(emulator) == 1


# -- further attempts ------------------------------------------------------------------------------


@pytest.mark.parametrize("lag", [0, 20], ids=["at_once", "listed_late"])
def test_a_retry_after_a_kill_adopts_the_upload(emulator: Emulator, task: Task, lag: float):
    emulator.configure(list_lag=lag, fetch_lag=lag)
    killed_after_its_upload(task)
    task.retry()
    uploaded = task.upload()
    assert uploaded.adopted
    assert [file["_id"] for file in emulator.files("list")] == [uploaded.file.id]
    assert task.known[0].id == uploaded.file.id


def test_a_killed_upload_is_found_however_long_its_intent_was_stored(emulator: Emulator, task: Task):
    """A rate limit may have held the request back for long: the list gets its time from the retry on."""
    emulator.configure(list_lag=20)
    emulator.fail(UPLOAD, faults.rate_limited(reset_in=50))
    killed_after_its_upload(task)
    task.retry()
    assert task.upload().adopted
    assert count(emulator) == 1


def test_a_retry_after_a_kill_before_the_request_uploads(emulator: Emulator, task: Task):
    killed_before_its_request(task)
    task.retry()
    assert not task.upload().adopted
    assert count(emulator) == 1


def test_a_retry_takes_the_stored_id_without_a_look_at_the_list(emulator: Emulator, stored: Task):
    first = stored.upload()
    stored.retry()
    assert stored.upload().file.id == first.file.id
    assert LISTING not in emulator.counts


def test_many_files_of_one_task_wait_for_a_lagging_list_once(emulator: Emulator, storeless: Task):
    storeless.retry()
    requests = [UploadRequest.of("list", {"file_url": URL}, part=part) for part in "abc"]
    uploader = storeless.uploader(requests)
    for request in requests:
        uploader.upload(request)
    assert count(emulator) == 3
    assert storeless.clock.slept == pytest.approx(30)


def test_many_named_files_of_one_task_try_once_to_read_a_list_that_refuses_it(emulator: Emulator, task: Task):
    emulator.fail(LISTING, faults.error(403), times=None)
    requests = [UploadRequest.of("list", {"file_url": URL, "name": part}, part=part) for part in "abc"]
    uploader = task.uploader(requests)
    for request in requests:
        uploader.upload(request)
    assert count(emulator) == 3
    assert emulator.counts[LISTING] == 1


def test_a_refusal_after_a_doubt_keeps_the_intent(emulator: Emulator, stored: Task):
    """What an earlier request may yet do is looked for by the next attempt."""
    emulator.configure(list_lag=35)
    emulator.fail(UPLOAD, faults.reply_lost())
    emulator.fail(UPLOAD, faults.error(403))
    with pytest.raises(WesResponseError):
        stored.upload(name="coupons.csv")
    stored.retry()
    assert stored.upload(name="coupons.csv").adopted
    assert count(emulator) == 1


def test_a_rate_limit_after_a_doubt_keeps_the_intent(emulator: Emulator, stored: Task):
    emulator.configure(list_lag=40)
    emulator.fail(UPLOAD, faults.reply_lost())
    emulator.fail(UPLOAD, faults.rate_limited(reset_in=3600, headers=[("x-ratelimit-limit", "50")]))
    with pytest.raises(WesRateLimitError):
        stored.upload()
    emulator.configure(list_lag=0)
    stored.retry()
    assert stored.upload().adopted
    assert count(emulator) == 1


def test_what_turns_up_of_an_earlier_request_counts_as_new(emulator: Emulator, stored: Task):
    emulator.configure(list_lag=40)
    killed_after_its_upload(stored, name="coupons.csv")
    stored.retry()
    emulator.fail(UPLOAD, faults.reply_lost(effect=False))
    stored.upload(name="coupons.csv")
    assert count(emulator) == 1


def test_without_a_store_a_named_file_of_before_a_clear_is_not_taken_for_one_since(emulator: Emulator, storeless: Task):
    name = "scheduled__2026-01-01T00:00:00+00:00.csv"
    storeless.upload("upload", name=name)
    storeless.clear()
    killed_before_its_request(storeless, on_duplicate="upload", name=name)
    storeless.retry()
    with pytest.raises(WesUnknownOutcomeError):
        storeless.upload("upload", name=name)
    assert count(emulator) == 1


def test_a_name_and_url_that_render_anew_hide_no_stored_upload(emulator: Emulator, stored: Task):
    killed_after_its_upload(stored, name="coupons-1.csv")
    stored.retry()
    assert stored.upload(name="coupons-2.csv", file_url=URL + "?signed=anew").adopted
    assert count(emulator) == 1


def test_another_list_is_another_upload(emulator: Emulator, task: Task):
    task.upload()
    task.clear()
    assert not task.upload(coupon_list_id="other").adopted
    assert count(emulator, "other") == 1


def test_another_url_after_a_clear_is_not_taken_for_the_same_file(emulator: Emulator, task: Task):
    task.upload()
    task.clear()
    with pytest.raises(WesDuplicateError, match=r"\nURL: https://files.example.com/coupons.csv\nThe task now uploads"):
        task.upload(file_url="https://files.example.com/other.csv")
    task.clear()
    task.upload("upload", file_url="https://files.example.com/other.csv")
    assert count(emulator) == 2


def test_another_url_in_a_retry_is_the_same_upload(emulator: Emulator, task: Task):
    """A path that is signed again for each attempt must not upload twice."""
    first = task.upload()
    task.retry()
    assert task.upload(file_url="https://files.example.com/token-2/coupons.csv").file.id == first.file.id


def test_tasks_runs_and_indexes_never_adopt_each_others_files(emulator: Emulator, task: Task):
    for map_index in (None, 0, 1):
        task.map_index = map_index
        if task.store is not None:
            task.store = Store()  # each task instance has its own
        task.retry()
        assert not task.upload().adopted
    assert count(emulator) == 3


# -- on_duplicate ----------------------------------------------------------------------------------


def test_adopt_takes_the_file_after_retries_and_clears(emulator: Emulator, task: Task):
    first = task.upload()
    for again in (task.retry, task.clear, task.clear, task.retry):
        again()
        uploaded = task.upload()
        assert (uploaded.adopted, uploaded.file.id) == (True, first.file.id)
    assert count(emulator) == 1


def test_a_processed_file_of_before_a_clear_is_adopted_without_waiting_for_another(emulator: Emulator, storeless: Task):
    storeless.upload()
    storeless.clear()
    assert storeless.upload().adopted
    assert storeless.clock.slept == 0


def test_upload_uploads_anew_after_a_clear_and_never_after_a_retry(emulator: Emulator, task: Task):
    ids = [task.upload("upload").file.id]
    task.retry()
    assert task.upload("upload").file.id == ids[0]
    task.clear()
    ids.append(task.upload("upload").file.id)
    task.retry()
    assert task.upload("upload").file.id == ids[1]
    task.clear()
    killed_after_its_upload(task, on_duplicate="upload")
    task.retry()
    ids.append(task.upload("upload").file.id)
    assert [file["_id"] for file in emulator.files("list")] == ids


def test_a_clear_after_retries_were_lowered_is_told_by_the_number_of_clears(emulator: Emulator, stored: Task):
    stored.upload("upload")
    stored.retries -= 1
    stored.clear()
    assert stored.max_tries == 3
    assert not stored.upload("upload").adopted
    assert count(emulator) == 2


def test_adopt_takes_the_newest_generation(emulator: Emulator, task: Task):
    task.upload("upload")
    task.clear()
    newest = task.upload("upload")
    task.clear()
    assert task.upload("adopt").file.id == newest.file.id


@pytest.mark.parametrize("again", ["retry", "clear"])
def test_fail_fails_where_there_is_a_file(emulator: Emulator, task: Task, again: str):
    first = task.upload("fail")
    task.known.clear()
    getattr(task, again)()
    with pytest.raises(WesDuplicateError, match=f"Coupon file: {first.file.id}") as caught:
        task.upload("fail")
    assert re.match(r".*\n.*mark the task as success\.\nTo upload it again, put ", str(caught.value))
    assert caught.value.permanent
    assert [file.id for file in task.known] == [first.file.id]
    assert count(emulator) == 1


@pytest.mark.parametrize("on_duplicate", ["adopt", "upload", "fail"])
def test_the_first_line_says_what_is_done_and_how_to_get_the_other(
    emulator: Emulator, task: Task, on_duplicate: str, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO, logger="wes_provider.uploads.uploader")
    task.upload()
    assert "this is the first attempt" in caplog.messages[0]
    if on_duplicate == "fail":
        return
    caplog.clear()
    task.clear()
    task.upload(on_duplicate)
    line = next(message for message in caplog.messages if "Not in the list yet" not in message)
    if on_duplicate == "adopt":
        assert line.startswith("Adopting coupon file (coupons.csv, ")
        assert "-try2 into the Variable wes_upload_again and clear the task.\n" in line
    else:
        assert line.startswith("Uploading ")
        assert "on_duplicate='adopt' takes an earlier file" in line


def test_a_file_that_failed_processing_is_never_adopted(emulator: Emulator, task: Task):
    emulator.script(outcome="failure", processing_time=0)
    task.upload()
    task.retry()
    assert task.upload().file.status == "FAILED"
    emulator.script(statuses=[("SUCCESS", None)])
    task.clear()
    assert not task.upload().adopted
    assert count(emulator) == 2


def test_a_failed_file_is_recognised_by_its_list_where_it_cannot_be_fetched(emulator: Emulator, task: Task):
    emulator.script(outcome="failure", processing_time=0)
    task.upload()
    task.retry()
    emulator.fail(FETCH, faults.error(404), times=None)
    assert task.upload().file.status == "FAILED"


@pytest.mark.parametrize("fault", [faults.error(404), faults.garbage(b"{}")], ids=["404", "another_shape"])
def test_an_accepted_file_is_adopted_where_no_path_leads_to_it(emulator: Emulator, stored: Task, fault: faults.Fault):
    first = stored.upload()
    stored.retry()
    emulator.fail("*", fault, times=None)
    assert stored.upload().file == first.file


def test_a_file_that_is_gone_is_no_success(emulator: Emulator, stored: Task):
    stored.upload()
    emulator.reset()
    stored.clear()
    with pytest.raises(WesNotFoundError, match=r"No longer in its list \(coupons.csv of list list\)"):
        stored.upload()


# -- names of the user's ---------------------------------------------------------------------------


def test_files_that_had_the_name_before_are_not_taken_for_the_upload(emulator: Emulator, stored: Task):
    other = Task(stored.clock, stored.settings, Store())
    yesterday = other.upload(name="coupons.csv")
    killed_after_its_upload(stored, name="coupons.csv")
    stored.retry()
    uploaded = stored.upload(name="coupons.csv")
    assert uploaded.adopted
    assert uploaded.file.id != yesterday.file.id
    assert count(emulator) == 2


def test_yesterdays_file_is_no_proof_of_todays_upload(emulator: Emulator, stored: Task):
    Task(stored.clock, stored.settings, Store()).upload(name="coupons.csv")
    emulator.fail(UPLOAD, faults.reply_lost(effect=False))
    assert not stored.upload(name="coupons.csv").adopted
    assert count(emulator) == 2


def test_without_a_store_a_common_name_cannot_be_settled(emulator: Emulator, storeless: Task):
    killed_after_its_upload(storeless, name="coupons.csv")
    storeless.retry()
    with pytest.raises(WesUnknownOutcomeError, match=r"other runs or attempts.*a name with {{ run_id }} in it"):
        storeless.upload(name="coupons.csv")
    assert count(emulator) == 1


def test_without_a_store_a_name_with_the_runs_identity_is_adopted(emulator: Emulator, storeless: Task):
    storeless.context = {"ts_nodash": "20260101T000000"}
    for name in ("coupons-20260101T000000.csv", "scheduled__2026-01-01T00:00:00+00:00"):
        killed_after_its_upload(storeless, name=name, coupon_list_id=name)
        storeless.retry()
        assert storeless.upload(name=name, coupon_list_id=name).adopted
        assert count(emulator, name) == 1
        storeless.try_number = 1


def test_without_a_store_generations_of_one_name_cannot_be_told_apart(emulator: Emulator, storeless: Task):
    name = "scheduled__2026-01-01T00:00:00+00:00"
    storeless.upload("upload", name=name)
    storeless.clear()
    storeless.upload("upload", name=name)
    storeless.retry()
    with pytest.raises(WesUnknownOutcomeError, match="files of other runs or attempts"):
        storeless.upload("upload", name=name)
    assert count(emulator) == 2


def test_a_list_that_cannot_be_read_before_the_upload_settles_nothing_after_it(emulator: Emulator, task: Task):
    Task(task.clock, task.settings, Store()).upload(name="coupons.csv")
    emulator.fail(LISTING, faults.error(403))
    emulator.fail(UPLOAD, faults.reply_lost(effect=False))
    with pytest.raises(WesUnknownOutcomeError, match="of other runs or attempts may have"):
        task.upload(name="coupons.csv")
    assert count(emulator) == 1


# -- what others cause -----------------------------------------------------------------------------

BLOCKED = b"<html><body>Blocked by the virus scanner.</body></html>"


@pytest.mark.parametrize("name", [{}, {"name": "coupons.csv"}], ids=["own_name", "users_name"])
@pytest.mark.parametrize("again", ["retry", "clear"])
def test_a_refusal_without_the_services_error_code_may_be_a_gateways(
    emulator: Emulator, stored: Task, again: str, name: dict[str, str]
):
    """A gateway may pass the upload on and block the response."""
    emulator.fail(UPLOAD, faults.error(403, body=BLOCKED, effect=True))
    with pytest.raises(WesResponseError):
        stored.upload(**name)
    getattr(stored, again)()
    assert stored.upload(**name).adopted
    assert count(emulator) == 1


@pytest.mark.parametrize("name", [{}, {"name": "coupons.csv"}], ids=["own_name", "users_name"])
def test_a_response_to_another_request_is_no_success(emulator: Emulator, task: Task, name: dict[str, str]):
    crossed = {"_id": "zzz", "name": "others.csv", "file_url": "https://x.example/others.csv", "status": "PENDING"}
    emulator.fail(UPLOAD, faults.garbage(json.dumps(crossed).encode(), effect=False))
    with pytest.raises(WesUnknownOutcomeError, match=r"accepted it \(201\), but the list does not show it"):
        task.upload(**name)
    emulator.fail(UPLOAD, faults.garbage(json.dumps(crossed).encode()))
    uploaded = task.upload(coupon_list_id="other", **name)
    assert [file["_id"] for file in emulator.files("other")] == [uploaded.file.id]


def test_a_service_that_changes_name_and_url_is_believed_if_its_list_shows_the_file(emulator: Emulator, task: Task):
    changed = {"_id": "5f", "name": "1.dat", "file_url": "https://store.example/1.dat", "status": "PENDING"}
    emulator.fail(UPLOAD, faults.garbage(json.dumps(changed).encode()))
    emulator.fail(LISTING, faults.garbage(json.dumps([changed]).encode()), times=None)
    assert task.upload().file.id == "5f"
    assert emulator.counts[UPLOAD] == 1


def test_a_shorter_name_of_another_task_is_not_taken_for_this_one_cut(emulator: Emulator, task: Task):
    other = Task(task.clock, task.settings, Store())
    killed_before_its_request(task, name="scheduled__2026-01-01T00:00:00+00:00-10")
    other.upload(name="scheduled__2026-01-01T00:00:00+00:00-1")
    task.retry()
    with pytest.raises(WesUnknownOutcomeError, match="may be it"):
        task.upload(name="scheduled__2026-01-01T00:00:00+00:00-10")
    assert count(emulator) == 1


def test_a_run_id_does_not_tell_the_mapped_instances_of_a_task_apart(emulator: Emulator, storeless: Task):
    name = "scheduled__2026-01-01T00:00:00+00:00.csv"
    Task(storeless.clock, storeless.settings, None, map_index=0).upload(name=name)
    storeless.map_index = 1
    storeless.retry()
    with pytest.raises(WesUnknownOutcomeError, match="other runs or attempts"):
        storeless.upload(name=name)
    assert count(emulator) == 1


def test_another_url_after_a_clear_is_told_by_the_name_if_the_list_shows_no_urls(emulator: Emulator, storeless: Task):
    emulator.configure(list_hides=["file_url"])
    storeless.upload()
    storeless.clear()
    with pytest.raises(WesDuplicateError, match=r"The task now uploads https://files.example.com/other.csv"):
        storeless.upload(file_url="https://files.example.com/other.csv")
    assert storeless.upload().adopted
    assert count(emulator) == 1


@pytest.mark.parametrize(
    "another", [{"file_url": URL + "?part=2"}, {"name": "second.csv"}], ids=["another query", "another name"]
)
def test_a_second_upload_in_an_attempt_is_an_error_even_if_only_query_or_name_differ(
    emulator: Emulator, task: Task, another: dict[str, str]
):
    shared: dict[str, Any] = {}
    task.context = {"_wes_uploads": shared}
    task.upload(file_url=URL + "?part=1")
    with pytest.raises(WesDuplicateError, match=r"Not sent: .* with another name or query"):
        task.upload(**{"file_url": URL + "?part=1", **another})
    assert "part" not in str(shared)
    assert count(emulator) == 1


def test_a_list_that_a_gateway_kept_is_no_proof_of_absence(emulator: Emulator, task: Task):
    emulator.fail(UPLOAD, faults.reply_lost())
    kept = faults.raw(b"HTTP/1.1 200 OK\r\nAge: 600\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]")
    emulator.fail(LISTING, kept, times=None)
    with pytest.raises(WesUnknownOutcomeError, match="it has warning"):
        task.upload()
    assert emulator.requests[-1].headers["Cache-Control"] == "no-cache"
    assert count(emulator) == 1


# -- repair by clearing, whatever on_duplicate is ---------------------------------------------------


@pytest.mark.parametrize("on_duplicate", ["adopt", "fail"])
def test_a_file_that_failed_is_uploaded_again_after_a_clear_and_only_then(
    emulator: Emulator, task: Task, on_duplicate: str, caplog: pytest.LogCaptureFixture
):
    emulator.script(outcome="failure", processing_time=0)
    first = task.upload(on_duplicate)
    emulator.script(statuses=[("SUCCESS", None)])
    caplog.clear()
    task.clear()
    again = task.upload(on_duplicate)
    assert not again.adopted
    (line,) = [message for message in caplog.messages if message.startswith("Uploading ")]
    assert f"\nWhy: coupon file {first.file.id}, uploaded before the clear, failed processing\n" in line
    task.clear()
    if on_duplicate == "fail":
        with pytest.raises(WesDuplicateError, match=r"on_duplicate is 'fail'; its status: SUCCESS\n"):
            task.upload("fail")
    else:
        assert task.upload().file.id == again.file.id
    assert count(emulator) == 2


def test_fail_uploads_nothing_again_if_it_is_not_known_that_the_file_failed(emulator: Emulator, task: Task):
    emulator.script(outcome="failure", processing_time=0)
    task.upload("fail")
    emulator.fail(FETCH, faults.error(503), times=None)
    task.clear()
    with pytest.raises(WesDuplicateError, match="its status: not read"):
        task.upload("fail")
    assert count(emulator) == 1


@pytest.mark.parametrize("on_duplicate", ["adopt", "fail"])
def test_another_file_is_uploaded_after_a_clear_in_place_of_one_that_failed(
    emulator: Emulator, task: Task, on_duplicate: str
):
    emulator.script(outcome="failure", processing_time=0)
    task.upload(on_duplicate)
    emulator.script(statuses=[("SUCCESS", None)])
    task.clear()
    assert not task.upload(on_duplicate, file_url="https://files.example.com/fixed.csv").adopted
    task.clear()
    with pytest.raises(WesDuplicateError):
        task.upload(on_duplicate)
    assert [file["file_url"][-9:] for file in emulator.files("list")] == ["upons.csv", "fixed.csv"]


@pytest.mark.parametrize("on_duplicate", ["adopt", "fail"])
def test_what_replaced_a_failed_file_is_not_uploaded_again_although_the_list_shows_it_late(
    emulator: Emulator, storeless: Task, on_duplicate: str
):
    emulator.script(outcome="failure", processing_time=0)
    storeless.upload(on_duplicate)
    emulator.configure(list_lag=20)
    emulator.clock.advance(60)
    emulator.script(statuses=[("SUCCESS", None)])
    storeless.clear()
    again = storeless.upload(on_duplicate)
    storeless.clear()
    if on_duplicate == "fail":
        with pytest.raises(WesDuplicateError, match=f"Coupon file: {again.file.id}"):
            storeless.upload("fail")
    else:
        assert storeless.upload().file.id == again.file.id
    assert count(emulator) == 2


def test_a_lost_reply_after_a_failed_file_is_found_although_the_list_shows_it_late(emulator: Emulator, storeless: Task):
    emulator.script(outcome="failure", processing_time=0)
    storeless.upload()
    emulator.configure(list_lag=20)
    emulator.clock.advance(60)
    storeless.clear()
    killed_after_its_upload(storeless)
    storeless.retry()
    assert storeless.upload().adopted
    assert count(emulator) == 2


def test_without_a_store_a_failed_file_with_a_name_of_the_user_is_uploaded_again_after_a_clear(
    emulator: Emulator, storeless: Task
):
    name = "scheduled__2026-01-01T00:00:00+00:00"
    emulator.script(outcome="failure", processing_time=0)
    storeless.upload(name=name)
    storeless.retry()
    assert storeless.upload(name=name).adopted
    storeless.clear()
    assert not storeless.upload(name=name).adopted
    storeless.retry()
    with pytest.raises(WesUnknownOutcomeError, match="files of other runs or attempts"):
        storeless.upload(name=name)
    assert count(emulator) == 2


@pytest.mark.parametrize("other", ["never uploaded", "uploaded since", "not read"])
def test_fail_uploads_nothing_again_for_another_file_that_did_not_fail(emulator: Emulator, task: Task, other: str):
    requests = [UploadRequest.of("list", {"file_url": f"{URL}.{part}"}, part=part) for part in ("a", "b")]
    emulator.script(url=f"{URL}.b", outcome="failure", processing_time=0)
    task.uploader(requests, "fail").upload(requests[0])
    if other == "not read":
        task.uploader(requests, "fail").upload(requests[1])
    task.clear()
    if other == "uploaded since":
        task.uploader(requests, "fail").upload(requests[1])
        task.retry()
    if other == "not read":
        emulator.fail(FETCH, faults.error(503), times=None)
    before = count(emulator)
    with pytest.raises(WesDuplicateError, match="on_duplicate is 'fail'; its status: "):
        task.uploader(requests, "fail").upload(requests[0])
    assert count(emulator) == before


def test_fail_uploads_nothing_again_in_a_retry(emulator: Emulator, task: Task):
    emulator.script(outcome="failure", processing_time=0)
    task.upload("fail")
    task.retry()
    with pytest.raises(WesDuplicateError):
        task.upload("fail")
    assert count(emulator) == 1


@pytest.mark.parametrize("on_duplicate", ["adopt", "fail"])
def test_the_log_names_the_variable_that_has_a_file_uploaded_again(
    emulator: Emulator, task: Task, on_duplicate: str, caplog: pytest.LogCaptureFixture
):
    task.upload()
    task.clear()
    with pytest.raises(WesDuplicateError) as caught:
        task.upload("fail")
    ask(task, str(caught.value))
    caplog.clear()
    task.upload(on_duplicate)
    (line,) = [message for message in caplog.messages if message.startswith("Uploading ")]
    assert "\nWhy: the Variable wes_upload_again has its key\n" in line
    assert "on_duplicate" not in line


def test_a_list_that_lags_is_read_again_with_a_line_that_says_of_what_and_why(
    emulator: Emulator, task: Task, caplog: pytest.LogCaptureFixture
):
    task.retry()
    task.upload()
    assert emulator.counts[LISTING] == 8  # in pauses that grow by a half each time
    (line,) = [message for message in caplog.messages if "reading it again" in message]
    first, why = line.split("\n")
    assert re.fullmatch(r"Not in the list yet, reading it again for \d+ s \(coupons.csv of list list\)", first)
    assert why == "Why: an earlier attempt may have uploaded it"


# -- a file whose URL is made when it is sent -------------------------------------------------------


@dataclass
class Signed:
    """A file in a bucket."""

    key: str = "coupons.csv 0123abcd"
    label: str = "s3://bucket/coupons.csv"
    told: list[str] = field(default_factory=list)

    def url(self) -> str:
        self.told.append("url")
        return f"{URL}?sig={len(self.told)}"

    def uploaded(self, coupon_file_id: str) -> None:
        self.told.append(f"uploaded {coupon_file_id}")

    def refused(self) -> None:
        self.told.append("refused")

    def upload(self, task: Task, **fields: str) -> Uploaded:
        request = UploadRequest.of("list", fields, source=self)
        return task.uploader([request]).upload(request)


def test_a_url_is_made_for_each_request_and_its_source_learns_of_the_end(emulator: Emulator, task: Task):
    source = Signed()
    emulator.fail(UPLOAD, faults.reply_lost(effect=False))
    uploaded = source.upload(task)
    assert [file["file_url"] for file in emulator.files("list")] == [f"{URL}?sig=2"]
    assert source.told == ["url", "url", f"uploaded {uploaded.file.id}"]
    if task.store is not None:
        assert [json.loads(record)["url"] for record in task.store.values.values()] == [URL]
    task.retry()
    assert source.upload(task).adopted
    assert source.told[3:] == [f"uploaded {uploaded.file.id}"]
    assert count(emulator) == 1


def test_a_source_learns_of_a_refusal_unless_an_earlier_request_may_have_taken_effect(emulator: Emulator, task: Task):
    source = Signed()
    emulator.fail(UPLOAD, faults.error(400), times=None)
    with pytest.raises(WesResponseError, match=r"\nURL: s3://bucket/coupons.csv"):
        source.upload(task)
    assert source.told == ["url", "refused"]
    emulator.clear_faults()
    emulator.fail(UPLOAD, faults.reply_lost(effect=False))
    emulator.fail(UPLOAD, faults.error(400))
    with pytest.raises(WesResponseError):
        source.upload(task)
    assert source.told[2:] == ["url", "url"]


def test_without_a_store_a_source_that_has_no_url_yet_is_adopted_by_its_name(emulator: Emulator, storeless: Task):
    name = "scheduled__2026-01-01T00:00:00+00:00.csv"
    first = Signed().upload(storeless, name=name)
    storeless.retry()
    assert Signed().upload(storeless, name=name).file.id == first.file.id
    assert count(emulator) == 1


def test_without_a_store_any_file_with_another_name_may_be_a_sources(emulator: Emulator, storeless: Task):
    emulator.seed_files("list", 1, name="coupons-of-another-task.csv")
    storeless.retry()
    with pytest.raises(WesUnknownOutcomeError, match="if the service gives files other names, these may be it"):
        Signed().upload(storeless)
    assert not storeless.upload().adopted  # of a URL that no file has


def test_content_that_was_overwritten_is_not_taken_for_what_was_uploaded(emulator: Emulator, stored: Task):
    Signed().upload(stored)
    stored.retry()
    with pytest.raises(WesDuplicateError, match=r"It was overwritten since, so its content differs") as caught:
        Signed(key="coupons.csv 4567cdef").upload(stored)
    assert "To upload the new content, put " in str(caught.value)
    with pytest.raises(WesDuplicateError, match=r"The task now uploads s3://bucket/other.csv") as caught:
        Signed("other.csv 0123abcd", "s3://bucket/other.csv").upload(stored)
    assert "To upload the other one, put " in str(caught.value)
    assert count(emulator) == 1


# -- what a person reads ----------------------------------------------------------------------------


def test_an_unknown_outcome_says_what_to_look_for_and_what_to_do(emulator: Emulator, stored: Task):
    emulator.fail(UPLOAD, faults.reply_lost())
    emulator.fail(LISTING, faults.error(403), times=None)
    with pytest.raises(WesUnknownOutcomeError) as caught:
        stored.upload()
    lines = str(caught.value).splitlines()
    name = emulator.files("list")[0]["name"]
    assert lines[:3] == [
        "Perhaps uploaded (coupons.csv of list list)",
        f"Look in the list for a file named '{name}'",
        "If it is there, mark the task as success.",
    ]
    assert lines[3].startswith("If it is not, put ")
    assert lines[4] == "Reason: the list cannot be read"
    assert lines[-3].startswith("The upload: no response: ")
    assert lines[-2:] == ["Coupon list: list", f"URL: {URL}"]
    stored.retry()
    with pytest.raises(WesUnknownOutcomeError) as caught:
        stored.upload()
    assert "The upload: " not in str(caught.value)


def test_a_duplicate_says_which_file_it_is_and_how_to_get_another(emulator: Emulator, stored: Task):
    first = stored.upload()
    stored.clear()
    with pytest.raises(WesDuplicateError) as caught:
        stored.upload("fail")
    lines = str(caught.value).splitlines()
    assert lines[0] == "An earlier attempt uploaded it (coupons.csv of list list)"
    assert lines[1] == "If it will do, mark the task as success."
    assert re.fullmatch(
        r"To upload it again, put [0-9a-f]{16}-try2 into the Variable wes_upload_again and clear the task\.", lines[2]
    )
    assert lines[3:] == [
        "on_duplicate is 'fail'; its status: SUCCESS",
        f"URL: {URL}",
        f"Coupon file: {first.file.id}",
    ]


def test_a_log_says_what_became_of_each_request(emulator: Emulator, task: Task, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO, logger="wes_provider.uploads")
    emulator.fail(UPLOAD, faults.reply_lost(effect=False))
    emulator.fail(UPLOAD, faults.reply_lost())
    uploaded = task.upload()
    name = emulator.files("list")[0]["name"]
    assert caplog.messages[0] == (
        f"Uploading (coupons.csv of list list)\nWhy: this is the first attempt\nURL: {URL}\nName: {name}"
    )
    assert caplog.messages[1].startswith("no response: ")
    assert caplog.messages[1].endswith("\nReading the list to see whether it shows the file")
    assert "\nWhy: its upload's outcome is not known" in caplog.messages[2]
    assert caplog.messages[3] == "Upload 1 took no effect, sending it again (coupons.csv of list list)"
    assert caplog.messages[-2].startswith("Found in the list, not sent again (coupons.csv, ")
    assert caplog.messages[-1].startswith("Uploaded (coupons.csv, ")
    assert uploaded.file.id in caplog.messages[-1]
    assert caplog.messages[-1].endswith(f"\nURL: {URL}")


def test_a_success_that_the_list_does_not_show_is_unknown_in_the_next_attempt_too(emulator: Emulator, stored: Task):
    emulator.fail(UPLOAD, faults.empty(effect=False))
    emulator.fail(LISTING, faults.error(503), times=None)
    with pytest.raises(WesUnknownOutcomeError, match="the list cannot be read"):
        stored.upload()
    emulator.clear_faults()
    stored.retry()
    with pytest.raises(WesUnknownOutcomeError, match=r"the service accepted it \(201\), but the list does not show it"):
        stored.upload()
    assert emulator.counts[UPLOAD] == 1


def test_a_file_whose_status_cannot_be_read_counts_as_it_was(
    emulator: Emulator, stored: Task, caplog: pytest.LogCaptureFixture
):
    first = stored.upload()
    stored.retry()
    emulator.fail("*", faults.error(404), times=None)
    assert stored.upload().file == first.file
    (line,) = [message for message in caplog.messages if message.startswith("The status cannot be read (coupons.csv, ")]
    assert "404" in line.split("\n")[1]


def test_a_list_that_fails_while_a_file_is_looked_for_is_read_again(emulator: Emulator, stored: Task):
    first = stored.upload()
    stored.retry()
    emulator.fail(FETCH, faults.error(404), times=None)
    emulator.fail(LISTING, faults.error(503), times=4)
    assert stored.upload().file.id == first.file.id
    emulator.fail(LISTING, faults.error(503), times=None)
    stored.retry()
    with pytest.raises(WesResponseError) as caught:
        stored.upload()
    assert caught.value.status_code == 503


def test_an_iteration_of_a_loop_is_uploaded_again_only_as_on_duplicate_says(emulator: Emulator, stored: Task):
    stored.context = {"loop": SimpleNamespace(index=2, trajectory=1)}
    stored.ti_fields = {"region_id": "r", "region_index": 0}
    stored.upload()
    stored.clear()
    with pytest.raises(WesDuplicateError, match=r"set on_duplicate='upload' and clear the task"):
        stored.upload("fail")
    assert not stored.upload("upload").adopted
