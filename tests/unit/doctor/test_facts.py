"""What reads show, as facts: each from a few replies, without any service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_replies import (
    SETTINGS,
    changed,
    error,
    evidence_of,
    reply,
    request_for,
)
from support.doctor_service import LIST, record
from wes_provider import contract
from wes_provider.client import requests
from wes_provider.client.failures import INCOMPLETE
from wes_provider.doctor import facts
from wes_provider.doctor.amounts import too_few
from wes_provider.doctor.evidence import MADE_UP
from wes_provider.doctor.facts import KeyFact, Standing, Swapped
from wes_provider.doctor.hosts import second_connection
from wes_provider.doctor.probes import Keys, Probe, Question

LIST_AT = "/v1/coupon-list/spring/files"
FILES = [record("f1"), record("f2")]
OTHER_FILES = [record("g1"), record("g2")]
OF_OTHERS = [record("f1", coupons_list_id="winter"), record("f2", coupons_list_id="autumn")]
UNAUTHENTICATED = error("request-unauthenticated", "Credentials are missing or invalid.")
NOT_FOUND = error("not-found", "Nothing is here.")
PAGE = "<html><title>Hello</title>"


def listed(status: int = 200, content: Any = b"", **more: Any) -> Probe:
    return reply(status, content, **more)


def nowhere(status: int = 404, content: Any = NOT_FOUND, **more: Any) -> Probe:
    return reply(status, content, question=Question.NO_SUCH_PATH, **more)


def made_up(status: int = 401, content: Any = b"", **more: Any) -> Probe:
    return reply(status, content, question=Question.MADE_UP_KEY, **more)


def segment(status: int = 404, content: Any = NOT_FOUND, **more: Any) -> Probe:
    return reply(status, content, question=Question.DATA_KEY, **more)


def made_up_segment(status: int = 401, content: Any = b"", **more: Any) -> Probe:
    return reply(status, content, question=Question.MADE_UP_DATA_KEY, **more)


def one_file(status: int = 200, content: Any = b"", **more: Any) -> Probe:
    return reply(status, content, question=Question.FILE_PATH, **more)


def redirected(location: str, question: Question = Question.LIST, **more: Any) -> Probe:
    return reply(302, headers={"location": location}, question=question, **more)


def lost(problem: str = "ReadTimeout", **more: Any) -> Probe:
    return reply(0, problem=problem, **more)


class Shown(NamedTuple):
    """Replies, and whether they show something."""

    name: str
    probes: Sequence[Probe]
    holds: bool
    settings: Any = SETTINGS


def ids(rows: Sequence[Any]) -> list[str]:
    return [row.name for row in rows]


JSON = {"content-type": "application/json"}
ODD = reply(200, "no JSON", JSON)
UNEXAMINABLE = [
    Shown("nothing was read", [], True),
    Shown("nothing came, but others got replies", [lost(), segment()], True),
    Shown("a response began", [lost(INCOMPLETE)], False),
    Shown(
        "a response began, but each other read is lost",
        [lost(INCOMPLETE), lost(question=Question.NO_SUCH_PATH)],
        True,
    ),
    Shown(
        "a response began, and one other read got a reply",
        [lost(INCOMPLETE), lost(question=Question.NO_SUCH_PATH), nowhere()],
        False,
    ),
    Shown("files", [listed(200, FILES)], False),
    Shown("a refusal", [listed(401)], False),
    Shown("a page, then an answer", [listed(200, PAGE), listed(200, FILES)], False),
    Shown("an answer, then a page", [listed(200, FILES), listed(200, PAGE)], False),
    Shown("a page", [listed(200, PAGE)], True),
    Shown("a page with 404", [listed(404, PAGE)], False),
    Shown("a page with 405", [listed(405, PAGE)], False),
    Shown("a page with 403", [listed(403, PAGE)], True),
    Shown("a page with 406", [listed(406, PAGE)], True),
    Shown("a page with 200, then 404", [listed(200, PAGE), listed(404, PAGE)], False),
    Shown("a page with 404, then 200", [listed(404, PAGE), listed(200, PAGE)], True),
    Shown("a redirect to a login", [redirected("/login")], True),
    Shown("a redirect to another path of the list", [redirected(f"{LIST_AT}/")], False),
    Shown("what is no JSON", [ODD], True),
    Shown("what is no JSON, and an error elsewhere", [ODD, nowhere()], False),
]


@pytest.mark.parametrize("row", UNEXAMINABLE, ids=ids(UNEXAMINABLE))
def test_the_first_read_may_show_that_nothing_more_can_be_found_out(row: Shown):
    assert facts.is_unexaminable(evidence_of(*row.probes)) is row.holds


ODD_ALONE = [
    Shown("nothing", [], False),
    Shown("what is no JSON", [ODD], True),
    Shown("JSON", [listed(200, FILES)], False),
    Shown("no JSON, then JSON", [ODD, listed(200, FILES)], False),
    Shown("JSON, then no JSON", [listed(200, FILES), ODD], False),
    Shown("what is wrapped", [reply(200, 'x({"a": 1});', JSON)], True),
    Shown(
        "text that says it is text", [reply(200, "no JSON", {"content-type": "text/plain"})], False
    ),
    Shown("a redirect to a login here", [redirected("/login")], True),
    Shown("a redirect to another host", [redirected("https://files.example.org/a")], True),
    Shown(
        "a redirect of the same path to another host",
        [redirected(f"https://api.example.org{LIST_AT}")],
        False,
    ),
    Shown("a redirect to another path of the list", [redirected(f"{LIST_AT}/")], False),
    Shown("a redirect to itself", [redirected(LIST_AT)], False),
    Shown("no JSON, then a redirect to itself", [ODD, redirected(LIST_AT)], False),
    Shown("a redirect to itself, then no JSON", [redirected(LIST_AT), ODD], True),
]


@pytest.mark.parametrize("row", ODD_ALONE, ids=ids(ODD_ALONE))
def test_other_paths_may_reply_as_the_service_does(row: Shown):
    assert facts.may_be_odd_alone(evidence_of(*row.probes)) is row.holds


LIST_ODD = [
    Shown("no other path", [ODD], False),
    Shown("an error elsewhere", [ODD, nowhere()], True),
    Shown("a refusal elsewhere", [ODD, nowhere(401)], True),
    Shown("a success elsewhere", [ODD, nowhere(200, [])], False),
    Shown("a page elsewhere", [ODD, nowhere(404, PAGE)], False),
    Shown("a page, then an error elsewhere", [ODD, nowhere(404, PAGE), nowhere()], True),
    Shown("an error elsewhere, but files", [listed(200, FILES), nowhere()], False),
]


@pytest.mark.parametrize("row", LIST_ODD, ids=ids(LIST_ODD))
def test_the_list_alone_is_odd_if_a_path_that_is_none_gets_an_error(row: Shown):
    assert facts.is_list_odd_alone(evidence_of(*row.probes)) is row.holds


MAINTENANCE = error("", "Maintenance until 22:00")
REACHED = [
    Shown("nothing", [], False),
    Shown("nothing came", [lost()], False),
    Shown("a response began", [lost(f"{INCOMPLETE}: 3 bytes")], True),
    Shown("another problem that names one", [lost(f"x {INCOMPLETE}")], False),
    Shown("500", [listed(500)], True),
    Shown("599", [listed(599)], True),
    Shown("a limit", [listed(429)], False),
    Shown("words of a maintenance", [listed(403, MAINTENANCE)], True),
    Shown("the second of two", [lost(), listed(502)], True),
    Shown("another question", [lost(), nowhere(500)], False),
]


@pytest.mark.parametrize("row", REACHED, ids=ids(REACHED))
def test_something_is_reached_that_may_reply_to_others(row: Shown):
    assert facts.is_reached(evidence_of(*row.probes)) is row.holds


CUT_OFF = lost(f"{INCOMPLETE} 200: IncompleteRead")
FAILING = [
    Shown("nothing", [], False),
    Shown("nobody else", [listed(500)], False),
    Shown("others reply", [listed(500), nowhere()], True),
    Shown("one of two failed", [listed(500), listed(429), nowhere()], False),
    Shown("both failed", [listed(500), listed(502), nowhere()], True),
    Shown("others fail, too", [listed(500), nowhere(503)], False),
    Shown("only a made-up key gets a reply", [listed(500), made_up(401)], False),
    Shown("the second of two others", [listed(500), nowhere(503), segment()], True),
    Shown("cut off, and others reply", [CUT_OFF, nowhere()], True),
    Shown("one of two is cut off", [CUT_OFF, listed(429), nowhere()], False),
    Shown("begun, but too slow", [lost(f"{INCOMPLETE} 200: ReadTimeout"), nowhere()], False),
    Shown("closed before it began", [lost("RemoteDisconnected"), nowhere()], False),
]


@pytest.mark.parametrize("row", FAILING, ids=ids(FAILING))
def test_the_list_fails_alone_if_others_get_replies(row: Shown):
    assert facts.is_list_failing_alone(evidence_of(*row.probes)) is row.holds


# -- errors about each request ---------------------------------------------------------------------

BAD = error("bad", "Never.")
FORBIDDEN = error("forbidden", "Not you.")


class Objection(NamedTuple):
    """Replies, and the number of the one that is about each request; ``None`` for none."""

    name: str
    probes: Sequence[Probe]
    number: int | None


OBJECTIONS = [
    Objection("nothing", [], None),
    Objection("one read of the list", [listed(400, BAD), nowhere(400, BAD)], None),
    Objection("two reads of the list alone", 2 * [listed(400, BAD)], None),
    Objection("the same everywhere", [listed(400, BAD), listed(400, BAD), nowhere(400, BAD)], 0),
    Objection(
        "another one the second time",
        [listed(400, BAD), listed(400, FORBIDDEN), nowhere(400, BAD)],
        None,
    ),
    Objection("another one elsewhere", [listed(400, BAD), listed(400, BAD), nowhere()], None),
    Objection(
        "another one elsewhere the second time",
        [listed(400, BAD), listed(400, BAD), nowhere(400, BAD), nowhere()],
        None,
    ),
    Objection(
        "a 403 everywhere but of the data key",
        [*2 * [listed(403, FORBIDDEN)], nowhere(403, FORBIDDEN), segment()],
        None,
    ),
    Objection(
        "a 403 everywhere",
        [*2 * [listed(403, FORBIDDEN)], nowhere(403, FORBIDDEN), segment(403, FORBIDDEN)],
        0,
    ),
    Objection(
        "a 400, but not of the data key", [*2 * [listed(400, BAD)], nowhere(400, BAD), segment()], 0
    ),
    Objection("a 404 that is about no account", [*2 * [listed(404, NOT_FOUND)], nowhere()], None),
    Objection(
        "keys that are swapped",
        [
            *2 * [listed(403, FORBIDDEN)],
            nowhere(403, FORBIDDEN),
            segment(403, FORBIDDEN),
            reply(200, [], question=Question.SWAPPED_KEYS, keys=Keys.SWAPPED),
        ],
        None,
    ),
    Objection("a refusal", [*2 * [listed(401)], nowhere(401)], None),
]


@pytest.mark.parametrize("row", OBJECTIONS, ids=ids(OBJECTIONS))
def test_an_error_is_about_each_request_if_all_get_it(row: Objection):
    found = facts.objection(evidence_of(*row.probes))
    if row.number is None:
        assert found is None
    else:
        assert found is row.probes[row.number]


class General(NamedTuple):
    """A reply, and whether it is an error about each request, also by its words."""

    name: str
    probe: Probe
    is_objection: bool
    may_be_general: bool


GENERAL = [
    General("400", listed(400), True, True),
    General("399", listed(399), False, False),
    General("404", listed(404, NOT_FOUND), False, False),
    General("405", listed(405, NOT_FOUND), False, False),
    General("406", listed(406), True, True),
    General("401", listed(401), False, False),
    General("a page", listed(403, PAGE), False, False),
    General("an error in a success", listed(200, error("x", "No.")), True, True),
    General(
        "a 404 in a success", listed(200, {"error": {"code": 404, "message": "No."}}), False, False
    ),
    General("a success", listed(200, FILES), False, False),
    General(
        "404 about a path", listed(404, error("", "No tenant in /{tenant}/ given")), False, True
    ),
    General("404 about an account", listed(404, error("", "Unknown workspace")), False, True),
    General(
        "404 about a shard", listed(404, error("", "Account is not in this shard")), False, True
    ),
    General("405 about an account", listed(405, error("", "Unknown workspace")), False, False),
    General(
        "404 about an account by its code",
        listed(404, error("unknown workspace", "No.")),
        False,
        True,
    ),
]


@pytest.mark.parametrize("row", GENERAL, ids=ids(GENERAL))
def test_an_error_may_be_about_each_request(row: General):
    assert facts.is_objection(row.probe) is row.is_objection
    assert facts.may_be_general(row.probe) is row.may_be_general


class Center(NamedTuple):
    """What an error says, and the other data center that it names: its number and its address."""

    name: str
    message: str
    center: tuple[str, str] | None
    host: str = "https://api-{data_center}.example.com"


CENTERS = [
    Center("another one", "in data center 03", ("03", "https://api-03.example.com")),
    Center("with one digit", "in data center 3", ("03", "https://api-03.example.com")),
    Center("the own one", "in data center 01", None),
    Center("two others", "in data center 03 or data center 04", None),
    Center(
        "the own one and another",
        "not in data center 01, but data center 3",
        ("03", "https://api-03.example.com"),
    ),
    Center("none", "No.", None),
    Center("an address without one", "in data center 03", None, host=""),
]


@pytest.mark.parametrize("row", CENTERS, ids=ids(CENTERS))
def test_the_only_other_data_center_that_an_error_names_is_found(row: Center):
    evidence = evidence_of(settings=changed(base_url="https://api-01.example.com"), host=row.host)
    found = facts.other_data_center(evidence, listed(404, error("", row.message)))
    assert found == row.center


# -- lists of other names --------------------------------------------------------------------------


class OtherName(NamedTuple):
    """Replies, and the name that the list may have and has."""

    name: str
    probes: Sequence[Probe]
    may_be: str
    is_it: str


def other_list(content: Any, status: int = 200) -> Probe:
    return reply(
        status,
        content,
        question=Question.OTHER_LIST,
        request=request_for(Question.LIST, list_id="autumn"),
    )


def made_up_list(content: Any, status: int = 200) -> Probe:
    return reply(status, content, question=Question.MADE_UP_LIST)


OF_ONE = [record("f1", coupons_list_id="winter")]
OTHER_NAMES = [
    OtherName(
        "the same files",
        [listed(200, OF_ONE), other_list(OF_ONE), made_up_list(NOT_FOUND, 404)],
        "winter",
        "winter",
    ),
    OtherName(
        "the first of two lists",
        [listed(200, OF_OTHERS), other_list(OF_OTHERS), made_up_list([])],
        "autumn",
        "autumn",
    ),
    OtherName("other files", [listed(200, OF_ONE), other_list(FILES), made_up_list([])], "", ""),
    OtherName("not read", [listed(200, OF_ONE), made_up_list([])], "", ""),
    OtherName(
        "a list that is none was not read", [listed(200, OF_ONE), other_list(OF_ONE)], "winter", ""
    ),
    OtherName(
        "a list that is none has the same",
        [listed(200, OF_ONE), other_list(OF_ONE), made_up_list(OF_ONE)],
        "winter",
        "",
    ),
    OtherName(
        "the second read of it",
        [
            listed(200, OF_ONE),
            other_list(FILES),
            other_list(OF_ONE),
            made_up_list([]),
            made_up_list([]),
        ],
        "winter",
        "winter",
    ),
    OtherName(
        "a list that is none has the same later",
        [listed(200, OF_ONE), other_list(OF_ONE), made_up_list([]), made_up_list(OF_ONE)],
        "winter",
        "",
    ),
    OtherName(
        "files of the list", [listed(200, FILES), other_list(FILES), made_up_list([])], "", ""
    ),
    OtherName(
        "in another order",
        [listed(200, OF_OTHERS), other_list(OF_OTHERS[::-1]), made_up_list([])],
        "",
        "",
    ),
    OtherName(
        "no list", [listed(200, OF_ONE), other_list(NOT_FOUND, 404), made_up_list([])], "", ""
    ),
]


@pytest.mark.parametrize("row", OTHER_NAMES, ids=ids(OTHER_NAMES))
def test_a_list_may_have_another_name(row: OtherName):
    evidence = evidence_of(*row.probes)
    assert (facts.may_have_other_name(evidence), facts.other_name(evidence)) == (
        row.may_be,
        row.is_it,
    )


# -- one page --------------------------------------------------------------------------------------


class Page(NamedTuple):
    """
    Replies, and what is known of the one page that they lead to; ``None`` for none.

    :ivar known: its words, whether it is of a maintenance, and whether it wants a login.
    """

    name: str
    probes: Sequence[Probe]
    known: tuple[str, bool, bool] | None


def at_page(status: int, content: Any = b"", **more: Any) -> Probe:
    request = request_for(Question.NO_SUCH_PATH)
    return reply(status, content, question=Question.PAGE, request=request, **more)


def away(path: str, question: Question = Question.LIST) -> Probe:
    return redirected(f"https://api.example.com{path}", question)


BOTH = [away("/sorry"), away("/sorry", Question.NO_SUCH_PATH)]
PAGES = [
    Page("the list alone", BOTH[:1], None),
    Page("not read", BOTH, ("", False, False)),
    Page(
        "its title",
        [*BOTH, at_page(200, "<title>Sorry</title><p>Later</p>")],
        ("Sorry", False, False),
    ),
    Page(
        "its text without a title", [*BOTH, at_page(200, "<p>Later</p>")], ("Later", False, False)
    ),
    Page(
        "the first of two",
        [*BOTH, at_page(200, "<title>1</title>"), at_page(200, "<title>2</title>")],
        ("1", False, False),
    ),
    Page("no response", [*BOTH, at_page(0)], ("", False, False)),
    Page(
        "a maintenance by its title",
        [*BOTH, at_page(503, "<title>Maintenance</title>")],
        ("Maintenance", True, False),
    ),
    Page(
        "a maintenance by its path",
        [away("/maintenance"), away("/maintenance", Question.NO_SUCH_PATH)],
        ("", True, False),
    ),
    Page(
        "a host that is called so",
        [
            redirected("https://maintenance.example.com/a"),
            redirected("https://maintenance.example.com/a", Question.NO_SUCH_PATH),
        ],
        ("", False, False),
    ),
    Page(
        "a login",
        [*BOTH, at_page(200, "<title>Maintenance</title><input type=password>")],
        ("Maintenance", False, True),
    ),
    Page(
        "with other queries and fragments",
        [away("/sorry?a=1#b"), away("/sorry?a=2", Question.NO_SUCH_PATH)],
        ("", False, False),
    ),
    Page("two pages", [away("/sorry"), away("/else", Question.NO_SUCH_PATH)], None),
    Page(
        "the second other path",
        [
            away("/sorry"),
            away("/else", Question.NO_SUCH_PATH),
            away("/sorry", Question.NO_SUCH_PATH),
        ],
        ("", False, False),
    ),
    Page(
        "the last redirect of the list",
        [away("/first"), away("/sorry"), away("/sorry", Question.NO_SUCH_PATH)],
        ("", False, False),
    ),
    Page("an answer, then a redirect", [listed(200, FILES), *BOTH], None),
    Page(
        "no redirect elsewhere", [BOTH[0], nowhere(200, PAGE, headers={"location": "/sorry"})], None
    ),
]


@pytest.mark.parametrize("row", PAGES, ids=ids(PAGES))
def test_one_page_may_be_where_all_reads_lead(row: Page):
    page = facts.one_page(evidence_of(*row.probes))
    known = page and (page.words, page.is_of_maintenance, page.is_login)
    assert known == row.known


def test_the_redirects_to_one_page_are_the_last_of_the_list_and_the_first_elsewhere():
    probes = [
        away("/first"),
        away("/sorry"),
        away("/sorry", Question.NO_SUCH_PATH),
        away("/sorry", Question.NO_SUCH_PATH),
    ]
    page = facts.one_page(evidence_of(*probes))
    assert page is not None
    assert [id(probe) for probe in page.redirects] == [id(probes[1]), id(probes[2])]


# -- what is there at all --------------------------------------------------------------------------

GONE = b"nothing here"
NOTHING_THERE = [
    Shown(
        "the same with each key", [listed(404, GONE), nowhere(404, GONE), made_up(404, GONE)], True
    ),
    Shown("no made-up key", [listed(404, GONE), nowhere(404, GONE)], False),
    Shown("no other path", [listed(404, GONE), made_up(404, GONE)], False),
    Shown("another text", [listed(404, b"else"), nowhere(404, GONE), made_up(404, GONE)], False),
    Shown("another status", [listed(405, GONE), nowhere(405, GONE), made_up(405, GONE)], False),
    Shown("a made-up key that is lost", [listed(404, GONE), nowhere(404, GONE), made_up(0)], False),
    Shown(
        "a read that is lost",
        [listed(0), listed(404, GONE), nowhere(404, GONE), made_up(404, GONE)],
        True,
    ),
    Shown("a refusal", [listed(404, GONE), nowhere(404, GONE), made_up(401)], False),
]


@pytest.mark.parametrize("row", NOTHING_THERE, ids=ids(NOTHING_THERE))
def test_nothing_is_there_if_each_path_gets_the_same_404(row: Shown):
    assert facts.is_nothing_there(evidence_of(*row.probes)) is row.holds


SERVICES = [
    Shown("nothing", [], False),
    Shown("a campaign key that is told apart", [listed(200, []), made_up()], True),
    Shown("a data key that is told apart", [*2 * [segment(404, b"")], made_up_segment()], True),
    Shown("a documented error", [nowhere()], True),
    Shown("an error that is not documented", [nowhere(404, GONE)], False),
    Shown("a documented error on the moment", [listed(503, NOT_FOUND)], False),
    Shown("files here, and none elsewhere", [listed(200, FILES), nowhere(404, GONE)], True),
    Shown("files everywhere", [listed(200, FILES), nowhere(200, FILES)], False),
    Shown("files, and no other path was read", [listed(200, FILES)], False),
    Shown("no file, and none elsewhere", [listed(200, []), nowhere(404, GONE)], False),
]


@pytest.mark.parametrize("row", SERVICES, ids=ids(SERVICES))
def test_the_service_shows_itself(row: Shown):
    assert facts.is_service(evidence_of(*row.probes)) is row.holds


class Since(NamedTuple):
    """
    Replies, and what is known of those at the end that settle nothing.

    :ivar outage: how many reads the outage has; ``quota``: how many a limit refused.
    """

    name: str
    probes: Sequence[Probe]
    outage: int = 0
    quota: int = 0
    is_shut_out: bool = False
    is_lost_since: bool = False


SINCES = [
    Since("nothing", []),
    Since("nothing but losses", [lost(), lost(question=Question.NO_SUCH_PATH)]),
    Since("one read at the end", [listed(200, FILES), lost(question=Question.NO_SUCH_PATH)]),
    Since("one read twice", [listed(200, FILES), *2 * [lost(question=Question.NO_SUCH_PATH)]]),
    Since("two reads", [listed(200, FILES), lost(question=Question.NO_SUCH_PATH), lost()], 2),
    Since(
        "a read with two keys", [listed(200, FILES), lost(), lost(question=Question.MADE_UP_KEY)], 2
    ),
    Since(
        "an answer at the end",
        [listed(200, FILES), lost(question=Question.NO_SUCH_PATH), lost(), segment()],
    ),
    Since(
        "since a made-up key, which got none",
        [listed(200, FILES), lost(question=Question.MADE_UP_KEY), lost()],
        2,
        0,
        True,
        True,
    ),
    Since(
        "since a made-up key, which got one",
        [listed(200, FILES), made_up(), lost(), lost(question=Question.NO_SUCH_PATH)],
        2,
        0,
        True,
        True,
    ),
    Since(
        "one read since a made-up key", [listed(200, FILES), made_up(), lost()], 0, 0, False, True
    ),
    Since(
        "longer since a made-up key",
        [made_up(), listed(200, FILES), lost(), lost(question=Question.NO_SUCH_PATH)],
        2,
    ),
    Since("failures since a made-up key", [made_up(), listed(503), nowhere(503)], 2),
    Since("one failure since a made-up key", [made_up(), lost(), nowhere(503)], 2),
    Since("limits", [segment(), listed(429), nowhere(429)], 0, 2),
    Since("limits alone", [listed(429), nowhere(429)]),
    Since("limits of one read", [segment(), listed(429), listed(429)]),
    Since("one limit", [segment(), listed(429)]),
    Since("limits of two keys", [segment(), listed(429), made_up(429)], 0, 2),
    Since("limits until an answer", [segment(), listed(429), nowhere(429), segment()]),
    Since(
        "words of a maintenance", [segment(), listed(403, MAINTENANCE), nowhere(403, MAINTENANCE)]
    ),
]


@pytest.mark.parametrize("row", SINCES, ids=ids(SINCES))
def test_what_settles_nothing_since_some_time(row: Since):
    evidence = evidence_of(*row.probes)
    outage, quota = facts.outage(evidence), facts.quota(evidence)
    assert (len(outage), len(quota)) == (row.outage, row.quota)
    assert [id(probe) for probe in outage] == [
        id(probe) for probe in row.probes[len(row.probes) - row.outage :]
    ]
    assert [id(probe) for probe in quota] == [
        id(probe) for probe in row.probes[len(row.probes) - row.quota :]
    ]
    assert facts.is_shut_out(evidence) is row.is_shut_out
    assert facts.is_lost_since_made_up_key(evidence) is row.is_lost_since


# -- keys ------------------------------------------------------------------------------------------


class Key(NamedTuple):
    """Replies to reads with the campaign key, and how the service takes it."""

    name: str
    probes: Sequence[Probe]
    standing: Standing


SCOPE = error("", "The key lacks the scope coupons:read")
KEYS = [
    Key("nothing", [], Standing.NO_ANSWER),
    Key("no reply", [lost()], Standing.NO_ANSWER),
    Key("no reply to the own key", [lost(), made_up()], Standing.NO_ANSWER),
    Key("not compared", [listed(200, FILES)], Standing.NOT_SHOWN),
    Key("refused", [listed(401)], Standing.REFUSED_ONCE),
    Key("refused twice", [listed(401), listed(401)], Standing.REFUSED),
    Key("refused, as a made-up one", [listed(401), made_up(401)], Standing.REFUSED_ONCE),
    Key("refused, then accepted", [listed(401), listed(200, FILES)], Standing.BOTH),
    Key("accepted, then refused", [listed(200, FILES), listed(401)], Standing.BOTH),
    Key("refused, then a page", [listed(401), listed(200, PAGE)], Standing.REFUSED),
    Key("files", [listed(200, FILES), made_up()], Standing.ACCEPTED_ONCE),
    Key("files twice", [*2 * [listed(200, FILES)], made_up()], Standing.ACCEPTED),
    Key("the same files", [listed(200, FILES), made_up(200, FILES)], Standing.NOT_SHOWN),
    Key("other files", [listed(200, FILES), made_up(200, OTHER_FILES)], Standing.ACCEPTED_ONCE),
    Key("some of the files", [listed(200, FILES), made_up(200, FILES[:1])], Standing.NOT_SHOWN),
    Key("files, and none", [listed(200, FILES), made_up(200, [])], Standing.ACCEPTED_ONCE),
    Key("files, and a 404", [listed(200, FILES), made_up(404)], Standing.ACCEPTED_ONCE),
    Key(
        "files, and a 404, but made-up keys are refused",
        [listed(200, FILES), made_up(404), made_up_segment()],
        Standing.NOT_SHOWN,
    ),
    Key(
        "files, and a 403, though made-up keys are refused",
        [listed(200, FILES), made_up(403), made_up_segment()],
        Standing.ACCEPTED_ONCE,
    ),
    Key("files, and a page", [listed(200, FILES), made_up(200, PAGE)], Standing.ACCEPTED_ONCE),
    Key("no file", [listed(200, []), made_up()], Standing.ACCEPTED_ONCE),
    Key("no file, and a page", [listed(200, []), made_up(200, PAGE)], Standing.ACCEPTED_ONCE),
    Key("a 404 with a page, and a refusal", [listed(404, PAGE), made_up()], Standing.ACCEPTED_ONCE),
    Key("a 405 with a page, and a refusal", [listed(405, PAGE), made_up()], Standing.ACCEPTED_ONCE),
    Key("a 406 with a page, and a refusal", [listed(406, PAGE), made_up()], Standing.NOT_SHOWN),
    Key(
        "a 404 with a page, and a redirect",
        [listed(404, PAGE), redirected("/login", Question.MADE_UP_KEY)],
        Standing.NOT_SHOWN,
    ),
    Key(
        "no file, and a redirect",
        [listed(200, []), redirected("/login", Question.MADE_UP_KEY)],
        Standing.ACCEPTED_ONCE,
    ),
    Key(
        "a 404, and a 403",
        [listed(404, NOT_FOUND), made_up(403, FORBIDDEN)],
        Standing.ACCEPTED_ONCE,
    ),
    Key("a 403, and another one", [listed(403, FORBIDDEN), made_up(403, BAD)], Standing.NOT_SHOWN),
    Key(
        "a 403 about a scope, and another one",
        [listed(403, SCOPE), made_up(403, FORBIDDEN)],
        Standing.ACCEPTED_ONCE,
    ),
    Key("a 403 about a scope twice", [listed(403, SCOPE), made_up(403, SCOPE)], Standing.NOT_SHOWN),
    Key(
        "a 400 about a scope, and a 403",
        [listed(400, SCOPE), made_up(403, FORBIDDEN)],
        Standing.ACCEPTED_ONCE,
    ),
    Key(
        "a 404 once, and another one",
        [listed(404, NOT_FOUND), made_up(404, BAD)],
        Standing.NOT_SHOWN,
    ),
    Key(
        "a 404 twice, and another one",
        [*2 * [listed(404, NOT_FOUND)], made_up(404, BAD)],
        Standing.ACCEPTED,
    ),
    Key(
        "two 404, and another one",
        [listed(404, NOT_FOUND), listed(404, FORBIDDEN), made_up(404, BAD)],
        Standing.NOT_SHOWN,
    ),
    Key(
        "a 404 twice, and the same",
        [*2 * [listed(404, NOT_FOUND)], made_up(404, NOT_FOUND)],
        Standing.NOT_SHOWN,
    ),
    Key(
        "a 404 twice, and another one, but made-up keys are refused",
        [*2 * [listed(404, NOT_FOUND)], made_up(404, BAD), made_up_segment()],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the first of two made-up reads",
        [listed(200, FILES), made_up(200, FILES), made_up()],
        Standing.NOT_SHOWN,
    ),
    Key(
        "a made-up read without a reply",
        [listed(200, FILES), lost(question=Question.MADE_UP_KEY), made_up()],
        Standing.ACCEPTED_ONCE,
    ),
    Key("what is odd, and a refusal", [ODD, nowhere(), made_up()], Standing.ACCEPTED_ONCE),
    Key("what is odd, and a 403", [ODD, nowhere(), made_up(403)], Standing.ACCEPTED_ONCE),
    Key("what is odd, and a 404", [ODD, nowhere(), made_up(404)], Standing.NOT_SHOWN),
    Key("a login, and a refusal", [redirected("/login"), nowhere(), made_up()], Standing.NOT_SHOWN),
    Key(
        "a download, and a refusal",
        [redirected("https://files.example.org/a.csv"), nowhere(), made_up()],
        Standing.ACCEPTED_ONCE,
    ),
    Key(
        "files, but a file is refused",
        [listed(200, FILES), made_up(), one_file(401)],
        Standing.BOTH,
    ),
    Key(
        "files, but the file and each path that is none are refused",
        [listed(200, FILES), made_up(), one_file(401), nowhere(401)],
        Standing.ACCEPTED_ONCE,
    ),
    Key(
        "files, but the file is refused, and one path that is none",
        [listed(200, FILES), made_up(), one_file(401), nowhere(401), nowhere()],
        Standing.BOTH,
    ),
    Key(
        "not compared, and the file is refused",
        [listed(200, FILES), one_file(401)],
        Standing.NOT_SHOWN,
    ),
]


@pytest.mark.parametrize("row", KEYS, ids=ids(KEYS))
def test_how_the_service_takes_the_campaign_key(row: Key):
    fact = facts.campaign_key(evidence_of(*row.probes))
    assert fact.standing is row.standing
    assert fact.is_accepted is row.standing.name.startswith("ACCEPTED")


ERROR_OF_KEYS = {"result": "FAIL", "code": "E7", "message": "Unknown key."}
IN_SUCCESS = [
    Key(
        "the own key gets the error of made-up ones, the other key another",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.REFUSED_ONCE,
    ),
    Key(
        "both keys get it",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, ERROR_OF_KEYS),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the other key was not read",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "another error",
        [
            segment(200, error("x", "No.")),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the same in a 404",
        [
            segment(404, ERROR_OF_KEYS),
            made_up_segment(404, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(404, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the other made-up key gets another error",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(200, error("x", "No.")),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "no error",
        [
            segment(200, {"a": 1}),
            made_up_segment(200, {"a": 1}),
            listed(200, FILES),
            made_up(200, {"a": 1}),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "one of two reads with the other key gets it",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            listed(200, ERROR_OF_KEYS),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
]


@pytest.mark.parametrize("row", IN_SUCCESS, ids=ids(IN_SUCCESS))
def test_a_key_is_refused_that_gets_the_error_of_made_up_ones(row: Key):
    assert facts.data_key(evidence_of(*row.probes)).standing is row.standing


def test_the_reads_of_a_key_stand_in_their_order_those_without_a_reply_after_them():
    probes = [lost(), listed(404, NOT_FOUND), made_up(), listed(200, FILES)]
    fact = facts.campaign_key(evidence_of(*probes))
    assert [id(probe) for probe in fact.probes] == [id(probes[at]) for at in (1, 3, 0, 2)]
    assert KeyFact(Standing.NO_ANSWER).probes == []


def test_a_campaign_key_is_that_of_the_path_that_a_made_up_one_was_sent_to():
    request = request_for(Question.LIST, path="/other/{coupon_list_id}")
    probes = [
        listed(200, FILES),
        listed(401, request=request),
        made_up(401, request=request),
        made_up(200, FILES),
    ]
    assert facts.campaign_key(evidence_of(*probes)).standing is Standing.REFUSED_ONCE


def test_another_header_that_is_proved_counts_for_both_keys():
    settings = changed(workspace_header="X-App-Id")
    request = request_for(Question.LIST, settings)
    probes = [
        *2 * [listed(401)],
        *2 * [reply(200, FILES, question=Question.HEADER, request=request, tried="X-App-Id")],
        reply(401, question=Question.HEADER_VALUE, request=request, tried="X-App-Id"),
        segment(404, NOT_FOUND, request=requests.read_segment(settings, MADE_UP)),
        segment(401),
    ]
    evidence = evidence_of(*probes)
    assert [probe.status for probe in facts.campaign_key(evidence).own] == [200, 200, 401]
    assert [probe.status for probe in facts.data_key(evidence).own] == [404]
    assert [probe.status for probe in facts.places(evidence).lists.values()] == [200]
    assert facts.read_of_upload_path(evidence) == request


class Said(NamedTuple):
    """Replies to the own key, and what is said of them."""

    name: str
    own: Sequence[Probe]
    answer: str = ""
    says: str = ""
    names_a_reason: bool = False
    is_hidden: bool = False
    is_forbidden: bool = False


EXPIRED = error("key-expired", "The key has expired.")
SAID = [
    Said("nothing", []),
    Said("a code and a message", [listed(400, BAD)], "400 bad", "400 bad: 'Never'"),
    Said("no words", [listed(418)], "418", "418"),
    Said("the first of two", [listed(418), listed(401, EXPIRED)], "418", "418"),
    Said(
        "a reason",
        [listed(401, EXPIRED), listed(418)],
        "401 key-expired",
        "401 key-expired: 'The key has expired'",
        True,
    ),
    Said(
        "a 404 about a scope",
        [listed(404, SCOPE)],
        "404",
        "404: 'The key lacks the scope coupons:read'",
        is_hidden=True,
    ),
    Said(
        "a 404 about nothing",
        [listed(404, NOT_FOUND)],
        "404 not-found",
        "404 not-found: 'Nothing is here'",
    ),
    Said(
        "a 403 about a scope",
        [listed(403, SCOPE)],
        "403",
        "403: 'The key lacks the scope coupons:read'",
        is_forbidden=True,
    ),
]


@pytest.mark.parametrize("row", SAID, ids=ids(SAID))
def test_what_came_first_with_the_own_key(row: Said):
    fact = KeyFact(Standing.NOT_SHOWN, row.own)
    assert fact.own_answer == row.answer
    assert fact.own_says == row.says
    assert fact.names_a_reason is row.names_a_reason
    assert fact.is_hidden is row.is_hidden
    assert fact.is_forbidden is row.is_forbidden


WITH_FILES = [
    Shown("nothing", [], False),
    *(
        Shown(question.value, [reply(200, [], question=question)], holds)
        for question, holds in (
            (Question.LIST, True),
            (Question.LIST_PATH, True),
            (Question.WHOLE_LIST, True),
            (Question.FILE_PATH, True),
            (Question.AGAIN, True),
            (Question.HEADER, True),
            (Question.OTHER_LIST, False),
            (Question.NO_SUCH_PATH, False),
            (Question.MADE_UP_KEY, False),
        )
    ),
    Shown(
        "a segment, again",
        [reply(200, [], question=Question.AGAIN, request=request_for(Question.DATA_KEY))],
        False,
    ),
    Shown("an error", [listed(200, BAD)], False),
    Shown("a page", [listed(200, PAGE)], False),
    Shown("a 404", [listed(404, NOT_FOUND)], False),
    Shown("the last of two", [listed(404, NOT_FOUND), one_file(200, FILES[0])], True),
]


@pytest.mark.parametrize("row", WITH_FILES, ids=ids(WITH_FILES))
def test_a_read_with_the_campaign_key_has_got_what_it_asked_for(row: Shown):
    assert facts.has_got_files(evidence_of(*row.probes)) is row.holds


MISDIRECTED = error("", "Use segments.example.com for segments.")


class Host(NamedTuple):
    """Replies, whether segments get replies here, and whether they are on another host."""

    name: str
    probes: Sequence[Probe]
    answers: bool
    is_elsewhere: bool


ELSEWHERE = error("wrong-host", "Segments are at https://segments.example.com")
HOSTS = [
    Host("nothing", [], False, False),
    Host("a 404", [listed(200, FILES), segment()], True, False),
    Host("a refusal", [listed(200, FILES), segment(401)], True, False),
    Host("a page", [listed(200, FILES), segment(200, PAGE)], False, False),
    Host("lost", [listed(200, FILES), lost(question=Question.DATA_KEY)], False, False),
    Host("the second of two", [listed(200, FILES), segment(200, PAGE), segment()], True, False),
    Host("another host", [listed(200, FILES), segment(421, ELSEWHERE)], False, True),
    Host(
        "another host once", [listed(200, FILES), segment(421, ELSEWHERE), segment()], True, False
    ),
    Host(
        "another host, but coupons are not here",
        [listed(200, PAGE), segment(421, ELSEWHERE)],
        False,
        False,
    ),
    Host("another host for all", [listed(421, ELSEWHERE), segment(421, ELSEWHERE)], False, False),
]


@pytest.mark.parametrize("row", HOSTS, ids=ids(HOSTS))
def test_segments_may_be_on_another_host(row: Host):
    evidence = evidence_of(*row.probes)
    assert facts.answers_segments(evidence) is row.answers
    assert facts.is_on_other_host(evidence, facts.data_key(evidence)) is row.is_elsewhere


SILENT = [
    Shown("no file", [listed(200, FILES), made_up(200, [])], True),
    Shown("a refusal", [listed(200, FILES), made_up()], False),
    Shown("an error with 200", [listed(200, FILES), made_up(200, BAD)], False),
    Shown("a page", [listed(200, FILES), made_up(200, PAGE)], False),
    Shown("no made-up key", [listed(200, FILES)], False),
    Shown("the same files", [listed(200, FILES), made_up(200, FILES)], False),
    Shown(
        "the own key got nothing that was asked for",
        [*2 * [listed(404, NOT_FOUND)], made_up(200, [])],
        False,
    ),
]


@pytest.mark.parametrize("row", SILENT, ids=ids(SILENT))
def test_a_made_up_key_may_be_refused_silently(row: Shown):
    found = facts.silent_refusal(evidence_of(*row.probes))
    assert (found is row.probes[-1]) is row.holds
    assert (found is not None) is row.holds


class Refused(NamedTuple):
    """Replies, the numbers of those that are refused elsewhere, and whether each path is."""

    name: str
    probes: Sequence[Probe]
    numbers: list[int]
    refuses_all: bool = False


AT_PATH = reply(401, question=Question.LIST_PATH)
REFUSALS = [
    Refused("nothing", [], []),
    Refused("a file and a path", [one_file(401), AT_PATH, one_file(404), listed(401)], [0, 1]),
    Refused("each path that is none, too", [one_file(401), nowhere(401)], [], True),
    Refused("one path that is none, too", [one_file(401), nowhere(401), nowhere()], [0]),
]


@pytest.mark.parametrize("row", REFUSALS, ids=ids(REFUSALS))
def test_reads_of_a_file_may_be_refused(row: Refused):
    evidence = evidence_of(*row.probes)
    found = facts.refused_elsewhere(evidence)
    assert [id(probe) for probe in found] == [id(row.probes[number]) for number in row.numbers]
    assert facts.refuses_no_such_path(evidence) is row.refuses_all


class Swap(NamedTuple):
    """Replies, and which key is accepted in the other's place."""

    name: str
    probes: Sequence[Probe]
    swapped: Swapped


