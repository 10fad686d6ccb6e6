"""
An upload whose reply is lost, or whose attempt is killed while it sends: the list decides, which
is read for ``coupon_files_lag`` (30 s) after the reply was lost, with growing pauses; for that
and ``read_timeout`` (60 s) after the request, if it is an earlier attempt's. A file that it shows
is taken; one that it does not show is sent again, for five requests at most. A refusal with the
service's own code says that the refused request had no effect, and says nothing of one before it.
"""

from __future__ import annotations

import itertools
import json
import logging
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from support.attempts import Clock, Store, TaskInstance
from unit.uploads.conftest import ARRIVES, LATE, UPLOAD, raises, replenish, upload, urls
from wes_provider.client.responses import Listing
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import (
    WesBadRequestError,
    WesConnectionError,
    WesRateLimitError,
)
from wes_provider.hooks import WesHook

if TYPE_CHECKING:
    from pytest_mock import MockerFixture


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


@pytest.mark.parametrize("store", [Store(), None], ids=["store", "none"])
def test_a_request_before_a_deferral_is_not_forgotten(
    wes_emulator: Emulator,
    ti: TaskInstance,
    clock: Clock,
    mocker: MockerFixture,
    store: Store | None,
):
    """The fifth response is lost, the list shows the file late, and the limit makes it defer."""
    ti.store = store
    send_upload, read_list = WesHook.send_upload, WesHook.read_list
    sent_before = itertools.count(1)
    late_names = []

    def lose_the_fifth_response(hook: WesHook, list_id: str, body: Any, title: str) -> Any:
        if next(sent_before) == 5:
            wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
            late_names.append(body["name"])
        return send_upload(hook, list_id, body, title)

    def show_it_late(hook: WesHook, list_id: str) -> Listing:
        records = read_list(hook, list_id).records
        if clock.slept < 45:
            records = [record for record in records if record["name"] not in late_names]
        return Listing(records)

    mocker.patch.object(WesHook, "send_upload", lose_the_fifth_response)
    mocker.patch.object(WesHook, "read_list", show_it_late)
    ids = ti.run(replenish(urls(5), deferrable=True))
    assert ti.deferrals
    assert [file["_id"] for file in wes_emulator.files("summer")] == ids


def test_a_list_that_lacks_files_of_the_task_is_read_until_it_has_them(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock
):
    """It is later than ``coupon_files_lag``: nothing is sent again, and nobody is asked."""
    wes_emulator.configure(list_lag=45)
    ti.run(replenish(urls(2)))
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    ids = ti.run(replenish(urls(3)))
    assert 45 <= clock.slept <= 90
    wes_emulator.configure(list_lag=0)
    assert [file["_id"] for file in wes_emulator.files("summer")] == ids


class Behind(NamedTuple):
    """What the service shows of a list that has the file, from the second reading to the fifth."""

    name: str
    listing: Listing


OTHER = {"_id": "f0", "name": "other.csv"}
BEHIND = [
    Behind("nothing, as a fallback or a node that is behind", Listing([])),
    Behind("what a cache has kept since before the request", Listing([OTHER], age=3600)),
]


@pytest.mark.parametrize("row", BEHIND, ids=[row.name for row in BEHIND])
def test_a_list_that_is_behind_is_read_on(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock, mocker: MockerFixture, row: Behind
):
    listings = iter([Listing([OTHER]), *[row.listing] * 5])
    read_list = WesHook.read_list

    def show(hook: WesHook, list_id: str) -> Listing:
        return next(listings, None) or read_list(hook, list_id)

    mocker.patch.object(WesHook, "read_list", show)
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    file_id = ti.run(upload())
    assert [file["_id"] for file in wes_emulator.files("summer")] == [file_id]
    assert clock.slept == pytest.approx(61, abs=2)


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


def test_a_429_without_what_the_service_sends_does_not_say_that_the_request_had_no_effect(
    wes_emulator: Emulator, ti: TaskInstance, mocker: MockerFixture
):
    """A gateway has sent it twice, and the limit has refused the second one."""
    send_upload = WesHook.send_upload
    refusals = iter([WesRateLimitError("429", reason="429")])

    def send(hook: WesHook, list_id: str, body: Any, title: str) -> Any:
        result = send_upload(hook, list_id, body, title)
        for refusal in refusals:
            raise refusal
        return result

    mocker.patch.object(WesHook, "send_upload", send)
    file_id = ti.run(upload())
    assert [file["_id"] for file in wes_emulator.files("summer")] == [file_id]


def test_a_429_of_a_gateway_is_waited_out_if_the_request_had_no_effect(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock
):
    wes_emulator.fail(UPLOAD, faults.rate_limited("missing"), times=2)
    file_id = ti.run(upload())
    assert [file["_id"] for file in wes_emulator.files("summer")] == [file_id]
    assert clock.slept >= 30


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
