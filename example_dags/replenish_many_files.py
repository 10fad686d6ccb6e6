r"""
Every night a coupon list gets the files of all shops.

They are uploaded as fast as the service's rate limits allow.

Against the emulator, with a folder that has a file for each shop; its page
shows why the sixth file waits::

    wes-emulator exec --port 8099 --host-folder FOLDER -- \
      airflow dags test wes_replenish_many_files
"""

from __future__ import annotations

import os
from datetime import datetime, timedelta, timezone

from airflow.providers.common.compat.sdk import DAG, Param, task

from wes_provider.operators import WesReplenishCouponListOperator

FILES_URL = os.environ.get(
    "WES_EMULATOR_FILES_URL", "https://files.example.com"
)
SHOPS = ["lisbon", "porto", "braga", "faro", "evora", "aveiro", "sintra"]

with DAG(
    "wes_replenish_many_files",
    schedule=None,  # runs if you trigger it; for every night: "0 4 * * *"
    start_date=datetime(2025, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    # 30 seconds are for a laptop: in
    # production, leave retry_delay out.
    default_args={"retries": 3, "retry_delay": timedelta(seconds=30)},
    params={"shops": Param(SHOPS, type="array")},
    doc_md=__doc__,
    tags=["wes"],
):

    @task
    def shops_files(params=None) -> list[str]:
        """The night's files; yours would list a bucket."""
        return [f"{FILES_URL}/{shop}.csv" for shop in params["shops"]]

    # [START replenish]
    replenish = WesReplenishCouponListOperator(
        task_id="replenish",
        coupon_list_id="winter-sale",
        files=shops_files(),
        deferrable=True,  # waits without a worker
        max_failed_files=0,
    )
    # [END replenish]

    @task
    def report(coupon_files):
        """Each file with its counts, in the order of ``files``."""
        for file in coupon_files:
            print(f"{file['name']}: {file['status']}")

    report(replenish.output["coupon_files"])
