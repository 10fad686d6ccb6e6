"""
Replies that say of each item of a request what became of it, though their status is a success: a
207, lists of results, or of what has failed. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import msgspec

from wes_provider.client.announcements import plain_name
from wes_provider.doctor.replies.probes import Probe

__all__ = ["refused_item"]

LISTS_OF_RESULTS: Final = ("results", "items", "responses", "operations")
LISTS_OF_FAILURES: Final = ("failed", "failures", "rejected", "unprocessed")
LISTS_OF_SUCCESSES: Final = ("created", "updated", "succeeded", "successful", "processed")
NAMES_OF_STATUSES: Final = ("status", "statuscode", "httpstatus", "code")
ERROR_STATUSES: Final = range(400, 600)
# What a failure has by no status of its own: the request was refused.
BAD_REQUEST: Final = 400


def refused_item(probe: Probe) -> Probe | None:
    """
    Return the first item that was refused, as if its error had come alone, if none was accepted;
    ``None`` if one was, or the reply says nothing of items.
    """
    if not probe.has_2xx or not isinstance(probe.content, Mapping):
        return None
    members = {plain_name(name): value for name, value in probe.content.items()}
    for name in LISTS_OF_RESULTS:
        items = _objects_in(members.get(name))
        if items and all(map(_is_refused, items)):
            return _alone(probe, items[0])
    if any(map(members.get, LISTS_OF_SUCCESSES)):
        return None
    for name in LISTS_OF_FAILURES:
        items = _objects_in(members.get(name))
        if items:
            return _alone(probe, items[0])
    return None


def _objects_in(value: Any) -> list[Mapping[str, Any]]:
    if not isinstance(value, list):
        return []
    return [item for item in value if isinstance(item, Mapping)]


def _is_refused(item: Mapping[str, Any]) -> bool:
    return bool(_status_of(item)) or bool(item.get("error")) or item.get("success") is False


def _status_of(item: Mapping[str, Any]) -> int:
    """Return the status of an error that an item has; 0 if it has none."""
    for name, value in item.items():
        if plain_name(name) in NAMES_OF_STATUSES and value in ERROR_STATUSES:
            return int(value)
    return 0


def _alone(probe: Probe, item: Mapping[str, Any]) -> Probe:
    """Return the reply that an item would be by itself."""
    status = _status_of(item) or BAD_REQUEST
    body = msgspec.json.encode(item)
    response = probe.response._replace(status_code=status, body=body)
    return replace(probe, response=response)
