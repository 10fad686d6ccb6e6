"""
A file whose own path gets a 404 is followed in the list: Statuses has what the list had, and the
path of one file is to be settled first. If every second read of the list, of the file or of both
lacks the uploaded file, it comes and goes: the Lag is *not proved*, no lag is proposed, and the
path of one file is *not proved* if that lacks it, too. If the identifier of a file changes when it
is processed, by a redirect or with a 404 at the old path, the verdict is *Not ready*, about
Statuses, and names the new identifier; the file is not said to come and go. A list that has the
file only once it is processed proves no lag; one that has it on its way does.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_service import (
    FILES_PATH,
    LIST,
    Account,
    Call,
    about,
    examined,
    json_reply,
    page_reply,
    record,
)
from support.doctor_uploads import URL, Uploads
from support.servers import Reply, replying
from support.skipping_clock import CLOCK
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report

SURE, WRONG, NOT_PROVED = Certainty.SURE, Certainty.WRONG, Certainty.NOT_PROVED


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
    assert "when it was processed, and not yet after" in lag.text


def test_a_list_that_has_the_file_on_its_way_proves_its_lag():
    stages = [(0, record("up", "PROCESSING")), (2, record("up", "SUCCESS", coupons_added=3))]
    report = Uploads(stages=stages, listed_after=1.0).examine()
    lag = about(report, Topic.LAG)
    assert lag.certainty is SURE
    assert "when it was processed" not in lag.text
