"""An upload, sent once, and followed to its end as a task waits for it."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from wes_provider import models
from wes_provider.client import requests, responses
from wes_provider.doctor.files import file_of, status_of
from wes_provider.doctor.reading import LIST_PATHS, Seen, ask, file_among, file_paths, list_among, unreadable
from wes_provider.doctor.replies import Reply, Sender
from wes_provider.exceptions import WesCouponFileFailedError, WesError
from wes_provider.models import CouponFile
from wes_provider.polling import CountNames, CouponFileWait, Decision, Done, PollAgain
from wes_provider.settings import WesSettings
from wes_provider.waiting import wait_for_files

__all__ = ["UNIQUE", "Upload"]

UNIQUE: Final = 24  # characters at the beginning of a name that no other file has: shorter ones are not recognized
SEARCH: Final = 30.0  # seconds in which paths that show nothing are tried again
LATE: Final = 120.0  # seconds in which a list whose path is known may begin to show the file
POLL: Final = 10.0  # seconds between two polls at most


@dataclass
class Upload:
    """
    An upload, and what was seen of its file. The paths that were tried are in ``seen.lists`` and ``seen.files``.

    :ivar timeout: seconds after which to stop.
    :ivar final_after: seconds that a status nobody knows has to last before it counts as final.
    :ivar reply: to the upload; ``None`` if the user stopped it before.
    :ivar statuses: in their order, with the seconds after the upload at which they were seen first.
    :ivar listed_after: seconds from the upload until the list showed the file; ``fetched_after``: until its path did.
    :ivar ended: whether the last status is one that a file keeps: a known one, or one that lasted.
    :ivar problem: why its end was not seen.
    """

    sender: Sender
    seen: Seen
    timeout: float
    final_after: float
    on_step: Callable[[str], None]
    name: str = field(default_factory=lambda: f"Wes-Doctor-{secrets.token_hex(7)}-{'n' * 60}.csv")
    reply: Reply | None = None
    file: CouponFile | None = None
    statuses: dict[str, float] = field(default_factory=dict)
    listed: CouponFile | None = None
    listed_after: float | None = None
    fetched_after: float | None = None
    ended: bool = False
    problem: str = ""

    def run(self, file_url: str) -> None:
        """Upload a file, once, and read it until its status is final and the list shows it."""
        seen = self.seen
        body = models.coupon_file_body(file_url, name=self.name, created_by="wes-doctor")
        self.on_step(f"Uploading one file to list {seen.list_id}")
        self._begun = time.time()
        self.reply = self.sender.send(requests.upload(seen.settings, seen.list_id, body))
        readable = not unreadable(responses.record, self.reply)
        file = file_of(responses.record(self.reply.request, self.reply.response)) if readable else None
        if file is None:
            return
        lists = [seen.listed[0]] if seen.listed else [seen.given.coupon_files_path, *LIST_PATHS]
        paths = file_paths(seen.file_path or seen.given.coupon_file_path, lists[0])
        seen.uploaded, seen.files, seen.lists = file.id, {}, {}
        self._note(file)
        self._search(lists, paths)
        if seen.file_path:
            self._wait()
        self._read_list(lists)

    @property
    def _waited(self) -> float:
        return time.time() - self._begun

    def _search(self, lists: list[str], paths: list[str]) -> None:
        """Read list and file until both show it, with growing pauses; the first time, the likeliest paths only."""
        pause, most, seen = 1.0, 1, self.seen
        while True:
            self._read_list(lists[:most])
            found = [seen.file_path] if seen.file_path else paths[:most]
            ask(self.sender, file_among(seen, found, seen.uploaded), most)
            if seen.file_path:
                self.fetched_after = self.fetched_after or self._waited
                reply = seen.files[seen.file_path]
                self._note(file_of(responses.record(reply.request, reply.response)))
            last = min(self.timeout, LATE if len(lists) == 1 and seen.file_path else SEARCH)
            if (self.listed and seen.file_path) or self._waited >= last:
                return
            time.sleep(max(0.05, min(pause, last - self._waited)))
            pause, most = min(1.5 * pause, POLL), len(lists) + len(paths)

    def _read_list(self, paths: list[str]) -> None:
        ask(self.sender, list_among(self.seen, paths, again=True), len(paths))
        if self.seen.listed and self.listed is None:
            self.listed, self.listed_after = self.seen.find(self.seen.listed[1]), self._waited

    def _note(self, file: CouponFile | None) -> None:
        self.file = file or self.file
        if file is not None and (status := status_of(file)) and status not in self.statuses:
            self.statuses[status] = self._waited
            self.on_step(f"{self._waited:.0f} s: {status}{'' if self.listed else ', not in the list yet'}")

    def _wait(self) -> None:
        """Wait as a task does."""
        seen, deadline = self.seen, self._begun + self.timeout
        settings = msgspec.structs.replace(seen.settings, coupon_file_path=seen.file_path)
        wait = _Wait(seen.list_id, seen.uploaded, self._begun, deadline, POLL, settings.statuses)
        wait.note, wait.final_after, wait.names = self._note, self.final_after, settings.count_names

        async def read_settings() -> WesSettings:
            return settings

        logger = logging.getLogger("wes_provider")
        level = logger.level
        logger.setLevel(logging.CRITICAL)  # the report says what the wait would write into a task's log
        try:
            (outcome,) = asyncio.run(wait_for_files("wes-doctor", [wait], read_settings)).values()
        finally:
            logger.setLevel(level)
        self.ended = isinstance(outcome, Done) or isinstance(outcome.error, WesCouponFileFailedError)
        self.problem = "" if isinstance(outcome, Done) else outcome.error.reason


class _Wait(CouponFileWait):
    """A wait that also ends with a status that the provider does not know, once it has lasted."""

    note: Callable[[CouponFile], object] = bool
    final_after: float = 0.0
    names: CountNames = CountNames()
    state: Any = None  # of the last poll; counts that grow are those of a file on its way
    since: float = 0.0

    def decide(self, polled: CouponFile | WesError, now: float, concurrent_waits: int = 1) -> Decision:
        decision = CouponFileWait.decide(self, polled, now, concurrent_waits)  # a Struct has no super()
        if isinstance(polled, WesError):
            return decision
        self.note(polled)
        if (polled.status, polled.counts) != self.state:
            self.state, self.since = (polled.status, polled.counts), now
        result = self.names.read([polled])[0] or polled.reason
        lasts = now - self.since >= (self.final_after if result else 3 * self.final_after)
        if isinstance(decision, PollAgain) and lasts and status_of(polled) not in self.statuses.pending:
            return Done(polled)
        return decision
