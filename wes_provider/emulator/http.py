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
from wes_provider.emulator.faults import Fault
from wes_provider.emulator.hosting import Hosting
from wes_provider.emulator.page import PAGE_FILES, Pages, page_file
from wes_provider.emulator.replies import PAYLOAD_TOO_LARGE, SAFE_HEADERS, Refusal, Reply
from wes_provider.emulator.rules import Request
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
# Bytes that a truncated response promises and does not send.
_UNSENT: Final = 1000
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
    Responds to every request: of the service, of its controls, for the page and for hosted files.

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
        self._service = service
        self._actions = actions
        self._hosting = hosting
        self._fetch_due = fetch_due
        self._pages = Pages(service, actions.connection_fields)
        # The second that the date stands for: formatting it for each response would take long.
        self._date_second: int | None = None
        self._date = ""

    async def __call__(self, request: web.BaseRequest) -> web.StreamResponse:
        """Respond; ``aiohttp.web.Server`` calls this."""
        try:
            if _is_from_another_site(request.headers):
                raise _ANOTHER_SITE
            if request.raw_path.startswith(CONTROL_PATH):
                return await self._control(request)
            return await self._serve(request)
        except Refusal as refusal:
            return self._response(refusal.reply())
        except ConnectionError:  # the caller has had enough
            return web.Response()  # goes nowhere
        except Exception:
            _log.exception("The emulator has a defect: %s %s", request.method, request.raw_path)
            return self._response(_DEFECT.reply())

    async def _serve(self, request: web.BaseRequest) -> web.StreamResponse:
        """Respond as the service does."""
        body = await _read(request)
        service = self._service
        path = request.raw_path
        if service.state.coupons.unfetched and request.method == "GET":
            for list_id in service.rules.lists_read_by(path):
                await self._fetch_due(list_id)
        response = service.respond(Request(request.method, path, request.headers, body))
        sent = self._response(response.reply)
        if response.fault is None:
            return sent
        return await _spoil(request, sent, response.fault)

    async def _control(self, request: web.BaseRequest) -> web.StreamResponse:
        """Respond to a control, for the page, or with a hosted file."""
        if _is_for_another_name(request.headers):
            raise _ANOTHER_SITE
        body = await _read(request)
        path = request.raw_path
        if path == CONTROL_PATH:
            return self._response(Reply(308, headers={"Location": _CONTROL_PREFIX}))
        target = path.removeprefix(_CONTROL_PREFIX)
        if target.startswith(_HOSTING_PREFIX):
            return self._hosting.response(request, target.removeprefix(_HOSTING_PREFIX))
        if request.method == "GET":
            if target == "events":
                return await self._pages.send_events(request)
            if target in PAGE_FILES:
                return self._response(page_file(target))
        try:
            result = await self._actions.requested(
                request.method, target, request.content_type, body
            )
        except (ValueError, RecursionError) as error:
            raise Refusal(400, contract.INVALID_REQUEST, str(error), SAFE_HEADERS) from None
        return self._response(Reply.json(200, result).with_headers(SAFE_HEADERS))

    def _response(self, reply: Reply) -> web.Response:
        headers = CIMultiDict({"Date": self._date_now(), "Server": "wes-emulator"})
        for name in reply.headers:
            headers.pop(name, None)
        headers.extend(reply.headers)
        return web.Response(status=reply.status, body=reply.body, headers=headers)

    def _date_now(self) -> str:
        """Return the ``Date`` header; empty without one, since aiohttp would add a missing one."""
        settings = self._service.settings
        if not settings.date_header:
            return ""
        second = int(min(max(0.0, self._service.clock.now() + settings.date_skew), LATEST))
        if second != self._date_second:
            self._date_second = second
            self._date = formatdate(second, usegmt=True)
        return self._date


async def _read(request: web.BaseRequest) -> bytes:
    """Read the whole body, which may be longer than aiohttp would take, but not endless."""
    if not request.can_read_body:
        return b""
    pieces = []
    length = 0
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


def _is_from_another_site(headers: MultiMapping[str]) -> bool:
    """
    Tell whether a browser sends the request for a page that is not the emulator's own; other
    programs send no such.
    """
    host = headers.get("Host", "").lower()
    origins = [origin.lower() for origin in headers.getall("Origin", ())]
    return bool(origins) and origins not in ([f"http://{host}"], [f"https://{host}"])


def _is_for_another_name(headers: MultiMapping[str]) -> bool:
    """Tell whether the request was sent to a name that can be somebody's on the internet."""
    try:
        name = (urlsplit(f"//{headers.get('Host', '')}").hostname or "").rstrip(".")
        if name.endswith(_OF_NOBODY) or ("." not in name and ":" not in name):
            return False
        ipaddress.ip_address(name)
    except ValueError:
        return True
    return False


# -- faults ----------------------------------------------------------------------------------------


async def _spoil(
    request: web.BaseRequest,
    reply: web.Response,
    fault: Fault,
) -> web.StreamResponse:
    """Send a response, which has the fault's status, headers and body, as the fault spoils it."""
    await asyncio.sleep(fault.delay)
    if fault.unanswered:
        _hang_up(request, reset=fault.ending == "reset")
        return web.Response()  # goes nowhere
    if fault.ending == "whole":
        return reply
    body = b""
    if isinstance(reply.body, bytes):
        body = reply.body
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
        # On, for no time: the kernel sends RST.
        linger = struct.pack("ii", 1, 0)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        transport.abort()
    else:
        transport.close()
