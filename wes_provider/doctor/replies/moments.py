"""Moments that properties have, and which of them lie ahead. Pure."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import Any, Final

from wes_provider.doctor.replies.files import properties_of
from wes_provider.doctor.replies.members import last_name
from wes_provider.doctor.replies.probes import Probe
from wes_provider.models import CouponFile
from wes_provider.texts import shown

__all__ = ["A_MINUTE", "lies_ahead", "moment_in", "when_it_goes_on"]

A_MINUTE: Final = 60.0  # by which clocks may differ
# Parts of the plain names of properties that say when something goes on.
GOES_ON: Final = re.compile(
    r"process|start|begin|run|next|schedule|plan|import|load|apply|retry|resum|window|eta|earliest|"
    r"notbefore|waituntil|effective|golive|liveat|publishat|activat(?:es?|ion)(?:at|on|date|time)?$"
)
# What else happens at a time to come, whatever becomes of the file before.
ENDS: Final = re.compile(
    r"expir|delete|deletion|purg|valid|retain|retention|archive|token|url|link"
)


def moment_in(value: Any) -> float | None:
    """
    Return the time that a property's value is, as ISO 8601 has it, in epoch seconds; ``None`` for
    any other value.
    """
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value.strip().replace("Z", "+00:00"))
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return moment.timestamp()


def lies_ahead(value: Any, probe: Probe) -> bool:
    """Tell whether a property's value is a time after a request."""
    moment = moment_in(value)
    return moment is not None and moment > probe.sent_at + A_MINUTE


def when_it_goes_on(file: CouponFile, probe: Probe) -> str:
    """
    Quote the property by which a file goes on at a time to come, such as
    ``process_after 2030-01-01T02:00:00Z``; empty if it has none.

    :param probe: the read that showed the file.
    """
    for where, value in properties_of(file).items():
        name = last_name(where)
        if GOES_ON.search(name) and not ENDS.search(name) and lies_ahead(value, probe):
            return f"{shown(where, quoted=False)} {shown(value, quoted=False)}"
    return ""
