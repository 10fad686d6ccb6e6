"""The verdict names the cause that the service names, and proposes nothing that nothing shows."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_service import (
    FILES_PATH,
    LIST,
    Account,
    Call,
    about,
    examined_account,
    json_reply,
    page_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor import sending
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.report import Report

NEW_FILE = "https://files.example.com/new.csv"


def error(status: int, code: str, message: str, **headers: str) -> Reply:
    return json_reply(status, {"error": {"code": code, "message": message}}, **headers)


def refuses(key: str, code: str, message: str) -> Callable[[], Account]:
    """A service that says why it refuses one of the keys."""
    return lambda: Account(lambda call: error(401, code, message) if call.key == key else None)


def everywhere(reply: Reply) -> Callable[[], Account]:
    return lambda: Account(lambda _: reply)


def used_up(after: int, message: str, **headers: str) -> Callable[[], Account]:
    """A quota that is used up after some requests."""
    late = error(429, "quota", message, **headers)
    return lambda: Account(lambda call: late if call.number > after else None)


def retired(message: str) -> Callable[[], Account]:
    """A version of the service that is redirected to the next one as a whole."""

    def nasty(call: Call) -> Reply | None:
        if call.path.startswith("/v1/"):
            target = call.path.replace("/v1/", "/v2/", 1)
            return error(308, "retired", message, Location=target)
        return None

    path = FILES_PATH.replace("/v1/", "/v2/")
    return lambda: Account(nasty, list_path=path, file_path=f"{path}/{{id}}")


def problem(title: str, detail: str) -> Reply:
    kind = "https://docs.example.com/problems/scope"
    return json_reply(403, {"type": kind, "title": title, "detail": detail, "status": 403})


def reads_forbidden(call: Call) -> Reply | None:
    is_read = call.key == "campaign" and call.method == "GET"
    return problem("No scope", "The key lacks coupons:read.") if is_read else None


class Cause(NamedTuple):
    """An account, and what the verdict has, in this order."""

    name: str
    account: Callable[[], Account]
    says: tuple[str, ...]
    file_url: str | None = None


CAUSES = [
    Cause(
        "data key expired",
        refuses("data", "key-expired", "It expired on 2026-11-20."),
        ("Not ready: Data API key. Refused", "key-expired: 'It expired on", "do what it says"),
    ),
    Cause(
        "campaign key revoked, under the usual code",
        refuses("campaign", "request-unauthenticated", "The key was revoked by ops."),
        ("Not ready: Campaign API key.", "'The key was revoked by ops'", "do what it says"),
    ),
    Cause(
        "invalid or expired, which names no reason",
        refuses("data", "request-unauthenticated", "Invalid or expired key."),
        ("Not ready: Data API key. Refused twice, though", "paste it again."),
    ),
    Cause(
        "maintenance as a page of a success",
        everywhere(page_reply(200, "<title>Wartung</title><p>Bis 06:00 Uhr.</p>")),
        ("Not proved: Address.", "Wartung: Bis 06:00 Uhr", "Wait", "check the address"),
    ),
    Cause(
        "a page of a success in words that nobody knows",
        everywhere(page_reply(200, "<title>Palaamme pian</title><style>p{top:1:00}</style>")),
        ("Not proved: Address.", "'Palaamme pian'", "Wait, and run this again"),
    ),
    Cause(
        "a login page",
        everywhere(page_reply(200, "<title>Intern</title><input type='password'>")),
        ("Not ready: Address. A web page came with status 200: 'Intern'",),
    ),
    Cause(
        "a daily quota that is used up",
        used_up(5, "Daily quota used up.", Retry_After="43200"),
        ("Not proved: Rate limits. Since", "'Daily quota used up'", "Tasks are refused", "until"),
    ),
    Cause(
        "a version that is retired",
        retired("Use /v2."),
        ("Not ready: Upload. The service replies 308 retired", "'Use /v2'", "no setting changes"),
    ),
    Cause(
        "an upload to a version that is retired",
        retired("Use /v2."),
        ("Not ready: Upload. POST", "'Use /v2'", "no setting changes the path"),
        NEW_FILE,
    ),
    Cause(
        "a key that may upload, and not read",
        lambda: Account(reads_forbidden),
        ("Not ready: Campaign API key. Known, but the service replies 403: 'No scope: The",),
        NEW_FILE,
    ),
]


@pytest.mark.parametrize("row", CAUSES, ids=[row.name for row in CAUSES])
def test_the_verdict_names_the_cause(row: Cause):
    report = examined_account(row.account(), file_url=row.file_url)
    rest = report.verdict
    for part in row.says:
        assert part in rest, report.verdict
        rest = rest[rest.index(part) + len(part) :]


def test_an_upload_that_no_read_would_show_is_not_followed():
    account = Account(reads_forbidden)
    examined_account(account, file_url=NEW_FILE)
    assert account.calls[-1].method == "POST"


def test_errors_as_successes_are_open_while_a_data_key_is_given():
    def nasty(call: Call) -> Reply:
        reply = Account().reply(call)
        if call.method == "POST":
            return json_reply(201, record("f1"))
        words = {401: "invalid_auth", 404: "not_found"}
        if reply.status == 200:
            return reply
        return json_reply(200, {"ok": False, "error": words[reply.status]})

    report = examined_account(Account(nasty), file_url=NEW_FILE)
    assert report.verdict.startswith("Not proved: Segment. Errors come with status 200")


def test_a_slow_service_is_called_slow_and_no_lockout(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sending, "LONGEST", 4.0)
    monkeypatch.setattr(sending, "SLOW", 0.5)
    monkeypatch.setattr(sending, "LEFT_FOR_RESPONSE", 0.1)

    def nasty(_: Call) -> None:
        time.sleep(0.7)

    report = examined_account(Account(nasty))
    assert report.verdict.startswith("Not proved: Address. It responds, but replies took up to 1 s")
    assert "made-up key came just before" not in report.to_json()
    assert not any(probe.ran_out for finding in report.findings for probe in finding.probes)


# -- statuses --------------------------------------------------------------------------------------


class Statuses(NamedTuple):
    """The files of a list, and the statuses that are proposed as success and as failure."""

    name: str
    files: tuple[Mapping[str, Any], ...]
    success: frozenset[str] = frozenset()
    failure: frozenset[str] = frozenset()


def file(name: str, status: str, **counts: Any) -> dict[str, Any]:
    return {"_id": name, "name": name, "status": status, "coupons_list_id": LIST, **counts}


STATUSES = [
    Statuses("no counts", (file("a", "FERTIG"), file("b", "WEG"))),
    Statuses("a count that is the same for all", (file("a", "JA", n=5), file("b", "NEIN", n=5))),
    Statuses("zero alone", (file("a", "NEIN", added=0),)),
    Statuses(
        "a count that is above 0 with one only",
        (file("a", "JA", neu=500), file("b", "NEIN", neu=0)),
        frozenset({"JA"}),
        frozenset({"NEIN"}),
    ),
    Statuses(
        "counts that contradict each other",
        (file("a", "JA", x=5, y=0), file("b", "NEIN", x=0, y=5)),
    ),
    Statuses(
        "a reason",
        (file("a", "OUI", added=5), file("b", "NON", added=0, error="vide")),
        frozenset({"OUI"}),
        frozenset({"NON"}),
    ),
    Statuses(
        "a count of what is bad",
        (file("a", "JA", fehler=0), file("b", "NEIN", fehler=9)),
        failure=frozenset({"NEIN"}),
    ),
]


def proposed(report: Report, name: str) -> frozenset[str]:
    value = report.changed.get(f"coupon_file_statuses.{name}")
    known = getattr(report.settings.statuses, name)
    return frozenset() if value is None else frozenset(value.value) - known


@pytest.mark.parametrize("row", STATUSES, ids=[row.name for row in STATUSES])
def test_a_status_is_proposed_only_if_something_speaks_for_it(row: Statuses):
    report = examined_account(Account(records=row.files))
    assert proposed(report, "success") == row.success
    assert proposed(report, "failure") == row.failure
    assert about(report, Topic.STATUSES).certainty is Certainty.NOT_PROVED


@pytest.mark.parametrize("row", STATUSES, ids=[row.name for row in STATUSES])
def test_a_guess_is_not_sure_after_it_was_pasted(row: Statuses):
    success = sorted({str(record["status"]) for record in row.files})
    extra = {"coupon_file_statuses": {"success": success}}
    report = examined_account(Account(records=row.files), extra=extra)
    assert about(report, Topic.STATUSES).certainty is Certainty.NOT_PROVED
