"""
If the list's reply has text before or after its JSON, two documents, sizes of chunks, a call
(JSONP) or two byte order marks, the path of the list is wrong, since the provider cannot read it
and no setting helps; what stands there is quoted, without secrets. It is no web page, whatever its
type, and in the way of nothing else: other paths reply, so the Address and the data key stay
*sure*, and the campaign key is told from a made-up one.

If each reply has such text, only Records are reported: address and path may be right, and no key
was judged. If only the reply with one file has it, that is said of the Path of one file, and that
the list can be read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest

from support.doctor_service import (
    DATA_KEY,
    FILES_PATH,
    Account,
    Call,
    about,
    check_bounds,
    examined_account,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings import Certainty, Topic

FILES = json.dumps({"data": [record("f1")]})
WARNING = (
    '<br />\n<b>Warning</b>:  Undefined array key "tz" in <b>/srv/api/ListController.php</b> on '
    "line <b>118</b><br />\n"
)
CHUNKED = f"{len(FILES):x}\r\n{FILES}\r\n0"


def list_gets(body: str, media: str) -> Callable[[Call], Reply | None]:
    """A service whose list has this body and type."""
    reply = Reply(200, body.encode(), {"Content-Type": media})
    return lambda call: reply if call.path == FILES_PATH and call.key == "campaign" else None


class InList(NamedTuple):
    """A body of the list, its type, and what its row has of it."""

    name: str
    media: str
    body: str
    says: str


PAGE, JSON = "text/html", "application/json"
NO_SETTING = "which the provider cannot read, and no setting changes that: "
LISTS = [
    InList(
        "a warning of PHP",
        PAGE,
        WARNING + FILES,
        'JSON after other text (\'Warning: Undefined array key "tz" in '
        f"/srv/api/ListController.php on line 118'), {NO_SETTING}send that line to its support",
    ),
    InList(
        "a comment",
        JSON,
        f"<!-- node 7 -->{FILES}",
        f"JSON after other text ('<!-- node 7 -->'), {NO_SETTING}send that line",
    ),
    InList(
        "a script of a proxy",
        JSON,
        f'{FILES}<script src="//p.example/x.js"></script>',
        "JSON before other text ('<script src=",
    ),
    InList(
        "two documents",
        JSON,
        FILES + FILES,
        f"JSON as 2 documents, one after another, {NO_SETTING}ask its support for plain JSON",
    ),
    InList(
        "chunks",
        JSON,
        CHUNKED,
        f"JSON with the sizes of its chunks in it, {NO_SETTING}ask its support for plain JSON",
    ),
    InList("JSONP", PAGE, f"callback({FILES});", "JSON in a call of callback(), as JSONP, which"),
]


@pytest.mark.parametrize("row", LISTS, ids=[row.name for row in LISTS])
def test_a_list_with_something_around_its_json_is_wrong_and_the_report_says_what(row: InList):
    report = examined_account(Account(list_gets(row.body, row.media)))

    finding = about(report, Topic.LIST_PATH)
    assert f"The service replies with {row.says}" in finding.text
    assert finding.certainty is Certainty.WRONG
    assert "a web page" not in report.to_json()
    check_bounds(report)


@pytest.mark.parametrize("row", LISTS, ids=[row.name for row in LISTS])
def test_something_around_the_json_of_a_list_is_in_the_way_of_nothing_else(row: InList):
    """Other paths reply, so the address and the other key are proved."""
    report = examined_account(Account(list_gets(row.body, row.media)))

    text = about(report, Topic.LIST_PATH).text
    assert text.endswith("Other paths reply here, so the Address is right.")
    for topic in (Topic.ADDRESS, Topic.DATA_KEY):
        assert about(report, topic).certainty is Certainty.SURE
    assert "a made-up key is refused" in about(report, Topic.CAMPAIGN_KEY).text


def test_secrets_in_text_around_json_are_not_printed():
    report = examined_account(Account(list_gets(f"debug: {DATA_KEY}\n{FILES}", PAGE)))

    assert "JSON after other text ('debug: " in about(report, Topic.LIST_PATH).text
    assert DATA_KEY not in report.to_json()


def test_text_around_the_json_of_each_reply_leaves_address_path_and_keys_open():
    report = examined_account(Account(lambda _: Reply(200, (WARNING + FILES).encode(), {})))

    (finding,) = report.findings
    assert finding.topic is Topic.RECORDS
    assert finding.text.startswith("The service replies with JSON after other text ('Warning: ")
    assert "The Address and the path may be right, and no key was judged." in finding.text


def test_text_around_the_json_of_one_file_is_quoted_and_the_list_said_to_be_readable():
    replies: Mapping[str, Reply] = {
        f"{FILES_PATH}/f1": Reply(200, (WARNING + json.dumps(record("f1"))).encode(), {})
    }
    account = Account(lambda call: replies.get(call.path) if call.key == "campaign" else None)

    report = examined_account(account)

    finding = about(report, Topic.FILE_PATH)
    assert "JSON after other text ('Warning: " in finding.text
    assert "The list can be read, unlike that." in finding.text


def test_a_list_after_two_byte_order_marks_is_wrong():
    account = Account(list_gets(f"\ufeff\ufeff{FILES}", JSON))

    finding = about(examined_account(account), Topic.LIST_PATH)

    assert "has the files after a byte order mark too many, which the provider" in finding.text
    assert finding.certainty is Certainty.WRONG
