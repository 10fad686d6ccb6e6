"""What stands around JSON, so that the provider cannot read it. Pure."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, Final

import msgspec

__all__ = ["wrapping_of"]

# What some services put before JSON, so that a browser does not run it as a script.
PREFIX: Final = re.compile(
    r"(?:\)\]\}'?,?|while ?\(1\);|for ?\(;;\);|throw 1;|&&&START&&&|/\*\s?|\{\}&&)\s*(?=[\[{\"])"
)
CALL: Final = re.compile(r"(?:/\*\*/\s*)?([A-Za-z_$][\w.$]*)\s*\((.*)\)\s*;?", re.DOTALL)
BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")


def wrapping_of(text: str) -> str:
    """
    Tell how JSON is wrapped in a body, such as ``as a string in JSON``; empty if it is not.

    :param text: a body that is no JSON, or JSON that is one string.
    """
    for describe in (_after_prefix, _in_call, _in_string, _in_lines, _in_base64):
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
    if _is_json(rest):
        return f"after {prefix[0].strip()!r}"
    return ""


def _in_call(text: str) -> str:
    call = CALL.fullmatch(text)
    if call is not None and _is_json(call[2]):
        return f"in a call of {call[1]}(), as JSONP"
    return ""


def _in_string(text: str) -> str:
    inner = _decoded(text)
    if isinstance(inner, str) and _is_json(inner):
        return "as a string in JSON"
    return ""


def _in_lines(text: str) -> str:
    lines = text.splitlines()
    if len(lines) > 1 and all(map(_is_json, lines)):
        return "as one object in each line (JSON Lines)"
    return ""


def _in_base64(text: str) -> str:
    if BASE64.fullmatch(text) is None:
        return ""
    usual = text.replace("-", "+").replace("_", "/")
    try:
        inner = base64.b64decode(usual)
        if _is_json(inner.decode()):
            return "in base64"
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return ""


def _is_json(text: str) -> bool:
    """Tell whether a text is a JSON object or array."""
    return isinstance(_decoded(text), (dict, list))


def _decoded(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        return None
