"""
Guarded updates of segments through real task runs: what a guard stops, restores of an earlier
update, and who shares a history. By default, a guard allows a fifth of the values to be removed.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite, Run
from support.examples import prepare
from wes_provider.emulator import Emulator

CITIES = [f"city-{number:03}" for number in range(100)]

UPDATE = """
    from wes_provider.assets import segment
    from wes_provider.guards import SegmentGuard

    @task(task_id="cities")
    def cities(**context):
        return context["dag_run"].conf["cities"]

    update = WesUpdateSegmentOperator(
        task_id="t", segment_id="shoppers", included_filters=all_of(user_attribute("city", cities())),
        guard=SegmentGuard({guard}), {arguments}
    )
"""


def updating(
    site: AirflowSite,
    guard: str = "",
    arguments: str = "",
    dag_id: str | None = None,
    more: str = "",
) -> str:
    dag_id = site.write_tasks(UPDATE.format(guard=guard, arguments=arguments) + more, dag_id=dag_id)
    site.airflow("dags", "reserialize")  # Airflow knows the assets of a DAG then
    return dag_id


def test_a_dag_that_airflow_has_not_stored_runs(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    run = refresh(site, site.write_tasks(UPDATE.format(guard="", arguments="")), CITIES)
    assert run.state == "success"
    assert sent(wes_emulator) == [CITIES]


def refresh(site: AirflowSite, dag_id: str, cities: list[Any]) -> Run:
    return site.run(dag_id, conf={"cities": cities})


def sent(emulator: Emulator, segment_id: str = "shoppers") -> list[list[Any]]:
    return [
        json.loads(request.body)["included_filters"]["filters"][0]["value"]
        for request in emulator.requests_for("update_segment")
        if request.raw_path.endswith(f"/{segment_id}")
    ]


OUTLETS = """
    for segment_id in ("visitors", "planned"):
        WesUpdateSegmentOperator(
            task_id=segment_id, segment_id=segment_id, included_filters=all_of(user_attribute("city", cities())),
            guard=None if segment_id == "planned" else SegmentGuard(), outlets=[segment(segment_id)],
            plan_only=segment_id == "planned",
        )
"""


def test_an_update_that_loses_90_of_100_values_fails_and_does_not_reach_the_segment(
    site: AirflowSite, wes_emulator: Emulator
):
    """
    Of four runs, the first one sends a hundred cities, the second finds ten and fails, the third
    finds the hundred in another order and sends nothing, and the last replaces ten. So it is with
    an outlet, where Airflow 3.3 keeps the history with the asset, and without. A task with
    ``plan_only`` sends nothing. The outlet's events have the plans.
    """
    site.env = wes_emulator.connection_env()
    dag_id = updating(site, more=OUTLETS)
    segments = {"t": "shoppers", "visitors": "visitors"}
    first = refresh(site, dag_id, CITIES)
    assert first.state == "success"
    broken = refresh(site, dag_id, CITIES[:10])
    again = refresh(site, dag_id, list(reversed(CITIES)))
    assert again.state == "success"
    assert refresh(site, dag_id, [*CITIES[:90], "new"]).state == "success"
    for task_id, segment_id in segments.items():
        assert first.xcom(task_id, "plan")["verdict"] == "send"
        assert "No earlier update is known." in first.log(task_id)

        assert broken.ti(task_id).state == "failed"
        assert broken.ti(task_id).try_number == 1
        message = broken.exception(task_id).message
        assert (
            f"segment {segment_id!r} is not updated: city in: 90 of 100 values removed, allowed "
            "20%\n" in message
        )
        assert "| city in   | 100           | 10    | 90 (90%) | 0     |" in message
        plan = broken.xcom(task_id, "plan")
        assert (plan["verdict"], plan["conditions"][0]["removed"]) == ("fail", 90)
        assert "Edits outside of Airflow are not seen" in broken.log(task_id)
        assert "city-000" not in json.dumps(plan)

        assert again.xcom(task_id) == segment_id
        assert again.xcom(task_id, "plan")["verdict"] == "unchanged"
        assert f"Nothing is sent: {segment_id} is unchanged" in again.log(task_id)
        assert sent(wes_emulator, segment_id) == [CITIES, [*CITIES[:90], "new"]]
    assert "Nothing is sent: plan_only" in again.log("planned")
    assert sent(wes_emulator, "planned") == []
    if AIRFLOW_VERSION != (2, 11):  # whose dags test stores no event
        extras = [
            json.loads(row.extra) for row in site.rows("SELECT extra FROM asset_event ORDER BY id")
        ]
        found = [(extra["segment_id"], extra["plan"]["verdict"]) for extra in extras]
        assert found == [("visitors", verdict) for verdict in ("send", "unchanged", "send")]


RESTORE = """
    update >> WesRestoreSegmentOperator(
        task_id="back", segment_id="shoppers", to="{{{{ dag_run.conf.get('to', 'previous') }}}}",
        plan_only={plan_only}, trigger_rule="all_done",
    )
"""


@pytest.mark.ci("unit/guards restores from both stores")
def test_a_restore_sends_the_bytes_of_an_earlier_update(site: AirflowSite, wes_emulator: Emulator):
    """
    In the DAG of the update, as it has to be before Airflow 3.3: of the one before by default, or
    of a run that is named; a word that names neither is an error.
    """
    site.env = wes_emulator.connection_env()
    plan, send = (RESTORE.format(plan_only=plan_only) for plan_only in (True, False))
    dag_id = updating(site, "max_removed=None", "updated_by='me@example.com'", more=plan)
    first = refresh(site, dag_id, CITIES)
    refresh(site, dag_id, ["broken"])
    updating(site, "max_removed=None", "updated_by='me@example.com'", dag_id=dag_id, more=send)
    back = refresh(site, dag_id, ["broken", "still"])
    assert back.state == "success"
    bodies = [request.body for request in wes_emulator.requests]
    assert len(bodies) == 4
    assert bodies[3] == bodies[1]
    assert back.xcom("back") == "shoppers"
    by_run = site.run(dag_id, conf={"cities": ["other"], "to": first.run_id})
    assert by_run.xcom("back", "restored")["run_id"] == first.run_id
    assert wes_emulator.requests[-1].body == bodies[0]
    unknown = site.run(dag_id, conf={"cities": ["other"], "to": "yesterday"})
    assert (
        "is neither 'previous' nor a run or the time of an update"
        in unknown.exception("back").message
    )


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


def test_the_example_updates_its_segment_and_a_second_run_sends_nothing(
    site: AirflowSite, wes_emulator: Emulator
):
    prepare(site, wes_emulator, only=["refresh_segment"])
    run = site.run("wes_refresh_segment")
    assert run.state == "success"
    ((segment_id, segment),) = wes_emulator.segments.items()
    assert segment_id == "summer-shoppers"
    first, second = segment["included_filters"]["filters"]
    assert (first["name"], first["value"], first["negate"]) == ("city", ["Lisbon", "Porto"], False)
    assert (second["name"], second["value"], second["negate"]) == ("unsubscribed", ["true"], True)

    assert site.run("wes_refresh_segment").xcom("update_segment", "plan")["verdict"] == "unchanged"
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
