"""
What can go wrong, as a tree.

::

    WesError
    ├── WesConfigurationError      also a ValueError: a connection or an argument; nothing was sent
    ├── WesConnectionError         the request never reached the service
    ├── WesUnknownOutcomeError     it may have reached the service: check before you repeat it
    ├── WesDuplicateError          the file was uploaded before a clear, and on_duplicate is "fail"
    ├── WesCouponFileFailedError   the service has processed the coupon file, and it failed
    ├── WesTimeoutError            the coupon file was not processed before the deadline
    └── WesResponseError           the service responded with an error
        ├── WesBadRequestError       400
        ├── WesAuthenticationError   401
        ├── WesForbiddenError        403
        ├── WesNotFoundError         404
        ├── WesConflictError         409
        ├── WesPayloadTooLargeError  413
        ├── WesRateLimitError        429, with limit, remaining and reset_at
        └── WesServerError           5xx

No message holds a key, a password or the query of a URL.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

__all__ = [
    "WesAuthenticationError",
    "WesBadRequestError",
    "WesConfigurationError",
    "WesConflictError",
    "WesConnectionError",
    "WesCouponFileFailedError",
    "WesDuplicateError",
    "WesError",
    "WesForbiddenError",
    "WesNotFoundError",
    "WesPayloadTooLargeError",
    "WesRateLimitError",
    "WesResponseError",
    "WesServerError",
    "WesTimeoutError",
    "WesUnknownOutcomeError",
    "response_error_class",
]


# Of the 4xx, those that another attempt may not get.
PASSING_STATUS_CODES: Final = frozenset({408, 429, 499})


class WesError(Exception):
    """
    Everything that this provider raises on purpose.

    :param message: what happened. It never holds a secret.
    :param permanent: repeating the same call cannot help, or may do harm: neither the client nor
        Airflow does it, it ends a wait, and a list that fails so counts as unreadable. ``None`` for
        the default of the class.
    :param reason: the cause alone, for callbacks; by default the message's first line.
    :cvar permanent: the default of the class.
    :ivar may_have_effect: the request may have taken effect; ``after_unknown``: an earlier attempt
        of it may have.
    """

    permanent: bool = False
    may_have_effect: bool = False
    after_unknown: bool = False

    def __init__(
        self, message: str = "", *, permanent: bool | None = None, reason: str = ""
    ) -> None:
        super().__init__(message)
        self.reason = reason or message.partition("\n")[0]
        if permanent is not None:
            self.permanent = permanent

    def add(self, detail: str) -> None:
        """Add a line to the message."""
        self.args = (f"{self}\n{detail}",)


class WesConfigurationError(WesError, ValueError):
    """A connection or an argument cannot be used; nothing was sent."""

    permanent = True


class WesConnectionError(WesError):
    """
    Nothing has taken effect: the service was not reached (refused, no such host, TLS failed,
    connect timeout), or the responses of several uploads were lost, and the list shows that none of
    them arrived.
    """


class WesUnknownOutcomeError(WesError):
    """
    The request may have reached the service, and its effect is not known.

    A 5xx, a read timeout, a lost connection, a truncated response, a status that a gateway may have
    sent after it passed the request on, or a success without the identifier that it has to carry.
    If an upload is repeated after this error, the file may be uploaded twice.

    :param message: what happened. It never holds a secret.
    :param permanent: see :class:`WesError`.
    :param response: the JSON of a success that lacks what it has to carry; else ``None``.
    :param status_code: the status code of the response; ``None`` if none came.
    """

    permanent = True
    may_have_effect = True

    def __init__(
        self,
        message: str,
        *,
        permanent: bool | None = None,
        reason: str = "",
        response: Any = None,
        status_code: int | None = None,
    ) -> None:
        super().__init__(message, permanent=permanent, reason=reason)
        self.response = response
        self.status_code = status_code


class WesCouponFileFailedError(WesError):
    """
    The service has processed the coupon file, and it failed.

    :param message: what happened. It never holds a secret.
    :param coupon_file: ``id``, ``coupon_list_id``, ``name``, ``status`` and the counts that the
        service reports.
    """

    permanent = True

    def __init__(
        self, message: str, coupon_file: dict[str, Any] | None = None, *, reason: str = ""
    ) -> None:
        super().__init__(message, reason=reason)
        self.coupon_file = coupon_file or {}


class WesDuplicateError(WesError):
    """A task of the run uploaded the file before the clear, and ``on_duplicate`` is ``fail``."""

    permanent = True


class WesTimeoutError(WesError):
    """The coupon file was not processed before the deadline; it may still be, later."""


class WesResponseError(WesError):
    """
    The service responded with an error (contract section 7).

    :param text: what happened. It never holds a secret.
    :param reason: see :class:`WesError`.
    :param status_code: the status code of the response.
    :param code: short identifier of the kind of error; empty if the response has none.
    :param message: the service's explanation; empty if the response has none.
    :param request_id: the response's ``x-request-id``, for the service's support; empty if it has
        none.
    """

    def __init__(
        self,
        text: str,
        *,
        reason: str = "",
        status_code: int = 0,
        code: str = "",
        message: str = "",
        request_id: str = "",
    ) -> None:
        # A 4xx repeats itself, unless it reports a limit or a timeout; a 3xx means that the address
        # is wrong.
        permanent = 300 <= status_code < 500 and status_code not in PASSING_STATUS_CODES
        super().__init__(text, permanent=permanent, reason=reason)
        # Or it is of a gateway.
        self.may_have_effect = not 400 <= status_code < 500 or status_code in (408, 499)
        self.status_code = status_code
        self.code = code
        self.message = message
        self.request_id = request_id


class WesBadRequestError(WesResponseError):
    """400: the request is malformed."""


class WesAuthenticationError(WesResponseError):
    """401: credentials are missing or wrong."""


class WesForbiddenError(WesResponseError):
    """403: the account has no access to this feature."""


class WesNotFoundError(WesResponseError):
    """404: there is no such list, file or segment, or no such path."""


class WesConflictError(WesResponseError):
    """409: it exists already."""


class WesPayloadTooLargeError(WesResponseError):
    """413: the request is larger than the service takes."""


class WesRateLimitError(WesResponseError):
    """
    429: the service's rate limit is exceeded; the request was refused and had no effect.

    The parameters are those of :class:`WesResponseError`, and:

    :param limit: requests permitted in the window, or ``None``.
    :param remaining: requests left in the window, or ``None``.
    :param reset_at: when the window resets, by this machine's clock, UTC; ``None`` if the response
        does not show it.
    """

    def __init__(
        self,
        text: str,
        *,
        limit: int | None = None,
        remaining: int | None = None,
        reset_at: datetime | None = None,
        **response: Any,
    ) -> None:
        super().__init__(text, **{"status_code": 429, **response})
        self.limit = limit
        self.remaining = remaining
        self.reset_at = reset_at


class WesServerError(WesResponseError):
    """5xx: the service failed."""


_BY_STATUS: dict[int, type[WesResponseError]] = {
    400: WesBadRequestError,
    401: WesAuthenticationError,
    403: WesForbiddenError,
    404: WesNotFoundError,
    409: WesConflictError,
    413: WesPayloadTooLargeError,
    429: WesRateLimitError,
}


def response_error_class(status_code: int) -> type[WesResponseError]:
    """
    The class of error for a response.

    :param status_code: the status code of the response.
    :return: the class of its documented status, or of its range.
    """
    if status_code >= 500:
        return WesServerError
    return _BY_STATUS.get(status_code, WesResponseError)


# -- through a trigger's event and back ------------------------------------------------------------


def dump_error(error: WesError) -> dict[str, Any]:
    """
    An error as JSON, to cross from the triggerer to a worker; :func:`load_error` reads it back.
    """
    kept = {
        key: value
        for key, value in vars(error).items()
        if isinstance(value, (str, int, dict)) and value != ""
    }
    return {"type": type(error).__name__, "text": str(error), **kept}


def load_error(dumped: dict[str, Any]) -> WesError:
    """The error of :func:`dump_error`; a plain :class:`WesError` if its class is not known here."""
    known = globals().get(str(dumped.get("type")))
    error_class = known if isinstance(known, type) and issubclass(known, WesError) else WesError
    error: WesError = error_class(str(dumped.get("text")))
    vars(error).update({key: value for key, value in dumped.items() if key not in ("type", "text")})
    return error
