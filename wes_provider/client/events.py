"""What happens to requests, for whoever counts it: both drivers report here, and count nothing themselves."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["observe_with", "report"]

Observer = Callable[[str, str], None]

_observer: Observer | None = None


def observe_with(observer: Observer | None) -> None:
    """
    Have each event of this process reported to ``observer``.

    :param observer: takes an event, ``requests``, ``retries``, ``rate_limits`` or ``unknown_outcomes``, and the
        operation it is of, such as ``upload_coupon_file``. It is called for every request, so it is to be quick.
    """
    global _observer
    _observer = observer


def report(event: str, operation: str) -> None:
    """Say that something happened."""
    if _observer is not None:
        _observer(event, operation)
