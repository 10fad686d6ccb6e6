"""Bad input: a clear error, at parse time where it is known then, before anything is sent."""

from __future__ import annotations

import json

import pytest

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator

URL = "https://files.example.com/coupons.csv"


KNOWN_AT_RUN_TIME = {
    "blank_list_id": (
        "WesUploadCouponFileOperator(task_id=TASK_ID, coupon_list_id=\"{{ '' }}\", file_url=URL)",
        "coupon_list_id is empty",
    ),
    "blank_URL": (
        'WesUploadCouponFileOperator(task_id=TASK_ID, coupon_list_id="l", file_url="{{ \'\' }}")',
        "file_url is empty",
    ),
    "two_URLs": (
        """WesUploadCouponFileOperator(
            task_id=TASK_ID, coupon_list_id="l", file_url="{{ 'https://a/x,https://b/y' }}")""",
        "exactly one, not",
    ),
    "currency": (
        'WesCreateCatalogOperator(task_id=TASK_ID, name="c", price_currency="{{ \'EURO\' }}", attributes=[])',
        "price_currency 'EURO'",
    ),
    "attributes_that_are_no_JSON": (
        'WesCreateCatalogOperator(task_id=TASK_ID, name="c", price_currency="EUR", attributes="{{ [1, \'a\'] }}")',
        "attributes is a text that is not JSON",
    ),
    "upstream_found_nobody": (
        """WesUpdateSegmentOperator(task_id=TASK_ID, segment_id="s", included_filters=all_of(
            user_attribute("id", "{{ [] }}")))""",
        "included_filters.filters[0].value is the text of a Python or JSON object",
    ),
    "upstream_found_nobody_natively": (
        """WesUpdateSegmentOperator(task_id=TASK_ID, segment_id="s", included_filters=all_of(
            user_attribute("id", task(task_id="nobody")(lambda: [])())))""",
        "included_filters.filters[0].value is empty",
    ),
    "upstream_found_nothing_for_one_of_the_values": (
        """WesUpdateSegmentOperator(task_id=TASK_ID, segment_id="s", included_filters=all_of(
            user_attribute("id", ["{{ none }}", "None"])))""",
        "{{ none }} rendered to None",
    ),
    "sensor_s_file": (
        'WesCouponFileSensor(task_id=TASK_ID, coupon_list_id="l", coupon_file_id="{{ \'\' }}")',
        "coupon_file_id is empty",
    ),
}


def test_the_rest_is_checked_before_anything_is_sent(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    tasks = [tasks.replace("TASK_ID", repr(task_id)) for task_id, (tasks, _) in KNOWN_AT_RUN_TIME.items()]
    run = site.run(
        "\n".join(["from wes_provider.models import all_of, user_attribute", f"URL = {URL!r}", *tasks]),
        default_args={"retries": 2, "retry_delay": 0},
    )
    for task_id, (_, message) in KNOWN_AT_RUN_TIME.items():
        assert run.ti(task_id).state == "failed", task_id
        assert run.ti(task_id).try_number == 1, "a retry cannot help"
        assert message in run.exception(task_id).message, task_id
    assert wes_emulator.requests == []


CONNECTIONS = {
    "no_host": ({"host": ""}, "host (Address) is missing"),
    "data_center_x": ({"extra": {"data_center": "x"}}, "data_center takes two or three digits such as 01, not 'x'"),
    "plain_http": ({"host": "http://wes.example.com"}, "plain http"),
    "no_key": ({"password": ""}, "password (Campaign API key) is missing"),
    "wrong_key": ({"password": "wrong-key"}, "401 request-unauthenticated"),
}


@pytest.mark.one_airflow("the connection is checked apart from Airflow, and each fails tasks at once above")
def test_a_connection_that_cannot_be_used_fails_the_task_at_once(site: AirflowSite, wes_emulator: Emulator):
    site.env = {
        f"AIRFLOW_CONN_{name.upper()}": json.dumps({**wes_emulator.connection(), **changes})
        for name, (changes, _) in CONNECTIONS.items()
    }
    run = site.run(
        f"""
        for name in {list(CONNECTIONS)}:
            WesUploadCouponFileOperator(task_id=name, coupon_list_id="l", file_url={URL!r}, wes_conn_id=name)
        """,
        default_args={"retries": 2, "retry_delay": 0},
    )
    for name, (_, message) in CONNECTIONS.items():
        assert run.ti(name).state == "failed", name
        assert run.ti(name).try_number == 1, "a retry cannot help"
        assert message in run.exception(name).message, name
        assert "wrong-key" not in run.log(name)
    assert wes_emulator.files("l") == []


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
