"""Uploads to lists that fare differently."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path

from airflow.providers.common.compat.sdk import DAG

from wes_provider.operators import WesUploadCouponFileOperator

GIVEN = json.loads(Path(__file__).with_suffix(".json").read_text())

with DAG(GIVEN["dag_id"], schedule=None, start_date=datetime(2025, 1, 1, tzinfo=timezone.utc)):
    for list_id in ("here", "lost", "deferred", "bad", "slow"):
        WesUploadCouponFileOperator(
            task_id=list_id,
            coupon_list_id=list_id,
            file_url=GIVEN["url"],
            wait_for_completion=list_id != "lost",
            deferrable=list_id == "deferred",
            timeout=1 if list_id == "slow" else 60,
        )