def swapped(question: Question, status: int = 200, content: Any = b"[]") -> Probe:
    request = request_for(question)
    return reply(
        status, content, question=Question.SWAPPED_KEYS, request=request, keys=Keys.SWAPPED
    )


REFUSED_BOTH = [listed(401), segment(401)]
SWAPS = [
    Swap("not tried", REFUSED_BOTH, Swapped(False, False)),
    Swap(
        "both",
        [*REFUSED_BOTH, swapped(Question.LIST), swapped(Question.DATA_KEY)],
        Swapped(True, True),
    ),
    Swap(
        "the data key for coupons",
        [*REFUSED_BOTH, swapped(Question.LIST), swapped(Question.DATA_KEY, 401)],
        Swapped(False, True),
    ),
    Swap(
        "the campaign key for segments",
        [*REFUSED_BOTH, swapped(Question.DATA_KEY, 404)],
        Swapped(True, False),
    ),
    Swap(
        "a 403",
        [*REFUSED_BOTH, swapped(Question.LIST, 403), swapped(Question.DATA_KEY, 403)],
        Swapped(False, False),
    ),
    Swap("a page", [*REFUSED_BOTH, swapped(Question.LIST, 200, PAGE)], Swapped(False, False)),
    Swap(
        "no key is kept out",
        [listed(404), segment(404), swapped(Question.LIST), swapped(Question.DATA_KEY)],
        Swapped(False, False),
    ),
    Swap(
        "the keys get 403",
        [listed(403), segment(403), swapped(Question.LIST), swapped(Question.DATA_KEY)],
        Swapped(True, True),
    ),
    Swap(
        "a made-up key is kept out once",
        [listed(200, FILES), made_up(), swapped(Question.LIST)],
        Swapped(False, True),
    ),
    Swap(
        "a made-up key is kept out",
        [*2 * [segment()], made_up_segment(), swapped(Question.DATA_KEY)],
        Swapped(True, False),
    ),
    Swap(
        "the second read is refused",
        [listed(404), listed(401), swapped(Question.LIST)],
        Swapped(False, True),
    ),
]


