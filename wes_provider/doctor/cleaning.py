"""Takes secrets and control characters out of everything that is printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from wes_provider.hiding import take_out, take_out_altered
from wes_provider.settings import WesSettings

__all__ = ["cleaner"]

SHORTEST_SECRET: Final = 8  # characters of a value in the query of a signed URL


def cleaner(
    settings: WesSettings,
    file_url: str | None = None,
) -> Callable[[Any], Any]:
    """
    Make a function that takes secrets and control characters out of strings, and out of objects and
    lists of them.

    :param file_url: of the uploaded file; its query, and the values in it, are secrets.
    """
    secrets = settings.secrets | _secrets_in(file_url or "")

    def clean(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {clean(name): clean(item) for name, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [clean(item) for item in value]
        if not isinstance(value, str):
            return value
        value = take_out_altered(take_out(value, secrets), secrets)
        if value.isprintable():
            return value
        return "".join(map(_printable, value))

    return clean


def _printable(character: str) -> str:
    is_shown = character.isprintable() or character == "\n"
    if is_shown:
        return character
    return "\ufffd"


def _secrets_in(url: str) -> set[str]:
    query = urlsplit(url).query
    values = {value for _, value in parse_qsl(query) if len(value) >= SHORTEST_SECRET}
    return ({query} | values) - {""}
