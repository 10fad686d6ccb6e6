"""Reads of a service made by hand, for tests of what the doctor concludes from them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from support.settings import settings as read_settings
from wes_provider.client.requests import Request, read_segment
from wes_provider.client.responses import Response
from wes_provider.doctor.evidence import MADE_UP, Evidence, file_at, list_at
from wes_provider.doctor.probes import Keys, Probe, Question
from wes_provider.settings import WesSettings

ADDRESS = "https://api.example.com"
LOGIN = "workspace-1"
LIST = "spring"
NOTHING: Mapping[str, Any] = MappingProxyType({})


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
    body: Any = None,
    *,
    question: Question = Question.LIST,
    request: Request = LIST_READ,
    headers: Mapping[str, str] = NOTHING,
    keys: Keys = Keys.OWN,
    **fields: Any,
) -> Probe:
    """
    One read and what came.

    :param body: a string as it is, anything else as JSON; ``None`` for no body.
    """
    text = body
    if body is None:
        text = ""
    elif not isinstance(body, str):
        text = json.dumps(body)
    response = Response(status, dict(headers), text.encode())
    return Probe(question, request, keys, response=response, **fields)


def error(code: str, message: str) -> dict[str, Any]:
    """The body of an error in the form that the contract shows."""
    return {"error": {"code": code, "message": message}}


def evidence(*probes: Probe, **fields: Any) -> Evidence:
    """The reads of a list."""
    return Evidence(**{"settings": SETTINGS, "list_id": LIST, "probes": probes, **fields})
