"""
The asynchronous driver, for polls only: all waits of a connection on an event loop share one
``aiohttp`` session.

When a key is refused, the connection is read again, for all waits at once. That is optimistic
locking: a poll remembers the session that it used, and whoever comes with a session that has been
replaced takes the newer one instead of reading the connection once more. A client is in one of four
states:

- *not read*: no session yet, and the first poll reads the connection;
- *usable*: polls go over the session of the last reading;
- *refused*: a poll came back with 401 or 403; the connection is read, unless that was less than
  five seconds ago, and what it has now is either a newer session or the same one, whose refusal
  then counts;
- *unreadable*: the last reading failed. A session of before is used as long as it is not refused;
  otherwise polls fail with :class:`~wes_provider.exceptions.WesUnreadableConnectionError`.
"""

from __future__ import annotations

import asyncio
import math
import os
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import ClassVar, Final, NamedTuple, TypeVar

import aiohttp
import certifi
import yarl

from wes_provider.client import failures
from wes_provider.client.requests import Request, get_coupon_file, list_coupon_files
from wes_provider.client.responses import Listing, Response, file_of_list, listing
from wes_provider.client.sync import read_environment
from wes_provider.coupon_files import Statuses
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesConfigurationError,
    WesConnectionError,
    WesForbiddenError,
    WesUnreadableConnectionError,
)
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings

CONCURRENT_POLLS: Final = 50
# Seconds; longer than the usual poll interval, so that polls find a connection open.
KEEP_ALIVE: Final = 75.0
# Seconds in which the loop closes what TLS has in a tunnel.
CLOSING: Final = 0.05
LONGEST_READING: Final = 60.0  # seconds that a secrets backend may take
# Bytes of a line of the head: what the synchronous driver reads, by http.client's bound.
LONGEST_HEADER: Final = 65_536
# Seconds between readings of the connection, however many polls are refused.
READ_AGAIN_AFTER: Final = 5.0

ReadSettings = Callable[[], Awaitable[WesSettings]]
Result = TypeVar("Result")


class _Session(NamedTuple):
    """What polls are sent with: made for one state of the connection."""

    settings: WesSettings
    http: aiohttp.ClientSession
    authorization: str
    proxy: str
    proxy_variable: str


class PollClient:
    """
    Reads coupon files. Made by :meth:`join` for the first wait of a connection, closed by
    :meth:`leave` of the last.

    :ivar users: how many waits there are.
    :ivar secrets: passwords for fetching files, which no reading of a file shows.
    """

    _all: ClassVar[dict[tuple[asyncio.AbstractEventLoop, str], PollClient]] = {}

    def __init__(self, read_settings: ReadSettings) -> None:
        self.users = 0
        self.secrets: frozenset[str] = frozenset()
        self._read_settings = read_settings
        self._read_at = -READ_AGAIN_AFTER  # monotonic
        # Why the last reading of the connection failed; empty if it did not.
        self._problem = ""
        self._lock = asyncio.Lock()
        # Around the request, not in aiohttp's connector, where the time in the queue counts against
        # the timeouts.
        self._polls = asyncio.Semaphore(CONCURRENT_POLLS)
        self._session: _Session | None = None
        # Those that were replaced, too: polls may still go on over them.
        self._opened: list[_Session] = []

    @classmethod
    def join(cls, conn_id: str, read_settings: ReadSettings, users: int = 1) -> PollClient:
        """
        Return the client of a connection on the running event loop, with its users counted in.

        :param read_settings: reads the connection.
        """
        for closed in [key for key in cls._all if key[0].is_closed()]:
            del cls._all[closed]
        key = (asyncio.get_running_loop(), conn_id)
        if key not in cls._all:
            cls._all[key] = cls(read_settings)
        client = cls._all[key]
        client.users += users
        return client

    async def leave(self, users: int = 1) -> None:
        """Count users out; the last one closes what was opened."""
        self.users -= users
        if self.users:
            return
        for key in [key for key, client in self._all.items() if client is self]:
            del self._all[key]
        for session in self._opened:
            await session.http.close()
        await asyncio.sleep(CLOSING)

    @property
    def rounds_of_polls(self) -> int:
        """In how many rounds all waits poll once, since so many poll at a time at most."""
        return max(1, math.ceil(self.users / CONCURRENT_POLLS))

    async def refresh(self) -> None:
        """
        Read the connection, unless that was a moment ago: what changed counts for a wait that
        begins.
        """
        await self._read_connection_again(self._session)

    @property
    def statuses(self) -> Statuses:
        """Which status means what, as the connection says; the defaults before it was read."""
        if self._session is None:
            return Statuses()
        return self._session.settings.statuses

    async def poll(self, coupon_list_id: str, coupon_file_id: str) -> CouponFile:
        """
        Read a coupon file once; if the key is refused and the connection has another one, once
        more.

        :raises WesError: why it could not be read.
        """

        def request(settings: WesSettings) -> Request:
            request = get_coupon_file(settings, coupon_list_id, coupon_file_id)
            return request._replace(secrets=tuple(self.secrets))

        return await self._read(request, file_of_list)

    async def read_list(self, coupon_list_id: str) -> Listing:
        """
        Read the files of a list, as :meth:`poll` reads one.

        :raises WesError: why they could not be read.
        """

        def request(settings: WesSettings) -> Request:
            return list_coupon_files(settings, coupon_list_id)

        return await self._read(request, listing)

    async def _read(
        self,
        request_of: Callable[[WesSettings], Request],
        read: Callable[[Request, Response], Result],
    ) -> Result:
        async with self._polls:
            session = await self._usable_session()
            request = request_of(session.settings)
            try:
                return read(request, await _send(session, request))
            except (WesAuthenticationError, WesForbiddenError):
                newer = await self._session_after(session)
                if newer is session:
                    raise
            request = request_of(newer.settings)
            return read(request, await _send(newer, request))

    async def _usable_session(self) -> _Session:
        """
        Return the session of the last reading; the first poll reads the connection.

        :raises WesUnreadableConnectionError: if it never could be read.
        """
        if self._session is None:
            await self._read_connection_again(None)
        if self._session is None:
            raise self._unreadable()
        return self._session

    async def _session_after(self, refused: _Session) -> _Session:
        """
        Return the session of the connection as it is now; the same one if nothing has changed.

        :param refused: whose key was refused.
        :raises WesUnreadableConnectionError: if the connection cannot be read now.
        """
        await self._read_connection_again(refused)
        if self._session is not None and self._session is not refused:
            return self._session
        if self._problem:
            raise self._unreadable()
        return refused

    async def _read_connection_again(self, known: _Session | None) -> None:
        """
        Read the connection, and make a session of it if it has changed. Do nothing if another wait
        has replaced the session that the caller knows, or has read the connection in the last five
        seconds.
        """
        async with self._lock:
            if self._session is not known:
                return
            if time.monotonic() - self._read_at < READ_AGAIN_AFTER:
                return
            try:
                settings = await asyncio.wait_for(self._read_settings(), LONGEST_READING)
                if self._session is None or settings != self._session.settings:
                    self._session = _open_session(settings)
                    self._opened.append(self._session)
                self._problem = ""
            except (WesConfigurationError, WesConnectionError) as error:
                self._problem = str(error)
            except Exception as error:
                # Airflow's and a backend's errors may quote what they were sent.
                self._problem = type(error).__name__
            finally:
                self._read_at = time.monotonic()

    def _unreadable(self) -> WesUnreadableConnectionError:
        return WesUnreadableConnectionError(f"The connection cannot be read: {self._problem}")


