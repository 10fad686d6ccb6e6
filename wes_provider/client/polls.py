"""
The asynchronous driver, for polls only: all waits of a connection on an event loop share one
``aiohttp`` session.
"""

from __future__ import annotations

import asyncio
import base64
import os
import ssl
import time
from collections.abc import Awaitable, Callable
from typing import ClassVar, Final, NamedTuple

import aiohttp
import certifi
import yarl
from requests.utils import select_proxy

from wes_provider.client.requests import Request, get_coupon_file, standard_headers
from wes_provider.client.responses import Response, coupon_file, lost
from wes_provider.client.sync import environment
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesConfigurationError,
    WesConnectionError,
    WesForbiddenError,
)
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings

__all__ = ["PollClient"]

CONCURRENT_POLLS: Final = 50
# Seconds; longer than the usual poll interval, so that polls find a connection open.
KEEP_ALIVE: Final = 75.0
CLOSING: Final = 0.05  # seconds
LONGEST_READING: Final = 60.0  # seconds that a secrets backend may take
# Seconds between readings of the connection, however many polls are refused.
READ_AGAIN_AFTER: Final = 5.0


class _Session(NamedTuple):
    """What polls are sent with: made for one state of the connection."""

    settings: WesSettings
    http: aiohttp.ClientSession
    headers: dict[str, str]
    proxy: str | None


class PollClient:
    """
    Reads coupon files. Made by :meth:`join` for the first wait of a connection, closed by
    :meth:`leave` of the last.

    :ivar users: how many waits there are.
    """

    _all: ClassVar[dict[tuple[asyncio.AbstractEventLoop, str], PollClient]] = {}

    def __init__(self, read_settings: Callable[[], Awaitable[WesSettings]]) -> None:
        self.users = 0
        self._read_settings = read_settings
        self._read_at = -READ_AGAIN_AFTER  # monotonic
        self._error = ""  # why the connection could not be read the last time
        self._lock = asyncio.Lock()
        # Around the request, not in aiohttp's connector, where the time in the queue counts against
        # the timeouts.
        self._polls = asyncio.Semaphore(CONCURRENT_POLLS)
        self._session: _Session | None = None
        self._opened: list[_Session] = []  # earlier ones, too, whose polls may still go on

    @classmethod
    def join(
        cls, conn_id: str, read_settings: Callable[[], Awaitable[WesSettings]], users: int = 1
    ) -> PollClient:
        """
        The client of a connection on the running event loop, with its users counted in.

        :param read_settings: reads the connection.
        """
        for key in [key for key in cls._all if key[0].is_closed()]:
            del cls._all[key]
        key = (asyncio.get_running_loop(), conn_id)
        client = cls._all.get(key) or cls._all.setdefault(key, cls(read_settings))
        client.users += users
        return client

    async def leave(self, users: int = 1) -> None:
        """Count users out; the last one closes what was opened."""
        self.users -= users
        if not self.users:
            for key in [key for key, client in self._all.items() if client is self]:
                del self._all[key]
            for session in self._opened:
                await session.http.close()
            await asyncio.sleep(CLOSING)  # in which the loop closes what TLS has in a tunnel

    async def refresh(self) -> None:
        """
        Read the connection, unless that was a moment ago: what changed counts for a wait that
        begins.
        """
        await self._read_again(self._session)

    async def poll(self, coupon_list_id: str, coupon_file_id: str) -> CouponFile:
        """
        Read a coupon file once; if the key is refused and the connection has another one, once
        more.

        :raises WesError: why it could not be read.
        """
        async with self._polls:
            session = self._session or await self._current_session(None)
            try:
                return await _read_file(session, coupon_list_id, coupon_file_id)
            except (WesAuthenticationError, WesForbiddenError):
                if (current := await self._current_session(session)) is session:
                    raise
            return await _read_file(current, coupon_list_id, coupon_file_id)

    async def _current_session(self, refused: _Session | None) -> _Session:
        """
        The session of the connection as it is now.

        :param refused: whose key was refused; it is returned if the connection has not changed.
        :raises WesConnectionError: if the connection cannot be read.
        """
        await self._read_again(refused)
        if self._session is None or (self._error and self._session is refused):
            raise WesConnectionError(f"The connection cannot be read: {self._error}")
        return self._session

    async def _read_again(self, known: _Session | None) -> None:
        """
        Read the connection, unless another wait has made a session since ``known``, or read it a
        moment ago.
        """
        async with self._lock:
            if self._session is not known or time.monotonic() - self._read_at < READ_AGAIN_AFTER:
                return
            try:
                settings = await asyncio.wait_for(self._read_settings(), LONGEST_READING)
                if self._session is None or settings != self._session.settings:
                    self._session = _open(settings)
                    self._opened.append(self._session)
                self._error = ""
            except Exception as error:
                # Airflow's and a backend's errors may quote what they were sent.
                self._error = (
                    str(error) if isinstance(error, WesConfigurationError) else type(error).__name__
                )
            finally:
                self._read_at = time.monotonic()


def _open(settings: WesSettings) -> _Session:
    proxies, verify = environment(settings)
    bundle = certifi.where() if verify is True else verify
    context: ssl.SSLContext | bool = False
    if isinstance(bundle, str):
        folder = os.path.isdir(bundle)
        context = ssl.create_default_context(
            cafile=None if folder else bundle, capath=bundle if folder else None
        )
    http = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_ALIVE, ssl=context),
        timeout=aiohttp.ClientTimeout(
            total=settings.read_timeout, connect=settings.connect_timeout
        ),
        cookie_jar=aiohttp.DummyCookieJar(),
    )
    credentials = base64.b64encode(f"{settings.workspace_id}:{settings.api_key}".encode()).decode()
    # Not the session's own: aiohttp sends those to a proxy, too.
    headers = {**standard_headers(settings), "Authorization": f"Basic {credentials}"}
    return _Session(settings, http, headers, select_proxy(settings.base_url, proxies))


async def _read_file(session: _Session, coupon_list_id: str, coupon_file_id: str) -> CouponFile:
    request = get_coupon_file(session.settings, coupon_list_id, coupon_file_id)
    return coupon_file(request, await _send(session, request))


async def _send(session: _Session, request: Request) -> Response:
    try:
        async with session.http.get(
            yarl.URL(request.url, encoded=True),
            headers=session.headers,
            allow_redirects=False,
            proxy=session.proxy,
        ) as response:
            body = bytearray()
            async for chunk in response.content.iter_any():
                body += chunk
                if len(body) > request.largest:
                    break
            headers = {name.lower(): text for name, text in response.headers.items()}
            return Response(response.status, headers, session.settings.without_keys(bytes(body)))
    except (aiohttp.ClientError, asyncio.TimeoutError, OSError, ValueError) as error:
        raise lost(
            request, error, sent=not isinstance(error, aiohttp.ClientConnectorError)
        ) from None
