"""
If the campaign key alone gets 403, the verdict takes the reason from the words: this machine's
address makes the Account *Not proved*, and tasks without coupons can run; a plan makes the campaign
key *Not ready*, for the support; a key that has expired makes it *Not ready*, with a new key to
make. If a 421 to the campaign key names another data center, the Address is *Not proved*, and that
the data key is refused is said, too.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_service import (
    UNAUTHENTICATED,
    WORKSPACE,
    Account,
    Call,
    check_says,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
)
from support.servers import Reply


class Known(NamedTuple):
    """What a service replies to the right campaign key with a 403, and what the verdict has."""

    says: str
    verdict: tuple[str, ...]


KNOWN = [
    Known(
        "Source address 203.0.113.77 is not in the allowlist",
        (
            "Not proved: Account. Segments (/v3) can be read; coupon lists and coupon files cannot",
            "the service or a gateway refused 4 of",
            "This machine's address 203.0.113",
            "Tasks that do without coupon lists and coupon files can run",
        ),
    ),
    Known(
        "Your subscription plan has no coupons.",
        ("Not ready: Campaign API key. The service replies 403", "Ask the service's support for"),
    ),
    Known("The key expired in May.", ("Not ready: Campaign API key. Refused", "make a new key")),
]


@pytest.mark.parametrize("row", KNOWN, ids=[row.says for row in KNOWN])
def test_a_403_with_the_campaign_key_alone_says_by_its_words_if_machine_plan_or_key_is_wrong(
    row: Known,
):
    def nasty(call: Call) -> Reply | None:
        return json_reply(403, {"message": row.says}) if call.key == "campaign" else None

    report = examined_account(Account(nasty))
    check_what_holds_of_each_report(report)
    check_says(report.verdict, row.verdict)


def test_a_wrong_data_key_is_shown_beside_what_keeps_the_campaign_key():
    def nasty(call: Call) -> Reply:
        if call.path.startswith("/v3/") or call.key != "campaign":
            return json_reply(401, UNAUTHENTICATED)
        return json_reply(421, {"message": f"{WORKSPACE} is in data center 04"})

    report = examined_account(Account(nasty))
    check_says(
        report.verdict, ("Not proved: Address.", "data center 04", "Data API key is refused")
    )
