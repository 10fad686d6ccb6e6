"""What the service makes of a request before anything happens: its path, its credentials, its body."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar
from urllib.parse import unquote_to_bytes, urlsplit

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from wes_provider import contract
from wes_provider.emulator.replies import METHOD_NOT_ALLOWED, NOT_FOUND, PAYLOAD_TOO_LARGE, Refusal
from wes_provider.emulator.settings import Settings, Text

if TYPE_CHECKING:
    from multidict import MultiMapping

__all__ = [
    *("Attribute", "Filters", "Routes", "WrongMethod"),
    *("basic_credentials", "catalog_fields", "segment_fields", "upload_fields"),
]


class WrongMethod(Refusal):
    """405, once the credentials for the path's operation are right: services check those first."""

    def __init__(self, operation: str, *refusal: Any) -> None:
        super().__init__(*refusal)
        self.operation = operation


def _invalid(message: str) -> Refusal:
    return Refusal(400, contract.INVALID_REQUEST, message)


# -- paths ----------------------------------------------------------------------------------------


class Routes:
    """Which operation a path belongs to. Paths are matched as they are on the wire: ``a%2Fb`` is one identifier."""

    def __init__(self, settings: Settings) -> None:
        templates = (
            ("POST", contract.UPLOAD_PATH, "upload_coupon_file"),
            ("GET", settings.coupon_file_path, "get_coupon_file"),
            ("GET", settings.coupon_files_path, "list_coupon_files"),
            ("POST", contract.CATALOG_PATH, "create_catalog"),
            ("PATCH", contract.SEGMENT_PATH, "update_segment"),
        )
        self._wrong_method = settings.wrong_method
        self._routes = [(method, path.split("/"), operation) for method, path, operation in templates if path]

    def match(self, method: str, raw_path: str) -> tuple[str, dict[str, str]]:
        """The operation, and the identifiers in its path; refuses with 404, 405, or 400 if one is not UTF-8."""
        path = raw_path.partition("?")[0].split("/")
        allowed: list[str] = []
        other = ""
        for wanted, template, operation in self._routes:
            identifiers = _identifiers(template, path)
            if identifiers is None:
                continue
            if wanted == method:
                try:
                    return operation, {name: unquote_to_bytes(raw).decode() for name, raw in identifiers.items()}
                except UnicodeError:
                    raise _invalid("An identifier in the path is not UTF-8.") from None
            allowed.append(wanted)
            other = operation
        if allowed and self._wrong_method == 405:
            methods = ", ".join(allowed)
            raise WrongMethod(other, 405, METHOD_NOT_ALLOWED, f"This path takes {methods}.", {"Allow": methods})
        raise Refusal(404, NOT_FOUND, "There is no such path.")


_DOTS: Final = (".", "..")  # no identifiers: proxies on the way resolve them, quoted or not


def _identifiers(template: list[str], path: list[str]) -> dict[str, str] | None:
    if len(template) != len(path):
        return None
    found = {}
    for wanted, given in zip(template, path, strict=True):
        if wanted.startswith("{"):
            if not given or given.replace("%2e", ".").replace("%2E", ".") in _DOTS:
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
        username, colon, password = base64.b64decode(encoded.strip(), validate=True).decode().partition(":")
    except (binascii.Error, ValueError):  # not base64, not ASCII, not UTF-8
        return None
    return (username, password) if colon else None


# -- bodies ---------------------------------------------------------------------------------------

_Word = Annotated[str, Meta(pattern=r"\S")]


_FIELDS: Final = [("file_url", Any, None), *((name, str | UnsetType, UNSET) for name in contract.UPLOAD_FIELDS[1:])]
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
    """A body as checked, and as it came: attributes and filters may have more properties than the contract shows."""
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

    :param most_bytes: the most that ``Content-Length`` may be; a body that comes without the header may be longer.
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
    """The fields of a segment update that were given, at least one (contract sections 2 and 4.3); refuses with 400."""
    given, data = _read(headers, body, _Segment)
    if given == _Segment():
        raise _invalid(f"At least one of {', '.join(contract.SEGMENT_FIELDS)} must be given.")
    return {name: data[name] for name in contract.SEGMENT_FIELDS if name in data}
