"""
How an object or an array of JSON is wrapped in a body that is otherwise no JSON, in words: after a
usual prefix against scripts (``)]}'`` and so on, with any white space behind and none before), in a
call that is all of the body (JSONP), as a string in JSON, in base64 of 16 characters or more, with
the sizes of its chunks in it, as several documents (as JSON Lines if each has a line of its own),
after a second byte order mark, or after, before or among other text.

The text around is that before the JSON, or else that behind it; a byte order mark is none. Nothing
is wrapped if JSON stands alone, breaks off, or is a string or a number, and if it may be a part of
a text or a page: in a script, after text in its line, before text in its line unless the body
begins with it, numbers in a line of their own, an empty object. It is found behind 49 lines that
begin like it, and not behind 50.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from wes_provider.doctor.replies.wrappings import text_around, wrapping_of

OBJECT = '{"a": [1, 2, 3]}'
ARRAY = "[1]"
FILES = '{"data": [{"_id": "f1", "name": "f1"}]}'


class Body(NamedTuple):
    """A body, and how JSON is wrapped in it; empty if it is not."""

    name: str
    body: str
    says: str


class Plain(NamedTuple):
    """A body in which no JSON is wrapped."""

    name: str
    body: str


NOT_WRAPPED = (
    Plain("no body", ""),
    Plain("an object", OBJECT),
    Plain("an object that breaks off", OBJECT[:-1]),
    Plain("text", "no JSON"),
    Plain("two lines of text", "not\nfound"),
    Plain("one long word", "abcdefghijklmnopqrstuvwxyz"),
)


@pytest.mark.parametrize("row", NOT_WRAPPED, ids=[row.name for row in NOT_WRAPPED])
def test_json_that_stands_alone_or_is_none_is_not_wrapped(row: Plain):
    assert wrapping_of(row.body) == ""


# -- a prefix that keeps browsers from running JSON as a script ------------------------------------


class Prefix(NamedTuple):
    """A usual prefix, and how it is said."""

    prefix: str
    says: str


PREFIXES = (
    Prefix(")]}'", """after ")]}'\""""),
    Prefix(")]}',", """after ")]}',\""""),
    Prefix(")]}", "after ')]}'"),
    Prefix(")]},", "after ')]},'"),
    Prefix("while(1);", "after 'while(1);'"),
    Prefix("while (1);", "after 'while (1);'"),
    Prefix("for(;;);", "after 'for(;;);'"),
    Prefix("for (;;);", "after 'for (;;);'"),
    Prefix("throw 1;", "after 'throw 1;'"),
    Prefix("&&&START&&&", "after '&&&START&&&'"),
    Prefix("{}&&", "after '{}&&'"),
    Prefix("/*", "after '/*'"),
)
SPACES = {"nothing": "", "a space": " ", "a line's end": "\n", "two lines' ends": "\r\n\r\n"}


@pytest.mark.parametrize("body", [OBJECT, ARRAY], ids=["an object", "an array"])
@pytest.mark.parametrize("space", SPACES.values(), ids=[f"{name} between" for name in SPACES])
@pytest.mark.parametrize("row", PREFIXES, ids=[row.prefix for row in PREFIXES])
def test_json_after_a_usual_prefix_and_any_white_space_is_named_by_the_prefix(
    row: Prefix, space: str, body: str
):
    assert wrapping_of(f"{row.prefix}{space}{body}") == row.says


def test_json_in_a_comment_is_named_by_where_the_comment_begins():
    assert wrapping_of(f"/*{OBJECT}*/") == "after '/*'"


AFTER_PREFIX = (
    Plain("a string", ')]}\'\n"text"'),
    Plain("a number", ")]}'\n7"),
    Plain("an object that breaks off", ")]}'\n{no"),
    Plain("an object, with a space before the prefix", f" )]}}'{OBJECT}"),
)


@pytest.mark.parametrize("row", AFTER_PREFIX, ids=[row.name for row in AFTER_PREFIX])
def test_what_is_no_object_or_array_right_after_a_prefix_is_not_wrapped(row: Plain):
    assert wrapping_of(row.body) == ""


# -- JSON inside of something else -----------------------------------------------------------------

