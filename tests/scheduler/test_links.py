"""A deferred task in Airflow's pages: its link to the console, and its label."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite
from wes_provider.emulator import Emulator
from wes_provider.links import WesConsoleLink

pytestmark = pytest.mark.services

CONSOLE = {"console_url": "https://console.example.com/{kind}/{id}"}
LINK = WesConsoleLink.xcom_key


def connection(emulator: Emulator) -> dict[str, str]:
    return {"AIRFLOW_CONN_WES_DEFAULT": json.dumps(emulator.connection(extra=CONSOLE))}


def test_a_deferred_task_shows_link_and_label(tmp_path: Path, scheduler_template: Path, wes_emulator: Emulator):
    wes_emulator.script(outcome="never")
    with AirflowSite(tmp_path, scheduler_template) as site:
        site.env = connection(wes_emulator)
        dag_id = site.write_tasks(
            """
            WesUploadCouponFileOperator.partial(
                task_id="upload", coupon_list_id="list-1", wait_for_completion=True, deferrable=True
            ).expand(file_url=["https://f.example.com/a.csv?signature=SECRET"])
            """
        )
        site.start()
        run = site.trigger(dag_id).wait("deferred", task_id="upload", map_index=0)
        assert run.xcom("upload", LINK, map_index=0) == "https://console.example.com/coupon-list/list-1"
        if AIRFLOW_VERSION >= (3, 2):  # which renders the label before the task ends, too
            assert run.ti("upload", map_index=0).rendered_map_index == "list-1 a.csv"
