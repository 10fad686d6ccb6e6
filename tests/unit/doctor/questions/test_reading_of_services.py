"""
A healthy account is read with ten reads, in this order: the list, a segment, a path that does not
exist, a made-up data key, one file, a made-up key, and then the segment once, the list twice and
the file once more. People are told the question of each read, and how long a limit is waited for (2
s if it does not say). A question without an answer is not asked again, though reads are left; if a
repetition gets none, the other reads are repeated all the same. A search for the list leaves four
reads for the questions below, and goes on with those that they did not need, up to 12 in all.
Nothing more is read once no reply can settle anything: after two lost reads of the list; if they
got a 503, after two of a segment; after a page to the list twice and to another path. A read that
the doctor's own time cut off is no evidence: time ran out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import NOT_FOUND, UNAUTHENTICATED, ids
from support.doctor_replies import LIST, SETTINGS, reply
from support.doctor_service import record
from support.skipping_clock import CLOCK
from wes_provider.doctor.questions.table import read_service
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.reads.sending import MOST_READS, Ask, Reader, Sender
from wes_provider.doctor.replies.probes import Keys, Probe, Question

SEGMENT = "/v3/custom-segments/wes-doctor"
LIST_PATH = f"/v1/coupon-list/{LIST}/files"
FILE_PATH = f"{LIST_PATH}/f1"


class Replying(Sender):
    """Sends nothing, and has a reply for each request."""

    def __init__(self, replies: Callable[[Probe], tuple[int, Any]]) -> None:
        super().__init__(SETTINGS)
        self._replies = replies

    def send(self, question: Question, ask: Ask, until: float | None = None) -> Probe:
        """Return the reply to a request."""
        asked = Probe(question, ask.request, ask.keys, ask.tried, sent_at=CLOCK.time())
        status, content = self._replies(asked)
        came = reply(status, content)
        problem = "" if status else "ReadTimeout"
        probe = replace(asked, response=came.response, problem=problem)
        self.probes.append(probe)
        return probe


def healthy(asked: Probe) -> tuple[int, Any]:
    """What a healthy account replies: its list has the files f1 and f2."""
    if asked.keys is not Keys.OWN:
        return 401, UNAUTHENTICATED
    if asked.path == LIST_PATH:
        return 200, [record("f1"), record("f2")]
    if asked.path == FILE_PATH:
        return 200, record("f1")
    return 404, NOT_FOUND


def read(
    replies: Callable[[Probe], tuple[int, Any]], steps: list[str] | None = None
) -> tuple[Evidence, list[Probe]]:
    """Read a service; return what is known then, and what was sent."""
    sender = Replying(replies)
    on_step = (steps if steps is not None else []).append
    evidence = read_service(Reader(sender), Evidence(SETTINGS, LIST), on_step)
    return evidence, sender.probes


def test_a_healthy_account_is_read_in_this_order():
    _, sent = read(healthy)
    assert [(probe.question, probe.path) for probe in sent] == [
        (Question.LIST, LIST_PATH),
        (Question.DATA_KEY, SEGMENT),
        (Question.NO_SUCH_PATH, "/v1/wes-doctor-no-such-path/wes-doctor"),
        (Question.MADE_UP_DATA_KEY, SEGMENT),
        (Question.FILE_PATH, FILE_PATH),
        (Question.MADE_UP_KEY, LIST_PATH),
        (Question.AGAIN, SEGMENT),
        (Question.AGAIN, LIST_PATH),
        (Question.AGAIN, LIST_PATH),
        (Question.AGAIN, FILE_PATH),
    ]


def test_a_question_without_an_answer_is_not_asked_again_though_reads_are_left():
    def replies(asked: Probe) -> tuple[int, Any]:
        if asked.path == SEGMENT:
            return 503, b""
        return healthy(asked)

    evidence, sent = read(replies)
    reads = [probe for probe in sent if probe.question is Question.DATA_KEY]
    # One read, and its repetition.
    assert len(reads) == 2
    assert len(sent) < MOST_READS
    assert evidence.not_asked[Question.DATA_KEY] == "the service replied 503 to each of 2 requests"


def test_the_other_reads_are_repeated_though_the_repetition_of_one_has_no_answer():
    def replies(asked: Probe) -> tuple[int, Any]:
        if asked.question is Question.AGAIN and asked.path == SEGMENT:
            return 503, b""
        return healthy(asked)

    _, sent = read(replies)
    again = [probe.path for probe in sent if probe.question is Question.AGAIN]
    assert again[:3] == [SEGMENT, SEGMENT, LIST_PATH]


def test_a_search_leaves_reads_for_the_questions_below_and_goes_on_with_those_they_did_not_need():
    def replies(asked: Probe) -> tuple[int, Any]:
        if asked.keys is not Keys.OWN:
            return 401, UNAUTHENTICATED
        if asked.path == SEGMENT:
            return 404, {"error": {"code": "not-found", "message": "No such segment."}}
        return 404, NOT_FOUND

    evidence, sent = read(replies)
    questions = [probe.question for probe in sent]
    assert len(sent) == MOST_READS
    # The list is looked for until four reads are left, then a made-up key and a file come.
    searched = [place for place, each in enumerate(questions) if each is Question.LIST_PATH]
    key = questions.index(Question.MADE_UP_KEY)
    assert [place for place in searched if place < key] == [4, 5, 6, 7]
    assert key == 8
    assert "took all" in evidence.why_not_asked(Question.LIST_PATH)


class Ended(NamedTuple):
    """What a service replies to each read, and the questions that are asked then."""

    name: str
    replies: Callable[[Probe], tuple[int, Any]]
    questions: list[Question]


ENDED = [
    Ended(
        "no response",
        lambda _: (0, b""),
        [Question.LIST, Question.LIST],
    ),
    Ended(
        "503",
        lambda _: (503, b""),
        [Question.LIST, Question.LIST, Question.DATA_KEY, Question.DATA_KEY],
    ),
    Ended(
        "a web page",
        lambda _: (200, "<html><title>Hello</title>"),
        [Question.LIST, Question.LIST, Question.NO_SUCH_PATH],
    ),
]


@pytest.mark.parametrize("row", ENDED, ids=ids(ENDED))
def test_nothing_more_is_read_once_no_reply_can_settle_anything(row: Ended):
    _, sent = read(row.replies)
    assert [probe.question for probe in sent] == row.questions


def test_a_read_that_the_doctors_own_time_cut_off_is_no_evidence():
    class CutOff(Replying):
        def send(self, question: Question, ask: Ask, until: float | None = None) -> Probe:
            probe = super().send(question, ask, until)
            if question is Question.NO_SUCH_PATH:
                probe = replace(probe, response=reply(0).response, problem="x", ran_out=True)
                self.probes[-1] = probe
            return probe

    sender = CutOff(healthy)
    evidence = read_service(Reader(sender), Evidence(SETTINGS, LIST), lambda _: None)
    assert Question.NO_SUCH_PATH not in [probe.question for probe in evidence.probes]
    assert Question.NO_SUCH_PATH in [probe.question for probe in sender.probes]
    assert evidence.out_of_time
    assert evidence.not_asked[Question.NO_SUCH_PATH] == evidence.out_of_time


def test_people_are_told_the_question_of_each_read():
    steps: list[str] = []
    read(healthy, steps)
    assert steps[:3] == [
        "Is the campaign key accepted?",
        "Is the data key accepted?",
        "How does it reply to no path?",
    ]
    assert len(steps) == 10


def test_people_are_told_how_long_a_limit_is_waited_for():
    replies = iter([(429, b"")])
    steps: list[str] = []
    read(lambda asked: next(replies, None) or healthy(asked), steps)
    assert steps[:2] == [
        "Is the campaign key accepted?",
        "Is the campaign key accepted? The service's limit: 2 s to wait",
    ]
