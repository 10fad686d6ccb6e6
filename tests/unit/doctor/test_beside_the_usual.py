"""
What the verdict says of replies beside the usual: what cannot be read, lists that fail, that are
empty or have another name, words about keys, firewalls, notices.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    LIST,
    Account,
    Call,
    about,
    check_bounds,
    check_says,
    examined_account,
    json_reply,
    page_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings import Certainty, Topic

FILES = json.dumps([record("f1")])


def everywhere(reply: Reply) -> Callable[[], Account]:
    """What replies the same to everything."""
    return lambda: Account(lambda _: reply)


def text_reply(status: int, text: str, media: str = "text/plain", **headers: str) -> Reply:
    return Reply(status, text.encode(), {"Content-Type": media, **headers})


def failing_list(status: int, *, of_all_lists: bool) -> Callable[[], Account]:
    """A service whose lists fail, or one of them."""

    def replies(call: Call) -> Reply | None:
        is_of_files = call.path.endswith("/files") and call.key == "campaign"
        if is_of_files and (of_all_lists or LIST in call.path):
            return json_reply(status, {"message": "Endpoint request timed out"})
        return None

    return lambda: Account(replies)


def other_name(*, is_read_by_it: bool) -> Callable[[], Account]:
    """A service that takes a name for a list, whose files say its identifier."""
    records = [record("f1", coupons_list_id="cl-7"), record("f2", coupons_list_id="cl-7")]

    def replies(call: Call) -> Reply | None:
        if call.path == FILES_PATH.replace(LIST, "cl-7") and call.key == "campaign":
            return json_reply(200, records if is_read_by_it else [])
        return None

    return lambda: Account(replies, records=records)


def empty_list(**beside: object) -> Callable[[], Account]:
    return lambda: Account(records=[], list_body=lambda records: {"data": records, **beside})


def refused(key: str, status: int, message: str) -> Callable[[], Account]:
    """A service that refuses one of the keys."""
    reply = json_reply(status, {"error": {"code": "refused", "message": message}})
    return lambda: Account(lambda call: reply if call.key == key else None)


def refused_apart(own: str, others: str) -> Callable[[], Account]:
    """A service that refuses keys for coupons with the usual code, the own one in other words."""

    def replies(call: Call) -> Reply | None:
        if not call.path.startswith("/v1/"):
            return None
        message = own if call.key == "campaign" else others
        return json_reply(401, {"error": {"code": "request-unauthenticated", "message": message}})

    return lambda: Account(replies)


def slash_elsewhere() -> Account:
    """A service that wants a slash at the end, and redirects to a host that only it knows."""

    def replies(call: Call) -> Reply | None:
        if not call.path.startswith("/v1/coupon-list/") or call.key != "campaign":
            return None
        if call.path.endswith("/"):
            return Account().reply(call._replace(path=call.path.rstrip("/")))
        return Reply(301, b"", {"Location": f"http://files.internal:8080{call.path}/"})

    return Account(replies)


def forbidden_to_read() -> Account:
    """A gateway that replies 403 to keys that it does not know, and to those without permission."""

    def replies(call: Call) -> Reply | None:
        if call.key == "campaign":
            return json_reply(403, {"message": "User u is not authorized to perform: coupons:List"})
        if call.key == "unknown" or is_swapped(call):
            return json_reply(403, {"message": "The security token in the request is invalid."})
        return None

    return Account(replies)


def organization_login() -> Account:
    """A service that knows the keys, and wants them to be let in by an organization's login."""
    reply = json_reply(
        403,
        {"message": "Grant this key access."},
        X_Acme_SSO="required; url=https://login.example/orgs/acme?token=0123456789",
    )
    return Account(lambda call: None if call.key == "unknown" or is_swapped(call) else reply)


def is_swapped(call: Call) -> bool:
    """Tell whether a request has the key of another operation."""
    return (call.key == "data") is not call.path.startswith("/v3/")


class Case(NamedTuple):
    """
    An account, and what its report says.

    :ivar says: in the verdict, in this order.
    :ivar never: in no row.
    """

    name: str
    account: Callable[[], Account]
    says: tuple[str, ...]
    never: tuple[str, ...] = ()


def check(case: Case) -> None:
    """The verdict has the parts of the row in their order, and no finding what it never says."""
    report = examined_account(case.account())
    check_says(report.verdict, case.says)
    rows = " ".join(finding.text for finding in report.findings)
    assert [part for part in case.never if part in rows] == []


