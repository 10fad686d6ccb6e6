"""
Accounts that explain an error. If a 410 names another path of the list, by words or by a link to a
successor, that has the files, it is proposed: *Not ready*; without a path, the list's path is *Not
proved*, and the words are quoted. If each read of the own keys gets one error, the verdict is *Not
ready*, about what it says: another data center (421) the Address; a bill, a locked account or a
version (402, 423, 426) the Account; its words are quoted. If only the list gets an error, or only
its files get a 404 of the service, that path is *Not proved*. With the extra that is printed,
nothing is wrong, and nothing else is proposed.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    NOT_PROVED,
    NOT_READY,
    Row,
    check_not_wrong,
    check_open,
    check_pasted,
    check_proposed,
    check_verdict,
    moved,
    objects,
    only_path,
)
from support.doctor_service import (
    Account,
    error_reply,
)
from wes_provider.doctor.findings.finding import Topic

ACCOUNTS = [
    Row(
        "moved, with the path in the message",
        lambda: Account(
            moved("Moved. Use GET /v1/lists/{list}/all."), list_path="/v1/lists/spring/all"
        ),
        NOT_READY,
        (Topic.LIST_PATH.value, "The service names /v1/lists/{coupon_list_id}/all, which has 2"),
        {"paths.coupon_files": "/v1/lists/{coupon_list_id}/all"},
    ),
    Row(
        "moved, with a link to the successor",
        lambda: Account(
            moved("Gone.", Link='</v1/lists/spring/all>; rel="successor-version"'),
            list_path="/v1/lists/spring/all",
        ),
        NOT_READY,
        (Topic.LIST_PATH.value, "The service names /v1/lists/{coupon_list_id}/all, which has 2"),
        {"paths.coupon_files": "/v1/lists/{coupon_list_id}/all"},
    ),
    Row(
        "moved, without a path",
        lambda: Account(moved("Lists moved to the new interface, see our release notes.")),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "replies 410 gone", "'Lists moved to the new interface, see our"),
    ),
    Row(
        "another data center",
        lambda: Account(objects(421, "wrong-datacenter", "It is served by data center 3.")),
        NOT_READY,
        (
            Topic.ADDRESS.value,
            "421 wrong-datacenter to each read",
            "data center 3",
            "Set the Address to what",
        ),
    ),
    Row(
        "a bill that is not paid",
        lambda: Account(objects(402, "payment-required", "The subscription ended in May.")),
        NOT_READY,
        (Topic.ACCOUNT.value, "402 payment-required", "'The subscription ended in May'"),
    ),
    Row(
        "an account that is locked",
        lambda: Account(objects(423, "locked", "Locked by the administrator.")),
        NOT_READY,
        (Topic.ACCOUNT.value, "423 locked", "'Locked by the administrator'"),
    ),
    Row(
        "a version that is not supported",
        lambda: Account(objects(426, "upgrade", "Send the parameter api-version=2.")),
        NOT_READY,
        (Topic.ACCOUNT.value, "426 upgrade", "'Send the parameter api-version=2'"),
    ),
    Row(
        "a list that is archived",
        lambda: Account(only_path("/files", error_reply(409, "archived", "The list is archived."))),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "replies 409 archived", "'The list is archived'"),
    ),
    Row(
        "files that have no record",
        lambda: Account(
            only_path(
                "/files/", error_reply(404, "coupon-file-not-found", "Only of the interface.")
            )
        ),
        NOT_PROVED,
        (Topic.FILE_PATH.value, "404 coupon-file-not-found", "'Only of the interface'", "--upload"),
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


TO_PASTE = [row for row in ACCOUNTS if row.state is NOT_READY and row.changed]


@pytest.mark.weekly("the first run of each account has the extra that is printed")
@pytest.mark.parametrize("row", TO_PASTE, ids=ids(TO_PASTE))
def test_with_the_extra_that_is_printed_nothing_is_wrong_and_nothing_else_proposed(row: Row):
    check_pasted(row)
