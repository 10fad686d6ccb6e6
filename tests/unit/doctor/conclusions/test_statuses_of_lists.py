"""
Statuses of a list's files are *sure* if the provider knows all of them, there is a success, and
each success has coupons added, or else neither a reason of a failure nor bad rows. They are *not
proved* if a status is no readable string, if a success has no coupon added, and a reason or bad
rows, if a part of it only was imported, if a failure has coupons added and nothing that speaks of a failure, if there is no success, or
if a file was only checked and none has coupons added; and *not shown* without a file of this list, or without one that can be read.

A status that only the connection names is *sure* as a failure if its name speaks of one, such as
REFUSED, and its counts have no coupon added and no duplicate; and as a success if coupons were
added and its name states an end, such as IMPORTED; else it is *not proved*. Files of this list
count, though another path has files of other lists only.
"""

from __future__ import annotations

import msgspec
import pytest

from support.doctor_files import (
    LIST,
    LIST_PATH,
    NONE_ADDED,
    NOT_PROVED,
    NOT_SHOWN,
    SETTINGS,
    SURE,
    THREE_ADDED,
    WITH_LIVE_AS_SUCCESS,
    ListCase,
    SaidOfFiles,
    probe,
    rec,
)
from support.doctor_findings import ids
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.conclusions.file_conclusions import conclude_from_list
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.reads.evidence import Places, list_at

NOTHING_TO_READ = [
    ListCase(
        "no file",
        [],
        SaidOfFiles(NOT_SHOWN, "No file was read; --upload URL shows them."),
    ),
    ListCase(
        "a file without a status",
        [{"_id": "f1"}],
        SaidOfFiles(NOT_PROVED, "No file of the list has one; --upload URL tries one."),
    ),
    ListCase(
        "a status that is a number",
        [{"_id": "f1", "status": 7}],
        SaidOfFiles(
            NOT_PROVED,
            "Files have status 7: the provider reads a string under status only, and no "
            "setting changes that. Ask the service's support for such statuses.",
        ),
    ),
    ListCase(
        "a status that is no text",
        [rec("f1", "FERTIG\ufffd")],
        SaidOfFiles(
            NOT_PROVED,
            "FERTIG� cannot be read: its bytes are not text in the charset that the response "
            "names. Ask the service's support for UTF-8.",
        ),
    ),
    ListCase(
        "a record without an identifier",
        [{"id": "f1", "status": "X", "added": 3}],
        SaidOfFiles(
            NOT_SHOWN, "No file was read, and tasks could not read the status of one either."
        ),
    ),
    ListCase(
        "a file of another list",
        [rec("f1", "SUCCESS", coupons_list_id="other", **THREE_ADDED)],
        SaidOfFiles(NOT_SHOWN, "Only files of other lists were read."),
    ),
]


@pytest.mark.parametrize("row", NOTHING_TO_READ, ids=ids(NOTHING_TO_READ))
def test_statuses_are_not_proved_of_files_without_a_readable_one_and_not_asked_without_files(
    row: ListCase,
):
    row.check(Topic.STATUSES)


