"""Fetches the coupon files that the service has accepted, counts their coupons, and calls back when they end."""

from __future__ import annotations

import asyncio
import base64
import logging
import ssl
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp
from yarl import URL

from wes_provider.emulator.processing import CouponCounter, CouponFile
from wes_provider.emulator.service import Service

__all__ = ["Processor"]

_log = logging.getLogger(__name__)

_AT_ONCE: Final = 8  # files fetched at the same time
_LONGEST_DELAY: Final = 5.0  # seconds that a read waits for a file that is due
_CALLBACK_TIMEOUT: Final = aiohttp.ClientTimeout(total=5.0)


class Processor:
    """
    Works on the loop that serves.

    Files are fetched side by side, and counted into their list in the order in which they were accepted, so that a
    coupon that is in two of them always counts as the later one's duplicate.

    :param service: whose files it fetches.
    :param tls: whom it trusts; default: whom the machine trusts.
    """

    def __init__(self, service: Service, tls: ssl.SSLContext | None = None) -> None:
        self._service, self._tls = service, tls
        self._wake = asyncio.Event()
        self._fetches = asyncio.Semaphore(_AT_ONCE)
        self._tasks: dict[str, asyncio.Task[None]] = {}  # by file
        self._last: dict[str, asyncio.Task[None]] = {}  # by list
        self._delayed: set[str] = set()  # files that a read has waited for in vain
        self._callbacks: set[asyncio.Task[None]] = set()
        service.on_change = self._wake.set

    async def run(self) -> None:
        """Until it is cancelled."""
        connector = aiohttp.TCPConnector(ssl=self._tls) if self._tls is not None else None
        async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as self._session:
            try:
                while True:
                    self._wake.clear()
                    self._start()
                    for file, record in self._service.processing.to_call_back():
                        task = asyncio.create_task(self._call_back(file, record))
                        self._callbacks.add(task)
                        task.add_done_callback(self._callbacks.discard)
                    with suppress(asyncio.TimeoutError):
                        await asyncio.wait_for(self._wake.wait(), self._service.processing.seconds_to_next_end())
            finally:
                running = [*self._tasks.values(), *self._callbacks]
                for task in running:
                    task.cancel()
                await asyncio.gather(*running, return_exceptions=True)

    async def fetch_due(self, list_id: str) -> None:
        """
        Wait until those of a list's files are fetched whose time has come.

        What a read shows thus depends on the service's clock alone, even right after the clock was moved. A file that
        cannot be fetched soon delays one read, by seconds.
        """
        self._start()
        now = self._service.clock.now()
        files = (file for file in self._service.coupons.unfetched.values() if file.list_id == list_id)
        waited = [file for file in files if file.id not in self._delayed and file.due_at is not None]
        due = {self._tasks[file.id]: file.id for file in waited if (file.due_at or 0) <= now}
        if due:
            _, late = await asyncio.wait(due, timeout=_LONGEST_DELAY)
            self._delayed.update(due[task] for task in late)

    def _start(self) -> None:
        unfetched = self._service.coupons.unfetched
        for file_id, task in list(self._tasks.items()):
            if file_id not in unfetched:
                task.cancel()  # scripted otherwise, or reset
        for file in unfetched.values():
            if file.id not in self._tasks:
                task = asyncio.create_task(self._process(file, self._last.get(file.list_id)))
                self._tasks[file.id] = self._last[file.list_id] = task
                task.add_done_callback(lambda task, file=file: self._done(task, file))  # type: ignore[misc]

    def _done(self, task: asyncio.Task[None], file: CouponFile) -> None:
        self._tasks.pop(file.id, None)
        self._delayed.discard(file.id)
        if self._last.get(file.list_id) is task:
            del self._last[file.list_id]

    async def _process(self, file: CouponFile, before: asyncio.Task[None] | None) -> None:
        counter = self._service.counter()
        try:
            async with self._fetches:
                error = await asyncio.wait_for(self._fetch(file, counter), self._service.settings.fetch_timeout)
        except Exception as problem:  # whatever it is: a URL may be anything, and its host may do anything
            # No text of it: that often quotes the URL, which may be signed.
            error = f"The file cannot be fetched: {type(problem).__name__}."
        if before is not None:
            await asyncio.wait([before])
        self._service.processed(file, counter, error)

    async def _fetch(self, file: CouponFile, counter: CouponCounter) -> str:
        """What is wrong with the file; empty if it was counted whole."""
        most = self._service.settings.upload_url_bytes
        headers = {}
        if file.username or file.password:
            credentials = base64.b64encode(f"{file.username}:{file.password}".encode()).decode()
            headers["Authorization"] = f"Basic {credentials}"
        url = URL(file.file_url, encoded=file.file_url.isascii())  # a signature covers the very bytes
        async with self._session.get(url, headers=headers) as response:
            if response.status != 200:
                return f"The file cannot be fetched: host responded {response.status}."
            length = response.content_length or 0
            async for piece in response.content.iter_chunked(64 * 1024):
                length = max(length, response.content.total_bytes)
                if length > most:
                    return f"The file has more than {most} bytes."
                counter.feed(piece)
        counter.finish()
        return ""

    async def _call_back(self, file: CouponFile, record: dict[str, Any]) -> None:
        """Make the callback of a file, as often as the settings say."""
        service, url = self._service, file.callback_url
        host = urlsplit(url).hostname
        for _ in range(1 + service.settings.callback_repeats):
            outcome: str | int = "lost"
            if not service.faults.happens(service.settings.callback_loss):
                options: Any = {"timeout": _CALLBACK_TIMEOUT, "allow_redirects": False}
                try:
                    async with self._session.post(url, json=record, **options) as response:
                        outcome = response.status
                except Exception as problem:
                    outcome = type(problem).__name__
            _log.info("Callback for coupon file %s to %s: %s", file.id, host, outcome)
            service.callbacks.append({"coupon_file_id": file.id, "host": host, "outcome": outcome})
