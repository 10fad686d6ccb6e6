"""
What follows from one poll of a coupon file: poll again, done or failed.

Operators, sensor and trigger all decide here, and nowhere else. Nothing here does I/O, sleeps,
logs or reads a clock; what deserves a log line is part of the step. A wait remembers from poll to
poll whether its file was read, since when the key is refused, and what it has logged.
"""

from __future__ import annotations

import logging
import random
from typing import Final, NamedTuple, TypeAlias

import msgspec

from wes_provider.coupon_files import FIX_THE_FILE, Note, Statuses, failure
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesError,
    WesForbiddenError,
    WesNotFoundError,
    WesRateLimitError,
    WesTimeoutError,
)
from wes_provider.models import CouponFile
from wes_provider.texts import about, shown

__all__ = ["CouponFileWait", "Done", "Failed", "Outcome", "PollAgain", "Step"]

SHORTEST_PAUSE: Final = 1.0
"""Seconds: the soonest that a second poll can be worth it, and the shortest ``poll_interval``."""

GROWTH: Final = 0.13
"""Share of the time waited so far: the end of a file is noticed at most that much late."""

JITTER: Final = 0.1
"""Share of a pause that chance takes off, so that waits don't march in step."""

POLLS_PER_SECOND: Final = 400
"""By all waits of a connection, a sixth of a CPU; more waits poll less often."""

NOT_FOUND_GRACE: Final = 60.0
"""Seconds from :attr:`CouponFileWait.started` on in which the file may not be known yet."""

KEY_REFUSED: Final = (WesAuthenticationError, WesForbiddenError)
"""What a poll gets if the key is wrong now: 401 and 403."""

REFUSED_GRACE: Final = 300.0
"""Seconds for which a wait outlives a refused key that was accepted before: keys get rotated."""


class PollAgain(NamedTuple):
    """Not yet: poll again in ``seconds``; ``note`` deserves a log line."""

    seconds: float
    note: Note | None = None


class Done(NamedTuple):
    """The file is processed, after ``waited`` seconds."""

    file: CouponFile
    waited: float = 0.0


class Failed(NamedTuple):
    """The wait is over without success, after ``waited`` seconds."""

    error: WesError
    waited: float = 0.0


Outcome: TypeAlias = "Done | Failed"
Step: TypeAlias = "PollAgain | Done | Failed"


def pause(waited: float, poll_interval: float, concurrent_waits: int = 1) -> float:
    """
    Compute the time until the next poll: the longer the wait, the longer the pause.

    :param waited: seconds since the upload.
    :param poll_interval: seconds, never exceeded.
    :param concurrent_waits: how many waits poll the service from this process.
    """
    until_first = SHORTEST_PAUSE - waited
    of_wait = GROWTH * waited
    of_load = concurrent_waits / POLLS_PER_SECOND
    seconds = min(poll_interval, max(until_first, of_wait, of_load))
    return seconds * (1 - JITTER * random.random())  # noqa: S311 - spreads load


