"""
What is said of Statuses if neither the provider nor the connection knows the last status of an
uploaded file. They are wrong, and the status is proposed, in two cases: its name speaks of a
success (IMPORTED) and coupons were added, or it speaks of a failure (REFUSED) and the record has a
reason.

Otherwise they are *Not proved*. A name that says nothing (LIVE) may mean success if coupons were
added (a guess), or failure with counts of 0, whatever other files have; without counts, or with a
number of an unknown name, nothing is proposed, and what else the record has is quoted. A name of a
file on its way (IMPORTING, SCHEDULED) may mean pending, and one of a part (PARTIAL) or a stop
(ARCHIVED) is open, though coupons were added.

A status that is masked or no text is proposed for nothing, whatever its counts. One with a number
of its file is wrong, and no list of statuses helps. A state beside the last status that tells its
files apart is said instead; one of another status changes nothing.
"""

from __future__ import annotations

import pytest

from support.doctor_files import (
    NAME,
    NONE_ADDED,
    NOT_PROVED,
    SETTINGS,
    THREE_ADDED,
    WRONG,
    SaidOfFiles,
    UploadCase,
    followed,
    rec,
)
from support.doctor_findings import ids
from wes_provider.doctor.conclusions.file_conclusions import conclude_from_upload
from wes_provider.doctor.findings.finding import Topic

BY_COUNTS = [
    UploadCase(
        "IMPORTED, with coupons added",
        followed(rec("up", "IMPORTED", **THREE_ADDED)),
        SaidOfFiles(
            WRONG,
            "PENDING → IMPORTED: IMPORTED means success (coupons were added), which the "
            "provider does not know.",
            {"success": ["IMPORTED"]},
        ),
    ),
    UploadCase(
        "LIVE, with coupons added",
        followed(rec("up", "LIVE", **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean success: 3 coupons added, but LIVE "
            "may be the name of a stage on the way. Confirm this in the service's dashboard, "
            "then put the extra below into the connection.",
            {"success": ["LIVE"]},
        ),
    ),
    UploadCase(
        "LIVE, with counts of 0",
        followed(rec("up", "LIVE", **NONE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean failure: no coupon was added. Look the "
            "status "
            "up and name it in coupon_file_statuses, or have the next upload wait longer, with "
            "--final-after "
            "SECONDS.",
        ),
    ),
    UploadCase(
        "LIVE, with counts of 0, and another file with coupons added",
        followed(rec("up", "LIVE", **NONE_ADDED), others=[rec("f1", "SUCCESS", **THREE_ADDED)]),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean failure: no coupon was added. Look the "
            "status "
            "up and name it in coupon_file_statuses, or have the next upload wait longer, with "
            "--final-after "
            "SECONDS.",
        ),
    ),
    UploadCase(
        "LIVE, without counts",
        followed(rec("up", "LIVE")),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted, and nothing shows what it means: no count that "
            "the provider knows shows that coupons were added. Look the status up and name it in "
            "coupon_file_statuses, or have the next upload wait longer, with --final-after "
            "SECONDS.",
        ),
    ),
    UploadCase(
        "LIVE, with members that count nothing",
        followed(
            rec("up", "LIVE", region="eu", created_at="2026-01-01", batches=["a", "b"], size=0)
        ),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted, and nothing shows what it means: no count that "
            "the provider knows shows that coupons were added. Its record also has region "
            "eu, batches a, b. Look the status up and name it in coupon_file_statuses, or have "
            "the next upload wait longer, with --final-after SECONDS.",
        ),
    ),
    UploadCase(
        "LIVE, with a member that is false, and empty ones",
        followed(rec("up", "LIVE", committed=False, note="", tags=[], parent=None)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted, and nothing shows what it means: no count that "
            "the provider knows shows that coupons were added. Its record also has committed "
            "false. Look the status up and name it in coupon_file_statuses, or have the next "
            "upload wait longer, with --final-after SECONDS.",
        ),
    ),
    UploadCase(
        "LIVE, with a number of an unknown name",
        followed(rec("up", "LIVE", activated=4)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean success: activated is 4. Does "
            "activated count coupons added (LIVE 4)? Name it in coupon_file_counts, and run "
            "this again: it tells what statuses mean. Look the status up and name it in "
            "coupon_file_statuses, or have the next upload wait longer, with --final-after "
            "SECONDS.",
        ),
    ),
    UploadCase(
        "LIVE, with counts of 0, and another file with LIVE and coupons added",
        followed(rec("up", "LIVE", **NONE_ADDED), others=[rec("f1", "LIVE", **THREE_ADDED)]),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean failure: no coupon was added. Look the "
            "status up and name it in coupon_file_statuses, or have the next upload wait longer, "
            "with --final-after SECONDS.",
        ),
    ),
    UploadCase(
        "LIVE, with counts of 0, and a state tells files of another status apart",
        followed(
            rec("up", "LIVE", **NONE_ADDED),
            others=[
                rec("f1", "ACTIVE", load={"state": "DONE"}),
                rec("f2", "ACTIVE", load={"state": "FAILED"}),
            ],
        ),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean failure: no coupon was added. Look the "
            "status up and name it in coupon_file_statuses, or have the next upload wait longer, "
            "with --final-after SECONDS.",
        ),
    ),
]


@pytest.mark.parametrize("row", BY_COUNTS, ids=ids(BY_COUNTS))
def test_a_status_whose_name_says_nothing_means_what_the_counts_show(row: UploadCase):
    row.check(Topic.STATUSES)


