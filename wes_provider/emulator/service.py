"""
The service's rules: plain, synchronous, without a socket.

``Service.answer`` takes a request as it came over the wire and gives what is to be sent. Order of the checks: 404,
401, 405, 403, 400 and 413, 429, and then the effect, which may still be refused (404, 409). A service belongs to one
thread.
"""

from __future__ import annotations

import array
import base64
import math
import random
import secrets
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Final

from multidict import CIMultiDict, MultiMapping

from wes_provider import contract
from wes_provider.emulator import limits
from wes_provider.emulator.checks import (
    CONFLICT,
    NOT_FOUND,
    Refusal,
    Reply,
    Routes,
    WrongMethod,
    basic_credentials,
    catalog_fields,
    refuse,
    segment_fields,
    upload_fields,
)
from wes_provider.emulator.clock import Clock
from wes_provider.emulator.faults import NETWORK_FAULTS, Fault
from wes_provider.emulator.processing import CouponCounter, CouponFile, Result, Script, default_name
from wes_provider.emulator.settings import OPERATIONS, Settings
from wes_provider.emulator.store import Store

__all__ = ["Answer", "LoggedRequest", "Service"]

ANY_OPERATION: Final = "*"
REMEMBERED_COUPONS: Final = 2_000_000  # over all lists, some 70 bytes each; beyond, duplicates are not recognised

_COUPON_OPERATIONS: Final = frozenset({"upload_coupon_file", "get_coupon_file", "list_coupon_files"})
_LOGGED_BYTES: Final = 64 * contract.MIB  # of request bodies
_KEPT_CALLBACKS: Final = 10_000
_KEPT_TIMES: Final = 20_000  # of accepted requests, for each limited operation and list


@dataclass(frozen=True)
class Answer:
    """What is to be sent, and what is to go wrong with it."""

    reply: Reply
    fault: Fault | None = None


@dataclass(frozen=True)
class LoggedRequest:
    """
    One request as it came.

    :ivar operation: empty where path and method belong to none.
    :ivar raw_path: as it was on the wire, with the query.
    :ivar status: of the answer; ``None`` where the reply was lost.
    :ivar time: the service's.
    :ivar accepted: it was carried out, whatever was answered.
    """

    operation: str
    method: str
    raw_path: str
    headers: MultiMapping[str] = field(repr=False)
    body: bytes = field(repr=False)
    status: int | None
    time: float
    accepted: bool


@dataclass
class _QueuedFault:
    operation: str
    fault: Fault
    times: int | None
    list_id: str | None

    def matches(self, operation: str, parameters: dict[str, str]) -> bool:
        if self.operation not in (operation, ANY_OPERATION):
            return False
        return self.list_id is None or self.list_id == parameters.get("coupon_list_id")


@dataclass
class _CouponList:
    files: dict[str, CouponFile] = field(default_factory=dict)
    coupons: int = 0
    known: set[int] = field(default_factory=set)


