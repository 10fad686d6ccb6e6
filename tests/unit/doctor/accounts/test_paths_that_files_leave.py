"""
The path of one file that has the uploaded file while it is on its way, and replies 404 since it has
ended, though the list has its end: the path is *wrong*, since a task fails at that, and no lag is
said to help. If the file comes back there, or the list has it on its way, one of several nodes may
be behind. If the path refuses the file from some time on, the row says so, whatever the list has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Call,
    about,
    check_says,
    json_reply,
    not_found,
    record,
)
from support.doctor_uploads import Stage, Uploads
from support.servers import Reply
from support.skipping_clock import CLOCK
from wes_provider.doctor.findings.finding import Certainty, Topic

BUSY = json_reply(409, {"error": {"code": "archived", "message": "It has ended."}})


def stages(status: str, **more: str) -> tuple[Stage, ...]:
    """A file that is processed in 5 s."""
    return ((0, record("up", "PENDING")), (5, record("up", status, **more)))


@dataclass
class Losing(Uploads):
    """
    An account whose path of one file has a new file for 5 s only.

    :ivar way: what it replies then.
    :ivar comes_back: whether it has the file again at each third read.
    :ivar reads_since: how often it was read then.
    """

    way: Reply = not_found("file")  # noqa: RUF009 - never changed
    comes_back: bool = False
    reads_since: int = 0

    def answer(self, call: Call) -> Reply | None:
        is_read = bool(self.name) and call.path == f"{FILES_PATH}/up"
        if not is_read or CLOCK.time() - self.since < 5:
            return super().answer(call)
        self.reads_since += 1
        if self.comes_back and self.reads_since % 3 == 0:
            return super().answer(call)
        return self.way


class Left(NamedTuple):
    """A file that leaves its path, and what the row has."""

    name: str
    account: Losing
    certainty: Certainty
    says: tuple[str, ...]


WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
LEFT = [
    Left(
        "with a success",
        Losing(stages=stages("SUCCESS")),
        WRONG,
        ("on its way, and got 404 not-found in all ", "the list has it as SUCCESS", "after their"),
    ),
    Left(
        "with a failure",
        Losing(stages=stages("FAILED", error="no header")),
        WRONG,
        ("on its way, and got 404 not-found in all ", "the list has it as FAILED", "after their"),
    ),
    Left(
        "it is refused from then on",
        Losing(stages=stages("SUCCESS"), way=BUSY),
        WRONG,
        ("While a file is processed, its path replies 409 archived: ",),
    ),
    Left(
        "it comes back",
        Losing(stages=stages("PROCESSING"), comes_back=True),
        NOT_PROVED,
        ("one of several nodes may be behind",),
    ),
]


@pytest.mark.parametrize("row", LEFT, ids=ids(LEFT))
def test_a_path_that_a_file_leaves_at_its_end_is_wrong(row: Left):
    report = row.account.examine(timeout=100.0)
    path = about(report, Topic.FILE_PATH)
    assert path.certainty is row.certainty, path.text
    check_says(path.text, row.says)
    if row.certainty is WRONG:
        assert "comes and goes" not in about(report, Topic.LAG).text
        assert "replied PENDING for" not in about(report, Topic.STATUSES).text
