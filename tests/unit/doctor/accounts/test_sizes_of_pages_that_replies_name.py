"""
A list of six files in pages of four. A larger page is proposed, by the parameter that the reply names
or else ``limit``: with the size that a reply confirms as the largest one, or else with 1000.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qs

import pytest

from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    check_says,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
    record,
)
from support.servers import Reply

LIST_TEMPLATE = "/v1/coupon-list/{coupon_list_id}/files"


class Echo(NamedTuple):
    """What a list says of its page's size, the parameter that is proposed, and what is said."""

    echo: str
    parameter: str
    most: int
    size: str
    says: str


ECHOES = [
    Echo("per_page", "per_page", 100, "per_page=100", "enough up to 100 files; there are 6."),
    Echo("limit", "limit", 50, "limit=50", "enough up to 50 files; there are 6."),
    Echo("pageSize", "pageSize", 200, "pageSize=200", "enough up to 200 files; there are 6."),
    Echo("size", "size", 1000, "size=1000", "enough up to 1000 files; there are 6."),
    Echo("size", "size", 6, "size=1000", "no reply says up to how many files, and there are 6."),
    Echo("", "limit", 100, "limit=1000", "no reply says up to how many files, and there are 6."),
]


@pytest.mark.parametrize(
    "row", ECHOES, ids=[f"{row.echo or 'nothing'}, {row.most} at most" for row in ECHOES]
)
def test_a_larger_page_is_proposed_with_the_size_that_a_reply_confirms_or_else_1000(row: Echo):
    files = [record(f"f{number}") for number in range(6)]

    def nasty(call: Call) -> Reply | None:
        if call.path != FILES_PATH or call.key != "campaign":
            return None
        asked = parse_qs(call.query).get(row.parameter, ["4"])[0]
        size = min(int(asked), row.most)
        echo = {row.echo: size} if row.echo else {}
        return json_reply(200, {"data": files[:size], "meta": {"total": 6, **echo}})

    report = examined_account(Account(nasty, records=files))
    check_what_holds_of_each_report(report)
    check_says(report.verdict, (f"with {row.size}, it has all of it", row.says))
    assert report.extra == {"paths": {"coupon_files": f"{LIST_TEMPLATE}?{row.size}"}}