@pytest.mark.parametrize("row", SWAPS, ids=ids(SWAPS))
def test_keys_may_be_swapped(row: Swap):
    found = facts.swapped_keys(evidence_of(*row.probes))
    assert found == row.swapped
    assert found.are_both is (row.swapped == (True, True))


ANOTHER = [
    Shown("nothing", [], False),
    Shown("a 403", [segment(403, BAD)], True),
    Shown("the documented 403", [segment(403, error("request-forbidden", "No."))], False),
    Shown(
        "the documented one later",
        [segment(403, BAD), segment(403, error("request-forbidden", "No."))],
        True,
    ),
    Shown("a 403, then a 404", [segment(403, BAD), segment()], False),
    Shown("a page", [segment(403, PAGE)], False),
    Shown("a 404", [segment()], False),
]


@pytest.mark.parametrize("row", ANOTHER, ids=ids(ANOTHER))
def test_a_403_may_be_of_another_key(row: Shown):
    assert facts.may_be_another_key(KeyFact(Standing.NOT_SHOWN, row.probes)) is row.holds


# -- paths -----------------------------------------------------------------------------------------


def at_path(
    path: str, status: int = 200, content: Any = b"[]", question: Question = Question.LIST_PATH
) -> Probe:
    return reply(
        status, content, question=question, request=request_for(question, path=path), tried=path
    )


