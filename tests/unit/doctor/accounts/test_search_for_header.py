"""
Any usual header that a service takes the workspace from is found and proved, with a list that is
named or not; 33 usual names take no more reads than 17, though no file is read then. If the list is
elsewhere, the data key finds it. No header is proposed, and it is *not proved*, if it is accepted
and refused in turn. If the service takes one that nobody uses, none is proposed, and no key is
wrong while the header may be. If a segment gets the same whatever the key is, no other header is
tried, and the finding says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    refuse,
)
from support.doctor_service import (
    FILES_PATH,
    LIST,
    UNAUTHENTICATED,
    WORKSPACE,
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
    not_found,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.reads import header as header_facts


@pytest.mark.parametrize("number", [17, 33])
@pytest.mark.parametrize("position", [0, 8, 16])
def test_more_names_of_headers_take_no_more_reads(
    number: int, position: int, monkeypatch: pytest.MonkeyPatch
):
    names = tuple(f"X-Header-{index}" for index in range(number))
    monkeypatch.setattr(header_facts, "HEADERS", names)
    report = examined_account(Account(header=names[position]))
    check_what_holds_of_each_report(report)
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
    check_what_holds_of_each_report(report)
    assert report.changed == {}
    assert about(report, Topic.WORKSPACE_HEADER).certainty is Certainty.NOT_PROVED


def no_key_told_apart(call: Call) -> Reply | None:
    """Refuse the list, and reply the same to a segment whatever the key is."""
    return refuse(call) if call.path == FILES_PATH else not_found("segment")


def test_no_header_is_said_to_be_tried_that_was_not():
    report = examined_account(Account(no_key_told_apart))
    check_what_holds_of_each_report(report)
    assert not any("workspace-header" in probe.question.value for probe in report.probes)
    assert about(report, Topic.WORKSPACE_HEADER).text == (
        "No reply shows whether the service takes SVC-APPKEY."
    )


def paths_first(call: Call) -> Reply | None:
    """A service that looks for the path before it checks credentials, and has no such list."""
    return not_found("path") if call.path.startswith("/v1/") else None


class Taken(NamedTuple):
    """The header that a service takes the workspace from, and the extra that is proposed."""

    name: str
    header: str
    extra: Mapping[str, str]


TAKEN = [
    Taken("a usual one", "X-App-Id", {"workspace_header": "X-App-Id"}),
    Taken("one that nobody uses", "X-Unheard-Of", {}),
]


@pytest.mark.parametrize("row", TAKEN, ids=ids(TAKEN))
def test_the_data_key_finds_a_usual_header_if_the_list_is_elsewhere(row: Taken):
    report = examined_account(Account(paths_first, header=row.header))
    check_what_holds_of_each_report(report)
    assert report.extra == row.extra


@pytest.mark.parametrize("row", TAKEN, ids=ids(TAKEN))
def test_no_key_is_wrong_while_the_header_may_be(row: Taken):
    report = examined_account(Account(paths_first, header=row.header))
    keys = (about(report, Topic.CAMPAIGN_KEY), about(report, Topic.DATA_KEY))
    assert Certainty.WRONG not in {finding.certainty for finding in keys}
    assert not report.works


@pytest.mark.parametrize("listed", [LIST, None])
@pytest.mark.parametrize("header", ["X-SVC-APPKEY", "X-Client-Id", "workspace-id"])
def test_any_usual_header_is_found(header: str, listed: str | None):
    report = examined_account(Account(header=header), coupon_list_id=listed)
    check_what_holds_of_each_report(report)
    value = report.values["workspace_header"]
    assert (value.value.lower(), value.is_proved) == (header.lower(), True)
