"""An error that each read gets, and what the finding about it advises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from support.doctor_reads import (
    LIST,
    SEGMENT_READ,
    SETTINGS,
    error_body,
    evidence,
    probe,
    settings_of,
)
from wes_provider.doctor.conclusions.objections import conclude_on_objection
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads.evidence import list_at
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.settings import WesSettings

SUPPORT = "Ask the service's support."
AGAIN = "and run this again."


class Row(NamedTuple):
    """
    An error that each read gets.

    :ivar code: of the error; ``odd`` tells nothing, and none makes it one that a gateway may send.
    :ivar message: of the error; ``Teapots only`` tells nothing.
    :ivar text: what the finding advises.
    :ivar others: further reads.
    :ivar host: of the connection, if the address is made of it and the data center.
    """

    name: str
    code: str
    message: str
    text: str
    topic: Topic = Topic.ACCOUNT
    status: int = 400
    others: Sequence[Probe] = ()
    settings: WesSettings = SETTINGS
    host: str = ""
    list_id: str = LIST


IN_01 = settings_of("https://api-01.example.com")
LIST_IN_02 = list_at(settings_of("https://api-02.example.com"), SETTINGS.coupon_files_path, LIST)
MADE_OF = "https://api-{data_center}.example.com"
SEGMENT_NOT_FOUND = probe(
    404, error_body("not-found", "x"), question=Question.DATA_KEY, request=SEGMENT_READ
)
SET_ADDRESS = f"Set the Address to what it says, {AGAIN}"


def body_of(code: str, message: str) -> dict[str, Any]:
    """An error that is none in the form that the contract shows if it has no code."""
    if code:
        return error_body(code, message)
    return {"error": {"message": message}}


def check_advice(row: Row) -> None:
    """The finding quotes the error, says who sent it, and rests on reads of other addresses."""
    settings, list_id = row.settings, row.list_id
    request = list_at(settings, settings.coupon_files_path, list_id)
    objection = probe(row.status, body_of(row.code, row.message), request=request)
    found = conclude_on_objection(
        evidence(objection, *row.others, settings=settings, list_id=list_id, host=row.host),
        objection,
    )
    others = [read for read in row.others if read.question is Question.OTHER_ADDRESS]
    who, certainty = "The service or a gateway", Certainty.NOT_PROVED
    if row.code:
        who, certainty = "The service", Certainty.WRONG
    with_key = ""
    if SEGMENT_NOT_FOUND in row.others:
        with_key = " with the Campaign API key"
    answer = f"{row.status} {row.code}".strip()
    assert found == Finding(
        topic=row.topic,
        certainty=certainty,
        text=f"{who} replies {answer} to each read{with_key}, whatever its path: "
        f"{row.message!r}. {row.text}",
        probes=(objection, *others),
    )


__all__ = [
    "AGAIN",
    "IN_01",
    "LIST_IN_02",
    "MADE_OF",
    "SEGMENT_NOT_FOUND",
    "SET_ADDRESS",
    "SUPPORT",
    "Row",
    "body_of",
    "check_advice",
]
