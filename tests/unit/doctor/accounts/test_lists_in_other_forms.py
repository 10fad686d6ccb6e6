"""
Accounts whose list alone comes with 200 in another form than JSON (CSV, XML, Protocol Buffers, a
text for an empty list, JSON of more than 32 MB), while all other paths reply as the service does.
The verdict is about the path of the list, and says what came; the Address and the data key are
*sure*, and a made-up campaign key is told from the own one. If the reply links to its JSON form,
that path is read, proposed, and its files are read. A text for each path is none of this: it is
about the Address, and only another path is read besides.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined_account,
)
from support.servers import Reply
from wes_provider.contract import MIB
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report

SURE = Certainty.SURE
CSV = b"_id,name,status\r\nf1,f1,SUCCESS\r\n"
XML = b"<files><file><_id>f1</_id><status>SUCCESS</status></file></files>"


def with_list(body: bytes, media: str, **headers: str) -> Account:
    """An account whose list has this body and type, unless its query asks for JSON."""
    reply = Reply(200, body, {"Content-Type": media, **headers})

    def replies(call: Call) -> Reply | None:
        is_list = call.path == FILES_PATH and call.key == "campaign"
        return reply if is_list and not call.query else None

    return Account(replies)


class InOtherForm(NamedTuple):
    """A list, and how the verdict on it begins."""

    name: str
    body: bytes
    media: str
    verdict: str


LISTS = [
    InOtherForm(
        "CSV",
        CSV,
        "text/csv",
        "Not ready: Path of the list's files. The list comes as CSV (200 with text/csv: "
        "'_id,name,status f1,f1,SUCCESS'), which the provider cannot read,",
    ),
    InOtherForm(
        "XML",
        XML,
        "application/xml",
        "Not ready: Path of the list's files. The list comes as XML (200 with application/xml: ",
    ),
    InOtherForm(
        "Protocol Buffers",
        b"\n\x0b\n\x02f1\x00\xff\xfe",
        "application/x-protobuf",
        "Not ready: Path of the list's files. The list comes as Protocol Buffers (200 with "
        "application/x-protobuf; it begins with 0a 0b 0a 02),",
    ),
    InOtherForm(
        "a text for an empty list",
        b"No files found.",
        "text/plain",
        "Not proved: Path of the list's files. 200 with text/plain came, and its words say that "
        "the list is empty: 'No files found'.",
    ),
    InOtherForm(
        "more than 32 MB",
        b'[{"_id": "f1"}' + b" " * 32 * MIB,
        "application/json",
        "Not proved: Path of the list's files. The list is longer than the 32 MB that the provider "
        "reads.",
    ),
]


@pytest.fixture(scope="module", params=LISTS, ids=[row.name for row in LISTS])
def examined(request: pytest.FixtureRequest) -> tuple[InOtherForm, Report]:
    """A list in another form, and the report on its account."""
    row = request.param
    return row, examined_account(with_list(row.body, row.media))


def test_the_verdict_says_in_which_form_the_list_comes(examined: tuple[InOtherForm, Report]):
    row, report = examined
    check_what_holds_of_each_report(report)
    assert report.verdict.startswith(row.verdict)
    assert "Other paths reply here, so the Address is right." in report.verdict


def test_address_and_keys_are_judged_at_other_paths(examined: tuple[InOtherForm, Report]):
    _, report = examined
    assert about(report, Topic.ADDRESS).certainty is SURE
    assert about(report, Topic.DATA_KEY).certainty is SURE
    assert about(report, Topic.CAMPAIGN_KEY).text.startswith("Known: a made-up key is refused.")


def test_a_link_to_json_is_read_and_proposed_as_the_path_of_the_list():
    link = f'<{FILES_PATH}?format=json>; rel="alternate"; type="application/json"'
    report = examined_account(with_list(CSV, "text/csv", Link=link))
    check_what_holds_of_each_report(report)
    assert report.extra["paths"] == {
        "coupon_files": "/v1/coupon-list/{coupon_list_id}/files?format=json"
    }
    assert about(report, Topic.LIST_PATH).certainty is Certainty.WRONG
    assert about(report, Topic.FILE_PATH).certainty is SURE


def test_a_text_for_each_path_is_about_the_address_and_nothing_more_is_read():
    account = Account(lambda _: Reply(200, CSV, {"Content-Type": "text/csv"}))
    report = examined_account(account)
    assert report.verdict.startswith("Not ready: Address. Text came with status 200")
    assert [call.path for call in account.calls if call.path != FILES_PATH] == [
        "/v1/wes-doctor-no-such-path/wes-doctor"
    ]
