"""
If an uploaded file with an unknown status has one number that sounds like coupons added among other
numbers, its name is a guess, to be confirmed in the dashboard: Counts is *not proved*, and the
verdict is about Statuses.
"""

from __future__ import annotations

from support.doctor_service import (
    about,
    record,
)
from support.doctor_uploads import Uploads
from wes_provider.doctor.findings.finding import Certainty, Topic

SURE, WRONG, NOT_PROVED = Certainty.SURE, Certainty.WRONG, Certainty.NOT_PROVED


def test_a_count_beside_other_numbers_is_a_guess_and_comes_after_the_statuses():
    counts = {"codes": {"accepted": 3, "rejected": 1, "total": 4}}
    plain = {"coupons_added": None, "coupons_duplicate": None, **counts}
    stages = ((0, record("up", "PENDING", **plain)), (0.3, record("up", "LIVE", **plain)))
    report = Uploads(stages=stages, others=[]).examine(final_after=0.5)

    assert report.verdict.startswith("Not proved: Statuses. PENDING → LIVE, which lasted and may")
    finding = about(report, Topic.COUNTS)
    assert finding.certainty is NOT_PROVED
    assert finding.guesses == {"coupon_file_counts.added": "codes.accepted"}
    assert "Confirm in the service's dashboard what codes.accepted counts" in finding.text
