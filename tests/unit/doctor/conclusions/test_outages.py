"""
If a service went away while it was read, the Address is *not proved*, and rests on the lost reads:
it says after how many reads and since when, and how often which status came; the last error's words
are quoted. If the last reply has a time in its headers, the doctor is to be run again after that; a
time in an earlier one does not count. If a made-up key came just before reads without any response,
or is the first of them, the machine may be shut out: the doctor is not to be run again at once.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from support.doctor_addresses import (
    NOT_PROVED,
    STRANGE,
    WAITS,
    Case,
)
from support.doctor_findings import (
    DATA_READ,
    FILES,
    Said,
    again,
    ids,
    listed,
    lost,
    made_up,
    nowhere,
    segment,
)
from support.doctor_replies import (
    MOMENT,
)
from wes_provider.doctor.conclusions.address_conclusions import (
    conclude_on_outage,
)
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.reads import facts
from wes_provider.doctor.replies.probes import Keys, Probe, Question


def late(probe: Probe, seconds: float) -> Probe:
    return replace(probe, sent_at=MOMENT + seconds)


BEFORE_MIDNIGHT = 16 * 3600.0 - 1  # seconds after MOMENT
OUTAGES = [
    Case(
        "no response to two reads",
        [
            listed(200, FILES),
            late(lost(question=Question.AGAIN), 1),
            late(lost(question=Question.NO_SUCH_PATH, request=nowhere().request), 2),
        ],
        Said(
            NOT_PROVED,
            "After 1 read, since 08:00:01 UTC, none of 2 requests got a whole response "
            "(ReadTimeout). Run this again later.",
        ),
    ),
    Case(
        "503 to two reads",
        [listed(200, FILES), late(segment(503), 1), late(nowhere(503, STRANGE), 2)],
        Said(
            NOT_PROVED,
            "After 1 read, since 08:00:01 UTC, the service replied 503 to each of 2 "
            "requests: 'Moon phase is unfavourable'. Run this again later.",
        ),
    ),
    Case(
        "503 to two reads, the last with a time",
        [listed(200, FILES), late(segment(503), 1), late(nowhere(503, headers=WAITS), 2)],
        Said(
            NOT_PROVED,
            "After 1 read, since 08:00:01 UTC, the service replied 503 to each of 2 "
            "requests. Run this again after 08:00:32 UTC, as its headers say.",
        ),
    ),
    Case(
        "503 to two reads, the first with a time",
        [listed(200, FILES), late(segment(503, headers=WAITS), 1), late(nowhere(503), 2)],
        Said(
            NOT_PROVED,
            "After 1 read, since 08:00:01 UTC, the service replied 503 to each of 2 "
            "requests. Run this again later.",
        ),
    ),
    Case(
        "503 to two reads around midnight, the last with a time",
        [
            listed(200, FILES),
            late(segment(503), BEFORE_MIDNIGHT),
            late(nowhere(503, headers=WAITS), BEFORE_MIDNIGHT + 2),
        ],
        Said(
            NOT_PROVED,
            "After 1 read, since 23:59:59 UTC, the service replied 503 to each of 2 "
            "requests. Run this again after 00:00:31 UTC, as its headers say.",
        ),
    ),
    Case(
        "503 and 500 after two reads",
        [listed(200, FILES), again(200, FILES), late(segment(503), 1), late(nowhere(500), 2)],
        Said(
            NOT_PROVED,
            "After 2 reads, since 08:00:01 UTC, 503, then 500 came to 2 requests. Run "
            "this again later.",
        ),
    ),
    Case(
        "no response to two reads after an answer to a made-up key",
        [
            listed(200, FILES),
            made_up(),
            lost(request=DATA_READ, question=Question.DATA_KEY),
            lost(question=Question.NO_SUCH_PATH, request=nowhere().request),
        ],
        Said(
            NOT_PROVED,
            "After 2 reads, since 08:00:00 UTC, none of 2 requests got a whole "
            "response (ReadTimeout). A made-up key came just before, so it may shut "
            "out this machine: do not run this again at once, and ask whoever runs the "
            "gateway.",
        ),
    ),
    Case(
        "no response to a made-up key and a later read",
        [
            listed(200, FILES),
            lost(question=Question.MADE_UP_KEY, keys=Keys.MADE_UP),
            lost(question=Question.NO_SUCH_PATH, request=nowhere().request),
        ],
        Said(
            NOT_PROVED,
            "After 1 read, since 08:00:00 UTC, none of 2 requests got a whole response "
            "(ReadTimeout). A made-up key came just before, so it may shut out this "
            "machine: do not run this again at once, and ask whoever runs the gateway.",
        ),
    ),
]


@pytest.mark.parametrize("row", OUTAGES, ids=ids(OUTAGES))
def test_an_outage_leaves_the_address_open_with_its_statuses_times_and_a_made_up_key_before_it(
    row: Case,
):
    gone = facts.outage(row.evidence)
    finding = conclude_on_outage(row.evidence, gone)
    assert finding.topic is Topic.ADDRESS
    assert Said.of(finding) == row.said
    assert list(finding.probes) == gone
