"""
Every night a coupon list gets the new files of a bucket.

They are checked before, and no file is uploaded twice.
"""

from __future__ import annotations

import os
from datetime import datetime, timezone

from airflow.providers.common.compat.sdk import DAG, task

from wes_provider.operators import WesReplenishCouponListOperator
from wes_provider.storage import BucketFiles, Ledger, Preflight

BUCKET = os.environ.get("WES_EXAMPLE_BUCKET", "s3://aws_default@promo")

with DAG(
    "wes_replenish_from_bucket",
    schedule="0 4 * * *",
    start_date=datetime(2025, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    # A second run at the same time would find files that are in progress.
    max_active_runs=1,
    doc_md=__doc__,
    tags=["wes"],
):
    replenish = WesReplenishCouponListOperator(
        task_id="replenish",
        coupon_list_id="winter-sale",
        files=BucketFiles(f"{BUCKET}/winter/*.csv", allow_none=True),
        preflight=Preflight(min_codes=2),
        ledger=Ledger(f"{BUCKET}/ledger", on_known_content="skip"),
        deferrable=True,
    )

    @task
    def report(coupon_files):
        """What each file had, and what the service counted."""
        for file in coupon_files:
            codes, added = file["expected_codes"], file["coupons_added"]
            print(f"{file['name']}: {codes} codes, {added} added")

    report(replenish.output["coupon_files"])
