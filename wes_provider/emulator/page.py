"""
The page that an emulator shows in a browser: its files, what it shows as JSON, and the events that
keep it up to date.

The state is read from the service only while somebody has the page open.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from html import escape
from itertools import islice
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from aiohttp import web

from wes_provider.contract import GET_COUPON_FILE, OPERATIONS, UPLOAD_COUPON_FILE
from wes_provider.emulator.checks import SAFE_HEADERS, Reply
from wes_provider.emulator.coupons import stock
from wes_provider.emulator.processing import CouponFile, default_name
from wes_provider.emulator.request_log import LoggedRequest, path_shown
from wes_provider.emulator.service import Service
from wes_provider.emulator.world import CouponList
from wes_provider.texts import redact

__all__ = ["NOT_REPRODUCED", "OPENAPI", "PAGE_FILES", "Pages", "page_file", "state"]

NOT_REPRODUCED: Final = (
    "What the contract does not show is guessed, and most guesses can be changed by a setting.",
    "Statuses after PENDING, the reads of coupon files and their fields, the callback's method "
    "and body, and every"
    " error of catalogs and segments are such guesses.",
    "Which users a segment's filters select is not computed; filters are stored as they come.",
    "Lists cannot be created, activated or archived: a list exists as soon as a file is uploaded "
    "to it.",
    "Coupons are counted; which ones are handed out is not known.",
    "Catalogs take no items.",
    "Its speed says nothing about the speed of the service.",
)

OPENAPI: Final = Path(__file__).with_name("openapi.json")
PAGE_FILES: Final = {"": "text/html", "page.css": "text/css", "page.js": "text/javascript"}
# Nothing from elsewhere, nothing inline, and in nobody's frame, which could steal clicks.
_POLICY: Final = (
    "default-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


_TICK: Final = 0.3  # seconds between two readings of the state
_MOST_BUSY: Final = 10  # times as long as a reading took is the least between two
_LISTS: Final = 20  # shown; the newest
_FILES: Final = 40  # shown of each list; the newest
_OTHERS: Final = 20  # catalogs, segments, callbacks
_REQUESTS: Final = 200
# In the paths of what the Test button of a connection reads; nobody has that.
_TEST: Final = "/wes-connection-test"
# The page shows the windows of the others beside each list.
_LIMITED_BY_WORKSPACE: Final = tuple(
    name for name, operation in OPERATIONS.items() if not operation.limited_by_list
)


@lru_cache(maxsize=len(PAGE_FILES))
def page_file(name: str) -> Reply:
    """One of ``PAGE_FILES``; what the emulator does not reproduce stands first in it."""
    items = "\n".join(f"<li>{escape(line)}</li>" for line in NOT_REPRODUCED)
    text = (Path(__file__).parent / (name or "page.html")).read_text(encoding="utf-8")
    headers = {
        "Content-Type": f"{PAGE_FILES[name]}; charset=utf-8",
        "Content-Security-Policy": _POLICY,
    }
    text = text.replace("<!-- not reproduced -->", items)
    return Reply(200, text.encode(), {**headers, **SAFE_HEADERS, "Cache-Control": "no-store"})


def state(service: Service) -> dict[str, Any]:
    """All that the page shows except for the requests."""
    accounts = service.world.accounts.values()
    lists = [one for account in accounts for one in account.lists.values()]
    lists.sort(
        key=lambda one: max((file.accepted_at for file in _newest(one, 1)), default=0.0),
        reverse=True,
    )
    catalogs = [one for account in accounts for one in account.catalogs.values()][-_OTHERS:]
    segments = [one for account in accounts for one in account.segments.values()][-_OTHERS:]
    windows = [
        (name, *window)
        for name in _LIMITED_BY_WORKSPACE
        for window in service.quotas.windows(name, "")
    ]
    return {
        "generation": service.generation,
        "clock": {"now": service.clock.now(), "speed": service.clock.speed},
        "lists_total": len(lists),
        "lists": [_list(service, one) for one in lists[:_LISTS]],
        "catalogs": [
            {**_other(one), "attributes": len(one.fields["attributes"])} for one in catalogs
        ],
        "segments": [
            {
                **_other(one),
                "filters": len((one.fields["included_filters"] or {}).get("filters", ())),
            }
            for one in segments
        ],
        "windows": [
            {"operation": name, "seconds": limit.seconds, **quota._asdict()}
            for name, limit, quota in windows
            if quota.remaining < quota.limit
        ],
        "callbacks": list(islice(reversed(service.callbacks), _OTHERS)),
        "faults": service.faults.shown(),
        "counts": dict(service.log.counts),
        "snapshots": list(service.snapshots),
    }


def _newest(coupon_list: CouponList, most: int) -> list[CouponFile]:
    return list(islice(reversed(coupon_list.files.values()), most))[::-1]


def _other(one: Any) -> dict[str, Any]:
    """A catalog or a segment."""
    kept = {
        name: one.fields[name] for name in ("price_currency", "updated_at") if name in one.fields
    }
    return {**kept, "id": one.id, "workspace": one.workspace, "name": redact(one.fields["name"])}


def _list(service: Service, coupon_list: CouponList) -> dict[str, Any]:
    list_id, workspace = coupon_list.state.id, coupon_list.state.workspace
    key = (UPLOAD_COUPON_FILE.name, workspace, list_id)
    return {
        "id": list_id,
        "workspace": workspace,
        **stock(service.world, coupon_list),
        "files_total": len(coupon_list.files),
        "files": [_file(service, file) for file in _newest(coupon_list, _FILES)],
        "windows": [
            {"seconds": limit.seconds, **quota._asdict()}
            for limit, quota in service.quotas.windows(*key)
        ],
    }


def _file(service: Service, file: CouponFile) -> dict[str, Any]:
    record = service.coupons.record(file)
    ended = file.ended(service.clock.now())
    phase = "waiting" if not ended else "failed" if file.error or file.script.fails else "done"
    done = file.result if phase == "done" else None
    return {
        "id": file.id,
        "file": default_name(file.file_url),
        "status": record["status"],
        "phase": phase,
        "name": redact(record["name"]),
        "file_url": redact(record["file_url"]),
        "accepted_at": file.accepted_at,
        "due_at": file.due_at,
        "added": done.added if done else 0,
        "duplicate": done.duplicate if done else 0,
        "error": file.error if phase == "failed" else "",
    }


# -- requests --------------------------------------------------------------------------------------


def _rows(service: Service, since: int) -> list[dict[str, Any]]:
    """The newest requests after one with this number, oldest first."""
    wanted = min(service.log.total - since, len(service.log), _REQUESTS)
    newest = list(islice(reversed(service.log), wanted))[::-1]
    shown = ("operation", "method", "status", "time", "fault")
    return [
        {
            **{name: getattr(request, name) for name in shown},
            "number": number,
            "about": _about(service, request),
            "test": _TEST in request.raw_path,
        }
        for number, request in enumerate(newest, service.log.total - wanted + 1)
    ]


def _about(service: Service, request: LoggedRequest) -> str:
    """What a request is about: its list and file, or its path."""
    parts = request.raw_path.partition("?")[0].split("/")
    if request.operation == UPLOAD_COUPON_FILE.name:
        try:
            given = json.loads(request.body)
            file, name = default_name(given["file_url"]), given.get("name")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            file, name = "no file", None
        return (
            f"{file}{f' as {redact(str(name))}' if name and name != file else ''} to "
            f"{unquote(parts[3])}"
        )
    if request.operation == GET_COUPON_FILE.name:
        fetched = service.account().files.get(parts[-1])
        if fetched is not None:
            return f"{default_name(fetched.file_url)} of {fetched.list_id}"
    return path_shown(request.raw_path)


# -- events ----------------------------------------------------------------------------------------


class Pages:
    """
    The pages that are open, all of which show one reading of the service; ``connection`` returns
    its fields.
    """

    def __init__(self, service: Service, connection: Callable[[], dict[str, str]]) -> None:
        self._service, self._connection = service, connection
        self._shown: dict[str, Any] = {}  # the state, without the clock's time
        self._read_again = 0.0  # by the time of the loop

    def _read(self) -> dict[str, Any]:
        now = asyncio.get_running_loop().time()
        if now >= self._read_again:
            clock = self._service.clock
            # The page moves the clock itself; only what cannot be foreseen makes a new state.
            moved = {"clock": (clock.speed, clock.moved)}
            self._shown = {**state(self._service), "connection": self._connection(), **moved}
            self._read_again = now + max(
                _TICK, _MOST_BUSY * (asyncio.get_running_loop().time() - now)
            )
        return self._shown

    async def send_events(self, request: web.BaseRequest) -> web.StreamResponse:
        """Send the state and the requests as server-sent events until the page is closed."""
        service = self._service
        response = web.StreamResponse(headers={**SAFE_HEADERS, "Cache-Control": "no-store"})
        response.content_type = "text/event-stream"
        await response.prepare(request)
        generation, logged, before = -1, 0, self._shown
        with suppress(ConnectionResetError):  # the page was closed
            while request.transport is not None and not request.transport.is_closing():
                if generation != service.generation:
                    generation, logged, before, self._read_again = service.generation, 0, {}, 0.0
                shown = self._read()
                if shown != before:
                    before = shown
                    clock = {"now": service.clock.now(), "speed": service.clock.speed}
                    await response.write(_event("state", {**shown, "clock": clock}))
                if service.log.total > logged:
                    rows, logged = _rows(service, logged), service.log.total
                    await response.write(_event("requests", rows))
                await asyncio.sleep(_TICK)
        return response


def _event(name: str, data: Any) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()
