"""
A segment gets new filters every night.

If they change it a lot, a person has to approve them.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from airflow.providers.common.compat.sdk import DAG, task

from wes_provider.assets import segment
from wes_provider.guards import SegmentGuard, can_approve
from wes_provider.models import all_of, user_attribute
from wes_provider.operators import WesUpdateSegmentOperator

with DAG(
    "wes_refresh_segment_with_approval",
    schedule=None,  # runs if you trigger it; for every night: "0 3 * * *"
    max_active_runs=1,  # two runs would ask for approval of the same update
    start_date=datetime(2025, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    # 30 seconds are for a laptop: in
    # production, leave retry_delay out.
    default_args={"retries": 3, "retry_delay": timedelta(seconds=30)},
    params={"cities": ["Lisbon", "Porto", "Braga", "Faro"]},
    doc_md=__doc__,
    tags=["wes"],
):

    @task
    def cities_with_stores(**context) -> list[str]:
        """Where the coupons can be redeemed; yours would ask a database."""
        return context["params"]["cities"]

    WesUpdateSegmentOperator(
        task_id="update_segment",
        segment_id="winter-shoppers",
        included_filters=all_of(
            user_attribute("city", cities_with_stores())
        ),
        guard=SegmentGuard(
            max_removed=0.2,
            # Airflow 3.1 and later have approval.
            on_violation="approve" if can_approve() else "fail",
            approval_timeout=12 * 60 * 60,  # seconds
            if_not_approved="skip",  # the segment stays as it is
            show_values=True,  # cities are no personal data
        ),
        outlets=[segment("winter-shoppers")],
    )
