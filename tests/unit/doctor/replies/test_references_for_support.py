"""
What support looks a refusal up by is named once each, in the order of the words: the identifier,
with a digit in it, after Ray ID, request id, incident number, reference and the like. Then comes
this machine's IP address, if a word such as "your", "client", "source" or "requests from" stands
before it. A network such as 203.0.113.0/24, an address without such a word, and "support id: none"
are not named.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

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
