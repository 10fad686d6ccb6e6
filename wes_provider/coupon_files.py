"""
What the record of a coupon file means: its status, its counts, why it failed. Pure.

The contract shows the status PENDING and no count (sections 2 and 3), so both are settings.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from wes_provider import contract
from wes_provider.arguments import check_whole_number
from wes_provider.exceptions import WesConfigurationError, WesCouponFileFailedError
from wes_provider.models import CouponFile
from wes_provider.texts import about, counted, shown

__all__ = ["CountNames", "Statuses"]

ADDED_NAMES: Final = ("added", "imported", "coupons_added")
DUPLICATE_NAMES: Final = ("duplicates", "duplicate", "coupons_duplicate")

FIX_THE_FILE: Final = (
    "Fix the file, then clear the task that uploaded it: it uploads the file again."
)
TOO_FEW: Final = (
    "The list has these coupons, so a clear uploads nothing. Have a new run upload a larger file; "
    "or, if so few are fine, lower min_coupons_added and clear the task."
)
TOO_MANY_DUPLICATES: Final = (
    "The list has the new coupons, so a clear uploads nothing. Find out why the file repeats "
    "coupons that the list has; if so many are fine, raise max_duplicates and clear the task."
)
NONE_ADDED: Final = (
    "To make this an error, set min_coupons_added=1. If it is expected, set min_coupons_added=0."
)

Note: TypeAlias = tuple[int, str]
"""A log level and a message."""


# -- statuses --------------------------------------------------------------------------------------


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
        Replace some of the sets.

        :param overrides: ``pending``, ``success`` and ``failure``, each a list of statuses that
            replaces the list of ``base``. A status listed here is removed from the lists that are
            not given.
        :param base: the sets to start from, instead of the defaults.
        :raises WesConfigurationError: for another key, for what is no list of strings, or for a
            status in two lists.
        """
        given = _status_lists(overrides)
        listed = [status for statuses in given.values() for status in statuses]
        in_two_lists = {status for status in listed if listed.count(status) > 1}
        if in_two_lists:
            raise WesConfigurationError(
                f"coupon_file_statuses has {min(in_two_lists)} in two lists\n"
                "Give each status to one of pending, success and failure."
            )
        start = base or cls()
        return cls(
            pending=given.get("pending", start.pending.difference(listed)),
            success=given.get("success", start.success.difference(listed)),
            failure=given.get("failure", start.failure.difference(listed)),
        )

    def succeeded(self, status: str) -> bool:
        """Tell whether a file of this status is processed."""
        return status.strip().upper() in self.success

    def failed(self, status: str) -> bool:
        """Tell whether a file of this status has failed."""
        return status.strip().upper() in self.failure

    def is_pending(self, status: str) -> bool:
        """Tell whether a file of this status is known to be in progress."""
        return status.strip().upper() in self.pending


def _status_lists(overrides: Mapping[str, Any] | None) -> dict[str, frozenset[str]]:
    kind = dict[Literal["pending", "success", "failure"], list[str]]
    try:
        lists = msgspec.convert(overrides or {}, kind)
    except msgspec.ValidationError:
        raise WesConfigurationError(
            "coupon_file_statuses takes lists of statuses as pending, success and failure\n"
            f"Given: {shown(overrides)}"
        ) from None
    return {
        str(name): frozenset(status.strip().upper() for status in statuses)
        for name, statuses in lists.items()
    }


def failure(file: CouponFile, advice: str = FIX_THE_FILE) -> WesCouponFileFailedError:
    """
    Make the error of a file that failed processing: why and which, and what to do.

    :param file: as the service reports it.
    :param advice: what to do.
    """
    reason = f"Processing failed with status {file.status}"
    if file.reason:
        reason = f"{file.status}: {file.reason}"
    text = f"{about(reason, file.coupon_list_id, file.title)}\n{advice}\nCoupon file: {file.id}"
    return WesCouponFileFailedError(text, file.summary(), reason=reason)


# -- counts of coupons -----------------------------------------------------------------------------


class CouponCounts(NamedTuple):
    """How many coupons files brought; ``None`` for a count that any of the files does not have."""

    added: int | None
    duplicates: int | None


class CountNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Which counts of a coupon file mean what: the contract shows none (section 2). Numbers above 100
    million, such as times, count nothing: no list can have so many coupons (section 8).

    :param added: name of the count of coupons that were added, dotted if it is below a property,
        such as ``stats.imported``; if empty, ``added``, ``imported`` or ``coupons_added``.
    :param duplicates: name of the count of duplicates; if empty, ``duplicates``, ``duplicate`` or
        ``coupons_duplicate``.
    """

    added: str = ""
    duplicates: str = ""

    def read(self, files: Iterable[CouponFile]) -> CouponCounts:
        """Add up the counts of all ``files``."""
        counts = [file.counts for file in files]
        added_names: Sequence[str] = ADDED_NAMES
        if self.added:
            added_names = [self.added]
        duplicate_names: Sequence[str] = DUPLICATE_NAMES
        if self.duplicates:
            duplicate_names = [self.duplicates]
        return CouponCounts(_total(counts, added_names), _total(counts, duplicate_names))


def _total(files: Sequence[Mapping[str, int]], names: Sequence[str]) -> int | None:
    """Add up the first of ``names`` that each file has; ``None`` if any file has none of them."""
    total = 0
    for counts in files:
        known = [counts[name] for name in names if may_count_coupons(counts.get(name, -1))]
        if not known:
            return None
        total += known[0]
    return total if files else None


def may_count_coupons(number: int) -> bool:
    """
    Tell whether a number may count coupons: a time, or the size of a file, is more than a list can
    have (contract, section 8).
    """
    return 0 <= number <= contract.LIST_COUPONS


class ExpectedCounts(NamedTuple):
    """
    What processed files have to bring.

    :ivar min_added: fewest coupons added; ``None`` for no limit.
    :ivar max_duplicates: most duplicates: a whole number, or a float up to 1.0 as a share of the
        coupons added and the duplicates together; ``None`` for no limit.
    """

    min_added: int | None = None
    max_duplicates: float | None = None


def expect_counts(min_coupons_added: Any, max_duplicates: Any) -> ExpectedCounts:
    """
    Check the arguments that say what files have to bring.

    :raises WesConfigurationError: naming the argument that is out of range.
    """
    if min_coupons_added is not None:
        check_whole_number("min_coupons_added", min_coupons_added)
    if isinstance(max_duplicates, float):
        if not 0.0 <= max_duplicates <= 1.0:
            raise WesConfigurationError(
                f"max_duplicates takes a whole number, or a share from 0.0 to 1.0, not "
                f"{shown(max_duplicates)}"
            )
    elif max_duplicates is not None:
        check_whole_number("max_duplicates", max_duplicates)
    return ExpectedCounts(min_coupons_added, max_duplicates)


def check_counts(files: Sequence[CouponFile], names: CountNames, expected: ExpectedCounts) -> Note:
    """
    Check that processed files brought what was expected of them.

    :param files: one file, or all files of a task; not empty.
    :return: what deserves a log line: a warning if no coupon was added and nothing was expected.
    :raises WesCouponFileFailedError: if the files brought too few coupons, or too many duplicates,
        or if the service does not report the count that is needed.
    """
    counts = names.read(files)
    said = _describe(counts)
    if expected.min_added is not None:
        _check_added(files, counts, expected.min_added)
    if expected.max_duplicates is not None:
        _check_duplicates(files, counts, expected.max_duplicates)
    first_line = _about_files(files, said)
    if counts.added is None:
        return logging.INFO, f"{first_line}\n{_advice_on_names(files)}"
    if counts.added == 0 and expected.min_added is None:
        return logging.WARNING, f"{first_line}\n{NONE_ADDED}"
    return logging.INFO, first_line


def _check_added(files: Sequence[CouponFile], counts: CouponCounts, min_added: int) -> None:
    if counts.added is None:
        # If none are expected, their count is not needed.
        if min_added > 0:
            raise _count_error(files, _describe(counts), _advice_on_names(files))
    elif counts.added < min_added:
        raise _count_error(files, f"{_describe(counts)}, fewer than {min_added}", TOO_FEW)


def _check_duplicates(
    files: Sequence[CouponFile], counts: CouponCounts, max_duplicates: float
) -> None:
    if counts.duplicates is None:
        raise _count_error(files, "No count of duplicates", _advice_on_names(files))
    if _exceeds(counts, max_duplicates):
        most = _describe_most(max_duplicates)
        raise _count_error(files, f"{_describe(counts)}, more than {most}", TOO_MANY_DUPLICATES)


def _describe(counts: CouponCounts) -> str:
    if counts.added is None:
        return "No count of added coupons"
    said = f"{counted(counts.added, 'coupon')} added"
    if counts.duplicates is not None:
        said += f", {counted(counts.duplicates, 'duplicate')}"
    return said


def _exceeds(counts: CouponCounts, max_duplicates: float) -> bool:
    duplicates = counts.duplicates or 0
    if isinstance(max_duplicates, int):
        return duplicates > max_duplicates
    return duplicates > max_duplicates * ((counts.added or 0) + duplicates)


def _describe_most(max_duplicates: float) -> str:
    if isinstance(max_duplicates, int):
        return str(max_duplicates)
    return f"{max_duplicates:.4g} of all coupons"


def _advice_on_names(files: Sequence[CouponFile]) -> str:
    reported = ", ".join(files[0].counts) or "none"
    return (
        "If the service counts them, name the count in the connection's extra "
        f"coupon_file_counts, as added or duplicates. Counts: {reported}"
    )


def _about_files(files: Sequence[CouponFile], cause: str) -> str:
    title = files[0].title
    if len(files) > 1:
        title = f"{len(files)} files"
    return about(cause, files[0].coupon_list_id, title)


def _count_error(files: Sequence[CouponFile], reason: str, advice: str) -> WesCouponFileFailedError:
    text = f"{_about_files(files, reason)}\n{advice}"
    return WesCouponFileFailedError(text, files[0].summary(), reason=reason)
