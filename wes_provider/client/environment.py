"""
What of the environment decides how the service is reached: proxies and CA bundles. Both clients go by it.

The variables are those of ``requests`` and ``curl``. They are read once for each client.
"""

from __future__ import annotations

import ipaddress
import os
import ssl
import urllib.request
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from requests.utils import DEFAULT_CA_BUNDLE_PATH

from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import shorten

__all__ = ["ca_bundle", "proxy_for", "tls_context"]

BUNDLES: Final = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
PORTS: Final = {"http": 80, "https": 443}


def proxy_for(url: str) -> str | None:
    """
    The environment's proxy for the service.

    :param url: the URL of the service.
    :return: the proxy's URL, which may hold a username and a password; ``None`` if the service is reached without one.
    :raises WesConfigurationError: for a proxy that cannot be used. The message does not show it, since what is
        malformed may be a password.
    """
    parts = urlsplit(url)
    host, scheme = parts.hostname or "", parts.scheme
    proxies = urllib.request.getproxies()
    proxy = (proxies.get(scheme) or proxies.get("all") or "").strip()
    if not proxy or _excluded(host, parts.port or PORTS.get(scheme, 0), proxies.get("no", "")):
        return None
    variable = f"{scheme}_proxy" if proxies.get(scheme) else "all_proxy"
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    try:
        proxy_parts = _proxy_parts(proxy)
    except ValueError:
        raise WesConfigurationError(
            f"the environment's {variable} is not the address of a proxy\n"
            "Write it as http://proxy.example.com:3128, and percent-encode special characters in its password."
        ) from None
    if proxy_parts.scheme not in PORTS:
        raise WesConfigurationError(
            f"the environment's {variable} is a {proxy_parts.scheme[:20]!r} proxy; http and https are supported\n"
            "Give an http or https proxy, or exclude the service's host with no_proxy."
        )
    return proxy_parts.geturl()


def _proxy_parts(proxy: str) -> SplitResult:
    """
    A proxy's URL as both clients read it alike: a username always has a password, if only an empty one.

    :raises ValueError: if it is malformed, or its username or password cannot be sent as Basic credentials.
    """
    parts = urlsplit(proxy)
    username, password = unquote(parts.username or ""), unquote(parts.password or "")
    f"{username}{password}".encode("latin-1")
    (parts.hostname or "").encode("idna")
    if (
        not parts.hostname
        or parts.port == 0
        or set(" \t\\") & set(proxy)
        or (parts.query or parts.fragment or "@" in parts.path)  # a username or a password that is not encoded
        or ":" in username
        or (password and not username)
    ):
        raise ValueError("malformed")
    login = f"{parts.username}:{parts.password or ''}@" if username else ""
    return parts._replace(netloc=login + parts.netloc.rpartition("@")[2], path="")


def _excluded(host: str, port: int, no_proxy: str) -> bool:
    """Whether ``no_proxy`` names a host: as a name, a domain, an address, a network, each with a port or without."""
    for entry in no_proxy.replace(",", " ").split():
        if entry == "*" or _in_network(host, entry):
            return True
        name, _, number = entry.rpartition(":")
        if not (name and number.isdecimal()):
            name, number = entry, ""
        domain = name.strip("[]").removeprefix("*").lstrip(".").lower()
        if (not number or int(number) == port) and domain and (host == domain or host.endswith(f".{domain}")):
            return True
    return False


def _in_network(host: str, entry: str) -> bool:
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(entry.strip("[]"), strict=False)
    except ValueError:
        return False


def ca_bundle(verify: bool | str) -> str | bool:
    """
    Which certificates are trusted.

    :param verify: the connection's ``verify``.
    :return: the path of a bundle or a folder; true for the certificates that ``requests`` ships; false for any.
    :raises WesConfigurationError: for a bundle of the environment that cannot be read.
    """
    if verify is not True:
        return verify
    variable = next((name for name in BUNDLES if os.environ.get(name)), None)
    if variable is None:
        return True
    bundle = os.environ[variable]
    try:
        tls_context(bundle)
    except WesConfigurationError as error:
        raise WesConfigurationError(f"the environment's {variable} cannot be used\n{error}") from None
    return bundle


def tls_context(bundle: str | bool) -> ssl.SSLContext | bool:
    """
    The TLS settings that trust a bundle.

    :param bundle: the result of :func:`ca_bundle`.
    :return: a context; false if certificates are not checked.
    :raises WesConfigurationError: if the bundle cannot be read.
    """
    if bundle is False:
        return False
    path = DEFAULT_CA_BUNDLE_PATH if bundle is True else str(bundle)
    try:
        return _context(path, os.stat(path).st_mtime_ns)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise WesConfigurationError(f"CA bundle {shorten(path, 36)} cannot be used\n{reason}\n{path}") from None


@lru_cache(maxsize=8)
def _context(path: str, changed: int) -> ssl.SSLContext:  # noqa: ARG001 - a bundle that has changed is read again
    """The context of a bundle: reading one takes tens of milliseconds, and a process makes many clients."""
    folder = os.path.isdir(path)
    return ssl.create_default_context(cafile=None if folder else path, capath=path if folder else None)
