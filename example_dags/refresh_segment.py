"""
A segment gets new filters whenever its coupon list is replenished.

If they would change it too much, the task fails.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from airflow.providers.common.compat.sdk import DAG, task

from wes_provider.assets import coupon_list, segment
from wes_provider.guards import SegmentGuard
from wes_provider.models import all_of, user_attribute
from wes_provider.operators import WesUpdateSegmentOperator

with DAG(
    "wes_refresh_segment",
    # The asset wes://coupon-list/summer-sale.
    schedule=[coupon_list("summer-sale")],
    start_date=datetime(2025, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    # 30 seconds are for a laptop: in
    # production, leave retry_delay out.
    default_args={"retries": 3, "retry_delay": timedelta(seconds=30)},
    doc_md=__doc__,
    tags=["wes"],
):

    @task
    def cities_with_stores() -> list[str]:
        """Where the coupons can be redeemed; yours would ask a database."""
        return ["Lisbon", "Porto"]

    # [START update]
    WesUpdateSegmentOperator(
        task_id="update_segment",
        segment_id="summer-shoppers",
        included_filters=all_of(
            # An empty list fails the task:
            # it would empty the segment.
            user_attribute("city", cities_with_stores()),
            user_attribute("unsubscribed", ["true"], negate=True),
        ),
        updated_by="campaigns@example.com",
        # A query that lost more than a fifth
        # of the cities fails it, too.
        guard=SegmentGuard(max_removed=0.2),
        outlets=[segment("summer-shoppers")],
    )
    # [END update]
