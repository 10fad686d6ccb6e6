"""
Whether a coupon file is waiting, done or failed, when to poll it again, when to give up, whether coupons were added.

Operators, sensor and trigger all decide here. Nothing here does I/O, sleeps or logs; what deserves a log line is part
of the decision.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

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
    dump_error,
    load_error,
)
from wes_provider.models import ERROR_HEADLINE, HEADLINE, CouponFile, LazyPattern, counted, headline, shown, without

__all__ = [
    "CountNames",
    "CouponCounts",
    "CouponFileWait",
    "Decision",
    "Done",
    "Failed",
    "NoConnection",
    "Outcome",
    "Statuses",
    "Wait",
    "check_coupons_added",
    "dump_outcomes",
    "failure",
    "failure_cause",
    "first_pause",
    "load_outcomes",
    "only_outcome",
    "pause",
    "words_of",
]

FIRST_PAUSE: Final = 1.0  # seconds; the soonest that a second poll can be worth it, and the shortest poll_interval
GROWTH: Final = 0.13  # of the time waited so far: an end is noticed at most that much late
JITTER: Final = 0.1  # share of a pause that chance takes off, so that waits don't march in step
POLLS_PER_SECOND: Final = 400  # by all waits of a connection, a sixth of a CPU; more waits poll less often
NOT_FOUND_GRACE: Final = 60.0  # seconds after the upload in which the service may not know the file yet
REFUSED_GRACE: Final = 300.0  # seconds of 401 and 403 that a wait outlives once it has read its file: keys get rotated
CONNECTION_GRACE: Final = 180.0  # seconds that a wait outlives a connection that cannot be read or is not found
GRACE_POLL_INTERVAL: Final = 30.0  # seconds between polls at most, while one of these two counts
LAST_POLL: Final = 10.0  # seconds that a poll at the deadline may take
LONGEST_LIMIT: Final = 3600.0  # seconds that a refused read keeps others back at most: its reset may be wrong
READ_AGAIN_AFTER: Final = 180.0  # seconds; a changed connection counts that soon for waits that go on
READ_AGAIN_SOONEST: Final = 1.0  # seconds between readings of the connection, however many requests are refused
HEARTBEAT: Final = 600.0  # seconds between log lines of a wait in which nothing changes

CLOCK: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # counts while the machine sleeps; never set

FIX_THE_FILE: Final = "Fix the file, then clear the task that uploaded it: it uploads the file again."
UPLOAD_AGAIN: Final = "clear the task that uploaded it: its log says how to upload it again"
FIX_IT_HERE: Final = "Fix the file, then clear this task: it uploads the file again."

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

    def __str__(self) -> str:
        return f"Waited {self.waited:.0f} s, {counted(self.polls, 'poll')}, last status {self.file.status}"


class Failed(NamedTuple):
    """The wait is over without success, after ``waited`` seconds and ``polls`` polls by the process that noticed."""

    error: WesError
    waited: float = 0.0
    polls: int = 0
    last_status: str = ""

    def __str__(self) -> str:
        last_status = self.last_status or "none seen"
        return f"Waited {self.waited:.0f} s, {counted(self.polls, 'poll')}, last status {last_status}"


class NoConnection(NamedTuple):
    """The file was not polled, since Airflow's connection cannot be read now, or is not found."""

    error: WesError


Outcome: TypeAlias = "Done | Failed"
Decision: TypeAlias = "Wait | Done | Failed"
Polled: TypeAlias = "CouponFile | WesError | NoConnection"

EVENT_VERSION: Final = 1


