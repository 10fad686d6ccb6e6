"""
What the record of an uploaded file says of the next step. If it ended with a success, with 0 coupons
added and a reason, the verdict quotes both, and says to upload a good file. If its status is that of
a stop, such as QUARANTINED, and its record says what a person does, and who, it waits for that
person, unless it was done already.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import about, check_says, record
from support.doctor_uploads import Uploads
from wes_provider.doctor.findings.finding import Certainty, Topic

REASON = "Column 'code' is missing"
QUOTED = f'the service names "{REASON}"'
GOOD_FILE = "If it is the file, run this again with a good one; otherwise, settle that first."


def examined_end(status: str, **more: Any) -> Uploads:
    """An account whose file ends with a status and further properties after 3 s."""
    last = {**record("up", status), **more}
    return Uploads(stages=((0, record("up", "PENDING", coupons_added=0)), (3, last)))


class Against(NamedTuple):
    """What a record with a success has beside it, and what the verdict quotes."""

    name: str
    more: dict[str, Any]
    says: tuple[str, ...]


AGAINST = [
    Against(
        "0 added, 3 rejected and an error",
        {"coupons_added": 0, "rejected_rows": 3, "error": REASON},
        ("rejected_rows is 3, 0 coupons were added, and ", QUOTED, GOOD_FILE),
    ),
    Against(
        "0 added and an error",
        {"coupons_added": 0, "error": REASON},
        (QUOTED, ", and 0 coupons were added. ", GOOD_FILE),
    ),
    Against(
        "0 added and a reason",
        {"coupons_added": 0, "reason": REASON},
        (QUOTED, ", and 0 coupons were added. ", GOOD_FILE),
    ),
    Against(
        "2 added, 3 rejected and an error",
        {"coupons_added": 2, "rejected_rows": 3, "error": REASON},
        ("rejected_rows is 3, and ", QUOTED, "Ask the service's support"),
    ),
]


@pytest.mark.parametrize("row", AGAINST, ids=ids(AGAINST))
def test_a_success_without_coupons_quotes_the_reason_and_the_0(row: Against):
    report = examined_end("COMPLETED", **row.more).examine()
    statuses = about(report, Topic.STATUSES)
    assert statuses.certainty is Certainty.NOT_PROVED
    check_says(statuses.text, ["COMPLETED means success, and lasted, but ", *row.says])
    assert report.verdict.startswith("Not proved: Statuses. ")


class Stopped(NamedTuple):
    """A file that is stopped, what its record says, and what is to be done; empty for nothing."""

    name: str
    status: str
    more: dict[str, Any]
    to_be_done: str


STOPPED = [
    Stopped(
        "a quarantine",
        "QUARANTINED",
        {"quarantine": {"engine": "clamav", "release": "manual review by an administrator"}},
        "released",
    ),
    Stopped(
        "a hold", "ON_HOLD", {"hold": {"until": "approval by the compliance team"}}, "approved"
    ),
    Stopped("a release that was made", "BLOCKED", {"block": {"log": "released by an admin"}}, ""),
    Stopped("nobody is named", "BLOCKED", {"block": {"review": "clamav"}}, ""),
]


@pytest.mark.parametrize("row", STOPPED, ids=ids(STOPPED))
def test_a_stopped_file_that_a_person_has_to_release_waits_for_that_person(row: Stopped):
    report = examined_end(row.status, coupons_added=0, **row.more).examine()
    text = about(report, Topic.STATUSES).text
    assert ("The uploaded file waits for a person" in text) is bool(row.to_be_done), text
    assert f"Have it {row.to_be_done}, and see" in text or not row.to_be_done
