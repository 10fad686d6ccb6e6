"""Accounts that reply otherwise from some request on, or in whose place something else replies: the
cause is named first, and nothing is certain that changes.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    ALTERED,
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
    error,
    expires,
    from_request,
    keeps_to_limits,
    limited,
    locks,
    maintenance,
    no_file,
    nodes,
    objects,
    only_path,
    only_read_of_list,
    only_request,
    redirect,
    refuse,
    refuse_campaign_key,
    to_login,
    with_clock_ahead,
    without_last_file,
    without_list,
)
from support.doctor_service import (
    UNAUTHENTICATED,
    Account,
    json_reply,
    nothing_nasty,
    page_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings import Topic

ACCOUNTS = [
    # -- maintenance
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
        lambda: Account(nodes(nothing_nasty, lambda _: error(504, "timeout", "Too late."))),
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
    # -- nodes and keys that change
    Row(
        "the first of two nodes refuses a rotated key",
        lambda: Account(nodes(refuse_campaign_key, nothing_nasty)),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, ALTERED, "refused (401", "then accepted (200)"),
        not_sure=KEYS,
    ),
    Row(
        "the second of two nodes refuses a rotated key",
        lambda: Account(nodes(nothing_nasty, refuse_campaign_key)),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, ALTERED),
        not_sure=KEYS,
    ),
    Row(
        "one of three nodes refuses everything",
        lambda: Account(nodes(nothing_nasty, nothing_nasty, refuse)),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, ALTERED),
        not_sure=KEYS,
    ),
    Row(
        "the key expires meanwhile",
        lambda: Account(from_request(5, refuse)),
        NOT_PROVED,
        (Topic.ACCOUNT.value, "which it accepted before (401", "Do not run this again at once"),
        not_sure=(*KEYS, Topic.DATA_KEY, Topic.LIST_PATH, Topic.FILE_PATH),
    ),
    Row(
        "one of three nodes is behind",
        lambda: Account(nodes(nothing_nasty, without_last_file, nothing_nasty)),
        NOT_PROVED,
        (Topic.LIST_PATH.value, ALTERED, "200 with 2 files", "then 200 with 1 file, without f2"),
        not_sure=(Topic.LIST_PATH, Topic.STATUSES, Topic.COUNTS),
    ),
    Row(
        "the last read of the list lacks a file",
        lambda: Account(only_read_of_list(3, json_reply(200, [record("f1")]))),
        NOT_PROVED,
        (Topic.LIST_PATH.value, ALTERED, "200 with 2 files at first", "without f2 since"),
        not_sure=(Topic.LIST_PATH, Topic.STATUSES, Topic.COUNTS),
    ),
    Row(
        "a status to be proposed, of a list that loses a file",
        lambda: Account(
            only_read_of_list(2, json_reply(200, [record("f1", "IMPORTED")])),
            records=[record("f1", "IMPORTED"), record("f2", "IMPORTED")],
        ),
        NOT_PROVED,
        (ALTERED, "without f2"),
        not_sure=(Topic.LIST_PATH, Topic.STATUSES, Topic.COUNTS),
    ),
    Row(
        "one of two nodes does not know the file",
        lambda: Account(nodes(nothing_nasty, no_file)),
        NOT_PROVED,
        (Topic.FILE_PATH.value, ALTERED, "accepted (200) at first, 404 not-found since"),
        not_sure=(Topic.FILE_PATH,),
    ),
    # -- limits
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
    # -- not the service
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
        (Topic.ADDRESS.value, "JSON that cannot be read came with status 200"),
        not_sure=tuple(Topic),
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
    # -- lock-outs
    Row(
        "locked after two made-up keys",
        lambda: Account(locks(2, error(403, "request-forbidden", "Access is suspended for now."))),
        NOT_PROVED,
        (
            Topic.ACCOUNT.value,
            "after 2 reads with made-up",
            "'Access is suspended for now'",
            "not run",
        ),
        not_sure=(*KEYS, Topic.DATA_KEY, Topic.LIST_PATH),
    ),
    Row(
        "locked after one made-up key",
        lambda: Account(locks(1, json_reply(401, UNAUTHENTICATED))),
        NOT_PROVED,
        (Topic.ACCOUNT.value, "after 1 read with made-up keys", "Do not run this again at once"),
        not_sure=(*KEYS, Topic.DATA_KEY, Topic.LIST_PATH),
    ),
    Row(
        "locked after two made-up keys with a status of its own",
        lambda: Account(locks(2, error(423, "locked", "Too many wrong passwords."))),
        NOT_PROVED,
        (Topic.ACCOUNT.value, "after 2 reads", "(423 locked: 'Too many wrong passwords')"),
        not_sure=(*KEYS, Topic.DATA_KEY, Topic.LIST_PATH),
    ),
    Row(
        "locked after two made-up keys, and then no answer",
        lambda: Account(
            locks(2, error(423, "locked", "Too many wrong passwords."), page_reply(503))
        ),
        NOT_PROVED,
        (Topic.ACCOUNT.value, "after 2 reads", "(423 locked: 'Too many wrong passwords')"),
        not_sure=(*KEYS, Topic.DATA_KEY),
    ),
    Row(
        "the campaign key expires in the end",
        lambda: Account(expires(4)),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, ALTERED, "accepted (200) at first, refused (401", "check it in"),
        not_sure=(*KEYS, Topic.LIST_PATH),
    ),
    # -- nodes that do not know the list
    Row(
        "one of three nodes does not know the list",
        lambda: Account(nodes(nothing_nasty, nothing_nasty, without_list)),
        NOT_PROVED,
        (Topic.LIST_PATH.value, ALTERED, "accepted (200)", "404 list-not-found", "nodes may"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "the list is gone in the end",
        lambda: Account(from_request(8, without_list)),
        NOT_PROVED,
        (Topic.LIST_PATH.value, ALTERED, "accepted (200) at first, 404 list-not-found since"),
        not_sure=(Topic.LIST_PATH,),
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
