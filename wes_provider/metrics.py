"""
The provider's metrics, among Airflow's own; ``docs/assets.md`` lists their names.

Nothing is counted if Airflow's metrics are off.
"""

from __future__ import annotations

from datetime import timedelta

from airflow.providers.common.compat.sdk import Stats

from wes_provider.exceptions import WesTimeoutError
from wes_provider.polling import Done, Failed, Outcome

__all__ = ["count", "record_wait"]


def count(event: str, operation: str) -> None:
    """Count a request of an operation, or what became of it."""
    Stats.incr(f"wes.{event}.{operation}")


def record_wait(outcome: Outcome) -> None:
    """Note how long a coupon file was waited for."""
    end = "done" if isinstance(outcome, Done) else "failed"
    if isinstance(outcome, Failed) and isinstance(outcome.error, WesTimeoutError):
        end = "timed_out"
    Stats.timing(f"wes.waits.{end}", timedelta(seconds=outcome.waited))
