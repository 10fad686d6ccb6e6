"""Bad input: a clear error, at parse time where it is known then, before anything is sent."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator
from wes_provider.exceptions import WesConfigurationError
from wes_provider.operators import (
    WesCreateCatalogOperator,
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
    "relative URL": (WesUploadCouponFileOperator, {**UPLOAD, "file_url": "c.csv"}, "file_url takes an absolute URL"),
    "second URL": (WesUploadCouponFileOperator, {**UPLOAD, "file_url": f"{URL} {URL}"}, "exactly one URL"),
    "list of URLs": (WesUploadCouponFileOperator, {**UPLOAD, "file_url": [URL]}, "file_url takes exactly one URL"),
    "relative URL beside a template": (
        WesUploadCouponFileOperator,
        {**UPLOAD, "file_url": "c.csv", "name": "{{ ds }}"},
        "file_url takes an absolute URL",
    ),
    "list id empty": (WesUploadCouponFileOperator, {**UPLOAD, "coupon_list_id": ""}, "coupon_list_id is empty"),
    "list id none": (WesUploadCouponFileOperator, {**UPLOAD, "coupon_list_id": None}, "coupon_list_id takes a text"),
    "two ways to log in": (
        WesUploadCouponFileOperator,
        {**UPLOAD, "file_url_auth_username": "u", "file_url_auth_conn_id": "c"},
        "give the one or the other",
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
        "coupon_file_statuses has 'done'",
    ),
    "currency": (WesCreateCatalogOperator, {**CATALOG, "price_currency": "XXX"}, "price_currency 'XXX'"),
    "attribute twice": (
        WesCreateCatalogOperator,
        {**CATALOG, "attributes": CATALOG["attributes"] * 2},
        "attributes[1].name 'id' stands twice",
    ),
    "attribute without name": (
        WesCreateCatalogOperator,
        {**CATALOG, "attributes": [{"name": "", "type": "string"}]},
        "attributes[0].name is empty",
    ),
    "attribute without type": (
        WesCreateCatalogOperator,
        {**CATALOG, "attributes": [{"name": "id"}]},
        "attributes[0].type takes a text",
    ),
    "segment nothing": (WesUpdateSegmentOperator, SEGMENT, "nothing to update"),
    "segment no filters": (
        WesUpdateSegmentOperator,
        {**SEGMENT, "included_filters": {"filter_operator": "and", "filters": []}},
        "included_filters.filters is empty",
    ),
    "segment no values": (
        WesUpdateSegmentOperator,
        {**SEGMENT, "included_filters": {"filters": [{"name": "city", "value": []}]}},
        "included_filters.filters[0].value is empty",
    ),
    "segment id": (WesUpdateSegmentOperator, {"segment_id": " ", "name": "n"}, "segment_id is empty"),
    "sensor file id": (WesCouponFileSensor, {**SENSOR, "coupon_file_id": ".."}, "coupon_file_id is '..'"),
    "sensor statuses": (
        WesCouponFileSensor,
        {**SENSOR, "coupon_file_statuses": {"success": "DONE"}},
        "coupon_file_statuses.success takes a list",
    ),
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


KNOWN_AT_RUN_TIME = {
    "blank list id": (
        'WesUploadCouponFileOperator(task_id="t", coupon_list_id="{{ \'\' }}", file_url=URL)',
        "coupon_list_id is empty",
    ),
    "blank URL": (
        'WesUploadCouponFileOperator(task_id="t", coupon_list_id="l", file_url="{{ \'\' }}")',
        "file_url is empty",
    ),
    "two URLs": (
        """WesUploadCouponFileOperator(task_id="t", coupon_list_id="l", file_url="{{ 'https://a/x,https://b/y' }}")""",
        "exactly one URL",
    ),
    "currency": (
        'WesCreateCatalogOperator(task_id="t", name="c", price_currency="{{ \'EURO\' }}", attributes=[])',
        "price_currency 'EURO'",
    ),
    "attributes that are no JSON": (
        'WesCreateCatalogOperator(task_id="t", name="c", price_currency="EUR", attributes="{{ [1, \'a\'] }}")',
        "attributes is a text that is no JSON",
    ),
    "upstream found nobody": (
        """WesUpdateSegmentOperator(task_id="t", segment_id="s", included_filters=all_of(
            user_attribute("id", "{{ [] }}")))""",
        "included_filters.filters[0].value takes a list, not the text '[]'",
    ),
    "upstream found nobody, natively": (
        """WesUpdateSegmentOperator(task_id="t", segment_id="s", included_filters=all_of(
            user_attribute("id", task(task_id="nobody")(lambda: [])())))""",
        "included_filters.filters[0].value is empty",
    ),
    "sensor's file": (
        'WesCouponFileSensor(task_id="t", coupon_list_id="l", coupon_file_id="{{ \'\' }}")',
        "coupon_file_id is empty",
    ),
}


@pytest.mark.parametrize(("tasks", "message"), KNOWN_AT_RUN_TIME.values(), ids=KNOWN_AT_RUN_TIME)
def test_the_rest_is_checked_before_anything_is_sent(
    site: AirflowSite, wes_emulator: Emulator, tasks: str, message: str
):
    site.env = wes_emulator.connection_env()
    run = site.run(
        f"from wes_provider.models import all_of, user_attribute\nURL = {URL!r}\n{tasks}",
        default_args={"retries": 2, "retry_delay": 0},
    )
    assert run.ti("t").state == "failed"
    assert run.ti("t").try_number == 1, "a retry cannot help"
    assert message in run.exception("t").message
    assert wes_emulator.requests == []


def test_an_argument_that_renders_to_the_word_none_is_sent_as_it_is(site: AirflowSite, wes_emulator: Emulator):
    """Jinja without native rendering makes a text of everything; there is no telling it from a list called None."""
    site.env = wes_emulator.connection_env()
    run = site.run(f'WesUploadCouponFileOperator(task_id="t", coupon_list_id="{{{{ none }}}}", file_url={URL!r})')
    assert run.state == "success"
    assert wes_emulator.requests[0].raw_path == "/v1/coupon-list/None/files"


CONNECTIONS = {
    "no host": ({"host": ""}, "host is missing"),
    "data center x": ({"extra": {"data_center": "x"}}, "data_center 'x' is not two or three digits"),
    "plain http": ({"host": "http://wes.example.com"}, "plain http"),
    "no key": ({"password": ""}, "password is missing"),
    "wrong key": ({"password": "wrong-key"}, "401 request-unauthenticated"),
}


@pytest.mark.parametrize(("changes", "message"), CONNECTIONS.values(), ids=CONNECTIONS)
def test_a_connection_that_cannot_be_used_fails_the_task_at_once(
    site: AirflowSite, wes_emulator: Emulator, changes: dict[str, Any], message: str
):
    site.env = {"AIRFLOW_CONN_WES_DEFAULT": json.dumps({**wes_emulator.connection(), **changes})}
    run = site.run(
        f'WesUploadCouponFileOperator(task_id="t", coupon_list_id="l", file_url={URL!r})',
        default_args={"retries": 2, "retry_delay": 0},
    )
    assert run.ti("t").state == "failed"
    assert run.ti("t").try_number == 1, "a retry cannot help"
    assert message in run.exception("t").message
    assert wes_emulator.files("l") == []
    assert "wrong-key" not in run.log("t")
