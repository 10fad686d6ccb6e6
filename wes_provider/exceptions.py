"""
What can go wrong, as a tree.

::

    WesError
    ├── WesConfigurationError      also a ValueError: a connection or an argument; nothing was sent
    ├── WesConnectionError         the request never reached the service
    ├── WesUnknownOutcomeError     it may have reached the service: look before repeating it
    ├── WesDuplicateError          an earlier attempt uploaded the file, and on_duplicate is "fail"
    ├── WesCouponFileFailedError   the service has processed the coupon file, and it failed
    ├── WesTimeoutError            the coupon file was not processed before the deadline
    └── WesResponseError           the service answered with an error
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
from typing import Any

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


class WesError(Exception):
    """
    Everything that this provider raises on purpose.

    :cvar permanent: repeating the same call cannot help, so Airflow should not retry the task.
    :cvar after_unknown: what an earlier attempt of the same call ended with, where its outcome is unknown; else empty.
    """

    permanent: bool = False
    after_unknown: str = ""


class WesConfigurationError(WesError, ValueError):
    """A connection or an argument cannot be used; nothing was sent."""

    permanent = True


class WesConnectionError(WesError):
    """The request never reached the service: refused, no such host, TLS failed, connect timeout."""


class WesUnknownOutcomeError(WesError):
    """
    The request may have reached the service, and what came of it is not known.

    A 5xx, a read timeout, a connection lost, a truncated answer, or a success without the identifier
    that it has to carry. Repeating an upload after it may upload the file twice.

    :ivar response: of a success that lacks what it has to carry, the JSON that came instead; else ``None``.
    :ivar status_code: of the answer that was of no use; ``None`` where none came.
    """

    permanent = True

    def __init__(self, message: str, *, response: Any = None, status_code: int | None = None) -> None:
        super().__init__(message)
        self.response = response
        self.status_code = status_code


class WesCouponFileFailedError(WesError):
    """
    The service has processed the coupon file, and it failed.

    :ivar coupon_file: what the service says of it: ``id``, ``coupon_list_id``, ``name``, ``status`` and its counts.
    """

    permanent = True

    def __init__(self, message: str, coupon_file: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.coupon_file = coupon_file or {}


class WesDuplicateError(WesError):
    """An earlier attempt of the task instance uploaded the file, and ``on_duplicate`` is ``fail``."""

    permanent = True


class WesTimeoutError(WesError):
    """The coupon file was not processed before the deadline; it may still be, later."""


class WesResponseError(WesError):
    """
    The service answered with an error (contract section 7).

    :ivar status_code: of the answer.
    :ivar code: short identifier of the kind of error; empty where the answer has none.
    :ivar message: the service's explanation; empty where the answer has none.
    :ivar request_id: the answer's ``x-request-id``, for the service's support; empty where it has none.
    """

    def __init__(
        self, text: str, *, status_code: int = 0, code: str = "", message: str = "", request_id: str = ""
    ) -> None:
        super().__init__(text)
        self.status_code = status_code
        self.code = code
        self.message = message
        self.request_id = request_id

    @property
    def permanent(self) -> bool:  # type: ignore[override]  # a constant elsewhere, here by status
        """A 4xx repeats itself, except for a rate limit; a 3xx is an address that is wrong."""
        return 300 <= self.status_code < 500 and self.status_code != 429


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

    :ivar limit: requests permitted in the window, or ``None``.
    :ivar remaining: requests left in the window, or ``None``.
    :ivar reset_at: when the window resets, by this machine's clock, UTC; ``None`` where the answer does not say.
    """

    def __init__(
        self,
        text: str,
        *,
        status_code: int = 429,
        code: str = "",
        message: str = "",
        request_id: str = "",
        limit: int | None = None,
        remaining: int | None = None,
        reset_at: datetime | None = None,
    ) -> None:
        super().__init__(text, status_code=status_code, code=code, message=message, request_id=request_id)
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
    """Which class stands for an answer's status code."""
    if status_code >= 500:
        return WesServerError
    return _BY_STATUS.get(status_code, WesResponseError)


# -- through a trigger's event and back --------------------------------------------------------------


def dump_error(error: WesError) -> dict[str, Any]:
    """An error as JSON holds it, to cross from the triggerer to a worker; :func:`load_error` reads it back."""
    attributes = {
        key: value.isoformat() if isinstance(value, datetime) else value for key, value in vars(error).items()
    }
    return {"type": type(error).__name__, "text": str(error), "attributes": attributes}


def load_error(dumped: dict[str, Any]) -> WesError:
    """The error of :func:`dump_error`; of a class that is not known here, a plain :class:`WesError`."""
    error_class = globals().get(str(dumped.get("type")))
    if not (isinstance(error_class, type) and issubclass(error_class, WesError)):
        error_class = WesError
    error: WesError = error_class(str(dumped.get("text")))
    attributes = dict(dumped.get("attributes") or {})
    if isinstance(attributes.get("reset_at"), str):
        attributes["reset_at"] = datetime.fromisoformat(attributes["reset_at"])
    vars(error).update(attributes)
    return error
