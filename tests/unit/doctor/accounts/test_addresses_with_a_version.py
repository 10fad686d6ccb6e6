"""
An address that ends with a version, as paths begin with one. If the list is not found there twice,
and below the address without the version it is, or the key is refused for it, while a path that does
not exist gets something else there, the verdict is *Not ready*, about the Address, and nothing more
is read or uploaded. If any path there gets the same, if something else comes there, or if the list
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
from wes_provider.doctor.findings.finding import Certainty, Topic

NEW_FILE = "https://files.example.com/new.csv"


class Versioned(NamedTuple):
    """
    An address that ends with /v1.

    :ivar with_version: what comes below it; ``None`` for what a healthy account replies.
    :ivar without_version: of the list, likewise below the address without the version.
    :ivar nowhere: of any other path there.
    :ivar is_wrong: whether the version is too many.
    """

    name: str
    with_version: Reply | None
    without_version: Reply | None
    nowhere: Reply | None
    is_wrong: bool


NOT_FOUND = not_found("path")
REFUSED = json_reply(401, {"error": {"code": "request-unauthenticated", "message": "No."}})
FORBIDDEN = json_reply(403, {"error": {"code": "request-forbidden", "message": "No."}})
EMPTY = json_reply(200, [])
OBJECT = json_reply(200, {})
VERSIONED = [
    Versioned("the service is without it", NOT_FOUND, None, None, is_wrong=True),
    Versioned("the key is refused without it", NOT_FOUND, REFUSED, NOT_FOUND, is_wrong=True),
    Versioned("the key has no access without it", NOT_FOUND, FORBIDDEN, NOT_FOUND, is_wrong=True),
    Versioned("all paths are refused without it", NOT_FOUND, REFUSED, REFUSED, is_wrong=False),
    Versioned("an empty list is at any path without it", NOT_FOUND, EMPTY, EMPTY, is_wrong=False),
    Versioned("another object is without it", NOT_FOUND, OBJECT, NOT_FOUND, is_wrong=False),
    Versioned("nothing is without it", NOT_FOUND, NOT_FOUND, NOT_FOUND, is_wrong=False),
    Versioned("the service is with it", None, NOT_FOUND, NOT_FOUND, is_wrong=False),
]


def account_of(row: Versioned) -> Account:
    def replies(call: Call) -> Reply | None:
        if call.path.startswith("/v1/coupon-list/spring/"):
            return row.without_version
        if not call.path.startswith("/v1/v"):
            return row.nowhere
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
        assert len(account.calls) == 4


def test_nothing_is_uploaded_to_an_address_with_a_version_too_many():
    account = account_of(VERSIONED[0])
    with replying(account) as url:
        report = examined(f"{url}/v1", coupon_list_id="spring", file_url=NEW_FILE)
    assert {call.method for call in account.calls} == {"GET"}
    assert about(report, Topic.UPLOAD).text == "Not sent: the Address has a version too many."
