"""
What the page shows, as JSON, and the events that keep it up to date.

Nothing here runs unless a page is open: the state is read from the service only while somebody has it open.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from itertools import islice
from typing import Any, Final
from urllib.parse import unquote

from aiohttp import web

from wes_provider.emulator.context import CouponList
from wes_provider.emulator.limits import Quota
from wes_provider.emulator.masking import masked_body, masked_headers, masked_path, masked_url
from wes_provider.emulator.processing import CouponFile, default_name
from wes_provider.emulator.request_log import LoggedRequest
from wes_provider.emulator.service import Service

__all__ = ["request_details", "send_events", "state"]

_TICK: Final = 0.3  # seconds between two readings of the state
_LISTS: Final = 20  # shown; the newest
_FILES: Final = 40  # shown of each list; the newest
_OTHERS: Final = 20  # catalogs, segments, callbacks
_REQUESTS: Final = 200


def state(service: Service) -> dict[str, Any]:
    """All that the page shows except for the requests."""
    accounts = service.accounts
    lists = [(name, list_id, one) for name, account in accounts.items() for list_id, one in account.lists.items()]
    lists.sort(key=lambda item: _last_upload(item[2]), reverse=True)
    catalogs = [catalog for account in accounts.values() for catalog in account.catalogs.values()]
    segments = [segment for account in accounts.values() for segment in account.segments.values()]
    return {
        "generation": service.generation,
        "clock": {"now": service.clock.now(), "speed": service.clock.speed},
        "lists_total": len(lists),
        "lists": [_list(service, *item) for item in lists[:_LISTS]],
        "catalogs": [
            {
                "id": one["id"],
                "name": one["name"],
                "price_currency": one["price_currency"],
                "attributes": len(one["attributes"]),
            }
            for one in catalogs[-_OTHERS:]
        ],
        "segments": [
            {
                "id": one["id"],
                "name": one["name"],
                "filters": len((one["included_filters"] or {}).get("filters", ())),
                "updated_at": one["updated_at"],
            }
            for one in segments[-_OTHERS:]
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
    phase = "waiting" if not ended else "failed" if file.error else "done"
    return {
        "id": file.id,
        "file": default_name(file.file_url),
        "name": file.stored_name,
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
        return f"{file}{f' as {name}' if name and name != file else ''} to {unquote(parts[3])}"
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


async def send_events(request: web.BaseRequest, service: Service, connection: dict[str, str]) -> web.StreamResponse:
    """
    Send the state and the requests as server-sent events until the page is closed.

    :param connection: the fields of a connection, which do not change.
    """
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
    await response.prepare(request)
    generation, logged, before = -1, 0, ""
    with suppress(ConnectionResetError):  # the page was closed
        while request.transport is not None and not request.transport.is_closing():
            now = {**state(service), "connection": connection}
            if generation != now["generation"]:
                generation, logged, before = now["generation"], 0, ""
            # The page moves the clock itself; only what cannot be foreseen is sent.
            seen = json.dumps({**now, "clock": _clock_is(service)})
            if seen != before:
                before = seen
                await response.write(f"event: state\ndata: {json.dumps(now)}\n\n".encode())
            if service.log.total > logged:
                rows = _rows(service, logged)
                logged = service.log.total
                await response.write(f"event: requests\ndata: {json.dumps(rows)}\n\n".encode())
            await asyncio.sleep(_TICK)
    return response


def _clock_is(service: Service) -> list[float]:
    """Changes when the clock is moved or gets another speed, and not while it runs."""
    return [service.clock.speed, service.clock.moved]
