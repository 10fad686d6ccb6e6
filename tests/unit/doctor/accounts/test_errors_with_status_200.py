"""
A service whose errors come with status 200, in six forms. They are read like errors with their own
status: keys are sure or wrong as usual. An update of a segment is not proved then, because a task
takes any 200 for a success. If the key of an update is refused so, both the key and the update are
wrong; if the update succeeds, the account is ready, and the report keeps a warning.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from support.doctor_service import (
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic

WRONG, SURE = Certainty.WRONG, Certainty.SURE
Wrap = Callable[[int, str, str], Reply]


def in_json(make: Callable[[int, str], Any]) -> Wrap:
    return lambda status, code, message: json_reply(200, make(status, message))


def in_xml(status: int, code: str, message: str) -> Reply:
    body = f'<?xml version="1.0"?><fault><code>{status}7</code><reason>{message}</reason></fault>'
    return Reply(200, body.encode(), {"Content-Type": "application/xml"})


# Words that no list has: only comparing shows what the error means.
FOREIGN = {401: "Tuntematon avain", 404: "Ei ole"}
ERRORS: dict[str, Wrap] = {
    "a code and a message with names of their own": in_json(
        lambda status, says: {"errorCode": status + 10_000, "errorMessage": says, "data": None}
    ),
    "a number and a message": in_json(lambda status, says: {"code": status * 100, "msg": says}),
    "a word as status": in_json(lambda status, says: {"status": "error", "message": says}),
    "an object beside ok": in_json(
        lambda status, says: {"ok": False, "error": {"code": f"E{status}", "message": says}}
    ),
    "words in another language": in_json(
        lambda status, says: {"success": False, "errorCode": status, "errorMsg": FOREIGN[status]}
    ),
    "XML": in_xml,
}


def with_200(wrap: Wrap) -> Callable[[Call], Reply]:
    def nasty(call: Call) -> Reply:
        reply = Account().reply(call)
        if call.method == "PATCH" and call.key == "data":
            return json_reply(200, {"name": "s"})
        if reply.status < 400:
            return reply
        error = json.loads(reply.body)["error"]
        return wrap(reply.status, error["code"], error["message"])

    return nasty


@pytest.mark.parametrize("name", ERRORS)
def test_errors_with_status_200_are_read_as_those_with_a_status(name: str):
    account = Account(with_200(ERRORS[name]))
    report = examined_account(account)
    check_what_holds_of_each_report(report)
    assert about(report, Topic.DATA_KEY).certainty is SURE
    assert about(report, Topic.CAMPAIGN_KEY).certainty is SURE
    assert report.verdict.startswith("Not proved: Segment. Errors come with status 200 here")


@pytest.mark.parametrize("name", ["words in another language", "XML"])
def test_a_key_that_is_refused_with_status_200_is_wrong_for_reads_and_updates(name: str):
    nasty = with_200(ERRORS[name])
    account = Account(
        lambda call: nasty(call._replace(key="unknown" if call.key == "data" else call.key))
    )
    report = examined_account(account, segment_id="s")
    assert about(report, Topic.DATA_KEY).certainty is WRONG
    segment = about(report, Topic.SEGMENT)
    assert segment.certainty is WRONG
    assert segment.text.startswith("Refused (200 ")
    assert "--segment" not in report.to_json()


def test_a_ready_account_keeps_the_warning_that_errors_come_with_200():
    account = Account(with_200(ERRORS["an object beside ok"]))
    report = examined_account(account, segment_id="s")
    assert report.works
    lines = [line.plain for line in report.lines()]
    assert any("They come with 200, which an update takes for a success." in line for line in lines)
