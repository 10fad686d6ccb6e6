"""
If a 429 comes from the fifth read on, Rate limits are *Not proved*: a reset of 39,600 says to wait
for about 11 hours, if it means seconds, and another header of the limit is quoted. If reads of
segments get 429 with a reset in five days, as seconds or a date in Retry-After, or in a header of a
reset as a time since 1970 or a date (one in 2030 is too far away to count), the verdict has the
date, "in 5 days" and the words of the quota.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest

from support.doctor_service import (
    Account,
    Call,
    check_says,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
)
from support.servers import Reply
from support.skipping_clock import CLOCK


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
            "its limit lasts for about 11 hours, if x-ratelimit-reset: 39600 means seconds",
            "x-quota-limit: 1000/day",
            "Wait until then",
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
    now = datetime.fromtimestamp(CLOCK.time(), timezone.utc)
    end = now + timedelta(days=5, minutes=30)
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
    check_what_holds_of_each_report(report)
    check_says(report.verdict, (f"{end:%Y-%m}", "in 5 days", "'1000 calls used'", "until then"))
