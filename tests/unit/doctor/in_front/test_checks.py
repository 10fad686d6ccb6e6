"""
A gateway's cookie or bot check is known by the last answer to the list: a redirect to itself, with
any query but no other path, host or scheme, that sets a cookie; or a web page, of any status, with
a usual word (captcha, "enable JavaScript", "checking your browser" and so on) within its first
10,000 characters. Words in JSON or text, in an earlier answer or in another read are none.

If it sets cookies, the read is sent once more, otherwise the same, with their names and values,
without attributes, and never again, even if that read is lost. The Account is wrong if that read
gets an answer or a 401 at last, since the service is behind the check; else *Not proved*. It quotes
what came last, advises to exempt API clients and to change nothing, and names the proxy of the
environment. It rests on the answers to the list and to the read with the cookie.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_reads import FILE_READ, LIST_READ, error_body, evidence, probe
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.in_front.checks import Cookies, conclude_on_check, cookies_to_try
from wes_provider.doctor.replies.probes import Probe, Question

URL = LIST_READ.url


@pytest.fixture(autouse=True)
def without_proxy_variables(monkeypatch: pytest.MonkeyPatch) -> None:
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
    """A header Set-Cookie, and the cookies that are sent back; ``None`` for none."""

    name: str
    header: str
    cookies: Cookies | None


GIVEN = [
    Given("one cookie with an attribute", "v=1; Path=/", Cookies("v", "v=1")),
    Given("an attribute without a space", "vw=1;x=2", Cookies("vw", "vw=1")),
    Given("a date with a comma", "v=1; expires=Thu, 01 Jan 2027 00:00:00 GMT", Cookies("v", "v=1")),
    Given("signs in a name, = in a value", "__cf-b.m=a=b; x", Cookies("__cf-b.m", "__cf-b.m=a=b")),
    Given("two cookies", "v=1, w=2", Cookies("v w", "v=1; w=2")),
    Given("two cookies without a space", "v=1,w=2", Cookies("v w", "v=1; w=2")),
    Given("two cookies with attributes", "v=1; Path=/, w=2; Secure", Cookies("v w", "v=1; w=2")),
    Given("attributes after commas, in other cases", "v=1, Expires=x, PATH=y", Cookies("v", "v=1")),
    Given("no value", "v=", None),
    Given("an attribute alone", "Path=/", None),
    Given("no cookie before the attributes", "; v=1", None),
    Given("an empty header", "", None),
]


@pytest.mark.parametrize("row", GIVEN, ids=ids(GIVEN))
def test_of_the_cookies_of_a_check_names_and_values_are_sent_back_and_no_attributes(row: Given):
    assert cookies_to_try(evidence(to_itself(row.header))) == row.cookies


def test_a_request_with_cookies_is_the_same_otherwise():
    sent = Cookies("v", "v=1").on(LIST_READ)
    assert sent == LIST_READ._replace(headers={**LIST_READ.headers, "Cookie": "v=1"})


class Reads(NamedTuple):
    """Reads of an account."""

    name: str
    probes: Sequence[Probe]


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
    Reads("a redirect to itself with a cookie", [to_itself()]),
    Reads("a redirect to itself with another query", [to_itself(location=f"{URL}?c=1")]),
    *(Reads(words, [page(words)]) for words in WORDS),
    Reads("words within the first 10,000 characters", [page("x" * 9_987 + "captcha")]),
    Reads("an answer, then words", [probe(200, []), page("captcha")]),
    Reads("words, then a 503, which is no answer", [page("captcha"), probe(503)]),
]


@pytest.mark.parametrize("row", CHECKS, ids=ids(CHECKS))
def test_a_check_is_a_redirect_to_itself_with_a_cookie_or_words_on_a_page_as_the_lists_last_answer(
    row: Reads,
):
    assert conclude_on_check(evidence(*row.probes)) is not None


NO_CHECKS = [
    Reads("nothing was read", []),
    Reads("a redirect to another path", [to_itself(location=f"{URL}/x")]),
    Reads("a redirect to another host", [to_itself(location=URL.replace("api", "a"))]),
    Reads("a redirect to http", [to_itself(location=URL.replace("https", "http"))]),
    Reads("a redirect to itself without a cookie", [probe(307, headers={"location": URL})]),
    Reads("a page of anything else", [page("Hello")]),
    Reads("a page with a cookie", [page("Hello", cookies="v=1")]),
    Reads("words in JSON", [probe(404, error_body("x", "captcha"))]),
    Reads("words in a text", [probe(404, "captcha")]),
    Reads("words that end after 10,000 characters", [page("x" * 9_988 + "captcha")]),
    Reads("words, then an answer", [page("captcha"), probe(200, [])]),
    Reads(
        "words in a read of one file",
        [probe(200, []), probe(200, "<html>captcha", request=FILE_READ)],
    ),
]


@pytest.mark.parametrize("row", NO_CHECKS, ids=ids(NO_CHECKS))
def test_without_its_signs_in_the_last_answer_to_the_list_there_is_no_check(row: Reads):
    assert conclude_on_check(evidence(*row.probes)) is None


class ToTry(NamedTuple):
    """A page, and the cookies to try; ``None`` for none."""

    name: str
    probe: Probe
    cookies: Cookies | None


TO_TRY = [
    ToTry("a check with a cookie", page("captcha", cookies="v=1"), Cookies("v", "v=1")),
    ToTry("a check without a cookie", page("captcha"), None),
    ToTry("a page that is no check, with a cookie", page("Hello", cookies="v=1"), None),
]


@pytest.mark.parametrize("row", TO_TRY, ids=ids(TO_TRY))
def test_a_page_has_cookies_to_try_if_it_is_a_check_and_sets_them(row: ToTry):
    assert cookies_to_try(evidence(row.probe)) == row.cookies


WITH_COOKIE = Cookies("v", "v=1").on(LIST_READ)


def with_cookie(status: int, body: object = None) -> Probe:
    return probe(status, body, question=Question.COOKIE, request=WITH_COOKIE, tried="v")


def test_a_cookie_is_tried_once_even_if_that_read_is_lost():
    assert cookies_to_try(evidence(to_itself(), with_cookie(503))) is None


SAYS = "A cookie or bot check of a gateway keeps the provider out:"
EXEMPT = (
    "The provider is no browser, and keeps no cookies: ask whoever runs it to exempt API clients, "
    "or the addresses of your workers and triggerers. Change no address, path or key."
)


class Concluded(NamedTuple):
    """
    Reads, and what is concluded.

    :ivar rests_on: the reads that it rests on; ``None`` for all.
    """

    name: str
    probes: Sequence[Probe]
    certainty: Certainty
    text: str
    rests_on: Sequence[Probe] | None = None


TO_ITSELF = "a read is redirected to itself (307) with a cookie."
CONCLUDED = [
    Concluded("a redirect", [to_itself()], Certainty.NOT_PROVED, TO_ITSELF),
    Concluded(
        "a page",
        [page("captcha", 403)],
        Certainty.NOT_PROVED,
        "a page for browsers came with status 403.",
    ),
    Concluded(
        "two pages of different status",
        [page("captcha", 200), page("captcha", 403)],
        Certainty.NOT_PROVED,
        "a page for browsers came with status 403.",
    ),
    Concluded(
        "a page with a title",
        [page("<title>One moment.</title>captcha", 200)],
        Certainty.NOT_PROVED,
        "a page for browsers came with status 200: 'One moment'.",
    ),
    Concluded(
        "a read of something else is left out",
        [to_itself(), probe(200, {}, request=FILE_READ)],
        Certainty.NOT_PROVED,
        TO_ITSELF,
        rests_on=[to_itself()],
    ),
    Concluded(
        "a lost read with the cookie is left out",
        [to_itself(), with_cookie(503)],
        Certainty.NOT_PROVED,
        TO_ITSELF,
        rests_on=[to_itself()],
    ),
    Concluded(
        "files with the cookie",
        [to_itself(), with_cookie(200, [])],
        Certainty.WRONG,
        f"{TO_ITSELF} With the cookie, a read gets 200, so the service is behind it.",
    ),
    Concluded(
        "a refusal with the cookie",
        [to_itself(), with_cookie(401, error_body("no-key", "x"))],
        Certainty.WRONG,
        f"{TO_ITSELF} With the cookie, a read gets 401 no-key, so the service is behind it.",
    ),
    Concluded(
        "a page with the cookie, then files",
        [to_itself(), with_cookie(404, "<html>"), with_cookie(200, [])],
        Certainty.WRONG,
        f"{TO_ITSELF} With the cookie, a read gets 200, so the service is behind it.",
    ),
    Concluded(
        "files with the cookie, then a page",
        [to_itself(), with_cookie(200, []), with_cookie(404, "<html>")],
        Certainty.NOT_PROVED,
        TO_ITSELF,
    ),
    Concluded(
        "a page with the cookie",
        [to_itself(), with_cookie(404, "<html>")],
        Certainty.NOT_PROVED,
        TO_ITSELF,
    ),
    Concluded("two redirects", [to_itself(), to_itself()], Certainty.NOT_PROVED, TO_ITSELF),
]


@pytest.mark.parametrize("row", CONCLUDED, ids=ids(CONCLUDED))
def test_a_check_is_wrong_if_a_read_with_its_cookie_gets_an_answer_and_else_not_proved(
    row: Concluded,
):
    rests_on = row.probes if row.rests_on is None else row.rests_on
    assert conclude_on_check(evidence(*row.probes)) == Finding(
        topic=Topic.ACCOUNT,
        certainty=row.certainty,
        text=f"{SAYS} {row.text} {EXEMPT}",
        probes=tuple(rests_on),
    )


def test_the_proxy_of_the_environment_is_named_behind_a_check(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("https_proxy", "http://proxy.test:3128")
    finding = conclude_on_check(evidence(to_itself()))
    assert finding is not None
    assert finding.text == (
        f"{SAYS} {TO_ITSELF} {EXEMPT} Requests go through the proxy proxy.test:3128 (by the "
        "variable https_proxy)."
    )