def file_at(path: str, status: int, content: Any = b"", file_id: str = "f1") -> Probe:
    request = request_for(Question.FILE_PATH, path=path, file_id=file_id)
    return reply(status, content, question=Question.FILE_PATH, request=request, tried=path)


class Tried(NamedTuple):
    """Replies, and the numbers of those that count for each path; and the file that was read."""

    name: str
    probes: Sequence[Probe]
    lists: Mapping[str, int] = {}
    files: Mapping[str, int] = {}
    file_id: str = MADE_UP


GIVEN = contract.COUPON_FILES_PATH
ONE = "/one/{coupon_file_id}"
TRIED = [
    Tried("nothing", []),
    Tried("the list", [listed(404)], {GIVEN: 0}),
    Tried(
        "the first that settles something",
        [listed(200, PAGE), listed(404), listed(200, [])],
        {GIVEN: 1},
    ),
    Tried("the first, if none does", [listed(200, PAGE), listed(401)], {GIVEN: 0}),
    Tried(
        "other paths",
        [
            listed(404),
            at_path("/a", 404),
            at_path("/b", question=Question.WHOLE_LIST),
            at_path("/a"),
        ],
        {GIVEN: 0, "/a": 1, "/b": 2},
    ),
    Tried("another path alone", [at_path("/a")], {"/a": 0}),
    Tried(
        "the path of one file",
        [
            file_at(ONE, 404),
            file_at(ONE, 200, FILES[0]),
            file_at(ONE, 500, b"", "f3"),
            file_at(ONE, 404, b"", "f2"),
        ],
        {},
        {ONE: 1},
        "f2",
    ),
    Tried("the last of two failures", [file_at(ONE, 404), file_at(ONE, 401)], {}, {ONE: 1}, "f1"),
]


