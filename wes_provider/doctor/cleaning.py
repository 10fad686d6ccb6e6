"""Takes secrets and control characters out of everything that is printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from itertools import takewhile
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from wes_provider.hiding import HIDDEN, take_out
from wes_provider.settings import WesSettings

__all__ = ["cleaner"]

SHORTEST_PART: Final = 8  # characters of a part of a secret; shorter ones may be any word
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
        value = _without_parts(take_out(value, secrets), secrets)
        if value.isprintable():
            return value
        return "".join(map(_printable, value))

    return clean


def _without_parts(text: str, secrets: Collection[str]) -> str:
    """
    Return a text without secrets in any case, and without the first and the last half of one, with
    what stands beside it of the rest: an error may repeat a key in small letters, or in part. A
    half that may be words, such as ``campaign-key``, stays.
    """
    # A shorter one may end as a longer one does.
    by_length = sorted(secrets, key=len, reverse=True)
    long = [secret for secret in by_length if len(secret) >= SHORTEST_PART]
    for secret in long:
        text = re.sub(re.escape(secret), HIDDEN, text, flags=re.IGNORECASE)
    for secret in long:
        half = max(SHORTEST_PART, (len(secret) + 1) // 2)
        if _is_random(secret[:half]):
            text = _without_beginning(text, secret, half)
        if _is_random(secret[-half:]):
            text = _without_beginning(text[::-1], secret[::-1], half)[::-1]
    return text


def _is_random(part: str) -> bool:
    """Tell whether a part of a secret is no word that other texts may have, too."""
    has_digit = any(character.isdigit() for character in part)
    return has_digit or part not in (part.lower(), part.upper())


def _without_beginning(text: str, secret: str, fewest: int) -> str:
    """Return a text without the first characters of a secret, if at least so many are there."""
    kept = []
    at = 0
    for found in re.finditer(re.escape(secret[:fewest]), text, re.IGNORECASE):
        kept += [text[at : found.start()], HIDDEN]
        at = found.end() + _number_alike(text[found.end() :], secret[fewest:])
    return "".join([*kept, text[at:]])


def _number_alike(text: str, other: str) -> int:
    """Count the characters at the beginning of two texts that are alike, ignoring case."""
    pairs = zip(text.lower(), other.lower(), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _printable(character: str) -> str:
    is_shown = character.isprintable() or character == "\n"
    if is_shown:
        return character
    return "\ufffd"


def _secrets_in(url: str) -> set[str]:
    query = urlsplit(url).query
    values = {value for _, value in parse_qsl(query) if len(value) >= SHORTEST_SECRET}
    return ({query} | values) - {""}
