"""
When the next upload to a list may be sent, so that no window of its limit overflows and none is
wasted.

Pure: responses and times in, a moment out. Nothing here sends, sleeps or reads a clock.
"""

from __future__ import annotations

import random
from typing import Final

import msgspec

from wes_provider import contract
from wes_provider.client.rate_limits import RateLimit

__all__ = ["RateLimiter"]

WINDOWS: Final = (  # contract section 8, for each coupon list: uploads in seconds
    (contract.UPLOADS_PER_MINUTE, contract.MINUTE),
    (contract.UPLOADS_PER_DAY, contract.DAY),
)
FIRST_BACKOFF: Final = 4.0  # seconds, doubled with each refusal
LONGEST_BACKOFF: Final = 60.0  # seconds
# Seconds between a reset that lost its fractions and one that own uploads tell exactly.
CLOSE: Final = 3.0


class RateLimiter(msgspec.Struct):
    """
    Decides when one task may send its uploads to one list.

    Headers of the last response take precedence: uploads left in the window allow the next one, and
    none left means waiting for the reset. Without headers, the documented windows apply and are
    taken to roll, which is safe for fixed windows, too. All times are epoch seconds of this
    machine, so that they outlive the process.

    :ivar counted: when responses to own uploads came, or were given up: never before the service
        counted them.
    :ivar rolling: how many of the windows roll: both; none if headers rule; the minute's if they
        count the day's.
    :ivar opens: when they, or a refusal, allow the next upload.
    :ivar refusals: consecutive ones.
    :ivar refused_since: the time of the first of them.
    """

    counted: list[float] = []
    rolling: int = len(WINDOWS)
    opens: float = 0.0
    refusals: int = 0
    refused_since: float = 0.0

    def next(self, now: float) -> float:
        """When the next upload may be sent: ``now`` if at once."""
        return max(
            now, self.opens, *(self._has_room(*window) for window in WINDOWS[: self.rolling])
        )

    def note(self, limit: RateLimit, now: float) -> None:
        """
        Note an upload that was accepted, or may have been.

        :param limit: what its response says; empty if it was lost.
        :param now: when it came.
        """
        self.counted = sorted([*self.counted, now])[-contract.UPLOADS_PER_DAY :]
        self.refusals = 0
        stated = bool(limit.remaining) or (limit.remaining == 0 and limit.reset is not None)
        self.rolling = int(limit.limit == contract.UPLOADS_PER_DAY) if stated else len(WINDOWS)
        self.opens = 0.0
        if limit.remaining == 0 and limit.reset is not None:
            # If own uploads filled the window, their times are exact, and the header is rounded.
            exact = [
                self._has_room(requests, seconds)
                for requests, seconds in WINDOWS
                if requests == limit.limit
            ]
            self.opens = min(
                [limit.reset, *(moment for moment in exact if abs(moment - limit.reset) <= CLOSE)]
            )

    def refuse(self, limit: RateLimit, now: float) -> None:
        """
        Note a 429.

        :param limit: what it says.
        :param now: when it came.
        """
        self.refused_since = self.refused_since if self.refusals else now
        self.refusals += 1
        # Uploads left in a window that refuses: the headers count another one.
        stated = limit.reset is not None and not limit.remaining
        self.rolling = int(limit.limit == contract.UPLOADS_PER_DAY) if stated else len(WINDOWS)
        backoff = min(LONGEST_BACKOFF, FIRST_BACKOFF * 2.0 ** min(self.refusals - 1, 10))
        # Tasks share lists
        spread = random.random() * (backoff if self.refusals > 1 else 1.0)  # noqa: S311
        self.opens = (
            limit.reset + spread
            if stated and limit.reset is not None
            else now + backoff / 2 + spread
        )

    def seconds_for(self, uploads: int, now: float) -> float:
        """Estimate the seconds until the last of so many more uploads, by the documented limits."""
        estimate, moment = RateLimiter(list(self.counted), opens=self.opens), now
        for _ in range(uploads):
            moment = estimate.next(moment)
            estimate.note(RateLimit(), moment)
        return moment - now

    def _has_room(self, requests: int, seconds: float) -> float:
        """When a rolling window has room again after this task's own uploads; 0 if it has."""
        return self.counted[-requests] + seconds if len(self.counted) >= requests else 0.0
