"""What messages show: URLs without what may be secret, values bounded and in one line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wes_provider.texts import about, counted, redact, redact_url, shown

URLS = [
    ("https://h.example.com/a.csv?sig=s3cret#s3cret", "https://h.example.com/a.csv"),
    ("https://user:s3cret@h.example.com/a.csv", "https://h.example.com/a.csv"),
    ("user:s3cret@h.example.com/a.csv", "h.example.com/a.csv"),
    ("https://h.example.com/a.csv;sig=s3cret", "https://h.example.com/a.csv"),
    ("h.example.com/a.csv?sig=s3cret", "h.example.com/a.csv"),
    ("s3://bucket/a.csv", "s3://bucket/a.csv"),
]


@pytest.mark.parametrize(("url", "expected"), URLS)
def test_a_url_is_shown_without_user_information_and_what_follows_its_path(url: str, expected: str):
    assert redact_url(url) == expected
    assert redact(f"404 of {url}, sorry") == f"404 of {expected}, sorry" or redact(url) == expected
    assert "s3cret" not in redact(f"'{url}' and <{url}>")


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


VALUES: list[tuple[Any, str]] = [
    ("a", "'a'"),
    (7, "7"),
    (None, "None"),
    ("a\nb\0c", "'a b c'"),
    ("x" * 200, repr("x" * 99 + "…")),
    (["https://h.example.com/a?sig=s3cret"], "['https://h.example.com/a']"),
]


@pytest.mark.parametrize(("value", "expected"), VALUES)
def test_a_value_is_shown_in_one_line_bounded(value: Any, expected: str):
    assert shown(value) == expected


def test_the_first_line_of_a_message_has_the_whole_cause_and_file_and_list():
    cause = "FAILED: " + "a long reason " * 20
    assert about(cause, "summer", "a.csv") == f"{cause} (a.csv of list summer)"
    assert about(cause, "summer") == f"{cause} (list summer)"
    assert about(cause) == cause


def test_numbers_of_things_are_counted_in_plain_english():
    assert [counted(number, "poll") for number in (0, 1, 2)] == ["0 polls", "1 poll", "2 polls"]
