"""
If all replies are JSON after a prefix, such as ")]}'", the Records are wrong, and the Address is
not blamed. If they are encoded otherwise than was asked for, such as br, the Address is *not
proved*, and may be right. If plain text comes with status 200, the Address is wrong, and the text
is quoted. If what replies takes HTTPS only, the verdict says to write https:// in the Address: it
is wrong if a page says that plain HTTP came to an HTTPS port, or an error's code is ssl-required,
and *not proved* after a 426 whose Upgrade names TLS.
"""

from __future__ import annotations

import json

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    json_reply,
    page_reply,
    record,
)
from support.doctor_verdicts import (
    Case,
    check,
    everywhere,
    text_reply,
)

FILES = json.dumps([record("f1")])
UNREADABLE = [
    Case(
        "JSON after a prefix, at an address that is right",
        everywhere(text_reply(200, f")]}}'\n{FILES}", "application/json")),
        ("Not ready: Records. The service replies with JSON after", "ask its support", "no key"),
        ("Check the address",),
    ),
    Case(
        "a reply in an encoding that was not asked for",
        everywhere(text_reply(200, "\x8b\x0f", "application/json", **{"Content-Encoding": "br"})),
        ("Not proved: Address. The reply is encoded as br", "the Address may be right"),
        ("Check the address",),
    ),
]


@pytest.mark.parametrize("case", UNREADABLE, ids=ids(UNREADABLE))
def test_json_in_a_form_that_cannot_be_read_blames_no_address(case: Case):
    check(case)


def test_text_in_place_of_json_is_quoted():
    check(
        Case(
            "text that is quoted",
            everywhere(text_reply(200, "It works!")),
            ("Not ready: Address. Text came with status 200: 'It works!', which the",),
        )
    )


HTTPS = [
    Case(
        "a web server that takes HTTPS at this port",
        everywhere(
            page_reply(400, "<h1>The plain HTTP request was sent to HTTPS port</h1>"),
        ),
        ("Not ready: Address. What replied takes HTTPS only", "Write https:// in place of http://"),
        ("a login page",),
    ),
    Case(
        "an error that demands HTTPS",
        everywhere(json_reply(403, {"error": {"code": "ssl-required", "message": "Sorry."}})),
        ("Not ready: Address. The service replies 403 ssl-required", "Write https:// in place of"),
    ),
    Case(
        "an upgrade that is required",
        everywhere(text_reply(426, "Upgrade Required", Upgrade="TLS/1.2, HTTP/1.1")),
        ("Not proved: Address. The service or a gateway replies 426", "Write https:// in place of"),
    ),
]


@pytest.mark.parametrize("case", HTTPS, ids=ids(HTTPS))
def test_an_address_is_to_be_written_with_https_if_what_replies_wants_that(case: Case):
    check(case)
