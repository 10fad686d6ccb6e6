"""
If several numbers of a list's files may count coupons added, Counts is *not shown*, and names them
with their values. If one does, under another name than the connection's, that is a guess until an
upload proves it, and the account is not ready.
"""

from __future__ import annotations

from support.doctor_service import (
    LIST,
    Account,
    about,
    examined_account,
    record,
)
from wes_provider.doctor.findings.finding import Certainty, Topic


def test_several_candidates_for_a_count_are_named():
    account = Account(records=[{"_id": "f1", "status": "DONE", "created": 3, "new": 3}])
    finding = about(examined_account(account, coupon_list_id=LIST), Topic.COUNTS)
    assert finding.certainty is Certainty.NOT_SHOWN
    assert finding.text.startswith(
        "Which of created (3), new (3) counts coupons added, in file f1?"
    )


def test_other_names_of_counts_are_a_guess_until_an_upload_proves_them():
    files = [{**record("f1"), "coupons_added": "5", "imported_rows": 5}]
    report = examined_account(Account(records=files))
    value = report.values["coupon_file_counts.added"]
    assert (value.value, value.is_proved) == ("imported_rows", False)
    assert not report.works
