"""
Statuses of a list's files are *sure* if the provider knows all of them, and one is a success
without a reason of a failure, or with one and with coupons added. A status that only the connection
names is *sure* as a failure if a file has no coupon added, and *not proved* as a success unless its
name states an end and coupons were added. They are *not asked* without a file of this list, and
*not proved* if no status is a readable string, only stages on the way are there, or files were only
checked and none has coupons added.

Unknown statuses are *not proved*; what files show of them is a guess: success with coupons added,
failure with a reason that leaves none, pending by a name such as STAGED, which is *not asked* if it
is all that is unknown beside a success. One that is partial, shows two meanings, or shows nothing
is to be decided or looked up. If several numbers may count coupons added, it asks which. A status
with numbers of its file, such as "Imported 3 codes", is *wrong*. Files of this list count, though
another path has those of others.
"""

from __future__ import annotations

import msgspec
import pytest

from support.doctor_files import (
    LIST,
    LIST_PATH,
    NONE_ADDED,
    NOT_ASKED,
    NOT_PROVED,
    SETTINGS,
    SURE,
    THREE_ADDED,
    WITH_LIVE_AS_SUCCESS,
    WRONG,
    ListCase,
    SaidOfFiles,
    probe,
    rec,
)
from support.doctor_findings import ids
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.evidence import Places, list_at
from wes_provider.doctor.file_conclusions import conclude_from_list
from wes_provider.doctor.findings import Topic

NOTHING_TO_READ = [
    ListCase(
        "no file",
        [],
        SaidOfFiles(NOT_ASKED, "No file was read; --upload URL shows them."),
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
            NOT_ASKED, "No file was read, and tasks could not read the status of one either."
        ),
    ),
    ListCase(
        "a file of another list",
        [rec("f1", "SUCCESS", coupons_list_id="other", **THREE_ADDED)],
        SaidOfFiles(NOT_ASKED, "Only files of other lists were read."),
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
        "PENDING",
        [rec("f1", "PENDING")],
        SaidOfFiles(
            NOT_PROVED,
            "Only PENDING in the list, so what success is called is not shown. --upload URL "
            "shows it.",
        ),
    ),
    ListCase(
        "SUCCESS, with a reason",
        [rec("f1", "SUCCESS", error="no header")],
        SaidOfFiles(
            NOT_PROVED,
            "1 of 1 file with success failed by what the service names: 'no header'. Ask the "
            "service's support what the status means.",
        ),
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
def test_statuses_that_the_provider_knows_are_sure_once_one_is_a_success_without_an_error(
    row: ListCase,
):
    row.check(Topic.STATUSES)


WITH_REFUSED_AS_FAILURE = msgspec.structs.replace(
    SETTINGS, statuses=Statuses(failure=frozenset({"FAILED", "REFUSED"}))
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
        "REFUSED, named as failure, without coupons added, and SUCCESS",
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


@pytest.mark.parametrize("row", NAMED_BY_CONNECTION, ids=ids(NAMED_BY_CONNECTION))
def test_a_status_that_only_the_connection_names_is_sure_if_files_show_that_failure_or_success(
    row: ListCase,
):
    row.check(Topic.STATUSES)


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
            NOT_ASKED,
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
