"""
If one value of the printed extra is proved, such as the header, and another one is not, such as a
status, the verdict ends with the sentence that a part of it is a guess.
"""

from __future__ import annotations

from support.doctor_service import (
    Account,
    check_what_holds_of_each_report,
    examined_account,
    record,
)


def test_the_verdict_says_that_a_part_of_the_extra_is_a_guess():
    """The header is proved, and the status is not."""
    imported = [record("f1", "IMPORTED"), record("f2", "FAILED", error="no header")]
    report = examined_account(Account(header="X-App-Id", records=imported))
    check_what_holds_of_each_report(report)
    assert report.values["workspace_header"].is_proved
    assert report.verdict.endswith("run this again. Part of it is a guess, as the rows say.")
