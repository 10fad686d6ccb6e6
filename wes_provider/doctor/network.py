"""The way to the service, below HTTP: names, proxy and certificate. No request is sent."""

from __future__ import annotations

import socket
import ssl
from dataclasses import dataclass
from urllib.parse import urlsplit

import requests.utils

__all__ = ["Way", "way_to"]


@dataclass(frozen=True)
class Way:
    """
    The way to a host.

    :ivar proxy: host and port of the proxy that requests go through; empty if there is none.
    :ivar addresses: that the host's name has, as this machine sees it.
    :ivar problem: why the name has none; empty if it has.
    :ivar issuer: who issued the certificate, if the host shows one that this machine does not trust; else empty.
    """

    host: str
    proxy: str = ""
    addresses: tuple[str, ...] = ()
    problem: str = ""
    issuer: str = ""


def way_to(base_url: str, timeout: float = 10.0) -> Way:
    """
    Examine the way to a service.

    :param base_url: of the connection's settings.
    :param timeout: seconds for the TLS handshake.
    """
    parts = urlsplit(base_url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    proxy = requests.utils.select_proxy(base_url, requests.utils.get_environ_proxies(base_url, no_proxy=None)) or ""
    proxy = urlsplit(proxy if "://" in proxy else f"//{proxy}").netloc.rpartition("@")[2]  # without its password
    try:
        found = {str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    except OSError as error:
        return Way(host, proxy, problem=error.strerror or type(error).__name__)
    issuer = _untrusted_issuer(host, port, timeout) if parts.scheme == "https" and not proxy else ""
    return Way(host, proxy, tuple(sorted(found)), issuer=issuer)


def _untrusted_issuer(host: str, port: int, timeout: float) -> str:
    trusting = ssl.create_default_context()
    try:
        with (
            socket.create_connection((host, port), timeout) as plain,
            trusting.wrap_socket(plain, server_hostname=host),
        ):
            return ""
    except ssl.SSLCertVerificationError:
        pass
    except OSError:
        return ""  # the requests that follow report what it is
    curious = ssl.create_default_context()
    curious.check_hostname, curious.verify_mode = False, ssl.CERT_NONE  # nothing is sent over this connection
    try:
        with (
            socket.create_connection((host, port), timeout) as plain,
            curious.wrap_socket(plain, server_hostname=host) as secure,
        ):
            return _issuer(secure.getpeercert(binary_form=True) or b"")
    except OSError:
        return "unknown"


def _issuer(certificate: bytes) -> str:
    try:
        from cryptography import x509  # Airflow brings it along
    except ImportError:
        return "unknown"
    try:
        issuer = x509.load_der_x509_certificate(certificate).issuer
    except ValueError:
        return "unknown"
    return "".join(character for character in issuer.rfc4514_string() if character.isprintable())[:100] or "unknown"
