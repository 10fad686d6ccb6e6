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
from typing import Any, Final

import msgspec

from wes_provider import contract
from wes_provider.arguments import absolute_url, json_bytes, text_of
from wes_provider.exceptions import WesConfigurationError
from wes_provider.filters import all_of, user_attribute
from wes_provider.texts import file_title, redact_url, shown

__all__ = ["CatalogAttribute", "CouponFile", "all_of", "user_attribute"]

# Texts of a coupon file's record that say why it failed.
EXPLANATIONS: Final = ("error", "message", "reason", "detail")
LONGEST_REASON: Final = 300  # characters
MOST_COUNTS: Final = 50


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
    :ivar reason: why the file failed, as far as ``error``, ``message``, ``reason`` or ``detail``
        say; bounded.

    Contract: section 2, "Coupon file".
    """

    id: str
    coupon_list_id: str = ""
    name: str = ""
    status: str = ""
    file_url: str = ""
    counts: dict[str, int] = {}
    reason: str = ""

    @classmethod
    def from_record(cls, record: Mapping[str, Any], coupon_list_id: str = "") -> CouponFile:
        """
        Read a record of the service.

        :param coupon_list_id: used if the record names no list.
        :raises ValueError: if the record has no identifier.
        """

        def text(field: str) -> str:
            value = record.get(field)
            return value if isinstance(value, str) else ""

        if not text("_id"):
            raise ValueError("a coupon file without an _id")
        return cls(
            id=text("_id"),
            coupon_list_id=next(filter(None, map(text, contract.LIST_ID_FIELDS)), coupon_list_id),
            name=text("name"),
            status=text("status"),
            file_url=redact_url(text("file_url")),
            counts=dict(list(_counts(record))[:MOST_COUNTS]),
            reason=_reason(record),
        )

    @classmethod
    def from_summary(cls, summary: Mapping[str, Any]) -> CouponFile:
        """Read back what :meth:`summary` wrote."""
        texts = {
            name: str(summary.get(name, "")) for name in cls.__struct_fields__ if name != "counts"
        }
        return cls(
            **texts, counts={key: value for key, value in summary.items() if type(value) is int}
        )

    def summary(self) -> dict[str, Any]:
        """The file as it goes into XCom, flat: its counts, and the other fields by their names."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__ if name != "counts"}
        if not self.reason:
            del fields["reason"]
        return {**self.counts, **fields}

    @property
    def title(self) -> str:
        """What people know the file by: the end of its URL's path, or its identifier."""
        return file_title(self.file_url) or self.id


def _counts(record: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """The whole numbers of a record, then those of the objects in it."""
    for key, value in record.items():
        if type(value) is int:
            yield key, value
    for key, value in record.items():
        if isinstance(value, dict) and key not in EXPLANATIONS:
            yield from (
                (f"{key}.{name}", number) for name, number in value.items() if type(number) is int
            )


def _reason(record: Mapping[str, Any]) -> str:
    """What the record's texts explain, in one line."""
    found = []
    for name in EXPLANATIONS:
        value = record.get(name)
        texts = (
            [value.get(inner) for inner in ("code", *EXPLANATIONS)]
            if isinstance(value, dict)
            else [value]
        )
        found += [
            " ".join(text.split()) for text in texts if isinstance(text, str) and text.strip()
        ]
    return shown("; ".join(dict.fromkeys(found)), LONGEST_REASON, quoted=False) if found else ""


def coupon_file_body(file_url: Any, **fields: Any) -> dict[str, Any]:
    """
    The body of an upload (contract section 4.1).

    :param fields: ``name``, ``file_url_auth_username``, ``file_url_auth_password``, ``created_by``,
        ``callback_url``; ``None`` for one that is not given.
    :raises WesConfigurationError: naming the field that cannot be sent.
    """
    body = {"file_url": absolute_url("file_url", file_url)}
    given = {field: value for field, value in fields.items() if value is not None}
    if "file_url_auth_password" in given and "file_url_auth_username" not in given:
        raise WesConfigurationError(
            "file_url_auth_password is given without file_url_auth_username\nGive both."
        )
    for field, value in given.items():
        # Native rendering makes numbers of digits.
        value = str(value) if type(value) is int else value
        if field == "callback_url":
            body[field] = absolute_url(field, value)
        else:
            body[field] = text_of(field, value, secret=field.endswith("password"))
    return body


# -- catalogs --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CatalogAttribute:
    """
    One attribute of a catalog's items.

    :param name: unique within the catalog; ``id``, ``title``, ``link`` and ``image_link`` have a
        meaning.
    :param type: ``string``, ``double`` or ``bool``; others pass with a warning, the contract may
        not list them all.

    Contract: section 2, "Attribute definition".
    """

    name: str
    type: str = "string"


def catalog_body(name: Any, price_currency: Any, attributes: Any) -> dict[str, Any]:
    """
    The body of a catalog's creation (contract section 4.2).

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
        hint = (
            "Write it in capitals."
            if text.upper() in contract.CURRENCIES
            else "See contract section 4.2."
        )
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
        item = asdict(item) if isinstance(item, CatalogAttribute) else item
        if not isinstance(item, Mapping):
            raise WesConfigurationError(
                f"{field} takes an object with name and type, not {shown(item)}"
            )
        attribute = {
            **item,
            **{key: text_of(f"{field}.{key}", item.get(key)) for key in ("name", "type")},
        }
        if attribute["name"] in attributes:
            raise WesConfigurationError(
                f"{field}.name {shown(attribute['name'])} occurs twice; names are unique"
            )
        attributes[attribute["name"]] = attribute
    return list(attributes.values())


def catalog_warnings(attributes: Sequence[Mapping[str, Any]]) -> list[str]:
    """What passes, but deserves a word: the contract leaves it open (sections 2 and 8)."""
    warnings = []
    if types := sorted({a["type"] for a in attributes} - contract.ATTRIBUTE_TYPES):
        warnings.append(
            f"unknown attribute types: {', '.join(types)}; known are string, double, bool"
        )
    if len(attributes) > contract.ATTRIBUTES_NOTED:
        warnings.append(
            f"{len(attributes)} attributes: the service's documentation has the figure "
            f"{contract.ATTRIBUTES_NOTED} "
            "beside the attributes, without its meaning"
        )
    return warnings
