"""
If an upload gets no response, a 5xx, a redirect, an error with status 200, or a 2xx without an _id
at its place, it is sent once and not again; the finding about the Upload says what came, and names
the file to look for in the service's console. The same is said if the user stops the doctor before
the reply; what else was to be written is not sent then. An upload that is refused with a 403 leaves
nothing to look for. In each case, there was one write, and the account is not ready.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_followed import (
    FollowedAccount,
)
from support.doctor_service import OLD_LIST, about, examined
from support.servers import Reply, replying
from wes_provider.doctor.findings.finding import Topic


class Unusable(NamedTuple):
    """A reply that leaves it open whether the file was uploaded, and what is said."""

    name: str
    reply: Reply
    says: str


UNUSABLE = [
    Unusable("no response", Reply(0, b""), "No usable response came; the service may have"),
    Unusable(
        "a page with 500",
        Reply(500, b"<h1>The URL has no slash.</h1>"),
        "The service or a gateway replies 500 to POST /v1/coupon-list/old-list/files: 'The URL "
        "has no slash'; the service may have done it or not",
    ),
    Unusable(
        "JSON with 502",
        Reply(502, b'{"message": "Upstream timed out"}'),
        "The service or a gateway replies 502 to POST /v1/coupon-list/old-list/files: "
        "'Upstream timed out'; the service may have done it or not",
    ),
    Unusable(
        "a redirect",
        Reply(308, b"", {"Location": "/v2/files"}),
        "POST /v1/coupon-list/old-list/files is redirected to http://127.0.0.1:",
    ),
    Unusable(
        "an error with 200",
        Reply(200, b'{"success": false, "message": "No uploads today."}'),
        "The service or a gateway replies 200 with an error to POST "
        "/v1/coupon-list/old-list/files: 'No uploads today'. A task cannot tell",
    ),
    Unusable(
        "the file in an envelope",
        Reply(201, b'{"result": {"_id": "f1", "status": "PENDING"}}'),
        "The response lacks the coupon file's _id where the provider reads it: it is under result.",
    ),
    Unusable("no identifier", Reply(201, b"{}"), "The response lacks the coupon file's _id."),
]


@pytest.mark.parametrize("row", UNUSABLE, ids=[row.name for row in UNUSABLE])
def test_an_upload_without_a_usable_reply_is_not_sent_again_and_the_file_to_look_for_is_named(
    row: Unusable,
):
    account = FollowedAccount(upload=row.reply, list_body=lambda _: [])
    report = account.examine()
    finding = about(report, Topic.UPLOAD)
    assert finding.text.startswith(row.says)
    assert (
        f"Look for {account.name} among the list's files in the service's console; "
        "upload nothing again"
    ) in finding.text
    assert (report.writes, report.works) == (1, False)


def test_an_upload_that_is_refused_leaves_nothing_to_look_for():
    refusal = Reply(403, b'{"error": {"code": "request-forbidden", "message": "No."}}')
    report = FollowedAccount(upload=refusal).examine()
    finding = about(report, Topic.UPLOAD)
    assert finding.text.startswith("The service replies 403 request-forbidden to POST")
    assert "Look for" not in finding.text
    assert "request-forbidden: No." in str(finding.probes[0])
    assert (report.writes, report.works) == (1, False)


def test_an_upload_that_the_user_stops_before_the_reply_may_have_taken_effect():
    account = FollowedAccount()

    def reply(method: str, path: str, headers: Mapping[str, str]) -> Reply:
        if method == "POST":
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.3)
        return account.reply(method, path, headers)

    with replying(reply, account.take) as url:
        report = examined(
            url, coupon_list_id=OLD_LIST, file_url="https://f.example.com/a", segment_id="s"
        )
    assert (report.writes, report.stopped) == (1, True)
    assert (
        f"may have done it or not. Look for {account.name} among"
        in about(report, Topic.UPLOAD).text
    )
    assert about(report, Topic.SEGMENT).text == "Not sent: you stopped it."
