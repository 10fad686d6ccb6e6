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
