"""What the doctor concludes from the changes that the user asks for."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_service import (
    LIST,
    WORKSPACE,
    Account,
    Call,
    about,
    examined_account,
    json_reply,
    page_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings import Certainty, Topic

SURE, WRONG, NOT_PROVED = Certainty.SURE, Certainty.WRONG, Certainty.NOT_PROVED
LIMITED = json_reply(429, {"error": {"code": "rate-limited", "message": "Slow down."}})
UNAUTHENTICATED = json_reply(401, {"error": {"code": "request-unauthenticated", "message": "No"}})
INVALID = json_reply(400, {"error": {"code": "invalid-request", "message": "currency: unknown"}})


class Answered(NamedTuple):
    """
    A reply to a change, and what follows.

    :ivar catalog_id: the path of a catalog's identifier that is proposed; ``None`` for none.
    """

    name: str
    reply: Reply
    certainty: Certainty
    says: str
    catalog_id: str | None = None


CATALOGS = [
    Answered(
        "under catalog_id", json_reply(201, {"catalog_id": "c1"}), SURE, "its identifier is c1"
    ),
    Answered("under data", json_reply(200, {"data": {"id": "c1"}}), SURE, "its identifier is c1"),
    Answered("text", Reply(201, b"c1"), SURE, "its identifier is c1"),
    Answered(
        "one candidate",
        json_reply(201, {"result": {"uid": "c1"}, "name": "shoes"}),
        WRONG,
        "its identifier is under result.uid",
        "result.uid",
    ),
    Answered(
        "several candidates",
        json_reply(201, {"handle": "c1", "ref": "r1", "name": "shoes"}),
        NOT_PROVED,
        "which property is its identifier? handle 'c1' (beside the name), ref 'r1' (beside",
    ),
    Answered(
        "several without a usual name",
        json_reply(201, {"a": "c1", "b": "r1"}),
        NOT_PROVED,
        "which property is its identifier? a 'c1', b 'r1'.",
    ),
    Answered(
        "none",
        json_reply(201, {"name": "shoes"}),
        WRONG,
        'Created; the body of the reply ({"name": "shoes"}) has no identifier that can be read',
    ),
    Answered("refused", INVALID, WRONG, "The service replies 400 invalid-request to POST"),
    Answered("wrong key", UNAUTHENTICATED, WRONG, "Campaign API key: refused (401"),
    Answered("limited", LIMITED, NOT_PROVED, "The service's rate limit refused it"),
    Answered("gateway", page_reply(502), WRONG, "the service may have done it or not"),
    Answered("nothing", Reply(0), WRONG, "the service may have done it or not"),
]


@pytest.mark.parametrize("row", CATALOGS, ids=[row.name for row in CATALOGS])
def test_the_creation_of_a_catalog_is_sure_if_its_reply_has_an_identifier_where_it_is_read(
    row: Answered,
):
    account = Account(lambda call: row.reply if call.method == "POST" else None)
    report = examined_account(account, catalog="shoes")
    finding = about(report, Topic.CATALOG)
    assert finding.certainty is row.certainty
    assert row.says in finding.text
    assert report.works is (row.certainty is SURE)
    assert report.extra.get("paths", {}).get("catalog_id") == row.catalog_id


@pytest.mark.parametrize("row", CATALOGS, ids=[row.name for row in CATALOGS])
def test_a_catalog_is_created_with_one_request_whatever_is_replied(row: Answered):
    account = Account(lambda call: row.reply if call.method == "POST" else None)
    examined_account(account, catalog="shoes")
    assert [call.method for call in account.calls].count("POST") == 1


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


def test_several_candidates_for_a_count_are_named():
    account = Account(records=[{"_id": "f1", "status": "DONE", "created": 3, "new": 3}])
    finding = about(examined_account(account, coupon_list_id=LIST), Topic.COUNTS)
    assert finding.certainty is Certainty.NOT_ASKED
    assert finding.text.startswith(
        "Which of created (3), new (3) counts coupons added, in file f1?"
    )


def test_other_names_of_counts_are_a_guess_until_an_upload_proves_them():
    files = [{**record("f1"), "coupons_added": "5", "imported_rows": 5}]
    report = examined_account(Account(records=files))
    value = report.values["coupon_file_counts.added"]
    assert (value.value, value.is_proved) == ("imported_rows", False)
    assert not report.works


class Shown(NamedTuple):
    """A reply to a change, and what it shows of the connection besides."""

    name: str
    reply: Reply
    topic: Topic
    certainty: Certainty
    says: str


NAMES_HEADER = json_reply(
    400, {"error": {"code": "missing-header", "message": "Header SVC-APPKEY is missing."}}
)
UPLOADED = json_reply(201, {**record("up", "SUCCESS"), "file_url": "https://f.example.com/a"})
SHOWN = [
    Shown("key refused", UNAUTHENTICATED, Topic.CAMPAIGN_KEY, WRONG, "Refused for an upload (401"),
    Shown("header named", NAMES_HEADER, Topic.WORKSPACE_HEADER, WRONG, "'Header SVC-APPKEY is"),
    Shown("accepted", UPLOADED, Topic.WORKSPACE_HEADER, SURE, "is accepted, for an upload"),
    Shown("limited", LIMITED, Topic.WORKSPACE_HEADER, NOT_PROVED, "a made-up value in X-Source"),
    Shown("invalid", INVALID, Topic.CAMPAIGN_KEY, SURE, "Accepted 3 times"),
]


@pytest.mark.parametrize("row", SHOWN, ids=[row.name for row in SHOWN])
def test_a_reply_to_an_upload_counts_more_than_replies_to_reads(row: Shown):
    """Reads take any workspace, in a header that only has to be there."""

    def replies(call: Call) -> Reply | None:
        if call.method == "POST":
            return row.reply
        return Account().reply(call._replace(headers={"SVC-APPKEY": WORKSPACE}))

    report = examined_account(
        Account(replies),
        file_url="https://f.example.com/a",
        extra={"workspace_header": "X-Source"},
        timeout=0.01,
    )
    finding = about(report, row.topic)
    assert row.says in finding.text
    assert finding.certainty is row.certainty


def test_a_refused_update_outweighs_reads_with_the_data_key():
    account = Account(lambda call: UNAUTHENTICATED if call.method == "PATCH" else None)
    finding = about(examined_account(account, segment_id="s"), Topic.DATA_KEY)
    assert finding.certainty is WRONG
    assert finding.text.startswith("Refused for an update (401")


def test_a_list_that_has_files_of_other_lists_only_is_named_after_an_upload():
    others = [record("f8", coupons_list_id="winter"), record("f9", coupons_list_id="autumn")]
    account = Account(lambda call: UPLOADED if call.method == "POST" else None, records=others)
    report = examined_account(account, file_url="https://f.example.com/a", timeout=0.01)
    assert "none of them of the list spring" in about(report, Topic.LIST_PATH).text
    assert not report.works
