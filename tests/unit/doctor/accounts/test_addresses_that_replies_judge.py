"""
If all replies are JSON after a prefix, such as ")]}'", the Records are wrong, and the Address is
not blamed. If they are encoded otherwise than was asked for, such as br, the Address is *not
proved*, and may be right. If plain text comes with status 200, the Address is wrong, and the text
is quoted.

If what replies takes HTTPS only, the verdict says to write https:// in the Address. The Address is
*wrong* if a page says that plain HTTP came to an HTTPS port, or if an error in the form that the
contract shows has the code ssl-required. It is *not proved* if plain text says so, if an error in
another form has that code, and after a 426 whose Upgrade names TLS: these may be of anybody.
"""

from __future__ import annotations

import json

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    check_says,
    error_reply,
    examined_account,
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
        (
            "Not ready: Records. The service replies with JSON after",
            "ask its support",
            "no key was judged",
        ),
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
def test_json_after_a_prefix_or_in_another_encoding_blames_no_address(case: Case):
    check(case)


def test_text_with_status_200_makes_the_address_wrong_and_is_quoted():
    report = examined_account(everywhere(text_reply(200, "It works!"))())
    check_says(
        report.verdict,
        ["Not ready: Address. Text came with status 200: 'It works!', which the"],
    )


PLAIN_HTTP_CAME = "The plain HTTP request was sent to HTTPS port"
WRITE_HTTPS = "Write https:// in place of http://"
WRONG_WITHOUT_HTTPS = [
    Case(
        "a web server that takes HTTPS at this port",
        everywhere(page_reply(400, f"<h1>{PLAIN_HTTP_CAME}</h1>")),
        ("Not ready: Address. What replied takes HTTPS only", WRITE_HTTPS),
        ("a login page",),
    ),
    Case(
        "an error that demands HTTPS, in the form that the contract shows",
        everywhere(error_reply(403, "ssl-required", "Sorry.")),
        ("Not ready: Address. The service replies 403 ssl-required", WRITE_HTTPS),
    ),
]


@pytest.mark.parametrize("case", WRONG_WITHOUT_HTTPS, ids=ids(WRONG_WITHOUT_HTTPS))
def test_an_address_is_wrong_if_a_page_or_an_error_of_the_service_wants_https(case: Case):
    check(case)


OPEN_WITHOUT_HTTPS = [
    Case(
        "plain text that says so",
        everywhere(text_reply(400, PLAIN_HTTP_CAME)),
        ("Not proved: Address. The service or a gateway replies 400", WRITE_HTTPS),
    ),
    Case(
        "an error that demands HTTPS, in another form",
        everywhere(json_reply(403, {"code": "ssl-required", "message": "Sorry."})),
        ("Not proved: Address. The service or a gateway replies 403 ssl-required", WRITE_HTTPS),
    ),
    Case(
        "an upgrade that is required",
        everywhere(text_reply(426, "Upgrade Required", Upgrade="TLS/1.2, HTTP/1.1")),
        ("Not proved: Address. The service or a gateway replies 426", WRITE_HTTPS),
    ),
]


@pytest.mark.parametrize("case", OPEN_WITHOUT_HTTPS, ids=ids(OPEN_WITHOUT_HTTPS))
def test_an_address_is_not_proved_if_what_anybody_may_reply_wants_https(case: Case):
    check(case)
