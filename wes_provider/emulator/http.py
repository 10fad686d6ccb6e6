"""
The service over HTTP: requests, responses, faults on the wire; and the controls under a prefix of
their own.

No router and no application: a path is read as it is on the wire, and the way from request to
response stays short.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import struct
from collections.abc import Awaitable, Callable
from email.utils import formatdate
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from aiohttp import web
from multidict import CIMultiDict

from wes_provider import contract
from wes_provider.emulator.actions import Actions
from wes_provider.emulator.checks import PAYLOAD_TOO_LARGE, SAFE_HEADERS, Refusal, Reply
from wes_provider.emulator.faults import Fault
from wes_provider.emulator.hosting import Hosting
from wes_provider.emulator.page import PAGE_FILES, Pages, page_file
from wes_provider.emulator.service import Service
from wes_provider.emulator.settings import CONTROL_PATH, HOSTING_PATH
from wes_provider.emulator.world import LATEST

if TYPE_CHECKING:
    from multidict import MultiMapping

__all__ = ["Front"]

_log = logging.getLogger(__name__)

_CONTROL_PREFIX: Final = f"{CONTROL_PATH}/"
_HOSTING_PREFIX: Final = f"{HOSTING_PATH.removeprefix(_CONTROL_PREFIX)}/"
# Of a request body; the contract has no such limit, memory has.
_MOST_BYTES: Final = 64 * contract.MIB
_UNSENT: Final = 1000  # bytes that a truncated response promises and does not send
_ANOTHER_SITE: Final = Refusal(
    403, contract.REQUEST_FORBIDDEN, "The emulator takes no requests of other web pages."
)
_DEFECT: Final = Refusal(
    500, contract.UNEXPECTED_ERROR, "The emulator has a defect; its log shows it."
)

# Nobody can register these: RFC 6761, section 6.3, and ICANN's resolution 2024.07.29.06
# (host.docker.internal).
_OF_NOBODY: Final = (".localhost", ".internal")


class Front:
    """
    Responds to every request.

    :param fetch_due: waits for those of a list's files whose time has come and that are not fetched
        yet.
    """

    def __init__(
        self,
        service: Service,
        actions: Actions,
        hosting: Hosting,
        fetch_due: Callable[[str], Awaitable[None]],
    ) -> None:
        self._service, self._actions, self._hosting, self._fetch_due = (
            service,
            actions,
            hosting,
            fetch_due,
        )
        self._pages = Pages(service, actions.connection_fields)
        self._date_second, self._date = 0, ""

    async def __call__(self, request: web.BaseRequest) -> web.StreamResponse:
        """The handler that ``aiohttp.web.Server`` calls."""
        controls = request.raw_path.startswith(CONTROL_PATH)
        try:
            if _from_another_site(request.headers) or (
                controls and _is_another_name(request.headers)
            ):
                raise _ANOTHER_SITE
            body = await _read(request)
            return await (
                self._controlled(request, body) if controls else self._served(request, body)
            )
        except Refusal as refusal:
            return self._response(refusal.reply())
        except ConnectionError:  # the caller has had enough
            return web.Response()  # goes nowhere
        except Exception:
            _log.exception("The emulator has a defect: %s %s", request.method, request.raw_path)
            return self._response(_DEFECT.reply())

    async def _served(self, request: web.BaseRequest, body: bytes) -> web.StreamResponse:
        """The response of the service."""
        service, path = self._service, request.raw_path
        if service.coupons.unfetched and request.method == "GET":
            for list_id in service.lists_read_by(path):
                await self._fetch_due(list_id)
        reply, fault = service.respond(request.method, path, request.headers, body)
        return (
            self._response(reply)
            if fault is None
            else await _spoilt(request, self._response(reply), fault)
        )

    async def _controlled(self, request: web.BaseRequest, body: bytes) -> web.StreamResponse:
        """The response of a control, of the page, or of hosted files."""
        path, is_get = request.raw_path, request.method == "GET"
        target = path.removeprefix(_CONTROL_PREFIX)
        if path == CONTROL_PATH:
            return self._response(Reply(308, headers={"Location": _CONTROL_PREFIX}))
        if target.startswith(_HOSTING_PREFIX):
            return self._hosting.response(request, target.removeprefix(_HOSTING_PREFIX))
        if target == "events" and is_get:
            return await self._pages.send_events(request)
        if target in PAGE_FILES and is_get:
            return self._response(page_file(target))
        try:
            result = await self._actions.requested(
                request.method, target, request.content_type, body
            )
            return self._response(Reply.json(200, result).with_headers(SAFE_HEADERS))
        except (ValueError, RecursionError) as error:
            raise Refusal(400, contract.INVALID_REQUEST, str(error), SAFE_HEADERS) from None

    def _response(self, reply: Reply) -> web.Response:
        settings = self._service.settings
        second = int(min(max(0.0, self._service.clock.now() + settings.date_skew), LATEST))
        if second != self._date_second:
            self._date_second, self._date = second, formatdate(second, usegmt=True)
        date = self._date if settings.date_header else ""  # aiohttp would add one that is missing
        headers = CIMultiDict({"Date": date, "Server": "wes-emulator"})
        for name in reply.headers:
            headers.pop(name, None)
        headers.extend(reply.headers)
        return web.Response(status=reply.status, body=reply.body, headers=headers)


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


# -- other pages of the browser --------------------------------------------------------------------

# A page at another address says so in ``Origin``. A page whose own name was made to lead to this
# machine (DNS rebinding) does not, but it has that name in ``Host``; so the controls take no name
# that can be somebody's.


def _from_another_site(headers: MultiMapping[str]) -> bool:
    """
    Whether a browser sends the request for a page that is not the emulator's own; other programs
    send no such.
    """
    host = headers.get("Host", "").lower()
    origins = [origin.lower() for origin in headers.getall("Origin", ())]
    return bool(origins) and origins not in ([f"http://{host}"], [f"https://{host}"])


def _is_another_name(headers: MultiMapping[str]) -> bool:
    """Whether the request was sent to a name that can be somebody's on the internet."""
    try:
        name = (urlsplit(f"//{headers.get('Host', '')}").hostname or "").rstrip(".")
        if name.endswith(_OF_NOBODY) or ("." not in name and ":" not in name):
            return False
        ipaddress.ip_address(name)
    except ValueError:
        return True
    return False


# -- faults ----------------------------------------------------------------------------------------


async def _spoilt(
    request: web.BaseRequest, reply: web.Response, fault: Fault
) -> web.StreamResponse:
    """Send a response, with the fault's status, headers and body, that a fault spoils."""
    await asyncio.sleep(fault.delay)
    if fault.unanswered:
        _hang_up(request, reset=fault.ending == "reset")
        return web.Response()  # goes nowhere
    if fault.ending == "whole":
        return reply
    body = reply.body if isinstance(reply.body, bytes) else b""
    response = web.StreamResponse(status=reply.status, headers=reply.headers)
    response.content_length = len(body) + _UNSENT
    await response.prepare(request)
    await response.write(body)
    _hang_up(request)
    return response


def _hang_up(request: web.BaseRequest, *, reset: bool = False) -> None:
    transport = request.transport
    if transport is None:  # the caller was faster
        return
    if reset:
        linger = struct.pack("ii", 1, 0)  # on, for no time: the kernel sends RST
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        transport.abort()
    else:
        transport.close()
