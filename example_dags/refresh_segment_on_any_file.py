"""
A segment is refreshed when a coupon file of its list has been processed.

Anybody may upload the file: a colleague in the service's console, another
tool, or a task.

For Airflow 3. Its triggerer reads the list every minute.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from airflow.sdk import DAG, Asset, AssetWatcher, task

from wes_provider.models import all_of, user_attribute
from wes_provider.operators import WesUpdateSegmentOperator
from wes_provider.triggers import WesCouponListTrigger

# [START watch]
# Not the asset of coupon_list(): a task with that outlet would report its
# files, too.
SUMMER_FILES = Asset(
    "summer-sale-files",
    watchers=[
        AssetWatcher(
            name="summer-sale",
            trigger=WesCouponListTrigger("summer-sale", poll_interval=60),
        )
    ],
)
# [END watch]

with DAG(
    "wes_refresh_segment_on_any_file",
    schedule=[SUMMER_FILES],
    start_date=datetime(2025, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    # 30 seconds are for a laptop: in
    # production, leave retry_delay out.
    default_args={"retries": 3, "retry_delay": timedelta(seconds=30)},
    max_active_runs=1,
    doc_md=__doc__,
    tags=["wes"],
):
    # [START events]
    @task.short_circuit
    def coupons_were_added(
        triggering_asset_events=None,
    ) -> bool:
        """Skip the rest if all files failed."""
        outcomes = []
        for events in triggering_asset_events.values():
            for event in events:
                payload = event.extra["payload"]
                for file in payload["files"]:
                    outcome = file["outcome"]
                    print(f"{file['name']}: {outcome}")
                    outcomes.append(outcome)
        return "processed" in outcomes

    # [END events]

    @task
    def cities_with_stores() -> list[str]:
        """Where the coupons can be redeemed; yours would ask a database."""
        return ["Lisbon", "Porto"]

    cities = cities_with_stores()
    update = WesUpdateSegmentOperator(
        task_id="update_segment",
        segment_id="summer-shoppers",
        included_filters=all_of(user_attribute("city", cities)),
        updated_by="campaigns@example.com",
    )
    coupons_were_added() >> cities >> update
