"""
A service that replies no more since a made-up key was sent: a firewall may drop the requests of a machine
that sends wrong keys. If all replies before came within 2 s, a read that waits in vain for 10 s or more
counts as lost, although the doctor's own time cut it off; no further made-up key is sent then. Two such
reads end the examination: the report says since when nothing came, that the key may be the cause, and not
to run it again at once, also not in the rows of other topics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import FILES, ids, listed, lost, made_up_segment, segment
from support.doctor_replies import evidence_of
from support.doctor_service import Account, Call, check_what_holds_of_each_report, examined_account
from support.servers import Reply
from wes_provider.doctor.conclusions.read_conclusions import conclude_from_reads
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.reads import facts
from wes_provider.doctor.replies.probes import Keys, Probe, Question


class Silence(NamedTuple):
    """Replies, how long the read after them waited in vain, and whether the service fell silent."""

    name: str
    before: Sequence[Probe]
    waited: float
    is_silent: bool


QUICK = [listed(200, FILES, took=1.9), made_up_segment(took=0.1)]
SILENCES = [
    Silence("for 10 s, after quick replies", QUICK, 10.0, is_silent=True),
    Silence("for less than 10 s", QUICK, 9.9, is_silent=False),
    Silence(
        "after a reply that took 2 s",
        [listed(200, FILES, took=2.0), made_up_segment(took=0.1)],
        10.0,
        is_silent=False,
    ),
    Silence("without a made-up key", [listed(200, FILES, took=0.1)], 20.0, is_silent=False),
    Silence(
        "with another reply since the made-up key",
        [*QUICK, segment(took=0.1)],
        20.0,
        is_silent=False,
    ),
    Silence("before any reply", [], 20.0, is_silent=False),
]


@pytest.mark.parametrize("row", SILENCES, ids=ids(SILENCES))
def test_a_service_falls_silent_if_a_read_waits_long_in_vain_since_a_made_up_key(row: Silence):
    ran_out = lost(question=Question.FILE_PATH, ran_out=True, took=row.waited)
    assert facts.has_fallen_silent(evidence_of(*row.before), ran_out) is row.is_silent


def test_no_topic_advises_to_run_it_again_if_a_firewall_may_shut_out():
    probes = [*QUICK, lost(question=Question.FILE_PATH), lost(question=Question.NO_SUCH_PATH)]
    evidence = evidence_of(*probes)
    findings = conclude_from_reads(evidence, facts.places(evidence))
    texts = {finding.topic: finding.text for finding in findings}
    assert "do not run this again at once" in texts.pop(Topic.ADDRESS)
    assert "See Address." in texts[Topic.CAMPAIGN_KEY]
    assert [text for text in texts.values() if "Run this again" in text] == []


def test_no_second_made_up_key_is_sent_into_the_silence():
    keys: list[str] = []

    def nasty(call: Call) -> Reply | None:
        keys.append(call.key)
        return Reply(0, b"") if "unknown" in keys[:-1] else None

    report = examined_account(Account(nasty))
    check_what_holds_of_each_report(report)
    assert keys.count("unknown") == 1
    assert sum(probe.keys is Keys.MADE_UP for probe in report.probes) == 1
