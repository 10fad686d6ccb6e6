"""Reading a list to find an upload's file in it, for as long as the list may lag behind."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeAlias

from wes_provider.exceptions import (
    WesConnectionError,
    WesError,
    WesResponseError,
    WesUnknownOutcomeError,
)
from wes_provider.models import canonical_url
from wes_provider.uploads.attempt import Attempt
from wes_provider.uploads.file_reader import FIRST_PAUSE, pause_until
from wes_provider.uploads.identity import HASH, HASH_LENGTH, is_ours
from wes_provider.uploads.matchers import of_record, unrecorded, users_name
from wes_provider.uploads.recognition import Found, Listing, OwnName, Undecided, UsersName, may_be_renamed
from wes_provider.uploads.record import UploadRecord
from wes_provider.uploads.request import UploadRequest

__all__ = ["ListReader"]

log = logging.getLogger(__name__)

Keep: TypeAlias = Callable[[Mapping[str, Any]], bool]

MOST_DOUBTFUL: Final = 10_000  # records that are kept in memory although they probably are of other uploads


class _Reading(NamedTuple):
    """
    :ivar listing: what it shows of all uploads of the task.
    :ivar of_hash: those of its records that have an upload's own name. To search all of them for each upload would cost
        the square of their number.
    :ivar others: the rest, which may be of any upload.
    """

    at: float
    listing: Listing
    of_hash: Mapping[str, list[Mapping[str, Any]]]
    others: list[Mapping[str, Any]]

    @classmethod
    def of(cls, at: float, listing: Listing, hashes: set[str]) -> _Reading:
        """
        :param hashes: the hashes of the uploads without a name that the user gave.
        """
        of_hash: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        others: list[Mapping[str, Any]] = []
        for record in listing.records:
            name = str(record.get("name") or "")
            own = hashes.intersection(HASH.findall(name.lower())) if is_ours(name) else ()
            for records in [of_hash[text] for text in own] or [others]:
                records.append(record)
        return cls(at, listing, of_hash, others)

    def about(self, request: UploadRequest, own_hash: str) -> Listing:
        """What it shows of one upload."""
        if request.name:
            return self.listing
        return replace(self.listing, records=[*self.of_hash.get(own_hash, ()), *self.others])


class ListReader:
    """
    Finds out what the list shows of one attempt's uploads.

    :param attempt: the running one.
    :param requests: all uploads of the task instance, which share readings.
    :ivar count: the count of the list's files, in the last reading.
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
        :raises WesUnknownOutcomeError: if the list cannot be read, or does not tell.
        """
        matcher = of_record(self._attempt, request, record)
        found = self._search(request, record.name, matcher, until, cause)
        if found is None and record.accepted:
            why = f"the service accepted it ({record.status_code}), but the list does not show it"
            raise self._unknown(request, record.name, why, cause) from None
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
        return self._search(request, record.name, matcher, self._attempt.listed_by, generation=record.generation)

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
                log.warning("%s\n%s", request.headline("The list cannot be read before the upload"), error)
                if not error.permanent:
                    return None
                found = {}
            else:
                found = {} if listing.incomplete else found
            self._before = found
        known = self._before.get(request.name)
        return None if known is None else tuple(known)

    # -- reading

    def _search(
        self,
        request: UploadRequest,
        name: str,
        matcher: OwnName | UsersName,
        until: float,
        cause: WesError | None = None,
        *,
        generation: int | None = None,
    ) -> Found | None:
        """Read the list until it shows the upload, or until it would; with a generation, any that has no record."""
        attempt, pause = self._attempt, FIRST_PAUSE
        if generation is not None and self._shared is not None:  # what an old reading shows is there
            recognition = matcher.recognise(self._shared.about(request, attempt.identity.hash(request.part)))
            if isinstance(recognition, Found) and not self._may_be_replaced(recognition, generation):
                return recognition
        while True:
            last = attempt.clock.time() >= until  # before reading, so that one whole reading comes after it
            try:
                listing = (
                    self.read(request, matcher.is_named, matcher.may_match)
                    if generation is None
                    else self._read_shared(request)
                )
            except (WesResponseError, WesConnectionError, WesUnknownOutcomeError) as error:
                if last or error.permanent:
                    why = f"the list cannot be read\n{error}"
                    raise self._unknown(request, name, why, cause, permanent=error.permanent) from None
            else:
                recognition = matcher.recognise(listing)
                if isinstance(recognition, Found) and (last or not self._may_be_replaced(recognition, generation)):
                    return recognition
                if isinstance(recognition, Undecided) and (last or listing.incomplete):
                    raise self._unknown(request, name, recognition.why, cause) from None
            if last:
                return None
            why = "its upload's outcome is not known" if cause else "an earlier attempt may have uploaded it"
            pause = pause_until(attempt.clock, request, until, pause, why)

    def _may_be_replaced(self, found: Found, generation: int | None) -> bool:
        """Whether a file is of before a clear and may have failed: its replacement may not be in the list yet."""
        if generation is None or found.generation == generation:
            return False
        return not self._attempt.task.statuses.succeeded(str(found.record.get("status")))

    def read(self, request: UploadRequest, keep: Keep, doubtful: Keep | None = None) -> Listing:
        """
        Read the list once.

        :param request: an upload to it.
        :param keep: whether a record matters.
        :param doubtful: whether it may matter; of too many such records, the rest counts as not read.
        """
        named = ours = False
        room = MOST_DOUBTFUL

        def relevant(record: Mapping[str, Any]) -> bool:
            nonlocal named, ours, room
            name = record.get("name")
            named = named or bool(name)
            ours = ours or is_ours(str(name))
            if keep(record):
                return True
            may_matter = doubtful is not None and doubtful(record)
            room -= may_matter
            return may_matter and room >= 0

        found = self._attempt.hook.search_coupon_files(request.coupon_list_id, relevant)
        self.count = found.count
        why = found.incomplete_because or ("too many files may be it" if room < 0 else "")
        return Listing(found.files, why, named or not found.count, ours)

    def _read_shared(self, request: UploadRequest) -> Listing:
        """A reading that shows what earlier attempts sent of any upload of the task."""
        if self._shared is None or self._shared.at < self._attempt.listed_by:
            attempt = self._attempt
            hashes = {attempt.identity.hash(other.part) for other in self._requests if not other.name}
            named = [users_name(other) for other in self._requests if other.name]

            urls = {
                "" if other.source is not None else canonical_url(other.label)
                for other in self._requests
                if not other.name
            }

            def is_named(record: Mapping[str, Any]) -> bool:
                name = str(record.get("name") or "")
                own = len(name) <= HASH_LENGTH or any(text in hashes for text in HASH.findall(name.lower()))
                return own or any(matcher.is_named(record) for matcher in named)

            def may_match(record: Mapping[str, Any]) -> bool:
                renamed = bool(urls) and may_be_renamed(record, urls)
                return renamed or any(matcher.may_match(record) for matcher in named)

            at = attempt.clock.time()
            self._shared = _Reading.of(at, self.read(request, is_named, may_match), hashes)
        return self._shared.about(request, self._attempt.identity.hash(request.part))

    def _unknown(
        self, request: UploadRequest, name: str, why: str, cause: WesError | None, *, permanent: bool = True
    ) -> WesUnknownOutcomeError:
        """The error to raise. It has no cause, whose frames would fill the log's pane."""
        upload = f"The upload: {str(cause).splitlines()[0]}\n" if cause else ""
        error = WesUnknownOutcomeError(
            f"{request.headline('Perhaps uploaded', error=True)}\n"
            f"Look in the list for a file named {name!r}\n"
            f"If it is there, mark the task as success.\n"
            f"If it is not, {self._attempt.again.advice(request)}.\n"
            f"Reason: {why}\n"
            f"{upload}"
            f"Coupon list: {request.coupon_list_id}\n"
            f"URL: {request.label}"
        )
        error.permanent = permanent
        return error