UNREADABLE = [
    Case(
        "JSON after a prefix, at an address that is right",
        everywhere(text_reply(200, f")]}}'\n{FILES}", "application/json")),
        ("Not ready: Records. The service replies with JSON after", "ask its support", "no key"),
        ("Check the address",),
    ),
    Case(
        "a reply in an encoding that was not asked for",
        everywhere(text_reply(200, "\x8b\x0f", "application/json", **{"Content-Encoding": "br"})),
        ("Not proved: Address. The reply is encoded as br", "the Address may be right"),
        ("Check the address",),
    ),
]


@pytest.mark.parametrize("case", UNREADABLE, ids=ids(UNREADABLE))
def test_json_in_a_form_that_cannot_be_read_blames_no_address(case: Case):
    check(case)


def test_text_in_place_of_json_is_quoted():
    check(
        Case(
            "text that is quoted",
            everywhere(text_reply(200, "It works!")),
            ("Not ready: Address. Text came with status 200: 'It works!', which the",),
        )
    )


HTTPS = [
    Case(
        "a web server that takes HTTPS at this port",
        everywhere(
            page_reply(400, "<h1>The plain HTTP request was sent to HTTPS port</h1>"),
        ),
        ("Not ready: Address. What replied takes HTTPS only", "Write https:// in place of http://"),
        ("a login page",),
    ),
    Case(
        "an error that demands HTTPS",
        everywhere(json_reply(403, {"error": {"code": "ssl-required", "message": "Sorry."}})),
        ("Not ready: Address. The service replies 403 ssl-required", "Write https:// in place of"),
    ),
    Case(
        "an upgrade that is required",
        everywhere(text_reply(426, "Upgrade Required", Upgrade="TLS/1.2, HTTP/1.1")),
        ("Not proved: Address. The service or a gateway replies 426", "Write https:// in place of"),
    ),
]


@pytest.mark.parametrize("case", HTTPS, ids=ids(HTTPS))
def test_an_address_is_to_be_written_with_https_if_what_replies_wants_that(case: Case):
    check(case)


FAILING = [
    Case(
        "a list that times out, while another does not",
        failing_list(504, of_all_lists=False),
        (
            "Not proved: Campaign API key. Not settled, because the service replied 504",
            "Other reads get answers, also one of a list that does not exist (404 not-found)",
            "so it may be this list alone, and waiting may not help: name a list with fewer",
        ),
        ("A gateway may have replied; wait",),
    ),
    Case(
        "a list that is cut off, while shorter replies are not",
        lambda: Account(
            lambda call: (
                Reply(200, b'[{"_id": "f0"}]', is_cut_off=True)
                if call.path == FILES_PATH and call.key == "campaign"
                else None
            )
        ),
        (
            "(incomplete response 200: IncompleteRead: 7 of 15 bytes came). The service is reached",
            "so something between cuts responses off, or the service fails while it replies",
            "Other reads get answers, also one of a list that does not exist (404 not-found)",
            "name a list with fewer files",
        ),
        ("read_timeout",),
    ),
    Case(
        "lists that fail, while segments do not",
        failing_list(500, of_all_lists=True),
        ("the service replied 500", "so it may be reads of lists alone"),
    ),
]


@pytest.mark.parametrize("case", FAILING, ids=ids(FAILING))
def test_a_list_that_fails_while_other_reads_get_answers_may_fail_alone(case: Case):
    check(case)


OTHER_NAMES = [
    Case(
        "a name of a list whose files say its identifier",
        other_name(is_read_by_it=True),
        (
            "Not proved: Path of the list's files. The service calls the list spring cl-7",
            "the same 2 files",
            "Name cl-7 in tasks, and here",
        ),
    ),
    Case(
        "files of another list that has none by its identifier",
        other_name(is_read_by_it=False),
        ("has 2 files, none of them of the list spring, but of cl-7. Name the list as",),
        ("The service calls the list",),
    ),
]


@pytest.mark.parametrize("case", OTHER_NAMES, ids=ids(OTHER_NAMES))
def test_a_list_has_the_name_that_its_files_say_only_if_a_read_of_that_has_them(case: Case):
    check(case)


