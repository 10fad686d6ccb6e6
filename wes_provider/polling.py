"""
Whether a coupon file is waiting, done or failed, when to poll it again, when to give up, whether
coupons were added.

Operators, sensor and trigger all decide here. Nothing here does I/O, sleeps or logs; what deserves
a log line is part of the decision.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

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
    "CountNames",
    "CouponFileWait",
    "Decision",
    "Done",
    "Failed",
    "Outcome",
    "PollAgain",
    "Statuses",
    "check_coupons_added",
    "failure",
    "pause",
]

# Seconds; the soonest that a second poll can be worth it, and the shortest poll_interval.
FIRST_PAUSE: Final = 1.0
GROWTH: Final = 0.13  # of the time waited so far: an end is noticed at most that much late
JITTER: Final = 0.1  # share of a pause that chance takes off, so that waits don't march in step
# By all waits of a connection, a sixth of a CPU; more waits poll less often.
POLLS_PER_SECOND: Final = 400
# Seconds after the upload in which the service may not know the file yet.
NOT_FOUND_GRACE: Final = 60.0
# Seconds of 401 and 403 that a wait outlives once it has read its file: keys get rotated.
REFUSED_GRACE: Final = 300.0

FIX_THE_FILE: Final = (
    "Fix the file, then clear the task that uploaded it: it uploads the file again."
)
TOO_FEW: Final = (
    "The list has these coupons, so a clear uploads nothing. Have a new run upload a larger file; "
    "or, if so few are "
    "fine, lower min_coupons_added and clear the task."
)

Note: TypeAlias = tuple[int, str]  # a log level and a message


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
Decision: TypeAlias = "PollAgain | Done | Failed"


class Statuses(msgspec.Struct, frozen=True):
    """
    Which status means what, in capitals, compared without case.

    The contract shows PENDING and no other (section 3), so the sets are settings. A status in none
    of them is waited for.
    """

    pending: frozenset[str] = contract.PENDING_STATUSES
    success: frozenset[str] = contract.SUCCESS_STATUSES
    failure: frozenset[str] = contract.FAILURE_STATUSES

    @classmethod
    def of(cls, overrides: Mapping[str, Any] | None, base: Statuses | None = None) -> Statuses:
        """
        Status sets with some of them replaced.

        :param overrides: ``pending``, ``success`` and ``failure``, each a list of statuses that
            replaces the list of ``base``. A status that is named here leaves the lists that are
            not.
        :param base: replaced in, instead of the defaults.
        :raises WesConfigurationError: on another key, on what is no list of texts, or on a status
            in two lists.
        """
        try:
            lists = msgspec.convert(
                overrides or {}, dict[Literal["pending", "success", "failure"], list[str]]
            )
        except msgspec.ValidationError as error:
            raise WesConfigurationError(
                "coupon_file_statuses takes lists of statuses as pending, success and failure: "
                f"{shown(str(error))}"
                f"\nGiven: {shown(overrides)}"
            ) from None
        given = {
            str(key): frozenset(name.strip().upper() for name in names)
            for key, names in lists.items()
        }
        named = [name for names in given.values() for name in names]
        if twice := {name for name in named if named.count(name) > 1}:
            raise WesConfigurationError(f"coupon_file_statuses has {min(twice)} in two lists")
        others = base or cls()
        return cls(
            **{
                key: given.get(key, getattr(others, key) - set(named))
                for key in cls.__struct_fields__
            }
        )

    def succeeded(self, status: str) -> bool:
        """Whether a file of this status is processed."""
        return status.strip().upper() in self.success

    def failed(self, status: str) -> bool:
        """Whether a file of this status has failed."""
        return status.strip().upper() in self.failure


# -- counts of coupons -----------------------------------------------------------------------------


class CountNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Which counts of a coupon file mean what: the contract shows none (section 2), so their names are
    a setting.

    :param added: name of the count of coupons that were added, dotted if it is below a property,
        such as ``stats.imported``; if empty, ``added``, ``imported`` or ``coupons_added``.
    :param duplicates: name of the count of duplicates; if empty, ``duplicates``, ``duplicate`` or
        ``coupons_duplicate``.
    """

    added: str = ""
    duplicates: str = ""

    def read(self, files: Iterable[CouponFile]) -> tuple[int | None, int | None]:
        """
        How many coupons were added, and how many were duplicates, by all ``files``; ``None`` if any
        does not say.
        """
        counts = [file.counts for file in files]
        return (
            _sum(counts, [self.added] if self.added else ["added", "imported", "coupons_added"]),
            _sum(
                counts,
                [self.duplicates]
                if self.duplicates
                else ["duplicates", "duplicate", "coupons_duplicate"],
            ),
        )


