"""Reads with workspace headers, and what follows from them for the header."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from support.doctor_findings import (
    FILES,
    with_made_up_value,
)
from support.doctor_replies import SETTINGS, changed, error_body, evidence_of, reply
from wes_provider.client import requests
from wes_provider.doctor.reads import header
from wes_provider.doctor.reads.evidence import MADE_UP
from wes_provider.doctor.reads.header import HEADERS
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.settings import WesSettings

USUAL = tuple(name for name in HEADERS if name != "SVC-APPKEY")


def list_reply(status: int, message: str = "", **headers: str) -> Probe:
    """The read of the list; names of headers of the reply have _ for -."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return reply(status, error_body("", message) if message else b"", named)


def with_accepted_value(name: str) -> Probe:
    """A read of the list with a made-up value in this header, which gets the list, too."""
    return with_made_up_value(name, 200, FILES)


def segment_reply(status: int, settings: WesSettings = SETTINGS) -> Probe:
    """The read of a segment with the data key."""
    request = requests.read_segment(settings, MADE_UP)
    return reply(status, question=Question.DATA_KEY, request=request)


SAME_KEY_FOR_BOTH = changed(data_api_key=SETTINGS.api_key)
REFUSED_TWICE = [list_reply(401), list_reply(401)]
ASKS_FOR_X_TENANT = list_reply(400, "Header X-Tenant is required")
X_TENANT = ("X-Tenant",)


class Search(NamedTuple):
    """
    Replies, and what follows for the header.

    :ivar refused: the number of the read that another header may help; ``None`` for none.
    :ivar to_try: the headers to send in its place; ``to_add``: besides it.
    :ivar candidate: the one that was accepted alone; ``proved``: twice, and its value matters.
    :ivar demanded: one that is demanded besides; ``missed``: whether that read's error names a
        header as missing, or its words say that one is.
    """

    name: str
    probes: Sequence[Probe]
    refused: int | None = None
    to_try: tuple[str, ...] = ()
    to_add: tuple[str, ...] = ()
    candidate: str = ""
    proved: str = ""
    demanded: str = ""
    missed: bool = False
    settings: WesSettings = SETTINGS

    @property
    def settings_found(self) -> WesSettings:
        """The connection's settings, with the header that is proved."""
        if not self.proved:
            return self.settings
        return msgspec.structs.replace(self.settings, workspace_header=self.proved)


HALF = USUAL[: (len(USUAL) + 1) // 2]


def check(row: Search) -> None:
    """
    What is known of the header, and to be read next, is what the row says: what it leaves out is
    empty.
    """
    evidence = evidence_of(*row.probes, settings=row.settings)
    refused = header.refused_read(evidence)
    assert refused is (None if row.refused is None else row.probes[row.refused])
    assert header.headers_to_try(evidence) == row.to_try
    assert header.headers_to_add(evidence) == row.to_add
    assert header.header_candidate(evidence) == row.candidate
    assert header.proved_header(evidence) == row.proved
    assert header.demanded_header(evidence) == row.demanded
    assert header.missed_header(evidence) is (refused if row.missed else None)
    assert header.current_settings(evidence) == row.settings_found
