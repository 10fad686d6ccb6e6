"""
If all files that were read name another list as theirs, Statuses and Counts say that only files of
other lists were read.
"""

from __future__ import annotations

from support.doctor_service import (
    Account,
    about,
    examined_account,
    record,
)
from wes_provider.doctor.findings.finding import Topic


def test_statuses_and_counts_say_so_if_only_files_of_other_lists_were_read():
    others = [record("f8", coupons_list_id="winter"), record("f9", coupons_list_id="winter")]
    report = examined_account(Account(records=others))
    for topic in (Topic.STATUSES, Topic.COUNTS):
        assert about(report, topic).text == "Only files of other lists were read."
