"""
If an empty list's reply has a notice or messages for people, they are quoted first: a used-up quota
says to wait, other words to do what they say. A single word such as "none", and a description, are
no notice; the list may then be of something else. A warning beside files is quoted, and leaves the
account ready. If the reply calls the list ARCHIVED, the Upload is *not proved*, since it may take
no files.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Account,
    about,
    examined_account,
    json_reply,
    record,
)
from support.doctor_verdicts import (
    Case,
    check,
)
from wes_provider.doctor.findings.finding import Topic


def empty_list(**beside: object) -> Callable[[], Account]:
    return lambda: Account(records=[], list_body=lambda records: {"data": records, **beside})


EMPTY = [
    Case(
        "an empty list with a quota as a notice",
        empty_list(notice="The monthly quota of your plan is used up."),
        ("has no file, and its reply says 'The monthly quota of your plan is used up'", "Wait"),
        ("so it may list something else",),
    ),
    Case(
        "an empty list with a notice of its own kind",
        empty_list(meta={"messages": ["Please choose a season first."]}),
        ("its reply says 'Please choose a season first'. Do what it says, or ask",),
    ),
    Case(
        "an empty list with words that are for programs",
        empty_list(notice="none", description="All coupons of spring"),
        ("has no file, so it may list something else",),
    ),
]


@pytest.mark.parametrize("case", EMPTY, ids=ids(EMPTY))
def test_what_an_empty_lists_reply_says_to_people_is_quoted_first(case: Case):
    check(case)


def test_a_list_that_is_closed_may_take_no_uploads():
    check(
        Case(
            "a list that is closed",
            lambda: Account(
                lambda call: (
                    json_reply(
                        200, {"list_status": "ARCHIVED", "data": [record("f1"), record("f2")]}
                    )
                    if call.path == FILES_PATH and call.key == "campaign"
                    else None
                )
            ),
            (
                "Not proved: Upload. It may take no files, since the list's reply has list_status: ARCHIVED: ",
                "name a list that takes files, or have this one opened in the service's dashboard.",
            ),
        )
    )


def test_a_notice_beside_files_is_quoted_and_leaves_the_account_ready():
    warning = "Files older than 30 days are left out."
    account = Account(list_body=lambda records: {"data": records, "warnings": [warning]})

    report = examined_account(account)

    finding = about(report, Topic.NOTICES)
    assert report.works
    assert finding.needs_action
    assert "Beside the list's files stands warnings: Files older than 30 days are left" in (
        finding.text
    )
