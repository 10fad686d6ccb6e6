"""What Airflow makes of templated arguments, through real task runs."""

from __future__ import annotations

import json

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator


def test_what_the_dag_itself_leaves_out_or_calls_none_is_sent(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    run = site.run(
        """
        WesUpdateSegmentOperator(task_id="t", segment_id="None", name="None", updated_by=None,
            included_filters=all_of(user_attribute("team", ["None", "{{ 'a' }}"])))
        """
    )
    assert run.state == "success"
    (request,) = wes_emulator.requests_for("update_segment")
    assert json.loads(request.body)["included_filters"]["filters"][0]["value"] == ["None", "a"]
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
