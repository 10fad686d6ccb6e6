"""Catalogs and segments."""

from __future__ import annotations

import secrets
from datetime import datetime, timezone
from typing import Any

from wes_provider.emulator.quotas import Quotas
from wes_provider.emulator.replies import CONFLICT, NOT_FOUND, Refusal, Reply, nested
from wes_provider.emulator.world import Catalog, Segment, World

__all__ = ["create_catalog", "update_segment"]


def create_catalog(world: World, quotas: Quotas, workspace: str, given: dict[str, Any]) -> Reply:
    """Create a catalog whose fields were checked."""
    quotas.check("create_catalog", workspace)
    settings = world.settings
    if given["name"] in world.account(workspace).catalog_names:
        raise Refusal(409, CONFLICT, "There is already a catalog of this name.")
    catalog_id = secrets.token_hex(12)
    catalog = Catalog(catalog_id, workspace, {"id": catalog_id, **given}, world.clock.now())
    world.hold(catalog)
    quotas.count_again(catalog)
    world.save(catalog)
    if settings.catalog_response == "text":
        return Reply.text(settings.catalog_status, catalog_id)
    path = settings.catalog_id_property
    return Reply.json(settings.catalog_status, catalog_id if path is None else nested(path, catalog_id))


def update_segment(world: World, quotas: Quotas, workspace: str, segment_id: str, given: dict[str, Any]) -> Reply:
    """Change the given fields of a segment."""
    quotas.check("update_segment", workspace)
    settings, segments = world.settings, world.account(workspace).segments
    if segment_id not in segments and settings.unknown_segment == "404":
        raise Refusal(404, NOT_FOUND, "There is no such segment.")
    if any(one.fields["name"] == given.get("name") and one.id != segment_id for one in segments.values()):
        raise Refusal(409, CONFLICT, "There is already a segment of this name.")
    blank = {"id": segment_id, "name": "", "included_filters": None, "updated_by": ""}
    before = segments[segment_id].fields if segment_id in segments else blank
    updated_at = datetime.fromtimestamp(world.clock.now(), timezone.utc).isoformat(timespec="milliseconds")
    segment = Segment(segment_id, workspace, {**before, **given, "updated_at": updated_at})
    world.hold(segment)
    quotas.count("update_segment", workspace)
    world.save(segment)
    status, shape = settings.segment_status, settings.segment_response
    if shape == "empty":
        return Reply(status)
    if shape == "text":
        return Reply.text(status, f"Segment {segment_id} was updated.")
    return Reply.json(status, {"data": segment.fields} if shape == "data" else segment.fields)
