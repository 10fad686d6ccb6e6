"""
If requests go through a proxy of the environment, and it sent each reply itself, the Address is *not
proved*: the verdict says what the proxy could not do, and to check the address, or to ask whoever
runs the proxy; never to wait for the service. Of an address with https, a header that a proxy before
the service may send, too, is said to be of a proxy on the way.

If some reads got through, it is said of how many the proxy replied itself. Without a proxy of the
environment, or if no_proxy excepts the host, no reply is said to be of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_addresses import HTTP, PROXY, THROUGH_PROXY
from support.doctor_findings import again, ids, listed, made_up, nowhere, segment
from support.doctor_replies import SETTINGS, evidence_of
from support.doctor_service import (
    FILES_PATH,
    LIST,
    Account,
    Call,
    about,
    examined,
    page_reply,
)
from support.servers import Reply, replying
from wes_provider.doctor.conclusions.read_conclusions import conclude_from_reads
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads.facts import places
from wes_provider.doctor.replies.probes import Probe
from wes_provider.doctor.replies.unreached import cause_of
from wes_provider.settings import WesSettings

pytestmark = pytest.mark.usefixtures("without_proxy")

NOT_JUDGED = " No reply is the service's, so no key was judged."
THROUGH_HTTP_PROXY = THROUGH_PROXY.replace("https_proxy", "http_proxy")
PAGE = "<html><title>ERROR</title>"
WORDS_OF_ZSCALER = "<html><title>Zscaler</title>Access to this site is blocked"


@pytest.fixture(autouse=True)
def proxy(without_proxy: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy of the environment, unless a test takes it away."""
    for variable, address in PROXY.items():
        monkeypatch.setenv(variable, address)


def of_squid(code: str, status: int = 503) -> list[Probe]:
    headers = {"x-squid-error": f"{code} 0"}
    return [
        listed(status, PAGE, headers=headers),
        again(status, PAGE, headers=headers),
        segment(status, PAGE, headers=headers),
    ]


def findings_of(probes: Sequence[Probe], settings: WesSettings = HTTP) -> list[Finding]:
    evidence = evidence_of(*probes, settings=settings)
    return conclude_from_reads(evidence, places(evidence))


class Said(NamedTuple):
    """Replies that are all a proxy's own, and what is said of the Address."""

    name: str
    probes: Sequence[Probe]
    text: str
    settings: WesSettings = HTTP


SAID = [
    Said(
        "a host that it cannot resolve",
        of_squid("ERR_DNS_FAIL"),
        "The proxy replied itself (503, X-Squid-Error: ERR_DNS_FAIL): it cannot resolve "
        "api.example.com. Check the Address. If it is right, ask whoever runs the proxy; if this "
        "machine reaches the host without it, name the host in no_proxy.",
    ),
    Said(
        "a host that it cannot connect to",
        of_squid("ERR_CONNECT_FAIL"),
        "The proxy replied itself (503, X-Squid-Error: ERR_CONNECT_FAIL): it cannot connect to "
        "api.example.com. Check host and port of the Address. If they are right, ask whoever runs "
        "the proxy whether it may connect there, or the service's support whether it is down.",
    ),
    Said(
        "a host that it does not allow",
        of_squid("ERR_ACCESS_DENIED", 403),
        "The proxy replied itself (403, X-Squid-Error: ERR_ACCESS_DENIED): it does not allow "
        "api.example.com. Check the Address. If it is right, ask whoever runs the proxy to let "
        "this machine through to it.",
    ),
    Said(
        "a host that replies too late",
        of_squid("ERR_READ_TIMEOUT", 504),
        "The proxy replied itself (504, X-Squid-Error: ERR_READ_TIMEOUT): it got no whole reply of "
        "api.example.com. The service may be slow or down: run this again later. If it stays so, "
        "ask whoever runs the proxy, or the service's support.",
    ),
    Said(
        "a page that no other path gets, with 404",
        [
            listed(404, "<title>No such Domain (Privoxy)</title>"),
            again(404, "<title>No such Domain (Privoxy)</title>"),
            nowhere(404, "<title>No such Domain (Privoxy)</title>"),
            made_up(404, "<title>No such Domain (Privoxy)</title>"),
        ],
        "The proxy replied itself (404, 'No such Domain'): it cannot resolve api.example.com. "
        "Check the Address. If it is right, ask whoever runs the proxy; if this machine reaches "
        "the host without it, name the host in no_proxy.",
    ),
    Said(
        "https, and a header that a proxy before the service may send, too",
        of_squid("ERR_CONNECT_FAIL"),
        "A proxy on the way replied itself (503, X-Squid-Error: ERR_CONNECT_FAIL): it cannot "
        "connect to api.example.com. Check host and port of the Address. If they are right, ask "
        "whoever runs the proxy whether it may connect there, or the service's support whether it "
        "is down.",
        SETTINGS,
    ),
    Said(
        "https, and a page that only a forward proxy sends",
        [listed(403, WORDS_OF_ZSCALER)],
        "The proxy replied itself (403, 'Access to this site is blocked'): it does not allow "
        "api.example.com. Check the Address. If it is right, ask whoever runs the proxy to let "
        "this machine through to it.",
        SETTINGS,
    ),
]


