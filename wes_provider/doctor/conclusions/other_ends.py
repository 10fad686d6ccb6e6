"""Whether the other files of a list ended with another status than an uploaded one. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wes_provider.coupon_files import Statuses
from wes_provider.doctor.conclusions.seen_statuses import (
    clear_meanings,
    meanings_by_status,
    see_statuses,
)
from wes_provider.doctor.reads.evidence import file_read
from wes_provider.doctor.records.meanings import Means
from wes_provider.doctor.replies.files import status_of
from wes_provider.doctor.writes.upload import Followed
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings

__all__ = ["OtherEnds", "lasted", "other_ends"]


class OtherEnds(NamedTuple):
    """
    Successes of the other files of a list, of which none has the status of the uploaded one.

    :ivar number: of the other files.
    :ivar succeeded: those that have ended with a success, or seem to.
    """

    number: int
    succeeded: Sequence[CouponFile]

    def __str__(self) -> str:
        statuses = " or ".join(sorted({*map(status_of, self.succeeded)}))
        if self.number == 1:
            return f"the only other file ended with {statuses}"
        none_has_it = f"none of the {self.number} other files has it"
        if len(self.succeeded) == self.number:
            return f"{none_has_it}: all of them ended with {statuses}"
        return f"{none_has_it}: {len(self.succeeded)} of them ended with {statuses}"


def other_ends(settings: WesSettings, followed: Followed) -> OtherEnds | None:
    """
    Tell how the other files of a list ended, if that shows that the last status of the uploaded one
    may be a stage on the way, however long it lasted; ``None`` if it does not.

    Files that failed, or whose status may be that of a later stage, such as ARCHIVED, show nothing
    about what success is called. Nor do files of any status if the provider knows the last one as
    a success by itself: then theirs come later, such as at the end of a validity.
    """
    last = status_of(followed.file)
    if Statuses().succeeded(last):
        return None
    others = _other_files(followed)
    if any(status_of(file) == last for file in others):
        return None
    succeeded = [file for file in others if status_of(file) in _successes(settings, others)]
    if not succeeded:
        return None
    return OtherEnds(len(others), succeeded)


def _other_files(followed: Followed) -> list[CouponFile]:
    """
    Return the other files of the list as they were seen last: only those that it had before the
    upload, if it had any, since a new one may be on its way, too.
    """
    others = [file for file in followed.listed_files if file.id != followed.file.id]
    known = {file.id for file in followed.before}
    if not known:
        return others
    return [file for file in others if file.id in known]


def _successes(settings: WesSettings, files: Sequence[CouponFile]) -> set[str]:
    """Return the statuses that mean success, or seem to, by the files that have them."""
    seen = see_statuses(settings, files)
    failed = {failed.file.id for failed in seen.failed}
    known = {status_of(file) for file in seen.succeeded if file.id not in failed}
    meanings = clear_meanings(meanings_by_status(settings, files))
    return known | {status for status, means in meanings.items() if means is Means.SUCCESS}


def lasted(followed: Followed) -> str:
    """Tell that the last status of an uploaded file lasted, and how long, if reads show that."""
    since = None
    until = 0.0
    for probe in followed.own_reads:
        file = file_read(probe)
        if file is None or status_of(file) != status_of(followed.file):
            since = None
            continue
        until = probe.sent_at
        if since is None:
            since = until
    if since is None or until - since < 1:
        return "which lasted"
    return f"which lasted {until - since:.0f} s"
