"""
After the read of a larger page that got fewer files than it asked for, no other parameter is tried
if the reply repeats the size under the parameter's name: it is the largest. It is not shown if the
reply has another size, none, or no more files than the first page, or if it is an error.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import parse_qs

import pytest

from support.doctor_findings import ids
from support.doctor_pages import PATH, TOO_LARGE, larger, listed, page_of
from support.doctor_reads import probe
from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    examined_account,
    json_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.reads.pages import is_largest_by_reply
from wes_provider.doctor.replies.probes import Probe, Question

PER_PAGE = f"{PATH}?per_page=1000"


class Larger(NamedTuple):
    """The read of a larger page than one of 2 of 9 files, and whether it is the largest one."""

    name: str
    read: Probe
    is_largest: bool


LARGER = [
    Larger("the size it has", larger(page_of(4, per_page=4, total=9), PER_PAGE), is_largest=True),
    Larger(
        "the size it has, as it is spelt",
        larger(page_of(4, meta={"perPage": 4}, total=9), PER_PAGE),
        is_largest=True,
    ),
    Larger(
        "the size it has, of limit",
        larger(page_of(4, limit=4, total=9)),
        is_largest=True,
    ),
    Larger("another size", larger(page_of(4, per_page=5, total=9), PER_PAGE), is_largest=False),
    Larger(
        "the size under another name",
        larger(page_of(4, size=4, total=9), PER_PAGE),
        is_largest=False,
    ),
    Larger("no size", larger(page_of(4, total=9), PER_PAGE), is_largest=False),
    Larger(
        "no more files than before",
        larger(page_of(2, per_page=2, total=9), PER_PAGE),
        is_largest=False,
    ),
    Larger("all files", larger(page_of(9, per_page=1000, total=9), PER_PAGE), is_largest=False),
    Larger("an error", larger(TOO_LARGE, status=400), is_largest=False),
]


@pytest.mark.parametrize("row", LARGER, ids=ids(LARGER))
def test_a_page_is_the_largest_if_its_reply_repeats_the_size_that_it_has(row: Larger):
    first = listed(probe(200, page_of(2, per_page=2, total=9)))
    assert is_largest_by_reply(first, row.read) is row.is_largest


def of_pages(repeats_size: bool) -> Account:
    """An account of 240 files in pages of 25, and of 100 at most by per_page."""
    files = [record(f"f{number}") for number in range(240)]

    def replies(call: Call) -> Reply | None:
        if call.path != FILES_PATH or call.key != "campaign":
            return None
        asked = parse_qs(call.query).get("per_page", ["25"])[0]
        size = min(int(asked), 100)
        meta: dict[str, Any] = {"total": 240, "per_page": 25}
        if repeats_size:
            meta["per_page"] = size
        return json_reply(200, {"data": files[:size], "meta": meta})

    return Account(replies, records=files)


@pytest.mark.parametrize(
    ("repeats_size", "tried"), [(True, ["per_page"]), (False, ["per_page", "limit"])]
)
def test_another_parameter_is_tried_only_if_the_first_one_did_not_settle_it(
    repeats_size: bool, tried: list[str]
):
    report = examined_account(of_pages(repeats_size))
    reads = [probe for probe in report.probes if probe.question is Question.WHOLE_LIST]
    assert [probe.tried.partition("?")[2].partition("=")[0] for probe in reads] == tried
    text = about(report, Topic.LIST_PATH).text
    assert "per_page=1000 gets 100, which is the largest page" in text
    assert ("limit=1000" in text) is ("limit" in tried)
