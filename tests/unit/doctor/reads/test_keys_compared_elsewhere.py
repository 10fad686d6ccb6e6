"""
Keys are compared at one file, too, if a made-up key gets the list's files as the own one does, and
the own one was accepted or refused at the path of a file. They are not compared there if a made-up
key was refused at the list or got no file, if the path of no file was read with an answer or a
refusal, or if this was done already.

No keys are checked if made-up ones get what the own ones get at each path where both were read, the
files of a list among them, with both keys. A page, a made-up key that gets less at one path, and a
data key that was not compared do not show that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    NOT_FOUND,
    ids,
    listed,
    made_up,
    made_up_segment,
    one_file,
    segment,
)
from support.doctor_replies import evidence_of
from support.doctor_service import record
from wes_provider.doctor.reads import key_facts
from wes_provider.doctor.replies.probes import Keys, Probe, Question

FILE = record("f1")


def made_up_at_file(status: int, content: Any = b"") -> Probe:
    """A made-up key at the path of the file."""
    return replace(one_file(status, content), question=Question.MADE_UP_KEY, keys=Keys.MADE_UP)


ANYBODYS_LIST = [*2 * [listed(200, FILES)], made_up(200, FILES)]


class Compared(NamedTuple):
    """Replies, and whether keys are compared at one file next."""

    name: str
    probes: Sequence[Probe]
    at_file: bool


AT_FILE = [
    Compared("a file is accepted", [*ANYBODYS_LIST, one_file(200, FILE)], at_file=True),
    Compared("a file is refused", [*ANYBODYS_LIST, one_file(401)], at_file=True),
    Compared("no file was read", ANYBODYS_LIST, at_file=False),
    Compared("the file is not found", [*ANYBODYS_LIST, one_file(404, NOT_FOUND)], at_file=False),
    Compared("the file's path failed", [*ANYBODYS_LIST, one_file(503)], at_file=False),
    Compared(
        "a made-up key is refused at the list",
        [listed(200, FILES), made_up(), one_file(200, FILE)],
        at_file=False,
    ),
    Compared(
        "a made-up key gets no file",
        [listed(200, []), made_up(200, []), one_file(200, FILE)],
        at_file=False,
    ),
    Compared(
        "a made-up key was sent there already",
        [
            *ANYBODYS_LIST,
            one_file(200, FILE),
            made_up_at_file(200, FILE),
        ],
        at_file=False,
    ),
]


@pytest.mark.parametrize("row", AT_FILE, ids=ids(AT_FILE))
def test_keys_are_compared_at_one_file_if_a_made_up_one_gets_the_list(row: Compared):
    assert (key_facts.file_to_compare(evidence_of(*row.probes)) is not None) is row.at_file


class Checked(NamedTuple):
    """Replies, and whether they show that no keys are checked."""

    name: str
    probes: Sequence[Probe]
    shows: bool


SAME_SEGMENTS = [segment(404, NOT_FOUND), made_up_segment(404, NOT_FOUND)]
SAME_FILE = [
    one_file(200, FILE),
    made_up_at_file(200, FILE),
]
REFUSED_AT_FILE = [
    one_file(200, FILE),
    made_up_at_file(401),
]
CHECKED = [
    Checked("the same for both keys", [*ANYBODYS_LIST, *SAME_SEGMENTS], shows=True),
    Checked("also at one file", [*ANYBODYS_LIST, *SAME_FILE, *SAME_SEGMENTS], shows=True),
    Checked("not at one file", [*ANYBODYS_LIST, *REFUSED_AT_FILE, *SAME_SEGMENTS], shows=False),
    Checked("nothing was compared", [listed(200, FILES)], shows=False),
    Checked("the data key was not compared", ANYBODYS_LIST, shows=False),
    Checked(
        "a made-up data key is refused",
        [*ANYBODYS_LIST, segment(404, NOT_FOUND), made_up_segment()],
        shows=False,
    ),
    Checked(
        "errors alone",
        [listed(404, NOT_FOUND), made_up(404, NOT_FOUND), *SAME_SEGMENTS],
        shows=False,
    ),
]


@pytest.mark.parametrize("row", CHECKED, ids=ids(CHECKED))
def test_no_keys_are_checked_if_made_up_ones_get_the_same_wherever_both_were_read(row: Checked):
    assert key_facts.are_no_keys_checked(evidence_of(*row.probes)) is row.shows
