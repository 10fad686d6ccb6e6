"""
While an uploaded file is on its way, the list is read up to six times more in the first minute, and
a list that leaves it out at some of its stages makes the lag *not proved*: with the moments, the
statuses, that a task may send the file again, and no node. If headers name nodes, or if the list
has and lacks it at one status, one of several nodes may be behind. A list that always has it is
sure. Followed for a minute, a file costs less than 100 reads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_followers import LIST_PATH, Records, follow, uploaded_record
from support.doctor_replies import changed
from support.doctor_service import json_reply
from wes_provider.doctor.conclusions.file_conclusions import conclude_from_upload
from wes_provider.doctor.findings.finding import Certainty, Topic

Body = Callable[[float], Any]


def stage(seconds: float) -> dict[str, Any]:
    """The file: PENDING for 6 s, PROCESSING for 39 s, then SUCCESS."""
    if seconds < 6:
        return uploaded_record("PENDING")
    if seconds < 45:
        return uploaded_record("PROCESSING")
    return uploaded_record()


def listed_but(first: float, last: float) -> Body:
    """A list that has the file, but not from one second to another one."""

    def listed(seconds: float) -> Records:
        if first <= seconds < last:
            return []
        return [stage(seconds)]

    return listed


def listed_by_nodes(seconds: float) -> Any:
    """A list without the file while it is processed, by a header of another node then."""
    if 6 <= seconds < 45:
        return json_reply(200, [], X_Served_By="node-b")
    return json_reply(200, [stage(seconds)], X_Served_By="node-a")


class ListRow(NamedTuple):
    """A list, and what is said about its lag."""

    name: str
    listed: Body
    certainty: Certainty
    says: str
    is_blamed_on_nodes: bool = False


LISTS = [
    ListRow("always there", listed_but(0, 0), Certainty.SURE, "In the list after 0 s"),
    ListRow(
        "a hole while it is processed",
        listed_but(6, 45),
        Certainty.NOT_PROVED,
        "it had it as PENDING and SUCCESS, and lacked it as PROCESSING. If it leaves out such "
        "files, a task that looks for an upload whose response is lost sends it again, unless "
        "coupon_files_lag is above",
    ),
    ListRow(
        "a hole within a status",
        listed_but(8, 30),
        Certainty.NOT_PROVED,
        "The uploaded file comes and goes",
        is_blamed_on_nodes=True,
    ),
    ListRow(
        "a hole of another node",
        listed_by_nodes,
        Certainty.NOT_PROVED,
        "The uploaded file comes and goes",
        is_blamed_on_nodes=True,
    ),
]


@pytest.mark.parametrize("row", LISTS, ids=ids(LISTS))
def test_a_list_is_read_on_the_way(row: ListRow):
    follower, sender = follow(row.listed, stage, final_after=5.0)
    assert follower.followed is not None
    findings = conclude_from_upload(changed(), follower.followed, follower.followed.file.name)
    (lag,) = [finding for finding in findings if finding.topic is Topic.LAG]
    assert lag.certainty is row.certainty
    assert row.says in lag.text
    assert ("nodes" in lag.text) is row.is_blamed_on_nodes
    on_the_way = [probe for probe in sender.probes if probe.path == LIST_PATH]
    # One to find it, and three in the end.
    assert 4 < len(on_the_way) <= 4 + 6
    assert len(sender.probes) + len(follower.followed.polls) < 100


def test_after_a_minute_the_list_is_not_read_on_the_way():
    follower, sender = follow(
        lambda _: [uploaded_record("PENDING")],
        lambda _: uploaded_record("PENDING"),
        timeout=600.0,
    )
    assert follower.followed is not None
    begun = follower.followed.begun
    lists = [probe.sent_at - begun for probe in sender.probes if probe.path == LIST_PATH]
    assert not [seconds for seconds in lists if 60 < seconds < 590]
