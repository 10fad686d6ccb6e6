"""What follows from replies about the address, and about what stands before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    DATA_READ,
    FILES,
    LIST_AT,
    NOT_FOUND,
    PAGE,
    UNAUTHENTICATED,
    Said,
    again,
    ids,
    listed,
    lost,
    made_up,
    nowhere,
    numbers_of,
    redirected,
    segment,
)
from support.doctor_replies import (
    MOMENT,
    SETTINGS,
    changed,
    error,
    evidence_of,
    reply,
    request_for,
)
from wes_provider.client import requests
from wes_provider.doctor import facts, redirects
from wes_provider.doctor.address_conclusions import (
    conclude_on_address,
    conclude_on_moved,
    conclude_on_outage,
    conclude_on_unexaminable,
    conclude_on_what_is_before,
)
from wes_provider.doctor.evidence import Evidence
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.probes import Keys, Probe, Question

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
NOT_ASKED, SURE = Certainty.NOT_ASKED, Certainty.SURE

HTTP = changed(base_url="http://api.example.com")
UNCHECKED = changed(verify=False)
JSON = {"content-type": "application/json"}
WAITS = {"retry-after": "30"}
STRANGE = error("teapot", "Moon phase is unfavourable.")
AWAY = "https://api.example.com/maintenance.html"
HELLO = "https://api.example.com/hello"
PROXY = {
    "https_proxy": "http://proxy.example.com:3128",
    "http_proxy": "http://proxy.example.com:3128",
}
THROUGH_PROXY = (
    " Requests go through the proxy proxy.example.com:3128 (by the variable https_proxy)."
)
CERTIFICATE_WANTED = "<html><title>400 No required SSL certificate was sent</title>"
OTHER_CERTIFICATE_WANTED = "<html><title>A client certificate is needed</title>"
HTTPS_ONLY = "<html><title>400 The plain HTTP request was sent to HTTPS port</title>"
FIREWALL = "<html><title>Blocked</title><p>Request was blocked. Ray ID: 7a9</p>"
LONG = ("Weather is fine. " * 20).strip()


@pytest.fixture(autouse=True)
def without_certificates_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file of certificates is given, which would be read anew for each row."""
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)


class Case(NamedTuple):
    """
    Replies, and what is said.

    :ivar names_proxy: whether the proxy is named, too, if there is one.
    """

    name: str
    probes: Sequence[Probe]
    said: Said
    settings: Any = SETTINGS
    topic: Topic = Topic.ADDRESS
    names_proxy: bool = True
    not_asked: Mapping[Question, str] = {}
    out_of_time: str = ""
    needs_action: bool = False

    @property
    def evidence(self) -> Evidence:
        return evidence_of(
            *self.probes,
            settings=self.settings,
            not_asked=self.not_asked,
            out_of_time=self.out_of_time,
        )


def page_of(status: int = 200, content: Any = PAGE, **more: Any) -> Probe:
    """The read of the page that redirects lead to."""
    request = listed().request._replace(url=HELLO)
    return reply(status, content, question=Question.PAGE, request=request, **more)


def elsewhere(status: int = 200, content: Any = FILES, **more: Any) -> Probe:
    """The read of the list at another address."""
    settings = changed(base_url="https://api-03.example.com/gw")
    request = requests.list_coupon_files(settings, "spring")
    return reply(status, content, question=Question.OTHER_ADDRESS, request=request, **more)


def http(status: int, content: Any, **more: Any) -> Probe:
    request = requests.list_coupon_files(HTTP, "spring")
    return listed(status, content, request=request, **more)


def check_unexaminable(row: Case) -> None:
    """The finding about the first read says what the row says, word for word."""
    finding = conclude_on_unexaminable(row.evidence)
    assert Said.of(finding) == row.said
    assert finding.topic is row.topic
    assert finding.probes


BOTH_AWAY = [redirected(AWAY), redirected(AWAY, question=Question.NO_SUCH_PATH)]
BOTH_TO_HELLO = [
    redirected(f"{HELLO}?a=1"),
    redirected(f"{HELLO}?a=2", question=Question.NO_SUCH_PATH),
]

