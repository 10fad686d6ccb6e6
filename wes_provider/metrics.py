"""
The provider's metrics, among Airflow's own; ``docs/assets.md`` lists their names.

Nothing is counted if Airflow's metrics are off.
"""

from __future__ import annotations

from datetime import timedelta

from airflow.providers.common.compat.sdk import Stats

from wes_provider.exceptions import WesTimeoutError
from wes_provider.polling import Done, Outcome

__all__ = ["count", "waited"]


def count(event: str, operation: str) -> None:
    """Count a request of an operation, or what became of it."""
    Stats.incr(f"wes.{event}.{operation}")


def waited(outcome: Outcome) -> None:
    """Note how long a coupon file was waited for."""
    if isinstance(outcome, Done):
        end = "done"
    else:
        end = "timed_out" if isinstance(outcome.error, WesTimeoutError) else "failed"
    Stats.timing(f"wes.waits.{end}", timedelta(seconds=outcome.waited))
