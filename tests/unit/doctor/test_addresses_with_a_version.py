"""
An address that ends with a version, as paths begin with one. If the list is not found there, and is
below the address without the version, the verdict is *Not ready*, about the Address, and nothing
more is read or uploaded. If it is not there, also if a refusal or something else is, or if the list
is found with the version, the address stays.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined,
    json_reply,
    not_found,
)
from support.servers import Reply, replying
from wes_provider.doctor.findings import Certainty, Topic

NEW_FILE = "https://files.example.com/new.csv"


class Versioned(NamedTuple):
    """
    An address that ends with /v1.

    :ivar with_version: what comes below it; ``None`` for what a healthy account replies.
    :ivar without_version: likewise below the address without the version.
    :ivar is_wrong: whether the version is too many.
    """

    name: str
    with_version: Reply | None
    without_version: Reply | None
    is_wrong: bool


NOT_FOUND = not_found("path")
VERSIONED = [
    Versioned("the service is without it", NOT_FOUND, None, is_wrong=True),
    Versioned("a refusal comes without it", NOT_FOUND, json_reply(401, {}), is_wrong=False),
    Versioned("another object is without it", NOT_FOUND, json_reply(200, {}), is_wrong=False),
    Versioned("nothing is without it", NOT_FOUND, NOT_FOUND, is_wrong=False),
    Versioned("the service is with it", None, NOT_FOUND, is_wrong=False),
]


def account_of(row: Versioned) -> Account:
    def replies(call: Call) -> Reply | None:
        if not call.path.startswith("/v1/v"):
            return row.without_version
        below = call._replace(path=call.path.removeprefix("/v1"))
        return row.with_version or Account().reply(below)

    return Account(replies)


@pytest.mark.parametrize("row", VERSIONED, ids=ids(VERSIONED))
def test_the_version_is_to_be_left_out_if_the_service_is_without_it(row: Versioned):
    account = account_of(row)
    with replying(account) as url:
        report = examined(f"{url}/v1", coupon_list_id="spring")
    check_what_holds_of_each_report(report)
    assert ("Leave /v1 out of the Address" in report.verdict) is row.is_wrong
    if row.is_wrong:
        assert about(report, Topic.ADDRESS).certainty is Certainty.WRONG
        assert len(account.calls) == 2


def test_nothing_is_uploaded_to_an_address_with_a_version_too_many():
    account = account_of(VERSIONED[0])
    with replying(account) as url:
        report = examined(f"{url}/v1", coupon_list_id="spring", file_url=NEW_FILE)
    assert {call.method for call in account.calls} == {"GET"}
    assert about(report, Topic.UPLOAD).text == "Not sent: the Address has a version too many."
