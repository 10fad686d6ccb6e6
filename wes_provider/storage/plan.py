"""The plan of a task's uploads: JSON without secrets, which an XCom and a deferral hold."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import msgspec

from wes_provider import contract
from wes_provider.storage.files import BucketFile
from wes_provider.storage.preflight import CheckedFile

__all__ = ["Planned", "plan_of"]


class Planned(msgspec.Struct):
    """
    One file of a plan; in JSON, with what the checks found, flat.

    :ivar item: the place in the operator's argument that names the file.
    :ivar source: the object; ``None`` for a plain URL.
    :ivar skipped: the coupon file that has its content, so that the file is left out.
    :ivar same_content_as: the path of an earlier file of this plan that has its content: left out, too.
    """

    item: int
    checked: CheckedFile
    source: BucketFile | None = None
    skipped: str | None = None
    same_content_as: str | None = None

    @property
    def left_out(self) -> str:
        """Why the file is not uploaded; empty if it is."""
        if self.same_content_as is not None:
            return f"{self.checked.path} has the same content as {self.same_content_as}"
        known = f"{self.checked.path}: the list has its content as coupon file {self.skipped}"
        return "" if self.skipped is None else known

    @classmethod
    def read(cls, plan: Any) -> list[Planned]:
        """The files of a plan; unknown keys are ignored."""
        return [msgspec.convert({**file, "checked": file}, cls) for file in plan["files"]]


def plan_of(coupon_list_id: str, planned: Sequence[Planned]) -> dict[str, Any]:
    """
    The plan: which files, what the checks found, and when each would be uploaded at the earliest.

    :return: ``files``, each with path, size, ETag, codes, checks and ``upload_at``, or ``skipped`` if it is left out;
        ``codes`` in all; ``last_upload_at``, which is ``None`` if no file is uploaded.
    """
    files, times = [], list[datetime]()
    windows = (contract.UPLOADS_PER_MINUTE, contract.MINUTE), (contract.UPLOADS_PER_DAY, contract.DAY)
    start = datetime.now(timezone.utc)
    for file in planned:
        entry = {**msgspec.to_builtins(file.checked), "item": file.item, "source": msgspec.to_builtins(file.source)}
        if file.left_out:
            entry["skipped"] = file.skipped
            entry |= {"same_content_as": file.same_content_as} if file.same_content_as is not None else {}
        else:  # contract section 8: so many in each window, if no other upload to the list counts
            full = [times[-number] + timedelta(seconds=seconds) for number, seconds in windows if len(times) >= number]
            times.append(max([start, *full]))
            entry["upload_at"] = times[-1].isoformat()
        files.append(entry)
    return {
        "coupon_list_id": coupon_list_id,
        "files": files,
        "codes": sum(file.checked.codes for file in planned if not file.left_out),
        "last_upload_at": times[-1].isoformat() if times else None,
    }
