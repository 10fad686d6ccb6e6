"""
An upload is turned away at once, so Upload is wrong, if the file in its reply has a reason and a
status that is a failure (FAILED, REJECTED) or has a word for no (NOT_ACCEPTED); not with PENDING,
SUCCESS or an unknown word, and not by a word for no without a reason.

If the reply has a file that the list had before, Upload is *Not proved*, the lag not asked, and
Statuses are *sure*. If the list has the uploaded file by another identifier, it is followed by its
name: Upload is *Not proved*, Statuses are *sure*, and the lag is what was seen (*sure* after 3 s,
wrong after 35 s, of 30 s). If one request made two files of its name, Upload is *Not ready*.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_service import (
    LIST,
    Account,
    Call,
    about,
    examined,
    json_reply,
    record,
)
from support.doctor_uploads import URL, Uploads
from support.servers import Reply, replying
from wes_provider.doctor.findings import Certainty, Topic

SURE, WRONG, NOT_PROVED = Certainty.SURE, Certainty.WRONG, Certainty.NOT_PROVED


class TurnedAway(NamedTuple):
    """The status beside a reason in the response to an upload, and whether that is a refusal."""

    status: str
    is_turned_away: bool


AT_ONCE = [
    TurnedAway("REJECTED", is_turned_away=True),
    TurnedAway("FAILED", is_turned_away=True),
    TurnedAway("NOT_ACCEPTED", is_turned_away=True),
    TurnedAway("PENDING", is_turned_away=False),
    TurnedAway("SUCCESS", is_turned_away=False),
    TurnedAway("ANGENOMMEN", is_turned_away=False),
]


@pytest.mark.parametrize("row", AT_ONCE, ids=[row.status for row in AT_ONCE])
def test_an_upload_is_turned_away_if_the_status_in_its_response_is_a_failure(row: TurnedAway):
    reason = "The host of file_url is not allowed."
    record = {"_id": "other", "status": row.status, "reason": reason}
    report = Uploads(json_reply(201, record), listed_after=1000).examine(timeout=1.0)

    upload = about(report, Topic.UPLOAD)
    assert upload.certainty is (WRONG if row.is_turned_away else SURE)
    assert (f"at once ('{reason}')" in report.verdict) is row.is_turned_away


@pytest.mark.parametrize("status", ["NOT_STARTED", "NOT_YET_READ"])
def test_an_upload_is_not_turned_away_by_a_word_for_no_in_a_status_without_a_reason(status: str):
    record = {"_id": "other", "status": status}
    report = Uploads(json_reply(201, record), listed_after=1000).examine(timeout=1.0)
    assert about(report, Topic.UPLOAD).certainty is SURE


def test_an_upload_whose_response_has_a_file_that_the_list_had_before_is_not_proved():
    old = record("old", name="old.csv")
    report = Uploads(json_reply(200, {**old, "deduplicated": True}), others=[old]).examine()

    assert report.verdict.startswith("Not proved: Upload. The response has coupon file old, which")
    assert about(report, Topic.LAG).certainty is Certainty.NOT_ASKED
    assert about(report, Topic.STATUSES).certainty is SURE


def test_a_file_that_the_list_has_by_another_identifier_is_followed_by_its_name():
    job = {"_id": "job-7", "status": "PENDING", "coupons_list_id": LIST}
    report = Uploads(json_reply(201, job), listed_after=3.0).examine(timeout=90.0)

    upload = about(report, Topic.UPLOAD)
    assert upload.text.startswith("The response has the identifier job-7, but the list has the")
    assert "as up, so that is not the file's" in upload.text
    assert "Do not upload it again" in upload.text
    lag = about(report, Topic.LAG)
    assert lag.certainty is SURE
    assert lag.text.endswith("; the 30 s that tasks give it leave room.")
    assert "coupon_files_lag" not in report.changed
    assert report.verdict.startswith("Not proved: Upload. ")
    assert about(report, Topic.STATUSES).certainty is SURE


def test_a_list_that_is_slow_with_a_file_by_another_identifier_gets_the_lag_that_was_seen():
    job = {"_id": "job-7", "status": "PENDING", "coupons_list_id": LIST}
    report = Uploads(json_reply(201, job), listed_after=35.0).examine(timeout=120.0)

    lag = about(report, Topic.LAG)
    assert lag.certainty is WRONG
    assert 110 <= report.changed["coupon_files_lag"].value <= 150


def test_two_files_of_one_request_are_no_accepted_upload():
    uploads = Uploads()

    def answer(call: Call) -> Reply | None:
        if call.path.endswith("/files") and call.key == "campaign" and uploads.name:
            twin = record("twin", name=uploads.name)
            return Account(records=[*uploads.others, twin, uploads.file]).reply(call)
        return uploads.answer(call)

    with replying(Account(answer), uploads.take) as url:
        report = examined(url, coupon_list_id=LIST, file_url=URL, timeout=60.0, final_after=5.0)

    assert report.verdict.startswith("Not ready: Upload. One request made 2 files of its name: ")
