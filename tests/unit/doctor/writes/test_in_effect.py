"""
The reply to a change says that it is not in effect by a state, status, stage, phase or mode, at any
depth but in filters, with a word such as draft, scheduled or unpublished; by a flag (dry_run that
is true, published that is false); by a sentence of a later time; by a time from which it is
effective, more than 60 s after the request; or, without any of these, by a live revision below its
revision. It is quoted, sentences first, two at most. Names, descriptions and comments, which people
give, times of something else, an active state, and flags that are words say nothing.

Another sentence of the service, of three words or more, is quoted besides, unless it says that the
change was made, in English or German.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, NamedTuple

import pytest

from support.doctor_replies import MOMENT, reply
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.doctor.writes.in_effect import sentence_besides, why_not_in_effect


def replied(content: Any) -> Probe:
    return reply(200, content, question=Question.WRITE, sent_at=MOMENT)


def at(seconds: float) -> str:
    """A time so many seconds after the request."""
    return datetime.fromtimestamp(MOMENT + seconds, timezone.utc).isoformat()


class Content(NamedTuple):
    """What a reply has."""

    name: str
    content: Any


IN_EFFECT = [
    Content("no body", b""),
    Content("no object", ["draft"]),
    Content("a state that is live", {"state": "active"}),
    Content("a state that is none of a change", {"origin": "draft"}),
    Content("a flag that says that it is live", {"draft": False, "published": True}),
    Content("a flag that is a word", {"draft": "no", "live": None}),
    Content("a sentence of success", {"message": "Segment updated successfully."}),
    *(
        Content(f"a {name} that speaks of a draft", {name: "Still a draft until tomorrow"})
        for name in ("name", "title", "label", "description", "comment")
    ),
    Content("filters that speak of drafts", {"included_filters": {"state": "draft"}}),
    Content("the time of the request", {"effective_at": at(0)}),
    Content("a minute later, as clocks may differ", {"effective_at": at(60)}),
    Content("a minute later, without a zone", {"effective_at": at(60).removesuffix("+00:00")}),
    Content("a later time of something else", {"expires_at": at(600)}),
    Content("no time", {"effective_from": "now"}),
    Content("the live revision", {"revision": 7, "live_revision": 7}),
    Content("a live revision alone", {"live_revision": 6}),
    Content("an earlier revision that is not said to be live", {"revision": 7, "base_revision": 6}),
]


@pytest.mark.parametrize("row", IN_EFFECT, ids=[row.name for row in IN_EFFECT])
def test_active_states_names_by_people_and_other_times_do_not_speak_against_a_change(
    row: Content,
) -> None:
    assert why_not_in_effect(replied(row.content)) == ""


class Quoted(NamedTuple):
    """What a reply has, and all that is quoted of it."""

    name: str
    content: Any
    quoted: str


NOT_IN_EFFECT = [
    Quoted("a draft", {"segment": {"state": "draft"}}, "segment.state: draft"),
    Quoted(
        "two levels deep", {"data": {"segment": {"state": "draft"}}}, "data.segment.state: draft"
    ),
    Quoted(
        "a state in capitals",
        {"publicationStatus": "UNPUBLISHED"},
        "publicationStatus: UNPUBLISHED",
    ),
    *(
        Quoted(f"a {name}", {name: "scheduled"}, f"{name}: scheduled")
        for name in ("status", "stage", "phase", "mode")
    ),
    Quoted("a state with white space", {"state": " draft "}, "state:  draft "),
    Quoted("only checked", {"mode": "validate_only"}, "mode: validate_only"),
    Quoted("a rehearsal", {"dry_run": True}, "dry_run: true"),
    Quoted("not published", {"meta": {"published": False}}, "meta.published: false"),
    Quoted(
        "a sentence of later",
        {"message": "Changes are applied with the next nightly run."},
        "message: 'Changes are applied with the next nightly run.'",
    ),
    Quoted("61 s after the request", {"effectiveFrom": at(61)}, f"effectiveFrom: {at(61)}"),
    Quoted(
        "a time to come, in Zulu",
        {"go_live_at": "2999-01-01T00:00:00Z"},
        "go_live_at: 2999-01-01T00:00:00Z",
    ),
    Quoted(
        "61 s after the request, without a zone",
        {"effective_at": at(61).removesuffix("+00:00")},
        f"effective_at: {at(61).removesuffix('+00:00')}",
    ),
    Quoted(
        "an older revision that is live",
        {"segment": {"revision": 7}, "live_revision": 6},
        "live_revision 6, below 7",
    ),
]


@pytest.mark.parametrize("row", NOT_IN_EFFECT, ids=[row.name for row in NOT_IN_EFFECT])
def test_what_says_that_a_change_is_not_in_effect_is_quoted(row: Quoted) -> None:
    assert why_not_in_effect(replied(row.content)) == row.quoted


def test_a_sentence_is_quoted_before_a_state() -> None:
    sentence = "The live segment is unchanged until a manager publishes it."
    quoted = why_not_in_effect(replied({"state": "draft", "notice": sentence}))
    assert quoted == f"notice: '{sentence}'; state: draft"


def test_two_of_three_states_are_quoted() -> None:
    states = {"state": "draft", "status": "queued", "mode": "preview"}
    assert why_not_in_effect(replied(states)) == "state: draft; status: queued"


def test_an_older_revision_is_not_quoted_beside_a_state() -> None:
    content = {"state": "draft", "revision": 7, "live_revision": 6}
    assert why_not_in_effect(replied(content)) == "state: draft"


DONE = [
    Content("in English", {"message": "The segment was updated."}),
    Content("in German", {"hinweis": "Segment wurde aktualisiert"}),
]


@pytest.mark.parametrize("row", DONE, ids=[row.name for row in DONE])
def test_a_sentence_that_says_that_the_change_was_made_is_not_quoted(row: Content) -> None:
    assert sentence_besides(replied(row.content)) == ""


NO_SENTENCES = [
    Content("two words", {"message": "See console"}),
    Content("a description, which people give", {"description": "All who bought twice"}),
]


@pytest.mark.parametrize("row", NO_SENTENCES, ids=[row.name for row in NO_SENTENCES])
def test_what_is_no_sentence_of_the_service_is_not_quoted(row: Content) -> None:
    assert sentence_besides(replied(row.content)) == ""


def test_a_sentence_that_may_be_about_anything_is_quoted() -> None:
    content = {"meta": {"note": "Please ask your manager."}}
    assert sentence_besides(replied(content)) == "meta.note: 'Please ask your manager.'"
