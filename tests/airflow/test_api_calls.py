"""How many calls of Airflow's API an upload makes, through real task runs: each is a round trip to the API server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite
from wes_provider.emulator import Emulator

pytestmark = pytest.mark.skipif(AIRFLOW_VERSION < (3, 0), reason="tasks of Airflow 2 call no API")

COUNTING = """
import os
from airflow.sdk.api.client import Client

HTTPX = Client.__base__  # httpx's class, or httpx2's

def counted(client, method, path, *args, _request=HTTPX.request, **kwargs):
    with open(os.environ["WES_TEST_CALLS"], "a") as file:
        print(method, path.rpartition("/")[2], file=file)
    return _request(client, method, path, *args, **kwargs)

if HTTPX.request.__name__ != "counted":
    HTTPX.request = counted

WesUploadCouponFileOperator(
    task_id="upload", wes_conn_id="shop", coupon_list_id="list", file_url="https://files.example.com/a.csv",
    poll_interval=1, **{arguments}
)
"""
STARTS = "PATCH run"  # and a heartbeat now and then: of the supervisor, whatever the task does
WAITING = {"wait_for_completion": True}
RECORDS = AIRFLOW_VERSION >= (3, 3)


@pytest.mark.parametrize(
    ("arguments", "most"),
    [
        pytest.param({**WAITING, "deferrable": False}, [15 if RECORDS else 12], id="waiting on the worker"),
        # The triggerer may read the connection, too.
        pytest.param({**WAITING, "deferrable": True}, [12 + 4, 14] if RECORDS else [9 + 4, 12], id="deferred"),
    ],
)
def test_an_upload_makes_few_calls_of_airflows_api(
    site: AirflowSite, wes_emulator: Emulator, tmp_path: Path, arguments: dict[str, Any], most: list[int]
):
    made = tmp_path / "calls.txt"
    site.env["WES_TEST_CALLS"] = str(made)
    wes_emulator.script(statuses=[("PENDING", 1.5), ("SUCCESS", None)])
    connection = {"conn_type": "wes", **wes_emulator.connection()}
    site.airflow("connections", "add", "shop", "--conn-json", json.dumps(connection))
    run = site.run(COUNTING.replace("{arguments}", repr(arguments)))
    assert run.state == "success"
    nothing, *parts = made.read_text().split(f"{STARTS}\n")
    assert nothing == ""
    assert len(parts) == len(most)
    assert all(len(part.splitlines()) <= calls for part, calls in zip(parts, most, strict=True)), parts
    assert "POST coupon_file\n" in parts[0]
