"""
After an upload, a reply that is no answer leaves open whether the list has the file: it does not
count for the lag, and it is noted if the list has the file by the next reading. A list that was
read without the file counts, and so does the last of several. A reply about the moment or this
machine has no other path tried, and neither has a refused key that was accepted before the upload;
a 404 has all paths tried. A list that has the file once it is processed shows files only then, if
the reading before had an answer.

A limit that refuses a read and says for how long has all reads pause until then, but no longer than
the file is followed; one that does not say so leaves the pauses as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import UNAUTHENTICATED, ids
from support.doctor_followers import (
    FILE_PATH,
    LIST_PATH,
    PENDING,
    follow,
    followed_file,
    uploaded_record,
)
from support.doctor_service import json_reply, not_found
from support.servers import Reply

AWAY = json_reply(503, {"error": {"code": "unavailable", "message": "Deployment in progress."}})
LIMITED = Reply(429, b"")
BLOCKED = json_reply(403, {"error": {"code": "no", "message": "Your IP address is blocked."}})
REFUSED = json_reply(401, UNAUTHENTICATED)


class Before(NamedTuple):
    """
    What the list gets in the first 5 s and in the next 5 s, and what is noted when it has the file.

    :ivar unanswered: the status of the reply that leaves open whether the file was there; 0 for
        none.
    :ivar unlisted: the seconds between which a list without the file was read last.
    """

    name: str
    first: Any
    then: Any
    unanswered: int
    unlisted: tuple[float, float]


BEFORE = [
    Before("a list without it", [], [], 0, (8.0, 10.0)),
    Before("no answer", AWAY, AWAY, 503, (0.0, 0.0)),
    Before("a list without it, then no answer", [], AWAY, 503, (2.0, 5.0)),
    Before("no answer, then a list without it", AWAY, [], 0, (8.0, 10.0)),
    Before("no list", not_found("list"), not_found("list"), 0, (0.0, 0.0)),
]


@pytest.mark.parametrize("row", BEFORE, ids=ids(BEFORE))
def test_only_lists_that_were_read_without_the_file_count_for_the_lag(row: Before):
    def listed(seconds: float) -> Any:
        if seconds >= 10:
            return [uploaded_record()]
        return row.first if seconds < 5 else row.then

    followed = followed_file(listed, lambda _: uploaded_record())
    assert followed.listed_after is not None
    least, most = row.unlisted
    assert least <= followed.unlisted_after <= most
    assert (followed.unanswered.status if followed.unanswered else 0) == row.unanswered


class NoAnswer(NamedTuple):
    """A reply to each read of the first 20 s, and whether other paths are tried."""

    name: str
    reply: Reply
    tries_others: bool


NO_ANSWERS = [
    NoAnswer("503", AWAY, tries_others=False),
    NoAnswer("429", LIMITED, tries_others=False),
    NoAnswer("403 about this machine", BLOCKED, tries_others=False),
    NoAnswer("401", REFUSED, tries_others=False),
    NoAnswer("404", not_found("file"), tries_others=True),
]


def later(reply: Any, content: Any) -> Callable[[float], Any]:
    """A reply in the first 20 s, and another one since."""
    return lambda seconds: reply if seconds < 20 else content


@pytest.mark.parametrize("row", NO_ANSWERS, ids=ids(NO_ANSWERS))
def test_only_an_answer_has_other_paths_tried(row: NoAnswer):
    _, sender = follow(later(row.reply, [uploaded_record()]), later(row.reply, uploaded_record()))
    others = {probe.path for probe in sender.probes} - {LIST_PATH, FILE_PATH}
    assert bool(others) is row.tries_others


class Limit(NamedTuple):
    """Headers of a 429, and between how many seconds the next read of the list comes."""

    name: str
    headers: dict[str, str]
    seconds: tuple[float, float]


LIMITS = [
    Limit("without a time", {}, (0.9, 2.0)),
    Limit("8 s by Retry-After", {"Retry-After": "8"}, (7.9, 10.0)),
    Limit("longer than the file is followed", {"Retry-After": "600"}, (39.0, 41.0)),
]


@pytest.mark.parametrize("row", LIMITS, ids=ids(LIMITS))
def test_a_limit_that_refuses_a_read_has_the_next_ones_pause(row: Limit):
    _, sender = follow(
        later(Reply(429, b"", row.headers), [uploaded_record()]),
        lambda _: uploaded_record(),
        timeout=40.0,
    )
    first, second = [probe.sent_at for probe in sender.probes if probe.path == LIST_PATH][:2]
    least, most = row.seconds
    assert least <= second - first <= most


def test_a_limit_that_refuses_a_read_in_the_end_has_the_next_ones_pause():
    """The list is read three times more once the file has ended."""
    limited: list[float] = []

    def listed(seconds: float) -> Any:
        if seconds < 3 or limited:
            return [uploaded_record()]
        limited.append(seconds)
        return Reply(429, b"", {"Retry-After": "8"})

    _, sender = follow(
        listed, lambda seconds: PENDING if seconds < 3 else uploaded_record(), timeout=40.0
    )
    reads = [probe for probe in sender.probes if probe.path == LIST_PATH]
    (refused,) = [probe for probe in reads if probe.status == 429]
    after = reads[reads.index(refused) + 1]
    assert after.sent_at - refused.sent_at >= 7.9


def test_a_list_that_has_a_processed_file_after_an_outage_may_have_had_it_before():
    def listed(seconds: float) -> Any:
        if seconds < 3:
            return []
        return AWAY if seconds < 10 else [uploaded_record()]

    def alone(seconds: float) -> Any:
        return PENDING if seconds < 10 else uploaded_record()

    assert not followed_file(listed, alone).is_listed_when_processed


def test_an_upload_without_an_identifier_is_not_missed_in_a_list_that_was_not_read():
    follower, _ = follow(lambda _: AWAY, lambda _: AWAY, accepted={"ok": True})
    assert follower.looked_up is not None
    assert follower.looked_up.unanswered is not None


def test_an_upload_without_an_identifier_is_missed_in_a_list_that_was_read_once():
    follower, _ = follow(
        lambda seconds: [] if seconds < 5 else AWAY, lambda _: AWAY, accepted={"ok": True}
    )
    assert follower.looked_up is not None
    assert follower.looked_up.unanswered is None
