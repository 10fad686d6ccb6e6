"""Probes that change something, each only if the user requests it: an upload, a catalog, a segment update."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from wes_provider.client.diagnosis import Evidence, send
from wes_provider.client.listing import CouponFileListing
from wes_provider.client.operations import Operation, Operations, Request
from wes_provider.client.rate_limit_headers import reset_after
from wes_provider.client.retry import until
from wes_provider.client.settings import WesSettings
from wes_provider.client.sync_client import WesClient
from wes_provider.doctor.listing import (
    Listing,
    complaint_of,
    counts_of,
    file_id_of,
    find_file,
    lack_of,
    mentions,
    status_of,
)
from wes_provider.doctor.reading import PathRead, Readings, file_read, list_read, same_reply
from wes_provider.doctor.statuses import counts_named
from wes_provider.doctor.variants import LIST_PATHS, file_paths
from wes_provider.exceptions import WesError, WesRateLimitError, WesResponseError
from wes_provider.polling import NOT_FOUND_GRACE, CountNames, Statuses

__all__ = ["Followed", "Sighting", "follow_upload", "send_catalog", "send_segment"]

UNIQUE_LENGTH: Final = 27  # characters at the beginning of a name that no other file has
NAME_LENGTH: Final = 120  # characters, about those of the names that the operators give
SEARCH: Final = 120.0  # seconds after the upload in which other paths are tried
POLL: Final = 10.0  # seconds between two reads at most
POLL_GROWTH: Final = 0.1  # of the time waited so far, from a second up: times in the report are that exact
PATHS_A_ROUND: Final = 3  # that are tried besides the likeliest one
TRIED_AGAIN: Final = 10.0  # seconds after a file's end in which paths that show nothing are tried again
NEXT_PAGE: Final = 30.0  # seconds after a file's end until a page without the file is taken for the wrong page
LOST: Final = 30.0  # seconds in which the list is read for an upload without a usable reply
HEARTBEAT: Final = 30.0  # seconds between two reports of a file that does not change
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
    :ivar file_close: a read that showed the file in a form that the provider cannot read; ``list_close`` likewise.
    :ivar page: a listing without the file, and the path that showed it.
    :ivar no_status: why no status of the file can be read; empty if one can.
    :ivar file_paths: how many paths of the file were tried; ``list_paths`` likewise.
    :ivar known_path: whether a path that does not show the file gives another reply than one that does not exist.
    :ivar searched_for: seconds in which the list was read for the file, after an upload without a usable reply.
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
    file_close: PathRead | None = None
    list_close: PathRead | None = None
    page: tuple[str, CouponFileListing] | None = None
    no_status: str = ""
    file_paths: int = 0
    list_paths: int = 0
    known_path: bool = False
    searched_for: float | None = None
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
    follow = _Follow(client, readings, coupon_list_id, followed, on_step, sleep, lambda: now() - begun)
    if followed.evidence.stopped:
        followed.stopped = True
        return followed
    try:
        record = _record_of_reply(operation, followed.evidence)
        if not record and _maybe_done(followed.evidence):
            record = follow.find_lost(min(LOST, timeout))
        followed.file_id = file_id_of(record)
        if followed.file_id:
            followed.record = record
            follow.see(record, 0.0)
            follow.to_the_end(timeout, final_after)
    except KeyboardInterrupt:  # the file is uploaded, so what was seen of it is worth a report
        followed.stopped = True
    return followed


def _record_of_reply(operation: Operation[dict[str, Any]], evidence: Evidence) -> Mapping[str, Any]:
    """The coupon file in the reply to an upload; empty if it has none."""
    if evidence.response is None:
        return {}
    try:
        record = operation.read(evidence.response)
    except WesError:
        return {}
    return record if file_id_of(record) else {}


def _maybe_done(evidence: Evidence) -> bool:
    """Whether an upload may have been done, though its reply has no coupon file."""
    if evidence.status is None:
        return evidence.sent
    return evidence.status >= 500 or (evidence.success and evidence.form != "html")


def time_to_last(statuses: Statuses, record: Mapping[str, Any], names: CountNames, final_after: float) -> float | None:
    """
    How long the status of a file has to last before it counts as final.

    :param record: the record of the file.
    :param names: the names of its counts.
    :param final_after: seconds that an unknown status has to last, if the record shows a result.
    :return: seconds; ``None`` if the status is that of a file on its way, or there is none.
    """
    upper = status_of(record).upper()
    if not upper or upper in statuses.pending:
        return None
    if statuses.ended(upper):
        return 0.0
    shows_a_result = bool(counts_named(record, names).added) or bool(complaint_of(record))
    return final_after if shows_a_result else 3 * final_after


class _Paths:
    """Paths that may be right: the likeliest one in every round, the others less and less often."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.first, *others = dict.fromkeys(paths)
        self._due = dict.fromkeys(others, 0.0)
        self.tried = {self.first}

    def due(self, waited: float) -> Iterator[str]:
        """The paths of one round, :data:`PATHS_A_ROUND` and the likeliest one at most."""
        yield self.first
        others = sorted((due, path) for path, due in self._due.items() if due <= waited)
        for _, path in others[:PATHS_A_ROUND]:
            self._due[path] = 2 * waited + 4
            self.tried.add(path)
            yield path


