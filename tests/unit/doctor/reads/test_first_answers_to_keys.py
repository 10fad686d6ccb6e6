"""
What is said of a key comes from the first answer to it, whatever comes later. Its status and code
are shown, and its message is quoted; a key without an answer has none. A reason is named if the
first answer is a refusal that says what became of the key, such as that it has expired. A list is
hidden from the key if the first answer is a 404 about a scope. The key is forbidden if the first
answer is a 403, whatever it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    FORBIDDEN,
    NOT_FOUND,
    ids,
    listed,
)
from support.doctor_replies import (
    error_body,
)
from support.doctor_standings import BAD, SCOPE
from wes_provider.doctor.reads.key_facts import KeyFact, Standing
from wes_provider.doctor.replies.probes import Probe


class OwnAnswer(NamedTuple):
    """Answers to the own key, and what is said of the first of them."""

    name: str
    own: Sequence[Probe]
    answer: str = ""
    says: str = ""
    names_a_reason: bool = False
    is_hidden: bool = False
    is_forbidden: bool = False


EXPIRED = error_body("key-expired", "The key has expired.")
OWN_ANSWERS = [
    OwnAnswer("nothing", []),
    OwnAnswer("a code and a message", [listed(400, BAD)], "400 bad", "400 bad: 'Never'"),
    OwnAnswer("no words", [listed(418)], "418", "418"),
    OwnAnswer("no words, then a reason", [listed(418), listed(401, EXPIRED)], "418", "418"),
    OwnAnswer(
        "a reason, then no words",
        [listed(401, EXPIRED), listed(418)],
        "401 key-expired",
        "401 key-expired: 'The key has expired'",
        names_a_reason=True,
    ),
    OwnAnswer(
        "a 404 about a scope",
        [listed(404, SCOPE)],
        "404",
        "404: 'The key lacks the scope coupons:read'",
        is_hidden=True,
    ),
    OwnAnswer(
        "a 404 about nothing",
        [listed(404, NOT_FOUND)],
        "404 not-found",
        "404 not-found: 'Nothing is here'",
    ),
    OwnAnswer(
        "a 403 about a scope",
        [listed(403, SCOPE)],
        "403",
        "403: 'The key lacks the scope coupons:read'",
        is_forbidden=True,
    ),
    OwnAnswer(
        "a 403 about nothing",
        [listed(403, FORBIDDEN)],
        "403 forbidden",
        "403 forbidden: 'Not you'",
        is_forbidden=True,
    ),
]
by_own_answer = pytest.mark.parametrize("row", OWN_ANSWERS, ids=ids(OWN_ANSWERS))


@by_own_answer
def test_of_the_answers_to_the_own_key_the_first_ones_status_and_code_are_shown(row: OwnAnswer):
    assert KeyFact(Standing.NOT_SHOWN, row.own).own_answer == row.answer


@by_own_answer
def test_the_words_of_the_first_answer_to_the_own_key_are_quoted(row: OwnAnswer):
    assert KeyFact(Standing.NOT_SHOWN, row.own).own_says == row.says


@by_own_answer
def test_a_reason_is_named_if_the_first_answer_says_what_became_of_the_key(row: OwnAnswer):
    assert KeyFact(Standing.NOT_SHOWN, row.own).names_a_reason is row.names_a_reason


@by_own_answer
def test_a_list_is_hidden_from_a_key_if_the_first_answer_is_a_404_about_a_scope(row: OwnAnswer):
    assert KeyFact(Standing.NOT_SHOWN, row.own).is_hidden is row.is_hidden


@by_own_answer
def test_a_key_is_forbidden_if_the_first_answer_is_a_403_whatever_it_is_about(row: OwnAnswer):
    assert KeyFact(Standing.NOT_SHOWN, row.own).is_forbidden is row.is_forbidden
