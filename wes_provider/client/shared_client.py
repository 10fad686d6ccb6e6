"""One asynchronous client for all waits of a connection on an event loop."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import ClassVar, Final

from wes_provider.client.async_client import AsyncWesClient
from wes_provider.client.settings import WesSettings
from wes_provider.polling import READ_AGAIN_AFTER, READ_AGAIN_SOONEST

__all__ = ["SharedClient"]

log = logging.getLogger(__name__)

LONGEST_READING: Final = 120.0  # seconds; a backend that hangs is read again, and a busy triggerer gets this long


class SharedClient:
    """
    The client of all waits of one connection on one event loop: made when the first needs it, closed after the last.

    The connection is read again every few minutes, and after a refused key. If it has changed, there is a new client,
    and the requests of the old one run to their end. If it cannot be read again, the client stays: a secrets backend
    that is away ends no wait.

    :ivar client: the client, once there is one; :meth:`get` makes it.
    :ivar waits: how many there are.
    """

    __slots__ = ("_closing", "_error", "_key", "_read_at", "_read_settings", "_reading", "client", "waits")

    _all: ClassVar[dict[tuple[asyncio.AbstractEventLoop, str], SharedClient]] = {}

    def __init__(
        self, key: tuple[asyncio.AbstractEventLoop, str], read_settings: Callable[[], Awaitable[WesSettings]]
    ) -> None:
        self._key = key
        self._read_settings = read_settings
        self._reading: asyncio.Task[None] | None = None
        self._read_at = -READ_AGAIN_AFTER  # monotonic
        self._error: Exception | None = None  # of the last reading
        self._closing: set[asyncio.Task[None]] = set()
        self.client: AsyncWesClient | None = None
        self.waits = 0

    @classmethod
    def join(cls, name: str, read_settings: Callable[[], Awaitable[WesSettings]], waits: int = 1) -> SharedClient:
        """
        Count waits in; to be followed by :meth:`leave`, whatever happens.

        :param name: the name of the connection; waits of the same name on the running event loop share a client.
        :param read_settings: reads the connection's settings.
        :param waits: how many.
        """
        for loop, other in list(cls._all):
            if loop.is_closed():  # ended without its tasks being cancelled: nobody leaves
                del cls._all[loop, other]
        key = (asyncio.get_running_loop(), name)
        shared = cls._all.get(key)
        if shared is None:
            shared = cls._all[key] = cls(key, read_settings)
        shared.waits += waits
        return shared

    async def get(self, within: float = LONGEST_READING) -> AsyncWesClient:
        """
        The client, of a connection that was read at most a few minutes ago if it could be read.

        :param within: seconds that reading the connection may take, if there is no client yet.
        :raises Exception: of ``read_settings``, if there is no client yet.
        """
        if self.client is None:
            await self._read(within)
        elif time.monotonic() - self._read_at >= READ_AGAIN_AFTER:
            self._start_reading()
        if self.client is None:
            raise self._error or asyncio.TimeoutError
        return self.client

    async def get_another(self, refused: AsyncWesClient, within: float = LONGEST_READING) -> AsyncWesClient:
        """
        The client of the connection as it is now, after ``refused`` got a 401 or 403; maybe the same.

        :param within: seconds that reading the connection may take.
        """
        if self.client is refused:
            await self._read(within)
        return self.client or refused

    async def _read(self, within: float) -> None:
        """Read the connection, unless that was done just now."""
        if self._reading is None and time.monotonic() - self._read_at < READ_AGAIN_SOONEST:
            return
        # Not cancelled: the first to need it may be cancelled or run out of time, and the others go on.
        await asyncio.wait([self._start_reading()], timeout=within)

    def _start_reading(self) -> asyncio.Task[None]:
        if self._reading is None:
            self._reading = asyncio.create_task(self._renew())
        return self._reading

    async def _renew(self) -> None:
        try:
            settings = await asyncio.wait_for(self._read_settings(), LONGEST_READING)
            if self.client is None or settings != self.client.settings:
                old, self.client = self.client, await AsyncWesClient(settings).__aenter__()
                if old is not None:
                    log.info("The connection has changed; polling with its new settings")
                    closing = asyncio.create_task(old.close_after_reads())
                    self._closing.add(closing)
                    closing.add_done_callback(self._closing.discard)
            self._error = None
        except Exception as error:
            self._error = error
        finally:
            self._read_at = time.monotonic()
            self._reading = None

    async def leave(self, waits: int = 1) -> None:
        """Count waits out; the last one closes the client."""
        self.waits -= waits
        if self.waits:
            return
        if self._all.get(self._key) is self:
            del self._all[self._key]
        tasks = [*self._closing, *filter(None, [self._reading])]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        client, self.client = self.client, None
        if client is not None:
            await client.__aexit__()