@pytest.mark.parametrize("row", TRIED, ids=ids(TRIED))
def test_what_came_at_each_path(row: Tried):
    places = facts.places(evidence_of(*row.probes))
    assert {path: id(probe) for path, probe in places.lists.items()} == {
        path: id(row.probes[number]) for path, number in row.lists.items()
    }
    assert [*places.lists] == [*row.lists]
    assert {path: id(probe) for path, probe in places.files.items()} == {
        path: id(row.probes[number]) for path, number in row.files.items()
    }
    assert places.file_id == row.file_id


class Upload(NamedTuple):
    """Replies at the path of uploads, and the number of the redirect; ``None`` for none."""

    name: str
    probes: Sequence[Probe]
    number: int | None


UPLOADS = [
    Upload("nothing", [], None),
    Upload("no redirect", [listed(200, FILES)], None),
    Upload("to another path", [redirected("/v2/files")], 0),
    Upload("to another host", [redirected("https://api.example.org/v2/files")], None),
    Upload("to another port", [redirected("https://api.example.com:8443/v2/files")], None),
    Upload("to another scheme", [redirected("http://api.example.com/v2/files")], 0),
    Upload("the second", [listed(200, FILES), redirected("/a"), redirected("/b")], 1),
    Upload("a page with a location", [listed(200, PAGE, headers={"location": "/v2"})], None),
    Upload(
        "another path that is redirected",
        [redirected("/a", request=request_for(Question.LIST, path="/x"))],
        None,
    ),
]


