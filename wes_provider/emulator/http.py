"""
The service over HTTP: requests, responses, faults on the wire; and the controls under a prefix of their own.

No router and no application: a path is read as it is on the wire, and the way from request to response stays short.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from email.utils import formatdate
from typing import Final

from aiohttp import web
from multidict import CIMultiDict

from wes_provider import contract
from wes_provider.emulator.actions import DEFECT, Actions
from wes_provider.emulator.addresses import CONTROL_PATH, HOSTING_PATH
from wes_provider.emulator.browsers import SAFE_HEADERS, from_another_site, is_another_name
from wes_provider.emulator.clock import LATEST
from wes_provider.emulator.faults import Fault
from wes_provider.emulator.hosting import Hosting
from wes_provider.emulator.live import Pages
from wes_provider.emulator.replies import PAYLOAD_TOO_LARGE, Refusal, Reply, refuse
from wes_provider.emulator.service import Service

__all__ = ["Front"]

_log = logging.getLogger(__name__)

_CONTROL_PREFIX: Final = f"{CONTROL_PATH}/"
_HOSTING_PREFIX: Final = f"{HOSTING_PATH.removeprefix(_CONTROL_PREFIX)}/"
_MOST_BYTES: Final = 64 * contract.MIB  # of a request body; the contract has no such limit, memory has
_PIECE: Final = b" " * (64 * 1024)
_UNSENT: Final = 1000  # bytes that a truncated response promises and does not send
_ANOTHER_SITE: Final = Reply.json(
    403,
    {"error": {"code": contract.REQUEST_FORBIDDEN, "message": "The emulator takes no requests of other web pages."}},
)


class Front:
    """
    Responds to every request.

    :param fetch_due: waits for those of a list's files whose time has come and that are not fetched yet.
    """

    def __init__(
        self,
        service: Service,
        actions: Actions,
        hosting: Hosting,
        fetch_due: Callable[[str], Awaitable[None]],
    ) -> None:
        self._service = service
        self._actions = actions
        self._hosting = hosting
        self._fetch_due = fetch_due
        self._pages = Pages(service, actions.connection_fields)
        self._date_second, self._date = 0, ""
        self._used: set[object] = set()  # connections that have had a request of the service

    async def __call__(self, request: web.BaseRequest) -> web.StreamResponse:
        """The handler that ``aiohttp.web.Server`` calls."""
        try:
            body = await _read(request)
        except Refusal as refusal:
            return self._response(refusal.reply(self._service.settings))
        path = request.raw_path
        controls = path.startswith(CONTROL_PATH)
        if from_another_site(request.headers) or (controls and is_another_name(request.headers)):
            return self._response(_ANOTHER_SITE)
        if path == CONTROL_PATH:
            return self._response(Reply(308, headers={"Location": _CONTROL_PREFIX}))
        if path.startswith(_CONTROL_PREFIX):
            return await self._controlled(request, path[len(_CONTROL_PREFIX) :], body)
        if self._service.unfetched and request.method == "GET":
            for list_id in self._service.lists_read_by(path):
                await self._fetch_due(list_id)
        if request.protocol not in self._used:
            self._used.add(request.protocol)
            self._service.counts["connections"] += 1
        try:
            outcome = self._service.respond(request.method, path, request.headers, body)
        except Exception:
            _log.exception("The emulator has a defect: %s %s", request.method, path)
            return self._response(DEFECT)
        if outcome.fault is not None:
            try:
                return await self._spoilt(request, outcome.reply, outcome.fault)
            except ConnectionError:  # the caller has had enough
                return web.Response()  # goes nowhere
        if outcome.reply.stream is not None:
            return await self._streamed(request, outcome.reply, outcome.reply.stream)
        return self._response(outcome.reply)

    async def _controlled(self, request: web.BaseRequest, target: str, body: bytes) -> web.StreamResponse:
        if target.startswith(_HOSTING_PREFIX):
            return self._hosting.response(request, target[len(_HOSTING_PREFIX) :])
        if target == "events" and request.method == "GET":
            return await self._pages.send_events(request)
        response = self._response(await self._actions.reply(request.method, target, request.content_type, body))
        response.headers.update(SAFE_HEADERS)
        return response

    def forget(self, connection: object) -> None:
        """A connection has ended."""
        self._used.discard(connection)

    def _headers(self, reply: Reply) -> CIMultiDict[str]:
        second = int(min(max(0.0, self._service.clock.now() + self._service.settings.date_skew), LATEST))
        if second != self._date_second:
            self._date_second, self._date = second, formatdate(second, usegmt=True)
        date = self._date if self._service.settings.date_header else ""  # aiohttp would add one that is missing
        headers = CIMultiDict({"Date": date, "Server": "wes-emulator"})
        for name in reply.headers:
            headers.pop(name, None)
        headers.extend(reply.headers)
        return headers

    def _response(self, reply: Reply) -> web.Response:
        return web.Response(status=reply.status, body=reply.body, headers=self._headers(reply))

    async def _streamed(self, request: web.BaseRequest, reply: Reply, pieces: Iterator[bytes]) -> web.StreamResponse:
        response = web.StreamResponse(status=reply.status, headers=self._headers(reply))
        response.enable_chunked_encoding()
        await response.prepare(request)
        with suppress(ConnectionResetError):  # the caller has read enough
            for piece in pieces:
                await response.write(piece)
                await asyncio.sleep(0)  # other requests are served meanwhile
        return response

    # -- faults -----------------------------------------------------------------------------------

    async def _spoilt(self, request: web.BaseRequest, reply: Reply, fault: Fault) -> web.StreamResponse:
        if fault.delay and not fault.dribble:
            await asyncio.sleep(fault.delay)
        if fault.unanswered:
            _hang_up(request, reply.body if fault.ending == "raw" else b"", reset=fault.ending == "reset")
            return web.Response()  # goes nowhere
        if fault.ending == "whole" and fault.size is None and not fault.dribble:
            return self._response(reply)
        response = web.StreamResponse(status=reply.status, headers=self._headers(reply))
        if fault.ending == "endless":
            await response.prepare(request)
            while True:  # until the caller hangs up, which raises here
                await response.write(_PIECE)
                await asyncio.sleep(0)
        if fault.size is not None:
            if fault.compressed:
                response.headers["Content-Encoding"] = "gzip"
            else:
                response.content_length = fault.size
            pieces = await asyncio.to_thread(fault.pieces)  # packing many bytes takes a while
            await response.prepare(request)
            for piece in pieces:
                await response.write(piece)
                await asyncio.sleep(0)
            return response
        response.content_length = len(reply.body) + (_UNSENT if fault.ending == "truncated" else 0)
        await response.prepare(request)
        if fault.dribble:
            for i in range(len(reply.body)):
                await response.write(reply.body[i : i + 1])
                await asyncio.sleep(fault.delay / len(reply.body))
        else:
            await response.write(reply.body)
        if fault.ending == "truncated":
            _hang_up(request)
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
            refuse(413, PAYLOAD_TOO_LARGE, f"A request takes at most {_MOST_BYTES} bytes.")
    return b"".join(pieces)


def _hang_up(request: web.BaseRequest, last: bytes = b"", *, reset: bool = False) -> None:
    transport = request.transport
    if transport is None:  # the caller was faster
        return
    transport.write(last)
    if reset:
        linger = struct.pack("ii", 1, 0)  # on, for no time: the kernel sends RST
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        transport.abort()
    else:
        transport.close()
