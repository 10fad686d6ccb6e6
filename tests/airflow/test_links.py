"""
How tasks show themselves in Airflow's pages: their link to the console, and their label where they
are mapped.
"""

from __future__ import annotations

import json

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator, faults
from wes_provider.links import WesConsoleLink

CONSOLE = "https://console.example.com"


def test_every_task_links_to_what_it_works_on_and_is_labelled_with_it(
    site: AirflowSite, wes_emulator: Emulator
):
    connection = wes_emulator.connection(extra={"console_url": f"{CONSOLE}/{{kind}}/{{id}}"})
    site.env = {
        "AIRFLOW_CONN_WES_DEFAULT": json.dumps(connection),
        **wes_emulator.connection_env("without_console"),
    }
    wes_emulator.script(statuses=[("SUCCESS", None)])
    wes_emulator.fail("upload_coupon_file", faults.error(403), list_id="refused")
    run = site.run(site.write_dag_file("links"))
    failed = {task_id for task_id, state in run.states().items() if state != "success"}
    assert failed == {"failed", "failed_early"}
    assert {
        # Airflow 3 stores the link of a task that pushed none, too.
        ti.task_id: run.xcoms(ti.task_id).get(WesConsoleLink.xcom_key, "")
        for ti in run.tis()
        if ti.map_index < 0
    } == {
        "upload": f"{CONSOLE}/coupon-list/list%2F1",
        "wait": f"{CONSOLE}/coupon-list/list%2F1",
        "catalog": f"{CONSOLE}/catalog/{run.xcom('catalog')}",
        "segment": f"{CONSOLE}/segment/shoppers",
        "failed": f"{CONSOLE}/coupon-list/refused",
        "failed_early": "",
        "without": "",
    }
    assert "XCom not found" not in run.output
    assert {
        (ti.task_id, ti.map_index): ti.rendered_map_index for ti in run.tis() if ti.map_index >= 0
    } == {
        ("mapped", 0): "list-2 a.csv",
        ("mapped", 1): "list-2 b.csv",
        ("own", 0): "https://f.example.com/x/a.csv",
        ("own", 1): "https://f.example.com/b.csv",
    }
