"""
All reads lead to one page if the last read of the list, and any read of a path that does not exist,
are redirected to the same URL, whatever its query and fragment, and the list never got an answer. A
redirect of the list alone, two pages, or a Location without a redirect are none.

If the page was read, its title, or else its text, without secrets, are its words, those of the
first read. It is of a maintenance by its title or its path, not by its host; it wants a login,
which counts before a maintenance, by a field for a password. It rests on the last redirect of the
list and the first elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    PAGE,
    ids,
    listed,
    nowhere,
    redirected,
)
from support.doctor_replies import (
    evidence_of,
    reply,
    request_for,
)
from wes_provider.doctor.reads import facts
from wes_provider.doctor.replies.probes import Probe, Question


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
def test_reads_lead_to_one_page_if_list_and_unknown_path_are_redirected_to_the_same_url(row: Page):
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
