"""What earlier attempts of a task instance left of an upload: a record, or a file in the list."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from wes_provider.models import CouponFile
from wes_provider.uploads.attempt import Attempt
from wes_provider.uploads.list_reader import ListReader
from wes_provider.uploads.recognition import Found
from wes_provider.uploads.record import UploadRecord
from wes_provider.uploads.request import UploadRequest
from wes_provider.uploads.upload_again import VARIABLE

__all__ = ["EarlierUploads"]

REQUESTED: Final = f"the Variable {VARIABLE} has its key"
ADOPT: Final = "on_duplicate='adopt' takes an earlier file"


class EarlierUploads:
    """
    Decides which file an attempt takes instead of uploading one.

    :param attempt: the running one.
    :param reader: the reader of the list.
    """

    def __init__(self, attempt: Attempt, reader: ListReader) -> None:
        self._attempt = attempt
        self._list = reader

    def find(
        self, request: UploadRequest, record: UploadRecord | None, generation: int
    ) -> tuple[UploadRecord | None, str]:
        """
        The record of an earlier attempt's upload with its file; or none, and why.

        :param request: the upload.
        :param record: the record of its last attempt, if there is one.
        :param generation: the generation of the next upload.
        :raises WesUnknownOutcomeError: if it cannot be known whether an upload took effect.
        """
        attempt = self._attempt
        mode = attempt.again.mode(request, record)
        requested = mode != attempt.on_duplicate
        if mode == "upload" and self._cleared(request, record):
            by_setting = f"the task was cleared, and on_duplicate is 'upload' ({ADOPT})"
            return None, REQUESTED if requested else by_setting
        if record is not None and record.file is not None:
            return record, ""
        if record is not None and record.refused:
            return None, "the service refused an earlier attempt's upload"
        if record is not None:
            found = self._list.find(request, record, attempt.listed_by)
            return self._kept(request, record, found), "the upload of an earlier attempt took no effect"
        if not attempt.may_follow_another:
            return None, "this is the first attempt"
        blank = attempt.blank_record(request, generation, known=None)
        found = self._list.find_unrecorded(request, blank)
        if requested:
            return self._kept(request, blank, found), REQUESTED
        since = f" since it was cleared ({ADOPT})" if mode == "upload" else ""
        return self._kept(request, blank, found), f"the list has no file of an earlier attempt{since}"

    def _cleared(self, request: UploadRequest, record: UploadRecord | None) -> bool:
        if record is not None:
            return self._attempt.cleared_since(record)
        # A name of ours holds the generation, which the list shows; a user's does not.
        return bool(request.name) and self._attempt.seems_cleared

    def _kept(self, request: UploadRequest, record: UploadRecord, found: Found | None) -> UploadRecord | None:
        """Keep what was found, with the URL and the generation that it was found with."""
        if found is None:
            return None
        file = CouponFile.from_record(found.record, coupon_list_id=request.coupon_list_id, secrets=request.secrets)
        kept = record.with_file(file, generation=found.generation)
        if found.other:
            kept = replace(kept, label=found.other, key=found.other)
        self._attempt.records.save(request.coupon_list_id, request.part, kept)
        return kept
