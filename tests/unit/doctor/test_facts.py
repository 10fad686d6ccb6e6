"""What reads show, as facts: each from a few replies, without any service."""

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
    campaign_key_on_segment,
    data_key_on_list,
    ids,
    listed,
    lost,
    made_up,
    made_up_list,
    made_up_segment,
    nowhere,
    one_file,
    redirected,
    segment,
    with_headers,
    with_made_up_value,
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
from wes_provider.doctor.facts import KeyFact, Standing, Swapped
from wes_provider.doctor.probes import Probe, Question

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
NO_ACCOUNT = error("", "Unknown workspace")


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
        "a 404 about an account everywhere but of the data key",
        [*2 * [listed(404, NO_ACCOUNT)], nowhere(404, NO_ACCOUNT), segment()],
        None,
    ),
    Objection(
        "a 404 about an account everywhere",
        [*2 * [listed(404, NO_ACCOUNT)], nowhere(404, NO_ACCOUNT), segment(404, NO_ACCOUNT)],
        0,
    ),
    Objection(
        "a 403 everywhere",
        [*2 * [listed(403, FORBIDDEN)], nowhere(403, FORBIDDEN), segment(403, FORBIDDEN)],
        0,
    ),
    Objection(
        "a 400 everywhere but of the data key",
        [*2 * [listed(400, BAD)], nowhere(400, BAD), segment()],
        0,
    ),
    Objection("a 404 that is about no account", [*2 * [listed(404, NOT_FOUND)], nowhere()], None),
    Objection(
        "keys that are swapped",
        [
            *2 * [listed(403, FORBIDDEN)],
            nowhere(403, FORBIDDEN),
            segment(403, FORBIDDEN),
            data_key_on_list(),
        ],
        None,
    ),
    Objection("a refusal", [*2 * [listed(401, b"")], nowhere(401, b"")], None),
]


@pytest.mark.parametrize("row", OBJECTIONS, ids=ids(OBJECTIONS))
def test_an_error_is_about_each_request_if_all_get_it(row: Objection):
    found = facts.objection(evidence_of(*row.probes))
    if row.number is None:
        assert found is None
    else:
        assert found is row.probes[row.number]


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


SERVICES = [
    Shown("nothing", [], False),
    Shown("a campaign key that is told apart", [listed(200, []), made_up(401, b"")], True),
    Shown(
        "a data key that is told apart", [*2 * [segment(404, b"")], made_up_segment(401, b"")], True
    ),
    Shown("an error as documented", [nowhere()], True),
    Shown("an error not as documented", [nowhere(404, GONE)], False),
    Shown("an error as documented, with a 5xx", [listed(503, NOT_FOUND)], False),
    Shown("files here, and none elsewhere", [listed(200, FILES), nowhere(404, GONE)], True),
    Shown("files everywhere", [listed(200, FILES), nowhere(200, FILES)], False),
    Shown("files, and no other path was read", [listed(200, FILES)], False),
    Shown("no file, and none elsewhere", [listed(200, []), nowhere(404, GONE)], False),
]


@pytest.mark.parametrize("row", SERVICES, ids=ids(SERVICES))
def test_the_service_shows_itself_by_keys_told_apart_its_errors_or_files_at_one_path(row: Shown):
    assert facts.is_service(evidence_of(*row.probes)) is row.holds


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


# -- keys ------------------------------------------------------------------------------------------


class Key(NamedTuple):
    """Replies, and how the service takes one key."""

    name: str
    probes: Sequence[Probe]
    standing: Standing


