"""The DAG of the load test, copied into a site's DAGs folder: one task, mapped over coupon lists."""

from __future__ import annotations

import json
import os
import sys
from datetime import datetime, timedelta
from typing import Any

from airflow.providers.common.compat.sdk import DAG

from wes_provider.operators import WesReplenishCouponListOperator
from wes_provider.triggers import WesResetTrigger

sys.path.insert(0, os.path.dirname(__file__))  # not every process of every Airflow finds what is beside a DAG
import fast_time

LOAD = json.loads(os.environ["WES_LOAD"])


def files_of(index: int) -> list[str]:
    return [f"https://files.example.com/{index}/{number}.csv" for number in range(LOAD["files"])]


class Replenish(WesReplenishCouponListOperator):
    """Lives on the emulator's clock, but for its triggers, which find this machine's time in what it hands them."""

    def defer(self, *, trigger: Any, **kwargs: Any) -> None:
        if isinstance(trigger, WesResetTrigger):
            trigger.moment = fast_time.on_this_machine(trigger.moment)
        else:
            trigger.arguments.deadline = fast_time.on_this_machine(trigger.arguments.deadline)
        super().defer(trigger=trigger, **kwargs)


with DAG(
    "load",
    schedule=None,
    start_date=datetime(2025, 1, 1),
    max_active_tasks=LOAD["lists"],
    user_defined_macros={"files_of": files_of},
):
    Replenish.partial(
        task_id="replenish",
        files="{{ files_of(ti.map_index) | tojson }}",
        deferrable=True,
        retries=20,  # the kills hit at random, some of them the same task
        # Longer than a heartbeat: Airflow 3.3 at times gives up an attempt that runs (apache/airflow issue 72716). That
        # learns of it by its next heartbeat, and ends; the next one is to start after that.
        retry_delay=timedelta(seconds=15),
    ).expand(coupon_list_id=[f"list-{index}" for index in range(LOAD["lists"])])