class CouponFileWait(msgspec.Struct):
    """
    One wait for one coupon file: what follows from each poll.

    :param started: time of the upload, or of the wait if that is not known; epoch seconds, UTC.
        Pauses and the time in messages count from here.
    :param deadline: when to give up, epoch seconds, UTC: the task's ``timeout`` counts from the
        start of the wait, which may be later.
    :param poll_interval: seconds between polls at most.
    :param outlives_refused_key: whether a refused key ends the wait only after five minutes, since
        it is probably being rotated: the wait or its task has used it before, or the wait began in
        an earlier process. Each wait does, as soon as it has read the file.
    :param title: what messages call the file.
    :param advice: what to do if it fails.
    :ivar last_status: as the service spells it; empty if none was seen.
    :ivar refused_since: since when the key is refused, epoch seconds; ``None`` if it is not.
    """

    coupon_list_id: str
    coupon_file_id: str
    started: float
    deadline: float
    poll_interval: float = 60.0
    statuses: Statuses = Statuses()
    outlives_refused_key: bool = False
    title: str = ""
    advice: str = FIX_THE_FILE
    last_status: str = ""
    refused_since: float | None = None
    _last_seen: str = ""
    """What the previous poll brought: a status, or the name of an error class."""
    _warned_of: frozenset[str] = frozenset()
    """The unknown statuses of which a warning was logged."""

    def decide(self, polled: CouponFile | WesError, now: float, concurrent_waits: int = 1) -> Step:
        """
        Decide what follows from one poll of the file.

        A terminal status counts even after the deadline. Before it, errors end the wait so:

        - 401 and 403: at once; after five minutes in a row if the wait outlives a refused key.
        - 404: from a minute after :attr:`started` on.
        - Any other 3xx or 4xx, but for 408, 429 and 499: at once.
        - 408, 429, 499, a 5xx, no response: not before the deadline.

        :param polled: the file, or why it could not be read.
        :param now: epoch seconds, UTC.
        :param concurrent_waits: as :func:`pause` takes them.
        """
        waited = now - self.started
        self._remember(polled, now)
        if isinstance(polled, CouponFile):
            outcome = self.outcome_of(polled, waited)
            if outcome is not None:
                return outcome
        elif self._is_ended_by(polled, now):
            return Failed(polled, waited)
        note = self._note(polled)
        if now >= self.deadline:
            return Failed(self.timed_out(polled, now), waited)
        seconds = self._seconds_until_next(polled, now, concurrent_waits)
        return PollAgain(min(seconds, self.deadline - now), note)

    def outcome_of(self, file: CouponFile, waited: float = 0.0) -> Outcome | None:
        """Tell what the status of a file means; ``None`` if it is not terminal."""
        if self.statuses.failed(file.status):
            return Failed(failure(file, self.advice), waited)
        if self.statuses.succeeded(file.status):
            return Done(file, waited)
        return None

    def timed_out(self, polled: CouponFile | WesError | None, now: float) -> WesTimeoutError:
        """
        Make the error of a deadline that has passed; it quotes the last status.

        :param polled: what the last poll brought; ``None`` if it did not end.
        """
        seconds = f"{now - self.started:.0f} s"
        last_status = self.last_status or "none seen"
        reason = f"Not processed within {seconds}, last status {last_status}"
        lines = [
            self._about(reason),
            "It may still be processed: raise timeout, and execution_timeout if the task has one, "
            "or wait for it with a sensor.",
        ]
        if isinstance(polled, WesError):
            lines.append(f"The last poll failed: {polled}")
        return WesTimeoutError("\n".join(lines), reason=reason)

    def _about(self, cause: str) -> str:
        return about(cause, self.coupon_list_id, self.title or self.coupon_file_id)

    def _remember(self, polled: CouponFile | WesError, now: float) -> None:
        """Remember what a poll says beside the status: the file is there, the key is refused."""
        if isinstance(polled, CouponFile):
            self.outlives_refused_key = True
            self.title = self.title or polled.title
        if not isinstance(polled, KEY_REFUSED):
            self.refused_since = None
        elif self.refused_since is None:
            self.refused_since = now

    def _is_ended_by(self, error: WesError, now: float) -> bool:
        """Tell whether an error ends the wait now."""
        if isinstance(error, KEY_REFUSED):
            if not self.outlives_refused_key or self.refused_since is None:
                return True
            return now - self.refused_since >= REFUSED_GRACE
        if isinstance(error, WesNotFoundError):
            return now - self.started >= NOT_FOUND_GRACE
        return not error.reading_again_helps

    def _note(self, polled: CouponFile | WesError) -> Note | None:
        """Return a log line for a status or a kind of error that the previous poll did not have."""
        seen_before = self._last_seen
        if isinstance(polled, WesError):
            self._last_seen = type(polled).__name__
        else:
            self._last_seen = polled.status
        if self._last_seen == seen_before:
            return None
        if isinstance(polled, WesError):
            return logging.WARNING, f"{self._about('Poll failed, trying again')}\n{polled}"
        return self._note_status(polled.status)

    def _note_status(self, status: str) -> Note:
        self.last_status = status
        if not self.statuses.is_pending(status) and status not in self._warned_of:
            self._warned_of |= {status}
            unknown = self._about(f"Status {shown(status)} is not known, still waiting")
            advice = "If it is final, add it to coupon_file_statuses of the connection or the task."
            return logging.WARNING, f"{unknown}\n{advice}"
        return logging.INFO, self._about(status)

    def _seconds_until_next(
        self, polled: CouponFile | WesError, now: float, concurrent_waits: int
    ) -> float:
        longest = max(self.poll_interval, SHORTEST_PAUSE)
        seconds = pause(max(0.0, now - self.started), longest, concurrent_waits)
        if isinstance(polled, WesError):
            seconds = max(seconds, SHORTEST_PAUSE)
        if isinstance(polled, WesRateLimitError) and polled.reset_at is not None:
            until_reset = polled.reset_at.timestamp() - now
            seconds = max(seconds, until_reset + random.random())  # noqa: S311 - spreads load
        return seconds
