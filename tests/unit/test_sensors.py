"""
How the sensor ends: with its processed file; WesCouponFileFailedError (before Airflow 3.3
AirflowFailException) if the file failed, which it keeps as an XCom, or too few coupons were added;
skipped after a failed file with ``soft_fail`` or ``never_fail``; WesSensorTimeoutError at the
deadline, which Airflow never retries. Waits are in ``airflow/test_waiting.py``, refused arguments
in ``test_bad_input.py``.

A poke is one request. It pokes each ``poke_interval``, 60 s by default and at least 1 s (15 s if it
reschedules), and last at its deadline: of ``timeout``, or 5 s before ``execution_timeout``.

A key that is refused before any poll has read the file ends it at once; if it reschedules, after
five minutes. After that, it outlives a refusal: it reads the connection again, takes a new key, and
goes on while the backend is away; so does its trigger, if its own poll was not refused. The
connection's statuses count beside its own. If it reschedules, time counts from its first start. An
event of several files is WesError.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any, NamedTuple

import pytest
from airflow.providers.common.compat.sdk import (
    AirflowFailException,
    AirflowSensorTimeout,
    AirflowSkipException,
    BaseHook,
    TaskDeferred,
)

from support.attempts import TaskInstance, stop_time
from wes_provider.coupon_files import failure
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesCouponFileFailedError,
    WesError,
    WesNotFoundError,
    WesTimeoutError,
)
from wes_provider.hooks import WesHook
from wes_provider.models import CouponFile
from wes_provider.sensors import WesCouponFileSensor, WesSensorTimeoutError, first_start_of
from wes_provider.waits.decision import Done, Failed, Outcome
from wes_provider.waits.outcomes import dump_outcomes

DONE = CouponFile("f", "l", status="SUCCESS", counts={"added": 3})
BAD = CouponFile("f", "l", status="FAILED")
NEVER_RETRIED = (WesCouponFileFailedError, AirflowFailException)


def complete(ti: TaskInstance, outcome: Outcome, **arguments: Any) -> Any:
    sensor = WesCouponFileSensor(
        task_id="wait", coupon_list_id="l", coupon_file_id="f", **arguments
    )
    return sensor.execute_complete(ti.context(), dump_outcomes({"f": outcome}))


def test_a_sensor_whose_file_is_processed_returns_it(wes_emulator: Emulator):
    assert complete(TaskInstance(task_id="wait"), Done(DONE)) == DONE.summary()


class Fails(NamedTuple):
    """
    How a wait ends, and the error that its sensor ends with.

    :ivar xcoms: what it pushes.
    """

    outcome: Outcome
    error: Any
    arguments: dict[str, Any] = {}  # noqa: RUF012 - never changed
    xcoms: dict[str, Any] = {}  # noqa: RUF012 - never changed


PUSHED = {"coupon_file": BAD.summary()}
FAILS = {
    "too few coupons": Fails(Done(DONE), NEVER_RETRIED, {"min_coupons_added": 4}),
    "a failed file": Fails(Failed(failure(BAD)), NEVER_RETRIED, xcoms=PUSHED),
    "a failed file, soft_fail": Fails(
        Failed(failure(BAD)), AirflowSkipException, {"soft_fail": True}, xcoms=PUSHED
    ),
    "a failed file, never_fail": Fails(
        Failed(failure(BAD)), AirflowSkipException, {"never_fail": True}, xcoms=PUSHED
    ),
    "the deadline": Fails(Failed(WesTimeoutError("late")), WesSensorTimeoutError),
}


@pytest.mark.parametrize("row", FAILS.values(), ids=FAILS)
def test_a_sensor_whose_wait_fails_ends_with_an_error_and_keeps_a_failed_file(
    wes_emulator: Emulator, row: Fails
):
    ti = TaskInstance(task_id="wait")
    with pytest.raises(row.error):
        complete(ti, row.outcome, **row.arguments)
    assert ti.xcoms == row.xcoms


def test_a_sensor_that_timed_out_is_not_retried():
    assert issubclass(WesSensorTimeoutError, AirflowSensorTimeout), "which Airflow never retries"


def pending_file(wes_emulator: Emulator) -> Any:
    """The identifier of a file that stays pending."""
    wes_emulator.script(outcome="never")
    return WesHook().upload_coupon_file("l", "https://files.example.com/a.csv")["_id"]


def passed_to_the_trigger(file_id: str, now: datetime) -> Any:
    """What a sensor that defers passes on; it starts now, and may take 100 s."""
    given = {"deferrable": True, "execution_timeout": timedelta(seconds=100)}
    sensor = WesCouponFileSensor(
        task_id="wait", coupon_list_id="l", coupon_file_id=file_id, **given
    )
    with pytest.raises(TaskDeferred) as deferred:
        sensor.execute(TaskInstance(task_id="wait", start_date=now).context())
    return deferred.value.trigger.arguments


@pytest.mark.parametrize(
    "is_away_at_first", [False, True], ids=["the file is read", "the first poll gets 503"]
)
def test_a_sensor_that_defers_passes_on_that_its_key_was_not_refused(
    wes_emulator: Emulator, is_away_at_first: bool
):
    file_id = pending_file(wes_emulator)
    if is_away_at_first:
        wes_emulator.fail("get_coupon_file", faults.error(503), times=1)
    passed = passed_to_the_trigger(file_id, datetime.now(timezone.utc))
    assert passed.outlives_refused_key, "so that it outlives a key that is rotated"


def test_a_sensor_that_defers_waits_from_its_start_to_5_s_before_its_execution_timeout(
    wes_emulator: Emulator,
):
    file_id, now = pending_file(wes_emulator), datetime.now(timezone.utc)
    passed = passed_to_the_trigger(file_id, now)
    assert passed.coupon_files == {file_id: now.timestamp()}
    assert passed.deadline == now.timestamp() + 95


def poke(wes_emulator: Emulator, **arguments: Any) -> WesCouponFileSensor:
    """Poke once, while the service is away, with a sensor that has just started."""
    wes_emulator.fail("get_coupon_file", faults.error(503), times=None)
    sensor = WesCouponFileSensor(
        task_id="wait", coupon_list_id="l", coupon_file_id="f", **arguments
    )
    now = datetime.now(timezone.utc)
    assert not sensor.poke(TaskInstance(task_id="wait", start_date=now).context()).is_done
    return sensor


def test_a_poke_is_one_request(wes_emulator: Emulator):
    poke(wes_emulator)
    assert len(wes_emulator.requests_for("get_coupon_file")) == 1


def test_a_sensor_pokes_again_after_a_second_at_least(wes_emulator: Emulator):
    assert poke(wes_emulator, poke_interval=0.1).poke_interval == 1


def test_the_last_poke_of_a_sensor_is_at_its_deadline(wes_emulator: Emulator):
    assert 60 < poke(wes_emulator, poke_interval=600, timeout=100).poke_interval <= 100


def test_a_key_that_is_refused_on_the_first_worker_ends_a_sensor_at_once(wes_emulator: Emulator):
    """Though it was poked before, without a response about the key."""
    sensor = poke(wes_emulator)
    wes_emulator.clear_faults()
    wes_emulator.configure(api_key="another")
    now = datetime.now(timezone.utc)
    with pytest.raises(WesAuthenticationError):
        sensor.poke(TaskInstance(task_id="wait", start_date=now).context())


def test_a_sensor_that_reschedules_counts_the_minute_of_a_404_from_its_first_start(
    wes_emulator: Emulator, mocker: Any
):
    """Its first start is long ago, and that of this process is now."""
    mocker.patch("wes_provider.sensors.first_start_of", return_value=1000.0)
    sensor = WesCouponFileSensor(
        task_id="wait", coupon_list_id="l", coupon_file_id="gone", mode="reschedule"
    )
    context = TaskInstance(task_id="wait", start_date=datetime.now(timezone.utc)).context()
    with pytest.raises(WesNotFoundError):
        sensor.poke(context)


def test_a_sensor_that_reschedules_pokes_again_after_15_seconds_at_least(
    wes_emulator: Emulator, mocker: Any
):
    """Sooner, Airflow would find its process still running."""
    now = datetime.now(timezone.utc)
    mocker.patch("wes_provider.sensors.first_start_of", return_value=now.timestamp())
    sensor = WesCouponFileSensor(
        task_id="wait", coupon_list_id="l", coupon_file_id="new", mode="reschedule", timeout=3
    )
    context = TaskInstance(task_id="wait", start_date=now).context()
    assert not sensor.poke(context).is_done
    assert sensor.poke_interval == 15


def test_a_sensor_that_reschedules_gives_a_refused_key_five_minutes(
    wes_emulator: Emulator, mocker: Any, monkeypatch: pytest.MonkeyPatch
):
    clock = stop_time(wes_emulator, monkeypatch)
    monkeypatch.setattr("wes_provider.sensors.time", clock)
    mocker.patch("wes_provider.sensors.first_start_of", return_value=clock.time())
    sensor = WesCouponFileSensor(
        task_id="wait", coupon_list_id="l", coupon_file_id="f", mode="reschedule"
    )
    wes_emulator.configure(api_key="another")
    with pytest.raises(WesAuthenticationError):
        sensor.poke(TaskInstance(task_id="wait").context())
    assert 300 <= clock.slept < 400


def first_start_of_a_sensor(started: datetime) -> float | None:
    return first_start_of(TaskInstance(task_id="wait", start_date=started).context())


def test_airflow_2_shows_by_its_clock_that_a_sensor_was_started_before():
    started = datetime.now(timezone.utc) - timedelta(seconds=20)
    assert first_start_of_a_sensor(started) == started.timestamp()


def test_airflow_2_does_not_show_whether_a_sensor_that_started_just_now_did_so_before():
    started = datetime.now(timezone.utc) - timedelta(seconds=1)
    assert first_start_of_a_sensor(started) is None


def test_a_sensor_that_has_read_nothing_yet_takes_a_key_that_was_rotated(
    wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch
):
    sensor = WesCouponFileSensor(
        task_id="wait", coupon_list_id="l", coupon_file_id=pending_file(wes_emulator)
    )
    context = TaskInstance(task_id="wait", start_date=datetime.now(timezone.utc)).context()
    wes_emulator.fail("get_coupon_file", faults.error(503), times=1)
    assert not sensor.poke(context).is_done
    wes_emulator.configure(api_key="rotated-key")
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(wes_emulator.connection()))
    assert not sensor.poke(context).is_done


def test_a_key_that_is_refused_at_the_first_poke_ends_a_sensor_at_once(wes_emulator: Emulator):
    sensor = WesCouponFileSensor(
        task_id="wait", coupon_list_id="l", coupon_file_id=pending_file(wes_emulator)
    )
    wes_emulator.configure(api_key="another")
    context = TaskInstance(task_id="wait", start_date=datetime.now(timezone.utc)).context()
    with pytest.raises(WesAuthenticationError):
        sensor.poke(context)


@pytest.fixture
def poking(wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Poking:
    """A sensor whose file is pending, after its first poke."""
    return Poking(wes_emulator, monkeypatch)


class Poking:
    """
    A sensor that pokes. The connection calls READY a success, and the sensor BAD a failure.

    :ivar poke: pokes once more, and tells whether the wait is over.
    """

    def __init__(self, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
        self._emulator, self._monkeypatch = emulator, monkeypatch
        emulator.script(outcome="never")
        file_id = WesHook().upload_coupon_file("l", "https://files.example.com/a.csv")["_id"]
        self.update_connection()
        self.sensor = WesCouponFileSensor(
            task_id="wait",
            coupon_list_id="l",
            coupon_file_id=file_id,
            coupon_file_statuses={"failure": ["BAD"]},
        )
        started = datetime.now(timezone.utc)
        self._context = TaskInstance(task_id="wait", start_date=started).context()
        assert not self.poke()

    def poke(self) -> bool:
        return bool(self.sensor.poke(self._context).is_done)

    def update_connection(self) -> None:
        """Give the connection the service's current key."""
        extra = {"coupon_file_statuses": {"success": ["READY"]}}
        connection = json.dumps(self._emulator.connection(extra=extra))
        self._monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", connection)


