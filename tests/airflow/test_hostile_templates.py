"""Templates that render to nothing, or to what must not be sent: the task fails at once and names the field."""

from __future__ import annotations

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator

NOTHING = "{{ dag_run.conf.get('nothing', '') }}"
NONE = "{{ dag_run.conf.get('nothing') }}"
INJECTION = "{{ 'a' ~ '\\r\\n' ~ 'X-Injected: 1' }}"
URL = "https://files.example.com/coupons.csv"

TASKS: dict[str, tuple[str, str, str]] = {
    "list": ("WesUploadCouponFileOperator", f"coupon_list_id={NOTHING!r}, file_url={URL!r}", "coupon_list_id is empty"),
    "url": ("WesUploadCouponFileOperator", f"coupon_list_id='l', file_url={NOTHING!r}", "file_url is empty"),
    "name": (
        "WesUploadCouponFileOperator",
        f"coupon_list_id='l', file_url={URL!r}, name={INJECTION!r}",
        "name holds control characters",
    ),
    "injected_list": (
        "WesUploadCouponFileOperator",
        f"coupon_list_id={INJECTION!r}, file_url={URL!r}",
        "coupon_list_id holds control characters",
    ),
    "catalog": (
        "WesCreateCatalogOperator",
        f"name={NOTHING!r}, price_currency='EUR', attributes=[]",
        "name is empty",
    ),
    "attributes": (
        "WesCreateCatalogOperator",
        f"name='c', price_currency='EUR', attributes={NOTHING!r}",
        "attributes is a text that is not JSON",
    ),
    "segment": ("WesUpdateSegmentOperator", f"segment_id={NOTHING!r}, name='n'", "segment_id is empty"),
    "filters": (
        "WesUpdateSegmentOperator",
        f"segment_id='s', included_filters=all_of(user_attribute('city', {NOTHING!r}))",
        "included_filters.filters[0].value is empty",
    ),
    "no_filters": ("WesUpdateSegmentOperator", f"segment_id='s', included_filters={NONE!r}", "included_filters"),
    "sensor": ("WesCouponFileSensor", f"coupon_list_id='l', coupon_file_id={NOTHING!r}", "coupon_file_id is empty"),
}


def test_what_templates_leave_empty_is_named_and_nothing_is_sent(site: AirflowSite, wes_emulator: Emulator):
    run = site.run(
        "\n".join(f"{operator}(task_id={task!r}, {arguments})" for task, (operator, arguments, _) in TASKS.items()),
        default_args={"retries": 3},
    )
    assert run.states() == dict.fromkeys(TASKS, "failed")
    for task, (_, _, expected) in TASKS.items():
        (failure,) = run.failures(task)
        assert expected in failure.message, task
    assert wes_emulator.requests == []
