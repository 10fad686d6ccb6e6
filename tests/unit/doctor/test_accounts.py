"""
Accounts as gateways and hosted services have them: no wrong setting, no certainty that is wrong,
and the cause named first.
"""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from email.utils import formatdate
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    CAMPAIGN_KEY,
    FILES_PATH,
    LIST,
    UNAUTHENTICATED,
    WORKSPACE,
    Account,
    Call,
    about,
    check_bounds,
    examined,
    examined_account,
    json_reply,
    not_found,
    nothing_nasty,
    page_reply,
    record,
)
from support.servers import Reply, replying
from support.skipping_clock import CLOCK
from wes_provider.client.responses import Response
from wes_provider.doctor import header as header_facts
from wes_provider.doctor import redirects
from wes_provider.doctor.evidence import Evidence, list_at
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.probes import Probe, Question
from wes_provider.doctor.report import Report, State
from wes_provider.settings import WesSettings

READY, NOT_READY, NOT_PROVED = State.READY, State.NOT_READY, State.NOT_PROVED
FORBIDDEN = {"error": {"code": "request-forbidden", "message": "No access."}}
THREE = (record("a"), record("b"), record("c"))
LIST_TEMPLATE = "/v1/coupon-list/{coupon_list_id}/files"
FILE_TEMPLATE = f"{LIST_TEMPLATE}/{{coupon_file_id}}"

Nasty = Callable[[Call], Reply | None]


def refuse(_: Call) -> Reply:
    return json_reply(401, UNAUTHENTICATED)


def refuse_campaign_key(call: Call) -> Reply | None:
    return refuse(call) if call.key == "campaign" else None


def refuse_data_key(call: Call) -> Reply | None:
    return refuse(call) if call.key == "data" else None


def without_last_file(call: Call) -> Reply | None:
    return Account(records=[record("f1")]).reply(call)


def no_file(call: Call) -> Reply | None:
    return not_found("file") if "/files/" in call.path else None


def limited(**headers: str) -> Reply:
    return json_reply(429, {"error": {"code": "rate-limited", "message": "Slow down."}}, **headers)


def nodes(*replies: Nasty) -> Nasty:
    """Nodes behind one address, which reply in turn."""
    return lambda call: replies[(call.number - 1) % len(replies)](call)


def from_request(number: int, reply: Nasty) -> Nasty:
    return lambda call: reply(call) if call.number >= number else None


def only_request(number: int, reply: Reply) -> Nasty:
    return lambda call: reply if call.number == number else None


def only_path(part: str, reply: Reply) -> Nasty:
    return lambda call: reply if part in call.path and call.key == "campaign" else None


def any_list_is_empty(call: Call) -> Reply | None:
    is_list = call.path.endswith("/files") and call.path.startswith("/v1/coupon-list/")
    return json_reply(200, {"data": []}) if is_list and call.key == "campaign" else None


def only_read_of_list(number: int, reply: Reply) -> Nasty:
    reads = itertools.count(1)

    def nasty(call: Call) -> Reply | None:
        is_list = call.path == FILES_PATH and call.key == "campaign"
        return reply if is_list and next(reads) == number else None

    return nasty


def wants_header(name: str, status: int, message: str) -> Nasty:
    """A gateway in front of the account that wants a header, in this spelling."""

    def nasty(call: Call) -> Reply | None:
        if name in dict(call.headers.items()):
            return None
        code = "missing-header" if status == 400 else "request-unauthenticated"
        return json_reply(status, {"error": {"code": code, "message": message}})

    return nasty


def swapped_keys(call: Call) -> Reply:
    other = {"campaign": "data", "data": "campaign"}.get(call.key, call.key)
    return Account().reply(call._replace(key=other))


def page_of(size: int) -> Nasty:
    """A list in pages of a size, by the parameter ``limit``, with a link to the next page."""

    def nasty(call: Call) -> Reply | None:
        if call.path != FILES_PATH or call.key != "campaign":
            return None
        limit = int(parse_qs(call.query).get("limit", [str(size)])[0])
        link = {"Link": f'<{FILES_PATH}?limit={limit}&offset={limit}>; rel="next"'}
        return json_reply(200, THREE[:limit], **(link if limit < len(THREE) else {}))

    return nasty


def with_clock_ahead(seconds: float) -> Nasty:
    """A 429 of a service whose clock differs, with a window that resets in a second."""

    def nasty(call: Call) -> Reply | None:
        now = CLOCK.time() + seconds
        if call.number != 3:
            return None
        return limited(
            x_ratelimit_limit="5",
            x_ratelimit_remaining="0",
            x_ratelimit_reset=str(int(now) + 1),
            Date=formatdate(now, usegmt=True),
        )

    return nasty


def keeps_to_limits() -> Nasty:
    """A list that may be read once in a second, and says so; who comes too early is refused."""
    allowed_at = 0.0

    def nasty(call: Call) -> Reply | None:
        nonlocal allowed_at
        if not call.path.startswith("/v1/"):
            return None
        now = CLOCK.time()
        if call.path == FILES_PATH and now < allowed_at:
            return limited()
        reply = Account().reply(call)
        if call.path == FILES_PATH:
            allowed_at = int(now) + 1
        stated = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(now) + 1)}
        return reply if call.path != FILES_PATH else Reply(reply.status, reply.body, stated)

    return nasty


def in_charset(charset: str) -> Nasty:
    def nasty(call: Call) -> Reply | None:
        if call.path != FILES_PATH or call.key != "campaign":
            return None
        records = [record("f1"), record("f2", "FAILED", error="Müll")]
        body = json.dumps(records, ensure_ascii=False).encode(charset)
        return Reply(200, body, {"Content-Type": f"application/json; charset={charset}"})

    return nasty


def zipped(call: Call) -> Reply:
    reply = Account().reply(call)
    headers = {**reply.headers, "Content-Encoding": "gzip"}
    return Reply(reply.status, gzip.compress(reply.body), headers)


def refusals_as_403(call: Call) -> Reply:
    """A cloud's gateway: 403 for wrong keys, and another 403 for paths that it does not have."""
    reply = Account().reply(call)
    if reply.status == 401:
        return json_reply(403, {"message": "Forbidden"})
    if reply.status == 404:
        return json_reply(403, {"message": "Missing Authentication Token"})
    return reply


def refusals_as_200(call: Call) -> Reply:
    reply = Account().reply(call)
    return Reply(200, reply.body) if reply.status == 401 else reply


def pages_for_no_path(call: Call) -> Reply:
    """A framework that has a web page for paths that it does not have."""
    reply = Account(list_path=f"/v1/coupon-list/{LIST}/coupon-files").reply(call)
    return page_reply(404) if reply.status == 404 and call.key == "campaign" else reply


