"""
A list that has the uploaded file while it is on its way, and in no read since it has ended, two at
least: the path of the list's files is *not proved*, since a task may not find an upload whose
response is lost, and no lag is proposed. The file is not said to come and go. If other files of the
list have ended, the list may leave out some; otherwise it may have only those on their way. A list
that has the file again after that, or that lacks it while it is on its way, is one of several nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import FILES_PATH, Account, Call, about, check_says, record
from support.doctor_uploads import Stage, Uploads
from support.servers import Reply
from support.skipping_clock import CLOCK
from wes_provider.doctor.findings.finding import Certainty, Topic

ON_THEIR_WAY = (record("f1", "PROCESSING"), record("f2", "PENDING"))
ENDED = (record("f1"), record("f2", "FAILED", error="no header"))
NO_LAG = "No coupon_files_lag helps: ask the service's support for a path that has all files"


def stages(seconds: float, status: str = "SUCCESS") -> tuple[Stage, ...]:
    """A file that is processed in a number of seconds."""
    return ((0, record("up", "PENDING")), (seconds, record("up", status)))


@dataclass
class Leaving(Uploads):
    """
    An account whose list has the uploaded file for a time only.

    :ivar leaves_after: seconds after the upload.
    :ivar comes_back: whether each third read since then has it again.
    :ivar reads_since: how often the list was read since then.
    """

    leaves_after: float = 5.0
    comes_back: bool = False
    reads_since: int = 0

    def answer(self, call: Call) -> Reply | None:
        is_left = bool(self.name) and CLOCK.time() - self.since >= self.leaves_after
        is_list = call.key == "campaign" and call.path == FILES_PATH and call.method == "GET"
        if not is_left or not is_list:
            return super().answer(call)
        self.reads_since += 1
        if self.comes_back and self.reads_since % 3 == 0:
            return super().answer(call)
        return Account(records=list(self.others)).reply(call)


class Left(NamedTuple):
    """A file that leaves its list when it ends."""

    name: str
    stages: tuple[Stage, ...]
    leaves_after: float
    others: tuple[Mapping[str, Any], ...]
    says: str


LEFT = [
    Left("a queue", stages(5), 5.0, ON_THEIR_WAY, "So it may have only files that are on their"),
    Left("a failure", stages(5, "FAILED"), 5.0, ON_THEIR_WAY, "So it may have only files that"),
    Left("after 40 s", stages(40), 40.0, ON_THEIR_WAY, "So it may have only files that are on"),
    Left("beside others that ended", stages(5), 5.0, ENDED, "It has others that have ended, such "),
]


@pytest.mark.parametrize("row", LEFT, ids=ids(LEFT))
def test_a_list_that_a_file_leaves_when_it_ends_is_not_proved(row: Left):
    account = Leaving(stages=row.stages, leaves_after=row.leaves_after, others=row.others)
    report = account.examine()
    path = about(report, Topic.LIST_PATH)
    assert path.certainty is Certainty.NOT_PROVED
    check_says(path.text, ["on its way, and lacked it in all ", row.says, NO_LAG])
    lag = about(report, Topic.LAG)
    assert lag.certainty is Certainty.NOT_SHOWN
    assert "comes and goes" not in lag.text
    assert "coupon_files_lag" not in report.changed


class OfNodes(NamedTuple):
    """A list that lacks a file for another reason than its end."""

    name: str
    account: Leaving


OF_NODES = [
    OfNodes("it has the file again", Leaving(stages=stages(5), comes_back=True)),
    OfNodes("the file had ended before", Leaving(stages=stages(0), leaves_after=1.0)),
]


@pytest.mark.parametrize("row", OF_NODES, ids=ids(OF_NODES))
def test_a_list_that_lacks_a_file_for_another_reason_is_that_of_a_node(row: OfNodes):
    report = row.account.examine()
    assert "since it ended" not in about(report, Topic.LIST_PATH).text
    assert about(report, Topic.LAG).text.startswith("The uploaded file comes and goes: ")
