"""
What the reads of a service show of its list, of an error that may be about each request, of segments,
and of paths that do not exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    LIST_AT,
    NOT_FOUND,
    PAGE,
    ids,
    listed,
    lost,
    made_up,
    nowhere,
    one_file,
    redirected,
    segment,
)
from support.doctor_replies import (
    changed,
    error,
    evidence_of,
    reply,
    request_for,
)
from wes_provider.client.failures import INCOMPLETE
from wes_provider.doctor import facts
from wes_provider.doctor.evidence import MADE_UP
from wes_provider.doctor.probes import Probe, Question


class Shown(NamedTuple):
    """Replies, and whether they show something."""

    name: str
    probes: Sequence[Probe]
    holds: bool


JSON = {"content-type": "application/json"}
ODD = reply(200, "no JSON", JSON)
UNEXAMINABLE = [
    # No answer.
    Shown("nothing was read", [], holds=True),
    Shown("the list gets nothing, but others got replies", [lost(), segment()], holds=True),
    Shown("a response began", [lost(INCOMPLETE)], holds=False),
    Shown(
        "a response began, but each other read is lost",
        [lost(INCOMPLETE), lost(question=Question.NO_SUCH_PATH)],
        holds=True,
    ),
    Shown(
        "a response began, and one other read got a reply",
        [lost(INCOMPLETE), lost(question=Question.NO_SUCH_PATH), nowhere()],
        holds=False,
    ),
    # An answer of a service, or a page.
    Shown("files", [listed(200, FILES)], holds=False),
    Shown("a refusal", [listed(401)], holds=False),
    Shown("a page, then an answer", [listed(200, PAGE), listed(200, FILES)], holds=False),
    Shown("an answer, then a page", [listed(200, FILES), listed(200, PAGE)], holds=False),
    Shown("a page", [listed(200, PAGE)], holds=True),
    Shown("a page with 404", [listed(404, PAGE)], holds=False),
    Shown("a page with 405", [listed(405, PAGE)], holds=False),
    Shown("a page with 403", [listed(403, PAGE)], holds=True),
    Shown("a page with 406", [listed(406, PAGE)], holds=True),
    Shown("a page with 200, then 404", [listed(200, PAGE), listed(404, PAGE)], holds=False),
    Shown("a page with 404, then 200", [listed(404, PAGE), listed(200, PAGE)], holds=True),
    # A redirect, or what cannot be read.
    Shown("a redirect to a login", [redirected("/login")], holds=True),
    Shown("a redirect to another path of the list", [redirected(f"{LIST_AT}/")], holds=False),
    Shown("what is no JSON", [ODD], holds=True),
    Shown("what is no JSON, and an error elsewhere", [ODD, nowhere()], holds=False),
]


@pytest.mark.parametrize("row", UNEXAMINABLE, ids=ids(UNEXAMINABLE))
def test_a_service_is_unexaminable_if_its_list_gets_no_answer_and_no_other_reply_shows_that_one_may(
    row: Shown,
):
    """The table has no answer; an answer or a page; and a redirect or what cannot be read."""
    assert facts.is_unexaminable(evidence_of(*row.probes)) is row.holds


ODD_ALONE = [
    Shown("no answer", [], holds=False),
    Shown("what is no JSON", [ODD], holds=True),
    Shown("JSON", [listed(200, FILES)], holds=False),
    Shown("no JSON, then JSON", [ODD, listed(200, FILES)], holds=False),
    Shown("JSON, then no JSON", [listed(200, FILES), ODD], holds=False),
    Shown("a web page with 400", [listed(400, PAGE)], holds=True),
    Shown("a web page with 200", [listed(200, PAGE)], holds=True),
    Shown("a web page with 404, as of no path", [listed(404, PAGE)], holds=False),
    Shown("a web page with 405, as of no path", [listed(405, PAGE)], holds=False),
    Shown("what is wrapped", [reply(200, 'x({"a": 1});', JSON)], holds=True),
    Shown(
        "text that says it is text",
        [reply(200, "no JSON", {"content-type": "text/plain"})],
        holds=False,
    ),
    Shown("a redirect to a login here", [redirected("/login")], holds=True),
    Shown("a redirect to another host", [redirected("https://files.example.org/a")], holds=True),
    Shown(
        "a redirect of the same path to another host",
        [redirected(f"https://api.example.org{LIST_AT}")],
        holds=False,
    ),
    Shown("a redirect to another path of the list", [redirected(f"{LIST_AT}/")], holds=False),
    Shown("a redirect to itself", [redirected(LIST_AT)], holds=False),
    Shown("no JSON, then a redirect to itself", [ODD, redirected(LIST_AT)], holds=False),
    Shown("a redirect to itself, then no JSON", [redirected(LIST_AT), ODD], holds=True),
]


@pytest.mark.parametrize("row", ODD_ALONE, ids=ids(ODD_ALONE))
def test_the_list_may_be_odd_alone_if_each_answer_to_it_is_odd(row: Shown):
    """
    An answer is odd if it is JSON that cannot be read, a web page, or a redirect. After a redirect in the end,
    the list may be odd alone only if that leads to no place of the service.
    """
    assert facts.may_be_odd_alone(evidence_of(*row.probes)) is row.holds


LIST_ODD = [
    Shown("no other path was read", [ODD], holds=False),
    Shown("an error elsewhere", [ODD, nowhere()], holds=True),
    Shown("a refusal elsewhere", [ODD, nowhere(401)], holds=True),
    Shown("a success elsewhere", [ODD, nowhere(200, [])], holds=False),
    Shown("a page elsewhere", [ODD, nowhere(404, PAGE)], holds=False),
    Shown("a page, then an error elsewhere", [ODD, nowhere(404, PAGE), nowhere()], holds=True),
    Shown("an error elsewhere, but files", [listed(200, FILES), nowhere()], holds=False),
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
    Shown("nothing", [], holds=False),
    Shown("nothing came", [lost()], holds=False),
    Shown("a response began", [lost(f"{INCOMPLETE}: 3 bytes")], holds=True),
    Shown("another problem, with these words in it", [lost(f"x {INCOMPLETE}")], holds=False),
    Shown("500", [listed(500)], holds=True),
    Shown("599", [listed(599)], holds=True),
    Shown("a limit", [listed(429)], holds=False),
    Shown("words of a maintenance", [listed(403, MAINTENANCE)], holds=True),
    Shown("no reply, then 502", [lost(), listed(502)], holds=True),
    Shown("no reply, and 500 at another path", [lost(), nowhere(500)], holds=False),
]


@pytest.mark.parametrize("row", REACHED, ids=ids(REACHED))
def test_something_is_reached_if_a_response_began_failed_or_says_why_it_settles_nothing(row: Shown):
    assert facts.is_reached(evidence_of(*row.probes)) is row.holds


CUT_OFF = lost(f"{INCOMPLETE} 200: IncompleteRead")
FAILING = [
    Shown("nothing", [], holds=False),
    Shown("nothing else was read", [listed(500)], holds=False),
    Shown("others reply", [listed(500), nowhere()], holds=True),
    Shown(
        "one of two failed, and one got a limit", [listed(500), listed(429), nowhere()], holds=False
    ),
    Shown("both failed", [listed(500), listed(502), nowhere()], holds=True),
    Shown("others fail, too", [listed(500), nowhere(503)], holds=False),
    Shown("only a made-up key gets a reply", [listed(500), made_up(401)], holds=False),
    Shown("one of two others gets a reply", [listed(500), nowhere(503), segment()], holds=True),
    Shown("cut off, and others reply", [CUT_OFF, nowhere()], holds=True),
    Shown(
        "one of two is cut off, and one got a limit", [CUT_OFF, listed(429), nowhere()], holds=False
    ),
    Shown("begun, but too slow", [lost(f"{INCOMPLETE} 200: ReadTimeout"), nowhere()], holds=False),
    Shown("closed before it began", [lost("RemoteDisconnected"), nowhere()], holds=False),
]


@pytest.mark.parametrize("row", FAILING, ids=ids(FAILING))
def test_the_list_fails_alone_if_each_read_of_it_fails_and_another_with_an_own_key_gets_an_answer(
    row: Shown,
):
    assert facts.is_list_failing_alone(evidence_of(*row.probes)) is row.holds


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
    General("400", listed(400), is_objection=True, may_be_general=True),
    General("399", listed(399), is_objection=False, may_be_general=False),
    General("404", listed(404, NOT_FOUND), is_objection=False, may_be_general=False),
    General("405", listed(405, NOT_FOUND), is_objection=False, may_be_general=False),
    General("406", listed(406), is_objection=True, may_be_general=True),
    General("401", listed(401), is_objection=False, may_be_general=False),
    General("a page", listed(403, PAGE), is_objection=False, may_be_general=False),
    General(
        "an error in a success",
        listed(200, error("x", "No.")),
        is_objection=True,
        may_be_general=True,
    ),
    General(
        "a 404 in a success",
        listed(200, {"error": {"code": 404, "message": "No."}}),
        is_objection=False,
        may_be_general=False,
    ),
    General("a success", listed(200, FILES), is_objection=False, may_be_general=False),
    General(
        "404 about a path",
        listed(404, error("", "No tenant in /{tenant}/ given")),
        is_objection=False,
        may_be_general=True,
    ),
    General(
        "404 about an account",
        listed(404, error("", "Unknown workspace")),
        is_objection=False,
        may_be_general=True,
    ),
    General(
        "404 about a shard",
        listed(404, error("", "Account is not in this shard")),
        is_objection=False,
        may_be_general=True,
    ),
    General(
        "405 about an account",
        listed(405, error("", "Unknown workspace")),
        is_objection=False,
        may_be_general=False,
    ),
    General(
        "404 about an account by its code",
        listed(404, error("unknown workspace", "No.")),
        is_objection=False,
        may_be_general=True,
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


ELSEWHERE = error("wrong-host", "Segments are at https://segments.example.com")
SEGMENTS = [
    Shown("nothing", [], holds=False),
    Shown("a 404", [segment()], holds=True),
    Shown("a refusal", [segment(401)], holds=True),
    Shown("a page", [segment(200, PAGE)], holds=False),
    Shown("no reply", [lost(question=Question.DATA_KEY)], holds=False),
    Shown("a page, then a 404", [segment(200, PAGE), segment()], holds=True),
    Shown("another host", [segment(421, ELSEWHERE)], holds=False),
    Shown("another host, then a 404", [segment(421, ELSEWHERE), segment()], holds=True),
    Shown("a 404 for the list alone", [listed(404, NOT_FOUND)], holds=False),
]


@pytest.mark.parametrize("row", SEGMENTS, ids=ids(SEGMENTS))
def test_segments_get_replies_here_if_one_is_the_services_and_names_no_other_host(row: Shown):
    assert facts.answers_segments(evidence_of(*row.probes)) is row.holds


NO_SUCH_PATHS = [
    Shown("nothing", [], holds=False),
    Shown("a file, and no path that does not exist was read", [one_file(401)], holds=False),
    Shown("one", [nowhere(401)], holds=True),
    Shown("one of two", [nowhere(401), nowhere()], holds=False),
]


@pytest.mark.parametrize("row", NO_SUCH_PATHS, ids=ids(NO_SUCH_PATHS))
def test_paths_that_do_not_exist_are_refused_if_each_read_of_one_is(row: Shown):
    assert facts.refuses_no_such_path(evidence_of(*row.probes)) is row.holds