CALLS = (
    Body("an object", f"a({OBJECT})", "in a call of a(), as JSONP"),
    Body("a semicolon", f"a({OBJECT});", "in a call of a(), as JSONP"),
    Body(
        "spaces, and an empty comment before it",
        f"/**/ my.$call_1 ( {OBJECT} ) ;",
        "in a call of my.$call_1(), as JSONP",
    ),
    Body("an array of two lines", "_x([1\n]);", "in a call of _x(), as JSONP"),
    Body("an empty array", "$x([]);", "in a call of $x(), as JSONP"),
    Body("a name that begins with a digit", "1x([]);", ""),
    Body("a number", "x(7);", ""),
    Body("words", "see(here)", ""),
    Body("text behind it", "x([]) y", ""),
    Body("two semicolons", "x([]);;", ""),
)


@pytest.mark.parametrize("row", CALLS, ids=[row.name for row in CALLS])
def test_an_object_or_an_array_in_a_call_that_is_all_of_the_body_is_named_by_the_function(
    row: Body,
):
    assert wrapping_of(row.body) == row.says


STRINGS = (
    Body("an object", json.dumps(OBJECT), "as a string in JSON"),
    Body("an array", json.dumps(ARRAY), "as a string in JSON"),
    Body("text", json.dumps("text"), ""),
    Body("a number", json.dumps("7"), ""),
)


@pytest.mark.parametrize("row", STRINGS, ids=[row.name for row in STRINGS])
def test_an_object_or_an_array_in_a_json_string_is_named(row: Body):
    assert wrapping_of(row.body) == row.says


ENCODED = (
    Body("an object in 16 characters", "eyJhYmNkIjogMTJ9", "in base64"),  # {"abcd": 12}
    Body("an array in 15 characters and =", "WzEsMiwzLDQsNV0=", ""),  # [1,2,3,4,5]
    Body("one = at the end", "eyJhYmNkZWYiOiAxMn0=", "in base64"),  # {"abcdef": 12}
    Body("two = at the end", "eyJhYmNkZSI6IDEyfQ==", "in base64"),  # {"abcde": 12}
    Body("an array", "WyI/Pz4+Pz8+Pj8iXQ==", "in base64"),  # ["??>>??>>?"]
    Body("the signs for URLs", "WyI_Pz4-Pz8-Pj8iXQ==", "in base64"),  # ["??>>??>>?"]
    Body("a number", "MTIzNDU2Nzg5MDEyMw==", ""),  # 1234567890123
    Body("text", "bm8gSlNPTiBhdCBhbGw=", ""),  # no JSON at all
    Body("a length that base64 does not have", "a" * 17, ""),
    Body("bytes that are no UTF-8", "////////////////", ""),
)


@pytest.mark.parametrize("row", ENCODED, ids=[row.name for row in ENCODED])
def test_an_object_or_an_array_in_16_characters_of_base64_or_more_is_named(row: Body):
    assert wrapping_of(row.body) == row.says


CHUNKS = (
    Body(
        "one chunk",
        '10\r\n{"a": [1, 2, 3]}\r\n0',
        "with the sizes of its chunks in it",
    ),
    Body(
        "two chunks",
        '6\r\n{"a": \r\nA\r\n[1, 2, 3]}\r\n0',
        "with the sizes of its chunks in it",
    ),
    Body("a word of hexadecimal digits", "add\nmore", ""),
)


@pytest.mark.parametrize("row", CHUNKS, ids=[row.name for row in CHUNKS])
def test_json_with_the_sizes_of_its_chunks_in_it_is_named(row: Body):
    assert wrapping_of(row.body) == row.says


# -- several documents -----------------------------------------------------------------------------

DOCUMENTS = (
    Body("two objects in a line", FILES + FILES, "as 2 documents, one after another"),
    Body(
        "two objects of several lines each",
        '{\n"a": 1\n}\n{\n"b": 2\n}',
        "as 2 documents, one after another",
    ),
    Body(
        "two objects in a line each",
        '{"a": 1}\n{"b": 2}',
        "as one object in each line (JSON Lines)",
    ),
    Body(
        "an object and an array in a line each",
        '{"a": 1}\n[2]',
        "as one object in each line (JSON Lines)",
    ),
    Body("one object, and the end of its line", '{"a": 1}\n', ""),
)


