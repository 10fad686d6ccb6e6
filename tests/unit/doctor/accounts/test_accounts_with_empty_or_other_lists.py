"""
Accounts whose path of the list has no file, files of other lists, or the same files for a list that
does not exist. Each leaves the path *Not proved*, and asks for a list with files, or for the name that
the service has for the list. Files that name no list are *Ready* if a made-up list gets none.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    NOT_PROVED,
    OF_OTHERS,
    READY,
    UNNAMED,
    Row,
    any_list,
    any_list_is_empty,
    check_not_wrong,
    check_open,
    check_proposed,
    check_verdict,
    only_path,
)
from support.doctor_service import (
    LIST,
    Account,
    not_found,
    record,
)
from wes_provider.doctor.findings.finding import Topic

ACCOUNTS = [
    Row(
        "404 to a list without files",
        lambda: Account(only_path("/files", not_found("such list")), records=[]),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "replies so to a list without files: name a list with files"),
    ),
    Row(
        "an empty list, and any other one as well",
        lambda: Account(any_list_is_empty, records=[]),
        NOT_PROVED,
        (
            Topic.LIST_PATH.value,
            f"has no file, and a list that does not exist gets the same, so {LIST} may not exist",
            "before --upload URL sends anything into it",
        ),
    ),
    Row(
        "an empty list",
        lambda: Account(records=[]),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "has no file, so it may list something else"),
    ),
    Row(
        "an empty list at another path",
        lambda: Account(records=[], list_path=f"/v1/coupon-list/{LIST}/coupon-files"),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "coupon-files has no file", "name a list with files"),
        {"paths.coupon_files": "/v1/coupon-list/{coupon_list_id}/coupon-files"},
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "another path has files of other lists",
        lambda: Account(list_path="/v1/coupon-lists/spring/files", records=OF_OTHERS),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "none of them of the list spring, but of autumn, winter"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "the path has files of other lists",
        lambda: Account(records=OF_OTHERS),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "none of them of the list spring, but of autumn, winter"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "the path has files of other lists, too",
        lambda: Account(records=[*OF_OTHERS, record("f1")]),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "3 files, of other lists, too: autumn, winter"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row("files that name no list", lambda: Account(records=UNNAMED), READY),
    Row(
        "files that name no list, and are those of any list",
        lambda: Account(any_list, records=UNNAMED),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "and the same for a list that does not exist"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "files that name no list, and are those of any list at another path",
        lambda: Account(any_list, records=UNNAMED, list_path="/v1/coupon-lists/spring/files"),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "and the same for a list that does not exist"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "the list has another name in its files",
        lambda: Account(records=[record("f1", coupons_list_id="64af")]),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "but of 64af", "Name the list as the service does"),
        not_sure=(Topic.LIST_PATH,),
    ),
]


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_the_verdict_says_these_words_in_this_order(row: Row):
    check_verdict(row)


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_no_other_settings_are_proposed_than_replies_show(row: Row):
    check_proposed(row)


LEFT_OPEN = [row for row in ACCOUNTS if row.not_sure]


@pytest.mark.parametrize("row", LEFT_OPEN, ids=ids(LEFT_OPEN))
def test_nothing_is_sure_that_replies_leave_open(row: Row):
    check_open(row)


NOT_WRONG = [row for row in ACCOUNTS if row.state is NOT_PROVED]


@pytest.mark.parametrize("row", NOT_WRONG, ids=ids(NOT_WRONG))
def test_nothing_is_wrong_of_an_account_that_is_not_proved(row: Row):
    check_not_wrong(row)