def _open_session(settings: WesSettings) -> _Session:
    environment = read_environment(settings)
    if environment.proxy.lower().startswith(failures.SOCKS):
        raise failures.unusable_proxy(environment.proxy_variable, failures.NO_WAITS)
    http = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(
            limit=0, keepalive_timeout=KEEP_ALIVE, ssl=_tls_context(environment.verify)
        ),
        timeout=aiohttp.ClientTimeout(
            total=settings.read_timeout, connect=settings.connect_timeout
        ),
        cookie_jar=aiohttp.DummyCookieJar(),
        max_line_size=LONGEST_HEADER,
        max_field_size=LONGEST_HEADER,
    )
    credentials = settings.credentials(settings.api_key).decode()
    authorization = f"Basic {credentials}"
    return _Session(settings, http, authorization, environment.proxy, environment.proxy_variable)


def _tls_context(verify: bool | str) -> ssl.SSLContext | bool:
    """Return what aiohttp verifies certificates with, by what ``requests`` calls ``verify``."""
    if verify is False:
        return False
    if verify is True:
        return _usual_tls_context()
    if os.path.isdir(verify):
        return ssl.create_default_context(capath=verify)
    return ssl.create_default_context(cafile=verify)


@cache
def _usual_tls_context() -> ssl.SSLContext:
    """
    Return what all sessions share that trust the usual certificates: to read those keeps the
    event loop from its other waits for ten milliseconds.
    """
    return ssl.create_default_context(cafile=certifi.where())


async def send_poll(settings: WesSettings, request: Request) -> Response:
    """
    Send one read as a wait does, over a session of its own.

    :raises WesError: why no whole response came.
    """
    session = _open_session(settings)
    try:
        return await _send(session, request)
    finally:
        await session.http.close()


async def _send(session: _Session, request: Request) -> Response:
    status: int | None = None
    body = bytearray()
    headers: Mapping[str, str] = {}
    try:
        async with session.http.get(
            yarl.URL(request.url, encoded=True),
            # Not those of aiohttp's session, which it sends to a proxy, too.
            headers={**request.headers, "Authorization": session.authorization},
            allow_redirects=False,
            proxy=session.proxy or None,
        ) as response:
            status, headers = response.status, response.headers
            async for chunk in response.content.iter_any():
                body += chunk
                if len(body) > request.operation.largest_response:
                    break
            return Response.of(session.settings, response.status, response.headers, bytes(body))
    except aiohttp.ClientHttpProxyError as error:
        tunnel = f"{error.status} {error.message}"
        raise failures.not_sent(request, error, tunnel, session.proxy_variable) from None
    except (
        aiohttp.ClientConnectorError,
        aiohttp.ConnectionTimeoutError,
        aiohttp.InvalidURL,
    ) as error:
        variable = session.proxy_variable
        raise failures.not_sent(request, error, proxy_variable=variable) from None
    except asyncio.TimeoutError as error:
        endless = failures.endless_body(bytes(body), headers)
        raise failures.no_response(request, endless or error, status) from None
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise failures.no_response(request, error, status) from None
