"""
The service's rules: plain, synchronous, without a socket.

``Rules.respond`` takes a request as it came over the wire and returns what is to be sent. The
checks come in this order: 404, 401, 405, 403, 400 and 413, 429; then the effect, which may still be
refused (404, 409).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from wes_provider import contract
from wes_provider.contract import Key, Operation
from wes_provider.emulator.checks import (
    CONFLICT,
    NOT_FOUND,
    Refusal,
    Reply,
    Routes,
    basic_credentials,
    catalog_fields,
    nested,
    segment_fields,
    upload_fields,
)
from wes_provider.emulator.coupons import Coupons
from wes_provider.emulator.faults import Fault, FaultQueue, altered
from wes_provider.emulator.limits import Quotas
from wes_provider.emulator.request_log import LoggedRequest, RequestLog
from wes_provider.emulator.settings import Keys, Settings
from wes_provider.emulator.world import Account, Catalog, Clock, Segment, World

if TYPE_CHECKING:
    from multidict import MultiMapping

__all__ = ["Rules"]


class _Request(NamedTuple):
    """
    One request whose credentials are right.

    :ivar workspace: empty for the first.
    :ivar identifiers: from the path, by the names of its parameters.
    """

    workspace: str
    identifiers: Mapping[str, str]
    raw_path: str
    headers: MultiMapping[str]
    body: bytes

    @property
    def list_id(self) -> str:
        """The coupon list; empty if the path names none."""
        return self.identifiers.get("coupon_list_id", "")


class Rules:
    """
    The service; ``on_change`` is called when files are to be fetched, or may end earlier than was
    known.
    """

    world: World
    quotas: Quotas
    coupons: Coupons
    faults: FaultQueue
    log: RequestLog
    on_change: Callable[[], None] = staticmethod(lambda: None)

    def settings_changed(self) -> None:
        """Has to be called after the settings were replaced."""
        settings = self.settings
        self.quotas.settings_changed()
        self._routes = Routes(settings)
        first = Keys(settings.api_key, settings.data_api_key)
        self._keys = {**settings.workspaces, settings.workspace_id: first}

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""
        return self.world.settings

    @property
    def clock(self) -> Clock:
        """The service's time."""
        return self.world.clock

    def account(self, workspace: str = "") -> Account:
        """What a workspace holds; empty for one that has nothing yet."""
        return self.world.accounts.get(
            "" if workspace == self.settings.workspace_id else workspace, Account()
        )

    def files(self, list_id: str, workspace: str = "") -> list[dict[str, Any]]:
        """
        The accepted files of a list in order of acceptance, as the fetch shows them, whatever the
        lags.
        """
        coupon_list = self.account(workspace).lists.get(list_id)
        return (
            [self.coupons.record(file) for file in coupon_list.files.values()]
            if coupon_list
            else []
        )

    def respond(
        self, method: str, raw_path: str, headers: MultiMapping[str], body: bytes
    ) -> tuple[Reply, Fault | None]:
        """
        Carry out one request as it came on the wire, or refuse it; with what is to go wrong with
        the response.
        """
        operation: Operation | None = None
        accepted = False
        fault: Fault | None = None
        try:
            matched, identifiers, wrong_method = self._routes.match(method, raw_path)
            # Once the credentials are right: services check those first.
            if wrong_method is not None:
                self._authenticate(matched, headers)
                raise wrong_method
            operation = matched
            fault = self.faults.next(
                operation.name, identifiers.get("coupon_list_id"), self.settings.fault_rate
            )
            if fault is None or fault.effect:
                reply = self._carry_out(operation, identifiers, raw_path, headers, body)
                accepted = True
            else:
                reply = Reply.json(operation.success, {})
        except Refusal as refusal:
            reply = self.refused(refusal)
        now = self.world.clock.now()
        if fault is not None:
            reply = altered(reply, fault, now)
        status = None if fault is not None and fault.unanswered else reply.status
        shown = "" if fault is None else str(fault)
        name = "" if operation is None else operation.name
        logged = LoggedRequest(name, method, raw_path, headers, body, status, now, accepted, shown)
        self.log.add(logged, self.settings.request_log)
        return reply, fault

    def refused(self, refusal: Refusal) -> Reply:
        """What a refusal looks like."""
        return refusal.reply()

    def lists_read_by(self, raw_path: str) -> set[str]:
        """The lists whose files a GET of this path may show."""
        try:
            _, identifiers, _ = self._routes.match("GET", raw_path)
        except Refusal:
            return set()
        if "coupon_list_id" in identifiers:
            return {identifiers["coupon_list_id"]}
        return {file.list_id for file in self.coupons.unfetched.values()}

    def _carry_out(
        self,
        operation: Operation,
        identifiers: dict[str, str],
        raw_path: str,
        headers: MultiMapping[str],
        body: bytes,
    ) -> Reply:
        workspace = self._authenticate(operation, headers)
        request = _Request(workspace, identifiers, raw_path, headers, body)
        key = [operation.name, workspace]
        if operation.limited_by_list:
            key.append(request.list_id)
        try:
            if operation.needs_coupon_management:
                self._check_access()
            reply = _EFFECTS[operation.name](self, request)
        except Refusal as refusal:
            if refusal.status != 429:
                refusal.headers = {**refusal.headers, **self.quotas.headers(*key)}
            raise
        return reply.with_headers(self.quotas.headers(*key))

    def upload_coupon_file(self, request: _Request) -> Reply:
        """Accept a coupon file."""
        fields = upload_fields(request.headers, request.body)
        reply = self.coupons.upload(request.workspace, request.list_id, fields)
        if self.coupons.unfetched or self.coupons.uncalled:
            self.on_change()
        return reply

    def get_coupon_file(self, request: _Request) -> Reply:
        """One file of a list."""
        self._count_read(contract.GET_COUPON_FILE, request)
        file_id = request.identifiers["coupon_file_id"]
        return self.coupons.get(request.workspace, file_id, request.list_id or None)

    def list_coupon_files(self, request: _Request) -> Reply:
        """The files of a list."""
        self._count_read(contract.LIST_COUPON_FILES, request)
        return self.coupons.list(request.workspace, request.list_id, request.raw_path)

    def create_catalog(self, request: _Request) -> Reply:
        """Create a catalog."""
        fields = catalog_fields(request.headers, request.body, self.settings.catalog_bytes)
        return _create_catalog(self.world, self.quotas, request.workspace, fields)

    def update_segment(self, request: _Request) -> Reply:
        """Change the given fields of a segment."""
        fields = segment_fields(request.headers, request.body)
        segment_id = request.identifiers["segment_id"]
        return _update_segment(self.world, self.quotas, request.workspace, segment_id, fields)

    def _count_read(self, operation: Operation, request: _Request) -> None:
        self.quotas.check(operation.name, request.workspace)
        self.quotas.count(operation.name, request.workspace)

    def _check_access(self) -> None:
        if not self.settings.coupon_management:
            message = "The account has no access to coupon management features."
            raise Refusal(403, contract.REQUEST_FORBIDDEN, message)

    def _authenticate(self, operation: Operation, headers: MultiMapping[str]) -> str:
        """
        Return the workspace of a request: empty for the first.

        :raises Refusal: if its credentials are missing or wrong.
        """
        unauthenticated = Refusal(
            401, contract.REQUEST_UNAUTHENTICATED, "Credentials are missing or invalid."
        )
        named = headers.getall(self.settings.workspace_header, ())
        credentials = basic_credentials(headers)
        if credentials is None or len(named) != 1:
            raise unauthenticated
        (workspace,) = named
        username, password = credentials
        if username != workspace or workspace not in self._keys:
            raise unauthenticated
        keys = self._keys[workspace]
        key = keys.api_key
        if operation.key is Key.DATA and keys.data_api_key:
            key = keys.data_api_key
        if password != key:
            raise unauthenticated
        return "" if workspace == self.settings.workspace_id else workspace