BY_NAME = [
    UploadCase(
        "REFUSED, with a reason",
        followed(rec("up", "REFUSED", error="no header")),
        SaidOfFiles(
            WRONG,
            "PENDING → REFUSED: REFUSED means failure (the service names 'no header'), which "
            "the provider does not know. If it is the file, run this again with a good one; "
            "otherwise, settle that first.",
            {"failure": ["REFUSED"]},
        ),
    ),
    UploadCase(
        "REFUSED, with a reason about the URL",
        followed(rec("up", "REFUSED", error="GET https://files.example.com returned 403")),
        SaidOfFiles(
            WRONG,
            "PENDING → REFUSED: REFUSED means failure (the service names 'GET "
            "https://files.example.com returned 403'), which the provider does not know. If the "
            "service could not get it from its URL, let the service's addresses in there, or use a "
            "URL that it can read, and run this again.",
            {"failure": ["REFUSED"]},
        ),
    ),
    UploadCase(
        "REFUSED, without a reason",
        followed(rec("up", "REFUSED")),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → REFUSED, which lasted and may mean failure: the name REFUSED speaks "
            "of a failure. Look the status up and name it in coupon_file_statuses, or have the "
            "next upload wait longer, with --final-after SECONDS.",
        ),
    ),
    UploadCase(
        "PARTIAL, with coupons added",
        followed(rec("up", "PARTIAL", **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → PARTIAL, which lasted and is partial (3 coupons added, but the name "
            "PARTIAL speaks of a failure): decide whether your tasks should accept it, or "
            "upload a file without faults.",
        ),
    ),
    UploadCase(
        "ARCHIVED, with coupons added",
        followed(rec("up", "ARCHIVED", **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → ARCHIVED, which lasted and may mean success or failure: ARCHIVED may "
            "be the name of a stop or of an end, whatever its numbers are (coupons_added is "
            "3). Look the status up and name it in coupon_file_statuses, or have the next "
            "upload wait longer, with --final-after SECONDS.",
        ),
    ),
    UploadCase(
        "IMPORTING, with coupons added",
        followed(rec("up", "IMPORTING", **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → IMPORTING, which lasted and may mean pending: the name IMPORTING "
            "speaks of a file on its way. Look the status up and name it in coupon_file_statuses, "
            "or "
            "have the next upload wait longer, with --final-after SECONDS.",
            {"pending": ["IMPORTING"]},
        ),
    ),
    UploadCase(
        "SCHEDULED, for a time to come",
        followed(rec("up", "SCHEDULED", process_after="2030-01-01T02:00:00Z", **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SCHEDULED, which lasted and may mean pending: the name SCHEDULED speaks of "
            "a file on its way. Its record also has process_after 2030-01-01T02:00:00Z. By "
            "process_after 2030-01-01T02:00:00Z it goes on later: look in the service's dashboard "
            "after that what its last status is, and see that tasks wait so long.",
            {"pending": ["SCHEDULED"]},
        ),
    ),
]


@pytest.mark.parametrize("row", BY_NAME, ids=ids(BY_NAME))
def test_a_status_that_speaks_of_a_failure_is_wrong_with_a_reason_and_any_other_not_proved(
    row: UploadCase,
):
    row.check(Topic.STATUSES)


UNREADABLE = [
    UploadCase(
        "a status that is no text",
        followed(rec("up", "FERTIG\ufffd", **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "FERTIG� cannot be read: its bytes are not text in the charset that the response "
            "names. Ask the service's support for UTF-8.",
        ),
    ),
    UploadCase(
        "a status that seems to be a mask",
        followed(rec("up", "****", **THREE_ADDED), ("****",)),
        SaidOfFiles(
            NOT_PROVED,
            "**** seems to be a mask, as of something on the way that hides values: have whoever "
            "runs it pass these replies on as they are. Name it nowhere: successes and failures "
            "may look alike.",
        ),
    ),
]


@pytest.mark.parametrize("row", UNREADABLE, ids=ids(UNREADABLE))
def test_a_status_that_cannot_be_read_is_proposed_for_nothing(row: UploadCase):
    row.check(Topic.STATUSES)


def test_a_last_status_with_a_number_of_its_file_is_named_in_no_list():
    seen = followed(rec("up", "Imported 3 codes", **THREE_ADDED))
    statuses, *_ = conclude_from_upload(SETTINGS, seen, NAME)
    assert SaidOfFiles.of(statuses) == SaidOfFiles(
        WRONG,
        "PENDING → Imported 3 codes. Statuses have numbers of their file in them ('IMPORTED 3 "
        "CODES'), so the next file has another one, and no list of coupon_file_statuses helps: "
        "tasks would wait until their timeout. Name none of them, and ask the service's support "
        "for statuses of fixed words.",
    )


def test_a_state_that_tells_files_of_the_last_status_apart_is_said_of_an_upload():
    seen = followed(
        rec("up", "ACTIVE", load={"state": "DONE"}),
        others=[rec("f1", "ACTIVE", load={"state": "FAILED"})],
    )
    statuses, *_ = conclude_from_upload(SETTINGS, seen, NAME)
    assert statuses.certainty is NOT_PROVED
    assert statuses.text.startswith(
        "PENDING → ACTIVE, which lasted. ACTIVE is the status of files whose load.state differs"
    )
