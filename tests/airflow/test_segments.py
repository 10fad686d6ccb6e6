"""
The segment operator. A segment's filters may hold the result of another task, or be the name of a
JSON file in the folder of DAGs. With ``allow_empty=True`` they may be empty, and the segment loses
those that it had. The task sends the name and the user that it is given, returns the segment's
identifier, which may be a template, and has the segment as the XCom ``segment``. Airflow shows the
filters as they were rendered. All tests read one run of ``support/dags/segments.py``.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from support.airflow_site import AirflowSite, Run
from wes_provider.emulator import Emulator

FILTERS = {
    "filter_operator": "and",
    "filters": [{"filter_type": "user_attributes", "name": "city", "value": ["Oslo"]}],
}
SEED = {"version": 1, "segments": [{"id": "s-3", "included_filters": FILTERS}]}


class Updated(NamedTuple):
    """The run, and the segments after it, by identifier."""

    run: Run
    segments: dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def updated(module_site: AirflowSite, module_emulator: Emulator) -> Updated:
    """Of three segments, only s-3 has filters before the run."""
    module_emulator.reset(SEED)
    (module_site.dags / "filters.json").write_text(json.dumps(FILTERS))
    run = module_site.run(module_site.write_dag_file("segments"))
    return Updated(run, module_emulator.segments)


def test_a_run_that_updates_three_segments_succeeds(updated: Updated):
    assert updated.run.state == "success"


def test_a_segment_has_the_filters_that_another_task_gives_a_part_of(updated: Updated):
    (city,) = updated.segments["s-1"]["included_filters"]["filters"]
    assert city["value"] == ["Rome", "Oslo"]


def test_a_segment_has_the_name_and_the_user_of_its_task(updated: Updated):
    segment = updated.segments["s-1"]
    assert (segment["name"], segment["updated_by"]) == ("n", "a@b.example")


def test_a_segment_has_the_filters_of_a_file(updated: Updated):
    assert updated.segments["s-2"]["included_filters"] == FILTERS


def test_a_segment_that_may_be_empty_loses_the_filters_that_it_had(updated: Updated):
    assert updated.segments["s-3"]["included_filters"]["filters"] == []


def test_a_task_that_updates_a_segment_returns_its_rendered_identifier(updated: Updated):
    assert updated.run.xcom("t") == "s-1"


def test_a_task_that_updates_a_segment_has_the_segment_as_an_xcom(updated: Updated):
    assert updated.run.xcom("t", "segment")["id"] == "s-1"


def test_airflow_shows_the_filters_of_a_task_as_they_were_rendered(updated: Updated):
    (city,) = updated.run.rendered("t")["included_filters"]["filters"]
    assert city["value"] == ["Rome", "Oslo"]
