"""Tasks with and without a link to the console, and mapped ones."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path

from airflow.providers.common.compat.sdk import DAG

from wes_provider.operators import (
    WesCreateCatalogOperator,
    WesUpdateSegmentOperator,
    WesUploadCouponFileOperator,
)
from wes_provider.sensors import WesCouponFileSensor

GIVEN = json.loads(Path(__file__).with_suffix(".json").read_text())
URL = "https://f.example.com/a.csv"
URLS = ["https://f.example.com/x/a.csv", "https://f.example.com/b.csv"]

with DAG(GIVEN["dag_id"], schedule=None, start_date=datetime(2025, 1, 1, tzinfo=timezone.utc)):
    upload = WesUploadCouponFileOperator(task_id="upload", coupon_list_id="list/1", file_url=URL)
    WesCouponFileSensor(task_id="wait", coupon_list_id="list/1", coupon_file_id=upload.output)
    WesCreateCatalogOperator(task_id="catalog", name="goods", price_currency="EUR", attributes=[])
    WesUpdateSegmentOperator(task_id="segment", segment_id="shoppers", name="Shoppers")
    WesUploadCouponFileOperator(task_id="failed", coupon_list_id="refused", file_url=URL)
    WesUploadCouponFileOperator(task_id="failed_early", coupon_list_id="{{ ' ' }}", file_url=URL)
    WesUpdateSegmentOperator(
        task_id="without", segment_id="shoppers", name="Shoppers", wes_conn_id="without_console"
    )
    WesUploadCouponFileOperator.partial(task_id="mapped", coupon_list_id="list-2").expand(
        file_url=[f"{url}?signature=a/b" for url in URLS]
    )
    WesUploadCouponFileOperator.partial(
        task_id="own", coupon_list_id="list-3", map_index_template="{{ task.file_url }}"
    ).expand(file_url=URLS)