EMPTY = [
    Case(
        "an empty list with a quota as a notice",
        empty_list(notice="The monthly quota of your plan is used up."),
        ("has no file, and its reply says 'The monthly quota of your plan is used up'", "Wait"),
        ("so it may list something else",),
    ),
    Case(
        "an empty list with a notice of its own kind",
        empty_list(meta={"messages": ["Please choose a season first."]}),
        ("its reply says 'Please choose a season first'. Do what it says, or ask",),
    ),
    Case(
        "an empty list with words that are for programs",
        empty_list(notice="none", description="All coupons of spring"),
        ("has no file, so it may list something else",),
    ),
]


@pytest.mark.parametrize("case", EMPTY, ids=ids(EMPTY))
def test_what_an_empty_lists_reply_says_to_people_is_quoted_first(case: Case):
    check(case)


REQUESTS = [
    Case(
        "a clock that is wrong",
        everywhere(json_reply(401, {"error": {"code": "skew", "message": "Clock is off."}})),
        ("Account. The service refused each of ", "Set the clock of this machine"),
        ("paste it again", "may be wrong"),
    ),
    Case(
        "a media type that is wanted",
        everywhere(json_reply(406, {"error": {"code": "no", "message": "Send Accept: a/b."}})),
        ("Account. The service replies 406", "The provider sends and takes application/json"),
        ("Do what it says",),
    ),
    Case(
        "credentials that do not arrive",
        everywhere(
            json_reply(
                401,
                {
                    "error": {
                        "code": "request-unauthenticated",
                        "message": "Authorization header is missing",
                    }
                },
            )
        ),
        (
            "Each request had an Authorization header (Basic), so something between may take it out",
            "change no key, and ask whoever runs it to pass that header on. No key was judged.",
        ),
        ("check each of them",),
    ),
]


@pytest.mark.parametrize("case", REQUESTS, ids=ids(REQUESTS))
def test_an_error_about_the_clock_or_the_headers_of_a_request_blames_no_key(case: Case):
    check(case)


LISTS = [
    Case(
        "a list of another account that the error names",
        lambda: Account(
            lambda call: (
                json_reply(
                    404, {"error": {"code": "no-list", "message": "It is of workspace other-one."}}
                )
                if call.key == "campaign"
                else None
            )
        ),
        ("(login) is workspace: name a list of it, or use a connection with the login and the ",),
        ("It replies otherwise to a path that does not exist",),
    ),
    Case(
        "a list's name in place of its identifier",
        lambda: Account(
            lambda call: (
                json_reply(
                    400,
                    {
                        "error": {
                            "code": "invalid-request",
                            "message": "coupon_list_id must be a 24 character hex identifier",
                        }
                    },
                )
                if call.path == FILES_PATH and call.key == "campaign"
                else None
            )
        ),
        ("Path of the list's files", "Name the list with --coupon-list by its identifier"),
        ("Do what it says",),
    ),
    Case(
        "a list that is not there, or not for this key",
        refused("campaign", 404, "List spring does not exist or your key has no access to it."),
        ("Check the identifier spring in the service's dashboard, and whether the Campaign API",),
        ("replies so to a list without files",),
    ),
    Case(
        "an identifier of a list that has to have another form",
        refused("campaign", 400, "coupon_list_id must be 24 hex digits, got 'spring'."),
        ("It is about the list's identifier: name the list as", "in place of spring"),
        ("The Campaign API key may be wrong",),
    ),
]


@pytest.mark.parametrize("case", LISTS, ids=ids(LISTS))
def test_an_error_about_the_list_says_to_check_its_name_or_account_and_blames_no_key(case: Case):
    check(case)


def test_a_path_with_a_slash_more_is_found_by_a_redirect_to_a_host_that_only_the_service_knows():
    check(
        Case(
            "a slash that redirects add, to a host that only the service knows",
            slash_elsewhere,
            (
                "Path of the list's files. The service names /v1/coupon-list/{coupon_list_id}/files/",
                "Put the extra below into the connection",
            ),
            ("No setting helps", "put that into the Address"),
        )
    )


