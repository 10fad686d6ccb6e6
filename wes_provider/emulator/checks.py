"""
What the service makes of a request before anything happens, its path, credentials and body; and
what it sends.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypeVar
from urllib.parse import unquote_to_bytes, urlsplit

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from wes_provider import contract
from wes_provider.contract import Operation
from wes_provider.emulator.settings import Settings, Text

if TYPE_CHECKING:
    from multidict import MultiMapping

__all__ = [
    *("SAFE_HEADERS", "Attribute", "Filters", "Refusal", "Reply", "Routes"),
    *("basic_credentials", "catalog_fields", "nested", "segment_fields", "upload_fields"),
]

# Codes that the contract does not show.
NOT_FOUND: Final = "not-found"
METHOD_NOT_ALLOWED: Final = "method-not-allowed"
PAYLOAD_TOO_LARGE: Final = "payload-too-large"
CONFLICT: Final = "conflict"

# For everything under the control path: no other page can embed it, and no browser takes it for
# something else.
SAFE_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Reply(NamedTuple):
    """
    Status, body, and headers beyond the usual ones; all are JSON by their type, empty ones too
    (section 4).
    """

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = {"Content-Type": contract.CONTENT_TYPE}

    @classmethod
    def json(cls, status: int, data: Any) -> Reply:
        """A reply with a JSON body."""
        return cls(status, json.dumps(data).encode())

    @classmethod
    def text(cls, status: int, text: str) -> Reply:
        """A reply with plain text, which the contract does not show."""
        return cls(status, text.encode(), {"Content-Type": "text/plain; charset=utf-8"})

    def with_headers(self, headers: Mapping[str, str]) -> Reply:
        """The same with more headers."""
        return self._replace(headers={**self.headers, **headers}) if headers else self


class Refusal(Exception):  # noqa: N818 - a response on its way, not a defect
    """
    The service refuses a request, with an error of contract section 7; without a code it has no
    body.
    """

    def __init__(
        self,
        status: int,
        code: str = "",
        message: str = "",
        headers: Mapping[str, str] | None = None,
    ):
        super().__init__(status)
        self.status, self.code, self.message, self.headers = status, code, message, headers or {}

    def reply(self) -> Reply:
        """The response of contract section 7."""
        error = {"error": {"code": self.code, "message": self.message}}
        return (Reply.json(self.status, error) if self.code else Reply(self.status)).with_headers(
            self.headers
        )


def nested(path: str, value: Any, into: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """
    A JSON value below a dotted property, such as ``data.id``, in an object that has perhaps others.
    """
    name, dot, rest = path.partition(".")
    known = (into or {}).get(name)
    below = nested(rest, value, known if isinstance(known, dict) else None) if dot else value
    return {**(into or {}), name: below}


def _invalid(message: str) -> Refusal:
    return Refusal(400, contract.INVALID_REQUEST, message)


# -- paths ----------------------------------------------------------------------------------------


class Routes:
    """
    Which operation a path belongs to. Paths are matched as they are on the wire: ``a%2Fb`` is one
    identifier.
    """

    def __init__(self, settings: Settings) -> None:
        replaced = {
            "coupon_file": settings.coupon_file_path,
            "coupon_files": settings.coupon_files_path,
        }
        self._wrong_method = settings.wrong_method
        self._routes: list[tuple[Operation, list[str]]] = []
        for operation in contract.OPERATIONS.values():
            path = replaced[operation.path_extra] if operation.path_extra else operation.path
            if path:
                self._routes.append((operation, path.split("/")))

    def match(self, method: str, raw_path: str) -> tuple[Operation, dict[str, str], Refusal | None]:
        """
        The operation, the identifiers in its path, and a 405 if it takes another method.

        :raises Refusal: 404, or 400 if an identifier is not UTF-8.
        """
        path = raw_path.partition("?")[0].split("/")
        allowed: list[str] = []
        for operation, template in self._routes:
            if (raw := _identifiers(template, path)) is None:
                continue
            if operation.method == method:
                try:
                    return (
                        operation,
                        {name: unquote_to_bytes(one).decode() for name, one in raw.items()},
                        None,
                    )
                except UnicodeError:
                    raise _invalid("An identifier in the path is not UTF-8.") from None
            allowed.append(operation.method)
            other = operation
        if not allowed or self._wrong_method == 404:
            raise Refusal(404, NOT_FOUND, "There is no such path.")
        methods = ", ".join(allowed)
        return (
            other,
            {},
            Refusal(405, METHOD_NOT_ALLOWED, f"This path takes {methods}.", {"Allow": methods}),
        )


def _identifiers(template: list[str], path: list[str]) -> dict[str, str] | None:
    if len(template) != len(path):
        return None
    found = {}
    for wanted, given in zip(template, path, strict=True):
        if wanted.startswith("{"):
            # Which proxies on the way resolve.
            if given.replace("%2e", ".").replace("%2E", ".") in ("", ".", ".."):
                return None
            found[wanted.strip("{}")] = given
        elif wanted != given:
            return None
    return found


# -- credentials ----------------------------------------------------------------------------------


def basic_credentials(headers: MultiMapping[str]) -> tuple[str, str] | None:
    """Username and password of the one ``Authorization`` header; ``None`` if there is none."""
    values = headers.getall("Authorization", ())
    if len(values) != 1:
        return None
    scheme, _, encoded = values[0].partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        username, colon, password = (
            base64.b64decode(encoded.strip(), validate=True).decode().partition(":")
        )
    except (binascii.Error, ValueError):  # not base64, not ASCII, not UTF-8
        return None
    return (username, password) if colon else None


# -- bodies ---------------------------------------------------------------------------------------

_Word = Annotated[str, Meta(pattern=r"\S")]


_FIELDS: Final = [
    ("file_url", Any, None),
    *((name, str | UnsetType, UNSET) for name in contract.UPLOAD_FIELDS[1:]),
]
_Upload = defstruct("Upload", _FIELDS)


class Attribute(Struct):
    """One attribute of a catalog."""

    name: Text
    type: Text


class _Catalog(Struct):
    name: _Word
    price_currency: str
    attributes: list[Attribute]


class Filters(Struct):
    """The filters of a segment; what else they hold is stored as it comes."""

    filter_operator: str
    filters: list[dict[str, Any]]


class _Segment(Struct):
    name: _Word | UnsetType = UNSET
    included_filters: Filters | UnsetType = UNSET
    updated_by: _Word | UnsetType = UNSET


_T = TypeVar("_T")


def _read(headers: MultiMapping[str], body: bytes, kind: type[_T]) -> tuple[_T, dict[str, Any]]:
    """
    A body as checked, and as it came: attributes and filters may have more properties than the
    contract shows.
    """
    media_type = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if media_type != contract.CONTENT_TYPE:
        raise _invalid(f"Content-Type must be {contract.CONTENT_TYPE}.")
    try:
        data = msgspec.json.decode(body)
        return msgspec.convert(data, kind), data
    except msgspec.ValidationError as error:
        raise _invalid(f"The request is not as documented: {error}.") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise _invalid("The request JSON is malformed.") from None


def upload_fields(headers: MultiMapping[str], body: bytes) -> dict[str, str]:
    """The fields of an upload that were given (contract section 4.1); refuses with 400."""
    given: Any = _read(headers, body, _Upload)[0]
    url = given.file_url
    if isinstance(url, list):
        raise _invalid("file_url must be exactly one URL, not a list.")
    if not isinstance(url, str) or not url.strip():
        raise _invalid("file_url is missing, empty, or not a string.")
    if _SEVERAL_URLS.search(url.strip()) or not _is_url(url):
        raise _invalid("file_url must be exactly one URL.")
    if isinstance(given.callback_url, str) and not _is_url(given.callback_url):
        raise _invalid("callback_url must be a URL.")
    return dict(msgspec.to_builtins(given))


# What stands between two URLs in one string; a comma or a semicolon alone may be part of one.
_SEVERAL_URLS: Final = re.compile(r"\s|[,;|](?=[A-Za-z][A-Za-z0-9+.-]*://)")


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return bool(parts.scheme and parts.hostname) and (parts.port is None or parts.port >= 0)
    except ValueError:
        return False


def catalog_fields(headers: MultiMapping[str], body: bytes, most_bytes: int) -> dict[str, Any]:
    """
    A catalog's name, currency and attributes (contract section 4.2); all three are required here.

    :param most_bytes: the most that ``Content-Length`` may be; a body that comes without the header
        may be longer.
    :raises Refusal: 400, 413.
    """
    if "Content-Length" in headers and len(body) > most_bytes:
        raise Refusal(413, PAYLOAD_TOO_LARGE, f"A catalog takes at most {most_bytes} bytes.")
    given, data = _read(headers, body, _Catalog)
    if given.price_currency not in contract.CURRENCIES:
        raise _invalid("price_currency must be one of the service's currencies.")
    if len({one.name for one in given.attributes}) < len(given.attributes):
        raise _invalid("Names of attributes must be unique.")
    return {name: data[name] for name in contract.CATALOG_FIELDS}


def segment_fields(headers: MultiMapping[str], body: bytes) -> dict[str, Any]:
    """
    The fields of a segment update that were given, at least one (contract sections 2 and 4.3);
    refuses with 400.
    """
    given, data = _read(headers, body, _Segment)
    if given == _Segment():
        raise _invalid(f"At least one of {', '.join(contract.SEGMENT_FIELDS)} must be given.")
    return {name: data[name] for name in contract.SEGMENT_FIELDS if name in data}