_EFFECTS: Final[dict[str, Callable[[Rules, _Request], Reply]]] = {
    contract.UPLOAD_COUPON_FILE.name: Rules.upload_coupon_file,
    contract.GET_COUPON_FILE.name: Rules.get_coupon_file,
    contract.LIST_COUPON_FILES.name: Rules.list_coupon_files,
    contract.CREATE_CATALOG.name: Rules.create_catalog,
    contract.UPDATE_SEGMENT.name: Rules.update_segment,
}


def _create_catalog(world: World, quotas: Quotas, workspace: str, given: dict[str, Any]) -> Reply:
    """Create a catalog whose fields were checked."""
    quotas.check(contract.CREATE_CATALOG.name, workspace)
    if any(
        one.fields["name"] == given["name"] for one in world.account(workspace).catalogs.values()
    ):
        raise Refusal(409, CONFLICT, "There is already a catalog of this name.")
    catalog_id, settings = secrets.token_hex(12), world.settings
    catalog = Catalog(catalog_id, workspace, {"id": catalog_id, **given}, world.clock.now())
    world.add(catalog)
    quotas.count_again(catalog)
    world.save(catalog)
    if settings.catalog_response == "text":
        return Reply.text(settings.catalog_status, catalog_id)
    path = settings.catalog_id_property
    return Reply.json(
        settings.catalog_status, catalog_id if path is None else nested(path, catalog_id)
    )


def _update_segment(
    world: World, quotas: Quotas, workspace: str, segment_id: str, given: dict[str, Any]
) -> Reply:
    """Change the given fields of a segment."""
    quotas.check(contract.UPDATE_SEGMENT.name, workspace)
    segments = world.account(workspace).segments
    if segment_id not in segments and world.settings.unknown_segment == "404":
        raise Refusal(404, NOT_FOUND, "There is no such segment.")
    if any(
        one.fields["name"] == given.get("name") and one.id != segment_id
        for one in segments.values()
    ):
        raise Refusal(409, CONFLICT, "There is already a segment of this name.")
    blank = {"id": segment_id, "name": "", "included_filters": None, "updated_by": ""}
    before = segments[segment_id].fields if segment_id in segments else blank
    updated_at = datetime.fromtimestamp(world.clock.now(), timezone.utc).isoformat(
        timespec="milliseconds"
    )
    segment = Segment(segment_id, workspace, {**before, **given, "updated_at": updated_at})
    world.add(segment)
    quotas.count(contract.UPDATE_SEGMENT.name, workspace)
    world.save(segment)
    status, shape = world.settings.segment_status, world.settings.segment_response
    if shape == "empty":
        return Reply(status)
    if shape == "text":
        return Reply.text(status, f"Segment {segment_id} was updated.")
    return Reply.json(status, {"data": segment.fields} if shape == "data" else segment.fields)
