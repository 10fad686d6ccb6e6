"""Counts that are the same in each file of a list, since they count what the list has. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

import msgspec

from wes_provider.coupon_files import ADDED_NAMES
from wes_provider.doctor.replies.files import status_of
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings

__all__ = ["count_of_list", "without_count"]

SEVERAL: Final = 3  # files; fewer may have the same number by chance


def count_of_list(files: Sequence[CouponFile], settings: WesSettings) -> str:
    """
    Return the name of the count of coupons added if it has the same number above 0 in each of
    several files, although these differ: one is still on its way, or they have several statuses and
    other numbers. Empty if it has not.
    """
    if len(files) < SEVERAL:
        return ""
    names: Sequence[str] = ADDED_NAMES
    if settings.count_names.added:
        names = [settings.count_names.added]
    is_on_its_way = any(settings.statuses.is_pending(file.status) for file in files)
    for name in names:
        numbers = {file.counts.get(name, 0) for file in files}
        is_same = len(numbers) == 1 and numbers != {0}
        if is_same and (is_on_its_way or _differ_otherwise(files, name)):
            return name
    return ""


def _differ_otherwise(files: Sequence[CouponFile], name: str) -> bool:
    """Tell whether files have several statuses, and another count that is not always the same."""
    others = set(chain.from_iterable(file.counts for file in files)) - {name}
    is_any_differing = any(_has_several_values(files, other) for other in others)
    return is_any_differing and len(set(map(status_of, files))) > 1


def _has_several_values(files: Sequence[CouponFile], count: str) -> bool:
    """Tell whether files differ in a count."""
    return len({file.counts.get(count) for file in files}) > 1


def without_count(files: Iterable[CouponFile], name: str) -> list[CouponFile]:
    """Return files without one of their counts."""
    return [
        msgspec.structs.replace(
            file,
            counts={other: number for other, number in file.counts.items() if other != name},
        )
        for file in files
    ]
