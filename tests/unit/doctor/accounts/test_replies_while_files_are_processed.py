"""
What the path of one file replies while an uploaded file is processed, and a 200 later. If a task's
wait would end at a reply, as ``CouponFileWait.decide`` has it, the path is *wrong*, the verdict is
never *Ready*, and the row quotes the reply and says that Airflow does not retry it. Replies that
tasks bear change nothing. If such replies last for as long as the file is followed, and older files
prove the path, no other path is read, and the row says that the path is right.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Call,
    about,
    check_says,
    json_reply,
    page_reply,
    record,
)
from support.doctor_uploads import Stage, Uploads
from support.servers import Reply
from support.skipping_clock import CLOCK
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report

NEVER = float("inf")
PROCESSED_IN_5 = ((0, record("up", "PENDING")), (5, record("up")))
FAILS = "A task fails at that, and Airflow does not retry it."
ASK = "ask the service's support for a 200 with the status while a file is on its way."


def error(status: int, code: str) -> Reply:
    """An error of the service."""
    return json_reply(status, {"error": {"code": code, "message": "The file is not ready."}})


BUSY = error(409, "file-busy")
ACCEPTED = Reply(202, b"", {})


@dataclass
class OnTheWay(Uploads):
    """
    An account whose path of one file replies in another way at first.

    :ivar way: the reply to reads of the uploaded file while it is on its way.
    :ivar begins: seconds from the upload until that reply comes; ``ends``: until it does no more.
    :ivar paths: that were read since the upload.
    """

    stages: tuple[Stage, ...] = PROCESSED_IN_5
    way: Reply = BUSY
    begins: float = 0.0
    ends: float = 4.0
    paths: list[str] = field(default_factory=list)

    def answer(self, call: Call) -> Reply | None:
        if call.method == "GET" and self.name:
            self.paths.append(call.path)
        age = CLOCK.time() - self.since
        is_read = bool(self.name) and call.path == f"{FILES_PATH}/up"
        if call.key == "campaign" and is_read and self.begins <= age < self.ends:
            return self.way
        return super().answer(call)


class Ending(NamedTuple):
    """A reply that ends a task's wait, and how the row quotes it."""

    name: str
    reply: Reply
    says: str
    begins: float = 0.0


ENDING = [
    Ending("409", BUSY, "replies 409 file-busy: 'The file is not ready'. "),
    Ending("425", error(425, "too-early"), "replies 425 too-early: 'The file is not ready'. "),
    Ending("400", error(400, "not-ready"), "replies 400 not-ready: 'The file is not ready'. "),
    Ending("422", error(422, "pending"), "replies 422 pending: 'The file is not ready'. "),
    Ending("423", error(423, "locked"), "replies 423 locked: 'The file is not ready'. "),
    Ending("a page with 400", page_reply(400), "replies 400 with a web page: 'Hello'. "),
    Ending("a redirect", Reply(302, b"", {"Location": "/v1/jobs/77"}), "replies 302 to http"),
    Ending("409 at a later poll", BUSY, "replies 409 file-busy: 'The file is not ready'. ", 2.0),
]


@pytest.mark.parametrize("row", ENDING, ids=ids(ENDING))
def test_a_reply_that_ends_waits_makes_the_path_of_one_file_wrong(row: Ending):
    report = OnTheWay(way=row.reply, begins=row.begins).examine()
    finding = about(report, Topic.FILE_PATH)
    assert finding.certainty is Certainty.WRONG
    check_says(finding.text, ["While a file is processed, its path ", row.says, FAILS, ASK])
    assert report.verdict.startswith("Not ready: Path of one file. While a file is processed")
    assert "paths.coupon_file" not in report.changed


class Borne(NamedTuple):
    """A reply that a task's wait bears."""

    name: str
    reply: Reply


BORNE = [
    Borne("202", ACCEPTED),
    Borne("204", Reply(204, b"", {})),
    Borne("408", error(408, "timeout")),
    Borne("500", error(500, "not-ready")),
    Borne("503", error(503, "not-ready")),
    Borne("404 within its grace", error(404, "not-found")),
    Borne("200 with an error", error(200, "not-ready")),
    Borne("200 with a page", page_reply(200)),
]


@pytest.mark.parametrize("row", BORNE, ids=ids(BORNE))
def test_a_reply_that_waits_bear_leaves_the_account_ready(row: Borne):
    report = OnTheWay(way=row.reply).examine()
    assert report.verdict.startswith("Ready: "), report.verdict
    assert about(report, Topic.FILE_PATH).certainty is Certainty.SURE


def test_a_file_that_has_ended_by_the_reply_to_its_upload_is_never_polled():
    report = OnTheWay(stages=((0, record("up")),)).examine()
    assert about(report, Topic.FILE_PATH).certainty is Certainty.SURE


class Lasting(NamedTuple):
    """A reply that lasts for as long as the file is followed, and what is said of the path."""

    name: str
    reply: Reply
    certainty: Certainty
    says: tuple[str, ...]


LASTING = [
    Lasting(
        "409",
        BUSY,
        Certainty.WRONG,
        ("It has older files, but for 6", " s since the upload, it replied 409 ", FAILS, ASK),
    ),
    Lasting(
        "202",
        ACCEPTED,
        Certainty.NOT_PROVED,
        ("It has older files, so it is right, but ", "got 202 ", "Tasks bear that", "--timeout"),
    ),
]


def lasting(reply: Reply, **options: float) -> tuple[OnTheWay, Report]:
    """Have the doctor upload a file that goes on for 80 s, and has one reply until then."""
    stages = ((0, record("up", "PENDING")), (80, record("up")))
    uploads = OnTheWay(way=reply, ends=80.0, stages=stages)
    return uploads, uploads.examine(**options)


@pytest.mark.parametrize("row", LASTING, ids=ids(LASTING))
def test_a_path_that_older_files_prove_is_not_sought_elsewhere(row: Lasting):
    uploads, report = lasting(row.reply, timeout=60.0)
    finding = about(report, Topic.FILE_PATH)
    assert finding.certainty is row.certainty
    check_says(finding.text, row.says)
    assert set(uploads.paths) == {FILES_PATH, f"{FILES_PATH}/up"}
    statuses = about(report, Topic.STATUSES).text
    assert "Do not upload it again" in statuses
    assert "Settle the" not in statuses
    # More time does not help if a reply ends the wait.
    assert ("--timeout" in statuses) is (row.certainty is Certainty.NOT_PROVED)


def test_a_reply_that_tasks_bear_is_followed_to_the_end_of_the_file():
    _, report = lasting(ACCEPTED, timeout=200.0)
    assert report.verdict.startswith("Ready: "), report.verdict
