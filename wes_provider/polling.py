"""
Whether a coupon file is waiting, done or failed, when to poll it again, when to give up, whether coupons were added.

Operators, sensor and trigger all decide here. Nothing here does I/O, sleeps or logs; what deserves a log line is part
of the decision.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from wes_provider import contract
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesConfigurationError,
    WesCouponFileFailedError,
    WesError,
    WesForbiddenError,
    WesNotFoundError,
    WesRateLimitError,
    WesResponseError,
    WesTimeoutError,
)
from wes_provider.models import CouponFile
from wes_provider.texts import about, counted, shown

__all__ = [
    "CountNames", "CouponFileWait", "Decision", "Done", "Failed", "Outcome", "Statuses", "Wait", "check_coupons_added",
    "failure", "pause",
]  # fmt: skip

FIRST_PAUSE: Final = 1.0  # seconds; the soonest that a second poll can be worth it, and the shortest poll_interval
GROWTH: Final = 0.13  # of the time waited so far: an end is noticed at most that much late
JITTER: Final = 0.1  # share of a pause that chance takes off, so that waits don't march in step
POLLS_PER_SECOND: Final = 400  # by all waits of a connection, a sixth of a CPU; more waits poll less often
NOT_FOUND_GRACE: Final = 60.0  # seconds after the upload in which the service may not know the file yet
REFUSED_GRACE: Final = 300.0  # seconds of 401 and 403 that a wait outlives once it has read its file: keys get rotated
REFUSED_INTERVAL: Final = 30.0  # seconds between polls at most, meanwhile
HEARTBEAT: Final = 600.0  # seconds between log lines of a wait in which nothing changes

FIX_THE_FILE: Final = "Fix the file, then clear the task that uploaded it: it uploads the file again."

Note: TypeAlias = tuple[int, str]
"""A log level and a message for the log."""


class Wait(NamedTuple):
    """Not yet: poll again in ``seconds``; ``notes`` deserve a log line."""

    seconds: float
    notes: tuple[Note, ...] = ()


class Done(NamedTuple):
    """The file is processed, after ``waited`` seconds and ``polls`` polls by the process that noticed."""

    file: CouponFile
    waited: float = 0.0
    polls: int = 0


class Failed(NamedTuple):
    """The wait is over without success, after ``waited`` seconds and ``polls`` polls by the process that noticed."""

    error: WesError
    waited: float = 0.0
    polls: int = 0


Outcome: TypeAlias = "Done | Failed"
Decision: TypeAlias = "Wait | Done | Failed"


class Statuses(msgspec.Struct, frozen=True):
    """
    Which status means what, in capitals, compared without case.

    The contract shows PENDING and no other (section 3), so the sets are settings. A status in none of them
    is waited for.
    """

    pending: frozenset[str] = contract.PENDING_STATUSES
    success: frozenset[str] = contract.SUCCESS_STATUSES
    failure: frozenset[str] = contract.FAILURE_STATUSES

    @classmethod
    def of(cls, overrides: Mapping[str, Any] | None, base: Statuses | None = None) -> Statuses:
        """
        Status sets with some of them replaced.

        :param overrides: ``pending``, ``success`` and ``failure``, each a list of statuses that replaces the list of
            ``base``. A status that is named here leaves the lists that are not.
        :param base: replaced in, instead of the defaults.
        :raises WesConfigurationError: on another key, on what is no list of texts, or on a status in two lists.
        """
        base = base or cls()
        given: dict[str, frozenset[str]] = {}
        for key, value in (overrides or {}).items():
            try:
                names = msgspec.convert(list(value) if isinstance(value, (set, tuple)) else value, list[str])
                given[key] = frozenset(name.strip().upper() for name in names)
            except msgspec.ValidationError:
                raise WesConfigurationError(
                    f"coupon_file_statuses.{key} takes a list of statuses, not {shown(value)}"
                ) from None
            if key not in cls.__struct_fields__:
                raise WesConfigurationError(
                    f"coupon_file_statuses has {shown(key)}; it takes pending, success and failure"
                )
        named = [name for names in given.values() for name in names]
        if twice := {name for name in named if named.count(name) > 1}:
            raise WesConfigurationError(f"coupon_file_statuses has {min(twice)} in two lists")
        return cls(**{key: given.get(key, getattr(base, key) - set(named)) for key in cls.__struct_fields__})

    def succeeded(self, status: str) -> bool:
        """Whether a file of this status is processed."""
        return status.strip().upper() in self.success

    def failed(self, status: str) -> bool:
        """Whether a file of this status has failed."""
        return status.strip().upper() in self.failure


# -- counts of coupons -------------------------------------------------------------------------------


class CountNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Which counts of a coupon file mean what: the contract shows none (section 2), so their names are a setting.

    :param added: name of the count of coupons that were added, dotted if it is below a property, such as
        ``stats.imported``; if empty, ``added``, ``imported`` or ``coupons_added``.
    :param duplicates: name of the count of duplicates; if empty, ``duplicates``, ``duplicate`` or
        ``coupons_duplicate``.
    """

    added: str = ""
    duplicates: str = ""

    def read(self, files: Iterable[CouponFile]) -> tuple[int | None, int | None]:
        """How many coupons were added, and how many were duplicates, by all ``files``; ``None`` if any does not say."""
        counts = [file.counts for file in files]
        return (
            _sum(counts, self.added, ("added", "imported", "coupons_added")),
            _sum(counts, self.duplicates, ("duplicates", "duplicate", "coupons_duplicate")),
        )


