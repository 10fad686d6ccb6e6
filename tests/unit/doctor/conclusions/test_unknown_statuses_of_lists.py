"""
Unknown statuses of a list's files are *not proved*; what their files show is a guess for the extra:
success with coupons added, failure with a reason that leaves none (though a count is above 0),
pending by a name such as STAGED. If pending ones are all that is unknown, and a known success is
there, they are *not shown*. A status whose name speaks of a failure, with coupons added, is
partial, and to be decided. One that shows two meanings or nothing is to be looked up. If one number
of an unknown name is above 0 for one status and 0 for another, it tells them apart; if two may
count coupons added, it is asked which does. A status with numbers of its file, such as "Imported 3
codes", is *wrong*: no list of statuses helps.
"""

from __future__ import annotations

import pytest

from support.doctor_files import (
    NONE_ADDED,
    NOT_PROVED,
    NOT_SHOWN,
    THREE_ADDED,
    WRONG,
    ListCase,
    SaidOfFiles,
    rec,
)
from support.doctor_findings import ids
from wes_provider.doctor.findings.finding import Topic

UNKNOWN_NUMBERS = [
    ListCase(
        "one number, 3 and 0",
        [rec("f1", "LIVE", alpha=3), rec("f2", "DEAD", alpha=0)],
        SaidOfFiles(
            NOT_PROVED,
            "Nothing shows what DEAD means; LIVE seems to mean success (file f1: alpha is 3, "
            "but LIVE may be the name of a stage on the way). Confirm this in the service's "
            "dashboard, then put the extra below into the connection.",
            {"success": ["LIVE"]},
        ),
    ),
    ListCase(
        "two numbers",
        [rec("f1", "LIVE", alpha=3, beta=3), rec("f2", "DEAD", alpha=1, beta=2)],
        SaidOfFiles(
            NOT_PROVED,
            "Which of alpha, beta counts coupons added (LIVE 3, 3; DEAD 1, 2)? Name it in "
            "coupon_file_counts, and run this again: it tells what statuses mean. DEAD is "
            "unclear (file f2: alpha is 1, beta is 2); LIVE is unclear (file f1: alpha is 3, "
            "beta is 3). Or look it up in the service's dashboard, or let --upload URL show "
            "it.",
        ),
    ),
]


@pytest.mark.parametrize("row", UNKNOWN_NUMBERS, ids=ids(UNKNOWN_NUMBERS))
def test_unknown_statuses_are_not_proved_beside_numbers_of_unknown_names(row: ListCase):
    row.check(Topic.STATUSES)