LOGIN = "https://login.example.net/authorize?state=1"
GARBLED = b'[{"_id": "f1", "coupons_list_id": "spring", "status": "\xdcBERNOMMEN"}]'
UNNAMED = [
    {name: value for name, value in record(name).items() if name != "coupons_list_id"}
    for name in ("f1", "f2")
]
OF_OTHERS = [record("f8", coupons_list_id="winter"), record("f9", coupons_list_id="autumn")]


def to_login(call: Call) -> Reply | None:
    """A single sign-on in front of all that the account does not have, or does not let in."""
    reply = Account().reply(call)
    return redirect(LOGIN, 302) if reply.status in (401, 404) and call.key != "data" else None


def error(status: int, code: str, message: str, **headers: str) -> Reply:
    return json_reply(status, {"error": {"code": code, "message": message}}, **headers)


def any_workspace(call: Call) -> Reply:
    """A gateway that takes the workspace from the credentials."""
    return Account().reply(call._replace(headers={"SVC-APPKEY": WORKSPACE}))


def demands(
    *names: str,
    status: int = 400,
    code: str = "missing-header",
    says: str = "Required headers: {}.",
    value: str = "",
    then: Nasty = nothing_nasty,
) -> Nasty:
    """A gateway in front of the account that demands headers besides that of the workspace."""

    def nasty(call: Call) -> Reply | None:
        sent = [call.headers.get(name) for name in names]
        if all(text and text.endswith(value) for text in sent):
            return then(call)
        return error(status, code, says.format(", ".join(names)))

    return nasty


def any_list(call: Call) -> Reply | None:
    """A report of all files, whichever list is named."""
    return (
        Account(records=UNNAMED).reply(call._replace(path=FILES_PATH))
        if (call.path in ("/v1/coupon-list/wes-doctor/files", "/v1/coupon-lists/wes-doctor/files"))
        else None
    )


def moved(message: str, **headers: str) -> Nasty:
    def nasty(call: Call) -> Reply | None:
        is_old = call.path.startswith(FILES_PATH) and call.key == "campaign"
        return error(410, "gone", message, **headers) if is_old else None

    return nasty


def objects(status: int, code: str, message: str) -> Nasty:
    """A service that lets the keys in, and objects to everything."""
    return lambda call: None if call.key == "unknown" else error(status, code, message)


def locks(number: int, reply: Reply, *later: Reply) -> Nasty:
    """
    A service that locks the account after made-up keys.

    :param reply: what comes then; ``later`` after that, the last of them to all that follows.
    """
    made_up = itertools.count(1)
    replies = itertools.chain([reply], later, itertools.repeat((reply, *later)[-1]))
    is_locked = False

    def nasty(call: Call) -> Reply | None:
        nonlocal is_locked
        if is_locked:
            return next(replies)
        is_locked = call.key == "unknown" and next(made_up) >= number
        return None

    return nasty


def expires(number: int, reply: Reply | None = None) -> Nasty:
    """A campaign key that is accepted a few times."""
    reads = itertools.count(1)
    refusal = reply or json_reply(401, UNAUTHENTICATED)
    return lambda call: refusal if call.key == "campaign" and next(reads) > number else None


def challenge(reason: str = "", scope: str = "") -> str:
    """A header WWW-Authenticate with a reason, or with a scope that the key lacks."""
    if scope:
        return f'Bearer realm="api", error="insufficient_scope", scope="{scope}"'
    return f'Bearer realm="api", error="invalid_token", error_description="{reason}"'


def of_another_tile(*, campaign: str, data: str) -> Nasty:
    """
    A service that replies 403 to a key for other operations.

    :param campaign: which key the connection has as campaign API key; ``data`` likewise.
    """

    def nasty(call: Call) -> Reply | None:
        wanted = "data" if call.path.startswith("/v3/") else "campaign"
        key = {"campaign": campaign, "data": data}.get(call.key, call.key)
        if key in ("unknown", wanted):
            return Account().reply(call._replace(key=key))
        return error(403, "other-tile", "Another tile.")

    return nasty


def hides_from_strangers(call: Call) -> Reply | None:
    is_known = call.key == ("data" if call.path.startswith("/v3/") else "campaign")
    return None if is_known else error(404, "nothing", "There is nothing.")


def keyless(nasty: Nasty) -> Nasty:
    """Reads of coupons with any key."""

    def reply(call: Call) -> Reply | None:
        if not call.path.startswith("/v1/"):
            return None
        return nasty(call) or Account().reply(call._replace(key="campaign"))

    return reply


def data_quota(number: int) -> Nasty:
    """A data key that may be used a few times an hour."""
    reads = itertools.count(1)
    late = limited(Retry_After="3600")
    return lambda call: late if call.key == "data" and next(reads) > number else None


def soft_refusal() -> Reply:
    return json_reply(
        200, {"success": False, "statusCode": 401, "message": "Invalid API key", "data": None}
    )


def soft(call: Call) -> Reply:
    """A service whose errors have status 200, and a number in the body."""
    reply = Account().reply(call)
    if reply.status == 200:
        return json_reply(200, {"success": True, "data": json.loads(reply.body)})
    if reply.status == 401:
        return soft_refusal()
    return json_reply(200, {"success": False, "statusCode": reply.status, "message": "None."})


def soft_word(call: Call) -> Reply:
    """A service whose errors have status 200, and a word in the body."""
    reply = Account().reply(call)
    if reply.status == 200:
        return json_reply(200, {"ok": True, "data": json.loads(reply.body)})
    words = {401: "invalid_auth", 404: "not_found"}
    return json_reply(200, {"ok": False, "error": words[reply.status]})


def maintenance(**headers: str) -> Reply:
    page = "<html><head><title>Maintenance planifiée</title></head></html>".encode("cp1252")
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(503, page, {"Content-Type": "text/html; charset=windows-1252", **named})


def page_at_most(most: int) -> Nasty:
    """A list in pages of one, whose parameter ``limit`` is bounded, and not named by the body."""

    def nasty(call: Call) -> Reply | None:
        if call.path != FILES_PATH or call.key != "campaign":
            return None
        size = int(parse_qs(call.query).get("limit", ["1"])[0])
        if size > most:
            return json_reply(422, {"errors": [{"status": "422", "detail": f"at most {most}"}]})
        page = {"perPage": size, "totalItems": len(THREE)}
        return json_reply(200, {"data": THREE[:size], "meta": {"page": page}})

    return nasty


