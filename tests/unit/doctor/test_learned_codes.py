"""The code of refusals that come as successes, as reads with right and made-up keys show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_reads import FILE_READ, LIST_READ, NOWHERE_READ, SEGMENT_READ, evidence, probe
from wes_provider.client.requests import Request
from wes_provider.doctor.codes import CodeMember
from wes_provider.doctor.effects import has_what_was_asked, learned_codes
from wes_provider.doctor.probes import Keys, Probe, Question


class Asked(NamedTuple):
    """A reply, and whether it has what was asked for."""

    name: str
    reply: Probe
    has_it: bool


FILE = {"_id": "f1", "status": "SUCCESS"}
ASKED = [
    Asked("a list with a file", probe(200, [FILE]), True),
    Asked("a list without a file", probe(200, []), False),
    Asked("objects that are no files", probe(200, [{"id": "f1"}]), False),
    Asked("a file among others", probe(200, [{"id": "f1"}, FILE]), True),
    Asked("one file", probe(200, FILE, request=FILE_READ), True),
    Asked("another object", probe(200, {"id": "f1"}, request=FILE_READ), False),
    Asked("no body", probe(204, request=FILE_READ), False),
    Asked("an error", probe(404, FILE, request=FILE_READ), False),
    Asked("a text", probe(200, "OK", request=FILE_READ), False),
]


@pytest.mark.parametrize("row", ASKED, ids=[row.name for row in ASKED])
def test_what_was_asked_for_is_a_file_with_an_identifier(row: Asked):
    assert has_what_was_asked(row.reply) is row.has_it


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


class Row(NamedTuple):
    """Reads, and the member that tells refusals; ``None`` if none does."""

    name: str
    probes: Sequence[Probe]
    member: CodeMember | None


def member(name: str, *fine: str) -> CodeMember:
    return CodeMember(name, frozenset(fine))


ROWS = [
    Row("nothing", [], None),
    Row("no refusal", [own({"rc": "A"})], None),
    Row("another code", [own({"rc": "A"}), made_up({"rc": "B"})], member("rc", "A")),
    Row("the same code", [own({"rc": "A"}), made_up({"rc": "A"})], None),
    Row("a code that is fine anywhere", [own({"rc": "A"}), made_up({"rc": "0"})], None),
    Row(
        "several that were fine",
        [own({"rc": "A"}), own({"rc": "B"}, FILE_READ), made_up({"rc": "C"})],
        member("rc", "A", "B"),
    ),
    Row(
        "the second that was fine",
        [own({"rc": "A"}), own({"rc": "B"}, FILE_READ), made_up({"rc": "B"})],
        None,
    ),
    Row("nothing with the own key", [probe(200, []), made_up({"rc": "B"})], None),
    Row(
        "nothing with the own key, but with a made-up one",
        [probe(200, []), made_up({"data": [FILE], "rc": "A"}), nowhere({"rc": "B"})],
        None,
    ),
    Row("a made-up path", [own({"rc": "A"}), nowhere({"rc": "B"})], member("rc", "A")),
    Row(
        "a made-up data key",
        [own({"rc": "A"}), made_up({"rc": "B"}, SEGMENT_READ)],
        member("rc", "A"),
    ),
    Row("a refusal by its status", [own({"rc": "A"}), made_up({"rc": "B"}, status=401)], None),
    Row(
        "a made-up key that has files",
        [own({"rc": "A"}), made_up({"rc": "B", "data": [FILE]})],
        None,
    ),
    Row("another question", [own({"rc": "A"}), probe(200, {"rc": "B"}, request=FILE_READ)], None),
    Row("a member that only refusals have", [own({}), made_up({"rc": "B"})], member("rc")),
    Row("a member that only a made-up path has", [own({}), nowhere({"rc": "B"})], None),
    Row(
        "a member that the own key never had there",
        [own({}), made_up({"rc": "B"}, SEGMENT_READ)],
        None,
    ),
    Row(
        "a code that the own key got there, too",
        [own({}, FILE_READ), probe(200, {"rc": "B"}), made_up({"rc": "B"})],
        None,
    ),
    Row(
        "a code that the own key got there once",
        [own({}), probe(200, {"rc": "B"}), made_up({"rc": "B"})],
        None,
    ),
    Row(
        "the second member",
        [own({"rc": "A", "state": "X"}), made_up({"rc": "A", "state": "Y"})],
        member("state", "X"),
    ),
    Row(
        "the first of two members",
        [own({"rc": "A", "state": "X"}), made_up({"rc": "B", "state": "Y"})],
        member("rc", "A"),
    ),
    Row(
        "the second refusal",
        [own({"rc": "A"}), made_up({"rc": "A"}), nowhere({"rc": "B"})],
        member("rc", "A"),
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_the_code_of_refusals_is_learned_from_what_reads_got(row: Row):
    assert learned_codes(evidence(*row.probes)) == row.member
