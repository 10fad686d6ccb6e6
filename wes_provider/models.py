"""
What crosses the wire: coupon files, catalogs, checked request bodies.

The ``*_body`` functions check an operation's arguments and return the JSON object to send, with
exactly the fields that were given. They raise
:class:`~wes_provider.exceptions.WesConfigurationError`, which names the field, the value and the
way out, before anything is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Final, TypeAlias

import msgspec

from wes_provider import contract
from wes_provider.arguments import (
    absolute_url,
    in_storage,
    is_identifier,
    json_bytes,
    templated,
    text_of,
)
from wes_provider.contract import FieldKind
from wes_provider.exceptions import WesConfigurationError
from wes_provider.filters import all_of, user_attribute
from wes_provider.texts import file_title, redact_url, shown

__all__ = ["CatalogAttribute", "CouponFile", "all_of", "user_attribute"]

# Properties of a coupon file's record that say why it failed.
EXPLANATIONS: Final = ("error", "errors", "message", "reason", "detail")
LONGEST_REASON: Final = 300  # characters
MOST_COUNTS: Final = 50

Record: TypeAlias = Mapping[str, Any]
"""An object as the service shows it."""

Summary: TypeAlias = dict[str, Any]
"""A coupon file as XCom has it: :meth:`CouponFile.summary`, and what a task adds to it."""


# -- coupon files ----------------------------------------------------------------------------------


class CouponFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    What the service reports about a coupon file.

    :ivar id: the file's identifier, ``_id`` on the wire.
    :ivar coupon_list_id: ``coupons_list_id`` or ``coupon_list_id`` on the wire; empty if it has
        neither.
    :ivar name: the file's name; empty if it has none.
    :ivar status: as the service spells it; empty if there is none.
    :ivar file_url: the URL of the file, without user information, query and fragment; empty if it
        is not known.
    :ivar counts: the record's whole numbers by name, whichever they are: the contract shows none.
        The name of a number below a property is dotted, such as ``stats.imported``.
    :ivar reason: why the file failed, as far as ``error``, ``errors``, ``message``, ``reason`` or
        ``detail`` say; of an array, its first entry; bounded.

    Contract: section 2.
    """

    id: str
    coupon_list_id: str = ""
    name: str = ""
    status: str = ""
    file_url: str = ""
    counts: dict[str, int] = {}
    reason: str = ""

    @classmethod
    def from_record(cls, record: Record, coupon_list_id: str = "") -> CouponFile:
        """
        Read a record of the service.

        :param coupon_list_id: used if the record names no list.
        :raises ValueError: if the record has no identifier, or one by which no file can be read.
        """
        file_id = _string(record, "_id")
        if not is_identifier(file_id):
            raise ValueError("a coupon file without an _id that can be used")
        for name in contract.LIST_ID_FIELDS:
            if _string(record, name):
                coupon_list_id = _string(record, name)
                break
        return cls(
            id=file_id,
            coupon_list_id=coupon_list_id,
            name=_string(record, "name"),
            status=_string(record, "status"),
            file_url=redact_url(_string(record, "file_url")),
            counts=dict(islice(_counts(record), MOST_COUNTS)),
            reason=_reason(record),
        )

    @classmethod
    def from_summary(cls, summary: Mapping[str, Any]) -> CouponFile:
        """Read back what :meth:`summary` wrote."""
        strings = {
            name: str(summary.get(name, "")) for name in cls.__struct_fields__ if name != "counts"
        }
        counts = {name: value for name, value in summary.items() if _is_count(value)}
        return cls(**strings, counts=counts)

    def summary(self) -> dict[str, Any]:
        """Return the file as it goes into XCom, flat: its counts and its other fields by name."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__ if name != "counts"}
        if not self.reason:
            del fields["reason"]
        return {**self.counts, **fields}

    @property
    def title(self) -> str:
        """What people know the file by: the end of its URL's path, or its identifier."""
        return file_title(self.file_url) or self.id


