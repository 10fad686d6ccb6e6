"""What messages show: URLs without what may be secret, values bounded and in one line."""

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
    "parameters": Shown("https://h.example.com/a.csv;sig=s3cret", "https://h.example.com/a.csv"),
    "query, without a scheme": Shown("h.example.com/a.csv?sig=s3cret", "h.example.com/a.csv"),
    "nothing secret": Shown("s3://bucket/a.csv", "s3://bucket/a.csv"),
}


@pytest.mark.parametrize("row", URLS.values(), ids=URLS)
def test_a_url_is_shown_without_user_information_and_what_follows_its_path(row: Shown):
    assert redact_url(row.given) == row.shown
    assert redact(row.given) == row.shown


@pytest.mark.parametrize("row", URLS.values(), ids=URLS)
def test_a_url_in_a_sentence_is_shown_as_it_is_alone(row: Shown):
    assert redact(f"404 of {row.given} again") == f"404 of {row.shown} again"
    assert "s3cret" not in redact(f"'{row.given}' and <{row.given}>")


def test_a_comma_ends_the_path_of_a_url_and_belongs_to_its_query():
    assert redact("404 of s3://bucket/a.csv, sorry") == "404 of s3://bucket/a.csv, sorry"
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


@pytest.mark.parametrize("url", ENCODED.values(), ids=ENCODED)
@pytest.mark.parametrize("text", ["{}", "cannot fetch {}, sorry", "https://a.example/?url={}"])
def test_a_percent_encoded_url_is_shown_as_a_plain_one_is(text: str, url: str):
    assert "s3cret" not in redact(text.format(url))


@pytest.mark.parametrize("url", list(ENCODED.values())[:3])
def test_the_path_of_a_percent_encoded_url_is_kept(url: str):
    assert redact(f"no {url}") == f"no {url.partition('a.csv')[0]}a.csv"


@given(st.text())
def test_no_text_around_a_url_brings_its_secrets_back(text: str):
    assert "s3cret" not in redact(f"{text} https://u:s3cret@h.example.com/a?sig=s3cret {text}")


VALUES = {
    "a string": Shown("a", "'a'"),
    "a number": Shown(7, "7"),
    "None": Shown(None, "None"),
    "several lines": Shown("a\nb\0c", "'a b c'"),
    "a long string": Shown("x" * 200, repr("x" * 99 + "…")),
    "a list with a URL": Shown(
        ["https://h.example.com/a?sig=s3cret"], "['https://h.example.com/a']"
    ),
}


@pytest.mark.parametrize("row", VALUES.values(), ids=VALUES)
def test_a_value_is_shown_in_one_line_bounded(row: Shown):
    assert shown(row.given) == row.shown


def test_the_first_line_of_a_message_has_the_whole_cause_and_file_and_list():
    cause = "FAILED: " + "a long reason " * 20
    assert about(cause, "summer", "a.csv") == f"{cause} (a.csv of list summer)"
    assert about(cause, "summer") == f"{cause} (list summer)"
    assert about(cause) == cause


def test_numbers_of_things_are_counted_in_plain_english():
    assert [counted(number, "poll") for number in (0, 1, 2)] == ["0 polls", "1 poll", "2 polls"]