KNOWN = [
    ListCase(
        "SUCCESS, with coupons added",
        [rec("f1", "SUCCESS", **THREE_ADDED)],
        SaidOfFiles(SURE, "SUCCESS in the list, which the provider knows."),
    ),
    ListCase(
        "SUCCESS, without counts",
        [rec("f1", "SUCCESS")],
        SaidOfFiles(SURE, "SUCCESS in the list, which the provider knows."),
    ),
    ListCase(
        "SUCCESS twice, with counts",
        [rec("f1", "SUCCESS", coupons_added=3), rec("f2", "SUCCESS", coupons_added=4)],
        SaidOfFiles(SURE, "SUCCESS in the list, which the provider knows."),
    ),
    ListCase(
        "SUCCESS, and FAILED with counts of 0",
        [rec("f1", "SUCCESS", coupons_added=3), rec("f2", "FAILED", coupons_added=0, error="x")],
        SaidOfFiles(SURE, "FAILED, SUCCESS in the list, which the provider knows."),
    ),
    ListCase(
        "EXPIRED with coupons added, and nothing that speaks of a failure, beside SUCCESS",
        [rec("f1", "EXPIRED", **THREE_ADDED), rec("f2", "SUCCESS", **THREE_ADDED)],
        SaidOfFiles(
            NOT_PROVED,
            "Tasks take EXPIRED for a failure, but 1 file with it has coupons added (f1: 3 "
            "coupons), and nothing else speaks of a failure. It may come after a success, such as "
            "at the end of a validity: then a task that sees it fails, and its coupons are there. "
            "Ask the service's support what the status means.",
        ),
    ),
    ListCase(
        "FAILED with coupons added and a reason, beside SUCCESS",
        [rec("f1", "FAILED", error="row 4", **THREE_ADDED), rec("f2", "SUCCESS", **THREE_ADDED)],
        SaidOfFiles(SURE, "FAILED, SUCCESS in the list, which the provider knows."),
    ),
    ListCase(
        "PENDING",
        [rec("f1", "PENDING")],
        SaidOfFiles(
            NOT_PROVED,
            "Only PENDING in the list, so what success is called is not shown. --upload URL "
            "shows it.",
        ),
    ),
    ListCase(
        "FAILED",
        [rec("f1", "FAILED", error="x")],
        SaidOfFiles(
            NOT_PROVED,
            "Only FAILED in the list, so what success is called is not shown. --upload URL "
            "shows it.",
        ),
    ),
    ListCase(
        "SUCCESS, and a status that is garbled",
        [rec("f1", "SUCCESS", **THREE_ADDED), rec("f2", "FERTIG\ufffd")],
        SaidOfFiles(
            NOT_PROVED,
            "FERTIG\ufffd cannot be read: its bytes are not text in the charset that the response "
            "names. Ask the service's support for UTF-8.",
        ),
    ),
    ListCase(
        "SUCCESS, with a reason",
        [rec("f1", "SUCCESS", error="no header")],
        SaidOfFiles(
            NOT_PROVED,
            "1 of 1 file with success failed by what the service names: 'no header'. A task takes "
            "such a file for a success, unless min_coupons_added says how many coupons it has to "
            "add. Ask the service's support what the status means.",
        ),
    ),
    ListCase(
        "SUCCESS, with no coupon added and rows rejected, beside one with coupons added",
        [
            rec("f1", "SUCCESS", **{"rows.accepted": 0, "rows.rejected": 500}),
            rec("f2", "SUCCESS", **{"rows.accepted": 480, "rows.rejected": 20}),
        ],
        SaidOfFiles(
            NOT_PROVED,
            "1 of 2 files with success failed by what the service names: rows.rejected is 500. A "
            "task takes such a file for a success, unless min_coupons_added says how many coupons "
            "it has to add. Ask the service's support what the status means.",
        ),
    ),
    ListCase(
        "SUCCESS, with no coupon added and no duplicate, beside one with coupons added",
        [rec("f1", "SUCCESS", coupons_added=0), rec("f2", "SUCCESS", **THREE_ADDED)],
        SaidOfFiles(SURE, "SUCCESS in the list, which the provider knows."),
    ),
    ListCase(
        "SUCCESS, with coupons added and a reason",
        [rec("f1", "SUCCESS", error="late", **THREE_ADDED)],
        SaidOfFiles(SURE, "SUCCESS in the list, which the provider knows."),
    ),
    ListCase(
        "SUCCESS, and a record without an identifier",
        [rec("f1", "SUCCESS", **THREE_ADDED), {"id": "f2"}],
        SaidOfFiles(SURE, "SUCCESS in the list, which the provider knows."),
    ),
    ListCase(
        "SUCCESS with coupons added, and one that was only checked",
        [
            rec("f1", "SUCCESS", mode="validate_only", **NONE_ADDED),
            rec("f2", "SUCCESS", **THREE_ADDED),
        ],
        SaidOfFiles(SURE, "SUCCESS in the list, which the provider knows."),
    ),
    ListCase(
        "SUCCESS without coupons added, and one that was only checked",
        [rec("f1", "SUCCESS", mode="validate_only", **NONE_ADDED), rec("f2", "SUCCESS")],
        SaidOfFiles(
            NOT_PROVED,
            "No file of the list has coupons added, and mode is 'validate_only'. The account may "
            "only check files, and add nothing. Ask the service's support to have files imported, "
            "and run this again; put nothing of it into coupon_file_statuses before that.",
        ),
    ),
]


@pytest.mark.parametrize("row", KNOWN, ids=ids(KNOWN))
def test_statuses_that_the_provider_knows_are_sure_with_a_success_and_if_none_has_an_error(
    row: ListCase,
):
    row.check(Topic.STATUSES)


