"""
A page that each read gets, or is redirected to: of a maintenance, of a login, or with a notice. The
verdict names the page after three reads (four if the page is at this address), nothing is proposed,
and nothing is written. A page that one path alone is redirected to says nothing about the Address.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    Account,
    Call,
    check_says,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
)
from support.servers import Reply

NEW_FILE = "https://files.example.com/new.csv"


def redirect(target: str) -> Reply:
    return Reply(308, b"", {"Location": target})


def all_to(target: str, page: Reply | None = None, only: str = "/v") -> Account:
    """An account whose gateway redirects all paths, or some, to one page."""

    def nasty(call: Call) -> Reply | None:
        if not call.path.startswith("/v"):
            return page
        return Reply(302, b"", {"Location": target}) if call.path.startswith(only) else None

    return Account(nasty)


def titled(title: str, status: int = 200, body: str = "") -> Reply:
    page = f"<!DOCTYPE html><title>{title}</title>{body}".encode()
    return Reply(status, page, {"Content-Type": "text/html; charset=utf-8"})


class Page(NamedTuple):
    """A page that redirects lead to, what is said, and how many reads that takes."""

    name: str
    account: Callable[[], Account]
    says: tuple[str, ...]
    reads: int = 4


LOGIN = ("Not ready: Address. The Address is behind a browser login: a redirect to ",)
AWAY = ("Not proved: Account. Each read is redirected to ",)
PAGES = [
    Page(
        "maintenance, with an end",
        lambda: all_to("/oops?from=1", titled("Planned maintenance until 06:00 UTC")),
        (*AWAY, "/oops, whatever its path: 'Planned maintenance until 06:00 UTC'", "until then"),
    ),
    Page(
        "maintenance, in German, with status 503",
        lambda: all_to("/hinweis", titled("Wartungsarbeiten", 503)),
        (*AWAY, "/hinweis, whatever its path: 'Wartungsarbeiten'", "wait until it is over"),
    ),
    Page(
        "unavailable, in JSON",
        lambda: all_to("/info", json_reply(200, {"note": "Temporarily unavailable"})),
        (*AWAY, "Temporarily unavailable", "wait until it is over"),
    ),
    Page(
        "maintenance by its name, on another host",
        lambda: all_to("https://status.example.com/maintenance"),
        (*AWAY, "https://status.example.com/maintenance, whatever its path. The service"),
        reads=3,
    ),
    Page(
        "a login",
        lambda: all_to("/start", titled("Hello", body="<input type=password>")),
        (*LOGIN, "/start came, whatever the path: 'Hello'", "keys were not judged", "do not put"),
    ),
    *(
        Page(f"a login by {target}", partial(all_to, target), LOGIN, reads=3)
        for target in (
            "https://idp.example.com/start",
            "https://eu-sso.example.com/",
            "https://example.com/oauth2/v2.0/authorize",
            "https://example.com/cdn-cgi/access/login/api",
            "https://example.com/start?client_id=5&state=1",
            "https://example.com/start?SAMLRequest=fZJ",
        )
    ),
    Page("a login at the same address", lambda: all_to("/signin?state=1"), LOGIN, reads=4),
    Page(
        "a form for a login",
        lambda: Account(lambda _: titled("Working", body='<form action="/saml2/post">')),
        ("Not ready: Address. The Address is behind a browser login: a login page", "'Working'"),
        reads=3,
    ),
    Page(
        "a notice",
        lambda: all_to("/terms", titled("Accept our new terms")),
        ("Not proved: Address. Each read", "'Accept our new terms'. Do what the page says"),
    ),
]


def check_page(row: Page) -> None:
    """The verdict says this after so many reads, and nothing is written or proposed."""
    report = examined_account(row.account(), file_url=NEW_FILE)
    check_what_holds_of_each_report(report)
    check_says(report.verdict, row.says)
    assert (report.reads, report.writes, report.extra) == (row.reads, 0, {})


@pytest.mark.parametrize("row", PAGES, ids=ids(PAGES))
def test_one_page_that_each_read_gets_or_is_led_to_is_said_after_3_or_4_reads(row: Page):
    check_page(row)


def test_a_page_that_one_path_alone_is_led_to_leaves_the_address_right():
    check_page(
        Page(
            "one path only",
            lambda: all_to("/maintenance", titled("Down until 06:00"), only="/v1/coupon-list/"),
            (
                "Not proved: Path of the list's files. GET ",
                "/maintenance (a maintenance, by its name), which is not followed; other paths",
                "so the Address is right. No setting helps: wait until it is over",
            ),
            reads=8,
        )
    )
