"""What tasks of every kind share: which of their arguments Airflow renders and stores, and waiting."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pytest
from airflow.providers.common.compat.sdk import (
    DAG,
    AirflowException,
    AirflowFailException,
    AirflowNotFoundException,
    TaskDeferred,
)

from support.attempts import Clock, TaskInstance
from wes_provider import hooks
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesConfigurationError,
    WesCouponFileFailedError,
    WesTimeoutError,
)
from wes_provider.hooks import WesHook
from wes_provider.models import CouponFile
from wes_provider.operators import WesReplenishCouponListOperator, WesUploadCouponFileOperator
from wes_provider.polling import CouponFileWait, Done, Failed, Statuses, Wait, dump_outcomes, failure
from wes_provider.retry_policy import RETRY_POLICIES
from wes_provider.sensors import WesCouponFileSensor

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

GIVEN = {"task_id": "upload", "coupon_list_id": "{{ 1 + 1 }}", "file_url": "https://files.example.com/c.csv"}


def upload(**arguments: Any) -> WesUploadCouponFileOperator:
    return WesUploadCouponFileOperator(**{**GIVEN, **arguments})


def test_arguments_at_their_defaults_are_no_template_fields_of_a_task():
    assert upload().template_fields == ("coupon_list_id", "file_url")
    assert upload(on_duplicate="adopt", wes_conn_id="wes_default").template_fields == ("coupon_list_id", "file_url")
    given = upload(on_duplicate="{{ params.what }}", wes_conn_id="other", name="n")
    assert set(given.template_fields) == {"wes_conn_id", "coupon_list_id", "file_url", "name", "on_duplicate"}


def test_a_class_and_its_mapped_tasks_have_all_template_fields():
    with DAG("d", schedule=None):
        mapped = WesUploadCouponFileOperator.partial(task_id="m", coupon_list_id="l").expand(file_url=["https://h/a"])
    assert set(mapped.template_fields) == set(WesUploadCouponFileOperator.template_fields)
    assert "on_duplicate" in mapped.template_fields


def test_a_subclass_may_add_template_fields():
    class Mine(WesUploadCouponFileOperator):
        template_fields = (*WesUploadCouponFileOperator.template_fields, "more")

        def __init__(self, *, more: str = "", **kwargs: Any) -> None:
            super().__init__(**kwargs)
            self.more = more

    assert "more" in Mine(**GIVEN, more="{{ ds }}").template_fields
    assert "more" not in Mine(**GIVEN).template_fields


def test_default_args_reach_the_arguments_of_all_base_classes_of_a_task():
    arguments = {"coupon_list_id": "l", "poll_interval": 7, "wes_conn_id": "mine", "retries": 3, "on_duplicate": "fail"}
    with DAG("d", schedule=None, default_args=arguments):
        for task in (
            WesUploadCouponFileOperator(task_id="a", file_url="https://h/a", on_duplicate="upload"),
            WesReplenishCouponListOperator(task_id="b", files=["https://h/a"], on_duplicate="upload"),
        ):
            found = {name: getattr(task, name) for name in arguments}
            assert found == {**arguments, "on_duplicate": "upload"}
        with pytest.raises((TypeError, AirflowException), match="file_url"):  # the latter on Airflow 2
            WesUploadCouponFileOperator(task_id="c")  # type: ignore[call-arg]


def test_default_args_reach_the_arguments_of_airflows_sensor():
    arguments = {"poke_interval": 7, "mode": "reschedule", "soft_fail": True, "retries": 3, "owner": "ana"}
    with DAG("d", schedule=None, default_args=arguments):
        sensor = WesCouponFileSensor(task_id="wait", coupon_list_id="l", coupon_file_id="f", owner="ben")
        assert {name: getattr(sensor, name) for name in arguments} == {**arguments, "owner": "ben"}


def test_the_connection_comes_from_default_args_partial_or_the_argument():
    with DAG("d", schedule=None, default_args={"wes_conn_id": "mine"}):
        assert upload().wes_conn_id == "mine"
        assert upload(task_id="other", wes_conn_id="given").wes_conn_id == "given"
        mapped = WesUploadCouponFileOperator.partial(
            task_id="m", coupon_list_id="l", wes_conn_id="{{ params.conn }}"
        ).expand(file_url=["https://h/a"])
        assert mapped.partial_kwargs["wes_conn_id"] == "{{ params.conn }}"
        with pytest.raises(TypeError, match="unknown"):
            WesUploadCouponFileOperator.partial(task_id="m2", unknown=1)
    assert upload().wes_conn_id == "wes_default"


@pytest.mark.skipif(not RETRY_POLICIES, reason="Airflow has retry policies from 3.3 on")
def test_tasks_share_one_retry_policy():
    assert upload().retry_policy is upload().retry_policy is not None


def test_the_worker_logs_how_a_wait_in_the_triggerer_ended(wes_emulator: Emulator, capsys: pytest.CaptureFixture[str]):
    task = WesCouponFileSensor(task_id="wait", coupon_list_id="l", coupon_file_id="f")
    file = CouponFile("f", "l", "n", "SUCCESS", (("added", 3),), "https://files.example.com/c.csv")
    assert task.execute_complete({}, dump_outcomes({"f": Done(file, 312.4, 14)})) == file.summary()
    logged = capsys.readouterr().out
    assert "Waited 312 s, 14 polls, last status SUCCESS (c.csv, f of list l)" in logged
    assert "3 coupons added (c.csv, f of list l)" in logged


def test_the_sensor_fails_if_too_few_coupons_were_added(wes_emulator: Emulator):
    task = WesCouponFileSensor(task_id="wait", coupon_list_id="l", coupon_file_id="f", min_coupons_added=4)
    file = CouponFile("f", "l", "n", "SUCCESS", (("added", 3),))
    with pytest.raises(WesCouponFileFailedError if RETRY_POLICIES else AirflowFailException, match="fewer than 4"):
        task.execute_complete({}, dump_outcomes({"f": Done(file)}))


@pytest.mark.parametrize(("pushed", "reason"), [({"id": "f"}, "c.csv"), (None, "rate limit")])
def test_a_deferral_that_nobody_ended_says_what_it_was_for(mocker: Any, pushed: Any, reason: str):
    ti = mocker.Mock(task_id="upload", map_index=-1)
    ti.xcom_pull.return_value = pushed
    with pytest.raises(WesTimeoutError, match=rf"No triggerer ended the wait \({reason} of list "):
        upload().resume_execution("__fail__", {"error": "Trigger timeout"}, {"ti": ti})


@pytest.mark.parametrize("status", ["FAILED", "SUCCESS"])
@pytest.mark.parametrize("many", [False, True], ids=["upload", "replenish"])
def test_what_the_service_quotes_of_a_files_login_is_nowhere(
    wes_emulator: Emulator, mocker: Any, capsys: pytest.CaptureFixture[str], status: str, many: bool
):
    """The triggerer does not know it: the worker takes it out of what it gets."""
    login = {"file_url_auth_username": "u", "file_url_auth_password": "pass-word1"}
    if many:
        url = "https://files.example.com/c.csv"
        task: Any = WesReplenishCouponListOperator(task_id="t", coupon_list_id="l", files=[{"file_url": url, **login}])
    else:
        task = upload(coupon_list_id="l", **login)
    ti = mocker.Mock(dag_id="d", task_id="t", run_id="r", map_index=-1, try_number=1)
    ti.xcom_pull.return_value = [{"id": "f", "coupon_list_id": "l", "status": "PENDING", "file_url": ""}]
    file = CouponFile(
        "f", "l", "n", status, (("added", 3),), texts=(("error", "login pass-word1"), ("note", "a pass-word1"))
    )
    waited = CouponFileWait("l", "f", statuses=Statuses(), started=0.0, deadline=math.inf, poll_interval=5.0)
    event = dump_outcomes({"f": waited.decide(file, 7.0)})
    assert "pass-word1" in json.dumps(event)
    raised = ""
    try:
        task.execute_complete({"ti": ti}, event)
    except (AirflowException, WesCouponFileFailedError) as error:
        raised = repr(error)
    assert bool(raised) == (status == "FAILED")
    assert ti.xcom_push.called
    assert "login ***" in repr(ti.mock_calls)
    assert "pass-word1" not in repr(ti.mock_calls) + raised + capsys.readouterr().out


def test_no_piece_of_a_files_password_is_left_where_a_message_is_cut(
    wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", wes_emulator.connection_env()["AIRFLOW_CONN_WES_DEFAULT"])
    password, quoted = "pass-word-1-of-a-long-kind", "the host refused u:pass-word-1-of-a-long-kind"
    wes_emulator.script(outcome="failure", processing_time=0, error=quoted)
    task = upload(coupon_list_id="summer-sale", file_url_auth_username="u", file_url_auth_password=password)
    file_id = WesHook().upload_coupon_file("summer-sale", "https://files.example.com/c.csv")["_id"]
    wes_emulator.fail("get_coupon_file", faults.error(503, message=quoted), list_id="summer-sale")
    wait = task._wait_for(file_id, started=time.time(), deadline=math.inf)  # noqa: SLF001 - a whole task has records, too
    assert isinstance(task._decide("summer-sale", file_id, wait), Wait)  # noqa: SLF001 - as before
    failed = task._decide("summer-sale", file_id, wait)  # noqa: SLF001 - as before
    assert isinstance(failed, Failed)
    assert "pass-" not in str(failed.error) + capsys.readouterr().out
    assert "refused u:***" in str(failed.error)


def test_a_service_that_hangs_does_not_carry_a_wait_on_the_worker_beyond_its_deadline(
    wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("wes_provider.tasks.LAST_POLL", 0.2)
    wes_emulator.fail("get_coupon_file", faults.slow(30), times=None)
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", wes_emulator.connection_env()["AIRFLOW_CONN_WES_DEFAULT"])
    task = WesCouponFileSensor(task_id="wait", coupon_list_id="l", coupon_file_id="f")
    now = time.time()
    wait = CouponFileWait("l", "f", statuses=Statuses(), started=now, deadline=now + 1, poll_interval=1)
    ((_, outcome),) = task._wait_here("l", {"f": wait})  # noqa: SLF001 - a whole task would wait longer
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, WesTimeoutError)
    assert "Timeout" in str(outcome.error).partition("The last poll failed")[2]


def past_their_deadline(file_ids: Iterable[str]) -> dict[str, CouponFileWait]:
    now = time.time()
    given: dict[str, Any] = {"statuses": Statuses(), "started": now - 60, "deadline": now, "poll_interval": 1}
    return {file_id: CouponFileWait("l", file_id, **given) for file_id in file_ids}


def test_a_service_that_hangs_costs_hundreds_of_files_the_time_of_one_last_poll(
    wes_emulator: Emulator, mocker: MockerFixture
):
    mocker.patch("wes_provider.tasks.LAST_POLL", 0.5)
    wes_emulator.fail("get_coupon_file", faults.slow(30), times=None)
    task = WesCouponFileSensor(task_id="wait", coupon_list_id="l", coupon_file_id="f")
    start = time.monotonic()
    outcomes = dict(task._wait_here("l", past_their_deadline(map(str, range(200)))))  # noqa: SLF001 - a whole task would wait longer
    assert time.monotonic() - start < 10  # one after another would take a hundred seconds
    errors = [outcome.error for outcome in outcomes.values() if isinstance(outcome, Failed)]
    assert [type(error) for error in errors] == [WesTimeoutError] * 200
    assert sum("The last poll failed: get_coupon_file: not sent" in str(error) for error in errors) == 200 - 32


def test_a_service_that_hangs_for_one_file_costs_no_other_its_last_poll(wes_emulator: Emulator, mocker: MockerFixture):
    mocker.patch("wes_provider.tasks.LAST_POLL", 2)
    wes_emulator.configure(limits=None)
    wes_emulator.script(statuses=[("SUCCESS", None)])
    hook, url = WesHook(), "https://files.example.com/c.csv"
    ids = [hook.upload_coupon_file("l", url)["_id"] for _ in range(50)]
    wes_emulator.fail("get_coupon_file", faults.slow(30), times=1)
    task = WesCouponFileSensor(task_id="wait", coupon_list_id="l", coupon_file_id="f")
    outcomes = list(dict(task._wait_here("l", past_their_deadline(ids))).values())  # noqa: SLF001 - as before
    assert [type(outcome) for outcome in outcomes].count(Failed) == 1
    assert [type(outcome) for outcome in outcomes].count(Done) == 49


def test_a_refused_key_has_the_connection_read_again_once_for_many_files(wes_emulator: Emulator, mocker: MockerFixture):
    wes_emulator.configure(api_key="another key")
    task = WesCouponFileSensor(task_id="wait", coupon_list_id="l", coupon_file_id="f")
    readings = mocker.spy(hooks, "read_settings")
    for number in range(20):
        (polled,) = task._poll("l", [f"f{number}"], 60.0)  # noqa: SLF001 - as before
        assert isinstance(polled, WesAuthenticationError)
    assert 2 <= readings.call_count <= 4  # at first, and once a second


@pytest.mark.parametrize(
    "change", [{"extra": {"verify": __file__}}, {"extra": {"read_timeout": "soon"}}, {"password": ""}]
)
def test_a_wait_on_a_worker_goes_on_with_its_settings_if_the_connection_becomes_unusable(
    wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]
):
    monkeypatch.setattr("wes_provider.tasks.READ_AGAIN_AFTER", 0.0)
    file_id = WesHook().upload_coupon_file("l", "https://files.example.com/c.csv")["_id"]
    task = WesCouponFileSensor(task_id="wait", coupon_list_id="l", coupon_file_id=file_id)
    assert isinstance(task._poll("l", [file_id], 60.0)[0], CouponFile)  # noqa: SLF001 - as before
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps({**wes_emulator.connection(), **change}))
    for _ in range(2):
        assert isinstance(task._poll("l", [file_id], 60.0)[0], CouponFile)  # noqa: SLF001 - as before


@pytest.mark.parametrize("argument", ["wes_conn_id", "file_url_auth_conn_id"])
def test_a_connection_that_is_not_defined_is_named_with_list_file_and_advice(wes_emulator: Emulator, argument: str):
    task = upload(task_id="one", coupon_list_id="summer", file_url="https://h.example/c.csv", **{argument: "nope"})
    with pytest.raises(AirflowNotFoundException) as raised:
        task.execute({})
    first, advice, *details = str(raised.value).splitlines()
    assert first == "Connection 'nope' is not defined (c.csv of list summer)"
    assert advice == "Add it under Admin, Connections; then clear the task."
    assert details[0].startswith(f"{argument} is 'nope'.")
    assert isinstance(raised.value, WesConfigurationError)
    assert not raised.value.permanent  # a secrets backend may have failed to find it


@pytest.mark.parametrize(("field", "optional"), [("file_url", False), ("name", True)])
def test_an_argument_without_a_value_can_be_left_out_only_if_it_is_optional(field: str, optional: bool):
    task = upload(task_id="one")
    task.__dict__["_without_value"] = [field]
    with pytest.raises(WesConfigurationError if RETRY_POLICIES else AirflowFailException) as raised:
        task.pre_execute({})
    assert str(raised.value).splitlines()[0].endswith(f"{field} rendered to None")
    assert ("or leave the argument out" in str(raised.value)) == optional


def test_the_line_before_a_deferral_names_list_and_file(wes_emulator: Emulator, capsys: pytest.CaptureFixture[str]):
    wes_emulator.script(outcome="never")
    task = upload(coupon_list_id="l", wait_for_completion=True, deferrable=True)
    ti = TaskInstance(Clock(wes_emulator))
    with pytest.raises(TaskDeferred):
        task.execute(ti.context())
    file = wes_emulator.files("l")[0]["_id"]
    first = f"Deferring until processed (c.csv, {file} of list l)"
    assert f"{first}\nCoupon file: {file} (c.csv)" in capsys.readouterr().out


def test_a_failure_in_the_triggerer_is_worded_for_the_task_that_uploaded_it(
    wes_emulator: Emulator, capsys: pytest.CaptureFixture[str], mocker: Any
):
    file = CouponFile("f", "l", "n", "FAILED", (), "", (("error", "no coupons"),))
    event = dump_outcomes({"f": Failed(failure(file), 3, 1, "FAILED")})
    task = upload(task_id="one", coupon_list_id="l", file_url="https://h.example/c.csv")
    with pytest.raises(WesCouponFileFailedError if RETRY_POLICIES else AirflowFailException) as raised:
        task.execute_complete({"ti": mocker.Mock()}, event)
    error = str(raised.value if RETRY_POLICIES else raised.value.__cause__)
    assert error.splitlines()[:2] == [
        "FAILED: no coupons (c.csv, f of list l)",
        "Fix the file, then clear this task: it uploads the file again.",
    ]
    assert "Waited 3 s, 1 poll, last status FAILED (c.csv, f of list l)" in capsys.readouterr().out