@pytest.mark.parametrize("row", UPLOADS, ids=ids(UPLOADS))
def test_the_path_of_uploads_may_be_redirected(row: Upload):
    found = facts.redirect_of_uploads(evidence_of(*row.probes))
    assert found is (None if row.number is None else row.probes[row.number])


class Nowhere(NamedTuple):
    """A reply and one to a path that is none, and how they compare."""

    name: str
    probe: Probe
    others: Sequence[Probe]
    knows: bool = False
    is_like: bool = False
    is_of_gateway: bool = False


OF_AWS = error("", "Missing Authentication Token")
NOWHERES = [
    Nowhere("another 404", listed(404, BAD), [nowhere()], knows=True),
    Nowhere("the same 404", listed(404, NOT_FOUND), [nowhere()]),
    Nowhere(
        "another 404 than the first",
        listed(404, NOT_FOUND),
        [nowhere(404, BAD), nowhere()],
        knows=True,
    ),
    Nowhere("a 404 with a page", listed(404, PAGE), [nowhere()]),
    Nowhere("nothing to compare with", listed(404, BAD), []),
    Nowhere("a 405", listed(405, BAD), [nowhere()]),
    Nowhere("a 403 without another", listed(403, BAD), []),
    Nowhere("the same 403", listed(403, BAD), [nowhere(403, BAD)], is_like=True),
    Nowhere("a 403 as the first", listed(403, BAD), [nowhere(403, BAD), nowhere()], is_like=True),
    Nowhere("a 403 as the second", listed(403, BAD), [nowhere(), nowhere(403, BAD)]),
    Nowhere("a 403 with other words", listed(403, BAD), [nowhere(403, error("bad", "Other."))]),
    Nowhere("a 403 with another code", listed(403, BAD), [nowhere(403, FORBIDDEN)]),
    Nowhere("the same 404 as of a gateway", listed(404, OF_AWS), [nowhere(404, OF_AWS)]),
    Nowhere(
        "a gateway's words",
        listed(403, OF_AWS),
        [nowhere(403, OF_AWS)],
        is_like=True,
        is_of_gateway=True,
    ),
    Nowhere("a gateway's words here alone", listed(403, OF_AWS), [nowhere(403, BAD)]),
]


