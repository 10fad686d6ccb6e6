"""
A reply shows a mock server if each file of its list has "string" as its _id and at least once more,
in any member, also of an object within; if its body has a member type that names one (Prism's
address, or wiremock, mockoon, ...), whatever the status; or if a header does, by its name
(Matched-Stub-Id, X-Mock-...) or its value (Server: WireMock). Examples are named first, then errors
and headers in the order of the replies, and two of the replies. The Account is then *Not proved*,
before what is wrong; not if the service refuses the account in words of its own, or gives every
read 503. Data are: another member called string, the _id alone, STRING, one of two files, and a
mock server's name in a file, in an error's message, or in the type of a member.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_service import (
    FILES_PATH,
    UNAUTHENTICATED,
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report

EXAMPLE = {
    "_id": "string",
    "name": "string",
    "file_url": "http://example.com",
    "status": "PENDING",
    "coupons_list_id": "string",
}
PRISM = "https://stoplight.io/prism/errors#NO_PATH_MATCHED_ERROR"
SAYS = (
    "A mock server may reply, with examples in place of data ({}): nothing of that is your "
    "account's. Put the address of the service itself into the Address, and upload nothing before "
    "that."
)


def of_mock(record: Any = EXAMPLE, error: Any = None, **headers: str) -> Account:
    """A mock server: a file for any list and any key, and an error for anything else."""

    def replies(call: Call) -> Reply | None:
        if call.path.startswith("/v1/coupon-list/") and call.path.endswith("/files"):
            return json_reply(200, {"data": [record]}, **headers)
        return json_reply(404, error or {"message": "Not found"}, **headers)

    return Account(replies)


def of_files(files: list[Mapping[str, Any]], **headers: str) -> Account:
    """A service with these files, which refuses keys that it does not know."""
    return Account(records=files, list_headers=headers)


class Mock(NamedTuple):
    """A server, and what shows that it is a mock."""

    name: str
    account: Account
    shows: str


MOCKS = [
    Mock("examples of files", of_mock(), "each file has 'string' as its _id"),
    Mock(
        "examples, and an error of Prism",
        of_mock(error={"type": PRISM, "title": "Route not resolved", "status": 404}),
        "each file has 'string' as its _id; an error names stoplight.io/prism",
    ),
    Mock(
        "an error of Prism alone",
        of_mock(record("f1"), {"type": PRISM, "title": "Route not resolved", "status": 404}),
        "an error names stoplight.io/prism",
    ),
    Mock(
        "an identifier and one other example",
        of_files([{"_id": "string", "name": "string", "status": "PENDING"}]),
        "each file has 'string' as its _id",
    ),
    Mock("examples for the own key only", of_files([EXAMPLE]), "each file has 'string' as its _id"),
    Mock(
        "a header of WireMock",
        of_files([record("f1")], Matched_Stub_Id="7c1b"),
        "a header names matched-stub-id",
    ),
    Mock(
        "a header's value",
        of_files([record("f1")], Server="WireMock/2"),
        "a header names WireMock",
    ),
    Mock("a header X-Mock-", of_files([record("f1")], X_Mock_Id="1"), "a header names x-mock-id"),
    Mock(
        "the member type of a list that came with 200",
        Account(list_body=lambda records: {"type": "mockoon", "data": records}),
        "an error names mockoon",
    ),
    Mock(
        "another member than name, one object further in",
        of_files([{"_id": "string", "more": {"x": "string"}}]),
        "each file has 'string' as its _id",
    ),
]


@pytest.mark.parametrize("row", MOCKS, ids=[row.name for row in MOCKS])
def test_a_mock_server_is_named_by_what_shows_it(row: Mock) -> None:
    report = examined_account(row.account)
    check_what_holds_of_each_report(report)
    finding = about(report, Topic.ACCOUNT)
    assert finding.certainty is Certainty.NOT_PROVED
    assert finding.text == SAYS.format(row.shows)
    assert report.verdict.startswith("Not proved: Account. A mock server may reply")


DATA = {
    "a file called string": [{**record("f1"), "name": "string"}],
    "an identifier alone": [{**record("string"), "name": "winter.csv"}],
    "one example among files": [EXAMPLE, record("f1")],
    "other capitals": [{**record("STRING"), "name": "STRING"}],
    "an example without _id": [{"id": "string", "name": "string", "status": "PENDING"}],
    "an example in a list of values": [{**record("string"), "name": "w.csv", "x": ["string"]}],
}


def has_account(report: Report) -> bool:
    return any(finding.topic is Topic.ACCOUNT for finding in report.findings)


@pytest.mark.parametrize("files", DATA.values(), ids=DATA)
def test_data_that_looks_like_an_example_in_part_is_data(files: list[Mapping[str, Any]]) -> None:
    assert not has_account(examined_account(of_files(files)))


def test_a_name_in_a_file_shows_no_mock_server() -> None:
    files = [record("f1", name="wiremock.csv", file_url=f"https://f.example.com{FILES_PATH}")]
    assert not has_account(examined_account(of_files(files)))


def test_two_of_the_replies_that_show_a_mock_server_are_named() -> None:
    report = examined_account(of_mock())
    shown = [probe for probe in report.probes if probe.content == {"data": [EXAMPLE]}]
    assert about(report, Topic.ACCOUNT).probes == tuple(shown[:2])
    assert len(shown) > 2


NAMED_ELSEWHERE = {
    "in an error's message": {"error": {"code": "x", "message": f"see {PRISM}"}},
    "in the type of a member": {"error": {"type": PRISM, "message": "x"}},
}


@pytest.mark.parametrize("error", NAMED_ELSEWHERE.values(), ids=NAMED_ELSEWHERE)
def test_a_name_that_is_not_the_type_of_the_body_shows_no_mock_server(error: Any) -> None:
    assert not has_account(examined_account(of_mock(record("f1"), error)))


def test_a_mock_server_comes_before_what_is_wrong() -> None:
    def replies(call: Call) -> Reply | None:
        if call.path.startswith("/v3/"):
            return json_reply(401, UNAUTHENTICATED, Matched_Stub_Id="1")
        return None

    report = examined_account(Account(replies))
    assert Certainty.WRONG in [finding.certainty for finding in report.findings]
    assert report.verdict.startswith("Not proved: Account. ")


def test_examples_are_named_before_errors_and_headers_which_stand_in_the_order_of_the_replies() -> (
    None
):
    report = examined_account(of_mock(error={"type": PRISM}, Matched_Stub_Id="1"))
    assert about(report, Topic.ACCOUNT).text == SAYS.format(
        "each file has 'string' as its _id; a header names matched-stub-id; "
        "an error names stoplight.io/prism"
    )