BEFORE = [
    Case(
        "a redirect to a login",
        [redirected("/login")],
        Said(
            WRONG,
            "The Address is behind a browser login: a redirect to "
            "https://api.example.com/login came. The provider cannot log in there, and "
            "the keys were not judged. Ask whoever runs it for the address of the API, "
            "or to let requests with keys through; do not put the address of the login "
            "into the Address.",
        ),
    ),
    Case(
        "a redirect to itself with a cookie",
        [reply(302, headers={"location": LIST_AT, "set-cookie": "a=b"})],
        Said(
            NOT_PROVED,
            "A cookie or bot check of a gateway keeps the provider out: a read is "
            "redirected to itself (302) with a cookie. The provider is no browser, and "
            "keeps no cookies: ask whoever runs it to exempt API clients, or the "
            "addresses of your workers and triggerers. Change no address, path or key.",
        ),
        topic=Topic.ACCOUNT,
    ),
    # All is redirected to one page.
    Case(
        "one page with maintenance in its path",
        BOTH_AWAY,
        Said(
            NOT_PROVED,
            "Each read is redirected to https://api.example.com/maintenance.html, "
            "whatever its path. The service, or what is before it, is away for a time: "
            "wait until it is over, and run this again. The Address may be right.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "one page with maintenance in its path, read",
        [*BOTH_AWAY, page_of(503, "<title>Back at 22:00</title>")],
        Said(
            NOT_PROVED,
            "Each read is redirected to https://api.example.com/maintenance.html, "
            "whatever its path: 'Back at 22:00'. The service, or what is before it, is "
            "away for a time: wait until then, and run this again. The Address may be "
            "right.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "one page with maintenance in its title and a time in a header",
        [*BOTH_AWAY, page_of(503, "<title>Maintenance</title>", headers=WAITS)],
        Said(
            NOT_PROVED,
            "Each read is redirected to https://api.example.com/maintenance.html, "
            "whatever its path: 'Maintenance'. The service, or what is before it, is "
            "away for a time: wait until 08:00:30 UTC, as its headers say, and run "
            "this again. The Address may be right.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "one page with a time in its title and another one in a header",
        [*BOTH_AWAY, page_of(503, "<title>Maintenance until 22:00</title>", headers=WAITS)],
        Said(
            NOT_PROVED,
            "Each read is redirected to https://api.example.com/maintenance.html, "
            "whatever its path: 'Maintenance until 22:00'. The service, or what is "
            "before it, is away for a time: wait until then, and run this again. The "
            "Address may be right.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "one page with maintenance in its path, and a time in a header of the redirect",
        [
            reply(302, headers={"location": AWAY, **WAITS}),
            redirected(AWAY, question=Question.NO_SUCH_PATH),
        ],
        Said(
            NOT_PROVED,
            "Each read is redirected to https://api.example.com/maintenance.html, "
            "whatever its path. The service, or what is before it, is away for a time: "
            "wait until 08:00:30 UTC, as its headers say, and run this again. The "
            "Address may be right.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "one page, not read",
        BOTH_TO_HELLO,
        Said(
            WRONG,
            "A redirect to https://api.example.com/hello came, whatever the path, "
            "which is not followed. Check the address, and whether a proxy, a gateway "
            "or a login page replied in the service's place.",
        ),
    ),
    Case(
        "one page with words",
        [*BOTH_TO_HELLO, page_of()],
        Said(
            NOT_PROVED,
            "Each read is redirected to https://api.example.com/hello, whatever its "
            "path: 'Hello'. Do what the page says, or ask the service's support about "
            "it, and run this again. Check the address, and whether a proxy, a gateway "
            "or a login page replied in the service's place.",
        ),
    ),
    Case(
        "one page with long words",
        [*BOTH_TO_HELLO, page_of(200, f"<title>{LONG}</title>")],
        Said(
            NOT_PROVED,
            "Each read is redirected to https://api.example.com/hello, whatever its "
            "path: 'Weather is fine. Weather is fine. Weather is fine. Weather is "
            "fine. Weather is fine. Weather is … Weather is fine. Weather is fine. "
            "Weather is fine. Weather is fine. Weather is fine. Weather is fine'. Do "
            "what the page says, or ask the service's support about it, and run this "
            "again. Check the address, and whether a proxy, a gateway or a login page "
            "replied in the service's place.",
        ),
    ),
    # A firewall's page.
    Case(
        "a firewall's page with 403",
        [listed(403, FIREWALL)],
        Said(
            NOT_PROVED,
            "A firewall before the service may keep these requests out, since a page "
            "like one's came with status 403: 'Blocked Request was blocked. Ray ID: "
            "7a9'. The Address may be right, and no key was judged: change no key, but "
            "have whoever runs it let your workers and triggerers in, whether it keeps "
            "out their addresses or their User-Agent (airflow-provider-wes), and run "
            "this from there. Hand over what it names: Ray ID 7a9.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "a firewall's page with 200",
        [listed(200, FIREWALL)],
        Said(
            NOT_PROVED,
            "A firewall before the service may keep these requests out, since a page "
            "like one's came with status 200: 'Blocked Request was blocked. Ray ID: "
            "7a9'. The Address may be right, and no key was judged: change no key, but "
            "have whoever runs it let your workers and triggerers in, whether it keeps "
            "out their addresses or their User-Agent (airflow-provider-wes), and run "
            "this from there. Hand over what it names: Ray ID 7a9.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "a firewall's page that names nothing",
        [listed(403, "<html><title>Request blocked</title>")],
        Said(
            NOT_PROVED,
            "A firewall before the service may keep these requests out, since a page "
            "like one's came with status 403: 'Request blocked'. The Address may be "
            "right, and no key was judged: change no key, but have whoever runs it let "
            "your workers and triggerers in, whether it keeps out their addresses or "
            "their User-Agent (airflow-provider-wes), and run this from there.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "a page, then a firewall's",
        [listed(500, PAGE), listed(403, FIREWALL)],
        Said(
            NOT_PROVED,
            "A firewall before the service may keep these requests out, since a page "
            "like one's came with status 403: 'Blocked Request was blocked. Ray ID: "
            "7a9'. The Address may be right, and no key was judged: change no key, but "
            "have whoever runs it let your workers and triggerers in, whether it keeps "
            "out their addresses or their User-Agent (airflow-provider-wes), and run "
            "this from there. Hand over what it names: Ray ID 7a9.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "a firewall's page that wants a certificate",
        [listed(403, FIREWALL + "No required SSL certificate was sent")],
        Said(
            NOT_PROVED,
            "A firewall before the service may keep these requests out, since a page "
            "like one's came with status 403: 'Blocked Request was blocked. Ray ID: "
            "7a9 No required SSL certificate was sent'. The Address may be right, and "
            "no key was judged: change no key, but have whoever runs it let your "
            "workers and triggerers in, whether it keeps out their addresses or their "
            "User-Agent (airflow-provider-wes), and run this from there. Hand over "
            "what it names: Ray ID 7a9.",
        ),
        topic=Topic.ACCOUNT,
    ),
]


@pytest.mark.parametrize("row", BEFORE, ids=ids(BEFORE))
def test_a_first_read_that_gets_what_stands_before_a_service(row: Case):
    """The table has logins and checks, one page for all reads, and firewalls."""
    check_unexaminable(row)


TLS_WANTED = [
    Case(
        "a client certificate with 400",
        [listed(400, CERTIFICATE_WANTED)],
        Said(
            WRONG,
            "What replied demands a client certificate (mutual TLS), which the "
            "provider cannot send: ask its operator for an address without one.",
        ),
    ),
    Case(
        "a client certificate with 403",
        [listed(403, CERTIFICATE_WANTED)],
        Said(
            WRONG,
            "What replied demands a client certificate (mutual TLS), which the "
            "provider cannot send: ask its operator for an address without one.",
        ),
    ),
    Case(
        "a client certificate with 495",
        [listed(495, CERTIFICATE_WANTED)],
        Said(
            WRONG,
            "What replied demands a client certificate (mutual TLS), which the "
            "provider cannot send: ask its operator for an address without one.",
        ),
    ),
    Case(
        "a client certificate with 496",
        [listed(496, OTHER_CERTIFICATE_WANTED)],
        Said(
            WRONG,
            "What replied demands a client certificate (mutual TLS), which the "
            "provider cannot send: ask its operator for an address without one.",
        ),
    ),
    Case(
        "a client certificate with 200",
        [listed(200, CERTIFICATE_WANTED)],
        Said(
            NOT_PROVED,
            "A web page came with status 200: '400 No required SSL certificate was "
            "sent', which is no reply of the service: it, or something in its place, "
            "may be under maintenance. Wait, and run this again; if the page stays, "
            "check the address, and what is between.",
        ),
    ),
    Case(
        "HTTPS",
        [http(400, HTTPS_ONLY)],
        Said(
            WRONG,
            "What replied takes HTTPS only: '400 The plain HTTP request was sent to "
            "HTTPS port'. Write https:// in place of http:// in the Address, and run "
            "this again.",
        ),
        settings=HTTP,
    ),
    Case(
        "HTTPS, to an address with HTTPS",
        [listed(400, HTTPS_ONLY)],
        Said(
            WRONG,
            "A web page came with status 400: '400 The plain HTTP request was sent to "
            "HTTPS port', which the service does not send. Check the address, and "
            "whether a proxy, a gateway or a login page replied in the service's "
            "place.",
        ),
    ),
    Case(
        "HTTPS and a certificate",
        [http(400, HTTPS_ONLY + CERTIFICATE_WANTED)],
        Said(
            WRONG,
            "What replied demands a client certificate (mutual TLS), which the "
            "provider cannot send: ask its operator for an address without one.",
        ),
        settings=HTTP,
    ),
    Case(
        "another page, to an address with HTTP",
        [http(400, PAGE)],
        Said(
            WRONG,
            "A web page came with status 400: 'Hello', which the service does not "
            "send. Check the address, and whether a proxy, a gateway or a login page "
            "replied in the service's place.",
        ),
        settings=HTTP,
    ),
]


@pytest.mark.parametrize("row", TLS_WANTED, ids=ids(TLS_WANTED))
def test_a_first_read_that_gets_a_page_about_certificates_or_https(row: Case):
    check_unexaminable(row)


LOST = [
    Case(
        "429",
        [listed(429)],
        Said(
            NOT_PROVED,
            "Nothing is settled, because the service replied 429 to the request. Tasks "
            "may be refused as well. Run this again later.",
        ),
        names_proxy=False,
    ),
    Case(
        "429 with words and a time",
        [listed(429, STRANGE, headers=WAITS)],
        Said(
            NOT_PROVED,
            "Nothing is settled, because the service replied 429 to the request (its "
            "limit resets at 08:00:30 UTC): 'Moon phase is unfavourable'. Tasks may be "
            "refused as well. Wait until 08:00:30 UTC, as its headers say, and run "
            "this again.",
        ),
        names_proxy=False,
    ),
    Case(
        "429 with a limit of 5 a day",
        [listed(429, STRANGE, headers={"ratelimit-policy": "5;w=86400"})],
        Said(
            NOT_PROVED,
            "Nothing is settled, because the service replied 429 to the request: 'Moon "
            "phase is unfavourable'. Tasks may be refused as well. 5 requests a day "
            "are too few for a wait, which reads each file dozens of times an hour, "
            "and for this command, which sends about 10 reads: to wait does not help. "
            "Ask the service's support for more.",
        ),
        names_proxy=False,
    ),
    Case(
        "503, then 429",
        [listed(503), listed(429)],
        Said(
            NOT_PROVED,
            "Nothing is settled, because 503, then 429 came to 2 requests. Tasks may "
            "be refused as well. Run this again later.",
        ),
        names_proxy=False,
    ),
    Case(
        "503",
        [listed(503)],
        Said(
            NOT_PROVED,
            "Nothing is settled, because the service replied 503 to the request. A "
            "gateway may have replied; wait, and run this again.",
        ),
    ),
    Case(
        "503 with words and a time",
        [listed(503, STRANGE, headers=WAITS)],
        Said(
            NOT_PROVED,
            "Nothing is settled, because the service replied 503 to the request: 'Moon "
            "phase is unfavourable'. A gateway may have replied; wait until 08:00:30 "
            "UTC, as its headers say, and run this again.",
        ),
    ),
    Case(
        "429, then 503",
        [listed(429), listed(503)],
        Said(
            NOT_PROVED,
            "Nothing is settled, because 429, then 503 came to 2 requests. A gateway "
            "may have replied; wait, and run this again.",
        ),
    ),
]


@pytest.mark.parametrize("row", LOST, ids=ids(LOST))
def test_a_first_read_that_gets_429_or_503(row: Case):
    check_unexaminable(row)


LED_AWAY = [
    Case(
        "a redirect to another path of another host",
        [redirected("https://files.example.org/a")],
        Said(
            WRONG,
            "A redirect to https://files.example.org/a came, which is not followed. "
            "Check the address, and whether a proxy, a gateway or a login page replied "
            "in the service's place.",
        ),
    ),
    Case(
        "a redirect to the same path of another host, and segments are here",
        [redirected(f"https://files.example.org{LIST_AT}"), segment()],
        Said(
            WRONG,
            "A redirect to https://files.example.org/v1/coupon-list/spring/files came. "
            "Coupon lists and files are at https://files.example.org, by the service's "
            "words: leave this connection for segments, and make a second one with "
            "that Address and the Campaign API key as its password. Name it in the "
            "tasks with coupons, and run wes-doctor --conn-id ID on it.",
        ),
    ),
    Case(
        "a redirect to another path of another host, and segments are here",
        [redirected("https://files.example.org/a"), segment()],
        Said(
            WRONG,
            "A redirect to https://files.example.org/a came, which is not followed. "
            "Check the address, and whether a proxy, a gateway or a login page replied "
            "in the service's place.",
        ),
    ),
    Case(
        "a redirect to the same path of another host, and segments were not read",
        [redirected(f"https://files.example.org{LIST_AT}")],
        Said(
            WRONG,
            "A redirect to https://files.example.org/v1/coupon-list/spring/files came, "
            "which is not followed. Check the address, and whether a proxy, a gateway "
            "or a login page replied in the service's place.",
        ),
    ),
    Case(
        "a redirect that adds a session",
        [listed(302, headers={"location": "/v1/coupon-list/spring/files;jsessionid=E50369"})],
        Said(
            WRONG,
            "A redirect to https://api.example.com/v1/coupon-list/spring/files came that adds a "
            "session to the path, behind a semicolon: something in front of the service keeps "
            "sessions in URLs. No setting helps: have whoever runs it take them out; the Address "
            "may be right, and no key was judged.",
        ),
    ),
    Case(
        "a redirect to https on the same host, where nobody listens",
        [
            http(
                301,
                b"",
                headers={"location": "https://api.example.com/v1/coupon-list/spring/files"},
            ),
            lost("refused", question=Question.OTHER_ADDRESS),
        ],
        Said(
            WRONG,
            "The service names https://api.example.com, which is https on the same host, and no "
            "response comes there (refused). The redirect may leave out a port: ask whoever runs "
            "the service for its address with https, and put it into the Address.",
        ),
        settings=HTTP,
    ),
    Case(
        "a redirect that adds to the query",
        [listed(307, headers={"location": "/v1/coupon-list/spring/files?wid=acme"})],
        Said(
            NOT_PROVED,
            "A read is redirected to the same path with wid in its query (307), so something wants "
            "that with each request. The paths of uploads, catalogs and segments have no query, "
            "and no setting adds one: ask whoever runs it, or the service's support, to do "
            "without; the Address may be right, and no key was judged.",
        ),
    ),
    Case(
        "407 of a proxy",
        [listed(407)],
        Said(
            WRONG,
            "The proxy wants a login: put username:password@, percent-encoded, before "
            "the host in its address. If it wants another kind of login, name the "
            "service's host in the variable no_proxy, if it can be reached without the "
            "proxy, or ask whoever runs the proxy for one with a username and password "
            "(Basic), or for a local helper that logs in.",
        ),
    ),
    Case(
        "text of a redirect that leads nowhere",
        [listed(302, "hello")],
        Said(
            WRONG,
            "Text came with status 302: 'hello', which the service does not send. "
            "Check the address, and whether a proxy, a gateway or a login page replied "
            "in the service's place.",
        ),
    ),
    Case(
        "no body of a redirect that leads nowhere",
        [listed(302)],
        Said(
            WRONG,
            "No body came with status 302, which the service does not send. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
]


@pytest.mark.parametrize("row", LED_AWAY, ids=ids(LED_AWAY))
def test_a_first_read_that_is_led_away(row: Case):
    check_unexaminable(row)


NO_SERVICES_JSON = [
    Case(
        "no JSON",
        [listed(200, "no JSON", headers=JSON)],
        Said(
            NOT_PROVED,
            "200 with application/json came, but its body is text that is no JSON: 'no "
            "JSON'. No setting helps: ask whoever runs what is between, or the "
            "service's support; the Address may be right, and no key was judged.",
        ),
    ),
    Case(
        "no JSON with gzip",
        [listed(200, "no JSON", headers={**JSON, "content-encoding": "gzip"})],
        Said(
            NOT_PROVED,
            "200 with application/json came, but its body is text that is no JSON: 'no "
            "JSON'. No setting helps: ask whoever runs what is between, or the "
            "service's support; the Address may be right, and no key was judged.",
        ),
    ),
    Case(
        "an encoding that the provider does not undo",
        [listed(200, b"\x28\xb5\x2f\xfd\x00\x01", headers={**JSON, "content-encoding": "zstd"})],
        Said(
            NOT_PROVED,
            "The reply is encoded as zstd (its Content-Encoding), which the provider "
            "does not ask for and cannot read. Ask whoever runs the gateway not to "
            "compress replies so; the Address may be right, and no key was judged.",
        ),
    ),
    Case(
        "an encoding that the provider does not undo, with 302",
        [listed(302, b"\x28\xb5\x2f\xfd", headers={"content-encoding": "zstd"})],
        Said(
            WRONG,
            "Binary came with status 302, which the service does not send. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
    Case(
        "text with an encoding that it does not need",
        [listed(200, "hello", headers={"content-encoding": "zstd"})],
        Said(
            NOT_PROVED,
            "The reply is encoded as zstd (its Content-Encoding), which the provider "
            "does not ask for and cannot read. Ask whoever runs the gateway not to "
            "compress replies so; the Address may be right, and no key was judged.",
        ),
    ),
    Case(
        "a string",
        [listed(200, '"hello"')],
        Said(
            WRONG,
            "JSON came with status 200, which the service does not send. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
    Case(
        "wrapped JSON",
        [listed(200, 'x({"a": 1});')],
        Said(
            WRONG,
            "The service replies with JSON in a call of x(), as JSONP, which the "
            "provider cannot read, and no setting changes that: ask its support for "
            "plain JSON. The Address and the path may be right, and no key was judged.",
        ),
        topic=Topic.RECORDS,
        names_proxy=False,
    ),
    Case(
        "a page, then wrapped JSON",
        [listed(200, PAGE), listed(200, 'x({"a": 1});')],
        Said(
            WRONG,
            "The service replies with JSON in a call of x(), as JSONP, which the "
            "provider cannot read, and no setting changes that: ask its support for "
            "plain JSON. The Address and the path may be right, and no key was judged.",
        ),
        topic=Topic.RECORDS,
        names_proxy=False,
    ),
    # JSON that is cut.
    Case(
        "JSON that is cut",
        [listed(200, '[{"_id": "f1"')],
        Said(
            NOT_PROVED,
            "JSON that cannot be read came with status 200: a gateway may have cut it. "
            "Run this again.",
        ),
    ),
    Case(
        "JSON that is cut at the size of a buffer twice",
        [
            listed(200, '[{"_id": "f1"'.ljust(1024), headers={"via": "1.1 old"}),
            listed(200, '[{"_id": "f1"'.ljust(1024), headers={"via": "1.1 old"}),
        ],
        Said(
            NOT_PROVED,
            "JSON that cannot be read came 2 times, each of 1024 bytes (replies have Via: 1.1 "
            "old), so something on the way may cut what is longer: ask whoever runs it. To go on "
            "meanwhile, name a list with fewer files. No key was judged.",
        ),
    ),
    Case(
        "JSON that is cut below the size of a buffer twice",
        [listed(200, '[{"_id": "f1"'.ljust(1023)), listed(200, '[{"_id": "f1"'.ljust(1023))],
        Said(
            NOT_PROVED,
            "JSON that cannot be read came with status 200: a gateway may have cut it. "
            "Run this again.",
        ),
    ),
]


@pytest.mark.parametrize("row", NO_SERVICES_JSON, ids=ids(NO_SERVICES_JSON))
def test_a_first_read_whose_reply_is_no_json_that_can_be_read(row: Case):
    check_unexaminable(row)


PAGES_AND_TEXTS = [
    Case(
        "a page with 403",
        [listed(403, PAGE)],
        Said(
            NOT_PROVED,
            "A web page came with status 403: 'Hello', which the service does not "
            "send: a gateway or a firewall may not let this machine in. If the Address "
            "is right, change no key, but have whoever runs it let your workers and "
            "triggerers in, whether it keeps out their addresses or their User-Agent "
            "(airflow-provider-wes), and run this from there.",
        ),
    ),
    Case(
        "a page with 403 that names something",
        [listed(403, "<html><title>Nope</title>Request ID: 7a9b")],
        Said(
            NOT_PROVED,
            "A web page came with status 403: 'Nope', which the service does not send: "
            "a gateway or a firewall may not let this machine in. If the Address is "
            "right, change no key, but have whoever runs it let your workers and "
            "triggerers in, whether it keeps out their addresses or their User-Agent "
            "(airflow-provider-wes), and run this from there. Hand over what it names: "
            "Request ID 7a9b.",
        ),
    ),
    Case(
        "a page with 200",
        [listed(200, PAGE)],
        Said(
            NOT_PROVED,
            "A web page came with status 200: 'Hello', which is no reply of the "
            "service: it, or something in its place, may be under maintenance. Wait, "
            "and run this again; if the page stays, check the address, and what is "
            "between.",
        ),
    ),
    Case(
        "a page with a frame",
        [
            listed(
                200,
                b'<html><frameset rows="100%,*"><frame src="https://wes.example.com/v1?t=x">',
            )
        ],
        Said(
            NOT_PROVED,
            "A web page came with status 200, which leads browsers to https://wes.example.com/v1 "
            "by a frame or a refresh. The provider does not follow that, and no key was judged: "
            "ask the service's support for the address of the API, and put it into the Address.",
        ),
    ),
    Case(
        "a page with 200 and a time",
        [listed(200, PAGE, headers=WAITS)],
        Said(
            NOT_PROVED,
            "A web page came with status 200: 'Hello', which is no reply of the "
            "service: it, or something in its place, may be under maintenance. Wait "
            "until 08:00:30 UTC, as its headers say, and run this again; if the page "
            "stays, check the address, and what is between.",
        ),
    ),
    Case(
        "a page with 406",
        [listed(406, PAGE)],
        Said(
            WRONG,
            "A web page came with status 406: 'Hello', which the service does not "
            "send. Check the address, and whether a proxy, a gateway or a login page "
            "replied in the service's place.",
        ),
    ),
    Case(
        "text",
        [listed(200, "hello")],
        Said(
            WRONG,
            "Text came with status 200: 'hello', which the service does not send. "
            "Check the address, and whether a proxy, a gateway or a login page replied "
            "in the service's place.",
        ),
    ),
    Case(
        "long text",
        [listed(200, LONG)],
        Said(
            WRONG,
            "Text came with status 200: 'Weather is fine. Weather is fine. Weather is "
            "fine. Weather is fine. Weather is fine. Weather is … Weather is fine. "
            "Weather is fine. Weather is fine. Weather is fine. Weather is fine. "
            "Weather is fine', which the service does not send. Check the address, and "
            "whether a proxy, a gateway or a login page replied in the service's "
            "place.",
        ),
    ),
]


@pytest.mark.parametrize("row", PAGES_AND_TEXTS, ids=ids(PAGES_AND_TEXTS))
def test_a_first_read_that_gets_a_page_or_a_text(row: Case):
    check_unexaminable(row)


NO_RESPONSE = [
    Case(
        "no response",
        [lost()],
        Said(
            NOT_PROVED,
            "The request got no whole response (ReadTimeout). The service is reached, "
            "but sends nothing in time: it is slow, or something between swallows "
            "requests. Raise read_timeout, or check the network.",
        ),
    ),
    Case(
        "no response twice",
        [lost(), lost("ConnectionReset")],
        Said(
            NOT_PROVED,
            "None of 2 requests got a whole response (ConnectionReset). The port is "
            "reached, but the connection is closed without a response: check scheme "
            "and port, and what is between.",
        ),
    ),
    Case(
        "no response, then 500",
        [lost(), listed(500)],
        Said(
            NOT_PROVED,
            "Nothing is settled, because nothing whole, then 500 came to 2 requests. A "
            "gateway may have replied; wait, and run this again.",
        ),
    ),
    Case(
        "500, then no response",
        [listed(500), lost()],
        Said(
            NOT_PROVED,
            "Nothing is settled, because 500, then nothing whole came to 2 requests. A "
            "gateway may have replied; wait, and run this again.",
        ),
    ),
    # The service was not reached.
    Case(
        "no trust in the certificate, then no response",
        [lost("CertVerificationError"), lost()],
        Said(
            WRONG,
            "This machine does not trust the certificate. Set Verify TLS to the bundle "
            "of your company's proxy, or check the address and this machine's clock.",
        ),
    ),
    Case(
        "no response, then a refused connection",
        [lost(), lost("refused", unsent=True)],
        Said(
            WRONG,
            "The service was not reached: check scheme, host and port, and the network.",
        ),
    ),
    Case(
        "a refused connection, then no trust in the certificate",
        [lost("refused", unsent=True), lost("CertVerificationError")],
        Said(
            WRONG,
            "The service was not reached: check scheme, host and port, and the network.",
        ),
    ),
    # A proxy refused a tunnel.
    Case(
        "a refused tunnel",
        [lost("the proxy of the environment refused the tunnel to the service: 407")],
        Said(
            WRONG,
            "The proxy wants a login: put username:password@, percent-encoded, before "
            "the host in its address. If it wants another kind of login, name the "
            "service's host in the variable no_proxy, if it can be reached without the "
            "proxy, or ask whoever runs the proxy for one with a username and password "
            "(Basic), or for a local helper that logs in.",
        ),
    ),
    Case(
        "no response, then a refused tunnel",
        [lost(), lost("the proxy of the environment refused the tunnel to the service: 407")],
        Said(
            WRONG,
            "The proxy wants a login: put username:password@, percent-encoded, before "
            "the host in its address. If it wants another kind of login, name the "
            "service's host in the variable no_proxy, if it can be reached without the "
            "proxy, or ask whoever runs the proxy for one with a username and password "
            "(Basic), or for a local helper that logs in.",
        ),
    ),
    Case(
        "a refused tunnel, then no response",
        [lost("the proxy of the environment refused the tunnel to the service: 407"), lost()],
        Said(
            WRONG,
            "The proxy refuses a tunnel to the service: ask whoever runs it to let "
            "this machine through.",
        ),
    ),
    # The doctor's time ran out.
    Case(
        "time that ran out",
        [lost(ran_out=True, took=7.4)],
        Said(NOT_PROVED, "No response came in 7 s, less than read_timeout. Run this again later."),
    ),
    Case(
        "no response, then time that ran out",
        [lost(took=3.0), lost(ran_out=True, took=7.6)],
        Said(NOT_PROVED, "No response came in 8 s, less than read_timeout. Run this again later."),
    ),
    Case(
        "time that ran out, then no response",
        [lost(ran_out=True, took=7.6), lost()],
        Said(
            NOT_PROVED,
            "None of 2 requests got a whole response (ReadTimeout). The service is "
            "reached, but sends nothing in time: it is slow, or something between "
            "swallows requests. Raise read_timeout, or check the network.",
        ),
    ),
]


@pytest.mark.parametrize("row", NO_RESPONSE, ids=ids(NO_RESPONSE))
def test_a_first_read_without_a_whole_response(row: Case):
    """The table has no cause, a service that is not reached, tunnels, and the doctor's time."""
    check_unexaminable(row)


OWN_HOST = changed(base_url="https://api-01.example.com")


def of_data_center(location: str) -> Probe:
    request = requests.list_coupon_files(OWN_HOST, "spring")
    return redirected(location, request=request)


OTHER_HOST = f"https://api-03.example.com{LIST_AT}"
OTHER_PORT = f"https://api-01.example.com:8443{LIST_AT}"
REDIRECTED = [
    Case(
        "another host, not read",
        [of_data_center(OTHER_HOST)],
        Said(
            WRONG,
            "The service names https://api-03.example.com, which was not tested. Check "
            "it, then put it into the Address, or 03 into Data center.",
        ),
        settings=OWN_HOST,
    ),
    Case(
        "another host, 404 there",
        [of_data_center(OTHER_HOST), elsewhere(404, NOT_FOUND)],
        Said(
            WRONG,
            "The service names https://api-03.example.com, and a read there gets 404 "
            "not-found: put it into the Address, or 03 into Data center, and run this "
            "again.",
        ),
        settings=OWN_HOST,
    ),
    Case(
        "another host, 401 there",
        [of_data_center(OTHER_HOST), elsewhere(401)],
        Said(
            WRONG,
            "The service names https://api-03.example.com, and a read there gets 401: "
            "put it into the Address, or 03 into Data center, and run this again.",
        ),
        settings=OWN_HOST,
    ),
    Case(
        "another host, a page there",
        [of_data_center(OTHER_HOST), elsewhere(200, PAGE)],
        Said(
            WRONG,
            "The service names https://api-03.example.com, but a read there gets no "
            "answer of the service. Check the address, and whether a proxy, a gateway "
            "or a login page replied in the service's place.",
        ),
        settings=OWN_HOST,
    ),
    Case(
        "another host, 404 and then 401 there",
        [of_data_center(OTHER_HOST), elsewhere(404), elsewhere(401)],
        Said(
            WRONG,
            "The service names https://api-03.example.com, and a read there gets 401: "
            "put it into the Address, or 03 into Data center, and run this again.",
        ),
        settings=OWN_HOST,
    ),
    Case(
        "another port, 401 there",
        [of_data_center(OTHER_PORT), elsewhere(401)],
        Said(
            WRONG,
            "The service names https://api-01.example.com:8443, and a read there gets "
            "401: put it into the Address, and run this again.",
        ),
        settings=OWN_HOST,
    ),
    Case(
        "another port, not read, and segments are here",
        [of_data_center(OTHER_PORT), segment()],
        Said(
            WRONG,
            "The service names https://api-01.example.com:8443, which was not tested. "
            "Check it, then put it into the Address.",
        ),
        settings=OWN_HOST,
    ),
    Case(
        "another port of the host without a data center, 401 there",
        [redirected(f"https://api.example.com:8443{LIST_AT}"), elsewhere(401)],
        Said(
            WRONG,
            "The service names https://api.example.com:8443, and a read there gets "
            "401: put it into the Address, and run this again.",
        ),
    ),
]


@pytest.mark.parametrize("row", REDIRECTED, ids=ids(REDIRECTED))
def test_a_first_read_that_is_redirected_to_the_same_path_of_another_address(row: Case):
    check_unexaminable(row)


UNEXAMINABLE = [*TLS_WANTED, *LOST, *LED_AWAY, *NO_SERVICES_JSON, *PAGES_AND_TEXTS]
UNEXAMINABLE_CASES = [*BEFORE, *UNEXAMINABLE, *NO_RESPONSE, *REDIRECTED]


@pytest.mark.parametrize("row", UNEXAMINABLE_CASES, ids=ids(UNEXAMINABLE_CASES))
def test_a_finding_about_the_first_read_names_the_proxy_that_may_have_replied(row: Case):
    with pytest.MonkeyPatch.context() as patch:
        for variable, address in PROXY.items():
            patch.setenv(variable, address)
        text = conclude_on_unexaminable(row.evidence).text
    named = ""
    if row.names_proxy:
        variable = "https_proxy"
        if row.settings is HTTP:
            variable = "http_proxy"
        named = THROUGH_PROXY.replace("https_proxy", variable)
    assert text == f"{row.said.text}{named}"


@pytest.mark.parametrize("row", UNEXAMINABLE, ids=ids(UNEXAMINABLE))
def test_what_stands_before_a_service_is_none_of_the_other_replies(row: Case):
    assert conclude_on_what_is_before(row.evidence) is None


class RestsOn(NamedTuple):
    """Reads, and the numbers of those that the finding rests on, in its order."""

    name: str
    probes: Sequence[Probe]
    numbers: list[int]
    settings: Any = SETTINGS


RESTS_ON = [
    RestsOn(
        "reads of the list and of another address",
        [of_data_center(OTHER_HOST), segment(500), elsewhere(401)],
        [0, 2],
        OWN_HOST,
    ),
    RestsOn(
        "the redirects and the page",
        [*BOTH_TO_HELLO, page_of()],
        [0, 1, 2],
    ),
    RestsOn(
        "the redirects and the page of a maintenance",
        [*BOTH_AWAY, page_of(503)],
        [0, 1, 2],
    ),
    RestsOn(
        "the redirects alone",
        BOTH_TO_HELLO,
        [0, 1],
    ),
    RestsOn(
        "a firewall's page",
        [listed(403, FIREWALL), elsewhere(403), segment(403)],
        [0, 1],
    ),
    RestsOn(
        "wrapped JSON",
        [listed(200, 'x({"a": 1});'), elsewhere(403), segment(403)],
        [0, 1],
    ),
    RestsOn(
        "reads without a response",
        [lost(), lost(), segment(500)],
        [0, 1],
    ),
    RestsOn(
        "reads that ran out of time",
        [lost(), lost(ran_out=True), segment(500)],
        [0, 1],
    ),
    RestsOn(
        "refused tunnels",
        [
            lost(),
            lost("the proxy of the environment refused the tunnel to the service: 407"),
            segment(500),
        ],
        [0, 1],
    ),
]


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_first_read_names_its_reads_in_this_order(row: RestsOn):
    finding = conclude_on_unexaminable(evidence_of(*row.probes, settings=row.settings))
    assert numbers_of(finding, row.probes) == row.numbers


# -- an address that moved -------------------------------------------------------------------------


def below(prefix: str, probe: Probe, status: int = 301, **more: Any) -> Probe:
    """The redirect of a request to the same path below a prefix."""
    url = probe.request.url.replace("example.com", f"example.com{prefix}", 1)
    return reply(
        status,
        headers={"location": url},
        question=probe.question,
        request=probe.request,
        **more,
    )


ALL_BELOW = [below("/gw", listed()), below("/gw", nowhere()), below("/gw", segment())]
WITH_PREFIX = changed(coupon_files_path="/gw/v1/coupon-list/{coupon_list_id}/files")
FILE_WITH_PREFIX = changed(
    coupon_file_path="/gw/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
)
MOVED = [
    Case(
        "not read",
        ALL_BELOW,
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files). It was not "
            "tested, because other replies left it open: put it into the Address. Run "
            "this again later.",
        ),
    ),
    Case(
        "not read, since the time ran out",
        ALL_BELOW,
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files). It was not "
            "tested, because the time ran out: put it into the Address. Run this again "
            "later.",
        ),
        not_asked={Question.OTHER_ADDRESS: "the time ran out"},
    ),
    Case(
        "500 there",
        [*ALL_BELOW, elsewhere(500)],
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files). It was not "
            "tested, because it failed: put it into the Address. Run this again later.",
        ),
        not_asked={Question.OTHER_ADDRESS: "it failed"},
    ),
    Case(
        "files there",
        [*ALL_BELOW, elsewhere(200)],
        Said(
            WRONG,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), and a read there "
            "gets 200. Put it into the Address, and run this again.",
        ),
    ),
    Case(
        "401 there",
        [*ALL_BELOW, elsewhere(401)],
        Said(
            WRONG,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), and a read there "
            "gets 401. Put it into the Address, and run this again.",
        ),
    ),
    Case(
        "404 there",
        [*ALL_BELOW, elsewhere(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), but a read there "
            "gets 404 not-found: 'Nothing is here'. Check the address, and whether a "
            "proxy, a gateway or a login page replied in the service's place.",
        ),
    ),
    Case(
        "405 there",
        [*ALL_BELOW, elsewhere(405, STRANGE)],
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), but a read there "
            "gets 405 teapot: 'Moon phase is unfavourable'. Check the address, and "
            "whether a proxy, a gateway or a login page replied in the service's "
            "place.",
        ),
    ),
    Case(
        "400 there",
        [*ALL_BELOW, elsewhere(400, STRANGE)],
        Said(
            WRONG,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), and a read there "
            "gets 400 teapot. Put it into the Address, and run this again.",
        ),
    ),
    Case(
        "a page there",
        [*ALL_BELOW, elsewhere(200, PAGE)],
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), but a read there "
            "gets 200 that is not the service's: 'Hello'. Check the address, and "
            "whether a proxy, a gateway or a login page replied in the service's "
            "place.",
        ),
    ),
    Case(
        "500, then 401 there",
        [*ALL_BELOW, elsewhere(500), elsewhere(401)],
        Said(
            WRONG,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), and a read there "
            "gets 401. Put it into the Address, and run this again.",
        ),
    ),
    Case(
        "401, then 500 there",
        [*ALL_BELOW, elsewhere(401), elsewhere(500)],
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files). It was not "
            "tested, because other replies left it open: put it into the Address. Run "
            "this again later.",
        ),
    ),
    Case(
        "401 there, with the prefix in the path of one file",
        [*ALL_BELOW, elsewhere(401)],
        Said(
            WRONG,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files), and a read there "
            "gets 401. Put it into the Address, without /gw in paths, and run this "
            "again.",
        ),
        settings=FILE_WITH_PREFIX,
    ),
    Case(
        "not read, with the prefix in the path of one file",
        ALL_BELOW,
        Said(
            NOT_PROVED,
            "The service is below https://api.example.com/gw: all redirects lead "
            "there, such as that of /v1/coupon-list/spring/files (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files). It was not "
            "tested, because other replies left it open: put it into the Address, "
            "without /gw in paths. Run this again later.",
        ),
        settings=FILE_WITH_PREFIX,
    ),
]