def test_a_sensor_pokes_every_minute_by_default(poking: Poking):
    assert poking.sensor.poke_interval == 60


def test_a_sensor_that_pokes_reads_the_connection_again_once_its_key_is_refused(
    poking: Poking, wes_emulator: Emulator
):
    """A key that was accepted and is refused does not end the wait, which the new one ends."""
    wes_emulator.configure(api_key="rotated-key")
    assert not poking.poke()
    poking.update_connection()
    wes_emulator.script(statuses=[("READY", None)])
    assert poking.poke()


def test_a_sensor_that_pokes_outlives_a_refused_key_while_the_backend_is_away(
    poking: Poking, wes_emulator: Emulator, mocker: Any, logged: Callable[[], str]
):
    """The log has the kind of the backend's error, and not its text, which may quote a secret."""
    wes_emulator.configure(api_key="rotated-key")
    away = mocker.Mock(side_effect=RuntimeError("t0ken of a backend"))
    mocker.patch.object(BaseHook, "get_connection", away)
    assert not poking.poke()
    log = logged()
    assert "The connection cannot be read: RuntimeError" in log
    assert "t0ken" not in log


def test_a_sensor_that_pokes_takes_the_connections_statuses_beside_its_own(
    poking: Poking, wes_emulator: Emulator
):
    """READY of the connection is a success, and BAD of the sensor a failure."""
    wes_emulator.script(statuses=[("READY", None)])
    assert poking.poke()
    wes_emulator.script(statuses=[("BAD", None)])
    with pytest.raises(NEVER_RETRIED):
        poking.poke()


def test_an_event_of_two_files_is_an_error():
    sensor = WesCouponFileSensor(task_id="wait", coupon_list_id="l", coupon_file_id="f")
    with pytest.raises(WesError, match="of 2 coupon files, not of one"):
        sensor.execute_complete({}, dump_outcomes({"f": Done(DONE), "g": Done(DONE)}))
