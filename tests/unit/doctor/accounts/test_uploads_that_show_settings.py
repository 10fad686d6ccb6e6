"""
A reply to an upload counts more than replies to reads. A refused key, or a header that an error
names, makes the key or the header *wrong*; an accepted upload makes the header *sure*, though reads
take any value in it. A rate limit, and an error about something else, leave what reads show. If the
list has files of other lists only, that is still said after an upload.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_service import (
    WORKSPACE,
    Account,
    Call,
    about,
    examined_account,
    json_reply,
    record,
)
from support.doctor_writes import INVALID, LIMITED, NOT_PROVED, SURE, UNAUTHENTICATED, WRONG
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic


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


def test_a_list_that_has_files_of_other_lists_only_is_named_after_an_upload():
    others = [record("f8", coupons_list_id="winter"), record("f9", coupons_list_id="autumn")]
    account = Account(lambda call: UPLOADED if call.method == "POST" else None, records=others)
    report = examined_account(account, file_url="https://f.example.com/a", timeout=0.01)
    assert "none of them of the list spring" in about(report, Topic.LIST_PATH).text
    assert not report.works