class _Follow:
    """
    Reads a file and its list, at the paths that are known or may be.

    :ivar limited: seconds until reads may go on, if one was refused for that; else 0.
    """

    def __init__(
        self,
        client: WesClient,
        readings: Readings,
        coupon_list_id: str,
        followed: Followed,
        on_step: Callable[[str], None],
        sleep: Callable[[float], None],
        waited: Callable[[], float],
    ) -> None:
        self._client = client
        self._settings: WesSettings = readings.settings
        self._nowhere = readings.nowhere
        self._list_id = coupon_list_id
        self._followed = followed
        self._on_step, self._sleep, self._waited = on_step, sleep, waited
        self._said, self._said_at, self._wondered = "", 0.0, ""
        self._list_shown = readings.list_found is not None
        found = readings.list_found
        list_path = found.template if found is not None else self._settings.coupon_files_path
        known = next((read.template for read in readings.files if not read.understood), None)
        first = known or self._settings.coupon_file_path
        self._list_paths = _Paths((list_path, *LIST_PATHS))
        self._file_paths = _Paths((first, *file_paths(list_path)))
        self.limited = 0.0

    def to_the_end(self, timeout: float, final_after: float) -> None:
        """
        Read until the status is final and the list shows the file, or further reads would show nothing.

        :param timeout: seconds after which to stop.
        :param final_after: as :func:`time_to_last` takes it.
        """
        followed, settings = self._followed, self._settings
        same_since, over_since = 0.0, None
        before: Any = None
        while True:
            waited = self._waited()
            shown = self.read(waited)
            if shown is not None:
                self._take(shown, waited)
            followed.seconds = waited
            state = (followed.sightings[-1:], counts_of(followed.record))
            if state != before:  # counts that grow are those of a file on its way
                before, same_since = state, waited
            needed = time_to_last(settings.statuses, followed.record, settings.count_names, final_after)
            followed.ended = needed is not None and waited - same_since >= needed
            if not followed.ended and not (followed.no_status and waited > final_after):
                over_since = None
            elif over_since is None:
                over_since = waited
            if waited >= timeout or self._nothing_left(waited, over_since, final_after):
                return
            self._report(waited, needed)
            pause = self.limited or min(POLL, max(1.0, POLL_GROWTH * waited))
            self._sleep(min(pause, max(0.1, timeout - waited)))

    def _take(self, shown: Mapping[str, Any], waited: float) -> None:
        """Note what the file or the list shows now."""
        self._followed.record = shown
        self._followed.no_status = lack_of(shown, self._followed.file_id)
        self.see(shown, waited)

    def _nothing_left(self, waited: float, over_since: float | None, final_after: float) -> bool:
        """
        Whether further reads would show nothing.

        :param over_since: when the end of the file was seen, or that it cannot be read; ``None`` if it was not.
        """
        followed = self._followed
        if over_since is None:
            if waited <= SEARCH or followed.file_read is not None or followed.listed:
                return False
            followed.no_status = followed.no_status or "no path that was tried shows the file"
            return True
        since = waited - over_since
        listed = followed.listed_after is not None
        if not listed:
            if followed.list_close is not None or not self._list_shown:
                enough = TRIED_AGAIN
            elif followed.page is not None and not followed.page[1].complete:
                enough = NEXT_PAGE
            else:
                enough = max(SEARCH, final_after)
            listed = since > enough
        lag = NOT_FOUND_GRACE if followed.known_path and followed.file_close is None else TRIED_AGAIN
        return listed and (followed.file_read is not None or since > lag)

    def see(self, record: Mapping[str, Any], after: float) -> None:
        """Note a status of the file that is new."""
        followed, status = self._followed, status_of(record)
        if status and (not followed.sightings or followed.sightings[-1].status != status):
            followed.sightings.append(Sighting(after, status))

    def _report(self, waited: float, needed: float | None) -> None:
        """Report a change, and now and then that nothing changes."""
        followed = self._followed
        status = followed.sightings[-1].status if followed.sightings else "no status yet"
        said = status if followed.listed else f"{status}, not in the list yet"
        if said != self._said or waited - self._said_at >= HEARTBEAT:
            self._on_step(f"{waited:.0f} s: {said}")
            self._said, self._said_at = said, waited
        if needed and status != self._wondered:
            self._wondered = status
            self._on_step(
                f"{status} is unknown to the provider; waiting {needed:.0f} s to see whether it is the last "
                "(--final-after)"
            )

    def find_lost(self, seconds: float) -> Mapping[str, Any]:
        """
        Find the file of an upload without a usable reply in its list, by its name, which no other file has.

        :param seconds: for how long to read the list.
        :return: the file's record; empty if the list does not show it.
        """
        if not self._list_shown:
            return {}
        self._on_step("The reply has no coupon file; reading the list to see whether the upload was done")
        begins = self._followed.sent["name"][:UNIQUE_LENGTH].lower()  # services change case and cut names
        settings = replace(self._settings, coupon_files_path=self._list_paths.first)
        search = Operations(settings).search_coupon_files(
            self._list_id, lambda item: str(item.get("name")).lower().startswith(begins)
        )
        while True:
            found = self._search(search)
            waited = self._followed.searched_for = self._waited()
            if isinstance(found, CouponFileListing) and found.files:
                return found.files[0]
            if waited >= seconds:
                return {}
            self._sleep(min(self.limited or max(1.0, POLL_GROWTH * waited), max(0.1, seconds - waited)))

    def read(self, waited: float) -> Mapping[str, Any] | None:
        """The file as it is now, as its own path shows it, or else its list."""
        self.limited = 0.0
        if self._followed.listed_after is None or self._followed.file_read is None:
            self._read_list(waited)
        record = self._read_file(waited) if not self.limited else None
        return record if record is not None else (self._followed.listed or None)

    def _read_file(self, waited: float) -> Mapping[str, Any] | None:
        followed = self._followed
        if followed.file_read is None and waited > SEARCH:
            return None
        known = followed.file_read
        for template in self._file_paths.due(waited) if known is None else [known.template]:
            read = file_read(
                lambda request: self._send("How is the file?", request),
                self._settings,
                template,
                self._list_id,
                followed.file_id,
            )
            followed.file_paths = len(self._file_paths.tried)
            if self.limited:
                return None
            if not read.understood:
                if known is None:
                    followed.fetched_after = waited
                followed.file_read = read
                return find_file(read.evidence.content, followed.file_id)
            self._note_other(read)
        return None

    def _note_other(self, read: PathRead) -> None:
        """Note what a read of the file shows that the provider cannot use."""
        followed, evidence = self._followed, read.evidence
        if not evidence.success:
            known = evidence.status == 404 and self._nowhere is not None and not same_reply(evidence, self._nowhere)
            followed.known_path = followed.known_path or known
            return
        lack = lack_of(evidence.content, followed.file_id)
        if not lack:
            return
        if followed.file_close is None or followed.file_close.template == read.template:
            followed.file_close = replace(read, understood=lack)
        if not status_of(followed.listed):
            followed.no_status = lack

    def _read_list(self, waited: float) -> None:
        followed = self._followed
        known = followed.list_read
        if known is None and waited > SEARCH:
            return
        for template in self._list_paths.due(waited) if known is None else [known.template]:
            settings = replace(self._settings, coupon_files_path=template)
            operations = Operations(settings)
            found = self._search(
                operations.search_coupon_files(self._list_id, lambda item: item.get("_id") == followed.file_id)
            )
            followed.list_paths = len(self._list_paths.tried)
            if self.limited:
                return
            if not isinstance(found, CouponFileListing):
                if found and followed.list_close is None:
                    self._read_closely(operations, template)
                continue
            self._list_shown = True
            if found.files:
                followed.listed = found.files[0]
                if followed.listed_after is None:
                    self._note_list(operations, template, waited)
                return
            if followed.page is None or followed.page[0] == template:
                followed.page = template, found
            if template == self._list_paths.first:
                return

    def _note_list(self, operations: Operations, template: str, waited: float) -> None:
        """Note the shape of the list that shows the file."""
        request = operations.probe_campaign_key(self._list_id).request
        evidence = self._send("What shape does the list have?", request)
        self._followed.list_read = list_read(operations.settings, self._list_id, template, evidence)
        self._followed.listed_after = waited

    def _read_closely(self, operations: Operations, template: str) -> None:
        """Note whether a success that is no list to the provider shows the file nevertheless."""
        evidence = self._send("Does this show the file?", operations.probe_campaign_key(self._list_id).request)
        if evidence.success and mentions(evidence.content, self._followed.file_id):
            self._followed.list_close = list_read(operations.settings, self._list_id, template, evidence)

    def _search(self, search: Operation[CouponFileListing]) -> CouponFileListing | bool:
        """
        Search a list.

        :return: what was found; else whether the reply was a success, which the provider cannot read.
        """
        self.limited = 0.0
        try:
            return self._client.run_once(search)
        except WesRateLimitError as error:
            self.limited = max(1.0, until(error.reset_at) + 1) if error.reset_at else UNKNOWN_LIMIT
        except WesResponseError as error:
            return 200 <= error.status_code < 300
        except WesError:
            pass
        return False

    def _send(self, question: str, request: Request) -> Evidence:
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
    :param name: the name of the catalog.
    :param currency: the currency of its prices.
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
