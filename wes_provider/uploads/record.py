"""
What a task remembers of an upload: an intent before the request, the file after it.

It is kept in Airflow's task state store (3.3 and later). A record is a hint: a missing one proves
nothing, since clears, settings and retention remove records.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

import msgspec

from wes_provider.models import CouponFile

__all__ = ["RecordStore", "UploadRecord"]

RETENTION: Final = timedelta(days=3650)  # records end with their DAG run


class UploadRecord(msgspec.Struct, omit_defaults=True):
    """
    One upload.

    :ivar generation: that of the attempt that wrote this.
    :ivar sent_at: when the request was sent, epoch seconds; 0 if the last one surely had no effect.
    :ivar accepted: the service said that it accepted the upload, without saying as which file.
    :ivar file: the file, once it is known.
    """

    generation: int
    sent_at: float = 0.0
    accepted: bool = False
    file: CouponFile | None = None
    version: int = 1


class RecordStore:
    """
    The records of one task instance, in Airflow's ``task_state_store``; before 3.3, nothing is
    kept.
    """

    def __init__(self, store: Any) -> None:
        self._store = store

    def load(self, upload_hash: str) -> UploadRecord | None:
        """
        The record of an upload; ``None`` if there is none (any more). Unknown keys are ignored.
        """
        stored = self._store.get(f"wes_upload_{upload_hash}") if self._store is not None else None
        return msgspec.convert(stored, UploadRecord) if stored else None

    def save(self, upload_hash: str, record: UploadRecord) -> None:
        """Keep a record in place of the previous one."""
        if self._store is not None:
            self._store.set(
                f"wes_upload_{upload_hash}", msgspec.to_builtins(record), retention=RETENTION
            )
