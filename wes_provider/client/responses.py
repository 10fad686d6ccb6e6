"""
What a response means: a coupon file, a catalog's identifier, a list, an error. Pure.

The contract shows the response to an upload and the errors of an upload (sections 4.1 and 7).
Everything else is read where ``docs/promises.md`` says, and quoted if it is anything else.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from wes_provider import contract
from wes_provider.client.rate_limits import rate_limit
from wes_provider.client.requests import Request
from wes_provider.exceptions import (
    WesConnectionError,
    WesError,
    WesRateLimitError,
    WesResponseError,
    WesUnknownOutcomeError,
    response_error_class,
)
from wes_provider.models import CouponFile
from wes_provider.texts import redact_url, shown

__all__ = [
    "Listing",
    "Response",
    "catalog_id",
    "coupon_file",
    "listing",
    "lost",
    "name_is_taken",
    "record",
    "success",
]

NOT_KNOWN: Final = "Whether it took effect is not known."
SHOWN_BODY: Final = 200  # characters of a response that an error message quotes
CODES: Final = ("code", "error_code", "errorcode", "type")
MESSAGES: Final = (
    "message",
    "msg",
    "detail",
    "description",
    "error_description",
    "reason",
    "title",
)


class Response(NamedTuple):
    """
    One response as it came over the wire.

    :ivar headers: names in lower case.
    :ivar body: at most :attr:`Request.largest <wes_provider.client.requests.Request>` bytes, and
        one more.
    """

    status_code: int
    headers: Mapping[str, str]
    body: bytes


class Listing(NamedTuple):
    """
    The files of a list.

    :ivar records: as the service shows them.
    :ivar incomplete: why there may be more; empty if these are all.
    """

    records: list[dict[str, Any]]
    incomplete: str = ""


# -- outcomes --------------------------------------------------------------------------------------


def never_sent(error: BaseException) -> bool:
    """
    Whether a request surely never went out: its connection was refused, not resolved or not
    established in time, its proxy's address cannot be used, or a certificate was not trusted.

    :param error: of ``requests``. Everything else may have reached the service.
    """
    import ssl

    from requests.exceptions import ConnectTimeout, InvalidURL
    from urllib3.exceptions import ConnectTimeoutError, NewConnectionError

    sure = (
        ConnectTimeout,
        ConnectTimeoutError,
        InvalidURL,
        NewConnectionError,
        ssl.SSLCertVerificationError,
    )
    return any(isinstance(each, sure) for each in causes(error))


def causes(error: BaseException) -> list[BaseException]:
    """An exception and those inside of it, the outer ones first."""
    found: list[BaseException] = []
    todo = [error]
    while todo and len(found) < 10:
        found.append(todo.pop(0))
        last = found[-1]
        inner = (
            getattr(last, "reason", None),
            getattr(last, "original_error", None),
            last.__cause__,
            *last.args,
        )
        todo += [each for each in inner if isinstance(each, BaseException) and each not in found]
    return found


def lost(
    request: Request, error: BaseException, *, sent: bool
) -> WesConnectionError | WesUnknownOutcomeError:
    """
    The error of a request that got no whole response.

    :param error: of the HTTP library. Its text is not shown, which may hold a proxy's password; its
        kind is.
    :param sent: whether any of it may have reached the service.
    """
    inner = causes(error)[-1]
    # What the operating system or TLS says names no secret.
    why = getattr(inner, "verify_message", "") or (
        getattr(inner, "strerror", "") if isinstance(inner, OSError) else ""
    )
    kind = f"{type(inner).__name__}: {why}" if why else type(inner).__name__
    if sent:
        return WesUnknownOutcomeError(
            f"{request.about(f'no response: {kind}')}\n{NOT_KNOWN}",
            permanent=not request.repeatable,
        )
    address = "/".join(request.url.split("/")[:3])
    return WesConnectionError(
        f"{request.about(f'the service was not reached at {address}: {kind}')}\n"
        "Nothing was sent. Check the address, the network and the proxy of the environment."
    )


def error_of(request: Request, response: Response) -> WesResponseError | WesUnknownOutcomeError:
    """What a response that is no 2xx means (contract section 7)."""
    status = response.status_code
    code, message = code_and_message(response.body)
    request_id = shown(response.headers.get("x-request-id", ""), quoted=False)
    reason = " ".join(filter(None, (str(status), code))) + (f": {message}" if message else "")
    lines = [
        request.about(reason),
        _advice(request, response),
        f"Request {request_id}" if request_id else "",
    ]
    given: dict[str, Any] = {
        "reason": reason,
        "status_code": status,
        "code": code,
        "message": message,
    }
    if status == 429:
        limit = rate_limit(response.headers, time.time())
        resets = f"The window resets at {limit.reset_at:%H:%M:%S} UTC." if limit.reset_at else ""
        return WesRateLimitError(
            "\n".join(filter(None, [*lines[:1], resets, *lines[2:]])),
            limit=limit.limit,
            remaining=limit.remaining,
            reset_at=limit.reset_at,
            request_id=request_id,
            **given,
        )
    error = response_error_class(status)(
        "\n".join(filter(None, lines)), request_id=request_id, **given
    )
    if error.may_have_effect and not request.repeatable:
        text = "\n".join(filter(None, [lines[0], NOT_KNOWN, *lines[1:]]))
        return WesUnknownOutcomeError(text, reason=reason, status_code=status)
    return error


def _advice(request: Request, response: Response) -> str:
    """
    What to do about an error, as far as its status shows: others than the service may send it, too.
    """
    status = response.status_code
    if 300 <= status < 400:
        target = shown(redact_url(response.headers.get("location", "")))
        return (
            "Check the connection's Address: redirects are not followed, and this one leads "
            f"to {target}."
        )
    if status >= 500:
        return (
            "The service or a gateway in front of it is failing. If the task fails, clear it "
            "when both work again."
        )
    if status == 401:
        key = "Data API key" if request.data_key else "Campaign API key"
        return (
            f"Check Workspace identifier, its header and {key} of the connection; press Test, "
            "or run wes-doctor."
        )
    if status == 404 and request.method == "GET":
        return (
            "If the list and the file exist, the path may be wrong: set the connection's extra "
            "paths; run wes-doctor."
        )
    return ADVICE.get(
        status, "Check the connection's Address, and what stands between you and the service."
    )


ADVICE: Final = {
    400: "Correct what the response names in the task's arguments, then clear the task.",
    403: "The account may have no access to this feature: ask the service's support for it.",
    404: "Check the identifier, the connection's Address, and whether it belongs to the "
    "connection's workspace.",
    407: "The proxy requires a username and password: give them in the environment, in its "
    "address.",
    409: "Choose another name, or see what the service has under this one.",
    413: "Make the task's arguments smaller.",
}


def code_and_message(body: bytes) -> tuple[str, str]:
    """
    The code and the message of an error's body: at the top, under ``error``, or in the first of
    ``errors``.

    Names are compared without case, hyphens and underscores. Anything else is quoted, redacted and
    cut.
    """
    try:
        content = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return "", _line(body.decode("utf-8", "replace"))
    top = _plain(content)
    errors = top.get("errors")
    inner = top.get("error") or (errors[0] if isinstance(errors, list) and errors else None)
    for place in (_plain(inner), top):
        code = next(
            (
                str(place[name])
                for name in map(_key, CODES)
                if isinstance(place.get(name), (str, int))
            ),
            "",
        )
        message = next((place[name] for name in map(_key, MESSAGES) if place.get(name)), "")
        if code or message:
            return _line(code), _line(
                message if isinstance(message, str) else msgspec.json.encode(message).decode()
            )
    if isinstance(inner, str):
        return "", _line(inner)
    return "", _line(body.decode("utf-8", "replace"))


def _plain(content: Any) -> dict[str, Any]:
    return {_key(key): value for key, value in content.items()} if isinstance(content, dict) else {}


def _key(name: Any) -> str:
    return str(name).lower().replace("-", "").replace("_", "")


def _line(text: str) -> str:
    return shown(" ".join(text.split()), SHOWN_BODY, quoted=False)


# -- what a success holds --------------------------------------------------------------------------


def success(request: Request, response: Response) -> Any:
    """
    The JSON of a 2xx; its text, cut, if it is no JSON; ``None`` if there is no body.

    :raises WesError: of any other status; of a segment's update, also of HTML and half JSON.
    """
    if not 200 <= response.status_code < 300:
        raise error_of(request, response)
    if not response.body.strip():
        return None
    try:
        return msgspec.json.decode(response.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        text = response.body[:20_000].decode("utf-8", "replace")
        # A gateway's page, or half of a response.
        if request.method == "PATCH" and text.lstrip()[:1] in {*"<{["}:
            reason = f"{response.status_code} without a segment's details: {_line(text)}"
            raise WesResponseError(
                request.about(reason), reason=reason, status_code=response.status_code
            ) from None
        return text


def record(request: Request, response: Response) -> dict[str, Any]:
    """
    The object that describes a coupon file.

    :raises WesUnknownOutcomeError: of an upload that was accepted, but whose identifier did not
        come.
    :raises WesResponseError: of a read.
    """
    content = success(request, response)
    inner = content.get("data") if isinstance(content, dict) else None
    for found in (content, inner):
        if isinstance(found, dict) and isinstance(found.get("_id"), str) and found["_id"]:
            return found
    reason = f"{response.status_code} without a coupon file's _id: {_line(str(content))}"
    if not request.repeatable:
        raise WesUnknownOutcomeError(
            request.about(reason), reason=reason, status_code=response.status_code
        )
    raise WesResponseError(request.about(reason), reason=reason, status_code=response.status_code)


def coupon_file(request: Request, response: Response) -> CouponFile:
    """The coupon file that was requested, with its status; errors as of :func:`record`."""
    file = CouponFile.from_record(record(request, response), request.coupon_list_id)
    if file.id != request.subject or not file.status:
        reason = (
            f"{response.status_code} with coupon file {shown(file.id)}, status {shown(file.status)}"
        )
        advice = "The path of a coupon file may be wrong: run wes-doctor."
        raise WesResponseError(
            f"{request.about(reason)}\n{advice}", reason=reason, status_code=response.status_code
        )
    return file


def listing(request: Request, response: Response) -> Listing:
    """
    The files of a list: an array, or an object with one under ``data``.

    :raises WesError: of any status but 2xx, and of a body that is neither.
    """
    if len(response.body) > request.largest and response.status_code == 200:
        return Listing([], "the list is too long")
    content = success(request, response)
    beside = {
        "x-total-count": response.headers.get("x-total-count"),
        **(content if isinstance(content, dict) else {}),
    }
    records = beside.pop("data", None) if isinstance(content, dict) else content
    if not isinstance(records, list) or not all(isinstance(each, dict) for each in records):
        reason = f"{response.status_code} without a list of coupon files: {_line(str(content))}"
        advice = "The path of the list's files may be wrong: run wes-doctor."
        error = WesResponseError(
            f"{request.about(reason)}\n{advice}", reason=reason, status_code=response.status_code
        )
        error.permanent = not isinstance(content, str)  # what is no JSON may be a gateway's
        raise error
    if announced := next(_announced(beside, len(records)), ""):
        return Listing(
            records, f"the service shows a part of the list only: it has {shown(announced)}"
        )
    if response.status_code != 200 or "rel=next" in response.headers.get("link", "").replace(
        '"', ""
    ):
        return Listing(
            records, f"the response has status {response.status_code}, or a link to a next page"
        )
    return Listing(records)


def _announced(beside: Mapping[str, Any], length: int, above: str = "") -> Iterator[str]:
    """
    What says, beside the files of a list, that there are more: common names, as the contract shows
    none.
    """
    for name, value in beside.items():
        path, text = above + _key(name), str(value).lower()
        if isinstance(value, dict):
            yield from _announced(value, length, path)
        elif text not in ("", "none", "false", "0", "[]"):
            counts = ("total" in path and "coupons" not in path) or _key(name) in (
                "count",
                "pages",
                "pagecount",
            )
            most = 1 if "page" in _key(name) else length
            more = counts and text.replace(".", "", 1).isdecimal() and float(text) > most
            if (
                more
                or any(word in path for word in ("next", "more", "cursor", "error"))
                or "'rel': 'next'" in text
            ):
                yield str(name)


def catalog_id(content: Any, prop: str | None) -> str | None:
    """
    A catalog's identifier in the response to its creation; its property is not shown (contract
    section 4.2).

    :param content: the JSON of the body, or its text.
    :param prop: a dotted property to look under; without it, the usual ones are tried at the top,
        then under ``data``.
    :return: ``None`` if there is none.
    """
    if isinstance(content, str):
        words = content.split()
        return words[0] if len(words) == 1 and not words[0].startswith("<") else None
    if prop is not None:
        for part in prop.split("."):
            content = content.get(part) if isinstance(content, dict) else None
        return str(content) if isinstance(content, (str, int)) and content else None
    top = content if isinstance(content, dict) else {}
    inner = top.get("data")
    for place in (top, inner if isinstance(inner, dict) else {}):
        for name in contract.CATALOG_ID_FIELDS:
            if isinstance(value := place.get(name), (str, int)) and value:
                return str(value)
    return inner if isinstance(inner, str) and inner else None


def name_is_taken(error: WesError) -> bool:
    """
    Whether a refusal reports that a name is taken: a 409, or a code that says "exists"; the
    contract shows none.
    """
    if not isinstance(error, WesResponseError) or not 400 <= error.status_code < 500:
        return False
    return error.status_code == 409 or (
        "exist" in error.code.lower() and "not" not in error.code.lower()
    )
