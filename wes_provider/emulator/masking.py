"""Requests as the page shows them: without credentials, passwords and the queries of URLs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final

from wes_provider.texts import redact

__all__ = ["MASK", "masked_body", "masked_headers", "masked_path"]

MASK: Final = "[redacted]"

_SECRET_NAME: Final = re.compile(
    "authori[sz]ation|cookie|password|passwd|secret|token|api.?key|signature|credential", re.IGNORECASE
)
_MOST_SHOWN: Final = 20_000  # characters of a body


def masked_path(raw_path: str) -> str:
    """A path whose query shows the names and no values."""
    path, mark, query = raw_path.partition("?")
    names = (pair.partition("=")[0] for pair in query.split("&"))
    return f"{path}?{'&'.join(f'{name}={MASK}' for name in names)}" if mark else path


def masked_headers(headers: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Pairs of name and value."""
    return [[name, MASK if _SECRET_NAME.search(name) else redact(value)] for name, value in headers]


def masked_body(body: bytes) -> str:
    """A body as text; JSON is indented."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return f"{len(body)} bytes that are not UTF-8"
    try:
        text = json.dumps(_masked(json.loads(text)), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        if _SECRET_NAME.search(text):
            return f"{MASK}: {len(body)} bytes that are not JSON and seem to hold a secret"
        text = redact(text)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]} ... ({len(body)} bytes)"


def _masked(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: MASK if _SECRET_NAME.search(name) and isinstance(item, str | int | float) else _masked(item)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [_masked(item) for item in value]
    return redact(value) if isinstance(value, str) else value
