"""
What can go wrong, as a tree.

::

    WesError
    ├── WesConfigurationError      a ValueError, too; nothing was sent
    ├── WesUnreadableConnectionError   the connection cannot be read now
    ├── WesConnectionError         the request never reached the service
    ├── WesUnknownOutcomeError     the request may have reached the service
    ├── WesDuplicateError          the file was uploaded before a clear
    ├── WesCouponFileFailedError   the service failed to process the file
    ├── WesTimeoutError            not processed before the deadline
    └── WesResponseError           the service responded with an error
        ├── WesBadRequestError       400
        ├── WesAuthenticationError   401
        ├── WesForbiddenError        403
        ├── WesNotFoundError         404
        ├── WesConflictError         409
        ├── WesPayloadTooLargeError  413
        ├── WesRateLimitError        429, with limit, remaining and reset_at
        └── WesServerError           5xx

Who repeats what failed with an error is a table, too:

::

    error                         the client   Airflow   a reader
    ----------------------------  -----------  --------  --------
    WesError                      no           yes       yes
    WesConfigurationError         no           no        no
    WesUnreadableConnectionError  no           yes       yes
    WesConnectionError            yes          yes       yes
    WesUnknownOutcomeError        if harmless  no        yes
    WesDuplicateError             no           no        no
    WesCouponFileFailedError      no           no        no
    WesTimeoutError               no           yes       yes
    3xx, 4xx                      no           no        no
    408, 499                      if harmless  yes       yes
    429                           yes          yes       yes
    500, 502, 503, 504            if harmless  yes       yes
    other 1xx, 2xx, 5xx           no           yes       yes

The client sends the request again: *if harmless* means that the operation is repeatable, which an
upload is not; and after a :class:`WesUnknownOutcomeError`, that no whole response came. Airflow
retries the task, unless it has a retry policy of its own, or calls an operator in its code; also
after a :class:`WesUnknownOutcomeError` whose ``permanent`` is false, since the request was
repeatable or a retry finds out what it did. A reader is a wait, which polls again until its
deadline, and an upload that needs a list, which a later attempt reads again. In code, the columns
are :attr:`~WesError.client_repeats`, :attr:`~WesError.permanent` (the opposite) and
:attr:`~WesError.reading_again_helps`.

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
    "WesUnreadableConnectionError",
]

# What another attempt may not get, of the 4xx.
PASSING_STATUS_CODES: Final = frozenset({408, 429, 499})
# A gateway may have sent these after it passed the request on.
TIMEOUT_STATUS_CODES: Final = frozenset({408, 499})
# After these the client sends a request again if that is harmless; 429 it always does.
REPEATED_STATUS_CODES: Final = frozenset({408, 429, 499, 500, 502, 503, 504})


class WesError(Exception):
    """
    Everything that this provider raises on purpose.

    :param message: what happened. It never holds a secret.
    :param permanent: Airflow does not retry the task, since that cannot help, or may do harm;
        a class may be permanent by itself.
    :param reason: the cause alone, for callbacks; by default the message's first line.
    :ivar permanent: as the parameter.
    :ivar client_repeats: the client sends the request again, if the operation is repeatable.
    :ivar reading_again_helps: a wait polls again, and a list is worth another reading.
    :ivar may_have_effect: the request may have taken effect.
    :ivar after_unknown: an earlier attempt of the request may have taken effect.
    """

    permanent: bool = False
    client_repeats: bool = False
    reading_again_helps: bool = True
    may_have_effect: bool = False
    after_unknown: bool = False

    def __init__(self, message: str = "", *, permanent: bool = False, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason or message.partition("\n")[0]
        if permanent:
            self.permanent = True

    def add(self, detail: str) -> None:
        """Add a line to the message."""
        self.args = (f"{self}\n{detail}",)

    def note_unknown_attempt(self) -> None:
        """Note that an earlier attempt of the request may have taken effect."""
        self.after_unknown = True
        self.add("An earlier attempt of the request may have taken effect.")


class WesConfigurationError(WesError, ValueError):
    """A connection or an argument cannot be used; nothing was sent."""

    permanent = True
    reading_again_helps = False


class WesUnreadableConnectionError(WesError):
    """
    Airflow's connection cannot be read now: its secrets backend is away, or what it returns cannot
    be used. Nothing was sent, and waits outlive it.
    """


class WesConnectionError(WesError):
    """
    Nothing has taken effect: the service was not reached (refused, no such host, TLS failed,
    connect timeout), or the responses of several uploads were lost, and the list shows that none of
    them arrived.
    """

    client_repeats = True


class WesUnknownOutcomeError(WesError):
    """
    The request may have reached the service, and its effect is not known.

    A 5xx, a read timeout, a lost connection, a truncated response, a status that a gateway may have
    sent after it passed the request on, or a success without the identifier that it has to carry.
    If an upload is repeated after this error, the file may be uploaded twice.

    :param message: what happened. It never holds a secret.
    :param permanent: Airflow does not retry the task; false if repeating the request is harmless,
        or a retry finds out what it did.
    :param reason: see :class:`WesError`.
    :param response: the JSON of a success that lacks what it has to carry; else ``None``.
    :param status_code: the status code of the response; ``None`` if none came.
    :param is_whole: whether the response came as a whole, so that the same request gets the same.
    """

    permanent = True
    may_have_effect = True

    def __init__(
        self,
        message: str,
        *,
        permanent: bool = True,
        reason: str = "",
        response: Any = None,
        status_code: int | None = None,
        is_whole: bool = True,
    ) -> None:
        super().__init__(message, reason=reason)
        self.permanent = permanent
        self.client_repeats = status_code is None or not is_whole
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
    reading_again_helps = False

    def __init__(
        self, message: str, coupon_file: dict[str, Any] | None = None, *, reason: str = ""
    ) -> None:
        super().__init__(message, reason=reason)
        self.coupon_file = coupon_file or {}


class WesDuplicateError(WesError):
    """
    A task of the run uploaded the file before the clear, and ``on_duplicate`` is ``fail``; or an
    earlier attempt of this task uploaded it with another content.
    """

    permanent = True
    reading_again_helps = False


class WesTimeoutError(WesError):
    """The coupon file was not processed before the deadline; it may still be, later."""


class WesResponseError(WesError):
    """
    The service responded with an error (contract section 7), or with a success that cannot be used.

    :param text: what happened. It never holds a secret.
    :param reason: see :class:`WesError`.
    :param permanent: neither reading again nor a retry helps, although the status is no refusal.
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
        permanent: bool = False,
        status_code: int = 0,
        code: str = "",
        message: str = "",
        request_id: str = "",
    ) -> None:
        super().__init__(text, reason=reason)
        # A 4xx repeats itself, unless it reports a limit or a timeout; a 3xx means that the address
        # is wrong.
        refused = 300 <= status_code < 500 and status_code not in PASSING_STATUS_CODES
        self.permanent = permanent or refused
        self.client_repeats = status_code in REPEATED_STATUS_CODES
        self.reading_again_helps = not self.permanent
        # A 4xx is the service's refusal, unless a gateway reports a timeout with it.
        is_refusal = 400 <= status_code < 500 and status_code not in TIMEOUT_STATUS_CODES
        self.may_have_effect = not is_refusal
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
    """409: it conflicts with what is there: a name that is taken, or a list that takes no more."""


