"""
Code and message of an error, in whatever body it comes.

The contract shows ``{"error": {"code", "message"}}`` for uploads (section 7), and nothing for catalogs and segments.
Both are found under the usual names in any spelling, at the top, nested, or in a list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["code_and_message", "plain"]

DEEPEST: Final = 6  # levels of a body that are searched

# In the order of preference.
_CODES: Final = ("code", "key", "slug", "type", "kind", "errorname", "reason", "title", "status")
_MESSAGES: Final = (
    *("message", "msg", "detail", "details", "description", "text", "explanation", "faultstring"),
    *("reason", "title", "summary", "info"),
)
_ERRORS: Final = ("error", "errors", "err", "fault", "exception", "exceptions", "problem", "problems", "failures")
_KNOWN: Final = frozenset((*_CODES, *_MESSAGES, *_ERRORS))
_PREFIX: Final = re.compile(r"(error|err|exception|fault|problem|api|user|developer|status|response|display)")
_NO_CODES: Final = frozenset(("", "about:blank", "error", "fail", "failed", "failure", "ko"))


def plain(name: str) -> str:
    """
    A property's name without what services spell in different ways.

    :param name: in any case, with hyphens or underscores.
    :return: its letters and digits, in lower case.
    """
    return re.sub(r"[^a-z0-9]", "", name.lower())


def code_and_message(text: str, status_code: int) -> tuple[str, str]:
    """
    What an error's body gives as its code and its message.

    :param text: the body.
    :param status_code: of the response. As a code it counts only if there is no other.
    :return: the code, empty if there is none, and the message. If nothing fits, the message is the body.
    """
    try:
        content = json.loads(text)
        code, message = _search(content, str(status_code), DEEPEST)
    except (ValueError, RecursionError):
        code, message, content = "", "", text
    return code, message or (" ".join(text.split()) if content else "")


def _search(value: Any, status: str, depth: int) -> tuple[str, str]:
    if isinstance(value, list):
        if value and isinstance(value[0], (dict, list)) and depth:
            return _search(value[0], status, depth - 1)
        return "", (_scalar(value[0]) if len(value) == 1 else _compact(value))
    if not isinstance(value, dict):
        return "", _scalar(value)
    named = _named(value)
    codes = [text for name in _CODES if (text := _scalar(named.get(name))).lower() not in _NO_CODES]
    codes = [text for text in codes if not re.search(r"\s", text)]
    if _scalar(named.get("status")).isdigit():
        codes = [text for text in codes if text != _scalar(named["status"])]
    messages = [text for name in _MESSAGES if (text := _scalar(named.get(name)))]
    fields: dict[str, Any] = {}  # of an error, which has no usual names
    for name in _ERRORS:
        inner = named.get(name)
        if isinstance(inner, (dict, list)) and depth:
            code, message = _search(inner, status, depth - 1)
            codes[:0] = [code] * bool(code)
            if message and isinstance(inner, list) and messages:
                message = f"{messages[0]}: {message}"
            messages[:0] = [message] * bool(message)
            fields = inner if not message and isinstance(inner, dict) and not code else fields
        elif text := _scalar(inner):
            (codes if messages else messages).append(text)
    for name in () if messages and codes else _MESSAGES:
        inner = named.get(name)
        if isinstance(inner, (dict, list)) and inner:
            # Under "message" it is one, whatever is in it; elsewhere it may be an error of its own.
            code, message = ("", "") if name == "message" or not depth else _search(inner, status, depth - 1)
            codes += [code] * bool(code)
            messages.append(message or _compact(inner))
    messages += [_compact(fields)] * bool(fields and not messages)
    for inner in () if messages or not depth else value.values():
        if isinstance(inner, dict):
            code, message = _search(inner, status, depth - 1)
            codes += [code] * bool(code)
            messages += [message] * bool(message)
    message = messages[0] if messages else ""
    others = [code for code in codes if code not in (status, message)]
    return (others or [code for code in codes if code == status] or [""])[0], message


def _named(value: Mapping[str, Any]) -> dict[str, Any]:
    """The values under usual names; a name with a prefix such as ``error`` counts if there is none without it."""
    exact = {plain(name): inner for name, inner in reversed(list(value.items())) if plain(name) in _KNOWN}
    for name, inner in value.items():
        short = _PREFIX.sub("", plain(name), count=1)
        if plain(name) not in _KNOWN and _PREFIX.match(plain(name)) and short in _KNOWN:
            exact.setdefault(short, inner)
    return exact


def _scalar(value: Any) -> str:
    return str(value).strip() if isinstance(value, (str, int)) and not isinstance(value, bool) else ""


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else ""
