"""
What the doctor says of an uploaded file that it follows: of files that wait for a person, that come
and go, that are split, or whose success is a step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_service import (
    FILES_PATH,
    LIST,
    Account,
    Call,
    about,
    examined,
    examined_account,
    json_reply,
    page_reply,
    record,
)
from support.doctor_uploads import URL, Uploads
from support.servers import Reply, replying
from support.skipping_clock import CLOCK
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.report import Report

SURE, WRONG, NOT_PROVED = Certainty.SURE, Certainty.WRONG, Certainty.NOT_PROVED
ADDED = {"coupons_added": 5}

# -- files that wait for a person ------------------------------------------------------------------


class Held(NamedTuple):
    """How an uploaded file ends up waiting for a person, and what is said of it."""

    name: str
    record: Mapping[str, Any]
    says: str


HELD = [
    Held(
        "by status",
        {"status": "PENDING_RELEASE", "accepted": 3, "activated": 0},
        "a person: PENDING_RELEASE (the name PENDING_RELEASE says so), and did not go on. Have it "
        "released, and see in the service's dashboard what becomes of it",
    ),
    Held(
        "by status and member",
        {"status": "AWAITING_APPROVAL", "approval": {"needed_from": "Marketing lead"}},
        "approval.needed_from is 'Marketing lead'), and did not go on. Have it approved",
    ),
    Held(
        "by member of a status that is waited for",
        {"status": "PROCESSING", "four_eyes": "waiting for the second person"},
        "a person: PROCESSING (four_eyes is 'waiting for the second person')",
    ),
]


@pytest.mark.parametrize("row", HELD, ids=[row.name for row in HELD])
def test_an_uploaded_file_that_waits_for_a_person_is_said_before_statuses_of_other_files(row: Held):
    others = [
        {"_id": "f1", "status": "LIVE", "coupons_list_id": LIST, **ADDED},
        {"_id": "f2", "status": "ROLLED_BACK", "coupons_list_id": LIST, **ADDED},
    ]
    account = Uploads(stages=[(0, row.record)], others=others)
    report = account.examine(timeout=2.0, final_after=0.3)
    assert report.verdict.startswith("Not proved: Statuses. The uploaded file waits for a person: ")
    statuses = about(report, Topic.STATUSES)
    assert row.says in statuses.text
    assert "ROLLED_BACK is partial" in statuses.text
    assert "LIVE" in report.extra["coupon_file_statuses"]["success"]
    assert str(row.record["status"]) not in report.extra["coupon_file_statuses"]["success"]


# -- paths of one file -----------------------------------------------------------------------------


def test_a_path_that_shows_another_file_is_said_to_do_so():
    uploads = Uploads(None)

    def answer(call: Call) -> Reply | None:
        if call.path.startswith(f"{FILES_PATH}/") and call.key == "campaign":
            return json_reply(200, record("f9"))
        return uploads.answer(call)

    with replying(Account(answer), uploads.take) as url:
        report = examined(url, coupon_list_id=LIST)

    finding = about(report, Topic.FILE_PATH)
    assert finding.certainty is NOT_PROVED
    assert "gets 200 with the record f9, which is not the file that was asked for" in finding.text


def test_the_path_of_a_file_that_the_response_to_its_upload_names_is_tried():
    named = {"Location": "/v1/import-jobs/up"}
    uploads = Uploads(None)

    def answer(call: Call) -> Reply | None:
        if call.method == "POST":
            return json_reply(201, uploads.file, **named)
        if call.path == "/v1/import-jobs/up":
            return json_reply(200, uploads.file)
        if call.path == f"{FILES_PATH}/up":
            return json_reply(404, {"error": {"code": "no-file", "message": "No file."}})
        return uploads.answer(call)

    with replying(Account(answer), uploads.take) as url:
        report = examined(url, coupon_list_id=LIST, file_url=URL, timeout=60.0, final_after=5.0)

    assert report.changed["paths.coupon_file"].value == "/v1/import-jobs/{coupon_file_id}"


def test_a_gateway_that_refuses_escapes_is_suspected_if_other_paths_get_another_reply():
    files = [record("lists/a/f1"), record("lists/a/f2", "FAILED", error="no header")]

    def answer(call: Call) -> Reply | None:
        if "%2F" in call.path:
            return page_reply(404)
        return Account(records=files).reply(call)

    with replying(Account(answer)) as url:
        report = examined(url, coupon_list_id=LIST)

    finding = about(report, Topic.FILE_PATH)
    assert finding.certainty is NOT_PROVED
    assert "Identifiers have '/' (%2F), which the provider sends escaped." in finding.text
    assert "Ask whoever runs it to let them pass" in finding.text


# -- a file that no path of one file shows, or only at times ---------------------------------------


def test_a_file_whose_own_path_gets_404_is_followed_in_the_list():
    stages = (
        (0, record("up", "PENDING")),
        (3, record("up", "PROCESSING")),
        (8, record("up", "PROCESSED")),
    )
    uploads = Uploads(stages=stages)

    def answer(call: Call) -> Reply | None:
        if call.path.startswith(f"{FILES_PATH}/"):
            return page_reply(404)
        return uploads.answer(call)

    with replying(Account(answer), uploads.take) as url:
        report = examined(url, coupon_list_id=LIST, file_url=URL, timeout=60.0, final_after=5.0)

    statuses = about(report, Topic.STATUSES)
    assert "the list has it, with PENDING → PROCESSING → PROCESSED" in statuses.text
    assert "Settle the Path of one file first" in statuses.text
    assert "--timeout" not in statuses.text


class Nodes(NamedTuple):
    """What a node that is behind lacks of an uploaded file, and what is said of it."""

    name: str
    lacks: str
    of_lag: str
    of_path: str
    path: Certainty


NODES = [
    Nodes(
        "the list",
        "list",
        "GET /v1/coupon-list/spring/files had it at ",
        "It has a file and its status.",
        SURE,
    ),
    Nodes(
        "the file",
        "file",
        "GET /v1/coupon-list/spring/files/up had it at ",
        "GET /v1/coupon-list/spring/files/up had the uploaded file at ",
        NOT_PROVED,
    ),
    Nodes(
        "the list and the file",
        "list and file",
        "GET /v1/coupon-list/spring/files",
        "GET /v1/coupon-list/spring/files/up had the uploaded file at ",
        NOT_PROVED,
    ),
]


def examined_with_nodes(row: Nodes) -> Report:
    """Have the doctor upload a file that every second read of what the row names lacks."""
    uploads = Uploads()
    times = {"list": 0, "file": 0}

    def answer(call: Call) -> Reply | None:
        reply = uploads.answer(call)
        if call.method == "POST" or call.key != "campaign" or not uploads.name:
            return reply
        what = "file" if call.path.endswith("/up") else "list"
        times[what] += 1
        if what not in row.lacks or times[what] % 2:
            return reply
        if what == "file":
            return json_reply(404, {"error": {"code": "no-file", "message": "No file."}})
        return Account(records=list(uploads.others)).reply(call)

    with replying(Account(answer), uploads.take) as url:
        return examined(url, coupon_list_id=LIST, file_url=URL, timeout=60.0, final_after=5.0)


@pytest.mark.parametrize("row", NODES, ids=[row.name for row in NODES])
def test_a_file_that_comes_and_goes_shows_no_lag(row: Nodes):
    report = examined_with_nodes(row)
    lag = about(report, Topic.LAG)
    assert lag.certainty is NOT_PROVED
    assert lag.text.startswith(f"The uploaded file comes and goes: {row.of_lag}")
    assert "coupon_files_lag" not in report.changed


@pytest.mark.parametrize("row", NODES, ids=[row.name for row in NODES])
def test_the_path_of_one_file_is_not_proved_if_the_file_comes_and_goes_there(row: Nodes):
    report = examined_with_nodes(row)
    finding = about(report, Topic.FILE_PATH)
    assert finding.certainty is row.path
    assert finding.text.startswith(row.of_path)


@pytest.mark.parametrize("ending", [303, 404], ids=["a redirect", "a 404"])
def test_a_file_whose_identifier_changes_is_said_to_change_and_not_to_come_and_go(ending: int):
    uploads = Uploads()
    processed_after = 1.0  # seconds, in which the wait reads the file in real time

    def answer(call: Call) -> Reply | None:
        is_processed = bool(uploads.name) and CLOCK.time() - uploads.since > processed_after
        if call.key != "campaign" or not is_processed:
            return uploads.answer(call)
        if call.path == f"{FILES_PATH}/up" and ending == 303:
            return Reply(303, b"", {"Location": f"{FILES_PATH}/cf-1"})
        successor = {**uploads.file, "_id": "cf-1", "status": "SUCCESS"}
        return Account(records=[*uploads.others, successor]).reply(call)

    uploads.stages = [(0, record("up", "PENDING"))]
    with replying(Account(answer), uploads.take) as url:
        report = examined(url, coupon_list_id=LIST, file_url=URL, timeout=3.0, final_after=5.0)

    assert report.verdict.startswith(
        "Not ready: Statuses. The end of the file was not seen under its identifier up: "
    )
    assert "The list has it as cf-1 (SUCCESS) now, so its identifier changes" in report.verdict
    assert "comes and goes" not in about(report, Topic.LAG).text


def test_a_list_that_has_the_file_only_once_it_is_processed_proves_no_lag():
    stages = [(0, record("up", "PROCESSING")), (12, record("up", "SUCCESS", coupons_added=3))]
    report = Uploads(stages=stages, listed_after=12.0).examine()

    lag = about(report, Topic.LAG)
    assert lag.certainty is NOT_PROVED
    assert "as soon as it was processed, and not before" in lag.text


def test_a_list_that_has_the_file_on_its_way_proves_its_lag():
    stages = [(0, record("up", "PROCESSING")), (2, record("up", "SUCCESS", coupons_added=3))]
    report = Uploads(stages=stages, listed_after=1.0).examine()
    lag = about(report, Topic.LAG)
    assert lag.certainty is SURE
    assert "as soon as it was processed" not in lag.text


# -- coupons that are elsewhere --------------------------------------------------------------------


def test_of_a_file_that_was_split_the_parts_and_their_statuses_are_said():
    stages = (
        (0, record("up", "PENDING")),
        (0.3, {"_id": "up", "status": "SPLIT", "parts": ["up_1", "up_2"]}),
    )
    uploads = Uploads(stages=stages)
    parts = [record("up_1", parent_id="up"), record("up_2", "PROCESSING", parent_id="up")]

    def answer(call: Call) -> Reply | None:
        reply = uploads.answer(call)
        is_split = bool(uploads.name) and CLOCK.time() - uploads.since > 0.3
        if call.path.endswith("/files") and call.key == "campaign" and is_split:
            return Account(records=[*uploads.others, uploads.file, *parts]).reply(call)
        return reply

    with replying(Account(answer), uploads.take) as url:
        report = examined(url, coupon_list_id=LIST, file_url=URL, timeout=60.0, final_after=0.5)

    text = about(report, Topic.STATUSES).text
    assert "PENDING → SPLIT, which lasted, and nothing shows what it means" in text
    assert "Its record also has parts up_1, up_2." in text
    assert "The list has 2 new files made of it: up_1 (SUCCESS, 5 coupons added), up_2 (" in text
    assert "which status says that all of them are in, and name it as success only then" in text
    assert "coupon_file_statuses.success" not in report.changed


# -- a success that is a stage ---------------------------------------------------------------------


class Step(NamedTuple):
    """What a file has from 0.3 s until it goes on, and a part of what is said of it."""

    name: str
    early: Mapping[str, Any]
    says: str


STEPS = [
    Step(
        "no coupon yet",
        record("up", "PROCESSED", coupons_added=0),
        "PROCESSED came before the end, too, as the status of a step",
    ),
    Step(
        "a step of three",
        record("up", "PROCESSED", stage_no=1, stages=3),
        "PROCESSED came before the end, too, as the status of a step",
    ),
]


@pytest.mark.parametrize("row", STEPS, ids=[row.name for row in STEPS])
def test_a_success_without_coupons_or_at_one_of_several_steps_is_followed_until_it_has_lasted(
    row: Step,
):
    stages = (
        (0, record("up", "PENDING")),
        (0.3, row.early),
        (1.5, record("up", "PROCESSING", coupons_added=0)),
        (2.5, record("up", "PROCESSED")),
    )
    report = Uploads(stages=stages).examine(final_after=2.0)

    statuses = about(report, Topic.STATUSES)
    assert statuses.certainty is WRONG
    assert statuses.text.startswith("PENDING → PROCESSED → PROCESSING → PROCESSED: ")
    assert row.says in statuses.text
    assert not report.changed


def test_a_success_whose_record_says_that_it_is_one_of_several_steps_is_not_proved():
    stages = ((0, record("up", "PENDING")), (0.3, record("up", "PROCESSED", step="1 of 2")))
    report = Uploads(stages=stages).examine(final_after=0.5)

    statuses = about(report, Topic.STATUSES)
    assert statuses.certainty is NOT_PROVED
    assert "PROCESSED means success, and lasted, but step is 1 of 2." in statuses.text
    assert "Ask the service's support what becomes of such a file." in statuses.text


def test_a_known_success_without_counts_is_followed_if_files_of_another_status_have_counts():
    stages = (
        (0, record("up", "PENDING", coupons_added=None)),
        (0.3, record("up", "PROCESSED", coupons_added=None)),
        (1.5, record("up", "ACTIVE")),
    )
    others = [record("f1", "ACTIVE"), record("f2", "ACTIVE")]
    report = Uploads(stages=stages, others=others).examine(final_after=2.0)

    assert report.verdict.startswith("Not ready: Statuses. PENDING → PROCESSED → ACTIVE: PROCESSED")
    success = report.changed["coupon_file_statuses.success"].value
    assert "ACTIVE" in success
    assert "PROCESSED" not in success


def test_a_count_beside_other_numbers_is_a_guess_and_comes_after_the_statuses():
    counts = {"codes": {"accepted": 3, "rejected": 1, "total": 4}}
    plain = {"coupons_added": None, "coupons_duplicate": None, **counts}
    stages = ((0, record("up", "PENDING", **plain)), (0.3, record("up", "LIVE", **plain)))
    report = Uploads(stages=stages, others=[]).examine(final_after=0.5)

    assert report.verdict.startswith("Not proved: Statuses. PENDING → LIVE, which lasted and may")
    finding = about(report, Topic.COUNTS)
    assert finding.certainty is NOT_PROVED
    assert finding.guesses == {"coupon_file_counts.added": "codes.accepted"}
    assert "Confirm in the service's dashboard what codes.accepted counts" in finding.text


# -- files of other lists --------------------------------------------------------------------------


def test_statuses_and_counts_say_so_if_only_files_of_other_lists_were_read():
    others = [record("f8", coupons_list_id="winter"), record("f9", coupons_list_id="winter")]
    report = examined_account(Account(records=others))
    for topic in (Topic.STATUSES, Topic.COUNTS):
        assert about(report, topic).text == "Only files of other lists were read."
