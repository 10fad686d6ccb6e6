"""
What a task remembers of an upload: an intent before the request, the file after it.

It is kept in Airflow's task state store (3.3 and later). A record is a hint: a missing one proves nothing, since
clears, settings and retention remove records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import timedelta
from typing import Any, Final

from wes_provider.models import CouponFile
from wes_provider.uploads.identity import digest

__all__ = ["RecordStore", "UploadRecord"]

VERSION: Final = 1
RETENTION: Final = timedelta(days=3650)  # records end with their DAG run


@dataclass(frozen=True)
class UploadRecord:
    """
    One upload and the attempt that wrote this.

    :ivar generation: the generation of the upload; a found file keeps the one that it was uploaded with.
    :ivar name: as sent.
    :ivar label: see :attr:`UploadRequest.label <wes_provider.uploads.request.UploadRequest.label>`; likewise ``key``.
    :ivar url: as sent, without its query; empty if that is not known.
    :ivar named: whether the user chose the name.
    :ivar known: files that already had the user's name before; ``None`` if the list could not be read.
    :ivar sent_at: epoch seconds.
    :ivar status_code: the status code of a response that left the outcome unknown; ``None`` if none came.
    :ivar refused: the request had no effect, surely.
    :ivar file: the file's summary, once it is known.
    :ivar attempt_generation: the generation of the attempt that wrote this. The following are that attempt's, too.
    :ivar ended: the task had nothing left to do.
    """

    generation: int
    name: str
    label: str
    key: str
    url: str
    named: bool
    known: tuple[str, ...] | None
    sent_at: float
    try_number: int
    max_tries: int
    attempt_generation: int
    clear_number: int | None = None
    status_code: int | None = None
    refused: bool = False
    file: dict[str, Any] | None = None
    ended: bool = False

    @property
    def outstanding(self) -> bool:
        """Whether its request may have taken effect."""
        return self.file is None and not self.refused

    @property
    def accepted(self) -> bool:
        """Whether the service said that it accepted the upload, without saying which file it is."""
        return self.status_code is not None and 200 <= self.status_code < 300

    def with_file(self, file: CouponFile, **changes: Any) -> UploadRecord:
        """The record of the same upload with its file."""
        return replace(self, file=file.summary(), refused=False, **changes)

    def to_dict(self) -> dict[str, Any]:
        """As JSON; :meth:`from_dict` reads it back."""
        known = None if self.known is None else list(self.known)
        return {"version": VERSION, **asdict(self), "known": known}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> UploadRecord:
        """
        Read what :meth:`to_dict` wrote, of this version or a later one; unknown keys are ignored.

        :param stored: JSON.
        """
        values = {field.name: stored[field.name] for field in fields(cls) if field.name in stored}
        return cls(**{**values, "known": None if stored["known"] is None else tuple(stored["known"])})


class RecordStore:
    """
    The records of one task instance.

    :param store: ``context["task_state_store"]``; ``None`` before Airflow 3.3, and nothing is kept then.
    """

    def __init__(self, store: Any) -> None:
        self._store = store

    def load(self, coupon_list_id: str, part: str) -> UploadRecord | None:
        """The record of an upload to a list; ``None`` if there is none (any more)."""
        stored = self._store.get(_key(coupon_list_id, part)) if self._store is not None else None
        return UploadRecord.from_dict(stored) if stored else None

    def save(self, coupon_list_id: str, part: str, record: UploadRecord) -> None:
        """Keep a record in place of the previous one."""
        if self._store is not None:
            self._store.set(_key(coupon_list_id, part), record.to_dict(), retention=RETENTION)

    def mark_ended(self, coupon_list_id: str, part: str) -> None:
        """
        Note that the task has ended, so that its next attempt follows a clear.

        :param coupon_list_id: the list of the task's first upload; ``part`` is that upload's, too.
        :param part: the part of the upload.
        """
        if (record := self.load(coupon_list_id, part)) is not None:
            self.save(coupon_list_id, part, replace(record, ended=True))


def _key(coupon_list_id: str, part: str) -> str:
    return f"wes_upload_{digest(coupon_list_id, part)}"