def _sum(counts: Sequence[Mapping[str, int]], names: Sequence[str]) -> int | None:
    found = [
        next((each[name] for name in names if each.get(name, -1) >= 0), None) for each in counts
    ]
    known = [count for count in found if count is not None]
    return sum(known) if known and len(known) == len(found) else None


def check_coupons_added(
    files: Sequence[CouponFile], names: CountNames, minimum: int | None
) -> Note:
    """
    Whether processed files brought enough coupons.

    :param files: one file, or all files of a run.
    :param minimum: the argument ``min_coupons_added``; ``None`` warns if no coupon was added.
    :return: what deserves a log line.
    :raises WesCouponFileFailedError: if fewer coupons were added, or nobody knows how many.
    """
    first, (added, duplicates) = files[0], names.read(files)
    level, enough, more = logging.INFO, (added or 0) >= (minimum or 0), ""
    if added is None:
        reason = "No count of added coupons"
        more = (
            "If the service counts them, name the count in the connection's extra "
            "coupon_file_counts, as added. "
        )
        more += f"Counts: {', '.join(first.counts) or 'none'}"
    else:
        reason = f"{counted(added, 'coupon')} added"
        reason += "" if duplicates is None else f", {counted(duplicates, 'duplicate')}"
        if not enough:
            reason, more = f"{reason}, fewer than {minimum}", TOO_FEW
        elif added == 0 and minimum is None:
            level, more = (
                logging.WARNING,
                "min_coupons_added=1 makes this an error, and 0 expects it.",
            )
    title = first.title if len(files) == 1 else f"{len(files)} files"
    text = "\n".join(filter(None, (about(reason, first.coupon_list_id, title), more)))
    if not enough:
        raise WesCouponFileFailedError(text, first.summary(), reason=reason)
    return level, text


def failure(file: CouponFile, advice: str = FIX_THE_FILE) -> WesCouponFileFailedError:
    """
    The error of a file that failed processing: why and which, what to do.

    :param file: as the service reports it.
    :param advice: what to do.
    """
    reason = (
        f"{file.status}: {file.reason}"
        if file.reason
        else f"Processing failed with status {file.status}"
    )
    text = f"{about(reason, file.coupon_list_id, file.title)}\n{advice}\nCoupon file: {file.id}"
    return WesCouponFileFailedError(text, file.summary(), reason=reason)


# -- one wait --------------------------------------------------------------------------------------


def pause(waited: float, poll_interval: float, concurrent_waits: int = 1) -> float:
    """
    How long to wait before the next poll: the longer, the longer the wait, since slow files can be
    noticed late.

    :param waited: seconds since the upload.
    :param poll_interval: seconds, never exceeded.
    :param concurrent_waits: how many waits poll the service from this process.
    """
    longest = min(
        poll_interval,
        max(FIRST_PAUSE - waited, GROWTH * waited, concurrent_waits / POLLS_PER_SECOND),
    )
    return longest * (1 - JITTER * random.random())  # noqa: S311 - spreads load


