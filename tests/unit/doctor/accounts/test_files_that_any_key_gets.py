"""
Files that come for a made-up key, too. If they, or what stands beside them, name another workspace,
tenant, account or environment, or if all of them are of another list, they are those of another
account: the account is *not proved*, nothing is concluded from the files, nothing is proposed, and
nothing is written. If they name nobody else, the campaign key is *not proved*. A key that gets other
files than a made-up one is *sure*.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from support.doctor_service import (
    FILES_PATH,
    LIST,
    WORKSPACE,
    Account,
    Call,
    about,
    check_says,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report

SURE = Certainty.SURE
NOT_SHOWN = Certainty.NOT_SHOWN
Replies = Callable[[Call], Reply | None]


def check_verdict(report: Report, says: tuple[str, ...]) -> None:
    """The parts are in the verdict, in this order, and the report keeps to its bounds."""
    check_what_holds_of_each_report(report)
    check_says(report.verdict, says)


def demo(body: Callable[[list[Any]], Any], list_id: str = "demo-list") -> Replies:
    """A service that has the same two files for each list and key, made by a function."""
    files = [record("d1", coupons_list_id=list_id), record("d2", coupons_list_id=list_id)]

    def nasty(call: Call) -> Reply | None:
        is_list = call.path.startswith("/v1/coupon-list/") and call.path.endswith("/files")
        if is_list or call.path.startswith("/v3/"):
            return json_reply(200, body(files))
        return None

    return nasty


def in_data(**beside: Any) -> Callable[[list[Any]], Any]:
    return lambda files: {**beside, "data": files}


def in_records(**beside: Any) -> Callable[[list[Any]], Any]:
    return lambda files: [{**file, **beside} for file in files]


class Demo(NamedTuple):
    """Files that any key gets, and whose they are called."""

    name: str
    replies: Replies
    says: str


DEMO = "All replies with files, also to a made-up key, are of "
DEMOS = [
    Demo("a workspace", demo(in_data(workspace="demo")), f"{DEMO}workspace demo, and not of "),
    Demo(
        "an object",
        demo(in_data(tenant={"id": "t-0", "plan": "free"})),
        f"{DEMO}tenant t-0, and not of ",
    ),
    Demo(
        "in the records",
        demo(in_records(organization_id="acme-demo"), LIST),
        f"{DEMO}organization acme-demo, and not of ",
    ),
    Demo(
        "an environment",
        demo(in_data(environment="sandbox"), LIST),
        f"{DEMO}environment sandbox, and not of ",
    ),
    Demo(
        "two of them",
        demo(in_data(meta={"account": 1, "project": "demo"})),
        f"{DEMO}account 1 and project demo, and not of ",
    ),
    Demo(
        "by the list alone",
        demo(in_data()),
        f"A made-up key gets the same 2 files, none of them of the list {LIST}, but of demo-list: ",
    ),
]


@pytest.mark.parametrize("row", DEMOS, ids=[row.name for row in DEMOS])
def test_files_that_any_key_gets_are_of_another_account_if_they_or_their_list_say_so(row: Demo):
    report = examined_account(Account(row.replies))
    check_verdict(
        report, (f"Not proved: Account. {row.says}", "check the keys", "upload nothing before that")
    )


@pytest.mark.parametrize("row", DEMOS, ids=[row.name for row in DEMOS])
def test_nothing_is_concluded_from_files_that_any_key_gets(row: Demo):
    report = examined_account(Account(row.replies))
    texts = " ".join(finding.text for finding in report.findings)
    absent = ("calls the list", "Name demo-list", "no list with files", "--upload", "--segment")
    assert not any(part in texts for part in absent), texts
    assert report.extra == {}
    of_files = (Topic.LIST_PATH, Topic.FILE_PATH, Topic.STATUSES, Topic.COUNTS)
    assert SURE not in [about(report, topic).certainty for topic in of_files]


@pytest.mark.parametrize("row", DEMOS, ids=[row.name for row in DEMOS])
def test_nothing_is_written_to_an_account_that_may_be_another_one(row: Demo):
    asked = {"file_url": "https://f.example.com/a.csv", "catalog": "c", "segment_id": "s"}
    report = examined_account(Account(row.replies), **asked)
    assert report.writes == 0


OWN = [
    Demo("the login", demo(in_data(workspace=WORKSPACE), LIST), ""),
    Demo("the login beside an account", demo(in_data(account=1, tenant=WORKSPACE), LIST), ""),
    Demo("a production", demo(in_data(environment="production"), LIST), ""),
    Demo("nobody", demo(in_data(), LIST), ""),
]


@pytest.mark.parametrize("row", OWN, ids=[row.name for row in OWN])
def test_files_that_any_key_gets_leave_the_key_open_if_they_name_nobody_else(row: Demo):
    report = examined_account(Account(row.replies))
    assert report.verdict.startswith("Not proved: Campaign API key.")
    assert Topic.ACCOUNT not in [finding.topic for finding in report.findings]
    assert about(report, Topic.STATUSES).certainty is NOT_SHOWN
    assert "A made-up key gets the list as well" in about(report, Topic.STATUSES).text


def test_a_key_that_gets_other_files_than_a_made_up_one_is_accepted():
    def nasty(call: Call) -> Reply | None:
        if call.path == FILES_PATH and call.key == "unknown":
            return json_reply(200, [record("d1")])
        return None

    assert about(examined_account(Account(nasty)), Topic.CAMPAIGN_KEY).certainty is SURE


def test_a_service_that_has_the_same_files_for_each_list_has_no_other_name_for_one():
    def nasty(call: Call) -> Reply | None:
        is_list = call.path.startswith("/v1/coupon-list/") and call.path.endswith("/files")
        if is_list and call.key == "campaign":
            return json_reply(200, [record("d1", coupons_list_id="other")])
        return None

    text = about(examined_account(Account(nasty)), Topic.LIST_PATH).text
    assert "calls the list" not in text
    assert "and the same for a list that does not exist. Ask the service's support" in text
