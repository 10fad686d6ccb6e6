"""Arguments that cannot be sent, known when a task runs: it fails at once, names the field, and sends nothing."""

from __future__ import annotations

import json

import pytest

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator

UPLOAD = "WesUploadCouponFileOperator(task_id=TASK_ID, coupon_list_id={0}, file_url={1}{2})"
CATALOG = "WesCreateCatalogOperator(task_id=TASK_ID, name={0}, price_currency={1}, attributes={2})"
SEGMENT = "WesUpdateSegmentOperator(task_id=TASK_ID, segment_id={0}, {1})"
SENSOR = "WesCouponFileSensor(task_id=TASK_ID, coupon_list_id='l', coupon_file_id={0})"
FILES = "WesReplenishCouponListOperator(task_id=TASK_ID, coupon_list_id='l', files=[{0}])"
FILTER = "included_filters=all_of(user_attribute('id', {0}))"
BLANK = "\"{{ dag_run.conf.get('nothing', '') }}\""
INJECTION = "\"{{ 'a' ~ '\\\\r\\\\n' ~ 'X-Injected: 1' }}\""
PULLED = "\"{{ ti.xcom_pull(task_ids='nothing') }}\""
SETUP = """
URL = "https://files.example.com/coupons.csv"
nothing = task(task_id="nothing")(lambda: None)()
"""

NONE = {  # in both ways to render
    "filters": (SEGMENT.format("'s'", "name='n', included_filters=nothing"), "included_filters"),
    "name": (SEGMENT.format("'s'", "updated_by='a', name=nothing"), "name"),
    "template": ("nothing >> " + SEGMENT.format("'s'", f"name='n', updated_by={PULLED}"), "updated_by"),
    "identifier": ("nothing >> " + SEGMENT.format(PULLED, "name='n'"), "segment_id"),
    "optional": (UPLOAD.format("'l'", "URL", ", name=nothing"), "name"),
    "two": (SEGMENT.format("'s'", "name=nothing, updated_by='{{ none }}'"), "name, updated_by"),
    "catalog": (CATALOG.format("nothing", "'EUR'", "[]"), "name"),
    "files": (
        "nothing >> " + FILES.format(f"dict(file_url=URL, callback_url='{{{{ none }}}}', name={PULLED})"),
        "{{ none }}, {{ ti.xcom_pull(task_ids='nothing') }}",
    ),
}
TEXTS = {
    "list": (UPLOAD.format(BLANK, "URL", ""), "coupon_list_id is empty"),
    "injected_list": (UPLOAD.format(INJECTION, "URL", ""), "coupon_list_id holds control characters"),
    "url": (UPLOAD.format("'l'", BLANK, ""), "file_url is empty"),
    "two_urls": (UPLOAD.format("'l'", "\"{{ 'https://a/x,https://b/y' }}\"", ""), "exactly one, not"),
    "injected_name": (UPLOAD.format("'l'", "URL", f", name={INJECTION}"), "name holds control characters"),
    "catalog_name": (CATALOG.format(BLANK, "'EUR'", "[]"), "name is empty"),
    "currency": (CATALOG.format("'c'", "\"{{ 'EURO' }}\"", "[]"), "price_currency 'EURO'"),
    "attributes": (CATALOG.format("'c'", "'EUR'", "\"{{ [1, 'a'] }}\""), "attributes is a text that is not JSON"),
    "segment": (SEGMENT.format(BLANK, "name='n'"), "segment_id is empty"),
    "filters_none": (SEGMENT.format("'s'", "included_filters='{{ none }}'"), "included_filters"),
    "nobody": (SEGMENT.format("'s'", FILTER.format("'{{ [] }}'")), "filters[0].value is the text of a Python or JSON"),
    "blank_value": (SEGMENT.format("'s'", FILTER.format(BLANK)), "included_filters.filters[0].value is empty"),
    "one_value": (SEGMENT.format("'s'", FILTER.format("['{{ none }}', 'None']")), "{{ none }} rendered to None\n"),
    "nobody_natively": (
        SEGMENT.format("'s'", FILTER.format("task(task_id='nobody')(lambda: [])()")),
        "included_filters.filters[0].value is empty",
    ),
    "sensor": (SENSOR.format(BLANK), "coupon_file_id is empty"),
}


@pytest.mark.parametrize("native", [False, True], ids=["text", "native"])
def test_what_cannot_be_sent_is_named_and_nothing_is_sent(site: AirflowSite, wes_emulator: Emulator, native: bool):
    site.env = wes_emulator.connection_env()
    refused = {name: (line, f"{fields} rendered to None\n") for name, (line, fields) in NONE.items()}
    refused |= {} if native else TEXTS
    run = site.run(
        SETUP + "\n".join(line.replace("TASK_ID", repr(name)) for name, (line, _) in refused.items()),
        default_args={"retries": 2, "retry_delay": 0},
        render_template_as_native_obj=native,
    )
    for name, (_, message) in refused.items():
        assert run.ti(name).state == "failed", name
        assert run.ti(name).try_number == 1, "a retry cannot help"
        assert message in run.exception(name).message, name
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
            WesUploadCouponFileOperator(
                task_id=name, coupon_list_id="l", file_url="https://files.example.com/a.csv", wes_conn_id=name
            )
        """,
        default_args={"retries": 2, "retry_delay": 0},
    )
    for name, (_, message) in CONNECTIONS.items():
        assert run.ti(name).state == "failed", name
        assert run.ti(name).try_number == 1, "a retry cannot help"
        assert message in run.exception(name).message, name
        assert "wrong-key" not in run.log(name)
    assert wes_emulator.files("l") == []
