"""
Every night, a coupon list gets codes.

They come from a database. The first task
reserves codes for its run. So if the run
fails, and is repeated from any of its
tasks, it makes the same file again, under
the same name. The last task notes which
codes the list has got.
"""

from __future__ import annotations

import csv
import os
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from typing import Any

from airflow.providers.common.compat.sdk import (
    DAG,
    BaseHook,
    ObjectStoragePath,
    task,
)

from wes_provider.assets import coupon_list
from wes_provider.operators import (
    WesReplenishCouponListOperator,
)
from wes_provider.storage import Preflight

BUCKET = os.environ.get(
    "WES_EXAMPLE_BUCKET",
    "s3://aws_default@promo",
)
# An Airflow connection.
DATABASE = "coupon_database"
CODES = 50_000  # of a night
BATCH = 10_000  # codes in memory

# Each is one statement, which takes
# effect as a whole or not at all, and
# can be repeated: a run that has codes
# reserves no more, and a code that was
# handed over is not marked again.
RESERVE = """
UPDATE coupon_codes SET reserved_for = {0}
WHERE reserved_for IS NULL AND code IN (
    SELECT code FROM coupon_codes
    WHERE reserved_for IS NULL
    ORDER BY code LIMIT {0}
) AND NOT EXISTS (
    SELECT 1 FROM coupon_codes
    WHERE reserved_for = {0}
)
"""
COUNT = """
SELECT count(*) FROM coupon_codes
WHERE reserved_for = {0} AND handed_over_at IS NULL
"""
NEXT_BATCH = """
SELECT code FROM coupon_codes
WHERE reserved_for = {0} AND code > {0}
ORDER BY code LIMIT {0}
"""
MARK = """
UPDATE coupon_codes
SET handed_over_at = CURRENT_TIMESTAMP
WHERE reserved_for = {0} AND handed_over_at IS NULL
"""


def database() -> Any:
    """Return the hook of the database."""
    conn = BaseHook.get_connection(DATABASE)
    return conn.get_hook()


with DAG(
    "wes_replenish_from_database",
    schedule="0 4 * * *",
    start_date=datetime(2025, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    max_active_runs=1,
    # 30 seconds are for a laptop: in
    # production, leave retry_delay out.
    default_args={
        "retries": 3,
        "retry_delay": timedelta(seconds=30),
    },
    doc_md=__doc__,
    tags=["wes"],
):

    @task.short_circuit
    def reserve(run_id: str | None = None) -> bool:
        """Reserve codes, or skip the rest."""
        hook = database()
        sql = RESERVE.format(hook.placeholder)
        hook.run(
            sql,
            autocommit=True,
            parameters=(run_id, CODES, run_id),
        )
        sql = COUNT.format(hook.placeholder)
        (count,) = hook.get_first(sql, (run_id,))
        print(f"{count} codes for {run_id}")
        return count > 0

    @task
    def write(run_id: str | None = None) -> str:
        """Write the same file on each try."""
        hook = database()
        sql = NEXT_BATCH.format(hook.placeholder)
        name = sha256(run_id.encode()).hexdigest()
        path = f"{BUCKET}/from-database/{name}.csv"
        last = ""
        target = ObjectStoragePath(path)
        with target.open("w", newline="") as file:
            lines = csv.writer(
                file,
                lineterminator="\n",
            )
            lines.writerow(["coupon"])
            while batch := hook.get_records(
                sql,
                (run_id, last, BATCH),
            ):
                lines.writerows(batch)
                (last,) = batch[-1]
        return path

    upload = WesReplenishCouponListOperator(
        task_id="upload",
        coupon_list_id="newsletter",
        files="{{ ti.xcom_pull('write') }}",
        preflight=Preflight(header=True),
        # It ends when the file is processed.
        deferrable=True,
        # Other DAGs can be scheduled
        # on the replenished list.
        outlets=[coupon_list("newsletter")],
    )

    @task
    def mark(run_id: str | None = None) -> None:
        """Note that the codes are handed over."""
        hook = database()
        sql = MARK.format(hook.placeholder)
        hook.run(
            sql,
            autocommit=True,
            parameters=(run_id,),
        )

    reserve() >> write() >> upload >> mark()
