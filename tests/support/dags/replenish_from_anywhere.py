"""Lists whose files come from a task, from mapped ones, from a template and from a file."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path

from airflow.providers.common.compat.sdk import DAG, task

from wes_provider.operators import WesReplenishCouponListOperator

GIVEN = json.loads(Path(__file__).with_suffix(".json").read_text())

with DAG(GIVEN["dag_id"], schedule=None, start_date=datetime(2025, 1, 1, tzinfo=timezone.utc)):

    @task
    def produce() -> list[dict[str, str]]:
        credentials = {"file_url_auth_username": "u", "file_url_auth_password": "hunter2"}
        return [{"file_url": url, **credentials} for url in GIVEN["urls"]]

    @task
    def one(number: int) -> str:
        return f"https://files.example.com/mapped-{number}.csv?sig=other"

    made = produce()
    files = {
        "output": made,
        "mapped": one.expand(number=[1, 2]),
        "text": "{{ ti.xcom_pull('produce')[:1] | tojson }}",
        "file": "files.json",
    }
    for name, given in files.items():
        made >> WesReplenishCouponListOperator(
            task_id=name,
            coupon_list_id=name,
            files=given,
            poll_interval=1,
            deferrable=name == "output",
        )
