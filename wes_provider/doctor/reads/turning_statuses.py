"""
Files whose status turns between replies to the same request, as that of no file does that goes on.
Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, auto
from itertools import groupby, pairwise
from typing import NamedTuple

from wes_provider.coupon_files import Statuses
from wes_provider.doctor.reads.changes import came_in_turn
from wes_provider.doctor.reads.shapes import versions_of, with_version
from wes_provider.doctor.reads.sights import NO_STATUS, Sight, sights_by_file
from wes_provider.doctor.records.meanings import means_in
from wes_provider.doctor.replies.files import counts_of_coupons
from wes_provider.doctor.replies.probes import Probe
from wes_provider.texts import shown

__all__ = ["Turn", "TurningStatus", "turning_statuses", "twins_of"]


class Turn(Enum):
    """Why the status of a file may turn."""

    TWO_WORDS = auto()  # both replies have the same of the file, but for its status
    BEHIND = auto()  # a file that has ended is on its way again
    APART = auto()  # the replies differ in more than its status


class Change(NamedTuple):
    """Two sights in a row of a file that differ in its status."""

    before: Sight
    after: Sight

    @property
    def words(self) -> tuple[str, str]:
        """The two statuses, in their order."""
        return self.before.status, self.after.status


class TurningStatus(NamedTuple):
    """
    A file whose status turns.

    :ivar sights: the replies with its two statuses, or with all if more than two come in a circle.
    :ivar comes_again: whether a status comes again after another one.
    """

    turn: Turn
    sights: Sequence[Sight]
    comes_again: bool

    @property
    def file_id(self) -> str:
        """The identifier of the file."""
        return self.sights[0].file.id

    @property
    def words(self) -> tuple[str, ...]:
        """Its statuses, in the order in which they came first."""
        return tuple(dict.fromkeys(sight.status for sight in self.sights))

    @property
    def replies(self) -> list[Probe]:
        """The replies that have it, in order."""
        return [sight.probe for sight in self.sights]

    @property
    def came(self) -> str:
        """Which status came when, with a header that tells the replies apart."""
        words = [shown(sight.status, quoted=False) for sight in self.sights]
        headers = versions_of(self.replies, words)
        firsts = [next(run) for _, run in groupby(self.sights, key=lambda sight: sight.status)]
        labelled = []
        for sight in firsts:
            # The header of a status is said once.
            label = shown(sight.status, quoted=False)
            labelled.append((with_version(label, headers), sight.probe))
            headers.pop(label, None)
        return came_in_turn(labelled)


def turning_statuses(replies: Iterable[Probe], statuses: Statuses) -> list[TurningStatus]:
    """
    Find the files whose status comes again after another one, or turns into another one after it
    was final.

    :param replies: to any requests; those to the same one are compared.
    :param statuses: which status means what.
    """
    turning = [_turning_status(sights, statuses) for sights in sights_by_file(replies)]
    return [each for each in turning if each is not None]


def _turning_status(sights: Sequence[Sight], statuses: Statuses) -> TurningStatus | None:
    """Tell how the status of a file turns; ``None`` if it does not."""
    changes = [Change(*pair) for pair in pairwise(sights) if pair[0].status != pair[1].status]
    suspicious = [change for change in changes if _is_suspicious(change, changes, statuses)]
    runs = [status for status, _ in groupby(sights, key=lambda sight: sight.status)]
    comes_again = len(set(runs)) < len(runs)
    if not suspicious and not comes_again:
        return None
    words = set(runs)
    if suspicious:
        words = set(suspicious[0].words)
    return TurningStatus(
        turn=_turn_of(suspicious, statuses),
        sights=[sight for sight in sights if sight.status in words],
        comes_again=comes_again,
    )


def _is_suspicious(change: Change, changes: Sequence[Change], statuses: Statuses) -> bool:
    """Tell whether a change is also made back, or follows a status that is final."""
    before, after = change.words
    if any(other.words == (after, before) for other in changes):
        return True
    return _is_final(before, statuses)


def _turn_of(suspicious: Sequence[Change], statuses: Statuses) -> Turn:
    for change in suspicious:
        before, after = change.words
        if _is_final(before, statuses) and statuses.is_pending(after):
            return Turn.BEHIND
    if any(NO_STATUS in change.words for change in suspicious):
        return Turn.APART
    if suspicious and all(_has_the_same(change, statuses) for change in suspicious):
        return Turn.TWO_WORDS
    return Turn.APART


def _has_the_same(change: Change, statuses: Statuses) -> bool:
    """Tell whether two replies have the same reason, or counts that both have, of one state."""
    meanings = {means_in(statuses, word) for word in change.words} - {None}
    if len(meanings) > 1:
        return False
    before, after = change.before.file, change.after.file
    if bool(before.reason) != bool(after.reason):
        return False
    if before.reason and before.reason == after.reason:
        return True
    had, has = counts_of_coupons(before), counts_of_coupons(after)
    shared = had.keys() & has.keys()
    return bool(shared) and all(had[name] == has[name] for name in shared)


def _is_final(word: str, statuses: Statuses) -> bool:
    return statuses.succeeded(word) or statuses.failed(word)


def twins_of(turning: Iterable[TurningStatus], statuses: Statuses) -> dict[str, str]:
    """Return each status that no list has, and that seems to say the same as one of a list."""
    twins: dict[str, str] = {}
    for each in turning:
        if each.turn is not Turn.TWO_WORDS:
            continue
        known = [word for word in each.words if means_in(statuses, word) is not None]
        for word in each.words:
            if known and word not in known:
                twins.setdefault(word, known[0])
    return twins