SCOPE = error("", "The key lacks the scope coupons:read")
KEYS = [
    # The own key alone: without an answer, or without a comparison.
    Key("nothing", [], Standing.NO_ANSWER),
    Key("no reply", [lost()], Standing.NO_ANSWER),
    Key("no reply to the own key", [lost(), made_up()], Standing.NO_ANSWER),
    Key("files, and no made-up key", [listed(200, FILES)], Standing.NOT_SHOWN),
    # The own key is refused, or refused and accepted.
    Key("refused", [listed(401)], Standing.REFUSED_ONCE),
    Key("refused twice", [listed(401), listed(401)], Standing.REFUSED),
    Key("refused, as a made-up one", [listed(401, b""), made_up(401, b"")], Standing.REFUSED_ONCE),
    Key("refused, then accepted", [listed(401), listed(200, FILES)], Standing.BOTH),
    Key("accepted, then refused", [listed(200, FILES), listed(401)], Standing.BOTH),
    Key(
        "refused once, and a page counts as a second",
        [listed(401), listed(200, PAGE)],
        Standing.REFUSED,
    ),
    # The own key gets files, or the list without a file; then: what a made-up key gets.
    Key("files, and a refusal", [listed(200, FILES), made_up()], Standing.ACCEPTED_ONCE),
    Key("files twice, and a refusal", [*2 * [listed(200, FILES)], made_up()], Standing.ACCEPTED),
    Key("files, and the same", [listed(200, FILES), made_up(200, FILES)], Standing.NOT_SHOWN),
    Key(
        "files, and other files",
        [listed(200, FILES), made_up(200, OTHER_FILES)],
        Standing.ACCEPTED_ONCE,
    ),
    Key(
        "files, and some of them", [listed(200, FILES), made_up(200, FILES[:1])], Standing.NOT_SHOWN
    ),
    Key("files, and no file", [listed(200, FILES), made_up(200, [])], Standing.ACCEPTED_ONCE),
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
    Key("no file, and a refusal", [listed(200, []), made_up()], Standing.ACCEPTED_ONCE),
    Key("no file, and a page", [listed(200, []), made_up(200, PAGE)], Standing.ACCEPTED_ONCE),
    Key(
        "no file, and a redirect",
        [listed(200, []), redirected("/login", question=Question.MADE_UP_KEY)],
        Standing.ACCEPTED_ONCE,
    ),
    # The own key gets a page.
    Key("a 404 with a page, and a refusal", [listed(404, PAGE), made_up()], Standing.ACCEPTED_ONCE),
    Key("a 405 with a page, and a refusal", [listed(405, PAGE), made_up()], Standing.ACCEPTED_ONCE),
    Key("a 406 with a page, and a refusal", [listed(406, PAGE), made_up()], Standing.NOT_SHOWN),
    Key(
        "a 404 with a page, and a redirect",
        [listed(404, PAGE), redirected("/login", question=Question.MADE_UP_KEY)],
        Standing.NOT_SHOWN,
    ),
    # The own key gets an error, and a made-up one a 403.
    Key(
        "a 404, and a 403",
        [listed(404, NOT_FOUND), made_up(403, FORBIDDEN)],
        Standing.ACCEPTED_ONCE,
    ),
    Key("a 403, and another 403", [listed(403, FORBIDDEN), made_up(403, BAD)], Standing.NOT_SHOWN),
    Key(
        "a 403 about a scope, and a 403 about something else",
        [listed(403, SCOPE), made_up(403, FORBIDDEN)],
        Standing.ACCEPTED_ONCE,
    ),
    Key(
        "a 403 about a scope, and the same",
        [listed(403, SCOPE), made_up(403, SCOPE)],
        Standing.NOT_SHOWN,
    ),
    Key(
        "a 400 about a scope, and a 403",
        [listed(400, SCOPE), made_up(403, FORBIDDEN)],
        Standing.ACCEPTED_ONCE,
    ),
    # The own key gets a 404, and a made-up one a 404.
    Key(
        "a 404 once, and another 404",
        [listed(404, NOT_FOUND), made_up(404, BAD)],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the same 404 twice, and another 404",
        [*2 * [listed(404, NOT_FOUND)], made_up(404, BAD)],
        Standing.ACCEPTED,
    ),
    Key(
        "two different 404, and another 404",
        [listed(404, NOT_FOUND), listed(404, FORBIDDEN), made_up(404, BAD)],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the same 404 twice, and the same",
        [*2 * [listed(404, NOT_FOUND)], made_up(404, NOT_FOUND)],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the same 404 twice, and another 404, but made-up keys are refused",
        [*2 * [listed(404, NOT_FOUND)], made_up(404, BAD), made_up_segment()],
        Standing.NOT_SHOWN,
    ),
    # Several reads with a made-up key.
    Key(
        "files, and first the same, then a refusal",
        [listed(200, FILES), made_up(200, FILES), made_up()],
        Standing.NOT_SHOWN,
    ),
    Key(
        "files, and first no reply, then a refusal",
        [listed(200, FILES), lost(question=Question.MADE_UP_KEY), made_up()],
        Standing.ACCEPTED_ONCE,
    ),
    # The own key gets what is odd, and the list alone is odd.
    Key("no JSON, and a refusal", [ODD, nowhere(), made_up()], Standing.ACCEPTED_ONCE),
    Key("no JSON, and a 403", [ODD, nowhere(), made_up(403)], Standing.ACCEPTED_ONCE),
    Key("no JSON, and a 404", [ODD, nowhere(), made_up(404)], Standing.NOT_SHOWN),
    Key(
        "a redirect to a login, and a refusal",
        [redirected("/login"), nowhere(), made_up()],
        Standing.NOT_SHOWN,
    ),
    Key(
        "a redirect to a download, and a refusal",
        [redirected("https://files.example.org/a.csv"), nowhere(), made_up()],
        Standing.ACCEPTED_ONCE,
    ),
    # The own key is refused at the path of a file.
    Key(
        "files, and a refusal, but a file is refused",
        [listed(200, FILES), made_up(), one_file(401)],
        Standing.BOTH,
    ),
    Key(
        "files, and a refusal, but a file is refused, and each path that does not exist",
        [listed(200, FILES), made_up(), one_file(401), nowhere(401)],
        Standing.ACCEPTED_ONCE,
    ),
    Key(
        "files, and a refusal, but a file is refused, and one of two paths that do not exist",
        [listed(200, FILES), made_up(), one_file(401), nowhere(401), nowhere()],
        Standing.BOTH,
    ),
    Key(
        "files, and no made-up key, and a file is refused",
        [listed(200, FILES), one_file(401)],
        Standing.NOT_SHOWN,
    ),
]


