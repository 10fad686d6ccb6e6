"""
The upload: each file of a task instance at most once, whatever crashes.

What an earlier attempt did is known from its record, or read from the list; what cannot be known is an error.
``docs/reliability.md`` says what this guarantees, and what not.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from wes_provider import contract
from wes_provider.exceptions import (
    WesConnectionError,
    WesDuplicateError,
    WesError,
    WesRateLimitError,
    WesResponseError,
    WesUnknownOutcomeError,
)
from wes_provider.models import CouponFile, headline, redact_url, shorten
from wes_provider.uploads.attempt import Attempt
from wes_provider.uploads.contention import Contention
from wes_provider.uploads.earlier import EarlierUploads
from wes_provider.uploads.file_reader import current
from wes_provider.uploads.identity import is_ours
from wes_provider.uploads.list_reader import ListReader
from wes_provider.uploads.matchers import of_record
from wes_provider.uploads.record import UploadRecord
from wes_provider.uploads.request import UploadRequest

__all__ = ["Uploaded", "Uploader"]

log = logging.getLogger(__name__)


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
        self._earlier = EarlierUploads(attempt, self._list)
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
        found, why = self._earlier.find(request, record, generation)
        if found is None:
            return self._send(request, generation, record, why)
        return self._adopt(request, found, generation)

    # -- an earlier attempt's file

    def _adopt(self, request: UploadRequest, record: UploadRecord, generation: int) -> Uploaded:
        attempt = self._attempt
        file = CouponFile.from_summary(record.file or {})
        attempt.known(request, file, record.sent_at)
        whose = f"{record.label} to list {request.coupon_list_id} as coupon file {file.id}"
        which = f"coupon file {shorten(file.id, 26)} of list {shorten(request.coupon_list_id, 22)}"
        again = f"To upload it again, {attempt.again.advice(request)}."
        if attempt.again.mode(request, record) == "fail":
            raise WesDuplicateError(
                f"An earlier attempt uploaded {which}\n"
                f"If it will do, mark the task as success.\n{again}\non_duplicate is 'fail', and {whose} is there"
            )
        cleared = record.generation != generation
        if record.key != request.key and (cleared or request.source is not None):
            raise WesDuplicateError(
                f"An earlier attempt uploaded {which}\n"
                "If it will do, mark the task as success.\n"
                f"To upload the other one, {attempt.again.advice(request)}.\n"
                f"It uploaded {whose}. Now it is to be {request.label}"
            )
        file = current(attempt, request, file, attempt.listed_by)
        if cleared and attempt.failed(file):
            why = f"coupon file {file.id}, uploaded before the clear, failed processing"
            return self._send(request, generation, record, why)
        log.info(
            "%s\nAn earlier attempt uploaded %s; this is attempt %d.\n%s",
            headline("Adopting coupon file", request.coupon_list_id, file.id, file.title),
            whose,
            attempt.try_number,
            again,
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
        title, list_id = shorten(request.title, 40), shorten(request.coupon_list_id, 30)
        log.info("Uploading %s to list %s\nWhy: %s\n%s as %s", title, list_id, why, request.label, record.name)
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
                return self._accepted(request, record, self._own(request, record, response))
            except WesUnknownOutcomeError as error:
                attempts += 1
                if (file := self._resolve(request, record, error)) is not None:
                    return self._accepted(request, record, file)
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
            except WesError as error:
                self._restore(request, record, replaced, doubtful or _may_be_of_a_gateway(error))
                raise

    def _own(self, request: UploadRequest, record: UploadRecord, response: Mapping[str, Any]) -> CouponFile:
        """The file of a response, unless it is the response to another request."""
        file = CouponFile.from_record(response, coupon_list_id=request.coupon_list_id)
        if of_record(self._attempt, request, record).may_match(response):
            return file
        if not is_ours(file.name):
            with suppress(WesError):
                return current(self._attempt, request, file, self._soon_listed())
        raise WesUnknownOutcomeError(
            f"List {request.coupon_list_id}: the response to the upload describes another file, {file.name!r}",
            status_code=contract.UPLOAD_STATUS_CODE,
        )

    def _accepted(self, request: UploadRequest, record: UploadRecord, file: CouponFile) -> Uploaded:
        attempt = self._attempt
        log.info(
            "%s\n%s is coupon file %s",
            headline("Uploaded", request.coupon_list_id, file.id, request.title),
            request.label,
            file.id,
        )
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
        found = self._list.find(request, record, self._soon_listed(), cause=error)
        if found is not None:
            log.info("List %s shows the file; it was not sent again", request.coupon_list_id)
            return CouponFile.from_record(found.record, coupon_list_id=request.coupon_list_id)
        return None

    def _soon_listed(self) -> float:
        return float(self._attempt.clock.time() + self._attempt.hook.settings.coupon_files_lag)

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


def _may_be_of_a_gateway(error: WesError) -> bool:
    """
    Whether a refusal may come from a gateway that had passed the upload on: it has no code (contract section 7).

    The next attempt then looks for the upload in the list.
    """
    if not isinstance(error, WesResponseError) or error.code:
        return False
    log.warning("The response has no error code of the service's\nThe next attempt reads the list before it uploads.")
    return True
