"""
A coupon list gets files as soon as they are in the bucket.

The ledger makes it safe to find a file twice.
"""

from __future__ import annotations

import os
from datetime import datetime, timezone

from airflow.providers.common.compat.sdk import DAG, task

from wes_provider.operators import WesReplenishCouponListOperator
from wes_provider.storage import Ledger

BUCKET = os.environ.get("WES_EXAMPLE_BUCKET", "s3://aws_default@promo")

with DAG(
    "wes_replenish_when_files_arrive",
    # The next run waits as soon as one
    # has ended.
    schedule="@continuous",
    max_active_runs=1,
    start_date=datetime(2025, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    doc_md=__doc__,
    tags=["wes"],
):
    # [START sensor]
    @task.sensor(
        poke_interval=60, timeout=86400, mode="reschedule", soft_fail=True
    )
    def wait_for_files(
        prev_start_date_success: datetime | None = None,
    ) -> bool:
        """Whether an object is as new as the last successful run."""
        from airflow.providers.common.compat.sdk import ObjectStoragePath

        since = 0
        if prev_start_date_success:
            # S3's times have whole seconds.
            since = int(prev_start_date_success.timestamp())
        return any(
            path.suffix == ".csv" and path.stat().st_mtime >= since
            for path in ObjectStoragePath(f"{BUCKET}/arrivals/").iterdir()
        )

    # [END sensor]

    replenish = WesReplenishCouponListOperator(
        task_id="replenish",
        coupon_list_id="winter-sale",
        files=f"{BUCKET}/arrivals/*.csv",
        ledger=Ledger(f"{BUCKET}/ledger", on_known_content="skip"),
        deferrable=True,
        retries=3,
    )

    wait_for_files() >> replenish