WITH_REFUSED_AS_FAILURE = msgspec.structs.replace(
    SETTINGS, statuses=Statuses(failure=frozenset({"FAILED", "REFUSED"}))
)
WITH_LIVE_AS_FAILURE = msgspec.structs.replace(
    SETTINGS, statuses=Statuses(failure=frozenset({"FAILED", "LIVE"}))
)
WITH_IMPORTED_AS_SUCCESS = msgspec.structs.replace(
    SETTINGS, statuses=Statuses(success=frozenset({"IMPORTED", "SUCCESS"}))
)
NAMED_BY_CONNECTION = [
    ListCase(
        "LIVE, without counts",
        [rec("f1", "LIVE")],
        SaidOfFiles(
            NOT_PROVED,
            "The connection names LIVE as success, but no file shows that. Confirm it in the "
            "service's dashboard; --upload URL proves it of the status that its file ends "
            "with.",
        ),
        settings=WITH_LIVE_AS_SUCCESS,
    ),
    ListCase(
        "LIVE, with counts of 0",
        [rec("f1", "LIVE", **NONE_ADDED), rec("f2", "SUCCESS", **THREE_ADDED)],
        SaidOfFiles(
            NOT_PROVED,
            "The connection names LIVE as success, but no file shows that. Confirm it in the "
            "service's dashboard; --upload URL proves it of the status that its file ends "
            "with.",
        ),
        settings=WITH_LIVE_AS_SUCCESS,
    ),
    ListCase(
        "LIVE, with coupons added",
        [rec("f1", "LIVE", **THREE_ADDED)],
        SaidOfFiles(
            NOT_PROVED,
            "LIVE means success by the connection (file f1: 3 coupons added, but LIVE may be "
            "the name of a stage on the way). Confirm it in the service's dashboard; "
            "--upload URL proves it of the status that its file ends with.",
        ),
        settings=WITH_LIVE_AS_SUCCESS,
    ),
    ListCase(
        "IMPORTED, whose name states an end, with coupons added",
        [rec("f1", "IMPORTED", **THREE_ADDED)],
        SaidOfFiles(SURE, "IMPORTED in the list, which the provider knows."),
        settings=WITH_IMPORTED_AS_SUCCESS,
    ),
    ListCase(
        "LIVE, named as failure, whose name tells nothing, with counts of 0, and SUCCESS",
        [rec("f1", "LIVE", **NONE_ADDED), rec("f2", "SUCCESS", **THREE_ADDED)],
        SaidOfFiles(
            NOT_PROVED,
            "The connection names LIVE as failure, but no file shows that. Confirm it in the "
            "service's dashboard; --upload URL proves it of the status that its file ends with.",
        ),
        settings=WITH_LIVE_AS_FAILURE,
    ),
    ListCase(
        "REFUSED, named as failure, whose name speaks of one, with counts of 0, and SUCCESS",
        [rec("f1", "REFUSED", **NONE_ADDED), rec("f2", "SUCCESS", **THREE_ADDED)],
        SaidOfFiles(SURE, "REFUSED, SUCCESS in the list, which the provider knows."),
        settings=WITH_REFUSED_AS_FAILURE,
    ),
    ListCase(
        "REFUSED, named as failure, without counts, and SUCCESS",
        [rec("f1", "REFUSED"), rec("f2", "SUCCESS", **THREE_ADDED)],
        SaidOfFiles(
            NOT_PROVED,
            "The connection names REFUSED as failure, but no file shows that. Confirm it in the "
            "service's dashboard; --upload URL proves it of the status that its file ends with.",
        ),
        settings=WITH_REFUSED_AS_FAILURE,
    ),
]


OF_A_PART = [
    ListCase(
        "one of two successes",
        [
            rec("f1", "SUCCESS", **THREE_ADDED),
            rec("f2", "SUCCESS", **THREE_ADDED, truncated=True),
        ],
        SaidOfFiles(
            NOT_PROVED,
            "File f2 has SUCCESS, which means success, but truncated is true. Ask the service's "
            "support what becomes of such a file.",
        ),
    ),
    ListCase(
        "two successes",
        [
            rec("f1", "SUCCESS", **THREE_ADDED, note="The rest was skipped."),
            rec("f2", "SUCCESS", **THREE_ADDED, truncated=True),
        ],
        SaidOfFiles(
            NOT_PROVED,
            "File f1 (and 1 other like it) has SUCCESS, which means success, but the service notes "
            "'note: The rest was skipped'. Ask the service's support what becomes of such a file.",
        ),
    ),
    ListCase(
        "a file on its way and a failure",
        [
            rec("f1", "SUCCESS", **THREE_ADDED, truncated=False),
            rec("f2", "PENDING", partial=True),
            rec("f3", "FAILED", truncated=True),
        ],
        SaidOfFiles(SURE, "FAILED, PENDING, SUCCESS in the list, which the provider knows."),
    ),
]


@pytest.mark.parametrize("row", OF_A_PART, ids=ids(OF_A_PART))
def test_a_success_is_not_proved_of_which_a_part_only_was_imported(row: ListCase):
    row.check(Topic.STATUSES)


@pytest.mark.parametrize("row", NAMED_BY_CONNECTION, ids=ids(NAMED_BY_CONNECTION))
def test_a_status_that_only_the_connection_names_is_sure_if_files_show_that_failure_or_success(
    row: ListCase,
):
    row.check(Topic.STATUSES)


def test_files_of_the_list_count_though_another_path_has_files_of_other_lists_only():
    elsewhere = "/v1/coupon-lists/{coupon_list_id}/files"
    lists = {
        LIST_PATH: probe(
            list_at(SETTINGS, LIST_PATH, LIST), [rec("f9", "PENDING", coupons_list_id="other")]
        ),
        elsewhere: probe(
            list_at(SETTINGS, elsewhere, LIST),
            [rec("f1", "SUCCESS", coupons_list_id=LIST, **THREE_ADDED)],
        ),
    }
    statuses, *_ = conclude_from_list(SETTINGS, Places(lists, {}))
    assert statuses.text == "SUCCESS in the list, which the provider knows."
