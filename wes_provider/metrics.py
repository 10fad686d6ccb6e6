"""
The provider's metrics, among Airflow's own; ``docs/assets.md`` lists their names.

Nothing is counted if Airflow's metrics are off.
"""

from __future__ import annotations

import re
from datetime import timedelta

from airflow.providers.common.compat.sdk import Stats

from wes_provider.coupon_files import CouponCounts
from wes_provider.exceptions import WesTimeoutError
from wes_provider.waits.decision import Done, Outcome


def count(event: str, operation: str) -> None:
    """
    Count a request of an operation, or what became of it.

    :param event: ``requests``, ``retries``, ``rate_limits`` or ``unknown_outcomes``.
    :param operation: its name in the table of operations.
    """
    Stats.incr(f"wes.{event}.{operation}")


def record_wait(outcome: Outcome) -> None:
    """Record how long a coupon file was waited for."""
    if isinstance(outcome, Done):
        end = "done"
    elif isinstance(outcome.error, WesTimeoutError):
        end = "timed_out"
    else:
        end = "failed"
    Stats.timing(f"wes.waits.{end}", timedelta(seconds=outcome.waited))


def record_counts(coupon_list_id: str, counts: CouponCounts) -> None:
    """Record how many coupons a list was given by the files of a task that has ended well."""
    # StatsD takes a colon, a pipe and the like for its own.
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", coupon_list_id)
    if counts.added is not None:
        Stats.incr(f"wes.coupons.added.{name}", counts.added)
    if counts.duplicates is not None:
        Stats.incr(f"wes.coupons.duplicates.{name}", counts.duplicates)
