"""
An outage are the reads at the end that got no answer, by a 5xx or no response, if there are two
different ones at least, after a read that got one. Requests with different keys or paths are
different; words of a maintenance in a 403 are no outage. A firewall may shut the doctor out if all
reads of an outage got no response, and a made-up key came just before or among them, with no other
answer between; a failure is a response. One lost read is enough to say that no response came since
a made-up key. A quota are reads at the end with 429, under the same conditions; they are no outage.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    ids,
    listed,
    lost,
    made_up,
    nowhere,
    segment,
)
from support.doctor_replies import (
    error_body,
    evidence_of,
)
from wes_provider.doctor.reads import facts
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.probes import Probe, Question

MAINTENANCE = error_body("", "Maintenance until 22:00")


class Lost(NamedTuple):
    """
    Replies, and what is known of those at the end that are lost.

    :ivar outage: how many reads at the end are an outage.
    :ivar is_shut_out: whether the outage may be of a firewall, since a made-up key was sent.
    :ivar is_lost_since: whether no response came since a made-up key, even if one read shows it.
    """

    name: str
    probes: Sequence[Probe]
    outage: int = 0
    is_shut_out: bool = False
    is_lost_since: bool = False

    @property
    def evidence(self) -> Evidence:
        return evidence_of(*self.probes)


AT_NO_SUCH_PATH = lost(question=Question.NO_SUCH_PATH)
WITH_MADE_UP_KEY = lost(question=Question.MADE_UP_KEY)
LOST = [
    # No made-up key was sent.
    Lost("nothing", []),
    Lost("all reads are lost", [lost(), AT_NO_SUCH_PATH]),
    Lost("one read at the end", [listed(200, FILES), AT_NO_SUCH_PATH]),
    Lost("the same read twice", [listed(200, FILES), AT_NO_SUCH_PATH, AT_NO_SUCH_PATH]),
    Lost("two reads", [listed(200, FILES), AT_NO_SUCH_PATH, lost()], outage=2),
    Lost("two reads before an answer", [listed(200, FILES), AT_NO_SUCH_PATH, lost(), segment()]),
    Lost(
        "words of a maintenance", [segment(), listed(403, MAINTENANCE), nowhere(403, MAINTENANCE)]
    ),
    # A made-up key was sent.
    Lost(
        "the same read with a made-up key after the own one",
        [listed(200, FILES), lost(), WITH_MADE_UP_KEY],
        outage=2,
    ),
    Lost(
        "the read with a made-up key and a later one",
        [listed(200, FILES), WITH_MADE_UP_KEY, lost()],
        outage=2,
        is_shut_out=True,
        is_lost_since=True,
    ),
    Lost(
        "two reads after an answer to a made-up key",
        [listed(200, FILES), made_up(), lost(), AT_NO_SUCH_PATH],
        outage=2,
        is_shut_out=True,
        is_lost_since=True,
    ),
    Lost(
        "one read after an answer to a made-up key",
        [listed(200, FILES), made_up(), lost()],
        is_lost_since=True,
    ),
    Lost(
        "two reads after another answer since a made-up key",
        [made_up(), listed(200, FILES), lost(), AT_NO_SUCH_PATH],
        outage=2,
    ),
    # Failures are responses, which no firewall sends.
    Lost(
        "two failures after an answer to a made-up key",
        [made_up(), listed(503), nowhere(503)],
        outage=2,
    ),
    Lost(
        "a loss and a failure after an answer to a made-up key",
        [made_up(), lost(), nowhere(503)],
        outage=2,
    ),
]


@pytest.mark.parametrize("row", LOST, ids=ids(LOST))
def test_an_outage_is_two_reads_or_more_without_an_answer_at_the_end(row: Lost):
    outage = facts.outage(row.evidence)
    at_the_end = row.probes[len(row.probes) - row.outage :]
    assert [id(probe) for probe in outage] == [id(probe) for probe in at_the_end]


@pytest.mark.parametrize("row", LOST, ids=ids(LOST))
def test_a_firewall_may_shut_out_if_an_outage_without_any_response_follows_a_made_up_key(row: Lost):
    assert facts.is_shut_out(row.evidence) is row.is_shut_out


@pytest.mark.parametrize("row", LOST, ids=ids(LOST))
def test_one_read_shows_that_no_response_came_since_a_made_up_key(row: Lost):
    assert facts.is_lost_since_made_up_key(row.evidence) is row.is_lost_since


@pytest.mark.parametrize("row", LOST, ids=ids(LOST))
def test_no_reads_but_those_with_429_are_of_a_quota(row: Lost):
    assert facts.quota(row.evidence) == []


class Limited(NamedTuple):
    """Replies, and how many of those at the end are of a quota."""

    name: str
    probes: Sequence[Probe]
    quota: int = 0


LIMITED = [
    Limited("two reads", [segment(), listed(429), nowhere(429)], quota=2),
    Limited("a read with two keys", [segment(), listed(429), made_up(429)], quota=2),
    Limited("all reads", [listed(429), nowhere(429)]),
    Limited("the same read twice", [segment(), listed(429), listed(429)]),
    Limited("one read", [segment(), listed(429)]),
    Limited("two reads before an answer", [segment(), listed(429), nowhere(429), segment()]),
]


@pytest.mark.parametrize("row", LIMITED, ids=ids(LIMITED))
def test_a_quota_is_two_reads_or_more_with_429_at_the_end(row: Limited):
    quota = facts.quota(evidence_of(*row.probes))
    at_the_end = row.probes[len(row.probes) - row.quota :]
    assert [id(probe) for probe in quota] == [id(probe) for probe in at_the_end]


@pytest.mark.parametrize("row", LIMITED, ids=ids(LIMITED))
def test_reads_with_429_are_no_outage(row: Limited):
    assert facts.outage(evidence_of(*row.probes)) == []
