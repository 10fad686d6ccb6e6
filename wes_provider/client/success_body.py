"""
What the body of a 2xx holds, in whatever shape it comes: a coupon file, the identifier of a catalog.

The contract shows the response to an upload only (section 4.1). Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from wes_provider import contract
from wes_provider.client.error_body import plain, reports_failure, states_failure, with_id_as_text

__all__ = ["created_at", "find_catalog_id", "record_of"]

_RECORD_CONTAINERS: Final = frozenset("data file couponfile result response record item".split())
_CATALOGS: Final = ("catalog", "catalogs")
_CATALOG_CONTAINERS: Final = ("data", "result", "response")
_PLAIN_IDENTIFIER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:~/+=-]{0,199}")
_NO_IDENTIFIERS: Final = frozenset("ok okay created success successful succeeded done accepted true null none".split())


def record_of(content: Any) -> dict[str, Any] | None:
    """
    The object that describes a coupon file in a response about one.

    :param content: the JSON of the body: the object, one that holds it under a usual name, or a list of it alone.
    """
    if isinstance(content, list) and len(content) == 1:
        content = content[0]
    if not isinstance(content, dict) or "_id" in content:
        return with_id_as_text(content) if isinstance(content, dict) else None
    for name, value in content.items():
        if isinstance(value, dict) and "_id" in value and plain(name) in _RECORD_CONTAINERS:
            return with_id_as_text(value)
    return content


def find_catalog_id(content: Any, prop: str | None) -> str | None:
    """
    A catalog's identifier in the response to its creation; its property is not shown (contract section 4.2).

    :param content: the JSON of the body, or its text.
    :param prop: a dotted property to look under; without it, the usual ones in any spelling are tried, at the top and
        in the usual containers.
    :return: ``None`` if there is none.
    """
    if isinstance(content, (str, int)):
        text = _identifier(content)
        return text if text and _PLAIN_IDENTIFIER.fullmatch(text) and plain(text) not in _NO_IDENTIFIERS else None
    if not isinstance(content, dict) or states_failure(content):
        return None  # an identifier beside a failure is that of the request, or of the error
    if prop is not None:
        for part in prop.split("."):
            content = content.get(part) if isinstance(content, dict) else None
        return _identifier(content)
    # Errors may have identifiers of their own.
    fields = contract.CATALOG_ID_FIELDS[:1] if reports_failure(content) else contract.CATALOG_ID_FIELDS
    around = list(_around_catalog(content))
    named = [(top, fields[0]) for top in around] + [(top, wanted) for top in around for wanted in fields[1:]]
    return next(filter(None, (_member(top, wanted) for top, wanted in named)), None)


def _around_catalog(content: dict[str, Any], depth: int = 2) -> Iterator[dict[str, Any]]:
    """The objects that may hold a catalog's identifier, the innermost first: at the top, it may be the request's."""
    for names in (_CATALOGS, _CATALOG_CONTAINERS):
        for name, value in content.items():
            if isinstance(value, dict) and plain(name) in names and depth:
                yield from _around_catalog(value, depth - 1)
    yield content


def _member(top: dict[str, Any], wanted: str) -> str | None:
    """The identifier under a name, in any spelling of it."""
    names = [wanted, *(name for name in top if plain(name) == plain(wanted))]
    return next(filter(None, (_identifier(top.get(name)) for name in names)), None)


def created_at(status_code: int, headers: Mapping[str, str], body: bytes) -> str | None:
    """
    A catalog's identifier as ``Location`` has it, which names what a 201 without a body created (RFC 9110).

    :param headers: the headers of the response; names in lower case.
    :return: ``None`` if there is a body, or no address of a catalog.
    """
    parent, _, last = urlsplit(headers.get("location", "")).path.rpartition("/")
    if status_code != 201 or body.strip() or plain(parent.rpartition("/")[2]) not in _CATALOGS:
        return None
    return unquote(last) if _PLAIN_IDENTIFIER.fullmatch(unquote(last)) else None


def _identifier(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value else None
