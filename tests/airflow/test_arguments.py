"""
Each operator and the sensor takes its connection, ``wes_conn_id``, in each of Airflow's ways: as an
argument of its own, from the DAG's ``default_args``, and, if the task is mapped over another
argument, from ``partial``, from ``default_args`` or from ``expand``. The task then uses that
connection: there is no ``wes_default`` here.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator
from wes_provider.hooks import WesHook

# Each kind of task but for its wes_conn_id.
TASKS = {
    "WesUploadCouponFileOperator": {
        "coupon_list_id": "one",
        "file_url": "https://files.example.com/a.csv",
    },
    "WesReplenishCouponListOperator": {
        "coupon_list_id": "many",
        "files": ["https://files.example.com/b.csv"],
        "wait_for_completion": False,
    },
    "WesCreateCatalogOperator": {
        "name": "Books",
        "price_currency": "EUR",
        "attributes": [{"name": "isbn", "type": "string"}],
    },
    "WesUpdateSegmentOperator": {"segment_id": "shoppers", "name": "Shoppers"},
    "WesCouponFileSensor": {
        "coupon_list_id": "there",
        "coupon_file_id": "{{ params.file_id }}",
        "poke_interval": 0.1,
    },
}
WES_EU = {"wes_conn_id": "wes_eu"}


class Way(NamedTuple):
    """A line of a DAG that makes a task of each kind, and the DAG's ``default_args``."""

    task: str
    default_args: dict[str, str] = {}  # noqa: RUF012 - never changed


WAYS = {
    "argument": Way("{kind}(task_id='{kind}', wes_conn_id='wes_eu', **{arguments})"),
    "default_args": Way("{kind}(task_id='{kind}', **{arguments})", WES_EU),
    "partial": Way(
        "{kind}.partial(task_id='{kind}', wes_conn_id='wes_eu', **{arguments}).expand({mapped})"
    ),
    "partial with default_args": Way(
        "{kind}.partial(task_id='{kind}', **{arguments}).expand({mapped})", WES_EU
    ),
    "expand": Way(
        "{kind}.partial(task_id='{kind}', **{arguments}).expand(wes_conn_id=['wes_eu'], {mapped})"
    ),
}


@pytest.mark.parametrize(
    "way",
    [
        "argument",
        pytest.param("default_args", marks=pytest.mark.weekly("mapped tasks take them alike")),
        pytest.param("partial", marks=pytest.mark.weekly("expand passes the same")),
        pytest.param("partial with default_args", marks=pytest.mark.ci("expand maps alike")),
        "expand",
    ],
)
def test_the_connection_may_be_given_in_each_of_airflows_ways(
    site: AirflowSite, wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch, way: str
):
    """There is no connection ``wes_default``, so a task that would take it fails."""
    monkeypatch.delenv("AIRFLOW_CONN_WES_DEFAULT")
    monkeypatch.setenv("AIRFLOW_CONN_WES_EU", json.dumps(wes_emulator.connection()))
    file = WesHook("wes_eu").upload_coupon_file("there", "https://files.example.com/c.csv")
    wes_emulator.script(statuses=[("SUCCESS", None)])
    lines = [_line(WAYS[way].task, kind, arguments) for kind, arguments in TASKS.items()]
    run = site.run(
        "\n".join(lines), default_args=WAYS[way].default_args, params={"file_id": file["_id"]}
    )
    assert {ti.task_id: ti.state for ti in run.tis()} == dict.fromkeys(TASKS, "success")


def _line(task: str, kind: str, arguments: dict[str, Any]) -> str:
    """One line of a DAG; if the task is mapped, it is by its last argument."""
    if ".expand(" not in task:
        return task.format(kind=kind, arguments=arguments)
    *_, last = arguments
    others = {name: value for name, value in arguments.items() if name != last}
    return task.format(kind=kind, arguments=others, mapped=f"{last}={[arguments[last]]!r}")
