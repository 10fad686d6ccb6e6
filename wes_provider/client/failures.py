"""What it means that a request got no whole response. Pure."""

from __future__ import annotations

import ssl
from typing import Final

from wes_provider.client.requests import Request
from wes_provider.exceptions import WesConnectionError, WesUnknownOutcomeError

MOST_CAUSES: Final = 10
NOT_KNOWN: Final = "Whether it took effect is not known."
NOTHING_SENT: Final = (
    "Nothing was sent. Check the address, the network and the proxy of the environment."
)


def was_never_sent(error: BaseException) -> bool:
    """
    Return whether a request definitely never went out: its connection was refused, not resolved or
    not established in time, its proxy's address cannot be used, or a certificate was not trusted.

    :param error: of ``requests``. Everything else may have reached the service.
    """
    from requests.exceptions import ConnectTimeout, InvalidURL
    from urllib3.exceptions import ConnectTimeoutError, NewConnectionError

    never_sent = (
        ConnectTimeout,
        ConnectTimeoutError,
        InvalidURL,
        NewConnectionError,
        ssl.SSLCertVerificationError,
    )
    return any(isinstance(cause, never_sent) for cause in causes_of(error))


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
            if isinstance(candidate, BaseException) and candidate not in causes:
                queue.append(candidate)
    return causes


def describe(error: BaseException) -> str:
    """
    Return the innermost cause of an exception: its kind, and what the operating system or TLS says.

    The texts of HTTP libraries are left out, which may hold a proxy's password.
    """
    cause = causes_of(error)[-1]
    kind = type(cause).__name__
    why = ""
    if isinstance(cause, ssl.SSLCertVerificationError):
        why = getattr(cause, "verify_message", "")
    elif isinstance(cause, OSError):
        why = cause.strerror or ""
    return f"{kind}: {why}" if why else kind


def not_sent(request: Request, error: BaseException) -> WesConnectionError:
    """Return the error of a request that definitely never went out."""
    address = "/".join(request.url.split("/")[:3])
    reason = f"the service was not reached at {address}: {describe(error)}"
    return WesConnectionError(f"{request.about(reason)}\n{NOTHING_SENT}")


def no_response(request: Request, error: BaseException) -> WesUnknownOutcomeError:
    """Return the error of a request that may have gone out, and got no whole response."""
    return WesUnknownOutcomeError(
        f"{request.about(f'no response: {describe(error)}')}\n{NOT_KNOWN}",
        permanent=not request.operation.repeatable,
    )
