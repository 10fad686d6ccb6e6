"""
The provider's metrics, among Airflow's own; ``docs/metrics.md`` lists their names.

Nothing is counted if Airflow's metrics are off.
"""

from __future__ import annotations

from datetime import timedelta

from airflow.providers.common.compat.sdk import Stats, conf

from wes_provider.client.events import observe_with
from wes_provider.exceptions import WesTimeoutError
from wes_provider.polling import Done, Outcome

__all__ = ["count_requests", "waited"]

BACKENDS = ("statsd_on", "statsd_datadog_enabled", "otel_on")


def count_requests() -> None:
    """Count what happens to this process's requests, from now on."""
    if any(conf.getboolean("metrics", backend, fallback=False) for backend in BACKENDS):
        observe_with(lambda event, operation: Stats.incr(f"wes.{event}.{operation}"))


def waited(seconds: float, outcome: Outcome) -> None:
    """Note how long a coupon file was waited for."""
    if isinstance(outcome, Done):
        end = "done"
    else:
        end = "timed_out" if isinstance(outcome.error, WesTimeoutError) else "failed"
    Stats.timing(f"wes.waits.{end}", timedelta(seconds=seconds))
