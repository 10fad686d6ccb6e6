"""
The proxy that requests go through is named with its variable (https_proxy, HTTPS_PROXY, ALL_PROXY),
without its login; not one of another scheme, one that no_proxy excepts, or one that cannot be used.

Which logins an http proxy offers is asked once more with CONNECT and without credentials, within 5
seconds: all its Proxy-Authenticate headers, in any case, and not what its body has. A proxy of
https, and one that is not reached, offers nothing.

After a 407, a login is to be put into the proxy's address if Basic is offered as a word, or nothing
is known. If the address has one already, it is not accepted, and to be checked. If only others are
offered, such as NTLM, the host is to be named in no_proxy, or a proxy with Basic to be asked for;
that is the second way if nothing is known.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest

from support.doctor_reads import SETTINGS, probe, settings_of
from support.servers import listening
from wes_provider.doctor.proxies import after_407, offered_for_tunnel, proxy_sentence


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


class Sentence(NamedTuple):
    """The variables of the environment, and the sentence that names the proxy."""

    name: str
    variables: Mapping[str, str]
    text: str


SENTENCES = [
    Sentence(
        "a proxy",
        {"https_proxy": "http://proxy.test:3128"},
        " Requests go through the proxy proxy.test:3128 (by the variable https_proxy).",
    ),
    Sentence(
        "with a login",
        {"HTTPS_PROXY": "http://me:p@ss@proxy.test"},
        " Requests go through the proxy proxy.test (by the variable HTTPS_PROXY).",
    ),
    Sentence(
        "for all",
        {"ALL_PROXY": "proxy.test:80"},
        " Requests go through the proxy proxy.test:80 (by the variable ALL_PROXY).",
    ),
]


@pytest.mark.parametrize("row", SENTENCES, ids=[row.name for row in SENTENCES])
def test_the_proxy_of_the_environment_is_named(row: Sentence, monkeypatch: pytest.MonkeyPatch):
    for name, value in row.variables.items():
        monkeypatch.setenv(name, value)
    assert proxy_sentence(SETTINGS) == row.text


class NoProxy(NamedTuple):
    """The variables of an environment in which requests go through no proxy."""

    name: str
    variables: Mapping[str, str]


NO_PROXIES = [
    NoProxy("none", {}),
    NoProxy("of another scheme", {"http_proxy": "http://proxy.test:3128"}),
    NoProxy("an exception", {"https_proxy": "http://a.test:1", "no_proxy": "example.com"}),
    NoProxy("one that cannot be used", {"https_proxy": "socks5://proxy.test:1"}),
]


@pytest.mark.parametrize("row", NO_PROXIES, ids=[row.name for row in NO_PROXIES])
def test_without_a_proxy_nothing_is_said(row: NoProxy, monkeypatch: pytest.MonkeyPatch):
    for name, value in row.variables.items():
        monkeypatch.setenv(name, value)
    assert proxy_sentence(SETTINGS) == ""


class Tunnel(NamedTuple):
    """The service's address, what a proxy is asked for, its reply, and the logins in that."""

    name: str
    address: str
    target: str
    reply: str
    offered: str


BASIC = 'HTTP/1.1 407 x\r\nProxy-Authenticate: Basic realm="p"\r\nContent-Length: 0\r\n\r\n'
TUNNELS = [
    Tunnel("without a port", "https://a.test", "a.test:443", BASIC, 'Basic realm="p"'),
    Tunnel("with a port", "https://a.test:8443/x", "a.test:8443", BASIC, 'Basic realm="p"'),
    Tunnel("an IPv6 address", "https://[::1]", "[::1]:443", BASIC, 'Basic realm="p"'),
    Tunnel(
        "several logins",
        "https://a.test",
        "a.test:443",
        "HTTP/1.1 407 x\r\nproxy-authenticate:Negotiate\r\nX: y\r\n"
        "PROXY-AUTHENTICATE: NTLM\r\n\r\n",
        "Negotiate, NTLM",
    ),
    Tunnel("no header", "https://a.test", "a.test:443", "HTTP/1.1 407 x\r\n\r\n", ""),
    Tunnel(
        "an empty one",
        "https://a.test",
        "a.test:443",
        "HTTP/1.1 407 x\r\nProxy-Authenticate: \r\nX: y\r\n\r\n",
        "",
    ),
    Tunnel(
        "another header that ends so",
        "https://a.test",
        "a.test:443",
        "HTTP/1.1 407 x\r\nX-Proxy-Authenticate: A\r\n\r\n",
        "",
    ),
    Tunnel(
        "in the body",
        "https://a.test",
        "a.test:443",
        "HTTP/1.1 407 x\r\nX: y\r\n\r\nProxy-Authenticate: B\r\n\r\n",
        "",
    ),
    Tunnel("no reply", "https://a.test", "a.test:443", "", ""),
]


def replying_with(reply: str, seen: list[str]) -> Callable[[socket.socket], None]:
    def handle(connection: socket.socket) -> None:
        seen.append(connection.recv(65536).decode())
        connection.sendall(reply.encode())

    return handle


