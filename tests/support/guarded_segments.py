"""A DAG whose task updates a segment under a guard, with the cities of the run's ``conf``."""

from __future__ import annotations

import json
from typing import Any

from support.airflow_site import AirflowSite, Run
from wes_provider.emulator import Emulator

CITIES = [f"city-{number:03}" for number in range(100)]

GUARDED_UPDATE = """
    from wes_provider.assets import segment
    from wes_provider.guards import SegmentGuard

    @task(task_id="cities")
    def cities(**context):
        return context["dag_run"].conf["cities"]

    update = WesUpdateSegmentOperator(
        task_id="t", segment_id="shoppers", included_filters=all_of(user_attribute("city", cities())),
        guard=SegmentGuard({guard_options}), {arguments}
    )
"""


def updating(
    site: AirflowSite,
    guard: str = "",
    arguments: str = "",
    dag_id: str | None = None,
    more: str = "",
) -> str:
    """
    Write the DAG, and have Airflow store it.

    :param guard: its arguments; by default, a fifth of the values may be removed.
    :param arguments: further ones of the operator.
    :param more: further tasks.
    :return: the DAG's id.
    """
    dag_id = site.write_tasks(
        GUARDED_UPDATE.format(guard_options=guard, arguments=arguments) + more, dag_id=dag_id
    )
    site.airflow("dags", "reserialize")  # Airflow knows the assets of a DAG then
    return dag_id


def refresh(site: AirflowSite, dag_id: str, cities: list[Any]) -> Run:
    return site.run(dag_id, conf={"cities": cities})


def sent(emulator: Emulator, segment_id: str = "shoppers") -> list[list[Any]]:
    """The cities of each update that a segment has got."""
    return [
        json.loads(request.body)["included_filters"]["filters"][0]["value"]
        for request in emulator.requests_for("update_segment")
        if request.raw_path.endswith(f"/{segment_id}")
    ]
