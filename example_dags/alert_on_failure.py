"""
If a task fails, an alert has list, file, reason and advice.

Replace ``print`` with your chat or pager.
"""

from __future__ import annotations

import os
from datetime import datetime, timedelta, timezone

from airflow.providers.common.compat.sdk import DAG, AirflowFailException

from wes_provider.operators import WesUploadCouponFileOperator

FILES_URL = os.environ.get(
    "WES_EMULATOR_FILES_URL", "https://files.example.com"
)


# [START alert]
def alert(context):
    """Called by Airflow when a task has failed and is not retried."""
    task, error = context["task"], context.get("exception")
    # Before Airflow 3.3, this is around
    # a permanent error.
    if isinstance(error, AirflowFailException):
        error = error.__cause__ or error
    coupon_file = getattr(error, "coupon_file", None) or {}
    lines = str(error).split("\n")
    advice = "see the log"
    if len(lines) > 1:
        advice = lines[1]
    file_url = coupon_file.get("file_url") or getattr(
        task, "file_url", "none"
    )
    # A query may hold a signature.
    file_url = str(file_url).partition("?")[0]
    list_id = getattr(task, "coupon_list_id", "none")
    reason = getattr(error, "reason", error) or "the task's process ended"
    name = f"{task.dag_id}.{task.task_id}"
    print(f"ALERT from {name}, {type(error).__name__}")
    print(f"List:   {coupon_file.get('coupon_list_id') or list_id}")
    print(f"File:   {file_url}")
    print(f"Reason: {reason}")
    print(f"Advice: {advice}")


# [END alert]

with DAG(
    "wes_alert_on_failure",
    schedule=None,  # runs if you trigger it; for every night: "0 5 * * *"
    start_date=datetime(2025, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    default_args={
        "on_failure_callback": alert,
        "retries": 3,
        # 30 seconds are for a laptop: in
        # production, leave retry_delay out.
        "retry_delay": timedelta(seconds=30),
    },
    doc_md=__doc__,
    tags=["wes"],
):
    WesUploadCouponFileOperator(
        task_id="upload",
        coupon_list_id="autumn-sale",
        file_url=f"{FILES_URL}/coupons.csv",
        wait_for_completion=True,
        deferrable=True,
    )
