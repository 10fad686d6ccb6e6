"""
What a reply can settle follows from its status and its body. A 2xx with an array, an object, null
or no body is an answer, also with an error; an error about credentials is a refusal. A 2xx with a
page, text, a number, binary, other XML or broken JSON is not the service's. A redirect with a
location leads elsewhere; 304, 407 and a redirect without one are not the service's. A 401 is a
refusal, whatever its body. 408, 425, 429, 499, each 5xx and no response are about the moment,
whatever their body. Any other 4xx is an answer, also with text or binary, unless it is a page or
XML that is no error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.doctor.replies.probes import (
    Kind,
    Probe,
    Question,
)

REQUEST = Request("list_coupon_files", "GET", "https://api.example.com/v1/l/files", {"A": "w"})
DATE = 1_800_000_000.0


def probe_of(status: int, body: bytes = b"", **headers: str) -> Probe:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    response = Response(status, named, body)
    return Probe(Question.LIST, REQUEST, response=response, sent_at=DATE)


class Reading(NamedTuple):
    """A response, and what it can settle."""

    name: str
    status: int
    body: bytes
    kind: Kind
    headers: Mapping[str, str] = {}


SUCCESSES = [
    Reading("an array", 200, b"[]", Kind.ANSWER),
    Reading("an object", 200, b'{"data": []}', Kind.ANSWER),
    Reading("a file of an array that has an error", 200, b'[{"error": "bad"}]', Kind.ANSWER),
    Reading("a file that has an error", 200, b'{"_id": "f", "error": "bad"}', Kind.ANSWER),
    Reading("an error", 200, b'{"error": {"code": "oops"}}', Kind.ANSWER),
    Reading(
        "an error about credentials",
        200,
        b'{"error": {"code": "invalid-api-key"}}',
        Kind.REFUSED,
    ),
    Reading("an XML error about credentials", 200, b"<error>Invalid API key</error>", Kind.REFUSED),
    Reading("no body, of a 200", 200, b"", Kind.ANSWER),
    Reading("no body, of a 204", 204, b"", Kind.ANSWER),
    Reading("null", 200, b"null", Kind.ANSWER),
    Reading("a number", 200, b"7", Kind.NOT_SERVICE),
    Reading("text", 200, b"OK", Kind.NOT_SERVICE),
    Reading("a page", 200, b"<html>", Kind.NOT_SERVICE),
    Reading("XML that is no error", 200, b"<?xml version='1.0'?><files/>", Kind.NOT_SERVICE),
    Reading("binary", 200, b"\x00\x01", Kind.NOT_SERVICE),
    Reading("JSON that is too deep", 200, b"[[[" * 10_000, Kind.NOT_SERVICE),
    Reading("JSON that breaks off", 200, b'[{"_id": "f", "sta', Kind.NOT_SERVICE),
]


@pytest.mark.parametrize("row", SUCCESSES, ids=[row.name for row in SUCCESSES])
def test_a_2xx_settles_what_its_body_says(row: Reading):
    assert probe_of(row.status, row.body).kind == row.kind


OTHERS = [
    Reading("302 with a location", 302, b"", Kind.ELSEWHERE, {"location": "/login"}),
    Reading("302 without a location", 302, b"", Kind.NOT_SERVICE),
    Reading("304", 304, b"", Kind.NOT_SERVICE),
    Reading("400 with no words", 400, b"{}", Kind.ANSWER),
    Reading("401 without a body", 401, b"", Kind.REFUSED),
    Reading("401 with a page", 401, b"<html>", Kind.REFUSED),
    Reading("403 with JSON", 403, b'{"error": {"code": "request-forbidden"}}', Kind.ANSWER),
    Reading("403 with a page", 403, b"<html>", Kind.NOT_SERVICE),
    Reading("404 with JSON", 404, b'{"error": {"code": "not-found"}}', Kind.ANSWER),
    Reading("404 with an XML error", 404, b"<error>No route</error>", Kind.ANSWER),
    Reading("404 with other XML", 404, b"<?xml version='1.0'?><files/>", Kind.NOT_SERVICE),
    Reading("404 with text", 404, b"not found", Kind.ANSWER),
    Reading("404 with binary", 404, b"\x00\x01", Kind.ANSWER),
    Reading("404 with a page", 404, b"<html>", Kind.NOT_SERVICE),
    Reading("407", 407, b"", Kind.NOT_SERVICE),
    Reading("429 with JSON", 429, b"{}", Kind.NOT_NOW),
    Reading("503 with a page", 503, b"<html>", Kind.NOT_NOW),
    *(Reading(str(status), status, b"", Kind.ANSWER) for status in (409, 424, 426, 428, 498)),
    *(Reading(str(status), status, b"", Kind.NOT_NOW) for status in (408, 425, 429, 499)),
    *(Reading(str(status), status, b"", Kind.NOT_NOW) for status in (500, 599)),
    Reading("no response", 0, b"", Kind.NOT_NOW),
]


@pytest.mark.parametrize("row", OTHERS, ids=[row.name for row in OTHERS])
def test_a_response_that_is_no_2xx_settles_what_its_status_says_unless_it_is_a_page(row: Reading):
    """Of a 401, a 429 and a 5xx, the status counts though it is a page."""
    assert probe_of(row.status, row.body, **row.headers).kind == row.kind
