"""
A page is a firewall's if it names one (Cloudflare, Incapsula, Imperva, Akamai, Edgesuite, Sucuri,
mod_security, "web application firewall"), says that a request was blocked or rejected, or "you have
been blocked", or has an error from 1000 to 1029, such as "error 1020"; "blocked" alone is not
enough. What support looks a refusal up by is named once each, in the order of the words: an
identifier with a digit after a word such as Ray ID, request id, incident number or reference; then
this machine's IP address, if words such as "your", "client" or "requests from" stand before it,
unless it is a network, such as 203.0.113.0/24. A refusal is bare if it has no other words than
those that refuse, such as "403: access denied!", or no words at all.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor import remedies

FROM = (
    "request",
    "requests",
    "access",
    "calls",
    "traffic",
    "connections",
    "client",
    "source",
    "remote",
    "you",
    "your",
)
IS_FIREWALL = [
    Tells(True, ["Protected by Cloudflare"]),
    Tells(
        True,
        [
            "Cloudflare",
            "incapsula",
            "imperva",
            "akamai",
            "edgesuite",
            "sucuri",
            "mod_security",
            "web application firewall",
            "request blocked",
            "request is blocked",
            "request was rejected",
            "request has been blocked",
            "requested url was rejected",
            "you have been blocked",
            "your support id is",
            "error 1020",
            "error 1009",
            "error 1010",
            "error 1000",
            "error 1029",
        ],
    ),
    Tells(
        False,
        ["", "error 1030", "error 102", "error 10201", "blocked", "url rejected"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_FIREWALL))
def test_words_of_a_firewalls_page_are_known(text: str, expected: Any):
    assert remedies.is_firewall(text) == expected


REFERENCES_IN = [
    Tells(
        "IP address 203.0.113.7",
        [*(f"Blocked {word} from 203.0.113.7" for word in FROM), "So your ip:  203.0.113.7"],
    ),
    Tells(
        "IP address 2001:db8:0:0:0:0:0:7",
        ["Your IP 2001:db8:0:0:0:0:0:7"],
    ),
    Tells("", ["requests from 203.0.113.0/24", "others from 203.0.113.7"]),
    Tells("Ray ID 7a-b8", ["Ray ID: 7a-b8", "Ray ID: is 7a-b8."]),
    *(
        Tells(f"{name} a1b", [f"See {name}: a1b."])
        for name in (
            "request id",
            "support-id",
            "incident number",
            "event no",
            "trace no.",
            "error #",
            "reference ID",
            "correlation id",
            "block id",
            "case number",
            "transaction id",
            "reference",
            "incident",
            "supportid",
        )
    ),
    Tells(
        "incident 12, Ray ID 9x, IP address 203.0.113.7",
        ["incident #12, Ray ID: 9x; incident 12. Your IP is 203.0.113.7"],
    ),
    Tells(
        "IP address 203.0.113.7",
        ["Your IP address: 203.0.113.7", "client ip 203.0.113.7/"],
    ),
    Tells("", ["", "support id: none", "202.0.113.7", "Ray: 12"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(REFERENCES_IN))
def test_what_support_looks_a_refusal_up_by_is_named_once(text: str, expected: Any):
    assert remedies.references_in(text) == expected


IS_BARE_REFUSAL = [
    Tells(
        True,
        [
            "",
            "Forbidden",
            "403: access denied!",
            "AccessDenied",
            "error: request is not allowed",
            "was blocked",
            "rejected",
        ],
    ),
    Tells(False, ["Forbidden key", "404", "denied for you"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_BARE_REFUSAL))
def test_a_refusal_that_says_nothing_else_is_bare(text: str, expected: Any):
    assert remedies.is_bare_refusal(text) == expected