@pytest.mark.parametrize("row", KEYS, ids=ids(KEYS))
def test_the_standing_of_the_campaign_key_follows_from_its_answers_and_those_of_a_made_up_one(
    row: Key,
):
    """
    The table has the own key alone; refused; with files; with a page; with an error beside a 403;
    with a 404 beside a 404; several made-up reads; odd lists; and refusals at the path of a file.
    """
    assert facts.campaign_key(evidence_of(*row.probes)).standing is row.standing


ACCEPTED = {Standing.ACCEPTED, Standing.ACCEPTED_ONCE}


@pytest.mark.parametrize("standing", Standing)
def test_a_key_is_accepted_once_or_several_times(standing: Standing):
    assert KeyFact(standing).is_accepted is (standing in ACCEPTED)


ERROR_OF_KEYS = {"result": "FAIL", "code": "E7", "message": "Unknown key."}
IN_SUCCESS = [
    Key(
        "the data key gets the error of made-up ones, while the campaign key gets files",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.REFUSED_ONCE,
    ),
    # The campaign key does not get files each time.
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
        "the campaign key was not read",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "one of two reads with the campaign key gets it",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            listed(200, ERROR_OF_KEYS),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    # The data key does not get an error of made-up keys in a success.
    Key(
        "the data key gets another error",
        [
            segment(200, error("x", "No.")),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the error comes with 404",
        [
            segment(404, ERROR_OF_KEYS),
            made_up_segment(404, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(404, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "a made-up key gets another error for coupons",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(200, error("x", "No.")),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "made-up keys get no error",
        [
            segment(200, {"a": 1}),
            made_up_segment(200, {"a": 1}),
            listed(200, FILES),
            made_up(200, {"a": 1}),
        ],
        Standing.NOT_SHOWN,
    ),
]


@pytest.mark.parametrize("row", IN_SUCCESS, ids=ids(IN_SUCCESS))
def test_a_data_key_is_refused_that_gets_the_error_of_made_up_keys_while_the_other_gets_files(
    row: Key,
):
    assert facts.data_key(evidence_of(*row.probes)).standing is row.standing


def test_the_reads_of_a_key_stand_in_their_order_those_without_a_reply_after_them():
    probes = [lost(), listed(404, NOT_FOUND), made_up(), listed(200, FILES)]
    fact = facts.campaign_key(evidence_of(*probes))
    assert [id(probe) for probe in fact.probes] == [id(probes[at]) for at in (1, 3, 0, 2)]
    assert KeyFact(Standing.NO_ANSWER).probes == []


def test_the_campaign_key_is_judged_at_the_path_that_a_made_up_one_was_sent_to():
    request = request_for(Question.LIST, path="/other/{coupon_list_id}")
    probes = [
        listed(200, FILES),
        listed(401, request=request),
        made_up(401, request=request),
        made_up(200, FILES),
    ]
    assert facts.campaign_key(evidence_of(*probes)).standing is Standing.REFUSED_ONCE


X_APP_ID = changed(workspace_header="X-App-Id")
FOUND_IN_X_APP_ID = [
    *2 * [listed(401)],
    *2 * [with_headers("X-App-Id")],
    with_made_up_value("X-App-Id"),
]


def test_reads_with_a_header_that_is_proved_are_those_of_the_campaign_key():
    evidence = evidence_of(*FOUND_IN_X_APP_ID)
    fact = facts.campaign_key(evidence)
    assert [id(probe) for probe in fact.own] == [id(probe) for probe in FOUND_IN_X_APP_ID[2:4]]
    assert fact.standing is Standing.NOT_SHOWN


def test_reads_with_a_header_that_is_proved_are_those_of_the_data_key():
    with_header = segment(404, request=requests.read_segment(X_APP_ID, MADE_UP))
    fact = facts.data_key(evidence_of(*FOUND_IN_X_APP_ID, with_header, segment(401)))
    assert [id(probe) for probe in fact.own] == [id(with_header)]


def test_a_read_with_a_header_that_is_proved_is_what_came_at_the_path_of_the_list():
    lists = facts.places(evidence_of(*FOUND_IN_X_APP_ID)).lists
    assert {path: id(probe) for path, probe in lists.items()} == {GIVEN: id(FOUND_IN_X_APP_ID[2])}


def test_the_read_of_the_path_of_uploads_has_the_header_that_is_proved():
    read = facts.read_of_upload_path(evidence_of(*FOUND_IN_X_APP_ID))
    assert read == request_for(Question.LIST, X_APP_ID)


class Said(NamedTuple):
    """Answers to the own key, and what is said of the first of them."""

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
    Said("no words, then a reason", [listed(418), listed(401, EXPIRED)], "418", "418"),
    Said(
        "a reason, then no words",
        [listed(401, EXPIRED), listed(418)],
        "401 key-expired",
        "401 key-expired: 'The key has expired'",
        names_a_reason=True,
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
def test_the_first_answer_to_the_own_key_is_quoted(row: Said):
    fact = KeyFact(Standing.NOT_SHOWN, row.own)
    assert fact.own_answer == row.answer
    assert fact.own_says == row.says


@pytest.mark.parametrize("row", SAID, ids=ids(SAID))
def test_the_first_answer_to_the_own_key_says_what_became_of_the_key_or_what_it_lacks(row: Said):
    fact = KeyFact(Standing.NOT_SHOWN, row.own)
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
    Shown("a 404, then a file", [listed(404, NOT_FOUND), one_file(200, FILES[0])], True),
]


@pytest.mark.parametrize("row", WITH_FILES, ids=ids(WITH_FILES))
def test_the_campaign_key_has_got_files_if_a_read_with_it_got_a_list_or_a_file(row: Shown):
    assert facts.has_got_files(evidence_of(*row.probes)) is row.holds


class Host(NamedTuple):
    """Replies, whether segments get replies here, and whether they are on another host."""

    name: str
    probes: Sequence[Probe]
    answers: bool = False
    is_elsewhere: bool = False


ELSEWHERE = error("wrong-host", "Segments are at https://segments.example.com")
HOSTS = [
    Host("nothing", []),
    Host("a 404", [listed(200, FILES), segment()], answers=True),
    Host("a refusal", [listed(200, FILES), segment(401)], answers=True),
    Host("a page", [listed(200, FILES), segment(200, PAGE)]),
    Host("no reply", [listed(200, FILES), lost(question=Question.DATA_KEY)]),
    Host("a page, then a 404", [listed(200, FILES), segment(200, PAGE), segment()], answers=True),
    Host("another host", [listed(200, FILES), segment(421, ELSEWHERE)], is_elsewhere=True),
    Host(
        "another host, then a 404",
        [listed(200, FILES), segment(421, ELSEWHERE), segment()],
        answers=True,
    ),
    Host("another host, but coupons get a page", [listed(200, PAGE), segment(421, ELSEWHERE)]),
    Host(
        "another host, and that for coupons, too",
        [listed(421, ELSEWHERE), segment(421, ELSEWHERE)],
    ),
]


@pytest.mark.parametrize("row", HOSTS, ids=ids(HOSTS))
def test_segments_get_replies_here_unless_these_name_another_host(row: Host):
    assert facts.answers_segments(evidence_of(*row.probes)) is row.answers


@pytest.mark.parametrize("row", HOSTS, ids=ids(HOSTS))
def test_segments_are_on_another_host_if_each_read_names_one_and_coupons_are_here(row: Host):
    evidence = evidence_of(*row.probes)
    assert facts.is_on_other_host(evidence, facts.data_key(evidence)) is row.is_elsewhere


SILENT = [
    Shown("no file", [listed(200, FILES), made_up(200, [])], True),
    Shown("a refusal", [listed(200, FILES), made_up()], False),
    Shown("an error with 200", [listed(200, FILES), made_up(200, BAD)], False),
    Shown("a page", [listed(200, FILES), made_up(200, PAGE)], False),
    Shown("no read with a made-up key", [listed(200, FILES)], False),
    Shown("the same files", [listed(200, FILES), made_up(200, FILES)], False),
    Shown(
        "no file, while the own key gets 404 twice",
        [*2 * [listed(404, NOT_FOUND)], made_up(200, [])],
        False,
    ),
]


@pytest.mark.parametrize("row", SILENT, ids=ids(SILENT))
def test_a_made_up_key_is_refused_silently_if_it_gets_a_success_in_place_of_files(row: Shown):
    found = facts.silent_refusal(evidence_of(*row.probes))
    assert (found is row.probes[-1]) is row.holds
    assert (found is not None) is row.holds


class Refused(NamedTuple):
    """
    Replies, and what is refused.

    :ivar numbers: of the reads of a file that are refused, while others at paths are not.
    :ivar refuses_all: whether each read of a path that does not exist is refused.
    """

    name: str
    probes: Sequence[Probe]
    numbers: Sequence[int] = ()
    refuses_all: bool = False


REFUSALS = [
    Refused("nothing", []),
    Refused(
        "a file and another path of the list",
        [one_file(401), at_path("/a", 401), one_file(404), listed(401)],
        numbers=[0, 1],
    ),
    Refused(
        "a file and each path that does not exist", [one_file(401), nowhere(401)], refuses_all=True
    ),
    Refused(
        "a file and one of two paths that do not exist",
        [one_file(401), nowhere(401), nowhere()],
        numbers=[0],
    ),
]


@pytest.mark.parametrize("row", REFUSALS, ids=ids(REFUSALS))
def test_reads_of_a_file_are_refused_elsewhere_unless_each_path_that_does_not_exist_is(
    row: Refused,
):
    found = facts.refused_elsewhere(evidence_of(*row.probes))
    assert [id(probe) for probe in found] == [id(row.probes[number]) for number in row.numbers]


@pytest.mark.parametrize("row", REFUSALS, ids=ids(REFUSALS))
def test_a_path_that_does_not_exist_is_refused_if_each_read_of_one_is(row: Refused):
    assert facts.refuses_no_such_path(evidence_of(*row.probes)) is row.refuses_all


class Swap(NamedTuple):
    """Replies, and which key is accepted in the other's place."""

    name: str
    probes: Sequence[Probe]
    swapped: Swapped


REFUSED_BOTH = [listed(401), segment(401)]
SWAPS = [
    # Each key is refused in its own place.
    Swap("no read in the other's place", REFUSED_BOTH, Swapped(campaign=False, data=False)),
    Swap(
        "both are accepted",
        [*REFUSED_BOTH, data_key_on_list(), campaign_key_on_segment()],
        Swapped(campaign=True, data=True),
    ),
    Swap(
        "the data key is accepted for coupons",
        [*REFUSED_BOTH, data_key_on_list(), campaign_key_on_segment(401)],
        Swapped(campaign=False, data=True),
    ),
    Swap(
        "the campaign key is accepted for segments",
        [*REFUSED_BOTH, campaign_key_on_segment()],
        Swapped(campaign=True, data=False),
    ),
    Swap(
        "a 403 in the other's place",
        [*REFUSED_BOTH, data_key_on_list(403), campaign_key_on_segment(403)],
        Swapped(campaign=False, data=False),
    ),
    Swap(
        "a page in the other's place",
        [*REFUSED_BOTH, data_key_on_list(200, PAGE)],
        Swapped(campaign=False, data=False),
    ),
    # What shows that a place keeps keys out.
    Swap(
        "each key gets 404 in its own place",
        [listed(404), segment(404), data_key_on_list(), campaign_key_on_segment()],
        Swapped(campaign=False, data=False),
    ),
    Swap(
        "each key gets 403 in its own place",
        [listed(403), segment(403), data_key_on_list(), campaign_key_on_segment()],
        Swapped(campaign=True, data=True),
    ),
    Swap(
        "the campaign key is accepted once, and a made-up one is not",
        [listed(200, FILES), made_up(), data_key_on_list()],
        Swapped(campaign=False, data=True),
    ),
    Swap(
        "the data key is accepted twice, and a made-up one is not",
        [*2 * [segment()], made_up_segment(), campaign_key_on_segment()],
        Swapped(campaign=True, data=False),
    ),
    Swap(
        "the campaign key gets 404, then it is refused",
        [listed(404), listed(401), data_key_on_list()],
        Swapped(campaign=False, data=True),
    ),
]


@pytest.mark.parametrize("row", SWAPS, ids=ids(SWAPS))
def test_a_key_is_swapped_that_is_accepted_in_the_others_place_where_another_key_is_kept_out(
    row: Swap,
):
    """The table has what comes in the other's place, then what shows that keys are kept out."""
    assert facts.swapped_keys(evidence_of(*row.probes)) == row.swapped


@pytest.mark.parametrize("campaign", [False, True])
@pytest.mark.parametrize("data", [False, True])
def test_both_keys_are_swapped_if_each_is(campaign: bool, data: bool):
    assert Swapped(campaign, data).are_both is (campaign and data)


ANOTHER = [
    Shown("nothing", [], False),
    Shown("a 403 of another code", [segment(403, BAD)], True),
    Shown("the documented 403", [segment(403, error("request-forbidden", "No."))], False),
    Shown(
        "a 403 of another code, then the documented one",
        [segment(403, BAD), segment(403, error("request-forbidden", "No."))],
        True,
    ),
    Shown("a 403, then a 404", [segment(403, BAD), segment()], False),
    Shown("a page", [segment(403, PAGE)], False),
    Shown("a 404", [segment()], False),
]


@pytest.mark.parametrize("row", ANOTHER, ids=ids(ANOTHER))
def test_a_key_may_be_another_one_if_each_read_gets_403_and_the_first_is_not_as_documented(
    row: Shown,
):
    assert facts.may_be_another_key(KeyFact(Standing.NOT_SHOWN, row.probes)) is row.holds


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


# -- words -----------------------------------------------------------------------------------------


class Words(NamedTuple):
    """A reply, its words, and what is said of it."""

    name: str
    probe: Probe
    words: str
    says: str


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
def test_words_of_a_reply_are_quoted_as_the_end_of_a_sentence(row: Words):
    assert facts.words_of(row.probe) == row.words


@pytest.mark.parametrize("row", WORDS, ids=ids(WORDS))
def test_a_reply_is_quoted_with_its_status_and_its_request(row: Words):
    assert facts.says(row.probe) == row.says


def test_the_middle_of_long_words_is_left_out():
    words = facts.words_of(listed(400, error("", "one " * 30 + "two " * 30)))
    assert words == f": '{'one ' * 24}… {'two ' * 24}two'"


class Advice(NamedTuple):
    """A reply, and what to do about it."""

    name: str
    probe: Probe
    advice: str
    support: str = "ask the service's support."


def changing(message: str, status: int = 400) -> Probe:
    """A refused upload."""
    request = requests.upload(SETTINGS, LIST, {"file_url": "https://files.example.com/a.csv"})
    return reply(status, error("", message), request=request, question=Question.WRITE)


NOT_BY_ANY_SETTING = (
    "The provider sends POST to this path, and no setting changes either: ask the service's "
    "support to take that."
)
ADVICE = [
    # What the words of a reply are about.
    Advice("nothing said", listed(400, BAD), "Ask the service's support."),
    Advice("another support", listed(400, BAD), "Ask Anna, ÄÖ.", "ask Anna, ÄÖ."),
    Advice(
        "a scope",
        listed(403, SCOPE),
        "Ask an administrator of the account for a key with what it lacks.",
    ),
    Advice(
        "a path, and words that ask for something",
        listed(404, error("", "Please give it in the path")),
        "Do what it says, or ask Anna.",
        "ask Anna.",
    ),
    Advice(
        "words that ask for something",
        listed(400, error("", "Please accept the terms.")),
        "Do what it says, or ask the service's support.",
    ),
    Advice(
        "words that say until when",
        listed(400, error("", "Closed until 22:00.")),
        "Wait until then, and run this again.",
    ),
    # What a reply shows by itself.
    Advice(
        "another host",
        segment(421, ELSEWHERE),
        "Segments (/v3) are at https://segments.example.com, by the service's words: leave this "
        "connection for coupons, and make a second one with that Address and the Data API key as "
        "its password. Name it in the tasks that update segments, and run wes-doctor --conn-id ID "
        "on it.",
    ),
    Advice(
        "a limit of too few requests",
        listed(429, error("", "5 requests per day")),
        "5 requests a day are too few for a wait, which reads each file dozens of times an hour, "
        "and for this command, which sends about 10 reads: to wait does not help. Ask the "
        "service's support for more.",
    ),
    Advice("a limit without a number", listed(429), "Ask the service's support."),
    # What the provider does not send.
    Advice(
        "what is not sent, of a read",
        listed(400, error("", "Header If-Match is required")),
        "The provider does not send If-Match, and no setting adds it: ask the service's support, "
        "or whoever runs the gateway, to accept reads without it.",
    ),
    Advice(
        "what is not sent, of an upload",
        changing("Header If-Match is required"),
        "The provider does not send If-Match, and no setting adds it: ask the service's support, "
        "or whoever runs the gateway, to accept requests without it.",
    ),
    Advice(
        "what is not sent, of an update",
        reply(
            400,
            error("", "Header If-Match is required"),
            request=requests.update_segment(SETTINGS, "s", {}),
        ),
        "The provider does not send If-Match, and no setting adds it: ask the service's support, "
        "or whoever runs the gateway, to accept updates without it.",
    ),
    # Another method than the provider's.
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
    # A member that the body lacks.
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
        "The provider does not send colour, and no setting adds it: ask the service's support to "
        "accept requests without it.",
    ),
    Advice(
        "a member, of a read",
        listed(400, error("", "missing field colour")),
        "Ask the service's support.",
    ),
]


@pytest.mark.parametrize("row", ADVICE, ids=ids(ADVICE))
def test_what_to_do_about_a_reply_follows_from_its_words(row: Advice):
    """
    The table has what the words are about, what a reply shows by itself, what the provider does not
    send, another method, and members of the body.
    """
    assert facts.advice_of(row.probe, row.support) == row.advice


def test_by_default_the_support_is_asked():
    assert facts.advice_of(listed(400, BAD)) == "Ask the service's support."


def test_another_scheme_than_basic_is_said_with_what_to_do():
    bearer = listed(401, headers={"www-authenticate": "Bearer"})
    assert facts.advice_of_scheme(bearer) == (
        "What replied demands Bearer (its WWW-Authenticate says so), and the provider sends "
        "Basic credentials only: a gateway may be before the service, and the keys may be right, "
        "so change none. Ask whoever runs it to take Basic, or for another address."
    )


def test_nothing_is_to_do_about_the_scheme_basic():
    assert facts.advice_of_scheme(listed(401, headers={"www-authenticate": "Basic"})) == ""


# -- what stands before the service ----------------------------------------------------------------


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
