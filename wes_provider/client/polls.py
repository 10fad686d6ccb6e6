"""The asynchronous driver, for polls only: all waits of a connection on an event loop share one ``aiohttp`` session."""

from __future__ import annotations

import asyncio
import base64
import logging
import os
import ssl
import time
from collections.abc import Awaitable, Callable
from typing import ClassVar, Final

import aiohttp
import certifi
import yarl
from requests.utils import select_proxy

from wes_provider.client.requests import Request, get_coupon_file
from wes_provider.client.responses import Response, coupon_file, lost
from wes_provider.client.sync import environment
from wes_provider.exceptions import WesAuthenticationError, WesConfigurationError, WesConnectionError, WesForbiddenError
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings

__all__ = ["PollClient"]

log = logging.getLogger(__name__)

CONCURRENT_POLLS: Final = 50
KEEP_ALIVE: Final = 75.0  # seconds; longer than the usual poll interval, so that polls find a connection open
LONGEST_READING: Final = 120.0  # seconds that a secrets backend may take
READ_AGAIN_AFTER: Final = 5.0  # seconds between readings of the connection, however many polls are refused


class PollClient:
    """
    Reads coupon files. Made by :meth:`join` for the first wait of a connection, closed by :meth:`leave` of the last.

    :ivar users: how many waits there are.
    """

    _all: ClassVar[dict[tuple[asyncio.AbstractEventLoop, str], PollClient]] = {}

    def __init__(self, read_settings: Callable[[], Awaitable[WesSettings]]) -> None:
        self.users = 0
        self._read_settings = read_settings
        self._read_at = -READ_AGAIN_AFTER  # monotonic
        self._error = ""
        self._lock = asyncio.Lock()
        # Around the request, not in aiohttp's connector, where the time in the queue counts against the timeouts.
        self._polls = asyncio.Semaphore(CONCURRENT_POLLS)
        self._settings: WesSettings | None = None
        self._session: aiohttp.ClientSession | None = None
        self._authorization = ""
        self._proxy: str | None = None

    @classmethod
    def join(cls, conn_id: str, read_settings: Callable[[], Awaitable[WesSettings]], users: int = 1) -> PollClient:
        """
        The client of a connection on the running event loop, with its users counted in.

        :param read_settings: reads the connection.
        """
        for key in [key for key in cls._all if key[0].is_closed()]:
            del cls._all[key]
        key = (asyncio.get_running_loop(), conn_id)
        client = cls._all.setdefault(key, cls(read_settings))
        client.users += users
        return client

    async def leave(self, users: int = 1) -> None:
        """Count users out; the last one closes the session."""
        self.users -= users
        if not self.users:
            for key in [key for key, client in self._all.items() if client is self]:
                del self._all[key]
            await self._close()

    async def poll(self, coupon_list_id: str, coupon_file_id: str, within: float) -> CouponFile:
        """
        Read a coupon file once; if the key is refused and the connection has another one, once more.

        :param within: seconds that it may take, if that is less than the connection's ``read_timeout``.
        :raises WesError: why it could not be read.
        """
        settings = self._settings or await self._renew()
        try:
            return await self._poll(settings, coupon_list_id, coupon_file_id, within)
        except (WesAuthenticationError, WesForbiddenError):
            if (renewed := await self._renew(settings)) is settings:
                raise
        return await self._poll(renewed, coupon_list_id, coupon_file_id, within)

    async def _poll(self, settings: WesSettings, list_id: str, file_id: str, within: float) -> CouponFile:
        request = get_coupon_file(settings, list_id, file_id)
        async with self._polls:
            response = await self._send(request, min(within, settings.read_timeout))
        return coupon_file(request, response)

    async def _send(self, request: Request, within: float) -> Response:
        session = self._session
        if session is None:
            raise WesConnectionError(request.about("the session of the connection is closed"))
        timeout = session.timeout if within >= (session.timeout.total or 0) else aiohttp.ClientTimeout(total=within)
        try:
            async with session.get(
                yarl.URL(request.url, encoded=True),
                headers={**request.headers, "Authorization": self._authorization},
                allow_redirects=False,
                proxy=self._proxy,
                timeout=timeout,
            ) as response:
                body = bytearray()
                async for chunk in response.content.iter_any():
                    body += chunk
                    if len(body) > request.largest:
                        break
                headers = {name.lower(): text for name, text in response.headers.items()}
                return Response(response.status, headers, bytes(body))
        except (aiohttp.ClientError, asyncio.TimeoutError, OSError, ValueError) as error:
            raise lost(request, error, sent=not isinstance(error, aiohttp.ClientConnectorError)) from None

    async def _renew(self, refused: WesSettings | None = None) -> WesSettings:
        """
        Read the connection, unless another wait did so a moment ago.

        :param refused: settings whose key was refused; returned if there are no others, or none can be read now.
        :raises WesError: if there are no settings yet and the connection cannot be read.
        """
        async with self._lock:
            if self._settings is not None and self._settings is not refused:
                return self._settings
            if time.monotonic() - self._read_at >= READ_AGAIN_AFTER:
                await self._read()
            if self._settings is None:
                raise WesConnectionError(f"The connection cannot be read: {self._error}")
            return self._settings

    async def _read(self) -> None:
        try:
            settings = await asyncio.wait_for(self._read_settings(), LONGEST_READING)
        except Exception as error:
            # Airflow's and a backend's errors may quote what they were sent.
            self._error = str(error) if isinstance(error, WesConfigurationError) else type(error).__name__
        else:
            if settings != self._settings:
                await self._close()
                self._open(settings)
        finally:
            self._read_at = time.monotonic()

    def _open(self, settings: WesSettings) -> None:
        proxies, verify = environment(settings)
        bundle = certifi.where() if verify is True else verify
        context: ssl.SSLContext | bool = False
        if isinstance(bundle, str):
            folder = os.path.isdir(bundle)
            context = ssl.create_default_context(cafile=None if folder else bundle, capath=bundle if folder else None)
        self._settings = settings
        self._proxy = select_proxy(settings.base_url, proxies)
        credentials = f"{settings.workspace_id}:{settings.api_key}"
        self._authorization = f"Basic {base64.b64encode(credentials.encode()).decode()}"
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_ALIVE, ssl=context),
            timeout=aiohttp.ClientTimeout(total=settings.read_timeout, connect=settings.connect_timeout),
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    async def _close(self) -> None:
        session, self._session, self._settings = self._session, None, None
        if session is not None:
            await session.close()
