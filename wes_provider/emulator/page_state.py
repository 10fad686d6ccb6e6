"""What the page of an emulator shows, as JSON: lists, catalogs, limits, requests."""

from __future__ import annotations

import json
from itertools import islice
from typing import Final
from urllib.parse import unquote

from wes_provider.contract import GET_COUPON_FILE, OPERATIONS, UPLOAD_COUPON_FILE, Operation
from wes_provider.emulator.limits import QuotaKey, Window
from wes_provider.emulator.processing import CouponFile, Phase, Result, default_name
from wes_provider.emulator.replies import JsonObject
from wes_provider.emulator.request_log import LoggedRequest, path_shown
from wes_provider.emulator.service import Service
from wes_provider.emulator.state import State
from wes_provider.emulator.world import Catalog, CouponList, Segment
from wes_provider.texts import redact

__all__ = ["newest_requests", "read_state"]

# The newest are shown.
_LISTS: Final = 20
_FILES: Final = 40  # of each list
_OTHERS: Final = 20  # catalogs, segments, callbacks
_REQUESTS: Final = 200
# In the paths of what the Test button of a connection reads; nobody has that.
_TEST: Final = "/wes-connection-test"


def read_state(service: Service) -> JsonObject:
    """Return all that the page shows except for the requests."""
    state = service.state
    accounts = list(state.world.accounts.values())
    lists = sorted(state.world.lists(), key=_last_upload, reverse=True)
    catalogs = [catalog for account in accounts for catalog in account.catalogs.values()]
    segments = [segment for account in accounts for segment in account.segments.values()]
    return {
        "generation": service.generation,
        "clock": {"now": service.clock.now(), "speed": service.clock.speed},
        "lists_total": len(lists),
        "lists": [_list(state, coupon_list) for coupon_list in lists[:_LISTS]],
        "catalogs": [_catalog(catalog) for catalog in catalogs[-_OTHERS:]],
        "segments": [_segment(segment) for segment in segments[-_OTHERS:]],
        "windows": _windows_of_first_workspace(state),
        "callbacks": list(islice(reversed(state.callbacks), _OTHERS)),
        "faults": state.faults.to_json(),
        "counts": dict(state.log.counts),
        "snapshots": list(service.snapshots),
    }


# -- lists ----------------------------------------------------------------------------------------


def _last_upload(coupon_list: CouponList) -> float:
    newest = _newest_files(coupon_list, 1)
    if not newest:
        return 0.0
    return newest[0].accepted_at


def _newest_files(coupon_list: CouponList, most: int) -> list[CouponFile]:
    newest_first = islice(reversed(coupon_list.files.values()), most)
    return list(newest_first)[::-1]


def _list(state: State, coupon_list: CouponList) -> JsonObject:
    list_id = coupon_list.state.id
    workspace = coupon_list.state.workspace
    windows = state.quotas.windows(QuotaKey.of(UPLOAD_COUPON_FILE, workspace, list_id))
    return {
        "id": list_id,
        "workspace": workspace,
        **coupon_list.stock(state.world.clock.now()),
        "files_total": len(coupon_list.files),
        "files": [_file(state, file) for file in _newest_files(coupon_list, _FILES)],
        "windows": [window.to_json() for window in windows],
    }


def _file(state: State, file: CouponFile) -> JsonObject:
    record = state.coupons.record(file)
    phase = file.phase(state.world.clock.now())
    counted = Result()
    if phase is Phase.DONE and file.result is not None:
        counted = file.result
    error = ""
    if phase is Phase.FAILED:
        error = file.error
    return {
        "id": file.id,
        "file": default_name(file.file_url),
        "status": record["status"],
        "phase": phase.value,
        "name": redact(record["name"]),
        "file_url": redact(record["file_url"]),
        "accepted_at": file.accepted_at,
        "due_at": file.due_at,
        "added": counted.added,
        "duplicate": counted.duplicate,
        "error": error,
    }


# -- catalogs, segments, limits -------------------------------------------------------------------


def _catalog(catalog: Catalog) -> JsonObject:
    return {
        "id": catalog.id,
        "workspace": catalog.workspace,
        "name": redact(catalog.fields["name"]),
        "price_currency": catalog.fields["price_currency"],
        "attributes": len(catalog.fields["attributes"]),
    }


def _segment(segment: Segment) -> JsonObject:
    filters = segment.fields["included_filters"] or {}
    return {
        "id": segment.id,
        "workspace": segment.workspace,
        "name": redact(segment.fields["name"]),
        "updated_at": segment.fields["updated_at"],
        "filters": len(filters.get("filters", ())),
    }


def _windows_of_first_workspace(state: State) -> list[JsonObject]:
    """Return windows that requests have used, but for those that stand beside each list."""
    shown = []
    for operation in OPERATIONS.values():
        if operation.limited_by_list:
            continue
        for window in state.quotas.windows(QuotaKey.of(operation, "", "")):
            if window.remaining < window.limit.requests:
                shown.append(_window(operation, window))
    return shown


def _window(operation: Operation, window: Window) -> JsonObject:
    return {"operation": operation.name, **window.to_json()}


# -- requests -------------------------------------------------------------------------------------


def newest_requests(service: Service, since: int) -> list[JsonObject]:
    """Return the newest requests after the one with this number, oldest first."""
    log = service.state.log
    wanted = min(log.total - since, len(log), _REQUESTS)
    newest = list(islice(reversed(log), wanted))[::-1]
    first = log.total - wanted + 1
    return [_request(service, request, number) for number, request in enumerate(newest, first)]


def _request(service: Service, request: LoggedRequest, number: int) -> JsonObject:
    return {
        "number": number,
        "operation": request.operation,
        "method": request.method,
        "status": request.status,
        "time": request.time,
        "fault": request.fault,
        "about": _about(service, request),
        "test": _TEST in request.raw_path,
    }


def _about(service: Service, request: LoggedRequest) -> str:
    """Say what a request is about: its file and list, or its path."""
    segments = request.raw_path.partition("?")[0].split("/")
    if request.operation == UPLOAD_COUPON_FILE.name:
        return f"{_uploaded_file(request.body)} to {unquote(segments[3])}"
    if request.operation == GET_COUPON_FILE.name:
        files = service.state.world.account_or_empty(request.workspace).files
        if segments[-1] in files:
            file = files[segments[-1]]
            return f"{default_name(file.file_url)} of {file.list_id}"
    return path_shown(request.raw_path)


def _uploaded_file(body: bytes) -> str:
    try:
        given = json.loads(body)
        file = default_name(given["file_url"])
        name = given.get("name")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return "no file"
    if not name or name == file:
        return file
    return f"{file} as {redact(str(name))}"
