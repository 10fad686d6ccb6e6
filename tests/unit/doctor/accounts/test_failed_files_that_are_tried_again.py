"""
If a failed file says that this was attempt 1 of max_attempts 2, it is followed for as long as a
status has to last to be final (4 seconds here). If it goes on then, FAILED is no end: *wrong*,
whether it succeeds or fails at last. If it does not go on within these seconds, or the time is over
before, the end was not seen: *not proved*. A file that failed at attempt 2 of 2 has failed at once.
The counts of a file that is to be tried again are not reported.
"""

from __future__ import annotations

import pytest

from support.doctor_followed import (
    ADDED,
    NOTHING,
    ON_THE_WAY,
    End,
    FollowedAccount,
)
from support.doctor_service import about
from wes_provider.doctor.findings.finding import Certainty, Topic

FIRST_OF_TWO, SECOND_OF_TWO = ({"attempt": number, "max_attempts": 2} for number in (1, 2))
WATCHED = 4.0  # seconds for which a status has to last
TRIED_AGAIN = [
    End(
        "it succeeds then",
        ((0.3, "FAILED", FIRST_OF_TWO), (3.0, "PENDING", NOTHING), (6.0, "SUCCESS", ADDED)),
        Certainty.WRONG,
        "PENDING → FAILED → PENDING → SUCCESS: FAILED is no end",
        timeout=20.0,
    ),
    End(
        "it fails then, at the last attempt",
        ((0.3, "FAILED", FIRST_OF_TWO), (3.0, "PENDING", NOTHING), (6.0, "FAILED", SECOND_OF_TWO)),
        Certainty.WRONG,
        "PENDING → FAILED → PENDING → FAILED: FAILED is no end",
        timeout=20.0,
    ),
    End(
        "it is not tried while a status has to last",
        ((0.3, "FAILED", FIRST_OF_TWO), (9.0, "SUCCESS", ADDED)),
        Certainty.NOT_PROVED,
        "The end of the file was not seen: FAILED for now, to be tried again.",
        timeout=20.0,
    ),
    End(
        "it is not tried before the time is over",
        ((0.3, "FAILED", FIRST_OF_TWO), (4.0, "SUCCESS", ADDED)),
        Certainty.NOT_PROVED,
        "The end of the file was not seen: FAILED for now, to be tried again.",
        timeout=2.0,
    ),
    End(
        "it has failed at the last attempt",
        ((0.3, "FAILED", {**SECOND_OF_TWO, "error": "late"}),),
        Certainty.NOT_PROVED,
        "FAILED: the file failed (late).",
    ),
]


@pytest.mark.parametrize("row", TRIED_AGAIN, ids=[row.name for row in TRIED_AGAIN])
def test_a_failed_file_is_followed_further_if_the_service_tries_it_again(row: End):
    account = FollowedAccount([ON_THE_WAY, *row.stages])
    report = account.examine(timeout=row.timeout, final_after=WATCHED)
    statuses = about(report, Topic.STATUSES)
    assert statuses.certainty is row.certainty, report.to_json()
    assert statuses.text.startswith(row.says)


def test_counts_of_a_file_that_is_to_be_tried_again_are_not_reported():
    failed = {**FIRST_OF_TWO, "coupons_added": 0}
    report = FollowedAccount([ON_THE_WAY, (0.3, "FAILED", failed)]).examine()
    assert Topic.COUNTS not in [finding.topic for finding in report.findings]
