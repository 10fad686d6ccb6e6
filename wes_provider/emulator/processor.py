"""
Fetches the coupon files that the service has accepted, counts their coupons, and calls back when
they end.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import ssl
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit
from weakref import WeakSet

import aiohttp
from yarl import URL

from wes_provider.emulator.coupons import Coupons
from wes_provider.emulator.processing import CouponCounter, CouponFile
from wes_provider.emulator.service import Service

__all__ = ["Processor"]

_log = logging.getLogger(__name__)

_LONGEST_DELAY: Final = 5.0  # seconds that a read waits for a file that is due
_CALLBACK_TIMEOUT: Final = aiohttp.ClientTimeout(total=5.0)


class Processor:
    """
    Works on the loop that serves.

    The files of a list are fetched in the order in which they were accepted, so that a coupon that
    is in two of them always counts as the later one's duplicate; the files of several lists at the
    same time.

    :param service: whose files it fetches.
    :param tls: whom it trusts; default: whom the machine trusts.
    """

    def __init__(self, service: Service, tls: ssl.SSLContext | None = None) -> None:
        self._service, self._tls = service, tls
        self._coupons = service.coupons  # others after a reset
        self._wake = asyncio.Event()
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}  # by workspace and list
        self._stalled: WeakSet[asyncio.Task[None]] = WeakSet()  # that a read has waited for in vain
        self._callbacks: set[asyncio.Task[None]] = set()
        service.on_change = self._wake.set

    async def run(self) -> None:
        """Until it is cancelled."""
        connector = aiohttp.TCPConnector(ssl=self._tls) if self._tls is not None else None
        async with aiohttp.ClientSession(
            connector=connector, cookie_jar=aiohttp.DummyCookieJar()
        ) as self._session:
            try:
                while True:
                    self._wake.clear()
                    self._start()
                    for file, record in self._service.coupons.to_call_back():
                        task = asyncio.create_task(self._call_back(file, record))
                        self._callbacks.add(task)
                        task.add_done_callback(self._callbacks.discard)
                    with suppress(asyncio.TimeoutError):
                        await asyncio.wait_for(
                            self._wake.wait(), self._service.coupons.seconds_to_next_end()
                        )
            finally:
                running = [*self._tasks.values(), *self._callbacks]
                for task in running:
                    task.cancel()
                await asyncio.gather(*running, return_exceptions=True)

    async def fetch_due(self, list_id: str) -> None:
        """
        Wait until those of a list's files are fetched whose time has come.

        What a read shows thus depends on the service's clock alone, even right after the clock was
        moved. Files that cannot be fetched soon delay one read, by seconds.
        """
        self._start()
        now = self._service.clock.now()
        due = [file for file in self._service.coupons.unfetched.values() if file.list_id == list_id]
        keys = {
            (file.workspace, list_id)
            for file in due
            if file.due_at is not None and file.due_at <= now
        }
        tasks = [self._tasks[key] for key in keys if self._tasks[key] not in self._stalled]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=_LONGEST_DELAY)
            self._stalled.update(late)

    def _start(self) -> None:
        if self._coupons is not self._service.coupons:
            for task in self._tasks.values():
                task.cancel()
            self._tasks, self._coupons = {}, self._service.coupons
        for file in self._coupons.unfetched.values():
            key = file.workspace, file.list_id
            if key not in self._tasks or self._tasks[key].done():
                self._tasks[key] = asyncio.create_task(self._process(self._coupons, key))

    async def _process(self, coupons: Coupons, key: tuple[str, str]) -> None:
        """
        Fetch the files of a list, one after the other, those included that are accepted meanwhile.
        """
        while coupons is self._service.coupons:  # neither reset nor restored
            file = next(
                (one for one in coupons.unfetched.values() if (one.workspace, one.list_id) == key),
                None,
            )
            if file is None:
                break
            counter = CouponCounter(self._service.world.room)
            try:
                error = await asyncio.wait_for(
                    self._fetch(file, counter), self._service.settings.fetch_timeout
                )
            # Whatever it is: a URL may be anything, and its host may do anything.
            except Exception as problem:
                # No text of it: that often quotes the URL, which may be signed.
                error = f"The file cannot be fetched: {type(problem).__name__}."
            self._service.coupons.processed(file, counter, error)
            self._wake.set()

    async def _fetch(self, file: CouponFile, counter: CouponCounter) -> str:
        """What is wrong with the file; empty if it was counted whole."""
        most = self._service.settings.upload_url_bytes
        headers = {}
        if file.username or file.password:
            credentials = base64.b64encode(f"{file.username}:{file.password}".encode()).decode()
            headers["Authorization"] = f"Basic {credentials}"
        # A signature covers the very bytes.
        url = URL(file.file_url, encoded=file.file_url.isascii())
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
