"""
The service's rules: plain, synchronous, without a socket.

``Service.respond`` takes a request as it came over the wire and returns what is to be sent. The checks come in this
order: 404, 401, 405, 403, 400 and 413, 429; then the effect, which may still be refused (404, 409). A service belongs
to one thread.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from wes_provider import contract
from wes_provider.emulator.catalogs import Catalogs, Segments
from wes_provider.emulator.checks import (
    Routes,
    WrongMethod,
    basic_credentials,
    catalog_fields,
    segment_fields,
    upload_fields,
)
from wes_provider.emulator.clock import Clock
from wes_provider.emulator.context import Context, Quotas
from wes_provider.emulator.coupons import Coupons
from wes_provider.emulator.fault_queue import FaultQueue, altered
from wes_provider.emulator.faults import Fault
from wes_provider.emulator.processing import CouponCounter, CouponFile, Script
from wes_provider.emulator.replies import Refusal, Reply, refuse
from wes_provider.emulator.settings import AT_START, Settings
from wes_provider.emulator.store import Store

if TYPE_CHECKING:
    from multidict import MultiMapping

__all__ = ["LoggedRequest", "Outcome", "Service"]

_COUPON_OPERATIONS: Final = frozenset({"upload_coupon_file", "get_coupon_file", "list_coupon_files"})
_LOGGED_BYTES: Final = 64 * contract.MIB  # of request bodies
_KEPT_CALLBACKS: Final = 10_000


@dataclass(frozen=True)
class Outcome:
    """What is to be sent, and what is to go wrong with it."""

    reply: Reply
    fault: Fault | None = None


@dataclass(frozen=True)
class LoggedRequest:
    """
    One request as it came.

    :ivar operation: empty if path and method belong to none.
    :ivar raw_path: as it was on the wire, with the query.
    :ivar status: of the response; ``None`` if the response was lost.
    :ivar time: the service's.
    :ivar accepted: it was carried out, whatever the response was.
    :ivar fault: what went wrong on purpose, in words; empty if nothing did.
    """

    operation: str
    method: str
    raw_path: str
    headers: MultiMapping[str] = field(repr=False)
    body: bytes = field(repr=False)
    status: int | None
    time: float
    accepted: bool
    fault: str = ""


class Service:
    """
    The service, with all of its workspaces.

    :param settings: how it starts, and what ``reset`` goes back to.
    :param state: path of a file that keeps the state; ``None`` for memory only.
    :ivar on_change: called when files are to be fetched, or may end earlier than was known.
    :ivar callbacks: the results of the callbacks made.
    """

    def __init__(self, settings: Settings, state: str | Path | None = None) -> None:
        self._initial = settings
        self._store = Store(state) if state is not None else None
        self.on_change: Callable[[], None] = lambda: None
        self._clear()
        if self._store is not None:
            self._load(self._store)

    def _clear(self) -> None:
        settings = self._initial
        clock = Clock(time.time() + settings.clock_offset, settings.speed)
        self._context = Context(settings, clock, self._store)
        self._quotas = Quotas(self._context)
        self.coupons = Coupons(self._context, self._quotas)
        self._catalogs = Catalogs(self._context, self._quotas)
        self._segments = Segments(self._context, self._quotas)
        self.faults = FaultQueue(settings.seed)
        self.log: deque[LoggedRequest] = deque()
        self._logged_bytes = 0
        self.counts: Counter[str] = Counter()
        self.callbacks: deque[dict[str, Any]] = deque(maxlen=_KEPT_CALLBACKS)
        self._apply(settings)

    def _apply(self, settings: Settings) -> None:
        self._context.settings = settings
        self._quotas.settings_changed()
        self._routes = Routes(settings)

    # -- controls ---------------------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""
        return self._context.settings

    @property
    def clock(self) -> Clock:
        """The service's time."""
        return self._context.clock

    @clock.setter
    def clock(self, clock: Clock) -> None:
        self._context.clock = clock

    def configure(self, **changes: Any) -> None:
        """
        Change settings from now on.

        :raises ValueError: for a value that makes no sense, or a setting that counts at the start only.
        """
        at_start = sorted(AT_START & set(changes))
        if at_start:
            raise ValueError(f"{', '.join(at_start)} can be set at the start only")
        self._apply(replace(self.settings, **changes))

    def reset(self) -> None:
        """Return to the start: no state, no faults, no scripts, no log, initial settings, this machine's time."""
        if self._store is not None:
            self._store.clear()
        self._clear()
        self.clock_changed()

    def fail(self, operation: str, fault: Fault, times: int | None = 1, list_id: str | None = None) -> None:
        """Queue a fault for the next ``times`` matching requests, ``None`` for all until they are cleared."""
        self.faults.add(operation, fault, times, list_id)

    def clear_faults(self) -> None:
        """Forget the faults that are still queued."""
        self.faults.clear()

    def script(self, script: Script) -> None:
        """Decide what happens to matching files, future ones and those that have not ended. The newest script wins."""
        self.coupons.script(script)
        self.on_change()

    def clock_changed(self) -> None:
        """To be called after the clock was moved."""
        if self._store is not None:
            reading = {"service": self.clock.now(), "machine": time.time(), "speed": self.clock.speed}
            self._store.save("clock", "", reading)
        self.on_change()

    def files(self, list_id: str, workspace: str = "") -> list[dict[str, Any]]:
        """The accepted files of a list in order of acceptance, as the fetch shows them, whatever the lags."""
        coupon_list = self._context.account(workspace).lists.get(list_id)
        return [self.coupons.record(file) for file in coupon_list.files.values()] if coupon_list else []

    @property
    def catalogs(self) -> dict[str, dict[str, Any]]:
        """The catalogs of the first workspace by identifier."""
        return self._context.account("").catalogs

    @property
    def segments(self) -> dict[str, dict[str, Any]]:
        """The segments of the first workspace by identifier."""
        return self._context.account("").segments

    def close(self) -> None:
        """Close the state file."""
        if self._store is not None:
            self._store.close()

    # -- requests ---------------------------------------------------------------------------------

    def respond(self, method: str, raw_path: str, headers: MultiMapping[str], body: bytes) -> Outcome:
        """
        Carry out one request, or refuse it; either is logged.

        :param method: as it came.
        :param raw_path: as it came, with the query.
        :param headers: as they came.
        :param body: all of it.
        """
        operation, accepted = "", False
        fault: Fault | None = None
        try:
            try:
                operation, parameters = self._routes.match(method, raw_path)
            except WrongMethod as refusal:
                self._authenticate(refusal.operation, headers)
                raise
            fault = self.faults.next(operation, parameters, self.settings.fault_rate)
            if fault is None or fault.effect:
                reply = self._carry_out(operation, parameters, raw_path, headers, body)
                accepted = True
            else:
                reply = Reply.json(self._success_status(operation), {})
        except Refusal as refusal:
            reply = refusal.reply(self.settings)
        now = self.clock.now()
        if fault is not None:
            reply = altered(reply, fault, now)
        status = None if fault is not None and fault.unanswered else reply.status
        shown = "" if fault is None else str(fault)
        self._log(LoggedRequest(operation, method, raw_path, headers, body, status, now, accepted, shown))
        return Outcome(reply, fault)

    def _log(self, request: LoggedRequest) -> None:
        self.counts[request.operation] += 1
        self.log.append(request)
        self._logged_bytes += len(request.body)
        while self.log and (len(self.log) > self.settings.request_log or self._logged_bytes > _LOGGED_BYTES):
            self._logged_bytes -= len(self.log.popleft().body)

    def _success_status(self, operation: str) -> int:
        if operation == "upload_coupon_file":
            return contract.UPLOAD_STATUS_CODE
        if operation == "create_catalog":
            return self.settings.catalog_status
        return self.settings.segment_status if operation == "update_segment" else 200

    def _carry_out(
        self, operation: str, parameters: dict[str, str], raw_path: str, headers: MultiMapping[str], body: bytes
    ) -> Reply:
        workspace = self._authenticate(operation, headers)
        key = (workspace, parameters["coupon_list_id"]) if operation == "upload_coupon_file" else (workspace,)
        try:
            reply = self._perform(operation, workspace, parameters, raw_path, headers, body)
        except Refusal as refusal:
            if refusal.status != 429:
                refusal.headers = {**refusal.headers, **self._quotas.headers(operation, *key)}
            raise
        quota = self._quotas.headers(operation, *key)
        return replace(reply, headers={**reply.headers, **quota}) if quota else reply

    def _authenticate(self, operation: str, headers: MultiMapping[str]) -> str:
        """The workspace of a request: empty for the first."""
        settings = self.settings
        named = headers.getall(settings.workspace_header, ())
        key = settings.api_key
        if operation == "update_segment" and settings.data_api_key is not None:
            key = settings.data_api_key
        if [*named] != [settings.workspace_id] or basic_credentials(headers) != (settings.workspace_id, key):
            refuse(401, contract.REQUEST_UNAUTHENTICATED, "Credentials are missing or invalid.")
        return ""

    def _perform(
        self,
        operation: str,
        workspace: str,
        parameters: dict[str, str],
        raw_path: str,
        headers: MultiMapping[str],
        body: bytes,
    ) -> Reply:
        if operation in _COUPON_OPERATIONS and not self.settings.coupon_management:
            refuse(403, contract.REQUEST_FORBIDDEN, "The account has no access to coupon management features.")
        if operation == "upload_coupon_file":
            reply = self.coupons.upload(workspace, parameters["coupon_list_id"], upload_fields(headers, body))
            if self.coupons.unfetched or self.coupons.uncalled:
                self.on_change()
            return reply
        if operation == "create_catalog":
            return self._catalogs.create(workspace, catalog_fields(headers, body, self.settings.catalog_bytes))
        if operation == "update_segment":
            return self._segments.update(workspace, parameters["segment_id"], segment_fields(headers, body))
        self._quotas.check(operation, workspace)
        self._quotas.count(operation, workspace)
        if operation == "get_coupon_file":
            return self.coupons.get(workspace, parameters["coupon_file_id"], parameters.get("coupon_list_id"))
        return self.coupons.list(workspace, parameters["coupon_list_id"], raw_path)

    # -- processing: what the server around it fetches and calls --------------------------------------

    @property
    def unfetched(self) -> dict[str, CouponFile]:
        """Accepted files that are still to be fetched, by id, in order of acceptance."""
        return self.coupons.unfetched

    def lists_read_by(self, raw_path: str) -> set[str]:
        """The lists whose files a GET of this path may show."""
        try:
            _, parameters = self._routes.match("GET", raw_path)
        except Refusal:
            return set()
        if "coupon_list_id" in parameters:
            return {parameters["coupon_list_id"]}
        return {file.list_id for file in self.unfetched.values()}

    def counter(self) -> CouponCounter:
        """For the coupons of one file."""
        return self.coupons.counter()

    def processed(self, file: CouponFile, counter: CouponCounter, error: str = "") -> None:
        """
        Keep the result of fetching and counting a file; the caller sees to the order of a list's files.

        :param error: why it cannot be processed; empty if it was fetched and counted whole.
        """
        if self.coupons.processed(file, counter, error):
            self.on_change()

    # -- state file -------------------------------------------------------------------------------

    def _load(self, store: Store) -> None:
        for _, reading in store.load("clock"):
            # It has run on since.
            since = max(0.0, time.time() - reading["machine"])
            self.clock = Clock(reading["service"] + since * reading["speed"], self.settings.speed)
        for _, document in store.load("file"):
            self.coupons.accept(CouponFile.from_json(document))
        for _, document in store.load("coupons"):
            self.coupons.restore_coupons(document)
        for _, document in store.load("catalog"):
            self._catalogs.add(document.get("workspace", ""), document["catalog"], document["accepted_at"])
        for _, document in store.load("segment"):
            segment = document.get("segment", document)  # older files hold the segment itself
            self._context.account(document.get("workspace", "")).segments[segment["id"]] = segment
        self.clock_changed()
