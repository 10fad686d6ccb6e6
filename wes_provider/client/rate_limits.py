"""What the service's headers say of its rate limits (contract sections 7 and 8). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Final

import msgspec

from wes_provider import contract

# Seconds: neither of the two headers has a fraction, and nobody may come too early.
ROUNDING: Final = 1.0

# Seconds. A reset further away than the longest window of the contract is absurd; an hour is slack.
LONGEST_RESET: Final = contract.DAY + contract.HOUR

LONGEST_COUNT: Final = 12  # digits


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
        """When the window resets, as a time, UTC."""
        if self.reset is None:
            return None
        return datetime.fromtimestamp(self.reset, timezone.utc)


def rate_limit(headers: Mapping[str, str], now: float) -> RateLimit:
    """
    Read the headers of a response.

    :param headers: names in lower case.
    :param now: this machine's time, epoch seconds. Skew against the service is taken out with its
        ``Date`` header.

    Contract: section 7, status 429.
    """
    return RateLimit(
        _count(headers.get(contract.RATE_LIMIT_LIMIT, "")),
        _count(headers.get(contract.RATE_LIMIT_REMAINING, "")),
        _reset(headers, now),
    )


def _count(text: str) -> int | None:
    digits = text.strip()
    if not digits.isascii() or not digits.isdecimal() or len(digits) > LONGEST_COUNT:
        return None
    return int(digits)


def _reset(headers: Mapping[str, str], now: float) -> float | None:
    date = headers.get("date")
    try:
        reset = float(headers.get(contract.RATE_LIMIT_RESET, ""))
        service_now = now if date is None else parsedate_to_datetime(date).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
    left = reset - service_now
    if not 0 < left <= LONGEST_RESET:
        return None
    return now + left + ROUNDING
