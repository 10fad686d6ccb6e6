"""
Updates of segments with a guard: which share a history, and what the examples do. What a guard
stops is in ``test_guarded_updates.py``, and restores are in ``test_restored_segments.py``.

From Airflow 3.3 on, a guarded update has the segment's asset as an inlet, and keeps its history
there: all DAGs, iterations of a loop and restores share it. It also runs in a DAG whose assets
Airflow does not know yet. Mapped updates have a history for each segment, not for each index.

The example keeps customers of two cities who have not unsubscribed, sends nothing in a second run,
and is scheduled on the list that another example replenishes. The example with approval sends an
update that adds a city to four without asking.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite
from support.examples import prepare
from support.guarded_segments import CITIES, GUARDED_UPDATE, refresh, sent, updating
from wes_provider.emulator import Emulator


def test_a_guarded_update_runs_in_a_dag_whose_assets_airflow_does_not_know(
    site: AirflowSite, wes_emulator: Emulator
):
    """From Airflow 3.3 on, the guard adds the segment's asset as an inlet of the task."""
    site.env = wes_emulator.connection_env()
    dag_id = site.write_tasks(GUARDED_UPDATE.format(guard_options="", arguments=""))
    run = refresh(site, dag_id, CITIES)
    assert run.state == "success"
    assert sent(wes_emulator) == [CITIES]


@pytest.mark.ci("unit/guards has two writers of one history")
@pytest.mark.skipif(AIRFLOW_VERSION < (3, 3), reason="DAGs share a history from Airflow 3.3 on")
def test_two_dags_on_one_segment_share_its_history(site: AirflowSite, wes_emulator: Emulator):
    """A fifth of the values may be removed; each update is compared with the last one sent."""
    site.env = wes_emulator.connection_env()
    one, other = updating(site), updating(site)
    refresh(site, one, CITIES)
    assert refresh(site, other, CITIES[:10]).state == "failed", "90 of 100 would be removed"
    assert refresh(site, other, [*CITIES, "x"]).state == "success"
    run = refresh(site, one, CITIES)
    assert run.xcom("t", "plan")["verdict"] == "send", "the other DAG has sent something else since"


@pytest.mark.ci("unit/guards restores from both stores")
@pytest.mark.skipif(AIRFLOW_VERSION < (3, 3), reason="DAGs share a history from Airflow 3.3 on")
def test_a_third_dag_restores_what_one_dag_sent_before_the_update_of_the_other(
    site: AirflowSite, wes_emulator: Emulator
):
    site.env = wes_emulator.connection_env()
    one, other = updating(site), updating(site)
    refresh(site, one, CITIES)
    refresh(site, other, [*CITIES, "x"])
    site.write_tasks('WesRestoreSegmentOperator(task_id="t", segment_id="shoppers")', dag_id="undo")
    assert site.run("undo").state == "success"
    assert sent(wes_emulator) == [CITIES, [*CITIES, "x"], CITIES]


@pytest.mark.ci("unit/guards has the keys of histories")
def test_mapped_updates_have_a_history_for_each_segment_whatever_their_index(
    site: AirflowSite, wes_emulator: Emulator
):
    """In the second run, the segments change places; ``max_removed`` is a template, of one half."""
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


def test_the_example_that_refreshes_a_segment_is_scheduled_on_the_list_that_another_replenishes(
    site: AirflowSite, wes_emulator: Emulator
):
    prepare(site, wes_emulator, only=["refresh_segment", "replenish_coupon_list"])
    asset = "dataset" if AIRFLOW_VERSION < (3, 0) else "asset"
    scheduled = site.rows(
        f"SELECT task.dag_id AS by, dag.dag_id FROM task_outlet_{asset}_reference task "
        f"JOIN dag_schedule_{asset}_reference dag USING ({asset}_id)"
    )
    assert [(row.by, row.dag_id) for row in scheduled] == [
        ("wes_replenish_coupon_list", "wes_refresh_segment")
    ]


def test_the_example_with_approval_sends_an_update_that_only_adds_cities_without_asking(
    site: AirflowSite, wes_emulator: Emulator
):
    prepare(site, wes_emulator, only=["refresh_segment_with_approval"])
    four = ["Lisbon", "Porto", "Braga", "Faro"]
    for cities in (four, [*four, "Evora"]):
        run = site.run("wes_refresh_segment_with_approval", conf={"cities": cities})
        assert run.state == "success"
        assert run.xcom("update_segment", "plan")["verdict"] == "send", "and not to be approved"
    assert sent(wes_emulator, "winter-shoppers") == [four, [*four, "Evora"]]
