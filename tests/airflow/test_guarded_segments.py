"""Guarded updates of segments, and the way back, through real task runs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.airflow_site import AirflowSite, Run
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


def updating(site: AirflowSite, guard: str = "", arguments: str = "", dag_id: str | None = None, more: str = "") -> str:
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


def sent(emulator: Emulator) -> list[list[Any]]:
    return [
        json.loads(request.body)["included_filters"]["filters"][0]["value"]
        for request in emulator.requests
        if request.method == "PATCH"
    ]


@pytest.mark.parametrize("arguments", ["", 'outlets=[segment("shoppers")]'], ids=["no outlet", "outlet"])
def test_a_broken_query_does_not_reach_the_segment(site: AirflowSite, wes_emulator: Emulator, arguments: str):
    site.env = wes_emulator.connection_env()
    dag_id = updating(site, arguments=arguments)
    first = refresh(site, dag_id, CITIES)
    assert first.state == "success"
    assert first.xcom("t", "plan")["verdict"] == "send"
    assert "No earlier update is known." in first.log("t")

    broken = refresh(site, dag_id, CITIES[:10])
    assert broken.ti("t").state == "failed"
    assert broken.ti("t").try_number == 1
    message = broken.exception("t").message
    assert "segment 'shoppers' is not updated: city in: 90 of 100 values removed, allowed 20%\n" in message
    assert "city in    100            10     90 (90%)  0" in message
    plan = broken.xcom("t", "plan")
    assert (plan["verdict"], plan["conditions"][0]["removed"]) == ("fail", 90)
    assert "edits elsewhere are not seen" in broken.log("t")
    assert "city-000" not in json.dumps(plan)

    again = refresh(site, dag_id, list(reversed(CITIES)))
    assert again.state == "success"
    assert again.xcom("t") == "shoppers"
    assert again.xcom("t", "plan")["verdict"] == "unchanged"
    assert "Segment shoppers is unchanged: nothing is sent" in again.log("t")

    assert refresh(site, dag_id, [*CITIES[:90], "new"]).state == "success"
    assert sent(wes_emulator) == [CITIES, [*CITIES[:90], "new"]]
