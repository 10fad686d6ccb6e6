"""
What messages show (``wes_provider.texts``). A URL is shown without user, password, query,
parameters of its path and fragment, alone, in a sentence and in quotes; so is one that is
percent-encoded once or twice, of which the path is kept. A comma after the query goes with it.

In a sentence, not everything is taken for a part of a URL. What stands before an ``@`` is kept in
an e-mail address, and before a bucket, where it names a connection. Without a scheme, what follows
a path is kept unless it has a ``=``.

A value is shown in one line of at most a hundred characters, in which URLs lose their secrets, too.
The first line of a message has the whole cause, and at its end the list, or the file and its list,
if it is about them. Numbers of things are in plain English: 1 poll, 2 polls.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wes_provider.texts import about, counted, redact, redact_url, shown


class Shown(NamedTuple):
    """A value, and how it is shown."""

    given: Any
    shown: str


URLS = {
    "query and fragment": Shown(
        "https://h.example.com/a.csv?sig=s3cret#s3cret", "https://h.example.com/a.csv"
    ),
    "user": Shown("https://user:s3cret@h.example.com/a.csv", "https://h.example.com/a.csv"),
    "user, without a scheme": Shown("user:s3cret@h.example.com/a.csv", "h.example.com/a.csv"),
    "user without a password": Shown(
        "https://s3cret@h.example.com/a.csv", "https://h.example.com/a.csv"
    ),
    "user without a password, of a server of files": Shown(
        "sftp://s3cret@h.example.com/a.csv", "sftp://h.example.com/a.csv"
    ),
    "parameters": Shown("https://h.example.com/a.csv;sig=s3cret", "https://h.example.com/a.csv"),
    "query, without a scheme": Shown("h.example.com/a.csv?sig=s3cret", "h.example.com/a.csv"),
    "nothing secret": Shown("s3://bucket/a.csv", "s3://bucket/a.csv"),
}


ALONE = {
    "fragment, without a scheme": Shown("h.example.com/a.csv#s3cret", "h.example.com/a.csv"),
    "query without =, without a scheme": Shown("h.example.com/a.csv?s3cret", "h.example.com/a.csv"),
    "parameters without =, without a scheme": Shown(
        "h.example.com/a.csv;s3cret", "h.example.com/a.csv"
    ),
}
"""What is shown in another way in a sentence."""


@pytest.mark.parametrize("row", [*URLS.values(), *ALONE.values()], ids=[*URLS, *ALONE])
def test_a_url_is_shown_without_user_information_and_what_follows_its_path(row: Shown):
    assert redact_url(row.given) == row.shown


SENTENCES = {"alone": "{}", "among words": "404 of {} again"}


@pytest.mark.parametrize("sentence", SENTENCES.values(), ids=SENTENCES)
@pytest.mark.parametrize("row", URLS.values(), ids=URLS)
def test_a_url_in_a_sentence_is_shown_as_it_is_alone(row: Shown, sentence: str):
    assert redact(sentence.format(row.given)) == sentence.format(row.shown)


NO_PARTS_OF_URLS = {
    "the connection of a bucket": "404 of s3://aws_default@bucket/a.csv",
    "an e-mail address": "ask joe@example.com for it",
    "a question": "is it a.csv?yes",
    "a place in a page": "see red-task.html#upload",
    "a semicolon": "read a.csv;skipped b.csv",
}


@pytest.mark.parametrize("sentence", NO_PARTS_OF_URLS.values(), ids=NO_PARTS_OF_URLS)
def test_words_that_only_look_like_parts_of_a_url_are_kept(sentence: str):
    assert redact(sentence) == sentence


@pytest.mark.parametrize("row", URLS.values(), ids=URLS)
def test_quotes_and_brackets_around_a_url_keep_no_secret(row: Shown):
    assert "s3cret" not in redact(f"'{row.given}' and <{row.given}>")


def test_a_comma_after_the_path_of_a_url_is_kept():
    assert redact("404 of s3://bucket/a.csv, sorry") == "404 of s3://bucket/a.csv, sorry"


def test_a_comma_after_the_query_of_a_url_goes_with_it():
    with_query = "404 of https://h.example.com/a.csv?sig=s3cret, sorry"
    assert redact(with_query) == "404 of https://h.example.com/a.csv sorry"


ENCODED = {
    "query": "https%3A%2F%2Fh.example.com%2Fa.csv%3Fsig%3Ds3cret",
    "small letters": "https%3a%2f%2fh.example.com%2fa.csv%3fsig%3ds3cret",
    "twice": "https%253A%252F%252Fh.example.com%252Fa.csv%253Fsig%253Ds3cret",
    "fragment": "https%3A%2F%2Fh.example.com%2Fa.csv%23s3cret",
    "parameters": "https%3A%2F%2Fh.example.com%2Fa.csv%3Bsig%3Ds3cret",
    "user": "https%3A%2F%2Fuser%3As3cret%40h.example.com%2Fa.csv",
    "query as it is": "https%3A%2F%2Fh.example.com%2Fa.csv?sig=s3cret",
    "slashes as they are": "url=https%3A//h.example.com/a.csv%3Fsig%3Ds3cret",
}


AROUND = {
    "alone": "{}",
    "among words": "cannot fetch {}, sorry",
    "in another URL's query": "https://a.example/?url={}",
}


@pytest.mark.parametrize("url", ENCODED.values(), ids=ENCODED)
@pytest.mark.parametrize("text", AROUND.values(), ids=AROUND)
def test_a_percent_encoded_url_is_shown_without_its_secret(text: str, url: str):
    assert "s3cret" not in redact(text.format(url))


@pytest.mark.parametrize("name", ["query", "small letters", "twice"])
def test_the_path_of_a_percent_encoded_url_is_kept(name: str):
    url = ENCODED[name]
    assert redact(f"no {url}") == f"no {url.partition('a.csv')[0]}a.csv"


@given(st.text())
def test_no_text_around_a_url_brings_its_secrets_back(text: str):
    assert "s3cret" not in redact(f"{text} https://u:s3cret@h.example.com/a?sig=s3cret {text}")


VALUES = {
    "a string": Shown("a", "'a'"),
    "a number": Shown(7, "7"),
    "None": Shown(None, "None"),
    "several lines": Shown("a\nb\0c", "'a b c'"),
    "a string of 100 characters": Shown("x" * 100, repr("x" * 100)),
    # 99 characters and an ellipsis, in quotes.
    "a string of 101 characters": Shown("x" * 101, repr("x" * 99 + "…")),
    "a list with a URL": Shown(
        ["https://h.example.com/a?sig=s3cret"], "['https://h.example.com/a']"
    ),
}


@pytest.mark.parametrize("row", VALUES.values(), ids=VALUES)
def test_a_value_is_shown_in_one_line_of_at_most_a_hundred_characters(row: Shown):
    assert shown(row.given) == row.shown


CAUSE = "FAILED: " + "a long reason " * 20


def test_the_first_line_of_a_message_has_the_whole_cause():
    assert about(CAUSE) == CAUSE


def test_the_first_line_of_a_message_about_a_list_names_it():
    assert about(CAUSE, "summer") == f"{CAUSE} (list summer)"


def test_the_first_line_of_a_message_about_a_file_names_it_and_its_list():
    assert about(CAUSE, "summer", "a.csv") == f"{CAUSE} (a.csv of list summer)"


def test_numbers_of_things_are_counted_in_plain_english():
    assert [counted(number, "poll") for number in (0, 1, 2)] == ["0 polls", "1 poll", "2 polls"]
