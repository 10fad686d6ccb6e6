"""
What is proved by what a made-up key does not get; and what is advised in the service's own words and
numbers, by kinds of accounts that each come in forms that differ in every detail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.doctor_service import (
    FILES_PATH,
    WORKSPACE,
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

NEW_FILE = "https://files.example.com/new.csv"
UPLOAD = {"file_url": NEW_FILE}
SEGMENT = {"segment_id": "s"}


class Case(NamedTuple):
    """
    An account, and what the verdict says of it, in this order.

    :ivar absent: what is in no text of the report.
    :ivar options: of the command.
    """

    name: str
    account: Callable[[], Account]
    says: tuple[str, ...]
    absent: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}


def check(case: Case) -> None:
    """The verdict has the parts of a row in their order, and the report nothing that is absent."""
    report = examined_account(case.account(), **case.options)
    check_bounds(report)
    check_says(report.verdict, case.says)
    texts = " ".join(line.plain.strip() for line in report.lines())
    assert not [part for part in case.absent if part in f"{texts} {report.to_json()}"]


def error(status: int, code: str, message: str, **headers: str) -> Reply:
    return json_reply(status, {"error": {"code": code, "message": message}}, **headers)


def below(beginning: str, reply: Reply) -> Callable[[], Account]:
    """A service that gives one reply to all paths with a beginning."""
    return lambda: Account(lambda call: reply if call.path.startswith(beginning) else None)


def instead(make: Callable[[Call, Reply], Reply | None]) -> Callable[[], Account]:
    """A service whose replies are made of those of a healthy one."""
    return lambda: Account(lambda call: make(call, Account().reply(call)))


# -- proof by effect -------------------------------------------------------------------------------


def in_envelope(_: Call, reply: Reply) -> Reply | None:
    """Errors have status 200; a nested member has a code, and words that the doctor does not know."""
    if reply.status == 200:
        return None
    codes = {401: ("E-7", "Tuntematon avain"), 404: ("E-9", "Ei ole")}
    code, message = codes[reply.status]
    return json_reply(200, {"header": {"resultCode": code, "resultMessage": message}})


def numbered(_: Call, reply: Reply) -> Reply | None:
    """Errors have status 200 and a number."""
    codes = {401: 17, 404: 23}
    return None if reply.status == 200 else json_reply(200, {"opStatus": codes[reply.status]})


def empty(call: Call, reply: Reply) -> Reply | None:
    """Below the path of coupons, errors have status 200 and a list without files."""
    return None if reply.status == 200 or call.path.startswith("/v3/") else json_reply(200, [])


def in_other_ways(call: Call, reply: Reply) -> Reply | None:
    """Who may not read the list gets a status that no refusal has."""
    return Reply(418, b"teapot") if reply.status == 401 and call.path == FILES_PATH else None


class Refusing(NamedTuple):
    """How an account refuses a made-up key."""

    name: str
    account: Callable[[], Account]


REFUSING = [
    Refusing("status 200 and a nested code", instead(in_envelope)),
    Refusing("status 200 and a number", instead(numbered)),
    Refusing("status 200 and no files", instead(empty)),
    Refusing("a status of its own", instead(in_other_ways)),
]


@pytest.mark.parametrize("row", REFUSING, ids=[row.name for row in REFUSING])
def test_address_keys_and_path_are_sure_in_whatever_form_a_made_up_key_is_refused(row: Refusing):
    report = examined_account(row.account())
    check_bounds(report)
    for topic in (Topic.ADDRESS, Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.LIST_PATH):
        assert about(report, topic).certainty is Certainty.SURE


def test_an_account_is_ready_whose_made_up_keys_get_a_status_of_its_own():
    report = examined_account(instead(in_other_ways)())
    assert report.verdict.startswith("Ready, as far as reads show")


WITH_200 = "Not proved: Segment. Errors come with status 200 here ("
FAILED_SUCCESSES = [
    Case(
        "a nested code",
        instead(in_envelope),
        (WITH_200, "header.resultCode E-9: 'Ei ole'), which an update takes for a success"),
    ),
    Case(
        "a number",
        instead(numbered),
        (WITH_200, "opStatus 23), which an update takes for a success"),
    ),
    Case(
        "no files",
        instead(empty),
        (
            "Not proved: Segment. A made-up key gets 200 and no file here, as if the list were",
            "which an update takes for a success",
        ),
    ),
]


@pytest.mark.parametrize("case", FAILED_SUCCESSES, ids=[case.name for case in FAILED_SUCCESSES])
def test_errors_or_no_files_with_status_200_for_made_up_keys_leave_updates_unproved(case: Case):
    check(case)


# -- the service's words and numbers -----------------------------------------------------------------


def limited(after: int, reply: Reply) -> Callable[[], Account]:
    """A service that gives one reply to all requests after so many."""
    return lambda: Account(lambda call: reply if call.number > after else None)


def with_headers(**headers: str) -> Callable[[], Account]:
    """A healthy service whose replies have headers more."""
    return instead(lambda _, reply: replace(reply, headers={**reply.headers, **headers}))


def without_cookie(reply: Callable[[Call], Reply]) -> Callable[[], Account]:
    """A check that lets pass who has any cookie."""
    return lambda: Account(lambda call: None if "Cookie" in call.headers else reply(call))


SUPERSEDED = error(401, "key_superseded", "This key was replaced on 2026-11-19.")
PAUSED = error(503, "paused", "Imports are paused until 06:30 UTC.")
MOVED = error(404, "moved", "Segments have moved to audience.wes.test, see https://docs.wes.test/x")
MISROUTED = json_reply(
    421,
    {
        "error": {"code": "misrouted", "message": "Another edge has them."},
        "endpoint": "https://coupons.us2.wes.test",
    },
)
COOKIE = "Zk81"
CHALLENGE = "<title>One moment</title><script>document.cookie='a=1'</script>Checking your browser"
FIREWALL = (
    "<title>Access denied</title><h1>Error 1020</h1><p>Ray ID: 8f2c61d0 &bull; Your IP: 203.0.113.7"
)
OLD_VERSION = error(410, "sunset", "Version 1 of this API was shut down. See version 2.")
WORDS = [
    Case(
        "a key that was replaced",
        lambda: Account(lambda call: SUPERSEDED if call.key == "campaign" else None),
        ("Not ready: Campaign API key.", "replaced on", "copy the current key"),
        absent=("paste it again",),
    ),
    Case(
        "a version that has ended",
        below("/v1/", OLD_VERSION),
        ("'Version 1 of this API was shut down", "no setting changes: ask", "newer provider"),
    ),
    Case(
        "an identifier in another form",
        below("/", error(400, "invalid", f"SVC-APPKEY: '{WORKSPACE}' is not a valid UUID")),
        ("is not a valid UUID", "Workspace identifier (login) in another form only (UUID)"),
    ),
    Case(
        "another shard",
        below(
            "/",
            error(404, "no_workspace", f"Workspace {WORKSPACE} is not provisioned on shard 01."),
        ),
        ("probably of another shard: find out which", "If it is this shard, check the Workspace"),
    ),
    Case(
        "no changes at the moment",
        lambda: Account(lambda call: PAUSED if call.method == "POST" else None),
        ("Not proved: Upload.", "so nothing was done in all likelihood. Wait until then, and"),
        absent=("may have done it or not",),
        options=UPLOAD,
    ),
]


@pytest.mark.parametrize("case", WORDS, ids=[case.name for case in WORDS])
def test_the_advice_about_a_key_a_version_an_identifier_a_place_or_a_pause_follows_the_words(
    case: Case,
):
    check(case)


HOSTS = [
    Case(
        "segments, by the words of a 404",
        below("/v3/", MOVED),
        (
            "Not proved: Data API key. Reads get 404 moved",
            "Segments (/v3) are at https://audience.wes.test",
            "leave this connection for coupons, and make a second one",
            "and the Data API key as its password",
            "run wes-doctor --conn-id ID on it",
        ),
        absent=("--segment",),
    ),
    Case(
        "an update of a segment, by a redirect",
        lambda: Account(
            lambda call: (
                Reply(307, b"", {"Location": f"https://profiles.test{call.path}"})
                if call.path.startswith("/v3/")
                else None
            )
        ),
        ("Not ready: Segment.", "segments (/v3) are at https://profiles.test, by", "second one"),
        absent=("into the Address",),
        options=SEGMENT,
    ),
    Case(
        "lists, by a member of an error",
        below("/v1/", MISROUTED),
        (
            "Not ready: Campaign API key. The service replies 421 misrouted",
            "Coupon lists and files are at https://coupons.us2.wes.test",
            "leave this connection for segments",
            "make a second one",
        ),
    ),
]


@pytest.mark.parametrize("case", HOSTS, ids=[case.name for case in HOSTS])
def test_a_second_connection_is_needed_if_segments_or_lists_alone_are_on_another_host(case: Case):
    check(case)


GATEWAYS = [
    Case(
        "a cookie check",
        without_cookie(
            lambda call: Reply(
                307, b"", {"Location": f"{call.path}?c=1", "Set-Cookie": f"v={COOKIE}; P"}
            )
        ),
        ("Not ready: Account. A cookie or bot check", "With the cookie, a read gets 200", "exempt"),
        absent=(COOKIE, "Check the address"),
    ),
    Case(
        "a page that lets browsers pass",
        lambda: Account(lambda _: Reply(200, CHALLENGE.encode(), {"Content-Type": "text/html"})),
        (
            "Not proved: Account. A cookie or bot check",
            "'One moment'",
            "ask whoever runs it to exempt",
            "no address",
        ),
    ),
    Case(
        "a firewall",
        lambda: Account(lambda _: page_reply(403, FIREWALL)),
        (
            "Not proved: Account. A firewall",
            "change no key",
            "Hand over what it names: Ray ID 8f2c61d0, IP address",
        ),
    ),
]


@pytest.mark.parametrize("case", GATEWAYS, ids=[case.name for case in GATEWAYS])
def test_a_cookie_check_or_a_firewall_that_keeps_programs_out_is_of_the_account_and_no_key(
    case: Case,
):
    check(case)


FEW_REQUESTS = [
    Case(
        "five a day, all used",
        limited(
            5, Reply(429, b"", {"RateLimit-Policy": '"t";q=5;w=86400', "RateLimit": "r=0;t=999"})
        ),
        (
            "Not proved: Rate limits. 5 requests a day are too few for a wait",
            "and for this command",
            "to wait does not help",
            'ratelimit-policy: "t";q=5;w=86400,',
        ),
        absent=("Run this again", "run this again"),
    ),
    Case(
        "twenty-five a day, nine left",
        with_headers(**{"X-RateLimit-Limit-Day": "25", "X-RateLimit-Remaining-Day": "9"}),
        (
            "Not proved: Rate limits. 25 requests a day are too few for a wait",
            "to wait does not help",
        ),
        absent=("and for this command",),
    ),
    Case(
        "four an hour, all used",
        limited(
            4, error(429, "plan", "Free plan: 4 API calls per hour.", **{"Retry-After": "3300"})
        ),
        (
            "Not proved: Rate limits. 4 requests an hour are too few for a wait",
            "to wait does not help",
        ),
        absent=("Run this again", "run this again"),
    ),
]


@pytest.mark.parametrize("case", FEW_REQUESTS, ids=[case.name for case in FEW_REQUESTS])
def test_a_limit_of_too_few_requests_for_a_wait_is_not_to_be_waited_for(case: Case):
    check(case)


def test_a_part_by_the_header_range_is_said_with_lists_of_its_size_as_the_way_out():
    """The first part has two files of seven."""
    check(
        Case(
            "a part of two files",
            lambda: Account(
                records=[record(f"f{number}") for number in range(2)],
                list_headers={"Content-Range": "items 0-1/7"},
                list_body=lambda records: {"data": records, "total": 7},
            ),
            ("2 of 7 files", "Parts come by the header Range (items)", "lists of at most 2 files"),
        )
    )
