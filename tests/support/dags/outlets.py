"""
Tasks with outlets, which push what their asset events are to say. The sensor ``deferred`` waits for
the file of ``to_later`` in a trigger, since the test has its first poll fail.
"""

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

OTHER = assets.Asset("x-other://asset")
GIVEN = json.loads(Path(__file__).with_suffix(".json").read_text())


def keep(asset: Any) -> dict[str, Any]:
    """
    Arguments of a task that has an outlet of the service and another one, and pushes the extras of
    their events.
    """

    def push(context: Any, result: Any = None) -> None:
        events = context["outlet_events"]
        context["ti"].xcom_push(key="extra", value=events[asset].extra)
        context["ti"].xcom_push(key="extra of the other", value=events[OTHER].extra)

    return {"outlets": [asset, OTHER], "post_execute": push}


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
    to_later = WesUploadCouponFileOperator(
        task_id="to_later", coupon_list_id="later", file_url=GIVEN["first"]
    )
    WesCouponFileSensor(
        task_id="deferred",
        coupon_list_id="later",
        coupon_file_id=to_later.output,
        deferrable=True,
        **keep(assets.coupon_list("later")),
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
