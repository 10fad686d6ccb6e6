"""The segment operator through real task runs."""

from __future__ import annotations

import json

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator

FILTERS = {
    "filter_operator": "and",
    "filters": [{"filter_type": "user_attributes", "name": "city", "value": ["Oslo"]}],
}


def test_a_segment_is_updated_with_the_data_key(site: AirflowSite, wes_emulator: Emulator):
    (site.dags / "filters.json").write_text(json.dumps(FILTERS))
    run = site.run(site.write_dag_file("segments"))
    assert run.state == "success"
    assert run.xcom("t") == "s-1"
    assert run.xcom("t", "segment")["id"] == "s-1"
    segments = wes_emulator.segments
    assert (segments["s-1"]["name"], segments["s-1"]["updated_by"]) == ("n", "a@b.example")
    assert segments["s-1"]["included_filters"]["filters"][0]["value"] == ["Rome", "Oslo"]
    assert segments["s-2"]["included_filters"] == FILTERS
    assert segments["s-3"]["included_filters"]["filters"] == []
    assert run.rendered("t")["included_filters"]["filters"][0]["value"] == ["Rome", "Oslo"]
