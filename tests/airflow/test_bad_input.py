"""Bad input: a clear error, at parse time where it is known then, before anything is sent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator

URL = "https://files.example.com/coupons.csv"


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
        "included_filters.filters[0].value is the text of a Python or JSON object",
    ),
    "upstream found nobody, natively": (
        """WesUpdateSegmentOperator(task_id="t", segment_id="s", included_filters=all_of(
            user_attribute("id", task(task_id="nobody")(lambda: [])())))""",
        "included_filters.filters[0].value is empty",
    ),
    "upstream found nothing for one of the values": (
        """WesUpdateSegmentOperator(task_id="t", segment_id="s", included_filters=all_of(
            user_attribute("id", ["{{ none }}", "None"])))""",
        "included_filters.filters[0].value[0] is the text of a Python or JSON object",
    ),
    "a list in one of the values": (
        """WesUpdateSegmentOperator(task_id="t", segment_id="s", included_filters=all_of(
            user_attribute("id", ["{{ ['a', 'b'] }}"])))""",
        "included_filters.filters[0].value[0] is the text of a Python or JSON object",
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


def test_the_text_none_is_sent_if_the_dag_itself_has_it(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    run = site.run(
        """
        from wes_provider.models import all_of, user_attribute
        WesUpdateSegmentOperator(task_id="t", segment_id="s", name="{{ 'n' }}", included_filters=all_of(
            user_attribute("team", ["None", "{{ 'a' }}"])))
        """
    )
    assert run.state == "success"
    (request,) = wes_emulator.requests_for("update_segment")
    assert json.loads(request.body)["included_filters"]["filters"][0]["value"] == ["None", "a"]
