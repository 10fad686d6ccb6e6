"""
Whole sentences and codes of refusals, in English and German, are about this machine, a quota, a
maintenance, a scope, a plan, a key that has ended or the path, and the advice follows from that;
words such as "page limit", "locked" or "zip codes" are about nothing, and so is a sentence that
says that credentials may be missing, too. The other account that a sentence names is read if it is
about accounts that do not match, and not if an account is suspended or has no access. Numbers of
data centers are read after words for a place, not from eu-west-1, "3 cells" or "podcast 12". Words
ask for something if they have "please", "must", "required" or a command; a bare refusal does not.
What does not exist is known in any spelling of "not found", "no such", "no route", "unknown path".
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.remedies import (
    asks_for_something,
    data_centers_in,
    names_account,
    other_account,
)
from wes_provider.doctor.subjects import Kind, Subject, subject_of
from wes_provider.doctor.words import (
    says_not_found,
)


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
    Refusal("", "Not available: your country is not allowed", Subject.MACHINE, KEPT_OUT, LET_IN),
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


class DataCenters(NamedTuple):
    """Words, and the numbers of data centers in them."""

    words: str
    numbers: list[str]


DATA_CENTERS = [
    DataCenters("homed in dc3.", ["3"]),
    DataCenters("in data center 3", ["3"]),
    DataCenters("DC-03, region 114", ["03", "114"]),
    DataCenters("in region eu-west-1", []),
    DataCenters("lives in cell 03 (Frankfurt); this is cell 01", ["03", "01"]),
    DataCenters("on shard #7", ["7"]),
    DataCenters("Pod eu-04 has it", ["04"]),
    DataCenters("moved to stack 12", ["12"]),
    DataCenters("stamp: 5", ["5"]),
    DataCenters("in 3 cells", []),
    DataCenters("podcast 12", []),
    DataCenters("error 3", []),
]


@pytest.mark.parametrize("row", DATA_CENTERS, ids=[row.words for row in DATA_CENTERS])
def test_the_numbers_of_data_centers_are_read(row: DataCenters):
    assert data_centers_in(row.words) == row.numbers


class OtherAccount(NamedTuple):
    """Words, whether they are about the account, and the other account that they name."""

    words: str
    is_about_account: bool
    other: str


OTHER_ACCOUNTS = [
    OtherAccount(
        "This key was issued for workspace acme-eu, not for acme-us.",
        is_about_account=True,
        other="acme-eu",
    ),
    OtherAccount(
        "Key belongs to tenant 'b2', but the request is for tenant acme-us",
        is_about_account=True,
        other="b2",
    ),
    OtherAccount("workspace-mismatch", is_about_account=True, other=""),
    OtherAccount(
        "Organization acme-us was not found in this region.", is_about_account=True, other=""
    ),
    OtherAccount("The API key is of another project.", is_about_account=True, other=""),
    OtherAccount(
        "Workspace acme-us is suspended: invoice INV-2231 is unpaid.",
        is_about_account=False,
        other="",
    ),
    OtherAccount("The account has no access to coupons.", is_about_account=False, other=""),
    OtherAccount("No such app.", is_about_account=False, other=""),
]


@pytest.mark.parametrize("row", OTHER_ACCOUNTS, ids=[row.words for row in OTHER_ACCOUNTS])
def test_an_account_that_keys_are_not_of_is_told_from_other_reasons(
    row: OtherAccount,
):
    assert names_account(row.words) is row.is_about_account
    assert not row.is_about_account or other_account(row.words, "acme-us") == row.other


class Asking(NamedTuple):
    """Words, and whether they ask for something."""

    words: str
    asks: bool


ASKING = [
    Asking("Please accept the terms.", asks=True),
    Asking("This is a test key. Create a live one.", asks=True),
    Asking("The key must be renewed.", asks=True),
    Asking("Bitte zuerst den Vertrag annehmen.", asks=True),
    Asking("coupons:read is required", asks=True),
    Asking("Forbidden", asks=False),
    Asking("The user is not authorized.", asks=False),
    Asking("The order set is closed.", asks=False),
    Asking("", asks=False),
]


@pytest.mark.parametrize("row", ASKING, ids=[row.words for row in ASKING])
def test_words_ask_for_something_unless_they_only_refuse(row: Asking):
    assert asks_for_something(row.words) is row.asks


NOT_FOUND = [
    Tells(
        True,
        [
            "Not found",
            "NOT_FOUND",
            "no-such file",
            "It does not exist.",
            "no route",
            "unknown path",
        ],
    ),
    Tells(False, ["", "found", "not", "exists", "unknown"]),
]


@pytest.mark.parametrize(("value", "expected"), each_of(NOT_FOUND))
def test_words_for_what_does_not_exist_are_known_in_any_spelling(value: Any, expected: Any):
    assert says_not_found(value) == expected
