"""
Only an answer settles a question. None is a 429, a 5xx, no whole response, a 401, a 403 about this
machine, a redirect or a web page; a 404, another 403 and a success are one. Reads are unanswered if
there are some, and none has an answer. They settle no path if each reply is about the moment, this
machine or the key; a redirect and a page may be about a path. What came in place of an answer is
named with its words.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import FILES, FORBIDDEN, NOT_FOUND, PAGE, UNAUTHENTICATED, ids
from support.doctor_replies import error_body, reply
from wes_provider.doctor.reads.since_upload import (
    are_unanswered,
    is_answer,
    settle_no_path,
    what_came,
)
from wes_provider.doctor.replies.probes import Probe

AWAY = reply(503, error_body("unavailable", "Deployment in progress."))
ANSWER = reply(200, FILES)


class Reply(NamedTuple):
    """A reply, whether it is an answer, whether it settles no path, and how it is named."""

    name: str
    probe: Probe
    is_answer: bool
    settles_no_path: bool
    came: str


REPLIES = [
    Reply("files", ANSWER, is_answer=True, settles_no_path=False, came="200"),
    Reply(
        "404",
        reply(404, NOT_FOUND),
        is_answer=True,
        settles_no_path=False,
        came="404 not-found: 'Nothing is here'",
    ),
    Reply(
        "403",
        reply(403, FORBIDDEN),
        is_answer=True,
        settles_no_path=False,
        came="403 forbidden: 'Not you'",
    ),
    Reply("429", reply(429), is_answer=False, settles_no_path=True, came="429"),
    Reply(
        "503",
        AWAY,
        is_answer=False,
        settles_no_path=True,
        came="503 unavailable: 'Deployment in progress'",
    ),
    Reply(
        "nothing",
        reply(0, problem="ReadTimeout"),
        is_answer=False,
        settles_no_path=True,
        came="no whole response, ReadTimeout",
    ),
    Reply(
        "401",
        reply(401, UNAUTHENTICATED),
        is_answer=False,
        settles_no_path=True,
        came="401 request-unauthenticated: 'Credentials are missing or invalid'",
    ),
    Reply(
        "403 about this machine",
        reply(403, error_body("blocked", "Your IP address is temporarily blocked.")),
        is_answer=False,
        settles_no_path=True,
        came="403 blocked: 'Your IP address is temporarily blocked'",
    ),
    Reply(
        "a redirect",
        reply(302, b"", {"location": "/login"}),
        is_answer=False,
        settles_no_path=False,
        came="302",
    ),
    Reply(
        "a web page",
        reply(200, PAGE),
        is_answer=False,
        settles_no_path=False,
        came="200 with a web page: 'Hello'",
    ),
]


@pytest.mark.parametrize("row", REPLIES, ids=ids(REPLIES))
def test_only_what_the_service_says_of_the_file_is_an_answer(row: Reply):
    assert is_answer(row.probe) is row.is_answer


@pytest.mark.parametrize("row", REPLIES, ids=ids(REPLIES))
def test_a_reply_about_the_moment_the_machine_or_the_key_settles_no_path(row: Reply):
    assert settle_no_path([row.probe]) is row.settles_no_path


@pytest.mark.parametrize("row", REPLIES, ids=ids(REPLIES))
def test_what_came_is_named_with_its_words(row: Reply):
    assert what_came(row.probe) == row.came


class Reads(NamedTuple):
    """Several replies, and whether there are some and none is an answer."""

    name: str
    probes: list[Probe]
    are_unanswered: bool


READS = [
    Reads("none", [], are_unanswered=False),
    Reads("two without an answer", [AWAY, AWAY], are_unanswered=True),
    Reads("an answer after one without", [AWAY, ANSWER], are_unanswered=False),
]


@pytest.mark.parametrize("row", READS, ids=ids(READS))
def test_reads_are_unanswered_if_none_got_an_answer(row: Reads):
    assert are_unanswered(row.probes) is row.are_unanswered


def test_one_answer_may_settle_a_path():
    assert not settle_no_path([AWAY, ANSWER])


def test_no_read_settles_anything_of_a_path():
    assert not settle_no_path([])
