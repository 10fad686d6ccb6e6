"""
Is this coupon file waiting, done or failed; when to look again; when to give up.

The only place that decides it: operators, sensor and trigger ask here. Nothing here does I/O, sleeps or
logs; what deserves a log line comes back with the decision.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from wes_provider import contract
from wes_provider.exceptions import (
    WesConfigurationError,
    WesCouponFileFailedError,
    WesError,
    WesNotFoundError,
    WesRateLimitError,
    WesResponseError,
    WesTimeoutError,
    dump_error,
    load_error,
)
from wes_provider.models import CouponFile, shown

__all__ = [
    "CouponFileWait",
    "Decision",
    "Done",
    "Failed",
    "Outcome",
    "Statuses",
    "Wait",
    "dump_outcomes",
    "first_pause",
    "load_outcomes",
    "only_outcome",
    "pause",
]

FIRST_PAUSE: Final = 1.0  # seconds; the soonest that a second look can be worth it
GROWTH: Final = 0.13  # of the time waited so far: a file is noticed at most that much late
JITTER: Final = 0.1  # share of a pause that chance takes off, so that waits don't march in step
POLLS_PER_SECOND: Final = (
    400  # looks a second by all waits of a connection, a sixth of a CPU; more waits look less often
)
NOT_FOUND_GRACE: Final = 60.0  # seconds after the upload in which the service may not know the file yet
HEARTBEAT: Final = 600.0  # seconds between log lines of a wait in which nothing changes

Note: TypeAlias = tuple[int, str]
"""A log level and a line for the log."""


class Wait(NamedTuple):
    """Not yet: look again in ``seconds``; ``notes`` deserve a log line."""

    seconds: float
    notes: tuple[Note, ...] = ()


class Done(NamedTuple):
    """The file is processed."""

    file: CouponFile


class Failed(NamedTuple):
    """The wait is over without success."""

    error: WesError


Outcome: TypeAlias = "Done | Failed"
Decision: TypeAlias = "Wait | Done | Failed"


def dump_outcomes(outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    """How waits ended, by file identifier, as a trigger's event; :func:`load_outcomes` reads it back."""
    return {
        "files": {
            file_id: {"done": outcome.file.summary()}
            if isinstance(outcome, Done)
            else {"failed": dump_error(outcome.error)}
            for file_id, outcome in outcomes.items()
        }
    }


def load_outcomes(event: Any) -> dict[str, Outcome]:
    """
    How waits ended, by file identifier.

    :raises WesError: where the event is missing or is no such event: no news is no success.
    """
    try:
        return {
            str(file_id): Done(CouponFile.from_summary(entry["done"]))
            if "done" in entry
            else Failed(load_error(entry["failed"]))
            for file_id, entry in event["files"].items()
        }
    except (AttributeError, KeyError, TypeError):
        raise WesError(f"the trigger's event cannot be read: {shown(event)}") from None


def only_outcome(event: Any) -> Outcome:
    """How the only wait of an event ended; errors as of :func:`load_outcomes`."""
    outcomes = load_outcomes(event)
    if len(outcomes) != 1:
        raise WesError(f"the trigger's event is of {len(outcomes)} coupon files instead of one: {shown(event)}")
    return next(iter(outcomes.values()))