def dump_outcomes(outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    """
    How waits ended, by file identifier, as a trigger's event; :func:`load_outcomes` reads it back.

    Version 1 has, for each file, ``done`` (the file's summary) or ``failed`` (an error), and ``waited`` (seconds),
    ``polls`` and ``last_status``.
    """

    def dump(outcome: Outcome) -> dict[str, Any]:
        if isinstance(outcome, Done):
            end, last_status = {"done": outcome.file.summary()}, outcome.file.status
        else:
            end, last_status = {"failed": dump_error(outcome.error)}, outcome.last_status
        return {**end, "waited": round(outcome.waited, 1), "polls": outcome.polls, "last_status": last_status}

    return {
        "version": EVENT_VERSION,
        "files": {file_id: dump(outcome) for file_id, outcome in outcomes.items()},
    }


def load_outcomes(event: Any, secrets: Sequence[str] = ()) -> dict[str, Outcome]:
    """
    How waits ended, by file identifier. Unknown keys, of an event of another version, are ignored.

    :param secrets: secrets that the service may have quoted in a file's texts, and that the triggerer did not know.
    :raises WesError: if the event is missing or is not of this kind.
    """

    def load(entry: Mapping[str, Any]) -> Outcome:
        waited, polls = float(entry.get("waited", 0)), int(entry.get("polls", 0))
        if "done" in entry:
            return Done(CouponFile.from_summary(entry["done"]), waited, polls)
        return Failed(load_error(entry["failed"]), waited, polls, str(entry.get("last_status", "")))

    try:
        return {str(file_id): load(_without(entry, secrets)) for file_id, entry in event["files"].items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        raise WesError(f"The trigger's event cannot be read\n{shown(event)}") from None


def _without(value: Any, secrets: Sequence[str]) -> Any:
    """JSON whose texts do not hold ``secrets``."""
    if isinstance(value, str):
        return without(value, secrets)
    if isinstance(value, list):
        return [_without(item, secrets) for item in value]
    return {key: _without(item, secrets) for key, item in value.items()} if isinstance(value, dict) else value


def only_outcome(event: Any) -> Outcome:
    """How the only wait of an event ended; errors as of :func:`load_outcomes`."""
    outcomes = load_outcomes(event)
    if len(outcomes) != 1:
        raise WesError(f"The trigger's event is of {len(outcomes)} coupon files instead of one\n{shown(event)}")
    return next(iter(outcomes.values()))


class Statuses(NamedTuple):
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
        if not overrides:
            return base or cls()
        given: dict[str, frozenset[str]] = {}
        for key, value in overrides.items():
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
        return self.succeeded(status) or self.failed(status)

    def succeeded(self, status: str) -> bool:
        """Whether a file of this status is processed."""
        return status.strip().upper() in self.success

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


# -- counts of coupons -------------------------------------------------------------------------------

_WORD = LazyPattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_ADDED: Final = ("added", "imported", "created", "inserted", "loaded", "accepted", "new")
_DUPLICATES: Final = ("duplicate", "duplicates", "duplicated", "existing", "skipped")
# Beside these words, a number counts something else, or nothing.
_NO_COUNT: Final = frozenset(
    """
    at on by in id time date timestamp until from to year month day seconds ms
    not no non un never failed rejected invalid error errors pending remaining expected missing lost max min limit
    """.split()
)
_WHOLE_NUMBER: Final = LazyPattern(r"\s*\d{1,15}\s*")


class CouponCounts(NamedTuple):
    """How many coupons were added, and how many were duplicates; ``None`` if no count says so."""

    added: int | None
    duplicates: int | None

    def __str__(self) -> str:
        words = [] if self.added is None else [f"{counted(self.added, 'coupon')} added"]
        words += [] if self.duplicates is None else [counted(self.duplicates, "duplicate")]
        return ", ".join(words)


class CountNames(NamedTuple):
    """
    Which counts of a coupon file mean what: the contract shows none (section 2), so their names are a setting.

    :param added: name of the count of coupons that were added, dotted if it is below a property, such as
        ``stats.imported``; if empty, the first count whose name has a word such as ``added`` or ``imported``.
    :param duplicates: name of the count of duplicates; if empty, the first one with a word such as ``duplicate``.
    """

    added: str = ""
    duplicates: str = ""

    @classmethod
    def of(cls, overrides: Mapping[str, Any]) -> CountNames:
        """
        Names as the connection's extra ``coupon_file_counts`` has them.

        :raises WesConfigurationError: on another key, or on a value that is no text.
        """
        for key, value in overrides.items():
            if key not in ("added", "duplicates"):
                raise WesConfigurationError(f"coupon_file_counts has {shown(key)}; it takes added and duplicates")
            if not isinstance(value, str) or not value.strip():
                raise WesConfigurationError(f"coupon_file_counts.{key} takes the name of a count, not {shown(value)}")
        return cls(**overrides)

    def read(self, files: Iterable[CouponFile]) -> CouponCounts:
        """The counts of all ``files`` together; a count that any of them lacks is ``None``."""
        added, duplicates = [], []
        for file in files:
            counts = _counts_of(file)
            added.append(_count(counts, self.added, _ADDED, _DUPLICATES))
            duplicates.append(_count(counts, self.duplicates, _DUPLICATES))
        return CouponCounts(_sum(added), _sum(duplicates))


def _counts_of(file: CouponFile) -> dict[str, int]:
    """The file's counts, those included that the service sends as texts."""
    return {**{key: int(text) for key, text in file.texts if _WHOLE_NUMBER.fullmatch(text)}, **dict(file.counts)}


def _count(counts: Mapping[str, int], name: str, words: Sequence[str], not_with: Sequence[str] = ()) -> int | None:
    counts = {key: count for key, count in counts.items() if count >= 0}  # negative: the count is not known
    if name:
        return counts.get(name)
    parts = {key: words_of(key) for key in counts}
    others = _NO_COUNT.union(not_with)
    fitting = (key for word in words for key in counts if word in parts[key] and not parts[key] & others)
    key = next(fitting, None)
    return None if key is None else counts[key]


def words_of(name: str) -> set[str]:
    """The words of a name, in lower case, whether hyphens, underscores or capitals stand between them."""
    return {word.lower() for word in _WORD.findall(name)}


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None


def check_coupons_added(
    files: Sequence[CouponFile],
    names: CountNames,
    minimum: int | None,
    *,
    title: str = "",
    upload_again: str = UPLOAD_AGAIN,
) -> tuple[Note, ...]:
    """
    Whether processed files brought enough coupons.

    :param files: one file, or all files of a run.
    :param minimum: the argument ``min_coupons_added``; ``None`` warns if no coupon was added.
    :param title: the title of one file, if it differs from the record's.
    :param upload_again: what a person does to have a fixed file uploaded again.
    :return: what deserves a log line.
    :raises WesCouponFileFailedError: if fewer coupons were added, or nobody knows how many.
    """
    first, counts = files[0], names.read(files)
    file_id, which = (first.id, title or first.title) if len(files) == 1 else ("", f"{len(files)} files")
    them = "the file" if len(files) == 1 else "the files"

    def message(cause: str, *more: str, longest: int = HEADLINE) -> str:
        return "\n".join((headline(cause, first.coupon_list_id, file_id, which, longest), *more))

    def error(cause: str, *more: str) -> WesCouponFileFailedError:
        return WesCouponFileFailedError(message(cause, *more, longest=ERROR_HEADLINE), first.summary())

    if counts.added is None:
        there = ", ".join(_counts_of(first)) or "none"
        advice = 'If the service counts them, name the count in the connection, as "added" in Counts of coupon files.'
        if names.added:
            name = shown(names.added)
            advice = f'Counts of coupon files of the connection has {name} as "added", which is no whole number here.'
        if minimum:
            raise error("No count of added coupons", advice, f"Counts: {there}", f"min_coupons_added is {minimum}")
        return ((logging.INFO, message("No count of added coupons", advice, f"Counts: {there}")),)
    if counts.added < (minimum or 0):
        raise error(
            f"{counted(counts.added, 'coupon')} added, fewer than {minimum}",
            f"Fix {them}, then {upload_again}.",
            "If so few are fine, mark the task as success.",
            f"Counts: {counts}",
            f"min_coupons_added is {minimum}",
        )
    if counts.added == 0 and minimum is None:
        advice = f"If that is wrong, fix {them}, then {upload_again}."
        setting = "min_coupons_added=1 makes this an error, and 0 expects it."
        return ((logging.WARNING, message(str(counts), advice, setting)),)
    return ((logging.INFO, message(str(counts))),)


def failure_cause(file: CouponFile) -> str:
    """Status and reason of a file that failed processing, as a line."""
    return f"{file.status}: {file.reason}" if file.reason else f"Processing failed with status {file.status}"


def failure(file: CouponFile, *, title: str = "", advice: str = FIX_THE_FILE) -> WesCouponFileFailedError:
    """
    The error of a file that failed processing: why and which, what to do, and what else is known of it.

    :param file: as the service reports it.
    :param title: what it is called; by default what its record says.
    :param advice: what to do.
    """
    details = {
        "Reason": file.reason,
        **{key: text for key, text in file.texts if text not in file.reason},
        "Coupon file": file.id,
        "Coupon list": file.coupon_list_id,
        "URL": file.file_url,
        "Counts": ", ".join(f"{key} {value}" for key, value in file.counts),
    }
    lines = [f"{name}: {text}" for name, text in details.items() if text]
    first = headline(failure_cause(file), file.coupon_list_id, file.id, title or file.title, ERROR_HEADLINE)
    return WesCouponFileFailedError("\n".join((first, advice, *lines)), file.summary())


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


def first_pause(waited: float, poll_interval: float, concurrent_waits: int = 1) -> float:
    """
    How long to wait before the first poll after another process polled the file: any part of a pause.

    A triggerer that starts thousands of waits at once spreads them over the time in which they would poll anyway.
    """
    return random.random() * pause(waited, poll_interval, concurrent_waits)  # noqa: S311 - spreads load


class CouponFileWait:
    """
    One wait for one coupon file: what follows from each poll.

    :param statuses: which status means what.
    :param started: time of the upload, or of the wait if that is not known; epoch seconds, UTC.
    :param deadline: epoch seconds, UTC.
    :param poll_interval: seconds between polls at most; less than one second means one second.
    :param silent_fail: ignore any error response of the service until the deadline.
    :param was_read: the file was read before, by this task in another process.
    :param title: what messages call the file; by default what its record says.
    :param advice: what to do if it fails.
    :ivar polls: how many there were.
    :ivar last_status: as the service spells it; empty if none was seen.
    """

    __slots__ = (
        "_clock_offset",
        "_errors",
        "_file",
        "_heartbeat",
        "_limited",
        "_no_connection_since",
        "_refused_since",
        "_unknown",
        "advice",
        "coupon_file_id",
        "coupon_list_id",
        "deadline",
        "last_status",
        "poll_interval",
        "polls",
        "silent_fail",
        "started",
        "statuses",
        "title",
        "was_read",
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
        was_read: bool = False,
        title: str = "",
        advice: str = FIX_THE_FILE,
    ) -> None:
        self.coupon_list_id = coupon_list_id
        self.coupon_file_id = coupon_file_id
        self.statuses = statuses
        self.started = started
        self.deadline = deadline
        self.poll_interval = max(poll_interval, FIRST_PAUSE)
        self.silent_fail = silent_fail
        self.was_read = was_read
        self.polls = 0
        self.last_status = ""
        self.title = title
        self.advice = advice
        self._clock_offset = time.time() - time.clock_gettime(CLOCK)
        self._file: CouponFile | None = None  # of the last poll
        self._errors = 0  # polls in a row that brought no status
        self._limited = False  # whether it was logged that the service limits reads
        self._refused_since: float | None = None
        self._no_connection_since: float | None = None
        self._unknown: tuple[str, ...] = ()  # statuses warned of
        self._heartbeat = started

    @property
    def label(self) -> str:
        """The file, for messages."""
        title = f" ({self.title})" if self.title not in ("", self.coupon_file_id) else ""
        return f"Coupon file: {self.coupon_file_id}{title}"

    @property
    def in_grace(self) -> bool:
        """Whether the wait goes on only for minutes: the key is refused, or the connection cannot be read."""
        return self._refused_since is not None or self._no_connection_since is not None

    def now(self) -> float:
        """Epoch seconds by a clock that nobody sets: a step of the machine's clock moves no deadline."""
        return time.clock_gettime(CLOCK) + self._clock_offset

    def decide(self, polled: Polled, now: float, concurrent_waits: int = 1) -> Decision:
        """
        What follows from one poll of the file.

        A terminal status counts even after the deadline. Transport errors, 429 and 5xx do not end the wait, nor
        does a 404 shortly after the upload, or a 401 or 403 for five minutes once the file has been read; any other 4xx
        does, unless ``silent_fail``.

        :param polled: the file, or why it could not be read.
        :param now: epoch seconds, UTC.
        :param concurrent_waits: as :func:`pause` takes them.
        """
        notes: tuple[Note, ...] = ()
        if not isinstance(polled, NoConnection):
            self.polls += 1
            self._no_connection_since = None
        if isinstance(polled, CouponFile):
            if polled is not self._file or self._errors:  # a response like the previous one brings the same object
                status = polled.status.strip().upper()
                notes = self._news(polled, status)
                if status in self.statuses.success:
                    return Done(polled, now - self.started, self.polls)
                if status in self.statuses.failure:
                    return self._end(failure(polled, title=self.title, advice=self.advice), now)
                self._file, self._errors, self._refused_since, self.was_read = polled, 0, None, True
        elif not self._passes(polled, now):
            return self._end(polled.error if isinstance(polled, NoConnection) else polled, now)
        else:
            notes = self._trouble(polled)
        if now >= self.deadline:
            return self._end(self.timed_out(polled, now), now)
        if not notes and now - self._heartbeat >= HEARTBEAT:
            still = f"Still {self.last_status or 'not read'} after {now - self.started:.0f} s"
            notes = ((logging.INFO, self._message(still)),)
        if notes:
            self._heartbeat = now
        return Wait(self._pause(polled, now, concurrent_waits), notes)

    def timed_out(self, polled: Polled | None, now: float) -> WesTimeoutError:
        """The error of a deadline that has passed; it quotes the last status."""
        error = polled.error if isinstance(polled, NoConnection) else polled
        last = [f"The last poll failed: {error}"] if isinstance(error, WesError) else []
        return WesTimeoutError(
            self._message(
                f"Not processed within {now - self.started:.0f} s",
                "It may still be processed: raise timeout, or wait for it with a sensor.",
                f"The last status: {self.last_status or 'none seen'}",
                self.label,
                f"Coupon list: {self.coupon_list_id}",
                f"Polls: {self.polls}",
                *last,
                longest=ERROR_HEADLINE,
            )
        )

    def _end(self, error: WesError, now: float) -> Failed:
        return Failed(error, now - self.started, self.polls, self.last_status)

    def _message(self, cause: str, *more: str, longest: int = HEADLINE) -> str:
        return "\n".join((headline(cause, self.coupon_list_id, self.coupon_file_id, self.title, longest), *more))

    def _passes(self, polled: WesError | NoConnection, now: float) -> bool:
        if isinstance(polled, NoConnection):
            self._no_connection_since = now if self._no_connection_since is None else self._no_connection_since
            return now - self._no_connection_since < CONNECTION_GRACE
        if isinstance(polled, WesResponseError):
            if self.silent_fail or not polled.permanent:
                return True
            if isinstance(polled, (WesAuthenticationError, WesForbiddenError)) and self.was_read:
                self._refused_since = now if self._refused_since is None else self._refused_since
                return now - self._refused_since < REFUSED_GRACE
            return isinstance(polled, WesNotFoundError) and now - self.started < NOT_FOUND_GRACE
        return not isinstance(polled, (WesConfigurationError, WesCouponFileFailedError))

    def _news(self, file: CouponFile, status: str) -> tuple[Note, ...]:
        news, self.last_status = self.last_status != file.status or self._errors > 0, file.status
        self.title = self.title or file.title
        known = status in self.statuses.pending or self.statuses.ended(status)
        if not known and status not in self._unknown:
            self._unknown += (status,)
            cause = f"Status {shown(file.status)} is not known, still waiting"
            advice = "If it is final, add it to coupon_file_statuses of the connection or the task."
            return ((logging.WARNING, self._message(cause, advice)),)
        return ((logging.INFO, self._message(file.status)),) if news else ()

    def _trouble(self, polled: WesError | NoConnection) -> tuple[Note, ...]:
        error = polled.error if isinstance(polled, NoConnection) else polled
        if _reset_of(error) is not None:  # all in order: the service limits how often files are polled
            logged, self._limited = self._limited, True
            return () if logged else ((logging.INFO, self._message("The service limits polls", str(error))),)
        self._errors += 1
        if self._errors > 1:
            return ()
        grace = ""
        if self._no_connection_since is not None:
            grace = f" for {CONNECTION_GRACE:.0f} s"
        elif self._refused_since is not None:
            grace = f" for {REFUSED_GRACE:.0f} s"
        return ((logging.WARNING, self._message(f"Poll failed, trying again{grace}", str(error))),)

    def _pause(self, polled: Polled, now: float, concurrent_waits: int) -> float:
        seconds = pause(max(0.0, now - self.started), self.poll_interval, concurrent_waits)
        if self._errors:
            # Trouble is not polled more often than the wait is old, nor than doubling allows.
            seconds = max(seconds, min(self.poll_interval, FIRST_PAUSE * 2.0 ** min(self._errors - 1, 30)))
            if self.in_grace:
                seconds = min(seconds, max(GRACE_POLL_INTERVAL, concurrent_waits / POLLS_PER_SECOND))
        reset = _reset_of(polled)
        if reset is not None:
            step = time.time() - self.now()  # of the machine's clock, by which the reset is given
            left = min(reset - step - now, LONGEST_LIMIT)
            seconds = max(seconds, left + random.random() * FIRST_PAUSE)  # noqa: S311 - spreads load
        return min(seconds, max(0.0, self.deadline - now))


def _reset_of(polled: Polled) -> float | None:
    """When reads may go on, epoch seconds, if that is what was seen."""
    if isinstance(polled, WesRateLimitError) and polled.reset_at is not None:
        return polled.reset_at.timestamp()
    return None
