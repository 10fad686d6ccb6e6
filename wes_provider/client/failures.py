"""What it means that a request got no whole response. Pure."""

from __future__ import annotations

import os
import re
import socket
import ssl
import zlib
from asyncio import CancelledError
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final
from urllib.parse import unquote

import msgspec

from wes_provider.client.requests import Request
from wes_provider.exceptions import (
    WesConfigurationError,
    WesConnectionError,
    WesUnknownOutcomeError,
)
from wes_provider.texts import shown

MOST_CAUSES: Final = 20
NOT_KNOWN: Final = "Whether it took effect is not known."
NOTHING_SENT: Final = (
    "Nothing was sent. Check the address, the network and the proxy of the environment."
)

NOTHING_SENT_BY_PROXY: Final = (
    "Nothing was sent. Check the proxy in {} of the environment: it may require a username and "
    "password in its address (407), or not let this machine reach the service."
)
NOTHING_SENT_UNUSABLE: Final = (
    "Nothing was sent. It is http://host:port. Before the host, there may be a username, a colon, "
    "a password and an @: percent-encode what is special in these, %23 for # and %2F for /."
)
# Of SOCKS, requests uses some with the package PySocks, and aiohttp none.
PROXY_SCHEMES: Final = ("http", "https", "socks4", "socks4a", "socks5", "socks5h")
SOCKS: Final = "socks"
NO_PYSOCKS: Final = "SOCKS needs the package PySocks, which is not installed"
NO_WAITS: Final = "waits cannot use a proxy of SOCKS, only uploads can"
NOTHING_SENT_UNTRUSTED: Final = (
    "Nothing was sent. If a proxy or gateway signs with a certificate of its own, name its CA "
    "bundle: the connection's extra verify, or REQUESTS_CA_BUNDLE of the environment."
)
NOTHING_SENT_INVALID: Final = (
    "Nothing was sent. The certificate is the service's, or that of a proxy in between: check the "
    "connection's Address, and this machine's clock."
)
# OpenSSL's codes of a certificate that nobody known has signed.
UNTRUSTED: Final = frozenset({2, 18, 19, 20, 21, 27})
# How Python's TLS reports a handshake that takes longer than the timeout.
HANDSHAKE_TIMED_OUT: Final = "handshake operation timed out"
INCOMPLETE: Final = "incomplete response"
ENDLESS: Final = "whole JSON came, and not the end of its body"
# How Python's HTTP client reports it.
TUNNEL_FAILED: Final = "Tunnel connection failed:"


class EndlessBodyError(OSError):
    """A body came as whole JSON, and the connection stayed open without its end."""


def endless_body(body: bytes, headers: Mapping[str, str]) -> EndlessBodyError | None:
    """
    Return the error of a body whose end did not come in time, if only the end is missing; ``None``
    if more of it is missing, as far as anybody can tell.

    :param body: what came of it.
    :param headers: of the response, without regard to case.
    """
    try:
        document = msgspec.json.decode(body)
    except (msgspec.MsgspecError, RecursionError):
        return None
    if not isinstance(document, (dict, list)):
        # The first digits of a number are a number, too.
        return None
    if "transfer-encoding" in headers:
        why = "its last chunk is missing"
    elif "content-length" in headers:
        why = "its Content-Length is too large"
    else:
        why = "it has neither Content-Length nor chunks, and the connection stays open"
    return EndlessBodyError(f"{ENDLESS}: {why}")


def unusable_bundle(path: str, problem: str) -> WesConnectionError:
    """
    Return the error of a CA bundle that cannot be used.

    :param problem: of :func:`find_problem_of_bundle`.
    """
    return WesConnectionError(
        f"the CA bundle {path} {problem}\nNothing was sent. The connection's verify names it, or "
        "REQUESTS_CA_BUNDLE or CURL_CA_BUNDLE of the environment."
    )


def find_problem_of_bundle(path: str) -> str:
    """Return why a file or folder of certificates cannot be used; empty if it can."""
    if not os.path.exists(path):
        return "does not exist"
    if os.path.isdir(path):
        return ""
    try:
        ssl.create_default_context(cafile=path)
    except PermissionError:
        return "cannot be read by this process"
    except OSError:
        # Of ssl, too: an empty file, a key, a certificate in another format.
        return "has no certificates in PEM, the format with BEGIN CERTIFICATE"
    return ""


