"""What was found as a profile of the emulator, so that ``wes-emulator --profile FILE`` behaves like the service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wes_provider import contract
from wes_provider.doctor.files import count_names, status_of
from wes_provider.doctor.reading import Seen
from wes_provider.doctor.replies import Reply
from wes_provider.doctor.upload import Upload
from wes_provider.polling import CountNames

__all__ = ["profile_of"]


def profile_of(
    seen: Seen, values: Mapping[str, Any], upload: Upload | None, catalog: Reply | None, segment: Reply | None
) -> dict[str, Any]:
    """A profile with what replies showed. ``values``: of the connection's settings, each with how sure it is."""
    found: dict[str, Any] = {
        "workspace_header": values["workspace_header"][0],
        "coupon_file_path": values["paths.coupon_file"][0],
        "coupon_files_path": values["paths.coupon_files"][0],
    }
    if seen.listed is not None:
        names = (name for name in contract.LIST_ID_FIELDS if f'"{name}"' in seen.lists[seen.listed[0]].text)
        found |= {
            "list_shape": seen.listed[1].where or "array",
            "list_id_property": next(names, contract.LIST_ID_FIELDS[0]),
        }
    files = [*seen.listed_files, *([upload.file] if upload and upload.file else [])]
    for counted in (count_names(file, CountNames("-", "-")) for file in files):
        counts = {"added_property": counted.added, "duplicate_property": counted.duplicates or None}
        found |= counts if counted.added else {}
    failed = {status_of(file) for file in files if file.reason}
    found |= {"failure_status": failed.pop()} if len(failed) == 1 else {}
    if upload is not None and upload.ended and len(upload.statuses) > 1:
        *statuses, last = upload.statuses
        found |= {"statuses": statuses, "success_status": last, "processing_time": round(upload.statuses[last], 1)}
    for name, after in (("list_lag", upload.listed_after), ("fetch_lag", upload.fetched_after)) if upload else ():
        found |= {name: round(after, 1)} if after is not None and after >= 1 else {}
    if catalog is not None and catalog.success:
        prop = values["paths.catalog_id"][0] or (None if catalog.content is None else contract.CATALOG_ID_FIELDS[0])
        form = "text" if catalog.content is None else "json"
        found |= {"catalog_status": catalog.status, "catalog_id_property": prop, "catalog_response": form}
    if segment is not None and segment.success:
        shape = {"JSON": "object", "text": "text"}.get(segment.form, "empty")
        found |= {"segment_status": segment.status, "segment_response": shape}
    description = "How a service responded when wes-doctor examined it."
    return {"version": 1, "name": "found by wes-doctor", "description": description, "settings": found}
