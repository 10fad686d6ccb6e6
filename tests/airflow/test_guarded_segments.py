"""
Guarded segments through real task runs: who shares a history, and the examples. What a guard stops
is in ``test_guarded_updates.py``, and restores are in ``test_restored_segments.py``.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite
from support.examples import prepare
from support.guarded_segments import CITIES, UPDATE, refresh, sent, updating
from wes_provider.emulator import Emulator


def test_a_dag_that_airflow_has_not_stored_runs(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    run = refresh(site, site.write_tasks(UPDATE.format(guard="", arguments="")), CITIES)
    assert run.state == "success"
    assert sent(wes_emulator) == [CITIES]


@pytest.mark.ci("unit/guards has two writers of one history")
@pytest.mark.skipif(AIRFLOW_VERSION < (3, 3), reason="DAGs share a history from Airflow 3.3 on")
def test_two_dags_on_one_segment_share_its_history(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    one, other = updating(site), updating(site)
    refresh(site, one, CITIES)
    assert refresh(site, other, CITIES[:10]).state == "failed"
    assert refresh(site, other, [*CITIES, "x"]).state == "success"
    run = refresh(site, one, CITIES)
    assert run.xcom("t", "plan")["verdict"] == "send", "the other DAG has sent something else since"
    site.write_tasks('WesRestoreSegmentOperator(task_id="t", segment_id="shoppers")', dag_id="undo")
    assert site.run("undo").state == "success"
    assert sent(wes_emulator)[-1] == [*CITIES, "x"]


@pytest.mark.ci("unit/guards has the keys of histories")
def test_mapped_updates_have_a_history_each(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    dag_id = site.write_tasks(
        """
        from wes_provider.guards import SegmentGuard

        WesUpdateSegmentOperator.partial(task_id="t", guard=SegmentGuard(max_removed="{{ 0.5 }}")).expand_kwargs(
            task(task_id="rows")(
                lambda **context: [
                    {"segment_id": key, "included_filters": all_of(user_attribute("city", values))}
                    for key, values in context["dag_run"].conf["rows"]
                ]
            )()
        )
        """
    )
    first = site.run(dag_id, conf={"rows": [["a", CITIES[:4]], ["b", CITIES]]})
    assert first.state == "success"
    second = site.run(dag_id, conf={"rows": [["b", CITIES[:9]], ["a", CITIES[:4]]]})
    assert second.states() == {"rows": "success", "t[0]": "failed", "t[1]": "success"}
    assert second.xcom("t", "plan", map_index=1)["verdict"] == "unchanged"


LOOP = """
    from airflow.sdk import task_group
    from wes_provider.guards import SegmentGuard

    @task_group
    def batch():
        @task
        def done(segment_id):
            return segment_id

        done(WesUpdateSegmentOperator(
            task_id="t", segment_id="shoppers", included_filters="{{ dag_run.conf | tojson }}",
            guard=SegmentGuard(),
        ).output)

    batch.loop(max_iterations=3)
"""


@pytest.mark.skipif(AIRFLOW_VERSION < (3, 4), reason="loops come with Airflow 3.4")
def test_iterations_of_a_loop_share_the_history(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    dag_id = site.write_tasks(LOOP)
    site.airflow("dags", "reserialize")  # Airflow knows the assets of a DAG then

    def verdicts(cities: list[str]) -> list[Any]:
        filters = {
            "filter_operator": "and",
            "filters": [{"name": "city", "operator": "in", "value": cities}],
        }
        run = site.run(dag_id, conf=filters)
        indexes = sorted(ti.map_index for ti in run.tis() if ti.task_id == "batch.t")
        return [run.xcoms("batch.t", index).get("plan", {}).get("verdict") for index in indexes]

    assert verdicts(CITIES) == ["send", "unchanged", "unchanged"]
    assert verdicts([*CITIES, "new"]) == ["send", "unchanged", "unchanged"]
    assert verdicts(CITIES[:10])[0] == "fail"
    assert sent(wes_emulator) == [CITIES, [*CITIES, "new"]]


# -- the examples ----------------------------------------------------------------------------------


def test_the_example_keeps_customers_of_two_cities_who_have_not_unsubscribed(
    site: AirflowSite, wes_emulator: Emulator
):
    prepare(site, wes_emulator, only=["refresh_segment"])
    assert site.run("wes_refresh_segment").state == "success"
    ((segment_id, segment),) = wes_emulator.segments.items()
    assert segment_id == "summer-shoppers"
    first, second = segment["included_filters"]["filters"]
    assert (first["name"], first["value"], first["negate"]) == ("city", ["Lisbon", "Porto"], False)
    assert (second["name"], second["value"], second["negate"]) == ("unsubscribed", ["true"], True)


def test_a_second_run_of_the_example_sends_nothing(site: AirflowSite, wes_emulator: Emulator):
    prepare(site, wes_emulator, only=["refresh_segment"])
    assert site.run("wes_refresh_segment").state == "success"
    second = site.run("wes_refresh_segment")
    assert second.xcom("update_segment", "plan")["verdict"] == "unchanged"
    assert [request.method for request in wes_emulator.requests] == ["PATCH"]


def test_the_example_of_a_replenished_list_starts_the_one_that_refreshes_the_segment(
    site: AirflowSite, wes_emulator: Emulator
):
    prepare(site, wes_emulator, only=["refresh_segment", "replenish_coupon_list"])
    asset = "dataset" if AIRFLOW_VERSION < (3, 0) else "asset"
    started = site.rows(
        f"SELECT task.dag_id AS by, dag.dag_id FROM task_outlet_{asset}_reference task "
        f"JOIN dag_schedule_{asset}_reference dag USING ({asset}_id)"
    )
    assert [(row.by, row.dag_id) for row in started] == [
        ("wes_replenish_coupon_list", "wes_refresh_segment")
    ]


def test_the_example_with_approval_sends_an_update_that_only_adds_cities_without_asking(
    site: AirflowSite, wes_emulator: Emulator
):
    prepare(site, wes_emulator, only=["refresh_segment_with_approval"])
    assert site.run("wes_refresh_segment_with_approval").state == "success"
    more = ["Lisbon", "Porto", "Braga", "Faro", "Evora"]
    assert site.run("wes_refresh_segment_with_approval", conf={"cities": more}).state == "success"
    assert (
        wes_emulator.segments["winter-shoppers"]["included_filters"]["filters"][0]["value"] == more
    )
