"""What to do if each read gets the same error, whatever its path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.doctor_reads import (
    LIST,
    NOWHERE_READ,
    SEGMENT_READ,
    SETTINGS,
    error,
    evidence,
    probe,
    settings_of,
)
from wes_provider.doctor.evidence import MADE_UP, list_at
from wes_provider.doctor.findings import Certainty, Finding, Topic
from wes_provider.doctor.objections import about_account, conclude_on_objection, wants_https
from wes_provider.doctor.probes import Keys, Probe, Question
from wes_provider.settings import WesSettings

SUPPORT = "Ask the service's support."
AGAIN = "and run this again."


class Row(NamedTuple):
    """
    An error that each read gets, and what is concluded from it.

    :ivar others: further reads.
    :ivar host: of the connection, if the address is made of it and the data center.
    """

    name: str
    code: str
    message: str
    text: str
    topic: Topic = Topic.ACCOUNT
    status: int = 400
    others: Sequence[Probe] = ()
    settings: WesSettings = SETTINGS
    host: str = ""
    list_id: str = LIST


IN_01 = settings_of("https://api-01.example.com")
THERE = list_at(settings_of("https://api-02.example.com"), SETTINGS.coupon_files_path, LIST)
BELOW = list_at(
    settings_of("https://api.example.com/t/workspace-1"), SETTINGS.coupon_files_path, LIST
)


def there(status: int, body: Any = None) -> Probe:
    """The read in the data center 02."""
    return probe(status, body, question=Question.OTHER_ADDRESS, request=THERE)


def below(status: int, body: Any = None) -> Probe:
    """The read below the path with the workspace."""
    return probe(status, body, question=Question.OTHER_ADDRESS, request=BELOW)


MADE_OF = "https://api-{data_center}.example.com"
REFUSED = there(401, error("no-key", "x"))
ANSWERED = there(200, [])
LOST = there(503)
PAGE = there(404, "<html>")
OBJECTED = there(400, error("x", "Wrong."))
HERE = probe(404, error("not-found", "x"), question=Question.DATA_KEY, request=SEGMENT_READ)
AT_HOST = "Coupons are served at https://coupons.test"
OF_LIST = "It is about the list's identifier: name the list as the service's dashboard does, in "
CHECK_LOGIN = (
    "The Workspace identifier (login) is workspace-1: check it, whether the keys are of it, and "
    f"the Address, {AGAIN}"
)
PROBABLY = (
    "So it is probably of another shard: find out which one has workspace-1, in the service's "
    f"dashboard or from its support, and set the Address to it, {AGAIN} If it is this shard, check "
    "the Workspace identifier (login)."
)
SET_ADDRESS = f"Set the Address to what it says, {AGAIN}"
OR_DATA_CENTER = "Data center, if the Address has {data_center}"
OTHER_SCHEME = (
    "What replied demands Bearer (its WWW-Authenticate says so), and the provider sends Basic "
    "credentials only: a gateway may be before the service, and the keys may be right, so change "
    "none. Ask whoever runs it to take Basic, or for another address."
)
LET_IN = (
    "It does not say why, as a gateway or a firewall that does not let this machine in: first "
    "change no key, but have whoever runs it let in the addresses of your workers and triggerers, "
    "and run this from there."
)
ROWS = [
    Row("nothing that is known", "odd", "Teapots only", SUPPORT),
    Row(
        "its words ask for something",
        "odd",
        "Please accept the terms",
        "Do what it says, or ask the service's support.",
    ),
    # HTTPS
    Row(
        "HTTPS only",
        "odd",
        "Use HTTPS",
        f"Write https:// in place of http:// in the Address, {AGAIN}",
        Topic.ADDRESS,
        settings=settings_of("http://127.0.0.1:9"),
    ),
    Row(
        "HTTPS only, of an address with it",
        "odd",
        "Use HTTPS",
        "Do what it says, or ask the service's support.",
    ),
    # another host
    Row(
        "coupons on another host",
        "odd",
        AT_HOST,
        "Coupon lists and files are at https://coupons.test, by the service's words: leave this "
        "connection for segments, and make a second one with that Address and the Campaign API key "
        "as its password. Name it in the tasks with coupons, and run wes-doctor --conn-id ID on "
        "it.",
        Topic.CAMPAIGN_KEY,
        others=[HERE],
    ),
    Row("all on another host", "odd", AT_HOST, SET_ADDRESS, Topic.ADDRESS),
    # a data center
    Row(
        "another data center",
        "odd",
        "It is in data center 2",
        f'Set Data center (data_center) to "02", as it says, {AGAIN}',
        Topic.ADDRESS,
        settings=IN_01,
        host=MADE_OF,
    ),
    *(
        Row(
            f"another data center, where a read gets {answer}",
            "odd",
            "It is in data center 02",
            f'In data center 02, a read gets {answer}: set Data center (data_center) to "02", '
            f"{AGAIN}",
            Topic.ADDRESS,
            others=[read],
            settings=IN_01,
            host=MADE_OF,
        )
        for answer, read in (("200", ANSWERED), ("401 no-key", REFUSED))
    ),
    Row(
        "another data center, where the last read gets 200",
        "odd",
        "It is in data center 02",
        f'In data center 02, a read gets 200: set Data center (data_center) to "02", {AGAIN}',
        Topic.ADDRESS,
        others=[OBJECTED, ANSWERED],
        settings=IN_01,
        host=MADE_OF,
    ),
    *(
        Row(
            f"another data center, where a read is {name}",
            "odd",
            "It is in data center 02",
            f'Set Data center (data_center) to "02", as it says, {AGAIN}',
            Topic.ADDRESS,
            others=reads,
            settings=IN_01,
            host=MADE_OF,
        )
        for name, reads in (
            ("lost", [LOST]),
            ("a page", [PAGE]),
            ("refused likewise", [OBJECTED]),
            ("no answer at last", [ANSWERED, PAGE]),
        )
    ),
    Row(
        "the own data center",
        "odd",
        "Teapots of data center 01",
        "Set the Data center (data_center), which the Address is made of, to what it says, "
        f"{AGAIN}",
        Topic.ADDRESS,
        settings=IN_01,
        host=MADE_OF,
    ),
    Row(
        "misdirected",
        "odd",
        "Teapots only",
        SET_ADDRESS,
        Topic.ADDRESS,
        status=421,
    ),
    # a part of the path
    Row(
        "a part of the path",
        "odd",
        "Paths are /t/{tenant}/v1/",
        f"Put https://api.example.com/t/workspace-1 into the Address, as it says, {AGAIN}",
        Topic.ADDRESS,
    ),
    *(
        Row(
            f"a part of the path, with which a read gets {answer}",
            "odd",
            "Paths are /t/{tenant}/v1/",
            f"Below https://api.example.com/t/workspace-1, a read gets {answer}: put that into the "
            f"Address, {AGAIN}",
            Topic.ADDRESS,
            others=[read],
        )
        for answer, read in (
            ("200", below(200, [])),
            ("401 no-key", below(401, error("no-key", "x"))),
            ("400 x", below(400, error("x", "Wrong."))),
        )
    ),
    *(
        Row(
            f"a part of the path, with which a read is {name}",
            "odd",
            "Paths are /t/{tenant}/v1/",
            f"Put https://api.example.com/t/workspace-1 into the Address, as it says, {AGAIN}",
            Topic.ADDRESS,
            others=reads,
        )
        for name, reads in (
            ("lost", [below(503)]),
            ("a page", [below(404, "<html>")]),
            ("refused with the same error", [below(400, error("odd", "x"))]),
            ("a page at last", [below(200, []), below(404, "<html>")]),
        )
    ),
    Row(
        "a part of the path, with which the last read gets 200",
        "odd",
        "Paths are /t/{tenant}/v1/",
        "Below https://api.example.com/t/workspace-1, a read gets 200: put that into the "
        f"Address, {AGAIN}",
        Topic.ADDRESS,
        others=[below(401, error("no-key", "x")), below(200, [])],
    ),
    # the form of the identifier
    Row(
        "another form, with the header",
        "odd",
        "SVC-APPKEY is not a valid UUID",
        "It takes the Workspace identifier (login) in another form only (UUID): put in the one "
        f"that the service's dashboard has, in place of workspace-1, {AGAIN} No key was judged.",
    ),
    Row(
        "another form, with the identifier",
        "odd",
        "workspace-1 is not a valid UUID",
        "It takes the Workspace identifier (login) in another form only (UUID): put in the one "
        f"that the service's dashboard has, in place of workspace-1, {AGAIN} No key was judged.",
    ),
    Row("another form of something else", "odd", "that is not a valid UUID", SUPPORT),
    # the list
    Row(
        "the list",
        "odd",
        "spring is odd",
        f"{OF_LIST}place of spring, {AGAIN}",
        Topic.LIST_PATH,
    ),
    Row("the list, with 403", "odd", "spring is odd", SUPPORT, status=403),
    Row("the list, with 410", "odd", "spring is odd", SUPPORT, status=410),
    Row("no list was named", "odd", "wes-doctor is odd", SUPPORT, list_id=MADE_UP),
    # the account
    Row("the account", "odd", "Unknown workspace", CHECK_LOGIN),
    Row("the account by its code", "unknown_workspace", "Teapots only", CHECK_LOGIN),
    Row("another shard", "odd", "The workspace is not on this shard", PROBABLY),
    Row(
        "another account",
        "odd",
        "The key belongs to workspace w-77",
        "The Workspace identifier (login) is workspace-1: put w-77 there, or paste the keys of "
        f"workspace-1, {AGAIN}",
    ),
    # the address
    *(
        Row(f"the address by {word}", "odd", f"Wrong {word}", SET_ADDRESS, Topic.ADDRESS)
        for word in ("datacenter", "data center", "REGION", "cluster", "host", "data-center")
    ),
    Row("the address by its code", "wrong-region", "Teapots only", SET_ADDRESS, Topic.ADDRESS),
    Row(
        "the address, which may have a data center",
        "odd",
        "Wrong region",
        f"Set the Address to what it says ({OR_DATA_CENTER}), {AGAIN}",
        Topic.ADDRESS,
        settings=IN_01,
    ),
    Row(
        "the address, which is made of something else",
        "odd",
        "Wrong region",
        SET_ADDRESS,
        Topic.ADDRESS,
        settings=IN_01,
        host="https://api-01.example.com",
    ),
    Row(
        "the address, which is an IP address",
        "odd",
        "Wrong region",
        SET_ADDRESS,
        Topic.ADDRESS,
        settings=settings_of("https://10.0.0.1"),
    ),
    # this machine
    Row("nothing but a refusal", "", "Forbidden", LET_IN, status=403),
    Row("nothing but a refusal, with 400", "", "Forbidden", SUPPORT),
    Row("a refusal with a code", "odd", "Forbidden", SUPPORT, status=403),
    Row("a refusal with a reason", "", "Forbidden on Sundays", SUPPORT, status=403),
]


def body_of(code: str, message: str) -> dict[str, Any]:
    """An error that is none in the form that the contract shows if it has no code."""
    if code:
        return error(code, message)
    return {"error": {"message": message}}


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_what_an_error_is_about_says_what_to_do(row: Row):
    settings, list_id = row.settings, row.list_id
    request = list_at(settings, settings.coupon_files_path, list_id)
    objection = probe(row.status, body_of(row.code, row.message), request=request)
    found = conclude_on_objection(
        evidence(objection, *row.others, settings=settings, list_id=list_id, host=row.host),
        objection,
    )
    others = [read for read in row.others if read.question is Question.OTHER_ADDRESS]
    who, certainty = "The service or a gateway", Certainty.NOT_PROVED
    if row.code:
        who, certainty = "The service", Certainty.WRONG
    with_key = ""
    if HERE in row.others:
        with_key = " with the Campaign API key"
    answer = f"{row.status} {row.code}".strip()
    assert found == Finding(
        topic=row.topic,
        certainty=certainty,
        text=f"{who} replies {answer} to each read{with_key}, whatever its path: "
        f"{row.message!r}. {row.text}",
        probes=(objection, *others),
    )


def test_another_scheme_is_said():
    headers = {"www-authenticate": "Bearer"}
    objection = probe(400, error("odd", "Teapots only"), headers=headers)
    found = conclude_on_objection(evidence(objection), objection)
    assert (found.topic, found.certainty) == (Topic.ACCOUNT, Certainty.WRONG)
    assert found.text == (
        "The service replies 400 odd to each read, whatever its path: 'Teapots only'. "
        f"{OTHER_SCHEME}"
    )


OBJECTION = probe(400, error("odd", "Teapots only"))
SAME = replace(OBJECTION, question=Question.DATA_KEY, request=SEGMENT_READ)
NOWHERE = replace(OBJECTION, question=Question.NO_SUCH_PATH, request=NOWHERE_READ)
ELSEWHERE = replace(OBJECTION, question=Question.OTHER_ADDRESS, request=THERE)
REFUSED_DATA = probe(401, error("no-key", "x"), question=Question.DATA_KEY, request=SEGMENT_READ)
OTHER_KEY = probe(401, error("no-key", "x"), question=Question.MADE_UP_KEY, keys=Keys.MADE_UP)
SWAPPED_KEY = probe(403, error("a", "b"), question=Question.SWAPPED_KEYS, keys=Keys.SWAPPED)
LOST_KEY = probe(503, question=Question.MADE_UP_KEY, keys=Keys.MADE_UP)
SAME_WITH_OTHER_KEY = replace(OBJECTION, question=Question.MADE_UP_KEY, keys=Keys.MADE_UP)
KNOWN = "Other keys get {}, so it knows these: make no new ones."
DATA_REFUSED = " The Data API key is refused (401 no-key): check it, too."


class Said(NamedTuple):
    """Further reads, which keys get the error, what is said besides, and what it rests on."""

    name: str
    others: Sequence[Probe]
    with_key: str = ""
    also: str = ""
    rests_on: Sequence[Probe] = ()


SAID = [
    Said("none", []),
    Said("the list again", [OBJECTION], rests_on=[OBJECTION]),
    Said("the other key alike", [SAME], rests_on=[SAME]),
    Said(
        "the other key gets something else",
        [HERE],
        " with the Campaign API key",
    ),
    Said(
        "the other key is refused",
        [REFUSED_DATA],
        " with the Campaign API key",
        DATA_REFUSED,
        [REFUSED_DATA],
    ),
    Said(
        "the other key is refused at times",
        [SAME, REFUSED_DATA],
        " with the Campaign API key",
        DATA_REFUSED,
        [REFUSED_DATA],
    ),
    Said("a made-up key alike", [SAME_WITH_OTHER_KEY]),
    Said("a made-up key is lost", [LOST_KEY]),
    Said(
        "a made-up key is refused",
        [OTHER_KEY],
        " with these keys",
        f" {KNOWN.format('401 no-key')}",
    ),
    Said("swapped keys", [SWAPPED_KEY], " with these keys", f" {KNOWN.format('403 a')}"),
    Said(
        "the first of two",
        [LOST_KEY, SAME_WITH_OTHER_KEY, SWAPPED_KEY, OTHER_KEY],
        " with these keys",
        f" {KNOWN.format('403 a')}",
    ),
    Said(
        "both",
        [OTHER_KEY, REFUSED_DATA],
        " with the Campaign API key",
        f" {KNOWN.format('401 no-key')}{DATA_REFUSED}",
        [REFUSED_DATA],
    ),
    Said(
        "in order",
        [ELSEWHERE, NOWHERE, SAME],
        rests_on=[SAME, NOWHERE, ELSEWHERE],
    ),
]


@pytest.mark.parametrize("row", SAID, ids=[row.name for row in SAID])
def test_what_other_reads_get_is_said_besides(row: Said):
    assert conclude_on_objection(evidence(OBJECTION, *row.others), OBJECTION) == Finding(
        topic=Topic.ACCOUNT,
        certainty=Certainty.WRONG,
        text=f"The service replies 400 odd to each read{row.with_key}, whatever its path: 'Teapots "
        f"only'. {SUPPORT}{row.also}",
        probes=(OBJECTION, *row.rests_on),
    )


class Header(NamedTuple):
    """An error's message, and whether it is said what the header holds."""

    message: str
    text: str


