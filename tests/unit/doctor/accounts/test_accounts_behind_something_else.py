"""
Accounts in whose place something else replies. If only made-up keys, or those and paths that do not
exist, get a page or a login, the account is *Ready*. If all keys are sent to a login, or a proxy
wants one, the Address is *Not ready*. If one read gets a page, its topic is *Not proved*: the data
key, or the Address for the list. Half of a JSON to each read of the list leaves its path and the
campaign key *Not proved*, and JSON that nobody knows to all the Address. If made-up keys are accepted, the campaign key is *Not
proved*. An error to each read that is about the workspace is *Not ready*, Account: the header that
it names holds the Workspace identifier. Nothing is proposed.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    ALTERED_BEFORE_IT,
    KEYS,
    LOGIN,
    NOT_PROVED,
    NOT_READY,
    READY,
    Row,
    check_not_wrong,
    check_open,
    check_proposed,
    check_verdict,
    objects,
    only_path,
    only_read_of_list,
    only_request,
    redirect,
    to_login,
)
from support.doctor_service import (
    Account,
    json_reply,
    page_reply,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Topic

ACCOUNTS = [
    Row(
        "a web page to the second read only",
        lambda: Account(only_request(2, page_reply(200))),
        NOT_PROVED,
        (
            Topic.DATA_KEY.value,
            ALTERED_BEFORE_IT,
            "a web page that is not the service's (200) at first",
        ),
        not_sure=(Topic.DATA_KEY,),
    ),
    Row(
        "a web page to the second read of the list",
        lambda: Account(only_read_of_list(2, page_reply(200))),
        NOT_PROVED,
        (Topic.ADDRESS.value, ALTERED_BEFORE_IT, "accepted (200)", "a web page"),
        not_sure=(Topic.ADDRESS, *KEYS, Topic.LIST_PATH),
    ),
    Row(
        "half of a JSON",
        lambda: Account(only_path("/files", Reply(200, b'[{"_id": "f1", "sta'))),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "JSON that cannot be read came with status 200"),
        not_sure=(Topic.LIST_PATH, Topic.FILE_PATH, Topic.CAMPAIGN_KEY),
    ),
    Row(
        "another workspace",
        lambda: Account(
            lambda _: json_reply(
                403, {"error": {"code": "mismatch", "message": "SVC-APPKEY is of another account"}}
            )
        ),
        NOT_READY,
        (
            Topic.ACCOUNT.value,
            "403 mismatch to each read",
            "'SVC-APPKEY is of another account'. SVC-APPKEY holds the Workspace identifier: check",
        ),
    ),
    Row(
        "a workspace of another form",
        lambda: Account(objects(400, "invalid-header", "Header SVC-APPKEY has small letters only")),
        NOT_READY,
        (Topic.ACCOUNT.value, "has small letters only'. SVC-APPKEY holds the Workspace identifier"),
    ),
    Row(
        "made-up keys blocked by a web page",
        lambda: Account(lambda call: page_reply(403) if call.key == "unknown" else None),
        READY,
    ),
    Row(
        "made-up keys sent to a login page",
        lambda: Account(
            lambda call: redirect(LOGIN, 302) if call.key == "unknown" else None,
        ),
        READY,
    ),
    Row("made-up keys and no path sent to a login page", lambda: Account(to_login), READY),
    Row(
        "made-up keys get the login page",
        lambda: Account(lambda call: page_reply(200) if call.key == "unknown" else None),
        READY,
    ),
    Row(
        "all keys sent to a login page",
        lambda: Account(lambda _: redirect(LOGIN, 302)),
        NOT_READY,
        (Topic.ADDRESS.value, "browser login: a redirect to https://login.example.net/"),
        not_sure=tuple(Topic),
    ),
    Row(
        "made-up keys accepted",
        lambda: Account(
            lambda call: Account().reply(
                call._replace(key="data" if call.path.startswith("/v3/") else "campaign")
            )
        ),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, "a made-up key gets the same (200)"),
        not_sure=(*KEYS, Topic.DATA_KEY),
    ),
    Row(
        "maintenance in JSON",
        lambda: Account(lambda _: json_reply(200, {"maintenance": True})),
        NOT_PROVED,
        (Topic.ADDRESS.value, "no reply shows that it is the service"),
        not_sure=(Topic.ADDRESS, *KEYS, Topic.DATA_KEY, Topic.LIST_PATH, Topic.FILE_PATH),
    ),
    Row(
        "a proxy that wants a password",
        lambda: Account(lambda _: page_reply(407)),
        NOT_READY,
        (Topic.ADDRESS.value, "The proxy wants a login: put username:password@"),
        not_sure=tuple(Topic),
    ),
    Row(
        "a proxy that wants a login of a domain",
        lambda: Account(lambda _: Reply(407, b"", {"Proxy-Authenticate": "Negotiate, NTLM"})),
        NOT_READY,
        (
            Topic.ADDRESS.value,
            "(Negotiate, NTLM)",
            "(Basic) only: name the service's host in the variable no_proxy",
        ),
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
