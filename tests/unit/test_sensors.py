"""The sensor's own part of waiting; its runs are in ``airflow/test_waiting.py``."""

from __future__ import annotations

from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowSensorTimeout

from wes_provider.exceptions import WesConfigurationError, WesTimeoutError
from wes_provider.sensors import WesCouponFileSensor, WesSensorTimeoutError


def sensor(**arguments: Any) -> WesCouponFileSensor:
    return WesCouponFileSensor(**{"task_id": "wait", "coupon_list_id": "l", "coupon_file_id": "f", **arguments})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"coupon_list_id": ""}, "coupon_list_id"),
        ({"coupon_file_id": ".."}, "coupon_file_id"),
        ({"coupon_file_statuses": {"succes": ["DONE"]}}, "succes"),
        ({"coupon_file_statuses": {"success": ["DONE"], "failure": ["done"]}}, "DONE"),
        ({"min_coupons_added": -1}, "min_coupons_added"),
        ({"min_coupons_added": True}, "min_coupons_added"),
    ],
)
def test_what_can_be_known_when_the_dag_is_parsed_is_checked_then(arguments, says):
    with pytest.raises(WesConfigurationError, match=says):
        sensor(**arguments)


def test_templates_are_checked_when_they_are_rendered():
    assert sensor(coupon_list_id="{{ params.list }}", coupon_file_id="{{ params.file }}")


def test_the_timeout_of_the_sensor_is_airflows_too():
    assert issubclass(WesSensorTimeoutError, (WesTimeoutError,))
    assert issubclass(WesSensorTimeoutError, AirflowSensorTimeout)
