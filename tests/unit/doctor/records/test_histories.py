"""
By its own record, a file may have had a success that was taken back, or a failure that was no end:
an array of its past has statuses, in the order of their moments, or else as they stand, or the
other way round if the last one comes first. Then statuses are not proved if it was a success, and
the report has a sentence if it was a failure.

Nothing follows from a history that only shows the way, from an end of a life (EXPIRED), from the
statuses of steps and messages, and from what can happen, such as transitions that are allowed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_files import (
    FILE_PATH,
    LIST,
    LIST_PATH,
    NOT_PROVED,
    SETTINGS,
    SURE,
    THREE_ADDED,
    ListCase,
    SaidOfFiles,
    UploadCase,
    followed,
    probe,
    rec,
)
from support.doctor_findings import ids
from wes_provider.doctor.conclusions.file_conclusions import conclude_from_list
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.reads.evidence import Places, file_at, list_at
from wes_provider.doctor.records.histories import statuses_by_history, taken_back
from wes_provider.doctor.records.meanings import Means, means_in
from wes_provider.doctor.replies.files import file_of


class History(NamedTuple):
    """A record beside its status, and the statuses that it had."""

    name: str
    status: str
    beside: dict[str, Any]
    statuses: str

    @property
    def seen(self) -> list[str]:
        """The statuses that are read of it."""
        file = file_of(rec("f1", self.status, **self.beside))
        assert file is not None
        return statuses_by_history(file)


def at(second: int, **more: Any) -> dict[str, Any]:
    """An entry with a moment."""
    return {"at": f"2026-03-01T10:00:{second:02}Z", **more}


WAY = [at(1, status="PENDING"), at(2, status="COMPLETED"), at(3, status="ROLLED_BACK")]
WENT = "PENDING COMPLETED ROLLED_BACK"
HISTORIES = [
    History("with moments", "ROLLED_BACK", {"history": WAY}, WENT),
    History("with moments, the newest first", "ROLLED_BACK", {"events": WAY[::-1]}, WENT),
    History("in camel case", "ROLLED_BACK", {"statusHistory": WAY}, WENT),
    History("within an object", "ROLLED_BACK", {"audit": {"trail": WAY}}, WENT),
    History("strings", "ROLLED_BACK", {"history": WENT.split()}, WENT),
    History("strings, the newest first", "ROLLED_BACK", {"history": WENT.split()[::-1]}, WENT),
    History("without the own status", "ROLLED_BACK", {"history": WENT.split()[:2]}, WENT),
    History(
        "without the own status, the newest first",
        "ROLLED_BACK",
        {"history": ["COMPLETED", "PENDING"]},
        WENT,
    ),
    History(
        "from one to another",
        "ROLLED_BACK",
        {"transitions": [at(1, **{"from": "PENDING", "to": "COMPLETED"})]},
        WENT,
    ),
    History(
        "old and new values of a field",
        "REVERSED",
        {"changelog": [{"field": "status", "old": "COMPLETED", "new": "REVERSED"}]},
        "COMPLETED REVERSED",
    ),
    History(
        "epoch seconds and milliseconds",
        "FAILED",
        {
            "timeline": [
                {"state": "failed", "ts": 1795800002000},
                {"state": "done", "ts": 1795800001},
            ]
        },
        "DONE FAILED",
    ),
    History("the status before", "REVOKED", {"previous_status": "done"}, "DONE REVOKED"),
    History(
        "kinds of entries that are about the status",
        "FAILED",
        {"events": [at(1, type="status_changed", status="DONE")]},
        "DONE FAILED",
    ),
    History("the own status only", "COMPLETED", {"history": [at(1, status="COMPLETED")]}, ""),
    History("no array of a history", "FAILED", {"tags": ["COMPLETED"]}, ""),
    History(
        "entries about steps",
        "FAILED",
        {"events": [at(1, step="validate", status="COMPLETED"), at(2, step="load", status="X1")]},
        "",
    ),
    History(
        "entries about messages",
        "COMPLETED",
        {"events": [at(1, type="callback", status="FAILED")]},
        "",
    ),
    History(
        "what can happen",
        "COMPLETED",
        {"transitions": [{"from": "COMPLETED", "to": "ROLLED_BACK"}], "statuses": ["FAILED"]},
        "",
    ),
    History("sentences", "COMPLETED", {"log": ["Failed to read: retrying in 3 s."]}, ""),
]


@pytest.mark.parametrize("row", HISTORIES, ids=ids(HISTORIES))
def test_the_statuses_of_a_file_are_read_from_its_history_in_order(row: History):
    assert row.seen == row.statuses.split()


class Contradicted(NamedTuple):
    """Statuses in order, the last one being the file's, and the end that was none."""

    name: str
    way: str
    found: tuple[str, Means, str, bool] | None


CONTRADICTED = [
    Contradicted("taken back", WENT, ("COMPLETED", Means.SUCCESS, "ROLLED_BACK", False)),
    Contradicted(
        "failed later",
        "PENDING DONE FAILED",
        ("DONE", Means.SUCCESS, "FAILED", False),
    ),
    Contradicted(
        "taken back after another stage",
        "COMPLETED LIVE REVOKED",
        ("COMPLETED", Means.SUCCESS, "REVOKED", False),
    ),
    Contradicted(
        "processed again",
        "COMPLETED PROCESSING COMPLETED",
        ("COMPLETED", Means.SUCCESS, "PROCESSING", True),
    ),
    Contradicted(
        "went on with an unknown stage",
        "COMPLETED INDEXING LIVE",
        ("COMPLETED", Means.SUCCESS, "INDEXING", True),
    ),
    Contradicted(
        "tried again",
        "FAILED PENDING COMPLETED",
        ("FAILED", Means.FAILURE, "PENDING", True),
    ),
    Contradicted("succeeded at last", "FAILED DONE", ("FAILED", Means.FAILURE, "DONE", True)),
    Contradicted("the way", "PENDING PROCESSING COMPLETED", None),
    Contradicted("the way of a failure", "PENDING PROCESSING FAILED", None),
    Contradicted("a later stage", "PENDING COMPLETED LIVE", None),
    Contradicted("the end of its life", "PENDING COMPLETED ARCHIVED EXPIRED", None),
    Contradicted("removed", "COMPLETED DELETED", None),
]


