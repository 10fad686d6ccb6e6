"""
The three use cases: lists are replenished and waited for, catalogs are created, a segment is
refreshed.

A run of a DAG replenishes lists, creates catalogs and so on whose names begin with its run id.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

from airflow.providers.common.compat.sdk import DAG, task

from wes_provider.assets import catalog, segment
from wes_provider.guards import SegmentGuard
from wes_provider.models import CatalogAttribute, all_of, user_attribute
from wes_provider.operators import (
    WesCreateCatalogOperator,
    WesReplenishCouponListOperator,
    WesUpdateSegmentOperator,
    WesUploadCouponFileOperator,
)
from wes_provider.sensors import WesCouponFileSensor

GIVEN = json.loads(Path(__file__).with_suffix(".json").read_text())
URLS = GIVEN["urls"]

COMMON = {
    "schedule": None,
    "start_date": datetime(2025, 1, 1, tzinfo=timezone.utc),
    # Each kill costs a retry, and so does a service of Airflow that is away.
    "default_args": {"retries": 20, "retry_delay": timedelta(seconds=5)},
}
UPLOAD = {"file_url_auth_conn_id": "files"}
WAIT = {"wait_for_completion": True, "poll_interval": 2, "timeout": 3600}

with DAG("replenish", **COMMON):

    @task
    def find_lists(run_id=None):
        """Yours would ask a database."""
        return [f"{run_id}-deferred-{number}" for number in range(GIVEN["deferred_lists"])]

    WesReplenishCouponListOperator.partial(
        task_id="replenish_deferred", files=URLS, deferrable=True, **UPLOAD, **WAIT
    ).expand(coupon_list_id=find_lists())

    WesReplenishCouponListOperator(
        task_id="replenish_on_worker",
        coupon_list_id="{{ run_id }}-on-worker",
        files=URLS,
        deferrable=False,
        **UPLOAD,
        **WAIT,
    )

    upload = WesUploadCouponFileOperator(
        task_id="upload", coupon_list_id="{{ run_id }}-sensed", file_url=URLS[0], **UPLOAD
    )
    WesCouponFileSensor(
        task_id="wait",
        coupon_list_id="{{ run_id }}-sensed",
        coupon_file_id=upload.output,
        deferrable=True,
        poke_interval=2,
        timeout=3600,
    )

with DAG("provision", **COMMON):
    for number in range(GIVEN["catalogs"]):
        WesCreateCatalogOperator(
            task_id=f"create_{number}",
            name=f"{{{{ run_id }}}}-{number}",
            price_currency="EUR",
            attributes=[CatalogAttribute("id"), CatalogAttribute("price", "double")],
            outlets=[catalog(f"production-{number}")],
        )

with DAG("refresh", max_active_runs=1, **COMMON):

    @task
    def find_cities(dag_run=None):
        """An upstream query."""
        return dag_run.conf["cities"]

    WesUpdateSegmentOperator(
        task_id="update",
        segment_id="shoppers",
        included_filters=all_of(user_attribute("city", find_cities())),
        guard=SegmentGuard(max_removed=0.2),
        outlets=[segment("shoppers")],
    )
