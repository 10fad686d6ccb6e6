"""
What the verdict says if the error of every read is about a quota, a maintenance or the account.

A quota is about the Rate limits, and *Not proved*, with 429 or 403, from the first read or after
five: one is to wait until the time that the words or Retry-After give. A maintenance, in a 404 with
Retry-After, is about the Account, *Not proved*, and waited for alike.

If the error says that the keys are of another workspace, or that the workspace is not in this
region, the Account is *Not ready* with 403 or 404: it names the login to put in, or the region to
find out. The same in a 401 is about the Campaign API key, *Not proved*, with the login to check. A
bill (402) is *Not ready* in the form that the contract shows and *Not proved* in another form; only
the service's support can help. If the error names a path that begins with the account, and a read
below it gets 200, the Address is *Not ready* with that path.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    WORKSPACE,
    Account,
    Call,
    error_reply,
    json_reply,
)
from support.doctor_verdicts import (
    Case,
    check,
    everywhere,
)
from support.servers import Reply


def used_up(after: int, message: str, **headers: str) -> Callable[[], Account]:
    """A quota that is used up after some requests."""
    late = error_reply(429, "quota", message, **headers)
    return lambda: Account(lambda call: late if call.number > after else None)


DAILY_LIMIT = error_reply(403, "dailyLimitExceeded", "It resets at 2026-11-27T08:00:00Z.")


def tenant_in_path() -> Account:
    """A gateway whose paths begin with the account."""

    def replies(call: Call) -> Reply:
        prefix = f"/t/{WORKSPACE}"
        if not call.path.startswith(prefix):
            return error_reply(404, "no-tenant", "No tenant in the path. Use /t/{tenant}/v1/...")
        return Account().reply(call._replace(path=call.path.removeprefix(prefix)))

    return Account(replies)


QUOTAS = [
    Case(
        "a daily quota that is used up",
        used_up(5, "Daily quota used up.", Retry_After="43200"),
        ("Not proved: Rate limits. Since", "'Daily quota used up'", "Tasks may be", "until"),
    ),
    Case(
        "a quota in a 403, after some reads",
        lambda: Account(lambda call: DAILY_LIMIT if call.number > 5 else None),
        ("Not proved: Rate limits. Since", "to each of", "resets at 2026", "Wait until then"),
    ),
    Case(
        "a quota in a 403 from the first read",
        everywhere(DAILY_LIMIT),
        ("Not proved: Rate limits. The service refused each of 3 reads", "Wait until then"),
    ),
    Case(
        "a maintenance in a 404",
        everywhere(error_reply(404, "away", "Under maintenance.", Retry_After="7200")),
        ("Not proved: Account. The service refused each of", "Wait until", "as its headers say"),
    ),
]


@pytest.mark.parametrize("row", QUOTAS, ids=ids(QUOTAS))
def test_a_quota_or_a_maintenance_is_to_be_waited_for_as_long_as_it_says(row: Case):
    check(row)


ACCOUNTS = [
    Case(
        "keys of another account",
        everywhere(
            error_reply(
                403,
                "mismatch",
                f"Issued for workspace other-shop, but the request names {WORKSPACE}.",
            )
        ),
        (
            "Not ready: Account.",
            f"is {WORKSPACE}: put other-shop there, or paste the keys of {WORKSPACE}",
        ),
    ),
    Case(
        "an account that is not there",
        everywhere(
            error_reply(404, "tenant-not-found", f"Tenant {WORKSPACE} is not in this region.")
        ),
        (
            "Not ready: Account.",
            "probably of another region: find out which one",
            "the Address to it",
        ),
    ),
    Case(
        "an account that is not there, as a refusal",
        everywhere(error_reply(401, "unknown-tenant", f"Tenant '{WORKSPACE}' does not exist.")),
        ("Not proved: Campaign API key. Refused", f"(login) is {WORKSPACE}: check it"),
    ),
    Case(
        "a bill, which is nothing to be done here",
        everywhere(error_reply(402, "past-due", f"Workspace {WORKSPACE} is suspended: invoice 7.")),
        ("Not ready: Account.", "invoice 7'. Ask the service's support."),
    ),
    Case(
        "a bill in another form",
        everywhere(json_reply(402, {"message": "Suspended: invoice 7."})),
        ("Not proved: Account.", "invoice 7'. Ask the service's support."),
    ),
    Case(
        "paths that have to begin with the account",
        tenant_in_path,
        ("Not ready: Address.", f"/t/{WORKSPACE}, a read gets 200: put that into the Address"),
    ),
]


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_words_about_the_account_say_which_login_place_or_bill_is_wrong(row: Case):
    check(row)
