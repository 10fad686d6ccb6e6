"""
Accounts whose errors have status 200. If the own keys are accepted, the segment is *Not proved*,
since tasks may take an error for a success. If the body says that the campaign key is refused, by a
number 401 or by a word, and the data key is accepted, the verdict is *Not ready*: the key was
refused three times. If both keys are refused so, it is *Not proved*, and no key, header or data key
is sure. If a maintenance begins within the reads, told by the body, the list's path is *Not
proved*, with the time since when. Nothing is proposed.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    ALTERED,
    KEYS,
    NOT_PROVED,
    NOT_READY,
    Row,
    check_not_wrong,
    check_open,
    check_proposed,
    check_verdict,
    from_request,
    soft,
    soft_refusal,
    soft_word,
)
from support.doctor_service import (
    Account,
    json_reply,
)
from wes_provider.doctor.findings.finding import Topic

ACCOUNTS = [
    Row(
        "errors with status 200 and a number, else healthy",
        lambda: Account(soft),
        NOT_PROVED,
        (Topic.SEGMENT.value, "Errors come with status 200 here"),
    ),
    Row(
        "errors with status 200 and a word, else healthy",
        lambda: Account(soft_word),
        NOT_PROVED,
        (Topic.SEGMENT.value, "Errors come with status 200 here"),
    ),
    Row(
        "a wrong key, told in the body of a 200",
        lambda: Account(lambda call: soft(call) if call.key != "campaign" else soft_refusal()),
        NOT_READY,
        (Topic.CAMPAIGN_KEY.value, "Refused 3 times (200 with statusCode 401: 'Invalid API key')"),
    ),
    Row(
        "a wrong key, told by a word in the body of a 200",
        lambda: Account(
            lambda call: (
                json_reply(200, {"ok": False, "error": "invalid_auth"})
                if call.key == "campaign"
                else soft_word(call)
            )
        ),
        NOT_READY,
        (Topic.CAMPAIGN_KEY.value, "Refused 3 times (200 with an error: 'invalid_auth')"),
    ),
    Row(
        "both keys wrong, told in the body of a 200",
        lambda: Account(lambda _: soft_refusal()),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, "(200 with statusCode 401: 'Invalid API key')", "check each"),
        not_sure=(*KEYS, Topic.DATA_KEY),
    ),
    Row(
        "maintenance begins, told in the body of a 200",
        lambda: Account(
            from_request(
                5,
                lambda _: json_reply(200, {"status": "maintenance", "message": "Back at 14:00."}),
            )
        ),
        NOT_PROVED,
        (Topic.LIST_PATH.value, ALTERED, "200 with an error since", "'Back at 14:00'"),
        not_sure=(Topic.LIST_PATH, Topic.FILE_PATH, Topic.STATUSES),
    ),
]


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_the_verdict_names_the_cause_first(row: Row):
    check_verdict(row)


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_no_other_settings_are_proposed_than_replies_show(row: Row):
    check_proposed(row)


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_nothing_is_sure_that_replies_leave_open(row: Row):
    check_open(row)


NOT_WRONG = [row for row in ACCOUNTS if row.state is not NOT_READY]


@pytest.mark.parametrize("row", NOT_WRONG, ids=ids(NOT_WRONG))
def test_nothing_is_wrong_of_an_account_that_is_ready_or_not_proved(row: Row):
    check_not_wrong(row)
