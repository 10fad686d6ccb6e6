"""
What is said of the statuses of an uploaded file that ended with one that the provider or the
connection knows, or whose end was not seen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import msgspec
import pytest

from support.doctor_files import (
    NAME,
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
from support.doctor_replies import error, reply
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.file_conclusions import conclude_from_upload
from wes_provider.doctor.files import file_of
from wes_provider.doctor.findings import Topic
from wes_provider.doctor.upload import NOT_SHOWN

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
            "PENDING → SUCCESS: SUCCESS means success, and lasted, but invalid is 1. Its record "
            "also has note bad code <HTML>. The service got a web page from the URL, and no file: "
            "use a URL that leads to the file itself, and run this again.",
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
def test_a_failure_shows_what_to_do_and_no_success(row: UploadCase):
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


EARLY = [
    UploadCase(
        "an own success before SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "LIVE")),
        SaidOfFiles(
            WRONG,
            "PENDING → LIVE → SUCCESS: LIVE is a stage on the way, though tasks take it for "
            "a success, so they would end too early. Name it as pending.",
            {"pending": ["LIVE"]},
        ),
        settings=WITH_LIVE_AS_SUCCESS,
    ),
    UploadCase(
        "an own success before FAILED",
        followed(rec("up", "FAILED", error="no header"), ("PENDING", "LIVE")),
        SaidOfFiles(
            WRONG,
            "PENDING → LIVE → FAILED: LIVE is a stage on the way, though tasks take it for a "
            "success, so they would end too early. Name it as pending. Then the file failed "
            "(no header): upload a good one.",
            {"pending": ["LIVE"]},
        ),
        settings=WITH_LIVE_AS_SUCCESS,
    ),
    UploadCase(
        "SUCCESS before PROCESSING and SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "SUCCESS", "PROCESSING")),
        SaidOfFiles(
            WRONG,
            "PENDING → SUCCESS → PROCESSING → SUCCESS: SUCCESS came before the end, too, as "
            "the status of a step, and tasks take the first one for a success, so they would "
            "end too early. No setting tells the two apart: ask the service's support for a "
            "status that only the whole file gets.",
        ),
    ),
    UploadCase(
        "SUCCESS before PENDING and SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "SUCCESS", "PENDING")),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS → PENDING → SUCCESS: the status goes back. One of several nodes may "
            "be behind another, or SUCCESS may be the status of a step, too, so that tasks would "
            "end too early. Ask the service's support which of the two it is.",
        ),
    ),
    UploadCase(
        "SUCCESS before PENDING, PROCESSING and SUCCESS",
        followed(
            rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "SUCCESS", "PENDING", "PROCESSING")
        ),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS → PENDING → PROCESSING → SUCCESS: the status goes back. One of "
            "several nodes may be behind another, or SUCCESS may be the status of a step, too, so "
            "that tasks would end too early. Ask the service's support which of the two it is.",
        ),
    ),
]


@pytest.mark.parametrize("row", EARLY, ids=ids(EARLY))
def test_a_success_of_tasks_that_another_status_follows_is_no_end(row: UploadCase):
    row.check(Topic.STATUSES)


NO_END = (
    "is no end, since the service tried the file again by itself, and a task fails at the first "
    "one. A clear of that task would upload the file once more, beside what the service does. No "
    "setting tells the two apart: ask the service's support for another status until its last "
    "attempt."
)
EARLY_FAILURES = [
    UploadCase(
        "FAILED before PENDING and SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "FAILED", "PENDING")),
        SaidOfFiles(WRONG, f"PENDING → FAILED → PENDING → SUCCESS: FAILED {NO_END}"),
    ),
    UploadCase(
        "FAILED before PENDING and FAILED",
        followed(rec("up", "FAILED", error="no header"), ("PENDING", "FAILED", "PENDING")),
        SaidOfFiles(WRONG, f"PENDING → FAILED → PENDING → FAILED: FAILED {NO_END}"),
    ),
    UploadCase(
        "ERROR and FAILED before SUCCESS",
        followed(rec("up", "SUCCESS", **THREE_ADDED), ("ERROR", "FAILED")),
        SaidOfFiles(WRONG, f"ERROR → FAILED → SUCCESS: ERROR, FAILED {NO_END}"),
    ),
]


@pytest.mark.parametrize("row", EARLY_FAILURES, ids=ids(EARLY_FAILURES))
def test_a_failure_of_tasks_that_another_status_follows_is_no_end(row: UploadCase):
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


UNREAD = [
    UploadCase(
        "the list alone has it",
        followed(rec("up", "SUCCESS", **THREE_ADDED), alone=False, problem=NOT_SHOWN),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: no path of one file shows it; the list has "
            "it, with PENDING → SUCCESS. Settle the Path of one file first: tasks read the "
            "file there, until its end.",
        ),
    ),
    UploadCase(
        "nothing has it",
        followed(rec("up", "PENDING"), (), alone=False, listed=False, problem=NOT_SHOWN),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: no path of one file shows it, and neither "
            "does the list; the response to the upload had PENDING. Settle the Path of one "
            "file first: tasks read the file there, until its end.",
        ),
    ),
    UploadCase(
        "nothing has it, and it had no status",
        followed({"_id": "up", "state": 7}, (), alone=False, problem=NOT_SHOWN),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: no path of one file shows it. Settle the Path "
            "of one file first: tasks read the file there, until its end.",
        ),
    ),
]


@pytest.mark.parametrize("row", UNREAD, ids=ids(UNREAD))
def test_an_end_is_not_proved_if_no_path_of_one_file_shows_the_file(row: UploadCase):
    row.check(Topic.STATUSES)


UNENDED = [
    UploadCase(
        "PENDING",
        followed(
            rec("up", "PENDING"),
            alone=True,
            problem="Not processed within 20 s, last status PENDING",
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 20 s, last status "
            "PENDING. Do not upload it again: see in the service's dashboard what becomes of it, "
            "or "
            "ask the service's support. --timeout gives the next upload more time.",
        ),
    ),
    UploadCase(
        "PENDING, and no path shows it in time",
        followed(rec("up", "PENDING"), problem=NOT_SHOWN),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: still PENDING after 20 s. Do not upload "
            "it again: see in the service's dashboard what becomes of it, or ask the service's "
            "support. --timeout gives the next upload more time.",
        ),
    ),
    UploadCase(
        "PENDING, for a time to come",
        followed(
            rec("up", "PENDING", process_after="2030-01-01T02:00:00Z"),
            problem="Not processed within 20 s, last status PENDING",
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 20 s, last status PENDING. Its "
            "record also has process_after 2030-01-01T02:00:00Z. By process_after "
            "2030-01-01T02:00:00Z it goes on later: do not upload it again, look in the service's "
            "dashboard after that what became of it, and see that tasks wait so long.",
        ),
    ),
    UploadCase(
        "PENDING, with an error about the URL",
        followed(
            rec("up", "PENDING", last_error="GET https://files.example.com/a.csv: 403 Forbidden"),
            (),
            problem="Not processed within 75 s",
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 75 s. The service names "
            "'last_error: GET https://files.example.com/a.csv: 403 Forbidden'. It seems not to get "
            "the file from the URL: let it read that from where it asks, and see what becomes of "
            "this file before you upload it again.",
        ),
    ),
    UploadCase(
        "PENDING, and PROCESSING in the list",
        followed(
            rec("up", "PENDING"),
            in_list=rec("up", "PROCESSING"),
            problem="Not processed within 20 s, last status PENDING",
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 20 s, last status PENDING. Do "
            "not upload it again: see in the service's dashboard what becomes of it, or ask the "
            "service's support. --timeout gives the next upload more time.",
        ),
    ),
    UploadCase(
        "PENDING, and SUCCESS in the list",
        followed(
            rec("up", "PENDING"),
            in_list=rec("up", "SUCCESS", **THREE_ADDED),
            problem="Not processed within 20 s, last status PENDING",
        ),
        SaidOfFiles(
            WRONG,
            "The list has the file as SUCCESS, but its own path replied PENDING for 20 s. Tasks "
            "wait by that path, so they would not see the end. Do not upload it again: it is "
            "there. Ask the service's support why the two differ.",
        ),
    ),
    UploadCase(
        "PENDING, and another identifier in the list",
        replace(
            followed(rec("up", "PENDING"), (), problem="303"),
            successor=file_of(rec("cf-1", "SUCCESS")),
        ),
        SaidOfFiles(
            WRONG,
            "The end of the file was not seen under its identifier up: 303. The list has it as "
            "cf-1 (SUCCESS) now, so its identifier changes, and a task could not wait for it. No "
            "setting changes that: ask the service's support for an identifier that stays. Do not "
            "upload it again: it is there.",
        ),
    ),
    UploadCase(
        "PROCESSING, then 410",
        replace(
            followed(rec("up", "PROCESSING"), (), problem="410 superseded: f901, f902."),
            gone=reply(410, error("superseded", "f901, f902.")),
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: 410 superseded: f901, f902. No time cures that: see "
            "in the list what became of it, do not upload it again, and ask the service's support "
            "for an identifier that stays until the file is processed.",
        ),
    ),
    UploadCase(
        "PENDING, in a dry run",
        followed(rec("up", "PENDING", dry_run=True), problem="Not processed within 20 s"),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 20 s. Its record also has "
            "dry_run True. Do not upload it again: see in the service's dashboard what becomes of "
            "it, or ask the service's support. --timeout gives the next upload more time.",
        ),
    ),
    UploadCase(
        "FAILED for now, to be tried again",
        followed(
            rec("up", "FAILED", error="GET file_url: 503", attempt=1, max_attempts=3),
            problem="FAILED for now, to be tried again",
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: FAILED for now, to be tried again. The service "
            "names 'GET file_url: 503'. By attempt 1, max_attempts 3 the service tries it again: "
            "do not upload it again, and look in the service's dashboard after that what became of "
            "it. A task fails at this status, and a clear of that task would upload the file once "
            "more: ask the service's support for another status until its last attempt.",
        ),
    ),
    UploadCase(
        "PENDING, with an error about a URL with a signature",
        followed(
            rec("up", "PENDING", last_error="GET https://files.example.com/a.csv?sig=sesame: 403"),
            problem="Not processed within 20 s",
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 20 s. The service names "
            "'last_error: GET https://files.example.com/a.csv 403'. It seems not to get the file "
            "from the URL: let it read that from where it asks, and see what becomes of this file "
            "before you upload it again.",
        ),
    ),
]


@pytest.mark.parametrize("row", UNENDED, ids=ids(UNENDED))
def test_an_end_that_was_not_seen_is_wrong_if_the_list_has_one_and_else_not_proved(row: UploadCase):
    row.check(Topic.STATUSES)


class OwnPath(NamedTuple):
    """
    An uploaded file as its own path has it and as the list has it, and whether its path is in
    doubt for that.
    """

    name: str
    alone: str
    in_list: str
    problem: str
    is_in_doubt: bool


OWN_PATHS = [
    OwnPath(
        "the list has the end, which the path has not",
        "PENDING",
        "SUCCESS",
        "late",
        is_in_doubt=True,
    ),
    OwnPath(
        "the list has a failure, which the path has not",
        "PENDING",
        "FAILED",
        "late",
        is_in_doubt=True,
    ),
    OwnPath("the list has a stage", "PENDING", "PROCESSING", "late", is_in_doubt=False),
    OwnPath("both have the same", "PENDING", "PENDING", "late", is_in_doubt=False),
    OwnPath("the path has an end, too", "SUCCESS", "FAILED", "", is_in_doubt=False),
]


@pytest.mark.parametrize("row", OWN_PATHS, ids=ids(OWN_PATHS))
def test_the_path_of_a_file_is_in_doubt_if_only_the_list_has_its_end(row: OwnPath):
    seen = followed(rec("up", row.alone), in_list=rec("up", row.in_list), problem=row.problem)
    findings = conclude_from_upload(SETTINGS, seen, NAME)
    said = [SaidOfFiles.of(finding) for finding in findings if finding.topic is Topic.FILE_PATH]
    in_doubt = SaidOfFiles(
        NOT_PROVED, "It has the file, with another status than the list: see Statuses."
    )
    assert said == ([in_doubt] if row.is_in_doubt else [])


def test_files_of_one_request_are_the_new_ones_with_the_name_of_the_upload():
    earlier = {**rec("f1", "SUCCESS"), "name": NAME}
    other = {**rec("f2", "SUCCESS"), "name": "other.csv"}
    second = {**rec("f3", "SUCCESS"), "name": NAME}
    seen = followed(rec("up", "SUCCESS"), others=[earlier, other, second], before=[earlier])
    assert {file.id for file in seen.made_by_one_request(NAME)} == {"f3", "up"}


def test_an_early_success_is_taken_out_of_the_successes():
    seen = followed(rec("up", "SUCCESS", **THREE_ADDED), ("PENDING", "LIVE"))
    statuses, *_ = conclude_from_upload(WITH_LIVE_AS_SUCCESS, seen, NAME)
    assert set(statuses.settings) == {
        "coupon_file_statuses.pending",
        "coupon_file_statuses.success",
    }
    assert "LIVE" in statuses.settings["coupon_file_statuses.pending"]
    assert statuses.settings["coupon_file_statuses.success"] == ["SUCCESS"]
