"""
The service's rules: plain, synchronous, without a socket.

``Service.respond`` takes a request as it came over the wire and returns what is to be sent. The checks come in this
order: 404, 401, 405, 403, 400 and 413, 429; then the effect, which may still be refused (404, 409). A service belongs
to one thread.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from wes_provider import contract
from wes_provider.emulator import snapshots
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
from wes_provider.emulator.context import Account, Context, CouponList, Quotas
from wes_provider.emulator.coupons import Coupons
from wes_provider.emulator.fault_queue import FaultQueue, altered
from wes_provider.emulator.faults import Fault
from wes_provider.emulator.processing import CouponCounter, CouponFile, Script
from wes_provider.emulator.replies import Refusal, Reply, refuse
from wes_provider.emulator.request_log import LoggedRequest, RequestLog
from wes_provider.emulator.seeds import apply_seed
from wes_provider.emulator.settings import AT_START, Settings
from wes_provider.emulator.store import Store

if TYPE_CHECKING:
    from collections import Counter

    from multidict import MultiMapping

__all__ = ["LoggedRequest", "Outcome", "Service"]

_COUPON_OPERATIONS: Final = frozenset({"upload_coupon_file", "get_coupon_file", "list_coupon_files"})
_KEPT_CALLBACKS: Final = 10_000


@dataclass(frozen=True)
class Outcome:
    """What is to be sent, and what is to go wrong with it."""

    reply: Reply
    fault: Fault | None = None


class Service:
    """
    The service, with all of its workspaces.

    :param settings: how it starts, and what ``reset`` goes back to.
    :param state: path of a file that keeps the state; ``None`` for memory only.
    :param seed: what workspaces hold at the start and after ``reset``, as ``read_seed`` returns it.
    :ivar on_change: called when files are to be fetched, or may end earlier than was known.
    :ivar callbacks: the results of the callbacks made.
    :ivar generation: grows with each ``reset``.
    :ivar log: the requests since the last ``reset``.
    :ivar snapshots: by name.
    """

    def __init__(
        self, settings: Settings, state: str | Path | None = None, seed: Mapping[str, Any] | None = None
    ) -> None:
        self._initial = settings
        self._seed = seed or {}
        self._store = Store(state) if state is not None else None
        self.on_change: Callable[[], None] = lambda: None
        self.generation = 0
        self.snapshots: dict[str, dict[str, Any]] = {}
        self._clear()
        if self._store is None or not self._load(self._store):
            self._plant(self._seed)

    def _clear(self) -> None:
        settings = self._initial
        clock = Clock(time.time() + settings.clock_offset, settings.speed)
        self._context = Context(settings, clock, self._store)
        self._make_parts()
        self.faults = FaultQueue(settings.seed)
        self.generation += 1
        self.log = RequestLog()
        self.callbacks: deque[dict[str, Any]] = deque(maxlen=_KEPT_CALLBACKS)
        self._apply(settings)

    def _make_parts(self) -> None:
        self.quotas = Quotas(self._context)
        self.coupons = Coupons(self._context, self.quotas)
        self._catalogs = Catalogs(self._context, self.quotas)
        self._segments = Segments(self._context, self.quotas)

    def _apply(self, settings: Settings) -> None:
        self._context.settings = settings
        self.quotas.settings_changed()
        self._routes = Routes(settings)
        by_workspace = {
            **{name: settings.keys(name) for name in settings.workspaces},
            settings.workspace_id: settings.keys(),
        }
        self._keys = {(name, kind): keys for name, all_keys in by_workspace.items() for kind, keys in all_keys.items()}

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
        unknown = sorted(set(changes) - set(Settings.__dataclass_fields__))
        if unknown:
            known = ", ".join(Settings.__dataclass_fields__)
            raise ValueError(f"there is no setting {', '.join(unknown)}; there are {known}")
        self._apply(replace(self.settings, **changes))
        if "speed" in changes:
            self.clock.speed = self.settings.speed
            self.clock_changed()
        if "seed" in changes:
            self.faults.seed(self.settings.seed)

    def reset(self, seed: Mapping[str, Any] | None = None) -> None:
        """
        Return to the start: the seed, no faults, no scripts, no log, initial settings, this machine's time.

        Snapshots stay.

        :param seed: what workspaces hold then, instead of the seed at the start.
        """
        self._clear()
        self._plant(self._seed if seed is None else seed)

    def _plant(self, seed: Mapping[str, Any]) -> None:
        apply_seed(seed, self._context, self.coupons)
        self._save_all()
        self.clock_changed()

    def snapshot(self, name: str) -> None:
        """Keep what the workspaces hold now, under a name."""
        if not name:
            raise ValueError("the name of a snapshot must be a string that is not empty")
        self.snapshots[name] = snapshots.dump(self._context, self.quotas)
        self._context.save("snapshot", name, self.snapshots[name])

    def restore(self, name: str) -> None:
        """
        Let the workspaces hold what they held when the snapshot was taken; settings, faults and log stay.

        :raises ValueError: if there is no such snapshot.
        """
        if name not in self.snapshots:
            raise ValueError(f"there is no snapshot {name!r}; there are {', '.join(self.snapshots) or 'none'}")
        self._restore(self.snapshots[name], later=self.clock.now() - self.snapshots[name]["time"])
        self._save_all()
        self.on_change()

    def forget_snapshots(self) -> None:
        """Delete all snapshots."""
        self.snapshots.clear()
        if self._store is not None:
            self._store.clear("snapshot")

    def _restore(self, document: Mapping[str, Any], later: float) -> None:
        scripts = self.coupons.scripts
        self._context.accounts.clear()
        self._make_parts()
        self.coupons.scripts = scripts
        snapshots.load(document, later, self._context, self.quotas, self.coupons)

    def stock(self, list_id: str, workspace: str = "") -> dict[str, int]:
        """How many coupons a list has got, how many of them were issued, and how many are left."""
        return self.coupons.stock(self.account(workspace).lists.get(list_id, CouponList()))

    def fail(self, operation: str, fault: Fault, times: int | None = 1, list_id: str | None = None) -> None:
        """Queue a fault for the next ``times`` matching requests, ``None`` for all until they are cleared."""
        self.faults.add(operation, fault, times, list_id)

    def clear_faults(self) -> None:
        """Delete the faults that are still queued."""
        self.faults.clear()

    def script(self, script: Script) -> None:
        """Decide what happens to matching files, future ones and those that have not ended. The newest script wins."""
        self.coupons.script(script)
        self.on_change()

    def clock_changed(self) -> None:
        """Has to be called after the clock was moved."""
        if self._store is not None:
            reading = {"service": self.clock.now(), "machine": time.time(), "speed": self.clock.speed}
            self._store.save("clock", "", reading)
        self.on_change()

    def files(self, list_id: str, workspace: str = "") -> list[dict[str, Any]]:
        """The accepted files of a list in order of acceptance, as the fetch shows them, whatever the lags."""
        coupon_list = self.account(workspace).lists.get(list_id)
        return [self.coupons.record(file) for file in coupon_list.files.values()] if coupon_list else []

    @property
    def counts(self) -> Counter[str]:
        """How many requests each operation has had, and under ``connections`` over how many TCP connections."""
        return self.log.counts

    @property
    def accounts(self) -> dict[str, Account]:
        """What the workspaces hold; the first has an empty name here."""
        return self._context.accounts

    def account(self, workspace: str = "") -> Account:
        """What a workspace holds; empty for one that has nothing yet."""
        return self._context.accounts.get("" if workspace == self.settings.workspace_id else workspace, Account())

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
        logged = LoggedRequest(operation, method, raw_path, headers, body, status, now, accepted, shown)
        self.log.add(logged, self.settings.request_log)
        return Outcome(reply, fault)

    def _success_status(self, operation: str) -> int:
        others = {"create_catalog": self.settings.catalog_status, "update_segment": self.settings.segment_status}
        return contract.UPLOAD_STATUS_CODE if operation == "upload_coupon_file" else others.get(operation, 200)

    def _carry_out(
        self, operation: str, parameters: dict[str, str], raw_path: str, headers: MultiMapping[str], body: bytes
    ) -> Reply:
        workspace = self._authenticate(operation, headers)
        key = (workspace, parameters["coupon_list_id"]) if operation == "upload_coupon_file" else (workspace,)
        try:
            reply = self._perform(operation, workspace, parameters, raw_path, headers, body)
        except Refusal as refusal:
            if refusal.status != 429:
                refusal.headers = {**refusal.headers, **self.quotas.headers(operation, *key)}
            raise
        quota = self.quotas.headers(operation, *key)
        return replace(reply, headers={**reply.headers, **quota}) if quota else reply

    def _authenticate(self, operation: str, headers: MultiMapping[str]) -> str:
        """The workspace of a request: empty for the first."""
        settings = self.settings
        named = headers.getall(settings.workspace_header, ())
        credentials = basic_credentials(headers)
        if len(named) == 1 and credentials is not None and credentials[0] == named[0]:
            keys = self._keys.get((named[0], "segments" if operation == "update_segment" else "coupons"), ())
            if credentials[1] in keys:
                return "" if named[0] == settings.workspace_id else named[0]
        raise Refusal(401, contract.REQUEST_UNAUTHENTICATED, "Credentials are missing or invalid.")

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
        self.quotas.check(operation, workspace)
        self.quotas.count(operation, workspace)
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
        """A counter for the coupons of one file."""
        return self.coupons.counter()

    def processed(self, file: CouponFile, counter: CouponCounter, error: str = "") -> None:
        """
        Keep the result of fetching and counting a file; the caller sees to the order of a list's files.

        :param error: why it cannot be processed; empty if it was fetched and counted whole.
        """
        if self.coupons.processed(file, counter, error):
            self.on_change()

    # -- state file -------------------------------------------------------------------------------

    def _load(self, store: Store) -> bool:
        """Restore what the state file holds; false if it is new."""
        self.snapshots.update(store.load("snapshot"))
        base = dict(store.load("base")).get("")
        readings = dict(store.load("clock"))
        if "" in readings:
            # It has run on since.
            since = max(0.0, time.time() - readings[""]["machine"])
            self.clock = Clock(readings[""]["service"] + since * readings[""]["speed"], self.settings.speed)
        if base is not None:
            self._restore(base, later=0.0)
        for _, document in store.load("file"):
            self.coupons.accept(CouponFile.from_json(document))
        for _, document in store.load("coupons"):
            self.coupons.restore_coupons(document)
        for identifier, document in store.load("issued"):
            self.coupons.restore_issued(identifier, document)
        for _, document in store.load("catalog"):
            self._catalogs.add(document.get("workspace", ""), document["catalog"], document["accepted_at"])
        for _, document in store.load("segment"):
            segment = document.get("segment", document)  # older files hold the segment itself
            self._context.account(document.get("workspace", "")).segments[segment["id"]] = segment
        self.clock_changed()
        return bool(readings)

    def _save_all(self) -> None:
        """Keep the whole state as one document; what changes from now on comes on top."""
        if self._store is not None:
            self._store.clear("file", "coupons", "issued", "catalog", "segment")
            self._store.save("base", "", snapshots.dump(self._context, self.quotas))
