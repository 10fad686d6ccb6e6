"""One upload for each list that is given, and one without an XCom."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

from airflow.providers.common.compat.sdk import DAG

from wes_provider.operators import WesUploadCouponFileOperator

GIVEN = json.loads(Path(__file__).with_suffix(".json").read_text())

with DAG(GIVEN["dag_id"], schedule=None, start_date=datetime(2025, 1, 1, tzinfo=timezone.utc)):
    for name in [*GIVEN["lists"], "no_xcom"]:
        WesUploadCouponFileOperator(
            task_id=name,
            coupon_list_id=name,
            file_url="https://files.example.com/coupons.csv?signature={{ 'secret' | upper }}-1",
            file_url_auth_username="u",
            file_url_auth_password="{{ 'secret' | upper }}-2",
            wait_for_completion=True,
            deferrable=True,
            poll_interval=1,
            retries=2,
            retry_delay=timedelta(0),
            do_xcom_push=name != "no_xcom",
        )
