"""
A service may send refusals with status 200. The member that tells them is learned if a reply to a
made-up key or path succeeds without a file, and has a code there that no reply with a file, to the
own key, has, and that is not fine anywhere (0); all values that came with files are fine. The first
such member and refusal count.

If replies with files never have that member, it is learned only from a made-up key, and only if the
own key got other answers to the same request. Nothing is learned without files for the own key,
from a refusal by its status, from a made-up key that gets files, or from other reads. A reply has
what was asked for if it is a success with a file that has an ``_id``, alone or among others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_reads import FILE_READ, LIST_READ, NOWHERE_READ, SEGMENT_READ, evidence, probe
from wes_provider.client.requests import Request
from wes_provider.doctor.reads.effects import has_what_was_asked, learned_codes
from wes_provider.doctor.replies.codes import CodeMember
from wes_provider.doctor.replies.probes import Keys, Probe, Question


class Asked(NamedTuple):
    """A reply to a read of a list, or of one file."""

    name: str
    reply: Probe


FILE = {"_id": "f1", "status": "SUCCESS"}
WITH_A_FILE = [
    Asked("a list with a file", probe(200, [FILE])),
    Asked("a file among others", probe(200, [{"id": "f1"}, FILE])),
    Asked("one file", probe(200, FILE, request=FILE_READ)),
]


@pytest.mark.parametrize("row", WITH_A_FILE, ids=[row.name for row in WITH_A_FILE])
def test_a_success_with_a_file_has_what_was_asked_for(row: Asked):
    assert has_what_was_asked(row.reply)


WITHOUT_A_FILE = [
    Asked("a list without a file", probe(200, [])),
    Asked("objects that are no files", probe(200, [{"id": "f1"}])),
    Asked("another object", probe(200, {"id": "f1"}, request=FILE_READ)),
    Asked("no body", probe(204, request=FILE_READ)),
    Asked(
        "a file with an error, as a success",
        probe(200, {**FILE, "error": "bad", "success": False}, request=FILE_READ),
    ),
    Asked("an error", probe(404, FILE, request=FILE_READ)),
    Asked("a text", probe(200, "OK", request=FILE_READ)),
]


@pytest.mark.parametrize("row", WITHOUT_A_FILE, ids=[row.name for row in WITHOUT_A_FILE])
def test_without_a_file_that_has_an_identifier_a_reply_has_not_what_was_asked_for(row: Asked):
    assert not has_what_was_asked(row.reply)


def own(beside: dict[str, Any], request: Request = LIST_READ) -> Probe:
    """A reply with a file, to the own key."""
    return probe(200, {"data": [FILE], **beside}, request=request)


def made_up(body: Any, request: Request = LIST_READ, status: int = 200) -> Probe:
    question = Question.MADE_UP_KEY
    if request is SEGMENT_READ:
        question = Question.MADE_UP_DATA_KEY
    return probe(status, body, question=question, request=request, keys=Keys.MADE_UP)


def nowhere(body: Any) -> Probe:
    return probe(200, body, question=Question.NO_SUCH_PATH, request=NOWHERE_READ)


class Learned(NamedTuple):
    """Reads, and the member that tells refusals."""

    name: str
    probes: Sequence[Probe]
    member: CodeMember


def member(name: str, *fine: str) -> CodeMember:
    return CodeMember(name, frozenset(fine))


LEARNED = [
    Learned("another code", [own({"rc": "A"}), made_up({"rc": "B"})], member("rc", "A")),
    Learned(
        "several that were fine",
        [own({"rc": "A"}), own({"rc": "B"}, FILE_READ), made_up({"rc": "C"})],
        member("rc", "A", "B"),
    ),
    Learned("a made-up path", [own({"rc": "A"}), nowhere({"rc": "B"})], member("rc", "A")),
    Learned(
        "a made-up data key",
        [own({"rc": "A"}), made_up({"rc": "B"}, SEGMENT_READ)],
        member("rc", "A"),
    ),
    Learned("a member that only refusals have", [own({}), made_up({"rc": "B"})], member("rc")),
    Learned(
        "the second member",
        [own({"rc": "A", "state": "X"}), made_up({"rc": "A", "state": "Y"})],
        member("state", "X"),
    ),
    Learned(
        "the first of two members",
        [own({"rc": "A", "state": "X"}), made_up({"rc": "B", "state": "Y"})],
        member("rc", "A"),
    ),
    Learned(
        "the second refusal",
        [own({"rc": "A"}), made_up({"rc": "A"}), nowhere({"rc": "B"})],
        member("rc", "A"),
    ),
]


@pytest.mark.parametrize("row", LEARNED, ids=[row.name for row in LEARNED])
def test_the_code_of_refusals_is_learned_from_what_reads_got(row: Learned):
    assert learned_codes(evidence(*row.probes)) == row.member


class Reads(NamedTuple):
    """Reads that tell no code of refusals."""

    name: str
    probes: Sequence[Probe]


NOT_LEARNED = [
    Reads("nothing", []),
    Reads("no refusal", [own({"rc": "A"})]),
    Reads("the same code", [own({"rc": "A"}), made_up({"rc": "A"})]),
    Reads("a code that is fine anywhere", [own({"rc": "A"}), made_up({"rc": "0"})]),
    Reads(
        "the second that was fine",
        [own({"rc": "A"}), own({"rc": "B"}, FILE_READ), made_up({"rc": "B"})],
    ),
    Reads("nothing with the own key", [probe(200, []), made_up({"rc": "B"})]),
    Reads(
        "nothing with the own key, but with a made-up one",
        [probe(200, []), made_up({"data": [FILE], "rc": "A"}), nowhere({"rc": "B"})],
    ),
    Reads("a refusal by its status", [own({"rc": "A"}), made_up({"rc": "B"}, status=401)]),
    Reads("a made-up key that has files", [own({"rc": "A"}), made_up({"rc": "B", "data": [FILE]})]),
    Reads("another question", [own({"rc": "A"}), probe(200, {"rc": "B"}, request=FILE_READ)]),
    Reads("a member that only a made-up path has", [own({}), nowhere({"rc": "B"})]),
    Reads(
        "a member that the own key never had there", [own({}), made_up({"rc": "B"}, SEGMENT_READ)]
    ),
    Reads(
        "a code that the own key got there, too",
        [own({}, FILE_READ), probe(200, {"rc": "B"}), made_up({"rc": "B"})],
    ),
    Reads(
        "a code that the own key got there once",
        [own({}), probe(200, {"rc": "B"}), made_up({"rc": "B"})],
    ),
]


@pytest.mark.parametrize("row", NOT_LEARNED, ids=[row.name for row in NOT_LEARNED])
def test_no_code_is_learned_unless_a_refusal_that_is_a_success_has_another_one(row: Reads):
    assert learned_codes(evidence(*row.probes)) is None
