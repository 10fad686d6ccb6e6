"""The plan of a task's uploads: JSON without secrets, which an XCom and a deferral hold."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any, Final

import msgspec

from wes_provider import contract
from wes_provider.storage.files import BucketFile
from wes_provider.storage.preflight import CheckedFile

__all__ = ["Planned", "plan_of", "send_times"]

WINDOWS: Final = (  # contract section 8, for each coupon list
    (contract.UPLOADS_PER_MINUTE, contract.MINUTE),
    (contract.UPLOADS_PER_DAY, contract.DAY),
)


class Planned(msgspec.Struct, omit_defaults=True):
    """
    One file of a plan.

    :ivar item: the place in the operator's argument that names the file.
    :ivar source: the object; ``None`` for a plain URL.
    :ivar upload_at: when it can be uploaded at the earliest; ``None`` if it is left out.
    :ivar skipped: the coupon file that has its content.
    :ivar same_content_as: the path of a file of this plan that has its content.
    """

    item: int
    checked: CheckedFile
    source: BucketFile | None = None
    upload_at: str | None = None
    skipped: str | None = None
    same_content_as: str | None = None

    @property
    def left_out(self) -> str:
        """Why the file is not uploaded; empty if it is."""
        if self.same_content_as is not None:
            return f"{self.checked.path} has the same content as {self.same_content_as}"
        if self.skipped is not None:
            return f"{self.checked.path}: the list has its content as coupon file {self.skipped}"
        return ""

    def to_json(self) -> dict[str, Any]:
        """As the plan holds it, flat."""
        data = {**msgspec.to_builtins(self.checked), "item": self.item, "source": msgspec.to_builtins(self.source)}
        if not self.left_out:
            return {**data, "upload_at": self.upload_at}
        same = {"same_content_as": self.same_content_as} if self.same_content_as is not None else {}
        return {**data, "skipped": self.skipped, **same}

    @classmethod
    def read(cls, plan: Any) -> list[Planned]:
        """The files of a plan; unknown keys are ignored."""
        return [msgspec.convert({**file, "checked": file}, cls) for file in plan["files"]]


def plan_of(coupon_list_id: str, files: Sequence[Planned], start: datetime | None = None) -> dict[str, Any]:
    """
    The plan: which files, what the checks found, and when each would be uploaded.

    :return: JSON: ``files``, each with path, size, ETag, codes, checks and ``upload_at``; ``codes`` in all; and
        ``last_upload_at``, which is ``None`` without files.
    """
    uploads = [file for file in files if not file.left_out]
    times = [at.isoformat() for at in send_times(len(uploads), start or datetime.now(timezone.utc))]
    for file, at in zip(uploads, times, strict=True):
        file.upload_at = at
    return {
        "coupon_list_id": coupon_list_id,
        "files": [file.to_json() for file in files],
        "codes": sum(file.checked.codes for file in uploads),
        "last_upload_at": times[-1] if times else None,
    }


def send_times(count: int, start: datetime) -> list[datetime]:
    """
    When each of so many uploads to one list can be sent at the earliest, by the documented limits (contract section 8).

    :param start: when the first upload starts; no other upload to the list counts.
    """
    times: list[datetime] = []
    for index in range(count):
        after = [times[index - number] + timedelta(seconds=seconds) for number, seconds in WINDOWS if index >= number]
        times.append(max([start, *after]))
    return times
