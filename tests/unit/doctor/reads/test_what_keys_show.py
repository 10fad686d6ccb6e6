"""
What follows from how the service takes keys.

An error is about each request if two reads of the list and each of a path that does not exist get
it, and, if it is a 403 or 404, the data key, too; a 404 has to be about an account. A refusal (401)
is about the key, and so is a 403 if keys are swapped. The service has shown itself if it tells a
key from a made-up one, sends an error in the form of the contract (not with a 5xx), or lists files
at one path and not at a path that does not exist. A refusal says more than that the key is not
accepted if its first answer has words, on no page, that are no stock sentence of a status, no bare
words about a key, and not what became of the key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    FORBIDDEN,
    NOT_FOUND,
    data_key_on_list,
    ids,
    listed,
    made_up,
    made_up_segment,
    nowhere,
    segment,
)
from support.doctor_replies import (
    error_body,
    evidence_of,
)
from wes_provider.doctor.reads import key_facts
from wes_provider.doctor.reads.key_facts import KeyFact, Standing
from wes_provider.doctor.replies.probes import Probe

BAD = error_body("bad", "Never.")


class Shown(NamedTuple):
    """Replies, and whether they show something."""

    name: str
    probes: Sequence[Probe]
    holds: bool


GONE = b"nothing here"
NO_ACCOUNT = error_body("", "Unknown workspace")


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
    found = key_facts.objection(evidence_of(*row.probes))
    if row.number is None:
        assert found is None
    else:
        assert found is row.probes[row.number]


SERVICES = [
    Shown("nothing", [], holds=False),
    Shown("a campaign key that is told apart", [listed(200, []), made_up(401, b"")], holds=True),
    Shown(
        "a data key that is told apart",
        [*2 * [segment(404, b"")], made_up_segment(401, b"")],
        holds=True,
    ),
    Shown("an error as documented", [nowhere()], holds=True),
    Shown("an error not as documented", [nowhere(404, GONE)], holds=False),
    Shown("an error as documented, with a 5xx", [listed(503, NOT_FOUND)], holds=False),
    Shown("files here, and none elsewhere", [listed(200, FILES), nowhere(404, GONE)], holds=True),
    Shown("files everywhere", [listed(200, FILES), nowhere(200, FILES)], holds=False),
    Shown("files, and no other path was read", [listed(200, FILES)], holds=False),
    Shown("no file, and none elsewhere", [listed(200, []), nowhere(404, GONE)], holds=False),
]


@pytest.mark.parametrize("row", SERVICES, ids=ids(SERVICES))
def test_the_service_shows_itself_by_keys_told_apart_its_errors_or_files_at_one_path(row: Shown):
    assert key_facts.is_service(evidence_of(*row.probes)) is row.holds


class Refusal(NamedTuple):
    """The body of a refusal, and whether it says more than that the key is not accepted."""

    name: str
    content: Any
    says_more: bool


SAYS_MORE = [
    Refusal("no body", b"", says_more=False),
    Refusal(
        "a page with words", "<html><title>Moon phase is unfavourable</title>", says_more=False
    ),
    Refusal(
        "the sentence of its status", error_body("", "401 Authorization Required"), says_more=False
    ),
    Refusal("bare words about a key", error_body("", "Invalid api key"), says_more=False),
    Refusal("what became of the key", error_body("", "Your key has expired."), says_more=False),
    Refusal("other words", error_body("", "Moon phase is unfavourable."), says_more=True),
]


@pytest.mark.parametrize("row", SAYS_MORE, ids=ids(SAYS_MORE))
def test_a_refusal_says_more_if_it_has_words_that_are_no_page_no_stock_and_no_reason(row: Refusal):
    """Not what became of the key: that has advice of its own."""
    fact = KeyFact(Standing.REFUSED, [listed(401, row.content), listed(401, b"")])
    assert key_facts.says_more_than_refused(fact) is row.says_more


def test_without_a_refusal_nothing_says_more():
    assert not key_facts.says_more_than_refused(KeyFact(Standing.NO_ANSWER))
