"""
The provider's metrics, among Airflow's own; ``docs/assets.md`` lists their names.

Nothing is counted if Airflow's metrics are off.
"""

from __future__ import annotations

from datetime import timedelta

from airflow.providers.common.compat.sdk import Stats

from wes_provider.exceptions import WesTimeoutError
from wes_provider.polling import Done, Outcome


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