WORDS = [
    Case(
        "words that only this key gets, under the usual code",
        refused_apart("This is a test mode API key", "Invalid API key"),
        (
            "Refused 3 times (401 request-unauthenticated: 'This is a test mode API key'), though",
            "do what it says, since another key gets other words",
        ),
        ("paste it again",),
    ),
    Case(
        "words that each key gets, under the usual code",
        refused_apart(
            "The key has to be one of the vault's", "The key has to be one of the vault's"
        ),
        (
            "Campaign API key. Refused 3 times, though the Data API key is accepted: paste it again.",
        ),
        ("vault",),
    ),
    Case(
        "a key that is known, and that lacks an API product",
        lambda: Account(
            lambda call: (
                None
                if call.key == "data" and "coupon-list" not in call.path
                else json_reply(
                    401,
                    {
                        "fault": {
                            "faultstring": (
                                "Invalid ApiKey for given resource"
                                if call.key != "unknown"
                                else "Invalid ApiKey"
                            )
                        }
                    },
                )
            )
        ),
        (
            "Campaign API key. Refused 3 times",
            "do what it says, since another key gets other words",
        ),
        ("paste it again",),
    ),
    Case(
        "a key of another type, in the service's own words",
        refused("data", 401, "This is a key for reads; segments need one for writes."),
        ("though the Campaign API key is accepted: do what it says, since another key gets other",),
        ("paste it again",),
    ),
    Case(
        "a key that is only wrong",
        refused("data", 401, "Invalid API key."),
        ("though the Campaign API key is accepted: paste it again",),
    ),
]


@pytest.mark.parametrize("case", WORDS, ids=ids(WORDS))
def test_words_of_a_refusal_are_followed_if_only_that_key_gets_them_and_they_say_more(case: Case):
    check(case)


FIREWALLS = [
    Case(
        "a firewall that is about the client",
        everywhere(page_reply(403, "<h1>Error 1010</h1>Cloudflare: your browser's signature")),
        (
            "A firewall before the service may keep these requests out",
            "whether it keeps out their addresses or their User-Agent (airflow-provider-wes)",
        ),
        ("this machine",),
    ),
    Case(
        "a firewall that says its number alone",
        everywhere(text_reply(403, "error code: 1010", "text/plain", **{"CF-RAY": "8f2c-FRA"})),
        (
            "Account. The service or a gateway replies 403 to each read",
            "A firewall may keep these requests out. Change no key",
            "Hand over what it names: cf-ray 8f2c-FRA.",
        ),
        ("Ask the service's support",),
    ),
    Case(
        "a page of a web server that names what support asks for",
        everywhere(page_reply(403, "<h1>Access Denied</h1>Reference #18.4a5b6c7d.1700")),
        ("change no key", "Hand over what it names: Reference 18.4a5b6c7d.1700."),
    ),
]


@pytest.mark.parametrize("case", FIREWALLS, ids=ids(FIREWALLS))
def test_a_firewall_is_named_by_its_page_or_text_with_what_it_says_of_itself(case: Case):
    check(case)


def test_a_list_that_is_closed_may_take_no_uploads():
    check(
        Case(
            "a list that is closed",
            lambda: Account(
                lambda call: (
                    json_reply(
                        200, {"list_status": "ARCHIVED", "data": [record("f1"), record("f2")]}
                    )
                    if call.path == FILES_PATH and call.key == "campaign"
                    else None
                )
            ),
            (
                "Not proved: Upload. It may take no files. The list's reply has list_status: ARCHIVED: ",
                "name a list that takes files, or have this one opened in the service's dashboard.",
            ),
        )
    )


PARTS = [
    Case(
        "a total that the only page contradicts",
        lambda: Account(
            lambda call: (
                json_reply(
                    200,
                    {"page": 1, "total_pages": 1, "total": 3, "data": [record("f1"), record("f2")]},
                )
                if call.path == FILES_PATH and call.key == "campaign"
                else None
            )
        ),
        (
            "says that it is page 1 of 1, and has 2 of 3 files: it contradicts itself, and tasks",
            "It may count files that are deleted or hidden. No setting helps",
        ),
        ("for a path that has all files",),
    ),
    Case(
        "a page of files in an envelope",
        lambda: Account(
            list_body=lambda records: {
                "_embedded": {"files": records},
                "page": {"totalElements": 9},
            }
        ),
        ("has 2 of 9 files alone, under _embedded.files, but the provider reads an array",),
    ),
    Case(
        "a part of a list, with the reason beside it",
        lambda: Account(
            lambda call: (
                json_reply(206, {"data": [], "warnings": ["Shard 3 did not reply."]})
                if call.path == FILES_PATH and call.key == "campaign"
                else None
            )
        ),
        ("its reply says 'Shard 3 did not reply'",),
    ),
]


@pytest.mark.parametrize("case", PARTS, ids=ids(PARTS))
def test_a_part_of_a_list_is_said_with_what_shows_it(case: Case):
    check(case)


