"""Lists that are snapshots: how old a reply says that its data is. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any, Final, NamedTuple

from wes_provider.client.announcements import plain_name
from wes_provider.doctor.replies.moments import moment_in
from wes_provider.doctor.replies.probes import Probe
from wes_provider.texts import shown

__all__ = ["Snapshot", "snapshot_of"]

# Ends of the plain names of members and headers that say of when data is.
OF_WHEN: Final = re.compile(
    r"(?:asof|(?:generated|exported|refreshed|snapshot|synced|synchronized|replicated|indexed|cached)"
    r"(?:at|on|time|date)?|last(?:refresh|sync|export|snapshot)(?:ed)?(?:at|on|time)?)$"
)
LIVE: Final = 60.0  # seconds that live data may be old, as clocks differ


class Snapshot(NamedTuple):
    """
    Data that a reply calls old.

    :ivar says: the member or the header that says so, with its value.
    :ivar age: in seconds, when the reply was sent.
    """

    says: str
    age: float


def snapshot_of(probe: Probe) -> Snapshot | None:
    """Return of when a reply says that its data is; ``None`` if it does not say, or it is live."""
    for where, value in _members_beside_records(probe):
        moment = _moment_of(value)
        if moment is None or not OF_WHEN.search(plain_name(where)):
            continue
        age = _sent_at(probe) - moment
        if age > LIVE:
            name = shown(where, quoted=False)
            return Snapshot(f"{name} {shown(probe.clean(value), quoted=False)}", age)
    return None


def _members_beside_records(probe: Probe) -> Iterator[tuple[str, Any]]:
    """Yield headers, and the members of a body that are of no record: at the top, and below one."""
    yield from probe.response.headers.items()
    if not isinstance(probe.content, dict):
        return
    for name, value in probe.content.items():
        if isinstance(value, dict):
            yield from value.items()
        else:
            yield name, value


def _moment_of(value: Any) -> float | None:
    """Return the time that a value is, in one of two forms, in epoch seconds; else ``None``."""
    if not isinstance(value, str):
        return None
    moment = moment_in(value)
    if moment is None:
        return _moment_in_http_date(value)
    return moment


def _moment_in_http_date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError):
        return None


def _sent_at(probe: Probe) -> float:
    """Return when a reply was sent, by its own clock if it has one, in epoch seconds."""
    by_service = _moment_in_http_date(probe.response.headers.get("date", ""))
    if by_service is None:
        return probe.sent_at
    return by_service
