"""What stands around JSON, so that the provider cannot read it. Pure."""

from __future__ import annotations

import base64
import binascii
import re
from json import JSONDecoder
from typing import Any, Final, NamedTuple

import msgspec

__all__ = ["MARK", "OTHER_TEXT", "is_json", "text_around", "wrapping_of"]

# What some services put before JSON, so that a browser does not run it as a script.
PREFIX: Final = re.compile(
    r"(?:\)\]\}'?,?|while ?\(1\);|for ?\(;;\);|throw 1;|&&&START&&&|/\*\s?|\{\}&&)\s*(?=[\[{\"])"
)
CALL: Final = re.compile(r"(?:/\*\*/\s*)?([A-Za-z_$][\w.$]*)\s*\((.*)\)\s*;?", re.DOTALL)
BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
CHUNK: Final = re.compile(rb"([0-9a-fA-F]{1,8})(?:;[^\r\n]*)?\r?\n")
# Where JSON may begin in other text: in a line of its own, after a tag, or after a mark.
BEGINNING: Final = re.compile(r"(?:(?<=^)|(?<=[>\ufeff;]))[ \t]*(?=[\[{])", re.MULTILINE)
END: Final = re.compile(r"\s*(?:$|[<{\[\ufeff])|[ \t]*[\r\n]")
# A page for people, which may have JSON in a script.
WHOLE_PAGE: Final = re.compile(r"<!doctype|<(?:html|head|title|body|script|form)\b", re.IGNORECASE)
OTHER_TEXT: Final = "other text"
MARK: Final = "\ufeff"  # of the order of bytes
MOST_BEGINNINGS: Final = 50
DECODER: Final = JSONDecoder()


def wrapping_of(text: str) -> str:
    """
    Tell how JSON is wrapped in a body, such as ``as a string in JSON``; empty if it is not.

    :param text: a body that is no JSON, or JSON that is one string.
    """
    for describe in (
        _after_prefix,
        _in_call,
        _in_string,
        _in_lines,
        _in_base64,
        _in_chunks,
        _among_text,
    ):
        described = describe(text)
        if described:
            return described
    return ""


def _after_prefix(text: str) -> str:
    prefix = PREFIX.match(text)
    if prefix is None:
        return ""
    # Of a comment, the JSON ends before its end.
    rest = text[prefix.end() :].removesuffix("*/")
    if is_json(rest):
        return f"after {prefix[0].strip()!r}"
    return ""


def _in_call(text: str) -> str:
    call = CALL.fullmatch(text)
    if call is not None and is_json(call[2]):
        return f"in a call of {call[1]}(), as JSONP"
    return ""


def _in_string(text: str) -> str:
    inner = _decoded(text)
    if isinstance(inner, str) and is_json(inner):
        return "as a string in JSON"
    return ""


def _in_lines(text: str) -> str:
    lines = text.splitlines()
    if len(lines) > 1 and all(map(is_json, lines)):
        return "as one object in each line (JSON Lines)"
    return ""


def _in_base64(text: str) -> str:
    if BASE64.fullmatch(text) is None:
        return ""
    usual = text.replace("-", "+").replace("_", "/")
    try:
        inner = base64.b64decode(usual)
        if is_json(inner.decode()):
            return "in base64"
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return ""


def _in_chunks(text: str) -> str:
    """Tell whether the sizes of chunks stand in a body, as if it was sent in chunks twice."""
    rest, chunks = text.encode(), b""
    for _ in range(len(text)):
        size = CHUNK.match(rest)
        if size is None:
            break
        number = int(size[1], 16)
        end = size.end() + number
        chunks += rest[size.end() : end]
        rest = rest[end:].lstrip(b"\r\n")
    is_end = rest in (b"", b"0")
    if chunks and is_end and is_json(chunks.decode(errors="replace")):
        return "with the sizes of its chunks in it"
    return ""


class _Parts(NamedTuple):
    """A body with JSON in it: what is before it, how many documents it is, what is behind it."""

    before: str
    documents: int
    behind: str


def _among_text(text: str) -> str:
    parts = _parts_of(text)
    if parts is None:
        return ""
    before, behind = parts.before.strip(), parts.behind.strip()
    if before and not before.strip(MARK):
        return "after a byte order mark too many"
    if before and behind:
        return f"among {OTHER_TEXT}"
    if before:
        return f"after {OTHER_TEXT}"
    if behind:
        return f"before {OTHER_TEXT}"
    if parts.documents > 1:
        return f"as {parts.documents} documents, one after another"
    return ""


def text_around(text: str) -> str:
    """Return the text before JSON, or else behind it, of a body that has either; else empty."""
    parts = _parts_of(text)
    if parts is None:
        return ""
    return parts.before.strip(f"{MARK} \r\n\t") or parts.behind.strip()


def _parts_of(text: str) -> _Parts | None:
    """Return the parts of a body with JSON that other text stands around; ``None`` for others."""
    for number, place in enumerate(BEGINNING.finditer(text)):
        before = text[: place.start()]
        if number >= MOST_BEGINNINGS or WHOLE_PAGE.search(before):
            return None
        first = _document_at(text, place.end())
        if first is None:
            continue
        documents, end = 0, place.end()
        while first is not None:
            documents += 1
            end = first
            while text[end : end + 1].isspace():
                end += 1
            first = _document_at(text, end)
        return _Parts(before, documents, text[end:])
    return None


def _document_at(text: str, start: int) -> int | None:
    """Return where an object or an array of objects ends that begins at a place; else ``None``."""
    if text[start : start + 1] not in ("{", "["):
        return None
    try:
        found, end = DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    is_first = not text[:start].strip()
    # In prose, a list or an object may stand within a line; a body does not begin with one.
    if not is_first and END.match(text, end) is None:
        return None
    is_array_of_others = isinstance(found, list) and not all(
        isinstance(each, dict) for each in found
    )
    if is_array_of_others or not found:
        return None
    return end


def is_json(text: str) -> bool:
    """Tell whether a text is a JSON object or array."""
    return isinstance(_decoded(text), (dict, list))


def _decoded(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        return None
