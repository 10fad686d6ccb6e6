"""What to do if each read gets the same error, whatever its path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
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
    An error that each read gets.

    :ivar code: of the error; ``odd`` tells nothing, and none makes it one that a gateway may send.
    :ivar message: of the error; ``Teapots only`` tells nothing.
    :ivar text: what the finding advises.
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
LIST_IN_02 = list_at(settings_of("https://api-02.example.com"), SETTINGS.coupon_files_path, LIST)
LIST_BELOW_WORKSPACE = list_at(
    settings_of("https://api.example.com/t/workspace-1"), SETTINGS.coupon_files_path, LIST
)


def in_02(status: int, body: Any = None) -> Probe:
    """The read in the data center 02."""
    return probe(status, body, question=Question.OTHER_ADDRESS, request=LIST_IN_02)


def below_workspace(status: int, body: Any = None) -> Probe:
    """The read below the path with the workspace."""
    return probe(status, body, question=Question.OTHER_ADDRESS, request=LIST_BELOW_WORKSPACE)


MADE_OF = "https://api-{data_center}.example.com"
REFUSED_THERE = in_02(401, error("no-key", "x"))
FILES_THERE = in_02(200, [])
FAILS_THERE = in_02(503)
PAGE_THERE = in_02(404, "<html>")
ERROR_THERE = in_02(400, error("x", "Wrong."))
SEGMENT_NOT_FOUND = probe(
    404, error("not-found", "x"), question=Question.DATA_KEY, request=SEGMENT_READ
)
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


def body_of(code: str, message: str) -> dict[str, Any]:
    """An error that is none in the form that the contract shows if it has no code."""
    if code:
        return error(code, message)
    return {"error": {"message": message}}


def check_advice(row: Row) -> None:
    """The finding quotes the error, says who sent it, and rests on reads of other addresses."""
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
    if SEGMENT_NOT_FOUND in row.others:
        with_key = " with the Campaign API key"
    answer = f"{row.status} {row.code}".strip()
    assert found == Finding(
        topic=row.topic,
        certainty=certainty,
        text=f"{who} replies {answer} to each read{with_key}, whatever its path: "
        f"{row.message!r}. {row.text}",
        probes=(objection, *others),
    )


OTHERS = [
    Row("words that tell nothing", "odd", "Teapots only", SUPPORT),
    Row(
        "its words ask for something",
        "odd",
        "Please accept the terms",
        "Do what it says, or ask the service's support.",
    ),
]


@pytest.mark.parametrize("row", OTHERS, ids=ids(OTHERS))
def test_an_error_about_nothing_known_leaves_what_its_words_ask_for_or_the_support(row: Row):
    check_advice(row)


HTTPS_ONLY = [
    Row(
        "HTTPS is wanted, and the address has http",
        "odd",
        "Use HTTPS",
        f"Write https:// in place of http:// in the Address, {AGAIN}",
        Topic.ADDRESS,
        settings=settings_of("http://127.0.0.1:9"),
    ),
    Row(
        "HTTPS is wanted, and the address has https",
        "odd",
        "Use HTTPS",
        "Do what it says, or ask the service's support.",
    ),
]


@pytest.mark.parametrize("row", HTTPS_ONLY, ids=ids(HTTPS_ONLY))
def test_an_address_with_http_is_to_be_written_with_https_if_that_is_wanted(row: Row):
    check_advice(row)


ON_OTHER_HOST = [
    Row(
        "coupons on another host",
        "odd",
        AT_HOST,
        "Coupon lists and files are at https://coupons.test, by the service's words: leave this "
        "connection for segments, and make a second one with that Address and the Campaign API key "
        "as its password. Name it in the tasks with coupons, and run wes-doctor --conn-id ID on "
        "it.",
        Topic.CAMPAIGN_KEY,
        others=[SEGMENT_NOT_FOUND],
    ),
    Row("all on another host", "odd", AT_HOST, SET_ADDRESS, Topic.ADDRESS),
]


@pytest.mark.parametrize("row", ON_OTHER_HOST, ids=ids(ON_OTHER_HOST))
def test_coupons_on_another_host_need_a_second_connection_if_segments_are_here(row: Row):
    check_advice(row)


DATA_CENTERS = [
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
        for answer, read in (("200", FILES_THERE), ("401 no-key", REFUSED_THERE))
    ),
    Row(
        "another data center, where the last read gets 200",
        "odd",
        "It is in data center 02",
        f'In data center 02, a read gets 200: set Data center (data_center) to "02", {AGAIN}',
        Topic.ADDRESS,
        others=[ERROR_THERE, FILES_THERE],
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
            ("lost", [FAILS_THERE]),
            ("a page", [PAGE_THERE]),
            ("refused likewise", [ERROR_THERE]),
            ("a page after 200", [FILES_THERE, PAGE_THERE]),
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
        "421",
        "odd",
        "Teapots only",
        SET_ADDRESS,
        Topic.ADDRESS,
        status=421,
    ),
]


@pytest.mark.parametrize("row", DATA_CENTERS, ids=ids(DATA_CENTERS))
def test_another_data_center_is_to_be_set_and_the_last_read_there_proves_it(row: Row):
    """Not if that read is lost, a page, or gets such an error, too."""
    check_advice(row)


PARTS_OF_PATHS = [
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
            ("200", below_workspace(200, [])),
            ("401 no-key", below_workspace(401, error("no-key", "x"))),
            ("400 x", below_workspace(400, error("x", "Wrong."))),
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
            ("lost", [below_workspace(503)]),
            ("a page", [below_workspace(404, "<html>")]),
            ("refused with the same error", [below_workspace(400, error("odd", "x"))]),
            ("a page after 200", [below_workspace(200, []), below_workspace(404, "<html>")]),
        )
    ),
    Row(
        "a part of the path, with which the last read gets 200",
        "odd",
        "Paths are /t/{tenant}/v1/",
        "Below https://api.example.com/t/workspace-1, a read gets 200: put that into the "
        f"Address, {AGAIN}",
        Topic.ADDRESS,
        others=[below_workspace(401, error("no-key", "x")), below_workspace(200, [])],
    ),
]


@pytest.mark.parametrize("row", PARTS_OF_PATHS, ids=ids(PARTS_OF_PATHS))
def test_a_part_that_paths_begin_with_is_to_be_put_into_the_address(row: Row):
    """The last read with it proves that, if it gets another answer."""
    check_advice(row)


FORMS = [
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
]


@pytest.mark.parametrize("row", FORMS, ids=ids(FORMS))
def test_another_form_of_the_identifier_is_said_if_header_or_identifier_are_named(row: Row):
    check_advice(row)


LISTS = [
    Row(
        "the list is named, with 400",
        "odd",
        "spring is odd",
        f"{OF_LIST}place of spring, {AGAIN}",
        Topic.LIST_PATH,
    ),
    Row("the list is named, with 403", "odd", "spring is odd", SUPPORT, status=403),
    Row("the list is named, with 410", "odd", "spring is odd", SUPPORT, status=410),
    Row("the list is named, with 401", "odd", "spring is odd", SUPPORT, status=401),
    Row(
        "the list is named, and the identifier has another form",
        "odd",
        "SVC-APPKEY of spring is not a valid UUID",
        "It takes the Workspace identifier (login) in another form only (UUID): put in the one "
        f"that the service's dashboard has, in place of workspace-1, {AGAIN} No key was judged.",
    ),
    Row("no list was named", "odd", "wes-doctor is odd", SUPPORT, list_id=MADE_UP),
]


@pytest.mark.parametrize("row", LISTS, ids=ids(LISTS))
def test_the_list_is_to_be_named_otherwise_if_an_error_below_401_names_it(row: Row):
    """The form of the workspace identifier comes first."""
    check_advice(row)


ACCOUNTS = [
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
]


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_the_login_is_to_be_checked_if_the_error_is_about_its_account(row: Row):
    check_advice(row)


ADDRESSES = [
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
]


@pytest.mark.parametrize("row", ADDRESSES, ids=ids(ADDRESSES))
def test_the_address_is_to_be_set_if_words_or_code_are_about_it(row: Row):
    """Or the data center, if the address may be made of it."""
    check_advice(row)


MACHINES = [
    Row("403 and Forbidden alone", "", "Forbidden", LET_IN, status=403),
    Row("400 and Forbidden alone", "", "Forbidden", SUPPORT),
    Row("403 and Forbidden, with a code", "odd", "Forbidden", SUPPORT, status=403),
    Row("403 and Forbidden, with a reason", "", "Forbidden on Sundays", SUPPORT, status=403),
]


@pytest.mark.parametrize("row", MACHINES, ids=ids(MACHINES))
def test_a_403_that_says_nothing_else_may_not_let_this_machine_in(row: Row):
    check_advice(row)


def test_an_error_with_a_code_in_another_form_than_the_contract_may_be_a_gateways():
    objection = probe(400, {"code": "odd", "message": "Teapots only"})
    finding = conclude_on_objection(evidence(objection), objection)
    assert finding.certainty is Certainty.NOT_PROVED
    assert finding.text.startswith("The service or a gateway replies 400 odd to each read")


def test_an_error_that_demands_bearer_may_be_a_gateways():
    """The advice is to change no key, and to ask for Basic."""
    headers = {"www-authenticate": "Bearer"}
    objection = probe(400, error("odd", "Teapots only"), headers=headers)
    found = conclude_on_objection(evidence(objection), objection)
    assert (found.topic, found.certainty) == (Topic.ACCOUNT, Certainty.WRONG)
    assert found.text == (
        "The service replies 400 odd to each read, whatever its path: 'Teapots only'. "
        f"{OTHER_SCHEME}"
    )


OBJECTION = probe(400, error("odd", "Teapots only"))
SAME_FOR_SEGMENT = replace(OBJECTION, question=Question.DATA_KEY, request=SEGMENT_READ)
NO_SUCH_PATH = replace(OBJECTION, question=Question.NO_SUCH_PATH, request=NOWHERE_READ)
OTHER_ADDRESS = replace(OBJECTION, question=Question.OTHER_ADDRESS, request=LIST_IN_02)
REFUSED_DATA = probe(401, error("no-key", "x"), question=Question.DATA_KEY, request=SEGMENT_READ)
MADE_UP_KEY_REFUSED = probe(
    401, error("no-key", "x"), question=Question.MADE_UP_KEY, keys=Keys.MADE_UP
)
SWAPPED_KEYS_REFUSED = probe(
    403, error("a", "b"), question=Question.SWAPPED_KEYS, keys=Keys.SWAPPED
)
MADE_UP_KEY_LOST = probe(503, question=Question.MADE_UP_KEY, keys=Keys.MADE_UP)
SAME_FOR_MADE_UP_KEY = replace(OBJECTION, question=Question.MADE_UP_KEY, keys=Keys.MADE_UP)
KNOWN = "Other keys get {}, so it knows these: make no new ones."
DATA_REFUSED = " The Data API key is refused (401 no-key): check it, too."


class OtherReads(NamedTuple):
    """Further reads, which keys get the error, what is said besides, and what it rests on."""

    name: str
    others: Sequence[Probe]
    with_key: str = ""
    also: str = ""
    rests_on: Sequence[Probe] = ()


OTHER_READS = [
    OtherReads("none", []),
    OtherReads("the list again", [OBJECTION], rests_on=[OBJECTION]),
    OtherReads("the other key alike", [SAME_FOR_SEGMENT], rests_on=[SAME_FOR_SEGMENT]),
    OtherReads(
        "the other key gets something else",
        [SEGMENT_NOT_FOUND],
        " with the Campaign API key",
    ),
    OtherReads(
        "the other key is refused",
        [REFUSED_DATA],
        " with the Campaign API key",
        DATA_REFUSED,
        [REFUSED_DATA],
    ),
    OtherReads(
        "the other key is refused at times",
        [SAME_FOR_SEGMENT, REFUSED_DATA],
        " with the Campaign API key",
        DATA_REFUSED,
        [REFUSED_DATA],
    ),
    OtherReads("a made-up key alike", [SAME_FOR_MADE_UP_KEY]),
    OtherReads("a made-up key is lost", [MADE_UP_KEY_LOST]),
    OtherReads(
        "a made-up key is refused",
        [MADE_UP_KEY_REFUSED],
        " with these keys",
        f" {KNOWN.format('401 no-key')}",
    ),
    OtherReads(
        "swapped keys", [SWAPPED_KEYS_REFUSED], " with these keys", f" {KNOWN.format('403 a')}"
    ),
    OtherReads(
        "the first other key that gets another error counts",
        [MADE_UP_KEY_LOST, SAME_FOR_MADE_UP_KEY, SWAPPED_KEYS_REFUSED, MADE_UP_KEY_REFUSED],
        " with these keys",
        f" {KNOWN.format('403 a')}",
    ),
    OtherReads(
        "a made-up key and the data key are refused",
        [MADE_UP_KEY_REFUSED, REFUSED_DATA],
        " with the Campaign API key",
        f" {KNOWN.format('401 no-key')}{DATA_REFUSED}",
        [REFUSED_DATA],
    ),
    OtherReads(
        "alike, in the order of questions",
        [OTHER_ADDRESS, NO_SUCH_PATH, SAME_FOR_SEGMENT],
        rests_on=[SAME_FOR_SEGMENT, NO_SUCH_PATH, OTHER_ADDRESS],
    ),
]


@pytest.mark.parametrize("row", OTHER_READS, ids=[row.name for row in OTHER_READS])
def test_a_finding_about_an_error_says_which_keys_get_it(row: OtherReads):
    """Further reads with the same key or another one decide, and the finding rests on those."""
    assert conclude_on_objection(evidence(OBJECTION, *row.others), OBJECTION) == Finding(
        topic=Topic.ACCOUNT,
        certainty=Certainty.WRONG,
        text=f"The service replies 400 odd to each read{row.with_key}, whatever its path: 'Teapots "
        f"only'. {SUPPORT}{row.also}",
        probes=(OBJECTION, *row.rests_on),
    )


class NamedHeader(NamedTuple):
    """An error's message, and whether it is said what the header holds."""

    message: str
    text: str


