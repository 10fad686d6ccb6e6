"""
Accounts whose lists come in pages. A larger page is proposed if a read with it has all files, by the
parameter that the body names (1000, or the size that the body or a refusal gives as the largest); the
verdict is *Not ready* then. If no page has all, the path of the list is *Not proved*, and nothing is
proposed.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    LIST_TEMPLATE,
    NOT_PROVED,
    NOT_READY,
    THREE,
    Row,
    check_not_wrong,
    check_open,
    check_pasted,
    check_proposed,
    check_verdict,
    in_page_object,
    page_at_most,
    page_of,
)
from support.doctor_service import (
    FILES_PATH,
    Account,
)
from wes_provider.doctor.findings.finding import Topic

ACCOUNTS = [
    Row(
        "a link to a next page, whatever the size",
        lambda: Account(list_headers={"Link": f'<{FILES_PATH}?per_page=2&page=2>; rel="next"'}),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "may have a part", "per_page=1000 does not show all"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "a total above the length",
        lambda: Account(list_body=lambda records: {"data": records[:1], "total": 2}),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "a part of the list only", "1 of 2 files"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "pages of one, in an object that names its size",
        in_page_object("size"),
        NOT_READY,
        (Topic.LIST_PATH.value, "with size=500, it has all of it, which is enough up to 500"),
        {"paths.coupon_files": f"{LIST_TEMPLATE}?size=500"},
    ),
    Row(
        "pages of one, in an object with another name",
        in_page_object("perPage"),
        NOT_READY,
        (Topic.LIST_PATH.value, "with perPage=500, it has all of it, which is enough up to 500"),
        {"paths.coupon_files": f"{LIST_TEMPLATE}?perPage=500"},
    ),
    Row(
        "pages of one, of another parameter",
        in_page_object("chunk"),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "1 of 3 files; limit=1000 does not show all", "Ask the"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "pages of one",
        lambda: Account(page_of(1), records=THREE),
        NOT_READY,
        (Topic.LIST_PATH.value, "with limit=1000, it has all of it"),
        {"paths.coupon_files": f"{LIST_TEMPLATE}?limit=1000"},
    ),
    Row(
        "pages of one, in an object with another name than the parameter",
        lambda: Account(page_at_most(1000), records=THREE),
        NOT_READY,
        (Topic.LIST_PATH.value, "with limit=1000, it has all of it"),
        {"paths.coupon_files": f"{LIST_TEMPLATE}?limit=1000"},
    ),
    Row(
        "pages of a hundred at most, which a refusal says",
        lambda: Account(page_at_most(100), records=THREE),
        NOT_READY,
        (
            Topic.LIST_PATH.value,
            "with limit=100, it has all of it, which is enough up to 100 files; there are 3",
        ),
        {"paths.coupon_files": f"{LIST_TEMPLATE}?limit=100"},
    ),
    Row(
        "pages of two at most of three",
        lambda: Account(page_at_most(2), records=THREE),
        NOT_PROVED,
        (
            Topic.LIST_PATH.value,
            "1 of 3 files; perPage=1000 does not show all, limit=1000 gets 422: 'at most 2'. Use",
        ),
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


TO_PASTE = [row for row in ACCOUNTS if row.state is NOT_READY and row.changed]


@pytest.mark.weekly("the first run of each account has the extra that is printed")
@pytest.mark.parametrize("row", TO_PASTE, ids=ids(TO_PASTE))
def test_with_the_extra_that_is_printed_nothing_is_wrong_and_nothing_else_proposed(row: Row):
    check_pasted(row)
