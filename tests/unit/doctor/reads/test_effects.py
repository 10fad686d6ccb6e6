"""
Address, both keys and the list's path are *sure* if a made-up key does not get what the own key
gets, in whatever form it is refused: status 200 with a nested code or a number, 200 and a list
without files, or a status of its own, such as 418. With a status of its own, the account is
*Ready*. If made-up keys or missing segments get a 200, the Segment is *Not proved*, since an update
takes an error for a success; the verdict quotes the code, or that a made-up key gets no file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from support.doctor_effects import Case, check, instead
from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic


def in_envelope(_: Call, reply: Reply) -> Reply | None:
    """Errors have status 200; a nested member has a code, and words that the doctor does not know."""
    if reply.status == 200:
        return None
    codes = {401: ("E-7", "Tuntematon avain"), 404: ("E-9", "Ei ole")}
    code, message = codes[reply.status]
    return json_reply(200, {"header": {"resultCode": code, "resultMessage": message}})


def numbered(_: Call, reply: Reply) -> Reply | None:
    """Errors have status 200 and a number."""
    codes = {401: 17, 404: 23}
    return None if reply.status == 200 else json_reply(200, {"opStatus": codes[reply.status]})


def empty(call: Call, reply: Reply) -> Reply | None:
    """Below the path of coupons, errors have status 200 and a list without files."""
    return None if reply.status == 200 or call.path.startswith("/v3/") else json_reply(200, [])


def in_other_ways(call: Call, reply: Reply) -> Reply | None:
    """Who may not read the list gets a status that no refusal has."""
    return Reply(418, b"teapot") if reply.status == 401 and call.path == FILES_PATH else None


class Refusing(NamedTuple):
    """How an account refuses a made-up key."""

    name: str
    account: Callable[[], Account]


REFUSING = [
    Refusing("status 200 and a nested code", instead(in_envelope)),
    Refusing("status 200 and a number", instead(numbered)),
    Refusing("status 200 and no files", instead(empty)),
    Refusing("a status of its own", instead(in_other_ways)),
]


@pytest.mark.parametrize("row", REFUSING, ids=[row.name for row in REFUSING])
def test_address_keys_and_path_are_sure_in_whatever_form_a_made_up_key_is_refused(row: Refusing):
    report = examined_account(row.account())
    check_what_holds_of_each_report(report)
    for topic in (Topic.ADDRESS, Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.LIST_PATH):
        assert about(report, topic).certainty is Certainty.SURE


def test_an_account_is_ready_whose_made_up_keys_get_a_status_of_its_own():
    report = examined_account(instead(in_other_ways)())
    assert report.verdict.startswith("Ready, as far as reads show")


WITH_200 = "Not proved: Segment. Errors come with status 200 here ("
FAILED_SUCCESSES = [
    Case(
        "a nested code",
        instead(in_envelope),
        (WITH_200, "header.resultCode E-9: 'Ei ole'), which an update takes for a success"),
    ),
    Case(
        "a number",
        instead(numbered),
        (WITH_200, "opStatus 23), which an update takes for a success"),
    ),
    Case(
        "no files",
        instead(empty),
        (
            "Not proved: Segment. A made-up key gets 200 and no file here, as if the list were",
            "which an update takes for a success",
        ),
    ),
]


@pytest.mark.parametrize("case", FAILED_SUCCESSES, ids=[case.name for case in FAILED_SUCCESSES])
def test_errors_or_no_files_with_status_200_for_made_up_keys_leave_updates_unproved(case: Case):
    check(case)
