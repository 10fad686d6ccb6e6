"""Coupon lists, catalogs and segments as assets, and as OpenLineage names them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator

pytestmark = pytest.mark.lineage


def test_the_events_of_outlets_say_what_a_task_did(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    wes_emulator.configure(processing_time=0.2)
    first, second = wes_emulator.host("a.csv", b"A\nB\n"), wes_emulator.host("b.csv", b"C\n")
    dag_id = site.write_tasks(
        f"""
        from wes_provider import assets

        def keep(asset):
            def push(context, result=None):
                context["ti"].xcom_push(key="extra", value=context["outlet_events"][asset].extra)

            return {{"outlets": [asset, assets.Asset("x-other://asset")], "post_execute": push}}

        one, many = keep(assets.coupon_list("one")), keep(assets.coupon_list("many"))
        upload = WesUploadCouponFileOperator(
            task_id="upload", coupon_list_id="one", file_url="{first}", wait_for_completion=True, deferrable=True, **one
        )
        for name, arguments in {{"poked": {{}}, "deferred": {{"deferrable": True}}}}.items():
            WesCouponFileSensor(
                task_id=name, coupon_list_id="one", coupon_file_id=upload.output, **arguments, **one
            )
        files = ["{first}", "{second}"]
        WesReplenishCouponListOperator(task_id="replenish", coupon_list_id="many", files=files, **many)
        WesCreateCatalogOperator(
            task_id="catalog", name="goods", price_currency="EUR", attributes=[], **keep(assets.catalog("goods"))
        )
        WesUpdateSegmentOperator(task_id="segment", segment_id="7", name="Seven", **keep(assets.segment("7")))
        """
    )
    site.airflow("dags", "reserialize")  # Airflow 3.0 runs no task with outlets that it does not know
    run = site.run(dag_id)
    assert run.state == "success"
    extras = {ti.task_id: run.xcom(ti.task_id, "extra") for ti in run.tis()}
    assert extras["upload"] == extras["poked"] == extras["deferred"] == run.xcom("upload", "coupon_file")
    assert extras["upload"]["coupons_added"] == 2
    assert extras["replenish"] == {
        "coupon_list_id": "many",
        "coupon_file_ids": run.xcom("replenish"),
        "coupons_added": 3,
        "coupons_duplicate": 0,
    }
    assert extras["catalog"] == {"catalog_id": run.xcom("catalog"), "name": "goods"}
    assert extras["segment"] == {"segment_id": "7"}


class TestOpenLineage:
    """With Airflow's OpenLineage provider, which is optional."""

    @pytest.fixture(autouse=True)
    def _provider(self):
        pytest.importorskip("airflow.providers.openlineage.extractors", reason="no OpenLineage provider here")

    def test_airflow_emits_it_though_the_task_was_deferred(self, site: AirflowSite, wes_emulator: Emulator):
        wes_emulator.configure(processing_time=0.5)
        url = wes_emulator.host("coupons.csv", b"A\n")
        events = self.events_of(
            site,
            wes_emulator,
            f"""
            WesUploadCouponFileOperator(
                task_id="upload", coupon_list_id="list-1", file_url="{url}?signature=SECRET",
                wait_for_completion=True, deferrable=True
            )
            """,
        )
        assert {kind for kind, _, _ in events} == {"START", "COMPLETE"}
        files, _, name = url.rpartition("/_emulator/")
        for kind, inputs, outputs in events:
            assert (inputs, outputs) == ([(files, f"_emulator/{name}")], [("wes://coupon-list", "list-1")]), kind

    def test_airflow_names_an_outlet_alike(self, site: AirflowSite, wes_emulator: Emulator):
        events = self.events_of(
            site,
            wes_emulator,
            """
            from wes_provider import assets

            WesUpdateSegmentOperator(
                task_id="update", segment_id="a/b", name="New", outlets=[assets.segment("a/b")]
            )
            """,
        )
        assert [outputs for kind, _, outputs in events if kind == "COMPLETE"] == [[("wes://segment", "a/b")]]

    @staticmethod
    def events_of(site: AirflowSite, wes_emulator: Emulator, task: str) -> list[tuple[str, list[Any], list[Any]]]:
        """Kind, inputs and outputs of each event that Airflow's own listener emits of one task."""
        log = site.home / "lineage.jsonl"
        transport = json.dumps({"type": "file", "log_file_path": str(log), "append": True})
        site.env = {**wes_emulator.connection_env(), "AIRFLOW__OPENLINEAGE__TRANSPORT": transport}
        dag_id = site.write_tasks(task)
        site.airflow("dags", "reserialize")  # Airflow 3.0 runs no task with outlets that it does not know
        assert site.run(dag_id).state == "success"
        text = log.read_text()
        assert "SECRET" not in text

        def names(datasets: list[dict[str, Any]]) -> list[Any]:
            return [(dataset["namespace"], dataset["name"]) for dataset in datasets]

        return [
            (event["eventType"], names(event["inputs"]), names(event["outputs"]))
            for event in map(json.loads, text.splitlines())
            if event["job"]["name"].startswith(f"{dag_id}.")
        ]