NOT_YET = [
    Case(
        "a key that somebody has to approve",
        refused("campaign", 401, "API key 'airflow' awaits approval by an account owner."),
        ("Not ready: Campaign API key. Refused 3 times", "have it approved or activated, as the"),
        ("paste it again",),
    ),
    Case(
        "a key that is not active yet, with a 403",
        refused("campaign", 403, "The key is not yet active."),
        ("Campaign API key. Refused 3 times", "have it approved or activated, as the service"),
        ("paste it again", "ask support"),
    ),
    Case(
        "a key of a later time",
        refused("campaign", 403, "This API key cannot be used yet."),
        ("Campaign API key. Refused 3 times", "wait until it is valid, or put in the one that is"),
        ("Ask the service's support", "paste it again"),
    ),
    Case(
        "a key of a later time, which a member of the error names",
        everywhere(
            json_reply(
                401,
                {
                    "error": {
                        "code": "early",
                        "message": "Credential used before its start.",
                        "valid_from": "2031-02-01T00:00:00Z",
                    }
                },
            )
        ),
        ("valid_from: 2031-02-01T00:00:00Z", "wait until it is valid, or put in the one that is"),
        ("paste it again",),
    ),
]


@pytest.mark.parametrize("case", NOT_YET, ids=ids(NOT_YET))
def test_a_key_that_may_not_be_used_yet_is_to_be_approved_or_waited_for(case: Case):
    check(case)


LACKING = [
    Case(
        "a login of the organization, which the service wants for these keys only",
        organization_login,
        (
            "to each read with these keys, whatever its path: 'Grant this key access",
            "X-Acme-Sso: required; url=https://login.example/orgs/acme'",
            "Other keys get 401 request-unauthenticated, so it knows these: make no new ones.",
        ),
        ("token=",),
    ),
    Case(
        "a key that lacks a permission, while a made-up one is no key",
        forbidden_to_read,
        (
            "not authorized to perform: coupons:List",
            "Ask an administrator of the account for a key",
        ),
        ("No reply shows whether it is accepted", "--upload URL shows it"),
    ),
]


@pytest.mark.parametrize("case", LACKING, ids=ids(LACKING))
def test_a_403_that_other_keys_do_not_get_names_what_these_keys_lack(case: Case):
    check(case)


def test_a_notice_beside_files_is_quoted_and_leaves_the_account_ready():
    warning = "Files older than 30 days are left out."
    account = Account(list_body=lambda records: {"data": records, "warnings": [warning]})

    report = examined_account(account)

    finding = about(report, Topic.NOTICES)
    assert report.works
    assert finding.needs_action
    assert "Beside the list's files stands warnings: Files older than 30 days are left" in (
        finding.text
    )


def test_limits_without_a_reset_are_not_called_no_headers():
    headers = {"x-ratelimit-limit": "600", "x-ratelimit-remaining": "598"}

    finding = about(examined_account(Account(list_headers=headers)), Topic.LIMITS)

    assert finding.certainty is Certainty.NOT_ASKED
    assert finding.text.startswith("Responses have x-ratelimit-limit and x-ratelimit-remaining, ")
    assert "no x-ratelimit-reset" in finding.text


def test_no_further_made_up_key_is_sent_once_no_response_comes():
    def replies(call: Call) -> Reply | None:
        if any(earlier.key == "unknown" for earlier in account.calls[: call.number - 1]):
            return Reply(0, b"")
        return None

    account = Account(replies)

    report = examined_account(account)

    assert "it may shut out this machine" in report.verdict
    assert [call.key for call in account.calls].count("unknown") == 1
    assert len(account.calls) <= 8


class Refusal(NamedTuple):
    """How a service of errors with 200 calls a success and a refusal."""

    fine: dict[str, object]
    refused: dict[str, object]


REFUSALS = [
    Refusal({"meta": {"rc": "ok"}}, {"meta": {"rc": "error", "msg": "LoginRequired"}}),
    Refusal({"ret": 0}, {"ret": 17, "info": "unknown key"}),
    Refusal({"outcome": "done"}, {"outcome": "denied", "reason": "unknown key"}),
]


@pytest.mark.parametrize("refusal", REFUSALS, ids=[str(row.refused) for row in REFUSALS])
def test_a_refusal_with_200_and_an_empty_list_is_said_to_be_taken_for_one(refusal: Refusal):
    def replies(call: Call) -> Reply | None:
        if call.key == "unknown":
            return json_reply(200, {**refusal.refused, "data": []})
        return None

    account = Account(replies, list_body=lambda records: {**refusal.fine, "data": records})

    report = examined_account(account)

    segment = about(report, Topic.SEGMENT)
    assert "The read of a list takes one for an empty list" in segment.text
    assert "Reads of lists notice them" not in segment.text
    assert about(report, Topic.CAMPAIGN_KEY).certainty is Certainty.SURE


