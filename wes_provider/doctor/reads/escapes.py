"""Identifiers that are sent escaped, which a gateway may refuse. Pure."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.probes import Form, Probe, Question
from wes_provider.texts import shown

__all__ = ["NAME_LIST_OTHERWISE", "escaped_in", "is_list_refused_for_escapes"]

NAME_LIST_OTHERWISE: Final = (
    "Name the list by its identifier in the service's dashboard, or have such paths let through."
)


def escaped_in(identifier: str) -> str:
    """Return the characters of an identifier that paths have escaped, such as ``/ (%2F)``."""
    escaped = {sign: quote(sign, safe="") for sign in identifier}
    return " and ".join(f"{shown(sign)} ({code})" for sign, code in escaped.items() if sign != code)


def is_list_refused_for_escapes(evidence: Evidence, probe: Probe) -> bool:
    """
    Tell whether the list may not be read for the characters of its identifier: its path gets a page
    of a web server, and a path that does not exist gets the service's own error.
    """
    if probe.form is not Form.PAGE or not escaped_in(evidence.list_id):
        return False
    return any(nowhere.is_documented_error for nowhere in evidence.of(Question.NO_SUCH_PATH))
