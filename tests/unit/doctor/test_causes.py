"""The verdict names the cause that the service names, and proposes nothing that nothing shows."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    LIST,
    WORKSPACE,
    Account,
    Call,
    about,
    check_says,
    examined,
    examined_account,
    json_reply,
    not_found,
    page_reply,
    record,
)
from support.servers import Reply, replying
from wes_provider.doctor import sending
from wes_provider.doctor.findings import Certainty, Topic

NEW_FILE = "https://files.example.com/new.csv"


def error(status: int, code: str, message: str, **headers: str) -> Reply:
    return json_reply(status, {"error": {"code": code, "message": message}}, **headers)


def refuses(key: str, code: str, message: str) -> Callable[[], Account]:
    """A service that says why it refuses one of the keys."""
    return lambda: Account(lambda call: error(401, code, message) if call.key == key else None)


def everywhere(reply: Reply) -> Callable[[], Account]:
    """A service, or a gateway before it, that replies so to each request."""
    return lambda: Account(lambda _: reply)


def used_up(after: int, message: str, **headers: str) -> Callable[[], Account]:
    """A quota that is used up after some requests."""
    late = error(429, "quota", message, **headers)
    return lambda: Account(lambda call: late if call.number > after else None)


def retired(message: str) -> Callable[[], Account]:
    """A version of the service that is redirected to the next one as a whole."""

    def replies(call: Call) -> Reply | None:
        if call.path.startswith("/v1/"):
            target = call.path.replace("/v1/", "/v2/", 1)
            return error(308, "retired", message, Location=target)
        return None

    path = FILES_PATH.replace("/v1/", "/v2/")
    return lambda: Account(replies, list_path=path, file_path=f"{path}/{{id}}")


def problem(title: str, detail: str) -> Reply:
    kind = "https://docs.example.com/problems/scope"
    return json_reply(403, {"type": kind, "title": title, "detail": detail, "status": 403})


def reads_forbidden(call: Call) -> Reply | None:
    is_read = call.key == "campaign" and call.method == "GET"
    return problem("No scope", "The key lacks coupons:read.") if is_read else None


def announcing(**headers: str) -> Callable[[], Account]:
    """A healthy account whose replies to the campaign key have further headers."""

    def replies(call: Call) -> Reply | None:
        reply = Account().reply(call)
        if call.key != "campaign":
            return None
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return replace(reply, headers={**reply.headers, **named})

    return lambda: Account(replies)


def no_route(_: Call) -> Reply:
    """A gateway that has nothing at this address; each reply has another number."""
    return json_reply(404, {"message": "no Route matched", "request_id": uuid.uuid4().hex})


AWS = (
    "User: anonymous is not authorized to perform: execute-api:Invoke on resource: "
    f"arn:aws:execute-api:eu-west-1:********4471:k3x9a1/prod/GET{FILES_PATH} with an explicit deny "
    "in a resource-based policy"
)
F5 = "<title>Request Rejected</title>The requested URL was rejected. Your support ID is: 571109."


NOT_LET_IN = error(403, "ip-not-allowed", "Your address 203.0.113.77 is not in the allow-list.")
DAILY_LIMIT = error(403, "dailyLimitExceeded", "It resets at 2026-11-27T08:00:00Z.")


def tenant_in_path() -> Account:
    """A gateway whose paths begin with the account."""

    def replies(call: Call) -> Reply:
        prefix = f"/t/{WORKSPACE}"
        if not call.path.startswith(prefix):
            return error(404, "no-tenant", "No tenant in the path. Use /t/{tenant}/v1/...")
        return Account().reply(call._replace(path=call.path.removeprefix(prefix)))

    return Account(replies)


# -- two versions of a service ---------------------------------------------------------------------


def two_versions(
    after: Callable[[dict[str, Any]], Any],
    *,
    path: str = FILES_PATH,
    is_new: Callable[[int], bool] = lambda number: number % 2 == 0,
    records: Sequence[Mapping[str, Any]] = Account().records,
) -> Callable[[], Account]:
    """
    A service of which a new version sends records, or a list of them, otherwise.

    :param after: makes what it sends of what the old version sends.
    :param path: what the new version has otherwise.
    :param is_new: which of the own reads of that path the new version answers.
    """

    def account() -> Account:
        seen: list[Call] = []

        def replies(call: Call) -> Reply | None:
            if call.path != path or call.key != "campaign":
                return None
            seen.append(call)
            body = {"data": [*records]} if path == FILES_PATH else dict(records[0])
            version = "2" if is_new(len(seen)) else "1"
            return json_reply(200, after(body) if version == "2" else body, X_Version=version)

        return Account(replies, records=records)

    return account


def renamed(content: Any) -> Any:
    """Rename the properties that the provider reads."""
    if isinstance(content, list):
        return [renamed(entry) for entry in content]
    names = {"_id": "fileId", "status": "state"}
    return {names.get(name, name): value for name, value in content.items()}


def each_record(**more: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda body: {"data": [{**entry, **more} for entry in body["data"]]}


ONE_FILE = f"{FILES_PATH}/f1"
TWO_VERSIONS = "Not proved: Records. The service gave two answers to the same request, GET"
OLD = "2 objects under data with _id and status [X-Version: 1]"
NEW = "2 objects under data with fileId and state, which the provider cannot read [X-Version: 2]"


# -- what stands beside an error's words -----------------------------------------------------------


def lists_get(reply: Reply) -> Callable[[], Account]:
    """A service with another reply to reads of lists with the campaign key."""

    def replies(call: Call) -> Reply | None:
        is_list = call.key == "campaign" and "/coupon-list/" in call.path
        return reply if is_list and call.method == "GET" else None

    return lambda: Account(replies)


def scopes(status: int, **headers: str) -> Callable[[], Account]:
    return lists_get(json_reply(status, {"message": "Not Found"}, **headers))


def fault(code: str, message: str, challenge: str) -> Callable[[], Account]:
    body = {"fault": {"faultstring": message, "detail": {"errorcode": code}}}
    return everywhere(json_reply(401, body, WWW_Authenticate=challenge))


# -- one file at another path ----------------------------------------------------------------------

NO_ROUTE = json_reply(403, {"message": "Missing Authentication Token"})


def linked(**link: Any) -> Callable[[], Account]:
    """A gateway whose records link to where one file is, and that has no other path."""

    def replies(call: Call) -> Reply | None:
        known = (FILES_PATH, "/v1/archive/f1/now")
        return None if call.path in known or call.path.startswith("/v3/") else NO_ROUTE

    return lambda: Account(
        replies, records=[record("f1", **link)], file_path="/v1/archive/{id}/now"
    )


IN_ARCHIVE = (
    "Not ready: Path of one file. The service names /v1/archive/{coupon_file_id}/now, which has a file and its "
    "status",
)


def file(name: str, status: str, **counts: Any) -> dict[str, Any]:
    return {"_id": name, "name": name, "status": status, "coupons_list_id": LIST, **counts}


class Cause(NamedTuple):
    """
    An account, and what the verdict has, in this order.

    What refuses every read for a reason that lasts makes it Not ready if the error has the form
    that the contract shows; the same words in another form, which may be a gateway's, make it Not
    proved. (A 401 is about keys, and an error that may pass is never Not ready.)

    :ivar file_url: of an upload, if there is one.
    """

    name: str
    account: Callable[[], Account]
    says: tuple[str, ...]
    file_url: str | None = None


def check(row: Cause) -> None:
    """The verdict has the parts of the row, in their order."""
    report = examined_account(row.account(), file_url=row.file_url)
    check_says(report.verdict, row.says)


KEYS = [
    Cause(
        "the data key has expired",
        refuses("data", "key-expired", "It expired on 2026-11-20."),
        (
            "Not ready: Data API key. Refused",
            "key-expired: 'It expired on 2026-11-20'",
            "make a new key",
        ),
    ),
    Cause(
        "the campaign key was revoked, under the usual code",
        refuses("campaign", "request-unauthenticated", "The key was revoked by ops."),
        ("Not ready: Campaign API key.", "'The key was revoked by ops'", "make a new key"),
    ),
    Cause(
        "words of an invalid or an expired key, which name no reason",
        refuses("data", "request-unauthenticated", "Invalid or expired key."),
        (
            "'Invalid or expired key'), though the Campaign API key is accepted: do what it says, "
            "since another key gets other words",
        ),
    ),
    Cause(
        "a key of the sandbox, with what to do",
        everywhere(error(401, "sandbox", "This is a sandbox key. Create a live one.")),
        ("Not proved: Campaign API key. Refused", "Do what it says; if that does not help, check"),
    ),
    Cause(
        "a key of the test mode",
        lambda: Account(
            lambda call: (
                error(404, "no-list", "It exists in live mode, but a test key was used.")
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
    Cause(
        "a 403 with the permission that is needed",
        scopes(403, X_Required_Permission="coupons:read"),
        (
            "Not ready: Campaign API key.",
            "X-Required-Permission: coupons:read'",
            "with what it lacks",
        ),
    ),
    Cause(
        "a key that lacks a scope at times",
        lambda: Account(
            lambda call: (
                error(403, "scope", "Insufficient scope.")
                if call.key == "campaign" and call.number > 8
                else None
            )
        ),
        ("Not proved: Campaign API key. The service gave two", "Ask an administrator"),
    ),
    Cause(
        "a key that may upload, and not read",
        lambda: Account(reads_forbidden),
        (
            "Not ready: Campaign API key. The service replies 403: 'No scope: The key lacks coupons:read'",
        ),
        NEW_FILE,
    ),
]


@pytest.mark.parametrize("row", KEYS, ids=ids(KEYS))
def test_a_verdict_about_a_key_says_by_the_words_of_its_error_what_to_do(row: Cause):
    check(row)


PAGES = [
    Cause(
        "maintenance as a page of a success",
        everywhere(page_reply(200, "<title>Wartung</title><p>Bis 06:00 Uhr.</p>")),
        ("Not proved: Address.", "Wartung: Bis 06:00 Uhr", "Wait", "check the address"),
    ),
    Cause(
        "a page of a success in words that nobody knows",
        everywhere(page_reply(200, "<title>Palaamme pian</title><style>p{top:1:00}</style>")),
        ("Not proved: Address.", "'Palaamme pian'", "Wait, and run this again"),
    ),
    Cause(
        "a login page",
        everywhere(page_reply(200, "<title>Intern</title><input type='password'>")),
        ("Not ready: Address. The Address is behind a browser login", "status 200: 'Intern'"),
    ),
]


@pytest.mark.parametrize("row", PAGES, ids=ids(PAGES))
def test_a_page_with_200_in_place_of_each_reply_is_quoted_and_says_what_it_may_be(row: Cause):
    check(row)


QUOTAS = [
    Cause(
        "a daily quota that is used up",
        used_up(5, "Daily quota used up.", Retry_After="43200"),
        ("Not proved: Rate limits. Since", "'Daily quota used up'", "Tasks may be", "until"),
    ),
    Cause(
        "a quota in a 403, after some reads",
        lambda: Account(lambda call: DAILY_LIMIT if call.number > 5 else None),
        ("Not proved: Rate limits. Since", "to each of", "resets at 2026", "Wait until then"),
    ),
    Cause(
        "a quota in a 403 from the first read",
        everywhere(DAILY_LIMIT),
        ("Not proved: Rate limits. The service refused each of 3 reads", "Wait until then"),
    ),
    Cause(
        "a maintenance in a 404",
        everywhere(error(404, "away", "Under maintenance.", Retry_After="7200")),
        ("Not proved: Account. The service refused each of", "Wait until", "as its headers say"),
    ),
]


@pytest.mark.parametrize("row", QUOTAS, ids=ids(QUOTAS))
def test_a_quota_or_a_maintenance_is_to_be_waited_for_as_long_as_it_says(row: Cause):
    check(row)


UPLOADS = [
    Cause(
        "a version that is retired",
        retired("Use /v2."),
        ("Not ready: Upload. The service replies 308 retired", "'Use /v2'", "no setting changes"),
    ),
    Cause(
        "an upload to a version that is retired",
        retired("Use /v2."),
        ("Not ready: Upload. POST", "'Use /v2'", "no setting changes the path"),
        NEW_FILE,
    ),
    Cause(
        "an upload while the service is read-only",
        lambda: Account(
            lambda call: (
                page_reply(503, "<title>Wartung bis 18:00 Uhr</title>")
                if call.method == "POST"
                else None
            )
        ),
        ("Not ready: Upload.", "'Wartung bis 18:00 Uhr'", "Wait until then", "Look for"),
        NEW_FILE,
    ),
    Cause(
        "an upload that is redirected to another host",
        lambda: Account(
            lambda call: (
                json_reply(307, {}, Location=f"https://eu.example.com/primary{FILES_PATH}")
                if call.method == "POST"
                else None
            )
        ),
        ("Not ready: Upload.", "put https://eu.example.com/primary into the Address"),
        NEW_FILE,
    ),
]


@pytest.mark.parametrize("row", UPLOADS, ids=ids(UPLOADS))
def test_uploads_are_not_ready_if_they_are_redirected_or_the_service_takes_none(row: Cause):
    check(row)


MACHINES = [
    Cause(
        "a gateway that does not know this machine",
        everywhere(json_reply(403, {"Message": AWS})),
        ("Not proved: Account.", "arn:aws:", "…", "resource-based policy'", "change no key"),
    ),
    Cause(
        "a gateway that does not say why",
        everywhere(json_reply(403, {"message": "Forbidden"})),
        ("Not proved: Account.", "'Forbidden'. It does not say why", "change no key"),
    ),
    Cause(
        "a firewall with status 403",
        everywhere(page_reply(403, "<title>Access denied</title><h1>Error 1020</h1>Cloudflare")),
        ("Not proved: Account. A firewall", "403", "Error 1020", "change no key"),
    ),
    Cause(
        "a firewall with status 200",
        everywhere(page_reply(200, F5)),
        (
            "Not proved: Account.",
            "200",
            "Your support ID is: 571109'",
            "change no key",
            "support ID 571109.",
        ),
    ),
    Cause(
        "an address that is not among those that are let in",
        everywhere(
            error(403, "ip", "Allowed from IP 203.0.113.0/24 only; your address is 198.51.100.7.")
        ),
        ("Not ready: Account.", "This machine's address 198.51.100.7 may not use it"),
    ),
    Cause(
        "an allow-list without this machine's address",
        everywhere(error(403, "ip", "Only IP 203.0.113.4 is on the allow-list.")),
        ("Not ready: Account.", "This machine's address may not use it"),
    ),
    Cause(
        "an allow-list without this machine's address, in another form",
        everywhere(json_reply(403, {"message": "Only IP 203.0.113.4 is on the allow-list."})),
        ("Not proved: Account.", "This machine's address may not use it"),
    ),
    Cause(
        "one of two addresses of this machine that is not let in",
        lambda: Account(lambda call: NOT_LET_IN if call.number % 2 == 0 else None),
        (
            "Not ready: Account. The service refused 6 of 12 reads with 403 ip-not-allowed",
            "several addresses",
        ),
    ),
    Cause(
        "one of two addresses that is not let in, from the first read",
        lambda: Account(lambda call: NOT_LET_IN if call.number % 2 else None),
        (
            "Not ready: Account. The service refused 6 of 12 reads with 403 ip-not-allowed",
            "several addresses",
        ),
    ),
]


@pytest.mark.parametrize("row", MACHINES, ids=ids(MACHINES))
def test_a_gateway_a_firewall_or_an_allow_list_that_keeps_this_machine_out_is_named(row: Cause):
    check(row)


LACKING = [
    Cause(
        "an address without its stage",
        everywhere(json_reply(403, {"message": "Missing Authentication Token"})),
        ("Not proved: Account.", "whatever the key is", "may lack its stage"),
    ),
    Cause(
        "an address without the prefix of a gateway",
        lambda: Account(no_route),
        ("Not proved: Address.", "gets the same 404", "'no Route matched'", "may lack a part"),
    ),
    Cause(
        "a 404 in the documented form for every path",
        everywhere(error(404, "no-route", "No route matches.")),
        ("Not proved: Address. Each path gets the same 404", "may lack a part"),
    ),
]


@pytest.mark.parametrize("row", LACKING, ids=ids(LACKING))
def test_an_address_that_gets_the_same_refusal_for_each_path_may_lack_a_part(row: Cause):
    check(row)


CREDENTIALS = [
    Cause(
        "a gateway with credentials of its own",
        everywhere(
            error(401, "", "Access denied.", WWW_Authenticate='ApimKey realm="a",name="Apim-Key"')
        ),
        ("Not proved: Campaign API key.", "demands ApimKey in the header Apim-Key", "Ask whoever"),
    ),
    Cause(
        "a gateway that takes tokens only",
        fault("oauth.Invalid", "Bad token", 'Bearer error="invalid_token"'),
        (
            "Not proved: Campaign API key.",
            "(401 oauth.Invalid: 'Bad token'). What replied demands Bearer",
            "change none. Ask whoever runs it",
        ),
    ),
    Cause(
        "a gateway whose challenge is about a token that nobody sent",
        fault("900902", "No", 'OAuth2 error="e", error_description="The token expired"'),
        (
            "Not proved: Campaign API key.",
            "What replied demands OAuth2",
            "change none. Ask whoever runs it",
        ),
    ),
    Cause(
        "a gateway that takes tokens only, in a 403",
        everywhere(json_reply(403, {"message": "Forbidden"}, WWW_Authenticate="Bearer")),
        (
            "Not proved: Account.",
            "'Forbidden'. What replied demands Bearer",
            "change none. Ask whoever runs it",
        ),
    ),
    Cause(
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
def test_a_gateway_that_demands_other_credentials_is_named_with_their_scheme(row: Cause):
    check(row)


ACCOUNTS = [
    Cause(
        "keys of another account",
        everywhere(
            error(
                403,
                "mismatch",
                f"Issued for workspace other-shop, but the request names {WORKSPACE}.",
            )
        ),
        (
            "Not ready: Account.",
            f"is {WORKSPACE}: put other-shop there, or paste the keys of {WORKSPACE}",
        ),
    ),
    Cause(
        "an account that is not there",
        everywhere(error(404, "tenant-not-found", f"Tenant {WORKSPACE} is not in this region.")),
        (
            "Not ready: Account.",
            "probably of another region: find out which one",
            "the Address to it",
        ),
    ),
    Cause(
        "an account that is not there, as a refusal",
        everywhere(error(401, "unknown-tenant", f"Tenant '{WORKSPACE}' does not exist.")),
        ("Not proved: Campaign API key. Refused", f"(login) is {WORKSPACE}: check it"),
    ),
    Cause(
        "a bill, which is nothing to be done here",
        everywhere(error(402, "past-due", f"Workspace {WORKSPACE} is suspended: invoice 7.")),
        ("Not ready: Account.", "invoice 7'. Ask the service's support."),
    ),
    Cause(
        "a bill in another form",
        everywhere(json_reply(402, {"message": "Suspended: invoice 7."})),
        ("Not proved: Account.", "invoice 7'. Ask the service's support."),
    ),
    Cause(
        "paths that have to begin with the account",
        tenant_in_path,
        ("Not ready: Address.", f"/t/{WORKSPACE}, a read gets 200: put that into the Address"),
    ),
]


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_words_about_the_account_say_which_login_place_or_bill_is_wrong(row: Cause):
    check(row)


ANNOUNCED = [
    Cause(
        "a key that ends",
        announcing(Warning='299 - "This key is accepted until 2026-12-04"', Sunset="2026-12-04"),
        (
            "Ready,",
            "Replies with the Campaign API key announce",
            "until 2026-12-04",
            "Put a new key in",
        ),
    ),
    Cause(
        "a version that ends",
        announcing(Deprecation="@1767225600"),
        ("Ready,", "announce Deprecation: 2026-01-01. Ask the service's support what replaces"),
    ),
    Cause(
        "a key that is retired, in words of its own",
        announcing(X_Key_Status="retiring; retires-at=2026-11-26T23:00:00Z"),
        ("Ready,", "announce X-Key-Status: retiring", "Put a new key in"),
    ),
    Cause(
        "a notice beside the files",
        lambda: Account(
            list_body=lambda records: {"meta": {"notice": ["v1 is deprecated."]}, "data": records}
        ),
        ("Ready,", "announce meta.notice: v1 is deprecated. Ask the service's support"),
    ),
]


@pytest.mark.parametrize("row", ANNOUNCED, ids=ids(ANNOUNCED))
def test_a_ready_account_is_told_what_replies_announce(row: Cause):
    check(row)


AT_TIMES = [
    Cause(
        "one of two nodes that fails",
        lambda: Account(
            lambda call: (
                page_reply(504, "<title>Gateway Time-out</title>") if call.number % 2 == 0 else None
            )
        ),
        (
            "Not proved: Address. It responds, but 6 of 12 replies were 504",
            "one of several nodes",
            "Change no setting",
        ),
    ),
    Cause(
        "a cache that replies in the service's place",
        announcing(Age="1800"),
        ("Not proved: Address. A cache replies", "Age: 1800", "an old status"),
    ),
    Cause(
        "a cache that says hit",
        announcing(X_Cache="HIT from edge"),
        ("Not proved: Address. A cache replies", "x-cache: HIT from edge", "an old status"),
    ),
]


@pytest.mark.parametrize("row", AT_TIMES, ids=ids(AT_TIMES))
def test_the_address_is_not_proved_if_half_of_the_replies_fail_or_a_cache_sends_them(row: Cause):
    check(row)


FULL_PAGES = [
    Cause(
        "a page that is full",
        lambda: Account(list_body=lambda records: {"pageSize": len(records), "data": records}),
        ("Not proved: Path of the list's files.", "Its page is full (pageSize: 2)", "may be more"),
    ),
    Cause(
        "a page that is full, and called the last",
        lambda: Account(
            list_body=lambda records: {"pageSize": len(records), "isLast": True, "data": records}
        ),
        ("Ready,",),
    ),
]


@pytest.mark.parametrize("row", FULL_PAGES, ids=ids(FULL_PAGES))
def test_a_page_that_is_full_leaves_the_list_open_unless_it_is_called_the_last(row: Cause):
    check(row)


TWO_VERSIONS_OF = [
    Cause(
        "records that a new version renames",
        two_versions(lambda body: {"data": renamed(body["data"])}),
        (TWO_VERSIONS, OLD, NEW, "Two versions"),
    ),
    Cause(
        "records that only an old version names as usual",
        two_versions(
            lambda body: {"data": renamed(body["data"])}, is_new=lambda number: number < 3
        ),
        (TWO_VERSIONS, f"{NEW} at first", OLD),
    ),
    Cause(
        "one file that a new version renames",
        two_versions(renamed, path=ONE_FILE),
        (
            "Not proved: Path of one file. The service gave",
            "an object with _id and status",
            "an object with fileId and state, which the provider cannot read",
        ),
    ),
    Cause(
        "statuses that a new version numbers",
        two_versions(each_record(status=3)),
        (
            TWO_VERSIONS,
            "with status as a string",
            "with status as a number, which the provider cannot read",
        ),
    ),
    Cause(
        "files that a new version has under another name",
        two_versions(lambda body: {"items": body["data"]}),
        (
            TWO_VERSIONS,
            "2 objects under data [X-Version: 1]",
            "2 objects under items, which the provider cannot read",
        ),
    ),
    Cause(
        "a property that only a new version has",
        two_versions(each_record(etag="x")),
        (TWO_VERSIONS, "without etag [X-Version: 1]", "with etag [X-Version: 2]"),
    ),
    Cause(
        "a data key's 404 with another code since a new version",
        lambda: Account(
            lambda call: (
                error(404, "gone", "No such.")
                if call.path.startswith("/v3/") and call.number > 6 and call.key == "data"
                else None
            )
        ),
        ("Not proved: Data API key. The service gave two", "404 not-found at first, 404 gone"),
    ),
]


@pytest.mark.parametrize("row", TWO_VERSIONS_OF, ids=ids(TWO_VERSIONS_OF))
def test_two_versions_of_a_service_are_told_by_what_their_replies_have(row: Cause):
    check(row)


GOING_ON = [
    Cause(
        "a file that ends while the doctor reads, which is no other shape",
        two_versions(
            lambda body: {"data": [record("f1", "COMPLETED", took=7), body["data"][1]]},
            is_new=lambda number: number > 1,
        ),
        ("Ready, as far as reads show",),
    ),
    Cause(
        "a file on its way that gets more properties, which is no other shape",
        two_versions(
            lambda body: {"data": [body["data"][0], record("f3", "PENDING", eta=3)]},
            is_new=lambda number: number > 1,
            records=[record("f1"), record("f3", "PENDING")],
        ),
        ("Ready, as far as reads show",),
    ),
]


@pytest.mark.parametrize("row", GOING_ON, ids=ids(GOING_ON))
def test_a_file_that_goes_on_while_the_doctor_reads_is_no_second_version(row: Cause):
    check(row)


HIDDEN = [
    Cause(
        "a 404 that hides what the key lacks a scope for",
        scopes(404, X_OAuth_Scopes="stock.read", X_Accepted_OAuth_Scopes="coupons.read"),
        (
            "Not proved: Campaign API key.",
            "X-Accepted-OAuth-Scopes: coupons.read",
            "a key with what it lacks",
        ),
    ),
    Cause(
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
def test_a_404_hides_what_the_key_lacks_if_headers_name_a_scope_that_it_has_not(row: Cause):
    check(row)


NOT_HIDDEN = [
    Cause(
        "a 404 for a key one of whose scopes, coupons.*, is the one that is needed",
        scopes(404, X_OAuth_Scopes="coupons.*", X_Accepted_OAuth_Scopes="coupons.read"),
        ("Not proved: Path of the list's files. The service replies 404", "'Not Found'"),
    ),
    Cause(
        "a 404 with the scope that is needed, to compare with none of the key",
        scopes(404, X_Accepted_OAuth_Scopes="coupons.read"),
        ("Not proved: Path of the list's files. The service replies 404", "'Not Found'"),
    ),
]


@pytest.mark.parametrize("row", NOT_HIDDEN, ids=ids(NOT_HIDDEN))
def test_a_404_hides_nothing_if_the_key_has_the_scope_or_its_scopes_are_not_named(row: Cause):
    check(row)


NO_FILES = [
    Cause(
        "a list without files as 204",
        lists_get(Reply(204)),
        ("Not proved: Path of the list's files.", "gets 204 without a body", "or use --upload URL"),
    ),
    Cause(
        "a list without files as nothing",
        lists_get(Reply(200)),
        ("Not proved: Path of the list's files.", "gets 200 without a body", "or use --upload URL"),
    ),
    Cause(
        "a list without files as null",
        lists_get(json_reply(200, None)),
        (
            "Not proved: Path of the list's files.",
            "gets 200 with null, as a list without files may",
            "or use --upload URL",
        ),
    ),
    Cause(
        "a list without files as null under data",
        lists_get(json_reply(200, {"data": None})),
        ("Not proved: Path of the list's files.", "with null under data", "or use --upload URL"),
    ),
    Cause(
        "a list without files as a 404 of its own",
        lists_get(error(404, "no-files", "No files yet.")),
        ("Not proved: Path of the list's files.", "'No files yet'", "or use --upload URL"),
    ),
]


@pytest.mark.parametrize("row", NO_FILES, ids=ids(NO_FILES))
def test_a_list_without_files_in_whatever_form_leaves_its_path_to_an_upload(row: Cause):
    check(row)


LINKS = [
    Cause("a link in a record", linked(href="/v1/archive/f1/now"), IN_ARCHIVE),
    Cause(
        "links below a record", linked(_links={"self": {"href": "/v1/archive/f1/now"}}), IN_ARCHIVE
    ),
    Cause(
        "links in an array",
        linked(links=[{"rel": "list", "href": FILES_PATH}, {"href": "../../archive/f1/now"}]),
        IN_ARCHIVE,
    ),
]


@pytest.mark.parametrize("row", LINKS, ids=ids(LINKS))
def test_the_path_of_one_file_is_where_a_link_of_its_record_leads(row: Cause):
    check(row)


def test_a_gateways_words_for_no_path_leave_the_path_of_one_file_open():
    check(
        Cause(
            "a gateway's words for no path, while it has others",
            linked(),
            (
                "Not proved: Path of one file.",
                "same to a path that does not exist",
                "None of these",
            ),
        )
    )


def test_a_count_that_sounds_like_one_of_duplicates_is_not_proved():
    check(
        Cause(
            "a count that sounds like one of duplicates",
            lambda: Account(records=[file("a", "DONE", added=9, already_there=2)]),
            (
                "Not proved: Counts. 9 coupons added, 2 duplicates, under added and already_there",
                "put the extra below into the connection",
            ),
        )
    )


class Elsewhere(NamedTuple):
    """How a service says that the account is in another data center, and what to do."""

    reply: Reply
    says: str


IN_03 = 'In data center 03, a read gets 200: set Data center (data_center) to "03"'
OPEN = "Set the Data center (data_center), which the Address is made of, to what it says"
ELSEWHERE = [
    Elsewhere(json_reply(421, {"detail": "Not served by dc02. Home region is dc03."}), IN_03),
    Elsewhere(json_reply(421, {"detail": "The workspace is homed in dc3."}), IN_03),
    Elsewhere(error(403, "wrong-data-center", "This is in data center 03, not 02."), IN_03),
    Elsewhere(error(400, "moved", "Use https://api-03.example.com instead."), IN_03),
    Elsewhere(json_reply(421, {"title": "Homed in eu-03 since 2026-11-02."}), IN_03),
    Elsewhere(json_reply(421, {"title": "It lives in frankfurt-03."}), IN_03),
    Elsewhere(json_reply(421, {"title": "Moved to plan 20, request a-07-b."}), OPEN),
    Elsewhere(json_reply(421, {"title": "Elsewhere", "home_region": "eu-03"}), IN_03),
    Elsewhere(json_reply(421, {"title": "Elsewhere", "homeDc": 3, "dc": "02"}), IN_03),
    Elsewhere(error(403, "elsewhere", "It is in cluster 114."), 'to "114", as it says'),
    Elsewhere(json_reply(421, {"title": "Elsewhere", "region": "eu-west-1"}), "region: eu-west-1'"),
    Elsewhere(error(403, "elsewhere", "Wrong region."), OPEN),
    Elsewhere(error(403, "elsewhere", "In region 03 or region 04."), OPEN),
]


@pytest.mark.parametrize("row", ELSEWHERE, ids=[str(row.reply.body) for row in ELSEWHERE])
def test_a_data_center_that_an_error_names_is_to_be_set_in_place_of_the_address(row: Elsewhere):
    def replies(call: Call) -> Reply:
        _, data_center, path = call.path.split("/", 2)
        if data_center != "dc03":
            return row.reply
        return Account().reply(call._replace(path=f"/{path}"))

    with replying(Account(replies)) as url:
        report = examined(f"{url}/dc02", host=f"{url}/dc{{data_center}}", coupon_list_id=LIST)
    assert about(report, Topic.ADDRESS).text in report.verdict
    assert row.says in report.verdict


def test_no_upload_is_advised_if_each_path_gets_a_gateways_404():
    report = examined_account(Account(no_route))
    assert not any("--upload" in finding.text for finding in report.findings)


def test_the_campaign_key_is_not_asked_if_the_list_gets_404_and_no_file_is_read():
    report = examined_account(lists_get(not_found("list"))())
    assert about(report, Topic.CAMPAIGN_KEY).certainty is Certainty.NOT_ASKED


def test_a_second_answer_that_came_once_is_said_with_its_time_and_not_to_last_since_then():
    def replies(call: Call) -> Reply | None:
        lists = [
            sent for sent in account.calls if (sent.path, sent.key) == (FILES_PATH, "campaign")
        ]
        is_late = call.path == FILES_PATH and len(lists) >= 3
        return error(404, "list-not-found", "No such list.") if is_late else None

    account = Account(replies)
    report = examined_account(account)
    assert "404 list-not-found at " in report.verdict


def test_an_upload_is_not_followed_if_the_key_may_not_read():
    account = Account(reads_forbidden)
    examined_account(account, file_url=NEW_FILE)
    assert account.calls[-1].method == "POST"


def test_the_segment_is_open_if_errors_come_with_200_though_an_upload_worked():
    def replies(call: Call) -> Reply:
        records = list(Account().records)
        if call.method == "POST":
            return json_reply(201, record("new"))
        if any(earlier.method == "POST" for earlier in account.calls):
            records.append(record("new"))
        reply = Account(records=records).reply(call)
        words = {401: "invalid_auth", 404: "not_found"}
        if reply.status == 200:
            return reply
        return json_reply(200, {"ok": False, "error": words[reply.status]})

    account = Account(replies)
    report = examined_account(account, file_url=NEW_FILE)
    assert report.verdict.startswith("Not proved: Segment. Errors come with status 200")


def test_a_slow_service_is_called_slow_and_no_lockout(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sending, "LONGEST", 4.0)
    monkeypatch.setattr(sending, "SLOW", 0.5)
    monkeypatch.setattr(sending, "LEFT_FOR_RESPONSE", 0.1)

    def replies(_: Call) -> None:
        time.sleep(0.7)

    report = examined_account(Account(replies))
    assert report.verdict.startswith("Not proved: Address. It responds, but replies took up to 1 s")
    assert "made-up key came just before" not in report.to_json()
    assert not any(probe.ran_out for finding in report.findings for probe in finding.probes)
