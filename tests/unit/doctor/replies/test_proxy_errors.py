"""
A proxy's own error is told from a reply that it passes on: by the header X-Squid-Error, by the codes
of ProxySG in parentheses, by the words of a page that names a forward proxy in its text or in
Server, or by words that the very host cannot be resolved. It is no proxy's error if the status is
407, or below 400 without such a name; if the words are in JSON, or are those of any firewall or web
server; if a CDN sends them; or if Via alone names the proxy, since that also stands in what a proxy
passes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_reads import probe
from wes_provider.doctor.reads.sending import no_answer
from wes_provider.doctor.replies.proxy_errors import Failure, ProxyError, proxy_error

HOST = "api.example.com"
COULD_NOT = "<html><title>ERROR: The requested URL could not be retrieved</title>"


class Own(NamedTuple):
    """A reply that a proxy sent itself, and what it says."""

    name: str
    status: int
    body: Any
    failure: Failure
    said: str
    headers: Mapping[str, str] = {}
    is_of_forward_proxy: bool = True


def squid(code: str, failure: Failure) -> Own:
    headers = {"x-squid-error": f"{code} 0", "server": "squid/5.7"}
    said = f"X-Squid-Error: {code}"
    return Own(code, 503, COULD_NOT, failure, said, headers, is_of_forward_proxy=False)


OWN = [
    squid("ERR_DNS_FAIL", Failure.RESOLVE),
    squid("ERR_CONNECT_FAIL", Failure.CONNECT),
    squid("ERR_CANNOT_FORWARD", Failure.CONNECT),
    squid("ERR_SOCKET_FAILURE", Failure.CONNECT),
    squid("ERR_ACCESS_DENIED", Failure.ALLOW),
    squid("ERR_FORWARDING_DENIED", Failure.ALLOW),
    squid("ERR_SECURE_CONNECT_FAIL", Failure.TLS),
    squid("ERR_READ_TIMEOUT", Failure.REPLY),
    squid("ERR_READ_ERROR", Failure.REPLY),
    squid("ERR_ZERO_SIZE_OBJECT", Failure.REPLY),
    squid("ERR_LIFETIME_EXP", Failure.REPLY),
    squid("ERR_TOO_BIG", Failure.OTHER),
    Own(
        "Squid without its header",
        503,
        f"{COULD_NOT}<p>Unable to determine IP address from host name <q>{HOST}</q></p>",
        Failure.RESOLVE,
        "'Unable to determine IP address from host name'",
    ),
    Own(
        "Squid by its name alone",
        503,
        f"{COULD_NOT}<p>Connection to 10.0.0.7 failed.</p>",
        Failure.CONNECT,
        "'Connection to 10.0.0.7 failed'",
        {"server": "squid"},
        is_of_forward_proxy=False,
    ),
    Own(
        "ProxySG, a host without an address",
        503,
        "<title>Network Error</title>Network Error (dns_unresolved_hostname) Your requested host "
        "could not be resolved by DNS.",
        Failure.RESOLVE,
        "dns_unresolved_hostname",
    ),
    Own(
        "ProxySG, a DNS server that fails",
        503,
        "<title>Network Error</title>Network Error (dns_server_failure)",
        Failure.RESOLVE,
        "dns_server_failure",
    ),
    Own(
        "ProxySG, no connection",
        503,
        "<title>Network Error</title>Network Error (tcp_error) A communication error occurred",
        Failure.CONNECT,
        "tcp_error",
    ),
    Own(
        "ProxySG, a policy",
        403,
        "<title>Access Denied</title>Access Denied (policy_denied) Your system policy has denied "
        "access to the requested URL.",
        Failure.ALLOW,
        "policy_denied",
    ),
    Own(
        "ProxySG, a TLS error",
        503,
        "<title>Network Error</title>Network Error (ssl_failed)",
        Failure.TLS,
        "ssl_failed",
    ),
    Own(
        "Zscaler, a blocked site",
        403,
        "<title>Internet Security by Zscaler</title>Sorry, you don't have permission to visit this "
        "site.",
        Failure.ALLOW,
        '"don\'t have permission to visit"',
    ),
    Own(
        "Zscaler by its header",
        503,
        "<title>Error</title>The host name could not be resolved.",
        Failure.RESOLVE,
        "'could not be resolved'",
        {"server": "Zscaler/6.2"},
    ),
    Own(
        "McAfee",
        502,
        "<title>McAfee Web Gateway - Notification</title>Host not found",
        Failure.RESOLVE,
        "'Host not found'",
    ),
    Own(
        "McAfee, no connection",
        502,
        "<title>McAfee Web Gateway - Notification</title>Cannot Connect: the proxy could not "
        "connect to the destination in time.",
        Failure.CONNECT,
        "'Cannot Connect'",
    ),
    Own(
        "Privoxy",
        404,
        "<title>404 - No such Domain (Privoxy@localhost)</title>",
        Failure.RESOLVE,
        "'No such Domain'",
    ),
    Own(
        "FortiGuard, with the status of a success",
        200,
        "<title>Web Page Blocked</title>FortiGuard: access to this page is blocked",
        Failure.ALLOW,
        "'Page Blocked'",
    ),
    Own(
        "Squid with a page of its own in JSON",
        503,
        {"error": "no such host"},
        Failure.RESOLVE,
        "X-Squid-Error: ERR_DNS_FAIL",
        {"x-squid-error": "ERR_DNS_FAIL 0"},
        is_of_forward_proxy=False,
    ),
    Own(
        "another one that names the host",
        502,
        f"DNS lookup failure for: {HOST}",
        Failure.RESOLVE,
        "'DNS lookup failure'",
    ),
]


@pytest.mark.parametrize("row", OWN, ids=ids(OWN))
def test_what_a_proxy_says_of_itself_is_read(row: Own):
    read = proxy_error(probe(row.status, row.body, headers=row.headers))
    assert read == ProxyError(row.failure, row.said, HOST, row.is_of_forward_proxy)


class Other(NamedTuple):
    """A reply that no proxy of the client's side sent itself."""

    name: str
    status: int
    body: Any
    headers: Mapping[str, str] = {}