@pytest.mark.parametrize("row", MOVED, ids=ids(MOVED))
def test_an_address_below_which_all_redirects_lead(row: Case):
    """Rows say what a read there gets. The finding names two redirects, that read, and the rest."""
    moved = redirects.moved(row.evidence)
    assert moved is not None
    finding = conclude_on_moved(row.evidence, moved)
    assert finding.topic is Topic.ADDRESS
    assert Said.of(finding) == row.said
    tests = range(len(ALL_BELOW), len(row.probes))
    assert numbers_of(finding, row.probes) == [0, 1, *tests, 2]


# -- an outage -------------------------------------------------------------------------------------


def late(probe: Probe, seconds: float) -> Probe:
    return replace(probe, sent_at=MOMENT + seconds)


OUTAGES = [
    Case(
        "no response to two reads",
        [
            listed(200, FILES),
            late(lost(question=Question.AGAIN), 1),
            late(lost(question=Question.NO_SUCH_PATH, request=nowhere().request), 2),
        ],
        Said(
            NOT_PROVED,
            "After 1 read, since 08:00:01 UTC, none of 2 requests got a whole response "
            "(ReadTimeout). Run this again later.",
        ),
    ),
    Case(
        "503 to two reads",
        [listed(200, FILES), late(segment(503), 1), late(nowhere(503, STRANGE), 2)],
        Said(
            NOT_PROVED,
            "After 1 read, since 08:00:01 UTC, the service replied 503 to each of 2 "
            "requests: 'Moon phase is unfavourable'. Run this again later.",
        ),
    ),
    Case(
        "503 to two reads, the last with a time",
        [listed(200, FILES), late(segment(503), 1), late(nowhere(503, headers=WAITS), 2)],
        Said(
            NOT_PROVED,
            "After 1 read, since 08:00:01 UTC, the service replied 503 to each of 2 "
            "requests. Run this again after 08:00:32 UTC, as its headers say.",
        ),
    ),
    Case(
        "503 to two reads, the first with a time",
        [listed(200, FILES), late(segment(503, headers=WAITS), 1), late(nowhere(503), 2)],
        Said(
            NOT_PROVED,
            "After 1 read, since 08:00:01 UTC, the service replied 503 to each of 2 "
            "requests. Run this again later.",
        ),
    ),
    Case(
        "503 and 500 after two reads",
        [listed(200, FILES), again(200, FILES), late(segment(503), 1), late(nowhere(500), 2)],
        Said(
            NOT_PROVED,
            "After 2 reads, since 08:00:01 UTC, 503, then 500 came to 2 requests. Run "
            "this again later.",
        ),
    ),
    Case(
        "no response to two reads after an answer to a made-up key",
        [
            listed(200, FILES),
            made_up(),
            lost(request=DATA_READ, question=Question.DATA_KEY),
            lost(question=Question.NO_SUCH_PATH, request=nowhere().request),
        ],
        Said(
            NOT_PROVED,
            "After 2 reads, since 08:00:00 UTC, none of 2 requests got a whole "
            "response (ReadTimeout). A made-up key came just before, so it may shut "
            "out this machine: do not run this again at once, and ask whoever runs the "
            "gateway.",
        ),
    ),
    Case(
        "no response to a made-up key and a later read",
        [
            listed(200, FILES),
            lost(question=Question.MADE_UP_KEY, keys=Keys.MADE_UP),
            lost(question=Question.NO_SUCH_PATH, request=nowhere().request),
        ],
        Said(
            NOT_PROVED,
            "After 1 read, since 08:00:00 UTC, none of 2 requests got a whole response "
            "(ReadTimeout). A made-up key came just before, so it may shut out this "
            "machine: do not run this again at once, and ask whoever runs the gateway.",
        ),
    ),
]


