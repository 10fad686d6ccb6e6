"""
An upload that is refused is *not ready*, and its words decide what is advised: to wait until the
hour that they name, or, if a header is missing that the provider does not send, to ask support,
since no setting adds it. Words that say nothing of the kind, such as "Nope.", advise to ask
support.

If they are about the name, of which the doctor sends another one than tasks, or about a field that
it does not send, such as created_by, uploads are *not proved*: what the doctor sends is no fault of
the account. The name of something else, such as a list or a host, is none of these.
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
    Turned("the name of the list", 422, "The name of the list is taken.", "Ask the service's"),
    Turned("the name of a host", 422, "The host name is not known.", "Ask the service's"),
    Turned("another reason", 422, "Nope.", "Nothing was done. Ask the service's support."),
    Turned(
        "a header that tasks do not send",
        400,
        "The header Idempotency-Key is missing.",
        "The provider does not send Idempotency-Key, and no setting adds it: ask the service's",
    ),
]


def verdict_on(row: Turned) -> str:
    """The verdict on an account that refuses an upload in the words of the row."""
    reply = json_reply(row.status, {"error": {"code": "refused", "message": row.message}})
    account = Account(lambda call: reply if call.method == "POST" else None)
    return examined_account(account, file_url="https://files.example.com/new.csv").verdict


@pytest.mark.parametrize("row", TURNED, ids=[row.name for row in TURNED])
def test_what_to_do_about_a_refused_upload_follows_from_its_words(row: Turned):
    verdict = verdict_on(row)
    assert verdict.startswith("Not ready: Upload. ")
    assert row.advice in verdict


ABOUT_NAME = (
    "It is about the name: the doctor sends a long one, to see how many characters lists show."
)
OWN = [
    Turned("its length", 400, "name: no more than 64 characters are allowed.", ABOUT_NAME),
    Turned("its letters", 400, "name may have small letters only.", ABOUT_NAME),
    Turned("a quoted field", 422, "Validation failed for 'name'.", ABOUT_NAME),
    Turned("a named field", 422, "The field name is too long.", ABOUT_NAME),
    Turned(
        "a creator that is wanted",
        422,
        "created_by must be an e-mail address of a user.",
        "The doctor does not send created_by, but your tasks can: give it there.",
    ),
    Turned(
        "a callback that is wanted",
        400,
        "A callback_url is required.",
        "The doctor does not send callback_url, but your tasks can: give it there.",
    ),
]


@pytest.mark.parametrize("row", OWN, ids=[row.name for row in OWN])
def test_what_the_doctor_sends_is_no_fault_of_the_account(row: Turned):
    verdict = verdict_on(row)
    assert verdict.startswith("Not proved: Upload. ")
    assert row.advice in verdict
