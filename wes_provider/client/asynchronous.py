"""The asynchronous driver: calls run over one ``aiohttp`` session."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import Awaitable, Callable
from typing import TypeVar

import aiohttp
import tenacity
import yarl

from wes_provider.client.calls import MAX_BODY, Answer, Call, Request
from wes_provider.client.policy import answer_lost, not_reached, retrying_arguments
from wes_provider.client.settings import WesSettings
from wes_provider.exceptions import WesError

__all__ = ["AsyncWesClient"]

T = TypeVar("T")

KEEP_ALIVE = 75.0  # seconds; longer than the usual poll interval, so that polls find a connection open


class AsyncWesClient:
    """
    Runs calls over one session; a context manager of the event loop it is entered on.

    :param settings: of the connection.
    :param sleep: how to wait between attempts.
    """

    def __init__(self, settings: WesSettings, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self.settings = settings
        self._retrying = tenacity.AsyncRetrying(sleep=sleep, **retrying_arguments(settings))
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> AsyncWesClient:
        settings = self.settings
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(keepalive_timeout=KEEP_ALIVE, ssl=_ssl(settings.verify)),
            timeout=aiohttp.ClientTimeout(
                # The body may take as long again as the first byte of the answer.
                total=settings.connect_timeout + 2 * settings.read_timeout,
                sock_connect=settings.connect_timeout,
                sock_read=settings.read_timeout,
            ),
            auto_decompress=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=True,
        )
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def call(self, call: Call[T]) -> T:
        """
        Run a call, repeated as the policy says.

        :raises WesError: what came of the last attempt.
        """
        result: T = await self._retrying(self.once, call)
        return result

    async def once(self, call: Call[T]) -> T:
        """Run a call with a single attempt."""
        return call.read(await self._send(call.request))

    async def _send(self, request: Request) -> Answer:
        if self._session is None:
            raise RuntimeError("AsyncWesClient is used outside of its context")
        try:
            async with self._session.request(
                request.method,
                yarl.URL(request.url, encoded=True),
                data=request.body,
                headers=request.headers,
                allow_redirects=False,
            ) as response:
                try:
                    body = await _read(response)
                except (aiohttp.ClientError, asyncio.TimeoutError) as error:
                    if response.status < 400:
                        raise answer_lost(request, f"the answer broke off ({type(error).__name__})") from None
                    body = b""  # the status says enough
                return Answer(response.status, _headers(response), body)
        except (aiohttp.ClientError, asyncio.TimeoutError, OSError) as error:
            raise _transport_error(request, error) from None


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
    headers: dict[str, str] = {}
    for name, value in response.headers.items():
        name = name.lower()
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def _ssl(verify: bool | str) -> ssl.SSLContext | bool:
    if isinstance(verify, bool):
        return verify
    if os.path.isdir(verify):
        return ssl.create_default_context(capath=verify)
    return ssl.create_default_context(cafile=verify)


def _transport_error(request: Request, error: BaseException) -> WesError:
    reason = (
        f"{type(error).__name__}: {getattr(error, 'os_error', None) or getattr(error, 'certificate_error', None) or ''}"
    )
    reason = reason.rstrip(": ")
    if isinstance(error, (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError, aiohttp.ClientHttpProxyError)):
        return not_reached(request, reason)
    return answer_lost(request, f"no answer: {reason}")
