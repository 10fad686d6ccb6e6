"""
An account that works. Reads alone make it *Ready, as far as reads show*, and advise ``--upload``; only
the reply to an upload says whether uploads work.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    READY,
    Row,
    check_proposed,
    check_verdict,
)
from support.doctor_service import (
    Account,
    Call,
    about,
    error_reply,
    examined_account,
    json_reply,
    not_found,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic

HEALTHY = Row(
    "healthy", Account, READY, ("Ready, as far as reads show: ", "uploads were not tried.")
)


def test_an_account_that_works_is_ready_as_far_as_reads_show_and_nothing_is_proposed():
    check_verdict(HEALTHY)
    check_proposed(HEALTHY)


class Upload(NamedTuple):
    """The reply to an upload, and how the verdict begins with it."""

    name: str
    reply: Reply
    says: str


UPLOADS = [
    Upload("accepted", json_reply(201, record("new")), "Ready: everything that your tasks need"),
    Upload(
        "a key that may only read",
        error_reply(403, "read-only-key", "This API key is read-only."),
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
    assert upload.certainty is Certainty.NOT_SHOWN
    assert "--upload URL proves it" in upload.text
    report = examined_account(account, file_url="https://files.example.com/new.csv")
    assert report.verdict.startswith(row.says)
