"""Accounts as gateways and hosted services have them, and checks of what the doctor reports."""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Callable, Mapping
from email.utils import formatdate
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from support.doctor_service import (
    FILES_PATH,
    LIST,
    UNAUTHENTICATED,
    WORKSPACE,
    Account,
    Call,
    check_says,
    check_what_holds_of_each_report,
    error_reply,
    examined_account,
    json_reply,
    not_found,
    nothing_nasty,
    page_reply,
    record,
)
from support.servers import Reply
from support.skipping_clock import CLOCK
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report, State

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
        return error_reply(status, code, says.format(", ".join(names)))

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
        return error_reply(410, "gone", message, **headers) if is_old else None

    return nasty


def objects(status: int, code: str, message: str) -> Nasty:
    """A service that lets the keys in, and objects to everything."""
    return lambda call: None if call.key == "unknown" else error_reply(status, code, message)


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
        return error_reply(403, "other-tile", "Another tile.")

    return nasty


def hides_from_strangers(call: Call) -> Reply | None:
    is_known = call.key == ("data" if call.path.startswith("/v3/") else "campaign")
    return None if is_known else error_reply(404, "nothing", "There is nothing.")


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
    return error_reply(404, "list-not-found", "No such list.") if is_of_list else None


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


REPORTS: dict[str, Report] = {}


def report_on(row: Row) -> Report:
    """The report on the account of a row, which is examined once."""
    if row.name not in REPORTS:
        REPORTS[row.name] = examined_account(row.account(), extra=row.extra)
        check_what_holds_of_each_report(REPORTS[row.name])
    return REPORTS[row.name]


def check_verdict(row: Row) -> None:
    """The verdict has the state of the row, and what it says, in this order."""
    report = report_on(row)
    assert report.state is row.state, report.to_json()
    check_says(report.verdict, row.says)


def check_proposed(row: Row) -> None:
    """The settings of the row are proposed, and no others."""
    changed = {name: value.value for name, value in report_on(row).changed.items()}
    assert changed == dict(row.changed)


def topics_of(report: Report, certainty: Certainty) -> set[Topic]:
    return {finding.topic for finding in report.findings if finding.certainty is certainty}


def check_open(row: Row) -> None:
    """Nothing is sure that the row leaves open."""
    assert topics_of(report_on(row), Certainty.SURE) & set(row.not_sure) == set()


def check_not_wrong(row: Row) -> None:
    """No finding is wrong."""
    assert topics_of(report_on(row), Certainty.WRONG) == set()


def check_pasted(row: Row) -> None:
    """With the extra that is printed, nothing is wrong, and nothing else is proposed."""
    report = examined_account(row.account())
    again = examined_account(row.account(), extra=report.extra)
    assert again.changed == {}
    assert {finding.certainty for finding in again.troubles} <= {Certainty.NOT_PROVED}
