"""
A list that the user named is renamed if its last read is redirected to the same path with another
identifier; one that nobody named is not. Segments get replies here if one of their reads gets a
JSON answer or a 401 that names no other host; a page and no reply do not count. Paths that do not
exist are refused if each read of one gets 401, and at least one was read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    NOT_FOUND,
    PAGE,
    ids,
    listed,
    lost,
    nowhere,
    one_file,
    redirected,
    segment,
)
from support.doctor_replies import (
    error_body,
    evidence_of,
    request_for,
)
from wes_provider.doctor.reads import facts
from wes_provider.doctor.reads.evidence import MADE_UP
from wes_provider.doctor.replies.probes import Probe, Question


class Shown(NamedTuple):
    """Replies, and whether they show something."""

    name: str
    probes: Sequence[Probe]
    holds: bool


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


ELSEWHERE = error_body("wrong-host", "Segments are at https://segments.example.com")
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