HOLDS = " SVC-APPKEY holds the Workspace identifier: check it."
HEADERS = [
    Header("SVC-APPKEY is odd", f"{HOLDS} {SUPPORT}"),
    Header("svc-appkey is odd", f"{HOLDS} {SUPPORT}"),
    Header("SVC-APPKEY names a host", f" {SET_ADDRESS}"),
]


@pytest.mark.parametrize("row", HEADERS, ids=[row.message for row in HEADERS])
def test_what_the_header_holds_is_said_if_it_is_named(row: Header):
    objection = probe(400, error("odd", row.message))
    assert conclude_on_objection(evidence(objection), objection).text == (
        f"The service replies 400 odd to each read, whatever its path: {row.message!r}.{row.text}"
    )


@pytest.mark.parametrize(
    ("message", "address"),
    [
        ("Paths are /t/{tenant}/v1/", "https://api-01.example.com/t/workspace-1"),
        ("It is in data center 02", "https://api-02.example.com"),
    ],
)
def test_a_read_elsewhere_proves_what_a_gateway_says(message: str, address: str):
    request = list_at(IN_01, IN_01.coupon_files_path, LIST)
    elsewhere = list_at(settings_of(address), SETTINGS.coupon_files_path, LIST)
    objection = probe(400, {"error": {"message": message}}, request=request)
    answered = probe(200, [], question=Question.OTHER_ADDRESS, request=elsewhere)
    asked = evidence(objection, answered, settings=IN_01, host=MADE_OF)
    found = conclude_on_objection(asked, objection)
    assert found.certainty is Certainty.WRONG
    assert found.text.startswith("The service or a gateway replies 400 to each read, ")


