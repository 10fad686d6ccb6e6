"""The proxy that requests go through, and what to do if it wants a login."""

from __future__ import annotations

import re
import socket
from typing import Final
from urllib.parse import urlsplit

from wes_provider.client.sync import read_environment
from wes_provider.doctor.replies.probes import Probe
from wes_provider.exceptions import WesError
from wes_provider.settings import WesSettings
from wes_provider.texts import shown

__all__ = ["TUNNEL_407", "after_407", "offered_for_tunnel", "proxy_sentence"]

ANOTHER_WAY: Final = (
    "name the service's host in the variable no_proxy, if it can be reached without the proxy, or "
    "ask whoever runs the proxy for one with a username and password (Basic), or for a local "
    "helper that logs in."
)
TUNNEL_407: Final = "tunnel to the service: 407"
OFFERED: Final = re.compile(
    r"^proxy-authenticate:[ \t]*([^\s][^\r\n]*)", re.IGNORECASE | re.MULTILINE
)
HTTP_PORT = 80
HTTPS_PORT = 443
LONGEST: Final = 5.0  # seconds to connect, and for the reply
MOST_BYTES: Final = 8192
ADD_LOGIN: Final = "put username:password@, percent-encoded, before the host in its address."


def proxy_sentence(settings: WesSettings) -> str:
    """Return a sentence that names the proxy, with a space before it; empty without a proxy."""
    try:
        environment = read_environment(settings)
    except WesError:
        # Of a proxy that cannot be used, the problem of the request says more.
        return ""
    if not environment.proxy:
        return ""
    host = urlsplit(environment.proxy).netloc.rpartition("@")[2]
    variable = environment.proxy_variable
    return f" Requests go through the proxy {host} (by the variable {variable})."


def offered_for_tunnel(settings: WesSettings) -> str:
    """
    Ask the proxy once more for a tunnel, without credentials, and return the logins that it offers,
    as its header ``Proxy-Authenticate`` has them: the client does not keep it. Empty if unknown.
    """
    try:
        proxy = urlsplit(read_environment(settings).proxy)
        host, port = proxy.hostname or "", proxy.port or HTTP_PORT
    except (WesError, ValueError):
        return ""
    service = urlsplit(settings.base_url)
    # Not its hostname, which has no brackets if it is an IPv6 address.
    name = service.netloc.removesuffix(f":{service.port}")
    target = f"{name}:{service.port or HTTPS_PORT}"
    if proxy.scheme != "http":
        return ""
    try:
        with socket.create_connection((host, port), LONGEST) as connection:
            connection.settimeout(LONGEST)
            connection.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
            head = connection.recv(MOST_BYTES).decode("latin-1").partition("\r\n\r\n")[0]
    except OSError:
        return ""
    return ", ".join(OFFERED.findall(head))


def after_407(settings: WesSettings, probe: Probe) -> str:
    """
    Tell what a proxy wants that has replied 407, and what to do.

    :param probe: a request that it refused, with its response unless it was that of a tunnel.
    """
    offered = probe.response.headers.get("proxy-authenticate", "")
    wants = "The proxy wants a login"
    if offered:
        wants = f"{wants} ({shown(offered, quoted=False)})"
    if offered and not re.search(r"\bbasic\b", offered, re.IGNORECASE):
        return (
            f"{wants}, and the provider can send a username and password (Basic) only: "
            f"{ANOTHER_WAY}"
        )
    if _has_login(settings):
        return (
            f"{wants}, and does not accept the username and password that its address has. Check "
            "them, and whether they are percent-encoded. If it wants another kind of login, "
            f"{ANOTHER_WAY}"
        )
    if offered:
        return f"{wants}: {ADD_LOGIN}"
    return f"{wants}: {ADD_LOGIN} If it wants another kind of login, {ANOTHER_WAY}"


def _has_login(settings: WesSettings) -> bool:
    """Tell whether the address of the proxy has a username and a password."""
    try:
        proxy = read_environment(settings).proxy
    except WesError:
        return False
    return "@" in urlsplit(proxy).netloc
