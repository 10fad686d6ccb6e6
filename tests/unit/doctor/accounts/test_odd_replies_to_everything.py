"""
Whatever odd body each request gets (no body, broken JSON, null, a number, bytes, arrays in arrays,
records with odd identifiers), with status 200, 201, 400, 401, 403 or 404, the report proves no path
of a list, has at most 30 lines, and rests on no more reads than the bound.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest

from support.doctor_service import (
    LIST,
    examined,
)
from support.servers import Reply, replying
from wes_provider.doctor.reads.sending import MOST_READS

ALL_QUESTIONS = {
    "coupon_list_id": LIST,
    "file_url": "https://f.example.com/a",
    "catalog": "c",
    "segment_id": "s",
}
Replies = Callable[[str, str, Mapping[str, str]], Reply]


def always(reply: Reply) -> Replies:
    return lambda *_: reply


BODIES = [
    b"",
    b"{",
    b"[{}]",
    b"null",
    b"7",
    b"\xff",
    b"[[[]]]",
    b'{"error": [7]}',
    b'[{"_id": " ", "status": "PENDING"}]',
    b'{"_id": "\\u001b", "status": "PENDING"}',
    b'{"data": {"data": [{"_id": 7, "status": null}]}}',
]


STATUSES_LIKE_THESE = [
    pytest.param(status, marks=pytest.mark.weekly("as 200 and 401, and each of them has rows"))
    for status in (201, 400, 403, 404)
]


@pytest.mark.parametrize("body", BODIES, ids=repr)
@pytest.mark.parametrize("status", [200, 401, *STATUSES_LIKE_THESE])
def test_a_reply_of_odd_json_or_none_with_any_status_gives_a_report_that_proves_no_path(
    status: int, body: bytes
):
    """Within the bounds of reads and lines."""
    with replying(always(Reply(status, body))) as url:
        report = examined(url, **ALL_QUESTIONS, timeout=0.01)
    assert json.loads(report.to_json())["reads"] <= MOST_READS
    assert not report.values["paths.coupon_files"].is_proved
    assert len(report.lines()) <= 30
