"""
What follows from one reading of a watched coupon list: which files have ended since the last one.
Pure.

A file ends once, and is reported once. What was seen is only ever added to: a reading that lacks
files, because it is incomplete or the service has lost them for a moment, makes none of them new.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Container, Iterable, Mapping
from hashlib import blake2b
from typing import Any, Final, NamedTuple, TypeAlias

from wes_provider.coupon_files import Statuses
from wes_provider.exceptions import WesError, WesRateLimitError
from wes_provider.models import CouponFile

MOST_FILES: Final = 500
"""Files in the event of one reading, which Airflow stores in one row: up to 300 kB of JSON."""

LONGEST_PAUSE: Final = 300.0
"""Seconds between readings, if they fail; a longer ``poll_interval`` counts."""

FINGERPRINT_BYTES: Final = 6
"""Of 10,000 files, the chance that a new one is taken for one of them is 1 to 28,000,000,000."""

FINGERPRINT_LENGTH: Final = 8
"""Characters of a fingerprint."""

Seen: TypeAlias = dict[str, None]
"""The fingerprints of files that have ended, in the order in which they were seen."""


class NewlyEnded(NamedTuple):
    """
    What follows from one reading.

    :ivar files: of each file that has ended since, its flat ``coupon_file`` object with
        ``outcome``, which is ``processed`` or ``failed``.
    :ivar seen: what was seen before, and the files of ``files``.
    """

    files: list[dict[str, Any]]
    seen: Seen


def decide(
    records: Iterable[Mapping[str, Any]],
    seen: Seen | None,
    statuses: Statuses,
    coupon_list_id: str,
    only: Container[str] | None = None,
) -> NewlyEnded:
    """
    Decide which files of a reading are reported.

    :param records: the files as the service shows them; a file may stand there twice.
    :param seen: what earlier readings have shown; ``None`` for the first reading of the watch,
        whose files ended before it.
    :param statuses: which status means what.
    :param coupon_list_id: the watched list.
    :param only: the fingerprints of the files that may be reported: others may have ended before
        the watch began; ``None`` for all.
    """
    files: list[dict[str, Any]] = []
    new_seen = dict(seen or {})
    for record in records:
        outcome = read_outcome(record, statuses)
        if not outcome:
            continue
        mark = fingerprint(record["_id"])
        if mark in new_seen:
            continue
        if seen is None or (only is not None and mark not in only):
            new_seen[mark] = None
        elif len(files) < MOST_FILES:
            new_seen[mark] = None
            file = CouponFile.from_record(record, coupon_list_id)
            files.append({**file.summary(), "outcome": outcome})
    return NewlyEnded(files, new_seen)


def files_on_their_way(records: Iterable[Mapping[str, Any]], statuses: Statuses) -> set[str]:
    """Return the fingerprints of the files of a reading that have not ended."""
    return {
        fingerprint(record["_id"])
        for record in records
        if isinstance(record.get("_id"), str) and not read_outcome(record, statuses)
    }


def read_outcome(record: Mapping[str, Any], statuses: Statuses) -> str:
    """Return ``processed`` or ``failed``; an empty string for a file that has not ended."""
    file_id = record.get("_id")
    status = record.get("status")
    if not isinstance(file_id, str) or not isinstance(status, str) or not file_id.strip():
        return ""
    if statuses.failed(status):
        return "failed"
    if statuses.succeeded(status):
        return "processed"
    return ""


def fingerprint(coupon_file_id: str) -> str:
    """Return eight characters that stand for a file's identifier."""
    digest = blake2b(coupon_file_id.encode(), digest_size=FINGERPRINT_BYTES).digest()
    return urlsafe_b64encode(digest).decode()


def pause_after(failures: int, error: WesError | None, poll_interval: float, now: float) -> float:
    """
    Compute the seconds until the next reading: the more failed one after another, the longer.

    :param failures: how many readings failed since the last one that did not.
    :param error: why the last one failed; ``None`` if it did not.
    :param poll_interval: seconds between readings that do not fail.
    :param now: epoch seconds, UTC.
    """
    longest = max(poll_interval, LONGEST_PAUSE)
    # Bounded, since a watch may fail for weeks.
    doublings = min(max(0, failures - 1), 16)
    seconds = min(longest, poll_interval * 2.0**doublings)
    if isinstance(error, WesRateLimitError) and error.reset_at is not None:
        seconds = max(seconds, error.reset_at.timestamp() - now)
    return seconds
