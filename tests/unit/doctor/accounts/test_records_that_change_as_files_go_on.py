"""
Records of an uploaded file whose shape changes with its status: the file goes on, and no version of
the service is said to reply, whether its own path or its list shows that. If the shape of one status
changes, or a status comes back with another shape, two versions may reply. A status that is missing
on the way is said to be so, and leaves the account ready, since tasks bear it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import about, record
from support.doctor_uploads import Stage, Uploads
from wes_provider.doctor.findings.finding import Topic

TWO_VERSIONS = "Two versions of the service may reply"
WITHOUT_STATUS = "On the way, replies had it without a status, which tasks bear: they poll on."


def pending(**more: Any) -> Mapping[str, Any]:
    """A file on its way, without counts."""
    return {"_id": "up", "status": "PENDING", **more}


def in_order(*records: Mapping[str, Any]) -> tuple[Stage, ...]:
    """Each record for 2 s, and the last one for good."""
    return tuple((2.0 * number, each) for number, each in enumerate(records))


class Shapes(NamedTuple):
    """Records of a file in their order, and whether two versions may reply."""

    name: str
    stages: tuple[Stage, ...]
    are_two_versions: bool
    says: str = ""


NULL = {"_id": "up", "status": None}
END = record("up")
SHAPES = [
    Shapes("null on the way", in_order(pending(), NULL, END), False, WITHOUT_STATUS),
    Shapes(
        "null on the way, and counts from the start",
        in_order(record("up", "PENDING"), record("up", None), END),
        False,
        WITHOUT_STATUS,
    ),
    Shapes("null from the start", in_order(NULL, END), False, WITHOUT_STATUS),
    Shapes(
        "other properties in each stage",
        in_order(pending(a=1), {"_id": "up", "status": "PROCESSING", "b": 1}, END),
        False,
    ),
    Shapes("null in turn", in_order(pending(), NULL, pending(), NULL, END), True),
    Shapes(
        "one status in two shapes in turn",
        in_order(pending(a=1), pending(b=1), pending(a=1), pending(b=1), END),
        True,
    ),
]


@pytest.mark.parametrize("row", SHAPES, ids=ids(SHAPES))
def test_a_shape_that_changes_with_the_status_is_no_other_version(row: Shapes):
    report = Uploads(stages=row.stages).examine(final_after=20.0)
    said = any(TWO_VERSIONS in finding.text for finding in report.findings)
    assert said is row.are_two_versions, report.verdict
    assert row.says in about(report, Topic.STATUSES).text
    assert report.verdict.startswith("Ready: ") is not row.are_two_versions, report.verdict
