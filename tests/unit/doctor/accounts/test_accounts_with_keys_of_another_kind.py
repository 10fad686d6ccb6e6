"""
Accounts that say why they refuse a key. The campaign key gets a 403 that names an address, or a
423, and segments can be read: *Not ready*, Account. A 403 says that keys are of another tile: they
are to be swapped if each is accepted in the other's place; if the data key stands in the place of
the campaign key, the campaign key is to be pasted, whatever stands in the data key's place; if the
campaign key stands in both, the data key is *Not proved*. A key that expires within the reads is
*Not proved*, with its words; a revoked one *Not ready*, with those of a header. If only one file
gets a 403, with a missing scope, its path is *Not proved*; if the data key has used up its quota
after one read, the data key is. If any key gets the files, and a made-up key only meets a node
without the list (404), the campaign key is *Not proved*. Unknown keys that get a 404 leave an
account *Ready*. Nothing is proposed.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    ALTERED,
    KEYS,
    NOT_PROVED,
    NOT_READY,
    READY,
    Row,
    challenge,
    check_not_wrong,
    check_open,
    check_proposed,
    check_verdict,
    data_quota,
    expires,
    hides_from_strangers,
    keyless,
    of_another_tile,
    only_path,
    only_request,
)
from support.doctor_service import (
    Account,
    error_reply,
    not_found,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Topic

ACCOUNTS = [
    Row(
        "a campaign key with an allow-list, and segments that any key may read",
        lambda: Account(
            lambda call: (
                not_found("segment")
                if call.path.startswith("/v3/")
                else error_reply(403, "ip-not-allowed", "192.0.2.9 is not allowed.")
                if call.key == "campaign"
                else None
            )
        ),
        NOT_READY,
        (Topic.ACCOUNT.value, "Segments (/v3) can be read;", "'192.0.2.9 is not allowed'. So the"),
    ),
    Row(
        "keys swapped, told by a 403",
        lambda: Account(of_another_tile(campaign="data", data="campaign")),
        NOT_READY,
        (Topic.CAMPAIGN_KEY.value, "403 other-tile: 'Another tile'", "swap Campaign API key and"),
    ),
    Row(
        "the data key in both places",
        lambda: Account(of_another_tile(campaign="data", data="data")),
        NOT_READY,
        (Topic.CAMPAIGN_KEY.value, "403 other-tile", "but it is accepted as Data API key: paste"),
    ),
    Row(
        "the data key as campaign key, and a revoked data key",
        lambda: Account(of_another_tile(campaign="data", data="unknown")),
        NOT_READY,
        (Topic.CAMPAIGN_KEY.value, "403 other-tile", "but it is accepted as Data API key: paste"),
    ),
    Row(
        "the campaign key in both places",
        lambda: Account(of_another_tile(campaign="campaign", data="campaign")),
        NOT_PROVED,
        (Topic.DATA_KEY.value, "403 other-tile", "and accepts it for coupons: it may be a key for"),
        not_sure=(Topic.DATA_KEY,),
    ),
    Row(
        "a campaign key with an allow-list",
        lambda: Account(
            lambda call: (
                error_reply(403, "ip-not-allowed", "192.0.2.9 is not allowed.")
                if call.key == "campaign"
                else None
            )
        ),
        NOT_READY,
        (Topic.ACCOUNT.value, "Segments (/v3) can be read;", "'192.0.2.9 is not allowed'. So the"),
    ),
    Row(
        "unknown keys get 404, as if nothing were there",
        lambda: Account(hides_from_strangers),
        READY,
    ),
    Row(
        "a key that expires, told by WWW-Authenticate",
        lambda: Account(
            expires(2, Reply(401, b"", {"WWW-Authenticate": challenge("It expired at noon")}))
        ),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, ALTERED, "refused (401) since", "came 'It expired at noon'"),
        not_sure=KEYS,
    ),
    Row(
        "a key that was revoked, told by another header",
        lambda: Account(
            lambda call: (
                Reply(401, b"", {"X-Error-Message": "Revoked."}) if call.key == "campaign" else None
            )
        ),
        NOT_READY,
        (Topic.CAMPAIGN_KEY.value, "Refused 3 times (401: 'Revoked'), though the Data API key is"),
    ),
    Row(
        "a key without a scope, told by WWW-Authenticate",
        lambda: Account(
            only_path("/files/", Reply(403, b"", {"WWW-Authenticate": challenge(scope="files")}))
        ),
        NOT_PROVED,
        (
            Topic.FILE_PATH.value,
            "replies 403",
            "'insufficient_scope, scope files'",
            "a key with what",
        ),
    ),
    Row(
        "a node without the list, that a made-up key meets, of a service that wants no key",
        lambda: Account(
            keyless(only_request(6, error_reply(404, "list-not-found", "No such list.")))
        ),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, "it gets 200, a made-up key 404 list-not-found"),
        not_sure=(Topic.CAMPAIGN_KEY,),
    ),
    Row(
        "a campaign key that is locked",
        lambda: Account(
            lambda call: (
                error_reply(423, "locked", "Until noon.") if call.key == "campaign" else None
            )
        ),
        NOT_READY,
        (Topic.ACCOUNT.value, "423 locked to each read with the Campaign API key, whatever its"),
    ),
    Row(
        "a quota of the data key",
        lambda: Account(data_quota(1)),
        NOT_PROVED,
        (Topic.DATA_KEY.value, "Not proved by a second read: the service replied 429 to the"),
        not_sure=(Topic.DATA_KEY, Topic.LIMITS),
    ),
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
