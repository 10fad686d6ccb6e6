"""
The creation of a catalog is sent once, whatever is replied. It is *sure* if the reply has an
identifier under catalog_id, id or data.id, or as text. It is *wrong* if the only candidate is
elsewhere, whose path is then proposed; if there is none; or if the reply is a 4xx, a 5xx or lost.
It is *not proved* if there are several candidates, or the rate limit refused it. Only if it is
*sure*, the account is ready.
"""

from __future__ import annotations

import pytest

from support.doctor_service import (
    Account,
    about,
    examined_account,
    json_reply,
    page_reply,
)
from support.doctor_writes import (
    INVALID,
    LIMITED,
    NOT_PROVED,
    SURE,
    UNAUTHENTICATED,
    WRONG,
    Answered,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Topic

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
