"""An upload, sent once, and followed to its end as a task waits for it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from wes_provider.doctor.files import status_of
from wes_provider.doctor.reading import (
    LIST_PATHS,
    Seen,
    file_among,
    file_paths,
    file_read,
    list_among,
)
from wes_provider.doctor.replies import Reply, Sender
from wes_provider.exceptions import WesCouponFileFailedError, WesError
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings
from wes_provider.waits.decision import CouponFileWait, Decision, Done, Failed, PollAgain

__all__ = ["Upload"]

SEARCH: Final = 60.0  # seconds in which list and file are read until both show it
POLL: Final = 10.0  # seconds between two polls at most


@dataclass
class Upload:
    """
    An upload, and what was seen of its file. The paths that were tried are in ``seen.lists`` and
    ``seen.files``.

    :ivar timeout: seconds after which to stop.
    :ivar final_after: seconds that a status nobody knows has to last before it counts as final.
    :ivar file: as it was seen last; ``None`` if nothing was uploaded.
    :ivar statuses: in the order in which they were seen.
    :ivar listed_after: seconds from the upload until the list showed the file.
    :ivar problem: why no status was seen that the file keeps; empty if one was: a known one, or one
        that lasted.
    """

    sender: Sender
    seen: Seen
    timeout: float
    final_after: float
    on_step: Callable[[str], None]
    file: CouponFile | None = None
    statuses: list[str] = field(default_factory=list)
    listed_after: float | None = None
    problem: str = "no path shows it"

    def follow(self, reply: Reply) -> None:
        """
        Read the uploaded file until its status is final and the list shows it. ``reply``: to the
        upload.
        """
        seen, self._begun = self.seen, time.time()
        file = file_read(reply)
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
        """
        Read list and file until both show it, with growing pauses; the first time, the likeliest
        paths only.
        """
        pause, most, seen, end = 1.0, 1, self.seen, min(self.timeout, SEARCH)
        while True:
            self._read_list(lists[:most])
            likely = [seen.file_path] if seen.file_path else paths[:most]
            file_among(seen, self.sender.send, likely, seen.uploaded)
            if seen.file_path:
                self._note(file_read(seen.files[seen.file_path]))
            if (seen.listed and seen.file_path) or self._waited >= end:
                return
            time.sleep(max(0.05, min(pause, end - self._waited)))
            pause, most = min(1.5 * pause, POLL), len(lists) + len(paths)

    def _read_list(self, paths: list[str]) -> None:
        list_among(self.seen, self.sender.send, paths)
        if self.seen.listed and self.listed_after is None:
            self.listed_after = self._waited

    def _note(self, file: CouponFile | None) -> None:
        self.file = file or self.file
        if file is not None and (status := status_of(file)) and status not in self.statuses:
            self.statuses.append(status)
            self.on_step(
                f"{self._waited:.0f} s: "
                f"{status}{'' if self.seen.listed else ', not in the list yet'}"
            )

    def _wait(self) -> None:
        """Wait as a task does."""
        # Imports Airflow, which logs to what is the standard output at that time: not at the top of
        # this module.
        from wes_provider.waits.loop import wait_for_files

        seen, deadline = self.seen, self._begun + self.timeout
        settings = msgspec.structs.replace(seen.settings, coupon_file_path=seen.file_path)
        wait = _Wait(seen.list_id, seen.uploaded, self._begun, deadline, POLL, settings.statuses)
        wait.note, wait.final_after = self._note, self.final_after

        async def read_settings() -> WesSettings:
            return settings

        logger = logging.getLogger("wes_provider")
        level = logger.level
        # The report says what the wait would write into a task's log.
        logger.setLevel(logging.CRITICAL)
        try:
            (outcome,) = asyncio.run(wait_for_files("wes-doctor", [wait], read_settings)).values()
        finally:
            logger.setLevel(level)
        error = outcome.error if isinstance(outcome, Failed) else None
        self.problem = (
            error.reason if error and not isinstance(error, WesCouponFileFailedError) else ""
        )


class _Wait(CouponFileWait):
    """A wait that also ends with a status that the provider does not know, once it has lasted."""

    note: Callable[[CouponFile], object] = bool
    final_after: float = 0.0
    state: Any = None  # of the last poll; counts that grow are those of a file on its way
    since: float = 0.0

    def decide(
        self, polled: CouponFile | WesError, now: float, concurrent_waits: int = 1
    ) -> Decision:
        # A Struct has no super().
        decision = CouponFileWait.decide(self, polled, now, concurrent_waits)
        if isinstance(polled, WesError):
            return decision
        self.note(polled)
        if (polled.status, polled.counts) != self.state:
            self.state, self.since = (polled.status, polled.counts), now
        lasts = now - self.since >= self.final_after
        if (
            isinstance(decision, PollAgain)
            and lasts
            and status_of(polled) not in self.statuses.pending
        ):
            return Done(polled)
        return decision
