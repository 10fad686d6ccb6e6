"""
A finding is that of the first row of a table that applies, with its reads. Settings of a row that
is neither sure nor wrong are guesses, and take precedence over its other guesses.

If one request got two answers, each finding that rests on any read of it, with the same keys, is
*Not proved*, proposes nothing, and names all answers before its other reads. It has the sentence
about them; if that was said before, it refers to it; each such request has its own. What they are
about decides which topics stay settled: of shapes or all, none; of files, all but the path of
lists, Statuses and Counts; of paths or keys, the Address.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import again, ids, listed, lost, made_up, segment
from wes_provider.doctor.findings.finding import (
    ON_TWO_ANSWERS,
    Certainty,
    Finding,
    Row,
    Topic,
    conclude,
    without_two_answers,
)
from wes_provider.doctor.reads.changes import Scope, TwoAnswers
from wes_provider.doctor.replies.probes import Probe

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
NOT_SHOWN, SURE = Certainty.NOT_SHOWN, Certainty.SURE
HEADER, OTHER = {"workspace_header": "X-App-Id"}, {"workspace_header": "X-Other"}
LAG = {"coupon_files_lag": 5.0}


class Concluded(NamedTuple):
    """A row, and the settings and guesses of the finding that follows from it."""

    name: str
    row: Row
    settings: Mapping[str, Any]
    guesses: Mapping[str, Any]


CONCLUDED = [
    Concluded("sure", Row(True, SURE, "a", HEADER, LAG), HEADER, LAG),
    Concluded("wrong", Row(True, WRONG, "a", HEADER, LAG), HEADER, LAG),
    Concluded("not proved", Row(True, NOT_PROVED, "a", HEADER, LAG), {}, {**LAG, **HEADER}),
    Concluded("not shown", Row(True, NOT_SHOWN, "a", HEADER, LAG), {}, {**LAG, **HEADER}),
    Concluded("a guess of the same setting", Row(True, NOT_SHOWN, "a", HEADER, OTHER), {}, HEADER),
]


@pytest.mark.parametrize("row", CONCLUDED, ids=ids(CONCLUDED))
def test_settings_of_a_row_that_is_not_certain_are_guesses(row: Concluded):
    finding = conclude(Topic.LAG, [], row.row)
    assert (finding.settings, finding.guesses) == (row.settings, row.guesses)


def test_the_first_row_that_applies_makes_the_finding():
    read = listed(200)
    rows = [Row(False, SURE, "a"), Row(True, WRONG, "b", is_cause=True), Row(True, SURE, "c")]
    finding = conclude(Topic.LAG, [None, read], *rows)
    assert finding == Finding(Topic.LAG, WRONG, "b", (read,), is_cause=True)


# -- two answers to one request --------------------------------------------------------------------

FIRST, SECOND = listed(200, []), again(401)
TWO = "Two answers. Run this again."


def two(scope: Scope, text: str = TWO, answers: Sequence[Probe] = (FIRST, SECOND)) -> TwoAnswers:
    return TwoAnswers(answers, text, scope)


def about(topic: Topic, *probes: Probe, certainty: Certainty = SURE) -> Finding:
    return Finding(topic, certainty, "Fine.", probes, settings=HEADER, guesses=LAG)


class Settled(NamedTuple):
    """What two answers are about, and the topics that are settled all the same."""

    scope: Scope
    topics: set[Topic]


FILES = {Topic.LIST_PATH, Topic.STATUSES, Topic.COUNTS}
SETTLED = [
    Settled(Scope.SHAPES, set()),
    Settled(Scope.FILES, set(Topic) - FILES),
    Settled(Scope.PATHS, {Topic.ADDRESS}),
    Settled(Scope.KEYS, {Topic.ADDRESS}),
    Settled(Scope.ALL, set()),
]


@pytest.mark.parametrize("row", SETTLED, ids=[row.scope.name for row in SETTLED])
def test_what_two_answers_are_about_decides_which_topics_stay_settled(row: Settled):
    findings = [about(topic, FIRST) for topic in Topic]
    after = without_two_answers(findings, [two(row.scope)])
    assert {finding.topic for finding in after if not finding.has_two_answers} == row.topics


class RestsOn(NamedTuple):
    """The reads of a finding, and whether it rests on the request with two answers."""

    name: str
    probes: Sequence[Probe]
    rests_on_it: bool


RESTS_ON = [
    RestsOn("the first answer", [FIRST], rests_on_it=True),
    RestsOn("the second answer", [SECOND], rests_on_it=True),
    RestsOn("a third read of the same", [again(200, [])], rests_on_it=True),
    RestsOn("a read of it among others", [segment(), lost()], rests_on_it=True),
    RestsOn("the same with a made-up key", [made_up()], rests_on_it=False),
    RestsOn("another request", [segment()], rests_on_it=False),
    RestsOn("no read", [], rests_on_it=False),
]


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_rests_on_two_answers_if_it_has_any_read_of_that_request(row: RestsOn):
    (after,) = without_two_answers([about(Topic.LAG, *row.probes)], [two(Scope.ALL)])
    assert after.has_two_answers is row.rests_on_it


def test_a_finding_on_two_answers_is_not_proved_and_proposes_nothing():
    (after,) = without_two_answers([about(Topic.LAG, FIRST, certainty=WRONG)], [two(Scope.ALL)])
    assert (after.certainty, after.text) == (NOT_PROVED, TWO)
    assert (after.settings, after.guesses) == ({}, {})


def test_all_answers_come_before_the_other_reads_of_a_finding():
    other = segment()
    (after,) = without_two_answers([about(Topic.LAG, other, SECOND)], [two(Scope.ALL)])
    assert [*map(id, after.probes)] == [*map(id, (FIRST, SECOND, other))]


def test_the_sentence_about_two_answers_is_said_once():
    findings = [about(Topic.LAG, FIRST), about(Topic.NAMES, FIRST)]
    after = without_two_answers(findings, [two(Scope.ALL)])
    assert [finding.text for finding in after] == [TWO, ON_TWO_ANSWERS]


def test_a_sentence_about_two_answers_that_was_said_before_is_not_repeated():
    (after,) = without_two_answers([about(Topic.LAG, FIRST)], [two(Scope.ALL)], said=[TWO])
    assert after.text == ON_TWO_ANSWERS


def test_each_of_two_requests_with_two_answers_has_its_sentence():
    others = (segment(), segment(401))
    findings = [about(Topic.LAG, FIRST), about(Topic.SEGMENT, others[0])]
    after = without_two_answers(findings, [two(Scope.ALL), two(Scope.ALL, "Others.", others)])
    assert [finding.text for finding in after] == [TWO, "Others."]
