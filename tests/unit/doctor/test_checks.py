"""A gateway's cookie or bot check: how it is known, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_reads import FILE_READ, LIST_READ, error, evidence, probe
from wes_provider.doctor.checks import Cookies, conclude_on_check, cookies_to_try
from wes_provider.doctor.findings import Certainty, Finding, Topic
from wes_provider.doctor.probes import Probe, Question

URL = LIST_READ.url


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def to_itself(cookies: str = "v=1; Path=/", location: str = URL) -> Probe:
    return probe(307, headers={"location": location, "set-cookie": cookies})


def page(text: str, status: int = 200, cookies: str = "") -> Probe:
    headers = {"content-type": "text/html"}
    if cookies:
        headers["set-cookie"] = cookies
    return probe(status, f"<html>{text}</html>", headers=headers)


class Given(NamedTuple):
    """A header Set-Cookie, and the cookies that are sent back."""

    header: str
    cookies: Cookies | None


GIVEN = [
    Given("v=1; Path=/", Cookies("v", "v=1")),
    Given("v=1; Path=/, w=2; Secure", Cookies("v w", "v=1; w=2")),
    Given("v=1, w=2", Cookies("v w", "v=1; w=2")),
    Given("v=1; expires=Thu, 01 Jan 2027 00:00:00 GMT", Cookies("v", "v=1")),
    Given("v=1, Expires=x, PATH=y", Cookies("v", "v=1")),
    Given("__cf-b.m=a=b; x", Cookies("__cf-b.m", "__cf-b.m=a=b")),
    Given("v=1,w=2", Cookies("v w", "v=1; w=2")),
    Given("vw=1;x=2", Cookies("vw", "vw=1")),
    Given("v=", None),
    Given("Path=/", None),
    Given("; v=1", None),
    Given("", None),
]


@pytest.mark.parametrize("row", GIVEN, ids=[row.header for row in GIVEN])
def test_the_cookies_of_a_check_are_sent_back(row: Given):
    assert cookies_to_try(evidence(to_itself(row.header))) == row.cookies


def test_a_request_with_cookies_is_the_same_otherwise():
    sent = Cookies("v", "v=1").on(LIST_READ)
    assert sent == LIST_READ._replace(headers={**LIST_READ.headers, "Cookie": "v=1"})


class Check(NamedTuple):
    """Reads, and whether the last answer to the list is a check."""

    name: str
    probes: Sequence[Probe]
    is_check: bool


WORDS = [
    "Enable JavaScript",
    "enable cookies",
    "javascript is required",
    "JavaScript disabled",
    "javascript and cookies",
    "javascript required",
    "Checking your browser",
    "checking the site",
    "checking if it is secure",
    "Just a moment",
    "Verify that you are",
    "verifying you are",
    "verify your identity",
    "CAPTCHA",
    "not a robot",
    "not a bot",
    "Are you human",
    "cf-chl-1",
    "challenge-platform",
    "challenge-form",
    "document.cookie='a'",
    "browser check",
    "_Incapsula_Resource",
    "bot detection",
    "botdetection",
    "bot protection",
]
CHECKS = [
    Check("nothing was read", [], False),
    Check("a redirect to itself with a cookie", [to_itself()], True),
    Check("with another query", [to_itself(location=f"{URL}?c=1")], True),
    Check("to another path", [to_itself(location=f"{URL}/x")], False),
    Check("to another host", [to_itself(location=URL.replace("api", "a"))], False),
    Check("to http", [to_itself(location=URL.replace("https", "http"))], False),
    Check("without a cookie", [probe(307, headers={"location": URL})], False),
    *(Check(words, [page(words)], True) for words in WORDS),
    Check("a page of anything else", [page("Hello")], False),
    Check("a page with a cookie", [page("Hello", cookies="v=1")], False),
    Check("words in JSON", [probe(404, error("x", "captcha"))], False),
    Check("words in a text", [probe(404, "captcha")], False),
    Check("words at the end", [page("x" * 9_987 + "captcha")], True),
    Check("words further down", [page("x" * 9_988 + "captcha")], False),
    Check("the first answer only", [page("captcha"), probe(200, [])], False),
    Check("the last answer", [probe(200, []), page("captcha")], True),
    Check("a reply that is no answer comes last", [page("captcha"), probe(503)], True),
    Check(
        "another read",
        [probe(200, []), probe(200, "<html>captcha", request=FILE_READ)],
        False,
    ),
]


@pytest.mark.parametrize("row", CHECKS, ids=[row.name for row in CHECKS])
def test_a_check_is_known_by_the_last_answer_to_the_list(row: Check):
    finding = conclude_on_check(evidence(*row.probes))
    assert (finding is not None) is row.is_check


def test_a_page_without_cookies_is_not_read_with_one():
    assert cookies_to_try(evidence(page("captcha"))) is None
    assert cookies_to_try(evidence(page("captcha", cookies="v=1"))) == Cookies("v", "v=1")
    assert cookies_to_try(evidence(page("Hello", cookies="v=1"))) is None


WITH_COOKIE = Cookies("v", "v=1").on(LIST_READ)


def with_cookie(status: int, body: object = None) -> Probe:
    return probe(status, body, question=Question.COOKIE, request=WITH_COOKIE, tried="v")


def test_a_cookie_is_tried_once():
    assert cookies_to_try(evidence(to_itself(), with_cookie(503))) is None


SAYS = "A cookie or bot check of a gateway keeps the provider out:"
EXEMPT = (
    "The provider is no browser, and keeps no cookies: ask whoever runs it to exempt API clients, "
    "or the addresses of your workers and triggerers. Change no address, path or key."
)


class Said(NamedTuple):
    """Reads, and what is concluded."""

    name: str
    probes: Sequence[Probe]
    certainty: Certainty
    text: str


TO_ITSELF = "a read is redirected to itself (307) with a cookie."
SAID = [
    Said("a redirect", [to_itself()], Certainty.NOT_PROVED, TO_ITSELF),
    Said(
        "a page",
        [page("captcha", 403)],
        Certainty.NOT_PROVED,
        "a page for browsers came with status 403.",
    ),
    Said(
        "the last answer counts",
        [page("captcha", 200), page("captcha", 403)],
        Certainty.NOT_PROVED,
        "a page for browsers came with status 403.",
    ),
    Said(
        "a page with a title",
        [page("<title>One moment.</title>captcha", 200)],
        Certainty.NOT_PROVED,
        "a page for browsers came with status 200: 'One moment'.",
    ),
    Said(
        "the cookie helps",
        [to_itself(), with_cookie(200, [])],
        Certainty.WRONG,
        f"{TO_ITSELF} With the cookie, a read gets 200, so the service is behind it.",
    ),
    Said(
        "a refusal behind it",
        [to_itself(), with_cookie(401, error("no-key", "x"))],
        Certainty.WRONG,
        f"{TO_ITSELF} With the cookie, a read gets 401 no-key, so the service is behind it.",
    ),
    Said(
        "the last read with it counts",
        [to_itself(), with_cookie(404, "<html>"), with_cookie(200, [])],
        Certainty.WRONG,
        f"{TO_ITSELF} With the cookie, a read gets 200, so the service is behind it.",
    ),
    Said(
        "the cookie does not help",
        [to_itself(), with_cookie(200, []), with_cookie(404, "<html>")],
        Certainty.NOT_PROVED,
        TO_ITSELF,
    ),
    Said("two redirects", [to_itself(), to_itself()], Certainty.NOT_PROVED, TO_ITSELF),
]


@pytest.mark.parametrize("row", SAID, ids=[row.name for row in SAID])
def test_a_check_is_said_with_what_the_cookie_shows(row: Said):
    assert conclude_on_check(evidence(*row.probes)) == Finding(
        topic=Topic.ACCOUNT,
        certainty=row.certainty,
        text=f"{SAYS} {row.text} {EXEMPT}",
        probes=tuple(row.probes),
    )


def test_a_read_with_the_cookie_that_is_lost_shows_nothing():
    finding = conclude_on_check(evidence(to_itself(), with_cookie(503)))
    assert finding is not None
    assert (finding.certainty, finding.probes) == (Certainty.NOT_PROVED, (to_itself(),))


def test_a_proxy_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("https_proxy", "http://proxy.test:3128")
    finding = conclude_on_check(evidence(to_itself()))
    assert finding is not None
    assert finding.text == (
        f"{SAYS} {TO_ITSELF} {EXEMPT} Requests go through the proxy proxy.test:3128 (by the "
        "variable https_proxy)."
    )