class Https(NamedTuple):
    """A reply, and whether it takes HTTPS only."""

    name: str
    reply: Probe
    wants_https: bool


HTTPS = [
    Https("by its message", probe(400, error("x", "Use HTTPS")), True),
    Https("by its code", probe(403, error("https_required", "x")), True),
    Https("by its text", probe(400, "<html>The plain HTTP request was sent to HTTPS port"), True),
    Https("by its text, further down", probe(400, f"<html>{' ' * 185}use https"), True),
    Https("by its text, too far down", probe(400, f"<html>{' ' * 186}use https"), False),
    Https("an upgrade", probe(426, headers={"upgrade": "TLS/1.2, HTTP/1.1"}), True),
    Https("an upgrade to something else", probe(426, headers={"upgrade": "websocket"}), False),
    Https("an upgrade without the status", probe(400, headers={"upgrade": "TLS/1.2"}), False),
    Https("an upgrade without the header", probe(426), False),
    Https("no error", probe(200, "Use HTTPS"), False),
    Https("a redirect", probe(399, "Use HTTPS"), False),
    Https("anything else", probe(400, error("x", "y")), False),
]


@pytest.mark.parametrize("row", HTTPS, ids=[row.name for row in HTTPS])
def test_what_takes_https_only_is_known(row: Https):
    assert wants_https(row.reply) is row.wants_https


def test_the_data_center_is_to_be_set_if_the_address_is_made_of_it():
    asked = evidence(settings=IN_01, host=MADE_OF)
    unknown = probe(404, error("unknown", "Unknown workspace"))
    elsewhere = probe(404, error("unknown", "The workspace is not on this shard"))
    assert about_account(asked, unknown) == CHECK_LOGIN.replace("Address", "Data center")
    assert about_account(asked, elsewhere) == PROBABLY.replace("Address", "Data center")


def test_an_error_about_something_else_is_not_about_the_account():
    assert about_account(evidence(), probe(404, error("not-found", "no such list"))) == ""
