"""
What the page shows, as JSON, and the events that keep it up to date.

Nothing here runs unless a page is open: the state is read from the service only while somebody has it open.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from typing import Any, Final
from urllib.parse import unquote

from aiohttp import web

from wes_provider.emulator.browsers import SAFE_HEADERS
from wes_provider.emulator.context import CouponList
from wes_provider.emulator.limits import Quota
from wes_provider.emulator.masking import masked_body, masked_headers, masked_path, masked_url
from wes_provider.emulator.processing import CouponFile, default_name
from wes_provider.emulator.request_log import LoggedRequest
from wes_provider.emulator.service import Service

__all__ = ["Pages", "request_details", "state"]

_TICK: Final = 0.3  # seconds between two readings of the state
_MOST_BUSY: Final = 10  # times as long as a reading took is the least between two
_LISTS: Final = 20  # shown; the newest
_FILES: Final = 40  # shown of each list; the newest
_OTHERS: Final = 20  # catalogs, segments, callbacks
_REQUESTS: Final = 200


def state(service: Service) -> dict[str, Any]:
    """All that the page shows except for the requests."""
    accounts = service.accounts
    lists = [(name, list_id, one) for name, account in accounts.items() for list_id, one in account.lists.items()]
    lists.sort(key=lambda item: _last_upload(item[2]), reverse=True)
    catalogs = [(name, one) for name, account in accounts.items() for one in account.catalogs.values()]
    segments = [(name, one) for name, account in accounts.items() for one in account.segments.values()]
    return {
        "generation": service.generation,
        "clock": {"now": service.clock.now(), "speed": service.clock.speed},
        "lists_total": len(lists),
        "lists": [_list(service, *item) for item in lists[:_LISTS]],
        "catalogs": [
            {
                "workspace": workspace,
                "id": one["id"],
                "name": masked_url(one["name"]),
                "price_currency": one["price_currency"],
                "attributes": len(one["attributes"]),
            }
            for workspace, one in catalogs[-_OTHERS:]
        ],
        "segments": [
            {
                "workspace": workspace,
                "id": one["id"],
                "name": masked_url(one["name"]),
                "filters": len((one["included_filters"] or {}).get("filters", ())),
                "updated_at": one["updated_at"],
            }
            for workspace, one in segments[-_OTHERS:]
        ],
        "windows": [
            {"operation": operation, **_window(seconds, quota)}
            for operation in ("create_catalog", "update_segment", "get_coupon_file", "list_coupon_files")
            for seconds, quota in service.quotas.windows(operation, "")
            if quota.remaining < quota.limit
        ],
        "callbacks": list(islice(reversed(service.callbacks), _OTHERS)),
        "faults": service.faults.shown(),
        "counts": dict(service.counts),
        "snapshots": list(service.snapshots),
    }


def _last_upload(coupon_list: CouponList) -> float:
    newest = next(reversed(coupon_list.files.values()), None)
    return newest.accepted_at if newest is not None else 0.0


def _list(service: Service, workspace: str, list_id: str, coupon_list: CouponList) -> dict[str, Any]:
    newest = list(islice(reversed(coupon_list.files.values()), _FILES))[::-1]
    stock = service.coupons.stock(coupon_list)
    key = ("upload_coupon_file", workspace, list_id)
    return {
        "id": list_id,
        "workspace": workspace,
        "stock": stock["stock"],
        "issued": stock["issued"],
        "files_total": len(coupon_list.files),
        "files": [_file(service, file) for file in newest],
        "windows": [
            {**_window(seconds, quota), "unsure_until": service.quotas.unsure_until(seconds, quota.limit, *key)}
            for seconds, quota in service.quotas.windows(*key)
        ],
    }


def _window(seconds: float, quota: Quota) -> dict[str, Any]:
    reset = quota.reset if quota.remaining < quota.limit else None
    return {"seconds": seconds, "limit": quota.limit, "remaining": quota.remaining, "reset": reset}


def _file(service: Service, file: CouponFile) -> dict[str, Any]:
    now, settings = service.clock.now(), service.settings
    ended, result = file.ended(now), file.result
    phase = "waiting" if not ended else "failed" if file.error or file.script.fails else "done"
    return {
        "id": file.id,
        "file": default_name(file.file_url),
        "name": masked_url(file.stored_name),
        "file_url": masked_url(file.stored_url),
        "status": file.status(now, settings.success_status, settings.failure_status),
        "phase": phase,
        "accepted_at": file.accepted_at,
        "due_at": file.due_at,
        "added": result.added if result is not None and phase == "done" else 0,
        "duplicate": result.duplicate if result is not None and phase == "done" else 0,
        "error": file.error if phase == "failed" else "",
    }


# -- requests --------------------------------------------------------------------------------------


def _rows(service: Service, since: int) -> list[dict[str, Any]]:
    """The newest requests after one with this number, oldest first."""
    wanted = min(service.log.total - since, len(service.log), _REQUESTS)
    newest = list(islice(reversed(service.log), wanted))[::-1]
    return [_row(service, service.log.total - wanted + i + 1, request) for i, request in enumerate(newest)]


def _row(service: Service, number: int, request: LoggedRequest) -> dict[str, Any]:
    return {
        "number": number,
        "operation": request.operation,
        "method": request.method,
        "about": _about(service, request),
        "status": request.status,
        "time": request.time,
        "fault": request.fault,
    }


def _about(service: Service, request: LoggedRequest) -> str:
    """What a request is about: its list and file, or its path."""
    if request.operation not in ("upload_coupon_file", "get_coupon_file"):
        return masked_path(request.raw_path)
    parts = request.raw_path.partition("?")[0].split("/")
    if request.operation == "upload_coupon_file":
        try:
            given = json.loads(request.body)
            file, name = default_name(given["file_url"]), given.get("name")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            file, name = "no file", None
        return f"{file}{f' as {masked_url(str(name))}' if name and name != file else ''} to {unquote(parts[3])}"
    found = service.coupons.find(parts[-1])
    return masked_path(request.raw_path) if found is None else f"{default_name(found.file_url)} of {found.list_id}"


def request_details(service: Service, number: int) -> dict[str, Any]:
    """
    One logged request, without its secrets.

    :param number: counts from 1.
    :raises ValueError: if it is no longer in the log, or never was.
    """
    index = number - 1 - (service.log.total - len(service.log))
    if not 0 <= index < len(service.log):
        raise ValueError(f"request {number} is not in the log; it holds the last {len(service.log)}")
    request = service.log[index]
    return {
        "method": request.method,
        "path": masked_path(request.raw_path),
        "headers": masked_headers(request.headers.items()),
        "body": masked_body(request.body),
        "status": request.status,
        "accepted": request.accepted,
        "fault": request.fault,
    }


# -- events ----------------------------------------------------------------------------------------


class Pages:
    """
    The pages that are open, all of which show one reading of the service.

    :param connection: returns the fields of a connection.
    """

    def __init__(self, service: Service, connection: Callable[[], dict[str, str]]) -> None:
        self._service = service
        self._connection = connection
        self._shown = ""  # JSON of the state, without the clock's time
        self._read_again = 0.0  # by the time of the loop

    def _read(self) -> str:
        now = asyncio.get_running_loop().time()
        if now >= self._read_again:
            shown = {**state(self._service), "connection": self._connection()}
            clock = self._service.clock
            # The page moves the clock itself; only what cannot be foreseen makes a new state.
            shown["clock"] = [clock.speed, clock.moved]
            self._shown = json.dumps(shown)
            took = asyncio.get_running_loop().time() - now
            self._read_again = now + max(_TICK, _MOST_BUSY * took)
        return self._shown

    def _state(self, shown: str) -> str:
        clock = {"now": self._service.clock.now(), "speed": self._service.clock.speed}
        return json.dumps({**json.loads(shown), "clock": clock})

    async def send_events(self, request: web.BaseRequest) -> web.StreamResponse:
        """Send the state and the requests as server-sent events until the page is closed."""
        service = self._service
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store", **SAFE_HEADERS}
        )
        await response.prepare(request)
        generation, logged, before = -1, 0, ""
        with suppress(ConnectionResetError):  # the page was closed
            while request.transport is not None and not request.transport.is_closing():
                if generation != service.generation:
                    generation, logged, before = service.generation, 0, ""
                    self._read_again = 0.0
                shown = self._read()
                if shown != before:
                    before = shown
                    await response.write(f"event: state\ndata: {self._state(shown)}\n\n".encode())
                if service.log.total > logged:
                    rows = _rows(service, logged)
                    logged = service.log.total
                    await response.write(f"event: requests\ndata: {json.dumps(rows)}\n\n".encode())
                await asyncio.sleep(_TICK)
        return response