@pytest.mark.parametrize("row", NOWHERES, ids=ids(NOWHERES))
def test_a_reply_is_compared_with_that_to_a_path_that_is_none(row: Nowhere):
    evidence = evidence_of(*row.others)
    assert facts.knows_path(evidence, row.probe) is row.knows
    assert facts.is_like_nowhere(evidence, row.probe) is row.is_like
    assert facts.is_no_path_of_gateway(evidence, row.probe) is row.is_of_gateway


HIDING = [
    Shown("a 404 about a scope", [listed(404, SCOPE)], True),
    Shown("a 403 about a scope", [listed(403, SCOPE)], False),
    Shown("a 404 about nothing", [listed(404, NOT_FOUND)], False),
]


@pytest.mark.parametrize("row", HIDING, ids=ids(HIDING))
def test_a_404_hides_what_a_key_may_not_read(row: Shown):
    assert facts.hides(row.probes[0]) is row.holds


# -- words -----------------------------------------------------------------------------------------


class Words(NamedTuple):
    """A reply, its words, and what is said of it."""

    name: str
    probe: Probe
    words: str
    says: str


LONG = "word " * 60
WORDS = [
    Words("none", listed(418), "", f"The service replies 418 to GET {LIST_AT}"),
    Words(
        "a message",
        listed(400, BAD),
        ": 'Never'",
        f"The service replies 400 bad to GET {LIST_AT}: 'Never'",
    ),
    Words(
        "a page",
        listed(403, PAGE),
        ": 'Hello'",
        f"What replied sent 403, which is not the service's, to GET {LIST_AT}: 'Hello'",
    ),
    Words("a redirect", redirected("/login"), "", f"The service replies 302 to GET {LIST_AT}"),
]


