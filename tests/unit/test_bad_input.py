"""Bad input that is known when a DAG is parsed: a clear error, then. ``test_models`` has all errors."""

from __future__ import annotations

import re
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import DAG

from wes_provider.exceptions import WesConfigurationError
from wes_provider.operators import (
    WesCreateCatalogOperator,
    WesReplenishCouponListOperator,
    WesUpdateSegmentOperator,
    WesUploadCouponFileOperator,
)
from wes_provider.sensors import WesCouponFileSensor

URL = "https://files.example.com/coupons.csv"
UPLOAD: dict[str, Any] = {"coupon_list_id": "l", "file_url": URL}
CATALOG: dict[str, Any] = {"name": "c", "price_currency": "EUR", "attributes": [{"name": "id", "type": "string"}]}
SEGMENT: dict[str, Any] = {"segment_id": "s"}
SENSOR: dict[str, Any] = {"coupon_list_id": "l", "coupon_file_id": "f"}

KNOWN_AT_PARSE_TIME = {
    "empty URL": (WesUploadCouponFileOperator, {**UPLOAD, "file_url": ""}, "file_url is empty"),
    "multiple outputs": (
        WesUploadCouponFileOperator,
        {**UPLOAD, "multiple_outputs": True},
        "multiple_outputs takes an",
    ),
    "relative URL beside a template": (
        WesUploadCouponFileOperator,
        {**UPLOAD, "file_url": "c.csv", "name": "{{ ds }}"},
        "file_url takes an absolute URL",
    ),
    "list id empty": (WesUploadCouponFileOperator, {**UPLOAD, "coupon_list_id": ""}, "coupon_list_id is empty"),
    "two ways to log in": (
        WesUploadCouponFileOperator,
        {**UPLOAD, "file_url_auth_username": "u", "file_url_auth_conn_id": "c"},
        "Give either the connection, or file_url_auth_username",
    ),
    "password alone": (
        WesUploadCouponFileOperator,
        {**UPLOAD, "file_url_auth_password": "hunter2"},
        "file_url_auth_password is given without file_url_auth_username",
    ),
    "on_duplicate": (WesUploadCouponFileOperator, {**UPLOAD, "on_duplicate": "skip"}, "on_duplicate takes adopt"),
    "poll_interval": (WesUploadCouponFileOperator, {**UPLOAD, "poll_interval": 0}, "poll_interval takes seconds"),
    "timeout": (WesUploadCouponFileOperator, {**UPLOAD, "timeout": "1h"}, "timeout takes seconds"),
    "statuses": (
        WesUploadCouponFileOperator,
        {**UPLOAD, "coupon_file_statuses": {"done": ["X"]}},
        "coupon_file_statuses takes lists of statuses",
    ),
    "currency": (WesCreateCatalogOperator, {**CATALOG, "price_currency": "XXX"}, "price_currency 'XXX'"),
    "attribute without type": (
        WesCreateCatalogOperator,
        {**CATALOG, "attributes": [{"name": "id"}]},
        "attributes[0].type takes a text",
    ),
    "coupons counted without waiting": (
        WesUploadCouponFileOperator,
        {**UPLOAD, "min_coupons_added": 1},
        "min_coupons_added needs wait_for_completion=True",
    ),
    "files given twice": (
        WesReplenishCouponListOperator,
        {"coupon_list_id": "l", "files": [f"{URL}?a=1", f"{URL}?a=2"]},
        "no file was uploaded, since some are invalid: ",
    ),
    "segment nothing": (WesUpdateSegmentOperator, SEGMENT, "nothing to update"),
    "segment no values": (
        WesUpdateSegmentOperator,
        {**SEGMENT, "included_filters": {"filters": [{"name": "city", "value": []}]}},
        "included_filters.filters[0].value is empty",
    ),
    "segment id": (WesUpdateSegmentOperator, {"segment_id": " ", "name": "n"}, "segment_id is empty"),
    "sensor file id": (WesCouponFileSensor, {**SENSOR, "coupon_file_id": ".."}, "coupon_file_id is '..'"),
}


@pytest.mark.parametrize(("operator", "arguments", "message"), KNOWN_AT_PARSE_TIME.values(), ids=KNOWN_AT_PARSE_TIME)
def test_what_is_known_at_parse_time_is_checked_then(operator: Any, arguments: dict[str, Any], message: str):
    with pytest.raises(WesConfigurationError, match=re.escape(message)) as raised:
        operator(task_id="t", **arguments)
    assert "hunter2" not in str(raised.value)


def test_what_a_template_fills_in_is_left_for_later():
    WesUploadCouponFileOperator(task_id="u", coupon_list_id="{{ x }}", file_url="{{ y }}", on_duplicate="{{ z }}")
    WesCreateCatalogOperator(task_id="c", name="{{ x }}", price_currency="{{ y }}", attributes="attributes.json")
    WesUpdateSegmentOperator(task_id="s", segment_id="{{ x }}", included_filters="{{ y }}")
    WesCouponFileSensor(task_id="w", coupon_list_id="{{ x }}", coupon_file_id="{{ y }}")


def test_a_value_that_compares_as_tables_do_is_left_to_the_check_of_its_argument():
    class Table:
        def __eq__(self, other: object) -> Any:
            return self

        def __bool__(self) -> bool:
            raise ValueError("The truth value of a Table is ambiguous.")

        __hash__ = None  # type: ignore[assignment]

    with DAG("d", schedule=None, render_template_as_native_obj=True):
        task = WesUpdateSegmentOperator(task_id="t", segment_id="s", included_filters="{{ table }}")
    task.render_template_fields({"table": Table()})
    with pytest.raises(WesConfigurationError, match="included_filters takes an object"):
        task._body()