class Rounded(NamedTuple):
    """A list that has as many files as pages usually have."""

    name: str
    files: int
    largest_page: int
    is_page: bool


ROUNDED = [
    Rounded("a page of many that does not say so", files=140, largest_page=200, is_page=True),
    Rounded("a largest page that is too small", files=140, largest_page=120, is_page=True),
    Rounded(
        "a list that happens to have a hundred files", files=100, largest_page=200, is_page=False
    ),
    Rounded("a list with another number of files", files=93, largest_page=200, is_page=False),
]


@pytest.mark.parametrize("row", ROUNDED, ids=[row.name for row in ROUNDED])
def test_a_list_of_a_usual_size_is_a_page_if_a_larger_page_has_more_files(row: Rounded):
    records = [record(f"f{number}") for number in range(row.files)]

    def replies(call: Call) -> Reply | None:
        if call.path != FILES_PATH or call.key != "campaign":
            return None
        asked = int(call.query.partition("limit=")[2] or 100)
        return json_reply(200, records[: min(asked, row.largest_page)])

    report = examined_account(Account(replies, records=records))

    finding = about(report, Topic.LIST_PATH)
    assert ("it is a page, though no reply says so" in finding.text) is row.is_page
    assert report.works is not row.is_page


def test_a_round_number_of_files_proves_no_whole_list_if_the_size_of_a_page_is_not_heeded():
    records = [record(f"f{number}") for number in range(100)]
    report = examined_account(Account(records=records))
    check_bounds(report)
    finding = about(report, Topic.LIST_PATH)
    assert finding.certainty is Certainty.NOT_PROVED
    assert finding.text == (
        "It has 100 files. That is as many as a page often has, and nothing shows whether the "
        "service heeds the size of a page (limit), so there may be more. Ask the service's support "
        "whether it divides lists into pages, or name a list with another number of files."
    )


class Mark(NamedTuple):
    """How a service says that it is a test environment, or not."""

    headers: dict[str, str]
    members: dict[str, object]
    is_test: bool


MARKS = [
    Mark({"X-Environment": "sandbox"}, {}, is_test=True),
    Mark({}, {"livemode": False}, is_test=True),
    Mark({}, {"meta": {"mode": "test"}}, is_test=True),
    Mark({"X-Env": "production"}, {"livemode": True}, is_test=False),
    Mark({}, {"name": "test", "sandbox": False}, is_test=False),
]


@pytest.mark.parametrize("mark", MARKS, ids=[f"{row.headers} {row.members}" for row in MARKS])
def test_the_verdict_says_that_a_ready_account_is_a_test_environment_if_its_replies_do(mark: Mark):
    account = Account(
        list_body=lambda records: {"data": records, **mark.members}, list_headers=mark.headers
    )

    report = examined_account(account)

    assert report.works
    assert ("Replies say that this is no production" in report.verdict) is mark.is_test


class Turned(NamedTuple):
    """An error that an upload gets, and what the verdict advises."""

    name: str
    status: int
    message: str
    advice: str


TURNED = [
    Turned(
        "a list that is in use",
        423,
        "A campaign is sending from this list until 18:00 UTC.",
        "Nothing was done. Wait until then, and run this again.",
    ),
    Turned(
        "a creator that nobody knows",
        422,
        "created_by must be an e-mail address of a user.",
        "The doctor sends created_by 'wes-doctor', and your tasks their own. Do what it says",
    ),
    Turned("another reason", 422, "Nope.", "Nothing was done. Ask the service's support."),
    Turned(
        "a header that tasks do not send",
        400,
        "The header Idempotency-Key is missing.",
        "The provider does not send Idempotency-Key, and no setting adds it: ask the service's",
    ),
]


@pytest.mark.parametrize("row", TURNED, ids=[row.name for row in TURNED])
def test_what_to_do_about_a_refused_upload_follows_from_its_words(row: Turned):
    reply = json_reply(row.status, {"error": {"code": "refused", "message": row.message}})
    account = Account(lambda call: reply if call.method == "POST" else None)

    report = examined_account(account, file_url="https://files.example.com/new.csv")

    assert report.verdict.startswith("Not ready: Upload. ")
    assert row.advice in report.verdict
