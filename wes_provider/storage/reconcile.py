"""What the files had, against what the service counted; and whether they are still what was uploaded."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any

from wes_provider.exceptions import WesError
from wes_provider.storage.errors import WesFileNotFoundError, WesFileOverwrittenError, WesReconciliationError
from wes_provider.storage.ledger import ListLedger
from wes_provider.storage.plan import Planned
from wes_provider.storage.preflight import checksum
from wes_provider.texts import about, counted

__all__ = ["Share", "check_added", "check_overwritten", "overwritten", "reconciled"]

log = logging.getLogger(__name__)

Share = tuple[str, int, int | None]
"""A file's path, its codes, and how many of them the service added, if it says so."""


def reconciled(file: Planned, summary: dict[str, Any], added: int | None, duplicates: int | None) -> dict[str, Any]:
    """A file's summary with ``expected_codes``, and ``unaccounted_codes`` if the service reports both counts."""
    if not file.checked.checked:
        return summary
    counts, expected = (added or 0) + (duplicates or 0), file.checked.codes
    if counts > expected:
        log.warning(
            "The service counted %s of %s, which has %d\nIt may have fetched other content, or counted a header or "
            "other columns: compare the list with the file",
            *(counted(counts, "code"), file.checked.path, expected),
        )
    known = added is not None and duplicates is not None
    return {**summary, "expected_codes": expected, **({"unaccounted_codes": expected - counts} if known else {})}


def check_added(coupon_list_id: str, shares: Sequence[Share], ratio: float | None) -> None:
    """
    Compare the share of codes that the service added with the one that is required.

    :raises WesReconciliationError: naming every file that falls below it, or whose count is not known.
    """
    if ratio and (problems := list(_too_few(shares, ratio))):
        cause = about(
            f"{len(problems)} of {counted(len(shares), 'file')} below min_added_ratio={ratio}", coupon_list_id
        )
        advice = "The files are uploaded: check whether the list had their codes before. Do not upload them again."
        raise WesReconciliationError(f"{cause}\n{advice}", problems)


def _too_few(shares: Sequence[Share], ratio: float) -> Iterator[str]:
    for path, expected, added in shares:
        codes = counted(expected, "code")
        if added is None:
            yield f"{path}: the service does not report how many of its {codes} were added: coupon_file_counts names it"
        elif added < ratio * expected:
            yield f"{path}: {added} of {codes} {'was' if expected == 1 else 'were'} added ({added / expected:.1%})"


def overwritten(file: Planned, coupon_file_id: str, ledger: ListLedger | None) -> str:
    """What to say if an object is not the one that was uploaded, now that the service has surely fetched it."""
    if (source := file.source) is None:
        return ""
    try:
        current = source.current()
        if current.etag == source.etag:
            return ""
        now = checksum(current, read=bool(file.checked.sha256))
    except WesFileNotFoundError:
        return ""  # people move files away when they are processed
    except WesError as error:
        log.warning("It is not known whether a file was overwritten while it was processed\n%s", error)
        return ""
    if file.checked.sha256 and now.sha256 == file.checked.sha256:
        return ""
    if ledger is not None and (known := ledger.own(file.checked)) is not None:
        ledger.overwritten(known, now)
    return f"{source.path}: coupon file {coupon_file_id}; ETag {source.etag} then, {now.etag} now"


def check_overwritten(coupon_list_id: str, problems: Sequence[str]) -> None:
    """Raise :class:`WesFileOverwrittenError` if there are problems."""
    if problems:
        were = "file was" if len(problems) == 1 else "files were"
        cause = about(f"{len(problems)} {were} overwritten while being processed", coupon_list_id)
        advice = (
            "Which content the list has cannot be known from here: look at its codes before you upload either again."
        )
        raise WesFileOverwrittenError(f"{cause}\n{advice}", problems)