def _string(record: Record, name: str) -> str:
    """Return a string of a record; empty if there is none."""
    value = record.get(name)
    return value if isinstance(value, str) else ""


def _is_count(value: Any) -> bool:
    """Return whether a value is a whole number, and no boolean."""
    return type(value) is int


def _counts(record: Record) -> Iterator[tuple[str, int]]:
    """Yield the whole numbers of a record, then those of the objects in it."""
    for name, value in record.items():
        if _is_count(value):
            yield name, value
    for name, value in record.items():
        if isinstance(value, dict) and name not in EXPLANATIONS:
            for inner_name, inner_value in value.items():
                if _is_count(inner_value):
                    yield f"{name}.{inner_name}", inner_value


def _reason(record: Record) -> str:
    """Return what the record's strings explain, in one line; empty if they explain nothing."""
    texts: list[Any] = []
    for name in EXPLANATIONS:
        value = record.get(name)
        if isinstance(value, list) and value:
            value = value[0]  # of many lines that are wrong, the first one tells enough
        if isinstance(value, dict):
            texts += [value.get(inner) for inner in ("code", *EXPLANATIONS)]
        else:
            texts.append(value)
    lines = [" ".join(text.split()) for text in texts if isinstance(text, str)]
    # Each explanation once, in order.
    lines = [line for line in dict.fromkeys(lines) if line]
    return shown("; ".join(lines), LONGEST_REASON, quoted=False)


# -- uploads ---------------------------------------------------------------------------------------


