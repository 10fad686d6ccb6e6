"""
A failed file is tried again if its record says so, at any depth: by a time of a next attempt or
retry after the read, as a date; by fewer attempts than are allowed; by attempts that are left,
above 0; by true under a name such as will_retry; or by its reason ("will be retried", "retrying").
What says so is quoted. Not by a time that is the read's or earlier, or a number; as many attempts
as are allowed, or without a limit; false; that it is retryable; or a reason that denies it or is
about something else.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.client.requests import Request
from wes_provider.doctor.records.retries import retry_of
from wes_provider.doctor.replies.files import file_of
from wes_provider.doctor.replies.probes import Probe, Question

READ_AT = datetime(2026, 11, 27, 17, 0, tzinfo=timezone.utc).timestamp()
READ = Probe(Question.FOLLOW, Request("GET", "/file", "file"), sent_at=READ_AT)
A_SECOND_LATER, EARLIER = "2026-11-27T17:00:01Z", "2026-11-27T16:59:59Z"


class Recorded(NamedTuple):
    """What the record of a failed file has besides, and what is quoted of it."""

    name: str
    record: dict[str, Any]
    quoted: str


SAYS_SO = [
    Recorded(
        "the time of the next attempt, a second after the read",
        {"next_attempt_at": A_SECOND_LATER},
        f"next_attempt_at {A_SECOND_LATER}",
    ),
    Recorded("that of a retry", {"retryAt": A_SECOND_LATER}, f"retryAt {A_SECOND_LATER}"),
    Recorded(
        "that of the next run, below another property",
        {"job": {"next_run": A_SECOND_LATER}},
        f"job.next_run {A_SECOND_LATER}",
    ),
    Recorded(
        "fewer attempts than are allowed",
        {"attempt": 1, "max_attempts": 2},
        "attempt 1, max_attempts 2",
    ),
    Recorded(
        "fewer retries than are allowed, the limit first",
        {"maxRetries": 3, "retryCount": 0},
        "retryCount 0, maxRetries 3",
    ),
    Recorded("attempts that are left", {"attempts_left": 1}, "attempts_left 1"),
    Recorded("retries that remain", {"remainingRetries": 2}, "remainingRetries 2"),
    Recorded("that it will be tried", {"will_retry": True}, "will_retry true"),
    Recorded("that a retry is planned", {"retry_scheduled": True}, "retry_scheduled true"),
    Recorded(
        "the reason of the failure",
        {"reason": "Timeout, will be retried"},
        "'Timeout, will be retried'",
    ),
    Recorded("a reason in the present", {"reason": "Retrying in 30 s"}, "'Retrying in 30 s'"),
]
SAYS_NOTHING = [
    Recorded("nothing", {}, ""),
    Recorded("a time of an attempt before the read", {"next_attempt_at": EARLIER}, ""),
    Recorded("the time of the read", {"next_attempt_at": "2026-11-27T17:00:00Z"}, ""),
    Recorded("another time after the read", {"expires_at": A_SECOND_LATER}, ""),
    Recorded("the time of an attempt as a number", {"next_attempt_at": READ_AT + 60}, ""),
    Recorded("as many attempts as are allowed", {"attempt": 3, "max_attempts": 3}, ""),
    Recorded("attempts without a limit", {"attempt": 1}, ""),
    Recorded("a limit of something else", {"attempt": 1, "max_coupons": 3}, ""),
    Recorded("no attempt that is left", {"attempts_left": 0}, ""),
    Recorded("that it will not be tried", {"will_retry": False}, ""),
    Recorded("that a person may try it", {"retryable": True}, ""),
    Recorded("a reason that denies it", {"reason": "Broken, will not be retried"}, ""),
    Recorded("a reason about something else", {"reason": "Retry policy missing"}, ""),
]


@pytest.mark.parametrize("row", [*SAYS_SO, *SAYS_NOTHING], ids=ids([*SAYS_SO, *SAYS_NOTHING]))
def test_what_says_that_a_failed_file_is_tried_again_is_quoted(row: Recorded):
    file = file_of({"_id": "f1", "status": "FAILED", **row.record})
    assert file is not None
    assert retry_of(file, READ) == row.quoted
