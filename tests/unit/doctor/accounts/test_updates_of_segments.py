"""
The update of a segment is *sure* if its reply is a 2xx with JSON, text or nothing; *not proved*
with a page or half a JSON; *wrong* with an error in its body, or a refused key. If the service does
not know reads of segments, whichever key they bear, the data key is *not proved*, until an update
proves it. A refused update makes the data key *wrong*, whatever reads get. An accepted one does not
outweigh that the key is refused at other times: it is *not proved*.
"""

from __future__ import annotations

import pytest

from support.doctor_service import (
    Account,
    Call,
    about,
    examined_account,
    json_reply,
    page_reply,
)
from support.doctor_writes import NOT_PROVED, SURE, UNAUTHENTICATED, WRONG, Answered
from support.servers import Reply
from wes_provider.doctor.findings.finding import Topic

SEGMENTS = [
    Answered("details", json_reply(200, {"name": "s"}), SURE, "Updated"),
    Answered("nothing", Reply(204), SURE, "Updated"),
    Answered("text", Reply(200, b"Updated."), SURE, "Updated"),
    Answered("page", page_reply(200), NOT_PROVED, "but the reply is a web page"),
    Answered(
        "half JSON",
        Reply(200, b'{"name"'),
        NOT_PROVED,
        "but the reply is JSON that cannot be read",
    ),
    Answered(
        "an error as a success",
        json_reply(200, {"errors": [{"message": "no"}]}),
        WRONG,
        "Refused (200 with an error: 'no'), though a task takes the status for a success",
    ),
    Answered(
        "a refused key as a success",
        json_reply(200, {"success": False, "errorCode": 17, "errorMessage": "Bad API key"}),
        WRONG,
        "Refused (200 17: 'Bad API key'), though",
    ),
    Answered("wrong key", UNAUTHENTICATED, WRONG, "Data API key: refused (401"),
]


@pytest.mark.parametrize("row", SEGMENTS, ids=[row.name for row in SEGMENTS])
def test_the_update_of_a_segment_is_sure_unless_its_reply_is_an_error_a_page_or_half_a_body(
    row: Answered,
):
    account = Account(lambda call: row.reply if call.method == "PATCH" else None)
    finding = about(examined_account(account, segment_id="s"), Topic.SEGMENT)
    assert finding.certainty is row.certainty
    assert row.says in finding.text


def no_segments(call: Call) -> Reply | None:
    """Reads of segments are unknown to the service, whichever key they bear."""
    if call.path.startswith("/v3/") and call.method == "GET":
        return json_reply(404, {"error": {"code": "not-found", "message": "no such path"}})
    return json_reply(200, {"name": "s"}) if call.method == "PATCH" else None


def test_reads_of_segments_that_the_service_does_not_know_prove_no_data_key():
    report = examined_account(Account(no_segments))
    assert about(report, Topic.DATA_KEY).certainty is NOT_PROVED
    assert not report.works


def test_an_update_proves_the_data_key_if_reads_cannot():
    report = examined_account(Account(no_segments), segment_id="s")
    assert about(report, Topic.DATA_KEY).certainty is SURE
    assert report.works


def test_an_accepted_change_does_not_outweigh_a_key_that_is_refused_at_other_times():
    def replies(call: Call) -> Reply | None:
        if call.method == "PATCH":
            return json_reply(200, {"name": "s"})
        is_refused = call.key == "data" and call.number > 3
        return UNAUTHENTICATED if is_refused else None

    report = examined_account(Account(replies), segment_id="s")
    assert about(report, Topic.DATA_KEY).has_two_answers
    assert about(report, Topic.DATA_KEY).certainty is NOT_PROVED


def test_a_refused_update_outweighs_reads_with_the_data_key():
    account = Account(lambda call: UNAUTHENTICATED if call.method == "PATCH" else None)
    finding = about(examined_account(account, segment_id="s"), Topic.DATA_KEY)
    assert finding.certainty is WRONG
    assert finding.text.startswith("Refused for an update (401")
