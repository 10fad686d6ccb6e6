"""
Whole sentences and codes of refusals, in English and German, are about this machine, a quota, a
maintenance, a scope, a plan, a key that has ended, or the path, and the advice begins accordingly;
words about the path get none. "The page limit is 50", "locked", "subscription ended" and "zip
codes" are about nothing, and neither is a sentence that says that credentials may be missing, too.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from wes_provider.doctor.replies.subjects import Kind, Subject, subject_of


class Refusal(NamedTuple):
    """
    The code and the message of a refusal, and what follows from them.

    :ivar advice: what the advice begins with.
    """

    code: str
    message: str
    subject: Subject | None = None
    kind: Kind | None = None
    advice: str = ""


LET_IN = "This machine's address may not use it"
FOR_KEY = "Ask an administrator of the account for a key"
KEPT_OUT, NOT_NOW = Kind.KEPT_OUT, Kind.NOT_NOW
REFUSALS = [
    Refusal(
        "",
        "source address 203.0.113.77 is not in the allowlist",
        Subject.MACHINE,
        KEPT_OUT,
        "This machine's address 203.0.113.77",
    ),
    Refusal(
        "",
        "Request from 2001:db8::7 blocked: IP whitelist",
        Subject.MACHINE,
        KEPT_OUT,
        "This machine's address 2001:db8::7 may",
    ),
    Refusal("ip-not-allowed", "", Subject.MACHINE, KEPT_OUT, LET_IN),
    Refusal("", "Ihre IP-Adresse nicht freigegeben", Subject.MACHINE, KEPT_OUT, LET_IN),
    Refusal("", "deny in a resource-based policy", Subject.MACHINE, KEPT_OUT, LET_IN),
    Refusal("", "Blocked by the web application firewall", Subject.MACHINE, KEPT_OUT, LET_IN),
    Refusal(
        "",
        "Not available: your country is not allowed",
        Subject.PLACE,
        KEPT_OUT,
        "It refuses the place that requests come from",
    ),
    Refusal("", "Credentials are missing, or your IP is not allowed"),
    Refusal("dailyLimitExceeded", "", Subject.QUOTA, NOT_NOW, "Wait, or ask"),
    Refusal(
        "", "Quota exhausted. It resets at 2026-11-27.", Subject.QUOTA, NOT_NOW, "Wait until th"
    ),
    Refusal("QUOTA_EXCEEDED", "", Subject.QUOTA, NOT_NOW, "Wait, or ask the service's support"),
    Refusal("", "Kontingent verbraucht.", Subject.QUOTA, NOT_NOW, "Wait, or ask"),
    Refusal("", "The page limit is 50."),
    Refusal("invalid-request", "limit must be between 1 and 100"),
    Refusal(
        "", "Scheduled maintenance until 06:00 UTC", Subject.MAINTENANCE, NOT_NOW, "Wait until t"
    ),
    Refusal("", "We are in maintenance", Subject.MAINTENANCE, NOT_NOW, "Wait until it is over"),
    Refusal(
        "read-only", "The service is now read-only.", Subject.MAINTENANCE, NOT_NOW, "Wait unti"
    ),
    Refusal("", "Insufficient scope: requires coupons:write", Subject.SCOPE, None, FOR_KEY),
    Refusal("", "This API key is read-only.", Subject.SCOPE, None, FOR_KEY),
    Refusal(
        "", "Your plan does not include it", Subject.PLAN, None, "Ask the service's support for"
    ),
    Refusal("", "The API key has expired", Subject.KEY, Kind.REFUSED, "Make a new key"),
    Refusal("", "No tenant in the path. Use /t/{tenant}/v1/", Subject.PATH),
    Refusal(
        "",
        "explicit deny in an identity-based policy",
        Subject.SCOPE,
        advice="Ask an administrator of the account",
    ),
    Refusal("", "Locked by the administrator."),
    Refusal("", "The subscription ended in May."),
    Refusal("", "zip codes are missing"),
    Refusal("", ""),
]


@pytest.mark.parametrize("row", REFUSALS, ids=[f"{row.code}{row.message}" for row in REFUSALS])
def test_what_a_refusal_is_about_follows_from_its_words(row: Refusal):
    found = subject_of(row.code, row.message)
    assert (found.subject if found else None) is row.subject
    assert (found.kind if found else None) is row.kind
    advice = found.what_to_do(row.message, "") if found else ""
    assert advice.startswith(row.advice)
    assert bool(advice) is bool(row.advice)