@pytest.mark.parametrize("row", TUNNELS, ids=[row.name for row in TUNNELS])
def test_a_proxy_is_asked_for_the_logins_that_it_offers(
    row: Tunnel, monkeypatch: pytest.MonkeyPatch
):
    seen: list[str] = []
    with listening(replying_with(row.reply, seen)) as url:
        monkeypatch.setenv("https_proxy", url.replace("http://", "http://user:password@"))
        assert offered_for_tunnel(settings_of(row.address)) == row.offered
    assert seen == [f"CONNECT {row.target} HTTP/1.1\r\nHost: {row.target}\r\n\r\n"]


def test_a_proxy_of_another_scheme_is_not_asked(monkeypatch: pytest.MonkeyPatch):
    seen: list[str] = []
    with listening(replying_with(BASIC, seen)) as url:
        monkeypatch.setenv("https_proxy", url.replace("http://", "https://"))
        assert offered_for_tunnel(SETTINGS) == ""
    assert seen == []


UNREACHED = {
    "none": "",
    "one that cannot be used": "socks5://proxy.test:1",
    "nothing listens": "http://127.0.0.1:9",
}


@pytest.mark.parametrize("proxy", UNREACHED.values(), ids=UNREACHED)
def test_a_proxy_that_is_not_reached_offers_nothing(proxy: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("https_proxy", proxy)
    assert offered_for_tunnel(SETTINGS) == ""


class Reached(NamedTuple):
    """The address of a proxy, and the host and port to which a connection is made."""

    name: str
    proxy: str
    host_and_port: tuple[str, int]


REACHED = [
    Reached("without a port", "http://proxy.test", ("proxy.test", 80)),
    Reached("an IPv6 address with a port", "http://[::1]:3128", ("::1", 3128)),
]


@pytest.mark.parametrize("row", REACHED, ids=[row.name for row in REACHED])
def test_a_proxy_is_reached_at_its_port_in_five_seconds(
    row: Reached, monkeypatch: pytest.MonkeyPatch
):
    reached = []

    def create_connection(host_and_port: tuple[str, int], timeout: float) -> None:
        reached.append((host_and_port, timeout))
        raise OSError

    monkeypatch.setattr(socket, "create_connection", create_connection)
    monkeypatch.setenv("https_proxy", row.proxy)
    assert offered_for_tunnel(SETTINGS) == ""
    assert reached == [(row.host_and_port, 5.0)]


class After(NamedTuple):
    """The address of a proxy, the logins that it offers, and what is to be done."""

    name: str
    proxy: str
    offered: str | None
    text: str


ANOTHER_WAY = (
    "name the service's host in the variable no_proxy, if it can be reached without the proxy, or "
    "ask whoever runs the proxy for one with a username and password (Basic), or for a local "
    "helper that logs in."
)
ADD_LOGIN = "put username:password@, percent-encoded, before the host in its address."
NOT_ACCEPTED = (
    ", and does not accept the username and password that its address has. Check them, and whether "
    f"they are percent-encoded. If it wants another kind of login, {ANOTHER_WAY}"
)
BASIC_ONLY = ", and the provider can send a username and password (Basic) only: "
PLAIN, WITH_LOGIN = "http://proxy.test", "http://a:b@proxy.test"
AFTER = [
    After(
        "unknown",
        PLAIN,
        None,
        f"The proxy wants a login: {ADD_LOGIN} If it wants another kind of login, {ANOTHER_WAY}",
    ),
    After(
        "an empty header",
        PLAIN,
        "",
        f"The proxy wants a login: {ADD_LOGIN} If it wants another kind of login, {ANOTHER_WAY}",
    ),
    After("Basic", PLAIN, "Basic", f"The proxy wants a login (Basic): {ADD_LOGIN}"),
    After(
        "beside others", PLAIN, "NTLM, basic", f"The proxy wants a login (NTLM, basic): {ADD_LOGIN}"
    ),
    After(
        "Basic, and the login is refused",
        WITH_LOGIN,
        "Basic",
        f"The proxy wants a login (Basic){NOT_ACCEPTED}",
    ),
    After(
        "unknown, and the login is refused",
        WITH_LOGIN,
        None,
        f"The proxy wants a login{NOT_ACCEPTED}",
    ),
    After("NTLM", PLAIN, "NTLM", f"The proxy wants a login (NTLM){BASIC_ONLY}{ANOTHER_WAY}"),
    After(
        "NTLM, with a login",
        WITH_LOGIN,
        "NTLM",
        f"The proxy wants a login (NTLM){BASIC_ONLY}{ANOTHER_WAY}",
    ),
    After(
        "a word like Basic",
        PLAIN,
        "Basically",
        f"The proxy wants a login (Basically){BASIC_ONLY}{ANOTHER_WAY}",
    ),
    After(
        "Basic, of a proxy that cannot be used",
        "socks5://a:b@proxy.test",
        "Basic",
        f"The proxy wants a login (Basic): {ADD_LOGIN}",
    ),
]


@pytest.mark.parametrize("row", AFTER, ids=[row.name for row in AFTER])
def test_what_to_do_after_a_407_follows_from_the_logins_that_the_proxy_offers(
    row: After, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("https_proxy", row.proxy)
    headers = {}
    if row.offered is not None:
        headers["proxy-authenticate"] = row.offered
    assert after_407(SETTINGS, probe(407, headers=headers)) == row.text
