"""The plan of a task's uploads: flat JSON without secrets, which outlives a deferral."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, NamedTuple

import msgspec

from wes_provider.storage.listed_file import ListedFile
from wes_provider.storage.preflight import CheckedFile
from wes_provider.storage.stores import Entry
from wes_provider.texts import counted
from wes_provider.uploads.rate_limiter import RateLimiter

__all__ = [
    "Known",
    "PlannedFile",
    "SameContent",
    "leave_out_files",
    "plan_file",
    "read_plan",
    "write_plan",
]

log = logging.getLogger(__name__)


class Known(NamedTuple):
    """A file is left out because the list has its content."""

    coupon_file_id: str

    def __str__(self) -> str:
        return f"the list has its content as coupon file {self.coupon_file_id}"


class SameContent(NamedTuple):
    """A file is left out because one before it in the task has its content."""

    path: str

    def __str__(self) -> str:
        return f"{self.path} has the same content"


class PlannedFile(ListedFile, frozen=True, kw_only=True):
    """
    A file that is listed and checked, and whether it is uploaded.

    :ivar size: in bytes.
    :ivar sha256: of its content; empty if it was not fetched.
    :ivar codes: how many it has; 0 if they were not checked.
    :ivar skipped: why it is left out; ``None`` if it is to be uploaded.
    """

    sha256: str = ""
    codes: int = 0
    duplicates: int = 0
    blank_lines: int = 0
    skipped: str | None = None


def plan_file(file: CheckedFile) -> PlannedFile:
    """Plan to upload a file."""
    fields = msgspec.structs.asdict(file.listed)
    fields["size"] = file.size
    if file.counts is not None:
        fields |= file.counts._asdict()
    return PlannedFile(sha256=file.sha256, **fields)


def leave_out_files(files: Sequence[PlannedFile], known: Mapping[int, Entry]) -> list[PlannedFile]:
    """
    Leave out what the list has, and what another file of the task gives it.

    :param known: by their index, the files whose content was uploaded before, and that upload.
    """
    result = []
    first_path: dict[str, str] = {}
    for index, file in enumerate(files):
        left_out: Known | SameContent | None = None
        if index in known:
            left_out = Known(known[index].coupon_file_id)
        elif file.sha256 in first_path:
            left_out = SameContent(first_path[file.sha256])
        elif file.sha256:
            first_path[file.sha256] = file.path
        if left_out is not None:
            log.info("Leaving out %s: %s", file.path, left_out)
            file = msgspec.structs.replace(file, skipped=str(left_out))
        result.append(file)
    return result


def write_plan(coupon_list_id: str, files: Sequence[PlannedFile], now: float) -> dict[str, Any]:
    """
    Write a plan as plain JSON: ``files``, ``codes`` in all, and ``last_upload_at``.

    :param now: epoch seconds, at which the first file is uploaded.
    """
    to_upload = [file for file in files if file.skipped is None]
    seconds = RateLimiter().seconds_for(len(to_upload), now)
    last = datetime.fromtimestamp(now + seconds, timezone.utc)
    if to_upload:
        at = last.strftime("%Y-%m-%d %H:%M UTC")
        log.info("%s to upload, the last one at about %s", counted(len(to_upload), "file"), at)
    else:
        log.info("No file to upload")
    return {
        "coupon_list_id": coupon_list_id,
        "codes": sum(file.codes for file in to_upload),
        "last_upload_at": last.isoformat() if to_upload else None,
        "files": msgspec.to_builtins(files),
    }


def read_plan(plan: Mapping[str, Any]) -> list[PlannedFile]:
    """Read the files of a plan."""
    return msgspec.convert(plan["files"], list[PlannedFile])