def without_list(call: Call) -> Reply | None:
    is_of_list = call.path.startswith(FILES_PATH) and call.key == "campaign"
    return error(404, "list-not-found", "No such list.") if is_of_list else None


def in_page_object(name: str) -> Callable[[], Account]:
    """A list in pages of one, whose body names the parameter of a page's size."""

    def nasty(call: Call) -> Reply | None:
        if call.path != FILES_PATH or call.key != "campaign":
            return None
        size = int(parse_qs(call.query).get(name, ["1"])[0])
        page = {name: min(size, 500), "totalElements": len(THREE)}
        return json_reply(200, {"data": THREE[:size], "page": page})

    return lambda: Account(nasty, records=THREE)


def redirect(target: str, status: int = 308) -> Reply:
    return json_reply(status, {}, Location=target)


def only_get(path: str, reply: Reply) -> Nasty:
    return lambda call: reply if call.path == path and call.method == "GET" else None


ELSEWHERE = f"/v1/lists/{LIST}"
WITH_SLASH = {
    "paths": {"coupon_files": f"{LIST_TEMPLATE}/", "coupon_file": f"{FILE_TEMPLATE}/"},
}


def with_slash(call: Call) -> Reply | None:
    """A service whose coupon paths have a slash at the end: reads without it are redirected."""
    if call.path.endswith("/") or call.path.startswith("/v3/"):
        return None
    return redirect(f"{call.path}/", 301) if call.method == "GET" else page_reply(500)


class Row(NamedTuple):
    """
    An account, and what has to be reported of it.

    :ivar says: what the verdict has, in this order.
    :ivar changed: the settings that are proposed.
    :ivar extra: of the connection.
    :ivar not_sure: what must not be sure.
    """

    name: str
    account: Callable[[], Account]
    state: State
    says: tuple[str, ...] = ()
    changed: Mapping[str, Any] = {}
    extra: Mapping[str, Any] = {}
    not_sure: tuple[Topic, ...] = ()


