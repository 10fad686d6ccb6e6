"""Catalogs and segments."""

from __future__ import annotations

import secrets
from datetime import datetime, timezone
from typing import Any

from wes_provider.emulator.context import Context, Quotas
from wes_provider.emulator.replies import NOT_FOUND, Reply, nested, refuse

__all__ = ["Catalogs", "Segments"]


class Catalogs:
    """The creation of catalogs in all workspaces."""

    def __init__(self, context: Context, quotas: Quotas) -> None:
        self._context = context
        self._quotas = quotas

    def create(self, workspace: str, given: dict[str, Any]) -> Reply:
        """Create a catalog whose fields were checked."""
        self._quotas.check("create_catalog", workspace)
        settings = self._context.settings
        if given["name"] in self._context.account(workspace).catalog_names:
            refuse(settings.name_taken_status, settings.name_taken_code, "There is already a catalog of this name.")
        catalog = {"id": secrets.token_hex(12), **given}
        accepted_at = self._context.clock.now()
        self.add(workspace, catalog, accepted_at)
        document = {"accepted_at": accepted_at, "catalog": catalog, "workspace": workspace}
        self._context.save("catalog", catalog["id"], document)
        if settings.catalog_response == "text":
            return Reply.text(settings.catalog_status, catalog["id"])
        path = settings.catalog_id_property
        return Reply.json(settings.catalog_status, catalog["id"] if path is None else nested(path, catalog["id"]))

    def add(self, workspace: str, catalog: dict[str, Any], accepted_at: float) -> None:
        """Add a catalog, without keeping it in the state file."""
        self._context.account(workspace).add_catalog(catalog)
        self._quotas.count("create_catalog", workspace, at=accepted_at)


class Segments:
    """The update of segments in all workspaces."""

    def __init__(self, context: Context, quotas: Quotas) -> None:
        self._context = context
        self._quotas = quotas

    def update(self, workspace: str, segment_id: str, given: dict[str, Any]) -> Reply:
        """Change the given fields of a segment."""
        self._quotas.check("update_segment", workspace)
        settings = self._context.settings
        segments = self._context.account(workspace).segments
        if segment_id not in segments and settings.unknown_segment == "404":
            refuse(404, NOT_FOUND, "There is no such segment.")
        if any(other["name"] == given.get("name") and other["id"] != segment_id for other in segments.values()):
            refuse(settings.name_taken_status, settings.name_taken_code, "There is already a segment of this name.")
        blank = {"id": segment_id, "name": "", "included_filters": None, "updated_by": ""}
        updated_at = datetime.fromtimestamp(self._context.clock.now(), timezone.utc).isoformat(timespec="milliseconds")
        segment = {**blank, **segments.get(segment_id, {}), **given, "updated_at": updated_at}
        segments[segment_id] = segment
        self._quotas.count("update_segment", workspace)
        self.save(workspace, segment)
        status, shape = settings.segment_status, settings.segment_response
        if shape == "empty":
            return Reply.empty(status)
        if shape == "text":
            return Reply.text(status, f"Segment {segment_id} was updated.")
        return Reply.json(status, {"data": segment} if shape == "data" else segment)

    def save(self, workspace: str, segment: dict[str, Any]) -> None:
        """Keep a segment in the state file."""
        identifier = f"{workspace}/{segment['id']}" if workspace else segment["id"]
        self._context.save("segment", identifier, {"workspace": workspace, "segment": segment})
