"""What tasks of every kind share: which of their arguments Airflow renders and stores, and waiting."""

from __future__ import annotations

from typing import Any

import pytest
from airflow.providers.common.compat.sdk import DAG, AirflowException, AirflowFailException

from wes_provider.emulator import Emulator
from wes_provider.exceptions import WesCouponFileFailedError, WesTimeoutError
from wes_provider.models import CouponFile
from wes_provider.operators import WesReplenishCouponListOperator, WesUploadCouponFileOperator
from wes_provider.polling import Done, dump_outcomes
from wes_provider.retry_policy import RETRY_POLICIES
from wes_provider.sensors import WesCouponFileSensor

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


@pytest.mark.parametrize(("pushed", "reason"), [({"id": "f"}, "a coupon file"), (None, "the rate limit of list")])
def test_a_deferral_that_nobody_ended_says_what_it_was_for(mocker: Any, pushed: Any, reason: str):
    ti = mocker.Mock(task_id="upload", map_index=-1)
    ti.xcom_pull.return_value = pushed
    with pytest.raises(WesTimeoutError, match=f"No triggerer ended the wait for {reason}"):
        upload().resume_execution("__fail__", {"error": "Trigger timeout"}, {"ti": ti})