def unusable_proxy(variable: str, reason: str) -> WesConfigurationError:
    """
    Return the error of a proxy's URL that cannot be used; the URL, which may have a password, is
    not in it.

    :param variable: of the environment, which has the URL.
    """
    return WesConfigurationError(
        f"the URL of the proxy in {variable} cannot be used: {reason}\n{NOTHING_SENT_UNUSABLE}"
    )


def find_problem_of_proxy(url: str) -> str:
    """Return why the URL of a proxy cannot be used; empty if nothing speaks against it."""
    from urllib3.exceptions import LocationParseError
    from urllib3.util import parse_url

    scheme, _, rest = url.partition("://")
    authority = re.split("[/?#]", rest, maxsplit=1)[0]
    if scheme.lower() not in PROXY_SCHEMES:
        return "its scheme is none that a proxy has"
    if "@" in rest and "@" not in authority:
        return "its username or password has a /, ? or # that is not percent-encoded"
    if len(url.split()) > 1:
        return "it has a space"
    try:
        parts = parse_url(url)
    except LocationParseError:
        return "its host or port is none"
    if not parts.host or parts.port == 0:
        return "its host or port is none"
    if not _is_latin(unquote(parts.auth or "")):
        return "its username or password has a character that is not of Latin-1"
    if scheme.lower().startswith(SOCKS) and find_spec("socks") is None:
        return NO_PYSOCKS
    return ""


def _is_latin(text: str) -> bool:
    """Return whether HTTP libraries can send a proxy's username and password."""
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True


def was_never_sent(error: BaseException) -> bool:
    """
    Return whether a request definitely never went out: its connection was not established (the
    tunnel of a proxy and TLS included), or an address cannot be used.

    :param error: of ``requests``. Everything else may have reached the service.
    """
    from requests.exceptions import InvalidSchema, InvalidURL
    from urllib3.exceptions import LocationParseError

    from wes_provider.client.connecting import NotEstablishedError

    # The last three come before there is a connection; the first of them of a proxy of a kind that
    # needs another package, such as SOCKS.
    never_sent = (NotEstablishedError, InvalidSchema, InvalidURL, LocationParseError)
    return any(isinstance(cause, never_sent) for cause in causes_of(error))


def _is_handshake_timeout(cause: BaseException) -> bool:
    """Return whether TLS was not established in time, which urllib3 reports as a read's timeout."""
    return isinstance(cause, TimeoutError) and HANDSHAKE_TIMED_OUT in str(cause)


def refused_tunnel(error: BaseException) -> str:
    """
    Return with which status a proxy refused the tunnel to the service, such as ``407 Proxy
    Authentication Required``; empty if none did.

    :param error: of ``requests``, whose cause is an ``OSError`` of Python's HTTP client.
    """
    for cause in causes_of(error):
        if isinstance(cause, OSError) and str(cause).startswith(TUNNEL_FAILED):
            return str(cause).removeprefix(TUNNEL_FAILED).strip()
    return ""


def is_of_proxy(error: BaseException) -> bool:
    """Return whether a proxy of the environment was not reached, or cannot be used."""
    from aiohttp import ClientProxyConnectionError
    from requests.exceptions import InvalidProxyURL, InvalidSchema
    from requests.exceptions import ProxyError as RequestsProxyError
    from urllib3.exceptions import ProxyError

    kinds = (
        ClientProxyConnectionError,
        InvalidProxyURL,
        InvalidSchema,
        ProxyError,
        RequestsProxyError,
    )
    return any(isinstance(cause, kinds) for cause in causes_of(error))


def causes_of(error: BaseException) -> list[BaseException]:
    """Return an exception and those inside of it, the outer ones first."""
    causes: list[BaseException] = []
    queue = [error]
    while queue and len(causes) < MOST_CAUSES:
        cause = queue.pop(0)
        causes.append(cause)
        # urllib3 and aiohttp keep what caused an exception in attributes and arguments of it.
        inner = [
            getattr(cause, "reason", None),
            getattr(cause, "original_error", None),
            cause.__cause__,
            *cause.args,
        ]
        for candidate in inner:
            if isinstance(candidate, BaseException) and candidate not in (*causes, *queue):
                queue.append(candidate)
    return causes


