"""What the service's headers say of its rate limits (contract sections 7 and 8). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Final

import msgspec

from wes_provider import contract

__all__ = ["RateLimit", "rate_limit"]

# Seconds: neither of the two headers has a fraction, and nobody may come too early.
ROUNDING: Final = 1.0

LONGEST_RESET: Final = contract.DAY + contract.HOUR
"""
Seconds; a reset further away than the longest window of the contract, and an hour for its slack, is
absurd.
"""


class RateLimit(msgspec.Struct, frozen=True):
    """
    One window of a rate limit as a response describes it.

    :ivar limit: requests permitted in the window; ``None`` if the response does not say.
    :ivar remaining: requests left in the window; ``None`` if the response does not say.
    :ivar reset: when the window resets, epoch seconds of this machine; ``None`` if that is missing,
        past or absurd.
    """

    limit: int | None = None
    remaining: int | None = None
    reset: float | None = None

    @property
    def reset_at(self) -> datetime | None:
        """The same as a time, UTC."""
        return None if self.reset is None else datetime.fromtimestamp(self.reset, timezone.utc)


def rate_limit(headers: Mapping[str, str], now: float) -> RateLimit:
    """
    Read the headers of a response.

    :param headers: names in lower case.
    :param now: this machine's time, epoch seconds. Skew against the service is taken out with its
        ``Date`` header.

    Contract: section 7, "On 429 the response carries".
    """
    return RateLimit(
        _count(headers.get(contract.RATE_LIMIT_LIMIT, "")),
        _count(headers.get(contract.RATE_LIMIT_REMAINING, "")),
        _reset(headers, now),
    )


def _count(text: str) -> int | None:
    return int(text) if text.strip().isdecimal() and text.isascii() else None


def _reset(headers: Mapping[str, str], now: float) -> float | None:
    try:
        reset = float(headers.get(contract.RATE_LIMIT_RESET, ""))
        date = parsedate_to_datetime(headers["date"]).timestamp() if "date" in headers else now
    except (TypeError, ValueError, OverflowError):
        return None
    left = reset - date
    return now + left + ROUNDING if 0 < left <= LONGEST_RESET else None
