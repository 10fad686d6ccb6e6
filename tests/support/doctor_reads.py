"""Reads of a service made by hand, of a connection as users have it: its settings are read."""

from __future__ import annotations

from typing import Any

from support.doctor_replies import LIST, error_body, evidence_of, reply
from support.settings import settings as read_settings
from wes_provider.client.requests import Request, read_segment
from wes_provider.doctor.reads.evidence import MADE_UP, Evidence, file_at, list_at
from wes_provider.doctor.replies.probes import Keys, Probe
from wes_provider.settings import WesSettings

__all__ = [
    "ADDRESS",
    "FILE_READ",
    "LIST",
    "LIST_READ",
    "LOGIN",
    "NOWHERE_READ",
    "SEGMENT_READ",
    "SETTINGS",
    "error_body",
    "evidence",
    "probe",
    "settings_of",
]

ADDRESS = "https://api.example.com"
LOGIN = "workspace-1"


def settings_of(address: str = ADDRESS, **changes: Any) -> WesSettings:
    """Settings of a connection to an address, with two keys."""
    extra = {"data_api_key": "data-key-of-ours"}
    connection = {"host": address, "login": LOGIN, "password": "campaign-key-of-ours"}
    return read_settings({**connection, "extra": extra}, **changes)


SETTINGS = settings_of()
LIST_READ = list_at(SETTINGS, SETTINGS.coupon_files_path, LIST)
FILE_READ = file_at(SETTINGS, SETTINGS.coupon_file_path, LIST, "f1")
SEGMENT_READ = read_segment(SETTINGS, MADE_UP)
NOWHERE_READ = list_at(SETTINGS, "/v1/no-such-path/{coupon_list_id}", LIST)


def probe(
    status: int = 200,
    body: Any = b"",
    *,
    request: Request = LIST_READ,
    keys: Keys = Keys.OWN,
    sent_at: float = 0.0,
    **fields: Any,
) -> Probe:
    """
    One read and what came, as :func:`reply` makes it.

    :param body: ``None`` for no body.
    """
    if body is None:
        body = b""
    return reply(status, body, request=request, keys=keys, sent_at=sent_at, **fields)


def evidence(*probes: Probe, **fields: Any) -> Evidence:
    """The reads of a list."""
    return evidence_of(*probes, **{"settings": SETTINGS, **fields})
