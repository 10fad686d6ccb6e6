"""The bodies of requests: what an operation takes, and how it is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from wes_provider import contract
from wes_provider.emulator.replies import PAYLOAD_TOO_LARGE, JsonObject, Refusal, invalid
from wes_provider.emulator.settings import Settings, Text

if TYPE_CHECKING:
    from multidict import MultiMapping

__all__ = ["UPLOAD_FIELDS", "Attribute", "Body", "Filters", "Reader", "UploadField", "no_body"]
__all__ += ["read_catalog", "read_segment", "read_upload"]

# Words: not only spaces.
_Word = Annotated[str, Meta(pattern=r"\S")]
_T = TypeVar("_T")


class Body(NamedTuple):
    """A body as it came, with the headers that describe it."""

    headers: MultiMapping[str]
    content: bytes


Reader = Callable[[Body, Settings], JsonObject]
"""Checks the body of an operation, and returns its fields; refuses with 400 or 413."""


def no_body(body: Body, settings: Settings) -> JsonObject:  # noqa: ARG001 - a Reader
    """Take any body, and nothing from it."""
    return {}


def _read(body: Body, kind: type[_T]) -> tuple[_T, JsonObject]:
    """
    Read JSON as a type, and as it came.

    Attributes and filters may have more properties than the contract shows, and keep them.
    """
    media_type = body.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if media_type != contract.CONTENT_TYPE:
        raise invalid(f"Content-Type must be {contract.CONTENT_TYPE}.")
    try:
        data = msgspec.json.decode(body.content)
        return msgspec.convert(data, kind), data
    except msgspec.ValidationError as error:
        raise invalid(f"The request is not as documented: {error}.") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise invalid("The request JSON is malformed.") from None


# -- uploads: contract section 4.1 ----------------------------------------------------------------


class UploadField(NamedTuple):
    """
    One field of an upload.

    :ivar type: its JSON, as msgspec reads it and the OpenAPI description shows it.
    :ivar shown: the response and reads show the field as it came, if the upload had it. The fields
        that the contract's response has are always shown.
    """

    type: Any = str
    shown: bool = False


UPLOAD_FIELDS: Final[dict[str, UploadField]] = {
    **dict.fromkeys(contract.UPLOAD_FIELDS, UploadField()),
    # A field that is no string has a row of its own here.
}
"""The fields of an upload, by name."""

# A missing file_url, and one of another type, have messages of their own.
_Upload = defstruct(
    "Upload",
    [
        ("file_url", Any, None),
        *(
            (name, field.type | UnsetType, UNSET)
            for name, field in UPLOAD_FIELDS.items()
            if name != "file_url"
        ),
    ],
)
# What stands between two URLs in one string; a comma or a semicolon alone may be part of one.
_SEVERAL_URLS: Final = re.compile(r"\s|[,;|](?=[A-Za-z][A-Za-z0-9+.-]*://)")


def read_upload(body: Body, settings: Settings) -> JsonObject:  # noqa: ARG001 - a Reader
    """Return the fields of an upload that were given (contract section 4.1)."""
    given: Any = _read(body, _Upload)[0]
    url = given.file_url
    if isinstance(url, list):
        raise invalid("file_url must be exactly one URL, not a list.")
    if not isinstance(url, str) or not url.strip():
        raise invalid("file_url is missing, empty, or not a string.")
    if _SEVERAL_URLS.search(url.strip()) or not _is_url(url):
        raise invalid("file_url must be exactly one URL.")
    fields: JsonObject = msgspec.to_builtins(given)
    for name, value in fields.items():
        is_url = contract.UPLOAD_FIELDS[name] is contract.FieldKind.URL
        if is_url and isinstance(value, str) and not _is_url(value):
            raise invalid(f"{name} must be a URL.")
    return fields


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        # Reading the port checks it.
        return bool(parts.scheme and parts.hostname) and (parts.port is None or parts.port >= 0)
    except ValueError:
        return False


# -- catalogs: contract section 4.2 ---------------------------------------------------------------


class Attribute(Struct):
    """One attribute of a catalog."""

    name: Text
    type: Text


class _Catalog(Struct):
    name: _Word
    price_currency: str
    attributes: list[Attribute]


def read_catalog(body: Body, settings: Settings) -> JsonObject:
    """
    Return a catalog's name, currency and attributes; all three are required here.

    The limit of its size counts only if the body comes with a ``Content-Length`` (section 8).
    """
    most = settings.catalog_bytes
    if "Content-Length" in body.headers and len(body.content) > most:
        raise Refusal(413, PAYLOAD_TOO_LARGE, f"A catalog takes at most {most} bytes.")
    catalog, data = _read(body, _Catalog)
    if catalog.price_currency not in contract.CURRENCIES:
        raise invalid("price_currency must be one of the service's currencies.")
    names = {attribute.name for attribute in catalog.attributes}
    if len(names) < len(catalog.attributes):
        raise invalid("Names of attributes must be unique.")
    return {name: data[name] for name in contract.CATALOG_FIELDS}


# -- segments: contract sections 2 and 4.3 --------------------------------------------------------


class Filters(Struct):
    """The filters of a segment; what else they hold is stored as it comes."""

    filter_operator: str
    filters: list[JsonObject]


class _Segment(Struct):
    name: _Word | UnsetType = UNSET
    included_filters: Filters | UnsetType = UNSET
    updated_by: _Word | UnsetType = UNSET


def read_segment(body: Body, settings: Settings) -> JsonObject:  # noqa: ARG001 - a Reader
    """Return the fields of a segment update that were given, at least one."""
    segment, data = _read(body, _Segment)
    if segment == _Segment():
        raise invalid(f"At least one of {', '.join(contract.SEGMENT_FIELDS)} must be given.")
    return {name: data[name] for name in contract.SEGMENT_FIELDS if name in data}