class Service:
    """
    One workspace of the service.

    :param settings: how it starts, and what ``reset`` goes back to.
    :param state: path of a file that keeps the state; ``None`` for memory only.
    :ivar on_change: called when files are to be fetched, or may end earlier than was known.
    :ivar unfetched: accepted files that are to be fetched, by id, in order of acceptance.
    :ivar uncalled: accepted files whose callback is due one day, by id.
    :ivar callbacks: what came of the callbacks made.
    """

    def __init__(self, settings: Settings, state: str | Path | None = None) -> None:
        self._initial = settings
        self._store = Store(state) if state is not None else None
        self.on_change: Callable[[], None] = lambda: None
        self._clear()
        if self._store is not None:
            self._restore(self._store)

    def _clear(self) -> None:
        self._apply(self._initial)
        self.clock = Clock(time.time() + self.settings.clock_offset, self.settings.speed)
        self._random = random.Random(self.settings.seed)  # noqa: S311 - draws faults, not keys
        self.log: deque[LoggedRequest] = deque()
        self._logged_bytes = 0
        self.counts: Counter[str] = Counter()
        self.catalogs: dict[str, dict[str, Any]] = {}
        self._catalog_names: set[str] = set()
        self.segments: dict[str, dict[str, Any]] = {}
        self._lists: dict[str, _CouponList] = {}
        self._accepted: dict[tuple[str, str], list[float]] = {}
        self._remembered = 0
        self._faults: list[_QueuedFault] = []
        self._scripts: list[Script] = []
        self.unfetched: dict[str, CouponFile] = {}
        self.uncalled: dict[str, CouponFile] = {}
        self.callbacks: deque[dict[str, Any]] = deque(maxlen=_KEPT_CALLBACKS)

    def _apply(self, settings: Settings) -> None:
        self._limits = settings.all_limits()
        self._routes = Routes(settings)
        self.settings = settings

    # -- controls ---------------------------------------------------------------------------------

    def configure(self, **changes: Any) -> None:
        """
        Change settings from now on.

        :raises ValueError: for a value that makes no sense, or a setting that counts at the start only.
        """
        at_start = sorted({"speed", "clock_offset", "seed"} & set(changes))
        if at_start:
            raise ValueError(f"{', '.join(at_start)} can be set at the start only")
        self._apply(replace(self.settings, **changes))

    def reset(self) -> None:
        """Back to how it started: no state, no faults, no scripts, no log, initial settings, this machine's time."""
        if self._store is not None:
            self._store.clear()
        self._clear()
        self.clock_changed()

    def fail(self, operation: str, fault: Fault, times: int | None = 1, list_id: str | None = None) -> None:
        """Queue a fault for the next ``times`` matching requests, ``None`` for all until they are cleared."""
        if operation not in (*OPERATIONS, ANY_OPERATION):
            raise ValueError(f"operation must be {ANY_OPERATION} or one of {', '.join(OPERATIONS)}, not {operation!r}")
        if times is not None and times < 1:
            raise ValueError(f"times must be at least 1, or None for ever; not {times!r}")
        self._faults.append(_QueuedFault(operation, fault, times, list_id))

    def clear_faults(self) -> None:
        """Forget the faults that are still queued."""
        self._faults.clear()

    def script(self, script: Script) -> None:
        """Decide what happens to matching files, those to come and those not ended yet. The newest script holds."""
        self._scripts.insert(0, script)
        now = self.clock.now()
        for file in self._all_files():
            if script.matches(file) and not file.ended(now):
                file.script = script
                self._track(file)
                self._save_file(file)
        self.on_change()

    def clock_changed(self) -> None:
        """To be called after the clock was moved."""
        if self._store is not None:
            reading = {"service": self.clock.now(), "machine": time.time(), "speed": self.clock.speed}
            self._store.save("clock", "", reading)
        self.on_change()

    def files(self, list_id: str) -> list[dict[str, Any]]:
        """The accepted files of a list in order of acceptance, as the fetch gives them, whatever the lags."""
        coupon_list = self._lists.get(list_id)
        return [self._record(file) for file in coupon_list.files.values()] if coupon_list else []

    def close(self) -> None:
        """Let go of the state file."""
        if self._store is not None:
            self._store.close()

    # -- requests ---------------------------------------------------------------------------------

    def answer(self, method: str, raw_path: str, headers: MultiMapping[str], body: bytes) -> Answer:
        """Carry out one request, or refuse it; either leaves an entry in the log."""
        operation, accepted = "", False
        fault: Fault | None = None
        try:
            try:
                operation, parameters = self._routes.match(method, raw_path)
            except WrongMethod as refusal:
                self._authenticate(refusal.operation, headers)
                raise
            fault = self._next_fault(operation, parameters)
            if fault is None or fault.effect:
                reply = self._carry_out(operation, parameters, headers, body)
                accepted = True
            else:
                reply = Reply.json(self._success_status(operation), {})
        except Refusal as refusal:
            reply = refusal.reply
        if fault is not None:
            reply = self._spoilt(reply, fault)
        status = None if fault is not None and fault.unanswered else reply.status
        self._log(LoggedRequest(operation, method, raw_path, headers, body, status, self.clock.now(), accepted))
        return Answer(reply, fault)

    def _next_fault(self, operation: str, parameters: dict[str, str]) -> Fault | None:
        queued = next((queued for queued in self._faults if queued.matches(operation, parameters)), None)
        if queued is not None:
            if queued.times is not None:
                queued.times -= 1
                if queued.times == 0:
                    self._faults.remove(queued)
            return queued.fault
        if self.settings.fault_rate and self._random.random() < self.settings.fault_rate:
            return self._random.choice(NETWORK_FAULTS)
        return None

    def _spoilt(self, reply: Reply, fault: Fault) -> Reply:
        headers = CIMultiDict(reply.headers)
        if fault.reset_in is not None:
            headers[contract.RATE_LIMIT_RESET] = str(math.ceil(self.clock.now() + fault.reset_in))
        for name, _ in fault.header_pairs:
            headers.popall(name, None)
        headers.extend(fault.header_pairs)
        status = reply.status if fault.status is None else fault.status
        return Reply(status, reply.body if fault.body is None else fault.body, headers)

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

    def _carry_out(self, operation: str, parameters: dict[str, str], headers: MultiMapping[str], body: bytes) -> Reply:
        self._authenticate(operation, headers)
        try:
            reply = self._perform(operation, parameters, headers, body)
        except Refusal as refusal:
            raise Refusal(self._with_quota(refusal.reply, operation, parameters)) from None
        return self._with_quota(reply, operation, parameters)

    def _authenticate(self, operation: str, headers: MultiMapping[str]) -> None:
        settings = self.settings
        key = settings.api_key
        if operation == "update_segment" and settings.data_api_key is not None:
            key = settings.data_api_key
        workspaces = headers.getall(settings.workspace_header, ())
        if [*workspaces] != [settings.workspace_id] or basic_credentials(headers) != (settings.workspace_id, key):
            refuse(401, contract.REQUEST_UNAUTHENTICATED, "Credentials are missing or invalid.")

    def _perform(self, operation: str, parameters: dict[str, str], headers: MultiMapping[str], body: bytes) -> Reply:
        if operation in _COUPON_OPERATIONS and not self.settings.coupon_management:
            refuse(403, contract.REQUEST_FORBIDDEN, "The account has no access to coupon management features.")
        if operation == "upload_coupon_file":
            return self._upload(parameters["coupon_list_id"], upload_fields(headers, body))
        if operation == "create_catalog":
            return self._create_catalog(catalog_fields(headers, body, self.settings.catalog_bytes))
        if operation == "update_segment":
            return self._update_segment(parameters["segment_id"], segment_fields(headers, body))
        self._keep_to_limits(operation)
        self._count(operation)
        if operation == "get_coupon_file":
            return self._get(parameters)
        return self._list(parameters["coupon_list_id"])

    # -- limits -----------------------------------------------------------------------------------

    def _keep_to_limits(self, operation: str, key: str = "") -> None:
        windows = self._limits.get(operation)
        if not windows:
            return
        settings = self.settings
        quota = limits.refusing(
            windows,
            self._accepted.get((operation, key), ()),
            self.clock.now(),
            settings.window_policy,
            settings.window_offset,
        )
        if quota is not None:
            headers = {} if settings.rate_limit_headers == "none" else quota.headers(settings.reset_rounding)
            raise Refusal(Reply.empty(429, headers))  # section 7: "no body shown"

    def _count(self, operation: str, key: str = "", at: float | None = None) -> None:
        if operation not in self._limits and operation not in limits.DEFAULT_LIMITS:
            return
        times = self._accepted.setdefault((operation, key), [])
        times.append(self.clock.now() if at is None else at)
        if len(times) > 2 * _KEPT_TIMES:
            del times[:-_KEPT_TIMES]

    def _with_quota(self, reply: Reply, operation: str, parameters: dict[str, str]) -> Reply:
        settings = self.settings
        windows = self._limits.get(operation)
        if settings.rate_limit_headers != "all" or not windows or reply.status == 429:
            return reply
        key = parameters["coupon_list_id"] if operation == "upload_coupon_file" else ""
        quota = limits.tightest(
            windows,
            self._accepted.get((operation, key), ()),
            self.clock.now(),
            settings.window_policy,
            settings.window_offset,
        )
        shown = quota.headers(settings.reset_rounding) if quota is not None else {}
        return replace(reply, headers={**reply.headers, **shown})

    # -- coupon files -----------------------------------------------------------------------------

    def _upload(self, list_id: str, given: dict[str, str]) -> Reply:
        self._keep_to_limits("upload_coupon_file", list_id)
        file = CouponFile(
            id=secrets.token_hex(12),
            list_id=list_id,
            name=given.get("name") or default_name(given["file_url"]),
            file_url=given["file_url"],
            created_by=given.get("created_by", ""),
            callback_url=given.get("callback_url", ""),
            username=given.get("file_url_auth_username", ""),
            password=given.get("file_url_auth_password", ""),
            accepted_at=self.clock.now(),
            processing_time=self.settings.processing_time,
            script=Script(),
        )
        file.script = next((script for script in self._scripts if script.matches(file)), file.script)
        self._accept(file)
        self._save_file(file)
        if file.id in self.unfetched or file.id in self.uncalled:
            self.on_change()
        body = self._contract_fields(file, contract.STATUS_AFTER_UPLOAD)
        return Reply.json(contract.UPLOAD_STATUS_CODE, body)

    def _accept(self, file: CouponFile) -> None:
        self._lists.setdefault(file.list_id, _CouponList()).files[file.id] = file
        self._count("upload_coupon_file", file.list_id, file.accepted_at)
        self._track(file)

    def _track(self, file: CouponFile) -> None:
        if file.needs_fetching:
            self.unfetched[file.id] = file
        else:
            self.unfetched.pop(file.id, None)
        if file.callback_url and not file.called_back:
            self.uncalled[file.id] = file

    def _contract_fields(self, file: CouponFile, status: str) -> dict[str, str]:
        return {
            "_id": file.id,
            "name": file.name,
            "file_url": file.file_url,
            "created_by": file.created_by,
            "status": status,
            self.settings.list_id_property: file.list_id,
        }

    def _record(self, file: CouponFile) -> dict[str, Any]:
        now, settings = self.clock.now(), self.settings
        record: dict[str, Any] = {
            **self._contract_fields(file, file.status(now, settings.success_status, settings.failure_status)),
            "coupons_added": 0,
            "coupons_duplicate": 0,
        }
        if file.ended(now):
            error = file.error
            if error:
                record["error"] = error
            elif file.result is not None:
                record["coupons_added"] = file.result.added
                record["coupons_duplicate"] = file.result.duplicate
        return record

    def _get(self, parameters: dict[str, str]) -> Reply:
        file_id = parameters["coupon_file_id"]
        if "coupon_list_id" in parameters:
            coupon_list = self._lists.get(parameters["coupon_list_id"])
            file = coupon_list.files.get(file_id) if coupon_list else None
        else:  # a path that a setting made so
            file = next((file for file in self._all_files() if file.id == file_id), None)
        if file is None or self.clock.now() < file.accepted_at + self.settings.fetch_lag:
            refuse(404, NOT_FOUND, "There is no such coupon file.")
        return Reply.json(200, self._record(file))

    def _list(self, list_id: str) -> Reply:
        coupon_list = self._lists.get(list_id)
        if coupon_list is None and self.settings.unknown_list == "404":
            refuse(404, NOT_FOUND, "There is no such coupon list.")
        shown_until = self.clock.now() - self.settings.list_lag
        files = coupon_list.files.values() if coupon_list else ()
        records = [self._record(file) for file in files if file.accepted_at <= shown_until]
        return Reply.json(200, {"data": records} if self.settings.list_shape == "data" else records)

    def _all_files(self) -> Iterator[CouponFile]:
        return (file for coupon_list in self._lists.values() for file in coupon_list.files.values())

    # -- processing: what the server around it fetches and calls --------------------------------------

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
        return CouponCounter(max(0, REMEMBERED_COUPONS - self._remembered))

    def processed(self, file: CouponFile, counter: CouponCounter, error: str = "") -> None:
        """
        Keep what fetching and counting a file gave; the caller sees to the order of a list's files.

        :param error: why it cannot be processed; empty where it was fetched and counted whole.
        """
        if self.unfetched.pop(file.id, None) is None:
            return  # scripted otherwise, or reset, in the meantime
        coupon_list = self._lists[file.list_id]
        new = counter.distinct - coupon_list.known
        added = len(new) + counter.unremembered
        if not error and counter.total == 0:
            error = "The file holds no coupons."
        if not error and coupon_list.coupons + added > self.settings.list_coupons:
            error = f"The list would hold more than {self.settings.list_coupons} coupons."
        if error:
            file.result = Result(error=error)
        else:
            file.result = Result(added, counter.total - added)
            coupon_list.coupons += added
            coupon_list.known |= new
            self._remembered += len(new)
            if self._store is not None:
                packed = base64.b64encode(array.array("Q", new).tobytes()).decode()
                self._store.save("coupons", file.id, {"list_id": file.list_id, "added": added, "known": packed})
        file.username = file.password = ""  # needed no more
        self._save_file(file)
        self.on_change()

    def ended_files_to_call_back(self) -> list[tuple[CouponFile, dict[str, Any]]]:
        """Files that have ended since the last call and have a callback, with their records; each comes once."""
        now = self.clock.now()
        ended = [file for file in self.uncalled.values() if file.ended(now)]
        for file in ended:
            file.called_back = True
            del self.uncalled[file.id]
            self._save_file(file)
        return [(file, self._record(file)) for file in ended]

    def seconds_to_next_end(self) -> float | None:
        """This machine's seconds until a file with a callback is due; ``None`` where none is known to be."""
        now = self.clock.now()
        ends = [file.due_at - now for file in self.uncalled.values() if file.due_at is not None and file.due_at > now]
        return self.clock.machine_seconds(min(ends)) if ends else None

    # -- catalogs and segments ----------------------------------------------------------------------

    def _create_catalog(self, given: dict[str, Any]) -> Reply:
        self._keep_to_limits("create_catalog")
        if given["name"] in self._catalog_names:
            refuse(409, CONFLICT, "There is a catalog of this name.")
        catalog_id, accepted_at = secrets.token_hex(12), self.clock.now()
        self._add_catalog({"id": catalog_id, **given}, accepted_at)
        self._save("catalog", catalog_id, {"accepted_at": accepted_at, "catalog": self.catalogs[catalog_id]})
        body: Any = catalog_id
        if self.settings.catalog_id_property is not None:
            for name in reversed(self.settings.catalog_id_property.split(".")):
                body = {name: body}
        return Reply.json(self.settings.catalog_status, body)

    def _add_catalog(self, catalog: dict[str, Any], accepted_at: float) -> None:
        self.catalogs[catalog["id"]] = catalog
        self._catalog_names.add(catalog["name"])
        self._count("create_catalog", at=accepted_at)

    def _update_segment(self, segment_id: str, given: dict[str, Any]) -> Reply:
        self._keep_to_limits("update_segment")
        if segment_id not in self.segments and self.settings.unknown_segment == "404":
            refuse(404, NOT_FOUND, "There is no such segment.")
        named_so = (other["id"] for other in self.segments.values() if other["name"] == given.get("name"))
        if any(other != segment_id for other in named_so):
            refuse(409, CONFLICT, "There is a segment of this name.")
        blank = {"id": segment_id, "name": "", "included_filters": None, "updated_by": ""}
        updated_at = datetime.fromtimestamp(self.clock.now(), timezone.utc).isoformat(timespec="milliseconds")
        segment = {**blank, **self.segments.get(segment_id, {}), **given, "updated_at": updated_at}
        self.segments[segment_id] = segment
        self._count("update_segment")
        self._save("segment", segment_id, segment)
        shape, status = self.settings.segment_response, self.settings.segment_status
        if shape == "empty":
            return Reply.empty(status)
        return Reply.json(status, {"data": segment} if shape == "data" else segment)

    # -- state file -------------------------------------------------------------------------------

    def _save(self, kind: str, identifier: str, document: Any) -> None:
        if self._store is not None:
            self._store.save(kind, identifier, document)

    def _save_file(self, file: CouponFile) -> None:
        if self._store is not None:
            self._store.save("file", file.id, asdict(file))

    def _restore(self, store: Store) -> None:
        for _, reading in store.load("clock"):
            # It has run on while nobody looked.
            since = max(0.0, time.time() - reading["machine"])
            self.clock = Clock(reading["service"] + since * reading["speed"], self.settings.speed)
        for _, document in store.load("file"):
            self._accept(CouponFile.from_json(document))
        for _, document in store.load("coupons"):
            coupon_list = self._lists[document["list_id"]]
            known = array.array("Q", base64.b64decode(document["known"]))
            coupon_list.known.update(known)
            coupon_list.coupons += document["added"]
            self._remembered += len(known)
        for _, document in store.load("catalog"):
            self._add_catalog(document["catalog"], document["accepted_at"])
        self.segments.update(store.load("segment"))
        self.clock_changed()
