"""Whether files contradict the names of counts that the connection has. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import Final

from wes_provider.coupon_files import ADDED_NAMES, CountNames, Statuses
from wes_provider.doctor.records.disputes import dispute_of
from wes_provider.doctor.replies.files import (
    counts_what_is_left_out,
    sounds_like_added,
    speaks_of_total,
)
from wes_provider.models import CouponFile
from wes_provider.texts import shown

__all__ = ["contradiction_of"]

MOST_ADDENDS: Final = 4  # numbers whose sum a total may be


def contradiction_of(files: Sequence[CouponFile], given: CountNames, statuses: Statuses) -> str:
    """
    Tell what speaks against the names of counts that the connection has, as a sentence; empty if
    nothing does. What the connection says is no evidence: the names may be a guess.

    A number that the doctor itself has to ask for, since several may count coupons added, is the
    user's to choose.
    """
    open_choice = dispute_of(files, CountNames(duplicates=given.duplicates), statuses)
    if open_choice is not None and given.added in open_choice.names:
        return ""
    return next(_contradictions(files, given), "")


def _contradictions(files: Sequence[CouponFile], given: CountNames) -> Iterator[str]:
    added = shown(given.added, quoted=False)
    names_added = f"coupon_file_counts.added is {added}, but"
    is_there = any(given.added in file.counts for file in files)
    if given.added and is_there and counts_what_is_left_out(given.added):
        yield f"{names_added} that is a number of coupons that were not added, by its name."
    for addends in _sums(files, given.added):
        yield f"{names_added} that is the sum of {_in_words(addends)} in each file."
    for known in ADDED_NAMES:
        file = _differing_file(files, given.added, known)
        if file is not None:
            yield (
                f"{names_added} {known} is {file.counts[known]} in file "
                f"{shown(file.id, quoted=False)}, which has {file.counts[given.added]} there."
            )
    if given.added and is_there and speaks_of_total(given.added):
        yield f"{names_added} that is a number of all that a file had, by its name."
    duplicates = shown(given.duplicates, quoted=False)
    is_of_added = sounds_like_added(given.duplicates)
    if is_of_added and any(given.duplicates in file.counts for file in files):
        yield (
            f"coupon_file_counts.duplicates is {duplicates}, but that is a number of coupons "
            "added, by its name."
        )


def _sums(files: Sequence[CouponFile], total: str) -> Iterator[tuple[str, ...]]:
    """
    Yield numbers whose sum another one is in each file that has it, if some of them count what was
    left out, and do so somewhere.
    """
    having = [file for file in files if total in file.counts]
    others = [
        name
        for name in dict.fromkeys(chain.from_iterable(file.counts for file in having))
        if name != total and all(name in file.counts for file in having)
    ]
    for size in range(2, MOST_ADDENDS + 1):
        for addends in combinations(others, size):
            if _is_sum(having, total, addends):
                yield addends


def _is_sum(files: Sequence[CouponFile], total: str, addends: Sequence[str]) -> bool:
    left_out = [name for name in addends if counts_what_is_left_out(name)]
    added = [name for name in addends if name not in left_out]
    if not left_out or not added:
        return False
    # Each addend has to be there somewhere, or its zeros would be no part of a sum.
    is_used = all(any(file.counts[name] for file in files) for name in addends)
    return is_used and all(
        file.counts[total] == sum(file.counts[name] for name in addends) for file in files
    )


def _differing_file(files: Sequence[CouponFile], given: str, known: str) -> CouponFile | None:
    """Return a file in which the connection's number and one of a known name differ."""
    for file in files:
        is_known = {given, known} <= file.counts.keys()
        if is_known and file.counts[given] != file.counts[known]:
            return file
    return None


def _in_words(names: Sequence[str]) -> str:
    *first, last = (shown(name, quoted=False) for name in names)
    return f"{', '.join(first)} and {last}"
