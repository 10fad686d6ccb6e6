"""
An upload that gets a 409. If its words say to wait, or that something is done at the moment, it is
not about this file: the row says to wait, until when if the reply says so, and not to take another
file. If they say that the file, its name or its content is there, another file is to be taken, and
the same without any words.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import about, check_says, json_reply
from support.doctor_uploads import Uploads
from wes_provider.doctor.findings.finding import Certainty, Topic

NO_RETRY = "A task fails at that, and Airflow does not retry it"


class Conflict(NamedTuple):
    """The code and message of a 409, and whether they say to wait."""

    code: str
    message: str
    is_for_a_time: bool


CONFLICTS = [
    Conflict("import-in-progress", "Another file of this list is being processed.", True),
    Conflict("busy", "Try again when it is done.", True),
    Conflict("conflict", "The list is locked by a running import.", True),
    Conflict("conflict", "Only one file at a time.", True),
    Conflict("conflict", "Please retry in 5 minutes.", True),
    Conflict("konflikt", "Bitte später erneut senden.", True),
    Conflict("duplicate", "A file of this name exists. Try again with another name.", False),
    Conflict("taken", "This name is taken, retry with another one.", False),
    Conflict("conflict", "This content was already imported.", False),
    Conflict("conflict", "Send it again under a different name.", False),
    Conflict("conflict", "Conflict", False),
]


@pytest.mark.parametrize("row", CONFLICTS, ids=[f"{row.code}: {row.message}" for row in CONFLICTS])
def test_a_conflict_that_passes_is_not_about_the_file(row: Conflict):
    error = {"error": {"code": row.code, "message": row.message}}
    report = Uploads(reply=json_reply(409, error)).examine()
    upload = about(report, Topic.UPLOAD)
    assert upload.certainty is Certainty.NOT_PROVED
    assert ("it is not about this file" in upload.text) is row.is_for_a_time, upload.text
    assert (NO_RETRY in upload.text) is row.is_for_a_time


class Until(NamedTuple):
    """What a 409 has that says until when to wait."""

    name: str
    message: str
    headers: dict[str, str]
    says: tuple[str, ...]


UNTIL = [
    Until("nothing", "Try again later.", {}, ("Wait, as it says, and run this again",)),
    Until(
        "a header",
        "Try again later.",
        {"Retry_After": "120"},
        ("Wait until ", ", as its headers say, and run this again"),
    ),
    Until(
        "words",
        "Try again in 5 minutes.",
        {},
        ("Wait until ", ", as it says, and run this again"),
    ),
]


@pytest.mark.parametrize("row", UNTIL, ids=ids(UNTIL))
def test_a_conflict_that_passes_says_until_when_to_wait(row: Until):
    error = {"error": {"code": "busy", "message": row.message}}
    report = Uploads(reply=json_reply(409, error, **row.headers)).examine()
    check_says(about(report, Topic.UPLOAD).text, row.says)
