"""
Which logins an http proxy offers is asked once with CONNECT, without credentials, at its port (80
by default) and with 5 seconds to connect: all its headers Proxy-Authenticate, in any case; not an
empty one, another header that ends so, or what its body has. A proxy of https is not asked, and one
that is not reached offers nothing. The service's host is asked for with its port, 443 by default.

After a 407, a username and password are to be put into the proxy's address, if Basic is offered as
a word in any case, or nothing is known. If the address has them already, the proxy does not accept
them, and they are to be checked. If only others are offered, such as NTLM, they do not help: the
host is to be named in no_proxy, or whoever runs the proxy to be asked. That is also the second way
if nothing is known, or the login is refused.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import NamedTuple

import pytest

from support.doctor_reads import SETTINGS, probe, settings_of
from support.servers import listening
from wes_provider.doctor.replies.proxies import after_407, offered_for_tunnel

pytestmark = pytest.mark.usefixtures("without_proxy")


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
