"""
Accounts that refuse the own keys once one or two made-up keys were sent, whatever the refusal's
status (401, 403, 423), and even if no answer comes after that: the Account is *Not proved*, after
so many reads with made-up keys, with the refusal's words, and the doctor is not to be run again at
once. No key is sure then. Nothing is proposed.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    KEYS,
    NOT_PROVED,
    NOT_READY,
    Row,
    check_not_wrong,
    check_open,
    check_proposed,
    check_verdict,
    locks,
)
from support.doctor_service import (
    UNAUTHENTICATED,
    Account,
    error_reply,
    json_reply,
    page_reply,
)
from wes_provider.doctor.findings.finding import Topic

ACCOUNTS = [
    Row(
        "locked after two made-up keys",
        lambda: Account(
            locks(2, error_reply(403, "request-forbidden", "Access is suspended for now."))
        ),
        NOT_PROVED,
        (
            Topic.ACCOUNT.value,
            "after 2 reads with made-up",
            "'Access is suspended for now'",
            "not run",
        ),
        not_sure=(*KEYS, Topic.DATA_KEY, Topic.LIST_PATH),
    ),
    Row(
        "locked after one made-up key",
        lambda: Account(locks(1, json_reply(401, UNAUTHENTICATED))),
        NOT_PROVED,
        (Topic.ACCOUNT.value, "after 1 read with made-up keys", "Do not run this again at once"),
        not_sure=(*KEYS, Topic.DATA_KEY, Topic.LIST_PATH),
    ),
    Row(
        "locked after two made-up keys with a status of its own",
        lambda: Account(locks(2, error_reply(423, "locked", "Too many wrong passwords."))),
        NOT_PROVED,
        (Topic.ACCOUNT.value, "after 2 reads", "(423 locked: 'Too many wrong passwords')"),
        not_sure=(*KEYS, Topic.DATA_KEY, Topic.LIST_PATH),
    ),
    Row(
        "locked after two made-up keys, and then no answer",
        lambda: Account(
            locks(2, error_reply(423, "locked", "Too many wrong passwords."), page_reply(503))
        ),
        NOT_PROVED,
        (Topic.ACCOUNT.value, "after 2 reads", "(423 locked: 'Too many wrong passwords')"),
        not_sure=(*KEYS, Topic.DATA_KEY),
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
