"""Probes that change something, each only if the user requests it: an upload, a catalog, a segment update."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from wes_provider.client.diagnosis import Evidence, send
from wes_provider.client.operations import Operations
from wes_provider.client.rate_limit_headers import reset_after
from wes_provider.client.retry import until
from wes_provider.client.settings import WesSettings
from wes_provider.client.sync_client import WesClient
from wes_provider.doctor.listing import Listing, complaint_of, counts_of, file_id_of, find_file, status_of
from wes_provider.doctor.reading import PathRead, Readings, file_read, list_read
from wes_provider.doctor.variants import LIST_PATHS, file_paths
from wes_provider.exceptions import WesError, WesRateLimitError
from wes_provider.polling import Statuses

__all__ = ["Followed", "Sighting", "follow_upload", "send_catalog", "send_segment"]

NAME_LENGTH: Final = 120  # characters, about those of the names that the operators give
SEARCH: Final = 120.0  # seconds after the upload in which other paths are tried
POLL: Final = 10.0  # seconds between two reads at most
POLL_GROWTH: Final = 0.1  # of the time waited so far, from a second up: times in the report are that exact
UNKNOWN_LIMIT: Final = 15.0  # seconds to wait after a refusal without the time when reads may go on


@dataclass(frozen=True)
class Sighting:
    """
    A status that the file had.

    :ivar after: seconds since the upload.
    """

    after: float
    status: str


@dataclass
class Followed:
    """
    An upload, and what was seen of its file.

    :ivar sent: the fields of the upload that are compared: name and file_url.
    :ivar record: the file as its read shows it, the last time.
    :ivar listed: the file as the list shows it, the last time.
    :ivar listed_after: seconds from the upload until the list showed it; ``None`` if it did not.
    :ivar fetched_after: seconds from the upload until the file could be read by itself.
    :ivar ended: whether the status is one that a file keeps: a known one, or one that lasted.
    :ivar stopped: whether the user stopped it before its end.
    :ivar file_read: the read that showed the file, if any did; ``list_read`` likewise.
    """

    evidence: Evidence
    sent: Mapping[str, str] = field(repr=False)
    file_id: str = ""
    sightings: list[Sighting] = field(default_factory=list)
    record: Mapping[str, Any] = field(default_factory=dict, repr=False)
    listed: Mapping[str, Any] = field(default_factory=dict, repr=False)
    listed_after: float | None = None
    ended: bool = False
    stopped: bool = False
    file_read: PathRead | None = None
    list_read: PathRead | None = None
    fetched_after: float | None = None
    seconds: float = 0.0

    @property
    def listing(self) -> Listing | None:
        """The listing that showed the file."""
        return self.list_read.listing if self.list_read is not None else None


def file_name() -> str:
    """A name that no other file has, as long as those of the operators."""
    return f"Wes-Doctor-{secrets.token_hex(8)}-".ljust(NAME_LENGTH - 4, "n") + ".csv"  # capitals may be lost


def follow_upload(
    client: WesClient,
    readings: Readings,
    coupon_list_id: str,
    file_url: str,
    *,
    timeout: float = 1800.0,
    final_after: float = 60.0,
    on_step: Callable[[str], None] = lambda _: None,
    sleep: Callable[[float], None] = time.sleep,
    now: Callable[[], float] = time.monotonic,
) -> Followed:
    """
    Upload one file, once, and read it until its status is final and the list shows it.

    :param readings: what reading found; its paths are tried first.
    :param timeout: seconds after which to stop.
    :param final_after: seconds that a status nobody knows has to last before it counts as final.
    :param on_step: called with each thing that happens.
    """
    settings = readings.settings
    sent = {"name": file_name(), "file_url": file_url}
    operation = Operations(settings).upload_coupon_file(
        coupon_list_id, file_url, name=sent["name"], created_by="wes-doctor"
    )
    on_step(f"Uploading one file to list {coupon_list_id}")
    followed = Followed(send(client, "Is an upload accepted?", operation.request), sent)
    begun = now()
    if followed.evidence.response is None:
        followed.stopped = followed.evidence.stopped
        return followed
    try:
        record = operation.read(followed.evidence.response)
    except WesError:
        return followed
    followed.file_id = file_id_of(record)
    if not followed.file_id:
        return followed
    followed.record = record
    try:
        _see(followed, record, 0.0, on_step)
        follow = _Follow(client, readings, coupon_list_id, followed)
        follow.to_the_end(begun, timeout, final_after, on_step, sleep, now)
    except KeyboardInterrupt:  # the file is uploaded, so what was seen of it is worth a report
        followed.stopped = True
    return followed


def _see(followed: Followed, record: Mapping[str, Any], after: float, on_step: Callable[[str], None]) -> None:
    status = status_of(record)
    if status and (not followed.sightings or followed.sightings[-1].status != status):
        followed.sightings.append(Sighting(after, status))
        on_step(f"{after:.0f} s: {status}")


def _final(statuses: Statuses, status: str, record: Mapping[str, Any], lasted: float, final_after: float) -> bool:
    upper = status.strip().upper()
    if not upper or upper in statuses.pending:
        return False
    if statuses.ended(upper):
        return True
    # Counts may grow while the file is processed; a status that lasts is the end of it.
    shown = any(count > 0 for count in counts_of(record).values()) or bool(complaint_of(record))
    return lasted >= (final_after if shown else 3 * final_after)


class _Follow:
    """
    Reads a file and its list, at the paths that are known or may be.

    :ivar limited: seconds until reads may go on, if one was refused for that; else 0.
    """

    def __init__(self, client: WesClient, readings: Readings, coupon_list_id: str, followed: Followed) -> None:
        self._client = client
        self._settings: WesSettings = readings.settings
        self._list_id = coupon_list_id
        self._followed = followed
        found = readings.list_found
        list_path = found.template if found is not None else self._settings.coupon_files_path
        known = next((read.template for read in readings.files if not read.understood), None)
        first = known or self._settings.coupon_file_path
        self._list_paths = list(dict.fromkeys((list_path, *LIST_PATHS)))
        self._file_paths = list(dict.fromkeys((first, *file_paths(list_path))))
        self.limited = 0.0

    @property
    def file_known(self) -> bool:
        """Whether a path of the file is found."""
        return self._followed.file_read is not None

    def to_the_end(
        self,
        begun: float,
        timeout: float,
        final_after: float,
        on_step: Callable[[str], None],
        sleep: Callable[[float], None],
        now: Callable[[], float],
    ) -> None:
        """
        Read until the status is final and the list shows the file.

        :param begun: when the file was uploaded, as ``now`` has it.
        """
        followed, lasted_since = self._followed, 0.0
        while True:
            waited = now() - begun
            before = len(followed.sightings)
            shown = self.read(waited)
            if shown is not None:
                followed.record = shown
                _see(followed, shown, waited, on_step)
            if len(followed.sightings) != before:
                lasted_since = waited
            followed.seconds = waited
            status = followed.sightings[-1].status if followed.sightings else ""
            lasted = waited - lasted_since
            followed.ended = _final(self._settings.statuses, status, followed.record, lasted, final_after)
            listed = followed.listed_after is not None or lasted > max(SEARCH, final_after)
            if (followed.ended and listed and (self.file_known or waited > SEARCH)) or waited >= timeout:
                return
            seconds = self.limited or min(POLL, max(1.0, POLL_GROWTH * waited))
            on_step(f"{waited:.0f} s: {status or 'no status yet'}{'' if followed.listed else ', not in the list yet'}")
            sleep(min(seconds, max(0.1, timeout - waited)))

    def read(self, waited: float) -> Mapping[str, Any] | None:
        """The file as it is now, as its own path shows it, or else its list."""
        self.limited = 0.0
        if self._followed.listed_after is None or not self.file_known:
            self._read_list(waited)
        record = self._read_file(waited)
        return record if record is not None else (self._followed.listed or None)

    def _read_file(self, waited: float) -> Mapping[str, Any] | None:
        followed = self._followed
        paths = [followed.file_read.template] if followed.file_read is not None else self._file_paths
        if followed.file_read is None and waited > SEARCH:
            return None
        for template in paths:
            read = file_read(
                lambda request: self._send("How is the file?", request),
                self._settings,
                template,
                self._list_id,
                followed.file_id,
            )
            if self.limited:
                return None
            if not read.understood:
                if followed.file_read is None:
                    followed.fetched_after = waited
                followed.file_read = read
                return find_file(read.evidence.content, followed.file_id)
        return None

    def _read_list(self, waited: float) -> None:
        followed = self._followed
        found = followed.list_read
        if found is None and waited > SEARCH:
            return
        for template in [found.template] if found is not None else self._list_paths:
            settings = replace(self._settings, coupon_files_path=template)
            operations = Operations(settings)
            try:
                listing = self._client.run_once(
                    operations.search_coupon_files(self._list_id, lambda item: item.get("_id") == followed.file_id)
                )
            except WesRateLimitError as error:
                self.limited = max(1.0, until(error.reset_at) + 1) if error.reset_at else UNKNOWN_LIMIT
                return
            except WesError:
                continue
            if listing.files:
                followed.listed = listing.files[0]
            if listing.files and followed.listed_after is None:
                request = operations.probe_campaign_key(self._list_id).request
                evidence = self._send("What shape does the list have?", request)
                followed.list_read = list_read(settings, self._list_id, template, evidence)
                followed.listed_after = waited
            if listing.files or template == self._list_paths[0]:
                return

    def _send(self, question: str, request: Any) -> Evidence:
        evidence = send(self._client, question, request)
        if evidence.status == 429:
            left = reset_after(evidence.headers, evidence.at)
            self.limited = left.total_seconds() + 1 if left is not None else UNKNOWN_LIMIT
        return evidence


CATALOG_ATTRIBUTES: Final = [{"name": "id", "type": "string"}, {"name": "title", "type": "string"}]


def send_catalog(client: WesClient, settings: WesSettings, name: str, currency: str = "EUR") -> Evidence:
    """
    Create a catalog, once.

    :param settings: with what reading found.
    :param name: of the catalog.
    :param currency: of its prices.
    """
    operation = Operations(settings).create_catalog(name, currency, CATALOG_ATTRIBUTES)
    return send(client, "Is a catalog created?", operation.request)


def send_segment(client: WesClient, settings: WesSettings, segment_id: str, updated_by: str) -> Evidence:
    """
    Update nothing of a segment but who updated it, once.

    :param settings: with what reading found.
    :param updated_by: what is sent, and all that is sent.
    """
    operation = Operations(settings).update_segment(segment_id, updated_by=updated_by)
    return send(client, "Is a segment updated?", operation.request, "data")
