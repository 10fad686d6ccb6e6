"""
Several changes in one command: an upload, a catalog, an update of a segment, in this order. Each is sent
whatever becomes of those before it. An upload that is kept back, since its file could not be followed, says
why, and the others are sent all the same; a change that is refused, or whose response is lost, stops none.
If the service is not shown to be one, none of them is sent, and each says why.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    Account,
    Call,
    about,
    examined_account,
    json_reply,
    page_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report

CHANGES = {
    "file_url": "https://files.example.com/new.csv",
    "catalog": "shoes",
    "segment_id": "s",
    "updated_by": "me@example.com",
}
CATALOG = json_reply(201, {"catalog_id": "c1"})
SEGMENT = json_reply(200, {"name": "s"})


def taking(upload: Reply, catalog: Reply = CATALOG, **account: object) -> Account:
    """An account that replies so to an upload and to a new catalog, and takes the update."""

    def nasty(call: Call) -> Reply | None:
        if call.method == "POST" and call.path == "/v1/catalog":
            return catalog
        if call.method == "POST":
            return upload
        if call.method == "PATCH":
            return SEGMENT
        return None

    return Account(nasty, **account)  # type: ignore[arg-type]


class Before(NamedTuple):
    """What becomes of the changes before the last one, and how many are sent."""

    name: str
    account: Account
    writes: int
    catalog: Certainty = Certainty.SURE


NOT_READ = [record("f1", 7)]  # type: ignore[arg-type]
REFUSED = json_reply(403, {"error": {"code": "no-scope", "message": "Missing scope."}})
LOST = Reply(0, b"")
BEFORE = [
    Before("an upload that is kept back", taking(REFUSED, records=NOT_READ), writes=2),
    Before("an upload that is refused", taking(REFUSED), writes=3),
    Before("an upload without a response", taking(LOST), writes=3),
    Before(
        "an upload and a catalog that are refused",
        taking(REFUSED, REFUSED),
        writes=3,
        catalog=Certainty.WRONG,
    ),
]


def examined(row: Before) -> Report:
    return examined_account(row.account, timeout=1.0, **CHANGES)


@pytest.mark.parametrize("row", BEFORE, ids=ids(BEFORE))
def test_each_change_is_sent_whatever_becomes_of_those_before_it(row: Before):
    report = examined(row)
    assert report.writes == row.writes
    assert about(report, Topic.CATALOG).certainty is row.catalog
    assert about(report, Topic.SEGMENT).text.startswith("Updated")


def test_an_upload_that_is_kept_back_says_why():
    text = about(examined(BEFORE[0]), Topic.UPLOAD).text
    assert text.startswith("Not sent: files have status 7 in place of a status")


def test_nothing_is_sent_to_what_is_not_the_service_and_each_change_says_why():
    report = examined_account(Account(lambda _: page_reply(200)), **CHANGES)
    assert report.writes == 0
    texts = {finding.topic: finding.text for finding in report.findings}
    for topic in (Topic.UPLOAD, Topic.CATALOG, Topic.SEGMENT):
        assert texts[topic].startswith("Not sent: "), texts[topic]
        assert len(texts[topic]) > len("Not sent: .")
