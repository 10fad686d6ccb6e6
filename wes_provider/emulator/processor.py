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
from typing import Final, NamedTuple
from urllib.parse import urlsplit
from weakref import WeakSet

import aiohttp
from yarl import URL

from wes_provider.emulator.counting import CouponCounter
from wes_provider.emulator.processing import CouponFile
from wes_provider.emulator.replies import JsonObject
from wes_provider.emulator.service import Service
from wes_provider.emulator.state import State

__all__ = ["Processor"]

_log = logging.getLogger(__name__)

# Seconds that a read waits for a file that is due.
_LONGEST_DELAY: Final = 5.0
_CALLBACK_TIMEOUT: Final = aiohttp.ClientTimeout(total=5.0)
_PIECE: Final = 64 * 1024  # bytes


class _ListKey(NamedTuple):
    workspace: str
    list_id: str

    @classmethod
    def of(cls, file: CouponFile) -> _ListKey:
        return cls(file.workspace, file.list_id)


class Processor:
    """
    Works on the loop that serves.

    The files of a list are fetched in the order in which they were accepted, so that a coupon that
    is in two of them always counts as the later one's duplicate; the files of several lists at the
    same time.

    :param service: whose files it fetches.
    :param files_url: the URL of hosted files; a name follows after a slash.
    :param tls: whom it trusts; default: whom the machine trusts.
    """

    def __init__(self, service: Service, files_url: str, tls: ssl.SSLContext | None = None) -> None:
        self._service = service
        self._files_url = files_url
        self._tls = tls
        self._wake = asyncio.Event()
        # The state that the tasks work on; a reset brings another.
        self._state = service.state
        self._tasks: dict[_ListKey, asyncio.Task[None]] = {}
        # Tasks that a read has waited for in vain.
        self._stalled: WeakSet[asyncio.Task[None]] = WeakSet()
        self._callbacks: set[asyncio.Task[None]] = set()
        service.on_change = self._wake.set

    async def run(self) -> None:
        """Process files until it is cancelled."""
        connector = None
        if self._tls is not None:
            connector = aiohttp.TCPConnector(ssl=self._tls)
        async with aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            # The bytes of a file are counted as they are stored.
            auto_decompress=False,
        ) as self._session:
            try:
                while True:
                    self._wake.clear()
                    self._start_fetching()
                    self._start_callbacks()
                    seconds = self._service.state.coupons.seconds_to_next_end()
                    with suppress(asyncio.TimeoutError):
                        await asyncio.wait_for(self._wake.wait(), seconds)
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
        self._start_fetching()
        now = self._service.clock.now()
        due = {
            _ListKey.of(file)
            for file in self._state.coupons.unfetched.values()
            if file.list_id == list_id and file.due_at is not None and file.due_at <= now
        }
        tasks = [self._tasks[key] for key in due if self._tasks[key] not in self._stalled]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=_LONGEST_DELAY)
            self._stalled.update(late)

    def _start_fetching(self) -> None:
        """Start a task for each list that has files to be fetched, and none."""
        if self._state is not self._service.state:
            for task in self._tasks.values():
                task.cancel()
            self._tasks = {}
            self._state = self._service.state
        for file in self._state.coupons.unfetched.values():
            key = _ListKey.of(file)
            if key not in self._tasks or self._tasks[key].done():
                self._tasks[key] = asyncio.create_task(self._process(self._state, key))

    def _start_callbacks(self) -> None:
        for file, record in self._service.state.coupons.to_call_back():
            task = asyncio.create_task(self._call_back(file, record))
            self._callbacks.add(task)
            task.add_done_callback(self._callbacks.discard)

    async def _process(self, state: State, key: _ListKey) -> None:
        """
        Fetch the files of a list, one after the other, those included that are accepted meanwhile.
        """
        while state is self._service.state:  # neither reset nor restored
            unfetched = state.coupons.unfetched.values()
            file = next((file for file in unfetched if _ListKey.of(file) == key), None)
            if file is None:
                break
            counter = CouponCounter(state.world.room)
            try:
                error = await asyncio.wait_for(
                    self._fetch(file, counter), self._service.settings.fetch_timeout
                )
            # Whatever it is: a URL may be anything, and its host may do anything.
            except Exception as problem:
                # No text of it: that often quotes the URL, which may be signed.
                error = f"The file cannot be fetched: {type(problem).__name__}."
            if state is self._service.state:
                state.coupons.processed(file, counter, error)
            self._wake.set()

    async def _fetch(self, file: CouponFile, counter: CouponCounter) -> str:
        """Fetch and count a file; return what is wrong with it, nothing if it was counted whole."""
        most = self._service.settings.upload_url_bytes
        headers = {"Accept-Encoding": "identity"}
        if file.username or file.password:
            credentials = base64.b64encode(f"{file.username}:{file.password}".encode()).decode()
            headers["Authorization"] = f"Basic {credentials}"
        where = self._where_to_fetch(file.file_url)
        # A signature covers the very bytes.
        url = URL(where, encoded=where.isascii())
        async with self._session.get(url, headers=headers) as response:
            if response.status != 200:
                return f"The file cannot be fetched: host responded {response.status}."
            length = response.content_length or 0
            async for piece in response.content.iter_chunked(_PIECE):
                length = max(length, response.content.total_bytes)
                if length > most:
                    return f"The file has more than {most} bytes."
                counter.feed(piece)
        counter.finish()
        return ""

    def _where_to_fetch(self, file_url: str) -> str:
        """Return the URL to fetch a file from: that of a hosted file, if it stands in for it."""
        hosted_url = self._service.settings.hosted_url
        if hosted_url is not None and file_url.startswith(f"{hosted_url}/"):
            return f"{self._files_url}{file_url.removeprefix(hosted_url)}"
        return file_url

    async def _call_back(self, file: CouponFile, record: JsonObject) -> None:
        """Make the callback of a file, as often as the settings say."""
        service = self._service
        host = urlsplit(file.callback_url).hostname
        # A reset brings others; a restored snapshot does not.
        callbacks = service.state.callbacks
        for _ in range(1 + service.settings.callback_repeats):
            if callbacks is not service.state.callbacks:
                return
            outcome: str | int = "lost"
            if not service.state.faults.happens(service.settings.callback_loss):
                outcome = await self._post(file.callback_url, record)
            _log.info("Callback for coupon file %s to %s: %s", file.id, host, outcome)
            made = {"coupon_file_id": file.id, "host": host, "outcome": outcome}
            callbacks.append(made)

    async def _post(self, url: str, record: JsonObject) -> str | int:
        """Make one request; return its status, or what went wrong."""
        try:
            async with self._session.post(
                url, json=record, timeout=_CALLBACK_TIMEOUT, allow_redirects=False
            ) as response:
                return response.status
        except Exception as problem:
            return type(problem).__name__
