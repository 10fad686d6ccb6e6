"""The way to the service, below HTTP: names, proxy and certificate. No request is sent."""

from __future__ import annotations

import socket
import ssl
from dataclasses import dataclass
from urllib.parse import urlsplit

from wes_provider.client.environment import ca_bundle, proxy_for, tls_context
from wes_provider.client.settings import WesSettings

__all__ = ["Way", "way_to"]


@dataclass(frozen=True)
class Way:
    """
    The way to a host.

    :ivar proxy: host and port of the proxy that requests go through; empty if there is none.
    :ivar addresses: that the host's name has, as this machine sees it.
    :ivar problem: why the name has none; empty if it has.
    :ivar distrust: why this machine does not trust the host's certificate; empty if it does, or does not check.
    :ivar issuer: who issued a certificate that is not trusted.
    """

    host: str
    proxy: str = ""
    addresses: tuple[str, ...] = ()
    problem: str = ""
    distrust: str = ""
    issuer: str = ""


def way_to(settings: WesSettings) -> Way:
    """
    Examine the way to a service, as the client goes it.

    :param settings: the settings of the connection.
    :raises WesConfigurationError: for a proxy or a bundle of the environment that cannot be used.
    """
    parts = urlsplit(settings.base_url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    proxy = urlsplit(proxy_for(settings.base_url) or "").netloc.rpartition("@")[2]  # without its password
    try:
        found = {str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    except OSError as error:
        return Way(host, proxy, problem=error.strerror or type(error).__name__)
    trusting = tls_context(ca_bundle(settings.verify))
    if parts.scheme != "https" or proxy or isinstance(trusting, bool):
        return Way(host, proxy, tuple(sorted(found)))
    distrust, issuer = _distrust(host, port, settings.connect_timeout, trusting)
    return Way(host, proxy, tuple(sorted(found)), distrust=distrust, issuer=issuer)


def _distrust(host: str, port: int, timeout: float, trusting: ssl.SSLContext) -> tuple[str, str]:
    """Why a certificate is not trusted, and who issued it; both empty if it is, or there is none."""
    try:
        with (
            socket.create_connection((host, port), timeout) as plain,
            trusting.wrap_socket(plain, server_hostname=host),
        ):
            return "", ""
    except ssl.SSLCertVerificationError as error:
        why = error.verify_message or "unknown"
    except OSError:
        return "", ""  # the requests that follow report what it is
    curious = ssl.create_default_context()
    curious.check_hostname, curious.verify_mode = False, ssl.CERT_NONE  # nothing is sent over this connection
    try:
        with (
            socket.create_connection((host, port), timeout) as plain,
            curious.wrap_socket(plain, server_hostname=host) as secure,
        ):
            return why, _issuer(secure.getpeercert(binary_form=True) or b"")
    except OSError:
        return why, "unknown"


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
