"""
An answer to the list is odd if it is a web page (not with 404 or 405, as a path that does not exist
may get one), a redirect, or a success that is no JSON which can be read, whatever it is called; not
an error in a success, and no success without a body.

The list may be odd alone if each answer to it is odd; if the last is a redirect, only if that leads
to no place of the service: not to the same path of another host, another path of the list, or
itself. The list alone is odd if, besides, a path that does not exist gets an error or a refusal.

A service cannot be examined if the list gets no answer that is the service's, and the last is no
page with 404 or 405 and no redirect to another path of the list, unless the list alone is odd; or
if nothing came for the list, unless a response began and no other read, or not each, was lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    LIST_AT,
    PAGE,
    ids,
    listed,
    lost,
    nowhere,
    redirected,
    segment,
)
from support.doctor_replies import (
    evidence_of,
    reply,
)
from wes_provider.client.failures import INCOMPLETE
from wes_provider.doctor.reads import facts
from wes_provider.doctor.replies.probes import Probe, Question


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
        holds=True,
    ),
    Shown("XML", [reply(200, "<?xml version='1.0'?><files/>")], holds=True),
    Shown("an error in XML", [reply(200, "<error>No route</error>")], holds=False),
    Shown("binary", [reply(200, b"\x00\x01")], holds=True),
    Shown("JSON that is cut", [reply(200, '[{"_id": "f')], holds=True),
    Shown("a string in JSON", [reply(200, '"none"')], holds=True),
    Shown("no body", [reply(200)], holds=False),
    Shown("text with 400", [reply(400, "no JSON")], holds=False),
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
    An answer is odd if it is a web page, a redirect, or a success that is no JSON to be read.
    After a redirect in the end, the list may be odd alone only if that leads to no place of the
    service.
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
