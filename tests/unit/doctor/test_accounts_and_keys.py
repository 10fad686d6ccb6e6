"""Accounts whose keys, headers or words keep the doctor out: the cause is named first, and no setting
is proposed or certain without proof.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    ALTERED,
    FORBIDDEN,
    KEYS,
    NOT_PROVED,
    NOT_READY,
    READY,
    Row,
    any_workspace,
    challenge,
    check_not_wrong,
    check_open,
    check_pasted,
    check_proposed,
    check_verdict,
    data_quota,
    demands,
    error,
    expires,
    from_request,
    hides_from_strangers,
    keyless,
    moved,
    objects,
    of_another_tile,
    only_path,
    only_request,
    refusals_as_200,
    refusals_as_403,
    refuse,
    refuse_campaign_key,
    refuse_data_key,
    soft,
    soft_refusal,
    soft_word,
    swapped_keys,
    wants_header,
)
from support.doctor_service import (
    Account,
    json_reply,
    not_found,
)
from support.servers import Reply
from wes_provider.doctor.findings import Topic

ACCOUNTS = [
    # -- errors in the body of a success
    Row(
        "errors with status 200 and a number, else healthy",
        lambda: Account(soft),
        NOT_PROVED,
        (Topic.SEGMENT.value, "Errors come with status 200 here"),
    ),
    Row(
        "errors with status 200 and a word, else healthy",
        lambda: Account(soft_word),
        NOT_PROVED,
        (Topic.SEGMENT.value, "Errors come with status 200 here"),
    ),
    Row(
        "a wrong key, told in the body of a 200",
        lambda: Account(lambda call: soft(call) if call.key != "campaign" else soft_refusal()),
        NOT_READY,
        (Topic.CAMPAIGN_KEY.value, "Refused 3 times (200 with statusCode 401: 'Invalid API key')"),
    ),
    Row(
        "a wrong key, told by a word in the body of a 200",
        lambda: Account(
            lambda call: (
                json_reply(200, {"ok": False, "error": "invalid_auth"})
                if call.key == "campaign"
                else soft_word(call)
            )
        ),
        NOT_READY,
        (Topic.CAMPAIGN_KEY.value, "Refused 3 times (200 with an error: 'invalid_auth')"),
    ),
    Row(
        "both keys wrong, told in the body of a 200",
        lambda: Account(lambda _: soft_refusal()),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, "(200 with statusCode 401: 'Invalid API key')", "check each"),
        not_sure=(*KEYS, Topic.DATA_KEY),
    ),
    Row(
        "maintenance begins, told in the body of a 200",
        lambda: Account(
            from_request(
                5,
                lambda _: json_reply(200, {"status": "maintenance", "message": "Back at 14:00."}),
            )
        ),
        NOT_PROVED,
        (Topic.LIST_PATH.value, ALTERED, "200 with an error since", "'Back at 14:00'"),
        not_sure=(Topic.LIST_PATH, Topic.FILE_PATH, Topic.STATUSES),
    ),
    # -- keys of another kind, and reasons of refusals
    Row(
        "a campaign key with an allow-list, and segments that any key may read",
        lambda: Account(
            lambda call: (
                not_found("segment")
                if call.path.startswith("/v3/")
                else error(403, "ip-not-allowed", "192.0.2.9 is not allowed.")
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
                error(403, "ip-not-allowed", "192.0.2.9 is not allowed.")
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
        lambda: Account(keyless(only_request(6, error(404, "list-not-found", "No such list.")))),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, "it gets 200, a made-up key 404 list-not-found"),
        not_sure=(Topic.CAMPAIGN_KEY,),
    ),
    Row(
        "a campaign key that is locked",
        lambda: Account(
            lambda call: error(423, "locked", "Until noon.") if call.key == "campaign" else None
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
    # -- credentials
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
    # -- the service's words
    Row(
        "a header that a 400 names",
        lambda: Account(
            wants_header("X-Tenant-Key", 400, "Header X-Tenant-Key is required"),
            header="X-Tenant-Key",
        ),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "The service names X-Tenant-Key, and accepts it"),
        {"workspace_header": "X-Tenant-Key"},
    ),
    Row(
        "a header that a 401 names",
        lambda: Account(
            wants_header("X-Tenant-Key", 401, "Missing X-Tenant-Key."), header="X-Tenant-Key"
        ),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "The service names X-Tenant-Key, and accepts it"),
        {"workspace_header": "X-Tenant-Key"},
    ),
    Row(
        "a header in another case",
        lambda: Account(wants_header("SVC-AppKey", 401, "Header SVC-AppKey is missing.")),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "The service names SVC-AppKey, and accepts it"),
        {"workspace_header": "SVC-AppKey"},
    ),
    Row(
        "a header that is named and does not help",
        lambda: Account(lambda _: json_reply(401, {"message": "Header X-Other is required"})),
        NOT_PROVED,
        (Topic.WORKSPACE_HEADER.value, "The service names X-Other, but a read with it gets no"),
        not_sure=KEYS,
    ),
    Row(
        "another usual header",
        lambda: Account(header="X-Account-Id"),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "takes the workspace from X-Account-Id"),
        {"workspace_header": "X-Account-Id"},
    ),
    # -- headers that are demanded besides
    Row(
        "a header besides, which a 400 names",
        lambda: Account(demands("X-Request-Source")),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "demands X-Request-Source besides SVC-APPKEY"),
    ),
    Row(
        "a header besides, which a 401 names",
        lambda: Account(demands("X-Trace", status=401)),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "demands X-Trace besides SVC-APPKEY"),
    ),
    Row(
        "a header besides, of which reads do not need the other",
        lambda: Account(demands("X-Request-Source", then=any_workspace)),
        NOT_READY,
        (
            Topic.WORKSPACE_HEADER.value,
            "demands X-Request-Source besides SVC-APPKEY",
            "whatever it has",
            "do not set it",
        ),
    ),
    Row(
        "a usual header that only has to be there",
        lambda: Account(
            demands("X-Client-Id", status=401, code="no", says="No.", then=any_workspace)
        ),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "demands X-Client-Id besides SVC-APPKEY"),
    ),
    Row(
        "two headers besides",
        lambda: Account(demands("X-One", "X-Two")),
        NOT_READY,
        (Topic.WORKSPACE_HEADER.value, "demands X-One, X-Two besides SVC-APPKEY"),
    ),
    Row(
        "a header besides, with a value that nobody knows",
        lambda: Account(demands("X-Channel", value="partner")),
        NOT_READY,
        (Topic.ACCOUNT.value, "400 missing-header to each read", "X-Channel"),
    ),
    Row(
        "the connection's header only has to be there",
        lambda: Account(demands("X-Request-Source", then=any_workspace)),
        NOT_PROVED,
        (
            Topic.WORKSPACE_HEADER.value,
            "the same with a made-up value in X-Request-Source",
            "Leave",
        ),
        extra={"workspace_header": "X-Request-Source"},
        not_sure=(Topic.WORKSPACE_HEADER,),
    ),
    Row(
        "the connection's header holds the workspace",
        lambda: Account(header="X-Tenant"),
        READY,
        extra={"workspace_header": "X-Tenant"},
        changed={},
    ),
    # -- the service's own explanation
    Row(
        "moved, with the path in the message",
        lambda: Account(
            moved("Moved. Use GET /v1/lists/{list}/all."), list_path="/v1/lists/spring/all"
        ),
        NOT_READY,
        (Topic.LIST_PATH.value, "The service names /v1/lists/{coupon_list_id}/all, which has 2"),
        {"paths.coupon_files": "/v1/lists/{coupon_list_id}/all"},
    ),
    Row(
        "moved, with a link to the successor",
        lambda: Account(
            moved("Gone.", Link='</v1/lists/spring/all>; rel="successor-version"'),
            list_path="/v1/lists/spring/all",
        ),
        NOT_READY,
        (Topic.LIST_PATH.value, "The service names /v1/lists/{coupon_list_id}/all, which has 2"),
        {"paths.coupon_files": "/v1/lists/{coupon_list_id}/all"},
    ),
    Row(
        "moved, without a path",
        lambda: Account(moved("Lists moved to the new interface, see our release notes.")),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "replies 410 gone", "'Lists moved to the new interface, see our"),
    ),
    Row(
        "another data center",
        lambda: Account(objects(421, "wrong-datacenter", "It is served by data center 3.")),
        NOT_READY,
        (
            Topic.ADDRESS.value,
            "421 wrong-datacenter to each read",
            "data center 3",
            "Set the Address to what",
        ),
    ),
    Row(
        "a bill that is not paid",
        lambda: Account(objects(402, "payment-required", "The subscription ended in May.")),
        NOT_READY,
        (Topic.ACCOUNT.value, "402 payment-required", "'The subscription ended in May'"),
    ),
    Row(
        "an account that is locked",
        lambda: Account(objects(423, "locked", "Locked by the administrator.")),
        NOT_READY,
        (Topic.ACCOUNT.value, "423 locked", "'Locked by the administrator'"),
    ),
    Row(
        "a version that is not supported",
        lambda: Account(objects(426, "upgrade", "Send the parameter api-version=2.")),
        NOT_READY,
        (Topic.ACCOUNT.value, "426 upgrade", "'Send the parameter api-version=2'"),
    ),
    Row(
        "a list that is archived",
        lambda: Account(only_path("/files", error(409, "archived", "The list is archived."))),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "replies 409 archived", "'The list is archived'"),
    ),
    Row(
        "files that have no record",
        lambda: Account(
            only_path("/files/", error(404, "coupon-file-not-found", "Only of the interface."))
        ),
        NOT_PROVED,
        (Topic.FILE_PATH.value, "404 coupon-file-not-found", "'Only of the interface'", "--upload"),
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


TO_PASTE = [row for row in ACCOUNTS if row.state is NOT_READY and row.changed]


@pytest.mark.weekly("the first run of each account has the extra that is printed")
@pytest.mark.parametrize("row", TO_PASTE, ids=ids(TO_PASTE))
def test_with_the_extra_that_is_printed_nothing_else_is_proposed(row: Row):
    check_pasted(row)
