"""What the service makes of a request before anything happens: its path, its credentials, its body."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import TYPE_CHECKING, Any, Final, NoReturn
from urllib.parse import unquote_to_bytes, urlsplit

from wes_provider import contract
from wes_provider.emulator.replies import METHOD_NOT_ALLOWED, NOT_FOUND, PAYLOAD_TOO_LARGE, Refusal, refuse
from wes_provider.emulator.settings import Settings

if TYPE_CHECKING:
    from multidict import MultiMapping

__all__ = [
    "Routes",
    "WrongMethod",
    "basic_credentials",
    "catalog_fields",
    "segment_fields",
    "upload_fields",
]


class WrongMethod(Refusal):
    """405, once the credentials for the path's operation are right: services check those first."""

    def __init__(self, operation: str, *refusal: Any) -> None:
        super().__init__(*refusal)
        self.operation = operation


def _invalid(message: str) -> NoReturn:
    refuse(400, contract.INVALID_REQUEST, message)


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
        self._routes = [(method, _pattern(path), operation) for method, path, operation in templates if path]

    def match(self, method: str, raw_path: str) -> tuple[str, dict[str, str]]:
        """
        The operation, and the identifiers in its path.

        :raises Refusal: 404, or 400 for an identifier that is not UTF-8.
        :raises WrongMethod: 405.
        """
        path = raw_path.partition("?")[0]
        allowed: list[str] = []
        other = ""
        for wanted, pattern, operation in self._routes:
            match = pattern.fullmatch(path)
            if match is None:
                continue
            if wanted == method:
                return operation, {name: _identifier(segment) for name, segment in match.groupdict().items()}
            allowed.append(wanted)
            other = operation
        if allowed and self._wrong_method == 405:
            methods = ", ".join(allowed)
            raise WrongMethod(other, 405, METHOD_NOT_ALLOWED, f"This path takes {methods}.", {"Allow": methods})
        raise Refusal(404, NOT_FOUND, "There is no such path.")


def _pattern(template: str) -> re.Pattern[str]:
    pieces = re.split(r"\{(\w+)\}", template)
    # Dots alone are no identifier: proxies on the way resolve them, quoted or not.
    named = [
        rf"(?P<{piece}>(?!(?:\.|%2[eE]){{1,2}}(?:/|$))[^/]+)" if i % 2 else re.escape(piece)
        for i, piece in enumerate(pieces)
    ]
    return re.compile("".join(named))


def _identifier(segment: str) -> str:
    try:
        return unquote_to_bytes(segment).decode()
    except UnicodeError:
        _invalid("An identifier in the path is not UTF-8.")


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


def upload_fields(headers: MultiMapping[str], body: bytes) -> dict[str, str]:
    """
    The fields of an upload that were given (contract section 4.1).

    :raises Refusal: 400.
    """
    given = _json_object(headers, body)
    _check_file_url(given.get("file_url"))
    for name in contract.UPLOAD_FIELDS:
        if name in given and not isinstance(given[name], str):
            _invalid(f"{name} must be a string.")
    if "callback_url" in given and not _is_url(given["callback_url"]):
        _invalid("callback_url must be a URL.")
    return {name: given[name] for name in contract.UPLOAD_FIELDS if name in given}


# What stands between two URLs in one string; a comma or a semicolon alone may be part of one.
_SEVERAL_URLS: Final = re.compile(r"\s|[,;|](?=[A-Za-z][A-Za-z0-9+.-]*://)")


def _check_file_url(url: Any) -> None:
    if isinstance(url, list):
        _invalid("file_url must be exactly one URL, not a list.")
    if not isinstance(url, str):
        _invalid("file_url is missing or not a string.")
    if not url.strip():
        _invalid("file_url is empty.")
    if _SEVERAL_URLS.search(url.strip()):
        _invalid("file_url must be exactly one URL.")
    if not _is_url(url):
        _invalid("file_url must be a URL.")


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
        refuse(413, PAYLOAD_TOO_LARGE, f"A catalog takes at most {most_bytes} bytes.")
    given = _json_object(headers, body)
    if not isinstance(given.get("name"), str) or not given["name"].strip():
        _invalid("name must be a string that is not empty.")
    currency = given.get("price_currency")
    if not isinstance(currency, str) or currency not in contract.CURRENCIES:
        _invalid("price_currency must be one of the service's currencies.")
    attributes = given.get("attributes")
    if not isinstance(attributes, list):
        _invalid("attributes must be an array.")
    names = set()
    for attribute in attributes:
        pair = (attribute.get("name"), attribute.get("type")) if isinstance(attribute, dict) else ()
        if not pair or not all(isinstance(text, str) and text for text in pair):
            _invalid("Each attribute must be an object with a name and a type, both strings.")
        names.add(pair[0])
    if len(names) < len(attributes):
        _invalid("Names of attributes must be unique.")
    return {name: given[name] for name in contract.CATALOG_FIELDS}


def segment_fields(headers: MultiMapping[str], body: bytes) -> dict[str, Any]:
    """
    The fields of a segment update that were given, at least one (contract sections 2 and 4.3).

    :raises Refusal: 400.
    """
    given = _json_object(headers, body)
    fields: dict[str, Any] = {name: given[name] for name in contract.SEGMENT_FIELDS if name in given}
    if not fields:
        _invalid(f"At least one of {', '.join(contract.SEGMENT_FIELDS)} must be given.")
    for name in ("name", "updated_by"):
        if name in fields and not (isinstance(fields[name], str) and fields[name].strip()):
            _invalid(f"{name} must be a string that is not empty.")
    if "included_filters" in fields:
        definition = fields["included_filters"]
        filters = definition.get("filters") if isinstance(definition, dict) else None
        if not isinstance(filters, list) or not all(isinstance(item, dict) for item in filters):
            _invalid("included_filters must be an object with an array of objects in filters.")
        if not isinstance(definition.get("filter_operator"), str):
            _invalid("included_filters must have a filter_operator, a string.")
    return fields


def _json_object(headers: MultiMapping[str], body: bytes) -> dict[str, Any]:
    media_type = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if media_type != contract.CONTENT_TYPE:
        _invalid(f"Content-Type must be {contract.CONTENT_TYPE}.")
    try:
        data = json.loads(body, parse_constant=_not_json)
    except (ValueError, RecursionError):
        _invalid("The request JSON is malformed.")
    if not isinstance(data, dict):
        _invalid("The request JSON must be an object.")
    return data


def _not_json(constant: str) -> NoReturn:
    raise ValueError(constant)  # NaN and Infinity, which Python would take
