"""
Upload is *Not ready*, and the reply is quoted, if uploads are redirected or the service takes none.
If the version has moved (308 "Use /v2", also for reads), no setting changes the path of uploads,
and that is said with and without an upload. If the redirect of the upload alone names another host,
the Address is to be set to it, with the prefix of its path. If an upload gets a 503 with a time in
its words, one is to wait until then, and to look for the file. Last, if an upload works but errors
come with status 200, the Segment is *Not proved*.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    error_reply,
    examined_account,
    json_reply,
    page_reply,
    record,
)
from support.doctor_verdicts import (
    NEW_FILE,
    Case,
    check,
)
from support.servers import Reply


def retired(message: str) -> Callable[[], Account]:
    """A version of the service that is redirected to the next one as a whole."""

    def replies(call: Call) -> Reply | None:
        if call.path.startswith("/v1/"):
            target = call.path.replace("/v1/", "/v2/", 1)
            return error_reply(308, "retired", message, Location=target)
        return None

    path = FILES_PATH.replace("/v1/", "/v2/")
    return lambda: Account(replies, list_path=path, file_path=f"{path}/{{id}}")


UPLOADS = [
    Case(
        "a version that is retired",
        retired("Use /v2."),
        ("Not ready: Upload. The service replies 308 retired", "'Use /v2'", "no setting changes"),
    ),
    Case(
        "an upload to a version that is retired",
        retired("Use /v2."),
        ("Not ready: Upload. POST", "'Use /v2'", "no setting changes the path"),
        file_url=NEW_FILE,
    ),
    Case(
        "an upload while the service is read-only",
        lambda: Account(
            lambda call: (
                page_reply(503, "<title>Wartung bis 18:00 Uhr</title>")
                if call.method == "POST"
                else None
            )
        ),
        ("Not ready: Upload.", "'Wartung bis 18:00 Uhr'", "Wait until then", "Look for"),
        file_url=NEW_FILE,
    ),
    Case(
        "an upload that is redirected to another host",
        lambda: Account(
            lambda call: (
                json_reply(307, {}, Location=f"https://eu.example.com/primary{FILES_PATH}")
                if call.method == "POST"
                else None
            )
        ),
        ("Not ready: Upload.", "put https://eu.example.com/primary into the Address"),
        file_url=NEW_FILE,
    ),
]


@pytest.mark.parametrize("row", UPLOADS, ids=ids(UPLOADS))
def test_uploads_are_not_ready_if_they_are_redirected_or_the_service_takes_none(row: Case):
    check(row)


def test_the_segment_is_open_if_errors_come_with_200_though_an_upload_worked():
    def replies(call: Call) -> Reply:
        records = list(Account().records)
        if call.method == "POST":
            return json_reply(201, record("new"))
        if any(earlier.method == "POST" for earlier in account.calls):
            records.append(record("new"))
        reply = Account(records=records).reply(call)
        words = {401: "invalid_auth", 404: "not_found"}
        if reply.status == 200:
            return reply
        return json_reply(200, {"ok": False, "error": words[reply.status]})

    account = Account(replies)
    report = examined_account(account, file_url=NEW_FILE)
    assert report.verdict.startswith("Not proved: Segment. Errors come with status 200")
