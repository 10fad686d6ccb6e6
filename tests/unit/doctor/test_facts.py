"""What reads show of a list and of paths: each from a few replies, without any service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    FORBIDDEN,
    LIST_AT,
    NOT_FOUND,
    PAGE,
    at_path,
    ids,
    listed,
    lost,
    made_up,
    made_up_list,
    nowhere,
    redirected,
    segment,
)
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
from wes_provider.doctor.evidence import MADE_UP, Evidence
from wes_provider.doctor.probes import Probe, Question

SCOPE = error("", "The key lacks the scope coupons:read")
GIVEN = contract.COUPON_FILES_PATH
OTHER_FILES = [record("g1"), record("g2")]
OF_TWO_LISTS = [record("f1", coupons_list_id="winter"), record("f2", coupons_list_id="autumn")]


class Shown(NamedTuple):
    """Replies, and whether they show something."""

    name: str
    probes: Sequence[Probe]
    holds: bool


JSON = {"content-type": "application/json"}
ODD = reply(200, "no JSON", JSON)
UNEXAMINABLE = [
    # No answer.
    Shown("nothing was read", [], True),
    Shown("the list gets nothing, but others got replies", [lost(), segment()], True),
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
    # An answer of a service, or a page.
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
    # A redirect, or what cannot be read.
    Shown("a redirect to a login", [redirected("/login")], True),
    Shown("a redirect to another path of the list", [redirected(f"{LIST_AT}/")], False),
    Shown("what is no JSON", [ODD], True),
    Shown("what is no JSON, and an error elsewhere", [ODD, nowhere()], False),
]


@pytest.mark.parametrize("row", UNEXAMINABLE, ids=ids(UNEXAMINABLE))
def test_a_service_is_unexaminable_whose_list_gets_nothing_that_a_service_sends(row: Shown):
    """The table has no answer; an answer or a page; and a redirect or what cannot be read."""
    assert facts.is_unexaminable(evidence_of(*row.probes)) is row.holds


ODD_ALONE = [
    Shown("no answer", [], False),
    Shown("what is no JSON", [ODD], True),
    Shown("JSON", [listed(200, FILES)], False),
    Shown("no JSON, then JSON", [ODD, listed(200, FILES)], False),
    Shown("JSON, then no JSON", [listed(200, FILES), ODD], False),
    Shown("a web page with 400", [listed(400, PAGE)], True),
    Shown("a web page with 200", [listed(200, PAGE)], True),
    Shown("a web page with 404, as of no path", [listed(404, PAGE)], False),
    Shown("a web page with 405, as of no path", [listed(405, PAGE)], False),
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
def test_the_list_may_be_odd_alone_if_each_answer_to_it_is_odd(row: Shown):
    """
    An answer is odd if it is JSON that cannot be read, a web page, or a redirect. After a redirect in the end,
    the list may be odd alone only if that leads to no place of the service.
    """
    assert facts.may_be_odd_alone(evidence_of(*row.probes)) is row.holds


LIST_ODD = [
    Shown("no other path was read", [ODD], False),
    Shown("an error elsewhere", [ODD, nowhere()], True),
    Shown("a refusal elsewhere", [ODD, nowhere(401)], True),
    Shown("a success elsewhere", [ODD, nowhere(200, [])], False),
    Shown("a page elsewhere", [ODD, nowhere(404, PAGE)], False),
    Shown("a page, then an error elsewhere", [ODD, nowhere(404, PAGE), nowhere()], True),
    Shown("an error elsewhere, but files", [listed(200, FILES), nowhere()], False),
]


@pytest.mark.parametrize("row", LIST_ODD, ids=ids(LIST_ODD))
def test_the_list_alone_is_odd_if_a_path_that_does_not_exist_gets_an_error(row: Shown):
    assert facts.is_list_odd_alone(evidence_of(*row.probes)) is row.holds


MAINTENANCE = error("", "Maintenance until 22:00")
TO_WINTER = "/v1/coupon-list/winter/files"


def test_a_named_list_that_is_redirected_to_another_name_is_renamed():
    renamed = facts.renamed_list(evidence_of(redirected(TO_WINTER)))
    assert renamed == ("spring", True, "winter")


def test_the_last_read_of_a_list_says_what_it_is_renamed_to():
    later = redirected(TO_WINTER, question=Question.AGAIN)
    renamed = facts.renamed_list(evidence_of(redirected("/sorry"), later))
    assert renamed == ("spring", True, "winter")


def test_a_list_that_nobody_named_is_not_renamed():
    read = redirected(TO_WINTER, request=request_for(Question.LIST, list_id=MADE_UP))
    assert facts.renamed_list(evidence_of(read, list_id=MADE_UP)) is None


REACHED = [
    Shown("nothing", [], False),
    Shown("nothing came", [lost()], False),
    Shown("a response began", [lost(f"{INCOMPLETE}: 3 bytes")], True),
    Shown("another problem, with these words in it", [lost(f"x {INCOMPLETE}")], False),
    Shown("500", [listed(500)], True),
    Shown("599", [listed(599)], True),
    Shown("a limit", [listed(429)], False),
    Shown("words of a maintenance", [listed(403, MAINTENANCE)], True),
    Shown("no reply, then 502", [lost(), listed(502)], True),
    Shown("no reply, and 500 at another path", [lost(), nowhere(500)], False),
]


@pytest.mark.parametrize("row", REACHED, ids=ids(REACHED))
def test_something_is_reached_if_a_response_began_failed_or_says_why_it_settles_nothing(row: Shown):
    assert facts.is_reached(evidence_of(*row.probes)) is row.holds


CUT_OFF = lost(f"{INCOMPLETE} 200: IncompleteRead")
FAILING = [
    Shown("nothing", [], False),
    Shown("nothing else was read", [listed(500)], False),
    Shown("others reply", [listed(500), nowhere()], True),
    Shown("one of two failed, and one got a limit", [listed(500), listed(429), nowhere()], False),
    Shown("both failed", [listed(500), listed(502), nowhere()], True),
    Shown("others fail, too", [listed(500), nowhere(503)], False),
    Shown("only a made-up key gets a reply", [listed(500), made_up(401)], False),
    Shown("one of two others gets a reply", [listed(500), nowhere(503), segment()], True),
    Shown("cut off, and others reply", [CUT_OFF, nowhere()], True),
    Shown("one of two is cut off, and one got a limit", [CUT_OFF, listed(429), nowhere()], False),
    Shown("begun, but too slow", [lost(f"{INCOMPLETE} 200: ReadTimeout"), nowhere()], False),
    Shown("closed before it began", [lost("RemoteDisconnected"), nowhere()], False),
]


@pytest.mark.parametrize("row", FAILING, ids=ids(FAILING))
def test_the_list_fails_alone_if_others_get_replies(row: Shown):
    assert facts.is_list_failing_alone(evidence_of(*row.probes)) is row.holds


# -- errors about each request ---------------------------------------------------------------------

BAD = error("bad", "Never.")


class General(NamedTuple):
    """
    A reply, and what it may be about.

    :ivar is_objection: whether it is an error that is about no key, and not about the path.
    :ivar may_be_general: whether it is that, or a 404 whose words are about something else.
    """

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
def test_an_error_is_an_objection_unless_it_is_about_a_key_or_a_path(row: General):
    assert facts.is_objection(row.probe) is row.is_objection


@pytest.mark.parametrize("row", GENERAL, ids=ids(GENERAL))
def test_an_error_may_be_general_if_it_is_an_objection_or_its_words_are_about_no_path(row: General):
    assert facts.may_be_general(row.probe) is row.may_be_general


class Center(NamedTuple):
    """What an error says, and the other data center that it names: its number and its address."""

    name: str
    message: str
    center: tuple[str, str] | None
    host: str = "https://api-{data_center}.example.com"
    base_url: str = "https://api-01.example.com"


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
    Center(
        "one digit, and an address with three",
        "in data center 3",
        ("003", "https://api-003.example.com"),
        base_url="https://api-001.example.com",
    ),
    Center("an address without one", "in data center 03", None, host=""),
]


@pytest.mark.parametrize("row", CENTERS, ids=ids(CENTERS))
def test_the_only_other_data_center_that_an_error_names_is_found(row: Center):
    evidence = evidence_of(settings=changed(base_url=row.base_url), host=row.host)
    found = facts.other_data_center(evidence, listed(404, error("", row.message)))
    assert found == row.center


# -- lists of other names --------------------------------------------------------------------------


class OtherName(NamedTuple):
    """Replies, and the name that the list may have and has."""

    name: str
    probes: Sequence[Probe]
    may_be: str
    is_it: str


def other_list(status: int = 200, content: Any = b"", list_id: str = "winter") -> Probe:
    """The read of the list that the files say they are of."""
    request = request_for(Question.LIST, list_id=list_id)
    return reply(status, content, question=Question.OTHER_LIST, request=request)


OF_WINTER = [record("f1", coupons_list_id="winter"), record("f2", coupons_list_id="winter")]
OTHER_NAMES = [
    # What a read of the other list has.
    OtherName(
        "the same files",
        [listed(200, OF_WINTER), other_list(200, OF_WINTER), made_up_list()],
        "winter",
        "winter",
    ),
    OtherName(
        "the same files, of two lists: the first by name",
        [
            listed(200, OF_TWO_LISTS),
            other_list(200, OF_TWO_LISTS, "autumn"),
            made_up_list(),
        ],
        "autumn",
        "autumn",
    ),
    OtherName(
        "no files that can be read, and no file",
        [listed(200, [{"coupons_list_id": "winter"}]), other_list(200, []), made_up_list()],
        "",
        "",
    ),
    OtherName(
        "other files",
        [listed(200, OF_WINTER), other_list(200, OTHER_FILES), made_up_list()],
        "",
        "",
    ),
    OtherName(
        "the same files in another order",
        [listed(200, OF_WINTER), other_list(200, OF_WINTER[::-1]), made_up_list()],
        "",
        "",
    ),
    OtherName(
        "a 404", [listed(200, OF_WINTER), other_list(404, NOT_FOUND), made_up_list()], "", ""
    ),
    OtherName(
        "other files first, then the same",
        [
            listed(200, OF_WINTER),
            other_list(200, OTHER_FILES),
            other_list(200, OF_WINTER),
            made_up_list(),
        ],
        "winter",
        "winter",
    ),
    OtherName("the other list was not read", [listed(200, OF_WINTER), made_up_list()], "", ""),
    OtherName(
        "the files are of the list that was read",
        [listed(200, FILES), other_list(200, FILES), made_up_list()],
        "",
        "",
    ),
    # What a read of a list has that does not exist.
    OtherName(
        "a list that does not exist has no file",
        [listed(200, OF_WINTER), other_list(200, OF_WINTER), made_up_list(200, [])],
        "winter",
        "winter",
    ),
    OtherName(
        "a list that does not exist has the same",
        [listed(200, OF_WINTER), other_list(200, OF_WINTER), made_up_list(200, OF_WINTER)],
        "winter",
        "",
    ),
    OtherName(
        "a list that does not exist has no file first, then the same",
        [
            listed(200, OF_WINTER),
            other_list(200, OF_WINTER),
            made_up_list(200, []),
            made_up_list(200, OF_WINTER),
        ],
        "winter",
        "",
    ),
    OtherName(
        "a list that does not exist was not read",
        [listed(200, OF_WINTER), other_list(200, OF_WINTER)],
        "winter",
        "",
    ),
]


@pytest.mark.parametrize("row", OTHER_NAMES, ids=ids(OTHER_NAMES))
def test_a_list_may_have_another_name_if_a_read_of_that_has_the_same_files(row: OtherName):
    assert facts.may_have_other_name(evidence_of(*row.probes)) == row.may_be


@pytest.mark.parametrize("row", OTHER_NAMES, ids=ids(OTHER_NAMES))
def test_a_list_has_another_name_if_a_list_that_does_not_exist_has_other_files(row: OtherName):
    assert facts.other_name(evidence_of(*row.probes)) == row.is_it


# -- one page --------------------------------------------------------------------------------------


class Known(NamedTuple):
    """What is known of a page: its words, whether it is of a maintenance, and wants a login."""

    words: str = ""
    is_of_maintenance: bool = False
    is_login: bool = False


class Page(NamedTuple):
    """Replies, and what is known of the one page that they lead to; ``None`` for none."""

    name: str
    probes: Sequence[Probe]
    known: Known | None


def at_page(status: int, content: Any = b"", **more: Any) -> Probe:
    """The read of the page that the list is redirected to."""
    request = request_for(Question.LIST)._replace(url="https://api.example.com/sorry")
    return reply(status, content, question=Question.PAGE, request=request, **more)


def away(path: str, question: Question = Question.LIST) -> Probe:
    """A redirect to another path of the same host."""
    return redirected(f"https://api.example.com{path}", question=question)


BOTH = [away("/sorry"), away("/sorry", Question.NO_SUCH_PATH)]
PAGES = [
    Page("the list alone", BOTH[:1], None),
    Page("not read", BOTH, Known()),
    Page(
        "its title",
        [*BOTH, at_page(200, "<title>Sorry</title><p>Later</p>")],
        Known("Sorry"),
    ),
    Page("its text without a title", [*BOTH, at_page(200, "<p>Later</p>")], Known("Later")),
    Page(
        "a secret in its text",
        [
            *BOTH,
            at_page(200, "<p>Later, hunter2</p>", clean=lambda text: text.replace("hunter2", "*")),
        ],
        Known("Later, *"),
    ),
    Page(
        "the first of two",
        [*BOTH, at_page(200, "<title>1</title>"), at_page(200, "<title>2</title>")],
        Known("1"),
    ),
    Page("no response", [*BOTH, at_page(0)], Known()),
    Page(
        "a maintenance by its title",
        [*BOTH, at_page(503, "<title>Maintenance</title>")],
        Known("Maintenance", is_of_maintenance=True),
    ),
    Page(
        "a maintenance by its path",
        [away("/maintenance"), away("/maintenance", Question.NO_SUCH_PATH)],
        Known(is_of_maintenance=True),
    ),
    Page(
        "a maintenance by the name of its host",
        [
            redirected("https://maintenance.example.com/a"),
            redirected("https://maintenance.example.com/a", question=Question.NO_SUCH_PATH),
        ],
        Known(),
    ),
    Page(
        "a maintenance by its title, and a login",
        [*BOTH, at_page(200, "<title>Maintenance</title><input type=password>")],
        Known("Maintenance", is_login=True),
    ),
    Page(
        "with other queries and fragments",
        [away("/sorry?a=1#b"), away("/sorry?a=2", Question.NO_SUCH_PATH)],
        Known(),
    ),
    Page("two pages", [away("/sorry"), away("/else", Question.NO_SUCH_PATH)], None),
    Page(
        "the second of two paths that do not exist leads there",
        [
            away("/sorry"),
            away("/else", Question.NO_SUCH_PATH),
            away("/sorry", Question.NO_SUCH_PATH),
        ],
        Known(),
    ),
    Page(
        "the last of two redirects of the list leads there",
        [away("/first"), away("/sorry"), away("/sorry", Question.NO_SUCH_PATH)],
        Known(),
    ),
    Page("an answer, then a redirect", [listed(200, FILES), *BOTH], None),
    Page(
        "no redirect elsewhere", [BOTH[0], nowhere(200, PAGE, headers={"location": "/sorry"})], None
    ),
]


@pytest.mark.parametrize("row", PAGES, ids=ids(PAGES))
def test_one_page_may_be_where_all_reads_lead(row: Page):
    page = facts.one_page(evidence_of(*row.probes))
    known = page and Known(page.words, page.is_of_maintenance, page.is_login)
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
    Shown("no read with a made-up key", [listed(404, GONE), nowhere(404, GONE)], False),
    Shown("no read of a path that does not exist", [listed(404, GONE), made_up(404, GONE)], False),
    Shown("another text", [listed(404, b"else"), nowhere(404, GONE), made_up(404, GONE)], False),
    Shown("another status", [listed(405, GONE), nowhere(405, GONE), made_up(405, GONE)], False),
    Shown(
        "the read with a made-up key is lost",
        [listed(404, GONE), nowhere(404, GONE), lost(question=Question.MADE_UP_KEY)],
        False,
    ),
    Shown(
        "a read with the own key is lost",
        [lost(), listed(404, GONE), nowhere(404, GONE), made_up(404, GONE)],
        True,
    ),
    Shown("a refusal", [listed(404, GONE), nowhere(404, GONE), made_up(401, GONE)], False),
]


@pytest.mark.parametrize("row", NOTHING_THERE, ids=ids(NOTHING_THERE))
def test_nothing_is_there_if_each_path_gets_the_same_404(row: Shown):
    assert facts.is_nothing_there(evidence_of(*row.probes)) is row.holds


class Lost(NamedTuple):
    """
    Replies, and what is known of those at the end that are lost.

    :ivar outage: how many reads at the end are an outage.
    :ivar is_shut_out: whether the outage may be of a firewall, since a made-up key was sent.
    :ivar is_lost_since: whether no response came since a made-up key, even if one read shows it.
    """

    name: str
    probes: Sequence[Probe]
    outage: int = 0
    is_shut_out: bool = False
    is_lost_since: bool = False

    @property
    def evidence(self) -> Evidence:
        return evidence_of(*self.probes)


AT_NO_SUCH_PATH = lost(question=Question.NO_SUCH_PATH)
WITH_MADE_UP_KEY = lost(question=Question.MADE_UP_KEY)
LOST = [
    # No made-up key was sent.
    Lost("nothing", []),
    Lost("all reads are lost", [lost(), AT_NO_SUCH_PATH]),
    Lost("one read at the end", [listed(200, FILES), AT_NO_SUCH_PATH]),
    Lost("the same read twice", [listed(200, FILES), AT_NO_SUCH_PATH, AT_NO_SUCH_PATH]),
    Lost("two reads", [listed(200, FILES), AT_NO_SUCH_PATH, lost()], outage=2),
    Lost("two reads before an answer", [listed(200, FILES), AT_NO_SUCH_PATH, lost(), segment()]),
    Lost(
        "words of a maintenance", [segment(), listed(403, MAINTENANCE), nowhere(403, MAINTENANCE)]
    ),
    # A made-up key was sent.
    Lost(
        "the same read with a made-up key after the own one",
        [listed(200, FILES), lost(), WITH_MADE_UP_KEY],
        outage=2,
    ),
    Lost(
        "the read with a made-up key and a later one",
        [listed(200, FILES), WITH_MADE_UP_KEY, lost()],
        outage=2,
        is_shut_out=True,
        is_lost_since=True,
    ),
    Lost(
        "two reads after an answer to a made-up key",
        [listed(200, FILES), made_up(), lost(), AT_NO_SUCH_PATH],
        outage=2,
        is_shut_out=True,
        is_lost_since=True,
    ),
    Lost(
        "one read after an answer to a made-up key",
        [listed(200, FILES), made_up(), lost()],
        is_lost_since=True,
    ),
    Lost(
        "two reads after another answer since a made-up key",
        [made_up(), listed(200, FILES), lost(), AT_NO_SUCH_PATH],
        outage=2,
    ),
    # Failures are responses, which no firewall sends.
    Lost(
        "two failures after an answer to a made-up key",
        [made_up(), listed(503), nowhere(503)],
        outage=2,
    ),
    Lost(
        "a loss and a failure after an answer to a made-up key",
        [made_up(), lost(), nowhere(503)],
        outage=2,
    ),
]


@pytest.mark.parametrize("row", LOST, ids=ids(LOST))
def test_an_outage_is_two_reads_or_more_without_an_answer_at_the_end(row: Lost):
    outage = facts.outage(row.evidence)
    at_the_end = row.probes[len(row.probes) - row.outage :]
    assert [id(probe) for probe in outage] == [id(probe) for probe in at_the_end]


@pytest.mark.parametrize("row", LOST, ids=ids(LOST))
def test_a_firewall_may_shut_out_if_an_outage_without_any_response_follows_a_made_up_key(row: Lost):
    assert facts.is_shut_out(row.evidence) is row.is_shut_out


@pytest.mark.parametrize("row", LOST, ids=ids(LOST))
def test_one_read_shows_that_no_response_came_since_a_made_up_key(row: Lost):
    assert facts.is_lost_since_made_up_key(row.evidence) is row.is_lost_since


@pytest.mark.parametrize("row", LOST, ids=ids(LOST))
def test_no_reads_but_those_with_429_are_of_a_quota(row: Lost):
    assert facts.quota(row.evidence) == []


class Limited(NamedTuple):
    """Replies, and how many of those at the end are of a quota."""

    name: str
    probes: Sequence[Probe]
    quota: int = 0


LIMITED = [
    Limited("two reads", [segment(), listed(429), nowhere(429)], quota=2),
    Limited("a read with two keys", [segment(), listed(429), made_up(429)], quota=2),
    Limited("all reads", [listed(429), nowhere(429)]),
    Limited("the same read twice", [segment(), listed(429), listed(429)]),
    Limited("one read", [segment(), listed(429)]),
    Limited("two reads before an answer", [segment(), listed(429), nowhere(429), segment()]),
]


@pytest.mark.parametrize("row", LIMITED, ids=ids(LIMITED))
def test_a_quota_is_two_reads_or_more_with_429_at_the_end(row: Limited):
    quota = facts.quota(evidence_of(*row.probes))
    at_the_end = row.probes[len(row.probes) - row.quota :]
    assert [id(probe) for probe in quota] == [id(probe) for probe in at_the_end]


@pytest.mark.parametrize("row", LIMITED, ids=ids(LIMITED))
def test_reads_with_429_are_no_outage(row: Limited):
    assert facts.outage(evidence_of(*row.probes)) == []


# -- paths -----------------------------------------------------------------------------------------


def file_at(path: str, status: int, content: Any = b"", file_id: str = "f1") -> Probe:
    """The read of one file at another path."""
    request = request_for(Question.FILE_PATH, path=path, file_id=file_id)
    return at_path(path, status, content, Question.FILE_PATH, request=request)


class Tried(NamedTuple):
    """
    Replies, and what came at each path.

    :ivar lists: the number of the reply that counts for a list at a path; ``files``: of one file.
    :ivar file_id: the file that was read last.
    """

    name: str
    probes: Sequence[Probe]
    lists: Mapping[str, int] = {}
    files: Mapping[str, int] = {}
    file_id: str = MADE_UP


ONE = "/one/{coupon_file_id}"
TRIED = [
    # Reads of lists.
    Tried("nothing", []),
    Tried("the list", [listed(404)], {GIVEN: 0}),
    Tried(
        "the list: the first that settles something counts",
        [listed(200, PAGE), listed(404), listed(200, [])],
        {GIVEN: 1},
    ),
    Tried(
        "the list: the first counts if none settles anything",
        [listed(200, PAGE), listed(401)],
        {GIVEN: 0},
    ),
    Tried(
        "other paths: the first reply at each counts",
        [
            listed(404),
            at_path("/a", 404),
            at_path("/b", 200, [], Question.WHOLE_LIST),
            at_path("/a", 200, []),
        ],
        {GIVEN: 0, "/a": 1, "/b": 2},
    ),
    Tried("another path alone", [at_path("/a", 200, [])], {"/a": 0}),
    # Reads of one file.
    Tried(
        "one file: the success counts, whatever comes before and after",
        [
            file_at(ONE, 404),
            file_at(ONE, 200, FILES[0]),
            file_at(ONE, 500, b"", "f3"),
            file_at(ONE, 404, b"", "f2"),
        ],
        files={ONE: 1},
        file_id="f2",
    ),
    Tried(
        "one file: the first of two successes counts",
        [file_at(ONE, 200, FILES[0]), file_at(ONE, 200, FILES[1], "f2")],
        files={ONE: 0},
        file_id="f2",
    ),
    Tried(
        "one file: the last of two failures counts",
        [file_at(ONE, 404), file_at(ONE, 401)],
        files={ONE: 1},
        file_id="f1",
    ),
]


@pytest.mark.parametrize("row", TRIED, ids=ids(TRIED))
def test_one_reply_counts_for_each_path(row: Tried):
    """The table has reads of lists, then reads of one file."""
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
    Upload("a redirect to another path", [redirected("/v2/files")], 0),
    Upload("a redirect to another host", [redirected("https://api.example.org/v2/files")], None),
    Upload(
        "a redirect to another host, and files elsewhere at this one",
        [redirected("https://api.example.org/v2/files"), at_path("/a", 200, FILES)],
        0,
    ),
    Upload(
        "a redirect to another port", [redirected("https://api.example.com:8443/v2/files")], None
    ),
    Upload("a redirect to another scheme", [redirected("http://api.example.com/v2/files")], 0),
    Upload(
        "files, then two redirects", [listed(200, FILES), redirected("/a"), redirected("/b")], 1
    ),
    Upload("a page with a location", [listed(200, PAGE, headers={"location": "/v2"})], None),
    Upload(
        "another path that is redirected",
        [redirected("/a", request=request_for(Question.LIST, path="/x"))],
        None,
    ),
]


@pytest.mark.parametrize("row", UPLOADS, ids=ids(UPLOADS))
def test_uploads_are_redirected_if_their_path_is_and_the_service_is_at_this_host(row: Upload):
    found = facts.redirect_of_uploads(evidence_of(*row.probes))
    assert found is (None if row.number is None else row.probes[row.number])


class Nowhere(NamedTuple):
    """
    A reply, those to paths that do not exist, and what follows if they are compared.

    :ivar knows: whether a 404 is not about the path; ``is_like``: whether a 403 is;
        ``is_of_gateway``: whether a gateway says so.
    """

    name: str
    probe: Probe
    others: Sequence[Probe]
    knows: bool = False
    is_like: bool = False
    is_of_gateway: bool = False


OF_AWS = error("", "Missing Authentication Token")
NOWHERES = [
    # A 404, which may be about something else than the path.
    Nowhere("another 404", listed(404, BAD), [nowhere()], knows=True),
    Nowhere("the same 404", listed(404, NOT_FOUND), [nowhere()]),
    Nowhere(
        "another 404, and then the same",
        listed(404, NOT_FOUND),
        [nowhere(404, BAD), nowhere()],
        knows=True,
    ),
    Nowhere("a 404 with a page", listed(404, PAGE), [nowhere()]),
    Nowhere("a 404 with nothing to compare with", listed(404, BAD), []),
    Nowhere("a 405", listed(405, BAD), [nowhere()]),
    Nowhere("the same 404, in a gateway's words", listed(404, OF_AWS), [nowhere(404, OF_AWS)]),
    # A 403, which may be about the path.
    Nowhere("a 403 with nothing to compare with", listed(403, BAD), []),
    Nowhere("the same 403", listed(403, BAD), [nowhere(403, BAD)], is_like=True),
    Nowhere(
        "the same 403, and then a 404",
        listed(403, BAD),
        [nowhere(403, BAD), nowhere()],
        is_like=True,
    ),
    Nowhere("a 404, and then the same 403", listed(403, BAD), [nowhere(), nowhere(403, BAD)]),
    Nowhere("a 403 with other words", listed(403, BAD), [nowhere(403, error("bad", "Other."))]),
    Nowhere("a 403 with another code", listed(403, BAD), [nowhere(403, FORBIDDEN)]),
    Nowhere(
        "the same 403, in a gateway's words",
        listed(403, OF_AWS),
        [nowhere(403, OF_AWS)],
        is_like=True,
        is_of_gateway=True,
    ),
    Nowhere(
        "a 403 in a gateway's words, and another 403", listed(403, OF_AWS), [nowhere(403, BAD)]
    ),
]


@pytest.mark.parametrize("row", NOWHERES, ids=ids(NOWHERES))
def test_a_404_is_not_about_the_path_if_another_one_comes_where_no_path_is(row: Nowhere):
    assert facts.knows_path(evidence_of(*row.others), row.probe) is row.knows


@pytest.mark.parametrize("row", NOWHERES, ids=ids(NOWHERES))
def test_a_403_is_about_the_path_if_the_same_comes_where_no_path_is(row: Nowhere):
    assert facts.is_like_nowhere(evidence_of(*row.others), row.probe) is row.is_like


@pytest.mark.parametrize("row", NOWHERES, ids=ids(NOWHERES))
def test_a_403_is_a_gateways_if_it_is_about_the_path_in_the_words_of_a_gateway(row: Nowhere):
    found = facts.is_no_path_of_gateway(evidence_of(*row.others), row.probe)
    assert found is row.is_of_gateway


HIDING = [
    Shown("a 404 about a scope", [listed(404, SCOPE)], True),
    Shown("a 403 about a scope", [listed(403, SCOPE)], False),
    Shown("a 404 about nothing", [listed(404, NOT_FOUND)], False),
]


@pytest.mark.parametrize("row", HIDING, ids=ids(HIDING))
def test_a_404_hides_what_there_is_if_its_words_are_about_a_permission(row: Shown):
    assert facts.hides(row.probes[0]) is row.holds


# -- what stands before the service ----------------------------------------------------------------


def changing(message: str, status: int = 400) -> Probe:
    """A refused upload."""
    request = requests.upload(SETTINGS, LIST, {"file_url": "https://files.example.com/a.csv"})
    return reply(status, error("", message), request=request, question=Question.WRITE)


class Failing(NamedTuple):
    """Replies, and how many of them are said to have failed; empty if that is not said."""

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
    Failing("three at a path that got nothing else", [*3 * [listed(502)], nowhere()], ""),
    Failing(
        "three at two paths, of which one got something else",
        [listed(502), *2 * [nowhere(500)], nowhere()],
        "3 of 4 replies were 500, 502",
    ),
    Failing(
        "three, and a made-up key got something else at their path",
        [*3 * [listed(500)], made_up()],
        "3 of 4 replies were 500",
    ),
    Failing(
        "three, the highest number first",
        [listed(520), listed(502), listed(502), listed(200, FILES)],
        "3 of 4 replies were 502, 520",
    ),
    Failing(
        "three of another method at the same path",
        [*3 * [changing("", 500)], listed(200, FILES)],
        "",
    ),
    Failing(
        "three by a limit, as their words say",
        [*3 * [listed(500, {"message": "Spike arrest violation"})], listed(200, FILES)],
        "",
    ),
    Failing("three with 499", [*3 * [listed(499)], listed(200, FILES)], ""),
]


@pytest.mark.parametrize("row", FAILURES, ids=ids(FAILURES))
def test_three_failures_are_counted_if_the_same_request_got_something_else(row: Failing):
    assert facts.failing_replies(evidence_of(*row.probes)) == row.says
