"""One asynchronous client for all waits of a connection on an event loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import ClassVar

from wes_provider.client.async_client import AsyncWesClient
from wes_provider.client.settings import WesSettings

__all__ = ["SharedClient"]


class SharedClient:
    """
    The client of all waits of one connection on one event loop: made when the first needs it, closed after the last.

    The connection's settings are read once, by the first that needs them. What is changed in the connection while
    there are waits, counts for the next client: once the last of these waits has ended.

    :ivar client: the client, once there is one; :meth:`get` makes it.
    :ivar waits: how many there are.
    """

    __slots__ = ("_key", "_opening", "_read_settings", "client", "waits")

    _all: ClassVar[dict[tuple[asyncio.AbstractEventLoop, str], SharedClient]] = {}

    def __init__(
        self, key: tuple[asyncio.AbstractEventLoop, str], read_settings: Callable[[], Awaitable[WesSettings]]
    ) -> None:
        self._key = key
        self._read_settings = read_settings
        self.client: AsyncWesClient | None = None
        self._opening: asyncio.Task[AsyncWesClient] | None = None
        self.waits = 0

    @classmethod
    def join(cls, name: str, read_settings: Callable[[], Awaitable[WesSettings]], waits: int = 1) -> SharedClient:
        """
        Count waits in; to be followed by :meth:`leave`, whatever happens.

        :param name: of the connection; waits of the same name on the running event loop share a client.
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

    async def get(self) -> AsyncWesClient:
        """
        The client.

        :raises Exception: of ``read_settings``, for all who wait for it; whoever asks later has it read anew.
        """
        if self.client is not None:
            return self.client
        if self._opening is None:
            self._opening = asyncio.create_task(self._open())
        # Shielded: the first to ask may be cancelled, and the others go on.
        return await asyncio.shield(self._opening)

    async def _open(self) -> AsyncWesClient:
        try:
            self.client = await AsyncWesClient(await self._read_settings()).__aenter__()
            return self.client
        finally:
            self._opening = None

    async def leave(self, waits: int = 1) -> None:
        """Count waits out; the last one closes the client."""
        self.waits -= waits
        if self.waits:
            return
        if self._all.get(self._key) is self:
            del self._all[self._key]
        if self._opening is not None:
            self._opening.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await asyncio.wait([self._opening])
        client, self.client = self.client, None
        if client is not None:
            await client.__aexit__()
