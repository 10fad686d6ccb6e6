"""What was found as a profile of the emulator, so that ``wes-emulator --profile FILE`` behaves like the service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wes_provider import contract
from wes_provider.doctor.files import count_names, files_in, status_of
from wes_provider.doctor.reading import Seen
from wes_provider.doctor.replies import Reply
from wes_provider.doctor.upload import Upload
from wes_provider.polling import CountNames

__all__ = ["profile_of"]


def profile_of(
    seen: Seen, values: Mapping[str, Any], upload: Upload | None, catalog: Reply | None, segment: Reply | None
) -> dict[str, Any]:
    """
    A profile with what replies showed.

    :param values: of the connection's settings, each with how sure it is.
    :param catalog: the reply to the creation of a catalog, if there was one; ``segment`` likewise.
    """
    settings: dict[str, Any] = {
        "workspace_header": values["workspace_header"][0],
        "coupon_file_path": values["paths.coupon_file"][0],
        "coupon_files_path": values["paths.coupon_files"][0],
    }
    if seen.listed is not None and (listed := files_in(seen.listed.reply.content)):
        settings["list_shape"] = listed.where or "array"
        names = (name for name in contract.LIST_ID_FIELDS if f'"{name}"' in seen.listed.reply.text)
        settings["list_id_property"] = next(names, contract.LIST_ID_FIELDS[0])
    files = [*seen.listed_files, *([upload.file] if upload and upload.file else [])]
    for counts in (count_names(file, CountNames("-", "-")) for file in files):
        if counts.added:
            settings |= {"added_property": counts.added, "duplicate_property": counts.duplicates or None}
    failed = {status_of(file) for file in files if file.reason}
    if len(failed) == 1:
        settings["failure_status"] = failed.pop()
    if upload is not None and upload.ended and len(upload.statuses) > 1:
        *statuses, last = upload.statuses
        settings |= {"statuses": statuses, "success_status": last}
        settings["processing_time"] = max(0.5, round(upload.statuses[last], 1))
    for name, after in (("list_lag", upload.listed_after), ("fetch_lag", upload.fetched_after)) if upload else ():
        if after is not None and after >= 1:
            settings[name] = round(after, 1)
    if catalog is not None and catalog.success:
        text_only = catalog.content is None
        prop = values["paths.catalog_id"][0] or (None if text_only else contract.CATALOG_ID_FIELDS[0])
        settings |= {"catalog_status": catalog.status, "catalog_id_property": prop}
        settings["catalog_response"] = "text" if text_only else "json"
    if segment is not None and segment.success:
        shape = {"JSON": "object", "text": "text"}.get(segment.form, "empty")
        settings |= {"segment_status": segment.status, "segment_response": shape}
    description = "How a service responded when wes-doctor examined it."
    return {"version": 1, "name": "found by wes-doctor", "description": description, "settings": settings}
