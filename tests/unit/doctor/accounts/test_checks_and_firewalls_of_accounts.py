"""
If a cookie check or a firewall keeps programs out, the verdict is about the Account, and neither an
address nor a key is to be changed. A check that a cookie passes is *Not ready*, and the cookie is
shown nowhere; a page that lets browsers pass, and a firewall's page, are *Not proved*. What a
firewall names, such as a Ray ID, is to be handed over.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.doctor_effects import Case, check
from support.doctor_service import (
    Account,
    Call,
    page_reply,
)
from support.servers import Reply


def without_cookie(reply: Callable[[Call], Reply]) -> Callable[[], Account]:
    """A check that lets pass who has any cookie."""
    return lambda: Account(lambda call: None if "Cookie" in call.headers else reply(call))


COOKIE = "Zk81"
CHALLENGE = "<title>One moment</title><script>document.cookie='a=1'</script>Checking your browser"
FIREWALL = (
    "<title>Access denied</title><h1>Error 1020</h1><p>Ray ID: 8f2c61d0 &bull; Your IP: 203.0.113.7"
)
GATEWAYS = [
    Case(
        "a cookie check",
        without_cookie(
            lambda call: Reply(
                307, b"", {"Location": f"{call.path}?c=1", "Set-Cookie": f"v={COOKIE}; P"}
            )
        ),
        ("Not ready: Account. A cookie or bot check", "With the cookie, a read gets 200", "exempt"),
        absent=(COOKIE, "Check the address"),
    ),
    Case(
        "a page that lets browsers pass",
        lambda: Account(lambda _: Reply(200, CHALLENGE.encode(), {"Content-Type": "text/html"})),
        (
            "Not proved: Account. A cookie or bot check",
            "'One moment'",
            "ask whoever runs it to exempt",
            "no address",
        ),
    ),
    Case(
        "a firewall",
        lambda: Account(lambda _: page_reply(403, FIREWALL)),
        (
            "Not proved: Account. A firewall",
            "change no key",
            "Hand over what it names: Ray ID 8f2c61d0, IP address",
        ),
    ),
]


@pytest.mark.parametrize("case", GATEWAYS, ids=[case.name for case in GATEWAYS])
def test_a_cookie_check_or_a_firewall_that_keeps_programs_out_is_of_the_account_and_no_key(
    case: Case,
):
    check(case)
