"""
The connection's own path of a list may have a query. If the list has the same files and more
without it, the path is wrong, and the one without the query is proposed, which was read twice; an
order, a version or a form stays in it. If it has other files, but not all of the same, or as many
as the query asks for, nothing is proposed. A query is harmless if the list has the same files
without it, or fewer, or an error; and if the path names the list in its query. An upload that the
query hides says nothing of the list's lag.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import pytest

from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    error_reply,
    examined_account,
    json_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.reads.own_queries import path_without_query

PATH = "/v1/coupon-list/{coupon_list_id}/files"
FILES = [
    record(
        f"f{number}",
        ("COMPLETED", "FAILED")[number % 2],
        created_by=("maria", "airflow")[number % 2],
        coupons_added=number,
    )
    for number in range(6)
]
Query = Mapping[str, Sequence[str]]


def filtered(query: Query) -> list[dict[str, Any]]:
    """The files that have what each parameter asks for, at most ``limit`` from ``offset`` on."""
    files = FILES
    for name in ("status", "created_by"):
        if name in query:
            files = [file for file in files if file[name] in query[name]]
    start = int(query.get("offset", ["0"])[0])
    size = int(query.get("limit", ["1000"])[0])
    return files[start : start + size]


def paged(query: Query) -> list[dict[str, Any]]:
    """Four files, unless ``limit`` asks for more; the last ones come first by ``sort``."""
    size = int(query.get("limit", ["4"])[0])
    if "sort" in query:
        return FILES[::-1][:size]
    return FILES[:size]


def of_last_two(query: Query) -> list[dict[str, Any]]:
    """Three of the last files with a query, and the first two without."""
    if query:
        return FILES[3:]
    return FILES[:2]


def versioned(query: Query) -> list[dict[str, Any]] | None:
    """All files of the second version, and an error without it."""
    if query.get("api-version") != ["2"]:
        return None
    return filtered(query)


class Case(NamedTuple):
    """
    A query of the connection's path, and what is said of the path.

    :ivar files: what the list has by a query; ``None`` for an error.
    :ivar proposed: the path that is proposed; empty for none.
    """

    name: str
    query: str
    certainty: Certainty
    says: str
    proposed: str = ""
    files: Callable[[Query], list[dict[str, Any]] | None] = filtered


WITH_THREE = "leaves files out: with it, the list has 3 files, and without it 6, so a task"
CASES = [
    Case("a status", "status=COMPLETED", Certainty.WRONG, WITH_THREE, PATH),
    Case("who uploaded", "created_by=maria", Certainty.WRONG, WITH_THREE, PATH),
    Case("a page", "limit=3", Certainty.WRONG, f"(limit=3) {WITH_THREE}", PATH),
    Case("a second page", "offset=3", Certainty.WRONG, f"(offset=3) {WITH_THREE}", PATH),
    Case(
        "a page behind a part",
        "limit=2&offset=1",
        Certainty.WRONG,
        "(limit=2&offset=1) leaves files out: with it, the list has 2 files, and without it 6",
        PATH,
    ),
    Case(
        "no file",
        "status=PENDING",
        Certainty.WRONG,
        "with it, the list has no file, and without it 6",
        PATH,
    ),
    Case(
        "a status, beside a version that is needed",
        "api-version=2&status=COMPLETED",
        Certainty.WRONG,
        f"(status=COMPLETED) {WITH_THREE}",
        f"{PATH}?api-version=2",
        versioned,
    ),
    Case("a version that is needed", "api-version=2", Certainty.SURE, "6 files", "", versioned),
    Case("a larger page that is needed", "limit=1000", Certainty.SURE, "6 files", "", paged),
    Case("a larger page that is not", "limit=1000", Certainty.SURE, "It has 6 files."),
    Case("a filter that is none", "status=all", Certainty.SURE, "6 files", "", lambda _: FILES),
    Case("a filter that is ignored", "state=x", Certainty.SURE, "It has 6 files."),
    Case(
        "a full page, and fewer files without it",
        "limit=5",
        Certainty.NOT_PROVED,
        "asks for as many files as the list has with it, 5, so there may be more",
        "",
        paged,
    ),
    Case(
        "other files without it",
        "since=30d",
        Certainty.NOT_PROVED,
        "the list has 3 files, and without it 2, of which 2 are not among these",
        "",
        of_last_two,
    ),
]


def account_of(case: Case) -> Account:
    """A list whose files depend on the query."""

    def replies(call: Call) -> Reply | None:
        if call.path != FILES_PATH or call.key != "campaign" or call.method != "GET":
            return None
        files = case.files(parse_qs(call.query))
        if files is None:
            return error_reply(400, "invalid-request", "api-version is required.")
        return json_reply(200, files)

    return Account(replies, records=FILES)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_query_that_leaves_files_out_is_wrong_and_one_that_is_needed_is_not(case: Case):
    account = account_of(case)
    extra = {"paths": {"coupon_files": f"{PATH}?{case.query}"}}

    report = examined_account(account, extra=extra)

    check_what_holds_of_each_report(report)
    finding = about(report, Topic.LIST_PATH)
    assert finding.certainty is case.certainty
    assert case.says in finding.text
    assert len(account.calls) <= 12
    if case.certainty is Certainty.WRONG:
        assert finding.settings == {"paths.coupon_files": case.proposed}


def test_a_list_that_was_not_read_without_its_query_is_not_proved():
    def replies(call: Call) -> Reply | None:
        if call.path == FILES_PATH and call.key == "campaign" and not call.query:
            return json_reply(503, {"message": "Try again later."})
        return account_of(CASES[0]).replies(call)

    report = examined_account(
        Account(replies, records=FILES),
        extra={"paths": {"coupon_files": f"{PATH}?status=COMPLETED"}},
    )

    finding = about(report, Topic.LIST_PATH)
    assert finding.certainty is Certainty.NOT_PROVED
    assert "its query (status=COMPLETED) may leave files out, and the list was not" in finding.text


class Path(NamedTuple):
    """A path of the extra, and the same without what may leave files out."""

    name: str
    path: str
    without: str


PATHS = [
    Path("no query", PATH, PATH),
    Path("a filter", f"{PATH}?status=X", PATH),
    Path("a filter in brackets", f"{PATH}?filter[status]=X&sort=-id", f"{PATH}?sort=-id"),
    Path("a size in brackets", f"{PATH}?page[size]=9", PATH),
    Path("a size of OData", f"{PATH}?$top=9", PATH),
    Path("a filter that leaves nothing out", f"{PATH}?status=all", f"{PATH}?status=all"),
    Path("an order", f"{PATH}?sort=-created_at", f"{PATH}?sort=-created_at"),
    Path("what is added", f"{PATH}?include_deleted=1", f"{PATH}?include_deleted=1"),
    Path("who asks", f"{PATH}?access_token=x", f"{PATH}?access_token=x"),
    Path(
        "the list, beside a filter",
        f"{PATH}?lists={{coupon_list_id}}&status=X",
        f"{PATH}?lists={{coupon_list_id}}",
    ),
    Path(
        "the list, in the query alone",
        "/v1/files?list={coupon_list_id}&status=X",
        "/v1/files?list={coupon_list_id}&status=X",
    ),
]


@pytest.mark.parametrize("row", PATHS, ids=[row.name for row in PATHS])
def test_only_parameters_that_may_leave_files_out_are_taken_out(row: Path):
    assert path_without_query(row.path)[0] == row.without


def test_a_lag_of_a_list_that_hides_files_is_not_shown():
    account = account_of(CASES[0])
    extra = {"paths": {"coupon_files": f"{PATH}?status=COMPLETED"}}
    report = examined_account(account, extra=extra, file_url="https://files.example.com/new.csv")
    lag = about(report, Topic.LAG)
    assert not lag.is_trouble
