"""
If the list's reply has text before or after its JSON, two documents, sizes of chunks, a call
(JSONP) or two byte order marks, the path of the list is *wrong*, since the provider cannot read
that and no setting helps. That holds for text in lines of its own, for tags, and for text after
JSON with which the reply begins, if the JSON has an object. The text is quoted without keys, of
text on both sides the one before, and the service's support is to get it; of anything else only its kind is told, and the support is asked for plain
JSON.

Text in the line in which the JSON begins, or before JSON without an object, is quoted with that as
text that is no JSON: the path is *not proved*. So it is if the JSON follows a tag of a web page,
such as ``<html>``, ``<form>`` or ``<script>``: that is called a web page. A ``<br>``, a ``<b>`` or
a comment makes none, with the type of JSON or of HTML.

The Address and the data key stay *sure*. The campaign key is told from a made-up one, which the
service refuses, but whether it may read coupons is *not shown*; after two byte order marks, the
list counts as read, and it is *sure*.

If each reply has such text, only Records are reported, as *wrong*: address and path may be right,
and no key was judged. After two byte order marks in each reply there is no such row, and the
Address is *not proved*. If only the reply with one file has such text, the Path of one file is
*wrong*, and says that the list can be read.
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
        "a line after it",
        JSON,
        f"{FILES}\nnode 7",
        "JSON before other text ('node 7')",
        SEND_LINE,
    ),
    InList(
        "text in its line, after it",
        JSON,
        f"{FILES} (7 ms)",
        "JSON before other text ('(7 ms)')",
        SEND_LINE,
    ),
    InList(
        "lines before and after it, of which the one before is quoted",
        JSON,
        f"node 7\n{FILES}\nend",
        "JSON among other text ('node 7')",
        SEND_LINE,
    ),
    InList(
        "a line before an empty list in an object",
        JSON,
        'node 7\n{"data": []}',
        "JSON after other text ('node 7')",
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


class NoJson(NamedTuple):
    """A body of the list that counts as text that is no JSON, and the beginning of the quotation."""

    name: str
    body: str
    quoted: str


NO_JSON = [
    NoJson("text in the line of the JSON", f"node 7 {FILES}", 'node 7 {"data": [{"_id": "f1", '),
    NoJson("a line before JSON without an object", "node 7\n[]", "node 7 []'"),
]


@pytest.mark.parametrize("row", NO_JSON, ids=[row.name for row in NO_JSON])
def test_text_before_json_that_nothing_tells_from_it_is_quoted_with_it_as_no_json(row: NoJson):
    finding = about(examined_account(Account(list_gets(row.body, JSON))), Topic.LIST_PATH)
    assert finding.text.startswith(
        f"200 with application/json came, but its body is text that is no JSON: '{row.quoted}"
    )
    assert finding.certainty is Certainty.NOT_PROVED


TAGS_OF_PAGES = ("<html>", "<form>", "<script>")


@pytest.mark.parametrize("media", [PAGE, JSON])
@pytest.mark.parametrize("tag", TAGS_OF_PAGES)
def test_json_after_a_tag_of_a_web_page_is_called_a_web_page(tag: str, media: str):
    report = examined_account(Account(list_gets(f"{tag}{FILES}", media)))
    finding = about(report, Topic.LIST_PATH)
    assert finding.text.startswith("A web page came with status 200.")
    assert finding.certainty is Certainty.NOT_PROVED


OTHER_TAGS = {
    "a warning of PHP": WARNING,
    "a comment": "<!-- node 7 -->",
    "a break": "<br>",
    "bold text": "<b>node 7</b>",
    "a block": "<div>node 7</div>",
}


@pytest.mark.parametrize("media", [PAGE, JSON])
@pytest.mark.parametrize("tags", OTHER_TAGS.values(), ids=OTHER_TAGS)
def test_json_after_tags_of_text_or_a_comment_is_not_called_a_web_page(tags: str, media: str):
    report = examined_account(Account(list_gets(f"{tags}{FILES}", media)))
    assert "web page" not in report.to_json().lower()


@pytest.mark.parametrize("row", LISTS, ids=[row.name for row in LISTS])
def test_something_around_the_json_of_a_list_leaves_the_address_right_since_other_paths_reply(
    row: InList,
):
    report = examined_account(Account(list_gets(row.body, row.media)))

    text = about(report, Topic.LIST_PATH).text
    assert text.endswith("Other paths reply here, so the Address is right.")


TWO_MARKS = f"\ufeff\ufeff{FILES}"


class Sureness(NamedTuple):
    """A body of the list, and how sure the campaign key is."""

    name: str
    body: str
    of_campaign_key: Certainty


SURENESS = [
    *(Sureness(row.name, row.body, Certainty.NOT_SHOWN) for row in LISTS),
    Sureness("two byte order marks", TWO_MARKS, Certainty.SURE),
]


@pytest.mark.parametrize("row", SURENESS, ids=[row.name for row in SURENESS])
def test_something_around_the_json_of_a_list_leaves_address_and_data_key_sure(row: Sureness):
    report = examined_account(Account(list_gets(row.body, JSON)))

    for topic in (Topic.ADDRESS, Topic.DATA_KEY):
        assert about(report, topic).certainty is Certainty.SURE


@pytest.mark.parametrize("row", SURENESS, ids=[row.name for row in SURENESS])
def test_the_campaign_key_is_told_from_a_made_up_one_if_something_is_around_the_json_of_a_list(
    row: Sureness,
):
    finding = about(examined_account(Account(list_gets(row.body, JSON))), Topic.CAMPAIGN_KEY)
    assert "a made-up key is refused" in finding.text
    assert finding.certainty is row.of_campaign_key


@pytest.mark.parametrize("key", [CAMPAIGN_KEY, DATA_KEY], ids=["campaign key", "data key"])
def test_a_key_in_text_around_json_is_neither_printed_nor_in_the_json_of_the_report(key: str):
    report = examined_account(Account(list_gets(f"debug: {key}\n{FILES}", PAGE)))

    assert "JSON after other text ('debug: ***')" in about(report, Topic.LIST_PATH).text
    assert key not in report.to_json()
    assert key not in "\n".join(line.plain for line in report.lines())


def test_text_around_the_json_of_each_reply_makes_the_records_wrong_and_is_all_that_is_reported():
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


def test_two_byte_order_marks_before_a_list_make_its_path_wrong():
    account = Account(list_gets(TWO_MARKS, JSON))

    finding = about(examined_account(account), Topic.LIST_PATH)

    assert "has the files after a byte order mark too many, which the provider" in finding.text
    assert finding.certainty is Certainty.WRONG


def test_two_byte_order_marks_before_each_reply_leave_the_address_open_and_no_row_of_records():
    report = examined_account(Account(lambda _: Reply(200, TWO_MARKS.encode(), {})))

    assert about(report, Topic.ADDRESS).certainty is Certainty.NOT_PROVED
    assert Topic.RECORDS not in {finding.topic for finding in report.findings}