@pytest.mark.parametrize("row", WORDS, ids=ids(WORDS))
def test_a_reply_is_quoted(row: Words):
    assert (facts.words_of(row.probe), facts.says(row.probe)) == (row.words, row.says)


def test_long_words_are_cut():
    words = facts.words_of(listed(400, error("", LONG)))
    assert 195 < len(words) <= 204


class Advice(NamedTuple):
    """A reply, and what to do about it."""

    name: str
    probe: Probe
    advice: str
    support: str = "ask the service's support."


def changing(message: str, status: int = 400, operation: Any = None) -> Probe:
    """A refused upload."""
    request = requests.upload(SETTINGS, LIST, {"file_url": "https://files.example.com/a.csv"})
    return reply(status, error("", message), request=request, question=Question.WRITE)


NOT_BY_ANY_SETTING = (
    "The provider sends POST to this path, and no setting changes either: ask the service's "
    "support to take that."
)
ADVICE = [
    Advice("nothing said", listed(400, BAD), "Ask the service's support."),
    Advice("another support", listed(400, BAD), "Ask Anna, ÄÖ.", "ask Anna, ÄÖ."),
    Advice(
        "a subject",
        listed(403, SCOPE),
        "Ask an administrator of the account for a key with what it lacks.",
    ),
    Advice(
        "a subject without a remedy, which asks",
        listed(404, error("", "Please give it in the path")),
        "Do what it says, or ask Anna.",
        "ask Anna.",
    ),
    Advice(
        "what asks",
        listed(400, error("", "Please accept the terms.")),
        "Do what it says, or ask the service's support.",
    ),
    Advice(
        "until when",
        listed(400, error("", "Closed until 22:00.")),
        "Wait until then, and run this again.",
    ),
    Advice(
        "another host",
        segment(421, ELSEWHERE),
        second_connection(segment(421, ELSEWHERE)),
    ),
    Advice(
        "too few requests",
        listed(429, error("", "5 requests per day")),
        too_few(listed(429, error("", "5 requests per day"))),
    ),
    Advice("a limit", listed(429), "Ask the service's support."),
    Advice(
        "what is not sent, of a read",
        listed(400, error("", "Header If-Match is required")),
        "The provider does not send If-Match, and no setting adds it: ask the service's support, or whoever runs the gateway, to accept reads without it.",
    ),
    Advice(
        "what is not sent, of an upload",
        changing("Header If-Match is required"),
        "The provider does not send If-Match, and no setting adds it: ask the service's support, or whoever runs the gateway, to accept requests without it.",
    ),
    Advice(
        "what is not sent, of an update",
        reply(
            400,
            error("", "Header If-Match is required"),
            request=requests.update_segment(SETTINGS, "s", {}),
        ),
        "The provider does not send If-Match, and no setting adds it: ask the service's support, or whoever runs the gateway, to accept updates without it.",
    ),
    Advice("another method", changing("Use PUT here."), NOT_BY_ANY_SETTING),
    Advice(
        "another method, of a read",
        listed(400, error("", "Use PUT here.")),
        "Do what it says, or ask the service's support.",
    ),
    Advice(
        "the same method", changing("Only POST is possible here."), "Ask the service's support."
    ),
    Advice("405", changing("No.", 405), NOT_BY_ANY_SETTING),
    Advice("405 of a read", listed(405, error("", "No.")), "Ask the service's support."),
    Advice(
        "a member that tasks send",
        changing("missing field name"),
        "The doctor does not send name, but your tasks can: give it there.",
    ),
    Advice(
        "a member of catalogs",
        changing("missing field attributes"),
        "The doctor does not send attributes, but your tasks can: give it there.",
    ),
    Advice(
        "a member that nobody sends",
        changing("missing field colour"),
        "The provider does not send colour, and no setting adds it: ask the service's support to accept requests without it.",
    ),
    Advice(
        "a member, of a read",
        listed(400, error("", "missing field colour")),
        "Ask the service's support.",
    ),
]


@pytest.mark.parametrize("row", ADVICE, ids=ids(ADVICE))
def test_what_to_do_by_the_words_of_a_reply(row: Advice):
    assert facts.advice_of(row.probe, row.support) == row.advice


def test_the_words_for_another_host_and_for_too_few_requests_are_some():
    assert second_connection(segment(421, ELSEWHERE))
    assert too_few(listed(429, error("", "5 requests per day")))


def test_by_default_the_support_is_asked():
    assert facts.advice_of(listed(400, BAD)) == "Ask the service's support."


def test_what_to_do_about_another_scheme():
    bearer = listed(401, headers={"www-authenticate": "Bearer"})
    assert facts.advice_of_scheme(bearer) == (
        "What replied demands Bearer (its WWW-Authenticate says so), and the provider sends "
        "Basic credentials only: a gateway may be before the service, and the keys may be right, "
        "so change none. Ask whoever runs it to take Basic, or for another address."
    )
    assert facts.advice_of_scheme(listed(401, headers={"www-authenticate": "Basic"})) == ""


# -- what stands before the service ----------------------------------------------------------------


class Failing(NamedTuple):
    """Replies, and how many of them are said to have failed."""

    name: str
    probes: Sequence[Probe]
    says: str


FAILURES = [
    Failing("none", [listed(200, FILES)], ""),
    Failing("two", [listed(502), listed(503), listed(200, FILES)], ""),
    Failing(
        "three",
        [listed(503), listed(502), listed(502), listed(200, FILES), lost()],
        "3 of 4 replies were 502, 503",
    ),
    Failing("three at a path that never replied", [*3 * [listed(502)], nowhere()], ""),
    Failing(
        "at one of two paths that failed",
        [listed(502), *2 * [nowhere(500)], nowhere()],
        "3 of 4 replies were 500, 502",
    ),
    Failing(
        "a made-up key at the same path", [*3 * [listed(500)], made_up()], "3 of 4 replies were 500"
    ),
    Failing(
        "in the order of numbers",
        [listed(520), listed(502), listed(502), listed(200, FILES)],
        "3 of 4 replies were 502, 520",
    ),
    Failing(
        "another method at the same path",
        [*3 * [changing("", 500)], listed(200, FILES)],
        "",
    ),
    Failing("499", [*3 * [listed(499)], listed(200, FILES)], ""),
]


@pytest.mark.parametrize("row", FAILURES, ids=ids(FAILURES))
def test_failures_of_one_of_several_nodes_are_counted(row: Failing):
    assert facts.failing_replies(evidence_of(*row.probes)) == row.says
