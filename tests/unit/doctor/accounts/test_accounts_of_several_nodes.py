"""
Accounts that give two answers to the same request, as several nodes behind one address do: the
verdict is *Not proved*, about what changed, with both answers and since when. If a key is refused
at times or from some read on, it is about the campaign key; about the Account, if all keys are
refused from some read on. If the list lacks a file at times, it is about the list's path, and
neither that nor statuses and counts are sure; if the list itself is not found at times, its path is
not. If one file is not found at times, it is about the path of one file. Nothing is proposed.
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
    expires,
    from_request,
    no_file,
    nodes,
    only_read_of_list,
    refuse,
    refuse_campaign_key,
    without_last_file,
    without_list,
)
from support.doctor_service import (
    Account,
    json_reply,
    nothing_nasty,
    record,
)
from wes_provider.doctor.findings.finding import Topic

ACCOUNTS = [
    Row(
        "the first of two nodes refuses a rotated key",
        lambda: Account(nodes(refuse_campaign_key, nothing_nasty)),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, ALTERED, "refused (401", "then accepted (200)"),
        not_sure=KEYS,
    ),
    Row(
        "the second of two nodes refuses a rotated key",
        lambda: Account(nodes(nothing_nasty, refuse_campaign_key)),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, ALTERED),
        not_sure=KEYS,
    ),
    Row(
        "one of three nodes refuses everything",
        lambda: Account(nodes(nothing_nasty, nothing_nasty, refuse)),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, ALTERED),
        not_sure=KEYS,
    ),
    Row(
        "the key expires meanwhile",
        lambda: Account(from_request(5, refuse)),
        NOT_PROVED,
        (Topic.ACCOUNT.value, "which it accepted before (401", "Do not run this again at once"),
        not_sure=(*KEYS, Topic.DATA_KEY, Topic.LIST_PATH, Topic.FILE_PATH),
    ),
    Row(
        "one of three nodes is behind",
        lambda: Account(nodes(nothing_nasty, without_last_file, nothing_nasty)),
        NOT_PROVED,
        (Topic.LIST_PATH.value, ALTERED, "200 with 2 files", "then 200 with 1 file, without f2"),
        not_sure=(Topic.LIST_PATH, Topic.STATUSES, Topic.COUNTS),
    ),
    Row(
        "the last read of the list lacks a file",
        lambda: Account(only_read_of_list(3, json_reply(200, [record("f1")]))),
        NOT_PROVED,
        (Topic.LIST_PATH.value, ALTERED, "200 with 2 files at first", "without f2 since"),
        not_sure=(Topic.LIST_PATH, Topic.STATUSES, Topic.COUNTS),
    ),
    Row(
        "a status to be proposed, of a list that loses a file",
        lambda: Account(
            only_read_of_list(2, json_reply(200, [record("f1", "IMPORTED")])),
            records=[record("f1", "IMPORTED"), record("f2", "IMPORTED")],
        ),
        NOT_PROVED,
        (ALTERED, "without f2"),
        not_sure=(Topic.LIST_PATH, Topic.STATUSES, Topic.COUNTS),
    ),
    Row(
        "one of two nodes does not know the file",
        lambda: Account(nodes(nothing_nasty, no_file)),
        NOT_PROVED,
        (Topic.FILE_PATH.value, ALTERED, "accepted (200) at first, 404 not-found since"),
        not_sure=(Topic.FILE_PATH,),
    ),
    Row(
        "the campaign key expires in the end",
        lambda: Account(expires(4)),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, ALTERED, "accepted (200) at first, refused (401", "check it in"),
        not_sure=(*KEYS, Topic.LIST_PATH),
    ),
    Row(
        "one of three nodes does not know the list",
        lambda: Account(nodes(nothing_nasty, nothing_nasty, without_list)),
        NOT_PROVED,
        (Topic.LIST_PATH.value, ALTERED, "accepted (200)", "404 list-not-found", "nodes may"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "the list is gone in the end",
        lambda: Account(from_request(8, without_list)),
        NOT_PROVED,
        (Topic.LIST_PATH.value, ALTERED, "accepted (200) at first, 404 list-not-found since"),
        not_sure=(Topic.LIST_PATH,),
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