def _sum(counts: Sequence[Mapping[str, int]], name: str, names: Sequence[str]) -> int | None:
    found = [next((each[n] for n in ([name] if name else names) if each.get(n, -1) >= 0), None) for each in counts]
    known = [count for count in found if count is not None]
    return sum(known) if known and len(known) == len(found) else None


def check_coupons_added(
    files: Sequence[CouponFile], names: CountNames, minimum: int | None, advice: str = FIX_THE_FILE
) -> Note:
    """
    Whether processed files brought enough coupons.

    :param files: one file, or all files of a run.
    :param minimum: the argument ``min_coupons_added``; ``None`` warns if no coupon was added.
    :param advice: what a person does to have a fixed file uploaded again.
    :return: what deserves a log line.
    :raises WesCouponFileFailedError: if fewer coupons were added, or nobody knows how many.
    """
    first, (added, duplicates) = files[0], names.read(files)
    title = first.title if len(files) == 1 else f"{len(files)} files"
    if added is None:
        reason = "No count of added coupons"
        text = (
            f"{about(reason, first.coupon_list_id, title)}\nIf the service counts them, name the count in the connection's "
            f"extra coupon_file_counts, as added. Counts: {', '.join(first.counts) or 'none'}"
        )
        if minimum:
            raise WesCouponFileFailedError(text, first.summary(), reason=reason)
        return logging.INFO, text
    more = "" if duplicates is None else f", {counted(duplicates, 'duplicate')}"
    reason = f"{counted(added, 'coupon')} added{more}"
    if added < (minimum or 0):
        reason += f", fewer than {minimum}"
        text = f"{about(reason, first.coupon_list_id, title)}\n{advice}\nIf so few are fine, lower min_coupons_added."
        raise WesCouponFileFailedError(text, first.summary(), reason=reason)
    text = about(reason, first.coupon_list_id, title)
    if added == 0 and minimum is None:
        return logging.WARNING, f"{text}\nmin_coupons_added=1 makes this an error, and 0 expects it."
    return logging.INFO, text


def failure(file: CouponFile, advice: str = FIX_THE_FILE) -> WesCouponFileFailedError:
    """
    The error of a file that failed processing: why and which, what to do.

    :param file: as the service reports it.
    :param advice: what to do.
    """
    reason = f"{file.status}: {file.reason}" if file.reason else f"Processing failed with status {file.status}"
    text = f"{about(reason, file.coupon_list_id, file.title)}\n{advice}\nCoupon file: {file.id}"
    return WesCouponFileFailedError(text, file.summary(), reason=reason)


# -- one wait ----------------------------------------------------------------------------------------


def pause(waited: float, poll_interval: float, concurrent_waits: int = 1, chance: float | None = None) -> float:
    """
    How long to wait before the next poll.

    Grows with the time waited so far, so that quick files are noticed quickly and slow ones cost little.

    :param waited: seconds since the upload.
    :param poll_interval: seconds, never exceeded.
    :param concurrent_waits: how many waits poll the service from this process.
    :param chance: from 0 to 1, instead of a random number.
    """
    longest = min(poll_interval, max(FIRST_PAUSE - waited, GROWTH * waited, concurrent_waits / POLLS_PER_SECOND))
    return longest * (1 - JITTER * (random.random() if chance is None else chance))  # noqa: S311 - spreads load


