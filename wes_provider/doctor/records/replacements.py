"""What became of the earlier files of a list since another one was uploaded. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from wes_provider.coupon_files import Statuses
from wes_provider.doctor.records.meanings import is_on_the_way, may_have_been_taken_back
from wes_provider.doctor.replies.files import properties_of, status_of
from wes_provider.models import CouponFile
from wes_provider.texts import shown

__all__ = ["Replaced", "fallen_totals", "replaced_files"]

MOST_SIGNS: Final = 4  # that are named
# Numbers that say nothing of coupons that are there: they fall as a file goes on.
OF_PROGRESS: Final = re.compile(
    r"queue|position|pending|waiting|open|retr|attempt|progress|percent|eta|seconds|ttl|age|rank|"
    r"order|index|priorit"
)
# Totals of a list that count coupons.
OF_COUPONS: Final = re.compile(r"coupon|code|voucher|available|remaining|active|stock")
# Coupons of one file that users may have got while the doctor followed another one.
USED_MEANWHILE: Final = 10
BY_WORDS: Final = 0
REPLACED: Final = re.compile("REPLAC|SUPERS|OBSOLET|ERSETZT|REMPLAC|REEMPLAZ")
# What is true of files whose coupons count.
IN_USE: Final = re.compile(r"current|(?<!in)active|live|latest|in_?use|enabled")


class Replaced(NamedTuple):
    """
    Earlier files of a list that an upload seems to have replaced.

    :ivar number: how many have changed.
    :ivar signs: what they have now, such as ``SUPERSEDED`` and ``coupons_active 0``.
    """

    number: int
    signs: Sequence[str]

    def __str__(self) -> str:
        who = f"{self.number} other files have changed"
        if self.number == 1:
            who = "another file has changed"
        return f"Since the upload, {who}: {', '.join(self.signs[:MOST_SIGNS])}"


def replaced_files(
    before: Sequence[CouponFile],
    after: Sequence[CouponFile],
    new: CouponFile,
    statuses: Statuses,
) -> Replaced | None:
    """
    Find the earlier files of a list that an upload seems to have replaced; ``None`` if none was.

    A file that has only gone on its way is none, nor one with another word for the same state, nor
    one of which users have got the last coupons.

    :param before: the files that the list had before the upload.
    :param after: those that it had at the end; ``new`` is the uploaded one.
    """
    then, now = _by_identifier(before), _by_identifier(after)
    pairs = [(then[name], now[name]) for name in then if name in now and name != new.id]
    # Neither a file that was on its way before, nor one that a node still has so.
    pairs = [
        (old, current)
        for old, current in pairs
        if not _is_on_its_way(old, statuses) and not _is_on_its_way(current, statuses)
    ]
    signs = [_signs_of(old, current, new) for old, current in pairs]
    changed = [each for each in signs if each]
    if not changed or not _are_enough(changed):
        return None
    return Replaced(len(changed), list(dict.fromkeys(sign for each in changed for sign in each)))


def _by_identifier(files: Sequence[CouponFile]) -> dict[str, CouponFile]:
    """Return files by their identifiers; without those that have several records."""
    times = Counter(file.id for file in files)
    return {file.id: file for file in files if times[file.id] == 1}


def _is_on_its_way(file: CouponFile, statuses: Statuses) -> bool:
    return statuses.is_pending(file.status) or is_on_the_way(status_of(file))


def _signs_of(old: CouponFile, current: CouponFile, new: CouponFile) -> dict[str, int]:
    """
    Tell what a file has since the upload, and how many coupons went by that; ``BY_WORDS`` if the
    sign alone says enough.
    """
    signs: dict[str, int] = {}
    status = status_of(current)
    if status != status_of(old) and REPLACED.search(status):
        signs[shown(status, quoted=False)] = BY_WORDS
    elif status != status_of(old) and may_have_been_taken_back(status):
        # A single one may have expired, or been archived, at its time.
        signs[shown(status, quoted=False)] = USED_MEANWHILE
    had = properties_of(old)
    for where, value in properties_of(current).items():
        sign = _sign_of(where, had.get(where), value, new)
        if not sign:
            continue
        signs[sign] = BY_WORDS
        if type(value) is int:
            signs[sign] = had[where]
    return signs


def _sign_of(where: str, had: Any, has: Any, new: CouponFile) -> str:
    """Tell what a property says of a replacement; empty for nothing."""
    name = shown(where, quoted=False)
    if had == has:
        return ""
    if new.id in _texts(has):
        return f"{name} has the new file's identifier"
    if new.name and new.name in _texts(has):
        return f"{name} has the new file's name"
    if had is True and has is False and IN_USE.search(where.lower()):
        return f"{name} false"
    is_count = type(had) is int and type(has) is int and OF_PROGRESS.search(where.lower()) is None
    if is_count and has == 0 < had:
        return f"{name} 0"
    return ""


def _texts(value: Any) -> list[str]:
    if isinstance(value, list):
        return [text for each in value for text in _texts(each)]
    if isinstance(value, str):
        return [value]
    return []


def _are_enough(changed: Sequence[Mapping[str, int]]) -> bool:
    """Tell whether more has changed than that one file's last coupons went."""
    if len(changed) > 1 or any(BY_WORDS in each.values() for each in changed):
        return True
    (only,) = changed
    return max(only.values()) > USED_MEANWHILE


def fallen_totals(
    before: Mapping[str, Any], after: Mapping[str, Any], added: int | None
) -> list[str]:
    """
    Tell which numbers of coupons beside a list's files fell to what one upload added, or below.

    :param before: what a reply had before the upload, by dotted property; ``after``: since.
    """
    fallen: list[str] = []
    if added is None:
        return fallen
    for where, number in after.items():
        had = before.get(where)
        is_of_coupons = OF_COUPONS.search(where.lower()) is not None
        if type(number) is not int or type(had) is not int or not is_of_coupons:
            continue
        if number <= added and had > added + USED_MEANWHILE:
            fallen.append(f"{shown(where, quoted=False)} {number}, and {had} before")
    return fallen