def describe(error: BaseException) -> str:
    """
    Return the innermost cause of an exception: its kind, and what the operating system or TLS says.

    The texts of HTTP libraries are left out, which may hold a proxy's password.
    """
    # This one counts a whole body; the exception of the standard library, a chunk of it.
    from urllib3.exceptions import IncompleteRead

    # asyncio cancels what it does not wait for any longer, so that is no reason of its own.
    causes = [cause for cause in causes_of(error) if not isinstance(cause, CancelledError)]
    cause = causes[-1]
    if isinstance(cause, socket.gaierror):
        return "the host name does not resolve"
    if any(map(_is_connect_timeout, causes)):
        return "the connection was not established in time"
    if isinstance(cause, EndlessBodyError):
        return str(cause)
    if any(map(_is_wrong_encoding, causes)):
        return "the body is not encoded as its Content-Encoding says"
    kind = type(cause).__name__
    if isinstance(cause, IncompleteRead):
        return f"{kind}: {cause.partial} of {cause.partial + cause.expected} bytes came"
    why = ""
    if isinstance(cause, ssl.SSLCertVerificationError):
        why = getattr(cause, "verify_message", "")
    elif isinstance(cause, OSError):
        why = cause.strerror or ""
    return f"{kind}: {why}" if why else kind


def _is_connect_timeout(cause: BaseException) -> bool:
    from aiohttp import ConnectionTimeoutError
    from urllib3.exceptions import ConnectTimeoutError, NewConnectionError

    is_timeout = isinstance(cause, (ConnectTimeoutError, ConnectionTimeoutError))
    # What urllib3 derives from a timeout, and is none: refused, not resolved.
    is_other = isinstance(cause, NewConnectionError)
    return (is_timeout and not is_other) or _is_handshake_timeout(cause)


def _is_wrong_encoding(cause: BaseException) -> bool:
    from aiohttp.http_exceptions import ContentEncodingError
    from urllib3.exceptions import DecodeError

    return isinstance(cause, (zlib.error, ContentEncodingError, DecodeError))


def not_sent(
    request: Request, error: BaseException, tunnel: str = "", proxy_variable: str = ""
) -> WesConnectionError:
    """
    Return the error of a request that definitely never went out.

    :param tunnel: with which status a proxy refused the tunnel to the service; empty if none did.
    :param proxy_variable: which variable of the environment names the proxy.
    """
    by_proxy = NOTHING_SENT_BY_PROXY.format(proxy_variable)
    if tunnel:
        reason = f"the proxy refused the tunnel to the service: {shown(tunnel, quoted=False)}"
        return WesConnectionError(f"{request.about(reason)}\n{by_proxy}")
    if proxy_variable and is_of_proxy(error):
        reason = f"the proxy in {proxy_variable} was not reached: {describe(error)}"
        return WesConnectionError(f"{request.about(reason)}\n{by_proxy}")
    address = "/".join(request.url.split("/")[:3])
    reason = f"the service was not reached at {address}: {describe(error)}"
    return WesConnectionError(f"{request.about(reason)}\n{_advice_for(error)}")


def _advice_for(error: BaseException) -> str:
    """Return what to do about a connection to the service that was not established."""
    for cause in causes_of(error):
        # aiohttp's own exception of this type has no code, and the one of ssl in it.
        code = getattr(cause, "verify_code", None)
        if isinstance(cause, ssl.SSLCertVerificationError) and code is not None:
            return NOTHING_SENT_UNTRUSTED if code in UNTRUSTED else NOTHING_SENT_INVALID
    return NOTHING_SENT


def no_response(
    request: Request, error: BaseException, status: int | None = None
) -> WesUnknownOutcomeError:
    """
    Return the error of a request that may have gone out, and got no whole response.

    :param status: of the response, if it began; ``None`` if nothing came.
    """
    came = "no response"
    if status is not None:
        came = f"{INCOMPLETE} {status}"
    reason = f"{came}: {describe(error)}"
    return WesUnknownOutcomeError(
        f"{request.about(reason)}\n{NOT_KNOWN}",
        permanent=not request.operation.repeatable,
        reason=reason,
        # A 2xx that breaks off has accepted the request all the same.
        status_code=status,
        is_whole=False,
    )
