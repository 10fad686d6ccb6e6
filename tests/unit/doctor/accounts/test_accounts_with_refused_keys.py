"""
Accounts that refuse a key. If each key is accepted in the other's place, the verdict says to swap
them. If one key is refused and the other one accepted, that key is *Not ready*, and to be pasted
again. If the campaign key gets a 403, it is *Not ready*: it has no access to coupons. If both are
refused, it is *Not proved*: the workspace or its header may be wrong, or a gateway refuses
everybody, and no key is sure. If refusals are a 403 as for paths that do not exist, or have status
200, the data key or the segment is *Not proved*; so is a data key that is redirected to where made-up
keys are, which is to be pasted again. Nothing is proposed.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    FORBIDDEN,
    KEYS,
    NOT_PROVED,
    NOT_READY,
    Row,
    check_not_wrong,
    check_open,
    check_proposed,
    check_verdict,
    redirect,
    refusals_as_200,
    refusals_as_403,
    refuse,
    refuse_campaign_key,
    refuse_data_key,
    swapped_keys,
)
from support.doctor_service import (
    Account,
    Call,
    json_reply,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Topic


def sends_to_login(call: Call) -> Reply | None:
    """A service that sends whoever it does not let in to its login; the data key has expired."""
    reply = Account().reply(call)
    is_refused = reply.status == 401 or call.key == "data"
    return redirect("/login?next=/", 302) if is_refused else None


ACCOUNTS = [
    Row(
        "the data key sent to a login, as made-up keys are",
        lambda: Account(sends_to_login),
        NOT_PROVED,
        (
            Topic.DATA_KEY.value,
            "a made-up key gets the same (302)",
            "A made-up key for coupons is sent there, too, and the Campaign API key is not, so the "
            "service seems to refuse keys so: paste the Data API key again, and change no path",
        ),
        not_sure=(Topic.DATA_KEY,),
    ),
    Row(
        "keys swapped",
        lambda: Account(swapped_keys),
        NOT_READY,
        (Topic.CAMPAIGN_KEY.value, "swap Campaign API key and Data API key"),
    ),
    Row(
        "the campaign key wrong",
        lambda: Account(refuse_campaign_key),
        NOT_READY,
        (Topic.CAMPAIGN_KEY.value, "though the Data API key is accepted: paste it again"),
    ),
    Row(
        "the data key wrong",
        lambda: Account(refuse_data_key),
        NOT_READY,
        (Topic.DATA_KEY.value, "though the Campaign API key is accepted: paste it again"),
    ),
    Row(
        "both refused",
        lambda: Account(refuse),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, "Workspace identifier or Workspace header may be wrong, or a"),
        not_sure=(*KEYS, Topic.DATA_KEY),
    ),
    Row(
        "refused by a proxy's JSON",
        lambda: Account(lambda _: json_reply(401, {"error": "proxy_auth_required"})),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, "or a gateway refuses everybody"),
        not_sure=(*KEYS, Topic.DATA_KEY, Topic.ADDRESS),
    ),
    Row(
        "no access",
        lambda: Account(
            lambda call: json_reply(403, FORBIDDEN) if call.key == "campaign" else None
        ),
        NOT_READY,
        (Topic.CAMPAIGN_KEY.value, "no access to coupons (403 request-forbidden: 'No access')"),
    ),
    Row(
        "403 for everything refused",
        lambda: Account(refusals_as_403),
        NOT_PROVED,
        (
            Topic.DATA_KEY.value,
            "it gets 403: 'Missing Authentication Token', and a made-up key 403: 'Forbidden'",
        ),
        not_sure=(Topic.DATA_KEY,),
    ),
    Row("refusals with status 200", lambda: Account(refusals_as_200), NOT_PROVED, ("Segment",)),
]


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_the_verdict_names_the_cause_first(row: Row):
    check_verdict(row)


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_no_other_settings_are_proposed_than_replies_show(row: Row):
    check_proposed(row)


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_nothing_is_sure_that_replies_leave_open(row: Row):
    check_open(row)


NOT_WRONG = [row for row in ACCOUNTS if row.state is not NOT_READY]


@pytest.mark.parametrize("row", NOT_WRONG, ids=ids(NOT_WRONG))
def test_nothing_is_wrong_of_an_account_that_is_ready_or_not_proved(row: Row):
    check_not_wrong(row)
