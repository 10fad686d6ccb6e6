"""
A record says which step its file is on, by a progress or percentage that is below 100, or below 1
as a share; by a step such as 1/3 or "3 of 3"; or by the number of a stage or phase and how many
there are, at any depth. It is quoted, unless that is all or the last one. A number of a stage
alone, yes or no, and another member with 1/3 in it say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_service import (
    record,
)
from wes_provider.doctor.replies.files import file_of, step_of


class Progress(NamedTuple):
    """Members of a record, and what they say of a step; empty for nothing."""

    name: str
    members: Mapping[str, Any]
    says: str


PROGRESS = [
    Progress("percent", {"progress": 40}, "progress is 40"),
    Progress("nothing yet", {"percent_complete": 0}, "percent_complete is 0"),
    Progress("a share", {"progress": 0.5}, "progress is 0.5"),
    Progress("all, as a share", {"progress": 1.0}, ""),
    Progress("all, as a whole share", {"progress": 1}, ""),
    Progress("all", {"progress": 100}, ""),
    Progress("below another member", {"job": {"percentage": 99}}, "job.percentage is 99"),
    Progress("one of three", {"step": "1/3"}, "step is 1/3"),
    Progress("three of three", {"step": "3 of 3"}, ""),
    Progress("no step", {"voucher": "1/3"}, ""),
    Progress("numbers", {"stage_no": 1, "stages": 3}, "stage_no is 1, and stages is 3"),
    Progress("the last one", {"stage_no": 3, "stages": 3}, ""),
    Progress("a total", {"phase": 1, "total_phases": 2}, "phase is 1, and total_phases is 2"),
    Progress(
        "a counter",
        {"stages_done": 1, "stages_total": 3},
        "stages_done is 1, and stages_total is 3",
    ),
    Progress(
        "another counter",
        {"completed_steps": 0, "total_steps": 2},
        "completed_steps is 0, and total_steps is 2",
    ),
    Progress("a counter of all", {"stages_done": 3, "stages_total": 3}, ""),
    Progress("a number alone", {"stage_no": 1}, ""),
    Progress("yes or no", {"progress": False}, ""),
]


@pytest.mark.parametrize("row", PROGRESS, ids=[row.name for row in PROGRESS])
def test_members_of_a_record_say_which_step_it_is_on_unless_it_is_the_last(row: Progress):
    file = file_of(record("up", "PROCESSED", **row.members))
    assert file is not None
    assert step_of(file) == row.says
