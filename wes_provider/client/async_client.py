"""The asynchronous driver: calls run over one ``aiohttp`` session, which all waits of a connection share."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import ssl
import urllib.request
from collections import deque
from collections.abc import Awaitable, Callable
from typing import ClassVar, Final, TypeVar
from urllib.parse import urlsplit

import aiohttp
import tenacity
import yarl

from wes_provider.client.events import report
from wes_provider.client.operations import MAX_BODY, Operation, Operations, Request, Response
from wes_provider.client.read_limit import ReadLimit
from wes_provider.client.retry import Attempts, not_reached, response_lost, retrying_arguments
from wes_provider.client.settings import WesSettings
from wes_provider.exceptions import WesError

__all__ = ["AsyncWesClient", "SharedClient"]

T = TypeVar("T")

KEEP_ALIVE: Final = 75.0  # seconds; longer than the usual poll interval, so that polls find a connection open
FIRST_CONNECTIONS: Final = 4  # at a time, while they are enough
MOST_CONNECTIONS: Final = 100  # at a time
GROW_AFTER: Final = 1.0  # seconds that requests queue before there are more connections


class AsyncWesClient:
    """
    Runs calls over one session; a context manager of the event loop it is entered on.

    :param settings: of the connection.
    :param sleep: how to wait between attempts.
    :ivar calls: the connection's operations.
    """

    def __init__(self, settings: WesSettings, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self.settings = settings
        self.operations = Operations(settings)
        self._retrying = tenacity.AsyncRetrying(sleep=sleep, **retrying_arguments(settings))
        self._slots = _Slots()
        self._read_limit = ReadLimit()
        # Looked up once: aiohttp's trust_env does so for each request, in a thread, and reads ~/.netrc besides.
        self._proxy = _proxy(settings.base_url)
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> AsyncWesClient:
        settings = self.settings
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=MOST_CONNECTIONS, keepalive_timeout=KEEP_ALIVE, ssl=_ssl(settings.verify)
            ),
            timeout=aiohttp.ClientTimeout(
                # One timer a request, where sock_read would take two more: a whole answer, headers and body, has the
                # time of a first byte. That bounds what dribbles, too, and a proxy that does not answer.
                total=settings.read_timeout,
                sock_connect=settings.connect_timeout,
            ),
            headers=self.operations.campaign_headers,
            auto_decompress=False,
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        # aiohttp would send a read again by itself, behind the policy's back; it has no public switch for that.
        self._session._retry_connection = False
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def run(self, operation: Operation[T]) -> T:
        """
        Run a call, repeated as the policy says.

        :raises WesError: what came of the last attempt.
        """
        attempts = Attempts(operation.request)

        async def attempt() -> T:
            with attempts:
                return await self.run_once(operation)

        result: T = await self._retrying(attempt)
        return result

    async def run_once(self, operation: Operation[T]) -> T:
        """
        Run a call with a single attempt.

        :raises WesRateLimitError: without asking the service, where the call reads and an earlier answer said when
            reads may go on.
        """
        request = operation.request
        if request.method != "GET":
            return operation.read(await self._send(request))
        async with self._slots:
            self._read_limit.check(request.operation)
            response = await self._send(request)
            self._read_limit.record(response, asking=self._slots.taken - 1)
        return operation.read(response)

    async def _send(self, request: Request) -> Response:
        if self._session is None:
            raise RuntimeError("AsyncWesClient is used outside of its context")
        report("requests", request.operation)
        try:
            async with self._session.request(
                request.method,
                yarl.URL(request.url, encoded=True),
                # Of large bytes, aiohttp warns that sending them in one go holds the loop up.
                data=None if request.body is None else io.BytesIO(request.body),
                # Merging the session's own ones once more would cost a poll a tenth of its time.
                headers=None if request.headers is self.operations.campaign_headers else request.headers,
                allow_redirects=False,
                proxy=self._proxy,
            ) as response:
                try:
                    body = await _read(response)
                except (aiohttp.ClientError, asyncio.TimeoutError) as error:
                    if response.status < 400:
                        why = f"the answer broke off ({type(error).__name__})"
                        raise response_lost(request, why, response.status) from None
                    body = b""  # the status says enough
                return Response(response.status, _headers(response), body)
        except (aiohttp.ClientError, asyncio.TimeoutError, OSError) as error:
            raise _transport_error(request, error) from None


class _Slots:
    """
    How many requests run at a time: few at first, and more when fewer end within ``GROW_AFTER`` than queue.

    Sparse polls so share few connections, which stay open between them, and a slow service does not hold polls up.
    A context manager, one slot each time it is entered.
    """

    __slots__ = ("_ended", "_free", "_queue", "_size", "_timer")

    def __init__(self) -> None:
        self._size = self._free = FIRST_CONNECTIONS
        self._ended = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def taken(self) -> int:
        """How many requests run now."""
        return self._size - self._free

    async def __aenter__(self) -> None:
        if self._free:
            self._free -= 1
            return
        loop = asyncio.get_running_loop()
        if self._timer is None and self._size < MOST_CONNECTIONS:
            self._ended = 0
            self._timer = loop.call_later(GROW_AFTER, self._grow)
        turn = loop.create_future()
        self._queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was this one's turn at the very moment
                self._pass_on()
            raise

    async def __aexit__(self, *exc_info: object) -> None:
        self._ended += 1
        self._pass_on()

    def _pass_on(self) -> None:
        while self._queue:
            turn = self._queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _grow(self) -> None:
        self._timer = None
        # Where many end, the queue is one that a busy machine let pile up, and more connections do not help.
        if self._ended < sum(not turn.done() for turn in self._queue):
            more = min(self._size // 2, MOST_CONNECTIONS - self._size)
            self._size += more
            for _ in range(more):
                self._pass_on()
        self._ended = 0
        if self._queue and self._size < MOST_CONNECTIONS:
            self._timer = asyncio.get_running_loop().call_later(GROW_AFTER, self._grow)


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


async def _read(response: aiohttp.ClientResponse) -> bytes:
    """The body as it is on the wire, up to the bound."""
    chunks, size = [], 0
    async for chunk in response.content.iter_any():
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_BODY:
            response.close()
            break
    return b"".join(chunks)[: MAX_BODY + 1]


def _headers(response: aiohttp.ClientResponse) -> dict[str, str]:
    headers = {name.lower(): value for name, value in response.headers.items()}
    if len(headers) < len(response.headers):
        headers = {name: ", ".join(response.headers.getall(name)) for name in headers}
    return headers


def _ssl(verify: bool | str) -> ssl.SSLContext | bool:
    if verify is True:  # as requests does
        verify = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE") or True
    if isinstance(verify, bool):
        return verify
    if os.path.isdir(verify):
        return ssl.create_default_context(capath=verify)
    return ssl.create_default_context(cafile=verify)


def _proxy(base_url: str) -> yarl.URL | None:
    """The environment's proxy for the service."""
    parts = urlsplit(base_url)
    if urllib.request.proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    proxies = urllib.request.getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    return yarl.URL(proxy) if proxy else None


def _transport_error(request: Request, error: BaseException) -> WesError:
    reason = (
        f"{type(error).__name__}: {getattr(error, 'os_error', None) or getattr(error, 'certificate_error', None) or ''}"
    )
    reason = reason.rstrip(": ")
    if isinstance(error, (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError, aiohttp.ClientHttpProxyError)):
        return not_reached(request, reason)
    return response_lost(request, f"no answer: {reason}")
