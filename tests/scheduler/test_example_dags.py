"""The example DAGs under a scheduler: a replenished list refreshes the segment."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from support.airflow_site import AIRFLOW_VERSION, UNHURRIED, AirflowSite, Run, wait_until
from support.examples import prepare
from wes_provider.emulator import Emulator

STARTED_BY_HAND = (
    *("alert_on_failure", "provision_catalog", "refresh_segment_with_approval"),
    *("replenish_coupon_list", "replenish_many_files"),
)


@pytest.mark.one_airflow("an asset that starts a DAG is Airflow's own; its event is tested in the airflow tier")
@pytest.mark.skipif(find_spec("wes_provider.guards") is None, reason="the example has a guard")
def test_the_replenished_list_refreshes_the_segment(tmp_path: Path, scheduler_template: Path, wes_emulator: Emulator):
    with AirflowSite(tmp_path, scheduler_template) as site:
        prepare(site, wes_emulator)
        # Of a DAG with a schedule, Airflow starts the run that is due once it is unpaused: it would take the coupons.
        due = {row.dag_id for row in site.rows("SELECT dag_id FROM dag WHERE next_dagrun_create_after IS NOT NULL")}
        assert "wes_replenish_when_low" in due
        assert due & {f"wes_{name}" for name in STARTED_BY_HAND} == set()
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
