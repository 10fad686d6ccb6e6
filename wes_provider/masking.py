"""
Secrets in arguments, told to Airflow's own masker as soon as they are known.

Airflow's masker compiles one expression of everything that it was told, again with each secret, so
its time grows with the square of what is told. An argument with many signed URLs therefore tells
what they share once, and of each signature as much as nobody can guess.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

try:
    from airflow.sdk.log import mask_secret as mask_secret
except ImportError:  # Airflow 2.11
    from airflow.utils.log.secrets_masker import (  # type: ignore[import-not-found,no-redef]
        mask_secret as mask_secret,
    )

_PASSWORD: Final = re.compile(r"://[^\s/:@\"'?]*:([^\s/@\"']+)@")
_QUERY: Final = re.compile(r"[?;#]([^\s\"'<>]*=[^\s\"'<>]*)")
# Names of parameters that make a URL valid, whoever signed it.
_SIGNING: Final = re.compile(
    r"sig|token|hmac|auth|secret|pass|key|hash|hdn|policy|credential|jwt|ticket|code",
    re.IGNORECASE,
)
SHORTEST: Final = 8  # characters; a shorter query stands in too many other texts
# As many queries of one argument are told as they are.
MOST_WHOLE_QUERIES: Final = 20
# Characters of a signature that are told if there are more; without them it is worth nothing.
BEGINNING: Final = 12


def hide_secrets(value: Any) -> None:
    """
    Have Airflow hide the passwords and queries of URLs, and each ``file_url_auth_password``.

    A query or fragment without a ``=`` is not hidden: it may be a date or a place in a page, and
    the masker would hide that in every log line.

    :param value: a rendered argument as a whole, whatever it is made of.
    """
    texts: list[str] = []
    passwords: list[str] = []
    _collect(value, texts, passwords)
    for text in texts:
        passwords += _PASSWORD.findall(text)
    queries = [query for query in _find_queries(texts) if len(query) >= SHORTEST]
    if len(queries) > MOST_WHOLE_QUERIES:
        queries = [*_beginnings_of_signatures(queries), *_shared_parameters(queries)]
    for secret in dict.fromkeys([*passwords, *queries]):
        mask_secret(secret)


def _find_queries(texts: Iterable[str]) -> list[str]:
    """Return the queries and fragments with a ``=`` in some strings, each once."""
    queries: dict[str, None] = {}
    for text in texts:
        queries.update(dict.fromkeys(_QUERY.findall(text)))
    return list(queries)


def _collect(value: Any, texts: list[str], passwords: list[str]) -> None:
    """Gather the strings of a value, and those of JSON in it, and the passwords of files."""
    if isinstance(value, Mapping):
        password = value.get("file_url_auth_password")
        if password:
            passwords.append(str(password))
        for item in value.values():
            _collect(item, texts, passwords)
    elif isinstance(value, (list, tuple, set)):
        for item in value:
            _collect(item, texts, passwords)
    elif isinstance(value, str):
        texts.append(value)
        # A template's JSON, or a bracket of something else.
        if value.lstrip()[:1] in ("[", "{"):
            with suppress(msgspec.DecodeError, RecursionError):
                _collect(msgspec.json.decode(value), texts, passwords)


def _beginnings_of_signatures(queries: Sequence[str]) -> Iterator[str]:
    """Yield of each query the beginning of what signs it, which no other query has."""
    counts = _count_parameters(queries)
    for query in queries:
        own = [parameter for parameter in _parameters(query) if counts[parameter] == 1]
        for parameter in _signing(own):
            value = parameter.partition("=")[2] or parameter
            if len(value) >= SHORTEST:
                yield value[:BEGINNING]


def _shared_parameters(queries: Sequence[str]) -> list[str]:
    """
    Return the parameters that several queries have.

    The longest come last, since the masker compiles all that came before again with each.
    """
    counts = _count_parameters(queries)
    shared = [parameter for parameter, count in counts.items() if count > 1]
    return sorted([parameter for parameter in shared if len(parameter) >= SHORTEST], key=len)


def _count_parameters(queries: Sequence[str]) -> Counter[str]:
    """Return how many queries have each parameter."""
    counts: Counter[str] = Counter()
    for query in queries:
        counts.update(set(_parameters(query)))
    return counts


def _parameters(query: str) -> list[str]:
    return query.replace(";", "&").split("&")


def _signing(own: list[str]) -> list[str]:
    """
    Return the parameters that sign a URL, of those that it alone has. If none of them is called
    like a signature, any may be one.
    """
    named_so = [parameter for parameter in own if _SIGNING.search(parameter.partition("=")[0])]
    return named_so or own