KEYS = (Topic.CAMPAIGN_KEY, Topic.WORKSPACE_HEADER)
ALTERED = "The service gave two answers to the same request, "
ALTERED_BEFORE_IT = "The service and something before it gave two answers to the same request, "
ACCOUNTS = [
    Row("healthy", Account, READY, ("Ready, as far as reads show: ", "uploads were not tried.")),
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
    # -- maintenance
    Row(
        "maintenance begins, with a page and Retry-After",
        lambda: Account(from_request(5, lambda _: maintenance(Retry_After="7200"))),
        NOT_PROVED,
        (
            "Address. After 4 reads, since",
            "replied 503 to each of 4 requests: 'Maintenance planifiée'",
            "Run this again after",
            "as its headers say",
        ),
        not_sure=(Topic.ADDRESS, Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.FILE_PATH),
    ),
    Row(
        "a gateway that replies to every second request",
        lambda: Account(nodes(nothing_nasty, lambda _: error(504, "timeout", "Too late."))),
        NOT_PROVED,
        (Topic.ADDRESS.value, "6 of 12 replies were 504", "Change no setting"),
        not_sure=(Topic.ADDRESS, Topic.CAMPAIGN_KEY, Topic.DATA_KEY),
    ),
    Row(
        "the connection is lost from the fifth request on",
        lambda: Account(from_request(5, lambda _: Reply(0, b""))),
        NOT_PROVED,
        ("Address. After 4 reads, since", "none of 4 requests got a whole response"),
        not_sure=(Topic.ADDRESS, Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.FILE_PATH),
    ),
    Row(
        "a firewall that shuts out who sends a made-up key",
        lambda: Account(locks(1, Reply(0, b""))),
        NOT_PROVED,
        (
            "Address. After 4 reads, since",
            "none of ",
            "got a whole response",
            "A made-up key came just before, so it may shut out this machine: do not run this",
        ),
        not_sure=(Topic.ADDRESS, Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.FILE_PATH),
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
    # -- statuses that are no words
    Row(
        "numbers as statuses",
        lambda: Account(records=[record("f1", 7), record("f2", 9)]),
        NOT_READY,
        (Topic.FILE_PATH.value, "It has the file with status 7, but the provider reads a string"),
    ),
    Row(
        "objects as statuses",
        lambda: Account(records=[record("f1", {"code": "DONE"})]),
        NOT_READY,
        (Topic.FILE_PATH.value, 'with status {"code":"DONE"}, but the provider reads a string'),
    ),
    Row(
        "statuses under another name",
        lambda: Account(records=[record("f1", None, state="DONE")]),
        NOT_READY,
        (Topic.FILE_PATH.value, 'with state "DONE", but the provider reads a string under status'),
    ),
    Row(
        "no statuses at all",
        lambda: Account(records=[record("f1", None)]),
        NOT_READY,
        (Topic.FILE_PATH.value, "its record has no status"),
    ),
    Row(
        "numbers as statuses in the list only",
        lambda: Account(list_body=lambda records: [{**file, "status": 7} for file in records]),
        NOT_PROVED,
        (Topic.STATUSES.value, "Files have status 7 in the list, but a status that the provider"),
        not_sure=(Topic.STATUSES,),
    ),
    # -- nodes and keys that change
    Row(
        "the first of two nodes refuses a rotated key",
        lambda: Account(nodes(refuse_campaign_key, nothing_nasty)),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, ALTERED, "refused (401", "then accepted (200)"),
        not_sure=KEYS,
    ),
    Row(
        "the second of two nodes refuses a rotated key",
        lambda: Account(nodes(nothing_nasty, refuse_campaign_key)),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, ALTERED),
        not_sure=KEYS,
    ),
    Row(
        "one of three nodes refuses everything",
        lambda: Account(nodes(nothing_nasty, nothing_nasty, refuse)),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, ALTERED),
        not_sure=KEYS,
    ),
    Row(
        "the key expires meanwhile",
        lambda: Account(from_request(5, refuse)),
        NOT_PROVED,
        (Topic.ACCOUNT.value, "which it accepted before (401", "Do not run this again at once"),
        not_sure=(*KEYS, Topic.DATA_KEY, Topic.LIST_PATH, Topic.FILE_PATH),
    ),
    Row(
        "one of three nodes is behind",
        lambda: Account(nodes(nothing_nasty, without_last_file, nothing_nasty)),
        NOT_PROVED,
        (Topic.LIST_PATH.value, ALTERED, "200 with 2 files", "then 200 with 1 file, without f2"),
        not_sure=(Topic.LIST_PATH, Topic.STATUSES, Topic.COUNTS),
    ),
    Row(
        "the last read of the list lacks a file",
        lambda: Account(only_read_of_list(3, json_reply(200, [record("f1")]))),
        NOT_PROVED,
        (Topic.LIST_PATH.value, ALTERED, "200 with 2 files at first", "without f2 since"),
        not_sure=(Topic.LIST_PATH, Topic.STATUSES, Topic.COUNTS),
    ),
    Row(
        "a status to be proposed, of a list that loses a file",
        lambda: Account(
            only_read_of_list(2, json_reply(200, [record("f1", "IMPORTED")])),
            records=[record("f1", "IMPORTED"), record("f2", "IMPORTED")],
        ),
        NOT_PROVED,
        (ALTERED, "without f2"),
        not_sure=(Topic.LIST_PATH, Topic.STATUSES, Topic.COUNTS),
    ),
    Row(
        "one of two nodes does not know the file",
        lambda: Account(nodes(nothing_nasty, no_file)),
        NOT_PROVED,
        (Topic.FILE_PATH.value, ALTERED, "accepted (200) at first, 404 not-found since"),
        not_sure=(Topic.FILE_PATH,),
    ),
    # -- limits
    Row(
        "429 to each read",
        lambda: Account(lambda _: limited()),
        NOT_PROVED,
        (Topic.ADDRESS.value, "the service replied 429 to each of 3 requests"),
        not_sure=tuple(Topic),
    ),
    Row(
        "429 from the third read on",
        lambda: Account(from_request(3, lambda _: limited())),
        NOT_PROVED,
        ("Rate limits. Since ", "the service replied 429 to each of "),
        not_sure=(Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.LIST_PATH, Topic.FILE_PATH),
    ),
    Row(
        "429 that is over in five minutes",
        lambda: Account(
            lambda call: limited(Retry_After="300") if call.path.startswith("/v1/") else None
        ),
        NOT_PROVED,
        ("the service replied 429 to the request (its limit resets at ",),
        not_sure=tuple(Topic),
    ),
    Row(
        "429 once, with Retry-After",
        lambda: Account(only_request(1, limited(Retry_After="1"))),
        READY,
    ),
    Row("429, clock ahead", lambda: Account(with_clock_ahead(600)), READY),
    Row("429, clock behind", lambda: Account(with_clock_ahead(-600)), READY),
    Row("a limit that has to be kept", lambda: Account(keeps_to_limits()), READY),
    Row("503 once", lambda: Account(only_request(1, page_reply(503))), READY),
    Row("a reset once", lambda: Account(only_request(2, Reply(0, b""))), READY),
    Row(
        "503 always",
        lambda: Account(lambda _: page_reply(503)),
        NOT_PROVED,
        (Topic.ADDRESS.value, "the service replied 503 to each of 2 requests"),
        not_sure=tuple(Topic),
    ),
    # -- shapes
    Row(
        "records without _id",
        lambda: Account(
            records=[{"id": "a", "status": "DONE"}, {"id": "b", "status": "DONE"}],
            list_body=lambda records: {"data": {"items": records}},
        ),
        NOT_READY,
        (Topic.RECORDS.value, "2 objects under data.items without _id"),
    ),
    Row(
        "a number as _id",
        lambda: Account(records=[{"_id": 7, "status": "DONE"}]),
        NOT_READY,
        (Topic.RECORDS.value, "1 object without a usable _id"),
    ),
    Row(
        "identifiers only",
        lambda: Account(list_body=lambda _: {"data": {"items": ["f1", "f2"]}}),
        NOT_READY,
        (Topic.LIST_PATH.value, "2 strings under data.items, but the provider reads an array"),
    ),
    Row(
        "files by identifier",
        lambda: Account(list_body=lambda records: {file["_id"]: file for file in records}),
        NOT_READY,
        (Topic.LIST_PATH.value, "an object without an array"),
    ),
    Row(
        "files deep below",
        lambda: Account(list_body=lambda records: {"x": {"files": records}}),
        NOT_READY,
        (Topic.LIST_PATH.value, "the files under x.files, but the provider reads an array"),
    ),
    Row(
        "another charset",
        lambda: Account(in_charset("latin-1")),
        READY,
    ),
    Row("zipped", lambda: Account(zipped), READY),
    # -- pages
    Row(
        "a link to a next page, whatever the size",
        lambda: Account(list_headers={"Link": f'<{FILES_PATH}?per_page=2&page=2>; rel="next"'}),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "names a next page; per_page=1000 does not show all"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "a total above the length",
        lambda: Account(list_body=lambda records: {"data": records[:1], "total": 2}),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "a part of the list only", "1 of 2 files"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "pages of one, in an object that names its size",
        in_page_object("size"),
        NOT_READY,
        (Topic.LIST_PATH.value, "with size=500, it has all of it, which is enough up to 500"),
        {"paths.coupon_files": f"{LIST_TEMPLATE}?size=500"},
    ),
    Row(
        "pages of one, in an object with another name",
        in_page_object("perPage"),
        NOT_READY,
        (Topic.LIST_PATH.value, "with perPage=500, it has all of it, which is enough up to 500"),
        {"paths.coupon_files": f"{LIST_TEMPLATE}?perPage=500"},
    ),
    Row(
        "pages of one, of another parameter",
        in_page_object("chunk"),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "1 of 3 files; limit=1000 does not show all", "Ask the"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "a status in bytes that are no text",
        lambda: Account(
            lambda call: (
                only_path(FILES_PATH, Reply(200, GARBLED))(call)
                if call.path == FILES_PATH
                else None
            )
        ),
        NOT_PROVED,
        (Topic.STATUSES.value, "cannot be read: its bytes are not text in the charset"),
        not_sure=(Topic.STATUSES,),
    ),
    Row(
        "pages of one",
        lambda: Account(page_of(1), records=THREE),
        NOT_READY,
        (Topic.LIST_PATH.value, "with limit=1000, it has all of it"),
        {"paths.coupon_files": f"{LIST_TEMPLATE}?limit=1000"},
    ),
    Row(
        "pages of one, in an object with another name than the parameter",
        lambda: Account(page_at_most(1000), records=THREE),
        NOT_READY,
        (Topic.LIST_PATH.value, "with limit=1000, it has all of it"),
        {"paths.coupon_files": f"{LIST_TEMPLATE}?limit=1000"},
    ),
    Row(
        "pages of a hundred at most, which a refusal says",
        lambda: Account(page_at_most(100), records=THREE),
        NOT_READY,
        (
            Topic.LIST_PATH.value,
            "with limit=100, it has all of it, which is enough up to 100 files; there are 3",
        ),
        {"paths.coupon_files": f"{LIST_TEMPLATE}?limit=100"},
    ),
    Row(
        "pages of two at most of three",
        lambda: Account(page_at_most(2), records=THREE),
        NOT_PROVED,
        (
            Topic.LIST_PATH.value,
            "1 of 3 files; perPage=1000 does not show all, limit=1000 gets 422: 'at most 2'. Use",
        ),
        not_sure=(Topic.LIST_PATH,),
    ),
    # -- statuses
    Row(
        "one status for success and failure",
        lambda: Account(
            records=[record("f1", "OVER"), record("f2", "OVER", error="bad", coupons_added=0)]
        ),
        NOT_PROVED,
        (Topic.STATUSES.value, "OVER cannot be told apart: failure or success"),
    ),
    Row(
        "a reason beside a success",
        lambda: Account(records=[record("f1"), record("f2", error="no header", coupons_added=0)]),
        NOT_PROVED,
        (Topic.STATUSES.value, "1 of 2 files", "the service names: 'no header'"),
    ),
    Row(
        "an unknown status beside a reason",
        lambda: Account(records=[record("f1"), {"_id": "f2", "status": "BROKEN", "error": "bad"}]),
        NOT_PROVED,
        (Topic.STATUSES.value, "BROKEN seems to mean failure (file f2: the service names 'bad')"),
        {
            "coupon_file_statuses.failure": [
                *("BROKEN", "CANCELLED", "ERROR", "EXPIRED", "FAILED", "FAILURE", "REJECTED")
            ]
        },
    ),
    Row(
        "nothing but files on their way",
        lambda: Account(records=[record("f1", "PENDING")]),
        NOT_PROVED,
        (Topic.STATUSES.value, "Only PENDING in the list"),
    ),
    Row(
        "an unknown stage, which is harmless",
        lambda: Account(records=[record("f1"), record("f2", "VALIDATING")]),
        READY,
        changed={
            "coupon_file_statuses.pending": [
                *("IN_PROGRESS", "PENDING", "PROCESSING", "QUEUED", "RUNNING", "VALIDATING")
            ]
        },
    ),
    # -- paths
    Row(
        "a slash at the list's end",
        lambda: Account(
            lambda call: redirect(f"{FILES_PATH}/") if call.path == FILES_PATH else None,
            list_path=f"{FILES_PATH}/",
        ),
        NOT_READY,
        (Topic.LIST_PATH.value, f"The service names {LIST_TEMPLATE}/, which has 2 files"),
        {"paths.coupon_files": f"{LIST_TEMPLATE}/"},
    ),
    Row(
        "a slash at each path's end, which is set",
        lambda: Account(with_slash, list_path=f"{FILES_PATH}/", file_path=f"{FILES_PATH}/{{id}}/"),
        NOT_PROVED,
        (
            Topic.UPLOAD.value,
            f"A read of {FILES_PATH} is redirected (301). Uploads go to that path, too, and no "
            "setting changes it",
        ),
        extra=WITH_SLASH,
        not_sure=(Topic.UPLOAD,),
    ),
    Row(
        "uploads moved, and lists elsewhere",
        lambda: Account(only_get(FILES_PATH, redirect("/v2/uploads", 307)), list_path=ELSEWHERE),
        NOT_PROVED,
        (Topic.UPLOAD.value, f"A read of {FILES_PATH} is redirected (307)"),
        extra={"paths": {"coupon_files": "/v1/lists/{coupon_list_id}"}},
        not_sure=(Topic.UPLOAD,),
    ),
    Row(
        "the path of uploads not read, and lists elsewhere",
        lambda: Account(list_path=ELSEWHERE),
        READY,
        ("Ready, as far as reads show: ",),
        extra={"paths": {"coupon_files": "/v1/lists/{coupon_list_id}"}},
    ),
    Row(
        "the path of uploads not readable, and lists elsewhere",
        lambda: Account(
            only_get(FILES_PATH, error(405, "method-not-allowed", "POST only.")),
            list_path=ELSEWHERE,
        ),
        READY,
        ("Ready, as far as reads show: ",),
        extra={"paths": {"coupon_files": "/v1/lists/{coupon_list_id}"}},
    ),
    Row(
        "reads of the path of uploads led to a login page, and lists elsewhere",
        lambda: Account(only_get(FILES_PATH, redirect(LOGIN, 302)), list_path=ELSEWHERE),
        NOT_PROVED,
        (
            Topic.UPLOAD.value,
            f"A read of {FILES_PATH} is redirected (302 to https://login.example.net/authorize). Uploads go to that path, too",
        ),
        extra={"paths": {"coupon_files": "/v1/lists/{coupon_list_id}"}},
    ),
    Row(
        "a slash at the file's end",
        lambda: Account(
            lambda call: redirect(f"{call.path}/") if call.path == f"{FILES_PATH}/f1" else None,
            file_path=f"{FILES_PATH}/{{id}}/",
        ),
        NOT_READY,
        (Topic.FILE_PATH.value, f"The service names {FILE_TEMPLATE}/"),
        {"paths.coupon_file": f"{FILE_TEMPLATE}/"},
    ),
    Row(
        "the file nowhere",
        lambda: Account(file_path="/v9/{id}"),
        NOT_PROVED,
        (Topic.FILE_PATH.value, "None of these paths shows a file of the list"),
    ),
    Row(
        "the file forbidden",
        lambda: Account(only_path("/files/f1", json_reply(403, FORBIDDEN))),
        NOT_PROVED,
        (Topic.FILE_PATH.value, "replies 403 request-forbidden", "The path may be right"),
    ),
    Row(
        "another path beside web pages",
        lambda: Account(pages_for_no_path, file_path=f"{FILES_PATH}/{{id}}"),
        NOT_READY,
        (Topic.LIST_PATH.value, "It is /v1/coupon-list/{coupon_list_id}/coupon-files"),
        {"paths.coupon_files": "/v1/coupon-list/{coupon_list_id}/coupon-files"},
    ),
    Row(
        "404 to a list without files",
        lambda: Account(only_path("/files", not_found("such list")), records=[]),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "replies so to a list without files: name a list with files"),
    ),
    Row(
        "an empty list, and any other one as well",
        lambda: Account(any_list_is_empty, records=[]),
        NOT_PROVED,
        (
            Topic.LIST_PATH.value,
            f"has no file, and a list that does not exist gets the same, so {LIST} may not exist",
            "before anything is uploaded into it",
        ),
    ),
    Row(
        "an empty list",
        lambda: Account(records=[]),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "has no file, so it may list something else"),
    ),
    Row(
        "an empty list at another path",
        lambda: Account(records=[], list_path=f"/v1/coupon-list/{LIST}/coupon-files"),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "coupon-files has no file", "name a list with files"),
        {"paths.coupon_files": "/v1/coupon-list/{coupon_list_id}/coupon-files"},
        not_sure=(Topic.LIST_PATH,),
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
    # -- not the service
    Row(
        "a web page to the second read only",
        lambda: Account(only_request(2, page_reply(200))),
        NOT_PROVED,
        (
            Topic.DATA_KEY.value,
            ALTERED_BEFORE_IT,
            "a web page that is not the service's (200) at first",
        ),
        not_sure=(Topic.DATA_KEY,),
    ),
    Row(
        "a web page to the second read of the list",
        lambda: Account(only_read_of_list(2, page_reply(200))),
        NOT_PROVED,
        (Topic.ADDRESS.value, ALTERED_BEFORE_IT, "accepted (200)", "a web page"),
        not_sure=(Topic.ADDRESS, *KEYS, Topic.LIST_PATH),
    ),
    Row(
        "half of a JSON",
        lambda: Account(only_path("/files", Reply(200, b'[{"_id": "f1", "sta'))),
        NOT_PROVED,
        (Topic.ADDRESS.value, "JSON that cannot be read came with status 200"),
        not_sure=tuple(Topic),
    ),
    Row(
        "another workspace",
        lambda: Account(
            lambda _: json_reply(
                403, {"error": {"code": "mismatch", "message": "SVC-APPKEY is of another account"}}
            )
        ),
        NOT_READY,
        (
            Topic.ACCOUNT.value,
            "403 mismatch to each read",
            "'SVC-APPKEY is of another account'. SVC-APPKEY holds the Workspace identifier: check",
        ),
    ),
    Row(
        "a workspace of another form",
        lambda: Account(objects(400, "invalid-header", "Header SVC-APPKEY has small letters only")),
        NOT_READY,
        (Topic.ACCOUNT.value, "has small letters only'. SVC-APPKEY holds the Workspace identifier"),
    ),
    Row(
        "made-up keys blocked by a web page",
        lambda: Account(lambda call: page_reply(403) if call.key == "unknown" else None),
        READY,
    ),
    Row(
        "made-up keys sent to a login page",
        lambda: Account(
            lambda call: redirect(LOGIN, 302) if call.key == "unknown" else None,
        ),
        READY,
    ),
    Row("made-up keys and no path sent to a login page", lambda: Account(to_login), READY),
    Row(
        "made-up keys get the login page",
        lambda: Account(lambda call: page_reply(200) if call.key == "unknown" else None),
        READY,
    ),
    Row(
        "all keys sent to a login page",
        lambda: Account(lambda _: redirect(LOGIN, 302)),
        NOT_READY,
        (Topic.ADDRESS.value, "browser login: a redirect to https://login.example.net/"),
        not_sure=tuple(Topic),
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
    # -- envelopes
    Row(
        "records below result",
        lambda: Account(
            lambda call: (
                json_reply(200, {"result": record("f1")}) if call.path.endswith("/f1") else None
            )
        ),
        NOT_READY,
        (Topic.FILE_PATH.value, "its _id has to be at the top or under data, but it is under res"),
    ),
    Row(
        "one file as an array",
        lambda: Account(only_path("/f1", json_reply(200, [record("f1")]))),
        NOT_READY,
        (Topic.FILE_PATH.value, "at the top or under data, but it is in an array"),
    ),
    Row(
        "a number as the identifier of one file",
        lambda: Account(only_path("/f1", json_reply(200, {**record("f1"), "_id": 71}))),
        NOT_READY,
        (Topic.FILE_PATH.value, "but it is 71, which is no string"),
    ),
    Row(
        "success true beside the data",
        lambda: Account(
            list_body=lambda records: {"success": True, "error": None, "data": records}
        ),
        READY,
    ),
    # -- lists of others
    Row(
        "another path has files of other lists",
        lambda: Account(list_path="/v1/coupon-lists/spring/files", records=OF_OTHERS),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "none of them of the list spring, but of autumn, winter"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "the path has files of other lists",
        lambda: Account(records=OF_OTHERS),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "none of them of the list spring, but of autumn, winter"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "the path has files of other lists, too",
        lambda: Account(records=[*OF_OTHERS, record("f1")]),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "3 files, of other lists, too: autumn, winter"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row("files that name no list", lambda: Account(records=UNNAMED), READY),
    Row(
        "files that name no list, and are those of any list",
        lambda: Account(any_list, records=UNNAMED),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "and the same for a list that does not exist"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "files that name no list, and are those of any list at another path",
        lambda: Account(any_list, records=UNNAMED, list_path="/v1/coupon-lists/spring/files"),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "and the same for a list that does not exist"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "the list has another name in its files",
        lambda: Account(records=[record("f1", coupons_list_id="64af")]),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "but of 64af", "Name the list as the service does"),
        not_sure=(Topic.LIST_PATH,),
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
    # -- lock-outs
    Row(
        "locked after two made-up keys",
        lambda: Account(locks(2, error(403, "request-forbidden", "Access is suspended for now."))),
        NOT_PROVED,
        (
            Topic.ACCOUNT.value,
            "after 2 reads with made-up",
            "'Access is suspended for now'",
            "not run",
        ),
        not_sure=(*KEYS, Topic.DATA_KEY, Topic.LIST_PATH),
    ),
    Row(
        "locked after one made-up key",
        lambda: Account(locks(1, json_reply(401, UNAUTHENTICATED))),
        NOT_PROVED,
        (Topic.ACCOUNT.value, "after 1 read with made-up keys", "Do not run this again at once"),
        not_sure=(*KEYS, Topic.DATA_KEY, Topic.LIST_PATH),
    ),
    Row(
        "locked after two made-up keys with a status of its own",
        lambda: Account(locks(2, error(423, "locked", "Too many wrong passwords."))),
        NOT_PROVED,
        (Topic.ACCOUNT.value, "after 2 reads", "(423 locked: 'Too many wrong passwords')"),
        not_sure=(*KEYS, Topic.DATA_KEY, Topic.LIST_PATH),
    ),
    Row(
        "locked after two made-up keys, and then no answer",
        lambda: Account(
            locks(2, error(423, "locked", "Too many wrong passwords."), page_reply(503))
        ),
        NOT_PROVED,
        (Topic.ACCOUNT.value, "after 2 reads", "(423 locked: 'Too many wrong passwords')"),
        not_sure=(*KEYS, Topic.DATA_KEY),
    ),
    Row(
        "the campaign key expires in the end",
        lambda: Account(expires(4)),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, ALTERED, "accepted (200) at first, refused (401", "check it in"),
        not_sure=(*KEYS, Topic.LIST_PATH),
    ),
    # -- nodes that do not know the list
    Row(
        "one of three nodes does not know the list",
        lambda: Account(nodes(nothing_nasty, nothing_nasty, without_list)),
        NOT_PROVED,
        (Topic.LIST_PATH.value, ALTERED, "accepted (200)", "404 list-not-found", "nodes may"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "the list is gone in the end",
        lambda: Account(from_request(8, without_list)),
        NOT_PROVED,
        (Topic.LIST_PATH.value, ALTERED, "accepted (200) at first, 404 list-not-found since"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "made-up keys accepted",
        lambda: Account(
            lambda call: Account().reply(
                call._replace(key="data" if call.path.startswith("/v3/") else "campaign")
            )
        ),
        NOT_PROVED,
        (Topic.CAMPAIGN_KEY.value, "a made-up key gets the same (200)"),
        not_sure=(*KEYS, Topic.DATA_KEY),
    ),
    Row(
        "maintenance in JSON",
        lambda: Account(lambda _: json_reply(200, {"maintenance": True})),
        NOT_PROVED,
        (Topic.ADDRESS.value, "no reply shows that it is the service"),
        not_sure=(Topic.ADDRESS, *KEYS, Topic.DATA_KEY, Topic.LIST_PATH, Topic.FILE_PATH),
    ),
    Row(
        "a proxy that wants a password",
        lambda: Account(lambda _: page_reply(407)),
        NOT_READY,
        (Topic.ADDRESS.value, "The proxy wants a login: put username:password@"),
        not_sure=tuple(Topic),
    ),
    Row(
        "a proxy that wants a login of a domain",
        lambda: Account(lambda _: Reply(407, b"", {"Proxy-Authenticate": "Negotiate, NTLM"})),
        NOT_READY,
        (
            Topic.ADDRESS.value,
            "(Negotiate, NTLM)",
            "(Basic) only: name the service's host in the variable no_proxy",
        ),
        not_sure=tuple(Topic),
    ),
]


OPEN = [row for row in ACCOUNTS if row.state is not NOT_READY]
BY_NAME = {row.name: row for row in ACCOUNTS}


@cache
def report_on(name: str) -> Report:
    """The report on the account of a row, which is examined once."""
    row = BY_NAME[name]
    report = examined_account(row.account(), extra=row.extra)
    check_bounds(report)
    return report


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_the_verdict_names_the_cause_first(row: Row):
    report = report_on(row.name)
    assert report.state is row.state, report.to_json()
    rest = report.verdict
    for part in row.says:
        assert part in rest, report.verdict
        rest = rest[rest.index(part) + len(part) :]


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_no_other_settings_are_proposed_than_replies_show(row: Row):
    changed = {name: value.value for name, value in report_on(row.name).changed.items()}
    assert changed == dict(row.changed)


def topics_of(report: Report, certainty: Certainty) -> set[Topic]:
    return {finding.topic for finding in report.findings if finding.certainty is certainty}


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_nothing_is_sure_that_replies_leave_open(row: Row):
    assert topics_of(report_on(row.name), Certainty.SURE) & set(row.not_sure) == set()


@pytest.mark.parametrize("row", OPEN, ids=ids(OPEN))
def test_nothing_is_wrong_of_an_account_that_is_ready_or_not_proved(row: Row):
    assert topics_of(report_on(row.name), Certainty.WRONG) == set()


class Upload(NamedTuple):
    """The reply to an upload, and how the verdict begins with it."""

    name: str
    reply: Reply
    says: str


UPLOADS = [
    Upload("accepted", json_reply(201, record("new")), "Ready: everything that your tasks need"),
    Upload(
        "a key that may only read",
        error(403, "read-only-key", "This API key is read-only."),
        "Not ready: Upload. The service replies 403 read-only-key",
    ),
    Upload("a path without uploads", not_found("path"), "Not ready: Upload. The service replies"),
]


@pytest.mark.parametrize("row", UPLOADS, ids=ids(UPLOADS))
def test_only_an_upload_proves_that_uploads_work(row: Upload):
    """By reads alone, all of these accounts are the same."""

    def nasty(call: Call) -> Reply | None:
        if call.method == "POST":
            return row.reply
        if any(earlier.method == "POST" for earlier in account.calls):
            return Account(records=(record("new"), *account.records)).reply(call)
        return None

    account = Account(nasty)
    before = examined_account(account)
    assert before.verdict.startswith("Ready, as far as reads show: ")
    upload = about(before, Topic.UPLOAD)
    assert upload.certainty is Certainty.NOT_ASKED
    assert "--upload URL proves it" in upload.text
    report = examined_account(account, file_url="https://files.example.com/new.csv")
    assert report.verdict.startswith(row.says)


TO_PASTE = [row for row in ACCOUNTS if row.state is NOT_READY and row.changed]


@pytest.mark.weekly("the first run of each account has the extra that is printed")
@pytest.mark.parametrize("row", TO_PASTE, ids=ids(TO_PASTE))
def test_with_the_extra_that_is_printed_nothing_else_is_proposed(row: Row):
    report = examined_account(row.account())
    again = examined_account(row.account(), extra=report.extra)
    assert again.changed == {}
    assert {finding.certainty for finding in again.troubles} <= {Certainty.NOT_PROVED}


# -- redirects to other addresses ------------------------------------------------------------------


@pytest.fixture
def proxied(monkeypatch: pytest.MonkeyPatch) -> Callable[[Account], Any]:
    """A server that replies for all hosts, as a proxy."""

    def serve(account: Account) -> Any:
        context = replying(account)

        class Serving:
            def __enter__(self) -> str:
                url = context.__enter__()
                monkeypatch.setenv("HTTP_PROXY", url)
                return url

            def __exit__(self, *error: Any) -> None:
                context.__exit__(*error)

        return Serving()

    return serve


class Redirect(NamedTuple):
    """A redirect of all reads, what is said of it, and whether it was tested with one read."""

    name: str
    target: str
    says: str
    is_tested: bool


REDIRECTS = [
    Redirect(
        "another data center",
        "http://api-02.example.com",
        "The service names http://api-02.example.com, and a read there gets 200: put it into the "
        "Address, or 02 into Data center",
        is_tested=True,
    ),
    Redirect(
        "another port",
        "http://api-01.example.com:8080",
        "The service names http://api-01.example.com:8080, and a read there gets 200: put it into "
        "the Address, and run",
        is_tested=True,
    ),
    Redirect(
        "another host",
        "http://login.example.com",
        "The Address is behind a browser login",
        is_tested=False,
    ),
    Redirect(
        "another domain",
        "http://api-02.example.org",
        "A redirect to http://api-02",
        is_tested=False,
    ),
    Redirect("a name of one label", "http://api02", "A redirect to http://api02", is_tested=False),
    Redirect("an IP address", "http://10.0.0.2", "A redirect to http://10.0.0.2", is_tested=False),
]


@pytest.mark.parametrize("row", REDIRECTS, ids=ids(REDIRECTS))
def test_a_redirect_to_another_data_center_or_port_is_tested_and_to_another_host_is_not(
    row: Redirect, proxied: Callable[[Account], Any]
):
    def nasty(call: Call) -> Reply | None:
        if call.authority == "api-01.example.com":
            return redirect(f"{row.target}{call.path}", 307)
        return None

    account = Account(nasty)
    with proxied(account):
        report = examined(
            "http://api-01.example.com", coupon_list_id=LIST, extra={"allow_http": True}
        )
    assert report.verdict.startswith(f"Not ready: Address. {row.says}")
    hosts = {call.authority for call in account.calls}
    assert (hosts == {"api-01.example.com"}) is not row.is_tested
    assert [finding.topic for finding in report.findings] == [Topic.ADDRESS]


def test_a_redirect_to_https_is_named(proxied: Callable[[Account], Any]):
    account = Account(lambda call: redirect(f"https://api.example.com{call.path}", 301))
    with proxied(account):
        report = examined("http://api.example.com", coupon_list_id=LIST, extra={"allow_http": True})
    assert report.verdict.startswith(
        "Not ready: Address. The service names https://api.example.com"
    )


def test_keys_are_not_sent_from_https_to_http():
    settings = WesSettings("https://api-01.example.com", "w", "k", "d")
    request = list_at(settings, settings.coupon_files_path, LIST)
    target = request.url.replace("https://api-01", "http://api-02")
    probe = Probe(Question.LIST, request, response=Response(302, {"location": target}, b""))
    assert redirects.other_address(Evidence(settings, LIST, (probe,))) == ""


# -- the search for the header ---------------------------------------------------------------------


@pytest.mark.parametrize("number", [17, 33])
@pytest.mark.parametrize("position", [0, 8, 16])
def test_more_names_of_headers_take_no_more_reads(
    number: int, position: int, monkeypatch: pytest.MonkeyPatch
):
    names = tuple(f"X-Header-{index}" for index in range(number))
    monkeypatch.setattr(header_facts, "HEADERS", names)
    report = examined_account(Account(header=names[position]))
    check_bounds(report)
    assert about(report, Topic.FILE_PATH).text.startswith("Not asked, because the other questions")
    proposed = {name: value.value for name, value in report.changed.items()}
    assert proposed == {"workspace_header": names[position]}


def answers() -> Iterator[Reply]:
    while True:
        yield json_reply(200, [record("f1")])
        yield json_reply(401, UNAUTHENTICATED)


def test_no_header_is_proposed_if_the_same_header_is_refused_at_another_time():
    """Requests with one usual header are accepted and refused in turn, whichever it is."""
    replies = answers()

    def nasty(call: Call) -> Reply | None:
        if call.headers.get("SVC-APPKEY") == WORKSPACE:
            return json_reply(401, UNAUTHENTICATED)
        return next(replies)

    report = examined_account(Account(nasty))
    check_bounds(report)
    assert report.changed == {}
    assert about(report, Topic.WORKSPACE_HEADER).certainty is Certainty.NOT_PROVED


def test_the_verdict_says_that_a_part_of_the_extra_is_a_guess():
    """The header is proved, and the status is not."""
    imported = [record("f1", "IMPORTED"), record("f2", "FAILED", error="no header")]
    report = examined_account(Account(header="X-App-Id", records=imported))
    check_bounds(report)
    assert report.values["workspace_header"].is_proved
    assert report.verdict.endswith("run this again. Part of it is a guess, as the rows say.")


def no_key_told_apart(call: Call) -> Reply | None:
    """Refuse the list, and reply the same to a segment whatever the key is."""
    return refuse(call) if call.path == FILES_PATH else not_found("segment")


def test_no_header_is_said_to_be_tried_that_was_not():
    report = examined_account(Account(no_key_told_apart))
    check_bounds(report)
    assert not any("workspace-header" in probe.question.value for probe in report.probes)
    assert about(report, Topic.WORKSPACE_HEADER).text == (
        "No reply shows whether the service takes SVC-APPKEY."
    )


def files_for_everybody(call: Call) -> Reply | None:
    """Give files to whoever asks, as a web server does, and no answer at other paths."""
    if call.path == FILES_PATH or call.path.startswith(f"{FILES_PATH}/"):
        return Account().reply(call._replace(key="campaign"))
    return Reply(503, b"")


def test_what_lists_files_to_everybody_is_no_service_if_no_path_was_compared():
    report = examined_account(Account(files_for_everybody))
    check_bounds(report)
    assert "no reply shows that it is the service" in about(report, Topic.ADDRESS).text


def paths_first(call: Call) -> Reply | None:
    """A service that looks for the path before it checks credentials, and has no such list."""
    return not_found("path") if call.path.startswith("/v1/") else None


@pytest.mark.parametrize(
    ("header", "proposed"), [("X-App-Id", {"workspace_header": "X-App-Id"}), ("X-Unheard-Of", {})]
)
def test_the_data_key_finds_the_header_if_the_list_is_elsewhere(
    header: str, proposed: Mapping[str, str]
):
    """No key is called wrong while the header may be."""
    report = examined_account(Account(paths_first, header=header))
    check_bounds(report)
    assert report.extra == proposed
    keys = (about(report, Topic.CAMPAIGN_KEY), about(report, Topic.DATA_KEY))
    assert Certainty.WRONG not in {finding.certainty for finding in keys}
    assert not report.works


@pytest.mark.parametrize("listed", [LIST, None])
@pytest.mark.parametrize("header", ["X-SVC-APPKEY", "X-Client-Id", "workspace-id"])
def test_any_usual_header_is_found(header: str, listed: str | None):
    report = examined_account(Account(header=header), coupon_list_id=listed)
    check_bounds(report)
    value = report.values["workspace_header"]
    assert (value.value.lower(), value.is_proved) == (header.lower(), True)


def test_without_a_data_key_segments_use_the_campaign_key():
    report = examined_account(Account(), extra={"data_api_key": CAMPAIGN_KEY})
    check_bounds(report)
    assert report.works
    assert about(report, Topic.DATA_KEY).text == "None is given: segments use the Campaign API key."
