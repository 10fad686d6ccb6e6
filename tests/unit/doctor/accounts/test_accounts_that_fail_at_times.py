"""
Accounts that fail at times. If the service is lost within the reads, by 503 or without responses,
the Address is *Not proved*, with the number of reads before, the time since when, and what its
headers say; if a made-up key came just before, it may shut out this machine. If every second read
fails, the Address is *Not proved*: no setting is to be changed. If each read gets a 429 or a 503,
or each of the list gets a 429 that lasts for five minutes, nothing at all is sure. If all reads
from the third on get a 429, Rate limits is *Not proved*, and no key and no path is sure. If a read
is limited or fails once, even with a clock that is ten minutes off, or a limit is kept by waiting
as its headers say, the account is *Ready*. Nothing is proposed.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    NOT_PROVED,
    NOT_READY,
    READY,
    Row,
    check_not_wrong,
    check_open,
    check_proposed,
    check_verdict,
    from_request,
    keeps_to_limits,
    limited,
    locks,
    maintenance,
    nodes,
    only_request,
    with_clock_ahead,
)
from support.doctor_service import (
    Account,
    error_reply,
    nothing_nasty,
    page_reply,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Topic

ACCOUNTS = [
    Row(
        "maintenance begins, with a page and Retry-After",
        lambda: Account(from_request(5, lambda _: maintenance(Retry_After="7200"))),
        NOT_PROVED,
        (
            "Address. After 4 reads, since",
            "replied 503 to each of 4 requests: 'Maintenance planifiée'",
            "Run this again after",
            "as its headers say",
        ),
        not_sure=(Topic.ADDRESS, Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.FILE_PATH),
    ),
    Row(
        "a gateway that replies to every second request",
        lambda: Account(nodes(nothing_nasty, lambda _: error_reply(504, "timeout", "Too late."))),
        NOT_PROVED,
        (Topic.ADDRESS.value, "6 of 12 replies were 504", "Change no setting"),
        not_sure=(Topic.ADDRESS, Topic.CAMPAIGN_KEY, Topic.DATA_KEY),
    ),
    Row(
        "the connection is lost from the fifth request on",
        lambda: Account(from_request(5, lambda _: Reply(0, b""))),
        NOT_PROVED,
        ("Address. After 4 reads, since", "none of 4 requests got a whole response"),
        not_sure=(Topic.ADDRESS, Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.FILE_PATH),
    ),
    Row(
        "a firewall that shuts out who sends a made-up key",
        lambda: Account(locks(1, Reply(0, b""))),
        NOT_PROVED,
        (
            "Address. After 4 reads, since",
            "none of ",
            "got a whole response",
            "A made-up key came just before, so it may shut out this machine: do not run this",
        ),
        not_sure=(Topic.ADDRESS, Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.FILE_PATH),
    ),
    Row(
        "429 to each read",
        lambda: Account(lambda _: limited()),
        NOT_PROVED,
        (Topic.ADDRESS.value, "the service replied 429 to each of 3 requests"),
        not_sure=tuple(Topic),
    ),
    Row(
        "429 from the third read on",
        lambda: Account(from_request(3, lambda _: limited())),
        NOT_PROVED,
        ("Rate limits. Since ", "the service replied 429 to each of "),
        not_sure=(Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.LIST_PATH, Topic.FILE_PATH),
    ),
    Row(
        "429 that is over in five minutes",
        lambda: Account(
            lambda call: limited(Retry_After="300") if call.path.startswith("/v1/") else None
        ),
        NOT_PROVED,
        ("the service replied 429 to the request (its limit resets at ",),
        not_sure=tuple(Topic),
    ),
    Row(
        "429 once, with Retry-After",
        lambda: Account(only_request(1, limited(Retry_After="1"))),
        READY,
    ),
    Row("429, clock ahead", lambda: Account(with_clock_ahead(600)), READY),
    Row("429, clock behind", lambda: Account(with_clock_ahead(-600)), READY),
    Row("a limit that has to be kept", lambda: Account(keeps_to_limits()), READY),
    Row("503 once", lambda: Account(only_request(1, page_reply(503))), READY),
    Row("a reset once", lambda: Account(only_request(2, Reply(0, b""))), READY),
    Row(
        "503 always",
        lambda: Account(lambda _: page_reply(503)),
        NOT_PROVED,
        (Topic.ADDRESS.value, "the service replied 503 to each of 2 requests"),
        not_sure=tuple(Topic),
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