class CouponFileWait(msgspec.Struct):
    """
    One wait for one coupon file: what follows from each poll.

    :param started: time of the upload, or of the wait if that is not known; epoch seconds, UTC.
    :param deadline: epoch seconds, UTC.
    :param poll_interval: seconds between polls at most.
    :param was_read: the file was read before, by this task in another process.
    :param title: what messages call the file.
    :param advice: what to do if it fails.
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
    last_status: str = ""
    refused_since: float | None = None
    _last_seen: str = ""  # a status, or a kind of error

    def decide(
        self, polled: CouponFile | WesError, now: float, concurrent_waits: int = 1
    ) -> Decision:
        """
        What follows from one poll of the file.

        A terminal status counts even after the deadline. Before it, of the errors only 3xx and 4xx
        end the wait; but no 408, 429 or 499, no 404 shortly after the upload, and no 401 or 403 for
        five minutes once the file was read.

        :param polled: the file, or why it could not be read.
        :param now: epoch seconds, UTC.
        :param concurrent_waits: as :func:`pause` takes them.
        """
        waited = now - self.started
        if isinstance(polled, CouponFile):
            if (outcome := self.outcome_of(polled, waited)) is not None:
                return outcome
            self.was_read, self.refused_since, self.title = True, None, self.title or polled.title
        elif self._is_ended_by(polled, now):
            return Failed(polled, waited)
        note = self._note(polled)
        if now >= self.deadline:
            return Failed(self.timed_out(polled, now), waited)
        return PollAgain(min(self._pause(polled, now, concurrent_waits), self.deadline - now), note)

    def outcome_of(self, file: CouponFile, waited: float = 0.0) -> Outcome | None:
        """What the status of a file means; ``None`` if it is not the last one."""
        if self.statuses.failed(file.status):
            return Failed(failure(file, self.advice), waited)
        return Done(file, waited) if self.statuses.succeeded(file.status) else None

    def timed_out(self, polled: CouponFile | WesError | None, now: float) -> WesTimeoutError:
        """The error of a deadline that has passed; it quotes the last status."""
        last = f"\nThe last poll failed: {polled}" if isinstance(polled, WesError) else ""
        reason = (
            f"Not processed within {now - self.started:.0f} s, last status "
            f"{self.last_status or 'none seen'}"
        )
        return WesTimeoutError(
            f"{self._about(reason)}\nIt may still be processed: raise timeout, and "
            "execution_timeout if the task has "
            f"one, or wait for it with a sensor.{last}",
            reason=reason,
        )

    def _about(self, cause: str) -> str:
        return about(cause, self.coupon_list_id, self.title or self.coupon_file_id)

    def _is_ended_by(self, error: WesError, now: float) -> bool:
        """Whether an error ends the wait before its deadline; notes since when a key is refused."""
        refused = isinstance(error, (WesAuthenticationError, WesForbiddenError))
        self.refused_since = (self.refused_since or now) if refused else None
        if self.refused_since is not None and self.was_read:
            return now - self.refused_since >= REFUSED_GRACE
        if isinstance(error, WesNotFoundError):
            return now - self.started >= NOT_FOUND_GRACE
        return isinstance(error, WesResponseError) and not error.reading_again_helps

    def _note(self, polled: CouponFile | WesError) -> Note | None:
        """
        What deserves a log line: a status or a kind of error that the poll before did not bring.
        """
        before, self._last_seen = self._last_seen, getattr(polled, "status", type(polled).__name__)
        if self._last_seen == before:
            return None
        if isinstance(polled, WesError):
            return logging.WARNING, f"{self._about('Poll failed, trying again')}\n{polled}"
        new, self.last_status = polled.status != self.last_status, polled.status
        if not new or polled.status.strip().upper() in self.statuses.pending:
            return logging.INFO, self._about(polled.status)
        text = self._about(f"Status {shown(polled.status)} is not known, still waiting")
        return (
            logging.WARNING,
            f"{text}\nIf it is final, add it to coupon_file_statuses of the connection or the "
            "task.",
        )

    def _pause(self, polled: CouponFile | WesError, now: float, concurrent_waits: int) -> float:
        longest = max(self.poll_interval, FIRST_PAUSE)
        seconds = pause(max(0.0, now - self.started), longest, concurrent_waits)
        if isinstance(polled, WesError):
            seconds = max(seconds, FIRST_PAUSE)
        if isinstance(polled, WesRateLimitError) and polled.reset_at is not None:
            # Spreads load
            seconds = max(seconds, polled.reset_at.timestamp() - now + random.random())  # noqa: S311
        return seconds
