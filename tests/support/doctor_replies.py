"""Replies to the doctor's requests and the evidence that they make, without any service."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from support.doctor_service import CAMPAIGN_KEY, DATA_KEY, LIST, WORKSPACE
from wes_provider import contract
from wes_provider.client import requests
from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.doctor.reads.evidence import MADE_UP, Evidence, file_at, list_at
from wes_provider.doctor.replies.probes import Keys, Probe, Question
from wes_provider.settings import WesSettings

SETTINGS = WesSettings("https://api.example.com", WORKSPACE, CAMPAIGN_KEY, DATA_KEY)
MOMENT = 1_800_000_000.0  # 2027-01-15 08:00:00 UTC


def request_for(
    question: Question,
    settings: WesSettings = SETTINGS,
    path: str = "",
    list_id: str = LIST,
    file_id: str = "f1",
) -> Request:
    """
    The request that a question sends.

    :param path: of a list's files or of one file, as the extra ``paths`` takes it; by default the
        contract's.
    """
    if question in (Question.DATA_KEY, Question.MADE_UP_DATA_KEY):
        return requests.read_segment(settings, MADE_UP)
    if question is Question.FILE_PATH:
        return file_at(settings, path or contract.COUPON_FILE_PATH, list_id, file_id)
    if question is Question.NO_SUCH_PATH:
        return list_at(settings, path or "/v1/wes-doctor/{coupon_list_id}", list_id)
    if question is Question.MADE_UP_LIST:
        list_id = MADE_UP
    return list_at(settings, path or contract.COUPON_FILES_PATH, list_id)


def reply(
    status: int = 200,
    content: Any = b"",
    headers: Mapping[str, str] | None = None,
    question: Question = Question.LIST,
    request: Request | None = None,
    keys: Keys | None = None,
    **more: Any,
) -> Probe:
    """
    A request for a question, and the reply to it.

    :param content: of the body; a string or bytes as they are, anything else as JSON.
    :param keys: by default those that the question asks with.
    """
    body = content
    if isinstance(content, str):
        body = content.encode()
    elif not isinstance(content, bytes):
        body = json.dumps(content).encode()
    if keys is None:
        made_up = (Question.MADE_UP_KEY, Question.MADE_UP_DATA_KEY)
        keys = Keys.MADE_UP if question in made_up else Keys.OWN
    given = {"sent_at": MOMENT, **more}
    return Probe(
        question,
        request or request_for(question),
        keys,
        response=Response(status, dict(headers or {}), body),
        **given,
    )


def error_body(code: str = "", message: str = "") -> dict[str, Any]:
    """An error in the form that the contract shows."""
    return {"error": {"code": code, "message": message}}


def evidence_of(*probes: Probe, settings: WesSettings = SETTINGS, **more: Any) -> Evidence:
    """What is known after some replies."""
    return Evidence(settings, **{"list_id": LIST, "probes": probes, **more})


def changed(**values: Any) -> WesSettings:
    """The settings, some of them changed."""
    return msgspec.structs.replace(SETTINGS, **values)
