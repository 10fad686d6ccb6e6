"""Sending one upload, and what comes of it."""

from __future__ import annotations

import logging
import time
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from wes_provider.client.rate_limits import RateLimit, rate_limit
from wes_provider.exceptions import (
    WesConnectionError,
    WesError,
    WesRateLimitError,
    WesResponseError,
    WesUnknownOutcomeError,
)
from wes_provider.models import CouponFile
from wes_provider.texts import about
from wes_provider.uploads.evidence import Evidence
from wes_provider.uploads.identity import UploadName, suffix_of
from wes_provider.uploads.rate_limiter import RateLimiter
from wes_provider.uploads.recognition import Own
from wes_provider.uploads.record import RecordStore, UploadRecord
from wes_provider.uploads.request import UploadRequest

if TYPE_CHECKING:
    from wes_provider.hooks import WesHook

__all__ = ["Sender", "Uploaded"]

log = logging.getLogger(__name__)


class Uploaded(msgspec.Struct):
    """A file of the task: its coupon file, and when it was uploaded, epoch seconds."""

    file: CouponFile
    sent_at: float


class Sender:
    """
    Sends uploads.

    :param hook: of the task's connection.
    :param records: of the task instance.
    :param limiter: told what each response says.
    :param evidence: settles an unknown outcome.
    :param timeout: seconds of refusals by the rate limit after which the task gives up.
    """

    def __init__(
        self,
        hook: WesHook,
        records: RecordStore,
        limiter: RateLimiter,
        evidence: Evidence,
        timeout: float,
    ) -> None:
        self._hook = hook
        self._records = records
        self._limiter = limiter
        self._evidence = evidence
        self._timeout = timeout
        self._unknown_outcomes: Counter[str] = Counter()  # by the upload's hash

    def send(self, request: UploadRequest, name: UploadName) -> Uploaded | None:
        """Send the upload once; ``None`` if the request took no effect, and is to be repeated."""
        url = {} if request.sign is None else {"file_url": request.sign()}
        request.before_send()
        body = {"name": f"{name}{suffix_of(request.shown_url)}", **request.body, **url}
        sent_at = time.time()
        self._records.save(name.hash, UploadRecord(name.generation, sent_at))
        log.info(
            "%s as %s", about("Uploading", request.coupon_list_id, request.title), body["name"]
        )
        try:
            file, headers = self._hook.send_upload(request.coupon_list_id, body, request.title)
        except WesUnknownOutcomeError as error:
            return self._resolve(request, name, error, sent_at)
        except WesRateLimitError as error:
            self._no_effect(request, name)
            reset = error.reset_at.timestamp() if error.reset_at else None
            self._limiter.refuse(RateLimit(error.limit, error.remaining, reset), time.time())
            if time.time() - self._limiter.refused_since > self._timeout:
                raise
            log.info("%s", error)
            return None
        except WesError as error:
            # Without a code, it may be a gateway's.
            if not isinstance(error, WesResponseError) or error.code:
                self._no_effect(request, name)
            raise
        self._limiter.note(rate_limit(headers, time.time()), time.time())
        return self._remember(request, name, file, sent_at)

    def _remember(
        self, request: UploadRequest, name: UploadName, file: CouponFile, sent_at: float
    ) -> Uploaded:
        self._records.save(name.hash, UploadRecord(name.generation, sent_at, file=file))
        log.info(
            "%s", about(f"Uploaded: coupon file {file.id}", request.coupon_list_id, request.title)
        )
        return Uploaded(file, sent_at)

    def _no_effect(self, request: UploadRequest, name: UploadName) -> None:
        """Note that the last request surely had no effect."""
        self._records.save(name.hash, UploadRecord(name.generation))
        request.on_no_effect()

    def _resolve(
        self,
        request: UploadRequest,
        name: UploadName,
        error: WesUnknownOutcomeError,
        sent_at: float,
    ) -> Uploaded | None:
        """Read in the list what a request did whose outcome is unknown."""
        log.warning("%s\nReading the list to see whether it shows the file", error.reason)
        accepted = 200 <= (error.status_code or 0) < 300
        self._records.save(name.hash, UploadRecord(name.generation, sent_at, accepted))
        self._limiter.note(RateLimit(), time.time())
        listed_by = time.time() + self._hook.settings.coupon_files_lag
        found = self._evidence.find(
            request, name, listed_by, maybe_sent=True, accepted=accepted, cause=error
        )
        if isinstance(found, Own):
            file = CouponFile.from_record(found.shown, request.coupon_list_id)
            return self._remember(request, name, file, sent_at)
        self._unknown_outcomes[name.hash] += 1
        if (number := self._unknown_outcomes[name.hash]) >= self._hook.settings.max_attempts:
            reason = f"Not uploaded in {number} attempts: {error.reason}"
            text = "The list does not have the file. Clear the task when the service works again."
            about_it = about(reason, request.coupon_list_id, request.title)
            raise WesConnectionError(f"{about_it}\n{text}", reason=reason) from error
        log.info(
            "%s",
            about(
                "The list does not have it: sending it again", request.coupon_list_id, request.title
            ),
        )
        return None
