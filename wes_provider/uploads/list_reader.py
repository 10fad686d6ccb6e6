"""Reading a list to find an upload's file in it, for as long as the list may lag behind."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from wes_provider.exceptions import (
    WesConnectionError,
    WesError,
    WesNotFoundError,
    WesResponseError,
    WesUnknownOutcomeError,
)
from wes_provider.models import CouponFile
from wes_provider.uploads.attempt import Attempt
from wes_provider.uploads.identity import HASH, HASH_LENGTH
from wes_provider.uploads.matchers import of_record, unrecorded, users_name
from wes_provider.uploads.recognition import Found, Listing, OwnName, Undecided, UsersName
from wes_provider.uploads.record import UploadRecord
from wes_provider.uploads.request import UploadRequest

__all__ = ["ListReader"]

log = logging.getLogger(__name__)

FIRST_PAUSE: Final = 1.0  # seconds between readings of a list that may lag, growing with the time waited


class _Reading(NamedTuple):
    at: float
    listing: Listing


class ListReader:
    """
    Answers what the list shows of one attempt's uploads.

    :param attempt: the running one.
    :param requests: all uploads of the task instance, which share readings.
    :ivar count: of the list's files, in the last reading.
    """

    def __init__(self, attempt: Attempt, requests: Sequence[UploadRequest]) -> None:
        self._attempt = attempt
        self._requests = requests
        self._shared: _Reading | None = None
        self._before: dict[str, list[str]] | None = None
        self.count = 0

    def find(
        self, request: UploadRequest, record: UploadRecord, until: float, cause: WesError | None = None
    ) -> Found | None:
        """
        Find the file of a request that was sent.

        :param request: the upload.
        :param record: its intent.
        :param until: when the list shows it at the latest, epoch seconds.
        :param cause: why its outcome is not known.
        :return: ``None`` if the request took no effect.
        :raises WesUnknownOutcomeError: if the list cannot be read, or does not answer the question.
        """
        matcher = of_record(self._attempt, request, record)
        found = self._search(request, record.name, matcher, until, cause)
        if found is None and record.accepted:
            why = f"the service accepted it ({record.status_code}), but the list does not show it"
            raise _unknown(request, record.name, why) from cause
        return found

    def find_unrecorded(self, request: UploadRequest, record: UploadRecord) -> Found | None:
        """
        Find a file that an earlier attempt may have uploaded without leaving a record.

        :param request: the upload.
        :param record: what the upload would be now.
        :return: ``None`` if there is none.
        :raises WesUnknownOutcomeError: as :meth:`find`.
        """
        matcher = unrecorded(self._attempt, request, record)
        return self._search(request, record.name, matcher, self._attempt.listed_by, shared=True)

    def known(self, request: UploadRequest) -> tuple[str, ...] | None:
        """
        Identifiers of the files that have a user's name, or may have it, before the attempt sends anything.

        :param request: the upload.
        :return: ``None`` if the list cannot be read as a whole.
        """
        if self._before is None:
            names = {other.name: users_name(other) for other in self._requests if other.name}
            found: dict[str, list[str]] = {name: [] for name in names}

            def keep(record: Mapping[str, Any]) -> bool:
                for name, matcher in names.items():
                    if matcher.may_match(record):
                        found[name].append(str(record.get("_id")))
                return False

            try:
                listing = self.read(request, keep)
            except WesError as error:
                log.warning("List %s cannot be read before the upload: %s", request.coupon_list_id, error)
                return None
            if listing.incomplete:
                return None
            self._before = found
        return tuple(self._before[request.name])

    def current(self, request: UploadRequest, file: CouponFile) -> CouponFile:
        """
        Read a file's status.

        :param request: the upload.
        :param file: as it was when it was uploaded; returned if no path of the connection leads to it.
        :raises WesNotFoundError: if it is no longer in the list.
        """
        pause = FIRST_PAUSE
        while True:
            last = self._attempt.clock.time() >= self._attempt.listed_by
            try:
                if (polled := self._poll(request, file)) is not None:
                    return polled
            except WesError as error:
                if last or error.permanent:
                    raise
            if last:
                raise WesNotFoundError(
                    f"List {request.coupon_list_id} no longer has coupon file {file.id} ({request.label})\n"
                    "An earlier attempt uploaded it; to upload it again, set on_duplicate='upload' and clear the task",
                    status_code=404,
                )
            pause = self._pause(pause, self._attempt.listed_by)

    # -- reading

    def _search(
        self,
        request: UploadRequest,
        name: str,
        matcher: OwnName | UsersName,
        until: float,
        cause: WesError | None = None,
        *,
        shared: bool = False,
    ) -> Found | None:
        """Read the list until it shows the upload, or until it would."""
        pause = FIRST_PAUSE
        while True:
            last = self._attempt.clock.time() >= until  # before reading, so that one whole reading comes after it
            try:
                listing = self._read_shared(request) if shared else self.read(request, matcher.may_match)
            except (WesResponseError, WesConnectionError, WesUnknownOutcomeError) as error:
                if last or error.permanent:
                    why = f"the list cannot be read ({error})"
                    raise _unknown(request, name, why, permanent=error.permanent) from (cause or error)
            else:
                answer = matcher.recognise(listing)
                if isinstance(answer, Found):
                    return answer
                if isinstance(answer, Undecided) and (last or listing.incomplete):
                    raise _unknown(request, name, answer.why) from cause
            if last:
                return None
            pause = self._pause(pause, until)

    def _pause(self, pause: float, until: float) -> float:
        clock = self._attempt.clock
        if pause == FIRST_PAUSE:
            log.info("Not listed yet; reading the list again for %.0f s", max(0.0, until - clock.time()))
        clock.sleep(min(pause, max(0.0, until - clock.time())))
        return pause * 1.5

    def read(self, request: UploadRequest, keep: Callable[[Mapping[str, Any]], bool]) -> Listing:
        """
        Read the list once.

        :param request: an upload to it.
        :param keep: whether a record matters.
        """
        named = False

        def relevant(record: Mapping[str, Any]) -> bool:
            nonlocal named
            named = named or bool(record.get("name"))
            return keep(record)

        found = self._attempt.hook.search_coupon_files(request.coupon_list_id, relevant)
        self.count = found.count
        return Listing(found.files, found.incomplete_because, named or not found.count)

    def _read_shared(self, request: UploadRequest) -> Listing:
        """A reading that shows what earlier attempts sent of any upload of the task."""
        if self._shared is None or self._shared.at < self._attempt.listed_by:
            attempt = self._attempt
            hashes = {attempt.identity.hash(other.part) for other in self._requests if not other.name}
            named = [users_name(other) for other in self._requests if other.name]

            def keep(record: Mapping[str, Any]) -> bool:
                name = str(record.get("name") or "")
                own = len(name) <= HASH_LENGTH or any(text in hashes for text in HASH.findall(name.lower()))
                return own or any(matcher.may_match(record) for matcher in named)

            self._shared = _Reading(attempt.clock.time(), self.read(request, keep))
        return self._shared.listing

    def _poll(self, request: UploadRequest, file: CouponFile) -> CouponFile | None:
        hook = self._attempt.hook
        try:
            return self._file(request, hook.get_coupon_file(request.coupon_list_id, file.id))
        except WesResponseError as error:
            if not _lasting(error):
                raise
            refused = error
        try:
            found = hook.search_coupon_files(request.coupon_list_id, lambda record: record.get("_id") == file.id)
        except WesResponseError as error:
            if not _lasting(error):
                raise
            log.warning("The status of coupon file %s cannot be read: %s", file.id, refused)
            return file
        return self._file(request, found.files[0]) if found.files else None

    def _file(self, request: UploadRequest, record: Mapping[str, Any]) -> CouponFile:
        return CouponFile.from_record(record, coupon_list_id=request.coupon_list_id)


def _unknown(request: UploadRequest, name: str, why: str, *, permanent: bool = True) -> WesUnknownOutcomeError:
    error = WesUnknownOutcomeError(
        f"List {request.coupon_list_id}: it is not known whether the upload took effect\n"
        f"Look in the list for a file named {name!r} from {request.label}: if it is there, mark the task as success; "
        f"if it is not, set on_duplicate='upload' and clear the task\nReason: {why}"
    )
    error.permanent = permanent
    return error


def _lasting(error: WesResponseError) -> bool:
    """Whether the same request would get the same: a refusal, or a response of another shape."""
    return error.permanent or 200 <= error.status_code < 300