@dataclass(frozen=True)
class Statuses:
    """
    Which status means what, compared without case.

    The contract shows PENDING and no other (section 3), so the sets are settings. A status in none of them
    is waited for.
    """

    pending: frozenset[str] = contract.PENDING_STATUSES
    success: frozenset[str] = contract.SUCCESS_STATUSES
    failure: frozenset[str] = contract.FAILURE_STATUSES

    @classmethod
    def of(cls, overrides: Mapping[str, Any] | None = None, *, base: Statuses | None = None) -> Statuses:
        """
        Status sets with some of them replaced.

        :param overrides: ``pending``, ``success`` and ``failure``, each a list of statuses that replaces the
            default list. A status that is named here leaves the default lists that are not.
        :param base: replaced in, instead of the defaults.
        :raises WesConfigurationError: on another key, on what is no list of texts, or on a status in two lists.
        """
        given: dict[str, frozenset[str]] = {}
        for key, value in (overrides or {}).items():
            if value is None:
                continue
            if key not in ("pending", "success", "failure"):
                raise WesConfigurationError(
                    f"coupon_file_statuses has {shown(key)}; it takes pending, success and failure"
                )
            given[key] = _status_set(f"coupon_file_statuses.{key}", value)
        named: set[str] = set()
        for key, statuses in given.items():
            if twice := named & statuses:
                raise WesConfigurationError(
                    f"coupon_file_statuses.{key} has {min(twice)}, which another list of coupon_file_statuses has too"
                )
            named |= statuses
        base = base or cls()
        return cls(**{key: given.get(key, getattr(base, key) - named) for key in ("pending", "success", "failure")})

    def ended(self, status: str) -> bool:
        """Whether a file of this status is processed, or has failed."""
        return status.strip().upper() in self.success or self.failed(status)

    def failed(self, status: str) -> bool:
        """Whether a file of this status has failed."""
        return status.strip().upper() in self.failure

    def to_dict(self) -> dict[str, list[str]]:
        """As JSON holds it; :meth:`of` reads it back."""
        return {key: sorted(getattr(self, key)) for key in ("pending", "success", "failure")}


def _status_set(field: str, value: Any) -> frozenset[str]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise WesConfigurationError(f"{field} takes a list of statuses, not {shown(value)}")
    statuses = list(value)
    for status in statuses:
        if not isinstance(status, str) or not status.strip():
            raise WesConfigurationError(f"{field} takes texts, not {shown(status)}")
    return frozenset(status.strip().upper() for status in statuses)


def pause(waited: float, poll_interval: float, concurrent_waits: int = 1, chance: float | None = None) -> float:
    """
    How long to wait before the next look.

    Grows with the time waited so far, so that quick files are noticed quickly and slow ones cost little.

    :param waited: seconds since the upload.
    :param poll_interval: seconds, never exceeded.
    :param crowd: how many waits look at the service from this process.
    :param chance: from 0 to 1 instead of a random number.
    """
    longest = min(poll_interval, max(FIRST_PAUSE - waited, GROWTH * waited, concurrent_waits / POLLS_PER_SECOND))
    return longest * (1 - JITTER * (random.random() if chance is None else chance))  # noqa: S311 - spreads load


def first_pause(waited: float, poll_interval: float, concurrent_waits: int = 1) -> float:
    """
    How long to wait before the first look after the file was looked at elsewhere: any part of a pause.

    A triggerer that takes up thousands of waits at once so spreads them over the time that they would look in anyway.
    """
    return random.random() * pause(waited, poll_interval, concurrent_waits)  # noqa: S311 - spreads load


