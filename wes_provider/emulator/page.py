"""The page that an emulator shows in a browser: its files, and the events that update it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, Final

from aiohttp import web

from wes_provider.emulator.page_state import newest_requests, read_state
from wes_provider.emulator.replies import SAFE_HEADERS, JsonObject, Reply
from wes_provider.emulator.service import Service

__all__ = ["NOT_REPRODUCED", "PAGE_FILES", "Pages", "page_file"]

NOT_REPRODUCED: Final = (
    "What the contract does not show is guessed, and most guesses can be changed by a setting.",
    "Statuses after PENDING, the reads of coupon files and their fields, the callback's method "
    "and body, and every error of catalogs and segments are such guesses.",
    "Which users a segment's filters select is not computed; filters are stored as they come.",
    "Lists cannot be created, activated or archived: a list exists as soon as a file is uploaded "
    "to it.",
    "Coupons are counted; which ones are handed out is not known.",
    "Catalogs take no items.",
    "Its speed says nothing about the speed of the service.",
)

PAGE_FILES: Final = {"": "text/html", "page.css": "text/css", "page.js": "text/javascript"}
"""The content types of the page's files; the page itself has no name."""

# Nothing from elsewhere, nothing inline, and in nobody's frame, which could steal clicks.
_POLICY: Final = (
    "default-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# Seconds between two readings of the state.
_TICK: Final = 0.3
# The least time between two readings, as a multiple of the time that a reading took.
_MOST_BUSY: Final = 10


@lru_cache(maxsize=len(PAGE_FILES))
def page_file(name: str) -> Reply:
    """Return one of ``PAGE_FILES``; what the emulator does not reproduce stands first in it."""
    items = "\n".join(f"<li>{escape(line)}</li>" for line in NOT_REPRODUCED)
    text = (Path(__file__).parent / (name or "page.html")).read_text(encoding="utf-8")
    text = text.replace("<!-- not reproduced -->", items)
    headers = {
        **SAFE_HEADERS,
        "Content-Type": f"{PAGE_FILES[name]}; charset=utf-8",
        "Content-Security-Policy": _POLICY,
        "Cache-Control": "no-store",
    }
    return Reply(200, text.encode(), headers)


class Pages:
    """
    The pages that are open, all of which show one reading of the service.

    The state is read only while somebody has the page open.

    :param connection: returns the fields of a connection to the emulator.
    """

    def __init__(
        self,
        service: Service,
        connection: Callable[[], dict[str, str]],
    ) -> None:
        self._service = service
        self._connection = connection
        # The state, without the clock's time.
        self._reading: JsonObject = {}
        self._generation = 0
        # When it is read again, by the time of the loop.
        self._read_again = 0.0

    async def send_events(self, request: web.BaseRequest) -> web.StreamResponse:
        """Send the state and the requests as server-sent events until the page is closed."""
        response = web.StreamResponse(headers={**SAFE_HEADERS, "Cache-Control": "no-store"})
        response.content_type = "text/event-stream"
        await response.prepare(request)
        with suppress(ConnectionResetError):  # the page was closed
            await self._send_changes(request, response)
        return response

    async def _send_changes(self, request: web.BaseRequest, response: web.StreamResponse) -> None:
        generation = 0
        logged = 0
        sent: JsonObject = {}
        while request.transport is not None and not request.transport.is_closing():
            if generation != self._service.generation:
                generation = self._service.generation
                logged = 0
                sent = {}
            reading = self._read()
            if reading != sent:
                sent = reading
                await response.write(_event("state", {**reading, "clock": self._clock()}))
            total = self._service.state.log.total
            if total > logged:
                rows = newest_requests(self._service, logged)
                logged = total
                await response.write(_event("requests", rows))
            await asyncio.sleep(_TICK)

    def _read(self) -> JsonObject:
        """Return the state, read anew if the last reading is old, or of before a reset."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        if began >= self._read_again or self._generation != self._service.generation:
            self._generation = self._service.generation
            clock = self._service.clock
            # The page moves the clock itself; only what cannot be foreseen makes a new state.
            moved = {"speed": clock.speed, "moved": clock.moved}
            state = read_state(self._service)
            self._reading = {**state, "connection": self._connection(), "clock": moved}
            self._read_again = began + max(_TICK, _MOST_BUSY * (loop.time() - began))
        return self._reading

    def _clock(self) -> dict[str, float]:
        clock = self._service.clock
        return {"now": clock.now(), "speed": clock.speed}


def _event(name: str, data: Any) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()
