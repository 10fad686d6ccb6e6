"""
What is said of an upload whose reply has no identifier where the provider reads it: an operation,
no body, a page, a 504, an error in a success, no response.

If the list shows its file, Upload is *Not proved*, tasks find the file there, and Statuses and the
lag are *sure*. If the list does not show it by its name within 30 s, or within ``--timeout`` if
that is shorter, Upload is wrong: the file is to be looked for, by what the reply names; or a new
file with its URL and another name is to be looked at. A file with that URL that the list had before
is not the uploaded one.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    about,
    json_reply,
    page_reply,
    record,
)
from support.doctor_uploads import URL, Uploads
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report, State

SURE, WRONG, NOT_PROVED = Certainty.SURE, Certainty.WRONG, Certainty.NOT_PROVED


class Unnamed(NamedTuple):
    """A reply to an upload that has no identifier, when the list has the file, and what is said."""

    name: str
    reply: Reply
    says: str
    listed_after: float = 0.0


OPERATION = {"operation_id": "op-1", "state": "accepted"}
ACCEPTED = "Accepted with 202 and no identifier; the list had it after"
UNNAMED = [
    Unnamed("an operation", json_reply(202, OPERATION, Location="/v1/operations/op-1"), ACCEPTED),
    Unnamed(
        "an operation, and the list has the file after 7 s",
        json_reply(202, OPERATION),
        f"{ACCEPTED} 8 s, so tasks find it there",
        listed_after=7.0,
    ),
    Unnamed("no body", Reply(204), "Accepted with 204 and no identifier; the list had it"),
    Unnamed(
        "a page with 200", page_reply(200), "Accepted with 200 and no identifier; the list had it"
    ),
    Unnamed(
        "an identifier elsewhere in the body",
        json_reply(201, {"result": {"_id": "up", "status": "PENDING"}}),
        "no identifier where the provider reads it (it is under result); the list had it",
    ),
    Unnamed("a page with 504", page_reply(504), "The reply was 504", listed_after=3.0),
    Unnamed("an error in a success", json_reply(200, {"success": False}), "The reply was 200 with"),
    Unnamed(
        "no response",
        Reply(0),
        "No usable response came, but the list had it after",
        listed_after=3.0,
    ),
]


@cache
def report_of_unnamed(name: str) -> Report:
    """What the doctor reports of the row of this name."""
    (row,) = [row for row in UNNAMED if row.name == name]
    return Uploads(row.reply, listed_after=row.listed_after).examine()


@pytest.mark.parametrize("row", UNNAMED, ids=ids(UNNAMED))
def test_an_upload_without_an_identifier_is_not_proved_if_the_list_has_its_file(row: Unnamed):
    report = report_of_unnamed(row.name)
    upload = about(report, Topic.UPLOAD)
    assert row.says in upload.text
    assert "tasks find it there: ask the service's support" in upload.text
    assert (report.state, upload.certainty) == (State.NOT_PROVED, NOT_PROVED)


@pytest.mark.parametrize("row", UNNAMED, ids=ids(UNNAMED))
def test_statuses_and_lag_are_sure_of_a_file_that_only_the_list_shows(row: Unnamed):
    report = report_of_unnamed(row.name)
    assert about(report, Topic.STATUSES).certainty is SURE
    assert about(report, Topic.LAG).certainty is SURE


class Missing(NamedTuple):
    """A reply to an upload whose file the list does not show in time, and what is said."""

    name: str
    reply: Reply
    says: str


MISSING = [
    Missing(
        "an operation",
        json_reply(202, OPERATION, Location="/v1/operations/op-1"),
        "It has the status 202 and names operation_id op-1 and the Location http://",
    ),
    Missing("no body", Reply(204), "It has the status 204. The list did not show it in 30 s."),
    Missing(
        "a page with 503", page_reply(503), "may have done it or not. The list did not show it"
    ),
]


@pytest.mark.parametrize("row", MISSING, ids=ids(MISSING))
def test_a_file_that_the_list_does_not_show_by_its_name_is_to_be_looked_for(row: Missing):
    account = Uploads(row.reply, listed_after=40.0)
    upload = about(account.examine(), Topic.UPLOAD)
    assert upload.certainty is WRONG
    assert row.says in upload.text
    assert f"Look for {account.name} among the list's files" in upload.text


def test_a_file_with_the_uploads_url_and_another_name_is_to_be_looked_at():
    account = Uploads(json_reply(202, {}), shown={"name": "up.csv"}, listed_after=0.0)
    upload = about(account.examine(), Topic.UPLOAD)
    assert upload.certainty is WRONG
    assert (
        "The list has coupon file up with its URL, but with another name ('up.csv'), so tasks ask a "
        "person. See in the service's console whether this file is the upload"
    ) in upload.text


class Searched(NamedTuple):
    """For how long an upload is followed, and how long its file is looked for, in seconds."""

    timeout: float
    searched: int


SEARCHED = [Searched(timeout=5.0, searched=5), Searched(timeout=60.0, searched=30)]


@pytest.mark.parametrize("row", SEARCHED, ids=[str(row.timeout) for row in SEARCHED])
def test_a_file_without_an_identifier_is_looked_for_for_30_s_or_the_timeout_if_that_is_shorter(
    row: Searched,
):
    account = Uploads(Reply(204), listed_after=100.0)
    upload = about(account.examine(timeout=row.timeout), Topic.UPLOAD)
    assert f"The list did not show it in {row.searched} s." in upload.text


def test_a_file_with_the_uploads_url_that_the_list_had_before_is_not_taken_for_the_upload():
    others = [record("f1", name="old.csv", file_url=URL), record("f2")]
    account = Uploads(json_reply(202, {}), others=others, listed_after=1000.0)
    upload = about(account.examine(), Topic.UPLOAD)
    assert "another name" not in upload.text
    assert "The list did not show it in 30 s." in upload.text