@pytest.mark.parametrize("row", CONTRADICTED, ids=ids(CONTRADICTED))
def test_an_end_was_none_if_the_file_went_on_or_was_undone_after_it(row: Contradicted):
    way = row.way.split()
    history = [at(number, status=status) for number, status in enumerate(way)]
    file = file_of(rec("f1", way[-1], history=history))
    assert file is not None
    found = taken_back([file], lambda status: means_in(SETTINGS.statuses, status))
    if found is None:
        assert row.found is None
    else:
        assert (found.was, found.means, found.became, found.goes_on) == row.found


OK = rec("f1", "COMPLETED", history=WENT.split()[:2], **THREE_ADDED)
TAKEN_BACK = rec("f2", "CANCELLED", history=WAY[:2])
IN_LIST = (
    "By its history, file f2 was COMPLETED before it became CANCELLED, so a success may be taken "
    "back, and a task that saw it stays green. No setting changes that: ask the service's support "
    "when a success is final."
)
TRIED_AGAIN = rec("f2", "COMPLETED", history=["FAILED", "PENDING", "COMPLETED"], **THREE_ADDED)
NO_FAILURE = (
    "By its history, file f2 was FAILED before it became PENDING, so FAILED may be no end: a task "
    "fails at the first one, and a clear of it would upload the file once more. Ask the service's "
    "support who tries files again."
)
LISTS = [
    ListCase(
        "only the way",
        [OK],
        SaidOfFiles(SURE, "COMPLETED in the list, which the provider knows."),
    ),
    ListCase("a success that was taken back", [OK, TAKEN_BACK], SaidOfFiles(NOT_PROVED, IN_LIST)),
    ListCase(
        "a status that is not known, beside it",
        [OK, TAKEN_BACK, rec("f3", "ROLLED_BACK", error="redeemed")],
        SaidOfFiles(
            NOT_PROVED,
            "ROLLED_BACK seems to mean failure (file f3: the service names 'redeemed'). Confirm "
            "this in the service's dashboard, then put the extra below into the connection. "
            f"{IN_LIST}",
            {"failure": ["ROLLED_BACK"]},
        ),
    ),
    ListCase(
        "a status that seems to mean success, and was taken back",
        [
            rec("f1", "LIVE", **THREE_ADDED),
            rec("f2", "FAILED", previous_status="LIVE", error="redeemed"),
        ],
        SaidOfFiles(
            NOT_PROVED,
            "LIVE seems to mean success (file f1: 3 coupons added, but LIVE may be the name of a "
            "stage on the way). Confirm this in the service's dashboard, then put the extra below "
            "into the connection. By its history, file f2 was LIVE before it became FAILED, so a "
            "success may be taken back, and a task that saw it stays green. No setting changes "
            "that: ask the service's support when a success is final.",
            {"success": ["LIVE"]},
        ),
    ),
    ListCase(
        "a failure that was tried again",
        [TRIED_AGAIN],
        SaidOfFiles(
            SURE,
            f"COMPLETED in the list, which the provider knows. {NO_FAILURE}",
            needs_action=True,
        ),
    ),
]


@pytest.mark.parametrize("row", LISTS, ids=ids(LISTS))
def test_statuses_of_a_list_are_not_proved_if_a_success_was_taken_back(row: ListCase):
    row.check(Topic.STATUSES)


NEW = rec("up", "COMPLETED", **THREE_ADDED)
UPLOADS = [
    UploadCase(
        "only the way",
        followed(NEW, others=[OK]),
        SaidOfFiles(SURE, "PENDING → COMPLETED, which means success."),
    ),
    UploadCase(
        "a success that was taken back",
        followed(NEW, others=[OK, TAKEN_BACK]),
        SaidOfFiles(NOT_PROVED, f"PENDING → COMPLETED, which means success. {IN_LIST}"),
    ),
    UploadCase(
        "a failure that was tried again",
        followed(NEW, others=[TRIED_AGAIN]),
        SaidOfFiles(
            SURE, f"PENDING → COMPLETED, which means success. {NO_FAILURE}", needs_action=True
        ),
    ),
]


@pytest.mark.parametrize("row", UPLOADS, ids=ids(UPLOADS))
def test_the_success_of_an_upload_is_not_proved_if_another_one_was_taken_back(row: UploadCase):
    row.check(Topic.STATUSES)


def test_a_history_that_only_the_own_record_of_a_file_has_counts():
    in_list = rec("f2", "CANCELLED")
    replies = [probe(file_at(SETTINGS, FILE_PATH, LIST, "f2"), TAKEN_BACK)]
    places = Places({LIST_PATH: probe(list_at(SETTINGS, LIST_PATH, LIST), [OK, in_list])}, {})
    statuses, *_ = conclude_from_list(SETTINGS, places, replies)
    assert SaidOfFiles.of(statuses) == SaidOfFiles(NOT_PROVED, IN_LIST)
