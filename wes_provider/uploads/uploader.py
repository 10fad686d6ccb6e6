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
from wes_provider.models import CouponFile, redact_url, shown
from wes_provider.uploads.attempt import Attempt
from wes_provider.uploads.contention import Contention
from wes_provider.uploads.earlier import EarlierUploads
from wes_provider.uploads.file_reader import current
from wes_provider.uploads.identity import is_ours
from wes_provider.uploads.list_reader import ListReader
from wes_provider.uploads.matchers import of_record
from wes_provider.uploads.record import UploadRecord
from wes_provider.uploads.repair import Repair
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
        self._repair = Repair(attempt, requests, self._earlier)
        self._contention = Contention(attempt, self._list)

    def upload(self, request: UploadRequest) -> Uploaded:
        """
        Upload a file, or find the one that an earlier attempt of this task instance uploaded.

        :param request: the upload.
        :raises WesUnknownOutcomeError: if it cannot be known whether an upload took effect.
        :raises WesDuplicateError: if there is a file of an earlier attempt and ``on_duplicate`` is ``fail``, unless the
            task was cleared since because files of it had failed; if it is another file and the task was cleared since;
            or if this attempt has already uploaded another file.
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
        url = f"URL: {record.label}"
        advice = attempt.again.advice(request)
        again = f"To upload it again, {advice}."
        fails = attempt.again.mode(request, record) == "fail"
        cleared = record.generation != generation
        other = record.key != request.key and (cleared or request.source is not None)
        if fails and not (cleared and self._repair.wanted):
            status = self._repair.statuses.get(request.part, "not read")
            raise self._duplicate(request, file, again, f"on_duplicate is 'fail'; its status: {status}", url)
        if cleared or not other:
            file = current(attempt, request, file, attempt.listed_by)
        if cleared and attempt.failed(file):
            why = f"coupon file {file.id}, uploaded before the clear, failed processing"
            return self._send(request, generation, record, why)
        if other:
            overwritten = request.source is not None and record.label == request.label
            what, why = "other one", f"The task now uploads {request.label}"
            if overwritten:
                what, why = "new content", "It was overwritten since, so its content differs"
            raise self._duplicate(request, file, f"To upload the {what}, {advice}.", url, why)
        repaired = ["on_duplicate is 'fail', but the task was cleared to upload others of its files again"]
        earlier = f"An earlier attempt uploaded it; this is attempt {attempt.try_number}."
        log.info(request.message("Adopting coupon file", file.id, earlier, again, *(repaired if fails else []), url))
        attempt.limiter.note_accepted(record.sent_at)
        attempt.known(request, file, record.sent_at)
        if request.source is not None:
            request.source.uploaded(file.id)
        return Uploaded(file, record.sent_at, adopted=True)

    @staticmethod
    def _duplicate(request: UploadRequest, file: CouponFile, *more: str) -> WesDuplicateError:
        mark = "If it will do, mark the task as success."
        return WesDuplicateError(request.message("An earlier attempt uploaded it", file.id, mark, *more, error=True))

    # -- a new upload

    def _send(self, request: UploadRequest, generation: int, replaced: UploadRecord | None, why: str) -> Uploaded:
        """Send the request until it is accepted, refused for good, or its outcome cannot be known."""
        attempt = self._attempt
        record = self._intent(request, generation, replaced)
        log.info("%s\nWhy: %s\nURL: %s\nName: %s", request.headline("Uploading"), why, request.label, record.name)
        doubtful = replaced is not None and replaced.outstanding
        refusal, attempts = None, 0
        while True:
            attempt.wait_until(self._contention.send_time(request, refusal), refusal)
            arguments = request.arguments(record.name)
            url, now = redact_url(arguments["file_url"]), attempt.clock.time()
            record = replace(record, url=url, sent_at=now, status_code=None)
            attempt.records.save(request.coupon_list_id, request.part, record)
            try:
                with attempt.hook.recording(attempt.limiter.record, attempt.clock, request.title):
                    response = attempt.hook.upload_coupon_file(request.coupon_list_id, **arguments)
                return self._accepted(request, record, self._own(request, record, response))
            except WesUnknownOutcomeError as error:
                attempts += 1
                if (file := self._resolve(request, record, error)) is not None:
                    return self._accepted(request, record, file)
                doubtful, attempt.outstanding[request.part] = True, record
                if attempts >= attempt.hook.settings.max_attempts:
                    raise WesConnectionError(
                        f"{request.headline(f'Not uploaded in {attempts} attempts', error=True)}\n"
                        "Clear the task when the service, or the gateway in front of it, works again.\n"
                        "No usable response came, and the list does not have the file.\n"
                        f"URL: {request.label}"
                    ) from error
                log.warning("%s", request.headline(f"Upload {attempts} took no effect, sending it again"))
            except WesRateLimitError as error:
                refusal = error
                self._restore(request, record, replaced, doubtful)
                if self._contention.hopeless(request):
                    raise
                log.info("%s", error)
            except WesError as error:
                error.add(f"URL: {request.label}")
                self._restore(request, record, replaced, doubtful or _may_be_of_a_gateway(request, error))
                raise

    def _own(self, request: UploadRequest, record: UploadRecord, response: Mapping[str, Any]) -> CouponFile:
        """The file of a response, unless it is the response to another request."""
        file = CouponFile.from_record(response, coupon_list_id=request.coupon_list_id, secrets=request.secrets)
        if of_record(self._attempt, request, record).may_match(response):
            return file
        if not is_ours(file.name):
            with suppress(WesError):
                return current(self._attempt, request, file, self._soon_listed())
        raise WesUnknownOutcomeError(
            f"{request.headline('The response is about another file', error=True)}\nIts name: {shown(file.name)}",
            status_code=contract.UPLOAD_STATUS_CODE,
        )

    def _accepted(self, request: UploadRequest, record: UploadRecord, file: CouponFile) -> Uploaded:
        attempt = self._attempt
        log.info(request.message("Uploaded", file.id, f"URL: {request.label}"))
        attempt.known(request, file, record.sent_at)
        attempt.outstanding.pop(request.part, None)
        kept = record.with_file(file, ended=not attempt.continues)
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
        log.warning("%s\nReading the list to see whether it shows the file", error)
        found = self._list.find(request, record, self._soon_listed(), cause=error)
        if found is not None:
            list_id = request.coupon_list_id
            file = CouponFile.from_record(found.record, coupon_list_id=list_id, secrets=request.secrets)
            log.info("%s", request.headline("Found in the list, not sent again", file.id))
            return file
        return None

    def _soon_listed(self) -> float:
        return float(self._attempt.clock.time() + self._attempt.hook.settings.coupon_files_lag)

    def _intent(self, request: UploadRequest, generation: int, replaced: UploadRecord | None) -> UploadRecord:
        """The record of a request that is about to be sent."""
        if not request.name:
            return self._attempt.blank_record(request, generation, known=())
        if replaced is not None and replaced.outstanding and replaced.name == request.name:
            # The file of that request may still appear, and then counts as new.
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


def _may_be_of_a_gateway(request: UploadRequest, error: WesError) -> bool:
    """
    Whether a refusal may come from a gateway that had passed the upload on: it has no code (contract section 7).

    The next attempt then looks for the upload in the list.
    """
    if not isinstance(error, WesResponseError) or error.code:
        return False
    cause = request.headline("The response has no error code of the service's")
    log.warning("%s\nThe next attempt reads the list before it uploads.", cause)
    return True
