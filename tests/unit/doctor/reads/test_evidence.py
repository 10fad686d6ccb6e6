"""
What is known after some reads of the doctor.

The address is made of a data center if the host of the connection has ``{data_center}`` once, and
the address has two or three digits there, and is otherwise the same; then another number can be put
in its place. A list is named unless it is the made-up one. A question was not asked for the reason
that is given, or else since 12 reads or more were sent, or else since other replies left it open.
Evidence that grows by reads or reasons leaves the old one as it was.

Reads are told apart by question, request and keys. A 429 and a 5xx are no answer, but count as
sent. The answers to the list are those at the path of the connection with its own keys, whatever
they were asked for; answers to the own keys are grouped by the request that got them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest

from support.doctor_replies import changed, evidence_of, reply, request_for
from wes_provider.doctor.reads.evidence import (
    MADE_UP,
)
from wes_provider.doctor.replies.probes import Keys, Probe, Question


class Center(NamedTuple):
    """An address, the host of the connection, its digits, and the address with another number."""

    name: str
    address: str
    host: str
    digits: int
    other: str


CENTERS = [
    Center("none", "https://api.example.com", "", 0, ""),
    Center(
        "two digits",
        "https://api-01.example.com",
        "https://api-{data_center}.example.com",
        2,
        "https://api-77.example.com",
    ),
    Center(
        "three digits",
        "https://api-012.example.com",
        "https://api-{data_center}.example.com/",
        3,
        "https://api-77.example.com",
    ),
    Center(
        "one digit", "https://api-1.example.com", "https://api-{data_center}.example.com", 0, ""
    ),
    Center(
        "a port with the same digits",
        "https://api-01.example.com:101",
        "api-{data_center}.example.com",
        2,
        "https://api-77.example.com:101",
    ),
    Center(
        "no number in the host", "https://api-01.example.com", "https://api-01.example.com", 0, ""
    ),
    Center("two numbers", "https://01.02.com", "https://{data_center}.{data_center}.com", 0, ""),
    Center(
        "a dot is a dot",
        "https://api-01xexample.com",
        "https://api-{data_center}.example.com",
        0,
        "",
    ),
]


@pytest.mark.parametrize("row", CENTERS, ids=[row.name for row in CENTERS])
def test_the_address_is_made_of_a_data_center_if_that_is_the_only_number_of_the_host(row: Center):
    evidence = evidence_of(settings=changed(base_url=row.address), host=row.host)
    assert evidence.digits_of_data_center == row.digits
    assert evidence.is_made_of_data_center is bool(row.digits)


@pytest.mark.parametrize("row", CENTERS, ids=[row.name for row in CENTERS])
def test_the_address_in_another_data_center_has_its_number(row: Center):
    evidence = evidence_of(settings=changed(base_url=row.address), host=row.host)
    assert evidence.address_in("77") == row.other


def test_a_list_is_named_if_it_is_not_made_up():
    assert evidence_of().names_a_list


def test_no_list_is_named_if_it_is_made_up():
    assert not evidence_of(list_id=MADE_UP).names_a_list


class Why(NamedTuple):
    """How many reads there were, a reason for a question, and why it was not asked."""

    reads: int
    given: Mapping[Question, str]
    why: str


WHYS = [
    Why(11, {}, "other replies left it open"),
    Why(12, {}, "the other questions took all 12 reads"),
    Why(13, {}, "the other questions took all 12 reads"),
    Why(12, {Question.AGAIN: "no time"}, "no time"),
    Why(0, {Question.AGAIN: ""}, "other replies left it open"),
    Why(0, {Question.LIST: "no time"}, "other replies left it open"),
]


@pytest.mark.parametrize("row", WHYS, ids=[f"{row.reads}, {row.given}" for row in WHYS])
def test_a_question_was_not_asked_for_the_given_reason_or_else_for_the_12_reads(row: Why):
    evidence = evidence_of(*row.reads * [reply()], not_asked=row.given)
    assert evidence.why_not_asked(Question.AGAIN) == row.why


def test_evidence_grows_by_reads_and_reasons_and_stays_as_it_was_itself():
    first, second = reply(), reply(404)
    evidence = evidence_of(first, not_asked={Question.LIST: "a", Question.AGAIN: "b"})
    grown = evidence.plus([second]).without(Question.LIST, "c")
    assert [probe.status for probe in grown.probes] == [200, 404]
    assert grown.not_asked == {Question.LIST: "c", Question.AGAIN: "b"}
    assert evidence.probes == (first,)


READS = {
    "list 503": reply(503),
    "list 404": reply(404),
    "nowhere 200": reply(200, question=Question.NO_SUCH_PATH),
    "list 200 to a made-up key": reply(200, question=Question.AGAIN, keys=Keys.MADE_UP),
    "list 200": reply(200),
    "nowhere 429": reply(429, question=Question.NO_SUCH_PATH),
    "segment 500": reply(500, question=Question.DATA_KEY),
    "list again 401": reply(401, question=Question.AGAIN),
}
EVIDENCE = evidence_of(*READS.values())
READ_OF_LIST = request_for(Question.LIST)


class Told(NamedTuple):
    """Some of the reads, and how these are called."""

    name: str
    probes: Sequence[Probe]
    called: Sequence[str]


TOLD = [
    Told("answers for a question", EVIDENCE.of(Question.LIST), ["list 404", "list 200"]),
    Told(
        "answers for two questions",
        EVIDENCE.of(Question.LIST, Question.NO_SUCH_PATH),
        ["list 404", "nowhere 200", "list 200"],
    ),
    Told(
        "all that was sent for a question",
        EVIDENCE.sent_for(Question.LIST),
        ["list 503", "list 404", "list 200"],
    ),
    Told(
        "answers to the list, whatever they were asked for",
        EVIDENCE.list_answers,
        ["list 404", "list 200", "list again 401"],
    ),
    Told(
        "answers to a request with the own keys",
        EVIDENCE.answers_to(READ_OF_LIST),
        ["list 404", "list 200", "list again 401"],
    ),
    Told(
        "answers to a request with made-up keys",
        EVIDENCE.answers_to(READ_OF_LIST, Keys.MADE_UP),
        ["list 200 to a made-up key"],
    ),
    Told("reads without an answer", EVIDENCE.lost_reads(READ_OF_LIST), ["list 503"]),
    Told("a request that was not sent", EVIDENCE.answers_to(request_for(Question.FILE_PATH)), []),
]


@pytest.mark.parametrize("row", TOLD, ids=[row.name for row in TOLD])
def test_reads_are_told_apart_by_question_request_and_reply(row: Told):
    names = {id(probe): name for name, probe in READS.items()}
    assert [names[id(probe)] for probe in row.probes] == [*row.called]


def test_answers_are_grouped_by_requests_with_the_own_keys_that_got_any():
    of_list, of_nowhere = EVIDENCE.answers_by_request()
    assert of_list == EVIDENCE.list_answers
    assert of_nowhere == [READS["nowhere 200"]]


def test_the_answers_to_the_list_are_those_at_the_path_of_the_connection():
    settings = changed(coupon_files_path="/a/{coupon_list_id}")
    there = reply(request=request_for(Question.LIST, path="/a/{coupon_list_id}"))
    assert evidence_of(reply(), there, settings=settings).list_answers == [there]