VIA = {"via": "1.1 proxy1.corp (squid/5.7)", "x-cache": "MISS from proxy1.corp"}
OTHERS = [
    Other("a success with such words", 200, f"<title>Host not found</title>{HOST}"),
    Other("a success of Squid", 200, "<title>Host not found</title>", {"server": "squid"}),
    Other("a code in JSON", 403, {"message": "Refused (policy_denied)"}),
    Other("a success in JSON", 200, {"name": "Zscaler", "text": "Host not found"}),
    Other("a redirect of a proxy", 302, "<title>Zscaler</title>Access is blocked"),
    Other("a login of the proxy", 407, COULD_NOT, {"x-squid-error": "ERR_CACHE_ACCESS_DENIED 0"}),
    Other(
        "JSON that a proxy passes on",
        502,
        {"message": f"Host not found: {HOST} could not be resolved"},
        VIA,
    ),
    Other("a page that a proxy passes on", 503, "<title>Service Unavailable</title>", VIA),
    Other("a firewall's page that a proxy passes on", 403, "<title>Access denied</title>", VIA),
    Other("a firewall's page", 403, "<title>Access Denied</title>This site is blocked."),
    Other(
        "a page of a web server", 502, "<title>502 Bad Gateway</title>nginx", {"server": "nginx"}
    ),
    Other("a page about another host", 502, "The host backend-7 could not be resolved."),
    Other(
        "a CDN that cannot resolve what is behind it",
        530,
        f"<title>DNS resolution error | {HOST} | Cloudflare</title>Cloudflare is currently unable "
        f"to resolve your requested domain ({HOST}).",
        {"server": "cloudflare"},
    ),
    Other("a list that is not found", 404, "<title>Not Found</title>No such page.", VIA),
    Other("a header with something else", 503, COULD_NOT, {"x-squid-error": "none"}),
    Other("a page about squid", 404, "<title>Squid recipes</title>Host not found"),
    Other("no body", 503, None),
]


@pytest.mark.parametrize("row", OTHERS, ids=ids(OTHERS))
def test_other_replies_are_no_errors_of_a_proxy(row: Other):
    assert proxy_error(probe(row.status, row.body, headers=row.headers)) is None


def test_a_reply_of_a_proxy_is_not_said_to_be_the_services():
    own = probe(503, COULD_NOT, headers={"x-squid-error": "ERR_DNS_FAIL 0"})
    assert no_answer([own]) == "a proxy replied 503 to the request"
    assert no_answer([probe(503, COULD_NOT)]) == "the service replied 503 to the request"