HOLDS = " SVC-APPKEY holds the Workspace identifier: check it."
NAMED_HEADERS = [
    NamedHeader("SVC-APPKEY is odd", f"{HOLDS} {SUPPORT}"),
    NamedHeader("svc-appkey is odd", f"{HOLDS} {SUPPORT}"),
    NamedHeader("SVC-APPKEY names a host", f" {SET_ADDRESS}"),
]


@pytest.mark.parametrize("row", NAMED_HEADERS, ids=[row.message for row in NAMED_HEADERS])
def test_an_error_that_names_the_header_has_the_identifier_checked(row: NamedHeader):
    objection = probe(400, error("odd", row.message))
    assert conclude_on_objection(evidence(objection), objection).text == (
        f"The service replies 400 odd to each read, whatever its path: {row.message!r}.{row.text}"
    )


class Named(NamedTuple):
    """The message of an error, and the address that it names."""

    name: str
    message: str
    address: str


NAMED = [
    Named(
        "a part of the path",
        "Paths are /t/{tenant}/v1/",
        "https://api-01.example.com/t/workspace-1",
    ),
    Named("a data center", "It is in data center 02", "https://api-02.example.com"),
]


@pytest.mark.parametrize("row", NAMED, ids=[row.name for row in NAMED])
def test_an_error_without_a_code_is_certain_if_the_address_that_it_names_gets_200(row: Named):
    request = list_at(IN_01, IN_01.coupon_files_path, LIST)
    elsewhere = list_at(settings_of(row.address), SETTINGS.coupon_files_path, LIST)
    objection = probe(400, {"error": {"message": row.message}}, request=request)
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
    Https("by its message", probe(400, error("x", "Use HTTPS")), wants_https=True),
    Https("by its code", probe(403, error("https_required", "x")), wants_https=True),
    Https(
        "by its text",
        probe(400, "<html>The plain HTTP request was sent to HTTPS port"),
        wants_https=True,
    ),
    Https("by its text, further down", probe(400, f"<html>{' ' * 185}use https"), wants_https=True),
    Https(
        "by its text, too far down", probe(400, f"<html>{' ' * 186}use https"), wants_https=False
    ),
    Https("an upgrade", probe(426, headers={"upgrade": "TLS/1.2, HTTP/1.1"}), wants_https=True),
    Https(
        "an upgrade to something else",
        probe(426, headers={"upgrade": "websocket"}),
        wants_https=False,
    ),
    Https(
        "an upgrade without the status",
        probe(400, headers={"upgrade": "TLS/1.2"}),
        wants_https=False,
    ),
    Https("an upgrade without the header", probe(426), wants_https=False),
    Https("no error", probe(200, "Use HTTPS"), wants_https=False),
    Https("399", probe(399, "Use HTTPS"), wants_https=False),
    Https("anything else", probe(400, error("x", "y")), wants_https=False),
]


@pytest.mark.parametrize("row", HTTPS, ids=[row.name for row in HTTPS])
def test_a_reply_that_wants_https_is_known_by_its_words_or_its_upgrade(row: Https):
    assert wants_https(row.reply) is row.wants_https


def test_the_advice_about_an_account_names_the_data_center_if_the_address_is_made_of_it():
    asked = evidence(settings=IN_01, host=MADE_OF)
    unknown = probe(404, error("unknown", "Unknown workspace"))
    elsewhere = probe(404, error("unknown", "The workspace is not on this shard"))
    assert about_account(asked, unknown) == CHECK_LOGIN.replace("Address", "Data center")
    assert about_account(asked, elsewhere) == PROBABLY.replace("Address", "Data center")


def test_an_error_about_something_else_is_not_about_the_account():
    assert about_account(evidence(), probe(404, error("not-found", "no such list"))) == ""
