"""
What the verdict says if the service or a gateway refuses the reads with a key and says why. A
refused key is *Not ready* if the other key is accepted, and *Not proved* if both are refused with
401. If the words say that the key has expired or was revoked, a new key is to be made, under
whatever code. "Invalid or expired" names no reason: then, and if the words say what to do, their
advice is to be followed. A 403 that names a missing scope or permission, in its words or headers,
asks for a key with what it lacks; a key that lacks a scope only since the ninth request has two
answers and is *Not proved*. A 404 about the other mode (live or test) leaves the path of the list
*Not proved*, and asks for a key of the list's mode.
If a 401 or 403 of every read has a WWW-Authenticate that offers no Basic, the verdict names its
scheme and says to change no key.
A 404 is about the key only if headers name a needed scope and the key's scopes, and none of these
covers it (``coupons.*`` covers ``coupons.read``); else it is about the path, and the key is not
judged if no file is read. If an upload is taken by a key that may not read, no read follows it.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    error_reply,
    examined_account,
    json_reply,
    not_found,
)
from support.doctor_verdicts import (
    NEW_FILE,
    Case,
    check,
    everywhere,
    lists_get,
    refuses,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic


def problem(title: str, detail: str) -> Reply:
    kind = "https://docs.example.com/problems/scope"
    return json_reply(403, {"type": kind, "title": title, "detail": detail, "status": 403})


def reads_forbidden(call: Call) -> Reply | None:
    is_read = call.key == "campaign" and call.method == "GET"
    return problem("No scope", "The key lacks coupons:read.") if is_read else None


ONE_FILE = f"{FILES_PATH}/f1"


def scopes(status: int, **headers: str) -> Callable[[], Account]:
    return lists_get(json_reply(status, {"message": "Not Found"}, **headers))


def fault(code: str, message: str, challenge: str) -> Callable[[], Account]:
    body = {"fault": {"faultstring": message, "detail": {"errorcode": code}}}
    return everywhere(json_reply(401, body, WWW_Authenticate=challenge))


KEYS = [
    Case(
        "the data key has expired",
        refuses("data", "key-expired", "It expired on 2026-11-20."),
        (
            "Not ready: Data API key. Refused",
            "key-expired: 'It expired on 2026-11-20'",
            "make a new key",
        ),
    ),
    Case(
        "the campaign key was revoked, under the usual code",
        refuses("campaign", "request-unauthenticated", "The key was revoked by ops."),
        ("Not ready: Campaign API key.", "'The key was revoked by ops'", "make a new key"),
    ),
    Case(
        "words of an invalid or an expired key, which name no reason",
        refuses("data", "request-unauthenticated", "Invalid or expired key."),
        (
            "'Invalid or expired key'), though the Campaign API key is accepted: do what it says, "
            "since another key gets other words",
        ),
    ),
    Case(
        "a key of the sandbox, with what to do",
        everywhere(error_reply(401, "sandbox", "This is a sandbox key. Create a live one.")),
        ("Not proved: Campaign API key. Refused", "Do what it says; if that does not help, check"),
    ),
    Case(
        "a key of the test mode",
        lambda: Account(
            lambda call: (
                error_reply(404, "no-list", "It exists in live mode, but a test key was used.")
                if call.key == "campaign" and "coupon-list" in call.path
                else None
            )
        ),
        (
            "Not proved: Path of the list's files.",
            "of different modes",
            "put in the key of the list's",
        ),
    ),
    Case(
        "a 403 with the permission that is needed",
        scopes(403, X_Required_Permission="coupons:read"),
        (
            "Not ready: Campaign API key.",
            "X-Required-Permission: coupons:read'",
            "with what it lacks",
        ),
    ),
    Case(
        "a key that lacks a scope at times",
        lambda: Account(
            lambda call: (
                error_reply(403, "scope", "Insufficient scope.")
                if call.key == "campaign" and call.number > 8
                else None
            )
        ),
        ("Not proved: Campaign API key. The service gave two", "Ask an administrator"),
    ),
    Case(
        "a key that may upload, and not read",
        lambda: Account(reads_forbidden),
        (
            "Not ready: Campaign API key. The service replies 403: 'No scope: The key lacks coupons:read'",
        ),
        file_url=NEW_FILE,
    ),
]


@pytest.mark.parametrize("row", KEYS, ids=ids(KEYS))
def test_a_verdict_about_a_key_says_by_the_words_of_its_error_what_to_do(row: Case):
    check(row)


CREDENTIALS = [
    Case(
        "a gateway with credentials of its own",
        everywhere(
            error_reply(
                401, "", "Access denied.", WWW_Authenticate='ApimKey realm="a",name="Apim-Key"'
            )
        ),
        (
            "Not proved: Campaign API key.",
            "demands ApimKey in the header Apim-Key",
            "Ask whoever runs it to let your tasks through without that header, or for",
        ),
    ),
    Case(
        "a gateway that takes tokens only",
        fault("oauth.Invalid", "Bad token", 'Bearer error="invalid_token"'),
        (
            "Not proved: Campaign API key.",
            "(401 oauth.Invalid: 'Bad token'). What replied demands Bearer",
            "change none. Ask whoever runs it",
        ),
    ),
    Case(
        "a gateway whose challenge is about a token that nobody sent",
        fault("900902", "No", 'OAuth2 error="e", error_description="The token expired"'),
        (
            "Not proved: Campaign API key.",
            "What replied demands OAuth2",
            "change none. Ask whoever runs it",
        ),
    ),
    Case(
        "a gateway that takes tokens only, in a 403",
        everywhere(json_reply(403, {"message": "Forbidden"}, WWW_Authenticate="Bearer")),
        (
            "Not proved: Account.",
            "'Forbidden'. What replied demands Bearer",
            "change none. Ask whoever runs it",
        ),
    ),
    Case(
        "a gateway that says so in its challenge",
        fault("", "No", 'Bearer error_description="Basic is not taken"'),
        (
            "Not proved: Campaign API key.",
            "(401: 'No; Basic is not taken'). What replied demands Bearer",
            "Basic credentials only",
        ),
    ),
]


@pytest.mark.parametrize("row", CREDENTIALS, ids=ids(CREDENTIALS))
def test_a_gateway_that_demands_other_credentials_is_named_with_their_scheme(row: Case):
    check(row)


HIDDEN = [
    Case(
        "a 404 that hides what the key lacks a scope for",
        scopes(404, X_OAuth_Scopes="stock.read", X_Accepted_OAuth_Scopes="coupons.read"),
        (
            "Not proved: Campaign API key.",
            "X-Accepted-OAuth-Scopes: coupons.read",
            "a key with what it lacks",
        ),
    ),
    Case(
        "a 404 of one file that the key lacks a scope for",
        lambda: Account(
            lambda call: (
                json_reply(404, {}, X_Scopes_Required="file", X_Scopes_Granted="list")
                if call.path == ONE_FILE
                else None
            )
        ),
        (
            "Not proved: Path of one file. The service replies 404",
            "Granted: list'",
            "with what it lacks",
        ),
    ),
]


@pytest.mark.parametrize("row", HIDDEN, ids=ids(HIDDEN))
def test_a_404_hides_what_the_key_lacks_if_headers_name_a_scope_that_it_has_not(row: Case):
    check(row)


NOT_HIDDEN = [
    Case(
        "a 404 for a key one of whose scopes, coupons.*, is the one that is needed",
        scopes(404, X_OAuth_Scopes="coupons.*", X_Accepted_OAuth_Scopes="coupons.read"),
        ("Not proved: Path of the list's files. The service replies 404", "'Not Found'"),
    ),
    Case(
        "a 404 with the scope that is needed, to compare with none of the key",
        scopes(404, X_Accepted_OAuth_Scopes="coupons.read"),
        ("Not proved: Path of the list's files. The service replies 404", "'Not Found'"),
    ),
]


@pytest.mark.parametrize("row", NOT_HIDDEN, ids=ids(NOT_HIDDEN))
def test_a_404_hides_nothing_if_the_key_has_the_scope_or_its_scopes_are_not_named(row: Case):
    check(row)


def test_the_campaign_key_is_not_asked_if_the_list_gets_404_and_no_file_is_read():
    report = examined_account(lists_get(not_found("list"))())
    assert about(report, Topic.CAMPAIGN_KEY).certainty is Certainty.NOT_SHOWN


def test_an_upload_is_not_followed_if_the_key_may_not_read():
    account = Account(reads_forbidden)
    examined_account(account, file_url=NEW_FILE)
    assert account.calls[-1].method == "POST"
