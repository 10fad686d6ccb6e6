"""Each example DAG runs against the emulator."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from support.airflow_site import AIRFLOW_VERSION, UNHURRIED, AirflowSite, Run, wait_until
from wes_provider.emulator import Emulator

EXAMPLES = Path(__file__).parents[2] / "example_dags"

COUPONS = b"coupon\n" + b"".join(b"SUMMER-%05d\n" % number for number in range(5000))


@pytest.fixture
def examples(site: AirflowSite, wes_emulator: Emulator) -> AirflowSite:
    """A site with the example DAGs, as ``wes-emulator exec --host-folder`` would have it."""
    prepare(site, wes_emulator)
    return site


def prepare(site: AirflowSite, emulator: Emulator) -> None:
    shutil.copytree(EXAMPLES, site.dags, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    emulator.configure(processing_time=0.5)
    emulator.host("coupons.csv", COUPONS)
    site.env = {**emulator.connection_env(), "WES_EMULATOR_FILES_URL": emulator.files_url}
    site.airflow("dags", "reserialize")  # also makes assets known, without which Airflow 3.0 runs no task with outlets


def test_the_examples_are_these(examples: AirflowSite):
    assert [row.stacktrace for row in examples.rows("SELECT stacktrace FROM import_error")] == []
    assert {row.dag_id for row in examples.rows("SELECT dag_id FROM serialized_dag")} == {
        "wes_provision_catalog",
        "wes_refresh_segment",
        "wes_replenish_coupon_list",
        "wes_replenish_many_files",
    }


def test_the_coupon_list_is_replenished_before_the_campaign_starts(examples: AirflowSite, wes_emulator: Emulator):
    run = examples.run("wes_replenish_coupon_list")
    assert run.state == "success"
    (file,) = wes_emulator.files("summer-sale")
    assert (file["status"], file["coupons_added"]) == ("SUCCESS", 5000)
    log = run.log("start_campaign")
    assert f"Coupon file:   {file['_id']}" in log
    assert "Status:        SUCCESS" in log
    assert "Coupons added: 5000" in log
    assert re.search(r"Time taken:    \d+\.\d s", log)


def test_the_files_of_all_shops_go_into_the_list(examples: AirflowSite, wes_emulator: Emulator):
    wes_emulator.host("lisbon.csv", b"L1\nL2\n")
    wes_emulator.host("porto.csv", b"P1\n")
    run = examples.run("wes_replenish_many_files")
    assert run.state == "success"
    files = wes_emulator.files("winter-sale")
    assert [file["coupons_added"] for file in files] == [2, 1]
    assert run.xcom("replenish") == [file["_id"] for file in files]
    for file in files:
        assert f"{file['name']}: SUCCESS" in run.log("report")


def test_the_catalog_is_there_on_every_night(examples: AirflowSite, wes_emulator: Emulator):
    run = examples.run("wes_provision_catalog")
    assert run.state == "success"
    ((catalog_id, catalog),) = wes_emulator.catalogs.items()
    assert catalog["name"] == "products"
    assert f"into catalog {catalog_id}" in run.log("ingest_items")

    another_night = examples.run("wes_provision_catalog")
    assert another_night.state == "success"
    assert list(wes_emulator.catalogs) == [catalog_id]
    assert f"into catalog {catalog_id}" in another_night.log("ingest_items")


def test_the_segment_is_refreshed(examples: AirflowSite, wes_emulator: Emulator):
    run = examples.run("wes_refresh_segment")
    assert run.state == "success"
    ((segment_id, segment),) = wes_emulator.segments.items()
    assert segment_id == "summer-shoppers"
    first, second = segment["included_filters"]["filters"]
    assert (first["name"], first["value"], first["negate"]) == ("city", ["Lisbon", "Porto"], False)
    assert (second["name"], second["value"], second["negate"]) == ("unsubscribed", ["true"], True)


@pytest.mark.integration
@pytest.mark.timeout(900)
def test_the_replenished_list_refreshes_the_segment(tmp_path: Path, airflow_template: Path, wes_emulator: Emulator):
    with AirflowSite(tmp_path, airflow_template) as site:
        prepare(site, wes_emulator)
        # A busy scheduler fails a task that is due again before it has seen that it has deferred.
        wes_emulator.configure(processing_time=10)
        site.env |= UNHURRIED
        site.start()
        run = site.trigger("wes_replenish_coupon_list").wait(timeout=240)
        assert run.state == "success", [run.log(ti.task_id) for ti in run.tis()]
        wait_until(lambda: wes_emulator.segments, 240, "the segment to be refreshed")
        # The schedules may have started runs of their own meanwhile, of the other examples too.
        events = site.rows(f"SELECT extra FROM {'dataset' if AIRFLOW_VERSION < (3, 0) else 'asset'}_event")
        extras = [json.loads(event.extra) for event in events]
        files = {file["_id"]: file for file in wes_emulator.files("summer-sale")}
        of_list = [extra for extra in extras if extra.get("coupon_list_id") == "summer-sale"]
        assert of_list
        for extra in of_list:
            assert extra["status"] == "SUCCESS"
            assert extra["coupons_added"] == files[extra["id"]]["coupons_added"]
        refresh = "SELECT run_id FROM dag_run WHERE dag_id = 'wes_refresh_segment'"
        assert Run(site, "wes_refresh_segment", site.rows(refresh)[0].run_id).wait().state == "success"
