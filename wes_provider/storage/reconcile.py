"""What the files had against what the service counted. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wes_provider.models import counted
from wes_provider.storage.errors import WesReconciliationError

__all__ = ["check_added", "more_than_expected", "reconciled"]


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


def more_than_expected(path: str, expected: int | None, added: int | None, duplicate: int | None) -> str:
    """What to say of a file of which the service counted more codes than the preflight; empty if it did not."""
    counts = (added or 0) + (duplicate or 0)
    if expected is None or counts <= expected:
        return ""
    return (
        f"The service counted {counted(counts, 'code')} of a file that has {expected}\n{path}\n"
        "It may have fetched other content, or counted a header or other columns: compare the list with the file"
    )


def check_added(
    files: Sequence[tuple[str, int, int | None]], min_added_ratio: float | None, coupon_list_id: str
) -> None:
    """
    Compare the share of codes that the service added with the one that is required.

    :param files: path, number of codes and number of added coupons of each file; ``None`` if the service does not
        report it.
    :param min_added_ratio: from 0 to 1; ``None`` requires nothing.
    :raises WesReconciliationError: if a share above 0 is required, naming every file that falls below it, or whose
        count is not known.
    """
    if not min_added_ratio:
        return
    problems, missing = [], 0
    for path, expected, added in files:
        if added is None:
            missing += 1
            problems.append(
                f"{path}: the service does not report how many of its {counted(expected, 'code')} were added"
            )
        elif added < min_added_ratio * expected:
            problems.append(
                f"{path}: {added} of {counted(expected, 'code')} "
                f"{'was' if expected == 1 else 'were'} added ({added / expected:.1%})"
            )
    if problems:
        raise WesReconciliationError(coupon_list_id, min_added_ratio, problems, len(files), missing)
