"""
If the list is ARCHIVED by its reply, the Upload says so if it is refused, and not if it is
accepted. Nothing is uploaded if reads of the path of uploads are redirected to another path of this
host; a redirect to a download of another host keeps nothing from being uploaded. An uploaded file's
status is *sure*, though any key gets the list. If the response to an upload has a file that the
list had before, that is not followed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    examined_account,
    json_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.replies.probes import Question
from wes_provider.doctor.report import Report

URL = "https://files.example.com/a.csv"
ARCHIVED = "The list's reply has list_status: ARCHIVED"


def uploaded_to(account: Account, **more: Any) -> Report:
    """What is reported of an account, into whose list a file is uploaded."""
    return examined_account(account, file_url=URL, **more)


class ArchivedList(NamedTuple):
    """The reply to an upload into an archived list, and whether the list's state is said."""

    name: str
    reply: Reply
    is_state_said: bool


ARCHIVED_LISTS = [
    ArchivedList(
        "it is refused",
        json_reply(409, {"error": {"code": "no", "message": "No."}}),
        is_state_said=True,
    ),
    ArchivedList("it is accepted", json_reply(201, record("f9", name="x")), is_state_said=False),
]


@pytest.mark.parametrize("row", ARCHIVED_LISTS, ids=ids(ARCHIVED_LISTS))
def test_the_state_of_a_closed_list_is_said_of_an_upload_that_it_refuses(row: ArchivedList):
    def replies(call: Call) -> Reply | None:
        return row.reply if call.method == "POST" else None

    account = Account(
        replies, list_body=lambda records: {"data": records, "list_status": "ARCHIVED"}
    )
    assert (ARCHIVED in about(uploaded_to(account), Topic.UPLOAD).text) is row.is_state_said


class Redirected(NamedTuple):
    """Where reads of the list are redirected to, and how many uploads are sent then."""

    name: str
    location: str
    writes: int


REDIRECTED = [
    Redirected("to another path of this host", "/away", 0),
    Redirected("to a download of another host", "https://files.example.org/a?X-Amz-Signature=b", 1),
]


@pytest.mark.parametrize("row", REDIRECTED, ids=ids(REDIRECTED))
def test_nothing_is_uploaded_if_the_path_of_uploads_itself_is_redirected(row: Redirected):
    def replies(call: Call) -> Reply | None:
        if call.method == "GET" and call.path == FILES_PATH:
            return Reply(302, b"", {"Location": row.location})
        return None

    assert uploaded_to(Account(replies)).writes == row.writes


def test_an_uploaded_file_is_sure_though_any_key_gets_the_list():
    records = [record("f1")]

    def replies(call: Call) -> Reply | None:
        if call.method == "POST":
            records.append(record("f9"))
            return json_reply(201, records[-1])
        if call.path == FILES_PATH:
            return json_reply(200, records)
        return None

    statuses = about(uploaded_to(Account(replies, records=records)), Topic.STATUSES)
    assert statuses.certainty is Certainty.SURE
    assert statuses.text == "SUCCESS, which means success."


def test_a_file_that_the_list_had_before_is_not_followed_as_an_upload():
    account = Account(lambda call: json_reply(201, record("f1")) if call.method == "POST" else None)
    report = uploaded_to(account)
    follows = [probe for probe in report.probes if probe.question is Question.FOLLOW]
    assert (report.writes, follows) == (1, [])
