"""
The status that an uploaded file has at last is no proved success, however long it lasted, if the
other files of the list ended with another success: it may be a stage on the way. It is proposed for
nothing, also if the connection names it; the successes of the other files are proposed instead.

It stays one if another file has it, if others failed or are on their way, or if their status may be
that of a later stage. A success that the provider knows by itself stays one beside any other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from support.doctor_files import (
    FILE_PATH,
    LIST,
    NAME,
    NONE_ADDED,
    NOT_PROVED,
    SETTINGS,
    SURE,
    THREE_ADDED,
    WRONG,
    SaidOfFiles,
    UploadCase,
    followed,
    probe,
    rec,
)
from support.doctor_findings import ids
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.conclusions.file_conclusions import conclude_from_upload
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.reads.evidence import file_at

WITH_LOADED_AS_SUCCESS = msgspec.structs.replace(
    SETTINGS, statuses=Statuses(success=frozenset({"LOADED", "SUCCESS"}))
)
LOADED = rec("up", "LOADED", **THREE_ADDED)
MORE_TIME = (
    "See in the service's dashboard what becomes of this file, or give the next upload more time, "
    "with --final-after SECONDS."
)
CONFIRM = "Confirm this in the service's dashboard, then put the extra below into the connection."


def old(number: int, status: str, **more: Any) -> dict[str, Any]:
    """An older file of the list."""
    return rec(f"f{number}", status, **{"coupons_added": 48, **more})


MAY_BE_STAGES = [
    UploadCase(
        "a success that the provider knows, of all others",
        followed(LOADED, others=[old(1, "COMPLETED"), old(2, "COMPLETED"), old(3, "COMPLETED")]),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LOADED, which lasted, but none of the 3 other files has it: all of them "
            "ended with COMPLETED. So LOADED may be a stage on the way, though coupons were added. "
            f"{MORE_TIME}",
        ),
    ),
    UploadCase(
        "a single other file",
        followed(LOADED, others=[old(1, "COMPLETED")]),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LOADED, which lasted, but the only other file ended with COMPLETED. So "
            f"LOADED may be a stage on the way, though coupons were added. {MORE_TIME}",
        ),
    ),
    UploadCase(
        "a status that seems to mean success",
        followed(LOADED, others=[old(1, "LIVE"), old(2, "LIVE")]),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LOADED, which lasted, but none of the 2 other files has it: all of them "
            "ended with LIVE. So LOADED may be a stage on the way, though coupons were added. "
            f"{MORE_TIME} LIVE seems to mean success (file f1: 48 coupons added, but LIVE may be "
            f"the name of a stage on the way). {CONFIRM}",
            {"success": ["LIVE"]},
        ),
    ),
    UploadCase(
        "one of several ends that show nothing",
        followed(LOADED, others=[old(1, "ARCHIVED"), old(2, "COMPLETED"), old(3, "FAILED")]),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LOADED, which lasted, but none of the 3 other files has it: 1 of them ended "
            "with COMPLETED. So LOADED may be a stage on the way, though coupons were added. "
            f"{MORE_TIME} ARCHIVED may mean success or failure (file f1: ARCHIVED may be the name "
            "of a stop or of an end, whatever its numbers are (coupons_added is 48)).",
        ),
    ),
    UploadCase(
        "a last status whose name says nothing",
        followed(rec("up", "LIVE", **THREE_ADDED), others=[old(1, "COMPLETED")]),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted, but the only other file ended with COMPLETED. So LIVE "
            f"may be a stage on the way, though coupons were added. {MORE_TIME}",
        ),
    ),
    UploadCase(
        "another one that came before it",
        followed(LOADED, ("PENDING", "IMPORTING"), others=[old(1, "COMPLETED")]),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → IMPORTING → LOADED, which lasted, but the only other file ended with "
            "COMPLETED. So LOADED may be a stage on the way, though coupons were added. "
            f"{MORE_TIME} IMPORTING came before it. {CONFIRM}",
            {"pending": ["IMPORTING"]},
        ),
    ),
    UploadCase(
        "a last status that the connection names as success",
        followed(LOADED, others=[old(1, "SUCCESS"), old(2, "SUCCESS")]),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LOADED, which lasted, but none of the 2 other files has it: all of them "
            "ended with SUCCESS. So LOADED may be a stage on the way, though coupons were added. "
            "By the connection, it means success: if it is a stage, tasks end too early. "
            f"{MORE_TIME}",
            {"success": ["LOADED"]},
        ),
        WITH_LOADED_AS_SUCCESS,
    ),
    UploadCase(
        "a file that came with the uploaded one has the same",
        followed(LOADED, others=[old(1, "COMPLETED"), old(2, "LOADED")], before=[old(1, "DONE")]),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LOADED, which lasted, but the only other file ended with COMPLETED. So "
            f"LOADED may be a stage on the way, though coupons were added. {MORE_TIME}",
        ),
    ),
    UploadCase(
        "another file had the same, and went on",
        followed(LOADED, others=[old(1, "COMPLETED")], before=[old(1, "LOADED")]),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LOADED, which lasted, but the only other file ended with COMPLETED. So "
            f"LOADED may be a stage on the way, though coupons were added. {MORE_TIME}",
        ),
    ),
]


@pytest.mark.parametrize("row", MAY_BE_STAGES, ids=ids(MAY_BE_STAGES))
def test_a_status_with_coupons_may_be_a_stage_if_other_files_ended_with_another_success(
    row: UploadCase,
):
    row.check(Topic.STATUSES)


def means_success(also: str = "", **new: Any) -> SaidOfFiles:
    """
    What is said of LOADED as a success.

    :param also: what is said of other statuses.
    :param new: what is proposed besides.
    """
    return SaidOfFiles(
        WRONG,
        "PENDING → LOADED: LOADED means success (coupons were added), which the provider does not "
        f"know.{also}",
        {"success": ["LOADED"], **new},
    )


SUCCESSES = [
    UploadCase("no other file", followed(LOADED), means_success()),
    UploadCase(
        "another file has it, beside another success",
        followed(LOADED, others=[old(1, "LOADED"), old(2, "COMPLETED")]),
        means_success(),
    ),
    UploadCase(
        "all others failed",
        followed(LOADED, others=[rec("f1", "FAILED", **NONE_ADDED), rec("f2", "EXPIRED")]),
        means_success(),
    ),
    UploadCase(
        "all others failed with a status of successes",
        followed(LOADED, others=[rec("f1", "COMPLETED", error="no header", **NONE_ADDED)]),
        means_success(),
    ),
    UploadCase(
        "all others are on their way",
        followed(LOADED, others=[rec("f1", "PENDING"), rec("f2", "IMPORTING")]),
        means_success(
            " IMPORTING seems to mean pending (file f2: the name IMPORTING speaks of a file on its "
            "way).",
            pending=["IMPORTING"],
        ),
    ),
    UploadCase(
        "all others are in a later stage",
        followed(LOADED, others=[old(1, "ARCHIVED"), old(2, "EXPIRED")]),
        means_success(
            " ARCHIVED may mean success or failure (file f1: ARCHIVED may be the name of a stop or "
            "of an end, whatever its numbers are (coupons_added is 48))."
        ),
    ),
    UploadCase(
        "one that the provider knows, and others have another",
        followed(rec("up", "COMPLETED", **THREE_ADDED), others=[old(1, "LIVE"), old(2, "LIVE")]),
        SaidOfFiles(SURE, "PENDING → COMPLETED, which means success."),
    ),
]


@pytest.mark.parametrize("row", SUCCESSES, ids=ids(SUCCESSES))
def test_a_status_with_coupons_means_success_unless_others_ended_with_another_one(
    row: UploadCase,
):
    row.check(Topic.STATUSES)


def test_the_report_says_how_long_the_last_status_lasted():
    request = file_at(SETTINGS, FILE_PATH, LIST, "up")
    reads = [
        replace(probe(request, rec("up", status, **THREE_ADDED)), sent_at=sent_at)
        for status, sent_at in (("PENDING", 2.0), ("LOADED", 5.0), ("LOADED", 65.0))
    ]
    seen = replace(followed(LOADED, others=[old(1, "COMPLETED")]), own_reads=reads)
    statuses, *_ = conclude_from_upload(SETTINGS, seen, NAME)
    assert statuses.text.startswith("PENDING → LOADED, which lasted 60 s, but the only other file")
