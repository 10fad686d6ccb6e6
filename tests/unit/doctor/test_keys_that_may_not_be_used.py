"""
A key that is known, and refused for another reason: the machine, the plan, the key's age, the data
center, or a quota. The verdict takes the reason from the words and the headers of the refusal.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import NamedTuple

import pytest

from support.doctor_service import (
    UNAUTHENTICATED,
    WORKSPACE,
    Account,
    Call,
    check_bounds,
    check_says,
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
    check_bounds(report)
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


def test_a_quota_says_until_when_it_lasts():
    late = Reply(
        429,
        b"Over daily quota",
        {"x-ratelimit-reset": "39600", "X-Quota-Limit": "1000/day", "Content-Type": "text/plain"},
    )
    report = examined_account(Account(lambda call: late if call.number > 4 else None))
    check_says(
        report.verdict,
        (
            "Not proved: Rate limits.",
            "x-quota-limit: 1000/day",
            "Wait for about 11 hours, if x-ratelimit-reset: 39600 means seconds",
        ),
    )


LONG_QUOTAS = [
    {"Retry-After": "435600"},
    {"Retry-After": "432000", "X-Quota-Reset": "2030-12-01T00:00:00Z"},
    {"X-RateLimit-Reset": "{epoch}", "X-RateLimit-Remaining": "0"},
    {"X-Quota-Reset": "{iso}"},
    {"Retry-After": "{http}"},
]


@pytest.mark.parametrize("headers", LONG_QUOTAS, ids=map(str, LONG_QUOTAS))
def test_a_quota_of_days_says_its_date_and_its_words(headers: dict[str, str]):
    end = datetime.now(timezone.utc) + timedelta(days=5, minutes=30)
    forms = {
        "epoch": f"{end.timestamp():.0f}",
        "iso": f"{end:%Y-%m-%dT%H:%M:%SZ}",
        "http": format_datetime(end, usegmt=True),
    }
    sent = {name: value.format(**forms) for name, value in headers.items()}

    def nasty(call: Call) -> Reply | None:
        if not call.path.startswith("/v3/"):
            return None
        return json_reply(429, {"error": {"code": "quota", "message": "1000 calls used."}}, **sent)

    report = examined_account(Account(nasty))
    check_bounds(report)
    check_says(report.verdict, (f"{end:%Y-%m}", "in 5 days", "'1000 calls used'", "until then"))
