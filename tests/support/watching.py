"""Three watched lists under a scheduler, and what tests do with them."""

from __future__ import annotations

import json
from collections import Counter

import requests

from support.airflow_site import AirflowSite, wait_until
from wes_provider.emulator import Emulator

LIST_READ = "list_coupon_files"
LISTS = ("few", "many", "together")
DAG = f"""
LISTS = {LISTS}
from datetime import datetime
from airflow.sdk import DAG, Asset, AssetWatcher, task
from wes_provider.triggers import WesCouponListTrigger

def files(list_id):
    trigger = WesCouponListTrigger(list_id, poll_interval=1)
    return Asset(f"files-of-{{list_id}}", watchers=[AssetWatcher(name=f"watch-{{list_id}}", trigger=trigger)])

for list_id in LISTS:
    with DAG(f"on_{{list_id}}", schedule=[files(list_id)], start_date=datetime(2025, 1, 1), catchup=False, max_active_runs=1):
        @task
        def work():
            pass
        work()
"""


def upload(service: Emulator, list_id: str, count: int = 1) -> list[str]:
    """Upload files as a colleague does, and return their identifiers."""
    service.configure(limits=None, processing_time=0.0)
    connection = service.connection()
    account = (connection["login"], connection["password"])
    body = {"file_url": service.host("coupons.csv", b"CODE-1\n")}
    ids = []
    with requests.Session() as session:
        for _ in range(count):
            response = session.post(
                f"{service.url}/v1/coupon-list/{list_id}/files",
                json=body,
                auth=account,
                headers={"SVC-APPKEY": account[0]},
            )
            ids.append(response.json()["_id"])
    return ids


def events(site: AirflowSite, list_id: str) -> Counter[str]:
    """How many events there are that have each file."""
    rows = site.rows(
        "SELECT asset_event.extra FROM asset_event JOIN asset ON asset.id = asset_id WHERE name = ?",
        f"files-of-{list_id}",
    )
    payloads = [json.loads(row.extra)["payload"] for row in rows]
    return Counter(file["id"] for payload in payloads for file in payload["files"])


def files_of_runs(site: AirflowSite, list_id: str) -> list[list[str]]:
    """For each run of the DAG of a list, the files of its events."""
    rows = site.rows(
        "SELECT dag_run.id, asset_event.extra FROM dag_run "
        "JOIN dagrun_asset_event ON dag_run_id = dag_run.id "
        "JOIN asset_event ON asset_event.id = event_id "
        "WHERE dag_id = ? ORDER BY dag_run.id, asset_event.id",
        f"on_{list_id}",
    )
    found: dict[int, list[str]] = {}
    for row in rows:
        files = json.loads(row.extra)["payload"]["files"]
        found.setdefault(row.id, []).extend(file["id"] for file in files)
    return list(found.values())


def wait_for_readings(service: Emulator, watched: int) -> None:
    """
    Wait until each list was read twice: what the first of the two showed has been decided on then.

    :param watched: how many lists are. All of them are read equally often, so their readings are
        counted together.
    """
    last = service.counts.get(LIST_READ, 0) + 2 * watched
    wait_until(lambda: service.counts.get(LIST_READ, 0) >= last, 120, "readings")


def wait_for_events(site: AirflowSite, list_id: str, ids: list[str]) -> None:
    wait_until(
        lambda: set(ids) <= set(events(site, list_id)),
        420,
        lambda: f"events of {ids}: {events(site, list_id)}",
    )
