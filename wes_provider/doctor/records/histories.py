"""Which statuses a file had before, by its own record, and which of them was taken back. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from wes_provider.client.announcements import plain_name
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.records.meanings import Means, ends_badly, is_on_the_way
from wes_provider.doctor.replies.files import properties_of, status_of
from wes_provider.doctor.replies.members import inside, last_name
from wes_provider.doctor.replies.moments import moment_in
from wes_provider.models import CouponFile
from wes_provider.texts import redact, shown

__all__ = ["TakenBack", "statuses_by_history", "taken_back"]

# Arrays of what became of a file, by their plain names; and a property with the status before.
OF_THE_PAST: Final = re.compile(r"\w*(?:history|timeline|trail|log)")
HISTORY: Final = re.compile(
    rf"{OF_THE_PAST.pattern}|\w*(?:transitions?|events|lifecycle|status(?:es|changes)|states)"
)
STATUS_BEFORE: Final = re.compile(r"(?:previous|prev|former|old|last)(?:status|state)")
# What an entry of such an array calls the status that it led from, and that it led to.
LED_FROM: Final = frozenset(
    "before from fromstate fromstatus old oldstatus oldvalue previousstatus".split()
)
LED_TO: Final = frozenset(
    "after new newstate newstatus newvalue state status to tostate tostatus".split()
)
# What an entry may be about besides the status of the file: a part of the work, or a message.
IS_ABOUT: Final = frozenset(
    """
    batch channel chunk component event field job kind name object part phase region stage step
    target task type
    """.split()
)
OF_STATUS: Final = re.compile(r"stat(?:us|e)|transition", re.IGNORECASE)
# An end of a life that had a success: nobody takes back what was added before.
END_OF_LIFE: Final = re.compile(
    r"EXPIR|ARCHIVE|PURGE|DELETE|REMOVE|RETIRED|OBSOLETE|SUPERSEDE|REPLACED"
)
WORD: Final = re.compile(r"[^\W\d_][\w -]{1,39}")
# Seconds, and milliseconds, since 1970 that are moments; smaller numbers may be anything.
SECONDS: Final = 1e9
MILLISECONDS: Final = 1e12


class Entry(NamedTuple):
    """
    An entry of a history.

    :ivar moment: epoch seconds; ``None`` if it has none.
    :ivar statuses: one, or the one that it led from, and then that it led to.
    """

    moment: float | None
    statuses: Sequence[str]


class TakenBack(NamedTuple):
    """
    A status that a file had, though it means an end, and then another one that contradicts that.

    :ivar means: what the first one means: success or failure.
    :ivar became: the later one.
    :ivar goes_on: whether the later one is of a file on its way, or a success after a failure.
    """

    file: CouponFile
    was: str
    means: Means
    became: str
    goes_on: bool

    def __str__(self) -> str:
        was, became = shown(self.was, quoted=False), shown(redact(self.became), quoted=False)
        says = (
            f"By its history, file {shown(self.file.id, quoted=False)} was {was} before it became "
            f"{became}, so"
        )
        if self.means is Means.FAILURE:
            return (
                f"{says} {was} may be no end: a task fails at the first one, and a clear of it "
                "would upload the file once more. Ask the service's support who tries files again."
            )
        if self.goes_on:
            return (
                f"{says} {was} may be no end: a task ends at the first one. Ask the service's "
                "support which status says that all of a file is in."
            )
        return (
            f"{says} a success may be taken back, and a task that saw it stays green. No setting "
            "changes that: ask the service's support when a success is final."
        )


def taken_back(
    files: Iterable[CouponFile], means_of: Callable[[str], Means | None]
) -> TakenBack | None:
    """
    Return the first end that was none by the history of a file: a success, or else a failure;
    ``None`` if all histories show the way only.

    :param means_of: tells what a status means, as far as that is known.
    """
    found = [each for file in files for each in _taken_back_of(file, means_of)]
    found.sort(key=lambda each: each.means is not Means.SUCCESS)
    return next(iter(found), None)


def _taken_back_of(file: CouponFile, means_of: Callable[[str], Means | None]) -> list[TakenBack]:
    """Return the ends of one file that were none."""
    found = []
    statuses = statuses_by_history(file)
    for number, was in enumerate(statuses):
        means = means_of(was)
        later = [_contradicts(was, each, means_of) for each in statuses[number + 1 :]]
        contradiction = next(filter(None, later), None)
        if means is not None and contradiction is not None:
            became, goes_on = contradiction
            found.append(TakenBack(file, was, means, became, goes_on))
    return found


class Contradiction(NamedTuple):
    """A status that shows of an earlier one that it was no end, as :class:`TakenBack` has it."""

    became: str
    goes_on: bool


def _contradicts(
    was: str, became: str, means_of: Callable[[str], Means | None]
) -> Contradiction | None:
    """
    Tell whether a later status shows that an earlier one was no end; ``None`` if it does not. An
    end of a life contradicts nothing.
    """
    if END_OF_LIFE.search(became):
        return None
    ended, means = means_of(was), means_of(became)
    goes_on = means is Means.PENDING or (means is None and is_on_the_way(became))
    is_undone = means is Means.FAILURE or ends_badly(became)
    if ended is Means.SUCCESS and (goes_on or is_undone):
        return Contradiction(became, goes_on)
    if ended is Means.FAILURE and (goes_on or means is Means.SUCCESS):
        return Contradiction(became, True)
    return None


def statuses_by_history(file: CouponFile) -> list[str]:
    """
    Return the statuses that a file had, and its own, in capitals and in order, by the first
    property of its record that is a history of several; none without one.
    """
    own = status_of(file)
    for where, value in properties_of(file).items():
        name = last_name(where)
        before: list[str] = []
        if isinstance(value, list) and HISTORY.fullmatch(name):
            before = _in_order(_entries_of(name, value), own)
        elif isinstance(value, str) and STATUS_BEFORE.fullmatch(name):
            before = _words([value])
        statuses = _without_repetitions([*before, own])
        if before and own and len(statuses) > 1:
            return statuses
    return []


def _entries_of(name: str, values: Sequence[Any]) -> list[Entry]:
    """
    Return the entries of an array that have a status. Without moments, it may be of what can
    happen, such as the transitions that are allowed, unless its name says that it is of the past.
    """
    entries = [entry for entry in map(_entry_of, values) if entry.statuses]
    if OF_THE_PAST.fullmatch(name):
        return entries
    return [entry for entry in entries if entry.moment is not None]


def _entry_of(value: Any) -> Entry:
    """Read an entry of a history: a status, or an object that has one and perhaps a moment."""
    if isinstance(value, str):
        return Entry(None, _words([value]))
    if not isinstance(value, dict):
        return Entry(None, [])
    members = {plain_name(where): each for where, each in value.items()}
    led_from = [each for name, each in members.items() if name in LED_FROM]
    led_to = [each for name, each in members.items() if name in LED_TO]
    if _is_about_something_else(members, led_to):
        return Entry(None, [])
    moments = [_moment_of(each) for _, each in inside(value)]
    moment = next((each for each in moments if each is not None), None)
    return Entry(moment, _words([*led_from[:1], *led_to[:1]]))


def _is_about_something_else(members: Mapping[str, Any], led_to: Sequence[Any]) -> bool:
    """
    Tell whether an entry names what it is about, and that is not the status of the file.

    :param led_to: the statuses that it has.
    """
    about = [value for name, value in members.items() if name in IS_ABOUT]
    return any(value not in led_to and not OF_STATUS.search(str(value)) for value in about)


def _words(values: Iterable[Any]) -> list[str]:
    """Return the values that may be statuses, in capitals."""
    words = [value.strip().upper() for value in values if isinstance(value, str)]
    return [word for word in words if WORD.fullmatch(word)]


def _moment_of(value: Any) -> float | None:
    """Return a moment in epoch seconds, of ISO 8601 or of a number; ``None`` for none."""
    if type(value) in (int, float) and value >= MILLISECONDS:
        return float(value) / 1000
    if type(value) in (int, float) and value >= SECONDS:
        return float(value)
    return moment_in(value)


def _in_order(entries: Sequence[Entry], own: str) -> list[str]:
    """
    Return the statuses of entries, the oldest first: by their moments, or else as they stand, if
    these do not begin with the file's own status, or end with a stage that is the first one.

    :param own: the status of the file.
    """
    moments = {entry.moment for entry in entries if entry.moment is not None}
    if len(moments) == len(entries):
        entries = sorted(entries, key=lambda entry: entry.moment or 0.0)
    elif _is_newest_first(entries, own):
        entries = entries[::-1]
    return [status for entry in entries for status in entry.statuses]


def _is_newest_first(entries: Sequence[Entry], own: str) -> bool:
    """Tell whether the first of some entries is the last one by its status."""
    first, last = entries[0].statuses[-1], entries[-1].statuses[-1]
    if first == last:
        return False
    return first == own or (last != own and Statuses().is_pending(last))


def _without_repetitions(statuses: Sequence[str]) -> list[str]:
    """Return statuses without those that follow themselves."""
    different: list[str] = []
    for status in statuses:
        if different[-1:] != [status]:
            different.append(status)
    return different
