"""
Two successes of one read are two answers if their records differ in shape, such as by a property:
two versions may reply, and a header of a version is quoted. They are two answers, too, if a whole
list lacks a file that it had in the reply before: a node may be behind, and the missing files are
named. They are none if a list has a file more, if one of them is a part of a list or lost, if they
are of two requests or keys, or if only the words of an error differ.

A file that is followed after an upload may change its shape once; if it changes in turn, it has two
answers, without the 404 at the end. Those of reads come before those of what was followed. Two
answers are about the list if the request is that of a list, and of shapes if their shapes differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_reads import (
    FILE_READ,
    error_body,
    evidence,
)
from support.doctor_two_answers import (
    F1,
    FINE,
    LIST_REFUSED,
    LOST,
    MADE_UP,
    NOT_FOUND,
    PATH,
    SEGMENT_REFUSED,
    VERSIONS,
    Answers,
    at,
    check,
    listing,
)
from wes_provider.doctor.reads.changes import Scope, TwoAnswers, two_answers
from wes_provider.doctor.replies.probes import Probe, Question

F2 = {"_id": "f2", "status": "SUCCESS"}
F3 = {"_id": "f3", "status": "SUCCESS"}
BEHIND = (
    "One of several nodes may be behind, and then a task may not find its upload in the list: run "
    "this again later, or tell the service's support which replies differ."
)
SHAPES = [
    Answers(
        "two shapes",
        [listing(1, F1), listing(2, {**F1, "n": "1"})],
        "1 object without n at first, 1 object with n since 00:00:02 UTC",
        Scope.SHAPES,
        VERSIONS,
    ),
    Answers(
        "two versions",
        [
            listing(1, F1, headers={"x-version": "1"}),
            listing(2, {**F1, "n": "1"}, headers={"x-version": "2"}),
        ],
        "1 object without n [X-Version: 1] at first, 1 object with n [X-Version: 2] since 00:00:02 "
        "UTC",
        Scope.SHAPES,
        VERSIONS,
    ),
]


@pytest.mark.parametrize("row", SHAPES, ids=[row.name for row in SHAPES])
def test_two_shapes_of_a_list_may_be_of_two_versions_whose_header_is_said(row: Answers):
    check(row)


LESS_FILES = [
    Answers(
        "a file less",
        [listing(1, F1, F2), listing(2, F2)],
        "200 with 2 files at first, 200 with 1 file, without f1 since 00:00:02 UTC",
        Scope.FILES,
        BEHIND,
    ),
    Answers(
        "another file",
        [listing(1, F1), listing(2, F2)],
        "200 with 1 file, without f2 at first, 200 with 1 file, without f1 since 00:00:02 UTC",
        Scope.FILES,
        BEHIND,
    ),
    Answers(
        "no file",
        [listing(1, F1), listing(2)],
        "200 with 1 file at first, 200 with no file since 00:00:02 UTC",
        Scope.FILES,
        BEHIND,
    ),
    Answers(
        "two files less",
        [listing(1, F1, F2, F3), listing(2, F3)],
        "200 with 3 files at first, 200 with 1 file, without f1, f2 since 00:00:02 UTC",
        Scope.FILES,
        BEHIND,
    ),
    Answers(
        "a file less than between",
        [listing(1, F1), listing(2, F1, F2), listing(3, F1)],
        "200 with 1 file, without f2 at 00:00:01, then 200 with 2 files at 00:00:02, then 200 with "
        "1 file, without f2 at 00:00:03 UTC",
        Scope.FILES,
        BEHIND,
    ),
]


@pytest.mark.parametrize("row", LESS_FILES, ids=[row.name for row in LESS_FILES])
def test_a_list_that_lacks_a_file_it_had_or_has_later_in_turn_is_of_a_node_that_is_behind(
    row: Answers,
):
    check(row)


class Alike(NamedTuple):
    """Reads that are no two answers."""

    name: str
    probes: Sequence[Probe]


ALIKE = [
    Alike("none", []),
    Alike("one", [FINE]),
    Alike("two alike", [FINE, listing(2, F1)]),
    Alike("a file more", [listing(1, F1), listing(2, F1, F2)]),
    Alike("of two requests", [FINE, SEGMENT_REFUSED]),
    Alike("with another key", [FINE, MADE_UP]),
    Alike("of which one is lost", [FINE, LOST]),
    Alike("with other words", [at(1, 404, error_body("a", "b")), at(2, 404, error_body("a", "c"))]),
    Alike(
        "with parts of a list",
        [at(1, 200, {"data": [F1, F2], "total": 9}), at(2, 200, {"data": [F2], "total": 9})],
    ),
    Alike("of which one is a part", [listing(1, F1), at(2, 200, [F2], headers={"x-total": "9"})]),
    Alike(
        "of one file, whose replies are lists",
        [at(1, 200, [F1, F2], FILE_READ), at(2, 200, [F2], FILE_READ)],
    ),
    Alike("of one file", [at(1, 200, F1, FILE_READ), at(2, 200, F1, FILE_READ)]),
]


@pytest.mark.parametrize("row", ALIKE, ids=[row.name for row in ALIKE])
def test_answers_that_are_alike_of_two_requests_or_parts_of_a_list_are_no_two_answers(row: Alike):
    assert two_answers(evidence(*row.probes)) == []


class Followed(NamedTuple):
    """Reads of a file that is followed."""

    name: str
    bodies: Sequence[Any]


OLD = {"_id": "f1", "status": "PENDING", "a": 1}
NEW = {"_id": "f1", "status": "PENDING", "b": 1}
FOLLOWED = [
    Followed("it does not change", [OLD, OLD, OLD]),
    Followed("it changes once", [OLD, OLD, NEW, NEW]),
]


def followed(bodies: Sequence[Any]) -> list[Probe]:
    """A read of the file for each body, a second after the one before."""
    return [
        at(second, 200, body, FILE_READ, question=Question.FOLLOW)
        for second, body in enumerate(bodies)
    ]


@pytest.mark.parametrize("row", FOLLOWED, ids=[row.name for row in FOLLOWED])
def test_a_file_that_is_followed_may_change_its_shape_once(row: Followed):
    """And may be gone in the end."""
    gone = at(9, 404, NOT_FOUND, FILE_READ)
    assert two_answers(evidence(), [*followed(row.bodies), gone]) == []


def test_a_file_that_is_followed_and_changes_in_turn_has_two_answers():
    """Of its reads that succeeded; that it is gone in the end is no answer."""
    reads = followed([OLD, NEW, OLD])
    found = two_answers(evidence(), [*reads, at(9, 404, NOT_FOUND, FILE_READ)])
    text = (
        f"The service gave two answers to the same request, {PATH}/f1: an object with a at "
        "00:00:00, then an object with b at 00:00:01, then an object with a at 00:00:02 UTC. "
        f"{VERSIONS}"
    )
    assert found == [TwoAnswers(reads, text, Scope.SHAPES)]


def test_reads_come_before_what_was_followed():
    found = two_answers(evidence(FINE, LIST_REFUSED), followed([OLD, NEW, OLD]))
    assert [two.scope for two in found] == [Scope.KEYS, Scope.SHAPES]


def test_two_answers_to_a_read_of_the_list_are_about_the_list_and_of_no_shapes():
    (two,) = two_answers(evidence(FINE, LIST_REFUSED))
    assert two.is_about_list
    assert not two.is_of_shapes


def test_two_shapes_of_a_file_are_of_shapes_and_not_about_the_list():
    (two,) = two_answers(evidence(), followed([OLD, NEW, OLD]))
    assert two.is_of_shapes
    assert not two.is_about_list