class CouponFileWait:
    """
    One wait for one coupon file: what follows from each look at it.

    :param statuses: which status means what.
    :param started: of the upload, or of the wait where that is not known; epoch seconds, UTC.
    :param deadline: epoch seconds, UTC.
    :param poll_interval: seconds between looks at most.
    :param silent_fail: look past whatever the service answers instead of the file, until the deadline.
    """

    __slots__ = (
        "_errors",
        "_heartbeat",
        "_limited",
        "_unknown",
        "deadline",
        "label",
        "last",
        "poll_interval",
        "silent_fail",
        "started",
        "statuses",
    )

    def __init__(
        self,
        coupon_list_id: str,
        coupon_file_id: str,
        *,
        statuses: Statuses,
        started: float,
        deadline: float,
        poll_interval: float,
        silent_fail: bool = False,
    ) -> None:
        self.label = f"coupon file {coupon_file_id} of list {coupon_list_id}"
        self.statuses = statuses
        self.started = started
        self.deadline = deadline
        self.poll_interval = poll_interval
        self.silent_fail = silent_fail
        self.last = ""  # the last status seen
        self._errors = 0  # looks in a row that brought no status
        self._limited = False  # whether it was said that the service limits reads
        self._unknown: tuple[str, ...] = ()  # statuses warned of
        self._heartbeat = started

    def decide(self, polled: CouponFile | WesError, now: float, concurrent_waits: int = 1) -> Decision:
        """
        What follows from one look at the file.

        A terminal status counts even after the deadline. Transport errors, 429 and 5xx do not end the wait, nor
        does a 404 shortly after the upload; any other 4xx does, unless ``silent_fail``.

        :param seen: the file, or why it could not be read.
        :param now: epoch seconds, UTC.
        :param crowd: of :func:`pause`.
        """
        notes: list[Note] = []
        if isinstance(polled, CouponFile):
            status = polled.status.strip().upper()
            if status in self.statuses.success:
                return Done(polled)
            if status in self.statuses.failure:
                return Failed(self._failed(polled))
            notes = self._news(polled.status, status)
            self._errors = 0
        elif not self._passes(polled, now):
            return Failed(polled)
        else:
            notes = self._trouble(polled)
        if now >= self.deadline:
            return Failed(self.timed_out(polled, now))
        if not notes and now - self._heartbeat >= HEARTBEAT:
            notes = [(logging.INFO, f"{self.label}: still {self.last or 'unknown'} after {now - self.started:.0f} s")]
        if notes:
            self._heartbeat = now
        return Wait(self._pause(polled, now, concurrent_waits), tuple(notes))

    def timed_out(self, polled: CouponFile | WesError | None, now: float) -> WesTimeoutError:
        """The error of a deadline that has passed; it quotes the last status."""
        why = f"; the last look failed: {polled}" if isinstance(polled, WesError) else ""
        return WesTimeoutError(
            f"{self.label} was not processed within {now - self.started:.0f} s; last status: "
            f"{self.last or 'none seen'}{why}. It may still be processed: raise timeout, or wait for it with a sensor"
        )

    def _passes(self, error: WesError, now: float) -> bool:
        if isinstance(error, WesResponseError):
            early = isinstance(error, WesNotFoundError) and now - self.started < NOT_FOUND_GRACE
            return self.silent_fail or early or not error.permanent
        return not isinstance(error, (WesConfigurationError, WesCouponFileFailedError))

    def _failed(self, file: CouponFile) -> WesCouponFileFailedError:
        summary = file.summary()
        counts = ", ".join(f"{key} {value}" for key, value in file.counts)
        return WesCouponFileFailedError(
            f"{self.label} failed processing with status {file.status}"
            + (f" ({counts})" if counts else "")
            + "; mend the file, then upload it anew",
            summary,
        )

    def _news(self, spelled: str, status: str) -> list[Note]:
        news, self.last = self.last != spelled or self._errors > 0, spelled
        if status not in self.statuses.pending and status not in self._unknown:
            self._unknown += (status,)
            return [
                (
                    logging.WARNING,
                    f"{self.label}: status {shown(spelled)} is not known, waiting on; "
                    "say what it means in coupon_file_statuses",
                )
            ]
        return [(logging.INFO, f"{self.label}: {spelled}")] if news else []

    def _trouble(self, error: WesError) -> list[Note]:
        if _reset_of(error) is not None:  # all in order: the service says how often it wants to be asked
            said, self._limited = self._limited, True
            return [] if said else [(logging.INFO, f"{self.label}: looking as often as the service allows: {error}")]
        self._errors += 1
        if self._errors > 1:
            return []
        return [(logging.WARNING, f"{self.label}: no answer to go by, looking again: {error}")]

    def _pause(self, polled: CouponFile | WesError, now: float, concurrent_waits: int) -> float:
        seconds = pause(max(0.0, now - self.started), self.poll_interval, concurrent_waits)
        if self._errors:
            # Trouble is not looked at more often than the wait is old, nor than doubling allows.
            seconds = max(seconds, min(self.poll_interval, FIRST_PAUSE * 2.0 ** min(self._errors - 1, 30)))
        reset = _reset_of(polled)
        if reset is not None:
            seconds = max(seconds, reset - now + random.random() * FIRST_PAUSE)  # noqa: S311 - spreads load
        return min(seconds, max(0.0, self.deadline - now))


def _reset_of(polled: CouponFile | WesError) -> float | None:
    """When reads may go on, epoch seconds, where that is what was seen."""
    if isinstance(polled, WesRateLimitError) and polled.reset_at is not None:
        return polled.reset_at.timestamp()
    return None
