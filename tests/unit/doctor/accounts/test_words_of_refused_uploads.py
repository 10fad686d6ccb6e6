"""
An upload that is refused is *not ready*, and its words decide what is advised: to wait until the
hour that they name, to do what they say about created_by (the doctor sends 'wes-doctor', and tasks
their own), or, if a header is missing that the provider does not send, to ask support, since no
setting adds it. Words that say nothing of the kind, such as "Nope.", advise to ask support.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_service import (
    Account,
    examined_account,
    json_reply,
)


class Turned(NamedTuple):
    """An error that an upload gets, and what the verdict advises."""

    name: str
    status: int
    message: str
    advice: str


TURNED = [
    Turned(
        "a list that is in use",
        423,
        "A campaign is sending from this list until 18:00 UTC.",
        "Nothing was done. Wait until then, and run this again.",
    ),
    Turned(
        "a creator that nobody knows",
        422,
        "created_by must be an e-mail address of a user.",
        "The doctor sends created_by 'wes-doctor', and your tasks their own. Do what it says",
    ),
    Turned("another reason", 422, "Nope.", "Nothing was done. Ask the service's support."),
    Turned(
        "a header that tasks do not send",
        400,
        "The header Idempotency-Key is missing.",
        "The provider does not send Idempotency-Key, and no setting adds it: ask the service's",
    ),
]


@pytest.mark.parametrize("row", TURNED, ids=[row.name for row in TURNED])
def test_what_to_do_about_a_refused_upload_follows_from_its_words(row: Turned):
    reply = json_reply(row.status, {"error": {"code": "refused", "message": row.message}})
    account = Account(lambda call: reply if call.method == "POST" else None)

    report = examined_account(account, file_url="https://files.example.com/new.csv")

    assert report.verdict.startswith("Not ready: Upload. ")
    assert row.advice in report.verdict
