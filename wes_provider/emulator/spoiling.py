"""Responses that go wrong on the wire."""

from __future__ import annotations

import asyncio
import itertools
import socket
import struct
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from aiohttp import web

from wes_provider.emulator.faults import Fault
from wes_provider.emulator.replies import Reply

if TYPE_CHECKING:
    from multidict import CIMultiDict

__all__ = ["respond", "write"]

_PIECE: Final = b" " * (64 * 1024)
_UNSENT: Final = 1000  # bytes that a truncated response promises and does not send


async def respond(
    request: web.BaseRequest, reply: Reply, fault: Fault, headers: CIMultiDict[str]
) -> web.StreamResponse:
    """
    Send a response that a fault spoils.

    :param reply: with the fault's status and body.
    :param headers: of the response.
    :raises ConnectionError: if the caller hangs up meanwhile.
    """
    if fault.delay and not fault.dribble:
        await asyncio.sleep(fault.delay)
    if fault.unanswered:
        _hang_up(request, reply.body if fault.ending == "raw" else b"", reset=fault.ending == "reset")
        return web.Response()  # goes nowhere
    if fault.ending == "whole" and fault.size is None and not fault.dribble:
        return web.Response(status=reply.status, body=reply.body, headers=headers)
    response = web.StreamResponse(status=reply.status, headers=headers)
    if fault.ending == "endless":
        await write(request, response, itertools.repeat(_PIECE))  # until the caller hangs up, which raises there
    elif fault.size is not None:
        if fault.compressed:
            response.headers["Content-Encoding"] = "gzip"
        else:
            response.content_length = fault.size
        await write(request, response, await asyncio.to_thread(fault.pieces))  # packing many bytes takes a while
    else:
        response.content_length = len(reply.body) + (_UNSENT if fault.ending == "truncated" else 0)
        pieces = [bytes([one]) for one in reply.body] if fault.dribble else [reply.body]
        await write(request, response, pieces, pause=fault.delay / max(1, len(pieces)) if fault.dribble else 0)
        if fault.ending == "truncated":
            _hang_up(request)
    return response


async def write(
    request: web.BaseRequest, response: web.StreamResponse, pieces: Iterable[bytes], *, pause: float = 0
) -> None:
    """Send the pieces of a body; other requests are served meanwhile."""
    await response.prepare(request)
    for piece in pieces:
        await response.write(piece)
        await asyncio.sleep(pause)


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
