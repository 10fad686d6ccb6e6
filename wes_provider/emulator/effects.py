"""What each operation takes, and what it does to the state once all checks have passed."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from typing import Final, NamedTuple

from wes_provider import contract
from wes_provider.emulator.bodies import (
    Reader,
    no_body,
    read_catalog,
    read_segment,
    read_upload,
)
from wes_provider.emulator.replies import CONFLICT, NOT_FOUND, JsonObject, Refusal, Reply, nested
from wes_provider.emulator.settings import Settings
from wes_provider.emulator.state import State
from wes_provider.emulator.world import Catalog, Segment

__all__ = ["EFFECTS", "Call", "Effect", "success_status"]


class Call(NamedTuple):
    """
    One request that has passed all checks.

    :ivar workspace: empty for the first.
    :ivar identifiers: from the path, by the names of its parameters.
    :ivar fields: what its body gives.
    :ivar raw_path: as it was on the wire, with the query.
    """

    workspace: str
    identifiers: Mapping[str, str]
    fields: JsonObject
    raw_path: str


class Effect(NamedTuple):
    """
    One operation: how its body is read, and what it does.

    :ivar carry_out: may still refuse, with 404 or 409.
    """

    read_body: Reader
    carry_out: Callable[[State, Call], Reply]


def _upload_coupon_file(state: State, call: Call) -> Reply:
    return state.coupons.upload(call.workspace, call.identifiers["coupon_list_id"], call.fields)


def _get_coupon_file(state: State, call: Call) -> Reply:
    # The path is a setting, and need not have the list.
    list_id = call.identifiers.get("coupon_list_id")
    return state.coupons.get(call.workspace, call.identifiers["coupon_file_id"], list_id)


def _list_coupon_files(state: State, call: Call) -> Reply:
    return state.coupons.list(call.workspace, call.identifiers["coupon_list_id"], call.raw_path)


def _create_catalog(state: State, call: Call) -> Reply:
    world = state.world
    catalogs = world.account_or_empty(call.workspace).catalogs.values()
    if any(catalog.fields["name"] == call.fields["name"] for catalog in catalogs):
        raise Refusal(409, CONFLICT, "There is already a catalog of this name.")
    catalog_id = secrets.token_hex(12)
    fields = {"id": catalog_id, **call.fields}
    catalog = Catalog(catalog_id, call.workspace, fields, world.clock.now())
    world.add(catalog)
    world.save(catalog)
    settings = world.settings
    if settings.catalog_response == "text":
        return Reply.text(settings.catalog_status, catalog_id)
    if settings.catalog_id_property is None:
        return Reply.json(settings.catalog_status, catalog_id)
    return Reply.json(settings.catalog_status, nested(settings.catalog_id_property, catalog_id))


def _update_segment(state: State, call: Call) -> Reply:
    world = state.world
    settings = world.settings
    segment_id = call.identifiers["segment_id"]
    segments = world.account_or_empty(call.workspace).segments
    # Of a segment that nobody seeded, which exists nevertheless.
    before: JsonObject = {
        "id": segment_id,
        "name": "",
        "included_filters": {"filter_operator": "and", "filters": []},
        "updated_by": "",
    }
    if segment_id in segments:
        before = segments[segment_id].fields
    elif settings.unknown_segment == "404":
        raise Refusal(404, NOT_FOUND, "There is no such segment.")
    others = [segment for segment in segments.values() if segment.id != segment_id]
    if any(segment.fields["name"] == call.fields.get("name") for segment in others):
        raise Refusal(409, CONFLICT, "There is already a segment of this name.")
    updated = datetime.fromtimestamp(world.clock.now(), timezone.utc)
    updated_at = updated.isoformat(timespec="milliseconds")
    fields = {**before, **call.fields, "updated_at": updated_at}
    segment = Segment(segment_id, call.workspace, fields)
    world.add(segment)
    world.save(segment)
    return _segment_reply(settings, segment)


def _segment_reply(settings: Settings, segment: Segment) -> Reply:
    status = settings.segment_status
    if settings.segment_response == "empty":
        return Reply(status)
    if settings.segment_response == "text":
        return Reply.text(status, f"Segment {segment.id} was updated.")
    if settings.segment_response == "data":
        return Reply.json(status, {"data": segment.fields})
    return Reply.json(status, segment.fields)


EFFECTS: Final = {
    contract.UPLOAD_COUPON_FILE.name: Effect(read_upload, _upload_coupon_file),
    contract.GET_COUPON_FILE.name: Effect(no_body, _get_coupon_file),
    contract.LIST_COUPON_FILES.name: Effect(no_body, _list_coupon_files),
    contract.CREATE_CATALOG.name: Effect(read_catalog, _create_catalog),
    contract.UPDATE_SEGMENT.name: Effect(read_segment, _update_segment),
}


def success_status(operation: contract.Operation, settings: Settings) -> int:
    """Return the status of an operation's success, as the settings have it."""
    if operation == contract.CREATE_CATALOG:
        return settings.catalog_status
    if operation == contract.UPDATE_SEGMENT:
        return settings.segment_status
    return operation.success
