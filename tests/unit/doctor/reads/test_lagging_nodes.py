"""
Statuses of an uploaded file that go back are explained by a node that is behind, if a header names
the node of each reply, no node goes back by itself, and one that was ahead is ahead again after
that. Otherwise nothing is said of nodes by their names: if the status went back on one node, if two
are late in turn, if only one reply shows it, or if a reply lacks the header.

Then Statuses are *not proved* still, since the support has to know; but it is not asked whether the
success is that of a step, unless the file ended with another status.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.doctor_files import (
    FILE_PATH,
    NOT_PROVED,
    SETTINGS,
    THREE_ADDED,
    SaidOfFiles,
    UploadCase,
    followed,
    rec,
)
from support.doctor_findings import ids
from support.doctor_followers import followed_file, uploaded_record
from support.doctor_replies import LIST, reply
from support.doctor_service import json_reply
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.reads.evidence import file_at
from wes_provider.doctor.reads.lagging_nodes import lagging_nodes
from wes_provider.doctor.replies.probes import Probe
from wes_provider.doctor.writes.upload import Followed

READ = file_at(SETTINGS, FILE_PATH, LIST, "up")


def reads(*seen: str, header: str = "x-served-by") -> list[Probe]:
    """
    Replies with the file.

    :param seen: node and status of each, such as ``r1 PENDING``; without a node, the reply names
        none.
    """
    probes = []
    for words in seen:
        node, _, status = words.rpartition(" ")
        headers = {header: node} if node else {}
        probes.append(reply(200, rec("up", status), headers=headers, request=READ))
    return probes


class Seen(NamedTuple):
    """Replies with the file, and what is said of their nodes; empty for nothing."""

    name: str
    probes: Sequence[Probe]
    says: str = ""


CASES = [
    Seen(
        "one of two nodes is behind",
        reads("r1 PENDING", "r1 DONE", "r2 PENDING", "r1 DONE", "r2 DONE"),
        "X-Served-By: r2 still had PENDING after r1 had DONE, and no node goes back by itself",
    ),
    Seen(
        "it never comes to the end",
        reads("r2 PENDING", "r1 DONE", "r2 PENDING", "r1 DONE"),
        "X-Served-By: r2 still had PENDING after r1 had DONE, and no node goes back by itself",
    ),
    Seen(
        "two of three nodes are behind",
        reads("r1 DOING", "r1 DONE", "r2 DOING", "r3 DOING", "r1 DONE", "r2 DONE"),
        "X-Served-By: r2 and r3 still had DOING after r1 had DONE, and no node goes back by itself",
    ),
    Seen(
        "a host in Server-Timing",
        reads(
            *("host;desc=r1 PENDING", "host;desc=r1 DONE", "host;desc=r2 PENDING"),
            "host;desc=r1 DONE",
            header="server-timing",
        ),
        "Server-Timing host: r2 still had PENDING after r1 had DONE, and no node goes back by "
        "itself",
    ),
    Seen("no status goes back", reads("r1 PENDING", "r2 PENDING", "r1 DONE", "r2 DONE")),
    Seen(
        "a node goes back by itself",
        reads("r1 PENDING", "r1 DONE", "r2 PENDING", "r1 DONE", "r1 PENDING", "r2 DONE"),
    ),
    Seen(
        "the node that was ahead is not read again",
        reads("r1 PENDING", "r1 DONE", "r2 PENDING", "r2 DONE", "r2 DONE"),
    ),
    Seen(
        "each node is behind at times",
        reads("r1 A", "r2 B", "r1 A", "r2 B", "r1 C", "r2 B", "r1 C", "r2 C"),
    ),
    Seen("one node", reads("r1 PENDING", "r1 DONE", "r1 PENDING", "r1 DONE")),
    Seen("another value each time", reads("r1 PENDING", "r2 DONE", "r3 PENDING", "r4 DONE")),
    Seen("a reply without a header", reads("r1 PENDING", "r1 DONE", "PENDING", "r1 DONE")),
    Seen(
        "a header of another kind",
        reads("r1 PENDING", "r1 DONE", "r2 PENDING", "r1 DONE", header="x-request-id"),
    ),
    Seen("no reply", []),
]


@pytest.mark.parametrize("row", CASES, ids=ids(CASES))
def test_a_node_that_is_behind_is_named_if_it_explains_each_status_that_went_back(row: Seen):
    assert str(lagging_nodes(row.probes) or "") == row.says


def with_reads(
    record: Mapping[str, Any], statuses: Sequence[str], own_reads: Sequence[Probe]
) -> Followed:
    return replace(followed(record, statuses), own_reads=tuple(own_reads))


AFTER_SUCCESS = "X-Served-By: r2 still had PENDING after r1 had SUCCESS, and no node goes back by"
BACK = "the status goes back."
SAID = [
    UploadCase(
        "a success that no node leaves",
        with_reads(
            rec("up", "SUCCESS", **THREE_ADDED),
            ("PENDING", "SUCCESS", "PENDING"),
            reads("r1 PENDING", "r1 SUCCESS", "r2 PENDING", "r1 SUCCESS"),
        ),
        SaidOfFiles(
            NOT_PROVED,
            f"PENDING → SUCCESS → PENDING → SUCCESS: {BACK} {AFTER_SUCCESS} itself. So r2 is "
            "behind, and SUCCESS is no step: change no status, and tell the service's support that "
            "r2 is behind. A task may see the end later there.",
        ),
    ),
    UploadCase(
        "a success before a failure",
        with_reads(
            rec("up", "FAILED", error="no header"),
            ("PENDING", "SUCCESS", "PENDING"),
            reads("r1 PENDING", "r1 SUCCESS", "r2 PENDING", "r1 SUCCESS", "r2 FAILED"),
        ),
        SaidOfFiles(
            NOT_PROVED,
            f"PENDING → SUCCESS → PENDING → FAILED: {BACK} {AFTER_SUCCESS} itself. So r2 is behind. "
            "But SUCCESS came before FAILED, so it may be the status of a step, too, and tasks "
            "would end too early: ask the service's support which status says that all of a file "
            "is in.",
        ),
    ),
    UploadCase(
        "a header that does not decide",
        with_reads(
            rec("up", "SUCCESS", **THREE_ADDED),
            ("PENDING", "SUCCESS", "PENDING"),
            reads("r1 PENDING", "r1 SUCCESS", "r2 PENDING", "r2 SUCCESS"),
        ),
        SaidOfFiles(
            NOT_PROVED,
            f"PENDING → SUCCESS → PENDING → SUCCESS: {BACK} One of several nodes may be behind "
            "another, or SUCCESS may be the status of a step, too, so that tasks would end too "
            "early. Ask the service's support which of the two it is.",
        ),
    ),
]


@pytest.mark.parametrize("row", SAID, ids=ids(SAID))
def test_it_is_asked_whether_a_success_is_that_of_a_step_only_if_nodes_leave_it_open(
    row: UploadCase,
):
    row.check(Topic.STATUSES)


def test_polls_of_the_wait_are_noted_with_their_headers():
    seen: list[str] = []

    def alone(seconds: float) -> Any:
        node = ("r1", "r2")[len(seen) % 2]
        seen.append(node)
        status = "PENDING"
        if seconds >= 5 or (node == "r1" and seconds >= 2):
            status = "SUCCESS"
        return json_reply(200, uploaded_record(status), X_Served_By=node)

    seen_of_it = followed_file(lambda _: [uploaded_record("PENDING")], alone)
    nodes = [probe.response.headers["x-served-by"] for probe in seen_of_it.own_reads]
    assert nodes == seen
    assert len(nodes) > 4
