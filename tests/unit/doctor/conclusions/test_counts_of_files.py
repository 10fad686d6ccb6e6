"""
What is said of the counts of files, and which names of counts are proposed.

Of an uploaded file, they are *sure* under the usual names, with or without duplicates, and 0, too;
*Not proved* in a dry run; *not shown* without counts, with numbers of unknown names, and if nothing
was added since files are only checked. Other names that sound like coupons added and duplicates,
and fit, are proposed, and the finding is wrong; it is *Not proved* if the file waits for a person,
if a number only may be one of duplicates (skipped), or if two counts of coupons added differ.
Counts are said only if the file's end was seen or it waits for a person.

Of a list, the last file is named that has coupons added and did not fail, one with SUCCESS before
others. A number of an unknown name is guessed if it is above 0 with some statuses and 0 with
others; a count that is the same in each of three files, whatever their status, is *Not proved*.
Digits in a string are named if no file has a number under that name; not words or other names.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import pytest

from support.doctor_files import (
    NAME,
    NONE_ADDED,
    NOT_PROVED,
    NOT_SHOWN,
    SETTINGS,
    SURE,
    THREE_ADDED,
    WITH_LIVE_AS_SUCCESS,
    WRONG,
    ListCase,
    SaidOfFiles,
    UploadCase,
    followed,
    rec,
)
from support.doctor_findings import ids
from wes_provider.coupon_files import CountNames
from wes_provider.doctor.conclusions.file_conclusions import conclude_from_upload
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.writes.upload import Followed

UPLOAD_ONE_THAT_CAN_BE_PROCESSED = (
    "The file has failed, and has no counts: upload one that the service can process, to see them."
)
KNOWN_NAMES = [
    UploadCase(
        "SUCCESS, without a count of duplicates",
        followed(rec("up", "SUCCESS", coupons_added=3)),
        SaidOfFiles(SURE, "3 coupons added, in file up; no count of duplicates is known."),
    ),
    UploadCase(
        "SUCCESS, with duplicates only",
        followed(rec("up", "SUCCESS", coupons_added=0, coupons_duplicate=5)),
        SaidOfFiles(SURE, "0 coupons added, 5 duplicates, in file up."),
    ),
    UploadCase(
        "SUCCESS, with counts of 0",
        followed(rec("up", "SUCCESS", **NONE_ADDED)),
        SaidOfFiles(SURE, "0 coupons added, 0 duplicates, in file up."),
    ),
    UploadCase(
        "SUCCESS, without counts",
        followed(rec("up", "SUCCESS")),
        SaidOfFiles(
            NOT_SHOWN, "The file has no counts of its own, so a task cannot see what was added."
        ),
    ),
    UploadCase(
        "SUCCESS, with a count of invalid rows and a note about a web page",
        followed(rec("up", "SUCCESS", coupons_added=0, invalid=1, note="bad code <HTML>")),
        SaidOfFiles(SURE, "0 coupons added, in file up; no count of duplicates is known."),
    ),
    UploadCase(
        "FAILED, without a reason, with a hint in its record",
        followed(rec("up", "FAILED", row=7, hint="see E-12")),
        SaidOfFiles(NOT_SHOWN, "No number of file up seems to count coupons added."),
    ),
    UploadCase(
        "LIVE, with a number of an unknown name",
        followed(rec("up", "LIVE", activated=4)),
        SaidOfFiles(
            NOT_SHOWN,
            "Which of activated (4) counts coupons added, in file up? Name it in "
            'coupon_file_counts, such as {"added": "...", "duplicates": "..."}.',
            needs_action=True,
        ),
    ),
    UploadCase(
        "PENDING_APPROVAL, and another file has an unknown status",
        followed(rec("up", "PENDING_APPROVAL"), others=[rec("f1", "LIVE", **THREE_ADDED)]),
        SaidOfFiles(
            NOT_SHOWN,
            "The file has no counts, unlike others of the list: it may not be processed yet.",
        ),
    ),
    UploadCase(
        "FAILED, without counts, unlike another file",
        followed(rec("up", "FAILED"), others=[rec("f1", "SUCCESS", **THREE_ADDED)]),
        SaidOfFiles(NOT_SHOWN, UPLOAD_ONE_THAT_CAN_BE_PROCESSED),
    ),
    UploadCase(
        "an unknown status with a reason, without counts",
        followed(rec("up", "STOPPED", error="No header")),
        SaidOfFiles(NOT_SHOWN, UPLOAD_ONE_THAT_CAN_BE_PROCESSED),
    ),
    UploadCase(
        "SUCCESS with a reason, without counts, unlike another file",
        followed(
            rec("up", "SUCCESS", error="2 rows"), others=[rec("f1", "SUCCESS", **THREE_ADDED)]
        ),
        SaidOfFiles(
            NOT_SHOWN,
            "The file has no counts, unlike others of the list: it may not be processed yet.",
        ),
    ),
    UploadCase(
        "VALIDATED, without coupons added, and a mode of checks",
        followed(
            rec("up", "VALIDATED", coupons_added=0, coupons_valid=9, mode="validate_only"),
            others=[rec("f1", "VALIDATED", coupons_added=0)],
        ),
        SaidOfFiles(NOT_SHOWN, "Nothing was added to count, since mode is 'validate_only'."),
    ),
    UploadCase(
        "SUCCESS, with coupons added, in a dry run",
        followed(rec("up", "SUCCESS", dry_run=True, **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "3 coupons added, 1 duplicate, in file up, but dry_run is 'True', so they may not be "
            "in the list.",
        ),
    ),
]


@pytest.mark.parametrize("row", KNOWN_NAMES, ids=ids(KNOWN_NAMES))
def test_no_other_name_is_proposed_for_counts_if_an_uploads_are_usual_unknown_or_show_nothing(
    row: UploadCase,
):
    row.check(Topic.COUNTS)


WITH_NAMES_OF_COUNTS = msgspec.structs.replace(
    SETTINGS, count_names=CountNames("loaded", "skipped")
)
UNKNOWN_NAMES = [
    UploadCase(
        "names of counts that are not the provider's, of a file that waits for a person",
        followed(rec("up", "PENDING_APPROVAL", codes={"imported": 3, "duplicates": 1})),
        SaidOfFiles(
            NOT_PROVED,
            "3 coupons added, 1 duplicate, under codes.imported and codes.duplicates, in file up. "
            "Confirm this in the service's dashboard, then put the extra below into the "
            "connection.",
            {
                "coupon_file_counts.added": "codes.imported",
                "coupon_file_counts.duplicates": "codes.duplicates",
            },
        ),
    ),
    UploadCase(
        "names of counts that are not the provider's",
        followed(rec("up", "SUCCESS", codes={"imported": 3, "duplicates": 1})),
        SaidOfFiles(
            WRONG,
            "3 coupons added, 1 duplicate, under codes.imported and codes.duplicates, in file up.",
            {
                "coupon_file_counts.added": "codes.imported",
                "coupon_file_counts.duplicates": "codes.duplicates",
            },
        ),
    ),
    UploadCase(
        "names of counts that are not the provider's, without a duplicate",
        followed(rec("up", "SUCCESS", codes={"imported": 3, "duplicates": 0})),
        SaidOfFiles(
            WRONG,
            "3 coupons added, 0 duplicates, under codes.imported and codes.duplicates, in file up.",
            {
                "coupon_file_counts.added": "codes.imported",
                "coupon_file_counts.duplicates": "codes.duplicates",
            },
        ),
    ),
    UploadCase(
        "a number of what was skipped",
        followed(rec("up", "SUCCESS", summary={"loaded": 8, "skipped": 2})),
        SaidOfFiles(
            NOT_PROVED,
            "8 coupons added, under summary.loaded, in file up; summary.skipped (2) may count "
            "duplicates. Confirm in the service's dashboard what summary.loaded and "
            "summary.skipped count.",
            {
                "coupon_file_counts.added": "summary.loaded",
                "coupon_file_counts.duplicates": "summary.skipped",
            },
        ),
    ),
    UploadCase(
        "a number of what was skipped, beside the usual name of coupons added",
        followed(rec("up", "SUCCESS", added=8, skipped=2)),
        SaidOfFiles(
            NOT_PROVED,
            "8 coupons added, under added, in file up; skipped (2) may count duplicates. Confirm "
            "in the service's dashboard what skipped counts.",
            {"coupon_file_counts.duplicates": "skipped"},
        ),
    ),
    UploadCase(
        "a number that sounds like duplicates and another one, beside the usual name of coupons "
        "added",
        followed(rec("up", "SUCCESS", added=8, existing=2, zork=5)),
        SaidOfFiles(
            WRONG,
            "8 coupons added, 2 duplicates, under added and existing, in file up.",
            {"coupon_file_counts.duplicates": "existing"},
        ),
    ),
    UploadCase(
        "numbers of what was rejected, and of all",
        followed(rec("up", "SUCCESS", codes={"accepted": 3, "rejected": 1, "total": 4})),
        SaidOfFiles(
            NOT_PROVED,
            "3 coupons added, under codes.accepted, in file up; no count of duplicates is "
            "known. Confirm in the service's dashboard what codes.accepted counts.",
            {"coupon_file_counts.added": "codes.accepted"},
        ),
    ),
    UploadCase(
        "two counts of coupons added that differ",
        followed(rec("up", "SUCCESS", coupons_added=3, inserted=2)),
        SaidOfFiles(
            NOT_PROVED,
            "Which number counts coupons added is open. coupons_added/inserted: SUCCESS 3/2. "
            "Confirm with the service's support which one does, and name it in "
            "coupon_file_counts.",
        ),
    ),
    UploadCase(
        "numbers of unknown names",
        followed(rec("up", "SUCCESS", alpha=3, beta=4)),
        SaidOfFiles(
            NOT_SHOWN,
            "Which of alpha (3), beta (4) counts coupons added, in file up? Name it in "
            'coupon_file_counts, such as {"added": "...", "duplicates": "..."}.',
            needs_action=True,
        ),
    ),
    UploadCase(
        "a number of what was skipped, which the connection names as duplicates",
        followed(rec("up", "SUCCESS", loaded=8, skipped=2)),
        SaidOfFiles(
            SURE,
            "8 coupons added, 2 duplicates, in file up.",
            {"coupon_file_counts.added": "loaded", "coupon_file_counts.duplicates": "skipped"},
        ),
        settings=WITH_NAMES_OF_COUNTS,
    ),
]


@pytest.mark.parametrize("row", UNKNOWN_NAMES, ids=ids(UNKNOWN_NAMES))
def test_other_names_of_counts_are_wrong_if_they_sound_alike_and_fit_and_else_not_proved(
    row: UploadCase,
):
    row.check(Topic.COUNTS)


WAITING = rec("up", "PENDING_APPROVAL", **THREE_ADDED)


class Counted(NamedTuple):
    """A file that was uploaded and followed, and whether something is said of its counts."""

    name: str
    followed: Followed
    is_counted: bool


COUNTED = [
    Counted("its end was seen", followed(rec("up", "SUCCESS", **THREE_ADDED)), is_counted=True),
    Counted(
        "its end was not seen",
        followed(rec("up", "PENDING", **THREE_ADDED), problem="503"),
        is_counted=False,
    ),
    Counted("it waits for a person", followed(WAITING), is_counted=True),
    Counted(
        "it waits for a person, and its end was not seen",
        followed(WAITING, problem="503"),
        is_counted=True,
    ),
]


@pytest.mark.parametrize("row", COUNTED, ids=ids(COUNTED))
def test_counts_of_an_upload_are_said_if_its_end_was_seen_or_it_waits_for_a_person(row: Counted):
    findings = conclude_from_upload(SETTINGS, row.followed, NAME)
    topics = [Topic.STATUSES, Topic.LAG, Topic.NAMES]
    if row.is_counted:
        topics.append(Topic.COUNTS)
    assert [finding.topic for finding in findings] == topics


NUMBERS_ONLY = (
    ", and the provider reads whole numbers only: tasks work, but cannot see how many coupons were "
    "added. No setting changes that: ask the service's support for numbers."
)
STRINGS = [
    ListCase(
        "digits",
        [rec("f1", "SUCCESS", coupons_added="5000")],
        SaidOfFiles(NOT_PROVED, f"coupons_added of file f1 is the string '5000'{NUMBERS_ONLY}"),
    ),
    ListCase(
        "digits with a separator, of the second file",
        [rec("f1", "PENDING"), rec("f2", "SUCCESS", coupons_added="1.250.000")],
        SaidOfFiles(
            NOT_PROVED, f"coupons_added of file f2 is the string '1.250.000'{NUMBERS_ONLY}"
        ),
    ),
    ListCase(
        "digits of the connection's name, below another property",
        [rec("f1", "SUCCESS", result={"rows_in": "7"})],
        SaidOfFiles(NOT_PROVED, f"result.rows_in of file f1 is the string '7'{NUMBERS_ONLY}"),
        settings=msgspec.structs.replace(SETTINGS, count_names=CountNames(added="rows_in")),
    ),
    ListCase(
        "digits of another name",
        [rec("f1", "SUCCESS", revision="7")],
        SaidOfFiles(NOT_SHOWN, "No file with counts was seen, so added coupons cannot be seen."),
    ),
    ListCase(
        "a word",
        [rec("f1", "SUCCESS", coupons_added="many")],
        SaidOfFiles(NOT_SHOWN, "No file with counts was seen, so added coupons cannot be seen."),
    ),
    ListCase(
        "digits, and another file has a number",
        [rec("f1", "SUCCESS", coupons_added="5"), rec("f2", "SUCCESS", **THREE_ADDED)],
        SaidOfFiles(SURE, "3 coupons added, 1 duplicate, in file f2."),
    ),
]


@pytest.mark.parametrize("row", STRINGS, ids=ids(STRINGS))
def test_counts_that_are_strings_are_named_if_no_file_has_a_number(row: ListCase):
    row.check(Topic.COUNTS)


def test_counts_of_an_uploaded_file_that_are_strings_are_named():
    row = UploadCase(
        "digits",
        followed(rec("up", "SUCCESS", coupons_added="3")),
        SaidOfFiles(NOT_PROVED, f"coupons_added of file up is the string '3'{NUMBERS_ONLY}"),
    )
    row.check(Topic.COUNTS)


OF_LISTS = [
    ListCase(
        "no file",
        [],
        SaidOfFiles(NOT_SHOWN, "No file with counts was seen, so added coupons cannot be seen."),
    ),
    ListCase(
        "a status that is a number",
        [{"_id": "f1", "status": 7}],
        SaidOfFiles(NOT_SHOWN, "No number of file f1 seems to count coupons added."),
    ),
    ListCase(
        "a record without an identifier",
        [{"id": "f1", "status": "X", "added": 3}],
        SaidOfFiles(
            NOT_SHOWN, "Records have numbers (added), but cannot be read: settle that first."
        ),
    ),
    ListCase(
        "a file of another list",
        [rec("f1", "SUCCESS", coupons_list_id="other", **THREE_ADDED)],
        SaidOfFiles(NOT_SHOWN, "Only files of other lists were read."),
    ),
    ListCase(
        "SUCCESS, with coupons added",
        [rec("f1", "SUCCESS", **THREE_ADDED)],
        SaidOfFiles(SURE, "3 coupons added, 1 duplicate, in file f1."),
    ),
    ListCase(
        "SUCCESS twice, with counts",
        [rec("f1", "SUCCESS", coupons_added=3), rec("f2", "SUCCESS", coupons_added=4)],
        SaidOfFiles(SURE, "4 coupons added, in file f2; no count of duplicates is known."),
    ),
    ListCase(
        "SUCCESS, and FAILED with counts of 0",
        [rec("f1", "SUCCESS", coupons_added=3), rec("f2", "FAILED", coupons_added=0, error="x")],
        SaidOfFiles(SURE, "3 coupons added, in file f1; no count of duplicates is known."),
    ),
    ListCase(
        "LIVE, with counts of 0",
        [rec("f1", "LIVE", **NONE_ADDED), rec("f2", "SUCCESS", **THREE_ADDED)],
        SaidOfFiles(SURE, "3 coupons added, 1 duplicate, in file f2."),
        settings=WITH_LIVE_AS_SUCCESS,
    ),
    ListCase(
        "ABORTED, with reasons that leave no coupon",
        [
            rec("f1", "ABORTED", coupons_added=7, reason="Line 17 is too long; rolled back"),
            rec("f2", "ABORTED", coupons_added=7, reason="Download failed: 404"),
            rec("f3", "SUCCESS", **THREE_ADDED),
        ],
        SaidOfFiles(SURE, "3 coupons added, 1 duplicate, in file f3."),
    ),
    ListCase(
        "ten statuses, with coupons added",
        [rec(f"f{i}", f"S{i}", **THREE_ADDED) for i in range(10)],
        SaidOfFiles(SURE, "3 coupons added, 1 duplicate, in file f9."),
    ),
    ListCase(
        "one number, 3 and 0",
        [rec("f1", "LIVE", alpha=3), rec("f2", "DEAD", alpha=0)],
        SaidOfFiles(
            NOT_PROVED,
            "3 coupons added, under alpha, in file f1; no count of duplicates is known. "
            "alpha is above 0 with some statuses and 0 with others, so it may count coupons "
            "added: confirm it, too.",
            {"coupon_file_counts.added": "alpha"},
        ),
    ),
    ListCase(
        "two numbers",
        [rec("f1", "LIVE", alpha=3, beta=3), rec("f2", "DEAD", alpha=1, beta=2)],
        SaidOfFiles(
            NOT_SHOWN,
            "Which of alpha (1), beta (2) counts coupons added, in file f2? Name it in "
            'coupon_file_counts, such as {"added": "...", "duplicates": "..."}.',
            needs_action=True,
        ),
    ),
    ListCase(
        "7 in each of three files, one of which is on its way",
        [
            rec("f1", "PENDING", coupons_added=7),
            rec("f2", "SUCCESS", coupons_added=7),
            rec("f3", "FAILED", coupons_added=7),
        ],
        SaidOfFiles(
            NOT_PROVED,
            "coupons_added is 7 in each of 3 files, whatever its status is, so it seems to count "
            "what the list has, and not what a file brought. Ask the service's support which "
            "number counts a file's coupons.",
        ),
    ),
    ListCase(
        "coupons added to a file, and to a later one with an error",
        [rec("f1", "LIVE", coupons_added=3), rec("f2", "ODD", coupons_added=4, error="late")],
        SaidOfFiles(SURE, "3 coupons added, in file f1; no count of duplicates is known."),
    ),
    ListCase(
        "coupons added to a file, and none to a later one with SUCCESS",
        [rec("f1", "LIVE", coupons_added=3), rec("f2", "SUCCESS", coupons_added=0)],
        SaidOfFiles(SURE, "3 coupons added, in file f1; no count of duplicates is known."),
    ),
    ListCase(
        "coupons added to a file with SUCCESS, and to a later one with an unknown status",
        [rec("f1", "SUCCESS", coupons_added=3), rec("f2", "LIVE", coupons_added=4)],
        SaidOfFiles(SURE, "3 coupons added, in file f1; no count of duplicates is known."),
    ),
]


@pytest.mark.parametrize("row", OF_LISTS, ids=ids(OF_LISTS))
def test_counts_of_a_list_are_sure_if_a_file_with_a_known_count_is_no_failure_and_no_number_is_open(
    row: ListCase,
):
    row.check(Topic.COUNTS)
