"""
If the named list gets a 403, and a list that does not exist gets a 404 with the same key, this list
alone is refused: its path is *Not proved*, with the words of the refusal, and another list is to be
named. The key is known, or open if made-up keys get the same 403 (of a firewall that refuses the
identifier); no other key and no upload is advised. If each list gets a 403 in words about an
operation, the key is *Not ready*, and may not read the list. A 403 about hours of the day judges no
key.
"""

from __future__ import annotations

import pytest

from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    check_says,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report

OWNED = "Coupon list spring belongs to EMEA; this key is restricted to APAC."
HOURS = "This key may be used Mon-Fri 06:00-20:00 only"


def refused(message: str, *, of_each_list: bool = False, of_each_key: bool = False) -> Report:
    """What is reported of an account that refuses one list, or all lists, with 403."""

    def nasty(call: Call) -> Reply | None:
        is_list = call.path.endswith("/files") and call.path.startswith("/v1/coupon-list/")
        is_refused = is_list and (of_each_list or call.path == FILES_PATH)
        if is_refused and (of_each_key or call.key == "campaign"):
            return json_reply(403, {"error": {"code": "request-forbidden", "message": message}})
        return None

    report = examined_account(Account(nasty))
    check_what_holds_of_each_report(report)
    return report


@pytest.mark.parametrize("words", [OWNED, "You are not in the team that owns this list"])
def test_a_list_that_is_refused_alone_is_to_be_replaced_and_the_key_is_known(words: str):
    report = refused(words)
    check_says(
        report.verdict,
        (
            "Not proved: Path of the list's files. The service replies 403 request-forbidden",
            words.rstrip("."),
            "A list that does not exist gets 404 not-found, so this list alone is refused",
            "name a list that the key may read",
        ),
    )
    key = about(report, Topic.CAMPAIGN_KEY)
    assert key.certainty is Certainty.NOT_SHOWN
    assert key.text == (
        "Known: a made-up key is refused. This list alone is refused: see Path of the list's files."
    )


def test_an_identifier_that_a_firewall_refuses_for_each_key_is_no_reason_to_upload():
    report = refused("Request blocked by rule 942100", of_each_key=True)
    key = about(report, Topic.CAMPAIGN_KEY)
    assert key.certainty is Certainty.NOT_PROVED
    assert key.text.endswith("This list alone is refused: see Path of the list's files.")
    check_says(about(report, Topic.LIST_PATH).text, ("so this list alone is refused",))


def test_an_operation_that_is_not_granted_is_no_missing_access_to_coupons():
    report = refused("Operation listCouponFiles is not granted", of_each_list=True)
    check_says(report.verdict, ("Not ready: Campaign API key. Accepted, but it may not read the",))


def test_hours_at_which_a_key_may_not_be_used_judge_no_key():
    report = refused(HOURS, of_each_list=True)
    check_says(report.verdict, (HOURS, "Change no key: run this again within these hours"))
    assert about(report, Topic.CAMPAIGN_KEY).certainty is not Certainty.WRONG