def of(settings: WesSettings, probe: Probe) -> Probe:
    """The same reply to a request at the address of some settings."""
    scheme = settings.base_url.partition("://")[0]
    url = f"{scheme}://{probe.request.url.partition('://')[2]}"
    return Probe(
        probe.question,
        probe.request._replace(url=url),
        probe.keys,
        sent_at=probe.sent_at,
        response=probe.response,
    )


@pytest.mark.parametrize("row", SAID, ids=ids(SAID))
def test_it_is_said_what_the_proxy_could_not_do_and_whom_to_ask(row: Said):
    (finding,) = findings_of([of(row.settings, probe) for probe in row.probes], row.settings)
    way = THROUGH_PROXY
    if row.settings is HTTP:
        way = THROUGH_HTTP_PROXY
    assert finding.topic is Topic.ADDRESS
    assert finding.certainty is Certainty.NOT_PROVED
    assert finding.text == f"{row.text}{NOT_JUDGED}{way}"
    assert "the service replied" not in finding.text


class Without(NamedTuple):
    """Variables of an environment whose proxy is not used for the service."""

    name: str
    variables: dict[str, str]


WITHOUT = [
    Without("no proxy", {"http_proxy": "", "https_proxy": ""}),
    Without("an exception", {"no_proxy": "api.example.com"}),
]


@pytest.mark.parametrize("row", WITHOUT, ids=ids(WITHOUT))
def test_without_a_proxy_for_the_service_no_reply_is_said_to_be_of_the_one_in_use(
    row: Without, monkeypatch: pytest.MonkeyPatch
):
    for variable, value in row.variables.items():
        monkeypatch.setenv(variable, value)
    texts = " ".join(finding.text for finding in findings_of(of_squid("ERR_DNS_FAIL")))
    assert "The proxy replied itself" not in texts
    assert "the service replied" not in texts


TUNNEL = "the proxy of the environment refused the tunnel to the service: "
NOT_REACHED = (
    "The proxy does not reach the service: it cannot resolve the host, or cannot connect. Check "
    "host and port of the Address. If they are right, ask whoever runs the proxy; if this machine "
    "reaches the host without it, name the host in no_proxy."
)
NOT_LET_THROUGH = (
    "The proxy refuses a tunnel to the service: ask whoever runs it to let this machine through."
)
TUNNELS = {
    "502 Bad Gateway": NOT_REACHED,
    "503 Service Unavailable": NOT_REACHED,
    "504 Gateway Time-out": NOT_REACHED,
    "403 Forbidden": NOT_LET_THROUGH,
    "405 Method Not Allowed": NOT_LET_THROUGH,
}


@pytest.mark.parametrize("status", TUNNELS)
def test_a_tunnel_that_fails_since_the_host_is_not_reached_is_told_from_one_that_is_refused(
    status: str,
):
    cause = cause_of(listed(0, problem=f"{TUNNEL}{status}"))
    assert (cause.text, cause.is_sure) == (TUNNELS[status], True)


SQUID_PAGE = Reply(
    503,
    b"<html><title>ERROR: The requested URL could not be retrieved</title>",
    {"Content-Type": "text/html", "X-Squid-Error": "ERR_DNS_FAIL 0", "Server": "squid/5.7"},
)


def test_the_verdict_on_an_address_that_the_proxy_cannot_resolve_asks_to_check_it(
    monkeypatch: pytest.MonkeyPatch,
):
    with replying(Account(lambda _: SQUID_PAGE)) as url:
        monkeypatch.setenv("http_proxy", url)
        report = examined(
            "http://api.wes-clodu.example", extra={"allow_http": True}, coupon_list_id=LIST
        )
    assert report.verdict.startswith(
        "Not proved: Address. The proxy replied itself (503, X-Squid-Error: ERR_DNS_FAIL): it "
        "cannot resolve api.wes-clodu.example. Check the Address."
    )
    assert "the service replied" not in report.to_json()
    assert "wait" not in report.verdict


def test_a_proxy_that_replies_itself_at_times_is_told_from_a_node_that_fails(
    monkeypatch: pytest.MonkeyPatch,
):
    def replies(call: Call) -> Reply | None:
        is_third = call.number % 3 == 0
        return SQUID_PAGE if is_third else None

    with replying(Account(replies)) as url:
        monkeypatch.setenv("http_proxy", url)
        report = examined("http://api.example", extra={"allow_http": True}, coupon_list_id=LIST)
    text = about(report, Topic.ADDRESS).text
    assert "The proxy replied to " in text
    assert " itself (503, X-Squid-Error: ERR_DNS_FAIL): it cannot resolve api.example." in text
    assert "The other reads got through: change no setting, and ask whoever runs the proxy." in text


def test_a_page_of_the_service_that_a_proxy_passes_on_is_said_to_be_of_neither(
    monkeypatch: pytest.MonkeyPatch,
):
    page = page_reply(503, "<title>Service Unavailable</title>")
    passed_on = Reply(page.status, page.body, {**page.headers, "Via": "1.1 corp (squid/5.7)"})
    with replying(lambda *_: passed_on) as url:
        monkeypatch.setenv("http_proxy", url)
        report = examined("http://api.example", extra={"allow_http": True}, coupon_list_id=LIST)
    assert "the service replied 503" in report.verdict
    assert FILES_PATH in report.to_json()
