"""
An uploaded file does not go on, or had no effect, so nothing of it is proposed as a success: *Not
proved*.

If its status speaks of a person's approval, it waits for a person, and the status is proposed as
pending; an unknown status of another file is proposed besides. If its record has a link to a
further request (commit, POST), it waits for that, and no status is proposed; not if coupons were
added, which means what the counts and the name show, nor if its status is SUCCESS, which has ended.
If its record says that it was only checked (a mode of checks) without coupons added, or, of a
SUCCESS with coupons added, that it was a dry run or is not published, the account may only check
files.
"""

from __future__ import annotations

import pytest

from support.doctor_files import (
    NOT_PROVED,
    THREE_ADDED,
    SaidOfFiles,
    UploadCase,
    followed,
    rec,
)
from support.doctor_findings import ids
from wes_provider.doctor.findings.finding import Topic

BY_PERSON = [
    UploadCase(
        "PENDING_APPROVAL",
        followed(rec("up", "PENDING_APPROVAL")),
        SaidOfFiles(
            NOT_PROVED,
            "The uploaded file waits for a person: PENDING → PENDING_APPROVAL (the name "
            "PENDING_APPROVAL says so), and did not go on. Have it approved, and see in the "
            "service's dashboard what becomes of it; a task waits for that until its "
            "timeout. Confirm this in the service's dashboard, then put the extra below into "
            "the connection.",
            {"pending": ["PENDING_APPROVAL"]},
        ),
    ),
    UploadCase(
        "PENDING_APPROVAL, and another file has an unknown status",
        followed(rec("up", "PENDING_APPROVAL"), others=[rec("f1", "LIVE", **THREE_ADDED)]),
        SaidOfFiles(
            NOT_PROVED,
            "The uploaded file waits for a person: PENDING → PENDING_APPROVAL (the name "
            "PENDING_APPROVAL says so), and did not go on. Have it approved, and see in the "
            "service's dashboard what becomes of it; a task waits for that until its "
            "timeout. LIVE seems to mean success (file f1: 3 coupons added, but LIVE may be "
            "the name of a stage on the way). Confirm this in the service's dashboard, then "
            "put the extra below into the connection.",
            {"pending": ["PENDING_APPROVAL"], "success": ["LIVE"]},
        ),
    ),
]


@pytest.mark.parametrize("row", BY_PERSON, ids=ids(BY_PERSON))
def test_a_file_that_waits_for_a_person_is_pending(row: UploadCase):
    row.check(Topic.STATUSES)


COMMIT = {"commit": {"method": "POST", "href": "/v1/files/up/commit"}}
WAITS_FOR_REQUEST = (
    "by its record, the file waits for a further request (POST /v1/files/up/commit), which the "
    "provider does not send. So no list of coupon_file_statuses helps, and STAGED is no success. "
    "Have this file finished or taken back in the service's dashboard, and ask the service's "
    "support for uploads that need no such request."
)
DEMANDING = [
    UploadCase(
        "STAGED, with a link to commit",
        followed(rec("up", "STAGED", coupons_added=0, coupons_valid=3, _links=COMMIT)),
        SaidOfFiles(NOT_PROVED, f"PENDING → STAGED, which lasted: {WAITS_FOR_REQUEST}"),
    ),
    UploadCase(
        "STAGED, with a link to commit, and coupons added",
        followed(rec("up", "STAGED", **THREE_ADDED, _links=COMMIT)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → STAGED, which lasted and may mean pending: the name STAGED speaks of a file "
            "on its way. Its record also has _links.commit.method POST, _links.commit.href "
            "/v1/files/up/commit. Look the status up and name it in coupon_file_statuses, or have "
            "the next upload wait longer, with --final-after SECONDS.",
            {"pending": ["STAGED"]},
        ),
    ),
    UploadCase(
        "SUCCESS, with a link to commit, and nothing added",
        followed(rec("up", "SUCCESS", coupons_added=0, _links=COMMIT)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS: SUCCESS means success, and lasted, but no coupon was added. Its "
            "record also has _links.commit.method POST, _links.commit.href /v1/files/up/commit. "
            "Upload new coupons, if none of them may be in a list already.",
        ),
    ),
]


@pytest.mark.parametrize("row", DEMANDING, ids=ids(DEMANDING))
def test_a_file_that_waits_for_a_request_is_no_success_unless_it_has_ended(row: UploadCase):
    row.check(Topic.STATUSES)


NOT_IN_EFFECT = [
    UploadCase(
        "VALIDATED, without coupons added, and a mode of checks",
        followed(
            rec("up", "VALIDATED", coupons_added=0, coupons_valid=9, mode="validate_only"),
            others=[rec("f1", "VALIDATED", coupons_added=0)],
        ),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → VALIDATED, without coupons added, and mode is 'validate_only'. The account "
            "may only check files, and add nothing. Ask the service's support to have files "
            "imported, and run this again; put nothing of it into coupon_file_statuses before "
            "that.",
        ),
    ),
    UploadCase(
        "SUCCESS, with coupons added, in a dry run",
        followed(rec("up", "SUCCESS", dry_run=True, **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS, with coupons added, but they may not be in the list: dry_run is "
            "'True'. The account may only check files, and add nothing. Ask the service's support "
            "to have files imported, and run this again; put nothing of it into "
            "coupon_file_statuses before that.",
        ),
    ),
    UploadCase(
        "SUCCESS, with coupons added, and not published",
        followed(rec("up", "SUCCESS", published=False, **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS, with coupons added, but they may not be in the list: published is "
            "'False'. The account may only check files, and add nothing. Ask the service's support "
            "to have files imported, and run this again; put nothing of it into "
            "coupon_file_statuses before that.",
        ),
    ),
]


@pytest.mark.parametrize("row", NOT_IN_EFFECT, ids=ids(NOT_IN_EFFECT))
def test_a_file_that_was_only_checked_or_is_not_in_effect_proves_no_status(row: UploadCase):
    row.check(Topic.STATUSES)
