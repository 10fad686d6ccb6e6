"""
What a web page says to its readers, in its first 10,000 characters and with 2,000 at most.

Its title is the first title that is not empty, the first heading and the first sentence with an
hour, in the order in which title and heading stand, each once; the message of a Tomcat page; and
the first sentence in which a firewall names itself, such as Mod_Security. An hour is 9:00, 10.30, 10h00, 10 Uhr, 9 am and the like, in a sentence that readers see (not in a
style or script); not a version such as nginx/1.24.0. It leads to the address of a frame, or else of
a refresh; an iframe does not count. It wants a login by a field for a password, or by words such as
"log in" in a title or first heading, not in its text. Its text is what readers see.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies.words import (
    LONGEST,
    frame_in,
    hour_in,
    is_login,
    text_of,
    title_of,
)


class Page(NamedTuple):
    """A page, and its title."""

    page: str
    title: str


PAGES = [
    Page("<title>Down</title>", "Down"),
    Page("<TITLE lang=de>\n Wartung &amp; mehr </TITLE>", "Wartung & mehr"),
    Page("<title></title><h1>No <b>slash</b></h1>", "No slash"),
    Page("<title>403</title><h1>403</h1>", "403"),
    Page("<title>Denied</title><h1>Your IP is unknown</h1>", "Denied: Your IP is unknown"),
    Page(
        "<title>HTTP Status 400</title><p><b>Message</b> Invalid URI: [noSlash]</p>",
        "HTTP Status 400: Invalid URI: [noSlash]",
    ),
    Page(
        "<title>Not Acceptable!</title><p>Not here. Made by <b>Mod_Security</b>. Bye.</p>",
        "Not Acceptable!: Made by Mod_Security .",
    ),
    Page("<title>Blocked by FortiWeb.</title><p>FortiWeb.</p>", "Blocked by FortiWeb."),
    Page("<p>Hello</p>", ""),
    Page("<title>Half", ""),
]


@pytest.mark.parametrize("row", PAGES, ids=[row.page for row in PAGES])
def test_the_title_of_a_page_is_its_title_or_heading_or_both_or_has_a_message(row: Page):
    assert title_of(row.page) == row.title


TITLES = [
    Tells(
        "A: B",
        ["<title>A</title><h1>B</h1>", "<title>A</title><title>x</title><h1>B</h1><h1>y</h1>"],
    ),
    Tells("404 Not Found", ["<title>404 Not Found</title><h1>Not Found</h1>"]),
    Tells("B: A", ["<h1>B</h1><title>A</title>"]),
    Tells(
        "A",
        ["<title> </title><title>A</title>", "<title>A</title><h1>A</h1>", "<h1 class=x>A</h1>"],
    ),
    Tells(
        "A: back at 10:00",
        ["<title>A</title><p>back at 10:00</p>", "<p>back at 10:00</p><title>A</title>"],
    ),
    Tells("at 10:00", ["<title>at 10:00</title>", "<p>at 10:00</p>"]),
    Tells("", ["", "<titles>A</titles>", " " * 10_000 + "<title>A</title>"]),
    Tells("m" * LONGEST, [f"<title>{'m' * (LONGEST + 1)}</title>"]),
]


@pytest.mark.parametrize(("value", "expected"), each_of(TITLES))
def test_title_heading_and_hour_of_a_page_stand_once_each(value: Any, expected: Any):
    assert title_of(value) == expected


HOURS = [
    Tells(
        "x 10:00",
        [
            "<p>x 10:00</p>",
            "<p>a</p>x&#32;10:00<p>11:00</p>",
            "<style>9:00</style><script x>8:00</script>x  10:00",
        ],
    ),
    *(
        Tells(f"at {hour}", [f"at {hour}"])
        for hour in ("9:00", "10.30", "10h00", "10 Uhr", "10Uhr", "9 am", "9pm", "9 p.m", "9 h")
    ),
    Tells("x 10:00", ["<STYLE>9:00</STYLE>x 10:00"]),
    *(Tells(hour, [hour]) for hour in ("10 UHR", "9 AM", "10H00")),
    Tells("", ["", "123:00", "10:0", "9 x", "9 hours", " " * 10_000 + "<p>10:00</p>"]),
    Tells("10:00 " + "m" * (LONGEST - 6), ["10:00 " + "m" * LONGEST]),
]


@pytest.mark.parametrize(("value", "expected"), each_of(HOURS))
def test_the_first_sentence_of_a_page_with_an_hour_that_readers_see_is_found(
    value: Any, expected: Any
):
    assert hour_in(value) == expected


FRAMES = [
    Tells(
        "https://a/b?c=1&d=2",
        [
            '<frameset rows="*"><frame src="https://a/b?c=1&amp;d=2"></frameset>',
            "<FRAME noresize SRC='https://a/b?c=1&d=2'>",
            "<frame src=https://a/b?c=1&d=2>",
            '<meta http-equiv="refresh" content="0; url=https://a/b?c=1&amp;d=2">',
            "<META HTTP-EQUIV=Refresh CONTENT='5;URL=https://a/b?c=1&d=2'>",
        ],
    ),
    Tells(
        "https://a/frame",
        [
            '<meta http-equiv="refresh" content="0; url=https://a/refresh"><frame '
            'src="https://a/frame">'
        ],
    ),
    Tells(
        "",
        [
            "",
            '<iframe src="https://ads.example.com/a"></iframe>',
            '<frame name="a">',
            '<meta http-equiv="refresh" content="30">',
            '<meta name="url" content="url=https://a">',
        ],
    ),
]


@pytest.mark.parametrize(("value", "expected"), each_of(FRAMES))
def test_where_a_frame_or_a_refresh_leads_is_read(value: Any, expected: Any):
    assert frame_in(value) == expected


LOGINS = [
    Tells(
        True,
        [
            "<input type=password>",
            "<input type='Password'>",
            '<input type="password">',
            "<title>Log in</title>",
            "<title>Please login</title>",
            "<h1 x>Sign in</h1>",
            "<h1>Signin</h1>",
            "<title>Anmeldung</title>",
            "<title>Connexió</title>",
        ],
    ),
    Tells(
        False,
        [
            "",
            "<p>Log in</p>",
            "<title>A</title>Log in",
            "<h2>Log in</h2>",
            " " * 10_000 + "type=password",
        ],
    ),
]


@pytest.mark.parametrize(("value", "expected"), each_of(LOGINS))
def test_a_page_wants_a_login_by_its_title_heading_or_a_field_for_a_password(
    value: Any, expected: Any
):
    assert is_login(value) == expected


TEXTS = [
    Tells("a & b", ["<p>a</p> <style>x</style>&amp;<script>y</script> b", " a &amp; b "]),
    Tells("", ["", "<p>", " " * 10_000 + "a"]),
]


@pytest.mark.parametrize(("value", "expected"), each_of(TEXTS))
def test_the_text_of_a_page_is_what_readers_see_of_it(value: Any, expected: Any):
    assert text_of(value) == expected


@pytest.mark.parametrize("sentence", ["Back at 10.30.", "until 22:00"])
def test_a_sentence_of_a_page_that_names_an_hour_is_found(sentence: str):
    assert hour_in(f"<p>{sentence}</p>") == sentence


@pytest.mark.parametrize("sentence", ["nginx/1.24.0", "Apache 2.4.57"])
def test_a_sentence_of_a_page_with_a_version_names_no_hour(sentence: str):
    assert hour_in(f"<p>{sentence}</p>") == ""
