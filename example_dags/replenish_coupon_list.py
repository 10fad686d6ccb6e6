r"""
Every night a new coupon file goes into a coupon list.

The campaign that hands out its coupons starts when the file is processed.

Against the emulator, with a folder that has a file ``coupons.csv``::

    wes-emulator exec --host-folder FOLDER -- \
      airflow dags test wes_replenish_coupon_list
"""

from __future__ import annotations

import os
from datetime import datetime, timedelta, timezone

from airflow.providers.common.compat.sdk import DAG, task

from wes_provider.assets import coupon_list
from wes_provider.operators import WesUploadCouponFileOperator
from wes_provider.sensors import WesCouponFileSensor

FILES_URL = os.environ.get(
    "WES_EMULATOR_FILES_URL", "https://files.example.com"
)

COUPON_LIST = "summer-sale"
# The asset wes://coupon-list/summer-sale.
COUPON_LIST_ASSET = coupon_list(COUPON_LIST)

with DAG(
    "wes_replenish_coupon_list",
    schedule=None,  # runs if you trigger it; for every night: "0 3 * * *"
    start_date=datetime(2025, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    # 30 seconds are for a laptop: in
    # production, leave retry_delay out.
    default_args={"retries": 3, "retry_delay": timedelta(seconds=30)},
    doc_md=__doc__,
    tags=["wes"],
):
    # [START upload]
    upload = WesUploadCouponFileOperator(
        task_id="upload_coupon_file",
        coupon_list_id=COUPON_LIST,
        file_url=f"{FILES_URL}/coupons.csv",
        created_by="airflow",
    )
    # [END upload]

    # [START wait]
    processed = WesCouponFileSensor(
        task_id="wait_until_processed",
        coupon_list_id=COUPON_LIST,
        coupon_file_id=upload.output,
        deferrable=True,  # waits without a worker
        timeout=4 * 3600,
        # Other DAGs can be scheduled
        # on the replenished list.
        outlets=[COUPON_LIST_ASSET],
    )
    # [END wait]

    @task
    def start_campaign(coupon_file, dag_run=None):
        """What must not start before the coupons are there."""
        taken = datetime.now(timezone.utc) - dag_run.start_date
        print(f"Coupon list:   {coupon_file['coupon_list_id']}")
        print(f"Coupon file:   {coupon_file['id']}")
        print(f"Status:        {coupon_file['status']}")
        print(
            f"Coupons added: {coupon_file.get('coupons_added', 'unknown')}"
        )
        print(f"Time taken:    {taken.total_seconds():.1f} s")

    start_campaign(processed.output)
