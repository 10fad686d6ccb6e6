"""
The path of one file is *not proved* if it shows the record of another file than was asked for. If
the response to an upload names a path in its Location, and the file is there and not at the
connection's path, that is proposed. If identifiers have a slash, which is sent escaped, and their
paths get a page while other paths get the service's replies, a gateway is suspected: *not proved*.
"""

from __future__ import annotations

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
from wes_provider.doctor.findings.finding import Certainty, Topic

SURE, WRONG, NOT_PROVED = Certainty.SURE, Certainty.WRONG, Certainty.NOT_PROVED


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
