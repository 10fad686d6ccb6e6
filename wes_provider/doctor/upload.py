"""An upload, sent once, and followed to its end as a task waits for it; meanwhile, the list is read, too."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from typing import Any, Final

from wes_provider import models
from wes_provider.client import requests, responses
from wes_provider.client.rate_limits import rate_limit
from wes_provider.client.requests import Request
from wes_provider.doctor.files import file_of, files_in, status_of
from wes_provider.doctor.reading import LIST_PATHS, Path, Seen, file_paths, unreadable
from wes_provider.doctor.replies import Reply, Sender
from wes_provider.exceptions import WesCouponFileFailedError, WesError
from wes_provider.models import CouponFile
from wes_provider.polling import CouponFileWait, Decision, Done, Wait
from wes_provider.settings import WesSettings
from wes_provider.waiting import wait_for_files

__all__ = ["UNIQUE", "Upload"]

UNIQUE: Final = 24  # characters at the beginning of a name that no other file has: shorter ones are not recognized
SEARCH: Final = 30.0  # seconds in which paths that show nothing are tried again
LATE: Final = 120.0  # seconds after the file's end in which the list may begin to show it
POLL: Final = 10.0  # seconds between two polls at most
UNKNOWN_LIMIT: Final = 15.0  # seconds to wait after a 429 that does not say when to go on


class Upload:
    """
    An upload, and what was seen of its file. The paths that were tried are in ``seen.lists`` and ``seen.files``.

    :param seen: what reading found; its paths are tried first.
    :param timeout: seconds after which to stop.
    :param final_after: seconds that a status nobody knows has to last before it counts as final.
    :ivar name: that was sent.
    :ivar reply: to the upload; ``None`` if the user stopped it before.
    :ivar file: the file as its path shows it, the last time.
    :ivar statuses: in their order, with the seconds after the upload at which they were seen first.
    :ivar listed: the file as the list shows it; ``None`` if it does not.
    :ivar listed_after: seconds from the upload until the list showed the file; ``fetched_after``: until its path did.
    :ivar searched: whether the list was read for the file, since the response to the upload did not show it.
    :ivar ended: whether the last status is one that a file keeps: a known one, or one that lasted.
    :ivar problem: why its end was not seen.
    """

    def __init__(
        self, sender: Sender, seen: Seen, *, timeout: float, final_after: float, on_step: Callable[[str], None]
    ) -> None:
        self._sender, self._seen, self._on_step = sender, seen, on_step
        self._timeout, self._final_after = timeout, final_after
        self._lists = [seen.listed.template] if seen.listed else [seen.given.coupon_files_path, *LIST_PATHS]
        known = next((path.template for path in seen.files if not unreadable(responses.coupon_file, path.reply)), "")
        self._files = file_paths(known or seen.given.coupon_file_path, self._lists[0])
        self._begun = time.time()
        self._limited = 0.0  # seconds until reads may go on
        self._state: Any = None  # of the last poll, and since when
        self._since = 0.0
        self.name = f"Wes-Doctor-{secrets.token_hex(7)}-{'n' * 60}.csv"
        self.reply: Reply | None = None
        self.file: CouponFile | None = None
        self.statuses: dict[str, float] = {}
        self.listed: CouponFile | None = None
        self.listed_after: float | None = None
        self.fetched_after: float | None = None
        self.searched = False
        self.ended = False
        self.problem = ""

    def run(self, file_url: str) -> None:
        """Upload a file, once, and read it until its status is final and the list shows it."""
        seen = self._seen
        body = models.coupon_file_body(file_url, name=self.name, created_by="wes-doctor")
        self._on_step(f"Uploading one file to list {seen.list_id}")
        self._begun = time.time()
        self.reply = self._sender.send(requests.upload(seen.settings, seen.list_id, body))
        if not unreadable(responses.record, self.reply):
            self._note(file_of(responses.record(self.reply.request, self.reply.response)))
        elif self.reply.success or (self.reply.passing and self.reply.sent and self.reply.status != 429):
            self._on_step("No response with the coupon file came; reading the list to see whether the upload was done")
            self.searched = True
            self._repeat(self._find_lost, SEARCH)
        if self.file is None:
            return
        seen.uploaded, seen.files, seen.lists = self.file.id, [], []
        self._repeat(self._find_path, SEARCH)
        if self.fetched_after is not None:
            self._wait()
        self._repeat(self._read_list, LATE if len(self._lists) == 1 else SEARCH)

    def _repeat(self, found: Callable[[bool], bool], seconds: float) -> None:
        """Read until there is what is looked for, with growing pauses; the first time, the likeliest path only."""
        pause, last = 1.0, min(self._waited + seconds, self._timeout)
        while not found(pause == 1.0) and self._waited < last:
            time.sleep(max(0.05, min(self._limited or pause, last - self._waited)))
            pause, self._limited = min(2 * pause, POLL), 0.0

    @property
    def _waited(self) -> float:
        return time.time() - self._begun

    def _send(self, request: Request) -> Reply:
        reply = self._sender.send(request)
        if reply.status == 429:
            reset = rate_limit(reply.response.headers, time.time()).reset
            self._limited = reset - time.time() + 1 if reset else UNKNOWN_LIMIT
        return reply

    def _find_lost(self, _first: bool) -> bool:
        """Whether the list has a file of our name, whose end and case services may change."""
        reply = self._send(
            requests.list_coupon_files(self._seen.set(coupon_files_path=self._lists[0]), self._seen.list_id)
        )
        listed = files_in(reply.content)
        begins = self.name[:UNIQUE].lower()
        self._note(
            next((file for file in (listed.files if listed else ()) if file.name.lower().startswith(begins)), None)
        )
        return self.file is not None

    def _read_list(self, first: bool) -> bool:
        seen = self._seen
        for template in self._lists[: 1 if first else None] if self.listed is None else ():
            reply = self._send(requests.list_coupon_files(seen.set(coupon_files_path=template), seen.list_id))
            seen.lists = [*(path for path in seen.lists if path.template != template), Path(template, reply)]
            listed = files_in(reply.content) if reply.success else None
            self.listed = next((file for file in (listed.files if listed else ()) if file.id == seen.uploaded), None)
            if self.listed is not None:
                self.listed_after = self._waited
            if self.listed is not None or self._limited:
                break
        return self.listed is not None

    def _find_path(self, first: bool) -> bool:
        """Whether a path shows the file."""
        self._read_list(first)
        seen = self._seen
        for template in self._files[: 1 if first else None]:
            reply = self._send(
                requests.get_coupon_file(seen.set(coupon_file_path=template), seen.list_id, seen.uploaded)
            )
            seen.files = [*(path for path in seen.files if path.template != template), Path(template, reply)]
            if not unreadable(responses.coupon_file, reply):
                self.fetched_after = self._waited
                self._note(file_of(responses.record(reply.request, reply.response)))
                return True
            if self._limited:
                break
        return False

    def _note(self, file: CouponFile | None) -> None:
        if file is None:
            return
        self.file = file
        if (status := status_of(file)) and status not in self.statuses:
            self.statuses[status] = self._waited
            self._on_step(f"{self._waited:.0f} s: {status}{'' if self.listed else ', not in the list yet'}")

    def _wait(self) -> None:
        """Wait as a task does."""
        settings = self._seen.set(coupon_file_path=self._seen.files[-1].template)
        wait = _Wait(
            *(self._seen.list_id, self._seen.uploaded, self._begun, self._begun + self._timeout, POLL),
            statuses=settings.statuses,
            on_poll=self._on_poll,
        )

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

    def _on_poll(self, polled: CouponFile | WesError) -> bool:
        """Note what a poll showed. Returns whether an unknown status has lasted as long as one that a file keeps."""
        self._read_list(first=True)
        if isinstance(polled, WesError):
            return False
        self._note(polled)
        if (polled.status, polled.counts) != self._state:  # counts that grow are those of a file on its way
            self._state, self._since = (polled.status, polled.counts), self._waited
        names = self._seen.given.count_names
        result = names.read([polled])[0] or polled.reason
        lasts = self._waited - self._since >= (self._final_after if result else 3 * self._final_after)
        return lasts and status_of(polled) not in self._seen.given.statuses.pending


class _Wait(CouponFileWait):
    """A wait that also ends with a status that the provider does not know, once it has lasted."""

    on_poll: Callable[[CouponFile | WesError], bool] = bool

    def decide(self, polled: CouponFile | WesError, now: float, concurrent_waits: int = 1) -> Decision:
        decision = CouponFileWait.decide(self, polled, now, concurrent_waits)
        lasted = self.on_poll(polled)
        return Done(polled) if isinstance(decision, Wait) and isinstance(polled, CouponFile) and lasted else decision
