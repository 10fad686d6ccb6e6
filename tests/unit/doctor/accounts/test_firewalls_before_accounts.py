"""
If each read gets a 403 with a firewall's page or text, such as Cloudflare's or "error code: 1010",
the verdict names a firewall, says to change no key, and hands over what support looks it up by: an
identifier of the text, such as a Reference, or the header CF-RAY. If no response comes any more
after the first made-up key, the service may shut out this machine: no second made-up key is sent,
and at most eight requests are sent in all.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    Account,
    Call,
    examined_account,
    page_reply,
)
from support.doctor_verdicts import (
    Case,
    check,
    everywhere,
    text_reply,
)
from support.servers import Reply

FIREWALLS = [
    Case(
        "a firewall that is about the client",
        everywhere(page_reply(403, "<h1>Error 1010</h1>Cloudflare: your browser's signature")),
        (
            "A firewall before the service may keep these requests out",
            "whether it keeps out their addresses or their User-Agent (airflow-provider-wes)",
        ),
        ("this machine",),
    ),
    Case(
        "a firewall that says its number alone",
        everywhere(text_reply(403, "error code: 1010", "text/plain", **{"CF-RAY": "8f2c-FRA"})),
        (
            "Account. The service or a gateway replies 403 to each read",
            "A firewall may keep these requests out. Change no key",
            "Hand over what it names: cf-ray 8f2c-FRA.",
        ),
        ("Ask the service's support",),
    ),
    Case(
        "a page of a web server that names what support asks for",
        everywhere(page_reply(403, "<h1>Access Denied</h1>Reference #18.4a5b6c7d.1700")),
        ("change no key", "Hand over what it names: Reference 18.4a5b6c7d.1700."),
    ),
]


@pytest.mark.parametrize("case", FIREWALLS, ids=ids(FIREWALLS))
def test_a_firewall_is_named_by_its_page_or_text_with_what_it_says_of_itself(case: Case):
    check(case)


def test_no_further_made_up_key_is_sent_once_no_response_comes():
    def replies(call: Call) -> Reply | None:
        if any(earlier.key == "unknown" for earlier in account.calls[: call.number - 1]):
            return Reply(0, b"")
        return None

    account = Account(replies)

    report = examined_account(account)

    assert "it may shut out this machine" in report.verdict
    assert [call.key for call in account.calls].count("unknown") == 1
    assert len(account.calls) <= 8
