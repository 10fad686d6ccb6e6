"""
What is said of the statuses of an uploaded file whose end was seen, with all of them in order (of
more than eight, the first seven and the last).
SUCCESS is *sure*, with new coupons, duplicates only, or no counts at all. It is *Not proved* if all
counts are 0, if invalid rows are counted, if it says that a part of the file only was imported (an
own status then is partial, unless it is on the way), if the record has a note or the number of a stage, if the
counts grew after it, or if another file of the list has SUCCESS and an error. What the list has of
the file itself does not matter. FAILED is *Not proved*, with its reason or what else the record
has: a good file is to be uploaded, or one from a URL that leads to the file itself (if the record
quotes a web page) or that the service can read (if it got a 403 there). A success that only the
connection names, LIVE, is *sure* only if coupons were added: not with counts of 0, without counts,
or with a name that speaks of a person's approval. SUCCESS that the connection names otherwise, or
not at all, means a success only if coupons were added.
An unknown status before SUCCESS is proposed as pending, and proved. Of other files of the list, an
unknown status that seems to be on its way is proposed as pending; one with an error only guessed as
failure; one with coupons added is not proposed.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from support.doctor_files import (
    NONE_ADDED,
    NOT_PROVED,
    SETTINGS,
    SURE,
    THREE_ADDED,
    WITH_LIVE_AS_SUCCESS,
    WRONG,
    SaidOfFiles,
    UploadCase,
    followed,
    rec,
)
from support.doctor_findings import ids
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.replies.files import file_of

SUCCEEDED = [
    UploadCase(
        "SUCCESS, with coupons added",
        followed(rec("up", "SUCCESS", **THREE_ADDED)),
        SaidOfFiles(SURE, "PENDING → SUCCESS, which means success."),
    ),
    UploadCase(
        "SUCCESS, without a count of duplicates",
        followed(rec("up", "SUCCESS", coupons_added=3)),
        SaidOfFiles(SURE, "PENDING → SUCCESS, which means success."),
    ),
    UploadCase(
        "SUCCESS, with duplicates only",
        followed(rec("up", "SUCCESS", coupons_added=0, coupons_duplicate=5)),
        SaidOfFiles(SURE, "PENDING → SUCCESS, which means success."),
    ),
    UploadCase(
        "SUCCESS, with counts of 0",
        followed(rec("up", "SUCCESS", **NONE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS: SUCCESS means success, and lasted, but no coupon was added. "
            "Upload new coupons, if none of them may be in a list already.",
        ),
    ),
    UploadCase(
        "SUCCESS, without counts",
        followed(rec("up", "SUCCESS")),
        SaidOfFiles(SURE, "PENDING → SUCCESS, which means success."),
    ),
    UploadCase(
        "SUCCESS, with a count of invalid rows",
        followed(rec("up", "SUCCESS", coupons_added=3, invalid=5)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS: SUCCESS means success, and lasted, but invalid is 5. Ask the "
            "service's support what becomes of such a file.",
        ),
    ),
    UploadCase(
        "SUCCESS, with a count of invalid rows and a note about a web page",
        followed(rec("up", "SUCCESS", coupons_added=0, invalid=1, note="bad code <HTML>")),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS: SUCCESS means success, and lasted, but invalid is 1, and 0 "
            "coupons were added. Its record also has note bad code <HTML>. The service got a web "
            "page from the URL, and no file: use a URL that leads to the file itself, and run this "
            "again.",
        ),
    ),
    UploadCase(
        "SUCCESS, with a note",
        followed(rec("up", "SUCCESS", **THREE_ADDED, note="was rolled back")),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS: SUCCESS means success, and lasted, but the service notes "
            "'note: was rolled back'. Its record also has note was rolled back. Ask the "
            "service's support what becomes of such a file.",
        ),
    ),
    UploadCase(
        "SUCCESS, of a part of the file only",
        followed(
            rec("up", "SUCCESS", **THREE_ADDED, truncated=True, note="Only the first 3 rows.")
        ),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS: SUCCESS means success, and lasted, but truncated is true, and the "
            "service notes 'note: Only the first 3 rows'. Ask the service's support what becomes "
            "of such a file.",
        ),
    ),
    UploadCase(
        "SUCCESS, truncated, without counts",
        followed(rec("up", "SUCCESS", truncated=True)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS: SUCCESS means success, and lasted, but truncated is true. Ask the "
            "service's support what becomes of such a file.",
        ),
    ),
    UploadCase(
        "an own status, truncated",
        followed(rec("up", "IMPORTED_ALL", **THREE_ADDED, truncated=True)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → IMPORTED_ALL, which lasted and is partial (3 coupons added, but truncated "
            "is true): decide whether your tasks should accept it, or upload a file without "
            "faults.",
        ),
    ),
    UploadCase(
        "an own status, truncated, without counts",
        followed(rec("up", "IMPORTED_ALL", truncated=True)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → IMPORTED_ALL, which lasted and is partial (truncated is true): decide "
            "whether your tasks should accept it, or upload a file without faults.",
        ),
    ),
    UploadCase(
        "SUCCESS, with the number of a stage",
        followed(rec("up", "SUCCESS", **THREE_ADDED, stage_no=1, stages=3)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS: SUCCESS means success, and lasted, but stage_no is 1, and "
            "stages is 3. Ask the service's support what becomes of such a file.",
        ),
    ),
    UploadCase(
        "SUCCESS, while the list had another identifier for a time",
        replace(
            followed(rec("up", "SUCCESS", **THREE_ADDED)),
            successor=file_of(rec("cf-1", "SUCCESS")),
        ),
        SaidOfFiles(SURE, "PENDING → SUCCESS, which means success."),
    ),
    UploadCase(
        "SUCCESS, and FAILED in the list",
        followed(rec("up", "SUCCESS", **THREE_ADDED), in_list=rec("up", "FAILED")),
        SaidOfFiles(SURE, "PENDING → SUCCESS, which means success."),
    ),
]


@pytest.mark.parametrize("row", SUCCEEDED, ids=ids(SUCCEEDED))
def test_a_success_is_sure_unless_its_counts_or_its_record_speak_against_it(row: UploadCase):
    row.check(Topic.STATUSES)


CONTRADICTED = [
    UploadCase(
        "SUCCESS, after which the counts grew",
        replace(followed(rec("up", "SUCCESS", **THREE_ADDED)), grew="added 0, then 3"),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS, which is success for tasks, but the file went on after that "
            "(added 0, then 3): a task would end too early. Ask the service's support what tells "
            "that a file is done.",
        ),
    ),
    UploadCase(
        "SUCCESS, and another file has it and an error",
        followed(
            rec("up", "SUCCESS", **THREE_ADDED),
            others=[rec("f2", "SUCCESS", added=0, error="No column.")],
        ),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS, which is success for tasks, but 1 of 2 files with success failed "
            "by what the service names: 'No column.'. Ask the service's support what the status "
            "means.",
        ),
    ),
]


@pytest.mark.parametrize("row", CONTRADICTED, ids=ids(CONTRADICTED))
def test_a_success_is_not_proved_if_the_file_went_on_or_another_one_failed_with_it(row: UploadCase):
    row.check(Topic.STATUSES)


FAILED = [
    UploadCase(
        "FAILED, with a reason",
        followed(rec("up", "FAILED", error="no header")),
        SaidOfFiles(
            NOT_PROVED,
            "FAILED: the file failed (no header). If it is the file, run this again with a good "
            "one; otherwise, settle that first.",
        ),
    ),
    UploadCase(
        "FAILED, without a reason",
        followed(rec("up", "FAILED")),
        SaidOfFiles(
            NOT_PROVED,
            "FAILED: the file failed without a reason that the provider reads. See in the "
            "service's dashboard why, or ask its support. If it is the file, run this again with a "
            "good one.",
        ),
    ),
    UploadCase(
        "FAILED, without a reason, with a hint in its record",
        followed(rec("up", "FAILED", row=7, hint="see E-12")),
        SaidOfFiles(
            NOT_PROVED,
            "FAILED: the file failed without a reason that the provider reads. Its record also has "
            "hint see E-12. See in the service's dashboard why, or ask its support. If it is the "
            "file, run this again with a good one.",
        ),
    ),
    UploadCase(
        "FAILED, for a web page",
        followed(rec("up", "FAILED", error="Line 1: '<!DOCTYPE html>' is no code")),
        SaidOfFiles(
            NOT_PROVED,
            "FAILED: the file failed (Line 1: '<!DOCTYPE html>' is no code). The service got a web "
            "page from the URL, and no file: use a URL that leads to the file itself, and run this "
            "again.",
        ),
    ),
    UploadCase(
        "FAILED, for a URL that was not fetched",
        followed(rec("up", "FAILED", error="GET file_url: 403")),
        SaidOfFiles(
            NOT_PROVED,
            "FAILED: the file failed (GET file_url: 403). If the service could not get it "
            "from its URL, let the service's addresses in there, or use a URL that it can "
            "read, and run this again.",
        ),
    ),
]


@pytest.mark.parametrize("row", FAILED, ids=ids(FAILED))
def test_a_failure_is_not_proved_and_its_reason_or_record_says_what_to_do(row: UploadCase):
    row.check(Topic.STATUSES)


STAGES = [
    UploadCase(
        "one unknown status before SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "STAGED")),
        SaidOfFiles(
            SURE,
            "PENDING → STAGED → SUCCESS: STAGED is on the way, and waited for.",
            {"pending": ["STAGED"]},
        ),
    ),
    UploadCase(
        "two unknown statuses before SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "STAGED", "CHECKED")),
        SaidOfFiles(
            SURE,
            "PENDING → STAGED → CHECKED → SUCCESS: STAGED, CHECKED is on the way, and waited for.",
            {"pending": ["CHECKED", "STAGED"]},
        ),
    ),
    UploadCase(
        "seven unknown statuses before SUCCESS, which are all named",
        followed(rec("up", "SUCCESS", **THREE_ADDED), [f"S{number}" for number in range(7)]),
        SaidOfFiles(
            SURE,
            "S0 → S1 → S2 → S3 → S4 → S5 → S6 → SUCCESS: S0, S1, S2, S3, S4, S5, S6 is on the way, "
            "and waited for.",
            {"pending": ["S0", "S1", "S2", "S3", "S4", "S5", "S6"]},
        ),
    ),
    UploadCase(
        "eight unknown statuses before SUCCESS, of which the last is left out",
        followed(rec("up", "SUCCESS", **THREE_ADDED), [f"S{number}" for number in range(8)]),
        SaidOfFiles(
            SURE,
            "S0 → S1 → S2 → S3 → S4 → S5 → S6 → … → SUCCESS: S0, S1, S2, S3, S4, S5, S6, S7 is on "
            "the way, and waited for.",
            {"pending": ["S0", "S1", "S2", "S3", "S4", "S5", "S6", "S7"]},
        ),
    ),
]


@pytest.mark.parametrize("row", STAGES, ids=ids(STAGES))
def test_an_unknown_status_before_the_end_is_proposed_as_pending(row: UploadCase):
    row.check(Topic.STATUSES)


WITH_APPROVAL_AS_SUCCESS = msgspec.structs.replace(
    SETTINGS, statuses=Statuses(success=frozenset({"PENDING_APPROVAL", "SUCCESS"}))
)
NAMED_BY_CONNECTION = [
    UploadCase(
        "LIVE, named as success, with coupons added",
        followed(rec("up", "LIVE", **THREE_ADDED)),
        SaidOfFiles(SURE, "PENDING → LIVE, which lasted and means success.", {"success": ["LIVE"]}),
        settings=WITH_LIVE_AS_SUCCESS,
    ),
    UploadCase(
        "LIVE, named as success, with counts of 0",
        followed(rec("up", "LIVE", **NONE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE: LIVE means success by the connection, and lasted, but no coupon "
            "was added. Upload new coupons, if none of them may be in a list already.",
        ),
        settings=WITH_LIVE_AS_SUCCESS,
    ),
    UploadCase(
        "LIVE, named as success, without counts",
        followed(rec("up", "LIVE")),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE: LIVE means success by the connection, and lasted, but no count "
            "that the provider knows shows that coupons were added. Ask the service's "
            "support what becomes of such a file.",
        ),
        settings=WITH_LIVE_AS_SUCCESS,
    ),
    UploadCase(
        "LIVE, named as success, with coupons added, and another file has SUCCESS and an error",
        followed(
            rec("up", "LIVE", **THREE_ADDED), others=[rec("f2", "SUCCESS", error="No column.")]
        ),
        SaidOfFiles(SURE, "PENDING → LIVE, which lasted and means success.", {"success": ["LIVE"]}),
        settings=WITH_LIVE_AS_SUCCESS,
    ),
    UploadCase(
        "PENDING_APPROVAL, named as success, with coupons added",
        followed(rec("up", "PENDING_APPROVAL", **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → PENDING_APPROVAL: PENDING_APPROVAL means success by the connection, and "
            "lasted, but it waits for a person: the name PENDING_APPROVAL says so. Ask the "
            "service's support what becomes of such a file.",
            {},
        ),
        settings=WITH_APPROVAL_AS_SUCCESS,
    ),
]


@pytest.mark.parametrize("row", NAMED_BY_CONNECTION, ids=ids(NAMED_BY_CONNECTION))
def test_a_success_that_only_the_connection_names_is_sure_with_coupons_added(row: UploadCase):
    row.check(Topic.STATUSES)


SUCCESS_AS_STAGE = msgspec.structs.replace(
    SETTINGS, statuses=Statuses.of({"pending": ["PENDING", "SUCCESS"], "success": ["LIVE"]})
)
SUCCESS_AS_NOTHING = msgspec.structs.replace(SETTINGS, statuses=Statuses.of({"success": ["LIVE"]}))
SUCCESS_AS_FAILURE = msgspec.structs.replace(
    SETTINGS, statuses=Statuses.of({"failure": ["SUCCESS"], "success": ["LIVE"]})
)
OPEN_SUCCESS = SaidOfFiles(
    NOT_PROVED,
    "PENDING → SUCCESS, which lasted, and nothing shows what it means: no count that the provider "
    "knows shows that coupons were added. Look the status up and name it in coupon_file_statuses, "
    "or have the next upload wait longer, with --final-after SECONDS.",
    {"success": ["LIVE"]},
)
SUCCESS_BY_COUNTS = SaidOfFiles(
    WRONG,
    "PENDING → SUCCESS: SUCCESS means success (coupons were added), which the provider does not "
    "know.",
    {"success": ["LIVE"]},
)
NAMED_OTHERWISE = [
    UploadCase(
        "a stage by the connection, without counts",
        followed(rec("up", "SUCCESS")),
        OPEN_SUCCESS._replace(new={"success": ["LIVE"], "pending": ["SUCCESS"]}),
        settings=SUCCESS_AS_STAGE,
    ),
    UploadCase(
        "a stage by the connection, with coupons added",
        followed(rec("up", "SUCCESS", **THREE_ADDED)),
        SUCCESS_BY_COUNTS,
        settings=SUCCESS_AS_STAGE,
    ),
    UploadCase(
        "in no list of the connection, without counts",
        followed(rec("up", "SUCCESS")),
        OPEN_SUCCESS,
        settings=SUCCESS_AS_NOTHING,
    ),
    UploadCase(
        "in no list of the connection, with coupons added",
        followed(rec("up", "SUCCESS", **THREE_ADDED)),
        SUCCESS_BY_COUNTS,
        settings=SUCCESS_AS_NOTHING,
    ),
    UploadCase(
        "a failure by the connection",
        followed(rec("up", "SUCCESS", **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "SUCCESS: the file failed without a reason that the provider reads. See in the "
            "service's dashboard why, or ask its support. If it is the file, run this again with "
            "a good one.",
        ),
        settings=SUCCESS_AS_FAILURE,
    ),
]


@pytest.mark.parametrize("row", NAMED_OTHERWISE, ids=ids(NAMED_OTHERWISE))
def test_a_success_that_the_connection_names_otherwise_is_one_only_by_its_counts(row: UploadCase):
    row.check(Topic.STATUSES)


BESIDE_OTHERS = [
    UploadCase(
        "another file has REFUSED",
        followed(
            rec("up", "SUCCESS", **THREE_ADDED), others=[rec("f1", "REFUSED", error="no header")]
        ),
        SaidOfFiles(
            SURE,
            "PENDING → SUCCESS, which means success. REFUSED seems to mean failure (file f1: "
            "the service names 'no header').",
            guessed={"failure": ["REFUSED"]},
        ),
    ),
    UploadCase(
        "another file has STAGED",
        followed(rec("up", "SUCCESS", **THREE_ADDED), others=[rec("f1", "STAGED")]),
        SaidOfFiles(
            SURE,
            "PENDING → SUCCESS, which means success. STAGED seems to mean pending (file f1: "
            "the name STAGED speaks of a file on its way).",
            {"pending": ["STAGED"]},
        ),
    ),
    UploadCase(
        "another file has LIVE, which seems to be a success",
        followed(rec("up", "SUCCESS", **THREE_ADDED), others=[rec("f1", "LIVE", **THREE_ADDED)]),
        SaidOfFiles(SURE, "PENDING → SUCCESS, which means success."),
    ),
]


@pytest.mark.parametrize("row", BESIDE_OTHERS, ids=ids(BESIDE_OTHERS))
def test_unknown_statuses_of_other_files_are_proposed_beside_a_success(row: UploadCase):
    row.check(Topic.STATUSES)
