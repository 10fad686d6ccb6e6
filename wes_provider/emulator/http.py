"""
The service over HTTP: requests, responses, faults on the wire; and the controls under a prefix of their own.

No router and no application: a path is read as it is on the wire, and the way from request to response stays short.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from email.utils import formatdate
from typing import Any, Final

from aiohttp import web
from multidict import CIMultiDict

from wes_provider import contract
from wes_provider.emulator import spoiling
from wes_provider.emulator.actions import Actions
from wes_provider.emulator.addresses import CONTROL_PATH, HOSTING_PATH
from wes_provider.emulator.browsers import SAFE_HEADERS, from_another_site, is_another_name
from wes_provider.emulator.clock import LATEST
from wes_provider.emulator.hosting import Hosting
from wes_provider.emulator.live import Pages
from wes_provider.emulator.page import PAGE_FILES, page_file
from wes_provider.emulator.replies import PAYLOAD_TOO_LARGE, Refusal, Reply
from wes_provider.emulator.service import Service

__all__ = ["Front"]

_log = logging.getLogger(__name__)

_CONTROL_PREFIX: Final = f"{CONTROL_PATH}/"
_HOSTING_PREFIX: Final = f"{HOSTING_PATH.removeprefix(_CONTROL_PREFIX)}/"
_MOST_BYTES: Final = 64 * contract.MIB  # of a request body; the contract has no such limit, memory has
_ANOTHER_SITE: Final = Refusal(
    403, contract.REQUEST_FORBIDDEN, "The emulator takes no requests of other web pages."
).reply()
_DEFECT: Final = Refusal(500, contract.UNEXPECTED_ERROR, "The emulator has a defect; its log shows it.").reply()


class Front:
    """
    Responds to every request.

    :param fetch_due: waits for those of a list's files whose time has come and that are not fetched yet.
    """

    def __init__(
        self, service: Service, actions: Actions, hosting: Hosting, fetch_due: Callable[[str], Awaitable[None]]
    ) -> None:
        self._service, self._actions, self._hosting = service, actions, hosting
        self._fetch_due = fetch_due
        self._pages = Pages(service, actions.connection_fields)
        self._date_second, self._date = 0, ""
        self._used: set[object] = set()  # connections that have had a request of the service

    async def __call__(self, request: web.BaseRequest) -> web.StreamResponse:
        """The handler that ``aiohttp.web.Server`` calls."""
        try:
            body = await _read(request)
        except Refusal as refusal:
            return self._response(refusal.reply())
        path = request.raw_path
        controls = path.startswith(CONTROL_PATH)
        if from_another_site(request.headers) or (controls and is_another_name(request.headers)):
            return self._response(_ANOTHER_SITE)
        try:
            return await (self._controlled(request, path, body) if controls else self._served(request, path, body))
        except (ConnectionError, asyncio.CancelledError):  # the caller has had enough
            raise
        except Exception:
            _log.exception("The emulator has a defect: %s %s", request.method, path)
            return self._response(_DEFECT)

    def forget(self, connection: object) -> None:
        """A connection has ended."""
        self._used.discard(connection)

    async def _served(self, request: web.BaseRequest, path: str, body: bytes) -> web.StreamResponse:
        """The response of the service."""
        service = self._service
        if service.coupons.unfetched and request.method == "GET":
            for list_id in service.lists_read_by(path):
                await self._fetch_due(list_id)
        if request.protocol not in self._used:
            self._used.add(request.protocol)
            service.log.counts["connections"] += 1
        reply, fault = service.respond(request.method, path, request.headers, body)
        if fault is not None:
            with suppress(ConnectionError):  # the caller has had enough
                return await spoiling.respond(request, reply, fault, self._headers(reply))
            return web.Response()  # goes nowhere
        return self._response(reply) if reply.stream is None else await self._streamed(request, reply, reply.stream)

    async def _controlled(self, request: web.BaseRequest, path: str, body: bytes) -> web.StreamResponse:
        """The response of a control, of the page, or of hosted files."""
        if path == CONTROL_PATH:
            return self._response(Reply(308, headers={"Location": _CONTROL_PREFIX}))
        target = path.removeprefix(_CONTROL_PREFIX)
        if target.startswith(_HOSTING_PREFIX):
            return self._hosting.response(request, target.removeprefix(_HOSTING_PREFIX))
        if target == "events" and request.method == "GET":
            return await self._pages.send_events(request)
        if target in PAGE_FILES and request.method == "GET":
            return self._response(page_file(target).with_headers(SAFE_HEADERS))
        try:
            result: Any = await self._actions.requested(request.method, target, request.content_type, body)
            reply = Reply.json(200, result)
        except (ValueError, RecursionError) as error:
            reply = Refusal(400, contract.INVALID_REQUEST, str(error)).reply()
        except Refusal as refusal:
            reply = refusal.reply()
        return self._response(reply.with_headers(SAFE_HEADERS))

    def _headers(self, reply: Reply) -> CIMultiDict[str]:
        settings = self._service.settings
        second = int(min(max(0.0, self._service.clock.now() + settings.date_skew), LATEST))
        if second != self._date_second:
            self._date_second, self._date = second, formatdate(second, usegmt=True)
        date = self._date if settings.date_header else ""  # aiohttp would add one that is missing
        headers = CIMultiDict({"Date": date, "Server": "wes-emulator"})
        for name in reply.headers:
            headers.pop(name, None)
        headers.extend(reply.headers)
        return headers

    def _response(self, reply: Reply) -> web.Response:
        return web.Response(status=reply.status, body=reply.body, headers=self._headers(reply))

    async def _streamed(self, request: web.BaseRequest, reply: Reply, pieces: Iterable[bytes]) -> web.StreamResponse:
        response = web.StreamResponse(status=reply.status, headers=self._headers(reply))
        response.enable_chunked_encoding()
        with suppress(ConnectionResetError):  # the caller has read enough
            await spoiling.write(request, response, pieces)
        return response


async def _read(request: web.BaseRequest) -> bytes:
    """The whole body, which may be longer than aiohttp would take, but not endless."""
    if not request.can_read_body:
        return b""
    pieces, length = [], 0
    async for piece in request.content.iter_any():
        pieces.append(piece)
        length += len(piece)
        if length > _MOST_BYTES:
            raise Refusal(413, PAYLOAD_TOO_LARGE, f"A request takes at most {_MOST_BYTES} bytes.")
    return b"".join(pieces)
