"""
A file goes on at a time to come if its record, at any depth, has a property named after a start, a
schedule, a next run or "after", with a time more than 60 s after it was read; a time without a
difference from UTC is UTC. It is quoted. A time that is over, no time, a number, and times of
something else (when a URL expires, until when coupons are valid) say nothing.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.client.requests import Request
from wes_provider.doctor.replies.files import file_of
from wes_provider.doctor.replies.moments import when_it_goes_on
from wes_provider.doctor.replies.probes import Probe, Question

READ_AT = datetime(2026, 11, 27, 17, 0, tzinfo=timezone.utc).timestamp()
READ = Probe(Question.FOLLOW, Request("GET", "/file", "file"), sent_at=READ_AT)
TOMORROW, EARLIER = "2026-11-28T02:00:00Z", "2026-11-27T16:00:00Z"


class Recorded(NamedTuple):
    """What the record of a file has besides, and what is quoted of it."""

    name: str
    record: dict[str, Any]
    quoted: str


RECORDED = [
    Recorded("when it is processed", {"process_after": TOMORROW}, f"process_after {TOMORROW}"),
    Recorded("when a job starts", {"job": {"startsAt": TOMORROW}}, f"job.startsAt {TOMORROW}"),
    Recorded("the next run", {"next_run": TOMORROW}, f"next_run {TOMORROW}"),
    Recorded(
        "with the difference from UTC",
        {"scheduled_for": "2026-11-27T19:00:00+01:00"},
        "scheduled_for 2026-11-27T19:00:00+01:00",
    ),
    Recorded("a time that is over", {"process_after": EARLIER}, ""),
    Recorded("a time before, elsewhere", {"start": "2026-11-27T17:30:00+01:00"}, ""),
    Recorded("a minute after the read", {"start": "2026-11-27T17:01:00Z"}, ""),
    Recorded(
        "a second more than that", {"start": "2026-11-27T17:01:01Z"}, "start 2026-11-27T17:01:01Z"
    ),
    Recorded("a time without a difference is UTC", {"start": "2026-11-27T17:00:30"}, ""),
    Recorded("when the URL expires", {"import_url_expires": TOMORROW}, ""),
    Recorded("until when coupons are valid", {"valid_start": TOMORROW}, ""),
    Recorded("another time", {"audited": TOMORROW}, ""),
    Recorded("no time", {"process_after": "approval"}, ""),
    Recorded("a number", {"process_after": 1}, ""),
    Recorded("nothing", {}, ""),
]


@pytest.mark.parametrize("row", RECORDED, ids=ids(RECORDED))
def test_a_time_ahead_by_which_a_file_goes_on_is_quoted(row: Recorded) -> None:
    file = file_of({"_id": "f1", "status": "SCHEDULED", **row.record})
    assert file is not None
    assert when_it_goes_on(file, READ) == row.quoted
