"""
Replies that demand what no setting of the provider gives: a header, a signature or a method that it
does not send, an identifier of a new catalog that its body does not have. They are left to the service's
support, and no setting is named; what the words demand of people is to be done.

The words decide: 428 or 412 without them names nothing; 405 alone is about the method; "use PUT"
counts neither with 404 nor with 500. Of several demands, the first of the table NOT_SENT counts,
not the first in the text. Any ETag is If-Match. A header in its own capitals is named as it stands
(X-Request-Id), in small letters by a word (a number of the request); one that NOT_SENT does not
have (X-Foo) is to be done. Of a Location the path alone is shown.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_service import (
    CAMPAIGN_KEY,
    Account,
    about,
    examined_account,
    json_reply,
    page_reply,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.replies.subjects import not_sent_in

JSON = "application/json"


class Created(NamedTuple):
    """A reply to the creation of a catalog that has nothing to name, and what is said."""

    name: str
    reply: Reply
    says: tuple[str, ...]


NO_SETTING = "and no setting changes that: "
CREATIONS = [
    Created(
        "a key in the Location",
        Reply(201, b"", {"Location": f"/v1/catalog/{CAMPAIGN_KEY}"}),
        ("names /v1/catalog/***, which",),
    ),
    Created(
        "a Location",
        Reply(201, b"", {"Location": "/v1/catalog/cat_5f3c"}),
        (
            "Created; the reply has no body, and its Location names /v1/catalog/cat_5f3c, which "
            f"the provider does not read, {NO_SETTING}keep that identifier, and ask the service's "
            "support for it in the body.",
        ),
    ),
    Created(
        "a Location beside an empty object",
        json_reply(201, {}, Location="/v1/catalog/cat_5f3c?token=abcdef"),
        ("Created; the body of the reply ({}) has no identifier", "names /v1/catalog/cat_5f3c, w"),
    ),
    Created(
        "no content",
        Reply(204, b""),
        (f"Accepted with 204; the reply has no body, {NO_SETTING}look for 'c' in the service's",),
    ),
    Created("an empty object", json_reply(200, {}), ("Accepted with 200; the body of the reply",)),
    Created("an empty array", json_reply(201, []), ("Created; the body of the reply ([]) has no",)),
    Created("a page", page_reply(200), ("A web page came with status 200, perhaps from a gat",)),
    Created(
        "what is binary",
        Reply(201, gzip.compress(b"{}"), {"Content-Type": JSON}),
        ("Created; the body of the reply (binary) has no identifier",),
    ),
]


def replying_to(method: str, reply: Reply) -> Account:
    return Account(lambda call: reply if call.method == method else None)


@pytest.mark.parametrize("row", CREATIONS, ids=[row.name for row in CREATIONS])
def test_a_catalog_without_an_identifier_asks_for_no_setting(row: Created):
    report = examined_account(replying_to("POST", row.reply), catalog="c")
    text = about(report, Topic.CATALOG).text
    assert all(part in text for part in row.says), text
    assert "paths.catalog_id" not in text
    assert "abcdef" not in report.to_json()


def test_the_location_of_a_creation_is_shown_beside_its_status_and_not_as_a_redirect():
    reply = Reply(201, b"", {"Location": "/v1/catalog/cat_5f3c"})
    finding = about(examined_account(replying_to("POST", reply), catalog="c"), Topic.CATALOG)
    assert "→ 201, Location http://" in str(finding.probes[0])


class Demanded(NamedTuple):
    """What an update is refused for, and what is said to be not sent."""

    status: int
    message: str
    advice: str


def not_sent(what: str) -> str:
    return f"The provider does not send {what}, and no setting adds it: ask the service's support"


DEMANDS = [
    Demanded(428, "Versioned. Send If-Match with the current ETag.", not_sent("If-Match")),
    Demanded(428, "An ETag is needed.", not_sent("If-Match")),
    Demanded(409, "The ETag has changed.", not_sent("If-Match")),
    Demanded(428, "Nope.", "Nothing was done. Ask the service's support."),
    Demanded(400, "Send If-Match, not If-Unmodified-Since.", not_sent("If-Unmodified-Since")),
    Demanded(400, "X-Foo is required.", "Do what it says, or ask the service's support."),
    Demanded(400, "x-request-id is required.", not_sent("a number of the request")),
    Demanded(404, "Please use PUT.", "Check the segment's identifier"),
    Demanded(405, "Nope.", "The provider sends PATCH to this path, and no setting"),
    Demanded(412, "Send If-Unmodified-Since.", not_sent("If-Unmodified-Since")),
    Demanded(400, "Please send an Idempotency-Key.", not_sent("Idempotency-Key")),
    Demanded(403, "A client certificate is required.", not_sent("a client certificate")),
    Demanded(403, "Use mutual TLS.", not_sent("a client certificate")),
    Demanded(400, "Request signature missing.", not_sent("a signature of requests")),
    Demanded(400, "Please sign your requests.", not_sent("a signature of requests")),
    Demanded(400, "The header X-Request-Id is required.", not_sent("X-Request-Id")),
    Demanded(400, "X-Api-Version must be set.", not_sent("X-Api-Version")),
    Demanded(400, "Content-Digest is missing.", not_sent("Content-Digest")),
    Demanded(403, "Missing CSRF token.", not_sent("a CSRF token")),
    Demanded(400, "The field 'revision' is required.", not_sent("revision")),
    Demanded(400, "Missing required field: etag_version", not_sent("etag_version")),
    Demanded(405, "Method not allowed.", "The provider sends PATCH to this path, and no setting"),
    Demanded(400, "Please use PUT.", "The provider sends PATCH to this path, and no setting"),
    Demanded(400, "Please upgrade your SDK.", "The provider is a client of its own, and no sett"),
    Demanded(400, "included_filters is required.", "The doctor does not send included_filters"),
]


def check_demanded(row: Demanded) -> None:
    """What is said of an update with this error has the advice."""
    error = {"error": {"code": "refused", "message": row.message}}
    account = replying_to("PATCH", json_reply(row.status, error))
    text = about(examined_account(account, segment_id="s", updated_by="a@example.com"), SEGMENT)
    assert row.advice in text.text, text.text


@pytest.mark.parametrize("row", DEMANDS, ids=[row.message for row in DEMANDS])
def test_what_an_error_demands_is_left_to_the_support_if_the_provider_cannot_send_it(row: Demanded):
    check_demanded(row)


def test_what_an_error_demands_of_people_is_to_be_done():
    check_demanded(
        Demanded(400, "Please accept the terms of use.", "Do what it says, or ask the service's")
    )


SEGMENT = Topic.SEGMENT
ASKED_FOR: Mapping[str, str] = {
    "Correlation-ID header is missing": "Correlation-ID",
    "x-request-id is missing": "a number of the request",
}
NOT_SHOWN_FOR = [
    "Not found. Please send this request id to support: 7f3a",
    "Name is missing. Request ID: 5512",
    "Name is missing, and Request ID: 5512",
    "Precondition failed: the segment is archived",
    "The signature of your contract has ended",
]


@pytest.mark.parametrize("words", ASKED_FOR)
def test_what_is_not_sent_is_found_in_words_that_miss_it(words: str):
    assert not_sent_in(words) == ASKED_FOR[words]


@pytest.mark.parametrize("words", NOT_SHOWN_FOR)
def test_nothing_that_is_not_sent_is_found_in_words_that_only_name_it(words: str):
    assert not_sent_in(words) == ""
