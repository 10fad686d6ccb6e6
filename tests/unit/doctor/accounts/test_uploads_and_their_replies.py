"""
An upload is turned away at once, so Upload is wrong, if the file in its reply has a status that is
a failure (FAILED, REJECTED), or one with a word for no (NOT_ACCEPTED) and a reason; not with
PENDING, SUCCESS or an unknown word, and not by a word for no without a reason.

If the reply has a file that the list had before, Upload is *Not proved*, the lag *not shown*, and
Statuses are *sure*. If the list has the uploaded file by another identifier, it is followed by its
name: Upload is *Not proved*, Statuses are *sure*, and the lag of 30 s is *sure* if that took 3 s,
and wrong if it took 35 s: three times as long is proposed. If one request made two files of its name, Upload is *Not ready*.
"""

from __future__ import annotations

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
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report

SURE, WRONG = Certainty.SURE, Certainty.WRONG


NEVER = 1000.0  # seconds until the list has the file, so that only the response counts
REASON = "The host of file_url is not allowed."


def report_on_response(**properties: str) -> Report:
    """What the doctor reports if the response to an upload has a file with such properties."""
    response = json_reply(201, {"_id": "file-1", **properties})
    return Uploads(response, listed_after=NEVER).examine(timeout=1.0)


@pytest.mark.parametrize("status", ["REJECTED", "FAILED", "NOT_ACCEPTED"])
def test_an_upload_is_turned_away_by_a_reason_beside_a_failure_or_a_word_for_no(status: str):
    report = report_on_response(status=status, reason=REASON)
    assert about(report, Topic.UPLOAD).certainty is WRONG
    assert f"at once ('{REASON}')" in report.verdict


@pytest.mark.parametrize("status", ["REJECTED", "FAILED"])
def test_an_upload_is_turned_away_by_a_failure_without_a_reason(status: str):
    report = report_on_response(status=status)
    assert about(report, Topic.UPLOAD).certainty is WRONG


@pytest.mark.parametrize("status", ["PENDING", "SUCCESS", "ANGENOMMEN"])
def test_an_upload_is_not_turned_away_by_a_reason_beside_another_status(status: str):
    report = report_on_response(status=status, reason=REASON)
    assert about(report, Topic.UPLOAD).certainty is SURE


@pytest.mark.parametrize("status", ["NOT_STARTED", "NOT_YET_READ"])
def test_an_upload_is_not_turned_away_by_a_word_for_no_without_a_reason(status: str):
    report = report_on_response(status=status)
    assert about(report, Topic.UPLOAD).certainty is SURE


def test_an_upload_whose_response_has_a_file_that_the_list_had_before_is_not_proved():
    old = record("old", name="old.csv")
    report = Uploads(json_reply(200, {**old, "deduplicated": True}), others=[old]).examine()

    assert report.verdict.startswith("Not proved: Upload. The response has coupon file old, which")
    assert about(report, Topic.LAG).certainty is Certainty.NOT_SHOWN
    assert about(report, Topic.STATUSES).certainty is SURE


def test_a_file_that_the_list_has_by_another_identifier_is_followed_by_its_name():
    job = {"_id": "job-7", "status": "PENDING", "coupons_list_id": LIST}
    report = Uploads(json_reply(201, job), listed_after=3.0).examine(timeout=90.0)

    upload = about(report, Topic.UPLOAD)
    assert upload.text.startswith("The response has the identifier job-7, but the list has the")
    # The identifier that this account gives to each file.
    assert "as up, so that is not the file's" in upload.text
    assert "Do not upload it again" in upload.text
    lag = about(report, Topic.LAG)
    assert lag.certainty is SURE
    assert lag.text.endswith("; the 30 s that tasks give it leave room.")
    assert "coupon_files_lag" not in report.changed
    assert report.verdict.startswith("Not proved: Upload. ")
    assert about(report, Topic.STATUSES).certainty is SURE


def test_a_list_that_is_slow_with_a_file_by_another_identifier_gets_three_times_the_lag_seen():
    job = {"_id": "job-7", "status": "PENDING", "coupons_list_id": LIST}
    report = Uploads(json_reply(201, job), listed_after=35.0).examine(timeout=120.0)

    lag = about(report, Topic.LAG)
    assert lag.certainty is WRONG
    # The list is read every few seconds, so the lag is seen up to ten seconds late.
    assert 3 * 35 <= report.changed["coupon_files_lag"].value <= 3 * 45 + 10


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
