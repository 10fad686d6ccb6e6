"""What the files had against what the service counted. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wes_provider.storage.errors import WesReconciliationError

__all__ = ["check_added", "reconciled"]


def reconciled(
    coupon_file: Mapping[str, Any], expected: int | None, *, added: int | None, duplicate: int | None
) -> dict[str, Any]:
    """
    A file's summary with both: what it had and what the service counted.

    :param coupon_file: the summary.
    :param expected: how many codes the preflight counted; ``None`` if it did not.
    :param added: what the service counted as added; ``None`` if it does not report that.
    :param duplicate: what the service counted as duplicates; ``None`` if it does not report that.
    :return: the summary with ``expected_codes``, and ``unaccounted_codes`` if both counts are there.
    """
    if expected is None:
        return dict(coupon_file)
    summary = {**coupon_file, "expected_codes": expected}
    if added is not None and duplicate is not None:
        summary["unaccounted_codes"] = expected - added - duplicate
    return summary


def check_added(
    files: Sequence[tuple[str, int, int | None]], min_added_ratio: float | None, coupon_list_id: str
) -> None:
    """
    Compare the share of codes that the service added with the one that is required.

    :param files: of each the path, how many codes it has, and how many were added; ``None`` if the service does not
        report it.
    :param min_added_ratio: from 0 to 1; ``None`` requires nothing.
    :raises WesReconciliationError: naming every file that falls below it, or whose count is not known.
    """
    if min_added_ratio is None:
        return
    problems = []
    for path, expected, added in files:
        if added is None:
            problems.append(f"{path}: the service does not report how many of its {expected} codes were added")
        elif added < min_added_ratio * expected:
            problems.append(f"{path}: {added} of {expected} codes were added ({added / expected:.1%})")
    if problems:
        raise WesReconciliationError(coupon_list_id, min_added_ratio, problems, len(files))
