"""
A page is a firewall's if it names one (Cloudflare, Incapsula, Imperva, Akamai, Edgesuite, Sucuri,
mod_security, "web application firewall"), if it says that a request was blocked or rejected, "you
have been blocked" or "your support id is", or if it has an error from 1000 to 1029, such as "error
1020". "Blocked" alone, and an error 1030 or 102, are not enough.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

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
