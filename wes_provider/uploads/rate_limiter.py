"""
When the next upload to a list may be sent, so that no window of its limit overflows and none is wasted.

Pure: headers and times in, a moment out. Nothing here sends, sleeps or reads a clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from wes_provider import contract
from wes_provider.client.rate_limit_headers import header_count, reset_time, service_date

__all__ = ["UPLOAD_WINDOWS", "RateLimiter", "Window", "seconds_for", "spread_over_windows"]

ROUNDING: Final = 1.0  # seconds: the reset header and Date have no fractions
SPACING: Final = 1.25  # seconds between the windows of tasks that share a limit: their clocks differ by so much
STAGGER: Final = 1.0  # seconds between these tasks in a window: a rolling window opens as it was filled, one by one
FIRST_BACKOFF: Final = 4.0  # seconds, doubled with each refusal: the last of five attempts is a minute after the first
LONGEST_BACKOFF: Final = 60.0  # seconds


@dataclass(frozen=True)
class Window:
    """At most ``requests`` in ``seconds``."""

    requests: int
    seconds: float


UPLOAD_WINDOWS: Final = (  # contract section 8, for each coupon list; the shorter one first
    Window(contract.UPLOADS_PER_MINUTE, contract.MINUTE),
    Window(contract.UPLOADS_PER_DAY, contract.DAY),
)


@dataclass
class _State:
    """
    What is known of one window.

    :ivar window: its length, and its limit: the documented one, or another that headers have named.
    :ivar closed_until: epoch seconds; the window takes no request before.
    :ivar stated: whether the headers of the last response described this window, so that they replace counting.
    """

    window: Window
    closed_until: float = 0.0
    stated: bool = False


@dataclass
class RateLimiter:
    """
    Decides when one task may send its uploads to one list.

    Headers of the last response take precedence, for the window that their limit names. Without headers, the
    documented windows apply and are taken to roll, which is safe for fixed windows, too. Uploads of other tasks are
    known only as far as headers count them.

    All times are epoch seconds of this machine, so that they outlive the process (:meth:`to_dict`). The service's
    clock may differ: its ``Date`` headers show by how much, and the more responses, the more precisely.

    :ivar refusals: consecutive ones.
    :ivar contended: whether the last response refused a request that this task's own uploads left room for.
    :ivar trusted: the limit, none of the windows', that the last response stated as not used up; else 0.
    :ivar disproved: such a limit, of a gateway for example, that was followed by a refusal all the same; 0 if none.
    """

    refusals: int = 0
    contended: bool = False
    accepted: list[float] = field(default_factory=list)  # when the response came: never before the service counted it
    blocked_until: float = 0.0
    ahead: float | None = None  # seconds by which the service's clock is ahead, at least
    trusted: int = 0
    disproved: int = 0
    states: list[_State] = field(default_factory=lambda: [_State(window) for window in UPLOAD_WINDOWS])

    def next(self, now: float) -> float:
        """When the next upload may be sent: ``now`` if at once."""
        self._follow_clock(now)
        moments = [state.closed_until if state.stated else self._full_until(state.window) for state in self.states]
        return max(now, self.blocked_until, *moments)

    def record(self, headers: Mapping[str, str], *, sent: float, at: float, refused: bool) -> None:
        """
        Record the response to an upload.

        :param headers: names in lower case; empty if the response was lost.
        :param sent: when the request was sent.
        :param at: when the response came.
        :param refused: whether the status was 429; otherwise the upload counts.
        """
        self.contended = refused and all(self._full_until(state.window) <= at for state in self.states)
        self.blocked_until = 0.0
        for state in self.states:
            state.stated = False
        self._notice_disproved(headers, refused)
        if not refused:
            self.note_accepted(at)
        closed = self._read_headers(headers, sent, at, refused)
        if not refused:
            self.refusals = 0
            return
        self.refusals += 1
        if not closed and self.next(at) <= at:
            self.blocked_until = at + min(LONGEST_BACKOFF, FIRST_BACKOFF * 2.0 ** min(self.refusals - 1, 10))
        elif self.refusals > 1:
            self.blocked_until = at + ROUNDING  # whatever headers say: they have been wrong before

    def note_accepted(self, at: float) -> None:
        """Count an upload that was accepted at a time, by this attempt or an earlier one."""
        most = max(state.window.requests for state in self.states)
        self.accepted = sorted([*self.accepted, at])[-most:]

    def block_until(self, moment: float) -> None:
        """Send nothing before a moment, whatever the limits allow; the next response ends that."""
        self.blocked_until = max(self.blocked_until, moment)

    def window_of(self, limit: int | None) -> Window | None:
        """The window whose limit this is."""
        return next((state.window for state in self.states if state.window.requests == limit), None)

    def to_dict(self) -> dict[str, Any]:
        """As JSON; :meth:`from_dict` reads it back."""
        return {"version": 1, **asdict(self)}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> RateLimiter:
        """Read what :meth:`to_dict` wrote; unknown keys are ignored."""
        known = {name: stored[name] for name in cls.__dataclass_fields__ if name in stored and name != "states"}
        limiter = cls(**known)
        for state, kept in zip(limiter.states, stored.get("states", ()), strict=False):
            state.window = Window(kept["window"]["requests"], kept["window"]["seconds"])
            state.closed_until, state.stated = kept["closed_until"], kept["stated"]
        return limiter

    def _follow_clock(self, now: float) -> None:
        """If the machine's clock was set back, set the times back that are known by it."""
        back = self.accepted[-1] - now if self.accepted else 0.0
        if back > ROUNDING:
            self.accepted = [at - back for at in self.accepted]
            self.blocked_until -= back
            for state in self.states:
                state.closed_until -= back

    # -- headers

    def _notice_disproved(self, headers: Mapping[str, str], refused: bool) -> None:
        limit = header_count(headers, contract.RATE_LIMIT_LIMIT)
        remaining = header_count(headers, contract.RATE_LIMIT_REMAINING)
        if refused and self.trusted and (limit != self.trusted or remaining):
            self.disproved = self.trusted
        for state, documented in zip(self.states, UPLOAD_WINDOWS, strict=True):
            learned = state.window.requests
            if refused and learned > documented.requests and (limit != learned or remaining):
                state.window, self.disproved = documented, learned
        self.trusted = limit if limit and remaining and self.window_of(limit) is None else 0

    def _read_headers(self, headers: Mapping[str, str], sent: float, at: float, refused: bool) -> bool:
        """Apply what headers say of one window. Return whether they say until when a refusal lasts."""
        limit = header_count(headers, contract.RATE_LIMIT_LIMIT)
        remaining = header_count(headers, contract.RATE_LIMIT_REMAINING)
        opens = self._reset(headers, sent, at)
        state = self._described(limit, opens - at) if opens is not None else None
        if opens is None or state is None or (remaining is None and not refused):
            return False
        if remaining and limit == self.disproved:
            return False
        window = replace(state.window, requests=limit) if limit else state.window
        own = self._full_until(window)
        others_full = any(self._full_until(other.window) > at for other in self.states if other is not state)
        if refused and (remaining or (remaining is None and own <= at and others_full)):
            return False  # the headers count another window than the one that refused
        if refused and limit and limit != self.disproved:  # learned: responses without headers are counted against it
            # A day that took less than a minute does would be a minute whose reset is wrong.
            learned = self.states[0] if limit < self.states[0].window.requests else state
            learned.window = replace(learned.window, requests=limit)
        state.stated = True
        # If this task's own uploads filled the window, their times are exact and the header is rounded.
        state.closed_until = 0.0 if remaining else min(opens, own) if abs(opens - own) <= 3 * ROUNDING else opens
        return not remaining

    def _described(self, limit: int | None, left: float) -> _State | None:
        """The window that headers describe; ``None`` if a reset so far away makes no sense for it."""
        fits = [state for state in self.states if left <= state.window.seconds + 3 * ROUNDING]
        named = [state for state in self.states if state.window.requests == limit]
        if named:
            return named[0] if named[0] in fits else None
        return fits[0] if fits else None

    def _reset(self, headers: Mapping[str, str], sent: float, at: float) -> float | None:
        """When the window resets, by this machine's clock and never too early; ``None`` if that makes no sense."""
        ahead = self._service_ahead(headers, sent, at)
        reset = reset_time(headers)
        # The reset's fraction may be cut off. The second is lost once, as it moves all later windows alike.
        opens = 0.0 if reset is None else reset + ROUNDING - ahead
        return opens if opens > at else None

    def _service_ahead(self, headers: Mapping[str, str], sent: float, at: float) -> float:
        date = service_date(headers)
        if date is not None:
            # Date's fraction is cut off, too. The response that lost least of it comes closest.
            least, most = date - at, date + ROUNDING - sent
            consistent = self.ahead is not None and self.ahead <= most + ROUNDING  # otherwise a clock was set
            self.ahead = max(self.ahead, least) if consistent and self.ahead is not None else least
        return self.ahead or 0.0

    # -- own uploads

    def _full_until(self, window: Window) -> float:
        """When a rolling window has room again after this task's own uploads; 0 if it has."""
        if len(self.accepted) < window.requests:
            return 0.0
        return self.accepted[-window.requests] + window.seconds


def seconds_for(uploads: int, limiter: RateLimiter, now: float) -> float:
    """
    Estimate how long more uploads take, by the limits.

    :param uploads: how many.
    :return: seconds from now to the last one.
    """
    estimate = RateLimiter.from_dict(limiter.to_dict())
    moment = now
    for number in range(uploads):
        moment = estimate.next(moment)
        if number == 0:
            for state in estimate.states:
                state.stated = False
        estimate.blocked_until = 0.0
        estimate.note_accepted(moment)
    return moment - now


def spread_over_windows(reset: float, window: Window, place: int) -> float:
    """
    When one of several tasks that share a limit sends its upload, so that together they fill one window after another.

    :param reset: when the next window opens.
    :param window: the window of the limit.
    :param place: how many tasks come before this one.
    """
    windows, number = divmod(place, window.requests)
    return reset + windows * (window.seconds + SPACING) + number * STAGGER
