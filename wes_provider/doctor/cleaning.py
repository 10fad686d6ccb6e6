"""Takes secrets and control characters out of everything that is printed."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlsplit

from wes_provider.settings import WesSettings

__all__ = ["cleaner"]

SHORTEST_SECRET: Final = 8  # characters of a value in the query of a signed URL


def cleaner(settings: WesSettings, file_url: str | None = None) -> Callable[[Any], Any]:
    """
    Make a function that takes secrets and control characters out of strings, and out of objects and
    lists of them.

    :param file_url: of the uploaded file; its query, and the values in it, are secrets.
    """
    hidden = _secrets_of(settings) | _secrets_in(file_url or "")
    spelled = hidden | {quote(secret, safe="") for secret in hidden}
    longest_first = sorted(spelled, key=len, reverse=True)

    def clean(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {clean(name): clean(item) for name, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [clean(item) for item in value]
        if not isinstance(value, str):
            return value
        for secret in longest_first:
            value = value.replace(secret, "***")
        if value.isprintable():
            return value
        return "".join(map(_printable, value))

    return clean


def _printable(character: str) -> str:
    is_shown = character.isprintable() or character == "\n"
    return character if is_shown else "\ufffd"


def _secrets_of(settings: WesSettings) -> set[str]:
    """The keys, as they are and as Basic credentials."""
    keys = {settings.api_key, settings.data_api_key}
    hidden = set(keys)
    for key in keys:
        basic = base64.b64encode(f"{settings.workspace_id}:{key}".encode()).decode()
        hidden |= {basic, basic.rstrip("=")}
    return hidden


def _secrets_in(url: str) -> set[str]:
    query = urlsplit(url).query
    values = {value for _, value in parse_qsl(query) if len(value) >= SHORTEST_SECRET}
    return ({query} | values) - {""}