UNKNOWN = [
    ListCase(
        "statuses with numbers of their file",
        [rec("f1", "Imported 3 codes", **THREE_ADDED), rec("f2", "Failed")],
        SaidOfFiles(
            WRONG,
            "Statuses have numbers of their file in them ('IMPORTED 3 CODES'), so the next file "
            "has another one, and no list of coupon_file_statuses helps: tasks would wait until "
            "their timeout. Name none of them, and ask the service's support for statuses of "
            "fixed words.",
        ),
    ),
    ListCase(
        "IMPORTED, with coupons added",
        [rec("f1", "IMPORTED", **THREE_ADDED)],
        SaidOfFiles(
            NOT_PROVED,
            "IMPORTED seems to mean success (file f1: coupons were added). Confirm this in "
            "the service's dashboard, then put the extra below into the connection.",
            {"success": ["IMPORTED"]},
        ),
    ),
    ListCase(
        "STAGED, and SUCCESS",
        [rec("f1", "STAGED"), rec("f2", "SUCCESS", **THREE_ADDED)],
        SaidOfFiles(
            NOT_SHOWN,
            "STAGED seems to mean pending (file f1: the name STAGED speaks of a file on its "
            "way), and is waited for.",
            {"pending": ["STAGED"]},
        ),
    ),
    ListCase(
        "STAGED",
        [rec("f1", "STAGED")],
        SaidOfFiles(
            NOT_PROVED,
            "Only STAGED in the list, so what success is called is not shown. --upload URL "
            "shows it.",
            {"pending": ["STAGED"]},
        ),
    ),
    ListCase(
        "ABORTED, with reasons that leave no coupon",
        [
            rec("f1", "ABORTED", coupons_added=7, reason="Line 17 is too long; rolled back"),
            rec("f2", "ABORTED", coupons_added=7, reason="Download failed: 404"),
            rec("f3", "SUCCESS", **THREE_ADDED),
        ],
        SaidOfFiles(
            NOT_PROVED,
            "ABORTED seems to mean failure (file f1: the service names 'Line 17 is too long; "
            "rolled back', and the count of coupons added is 7). Confirm this in the service's "
            "dashboard, then put the extra below into the connection.",
            {"failure": ["ABORTED"]},
        ),
    ),
    ListCase(
        "PARTIAL, with coupons added",
        [rec("f1", "PARTIAL", **THREE_ADDED), rec("f2", "SUCCESS", **THREE_ADDED)],
        SaidOfFiles(
            NOT_PROVED,
            "PARTIAL is partial (file f1: 3 coupons added, but the name PARTIAL speaks of a "
            "failure): decide whether your tasks should accept it. Name it in "
            "coupon_file_statuses as you decide, under success or failure.",
        ),
    ),
    ListCase(
        "LIVE, with coupons added and with an error",
        [rec("f1", "LIVE", **THREE_ADDED), rec("f2", "LIVE", error="no header", **NONE_ADDED)],
        SaidOfFiles(
            NOT_PROVED,
            "LIVE cannot be told apart: failure or success. Look it up in the service's "
            "dashboard and name it in coupon_file_statuses, or let --upload URL show it.",
        ),
    ),
    ListCase(
        "ten statuses, with coupons added",
        [rec(f"f{i}", f"S{i}", **THREE_ADDED) for i in range(10)],
        SaidOfFiles(
            NOT_PROVED,
            "S0 seems to mean success (file f0: 3 coupons added, but S0 may be the name of a "
            "stage on the way); S1 seems to mean success (file f1: 3 coupons added, but S1 "
            "may be the name of a stage on the way); S2 seems to mean success (file f2: 3 "
            "coupons added, but S2 may be the name of a stage on the way); S3 seems to mean "
            "success (file f3: 3 coupons added, but S3 may be the name of a stage on the "
            "way); S4 seems to mean success (file f4: 3 coupons added, but S4 may be the "
            "name of a stage on the way); S5 seems to mean success (file f5: 3 coupons "
            "added, but S5 may be the name of a stage on the way); S6 seems to mean success "
            "(file f6: 3 coupons added, but S6 may be the name of a stage on the way); S7 "
            "seems to mean success (file f7: 3 coupons added, but S7 may be the name of a "
            "stage on the way); S8 seems to mean success (file f8: 3 coupons added, but S8 "
            "may be the name of a stage on the way); S9 seems to mean success (file f9: 3 "
            "coupons added, but S9 may be the name of a stage on the way). Confirm this in "
            "the service's dashboard, then put the extra below into the connection.",
            {"success": ["S0", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"]},
        ),
    ),
    ListCase(
        "DEAD, without anything that shows what it means, and SUCCESS",
        [rec("f1", "DEAD"), rec("f2", "SUCCESS", **THREE_ADDED)],
        SaidOfFiles(
            NOT_PROVED,
            "Nothing shows what DEAD means. Look it up in the service's dashboard and name it in "
            "coupon_file_statuses, or let --upload URL show it.",
        ),
    ),
    ListCase(
        "STAGED, and DEAD, without anything that shows what it means, and SUCCESS",
        [rec("f1", "STAGED"), rec("f2", "DEAD"), rec("f3", "SUCCESS", **THREE_ADDED)],
        SaidOfFiles(
            NOT_PROVED,
            "Nothing shows what DEAD means; STAGED seems to mean pending (file f1: the name STAGED "
            "speaks of a file on its way). Look it up in the service's dashboard and name it in "
            "coupon_file_statuses, or let --upload URL show it.",
            {"pending": ["STAGED"]},
        ),
    ),
]


@pytest.mark.parametrize("row", UNKNOWN, ids=ids(UNKNOWN))
def test_unknown_statuses_seem_to_mean_what_their_files_show(row: ListCase):
    row.check(Topic.STATUSES)
