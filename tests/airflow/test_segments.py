"""
The segment operator through real task runs: the DAG is ``support/dags/segments.py``, whose tasks get
their filters from a task, from a file, and from a task that finds nobody.
"""

from __future__ import annotations

import json

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator

FILTERS = {
    "filter_operator": "and",
    "filters": [{"filter_type": "user_attributes", "name": "city", "value": ["Oslo"]}],
}


def test_segments_are_updated_with_the_filters_of_a_task_of_a_file_and_of_nobody(
    site: AirflowSite, wes_emulator: Emulator
):
    """
    One run for all three, since starting a run takes longer than a further task. The task with the
    filters of a task has its update as XComs and its filters as rendered.
    """
    (site.dags / "filters.json").write_text(json.dumps(FILTERS))
    run = site.run(site.write_dag_file("segments"))
    assert run.state == "success"

    of_a_task = wes_emulator.segments["s-1"]
    assert (of_a_task["name"], of_a_task["updated_by"]) == ("n", "a@b.example")
    assert of_a_task["included_filters"]["filters"][0]["value"] == ["Rome", "Oslo"]
    assert wes_emulator.segments["s-2"]["included_filters"] == FILTERS
    assert wes_emulator.segments["s-3"]["included_filters"]["filters"] == []

    assert run.xcom("t") == "s-1"
    assert run.xcom("t", "segment")["id"] == "s-1"
    assert run.rendered("t")["included_filters"]["filters"][0]["value"] == ["Rome", "Oslo"]