class WesPayloadTooLargeError(WesResponseError):
    """413: the request is larger than the service takes."""


class WesRateLimitError(WesResponseError):
    """
    429: the service's rate limit is exceeded; the request was refused and had no effect. Also, with
    nothing sent, a limit whose reset is too far away to be waited for.

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
        reason: str = "",
        status_code: int = 429,
        code: str = "",
        message: str = "",
        request_id: str = "",
    ) -> None:
        super().__init__(
            text,
            reason=reason,
            status_code=status_code,
            code=code,
            message=message,
            request_id=request_id,
        )
        self.limit = limit
        self.remaining = remaining
        self.reset_at = reset_at


class WesServerError(WesResponseError):
    """5xx: the service failed."""


# -- through a trigger's event and back ------------------------------------------------------------


_CLASSES: Final = {
    name: value
    for name, value in tuple(globals().items())
    if isinstance(value, type) and issubclass(value, WesError)
}


def dump_error(error: WesError) -> dict[str, Any]:
    """
    Return an error as JSON, to cross from the triggerer to a worker; :func:`load_error` reads it
    back.
    """
    kept = {
        key: value
        for key, value in vars(error).items()
        if isinstance(value, (str, int, float, dict, list)) and value != ""
    }
    if isinstance(error, WesRateLimitError) and error.reset_at is not None:
        kept["reset_at"] = error.reset_at.isoformat()
    return {"type": type(error).__name__, "text": str(error), **kept}


def load_error(dumped: dict[str, Any]) -> WesError:
    """
    Return the error of :func:`dump_error`; a plain :class:`WesError` if its class is not known
    here.
    """
    error_class = _CLASSES.get(str(dumped.get("type")), WesError)
    error = error_class(str(dumped.get("text")))
    for name, value in dumped.items():
        if name == "reset_at":
            value = datetime.fromisoformat(value)
        if name not in ("type", "text"):
            setattr(error, name, value)
    return error
