"""
When the next upload to a list may be sent, so that every window of its limit is filled and none overflows.

Pure: headers and times in, a moment out. Nothing here sends, sleeps or looks at a clock.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from wes_provider import contract
from wes_provider.client.rate_limit_headers import LONGEST_RESET, header_count, reset_time, service_date

__all__ = ["UPLOAD_WINDOWS", "RateLimiter", "Window", "spread_over_windows", "window_of"]


@dataclass(frozen=True)
class Window:
    """So many requests in so many seconds."""

    requests: int
    seconds: float


UPLOAD_WINDOWS: Final = (  # contract section 8, for each coupon list; the shorter one first
    Window(contract.UPLOADS_PER_MINUTE, contract.MINUTE),
    Window(contract.UPLOADS_PER_DAY, contract.DAY),
)

ROUNDING: Final = 1.0  # seconds: the reset header and Date are whole ones
SPACING: Final = 1.25  # seconds between the windows of tasks that share a limit: so far apart are their clocks
STAGGER: Final = 1.0  # seconds between these tasks in a window: a rolling one opens as it was filled, one by one
FIRST_BACKOFF: Final = 4.0  # seconds, doubled with each refusal: of five attempts the last is a minute after the first
LONGEST_BACKOFF: Final = 60.0  # seconds


def window_of(limit: int | None) -> Window | None:
    """The documented window of uploads that a ``x-ratelimit-limit`` speaks of."""
    return next((window for window in UPLOAD_WINDOWS if window.requests == limit), None)


class RateLimiter:
    """
    The uploads that one task sends to one list, one after another.

    What the headers of the last answer say, holds. Where they say nothing, the documented limits do: their windows
    may be fixed or rolling, which nobody says, so a refusal is what tells; until the first one, uploads are sent as
    they come. Or the windows are taken to roll, which suits fixed ones too, costs no refusal, and fills them later.
    Uploads of others are known only as far as headers tell.

    All times are epoch seconds of this machine, which outlive the process (:meth:`to_dict`). The service's clock may
    differ from it: ``Date`` says by how much, and the more answers, the closer.

    :param rolling: take the documented windows to roll, where headers do not say how they are.
    :ivar refusals: answers in a row that were refusals.
    :ivar contended: whether the last answer refused what this task alone would have been allowed.
    """

    def __init__(self, *, rolling: bool = False) -> None:
        self.refusals = 0
        self.contended = False
        self._accepted: list[float] = []  # when answered, so surely not before the service counted it
        self._closed_until = 0.0
        self._stated = False  # whether the last answer's headers could be used
        self._late = 0.0  # seconds by which resets are told too early: their fractions are cut off
        self._ahead: float | None = None  # seconds by which the service's clock is ahead, at least
        self._begins: dict[int, float | None] = {}  # by limit, when a window began or begins; None: the window rolls
        if rolling:
            self._begins = dict.fromkeys(window.requests for window in UPLOAD_WINDOWS)

    def next(self, now: float) -> float:
        """When the next upload may be sent: ``now`` where at once."""
        documented = () if self._stated else (self._opens(window, now) for window in UPLOAD_WINDOWS)
        return max(now, self._closed_until, *documented)

    def seconds_for(self, uploads: int, now: float) -> float:
        """About how long so many more uploads take, from now to the last one, by the documented limits."""
        if uploads <= 0:
            return 0.0
        turn = self.next(now)
        full = next((window for window in UPLOAD_WINDOWS if turn - now <= window.seconds), UPLOAD_WINDOWS[-1])
        # Where a window is full now, what filled it is out of the way when it opens.
        sent = [min(at, turn - full.seconds) if turn > now else at for at in self._accepted]
        for _ in range(uploads):
            turn = max([turn, *(sent[-w.requests] + w.seconds for w in UPLOAD_WINDOWS if len(sent) >= w.requests)])
            sent.append(turn)
        return turn - now

    def record(self, headers: Mapping[str, str], *, sent: float, at: float, refused: bool) -> None:
        """
        Take in the answer to an upload: accepted, or refused with a 429.

        :param headers: names in lower case; none where the answer was lost.
        :param sent: when the request was sent.
        :param at: when the answer was there.
        """
        self.refusals = self.refusals + 1 if refused else 0
        self.contended = refused and all((self._full_until(window) or 0) <= at for window in UPLOAD_WINDOWS)
        if not refused:
            self._accepted = [*self._accepted, at][-UPLOAD_WINDOWS[-1].requests :]
        limit = header_count(headers, contract.RATE_LIMIT_LIMIT)
        remaining = 0 if refused else header_count(headers, contract.RATE_LIMIT_REMAINING)
        opens = self._reset(headers, sent, at, refused)
        self._stated = opens is not None and remaining is not None
        self._closed_until = 0.0
        if opens is not None and remaining == 0:
            self._closed_until = self._learn(limit, opens)
        elif refused:
            self._closed_until = at + min(LONGEST_BACKOFF, FIRST_BACKOFF * 2.0 ** min(self.refusals - 1, 10))
            self._assume_rolling(at)

    def block_until(self, until: float) -> None:
        """Send nothing before ``until``, whatever the limits allow; the next answer ends that."""
        self._closed_until = max(self._closed_until, until)

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it; :meth:`from_dict` reads it back."""
        return {name: value for name, value in vars(self).items() if name != "_begins"} | {
            "_begins": {str(limit): begin for limit, begin in self._begins.items()}
        }

    @classmethod
    def from_dict(cls, state: Mapping[str, Any]) -> RateLimiter:
        """Read back what :meth:`to_dict` wrote."""
        rate_limiter = cls()
        vars(rate_limiter).update(state)
        rate_limiter._begins = {int(limit): begin for limit, begin in state["_begins"].items()}
        return rate_limiter

    # -- what an answer says --

    def _reset(self, headers: Mapping[str, str], sent: float, at: float, refused: bool) -> float | None:
        """When the window resets, by this machine's clock and surely not before; ``None`` where that makes no sense."""
        ahead = self._service_ahead(headers, sent, at)
        reset = reset_time(headers)
        if reset is None:
            return None
        if refused and 0 <= sent + ahead - reset < ROUNDING:
            self._late = ROUNDING  # refused though the reset is past: its fraction was cut off
        opens = reset + self._late - ahead
        return opens if at < opens <= at + LONGEST_RESET.total_seconds() else None

    def _service_ahead(self, headers: Mapping[str, str], sent: float, at: float) -> float:
        date = service_date(headers)
        if date is not None:
            # Date's fraction is cut off too. Of several answers, the one that was cut least comes closest.
            least, most = date - at, date + ROUNDING - sent
            within = self._ahead is not None and self._ahead <= most + ROUNDING  # else a clock has been set
            self._ahead = max(self._ahead, least) if within and self._ahead is not None else least
        return self._ahead or 0.0

    def _learn(self, limit: int | None, opens: float) -> float:
        """Note what a full window shows of its kind; when the next upload may be sent."""
        window = window_of(limit)
        if window is None:
            return opens
        own = self._full_until(window)
        begin = self._begins.get(window.requests)
        fixed = begin is not None and abs(math.remainder(opens - begin, window.seconds)) <= 2 * ROUNDING
        near = own is not None and abs(opens - own) <= 2 * ROUNDING
        self._begins[window.requests] = None if near and not fixed else opens
        # This task's own uploads filled the window, so what they say is exact, and the header is rounded.
        return min(opens, own) if own is not None and near else opens

    def _assume_rolling(self, now: float) -> None:
        """After a refusal that does not say until when: the first window that can be why, rolls at worst."""
        for window in UPLOAD_WINDOWS:
            if (self._full_until(window) or 0) > now:
                self._begins.setdefault(window.requests, None)
                return

    # -- the documented windows --

    def _full_until(self, window: Window) -> float | None:
        """When the window has room again after this task's own uploads, if it rolls."""
        if len(self._accepted) < window.requests:
            return None
        return self._accepted[-window.requests] + window.seconds

    def _opens(self, window: Window, now: float) -> float:
        if window.requests not in self._begins:
            return now
        begin = self._begins[window.requests]
        if begin is None:
            return self._full_until(window) or now
        begin += math.floor((now - begin) / window.seconds) * window.seconds
        used = len(self._accepted) - bisect_left(self._accepted, begin)
        return begin + window.seconds if used >= window.requests else now


def spread_over_windows(reset: float, limit: int | None, place: int) -> float:
    """
    When one of several tasks that share a limit is to send its upload, so that the windows to come take them in turn.

    :param reset: when the next window opens.
    :param limit: of a window, as the headers say.
    :param place: how many come before this one.
    """
    window = window_of(limit)
    if window is None:
        return reset
    turn, number = divmod(place, window.requests)
    return reset + turn * (window.seconds + SPACING) + number * STAGGER
