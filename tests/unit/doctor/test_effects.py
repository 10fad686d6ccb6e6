"""
What is proved by what reads got, and what is said of the service's own words and numbers: kinds of
accounts, each in forms that differ in every detail.
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

    :ivar absent: what is in no text.
    :ivar options: of the command.
    """

    name: str
    account: Callable[[], Account]
    says: tuple[str, ...]
    absent: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}


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
    """Each reply has status 200; a nested member says how it went, in words of no list."""
    if reply.status == 200:
        return None
    codes = {401: ("E-7", "Tuntematon avain"), 404: ("E-9", "Ei ole")}
    code, message = codes[reply.status]
    return json_reply(200, {"header": {"resultCode": code, "resultMessage": message}})


def numbered(_: Call, reply: Reply) -> Reply | None:
    codes = {401: 17, 404: 23}
    return None if reply.status == 200 else json_reply(200, {"opStatus": codes[reply.status]})


def empty(call: Call, reply: Reply) -> Reply | None:
    """Whoever is refused, and each path that is none, gets a list without files."""
    return None if reply.status == 200 or call.path.startswith("/v3/") else json_reply(200, [])


def in_other_ways(call: Call, reply: Reply) -> Reply | None:
    """A status that no refusal has."""
    return Reply(418, b"teapot") if reply.status == 401 and call.path == FILES_PATH else None


WITH_200 = "Not proved: Segment. Errors come with status 200 here ("
EFFECTS = [
    Case(
        "a nested code",
        instead(in_envelope),
        (WITH_200, "header.resultCode E-9: 'Ei ole'), which an update takes for a success"),
    ),
    Case("a number", instead(numbered), (WITH_200, "opStatus 23)")),
    Case(
        "no files",
        instead(empty),
        ("Not proved: Segment. A made-up key gets 200 and no file here, as if the list were",),
    ),
    Case("a status of its own", instead(in_other_ways), ("Ready, as far as reads show",)),
]


@pytest.mark.parametrize("case", EFFECTS, ids=[case.name for case in EFFECTS])
def test_what_a_made_up_key_does_not_get_proves_the_own_one(case: Case):
    report = examined_account(case.account())
    check_bounds(report)
    for topic in (Topic.ADDRESS, Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.LIST_PATH):
        assert about(report, topic).certainty is Certainty.SURE
    check_says(report.verdict, case.says)


# -- the service's words and numbers -----------------------------------------------------------------


def check_says(text: str, parts: tuple[str, ...]) -> None:
    """The parts are in a text, in this order."""
    rest = text
    for part in parts:
        assert part in rest, text
        rest = rest.partition(part)[2]


def limited(after: int, reply: Reply) -> Callable[[], Account]:
    return lambda: Account(lambda call: reply if call.number > after else None)


def with_headers(**headers: str) -> Callable[[], Account]:
    return instead(lambda _, reply: replace(reply, headers={**reply.headers, **headers}))


def without_cookie(reply: Callable[[Call], Reply]) -> Callable[[], Account]:
    """A check that lets pass who has its cookie."""
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
    Case(
        "segments on another host",
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
        "an update that is redirected to another host",
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
        "lists on another host",
        below("/v1/", MISROUTED),
        (
            "Not ready: Campaign API key. The service replies 421 misrouted",
            "Coupon lists and files are at https://coupons.us2.wes.test",
            "leave this connection for segments",
        ),
    ),
    Case(
        "a cookie check",
        without_cookie(
            lambda call: Reply(
                307, b"", {"Location": f"{call.path}?c=1", "Set-Cookie": "v=Zk81; P"}
            )
        ),
        ("Not ready: Account. A cookie or bot check", "With the cookie, a read gets 200", "exempt"),
        absent=("Zk81", "Check the address"),
    ),
    Case(
        "a page that lets browsers pass",
        lambda: Account(lambda _: Reply(200, CHALLENGE.encode(), {"Content-Type": "text/html"})),
        ("Not proved: Account. A cookie or bot check", "'One moment'", "Change no address"),
    ),
    Case(
        "a firewall",
        lambda: Account(lambda _: page_reply(403, FIREWALL)),
        ("Not proved: Account. A firewall", "Hand over what it names: Ray ID 8f2c61d0, IP address"),
    ),
    Case(
        "five requests a day",
        limited(
            5, Reply(429, b"", {"RateLimit-Policy": '"t";q=5;w=86400', "RateLimit": "r=0;t=999"})
        ),
        (
            "Not proved: Rate limits. 5 requests a day are too few for a wait",
            "and for this command",
            'ratelimit-policy: "t";q=5;w=86400,',
        ),
        absent=("un this again",),
    ),
    Case(
        "twenty-five requests a day, of which some are left",
        with_headers(**{"X-RateLimit-Limit-Day": "25", "X-RateLimit-Remaining-Day": "9"}),
        ("Not proved: Rate limits. 25 requests a day are too few for a wait",),
        absent=("and for this command",),
    ),
    Case(
        "four calls an hour",
        limited(
            4, error(429, "plan", "Free plan: 4 API calls per hour.", **{"Retry-After": "3300"})
        ),
        ("Not proved: Rate limits. 4 requests an hour are too few for a wait",),
        absent=("un this again",),
    ),
    Case(
        "parts by the header Range",
        lambda: Account(
            records=[record(f"f{number}") for number in range(2)],
            list_headers={"Content-Range": "items 0-1/7"},
            list_body=lambda records: {"data": records, "total": 7},
        ),
        ("2 of 7 files", "Parts come by the header Range (items)", "lists of at most 2 files"),
    ),
]


@pytest.mark.parametrize("case", WORDS, ids=[case.name for case in WORDS])
def test_the_advice_follows_the_words_and_the_numbers_of_the_service(case: Case):
    report = examined_account(case.account(), **case.options)
    check_bounds(report)
    check_says(report.verdict, case.says)
    texts = " ".join(line.plain.strip() for line in report.lines())
    assert not [part for part in case.absent if part in f"{texts} {report.to_json()}"]
