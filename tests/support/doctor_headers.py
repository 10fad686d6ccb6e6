"""Replies to reads with the header of the workspace, and what is said of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from support.doctor_findings import (
    UNAUTHENTICATED,
    Said,
    again,
    listed,
)
from support.doctor_replies import SETTINGS, changed, error_body, evidence_of
from support.doctor_service import LIST
from wes_provider.client.requests import Request
from wes_provider.doctor.conclusions.header_conclusions import conclude_on_header
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.reads.evidence import Evidence, list_at
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.settings import WesSettings

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
NOT_SHOWN, SURE = Certainty.NOT_SHOWN, Certainty.SURE
# The header of the contract, and one that a connection may name.
SENT = "SVC-APPKEY"
CHOSEN = "X-Mine"
WITH_CHOSEN = changed(workspace_header=CHOSEN)


def read_with(header: str, **changes: Any) -> Request:
    settings = changed(workspace_header=header, **changes)
    return list_at(settings, SETTINGS.coupon_files_path, LIST)


def list_read_twice(status: int, content: Any, **more: Any) -> list[Probe]:
    """The read of the list, twice with the same reply."""
    return [listed(status, content, **more), again(status, content, **more)]


def list_refused_twice(content: Any = UNAUTHENTICATED, **more: Any) -> list[Probe]:
    """The read of the list, twice with 401."""
    return list_read_twice(401, content, **more)


class Case(NamedTuple):
    """
    Replies, and what is said of the header.

    :ivar header: that is proved; empty for none.
    :ivar settings: those of the connection, which by default sends the header of the contract.
    """

    name: str
    probes: Sequence[Probe]
    said: Said
    header: str = ""
    settings: WesSettings = SETTINGS
    not_asked: Mapping[Question, str] = {}

    @property
    def evidence(self) -> Evidence:
        return evidence_of(*self.probes, settings=self.settings, not_asked=self.not_asked)


def check_header(row: Case) -> None:
    """The finding about the header says what the row says, word for word."""
    finding = conclude_on_header(row.evidence)
    assert finding.topic is Topic.WORKSPACE_HEADER
    assert Said.of(finding) == row.said
    proposed = {}
    if row.header:
        proposed = {"workspace_header": row.header}
    assert (finding.settings, finding.guesses) == (proposed, {})


NAMES_TENANT = error_body("", "Header X-Tenant is required.")
HINT = {"vary": "Accept, X-Tenant"}


__all__ = [
    "CHOSEN",
    "HINT",
    "NAMES_TENANT",
    "NOT_PROVED",
    "NOT_SHOWN",
    "SENT",
    "SURE",
    "WITH_CHOSEN",
    "WRONG",
    "Case",
    "check_header",
    "list_read_twice",
    "list_refused_twice",
    "read_with",
]