@pytest.mark.parametrize("row", DOCUMENTS, ids=[row.name for row in DOCUMENTS])
def test_several_documents_are_named_by_whether_each_has_a_line_of_its_own(row: Body):
    assert wrapping_of(row.body) == row.says


# -- text around JSON ------------------------------------------------------------------------------

WARNING = (
    '<br />\n<b>Warning</b>:  Undefined array key "tz" in <b>/srv/api/ListController.php</b> on '
    "line <b>118</b><br />\n"
)


class Around(NamedTuple):
    """A body, how the JSON in it is wrapped, and the text around it."""

    name: str
    body: str
    says: str
    around: str


AROUND = (
    Around("tags before it", WARNING + FILES, "after other text", WARNING.strip()),
    Around(
        "a line without tags before it",
        f"Notice: Undefined index: x in /a.php on line 3\n{FILES}",
        "after other text",
        "Notice: Undefined index: x in /a.php on line 3",
    ),
    Around(
        "a line with brackets and braces before it",
        f"[2024-05-01 10:00:00] INFO {{x}}\n{FILES}",
        "after other text",
        "[2024-05-01 10:00:00] INFO {x}",
    ),
    Around(
        "a comment before it, in its line",
        f"<!-- node 7 -->{FILES}",
        "after other text",
        "<!-- node 7 -->",
    ),
    Around(
        "a tag behind it",
        f'{FILES}\n<script src="//p.example/x.js"></script>',
        "before other text",
        '<script src="//p.example/x.js"></script>',
    ),
    Around("a number behind it", '{"a": 1}\n7', "before other text", "7"),
    Around("text behind it, in its line", f"{FILES} (7 ms)", "before other text", "(7 ms)"),
    Around(
        "a comment before it and one behind it",
        f"<!-- a -->{FILES}<!-- b -->",
        "among other text",
        "<!-- a -->",
    ),
)


@pytest.mark.parametrize("row", AROUND, ids=[row.name for row in AROUND])
def test_json_with_text_around_it_is_named_by_where_the_text_is(row: Around):
    assert wrapping_of(row.body) == row.says


@pytest.mark.parametrize("row", AROUND, ids=[row.name for row in AROUND])
def test_the_text_around_json_is_that_before_it_or_else_that_behind_it(row: Around):
    assert text_around(row.body) == row.around


def test_json_after_two_byte_order_marks_is_named_by_the_second_one():
    assert wrapping_of(f"\ufeff\ufeff{FILES}") == "after a byte order mark too many"


def test_a_byte_order_mark_is_no_text_around_json():
    assert text_around(f"\ufeff\ufeff{FILES}") == ""


NOT_AROUND = (
    Plain("a script of a page", f"<html><script>\n{FILES}\n</script></html>"),
    Plain("a value in a script of a page", f"<!doctype html><script>x={FILES};</script>"),
    Plain("an object in the middle of a sentence", 'Cannot parse {"a": 1} here'),
    Plain("an object after text in its line", f"node 7 {FILES}"),
    Plain("an object in a line of its own, with text behind it", f"node 7\n{FILES} (7 ms)"),
    Plain("an array of numbers in a line of its own", "See\n[1, 2]\nfor more"),
    Plain("an empty object before text", "{}\nand more"),
    Plain("an object that breaks off, after text", f"{WARNING}{FILES[:-4]}"),
    Plain("text without JSON", WARNING),
)


@pytest.mark.parametrize("row", NOT_AROUND, ids=[row.name for row in NOT_AROUND])
def test_what_may_be_a_part_of_a_text_or_of_a_page_is_not_taken_for_wrapped(row: Plain):
    assert wrapping_of(row.body) == ""


class Searched(NamedTuple):
    """How many lines before JSON look like its beginning, and how it is said to be wrapped."""

    lines: int
    says: str


SEARCHED = [Searched(lines=49, says="after other text"), Searched(lines=50, says="")]


@pytest.mark.parametrize("row", SEARCHED, ids=[str(row.lines) for row in SEARCHED])
def test_json_is_found_behind_49_lines_that_begin_like_it_and_not_behind_50(row: Searched):
    text = "[no JSON\n" * row.lines + FILES
    assert wrapping_of(text) == row.says
