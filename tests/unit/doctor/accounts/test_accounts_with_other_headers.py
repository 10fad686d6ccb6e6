"""
Accounts that want another header than SVC-APPKEY. If an error with 400 or 401 names one, or if one
of the usual ones is accepted alone, it is proposed as the workspace's header: *Not ready*. One that
is named and does not help is *Not proved*. If headers are demanded besides the connection's, one or
two, they are named and not proposed: *Not ready*; the same if the value of the header does not
matter. If no value that is sent is accepted, the Account is *Not ready*, with the error's words. If
the connection names a header itself, the account is *Ready* if it holds the workspace, and the
header is *Not proved* if a made-up value gets the same. With the extra that is printed, nothing is
wrong, and nothing else is proposed.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    KEYS,
    NOT_PROVED,
    NOT_READY,
    READY,
    Row,
    any_workspace,
    check_not_wrong,
    check_open,
    check_pasted,
    check_proposed,
    check_verdict,
    demands,
    wants_header,
)
from support.doctor_service import (
    Account,
    json_reply,
)
from wes_provider.doctor.findings.finding import Topic

ACCOUNTS = [
    Row(
        "a header that a 400 names",
        lambda: Account(
            wants_header("X-Tenant-Key", 400, "Header X-Tenant-Key is required"),
            header="X-Tenant-Key",
        ),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "The service names X-Tenant-Key, and accepts it"),
        {"workspace_header": "X-Tenant-Key"},
    ),
    Row(
        "a header that a 401 names",
        lambda: Account(
            wants_header("X-Tenant-Key", 401, "Missing X-Tenant-Key."), header="X-Tenant-Key"
        ),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "The service names X-Tenant-Key, and accepts it"),
        {"workspace_header": "X-Tenant-Key"},
    ),
    Row(
        "a header in another case",
        lambda: Account(wants_header("SVC-AppKey", 401, "Header SVC-AppKey is missing.")),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "The service names SVC-AppKey, and accepts it"),
        {"workspace_header": "SVC-AppKey"},
    ),
    Row(
        "a header that is named and does not help",
        lambda: Account(lambda _: json_reply(401, {"message": "Header X-Other is required"})),
        NOT_PROVED,
        (Topic.WORKSPACE_HEADER.value, "The service names X-Other, but a read with it gets no"),
        not_sure=KEYS,
    ),
    Row(
        "another usual header",
        lambda: Account(header="X-Account-Id"),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "takes the workspace from X-Account-Id"),
        {"workspace_header": "X-Account-Id"},
    ),
    Row(
        "a header besides, which a 400 names",
        lambda: Account(demands("X-Request-Source")),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "demands X-Request-Source besides SVC-APPKEY"),
    ),
    Row(
        "a header that a 403 names, and that never helps",
        lambda: Account(
            lambda _: json_reply(
                403, {"error": {"code": "request-forbidden", "message": "Header X-Day is required"}}
            )
        ),
        NOT_READY,
        (Topic.ACCOUNT.value, "replies 403 request-forbidden to each read, whatever its path: 'H"),
        not_sure=(Topic.WORKSPACE_HEADER, Topic.CAMPAIGN_KEY, Topic.DATA_KEY),
    ),
    Row(
        "a header besides, which a 401 names",
        lambda: Account(demands("X-Trace", status=401)),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "demands X-Trace besides SVC-APPKEY"),
    ),
    Row(
        "a header besides, of which reads do not need the other",
        lambda: Account(demands("X-Request-Source", then=any_workspace)),
        NOT_READY,
        (
            Topic.WORKSPACE_HEADER.value,
            "demands X-Request-Source besides SVC-APPKEY",
            "whatever it has",
            "do not set it",
        ),
    ),
    Row(
        "a usual header that only has to be there",
        lambda: Account(
            demands("X-Client-Id", status=401, code="no", says="No.", then=any_workspace)
        ),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "demands X-Client-Id besides SVC-APPKEY"),
    ),
    Row(
        "two headers besides",
        lambda: Account(demands("X-One", "X-Two")),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "demands X-One, X-Two besides SVC-APPKEY"),
    ),
    Row(
        "a header besides, with a value that nobody knows",
        lambda: Account(demands("X-Channel", value="partner")),
        NOT_READY,
        (Topic.ACCOUNT.value, "400 missing-header to each read", "X-Channel"),
    ),
    Row(
        "the connection's header only has to be there",
        lambda: Account(demands("X-Request-Source", then=any_workspace)),
        NOT_PROVED,
        (
            Topic.WORKSPACE_HEADER.value,
            "the same with a made-up value in X-Request-Source",
            "Leave",
        ),
        extra={"workspace_header": "X-Request-Source"},
        not_sure=(Topic.WORKSPACE_HEADER,),
    ),
    Row(
        "the connection's header holds the workspace",
        lambda: Account(header="X-Tenant"),
        READY,
        extra={"workspace_header": "X-Tenant"},
        changed={},
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
