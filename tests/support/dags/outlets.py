"""Tasks with outlets, which push what their asset events say."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from airflow.providers.common.compat.sdk import DAG

from wes_provider import assets
from wes_provider.operators import (
    WesCreateCatalogOperator,
    WesReplenishCouponListOperator,
    WesUpdateSegmentOperator,
    WesUploadCouponFileOperator,
)
from wes_provider.sensors import WesCouponFileSensor

GIVEN = json.loads(Path(__file__).with_suffix(".json").read_text())


def keep(asset: Any) -> dict[str, Any]:
    """Arguments of a task that has an outlet, and pushes the extra of its event."""

    def push(context: Any, result: Any = None) -> None:
        context["ti"].xcom_push(key="extra", value=context["outlet_events"][asset].extra)

    return {"outlets": [asset, assets.Asset("x-other://asset")], "post_execute": push}


with DAG(GIVEN["dag_id"], schedule=None, start_date=datetime(2025, 1, 1, tzinfo=timezone.utc)):
    one = keep(assets.coupon_list("one"))
    upload = WesUploadCouponFileOperator(
        task_id="upload",
        coupon_list_id="one",
        file_url=GIVEN["first"],
        wait_for_completion=True,
        deferrable=True,
        **one,
    )
    WesCouponFileSensor(
        task_id="poked", coupon_list_id="one", coupon_file_id=upload.output, deferrable=False, **one
    )
    WesCouponFileSensor(
        task_id="deferred",
        coupon_list_id="one",
        coupon_file_id=upload.output,
        deferrable=True,
        **one,
    )
    WesReplenishCouponListOperator(
        task_id="replenish",
        coupon_list_id="many",
        files=[GIVEN["first"], GIVEN["second"]],
        **keep(assets.coupon_list("many")),
    )
    WesCreateCatalogOperator(
        task_id="catalog",
        name="goods",
        price_currency="EUR",
        attributes=[],
        **keep(assets.catalog("goods")),
    )
    WesUpdateSegmentOperator(
        task_id="segment", segment_id="7", name="Seven", **keep(assets.segment("7"))
    )
