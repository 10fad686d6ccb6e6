"""
When the next upload to a list may be sent, so that no window of its limit overflows and none is
wasted.

Pure: responses and times in, a moment out. Nothing here sends, sleeps or reads a clock.
"""

from __future__ import annotations

import random
from enum import Enum
from typing import Final, NamedTuple

import msgspec

from wes_provider import contract
from wes_provider.client.rate_limits import RateLimit


class Window(NamedTuple):
    """A limit of so many uploads to one list in so many seconds (contract section 8)."""

    uploads: int
    seconds: float


PER_MINUTE: Final = Window(contract.UPLOADS_PER_MINUTE, contract.MINUTE)
PER_DAY: Final = Window(contract.UPLOADS_PER_DAY, contract.DAY)

FIRST_BACKOFF: Final = 4.0
"""Seconds, doubled with each refusal."""

LONGEST_BACKOFF: Final = 60.0
"""Seconds."""

MOST_DOUBLINGS: Final = 10
"""Of the backoff; more would overflow a float."""

SAME_RESET: Final = 3.0
"""Seconds between a reset whose header has lost its fraction and the same one by own uploads."""


class Source(str, Enum):
    """What the next upload has to keep to, beside the moment that a response names."""

    DOCUMENTED = "documented"
    """The documented windows, both taken to roll: the last response has no headers to rely on."""

    HEADERS = "headers"
    """Nothing else: the headers of the last response count the window that matters."""

    HEADERS_OF_DAY = "headers_of_day"
    """The documented minute, taken to roll: the headers of the last response count the day."""


class RateLimiter(msgspec.Struct):
    """
    Decide when one task may send its uploads to one list.

    Headers of the last response take precedence: uploads left in the window allow the next one, and
    none left means waiting for the reset. Without headers, the documented windows apply and are
    taken to roll, which is safe for fixed windows, too. All times are epoch seconds of this
    machine, so that they outlive the process.

    :ivar counted: when responses to own uploads came, or were given up: never before the service
        counted them.
    :ivar source: what the next upload has to keep to.
    :ivar opens: when the headers, or the backoff after a refusal, allow the next upload.
    :ivar refusals: consecutive ones.
    :ivar refused_since: the time of the first of them.
    """

    counted: list[float] = []
    source: Source = Source.DOCUMENTED
    opens: float = 0.0
    refusals: int = 0
    refused_since: float = 0.0

    def next(self, now: float) -> float:
        """Return when the next upload may be sent: ``now`` if at once."""
        moment = max(now, self.opens)
        if self.source is not Source.HEADERS:
            moment = max(moment, self._opening(PER_MINUTE))
        if self.source is Source.DOCUMENTED:
            moment = max(moment, self._opening(PER_DAY))
        return moment

    def note(self, limit: RateLimit, now: float) -> None:
        """
        Note an upload that was accepted, or may have been.

        :param limit: what its response says; empty if it was lost.
        :param now: when it came.
        """
        self.counted = sorted([*self.counted, now])[-PER_DAY.uploads :]
        self.refusals = 0
        self.opens = 0.0
        if limit.remaining is None:
            self.source = Source.DOCUMENTED
        elif limit.remaining > 0:
            self.source = _source_of(limit)
        elif limit.reset is None:
            self.source = Source.DOCUMENTED
        else:
            self.source = _source_of(limit)
            self.opens = self._opening_at_reset(limit.limit, limit.reset)

    def refuse(self, limit: RateLimit, now: float) -> None:
        """
        Note a 429.

        :param limit: what it says.
        :param now: when it came.
        """
        if self.refusals == 0:
            self.refused_since = now
        self.refusals += 1
        doublings = min(self.refusals - 1, MOST_DOUBLINGS)
        backoff = min(LONGEST_BACKOFF, FIRST_BACKOFF * 2.0**doublings)
        # Tasks that share a list are refused together, and must not come back together.
        longest_spread = 1.0 if self.refusals == 1 else backoff
        spread = random.random() * longest_spread  # noqa: S311 - spreads load
        # Headers that have uploads left count another window than the one that refuses.
        counts_another_window = limit.remaining is not None and limit.remaining > 0
        if limit.reset is None or counts_another_window:
            self.source = Source.DOCUMENTED
            self.opens = now + backoff / 2 + spread
        else:
            self.source = _source_of(limit)
            self.opens = limit.reset + spread

    def seconds_for(self, uploads: int, now: float) -> float:
        """Estimate the seconds until the last of so many more uploads, by the documented limits."""
        estimate = RateLimiter(list(self.counted), opens=self.opens)
        moment = now
        for _ in range(uploads):
            moment = estimate.next(moment)
            estimate.note(RateLimit(), moment)
        return moment - now

    def shift(self, seconds: float) -> None:
        """Move all times, which another machine's clock has measured, onto this machine's clock."""
        self.counted = [moment + seconds for moment in self.counted]
        self.opens += seconds
        self.refused_since += seconds

    def _opening_at_reset(self, uploads: int | None, reset: float) -> float:
        """
        Return when a window opens that resets; own uploads, which are exact, say it better than a
        header that is rounded.

        :param uploads: how many the window has, by the header.
        """
        for window in (PER_MINUTE, PER_DAY):
            opening = self._opening(window)
            if window.uploads == uploads and abs(opening - reset) <= SAME_RESET:
                return min(reset, opening)
        return reset

    def _opening(self, window: Window) -> float:
        """Return when a rolling window has room again after own uploads; 0 if it has room now."""
        if len(self.counted) < window.uploads:
            return 0.0
        return self.counted[-window.uploads] + window.seconds


def _source_of(limit: RateLimit) -> Source:
    if limit.limit == PER_DAY.uploads:
        return Source.HEADERS_OF_DAY
    return Source.HEADERS
