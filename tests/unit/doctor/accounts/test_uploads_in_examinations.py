"""
Nothing is uploaded into a list that is closed by its own reply, such as ARCHIVED; the Upload says
so. Nothing is uploaded if reads of the path of uploads are redirected to another path of this
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


def uploaded_to(account: Account, **more: Any) -> Report:
    """What is reported of an account, into whose list a file is uploaded."""
    return examined_account(account, file_url=URL, **more)


class Closed(NamedTuple):
    """What the list's reply has beside its files, and how many uploads are sent then."""

    name: str
    beside: dict[str, Any]
    writes: int


CLOSED = [
    Closed("a status of the list", {"list_status": "ARCHIVED"}, 0),
    Closed("a state in the list's object", {"list": {"state": "closed"}}, 0),
    Closed("a list that is open", {"list": {"state": "OPEN"}}, 1),
]


@pytest.mark.parametrize("row", CLOSED, ids=ids(CLOSED))
def test_nothing_is_uploaded_into_a_list_that_is_closed_by_its_own_reply(row: Closed):
    account = Account(list_body=lambda records: {"data": records, **row.beside})
    report = uploaded_to(account)
    assert report.writes == row.writes
    kept_back = about(report, Topic.UPLOAD).text.startswith("Not sent: the list's reply has ")
    assert kept_back is (row.writes == 0)
    assert report.verdict.startswith("Not proved: Upload. Not sent: ") is kept_back


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
