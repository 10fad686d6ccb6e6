"""Coupon lists, catalogs and segments as assets, and as OpenLineage names them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator

pytestmark = pytest.mark.lineage


def test_the_events_of_outlets_say_what_a_task_did(site: AirflowSite, wes_emulator: Emulator):
    wes_emulator.configure(processing_time=0.2)
    first, second = wes_emulator.host("a.csv", b"A\nB\n"), wes_emulator.host("b.csv", b"C\n")
    dag_id = site.write_dag_file("outlets", first=first, second=second)
    # Airflow 3.0 runs no task with outlets that it does not know.
    site.airflow("dags", "reserialize")
    run = site.run(dag_id)
    assert run.state == "success"
    extras = {ti.task_id: run.xcom(ti.task_id, "extra") for ti in run.tis()}
    assert extras["upload"] == run.xcom("upload", "coupon_file")
    assert extras["upload"] == {**extras["poked"], "adopted": False}
    assert extras["deferred"] == extras["poked"]
    assert extras["upload"]["coupons_added"] == 2
    assert extras["replenish"] == {
        "coupon_list_id": "many",
        "coupon_file_ids": run.xcom("replenish"),
        "coupons_added": 3,
        "coupons_duplicate": 0,
        "adopted": False,
        "adopted_coupon_file_ids": [],
    }
    assert extras["catalog"] == {"catalog_id": run.xcom("catalog"), "name": "goods"}
    assert extras["segment"] == {"segment_id": "7"}


def test_openlineage_names_files_lists_and_outlets(site: AirflowSite, wes_emulator: Emulator):
    """With Airflow's OpenLineage provider, which is optional; of a task that was deferred, too."""
    pytest.importorskip(
        "airflow.providers.openlineage.extractors", reason="no OpenLineage provider here"
    )
    log = site.home / "lineage.jsonl"
    transport = json.dumps({"type": "file", "log_file_path": str(log), "append": True})
    site.env = {**wes_emulator.connection_env(), "AIRFLOW__OPENLINEAGE__TRANSPORT": transport}
    wes_emulator.configure(processing_time=0.5)
    url = wes_emulator.host("coupons.csv", b"A\n")
    dag_id = site.write_tasks(
        f"""
        from wes_provider import assets

        WesUploadCouponFileOperator(
            task_id="upload", coupon_list_id="list-1", file_url="{url}?signature=SECRET",
            wait_for_completion=True, deferrable=True
        )
        WesUpdateSegmentOperator(task_id="update", segment_id="a/b", name="New", outlets=[assets.segment("a/b")])
        """
    )
    # Airflow 3.0 runs no task with outlets that it does not know.
    site.airflow("dags", "reserialize")
    assert site.run(dag_id).state == "success"
    text = log.read_text()
    assert "SECRET" not in text

    def names(datasets: list[dict[str, Any]]) -> list[Any]:
        return [(dataset["namespace"], dataset["name"]) for dataset in datasets]

    found: dict[str, list[Any]] = {"upload": [], "update": []}
    for event in map(json.loads, text.splitlines()):
        if event["job"]["name"].startswith(f"{dag_id}."):
            datasets = (event["eventType"], names(event["inputs"]), names(event["outputs"]))
            found[event["job"]["name"].rpartition(".")[2]].append(datasets)
    files, _, name = url.rpartition("/_emulator/")
    upload = [[(files, f"_emulator/{name}")], [("wes://coupon-list", "list-1")]]
    assert {kind: each for kind, *each in found["upload"]} == {"START": upload, "COMPLETE": upload}
    assert [outputs for kind, _, outputs in found["update"] if kind == "COMPLETE"] == [
        [("wes://segment", "a/b")]
    ]
