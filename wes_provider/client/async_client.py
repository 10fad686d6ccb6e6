"""The asynchronous driver: calls run over one ``aiohttp`` session, which all waits of a connection share."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from weakref import WeakSet

import aiohttp
import tenacity
import yarl

from wes_provider.client.concurrent_reads import ConcurrentReads
from wes_provider.client.environment import ca_bundle, proxy_for, tls_context
from wes_provider.client.events import report
from wes_provider.client.operations import MAX_BODY, Operation, Operations, Request, Response
from wes_provider.client.read_limit import ReadLimit
from wes_provider.client.retry import Attempts, response_lost, retrying_arguments, transport_error
from wes_provider.client.settings import WesSettings

__all__ = ["AsyncWesClient"]

T = TypeVar("T")

KEEP_ALIVE: Final = 75.0  # seconds; longer than the usual poll interval, so that polls find a connection open
CLOSE_AFTER: Final = 1.0  # seconds in which a read may still begin that was decided on before


class AsyncWesClient:
    """
    Runs calls over one session; a context manager of the event loop it is entered on.

    :param settings: the settings of the connection.
    :param sleep: how to wait between attempts.
    :ivar operations: those of the connection.
    """

    def __init__(self, settings: WesSettings, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self.settings = settings
        self.operations = Operations(settings)
        self._retrying = tenacity.AsyncRetrying(sleep=sleep, **retrying_arguments(settings))
        self._reads = ConcurrentReads()
        self._read_limit = ReadLimit()
        # Not aiohttp's trust_env, which reads the environment for each request, in a thread, and ~/.netrc besides.
        self._proxy = proxy_for(settings.base_url)
        self._bundle = ca_bundle(settings.verify)
        # As headers of the session, they need not be merged for each poll, which takes a tenth of its time. Not with a
        # proxy: for CONNECT, aiohttp would send them to the proxy as well, in clear.
        self._session_headers = None if self._proxy else self.operations.campaign_headers
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> AsyncWesClient:
        settings = self.settings
        self._session = aiohttp.ClientSession(
            connector=_Connector(limit=0, keepalive_timeout=KEEP_ALIVE, ssl=tls_context(self._bundle)),
            timeout=aiohttp.ClientTimeout(
                # One timer a request; sock_read would take two more. It bounds the whole response, so what comes
                # byte by byte and a proxy that does not respond as well.
                total=settings.read_timeout,
                connect=settings.connect_timeout,  # of all of it: a proxy's response to CONNECT and TLS, too
            ),
            headers=self._session_headers,
            auto_decompress=False,
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        # aiohttp would send a read again by itself, behind the policy's back; it has no public switch for that.
        self._session._retry_connection = False
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        session, self._session = self._session, None
        if session is not None:
            connector = session.connector
            await session.close()
            if isinstance(connector, _Connector):
                await connector.end_tls()

    @property
    def queues(self) -> bool:
        """Whether a read would wait for others to end. No timeout of the connection bounds that time."""
        return self._reads.locked()

    async def close_after_reads(self) -> None:
        """Close the session once the reads that were begun, or are about to begin, have ended."""
        taken = 0
        try:
            await asyncio.sleep(CLOSE_AFTER)
            while taken < self._reads.size:
                await self._reads.acquire()  # in the order of those who wait for it
                taken += 1
        finally:
            await self.__aexit__()
            for _ in range(taken):
                self._reads.release()

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

    async def run_once(self, operation: Operation[T], *, regardless_of_limit: bool = False) -> T:
        """
        Run a call with a single attempt.

        :param regardless_of_limit: send a read even if the service would probably refuse it.
        :raises WesRateLimitError: instead of sending a read, if an earlier response said when reads of the list may go
            on.
        """
        request = operation.request
        if request.method != "GET":
            return operation.read(await self._send(request))
        # Around the session, whose timeouts would count the time in its own queue.
        async with self._reads:
            if not regardless_of_limit:
                self._read_limit.check(request)
            self._read_limit.begin(request)
            try:
                response = await self._send(request)
                self._read_limit.record(request, response)
            finally:
                self._read_limit.end(request)
        return operation.read(response)

    async def _send(self, request: Request) -> Response:
        if self._session is None:
            raise RuntimeError("AsyncWesClient is used outside of its context")
        report("requests", request.operation)
        progress = _Progress()
        _progress.set(progress)
        try:
            async with self._session.request(
                request.method,
                yarl.URL(request.url, encoded=True),
                # aiohttp warns that sending large bytes in one go blocks the loop.
                data=None if request.body is None else io.BytesIO(request.body),
                headers=None if request.headers is self._session_headers else request.headers,
                allow_redirects=False,
                proxy=self._proxy,
            ) as response:
                try:
                    body = await _read(response)
                except (aiohttp.ClientError, asyncio.TimeoutError) as error:
                    if response.status < 400:
                        why = f"the response broke off ({type(error).__name__})"
                        raise response_lost(request, why, response.status) from None
                    body = b""  # the status says enough
                return Response(response.status, _headers(response), body)
        except (aiohttp.ClientError, asyncio.TimeoutError, OSError) as error:
            raise transport_error(request, _reason(error), sent=progress.sent) from None


async def _read(response: aiohttp.ClientResponse) -> bytes:
    """The body as it is on the wire, up to the bound."""
    chunks, size = [], 0
    while size <= MAX_BODY and not response.content.at_eof():
        chunks.append(await response.content.readany())
        size += len(chunks[-1])
    if size > MAX_BODY:
        response.close()
    return b"".join(chunks)[: MAX_BODY + 1]


def _headers(response: aiohttp.ClientResponse) -> dict[str, str]:
    headers = {name.lower(): value for name, value in response.headers.items()}
    if len(headers) < len(response.headers):
        headers = {name: ", ".join(response.headers.getall(name)) for name in headers}
    return headers


def _reason(error: BaseException) -> str:
    inner = getattr(error, "os_error", None) or getattr(error, "certificate_error", None) or ""
    return f"{type(error).__name__}: {inner}".rstrip(": ")


@dataclass
class _Progress:
    """How far a request has come."""

    sent: bool = False


_progress: ContextVar[_Progress] = ContextVar("progress")


class _Connector(aiohttp.TCPConnector):
    """
    Notes that a request is sent next: its connection is established, through a proxy's tunnel and after TLS.

    A proxy's CONNECT does not pass here.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._tls: WeakSet[asyncio.WriteTransport] = WeakSet()

    async def connect(self, *args: Any, **kwargs: Any) -> Any:
        connection = await super().connect(*args, **kwargs)
        _progress.get().sent = True
        transport = connection.transport
        if transport is not None and transport.get_extra_info("sslcontext") is not None:
            with suppress(TypeError):  # transports of uvloop take no weak references
                self._tls.add(transport)
        return connection

    async def end_tls(self) -> None:
        """
        End what is left of closed TLS connections.

        aiohttp waits for those in its pool only. One that it gave up before (``Connection: close``, a timeout) still
        waits for the other side's end of TLS, and a loop that stops meanwhile would leave its socket open.
        """
        for transport in list(self._tls):
            transport.abort()
        await asyncio.sleep(0)  # the loop closes their sockets
