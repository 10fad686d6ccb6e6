"""
If the list's reply has text before or after its JSON, two documents, sizes of chunks, a call
(JSONP) or two byte order marks, the path of the list is *wrong*, since the provider cannot read
that and no setting helps. Text before or after the JSON is quoted without keys, and the service's
support is to get it; of anything else only its kind is told, and the support is asked for plain
JSON. What begins with a tag is not called a web page, with the type of JSON or of HTML. The Address
and the data key stay *sure*, and the campaign key is told from a made-up one, which the service
refuses.

If each reply has such text, only Records are reported, as *wrong*: address and path may be right,
and no key was judged. If only the reply with one file has it, the Path of one file is *wrong*, and
says that the list can be read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest

from support.doctor_service import (
    CAMPAIGN_KEY,
    DATA_KEY,
    FILES_PATH,
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined_account,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic

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
    """
    A body of the list, and what the report says of it.

    :ivar comes_as: what the body is called.
    :ivar ask: what the service's support is to do, or to get.
    """

    name: str
    media: str
    body: str
    comes_as: str
    ask: str


PAGE, JSON = "text/html", "application/json"
SEND_LINE, ASK_PLAIN = "send that line to its support", "ask its support for plain JSON"
LISTS = [
    InList(
        "a warning of PHP before it",
        PAGE,
        WARNING + FILES,
        'JSON after other text (\'Warning: Undefined array key "tz" in '
        "/srv/api/ListController.php on line 118')",
        SEND_LINE,
    ),
    InList(
        "a comment before it",
        JSON,
        f"<!-- node 7 -->{FILES}",
        "JSON after other text ('<!-- node 7 -->')",
        SEND_LINE,
    ),
    InList(
        "a script of a proxy after it",
        JSON,
        f'{FILES}<script src="//p.example/x.js"></script>',
        "JSON before other text ('<script src=\"//p.example/x.js\"></script>')",
        SEND_LINE,
    ),
    InList(
        "two documents",
        JSON,
        FILES + FILES,
        "JSON as 2 documents, one after another",
        ASK_PLAIN,
    ),
    InList(
        "sizes of chunks in it",
        JSON,
        CHUNKED,
        "JSON with the sizes of its chunks in it",
        ASK_PLAIN,
    ),
    InList(
        "JSONP",
        PAGE,
        f"callback({FILES});",
        "JSON in a call of callback(), as JSONP",
        ASK_PLAIN,
    ),
]


@pytest.mark.parametrize("row", LISTS, ids=[row.name for row in LISTS])
def test_a_list_with_something_around_its_json_is_wrong_and_the_report_says_what(row: InList):
    report = examined_account(Account(list_gets(row.body, row.media)))

    finding = about(report, Topic.LIST_PATH)
    assert finding.text.startswith(
        f"The service replies with {row.comes_as}, which the provider cannot read, and no setting "
        f"changes that: {row.ask}. "
    )
    assert finding.certainty is Certainty.WRONG
    check_what_holds_of_each_report(report)


BEGIN_WITH_A_TAG = {"a warning of PHP": WARNING + FILES, "a comment": f"<!-- node 7 -->{FILES}"}


@pytest.mark.parametrize("media", [PAGE, JSON])
@pytest.mark.parametrize("body", BEGIN_WITH_A_TAG.values(), ids=BEGIN_WITH_A_TAG)
def test_a_list_that_begins_with_a_tag_before_its_json_is_not_called_a_web_page(
    body: str, media: str
):
    report = examined_account(Account(list_gets(body, media)))
    assert "web page" not in report.to_json().lower()


@pytest.mark.parametrize("row", LISTS, ids=[row.name for row in LISTS])
def test_something_around_the_json_of_a_list_leaves_the_address_right_since_other_paths_reply(
    row: InList,
):
    report = examined_account(Account(list_gets(row.body, row.media)))

    text = about(report, Topic.LIST_PATH).text
    assert text.endswith("Other paths reply here, so the Address is right.")


TWO_MARKS = f"\ufeff\ufeff{FILES}"
BODIES = {**{row.name: row.body for row in LISTS}, "two byte order marks": TWO_MARKS}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_something_around_the_json_of_a_list_leaves_address_and_data_key_sure(body: str):
    """Nor is the campaign key mistaken for one that does not count."""
    report = examined_account(Account(list_gets(body, JSON)))

    for topic in (Topic.ADDRESS, Topic.DATA_KEY):
        assert about(report, topic).certainty is Certainty.SURE
    assert "a made-up key is refused" in about(report, Topic.CAMPAIGN_KEY).text


@pytest.mark.parametrize("key", [CAMPAIGN_KEY, DATA_KEY], ids=["campaign key", "data key"])
def test_a_key_in_text_around_json_is_neither_printed_nor_in_the_json_of_the_report(key: str):
    report = examined_account(Account(list_gets(f"debug: {key}\n{FILES}", PAGE)))

    assert "JSON after other text ('debug: ***')" in about(report, Topic.LIST_PATH).text
    assert key not in report.to_json()
    assert key not in "\n".join(line.plain for line in report.lines())


def test_text_around_the_json_of_each_reply_leaves_address_path_and_keys_open():
    report = examined_account(Account(lambda _: Reply(200, (WARNING + FILES).encode(), {})))

    (finding,) = report.findings
    assert (finding.topic, finding.certainty) == (Topic.RECORDS, Certainty.WRONG)
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
    assert finding.certainty is Certainty.WRONG


def test_a_list_after_two_byte_order_marks_is_wrong():
    account = Account(list_gets(TWO_MARKS, JSON))

    finding = about(examined_account(account), Topic.LIST_PATH)

    assert "has the files after a byte order mark too many, which the provider" in finding.text
    assert finding.certainty is Certainty.WRONG