@pytest.mark.parametrize("row", OUTAGES, ids=ids(OUTAGES))
def test_an_outage_after_replies(row: Case):
    gone = facts.outage(row.evidence)
    finding = conclude_on_outage(row.evidence, gone)
    assert finding.topic is Topic.ADDRESS
    assert Said.of(finding) == row.said
    assert list(finding.probes) == gone


# -- an address that replies -----------------------------------------------------------------------


def check_address(row: Case) -> None:
    """The finding about the address says what the row says, word for word."""
    finding = conclude_on_address(row.evidence)
    assert finding.topic is Topic.ADDRESS
    assert Said.of(finding) == row.said


SERVICE = [listed(200, FILES), again(200, FILES), made_up()]
NO_SERVICE = listed(200, {"hello": "you"})
ODD = listed(200, "no JSON", headers=JSON)
SLOW = listed(200, FILES, took=5.6)
NOTHING_THERE = [reply(404, "", question=Question.LIST), nowhere(404, ""), made_up(404, "")]
FAILED = [listed(502), listed(500), listed(502)]
SLASHED = request_for(Question.LIST)._replace(url=f"https://api.example.com{LIST_AT}/")
DIFFERING = [redirected(f"{LIST_AT}/"), below("/gw", segment())]
REPLIES = [
    Case("files, and a made-up key is refused", SERVICE, Said(SURE, "It responds.")),
    Case(
        "401 as documented",
        [listed(401, UNAUTHENTICATED)],
        Said(SURE, "It responds."),
    ),
    Case(
        "401 twice",
        [listed(401), again(401)],
        Said(NOT_ASKED, "It refuses the key; whether it is the service is not shown."),
        names_proxy=False,
    ),
    Case(
        "401, then 400",
        [listed(401), again(400)],
        Said(
            NOT_PROVED,
            "It responds, but no reply shows that it is the service. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
    Case(
        "an object",
        [NO_SERVICE],
        Said(
            NOT_PROVED,
            "It responds, but no reply shows that it is the service. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
    Case(
        "an object, and the time ran out",
        [NO_SERVICE],
        Said(
            NOT_PROVED,
            "It responds, but no reply shows that it is the service. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
        out_of_time="the doctor's 60 s ran out",
    ),
    Case(
        "files, and the time ran out",
        SERVICE,
        Said(
            NOT_PROVED,
            "It responds, but the doctor's 60 s ran out. So not all questions were "
            "asked. Run this again later. If it stays so slow, ask the service's "
            "support.",
        ),
        out_of_time="the doctor's 60 s ran out",
        names_proxy=False,
    ),
    # A slow reply.
    Case("a reply in 5 s", [listed(200, FILES, took=5.0), *SERVICE], Said(SURE, "It responds.")),
    Case(
        "a reply in 6 s",
        [SLOW, *SERVICE],
        Said(SURE, "It responds, but 1 of 4 replies took more than 5 s, up to 6 s."),
        needs_action=True,
    ),
    Case(
        "replies in 6, 7 and 10 s",
        [SLOW, listed(200, FILES, took=9.4), listed(200, FILES, took=7.0), *SERVICE],
        Said(SURE, "It responds, but 3 of 6 replies took more than 5 s, up to 10 s."),
        needs_action=True,
    ),
    Case("no reply in 30 s", [lost(took=30.0), *SERVICE], Said(SURE, "It responds.")),
    # Failures.
    Case(
        "three failures",
        [*FAILED, *SERVICE],
        Said(
            NOT_PROVED,
            "It responds, but 3 of 6 replies were 500, 502: it may be that one of "
            "several nodes behind the Address fails. Change no setting, and ask the "
            "service's support.",
        ),
        names_proxy=False,
    ),
    Case(
        "three failures, and a slow reply",
        [*FAILED, SLOW, *SERVICE],
        Said(
            NOT_PROVED,
            "It responds, but 3 of 7 replies were 500, 502: it may be that one of "
            "several nodes behind the Address fails. Change no setting, and ask the "
            "service's support.",
        ),
        names_proxy=False,
    ),
    # The connection does not check certificates.
    Case(
        "files, without a check of certificates",
        SERVICE,
        Said(NOT_ASKED, "Certificates are not checked, since Verify TLS is false."),
        settings=UNCHECKED,
        names_proxy=False,
        needs_action=True,
    ),
    Case(
        "files, without a check of certificates, by HTTP",
        [
            http(200, FILES),
            http(200, FILES),
            http(401, UNAUTHENTICATED, keys=Keys.MADE_UP, question=Question.MADE_UP_KEY),
        ],
        Said(SURE, "It responds."),
        settings=changed(base_url="http://api.example.com", verify=False),
    ),
    Case(
        "the same 404 everywhere, without a check of certificates",
        [listed(404, NOT_FOUND), nowhere(), made_up(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "Each path gets the same 404, with whatever key: 'Nothing is here'. The "
            "Address may lack a part, such as the prefix of a gateway, or be another "
            "one: check it. Nothing shows what the keys are worth.",
        ),
        settings=UNCHECKED,
    ),
]


@pytest.mark.parametrize("row", REPLIES, ids=ids(REPLIES))
def test_an_address_that_replies(row: Case):
    """The table has replies, slow ones, failures, and connections that check no certificate."""
    check_address(row)


REDIRECTS = [
    Case(
        "redirects to another address and to another path",
        [*DIFFERING, listed(200, FILES)],
        Said(
            NOT_PROVED,
            "Redirects differ by path: /v1/coupon-list/spring/files to "
            "https://api.example.com/v1/coupon-list/spring/files/, "
            "/v3/custom-segments/wes-doctor to "
            "https://api.example.com/gw/v3/custom-segments/wes-doctor. No one Address "
            "fits all: ask the service's support for it.",
        ),
        names_proxy=False,
    ),
    Case(
        "redirects to another address and to another path, and an object",
        [*DIFFERING, NO_SERVICE],
        Said(
            NOT_PROVED,
            "Redirects differ by path: /v1/coupon-list/spring/files to "
            "https://api.example.com/v1/coupon-list/spring/files/, "
            "/v3/custom-segments/wes-doctor to "
            "https://api.example.com/gw/v3/custom-segments/wes-doctor. No one Address "
            "fits all: ask the service's support for it.",
        ),
        names_proxy=False,
    ),
    Case(
        "redirects to two paths below the address",
        [redirected(f"{LIST_AT}/"), redirected(f"{LIST_AT}.json", request=SLASHED)],
        Said(
            NOT_PROVED,
            "Redirects differ by path: /v1/coupon-list/spring/files to "
            "https://api.example.com/v1/coupon-list/spring/files/, /v1/coupon-list/spring/files/ "
            "to https://api.example.com/v1/coupon-list/spring/files.json. They stay at this "
            "Address, which may be right: ask the service's support for its paths.",
        ),
        names_proxy=False,
    ),
    Case(
        "redirects in a circle",
        [redirected(f"{LIST_AT}/"), redirected(LIST_AT, request=SLASHED)],
        Said(
            NOT_PROVED,
            "Redirects go in a circle: /v1/coupon-list/spring/files leads to "
            "/v1/coupon-list/spring/files/, and that back. Two layers, such as a gateway and the "
            "service, disagree about the form of paths: change neither the Address nor paths, and "
            "show this to whoever runs them. No key was judged.",
        ),
    ),
]


@pytest.mark.parametrize("row", REDIRECTS, ids=ids(REDIRECTS))
def test_an_address_whose_redirects_differ(row: Case):
    check_address(row)


ODD_LISTS = [
    Case(
        "no JSON, and nowhere no error of the service",
        [ODD, nowhere(400, {"error": "No."})],
        Said(
            NOT_PROVED,
            "200 with application/json came, but its body is text that is no JSON: 'no "
            "JSON'. No setting helps: ask whoever runs what is between, or the "
            "service's support; the Address may be right, but no other reply shows "
            "that it is the service.",
        ),
    ),
    Case(
        "no JSON twice, and nowhere no error of the service",
        [ODD, again(200, "other", headers=JSON), nowhere(400, {"error": "No."})],
        Said(
            NOT_PROVED,
            "200 with application/json came, but its body is text that is no JSON: 'no "
            "JSON'. No setting helps: ask whoever runs what is between, or the "
            "service's support; the Address may be right, but no other reply shows "
            "that it is the service.",
        ),
    ),
    Case(
        "no JSON, and nowhere an error of the service", [ODD, nowhere()], Said(SURE, "It responds.")
    ),
    Case(
        "a redirect of the list, and nowhere no error of the service",
        [redirected("/files/a"), nowhere(400, {"error": "No."})],
        Said(
            NOT_PROVED,
            "A redirect of the list to https://api.example.com/files/a came, which is "
            "not followed, and no other reply shows that it is the service. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
    Case(
        "two redirects of the list, and nowhere no error of the service",
        [
            redirected("/files/a"),
            again(302, headers={"location": "/files/b"}),
            nowhere(400, {"error": "No."}),
        ],
        Said(
            NOT_PROVED,
            "A redirect of the list to https://api.example.com/files/a came, which is "
            "not followed, and no other reply shows that it is the service. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
]


@pytest.mark.parametrize("row", ODD_LISTS, ids=ids(ODD_LISTS))
def test_an_address_whose_list_alone_is_odd(row: Case):
    check_address(row)


SAME_EVERYWHERE = [
    Case(
        "404 without a body",
        NOTHING_THERE,
        Said(
            NOT_PROVED,
            "It responds, but no reply shows that it is the service. Each path gets "
            "the same 404, with whatever key. The Address may lack a part, such as the "
            "prefix of a gateway, or be another one: check it. Nothing shows what the "
            "keys are worth.",
        ),
    ),
    Case(
        "404 with words",
        [
            listed(404, {"message": "Go away."}),
            nowhere(404, {"message": "Go away."}),
            made_up(404, {"message": "Go away."}),
        ],
        Said(
            NOT_PROVED,
            "It responds, but no reply shows that it is the service. Each path gets "
            "the same 404, with whatever key: 'Go away'. The Address may lack a part, "
            "such as the prefix of a gateway, or be another one: check it. Nothing "
            "shows what the keys are worth.",
        ),
    ),
    Case(
        "404 as documented",
        [listed(404, NOT_FOUND), nowhere(), made_up(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "Each path gets the same 404, with whatever key: 'Nothing is here'. The "
            "Address may lack a part, such as the prefix of a gateway, or be another "
            "one: check it. Nothing shows what the keys are worth.",
        ),
    ),
]


@pytest.mark.parametrize("row", SAME_EVERYWHERE, ids=ids(SAME_EVERYWHERE))
def test_an_address_where_all_paths_get_the_same_with_whatever_key(row: Case):
    check_address(row)


CACHES = [
    Case(
        "an age",
        [listed(200, FILES, headers={"age": "9"}), *SERVICE[1:]],
        Said(
            NOT_PROVED,
            "A cache replies in the service's place to /v1/coupon-list/spring/files (Age: 9): ask "
            "whoever runs it to leave out what tasks read, or they may read an old list or an old "
            "status.",
        ),
        names_proxy=False,
    ),
    Case(
        "an age, and the time ran out",
        [listed(200, FILES, headers={"age": "9"}), *SERVICE[1:]],
        Said(
            NOT_PROVED,
            "It responds, but the doctor's 60 s ran out. So not all questions were "
            "asked. Run this again later. If it stays so slow, ask the service's "
            "support.",
        ),
        out_of_time="the doctor's 60 s ran out",
        names_proxy=False,
    ),
    Case(
        "an age, and the same 404 everywhere",
        [listed(404, NOT_FOUND, headers={"age": "9"}), nowhere(), made_up(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "A cache replies in the service's place to /v1/coupon-list/spring/files (Age: 9): ask "
            "whoever runs it to leave out what tasks read, or they may read an old list or an old "
            "status, and keys are perhaps not checked.",
        ),
        names_proxy=False,
    ),
]


@pytest.mark.parametrize("row", CACHES, ids=ids(CACHES))
def test_an_address_where_a_cache_replies(row: Case):
    check_address(row)


ADDRESS = [*REPLIES, *REDIRECTS, *ODD_LISTS, *SAME_EVERYWHERE, *CACHES]


@pytest.mark.parametrize("row", ADDRESS, ids=ids(ADDRESS))
def test_a_finding_about_an_address_names_the_proxy_if_that_may_have_replied(row: Case):
    with pytest.MonkeyPatch.context() as patch:
        for variable, address in PROXY.items():
            patch.setenv(variable, address)
        text = conclude_on_address(row.evidence).text
    named = ""
    if row.names_proxy:
        named = THROUGH_PROXY
        if row.settings.base_url.startswith("http://"):
            named = THROUGH_PROXY.replace("https_proxy", "http_proxy")
    assert text == f"{row.said.text}{named}"


@pytest.mark.parametrize("row", ADDRESS, ids=ids(ADDRESS))
def test_reports_keep_what_people_have_to_do_about_an_address(row: Case):
    assert conclude_on_address(row.evidence).needs_action is row.needs_action


ADDRESS_RESTS_ON = [
    RestsOn("files, and a made-up key is refused", SERVICE, []),
    RestsOn(
        "redirects that differ",
        [*DIFFERING, listed(200, FILES)],
        [0, 1],
    ),
    RestsOn(
        "a page and files",
        [listed(200, PAGE), again(200, FILES), made_up()],
        [0, 1],
    ),
    RestsOn(
        "a redirect and files",
        [redirected("/files/a"), again(200, FILES), made_up()],
        [0, 1],
    ),
    RestsOn("a refusal and files", [listed(401), again(200, FILES), made_up()], []),
    RestsOn("pages", [listed(200, PAGE), again(200, PAGE)], []),
]


@pytest.mark.parametrize("row", ADDRESS_RESTS_ON, ids=ids(ADDRESS_RESTS_ON))
def test_a_finding_about_the_address_names_reads_that_differ_from_others(row: RestsOn):
    assert numbers_of(conclude_on_address(evidence_of(*row.probes)), row.probes) == row.numbers