def coupon_file_body(fields: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the body of an upload (contract section 4.1), checked, with the fields that are given.

    :param fields: by their names in the contract; ``None`` for one that is not given.
    :raises WesConfigurationError: naming the field that cannot be sent.
    """
    options = {name: value for name, value in fields.items() if name != "file_url"}
    return {
        "file_url": check_upload_field("file_url", fields["file_url"]),
        **coupon_file_options(options),
    }


def coupon_file_options(fields: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the fields of an upload beside its URL, checked; for a file whose URL is not known yet.

    :param fields: as :func:`coupon_file_body` takes them.
    :raises WesConfigurationError: naming the field that cannot be sent.
    """
    _check_password_has_username(fields)
    return {
        field: check_upload_field(field, value)
        for field, value in fields.items()
        if value is not None
    }


def check_upload_early(fields: Mapping[str, Any]) -> None:
    """
    Check the fields of an upload when the DAG is parsed, each unless it is filled in later.

    :param fields: of the contract's upload fields, those that the DAG gives; ``None`` for one that
        it does not. A ``file_url`` in object storage has no URL yet, and passes.
    :raises WesConfigurationError: naming the field that cannot be sent.
    """
    _check_password_has_username(fields)
    for field, value in fields.items():
        if value is None and field != "file_url":
            continue
        if templated(value) or (field == "file_url" and in_storage(value)):
            continue
        check_upload_field(field, value)


def check_upload_field(field: str, value: Any) -> str:
    """
    Return one field of an upload as it is sent.

    :raises WesConfigurationError: if it cannot be sent.
    """
    kind = contract.UPLOAD_FIELDS[field]
    if kind is FieldKind.URL:
        return absolute_url(field, value)
    return text_of(field, value, secret=kind is FieldKind.SECRET)


def _check_password_has_username(fields: Mapping[str, Any]) -> None:
    has_password = fields.get("file_url_auth_password") is not None
    if has_password and fields.get("file_url_auth_username") is None:
        raise WesConfigurationError(
            "file_url_auth_password is given without file_url_auth_username\nGive both."
        )


# -- catalogs --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CatalogAttribute:
    """
    One attribute of a catalog's items.

    :param name: unique within the catalog; ``id``, ``title``, ``link`` and ``image_link`` have a
        meaning, and are strings: another type passes with a warning.
    :param type: ``string``, ``double`` or ``bool``; others pass with a warning, the contract may
        not list them all.

    Contract: section 2.
    """

    name: str
    type: str = "string"


def catalog_body(name: Any, price_currency: Any, attributes: Any) -> dict[str, Any]:
    """
    Return the body of a catalog's creation (contract section 4.2), checked.

    :param attributes: :class:`CatalogAttribute` objects or mappings with ``name`` and ``type``.
    :raises WesConfigurationError: naming the field that cannot be sent.
    """
    body = {
        "name": text_of("name", name),
        "price_currency": currency(price_currency),
        "attributes": catalog_attributes(attributes),
    }
    size = len(json_bytes(body))
    if size > contract.CATALOG_BYTES:
        raise WesConfigurationError(
            f"attributes make a request of {size} bytes, more than the {contract.CATALOG_BYTES} "
            "that the service takes"
        )
    return body


def currency(value: Any) -> str:
    """Check a currency against the contract's list (section 4.2)."""
    text = text_of("price_currency", value)
    if text not in contract.CURRENCIES:
        hint = "See contract section 4.2."
        if text.upper() in contract.CURRENCIES:
            hint = "Write it in capitals."
        raise WesConfigurationError(
            f"price_currency {shown(text)} is not a currency that the service takes\n{hint}"
        )
    return text


def catalog_attributes(value: Any) -> list[dict[str, Any]]:
    """
    Check attribute definitions and return them as the service takes them (contract section 2).
    """
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise WesConfigurationError(
            f"attributes takes a list of {{name, type}} objects, not {shown(value)}"
        )
    attributes: dict[str, dict[str, Any]] = {}
    for index, item in enumerate(value):
        field = f"attributes[{index}]"
        attribute = _catalog_attribute(field, item)
        name = attribute["name"]
        if name in attributes:
            raise WesConfigurationError(
                f"{field}.name {shown(name)} occurs twice; names are unique"
            )
        attributes[name] = attribute
    return list(attributes.values())


def _find_misspelt(item: Mapping[Any, Any]) -> str:
    """Return a key that is name or type in other letters; empty if there is none."""
    names = ("name", "type")
    for key in item:
        if isinstance(key, str) and key not in names and key.strip().lower() in names:
            return key
    return ""


def _catalog_attribute(field: str, item: Any) -> dict[str, Any]:
    if isinstance(item, CatalogAttribute):
        item = asdict(item)
    if not isinstance(item, Mapping):
        raise WesConfigurationError(
            f"{field} takes an object with name and type, not {shown(item)}"
        )
    misspelt = _find_misspelt(item)
    if misspelt:
        raise WesConfigurationError(
            f"{field} has {shown(misspelt)}\nWrite {misspelt.strip().lower()} in small letters."
        )
    return {
        **item,
        "name": text_of(f"{field}.name", item.get("name")),
        "type": text_of(f"{field}.type", item.get("type", CatalogAttribute.type)),
    }


def catalog_warnings(attributes: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return warnings about what the contract leaves open (sections 2 and 8), and what is sent."""
    warnings = []
    types = {attribute["type"] for attribute in attributes}
    unknown = ", ".join(sorted(types - contract.ATTRIBUTE_TYPES))
    if unknown:
        warnings.append(f"unknown attribute types: {unknown}; known are string, double, bool")
    for attribute in attributes:
        is_described = attribute["name"] in contract.STRING_ATTRIBUTES
        if is_described and attribute["type"] != "string":
            warnings.append(
                f"attribute {attribute['name']} has the type {shown(attribute['type'])}; in the "
                "contract it is a string"
            )
    if len(attributes) > contract.ATTRIBUTES_NOTED:
        warnings.append(
            f"{len(attributes)} attributes: the service's documentation has the figure "
            f"{contract.ATTRIBUTES_NOTED} "
            "beside the attributes, without its meaning"
        )
    return warnings
