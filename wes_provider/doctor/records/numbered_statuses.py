"""Statuses that have numbers of their file in them, so that no word stays. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from wes_provider.doctor.replies.files import status_of
from wes_provider.models import CouponFile
from wes_provider.texts import shown

__all__ = ["quoted_statuses", "statuses_with_numbers"]

NUMBER: Final = re.compile(r"(?<![\w.])\d+(?![\w.])")
# Smaller numbers are those of stages, such as STEP 1 OF 3, which come again.
LEAST_NUMBER: Final = 10
MOST_QUOTED: Final = 2


def statuses_with_numbers(files: Sequence[CouponFile]) -> list[str]:
    """
    Return the statuses that have a number of their file in them, such as ``IMPORTED 52 OF 52``: a
    count of it, or a large number where other files have another one.
    """
    statuses = {status_of(file) for file in files}
    found = [
        status_of(file)
        for file in files
        if _has_count(status_of(file), file) or _differs_by_number(status_of(file), statuses)
    ]
    return list(dict.fromkeys(found))


def quoted_statuses(statuses: Sequence[str]) -> str:
    """Quote the first ones of some statuses."""
    return " and ".join(shown(status) for status in statuses[:MOST_QUOTED])


def _has_count(status: str, file: CouponFile) -> bool:
    """Tell whether a status of several words has a count of its file."""
    counts = {count for count in file.counts.values() if count}
    return len(status.split()) > 1 and not counts.isdisjoint(_numbers_in(status))


def _differs_by_number(status: str, others: set[str]) -> bool:
    """Tell whether another status differs in numbers only, of which some are large."""
    alike = {other for other in others if NUMBER.sub("#", other) == NUMBER.sub("#", status)}
    return len(alike) > 1 and max(_numbers_in(status), default=0) >= LEAST_NUMBER


def _numbers_in(status: str) -> list[int]:
    return [int(digits) for digits in NUMBER.findall(status)]
