"""What Airflow makes of templated arguments, through real task runs."""

from __future__ import annotations

import pytest

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator

NOTHING = "nothing = task(task_id='nothing')(lambda: None)()\n"

WITHOUT_VALUE = {
    "filters_of_another_task": (
        'WesUpdateSegmentOperator(task_id=TASK_ID, segment_id="s", name="n", included_filters=nothing)',
        "included_filters",
    ),
    "name_of_another_task": (
        'WesUpdateSegmentOperator(task_id=TASK_ID, segment_id="s", updated_by="a", name=nothing)',
        "name",
    ),
    "template": (
        """nothing >> WesUpdateSegmentOperator(
            task_id=TASK_ID, segment_id="s", name="n", updated_by="{{ ti.xcom_pull(task_ids='nothing') }}"
        )""",
        "updated_by",
    ),
    "template_in_the_place_of_an_identifier": (
        """nothing >> WesUpdateSegmentOperator(
            task_id=TASK_ID, name="n", segment_id="{{ ti.xcom_pull(task_ids='nothing') }}"
        )""",
        "segment_id",
    ),
    "optional_argument_of_an_upload": (
        'WesUploadCouponFileOperator(task_id=TASK_ID, coupon_list_id="l", file_url="https://a.example", name=nothing)',
        "name",
    ),
    "two_arguments": (
        'WesUpdateSegmentOperator(task_id=TASK_ID, segment_id="s", name=nothing, updated_by="{{ none }}")',
        "name, updated_by",
    ),
    "catalog": (
        'WesCreateCatalogOperator(task_id=TASK_ID, name=nothing, price_currency="EUR", attributes=[])',
        "name",
    ),
}


@pytest.mark.parametrize("native", [False, True], ids=["text", "native"])
def test_an_argument_that_renders_to_none_is_an_error_that_names_it(
    site: AirflowSite, wes_emulator: Emulator, native: bool
):
    site.env = wes_emulator.connection_env()
    run = site.run(
        NOTHING + "\n".join(tasks.replace("TASK_ID", repr(task_id)) for task_id, (tasks, _) in WITHOUT_VALUE.items()),
        default_args={"retries": 2, "retry_delay": 0},
        render_template_as_native_obj=native,
    )
    for task_id, (_, fields) in WITHOUT_VALUE.items():
        assert run.ti(task_id).state == "failed", task_id
        assert run.ti(task_id).try_number == 1, "a retry cannot help"
        message = run.exception(task_id).message
        assert f"{fields} rendered to None\n" in message, task_id
    assert wes_emulator.requests == []


FILES_WITHOUT_VALUE = {
    "templates": """[{"file_url": "https://a.example/c", "name": None}, {"file_url": "https://a.example/d",
        "callback_url": "{{ none }}", "name": "{{ ti.xcom_pull(task_ids='nothing') }}"}]""",
}


@pytest.mark.one_airflow("each Airflow renders arguments to None above")
@pytest.mark.parametrize("native", [False, True], ids=["text", "native"])
def test_a_file_with_an_argument_that_renders_to_none_is_not_uploaded(
    site: AirflowSite, wes_emulator: Emulator, native: bool
):
    site.env = wes_emulator.connection_env()
    tasks = [
        f"nothing >> WesReplenishCouponListOperator(task_id={task_id!r}, coupon_list_id='l', files={files})"
        for task_id, files in FILES_WITHOUT_VALUE.items()
    ]
    run = site.run(NOTHING + "\n".join(tasks), render_template_as_native_obj=native)
    for task_id in FILES_WITHOUT_VALUE:
        assert run.ti(task_id).state == "failed"
        message = run.exception(task_id).message
        assert "{{ none }}, {{ ti.xcom_pull(task_ids='nothing') }} rendered to None" in message, task_id
    assert wes_emulator.requests == []


def test_arguments_that_the_dag_leaves_out_may_be_none(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    run = site.run('WesUpdateSegmentOperator(task_id="t", segment_id="None", name="None", updated_by=None)')
    assert run.state == "success"
    assert wes_emulator.segments["None"]["name"] == "None"


def test_native_rendering_leaves_texts_alone(site: AirflowSite, wes_emulator: Emulator):
    """It would read these identifiers as numbers."""
    site.env = wes_emulator.connection_env()
    run = site.run(
        """
        number = task(task_id="number")(lambda: 17)()
        for task_id, segment_id in {"a": "{{ 123 }}", "d": number}.items():
            WesUpdateSegmentOperator(
                task_id=task_id, segment_id=segment_id, updated_by="me",
                included_filters={"filter_operator": "and", "filters": "{{ params.filters }}"},
            )
        WesCreateCatalogOperator(task_id="e", name="{{ 2025 }}", price_currency="EUR", attributes="{{ [] }}")
        """,
        render_template_as_native_obj=True,
        params={"filters": [{"filter_type": "user_attributes", "name": "age", "value": [1, 2]}]},
    )
    assert run.state == "success"
    assert sorted(wes_emulator.segments) == ["123", "17"]
    assert wes_emulator.segments["17"]["included_filters"]["filters"][0]["value"] == [1, 2]
    assert [catalog["name"] for catalog in wes_emulator.catalogs.values()] == ["2025"]