class CouponFileWait(msgspec.Struct):
    """
    One wait for one coupon file: what follows from each poll.

    :param started: time of the upload, or of the wait if that is not known; epoch seconds, UTC.
    :param deadline: epoch seconds, UTC.
    :param poll_interval: seconds between polls at most.
    :param was_read: the file was read before, by this task in another process.
    :param title: what messages call the file.
    :param advice: what to do if it fails.
    :ivar polls: how many there were.
    :ivar last_status: as the service spells it; empty if none was seen.
    :ivar refused_since: since when the key is refused, epoch seconds.
    """

    coupon_list_id: str
    coupon_file_id: str
    started: float
    deadline: float
    poll_interval: float = 60.0
    statuses: Statuses = Statuses()
    was_read: bool = False
    title: str = ""
    advice: str = FIX_THE_FILE
    polls: int = 0
    last_status: str = ""
    refused_since: float | None = None
    _errors: int = 0  # polls in a row that brought no status
    _noted_at: float = 0.0

    def decide(self, polled: CouponFile | WesError, now: float, concurrent_waits: int = 1) -> Decision:
        """
        What follows from one poll of the file.

        A terminal status counts even after the deadline. Transport errors, 429, 5xx and a connection that cannot be
        read do not end the wait, nor does a 404 shortly after the upload, or a 401 or 403 for five minutes once the
        file has been read; any other response does.

        :param polled: the file, or why it could not be read.
        :param now: epoch seconds, UTC.
        :param concurrent_waits: as :func:`pause` takes them.
        """
        self.polls += 1
        if isinstance(polled, CouponFile):
            if self.statuses.succeeded(polled.status):
                return Done(polled, now - self.started, self.polls)
            if self.statuses.failed(polled.status):
                return Failed(failure(polled, self.advice), now - self.started, self.polls)
        elif self._ends(polled, now):
            return Failed(polled, now - self.started, self.polls)
        notes = self._note(polled, now)
        if now >= self.deadline:
            return Failed(self.timed_out(polled, now), now - self.started, self.polls)
        return Wait(self._pause(polled, now, concurrent_waits), notes)

    def timed_out(self, polled: CouponFile | WesError | None, now: float) -> WesTimeoutError:
        """The error of a deadline that has passed; it quotes the last status."""
        last = f"\nThe last poll failed: {polled}" if isinstance(polled, WesError) else ""
        reason = f"Not processed within {now - self.started:.0f} s, last status {self.last_status or 'none seen'}"
        return WesTimeoutError(
            f"{self._about(reason)}\nIt may still be processed: raise timeout, or wait for it with a sensor.{last}",
            reason=reason,
        )

    def _about(self, cause: str) -> str:
        return about(cause, self.coupon_list_id, self.title or self.coupon_file_id)

    def _ends(self, error: WesError, now: float) -> bool:
        """Whether an error ends the wait before its deadline."""
        if isinstance(error, (WesAuthenticationError, WesForbiddenError)) and self.was_read:
            self.refused_since = self.refused_since or now
            return now - self.refused_since >= REFUSED_GRACE
        if isinstance(error, WesNotFoundError):
            return now - self.started >= NOT_FOUND_GRACE
        return isinstance(error, WesResponseError) and error.permanent

    def _note(self, polled: CouponFile | WesError, now: float) -> tuple[Note, ...]:
        """Keep what a poll brought that ends nothing, and say so in the log if it is new."""
        note: Note | None = None
        if isinstance(polled, CouponFile):
            known = polled.status.strip().upper() in self.statuses.pending
            if polled.status != self.last_status and not known:
                text = f"Status {shown(polled.status)} is not known, still waiting"
                advice = "If it is final, add it to coupon_file_statuses of the connection or the task."
                note = logging.WARNING, f"{self._about(text)}\n{advice}"
            elif polled.status != self.last_status or self._errors:
                note = logging.INFO, self._about(polled.status)
            self.last_status, self.was_read, self._errors, self.refused_since = polled.status, True, 0, None
        else:
            self._errors += 1
            if self._errors == 1:
                until = f" for {REFUSED_GRACE:.0f} s" if self.refused_since else ""
                note = logging.WARNING, f"{self._about(f'Poll failed, trying again{until}')}\n{polled}"
        if note is None and now - max(self._noted_at, self.started) >= HEARTBEAT:
            note = logging.INFO, self._about(f"Still {self.last_status or 'not read'} after {now - self.started:.0f} s")
        if note is not None:
            self._noted_at = now
        return () if note is None else (note,)

    def _pause(self, polled: CouponFile | WesError, now: float, concurrent_waits: int) -> float:
        seconds = pause(max(0.0, now - self.started), max(self.poll_interval, FIRST_PAUSE), concurrent_waits)
        if self._errors:
            seconds = max(seconds, min(self.poll_interval, FIRST_PAUSE * 2.0 ** min(self._errors - 1, 10)))
        if self.refused_since:
            seconds = min(seconds, max(REFUSED_INTERVAL, concurrent_waits / POLLS_PER_SECOND))
        if isinstance(polled, WesRateLimitError) and polled.reset_at is not None:
            seconds = max(seconds, polled.reset_at.timestamp() - now + random.random())  # noqa: S311 - spreads load
        return min(seconds, max(0.0, self.deadline - now))
