"""A body as text that people read: whatever its character set, without the markup of a page. Pure."""

from __future__ import annotations

import codecs
import html
import json
import re
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["is_page", "page_text", "text_of", "xml_values"]

READ: Final = 10_000  # characters of a page or of XML that are looked through

_BYTE_ORDER_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_PAGE: Final = re.compile(r"<(!doctype html|html|head)\b", re.IGNORECASE)
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# A bounded tag keeps the search linear in texts of any length.
_PIECE: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)[^<>]{0,1000}>|<[!?/][^<>]{0,1000}>|([^<]+|<)")
_NOT_SHOWN: Final = frozenset(("script", "style", "svg", "noscript"))
_LEAF: Final = re.compile(r"<(?:[\w.-]{1,50}:)?([A-Za-z_][\w.-]{0,50})(?:\s[^<>]{0,500})?>([^<]*)</")


def text_of(body: bytes, headers: Mapping[str, str]) -> str:
    """
    Decode a body: by its byte order mark, by its ``content-type``, or as JSON is.

    :param body: without its content encoding.
    :param headers: the headers of the response; names in lower case.
    :return: the text; what cannot be decoded is replaced.
    """
    named = _CHARSET.search(headers.get("content-type", ""))
    marked = next((name for mark, name in _BYTE_ORDER_MARKS.items() if body.startswith(mark)), None)
    encoding = marked or (named[1] if named else json.detect_encoding(body))
    try:
        return body.decode(encoding, "replace")
    except (LookupError, ValueError):  # a character set that nobody knows, or that is no character set
        return body.decode("utf-8", "replace")


def is_page(text: str) -> bool:
    """Whether a text is an HTML page: the service has none, so a gateway, proxy or login page replied."""
    return text.lstrip()[:1] == "<" and _PAGE.search(text[:READ]) is not None


def page_text(text: str) -> str:
    """What a page shows, its title first, in one line; each part once."""
    hidden, parts = "", []
    for closing, tag, shown in _PIECE.findall(_COMMENT.sub(" ", text[:READ])):
        if not hidden and tag.lower() in _NOT_SHOWN and not closing:
            hidden = tag.lower()
        elif closing and tag.lower() == hidden:
            hidden = ""
        elif not hidden:
            parts.append(" ".join(html.unescape(shown).split()))
    return " | ".join(dict.fromkeys(filter(None, parts)))


def xml_values(text: str) -> dict[str, Any]:
    """The texts of an XML document's innermost elements by their names without prefix, the first of each name."""
    values: dict[str, Any] = {}
    for name, value in _LEAF.findall(text[:READ]):
        if value.strip():
            values.setdefault(name, " ".join(html.unescape(value).split()))
    return values
