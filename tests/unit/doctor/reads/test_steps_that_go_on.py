"""
The step of a file goes on if its stage or its counter of steps changes, never comes back, and is
another one whenever a status comes again: then the status is that of a step, and no node is behind.
It is quoted with its values in order. A step that goes back, one that a status comes again with, as
of a node that is behind, and a file without steps say nothing; so do numbers that count no steps.

Then a success that comes again is *wrong*: tasks would end too early.
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
    WRONG,
    SaidOfFiles,
    UploadCase,
    followed,
    rec,
)
from support.doctor_findings import ids
from support.doctor_replies import LIST, reply
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.reads.evidence import file_at, file_read
from wes_provider.doctor.reads.steps_that_go_on import steps_that_go_on
from wes_provider.doctor.replies.probes import Probe
from wes_provider.doctor.writes.upload import Followed

READ = file_at(SETTINGS, FILE_PATH, LIST, "up")


class Seen(NamedTuple):
    """Statuses of a file, each with what its record has, and what is said of its steps."""

    name: str
    came: Sequence[tuple[str, Mapping[str, Any]]]
    says: str = ""

    def reads(self) -> list[Probe]:
        return [
            reply(200, rec("up", status, **members), request=READ) for status, members in self.came
        ]


STAGES = Seen(
    "stages and a counter",
    [
        ("PENDING", {"stage": "download", "stages_done": 0, "stages_total": 2}),
        ("SUCCESS", {"stage": "download", "stages_done": 1, "stages_total": 2}),
        ("PENDING", {"stage": "import", "stages_done": 1, "stages_total": 2}),
        ("SUCCESS", {"stage": "import", "stages_done": 2, "stages_total": 2}),
    ],
    "stage download, import; stages_done 0, 1, 2",
)
BEHIND = Seen(
    "a node that is behind",
    [
        ("PENDING", {"stages_done": 0}),
        ("SUCCESS", {"stages_done": 2}),
        ("PENDING", {"stages_done": 1}),
        ("SUCCESS", {"stages_done": 2}),
    ],
)
CASES = [
    STAGES,
    Seen(
        "a counter, which the first reply lacks",
        [
            ("PENDING", {}),
            ("SUCCESS", {"job": {"completed_steps": 1}}),
            ("PENDING", {"job": {"completed_steps": 2}}),
            ("SUCCESS", {"job": {"completed_steps": 3}}),
        ],
        "job.completed_steps 1, 2, 3",
    ),
    Seen(
        "progress",
        [
            ("PENDING", {"progress": 0}),
            ("SUCCESS", {"progress": 30}),
            ("PENDING", {"progress": 60}),
        ],
        "progress 0, 30, 60",
    ),
    Seen(
        "seven values",
        [(("SUCCESS", "PENDING")[number % 2], {"stage_no": number}) for number in range(1, 8)],
        "stage_no 1, 2, 3, 4, 5, …, 7",
    ),
    BEHIND,
    Seen(
        "a node that is behind at one stage",
        [
            ("PENDING", {"stage": "import"}),
            ("SUCCESS", {"stage": "done"}),
            ("PENDING", {"stage": "import"}),
        ],
    ),
    Seen(
        "a status that comes again with the same step",
        [
            ("PENDING", {"stage": "import"}),
            ("SUCCESS", {"stage": "import"}),
            ("PENDING", {"stage": "import"}),
            ("SUCCESS", {"stage": "done"}),
        ],
    ),
    Seen(
        "a stage that goes on, and a counter that goes back",
        [
            ("PENDING", {"stage": "a", "stages_done": 0}),
            ("SUCCESS", {"stage": "b", "stages_done": 2}),
            ("PENDING", {"stage": "c", "stages_done": 1}),
        ],
    ),
    Seen(
        "a reply between others without it",
        [("PENDING", {"stage": "a"}), ("SUCCESS", {}), ("PENDING", {"stage": "b"})],
    ),
    Seen("the same step always", [("PENDING", {"stage": "a"}), ("SUCCESS", {"stage": "a"})]),
    Seen(
        "a number that counts no steps",
        [("PENDING", {"polls": 1}), ("SUCCESS", {"polls": 2}), ("PENDING", {"polls": 3})],
    ),
    Seen("no reply", []),
]


@pytest.mark.parametrize("row", CASES, ids=ids(CASES))
def test_steps_are_quoted_that_go_on_whenever_a_status_comes_again(row: Seen):
    files = [file for file in map(file_read, row.reads()) if file is not None]
    assert steps_that_go_on(files) == row.says


def uploaded(seen: Seen, last: str = "SUCCESS") -> Followed:
    """A file that was uploaded, with the statuses of a row, and then its last one."""
    came = tuple(status for status, _ in seen.came)[:-1]
    return replace(followed(rec("up", last, **THREE_ADDED), came), own_reads=seen.reads())


SAID = [
    UploadCase(
        "a success that comes again with another step",
        uploaded(STAGES),
        SaidOfFiles(
            WRONG,
            "PENDING → SUCCESS → PENDING → SUCCESS: SUCCESS came before the end, too, as the "
            "status of a step (its steps go on and never back: stage download, import; stages_done "
            "0, 1, 2), and tasks take the first one for a success, so they would end too early. No "
            "setting tells the two apart: ask the service's support for a status that only the "
            "whole file gets.",
        ),
    ),
    UploadCase(
        "another success at the end",
        uploaded(STAGES, "PROCESSED"),
        SaidOfFiles(
            WRONG,
            "PENDING → SUCCESS → PENDING → PROCESSED: SUCCESS is a stage on the way (its steps go "
            "on and never back: stage download, import; stages_done 0, 1, 2), though tasks take it "
            "for a success, so they would end too early. Name it as pending.",
            {"pending": ["SUCCESS"]},
        ),
    ),
    UploadCase(
        "a node that is behind",
        uploaded(BEHIND),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS → PENDING → SUCCESS: the status goes back. One of several nodes may "
            "be behind another, or SUCCESS may be the status of a step, too, so that tasks would "
            "end too early. Ask the service's support which of the two it is.",
        ),
    ),
]


@pytest.mark.parametrize("row", SAID, ids=ids(SAID))
def test_a_status_that_goes_back_while_its_steps_go_on_is_that_of_a_step(row: UploadCase):
    row.check(Topic.STATUSES)
