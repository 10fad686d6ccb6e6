"""
Four facts about keys, from a few replies.

The campaign key has got files if a read of a list or of a file with it succeeds, even with an empty
list; reads of another list, of a path that does not exist, with a made-up key or of a segment do
not count. Segments are on another host if each answer to the data key names one, while coupons get
an answer here. A made-up key is refused silently if it gets status 200 without an error and without
files, while the own key is accepted and gets files. Reads of one file and of other paths of the
list count as refused if they get a 401, unless each path that does not exist gets one, too; the
read of the list itself does not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    NOT_FOUND,
    PAGE,
    at_path,
    ids,
    listed,
    made_up,
    nowhere,
    one_file,
    segment,
)
from support.doctor_replies import (
    error_body,
    evidence_of,
    reply,
    request_for,
)
from support.doctor_standings import BAD
from wes_provider.doctor.reads import key_facts
from wes_provider.doctor.replies.probes import Probe, Question


class Shown(NamedTuple):
    """Replies, and whether they show what the test asks."""

    name: str
    probes: Sequence[Probe]
    holds: bool


GOT_FILES = [
    Shown("nothing", [], holds=False),
    *(
        Shown(question.value, [reply(200, FILES, question=question)], holds=holds)
        for question, holds in (
            (Question.LIST, True),
            (Question.LIST_PATH, True),
            (Question.WHOLE_LIST, True),
            (Question.FILE_PATH, True),
            (Question.AGAIN, True),
            (Question.HEADER, True),
            (Question.OTHER_LIST, False),
            (Question.NO_SUCH_PATH, False),
            (Question.MADE_UP_KEY, False),
        )
    ),
    Shown("an empty list", [listed(200, [])], holds=True),
    Shown(
        "a segment, again",
        [reply(200, [], question=Question.AGAIN, request=request_for(Question.DATA_KEY))],
        holds=False,
    ),
    Shown("an error", [listed(200, BAD)], holds=False),
    Shown("a page", [listed(200, PAGE)], holds=False),
    Shown("a 404", [listed(404, NOT_FOUND)], holds=False),
    Shown("a 404, then a file", [listed(404, NOT_FOUND), one_file(200, FILES[0])], holds=True),
]


@pytest.mark.parametrize("row", GOT_FILES, ids=ids(GOT_FILES))
def test_the_campaign_key_has_got_files_if_a_read_of_files_with_it_succeeded(row: Shown):
    """Even if the list is empty."""
    assert key_facts.has_got_files(evidence_of(*row.probes)) is row.holds


ELSEWHERE = error_body("wrong-host", "Segments are at https://segments.example.com")
HOSTS = [
    Shown("nothing", [], holds=False),
    Shown("a 404", [listed(200, FILES), segment()], holds=False),
    Shown("another host", [listed(200, FILES), segment(421, ELSEWHERE)], holds=True),
    Shown(
        "another host twice",
        [listed(200, FILES), *2 * [segment(421, ELSEWHERE)]],
        holds=True,
    ),
    Shown(
        "another host, then a 404",
        [listed(200, FILES), segment(421, ELSEWHERE), segment()],
        holds=False,
    ),
    Shown(
        "another host, but coupons get a page",
        [listed(200, PAGE), segment(421, ELSEWHERE)],
        holds=False,
    ),
    Shown(
        "another host, and that for coupons, too",
        [listed(421, ELSEWHERE), segment(421, ELSEWHERE)],
        holds=False,
    ),
]


@pytest.mark.parametrize("row", HOSTS, ids=ids(HOSTS))
def test_segments_are_on_another_host_if_each_read_names_one_and_coupons_are_here(row: Shown):
    evidence = evidence_of(*row.probes)
    assert key_facts.is_on_other_host(evidence, key_facts.data_key(evidence)) is row.holds


SILENT = [
    Shown("no file", [listed(200, FILES), made_up(200, [])], holds=True),
    Shown("a refusal", [listed(200, FILES), made_up()], holds=False),
    Shown("an error with 200", [listed(200, FILES), made_up(200, BAD)], holds=False),
    Shown("a page", [listed(200, FILES), made_up(200, PAGE)], holds=False),
    Shown("no read with a made-up key", [listed(200, FILES)], holds=False),
    Shown("the same files", [listed(200, FILES), made_up(200, FILES)], holds=False),
    Shown(
        "no file, while the own key gets 404 twice",
        [*2 * [listed(404, NOT_FOUND)], made_up(200, [])],
        holds=False,
    ),
]


@pytest.mark.parametrize("row", SILENT, ids=ids(SILENT))
def test_a_made_up_key_is_refused_silently_if_it_gets_a_success_in_place_of_files(row: Shown):
    found = key_facts.silent_refusal(evidence_of(*row.probes))
    assert (found is row.probes[-1]) is row.holds
    assert (found is not None) is row.holds


class Refused(NamedTuple):
    """
    Replies, and what is refused.

    :ivar numbers: of the reads of a file or of another path of the list that are refused.
    """

    name: str
    probes: Sequence[Probe]
    numbers: Sequence[int] = ()


REFUSALS = [
    Refused("nothing", []),
    Refused(
        "a file and another path of the list",
        [one_file(401), at_path("/a", 401), one_file(404), listed(401)],
        numbers=[0, 1],
    ),
    Refused("a file and each path that does not exist", [one_file(401), nowhere(401)]),
    Refused(
        "a file and one of two paths that do not exist",
        [one_file(401), nowhere(401), nowhere()],
        numbers=[0],
    ),
]


@pytest.mark.parametrize("row", REFUSALS, ids=ids(REFUSALS))
def test_reads_of_a_file_or_other_path_are_refused_unless_each_path_that_does_not_exist_is(
    row: Refused,
):
    found = key_facts.refused_elsewhere(evidence_of(*row.probes))
    assert [id(probe) for probe in found] == [id(row.probes[number]) for number in row.numbers]
