"""
What the service says of its rate limits (contract sections 7 and 8).

Pure: headers and a time in, facts out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from typing import Final

from wes_provider import contract

__all__ = ["header_count", "reset_after", "reset_time", "service_date"]

LONGEST_RESET: Final = timedelta(seconds=contract.DAY + contract.HOUR)
"""A reset further away than the longest window of the contract, and an hour for its slack, is absurd."""


def reset_after(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    """
    How long until the service's rate-limit window resets.

    :param headers: the headers of the response; names in lower case.
    :param now: this machine's time, UTC; skew against the service is taken out with its ``Date`` header.
    :return: above zero; ``None`` if the header is missing, past or makes no sense.

    Contract: section 7, "On 429 the response carries".
    """
    reset, date = reset_time(headers), service_date(headers)
    if reset is None:
        return None
    left = reset - (now.timestamp() if date is None else date)
    if not 0 < left <= LONGEST_RESET.total_seconds():
        return None
    return timedelta(seconds=left)


def reset_time(headers: Mapping[str, str]) -> float | None:
    """The window's reset as the service tells it, whole epoch seconds; ``None`` if that is no number."""
    # A proxy may have doubled the header, which HTTP joins with commas: the later reset is the safe one.
    resets = [_seconds(part) for part in headers.get(contract.RATE_LIMIT_RESET, "").split(",")]
    valid = [reset for reset in resets if reset is not None]
    return max(valid) if len(valid) == len(resets) else None


def service_date(headers: Mapping[str, str]) -> float | None:
    """The service's clock when it responded, epoch seconds without their fraction."""
    try:
        date = parsedate_to_datetime(headers["date"])
        return (date if date.tzinfo else date.replace(tzinfo=timezone.utc)).timestamp()
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def header_count(headers: Mapping[str, str], name: str) -> int | None:
    """The count in a header; ``None`` if it is missing or no count. If the header comes twice, the smaller count."""
    try:
        counts = [int(part) for part in headers.get(name, "").split(",")]
    except ValueError:
        return None
    return min(counts) if min(counts) >= 0 else None


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return math.ceil(seconds) if math.isfinite(seconds) else None
