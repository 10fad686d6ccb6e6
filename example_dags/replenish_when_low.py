r"""
Every hour a coupon list is replenished if its stock is low.

The service does not report a list's stock, but your campaign database knows
it. Here, the emulator stands for that database::

    wes-emulator exec --host-folder FOLDER --seed-file SEED -- \
      airflow dags test wes_replenish_when_low
"""

from __future__ import annotations

import json
import os
import urllib.request
from datetime import datetime, timedelta, timezone

from airflow.providers.common.compat.sdk import DAG, task

from wes_provider.operators import WesReplenishCouponListOperator

FILES_URL = os.environ.get(
    "WES_EMULATOR_FILES_URL", "https://files.example.com"
)
COUPON_LIST = "newsletter"
LOW = 1000  # coupons

with DAG(
    "wes_replenish_when_low",
    schedule="@hourly",
    start_date=datetime(2025, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    # 30 seconds are for a laptop: in
    # production, leave retry_delay out.
    default_args={"retries": 3, "retry_delay": timedelta(seconds=30)},
    # Two runs at the same time would both find the stock low.
    max_active_runs=1,
    doc_md=__doc__,
    tags=["wes"],
):

    @task.short_circuit
    def stock_is_low() -> bool:
        """Ask the emulator; yours would run a query."""
        emulator = os.environ["WES_EMULATOR_URL"]
        url = f"{emulator}/_emulator/stock?list_id={COUPON_LIST}"
        with urllib.request.urlopen(url) as response:  # noqa: S310
            stock = json.load(response)["stock"]
        print(f"{COUPON_LIST} has {stock} coupons; low is below {LOW}.")
        return stock < LOW

    replenish = WesReplenishCouponListOperator(
        task_id="replenish",
        coupon_list_id=COUPON_LIST,
        files=[f"{FILES_URL}/newsletter.csv"],
        wait_for_completion=True,  # the next run must see the new stock
        deferrable=True,
    )

    stock_is_low() >> replenish
