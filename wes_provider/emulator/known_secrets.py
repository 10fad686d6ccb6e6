"""Which secrets requests have: what ``assert_no_secret_in`` looks for. Pure."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, unquote_plus, urlsplit

from wes_provider import contract
from wes_provider.emulator.credentials import KnownKey
from wes_provider.emulator.request_log import LoggedRequest, take_passwords_out
from wes_provider.texts import shown

__all__ = ["Secret", "secrets_of_key", "secrets_of_request", "secrets_of_url"]

_URL_FIELDS: Final = [
    name for name, kind in contract.UPLOAD_FIELDS.items() if kind is contract.FieldKind.URL
]
_SHORTEST: Final = 8  # characters; what is shorter stands in too many other texts
# Letters and digits in a row that nobody writes as one word: with both, and of one kind.
_MIXED: Final = 12
_UNMIXED: Final = 20
_RUN: Final = re.compile("[A-Za-z0-9]+")
# 2026-11-28T08:17:08Z, 20261128T081708Z
_TIME: Final = re.compile(r"\b\d{4}-?\d\d-?\d\dT\d\d:?\d\d(:?\d\d(\.\d+)?)?Z?\b")
# In a body that is no JSON.
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s\"'<>]+")
_SECRET_NAME: Final = re.compile(
    r"(sig|signature|token|secret|password|passwd|pwd|credentials?|hmac|jwt|api[-_.]?key)$",
    re.IGNORECASE,
)


class Secret(NamedTuple):
    """A secret, and what a message calls it."""

    name: str
    text: str


def secrets_of_key(key: KnownKey) -> Iterator[Secret]:
    """Return a key, alone and in credentials."""
    yield Secret(f"a key of {key.kind}", key.key)
    for encoded in _encode_login(key.workspace, key.key):
        yield Secret(f"credentials of {key.kind}, encoded", encoded)


def secrets_of_request(request: LoggedRequest) -> Iterator[Secret]:
    """Return the passwords of files in a request's body, and what is secret of the URLs there."""
    if not request.hides_password:
        for login in take_passwords_out(request.body).logins:
            yield Secret("the password of a file", login.password)
            for encoded in _encode_login(login.username, login.password):
                yield Secret("credentials of a file, encoded", encoded)
    for name, url in _urls_in(request.body):
        yield from secrets_of_url(name, url)


def secrets_of_url(name: str, url: str) -> Iterator[Secret]:
    """
    Return the secrets of a URL.

    :param name: the field that has the URL.
    :param url: perhaps several, or none: a request may be wrong.
    """
    for word in url.split():
        yield from _passwords_of_url(name, word)
        queries = _queries_of(word)
        if queries[0]:
            yield Secret(f"the query of a {name}", _without_user(word))
        for query in queries:
            yield from _secrets_of_query(name, query)


def _urls_in(body: bytes) -> list[tuple[str, str]]:
    """Return the URLs in a body, wherever in it they stand, each with the name of its field."""
    found: list[tuple[str, str]] = []

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        for name, value in pairs:
            if name not in _URL_FIELDS:
                continue
            values = [value]
            if isinstance(value, list):
                values = value
            found.extend((name, each) for each in values if isinstance(each, str))
        return dict(pairs)

    try:
        json.loads(body, object_pairs_hook=collect)
    except (ValueError, RecursionError):
        # Without the zeros of UTF-16.
        text = body.replace(b"\0", b"").decode(errors="replace")
        return [("URL", url) for url in _URL.findall(text)]
    return found


def _encode_login(username: str, password: str) -> Iterator[str]:
    """Return what HTTP basic authentication sends, in either encoding, without the padding."""
    for encoding in ("utf-8", "latin-1"):
        try:
            login = f"{username}:{password}".encode(encoding)
        except UnicodeError:
            continue
        yield base64.b64encode(login).decode().rstrip("=")


def _passwords_of_url(name: str, url: str) -> Iterator[Secret]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    if not parts.password:
        return
    for password in {parts.password, unquote(parts.password)}:
        yield Secret(f"the password in a {name}", password)
    username = unquote(parts.username or "")
    for encoded in _encode_login(username, unquote(parts.password)):
        yield Secret(f"credentials in a {name}, encoded", encoded)


def _without_user(url: str) -> str:
    """Return a URL from its host to the end of its query."""
    without_scheme = re.sub("^[^/?]*://", "", url.partition("#")[0])
    host, slash, rest = without_scheme.partition("/")
    return host.rpartition("@")[2] + slash + rest


# -- queries --------------------------------------------------------------------------------------


class _Parameter(NamedTuple):
    """
    A parameter of a query.

    :ivar name: empty if it has no equals sign.
    :ivar values: its value as it stands, and decoded in both ways.
    """

    text: str
    name: str
    values: set[str]

    @property
    def is_named_like_a_secret(self) -> bool:
        return _SECRET_NAME.search(self.name) is not None

    @property
    def is_harmless(self) -> bool:
        """It has only words, numbers and times."""
        return not self.is_named_like_a_secret and all(map(_has_only_words, self.values))


def _queries_of(url: str) -> list[str]:
    """Return a URL's query, and its parts if it has further question marks."""
    query = url.partition("#")[0].partition("?")[2]
    return list(dict.fromkeys([query, *query.split("?")]))


def _secrets_of_query(name: str, query: str) -> Iterator[Secret]:
    parameters = [_read_parameter(text) for text in re.split("[&;]", query)]
    is_harmless = all(parameter.is_harmless for parameter in parameters)
    if not is_harmless and len(query) >= _SHORTEST:
        for text in {query, unquote(query)}:
            yield Secret(f"the query of a {name}", text)
    for parameter in parameters:
        yield from _secrets_of_parameter(name, parameter)


def _read_parameter(text: str) -> _Parameter:
    name, equals, value = text.partition("=")
    if not equals:
        name, value = "", text
    return _Parameter(text, name, {value, unquote(value), unquote_plus(value)})


def _secrets_of_parameter(name: str, parameter: _Parameter) -> Iterator[Secret]:
    called = f"a part of the query of a {name}"
    if parameter.name:
        called = f"{shown(parameter.name, 40)} in the query of a {name}"
    if parameter.is_named_like_a_secret and len(parameter.text) >= _SHORTEST:
        yield Secret(called, parameter.text)
    for value in parameter.values:
        counts = _has_random_run(value)
        if parameter.is_named_like_a_secret:
            counts = len(value) >= _SHORTEST
        if counts:
            yield Secret(called, value)
        # A URL that is a value has a query of its own. Decoding makes it shorter each time.
        if "?" in value and len(value) < len(parameter.text):
            yield from secrets_of_url(name, value)


def _has_random_run(value: str) -> bool:
    return any(_is_random(run) for run in _RUN.findall(_TIME.sub(" ", value)))


def _is_random(run: str) -> bool:
    if run.isalpha() or run.isdigit():
        return len(run) >= _UNMIXED
    return len(run) >= _MIXED


def _has_only_words(value: str) -> bool:
    """Tell whether letters and digits stand apart in a value, but for times."""
    runs = _RUN.findall(_TIME.sub(" ", value))
    return all((run.isalpha() or run.isdigit()) and len(run) < _UNMIXED for run in runs)
