"""The segment operators through real task runs."""

from __future__ import annotations

import json

import pytest

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator, faults

FILTERS = {"filter_operator": "and", "filters": [{"filter_type": "user_attributes", "name": "city", "value": ["Oslo"]}]}


def test_a_segment_is_updated_with_the_data_key(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    (site.dags / "filters.json").write_text(json.dumps(FILTERS))
    run = site.run(
        """
        from wes_provider.models import all_of, user_attribute

        @task
        def cities():
            return ["Rome", "Oslo"]

        WesUpdateSegmentOperator(
            task_id="t", segment_id="s-{{ 1 }}", name="n", updated_by="a@b.example",
            included_filters=all_of(user_attribute("city", cities())),
        )
        WesUpdateSegmentOperator(task_id="f", segment_id="s-2", included_filters="filters.json")
        """
    )
    assert run.state == "success"
    assert run.xcom("t") == "s-1"
    assert run.xcom("t", "segment")["id"] == "s-1"
    segments = wes_emulator.segments
    assert segments["s-1"]["name"] == "n"
    assert segments["s-1"]["updated_by"] == "a@b.example"
    assert segments["s-1"]["included_filters"]["filters"][0]["value"] == ["Rome", "Oslo"]
    assert segments["s-2"]["included_filters"] == FILTERS
    assert run.rendered("t")["included_filters"]["filters"][0]["value"] == ["Rome", "Oslo"]


def test_an_empty_segment_is_sent_only_where_it_is_meant(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    run = site.run(
        """
        nobody = task(task_id="nobody")(lambda: [])()
        filters = {"filter_operator": "and", "filters": nobody}
        WesUpdateSegmentOperator(task_id="refused", segment_id="s-1", included_filters=filters)
        WesUpdateSegmentOperator(task_id="meant", segment_id="s-2", included_filters=filters, allow_empty=True)
        """
    )
    assert run.states() == {"nobody": "success", "refused": "failed", "meant": "success"}
    assert list(wes_emulator.segments) == ["s-2"]


@pytest.mark.one_airflow("requests are repeated apart from Airflow")
def test_a_segment_update_outlasts_a_bad_moment(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    wes_emulator.fail("update_segment", faults.error(503))
    wes_emulator.fail("update_segment", faults.reply_lost())
    run = site.run('WesUpdateSegmentOperator(task_id="t", segment_id="s", name="n")')
    assert run.state == "success"
    assert len(wes_emulator.requests) == 3
