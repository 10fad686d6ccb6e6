"""
The upload: each file of a task instance at most once, whatever crashes.

What an earlier attempt did is known from its record, or read from the list; what cannot be known is an error.
``docs/reliability.md`` says what this guarantees, and what not.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from wes_provider.exceptions import (
    WesConnectionError,
    WesDuplicateError,
    WesError,
    WesRateLimitError,
    WesUnknownOutcomeError,
)
from wes_provider.models import CouponFile, redact_url
from wes_provider.uploads.attempt import Attempt
from wes_provider.uploads.contention import Contention
from wes_provider.uploads.list_reader import ListReader
from wes_provider.uploads.recognition import Found, same_url
from wes_provider.uploads.record import UploadRecord
from wes_provider.uploads.request import UploadRequest

__all__ = ["Uploaded", "Uploader"]

log = logging.getLogger(__name__)

ADOPT: Final = "on_duplicate='adopt' takes an earlier file"


@dataclass(frozen=True)
class Uploaded:
    """
    :ivar sent_at: epoch seconds.
    :ivar adopted: whether an earlier attempt had uploaded it.
    """

    file: CouponFile
    sent_at: float
    adopted: bool


class Uploader:
    """
    Makes the uploads of one attempt, one after another.

    :param attempt: the running one.
    :param requests: all uploads of the task instance, which share readings of the list.
    """

    def __init__(self, attempt: Attempt, requests: Sequence[UploadRequest]) -> None:
        self._attempt = attempt
        self._list = ListReader(attempt, requests)
        self._contention = Contention(attempt, self._list)

    def upload(self, request: UploadRequest) -> Uploaded:
        """
        Upload a file, or find the one that an earlier attempt of this task instance uploaded.

        :param request: the upload.
        :raises WesUnknownOutcomeError: if it cannot be known whether an upload took effect.
        :raises WesDuplicateError: if there is a file of an earlier attempt and ``on_duplicate`` is ``fail``, or it is
            another file and the task was cleared since; or if this attempt has already uploaded another file.
        :raises WesRateLimitError: if the service goes on refusing although its limits are respected.
        """
        attempt = self._attempt
        record = attempt.records.load(request.coupon_list_id, request.part) or attempt.outstanding.get(request.part)
        attempt.claim(request)
        generation = attempt.generation(record)
        if attempt.on_duplicate == "upload" and self._cleared(request, record):
            why = f"the task was cleared, and on_duplicate is 'upload' ({ADOPT})"
            return self._send(request, generation, record, why)
        found, why = self._earlier(request, record, generation)
        if found is None:
            return self._send(request, generation, record, why)
        return self._adopt(request, found, generation)

    # -- an earlier attempt's file

    def _cleared(self, request: UploadRequest, record: UploadRecord | None) -> bool:
        if record is not None:
            return self._attempt.cleared_since(record)
        # A name of ours holds the generation, which the list shows; a user's does not.
        return bool(request.name) and self._attempt.seems_cleared

    def _earlier(
        self, request: UploadRequest, record: UploadRecord | None, generation: int
    ) -> tuple[UploadRecord | None, str]:
        """The record of an earlier attempt's upload with its file; or none, and why."""
        if record is not None and not record.outstanding:
            return (
                (record, "") if record.file is not None else (None, "the service refused an earlier attempt's upload")
            )
        if record is not None:
            found = self._list.find(request, record, self._attempt.listed_by)
            return self._kept(request, record, found), "the upload of an earlier attempt took no effect"
        if not self._attempt.may_follow_another:
            return None, "this is the first attempt"
        blank = self._attempt.blank_record(request, generation, known=None)
        found = self._list.find_unrecorded(request, blank)
        since = f" since it was cleared ({ADOPT})" if self._attempt.on_duplicate == "upload" else ""
        return self._kept(request, blank, found), f"the list has no file of an earlier attempt{since}"

    def _kept(self, request: UploadRequest, record: UploadRecord, found: Found | None) -> UploadRecord | None:
        """Keep what was found, with the URL and the generation that it was found with."""
        if found is None:
            return None
        file = CouponFile.from_record(found.record, coupon_list_id=request.coupon_list_id)
        kept = record.with_file(file, generation=found.generation)
        if found.url and record.url and not same_url(found.url, record.url):
            kept = replace(kept, label=found.url, key=found.url)
        self._attempt.records.save(request.coupon_list_id, request.part, kept)
        return kept

    def _adopt(self, request: UploadRequest, record: UploadRecord, generation: int) -> Uploaded:
        attempt = self._attempt
        file = CouponFile.from_summary(record.file or {})
        attempt.known(request, file, record.sent_at)
        whose = f"coupon file {file.id} of list {request.coupon_list_id} ({record.label})"
        if attempt.on_duplicate == "fail":
            raise WesDuplicateError(
                f"An earlier attempt uploaded {whose}, and on_duplicate is 'fail'\n"
                "Use on_duplicate='adopt' to take it; to upload again, set on_duplicate='upload' and clear the task"
            )
        cleared = record.generation != generation
        if record.key != request.key and (cleared or request.source is not None):
            raise WesDuplicateError(
                f"An earlier attempt uploaded {whose}\nNow it is to be {request.label}. "
                "To upload that, set on_duplicate='upload' and clear the task; if the earlier file will do, mark the "
                "task as success"
            )
        file = self._list.current(request, file)
        if cleared and attempt.failed(file):
            why = f"coupon file {file.id} of the time before the clear failed processing"
            return self._send(request, generation, record, why)
        log.info(
            "Adopting %s, which an earlier attempt uploaded (attempt %d); to upload it again, %sclear the task",
            whose,
            attempt.try_number,
            "" if attempt.on_duplicate == "upload" else "set on_duplicate='upload' and ",
        )
        attempt.limiter.note_accepted(record.sent_at)
        attempt.known(request, file, record.sent_at)
        if request.source is not None:
            request.source.uploaded(file.id)
        return Uploaded(file, record.sent_at, adopted=True)

    # -- a new upload

    def _send(self, request: UploadRequest, generation: int, replaced: UploadRecord | None, why: str) -> Uploaded:
        """Send the request until it is accepted, refused for good, or its outcome cannot be known."""
        attempt = self._attempt
        record = self._intent(request, generation, replaced)
        log.info("Uploading %s to list %s as %s: %s", request.label, request.coupon_list_id, record.name, why)
        doubtful = replaced is not None and replaced.outstanding
        refusal, attempts = None, 0
        while True:
            attempt.wait_until(self._contention.send_time(request, refusal), refusal)
            arguments = request.arguments(record.name)
            url, now = redact_url(arguments["file_url"]), attempt.clock.time()
            record = replace(record, url=url, sent_at=now, status_code=None)
            attempt.records.save(request.coupon_list_id, request.part, record)
            try:
                with attempt.hook.recording(attempt.limiter.record, attempt.clock):
                    response = attempt.hook.upload_coupon_file(request.coupon_list_id, **arguments)
                file = CouponFile.from_record(response, coupon_list_id=request.coupon_list_id)
                break
            except WesUnknownOutcomeError as error:
                attempts += 1
                if (found := self._resolve(request, record, error)) is not None:
                    file = found
                    break
                doubtful, attempt.outstanding[request.part] = True, record
                if attempts >= attempt.hook.settings.max_attempts:
                    raise WesConnectionError(
                        f"List {request.coupon_list_id}: {attempts} attempts to upload {request.label} took no effect\n"
                        "The service gave no usable response, and the list does not have the file"
                    ) from error
                log.warning("List %s: upload %d took no effect; sending it again", request.coupon_list_id, attempts)
            except WesRateLimitError as error:
                refusal = error
                self._restore(request, record, replaced, doubtful)
                if self._contention.hopeless(request):
                    raise
                log.info("%s", error)
            except WesError:
                self._restore(request, record, replaced, doubtful)
                raise
        return self._accepted(request, record, file)

    def _accepted(self, request: UploadRequest, record: UploadRecord, file: CouponFile) -> Uploaded:
        attempt = self._attempt
        log.info("Uploaded %s to list %s: coupon file %s", request.label, request.coupon_list_id, file.id)
        attempt.known(request, file, record.sent_at)
        attempt.outstanding.pop(request.part, None)
        shown_name = file.name if file.name != record.name else ""
        kept = record.with_file(file, shown_name=shown_name, ended=not attempt.continues)
        attempt.records.save(request.coupon_list_id, request.part, kept)
        if request.source is not None:
            request.source.uploaded(file.id)
        return Uploaded(file, record.sent_at, adopted=False)

    def _resolve(
        self, request: UploadRequest, record: UploadRecord, error: WesUnknownOutcomeError
    ) -> CouponFile | None:
        """Look in the list for what a request of this attempt did; ``None`` if it took no effect."""
        attempt = self._attempt
        if error.status_code is not None:
            record = replace(record, status_code=error.status_code)
            attempt.records.save(request.coupon_list_id, request.part, record)
        log.warning("%s\nReading list %s to see whether it shows the file", error, request.coupon_list_id)
        until = attempt.clock.time() + attempt.hook.settings.coupon_files_lag
        found = self._list.find(request, record, until, cause=error)
        if found is not None:
            log.info("List %s shows the file; it was not sent again", request.coupon_list_id)
            return CouponFile.from_record(found.record, coupon_list_id=request.coupon_list_id)
        return None

    def _intent(self, request: UploadRequest, generation: int, replaced: UploadRecord | None) -> UploadRecord:
        """The record of a request that is about to be sent."""
        if not request.name:
            return self._attempt.blank_record(request, generation, known=())
        if replaced is not None and replaced.outstanding and replaced.name == request.name:
            # What that request did may yet turn up, and then counts as new.
            return self._attempt.blank_record(request, generation, known=replaced.known or ())
        return self._attempt.blank_record(request, generation, known=self._list.known(request))

    def _restore(
        self, request: UploadRequest, record: UploadRecord, replaced: UploadRecord | None, doubtful: bool
    ) -> None:
        """A request surely had no effect: keep what was known before it."""
        if doubtful:
            return  # an earlier request may have taken effect; the next attempt looks for it
        if request.source is not None:
            request.source.refused()
        kept = replaced if replaced is not None else replace(record, refused=True)
        self._attempt.records.save(request.coupon_list_id, request.part, kept)
