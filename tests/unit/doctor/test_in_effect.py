"""How the reply to a change says that the change is not in effect, or not yet."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import MOMENT
from support.doctor_replies import reply
from wes_provider.doctor.in_effect import sentence_besides, why_not_in_effect
from wes_provider.doctor.probes import Probe, Question


def replied(content: Any) -> Probe:
    return reply(200, content, question=Question.WRITE, sent_at=MOMENT)


def at(seconds: float) -> str:
    """A time so many seconds after the request."""
    return datetime.fromtimestamp(MOMENT + seconds, timezone.utc).isoformat()


class Content(NamedTuple):
    """What a reply has, and what is quoted of it; nothing if the change is in effect."""

    name: str
    content: Any
    quoted: str = ""


IN_EFFECT = [
    Content("no body", b""),
    Content("no object", ["draft"]),
    Content("a state that is live", {"state": "active"}),
    Content("a state that is none of a change", {"origin": "draft"}),
    Content("a flag that says that it is live", {"draft": False, "published": True}),
    Content("a flag that is a word", {"draft": "no", "live": None}),
    Content("a sentence of success", {"message": "Segment updated successfully."}),
    Content("a name that speaks of a draft", {"name": "Still a draft", "title": "Not yet live"}),
    Content("filters that speak of drafts", {"included_filters": {"state": "draft"}}),
    Content("the time of the request", {"effective_at": at(0)}),
    Content("half a minute later, as clocks may differ", {"effective_at": at(30)}),
    Content("no time", {"effective_from": "now"}),
    Content("the live revision", {"revision": 7, "live_revision": 7}),
    Content("a live revision alone", {"live_revision": 6}),
    Content("an earlier revision that is not said to be live", {"revision": 7, "base_revision": 6}),
]
NOT_IN_EFFECT = [
    Content("a draft", {"segment": {"state": "draft"}}, "segment.state: draft"),
    Content("a state in capitals", {"publicationStatus": "UNPUBLISHED"}, "UNPUBLISHED"),
    Content("scheduled", {"status": "scheduled"}, "status: scheduled"),
    Content("only checked", {"mode": "validate_only"}, "mode: validate_only"),
    Content("a rehearsal", {"dry_run": True}, "dry_run: true"),
    Content("not published", {"meta": {"published": False}}, "meta.published: false"),
    Content(
        "a sentence, before a state",
        {"state": "draft", "notice": "The live segment is unchanged until a manager publishes it."},
        "notice: 'The live segment is unchanged until a manager publishes it.'; state: draft",
    ),
    Content(
        "a sentence of later",
        {"message": "Changes are applied with the next nightly run."},
        "message: 'Changes are applied with the next nightly run.'",
    ),
    Content("a time to come", {"effectiveFrom": at(3600)}, f"effectiveFrom: {at(3600)}"),
    Content("a time to come, in Zulu", {"go_live_at": "2999-01-01T00:00:00Z"}, "2999-01-01"),
    Content(
        "an older revision that is live",
        {"segment": {"revision": 7}, "live_revision": 6},
        "live_revision 6, below 7",
    ),
]


@pytest.mark.parametrize("row", IN_EFFECT, ids=[row.name for row in IN_EFFECT])
def test_nothing_says_that_a_change_is_not_in_effect(row: Content) -> None:
    assert why_not_in_effect(replied(row.content)) == ""


@pytest.mark.parametrize("row", NOT_IN_EFFECT, ids=[row.name for row in NOT_IN_EFFECT])
def test_what_says_that_a_change_is_not_in_effect_is_quoted(row: Content) -> None:
    assert row.quoted in why_not_in_effect(replied(row.content))


SENTENCES = [
    Content("of success", {"message": "The segment was updated."}),
    Content("of success, in German", {"hinweis": "Segment wurde aktualisiert"}),
    Content("two words", {"message": "See console"}),
    Content("a description", {"description": "All who bought twice"}),
    Content(
        "that may be about anything",
        {"meta": {"note": "Please ask your manager."}},
        "meta.note: 'Please ask your manager.'",
    ),
]


@pytest.mark.parametrize("row", SENTENCES, ids=[row.name for row in SENTENCES])
def test_a_sentence_is_quoted_unless_it_says_that_the_change_was_made(row: Content) -> None:
    assert sentence_besides(replied(row.content)) == row.quoted
